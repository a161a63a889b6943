//! The records of a file that belong to a shard.
//!
//! ```text
//! plain, BGZF          reading begins at the shard's first record         of FASTQ, if its first record has four lines
//! others; pairs        reading begins with the file                       what is before the shard is left out
//! ```
//!
//! Either way, reading ends with the first record behind the shard, which is read and left out. So a record that is refused is told by
//! the shard that it belongs to, or by the one before, where it may hide a start from whoever looks for one. Where starts are looked for, a
//! record of FASTQ that is not of four lines is refused.

use super::{Demands, Kind, starts};
use crate::error::Result;
use crate::shard::Share;
use crate::text::{Mark, Marks, Measure, Part, Text, unreadable};
use memchr::memchr_iter;
use std::io::BufRead;
use std::ops::Range;
use std::path::Path;

/// Bytes read at a time where a record begins.
const BLOCK: usize = 1 << 16;

/// What belongs to a shard as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A record.
    Record,
    /// A record, which has its number in the file.
    Numbered,
    /// Two records, one behind the other.
    Pair,
}

/// Where a share is read.
pub(super) struct Sought {
    pub(super) part: Part,
    /// Places in the text from there.
    pub(super) span: Range<u64>,
    /// Whether reading begins within the file.
    pub(super) is_inside: bool,
    /// Whether other shards begin within it.
    pub(super) four_lines: bool,
}

impl Sought {
    /// Reading from the beginning of a file.
    fn whole(span: Range<u64>) -> Self {
        Self { part: Part::WHOLE, span, is_inside: false, four_lines: false }
    }
}

/// Where to read a share, whose units are `unit`.
///
/// # Errors
/// Those of reading; BGZF that goes on as something else.
pub(super) fn seek(path: &Path, share: &Share, unit: Unit) -> Result<Sought> {
    let span = share.span.clone();
    let kind = if unit == Unit::Record && share.measure != Measure::Text { kind_to_seek(path)? } else { None };
    match (share.measure, kind) {
        (Measure::Plain, Some(kind)) => in_plain(path, span, kind),
        (Measure::Bgzf, Some(kind)) => in_bgzf(path, span, kind),
        (Measure::Bgzf, None) => {
            let (marks, mut before) = (Marks::open(path)?, 0);
            let start = marks.walk(0, span.start, |mark| before += mark.text)?;
            let mut bytes = before;
            marks.walk(start, span.end, |mark| bytes += mark.text)?;
            Ok(Sought::whole(before..bytes))
        }
        (Measure::Plain | Measure::Text, _) => Ok(Sought::whole(span)),
    }
}

/// What a file holds whose records can be found from anywhere.
fn kind_to_seek(path: &Path) -> Result<Option<Kind>> {
    let mut text = Text::open(path, BLOCK, 1)?.serial();
    let unreadable = |error| unreadable(path, error);
    match text.fill_buf().map_err(unreadable)?.first() {
        Some(b'>') => Ok(Some(Kind::Fasta)),
        Some(b'@') => Ok(starts::has_four_lines(text).map_err(unreadable)?.then_some(Kind::Fastq)),
        _ => Ok(None),
    }
}

/// Where the first record of part of a file begins, in its text.
fn first((path, measure): (&Path, Measure), start: u64, kind: Kind, at_line: bool) -> Result<Option<u64>> {
    let part = Part { measure, start, skipped: 0, end: start };
    let text = Text::open_part(path, BLOCK, 1, part)?.serial();
    starts::first(kind, text, at_line).map_err(|error| unreadable(path, error))
}

fn in_plain(path: &Path, span: Range<u64>, kind: Kind) -> Result<Sought> {
    // From one byte before, which ends a line where the span begins with one.
    let from = span.start.saturating_sub(1);
    let (measure, four_lines) = (Measure::Plain, kind == Kind::Fastq);
    let found = first((path, measure), from, kind, span.start == 0)?.map(|at| from + at);
    let Some(start) = found.filter(|start| span.contains(start)) else {
        return Ok(Sought { four_lines, ..Sought::whole(0..0) });
    };
    let part = Part { measure, start, skipped: 0, end: span.end };
    Ok(Sought { part, span: 0..span.end - start, is_inside: start > 0, four_lines })
}

