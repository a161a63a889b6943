//! What `align` reads: the records of a file, each checked as it is read, or of a database file, checked when it was made.

mod stored;

pub use stored::Piece;

use super::scoring::Residues;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use stored::Pieces;
use warpseq_engine::error::Result;
use warpseq_io::fastx::{Batches, Check, Demands, Place, Qualities, Record, Refusal, Sizes, Unit};
use warpseq_io::shard::Share;
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

impl Reading {
    /// What is demanded of a record. Counts the residues that score as X because the matrix lacks them.
    pub fn demands(self) -> Demands {
        let qualities = if self.quality.is_some() { Qualities::Keep } else { Qualities::Drop };
        let check: Arc<Check> = Arc::new(move |record: Record| self.check(record));
        Demands { qualities, check: Some(check), ..Demands::default() }
    }

    fn check(&self, Record { name, residues, quality }: Record) -> std::result::Result<u64, Refusal> {
        let refusal = |place, message| Refusal { place, message };
        self.name.map_or(Ok(()), |check| check(name)).map_err(|message| refusal(Place::Header, message))?;
        check_length(residues.len()).map_err(|message| refusal(Place::Header, message))?;
        if let Some(phred) = self.quality
            && let Some(at) = quality.iter().position(|&byte| byte < phred.least())
        {
            return Err(refusal(Place::Quality(at), illegal_quality(quality[at], phred)));
        }
        let Some(legal) = &self.residues else { return Ok(0) };
        legal.check(residues).map_err(|at| refusal(Place::Residue(at), legal.refusal(residues[at])))
    }
}

/// Refuses a sequence whose path might have a run that 32 bits cannot count.
pub(crate) fn check_length(residues: usize) -> std::result::Result<(), String> {
    match u32::try_from(residues) {
        Ok(_) => Ok(()),
        Err(_) => Err(format!("the sequence has {residues} residues, and align takes at most {}: cut it", u32::MAX)),
    }
}

/// Residues of records that are moved, not copied, where they are handed out all together: a genome, say.
const LARGE: usize = 4 << 20;

/// A file being read.
pub struct File {
    source: Source,
    /// Records that have been read, those before `next` handed out; and those behind them.
    some: Records,
    next: usize,
    more: Option<Records>,
    /// How many records the file has: none, one, or [`AHEAD`] and more.
    first: usize,
    handed: u64,
    scored_as_x: u64,
}

/// Where records come from.
enum Source {
    /// Text, and how it was opened if it has a name.
    Text(Box<Batches>, Option<(Reading, Sizes)>),
    Stored(Box<Pieces>),
    /// Records in memory, by the name that messages give them.
    Held(PathBuf),
}

impl File {
    /// Opens a file, or standard input for `-`, and reads the first records.
    ///
    /// # Errors
    /// Those of [`Batches`]; an illegal residue or quality, with its line.
    pub fn open(path: &Path, reading: Reading, sizes: Sizes) -> Result<Self> {
        let batches = Batches::open(path, reading.clone().demands(), sizes)?;
        Self::of(Source::Text(Box::new(batches), Some((reading, sizes))))
    }

    /// Opens a file, of which the records of a share are handed out. Whether it has one record is told of the whole file.
    ///
    /// # Errors
    /// As [`File::open`].
    pub fn open_share(path: &Path, reading: Reading, sizes: Sizes, share: &Share, unit: Unit) -> Result<Self> {
        let Self { first, .. } = Self::open(path, reading.clone(), sizes)?;
        let batches = Batches::open_share(path, reading.clone().demands(), sizes, share, unit)?;
        let source = Source::Text(Box::new(batches), Some((reading, sizes)));
        let (some, more) = (Records::default(), None);
        Ok(Self { source, some, next: 0, more, first, handed: 0, scored_as_x: 0 })
    }

    /// A file of which nothing has been read.
    ///
    /// # Errors
    /// As [`File::open`].
    pub fn new(batches: Batches) -> Result<Self> {
        Self::of(Source::Text(Box::new(batches), None))
    }

    /// Opens a database file, which is handed out in pieces.
    ///
    /// # Errors
    /// Those of [`Stored::open`](super::database::Stored::open); an illegal residue or name, with its record.
    pub fn stored(path: &Path, reading: &Reading, piece: Piece) -> Result<Self> {
        let pieces = Pieces::open(path, reading, piece)?;
        let scored_as_x = pieces.scored_as_x;
        Ok(Self { scored_as_x, ..Self::of(Source::Stored(Box::new(pieces)))? })
    }

