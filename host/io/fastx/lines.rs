//! Lines: a buffer over the text, one byte of look-ahead, and the numbers of the line and record being read.
//!
//! A line is copied piece by piece from the buffer to its final vector, or noted to be copied with others. The next block of text
//! replaces the buffer only when all of it has been taken, so a line may be longer than a block, and nothing is moved inside it.

use super::blocks::{Ahead, Body, Feed, Plan};
use super::printable;
use super::rope::Rope;
use super::stretch::Stretch;
use crate::error::{FileError, Result};
use crate::text::{Damage, Text};
use memchr::memchr;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// The lines of one input, or of one block of it.
pub(super) struct Lines {
    /// Where the next text comes from.
    feed: Feed,
    path: PathBuf,
    buffer: Arc<Vec<u8>>,
    /// Bytes of the text before `buffer`.
    before: u64,
    /// `buffer[start..]` is read but not yet taken.
    start: usize,
    /// Records of `buffer` that have been read ahead.
    body: Option<Body>,
    /// Lines of `buffer` that have been read ahead.
    stretches: Vec<Stretch>,
    /// What comes behind `buffer`.
    damage: Option<Damage>,
    /// More was wanted than the text has.
    ended: bool,
    /// Number of lines taken, which is the number of the last one.
    line: u64,
    /// Number of records begun, which is the number of the last one.
    record: u64,
    /// A line that is not kept.
    scratch: Vec<u8>,
    /// Text that was taken since [`Lines::note`], but for that of `buffer` from `noted` on.
    notes: Vec<u8>,
    noted: Option<usize>,
}

impl Lines {
    /// The lines of an input.
    pub(super) fn new(text: Text) -> Self {
        let path = text.label().to_path_buf();
        Self { feed: Feed::Text(text), path, ..Self::of_block(Vec::new()) }
    }

    /// The lines of one block.
    pub(super) fn of_block(buffer: Vec<u8>) -> Self {
        let (path, body, stretches, damage, scratch) = Default::default();
        let (before, start, ended, line, record) = Default::default();
        let (notes, noted) = Default::default();
        Self {
            feed: Feed::Nowhere,
            path,
            buffer: Arc::new(buffer),
            before,
            start,
            body,
            stretches,
            damage,
            ended,
            line,
            record,
            scratch,
            notes,
            noted,
        }
    }

    /// The block that lines are read from.
    pub(super) fn block(&self) -> &[u8] {
        &self.buffer
    }

    /// The block, of which the lines were.
    pub(super) fn into_block(self) -> Vec<u8> {
        Arc::unwrap_or_clone(self.buffer)
    }

    /// Goes to a place of the block, from which lines are counted.
    pub(super) fn begin_at(&mut self, start: usize) {
        (self.start, self.ended, self.line) = (start, false, 0);
    }

    /// Goes behind a record of `lines` lines, which ends before `next`.
    pub(super) fn skip(&mut self, next: usize, lines: u64) {
        self.start = next;
        self.line += lines;
    }

    /// Bytes of the text before the block.
    pub(super) fn before(&self) -> u64 {
        self.before
    }

    /// The place in the block.
    pub(super) fn place(&self) -> usize {
        self.start
    }

    /// Whether more was wanted than the text has.
    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Has other threads read ahead. Of the text nothing has been taken so far.
    pub(super) fn read_ahead(&mut self, plan: Plan) {
        let first = (Arc::unwrap_or_clone(std::mem::take(&mut self.buffer)), self.damage.take());
        self.start = 0;
        self.feed = match std::mem::replace(&mut self.feed, Feed::Nowhere) {
            Feed::Text(text) => Feed::Ahead(Box::new(Ahead::new(text, first, plan))),
            other => other,
        };
    }

    /// Notes what is taken from here on.
    pub(super) fn note(&mut self) {
        self.notes.clear();
        self.noted = Some(self.start);
    }

    /// What was noted, up to here.
    pub(super) fn take_notes(&mut self) -> &[u8] {
        if let Some(from) = self.noted.take() {
            self.notes.extend_from_slice(&self.buffer[from..self.start]);
        }
        &self.notes
    }