fn in_bgzf(path: &Path, span: Range<u64>, kind: Kind) -> Result<Sought> {
    let marks = Marks::open(path)?;
    let (start, at_line) = marks.find(span.start)?;
    let mut bytes = 0;
    marks.walk(start, span.end, |mark| bytes += mark.text)?;
    let found = if bytes == 0 { None } else { first((path, Measure::Bgzf), start, kind, at_line)? };
    let first = found.unwrap_or(bytes).min(bytes);
    // The block that the record begins in, and the text before that.
    let (mut of_first, mut before, mut text) = (None, 0, 0);
    marks.walk(start, span.end, |Mark { at, text: of_block }| {
        text += of_block;
        if of_first.is_none() && text > first {
            (of_first, before) = (Some(at), text - of_block);
        }
    })?;
    let four_lines = kind == Kind::Fastq;
    let Some(start) = of_first else {
        return Ok(Sought { four_lines, ..Sought::whole(0..0) });
    };
    let part = Part { measure: Measure::Bgzf, start, skipped: (first - before) as usize, end: span.end };
    Ok(Sought { part, span: 0..bytes - first, is_inside: start > 0 || first > before, four_lines })
}

/// The lines and records of a file before a part that begins with a record.
///
/// # Errors
/// Those of reading.
pub(super) fn before(path: &Path, part: Part, kind: Kind) -> Result<[u64; 2]> {
    let mut bytes = part.start;
    if part.measure == Measure::Bgzf {
        bytes = part.skipped as u64;
        Marks::open(path)?.walk(0, part.start, |mark| bytes += mark.text)?;
    }
    let mut text = Text::open(path, BLOCK, 1)?.serial();
    let (mut lines, mut records, mut is_start) = (0, 0, true);
    while bytes > 0 {
        let some = text.fill_buf().map_err(|error| unreadable(path, error))?;
        let some = &some[..some.len().min(bytes.try_into().unwrap_or(usize::MAX))];
        let (taken, Some(last)) = (some.len(), some.last()) else { break };
        let ends = memchr_iter(b'\n', some);
        records += u64::from(is_start && some[0] == b'>');
        for end in ends {
            lines += 1;
            records += u64::from(some.get(end + 1) == Some(&b'>'));
        }
        is_start = *last == b'\n';
        text.consume(taken);
        bytes -= taken as u64;
    }
    Ok([lines, if kind == Kind::Fastq { lines / 4 } else { records }])
}

/// Which records are kept, as they come.
pub(super) struct Keeping {
    span: Range<u64>,
    unit: Unit,
    records: u64,
    /// Where the unit is that the last record belongs to.
    place: u64,
    /// Records before the span.
    pub(super) skipped: u64,
    /// A record behind the span has come.
    pub(super) is_over: bool,
}

impl Keeping {
    pub(super) fn new(span: Range<u64>, unit: Unit) -> Self {
        Self { span, unit, records: 0, place: 0, skipped: 0, is_over: false }
    }

    /// Which of the next records, which are at `places`, are kept.
    pub(super) fn range(&mut self, places: &[u64]) -> Range<usize> {
        let (mut start, mut end) = (0, 0);
        for &place in places {
            if self.unit != Unit::Pair || self.records.is_multiple_of(2) {
                self.place = place;
            }
            if self.place >= self.span.end {
                self.is_over = true;
                break;
            }
            self.records += 1;
            if self.place < self.span.start {
                start += 1;
            }
            end += 1;
        }
        self.skipped += start as u64;
        start..end
    }
}

impl Demands {
    /// The same of a share.
    pub(super) fn of(self, sought: &Sought) -> Self {
        Self { places: true, four_lines: sought.four_lines, ..self }
    }
}