    /// Records in memory that an executor can take; `name` is what messages call them.
    pub fn held(name: &str, some: Records) -> Self {
        let (source, first) = (Source::Held(name.into()), some.len().min(AHEAD));
        Self { source, some, next: 0, more: None, first, handed: 0, scored_as_x: 0 }
    }

    fn of(source: Source) -> Result<Self> {
        let (some, more) = (Records::default(), None);
        let mut file = Self { source, some, next: 0, more, first: 0, handed: 0, scored_as_x: 0 };
        if let Some(some) = file.read()? {
            file.some = some;
            let several = file.some.len() >= AHEAD || file.is_at_record()?;
            if !several {
                file.more = file.read()?;
            }
            file.first = if several || file.more.is_some() { AHEAD } else { 1 };
        }
        Ok(file)
    }

    /// Whether another record is known to follow, without reading it.
    fn is_at_record(&mut self) -> Result<bool> {
        match &mut self.source {
            Source::Text(batches, _) => Ok(batches.is_at_record()?),
            Source::Stored(pieces) => Ok(pieces.stored.len() >= AHEAD),
            Source::Held(_) => Ok(false),
        }
    }

    /// The input's name, as errors give it.
    pub fn path(&self) -> &Path {
        match &self.source {
            Source::Text(batches, _) => batches.reader().path(),
            Source::Stored(pieces) => pieces.stored.path(),
            Source::Held(name) => name,
        }
    }

    /// How much there is to read, where that is known, and where it is counted what has been read.
    pub fn progress(&self) -> (Option<u64>, Arc<AtomicU64>) {
        match &self.source {
            Source::Text(batches, _) => (batches.reader().total_bytes(), batches.reader().bytes_read()),
            Source::Stored(pieces) => (Some(pieces.stored.residues()), pieces.read.clone()),
            Source::Held(_) => (None, Arc::default()),
        }
    }

    /// The same records from the first one on; `None` if they can be read only once.
    ///
    /// # Errors
    /// As [`File::open`].
    pub fn again(&self) -> Result<Option<Self>> {
        match &self.source {
            Source::Text(batches, Some((reading, sizes))) if batches.reader().path().is_file() => {
                Self::open(batches.reader().path(), reading.clone(), *sizes).map(Some)
            }
            Source::Text(..) | Source::Held(_) => Ok(None),
            Source::Stored(pieces) => Self::of(Source::Stored(Box::new(pieces.again()))).map(Some),
        }
    }

    /// How many residues all records have, and how many records have any, where that is known beforehand.
    pub fn sizes(&self) -> Option<[u64; 2]> {
        match &self.source {
            Source::Text(..) | Source::Held(_) => None,
            Source::Stored(pieces) => Some([pieces.stored.residues(), pieces.stored.with_residues()]),
        }
    }

    /// Refuses a database file that was changed since it was opened. To be asked when all has been read.
    ///
    /// # Errors
    /// [`FileError::Unusable`](warpseq_engine::error::FileError).
    pub fn require_unchanged(&self) -> Result<()> {
        match &self.source {
            Source::Text(..) | Source::Held(_) => Ok(()),
            Source::Stored(pieces) => Ok(pieces.stored.require_unchanged()?),
        }
    }

    /// Whether the file has no record.
    pub fn is_empty(&self) -> bool {
        self.first == 0
    }

    /// Whether the file has one record.
    pub fn is_single(&self) -> bool {
        self.first == 1
    }

    /// Records of the file before those of the share, once one of these is [`ready`](Self::ready).
    pub fn skipped(&self) -> u64 {
        match &self.source {
            Source::Text(batches, _) => batches.skipped(),
            Source::Stored(_) | Source::Held(_) => 0,
        }
    }

    /// Whether the file goes on behind the records of the share.
    pub fn is_cut(&self) -> bool {
        matches!(&self.source, Source::Text(batches, _) if batches.is_cut())
    }

    /// Records that have been handed out.
    pub fn count(&self) -> u64 {
        self.handed
    }

    /// How many residues so far score as X because the matrix lacks them.
    pub fn scored_as_x(&self) -> u64 {
        self.scored_as_x
    }

