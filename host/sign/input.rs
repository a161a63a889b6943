//! What `sign` reads: sequences, batch by batch. Every byte is legal, and qualities are ignored.
//!
//! A batch ends with the sequence that fills it, so a run takes the memory of its batches, apart from the longest sequence
//! with its signatures.

use super::{Parameters, Records};
use std::path::Path;
use warpseq_engine::error::Result;
use warpseq_io::fastx::{Qualities, Reader};

/// Bytes that a sequence takes besides its residues, its name and its signatures.
const SEQUENCE_BYTES: usize = 64;
/// The most sequences of a batch.
const SEQUENCES_MAX: usize = 1 << 18;

/// A file being read.
pub struct SequenceFile {
    reader: Reader,
    /// The first sequence, until it is handed out.
    first: Records,
}

impl SequenceFile {
    /// Opens FASTA or FASTQ, plain or gzip, or standard input for `-`, and reads the first sequence.
    ///
    /// # Errors
    /// Those of [`Reader`].
    pub fn open(path: &Path) -> Result<Self> {
        let (mut reader, mut first) = (Reader::open(path)?, Records::default());
        reader.read_record(&mut first, Qualities::Drop)?;
        Ok(Self { reader, first })
    }

    /// The file being read, to follow its progress.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// The residues of the first sequence, before it is handed out; none when there are no sequences.
    pub fn first_residues(&self) -> &[u8] {
        self.first.sequences().residues()
    }

    /// Reads the next batch into `batch`, reusing its memory: sequences until they and their signatures take `bytes`.
    /// Returns the batch and the bytes that it takes, or `None` at the end of the file.
    ///
    /// # Errors
    /// Those of [`Reader::read`].
    pub fn next(
        &mut self,
        mut batch: Records,
        parameters: &Parameters,
        bytes: usize,
    ) -> Result<Option<(Records, usize)>> {
        batch.clear();
        if !self.first.is_empty() {
            batch = std::mem::take(&mut self.first);
        }
        let signed = |length| parameters.window.count(length) as usize * parameters.width();
        let weight = |batch: &Records, k| {
            let (name, length) = (batch.name(k), batch.sequences().length(k));
            SEQUENCE_BYTES + name.len() + length + signed(length as u64)
        };
        let mut taken: usize = (0..batch.len()).map(|k| weight(&batch, k)).sum();
        while batch.is_empty() || taken < bytes && batch.len() < SEQUENCES_MAX {
            if self.reader.read_record(&mut batch, Qualities::Drop)?.is_none() {
                break;
            }
            taken += weight(&batch, batch.len() - 1);
        }
        Ok((!batch.is_empty()).then_some((batch, taken)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// The batches of a file, each taking at most about `bytes`.
    fn batches(text: &str, bytes: usize) -> Vec<Records> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let mut sequences = SequenceFile::open(file.path()).unwrap();
        let (mut batches, mut spare) = (Vec::new(), Records::default());
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
            let mut whole = Records::default();
            for batch in batches(&text, bytes) {
                (0..batch.len()).for_each(|k| whole.push(batch.name(k), batch.sequence(k)));
            }
            let mut expected = Records::default();
            (0..50).for_each(|k| expected.push(format!("s{k}"), "MKVL".repeat(k % 7).as_bytes()));
            assert_eq!(whole, expected, "{bytes} bytes");
        }
    }

    #[test]
    fn a_batch_is_weighed_with_its_signatures() {
        // 4 residues, a name of 1 byte, 8 bytes of signature, and what any sequence takes.
        let text = ">s\nMKVL\n".repeat(10);
        let lengths: Vec<usize> = batches(&text, 3 * (13 + SEQUENCE_BYTES)).iter().map(Records::len).collect();
        assert_eq!(lengths, [3, 3, 3, 1]);
    }

    #[test]
    fn an_empty_file_has_no_batch_and_no_first_residues() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(SequenceFile::open(file.path()).unwrap().first_residues().is_empty());
        assert_eq!(batches("", 100), []);
        assert_eq!(batches("@q\nACGT\n+\nIIII\n", 100)[0].sequence(0), b"ACGT");
    }
}
