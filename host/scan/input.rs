//! What `scan` reads: the signatures, all at once, and the sequences, batch by batch.

use super::{Options, Records, Signature, Wildcards};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use warpseq_engine::room::{Guard, Room};
use warpseq_io::error::{FileError, Result};
use warpseq_io::fastx::{Kind, Location, Qualities, Reader};
use warpseq_seq::{iupac, phred::illegal_quality};

/// The most sequences of a batch.
const SEQUENCES_MAX: usize = 1 << 20;
/// Bytes that a record takes besides its bases, qualities and the characters of its name: for the name, a start and a location.
const RECORD_BYTES: usize = 96;
/// Sequences that a thread checks at a time.
const CHECKED: usize = 256;

/// Reads a signatures file.
///
/// # Errors
/// What [`Reader`] refuses; FASTQ; no signatures; an empty signature; a base that `wildcards` does not allow.
pub fn signatures(path: &Path, wildcards: Wildcards) -> Result<Vec<Signature>> {
    let mut reader = Reader::open(path)?;
    let path = reader.path().to_path_buf();
    let unusable = |message: &str| FileError::Unusable { path: path.clone(), message: message.into() };
    if reader.kind() == Some(Kind::Fastq) {
        return Err(unusable(
            "signatures must be FASTA, and this begins with `@`, as FASTQ and SAM do: are the two files swapped? (warpseq scan \
             SAMPLES SIGNATURES) If not, convert it, as with `seqkit fq2fa` or `samtools fasta`",
        ));
    }
    let mut signatures = Vec::new();
    let (mut bases, mut no_quality) = (Vec::new(), Vec::new());
    while let Some(header) = reader.read(&mut bases, &mut no_quality)? {
        let place = &header.location;
        let input = |line, message| FileError::Input { path: path.clone(), line, record: place.record, message };
        if bases.is_empty() {
            return Err(input(place.line, "the signature has no bases: add them, or remove the record".into()));
        }
        if let Some(message) = beyond_32_bits(bases.len(), signatures.len() + 1) {
            return Err(input(place.line, message));
        }
        iupac::check_signature(&bases, wildcards)
            .map_err(|at| input(place.line_of_base(at as u64), illegal_base(bases[at], "a signature")))?;
        signatures.push(Signature::new(header.name, std::mem::take(&mut bases)));
    }
    if signatures.is_empty() {
        return Err(unusable("there are no signatures in it"));
    }
    Ok(signatures)
}

/// Why such a signature cannot be searched for: its bases, and the patterns of all signatures, two each, are counted in 32 bits.
fn beyond_32_bits(bases: usize, signatures: usize) -> Option<String> {
    let most = u32::MAX as usize;
    if bases > most {
        return Some(format!("the signature has {bases} bases, and at most {most} can be searched for: cut it"));
    }
    let message = || format!("more than the {} signatures that can be searched for: cut the file in two", most / 2);
    (signatures > most / 2).then(message)
}

fn illegal_base(base: u8, of: &str) -> String {
    let shown = char::from(base);
    format!(
        "{shown:?} is not a base of {of}: expected A, C, G, T, U or another IUPAC code (--wildcards n takes any printable byte)"
    )
}

/// A batch from reader to worker: its sequences, and where each stands in the file.
#[derive(Default)]
pub struct Work {
    /// The sequences.
    pub batch: Records,
    /// Where each stands in its file.
    pub locations: Vec<Location>,
    /// Its share of the bytes in flight.
    guard: Option<Guard>,
}

impl Work {
    /// Removes the sequences, and keeps memory for about `bytes` of them.
    pub fn clear(&mut self, bytes: usize) {
        self.guard = None;
        self.batch.clear();
        self.locations.clear();
        self.batch.shrink_to(bytes + bytes / 4);
    }
}

/// The batches of a file of sequences, read one after another.
pub struct Batches {
    reader: Reader,
    batch_bytes: usize,
    room: Room,
}

impl Batches {
    /// Opens a file of sequences. A batch ends with the sequence that fills `batch_bytes`, and waits until there is `room`.
    ///
    /// # Errors
    /// Those of [`Reader::open`].
    pub fn open(path: &Path, batch_bytes: usize, room: Room) -> Result<Self> {
        Ok(Self { reader: Reader::open(path)?, batch_bytes, room })
    }

