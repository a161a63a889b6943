//! The records of several files, one file after the other.

use super::Inputs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use warpseq_engine::error::Result;
use warpseq_io::console::Console;
use warpseq_io::fastx::{Batches, Demands, Qualities, Sizes, Spare};
use warpseq_io::standard;
use warpseq_seq::Records;

/// See the module.
pub struct Files {
    /// Those that have not been opened.
    later: std::vec::IntoIter<PathBuf>,
    batches: Batches,
    sizes: Sizes,
    /// The files so far as messages name them, each with the number of its sequences.
    told: Vec<(PathBuf, u64)>,
    total_bytes: Option<u64>,
    /// Bytes of the files before the one that is read.
    before: u64,
    bytes_read: Arc<AtomicU64>,
}

impl Files {
    /// Opens the first of some files, or standard input for `-`.
    ///
    /// # Errors
    /// Those of [`Batches::open`].
    ///
    /// # Panics
    /// When there is no file.
    pub fn open(inputs: Inputs, sizes: Sizes) -> Result<Self> {
        let total_bytes = inputs.paths.iter().map(|path| standard::size_of_input(path)).sum();
        let mut later = Vec::from(inputs.paths).into_iter();
        let batches = open(&later.next().expect("at least one file"), sizes)?;
        let told = vec![(batches.reader().path().to_path_buf(), 0)];
        Ok(Self { later, batches, sizes, told, total_bytes, before: 0, bytes_read: Arc::default() })
    }

    /// Opens the next file; `false` when there is none.
    ///
    /// # Errors
    /// Those of [`Batches::open`].
    pub fn open_next(&mut self) -> Result<bool> {
        let Some(path) = self.later.next() else { return Ok(false) };
        self.before = self.bytes_read.load(Ordering::Relaxed);
        self.batches = open(&path, self.sizes)?;
        self.told.push((self.batches.reader().path().to_path_buf(), 0));
        Ok(true)
    }

    /// The next records of the file that is open; `None` at its end.
    ///
    /// # Errors
    /// Those of [`Batches::next`].
    pub fn next(&mut self) -> Result<Option<Records>> {
        let batch = self.batches.next()?;
        let of_file = self.batches.reader().bytes_read().load(Ordering::Relaxed);
        self.bytes_read.store(self.before + of_file, Ordering::Relaxed);
        Ok(batch.map(|batch| {
            self.told.last_mut().expect("a file is open").1 += batch.records.len() as u64;
            batch.records
        }))
    }

    /// Where the memory of records of the file that is open is given back.
    pub fn spare(&self) -> Spare {
        self.batches.spare()
    }

    /// The bytes of all files; `None` when those of one are not known.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total_bytes
    }

    /// Bytes read so far.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes_read)
    }

    /// What messages about all files call them.
    pub fn shown(&self) -> String {
        let (first, others) = (self.told[0].0.display(), self.told.len() - 1 + self.later.len());
        match others {
            0 => first.to_string(),
            1 => format!("{first} and another file"),
            _ => format!("{first} and {others} other files"),
        }
    }

    /// Warns of files without sequences.
    pub fn warn(&self, console: Console) {
        for (path, _) in self.told.iter().filter(|(_, sequences)| *sequences == 0) {
            console.warn(format_args!("{}: there are no sequences in it", path.display()));
        }
    }
}

fn open(path: &std::path::Path, sizes: Sizes) -> Result<Batches> {
    Ok(Batches::open(path, Demands { qualities: Qualities::Drop, ..Demands::default() }, sizes)?)
}