    /// Records that can be had without reading; none only at the end.
    ///
    /// # Errors
    /// As [`File::open`].
    pub fn ready(&mut self) -> Result<(&Records, Range<usize>)> {
        if self.next == self.some.len() {
            let more = match self.more.take() {
                Some(more) => Some(more),
                None => self.read()?,
            };
            let spent = std::mem::replace(&mut self.some, more.unwrap_or_default());
            if let Source::Text(batches, _) = &self.source {
                batches.spare().give_back(spent, batches.block());
            }
            self.next = 0;
        }
        Ok((&self.some, self.next..self.some.len()))
    }

    /// Appends `count` of the records that are [`ready`](Self::ready).
    pub fn take(&mut self, count: usize, records: &mut Records) {
        self.handed += count as u64;
        let are_large = self.some.sequences().residues().len() >= LARGE;
        if are_large && (self.next, count) == (0, self.some.len()) && records.is_empty() {
            *records = std::mem::take(&mut self.some);
            return;
        }
        records.extend(&self.some, self.next..self.next + count);
        self.next += count;
    }

    /// Leaves out `count` of the records that are [`ready`](Self::ready).
    pub fn skip(&mut self, count: usize) {
        self.handed += count as u64;
        self.next += count;
    }

    /// Leaves out records until `count` are behind, or to the end.
    ///
    /// # Errors
    /// As [`File::open`].
    pub fn skip_to(&mut self, count: u64) -> Result<()> {
        while self.handed < count {
            match self.ready()?.1.len() {
                0 => break,
                some => self.skip(some.min(usize::try_from(count - self.handed).unwrap_or(usize::MAX))),
            }
        }
        Ok(())
    }

    /// Appends the next record; false at the end.
    ///
    /// # Errors
    /// As [`File::open`].
    pub fn next(&mut self, records: &mut Records) -> Result<bool> {
        let is_ready = !self.ready()?.1.is_empty();
        if is_ready {
            self.take(1, records);
        }
        Ok(is_ready)
    }

    /// Reads to the end, and counts the records of the whole file.
    ///
    /// # Errors
    /// As [`File::open`].
    pub fn count_all(&mut self) -> Result<u64> {
        if let Source::Text(batches, Some((reading, sizes))) = &self.source
            && batches.is_of_share()
        {
            return Self::open(batches.reader().path(), reading.clone(), *sizes)?.count_all();
        }
        while self.next(&mut Records::default())? {}
        Ok(self.handed)
    }

    fn read(&mut self) -> Result<Option<Records>> {
        match &mut self.source {
            Source::Text(batches, _) => Ok(batches.next()?.map(|batch| {
                self.scored_as_x += batch.counted;
                batch.records
            })),
            Source::Stored(pieces) => Ok(pieces.next()),
            Source::Held(_) => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scoring::Alphabet;
    use std::io::Cursor;

    const SIZES: Sizes = Sizes { block: 64, ahead: 2 };

    fn file(text: &str, reading: Reading) -> Result<File> {
        let text = Cursor::new(text.as_bytes().to_vec());
        File::new(Batches::new(text, Path::new("file"), reading.demands(), SIZES)?)
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
    fn records_in_memory_are_handed_out_like_those_of_a_file() {
        for count in 0..5 {
            let all: Records = (0..count).map(|k| (format!("r{k}"), "AC".repeat(k))).collect();
            let (mut file, mut records) = (File::held("queries", all.clone()), Records::default());
            assert_eq!((file.is_empty(), file.is_single()), (count == 0, count == 1));
            assert_eq!((file.path(), file.progress().0), (Path::new("queries"), None));
            while file.next(&mut records).unwrap() {}
            assert_eq!((records, file.count(), file.count_all().unwrap()), (all, count as u64, count as u64));
            assert!(file.again().unwrap().is_none());
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
        assert!(check_length(u32::MAX as usize).is_ok());
        let message = check_length(1 << 32).unwrap_err();
        assert!(message.starts_with("the sequence has 4294967296 residues"), "{message}");
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
        let two = file("@a\nA\n+\nh\n@b\nA\n+\n5\n", illumina);
        let error = two.and_then(|mut two| two.count_all()).unwrap_err().to_string();
        assert!(error.starts_with("file, line 8, record 2: the quality '5' (byte 53) lies below '@'"), "{error}");
    }
}