    /// Whether the records that begin here have been read ahead.
    pub(super) fn is_at_body(&self) -> bool {
        self.body.as_ref().is_some_and(|body| body.head == self.start)
    }

    /// Goes behind the records that have been read ahead, and returns them, if they begin here.
    pub(super) fn take_body(&mut self) -> Option<Body> {
        let body = self.body.take_if(|body| body.head == self.start)?;
        self.start = body.end;
        self.line += body.lines;
        self.record += body.records.len() as u64;
        Some(body)
    }

    /// Goes behind lines of sequence that have been read ahead, and returns them, if they begin here.
    #[inline]
    pub(super) fn take_stretch(&mut self) -> Option<Stretch> {
        let found = self.stretches.iter().position(|stretch| stretch.head == self.start && stretch.lines > 0)?;
        let stretch = self.stretches.swap_remove(found);
        self.skip(stretch.end, stretch.lines);
        Some(stretch)
    }

    /// The number of the last line taken, from 1; 0 before the first.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The number of the record being read, from 1; 0 before the first.
    pub(super) fn record(&self) -> u64 {
        self.record
    }

    /// Begins the next record, to which errors then belong.
    pub(super) fn next_record(&mut self) {
        self.record += 1;
    }

    /// The first byte of the next line, which is its line end if the line is empty. `None` at the end of the input.
    pub(super) fn peek(&mut self) -> Result<Option<u8>> {
        if self.start == self.buffer.len() && !self.fill()? {
            return Ok(None);
        }
        Ok(Some(self.buffer[self.start]))
    }

    /// Takes the next line, if `first_illegal` finds nothing in it, and returns its length without LF or CRLF; `part` is what it is
    /// called in errors. At the end of the input there is none, of no length. Bytes are looked at as they come, so that a line that is
    /// no text is refused at its first piece, however long it is. `put` is told of each piece of the line.
    fn take_line(
        &mut self,
        part: &str,
        first_illegal: impl Fn(&[u8]) -> Option<usize>,
        mut put: impl FnMut(&Arc<Vec<u8>>, Range<usize>),
    ) -> Result<u64> {
        if self.peek()?.is_none() {
            return Ok(0);
        }
        let (mut before, mut has_return, mut more) = (0, false, true);
        while more {
            let unread = &self.buffer[self.start..];
            let length = memchr(b'\n', unread);
            let piece = &unread[..length.unwrap_or(unread.len())];
            // A carriage return at the end of the last piece is part of the line unless that ends with it.
            let stray = (has_return && !piece.is_empty()).then_some((before, b'\r'));
            has_return = piece.last().map_or(has_return, |&last| last == b'\r');
            let piece = if piece.is_empty() { piece } else { &piece[..piece.len() - usize::from(has_return)] };
            let illegal = || first_illegal(piece).map(|at| (before + at, piece[at]));
            if let Some((at, byte)) = stray.or_else(illegal) {
                let (byte, column) = (printable::name_of(byte), at + 1);
                return Err(self.fault_on_next(format!("{byte} in the {part}, column {column}")));
            }
            let (start, bytes) = (self.start, piece.len());
            self.start += length.map_or(unread.len(), |length| length + 1);
            before += bytes;
            put(&self.buffer, start..start + bytes);
            more = length.is_none() && self.fill()?;
        }
        self.line += 1;
        Ok(before as u64)
    }

    /// Appends the next line to `into`, if `first_illegal` finds nothing in it, as [`Lines::take_line`] takes it.
    pub(super) fn append_legal(
        &mut self,
        into: &mut Vec<u8>,
        part: &str,
        first_illegal: impl Fn(&[u8]) -> Option<usize>,
    ) -> Result<()> {
        self.take_line(part, first_illegal, |block, range| into.extend_from_slice(&block[range])).map(drop)
    }

