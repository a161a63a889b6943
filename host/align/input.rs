//! What `align` reads: the records of a file, each checked as it is read.

use super::scoring::Residues;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use warpseq_io::error::{FileError, Result};
use warpseq_io::fastx::{Location, Qualities, Reader};
use warpseq_seq::phred::illegal_quality;
use warpseq_seq::{PhredOffset, Records};

/// Records that tell whether a file has more than one. The second is read only where its first byte does not tell, as both may
/// be genomes.
const AHEAD: usize = 2;

/// Checks the name of a record: why the output cannot hold it, and what to do.
pub type NameCheck = fn(&[u8]) -> std::result::Result<(), String>;

/// What is legal in a file.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The legal residues; `None`: any.
    pub residues: Option<Arc<Residues>>,
    /// Qualities are wanted, in this encoding.
    pub quality: Option<PhredOffset>,
    /// Refuses names that the output cannot hold.
    pub name: Option<NameCheck>,
}

/// A file being read.
pub struct File {
    reader: Reader,
    reading: Reading,
    /// The first record, until it is handed out.
    ahead: VecDeque<Records>,
    /// How many records the file has: none, one, or [`AHEAD`] and more.
    first: usize,
    handed: u64,
    scored_as_x: u64,
}

impl File {
    /// Opens a file, or standard input for `-`, and reads the first record.
    ///
    /// # Errors
    /// Those of [`Reader`]; an illegal residue or quality, with its line.
    pub fn open(path: &Path, reading: Reading) -> Result<Self> {
        Self::new(Reader::open(path)?, reading)
    }

    /// A file by its reader, from which nothing has been read.
    ///
    /// # Errors
    /// As [`File::open`].
    pub fn new(reader: Reader, reading: Reading) -> Result<Self> {
        let mut file = Self { reader, reading, ahead: VecDeque::new(), first: 0, handed: 0, scored_as_x: 0 };
        while file.first < AHEAD {
            let mut record = Records::default();
            if file.first > 0 && file.reader.is_at_record()? {
                file.first = AHEAD;
            } else if file.read(&mut record)? {
                file.ahead.push_back(record);
                file.first += 1;
            } else {
                break;
            }
        }
        Ok(file)
    }

    /// The input's name, as errors give it.
    pub fn path(&self) -> &Path {
        self.reader.path()
    }

    /// The reader, to follow its progress.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Whether the file has no record.
    pub fn is_empty(&self) -> bool {
        self.first == 0
    }

    /// Whether the file has one record.
    pub fn is_single(&self) -> bool {
        self.first == 1
    }

    /// Records that have been handed out.
    pub fn count(&self) -> u64 {
        self.handed
    }

    /// How many residues so far score as X because the matrix lacks them.
    pub fn scored_as_x(&self) -> u64 {
        self.scored_as_x
    }

    /// Appends the next record; false at the end.
    ///
    /// # Errors
    /// As [`File::open`].
    pub fn next(&mut self, records: &mut Records) -> Result<bool> {
        let found = match self.ahead.pop_front() {
            // It may be a genome: moved, not copied.
            Some(first) if records.is_empty() => {
                *records = first;
                true
            }
            Some(next) => {
                records.push_with_quality(next.name(0), next.sequence(0), next.qualities());
                true
            }
            None => self.first == AHEAD && self.read(records)?,
        };
        self.handed += u64::from(found);
        Ok(found)
    }

    /// Reads to the end, and counts the records of the whole file.
    ///
    /// # Errors
    /// As [`File::open`].
    pub fn count_all(&mut self) -> Result<u64> {
        while self.next(&mut Records::default())? {}
        Ok(self.handed)
    }

    fn read(&mut self, records: &mut Records) -> Result<bool> {
        let qualities = if self.reading.quality.is_some() { Qualities::Keep } else { Qualities::Drop };
        let Some(place) = self.reader.read_record(records, qualities)? else { return Ok(false) };
        self.scored_as_x += self.check(&place, records)?;
        Ok(true)
    }

    /// Refuses a sequence whose path might have a run that 32 bits cannot count.
    fn check_length(&self, place: &Location, residues: usize) -> Result<()> {
        if u32::try_from(residues).is_ok() {
            return Ok(());
        }
        let message = format!("the sequence has {residues} residues, and align takes at most {}: cut it", u32::MAX);
        Err(FileError::Input { path: self.path().into(), line: place.line, record: place.record, message })
    }

