//! The records of one file, some at a time, in order, read on all threads.

use super::blocks::{Body, Plan, Spare};
use super::share::{self, Keeping, Unit};
use super::{Demands, Kind, Reader, Record};
use crate::error::{FileError, Result};
use crate::shard::Share;
use crate::text::{Part, Text};
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use warpseq_seq::{Records, Sequences};

/// How much is read at a time and ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Bytes of text that a thread reads at a time, which make a batch; where records of FASTQ are as long, some such blocks do. At least 1.
    pub block: usize,
    /// The most blocks that are read ahead.
    pub ahead: usize,
}

/// The least block that a file is cut into so that all threads have one.
const LEAST_BLOCK: usize = 512 << 10;

impl Sizes {
    /// Smaller blocks for a file that would not make one for each thread that reads ahead. Of a compressed file, whose text is larger, nothing more
    /// than its size is known.
    fn for_file(self, path: &Path) -> Self {
        let bytes =
            path.metadata().ok().filter(|metadata| metadata.is_file()).map_or(u64::MAX, |metadata| metadata.len());
        let share = usize::try_from(bytes).unwrap_or(usize::MAX) / rayon::current_num_threads().min(self.ahead);
        Self { block: self.block.min(share.max(LEAST_BLOCK)), ..self }
    }
}

/// Some records.
#[derive(Debug, Default)]
pub struct Batch {
    /// At least one.
    pub records: Records,
    /// What the check counted of them, added up.
    pub counted: u64,
    /// The number of each record's header line, from 1, if that is demanded.
    pub lines: Vec<u64>,
    /// The text of each record, if that is demanded: as it was read, with its line ends.
    pub texts: Sequences,
    /// Where in the text each record begins, if that is demanded: counted from where reading began.
    pub places: Vec<u64>,
}

/// The records of one file in batches.
///
/// After an error and at the end, [`Batches::next`] returns `None`.
pub struct Batches {
    reader: Reader,
    demands: Demands,
    block: usize,
    /// What comes behind the last batch.
    error: Option<FileError>,
    spare: Spare,
    share: Option<Box<OfShare>>,
}

/// What is kept of a file, and where it is read.
struct OfShare {
    keeping: Keeping,
    /// Where reading begins, if that is within the file, and what that holds.
    inside: Option<(Part, Kind)>,
}

impl Batches {
    /// Opens a file, or standard input for `-`, and reads its first block.
    ///
    /// # Errors
    /// Those of [`Reader::open`].
    pub fn open(path: &Path, demands: Demands, sizes: Sizes) -> Result<Self> {
        let sizes = sizes.for_file(path);
        Self::of(Text::open(path, sizes.block, sizes.ahead)?, demands, sizes)
    }

    /// Opens a file, of which the records of a share are read. What belongs to a shard as a whole is a `unit`.
    ///
    /// # Errors
    /// Those of [`Reader::open`]; BGZF that goes on as something else.
    pub fn open_share(path: &Path, demands: Demands, sizes: Sizes, share: &Share, unit: Unit) -> Result<Self> {
        let sought = share::seek(path, share, unit)?;
        let (part, sizes) = (sought.part, sizes.for_file(path));
        let text = Text::open_part(path, sizes.block, sizes.ahead, part)?;
        let batches = Self::of(text, demands.of(&sought), sizes)?;
        let keeping = Keeping::new(sought.span, unit);
        let inside = batches.reader.kind().filter(|_| sought.is_inside).map(|kind| (part, kind));
        Ok(Self { share: Some(Box::new(OfShare { keeping, inside })), ..batches })
    }

    /// Reads records from `source`; `path` is its name in errors.
    ///
    /// # Errors
    /// Those of [`Batches::open`], except for opening.
    pub fn new(source: impl Read + Send + 'static, path: &Path, demands: Demands, sizes: Sizes) -> Result<Self> {
        Self::of(Text::new(source, path, sizes.block)?, demands, sizes)
    }

    fn of(text: Text, demands: Demands, Sizes { block, ahead }: Sizes) -> Result<Self> {
        let (mut reader, spare) = (Reader::of(text)?, Spare::default());
        if let Some(kind) = reader.kind() {
            let (demands, spare, spent) = (demands.clone(), spare.clone(), Default::default());
            reader.grammar.read_ahead(Plan { kind, demands, most: ahead, spare, spent });
        }
        Ok(Self { reader, demands, block, error: None, spare, share: None })
    }

    /// The next records; `None` at the end. How the file is cut into batches is nobody's concern.
    ///
    /// # Errors
    /// Those of the format, of reading, and the caller's refusals. The records before have been returned then.
    #[expect(clippy::should_implement_trait, reason = "a batch may be an error, after which there is none")]
    pub fn next(&mut self) -> Result<Option<Batch>> {
        while self.share.as_ref().is_none_or(|share| !share.keeping.is_over) {
            let mut batch = self.read().map_err(|error| self.in_file(error))?;
            let (Some(share), Some(some)) = (&mut self.share, &mut batch) else { return Ok(batch) };
            let kept = share.keeping.range(&some.places);
            if !kept.is_empty() {
                self.keep(some, kept);
                return Ok(batch);
            }
        }
        Ok(None)
    }