    /// Appends the next line to `into`, behind the symbols of `rope`, and returns its length, if all its bytes are legal symbols of
    /// `part`. Where it is long, some may wait there.
    pub(super) fn append_symbols(&mut self, part: &str, rope: &mut Rope, into: &mut Vec<u8>) -> Result<u64> {
        self.take_line(part, printable::first_illegal, |block, range| rope.push(block, range, into))
    }

    /// The next line, as [`Lines::append_legal`] has it.
    pub(super) fn take_legal(&mut self, part: &str, first_illegal: impl Fn(&[u8]) -> Option<usize>) -> Result<&[u8]> {
        let mut line = std::mem::take(&mut self.scratch);
        line.clear();
        let taken = self.append_legal(&mut line, part, first_illegal);
        self.scratch = line;
        taken.map(|()| self.scratch.as_slice())
    }

    /// Takes the start of the next line, at most `most` bytes: fewer where the input ends or cannot be read on. A line that is
    /// short is not waited beyond.
    pub(super) fn take_start(&mut self, most: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        while bytes.len() < most && (self.start < self.buffer.len() || self.fill().unwrap_or(false)) {
            let unread = &self.buffer[self.start..];
            let some = &unread[..unread.len().min(most - bytes.len())];
            let length = memchr(b'\n', some);
            bytes.extend_from_slice(&some[..length.unwrap_or(some.len())]);
            self.start += some.len();
            if length.is_some() {
                break;
            }
        }
        bytes
    }

    /// Takes empty lines up to the first line that is not empty, or the end.
    pub(super) fn skip_empty_lines(&mut self) -> Result<()> {
        while let Some(first @ (b'\n' | b'\r')) = self.peek()? {
            self.start += 1;
            if first == b'\r' {
                match self.peek()? {
                    Some(b'\n') => self.start += 1,
                    None => {}
                    Some(_) => {
                        let message = "a carriage return inside a line: convert the line ends to LF or CRLF";
                        return Err(self.fault_on_next(message.into()));
                    }
                }
            }
            self.line += 1;
        }
        Ok(())
    }

    /// Takes empty lines, and returns whether the input ends with them.
    pub(super) fn only_empty_lines_left(&mut self) -> Result<bool> {
        self.skip_empty_lines()?;
        Ok(self.peek()?.is_none())
    }

    /// An error on the last line taken.
    pub(super) fn fault(&self, message: String) -> FileError {
        self.fault_at(self.line, message)
    }

    /// An error on the line that would be taken next.
    pub(super) fn fault_on_next(&self, message: String) -> FileError {
        self.fault_at(self.line + 1, message)
    }

    /// An error of the record being read, on the given line.
    pub(super) fn fault_at(&self, line: u64, message: String) -> FileError {
        FileError::Input { path: self.path.clone(), line, record: self.record, message }
    }

    /// Replaces the buffer, all of which has been taken, by the next text. False at the end of the input.
    fn fill(&mut self) -> Result<bool> {
        if let Some(from) = &mut self.noted {
            self.notes.extend_from_slice(&self.buffer[*from..]);
            *from = self.buffer.len();
        }
        let filled = self.replace();
        if self.noted.is_some() {
            self.noted = Some(self.start);
        }
        filled
    }

    fn replace(&mut self) -> Result<bool> {
        loop {
            match self.damage.take() {
                Some(Damage::Compressed(message)) => return Err(self.fault_on_next(message)),
                Some(Damage::Unreadable(source)) => {
                    return Err(FileError::File { path: self.path.clone(), action: "read", source });
                }
                None => {}
            }
            if matches!(self.feed, Feed::Nowhere) {
                break;
            }
            self.before += self.buffer.len() as u64;
            let spent = Arc::try_unwrap(std::mem::take(&mut self.buffer));
            let Some(piece) = self.feed.next(spent.unwrap_or_default()) else { break };
            (self.buffer, self.start) = (Arc::new(piece.text), 0);
            (self.body, self.stretches, self.damage) = (piece.body, piece.stretches, piece.damage);
            if !self.buffer.is_empty() {
                return Ok(true);
            }
        }
        self.start = self.buffer.len();
        self.ended = true;
        Ok(false)
    }
}
