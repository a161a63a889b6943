//! The genomes of a run, file by file, in batches.

use crate::Wildcards;
use crate::input::count_gaps;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use warpseq_io::console::Console;
use warpseq_io::error::Result;
use warpseq_io::fastx::{Batch, Batches, Demands, Place, Qualities, Record, Refusal, Sizes, Spare, Unit};
use warpseq_io::shard::{Shard, Share};
use warpseq_io::standard;
use warpseq_io::text::Measure;

/// What is told of a file when all is done.
struct Told {
    label: PathBuf,
    sequences: u64,
    gaps: u64,
    of_shard: bool,
}

/// See the module.
pub struct Genomes<'p> {
    /// Those that have not been opened, each with what is read of it; none: all.
    files: std::vec::IntoIter<(&'p PathBuf, Option<Share>)>,
    batches: Batches,
    sizes: Sizes,
    told: Vec<Told>,
    total_bytes: Option<u64>,
    /// Bytes of the files before the one that is read.
    before: u64,
    bytes_read: Arc<AtomicU64>,
}

impl<'p> Genomes<'p> {
    /// Opens the first of some files, or of those that have something of a shard.
    ///
    /// # Errors
    /// Those of [`Batches::open`], and of [`Shard::shares`].
    ///
    /// # Panics
    /// When there is no file.
    pub fn open(paths: &'p [PathBuf], shard: Option<Shard>, sizes: Sizes) -> Result<Self> {
        let files: Vec<(&PathBuf, Option<Share>)> = match shard {
            None => paths.iter().map(|path| (path, None)).collect(),
            Some(shard) => {
                let shares = shard.shares(paths.iter().map(PathBuf::as_path))?;
                let mut files: Vec<_> = paths.iter().zip(shares.into_iter().map(Some)).collect();
                let first = files[0].clone();
                files.retain(|(_, share)| share.as_ref().is_some_and(|share| !share.span.is_empty()));
                if files.is_empty() { vec![first] } else { files }
            }
        };
        let total_bytes = files.iter().map(bytes_of).sum();
        let mut files = files.into_iter();
        let first = files.next().expect("at least one file");
        let batches = open(&first, sizes)?;
        let told = vec![about(&batches)];
        Ok(Self { files, batches, sizes, told, total_bytes, before: 0, bytes_read: Arc::default() })
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
            let Some(file) = self.files.next() else { return Ok(None) };
            self.before += of_file;
            self.batches = open(&file, self.sizes)?;
            self.told.push(about(&self.batches));
        }
    }

    /// Warns of files without sequences, and of gaps.
    pub fn warn(&self, console: Console) {
        for Told { label, sequences, gaps, of_shard } in &self.told {
            let label = label.display();
            // Of a shard, nobody knows what the file holds besides.
            if *sequences == 0 && !of_shard {
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
    Told { label: batches.reader().path().to_path_buf(), sequences: 0, gaps: 0, of_shard: batches.is_of_share() }
}

fn open((path, share): &(&PathBuf, Option<Share>), sizes: Sizes) -> Result<Batches> {
    match share {
        Some(share) => Batches::open_share(path, demands(), sizes, share, Unit::Record),
        None => Batches::open(path, demands(), sizes),
    }
}

/// How much is read of a file; `None`: nobody knows.
fn bytes_of((path, share): &(&PathBuf, Option<Share>)) -> Option<u64> {
    let size = standard::size_of_input(path);
    let of_share = share.as_ref().filter(|share| share.measure != Measure::Text);
    size.map(|size| of_share.map_or(size, |share| share.span.end - share.span.start))
}

/// Bases; the `-` among them are counted.
fn demands() -> Demands {
    let check = |Record { residues, .. }: Record| {
        count_gaps(residues, Wildcards::Iupac).map_err(|at| {
            let found = char::from(residues[at]);
            let message =
                format!("{found:?} is not a base of a sequence: expected A, C, G, T, U or another IUPAC code");
            Refusal { place: Place::Residue(at), message }
        })
    };
    Demands { qualities: Qualities::Drop, check: Some(Arc::new(check)), ..Demands::default() }
}
