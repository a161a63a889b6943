//! What `sign` reads: sequences, batch by batch. Every byte is legal, and qualities are ignored.
//!
//! A batch ends with the sequence that fills it, so a run takes the memory of its batches, apart from the longest sequence
//! with its signatures. The first sequences are read ahead, as many as say what they are; they are then handed out in batches
//! like the others.

use super::composition::{Composition, SYMBOLS};
use super::{Alphabet, Parameters, Records};
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
    composition: Composition,
    /// The sequences read ahead, those before `next` handed out.
    ahead: Records,
    next: usize,
    /// The one after them, if it is too long to be copied.
    long: Records,
}

impl SequenceFile {
    /// Opens FASTA or FASTQ, plain or gzip, or standard input for `-`, and reads the first sequences.
    ///
    /// # Errors
    /// Those of [`Reader`].
    pub fn open(path: &Path) -> Result<Self> {
        let reader = Reader::open(path)?;
        let (composition, ahead, long) = Default::default();
        let mut file = Self { reader, composition, ahead, next: 0, long };
        file.read_ahead()?;
        Ok(file)
    }

    /// Reads sequences until it is known what they are.
    fn read_ahead(&mut self) -> Result<()> {
        while !self.composition.is_settled() {
            let mut one = Records::default();
            if self.reader.read_record(&mut one, Qualities::Drop)?.is_none() {
                break;
            }
            self.composition.add(one.sequence(0));
            if one.sequence(0).len() >= SYMBOLS {
                self.long = one;
                break;
            }
            self.ahead.push(one.name(0), one.sequence(0));
        }
        Ok(())
    }

    /// The file being read, to follow its progress.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// What the sequences are, by their first letters; `None` if there are no letters.
    pub fn alphabet(&self) -> Option<Alphabet> {
        self.composition.alphabet()
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
        let mut taken = 0;
        while (batch.is_empty() || taken < bytes && batch.len() < SEQUENCES_MAX) && self.append(&mut batch)? {
            let last = batch.len() - 1;
            let length = batch.sequences().length(last);
            let signed = parameters.window.count(length as u64) as usize * parameters.width();
            taken += SEQUENCE_BYTES + batch.name(last).len() + length + signed;
        }
        Ok((!batch.is_empty()).then_some((batch, taken)))
    }

    /// Appends the next sequence. False at the end of the file, and before a long one that begins the next batch.
    fn append(&mut self, batch: &mut Records) -> Result<bool> {
        if self.next < self.ahead.len() {
            batch.push(self.ahead.name(self.next), self.ahead.sequence(self.next));
            self.next += 1;
            return Ok(true);
        }
        if self.next > 0 {
            (self.ahead, self.next) = (Records::default(), 0);
        }
        if self.long.is_empty() {
            return Ok(self.reader.read_record(batch, Qualities::Drop)?.is_some());
        }
        let begins = batch.is_empty();
        if begins {
            *batch = std::mem::take(&mut self.long);
        }
        Ok(begins)
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
    fn what_is_read_ahead_is_in_the_batches_too() {
        let (short, long) = ("ACGT".repeat(100), "ACGT".repeat(SYMBOLS / 4));
        for lengths in [&[&short, &short, &long, &short][..], &[&long, &long], &[&short; 60]] {
            let text: String = lengths.iter().map(|residues| format!(">s\n{residues}\n")).collect();
            for bytes in [1, 2000, 1 << 30] {
                let all: Vec<_> = batches(&text, bytes)
                    .iter()
                    .flat_map(|batch| (0..batch.len()).map(|k| batch.sequence(k).len()).collect::<Vec<_>>())
                    .collect();
                assert_eq!(all, lengths.iter().map(|residues| residues.len()).collect::<Vec<_>>(), "{bytes} bytes");
            }
        }
    }

    #[test]
    fn an_empty_file_has_no_batch_and_no_letters() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(SequenceFile::open(file.path()).unwrap().alphabet(), None);
        assert_eq!(batches("", 100), []);
        assert_eq!(batches("@q\nACGT\n+\nIIII\n", 100)[0].sequence(0), b"ACGT");
    }
}