    fn read(&mut self) -> Result<Option<Batch>> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let mut batch = Batch::default();
        match self.fill(&mut batch) {
            Err(error) if batch.records.is_empty() => return Err(error),
            outcome => self.error = outcome.err(),
        }
        Ok((!batch.records.is_empty()).then_some(batch))
    }

    /// Leaves some records of a batch.
    fn keep(&self, batch: &mut Batch, kept: Range<usize>) {
        if kept.len() == batch.records.len() {
            return;
        }
        let mut some = Batch::default();
        some.records.extend(&batch.records, kept.clone());
        if !batch.texts.is_empty() {
            some.texts.extend(&batch.texts, kept.clone());
        }
        if self.demands.lines {
            some.lines = batch.lines[kept.clone()].to_vec();
        }
        some.places = batch.places[kept].to_vec();
        let count = |k| {
            let (name, residues) = (some.records.name(k), some.records.sequence(k));
            let quality = some.records.quality(k).unwrap_or_default();
            // It has passed before.
            self.demands.check.as_ref().map_or(0, |check| check(Record { name, residues, quality }).unwrap_or(0))
        };
        some.counted = (0..some.records.len()).map(count).sum();
        *batch = some;
    }

    /// An error with the line that it has in the file, wherever reading began.
    fn in_file(&self, error: FileError) -> FileError {
        let inside = self.share.as_ref().and_then(|share| share.inside);
        match (error, inside) {
            (FileError::Input { path, line, record, message }, Some((part, kind))) => share::before(&path, part, kind)
                .map_or_else(
                    |error| error,
                    |[lines, records]| FileError::Input {
                        path: path.clone(),
                        line: line + lines,
                        record: record + records,
                        message,
                    },
                ),
            (error, _) => error,
        }
    }

    /// Whether only the records of a share are read.
    pub fn is_of_share(&self) -> bool {
        self.share.is_some()
    }

    /// Records before those of the share.
    pub fn skipped(&self) -> u64 {
        self.share.as_ref().map_or(0, |share| share.keeping.skipped)
    }

    /// Whether a record behind those of the share has come.
    pub fn is_cut(&self) -> bool {
        self.share.as_ref().is_some_and(|share| share.keeping.is_over)
    }

    fn fill(&mut self, batch: &mut Batch) -> Result<()> {
        let Self { reader: Reader { grammar, .. }, demands, block, spare, .. } = self;
        while grammar.has_more()? {
            if grammar.lines.is_at_body() {
                // It begins the next batch, so that nothing of it is copied.
                if !batch.records.is_empty() {
                    return Ok(());
                }
                let (before, bytes) = (grammar.lines.line(), grammar.lines.before());
                if let Some(Body { records, counted, mut headers, texts, mut places, .. }) = grammar.lines.take_body() {
                    headers.iter_mut().for_each(|line| *line += before);
                    places.iter_mut().for_each(|place| *place += bytes);
                    *batch = Batch { records, counted, lines: headers, texts, places };
                }
                continue;
            }
            // Where nothing could be read ahead, a batch ends with the record that makes it larger than one block makes it.
            let names = batch.records.names().residues().len();
            if names + batch.records.sequences().residues().len() > *block {
                return Ok(());
            }
            if batch.records.is_empty() {
                batch.records = spare.take();
            }
            let (header, place) = (grammar.lines.line() + 1, grammar.lines.before() + grammar.lines.place() as u64);
            grammar.begin(demands);
            let Some(counted) = batch.records.append(|to| grammar.read_checked(to, demands))? else { return Ok(()) };
            batch.counted += counted;
            batch.lines.extend(demands.lines.then_some(header));
            batch.places.extend(demands.places.then_some(place));
            grammar.end(demands, &mut batch.texts);
        }
        Ok(())
    }

    /// Whether another record is known to follow, without reading it. Where empty lines follow, it is not known.
    ///
    /// # Errors
    /// Those of reading.
    pub fn is_at_record(&mut self) -> Result<bool> {
        let grammar = &mut self.reader.grammar;
        let start = match grammar.kind() {
            Some(Kind::Fasta) => b'>',
            Some(Kind::Fastq) => b'@',
            None => return Ok(false),
        };
        Ok(self.error.is_none() && grammar.has_more()? && grammar.lines.peek()? == Some(start))
    }

    /// Bytes of text that make a batch.
    pub fn block(&self) -> usize {
        self.block
    }

    /// The reader of the text, to follow its progress.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Where the memory of batches that are done with is given back.
    pub fn spare(&self) -> Spare {
        self.spare.clone()
    }
}

#[cfg(test)]
mod tests;