    /// How many residues of the last record score as X.
    fn check(&self, place: &Location, records: &Records) -> Result<u64> {
        let last = records.len() - 1;
        let residues = records.sequence(last);
        let refused =
            |line, message| FileError::Input { path: self.path().into(), line, record: place.record, message };
        let name = self.reading.name.map_or(Ok(()), |check| check(records.name(last)));
        name.map_err(|message| refused(place.line, message))?;
        self.check_length(place, residues.len())?;
        if let (Some(phred), Some(quality)) = (self.reading.quality, records.quality(last))
            && let Some(at) = quality.iter().position(|&byte| byte < phred.least())
        {
            return Err(refused(place.line_of_quality(at as u64), illegal_quality(quality[at], phred)));
        }
        let Some(legal) = &self.reading.residues else { return Ok(0) };
        match legal.check(residues) {
            Ok(()) => Ok(legal.count_as_x(residues)),
            Err(at) => Err(refused(place.line_of_base(at as u64), legal.refusal(residues[at]))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scoring::Alphabet;
    use std::io::Cursor;
    use std::path::PathBuf;

    fn file(text: &str, reading: Reading) -> Result<File> {
        File::new(Reader::new(Cursor::new(text.as_bytes().to_vec()), PathBuf::from("file"), 64)?, reading)
    }

    /// Names, residues and qualities of all records.
    fn records(text: &str, reading: Reading) -> Vec<(String, String, Option<String>)> {
        let (mut file, mut records) = (file(text, reading).unwrap(), Records::default());
        while file.next(&mut records).unwrap() {}
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let record = |k| (text(records.name(k)), text(records.sequence(k)), records.quality(k).map(text));
        assert_eq!(file.count_all().unwrap(), records.len() as u64);
        (0..records.len()).map(record).collect()
    }

    #[test]
    fn records_are_handed_out_in_order_whatever_was_read_ahead() {
        for count in 0..5 {
            let text: String = (0..count).map(|k| format!(">r{k}\n{}\n", "AC".repeat(k))).collect();
            let found = records(&text, Reading::default());
            let expected: Vec<_> = (0..count).map(|k| (format!("r{k}"), "AC".repeat(k), None)).collect();
            assert_eq!(found, expected);
            let file = file(&text, Reading::default()).unwrap();
            assert_eq!((file.is_empty(), file.is_single()), (count == 0, count == 1));
        }
    }

    #[test]
    fn qualities_are_kept_when_they_are_wanted() {
        let text = "@a\nAC\n+\nhi\n@b\nG\n+\nj\n@c\nT\n+\nk\n";
        let qualities = |quality| {
            let reading = Reading { quality, ..Reading::default() };
            records(text, reading).into_iter().map(|(.., quality)| quality.unwrap_or_default()).collect::<String>()
        };
        assert_eq!(qualities(Some(PhredOffset::Illumina64)), "hijk");
        assert_eq!(qualities(None), "");
    }

    #[test]
    fn a_sequence_that_32_bits_cannot_count_is_refused() {
        let file = file(">a\nAC\n", Reading::default()).unwrap();
        let mut line = Reader::new(Cursor::new(b">x\nA\n>y\nC".to_vec()), PathBuf::from("file"), 64).unwrap();
        line.read(&mut Vec::new(), &mut Vec::new()).unwrap();
        let place = line.read(&mut Vec::new(), &mut Vec::new()).unwrap().unwrap().location;
        assert!(file.check_length(&place, u32::MAX as usize).is_ok());
        let error = file.check_length(&place, 1 << 32).unwrap_err().to_string();
        assert!(error.starts_with("file, line 3, record 2: the sequence has 4294967296 residues"), "{error}");
    }

    #[test]
    fn what_is_illegal_has_a_line() {
        let nucleotides = Reading { residues: Some(Arc::new(Alphabet::Nucleotides.residues())), ..Reading::default() };
        let error = file(">a\nAC\nGE\n", nucleotides).err().unwrap().to_string();
        assert!(
            error.starts_with("file, line 3, record 1: 'E' cannot be aligned") && error.contains("BLOSUM62"),
            "{error}"
        );
        let illumina = Reading { quality: Some(PhredOffset::Illumina64), ..Reading::default() };
        let mut two = file("@a\nA\n+\nh\n@b\nA\n+\n5\n", illumina).unwrap();
        let error = two.count_all().unwrap_err().to_string();
        assert!(error.starts_with("file, line 8, record 2: the quality '5' (byte 53) lies below '@'"), "{error}");
    }
}
