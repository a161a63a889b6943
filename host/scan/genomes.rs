//! The genomes of a run, file by file, in batches.

use crate::Wildcards;
use crate::input::count;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use warpseq_io::console::Console;
use warpseq_io::error::Result;
use warpseq_io::fastx::{Batch, Batches, Demands, Place, Qualities, Record, Refusal, Sizes, Spare};
use warpseq_seq::iupac::check_sequence;

/// What is told of a file when all is done.
struct Told {
    label: PathBuf,
    sequences: u64,
    gaps: u64,
}

/// See the module.
pub struct Genomes<'p> {
    /// Those that have not been opened.
    paths: std::slice::Iter<'p, PathBuf>,
    batches: Batches,
    sizes: Sizes,
    told: Vec<Told>,
    total_bytes: Option<u64>,
    /// Bytes of the files before the one that is read.
    before: u64,
    bytes_read: Arc<AtomicU64>,
}

impl<'p> Genomes<'p> {
    /// Opens the first of some files.
    ///
    /// # Errors
    /// Those of [`Batches::open`].
    ///
    /// # Panics
    /// When there is no file.
    pub fn open(paths: &'p [PathBuf], sizes: Sizes) -> Result<Self> {
        let (first, rest) = paths.split_first().expect("at least one file");
        let batches = Batches::open(first, demands(), sizes)?;
        let (told, total_bytes) = (vec![about(&batches)], total_bytes(&batches, rest));
        Ok(Self { paths: rest.iter(), batches, sizes, told, total_bytes, before: 0, bytes_read: Arc::default() })
    }

    /// The size of all files; `None` when that of one is not known.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total_bytes
    }

    /// Bytes read so far.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes_read)
    }

    /// The next sequences, all of one file, and where their memory is given back; `None` at the end.
    ///
    /// # Errors
    /// Those of [`Batches`].
    pub fn next(&mut self) -> Result<Option<Genome>> {
        loop {
            let batch = self.batches.next()?;
            let of_file = self.batches.reader().bytes_read().load(Ordering::Relaxed);
            self.bytes_read.store(self.before + of_file, Ordering::Relaxed);
            if let Some(Batch { records, counted, .. }) = batch {
                let told = self.told.last_mut().expect("a file is open");
                told.sequences += records.len() as u64;
                told.gaps += counted;
                return Ok(Some(Genome { records, spare: self.batches.spare() }));
            }
            let Some(path) = self.paths.next() else { return Ok(None) };
            self.before += of_file;
            self.batches = Batches::open(path, demands(), self.sizes)?;
            self.told.push(about(&self.batches));
        }
    }

    /// Warns of files without sequences, and of gaps.
    pub fn warn(&self, console: Console) {
        for Told { label, sequences, gaps } in &self.told {
            let label = label.display();
            if *sequences == 0 {
                console.warn(format_args!("{label}: there are no sequences in it"));
            }
            if *gaps > 0 {
                console.warn(format_args!("{label}: {gaps} gaps (`-`) among the bases match nothing"));
            }
        }
    }
}

/// Sequences of one file.
pub struct Genome {
    pub records: warpseq_seq::Records,
    /// Where their memory is given back.
    pub spare: Spare,
}

fn about(batches: &Batches) -> Told {
    Told { label: batches.reader().path().to_path_buf(), sequences: 0, gaps: 0 }
}

fn total_bytes(first: &Batches, rest: &[PathBuf]) -> Option<u64> {
    let size =
        |path: &PathBuf| path.metadata().ok().filter(|metadata| metadata.is_file()).map(|metadata| metadata.len());
    rest.iter().map(size).fold(first.reader().total_bytes(), |sum, size| Some(sum? + size?))
}

/// Bases; the `-` among them are counted.
fn demands() -> Demands {
    let check = |Record { residues, .. }: Record| match check_sequence(residues, Wildcards::Iupac) {
        Ok(()) => Ok(count(residues, b'-')),
        Err(at) => {
            let found = char::from(residues[at]);
            let message =
                format!("{found:?} is not a base of a sequence: expected A, C, G, T, U or another IUPAC code");
            Err(Refusal { place: Place::Residue(at), message })
        }
    };
    Demands { qualities: Qualities::Drop, check: Some(Arc::new(check)), ..Demands::default() }
}