    /// The file being read, to follow its progress.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Reads the next batch into the memory of what `spare` returns, which is empty; `None` at the end of the file.
    ///
    /// # Errors
    /// Those of [`Reader::read`].
    pub fn next(&mut self, spare: impl FnOnce() -> Work) -> Result<Option<Work>> {
        self.room.wait_for(self.batch_bytes);
        let mut work = spare();
        let Work { batch, locations, guard } = &mut work;
        let mut bytes = 0;
        while bytes < self.batch_bytes && batch.len() < SEQUENCES_MAX {
            let Some(location) = self.reader.read_record(batch, Qualities::Keep)? else { break };
            let last = batch.len() - 1;
            let quality = batch.quality(last).unwrap_or_default();
            bytes += batch.sequence(last).len() + quality.len() + batch.name(last).len() + RECORD_BYTES;
            locations.push(location);
        }
        *guard = Some(self.room.take(bytes));
        Ok((!batch.is_empty()).then_some(work))
    }
}

/// Checks the bases and qualities of a batch, and counts the `-` among its bases.
///
/// # Errors
/// The first illegal base or quality, with its line.
pub fn check(path: &Path, work: &Work, options: &Options) -> Result<u64> {
    let starts: Vec<usize> = (0..work.batch.len()).step_by(CHECKED).collect();
    let check = |&start: &usize| {
        let sequences = start..work.batch.len().min(start + CHECKED);
        sequences.map(|k| check_sequence(path, work, k, options)).sum::<Result<u64>>()
    };
    // The error of the earliest sequence, whichever thread finds one first.
    let gaps: Vec<Result<u64>> = starts.par_iter().map(check).collect();
    gaps.into_iter().sum()
}

fn check_sequence(path: &Path, work: &Work, k: usize, options: &Options) -> Result<u64> {
    let (bases, place) = (work.batch.sequence(k), &work.locations[k]);
    let input = |line, message| FileError::Input { path: PathBuf::from(path), line, record: place.record, message };
    iupac::check_sequence(bases, options.wildcards)
        .map_err(|at| input(place.line_of_base(at as u64), illegal_base(bases[at], "a sequence")))?;
    if let Some(quality) = work.batch.quality(k) {
        let least = options.phred.least();
        if let Some(at) = first_below(quality, least) {
            let message = illegal_quality(quality[at], options.phred);
            return Err(input(place.line_of_quality(at as u64), message));
        }
    }
    if options.wildcards == Wildcards::N { Ok(0) } else { Ok(count(bases, b'-')) }
}

/// The first byte below `least`; the reader has refused bytes above 126. One vectorised pass when there is none.
fn first_below(bytes: &[u8], least: u8) -> Option<usize> {
    if bytes.iter().fold(u8::MAX, |low, &b| low.min(b)) >= least {
        return None;
    }
    bytes.iter().position(|&b| b < least)
}

fn count(bytes: &[u8], wanted: u8) -> u64 {
    // Bytes are summed in runs of at most 255, so that the sums fit bytes and the loop vectorises.
    bytes.chunks(255).map(|run| u64::from(run.iter().map(|&b| u8::from(b == wanted)).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_32_bits_cannot_count_is_refused() {
        let most = u32::MAX as usize;
        assert_eq!(beyond_32_bits(most, most / 2), None);
        assert!(beyond_32_bits(most + 1, 1).unwrap().contains("4294967296 bases"));
        assert!(beyond_32_bits(1, most / 2 + 1).unwrap().contains("2147483647 signatures"));
    }

    #[test]
    fn bytes_are_counted_across_runs() {
        for length in [0, 1, 254, 255, 256, 1000] {
            let bytes: Vec<u8> = (0..length).map(|i| if i % 3 == 0 { b'-' } else { b'A' }).collect();
            assert_eq!(count(&bytes, b'-'), (length as u64).div_ceil(3));
        }
        assert_eq!(count(&[b'-'; 600], b'-'), 600);
    }

    #[test]
    fn the_first_low_byte_is_found() {
        assert_eq!(first_below(b"", 33), None);
        assert_eq!(first_below(b"III", 33), None);
        assert_eq!(first_below(b"II:;I:", 64), Some(2));
    }
}
