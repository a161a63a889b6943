//! What `sign` reads: sequences, batch by batch. Every letter is legal, and qualities are not looked at.
//!
//! A batch ends with the sequence that fills it, so a run takes the memory of its batches, apart from the longest sequence
//! with its signatures.

use super::{Batch, Parameters};
use std::path::Path;
use warpseq_engine::error::Result;
use warpseq_io::fastx::Reader;

/// What a sequence takes beside its letters, its signatures and the letters of its name: the name and a start.
const SEQUENCE_BYTES: usize = 64;
/// The most sequences of a batch.
const SEQUENCES_MAX: usize = 1 << 18;

/// A file being read.
pub struct Sequences {
    reader: Reader,
    /// The first sequence, until it is handed out.
    first: Batch,
    /// Of the sequence being read; nobody's.
    quality: Vec<u8>,
}

impl Sequences {
    /// Opens FASTA or FASTQ, plain or gzip, or standard input for `-`, and reads the first sequence.
    ///
    /// # Errors
    /// Those of [`Reader`].
    pub fn open(path: &Path) -> Result<Self> {
        let mut sequences = Self { reader: Reader::open(path)?, first: Batch::default(), quality: Vec::new() };
        let mut first = Batch::default();
        sequences.read(&mut first)?;
        sequences.first = first;
        Ok(sequences)
    }

    /// The file being read, to follow its progress.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// The letters of the first sequence, before it is handed out; none when there are no sequences.
    pub fn first_letters(&self) -> &[u8] {
        &self.first.letters
    }

    /// Reads the next batch into `batch`, reusing its memory: sequences until they and their signatures take `bytes`. What they
    /// take is answered, too; `None` at the end of the file.
    ///
    /// # Errors
    /// Those of [`Reader::read`].
    pub fn next(&mut self, mut batch: Batch, parameters: &Parameters, bytes: usize) -> Result<Option<(Batch, usize)>> {
        batch.clear();
        if !self.first.is_empty() {
            batch = std::mem::take(&mut self.first);
        }
        let signed = |length| parameters.window.count(length) as usize * parameters.width();
        let weight = |name: &Vec<u8>, length| SEQUENCE_BYTES + name.len() + length as usize + signed(length);
        let mut taken: usize = batch.names.iter().zip(batch.lengths()).map(|(name, length)| weight(name, length)).sum();
        while batch.is_empty() || taken < bytes && batch.len() < SEQUENCES_MAX {
            let Some(length) = self.read(&mut batch)? else { break };
            taken += weight(&batch.names[batch.len() - 1], length);
        }
        Ok((!batch.is_empty()).then_some((batch, taken)))
    }

    /// Appends the next sequence; how many letters it has, `None` at the end.
    fn read(&mut self, batch: &mut Batch) -> Result<Option<u64>> {
        let before = batch.letters.len();
        let Some(header) = self.reader.read(&mut batch.letters, &mut self.quality)? else { return Ok(None) };
        self.quality.clear();
        if batch.starts.is_empty() {
            batch.starts.push(0);
        }
        batch.starts.push(batch.letters.len() as u64);
        batch.names.push(header.name);
        Ok(Some((batch.letters.len() - before) as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// The batches of a file, each taking at most about `bytes`.
    fn batches(text: &str, bytes: usize) -> Vec<Batch> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let mut sequences = Sequences::open(file.path()).unwrap();
        let (mut batches, mut spare) = (Vec::new(), Batch::default());
        while let Some((batch, _)) = sequences.next(spare, &Parameters::QUT, bytes).unwrap() {
            batches.push(batch.clone());
            spare = batch;
        }
        batches
    }

    #[test]
    fn batches_together_are_the_file_however_they_are_cut() {
        let text: String = (0..50).map(|k| format!(">s{k}\n{}\n", "MKVL".repeat(k % 7))).collect();
        for bytes in [0, 1, 100, 1000, 1 << 20] {
            let mut whole = Batch::default();
            for batch in batches(&text, bytes) {
                (0..batch.len()).for_each(|k| whole.push(&batch.names[k], batch.sequence(k)));
            }
            let mut expected = Batch::default();
            (0..50).for_each(|k| expected.push(format!("s{k}").as_bytes(), "MKVL".repeat(k % 7).as_bytes()));
            assert_eq!(whole, expected, "{bytes} bytes");
        }
    }

    #[test]
    fn a_batch_is_weighed_with_its_signatures() {
        // 4 letters, a letter of a name, 8 bytes of signature, and what any sequence takes.
        let text = ">s\nMKVL\n".repeat(10);
        let lengths: Vec<usize> = batches(&text, 3 * (13 + SEQUENCE_BYTES)).iter().map(Batch::len).collect();
        assert_eq!(lengths, [3, 3, 3, 1]);
    }

    #[test]
    fn an_empty_file_has_no_batch_and_no_first_letters() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(Sequences::open(file.path()).unwrap().first_letters().is_empty());
        assert_eq!(batches("", 100), []);
        assert_eq!(batches("@q\nACGT\n+\nIIII\n", 100)[0].letters, b"ACGT");
    }
}
