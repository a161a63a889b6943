//! The records of one file, some at a time, in order, read on all threads.

use super::blocks::{Body, Plan, Spare};
use super::{Demands, Kind, Reader};
use crate::error::{FileError, Result};
use crate::text::Text;
use std::io::Read;
use std::path::Path;
use warpseq_seq::{Records, Sequences};

/// How much is read at a time and ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Bytes of text that a thread reads at a time, which make a batch. At least 1.
    pub block: usize,
    /// The most blocks that are read ahead.
    pub ahead: usize,
}

/// The least block that a file is cut into so that all threads have one.
const LEAST_BLOCK: usize = 512 << 10;

impl Sizes {
    /// Smaller blocks for a file that would not make one for each thread. Of a compressed file, whose text is larger, nothing more
    /// than its size is known.
    fn for_file(self, path: &Path) -> Self {
        let bytes =
            path.metadata().ok().filter(|metadata| metadata.is_file()).map_or(u64::MAX, |metadata| metadata.len());
        let share = usize::try_from(bytes).unwrap_or(usize::MAX) / rayon::current_num_threads();
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
            reader.grammar.lines.read_ahead(Plan { kind, demands: demands.clone(), most: ahead, spare: spare.clone() });
        }
        Ok(Self { reader, demands, block, error: None, spare })
    }

    /// The next records; `None` at the end. How the file is cut into batches is nobody's concern.
    ///
    /// # Errors
    /// Those of the format, of reading, and the caller's refusals. The records before have been returned then.
    #[expect(clippy::should_implement_trait, reason = "a batch may be an error, after which there is none")]
    pub fn next(&mut self) -> Result<Option<Batch>> {
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

    fn fill(&mut self, batch: &mut Batch) -> Result<()> {
        let Self { reader: Reader { grammar, .. }, demands, block, .. } = self;
        while grammar.has_more()? {
            if grammar.lines.is_at_body() {
                // It begins the next batch, so that nothing of it is copied.
                if !batch.records.is_empty() {
                    return Ok(());
                }
                let before = grammar.lines.line();
                if let Some(Body { records, counted, mut headers, texts, .. }) = grammar.lines.take_body() {
                    headers.iter_mut().for_each(|line| *line += before);
                    *batch = Batch { records, counted, lines: headers, texts };
                }
                continue;
            }
            // Where nothing could be read ahead, a batch ends with the record that makes it larger than one block makes it.
            let names = batch.records.names().residues().len();
            if names + batch.records.sequences().residues().len() > *block {
                return Ok(());
            }
            let header = grammar.lines.line() + 1;
            grammar.begin(demands);
            let Some(counted) = batch.records.append(|to| grammar.read_checked(to, demands))? else { return Ok(()) };
            batch.counted += counted;
            batch.lines.extend(demands.lines.then_some(header));
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
