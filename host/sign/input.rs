//! What `sign` reads: sequences, batch by batch. Every byte is legal, and qualities are ignored.
//!
//! A batch is what was read of a block of text, or a part of that where its signatures would take too much. So a run takes the
//! memory of its batches, apart from the longest sequence with its signatures. The first sequences are read ahead, as many as say
//! what they are; they are then handed out like the others.

use super::composition::Composition;
use super::{Alphabet, Parameters, Records};
use std::collections::VecDeque;
use std::path::Path;
use warpseq_engine::error::Result;
use warpseq_io::fastx::{Batches, Demands, Qualities, Reader, Sizes, Spare};

/// Bytes that a sequence takes besides its residues, its name and its signatures.
const SEQUENCE_BYTES: usize = 64;

/// A file being read.
pub struct SequenceFile {
    batches: Batches,
    composition: Composition,
    /// Sequences that have been read, of the first of them those before `next` handed out.
    ahead: VecDeque<Records>,
    next: usize,
}

impl SequenceFile {
    /// Opens FASTA or FASTQ, plain or compressed, or standard input for `-`, and reads the first sequences.
    ///
    /// # Errors
    /// Those of [`Batches`].
    pub fn open(path: &Path, sizes: Sizes) -> Result<Self> {
        let demands = Demands { qualities: Qualities::Drop, ..Demands::default() };
        let (composition, ahead) = Default::default();
        let mut file = Self { batches: Batches::open(path, demands, sizes)?, composition, ahead, next: 0 };
        file.read_ahead()?;
        Ok(file)
    }

    /// Reads sequences until it is known what they are.
    fn read_ahead(&mut self) -> Result<()> {
        while !self.composition.is_settled()
            && let Some(batch) = self.batches.next()?
        {
            batch.records.sequences().iter().for_each(|residues| self.composition.add(residues));
            self.ahead.push_back(batch.records);
        }
        Ok(())
    }

    /// The file being read, to follow its progress.
    pub fn reader(&self) -> &Reader {
        self.batches.reader()
    }

    /// Where the memory of batches that are done with is given back.
    pub fn spare(&self) -> Spare {
        self.batches.spare()
    }

    /// What the sequences are, by their first letters; `None` if there are no letters.
    pub fn alphabet(&self) -> Option<Alphabet> {
        self.composition.alphabet()
    }

    /// The next batch: sequences until they and their signatures take `bytes`. Returns the batch and the bytes that it takes, or
    /// `None` at the end of the file.
    ///
    /// # Errors
    /// Those of [`Batches::next`].
    pub fn next(&mut self, parameters: &Parameters, bytes: usize) -> Result<Option<(Records, usize)>> {
        if self.ahead.is_empty() {
            self.ahead.extend(self.batches.next()?.map(|batch| batch.records));
        }
        let Some(some) = self.ahead.front() else { return Ok(None) };
        let (start, mut end, mut taken) = (self.next, self.next, 0);
        while end < some.len() && (end == start || taken < bytes) {
            let length = some.sequences().length(end);
            let signed = parameters.window.count(length as u64) as usize * parameters.width();
            taken += SEQUENCE_BYTES + some.name(end).len() + length + signed;
            end += 1;
        }
        let (first, last) = (start == 0, end == some.len());
        let mut part = Records::default();
        if !(first && last) {
            part.extend(some, start..end);
        }
        self.next = if last { 0 } else { end };
        let done = if last { self.ahead.pop_front() } else { None };
        Ok(Some((done.filter(|_| first).unwrap_or(part), taken)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::composition::SYMBOLS;
    use std::io::Write;

    const SIZES: Sizes = Sizes { block: 1 << 20, ahead: 2 };

    /// The batches of a file, each taking at most about `bytes`.
    fn batches(text: &str, bytes: usize) -> Vec<Records> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let mut sequences = SequenceFile::open(file.path(), SIZES).unwrap();
        let next = || Some(sequences.next(&Parameters::QUT, bytes).unwrap()?.0);
        std::iter::from_fn(next).collect()
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
        assert_eq!(SequenceFile::open(file.path(), SIZES).unwrap().alphabet(), None);
        assert_eq!(batches("", 100), []);
        assert_eq!(batches("@q\nACGT\n+\nIIII\n", 100)[0].sequence(0), b"ACGT");
    }
}
