//! Lines of sequence in a row, of a record of FASTA that is longer than blocks, read ahead.
//!
//! ```text
//! block 1                block 2                 block 3
//! >a ACGT...  ..ACG|T... ..ACGT...  ..AC|GT..  ..ACGT >b ACG...
//!   [stretch     ]      [stretch       ]     [stretch]   [stretch
//! ```
//!
//! Which line is sequence, only the lines before tell; but in FASTA a line that is not empty and does not begin with `>`, `@` or
//! `;` cannot be anything else in a file without errors. So whoever fills a block reads such lines from the first line start on, and
//! from the last header on. The thread that goes through the text takes them over if it expects sequence exactly where they begin.

use super::location::Wrapping;
use super::{fasta, printable};
use memchr::{memchr, memrchr_iter};
use std::ops::Range;

/// Whole lines of sequence without their ends.
pub(super) struct Stretch {
    /// Where they begin in the block.
    pub(super) head: usize,
    /// Where they end.
    pub(super) end: usize,
    pub(super) lines: u64,
    pub(super) wrapping: Wrapping,
    pub(super) residues: Vec<u8>,
}

/// The least text that is worth it.
const LEAST: usize = if cfg!(test) { 8 } else { 64 << 10 };

/// The stretches of a block: of the record that it begins within, and of the one that it ends within. The `first` block begins with
/// a record; `records` is where those begin that are whole. `memory` is where residues go.
pub(super) fn of_block(text: &[u8], first: bool, records: Option<usize>, memory: impl Fn() -> Vec<u8>) -> Vec<Stretch> {
    let line_behind = |at: usize| memchr(b'\n', &text[at..]).map(|length| at + length + 1);
    let before = (!first).then(|| line_behind(0)).flatten();
    let is_header = |&at: &usize| if at == 0 { first } else { text[at - 1] == b'\n' };
    let last = memrchr_iter(b'>', text).find(is_header);
    let behind = last.and_then(line_behind);
    let ranges = [before.map(|start| start..records.unwrap_or(text.len())), behind.map(|start| start..text.len())];
    let long = ranges.into_iter().flatten().filter(|range| range.len() >= LEAST);
    long.map(|range| Stretch::new(text, range, &memory)).collect()
}

impl Stretch {
    /// Reads the lines of a part of a text that begins with a line.
    fn new(text: &[u8], part: Range<usize>, memory: impl Fn() -> Vec<u8>) -> Self {
        let (head, mut residues) = (part.start, memory());
        residues.clear();
        residues.reserve(part.len());
        // Nearly always all of it, in one pass. Lines behind it are looked at one by one: they may end with CRLF.
        let legal = head + printable::legal_lines(&text[part.clone()]);
        let (mut end, mut lines, mut wrapping) = (head, 0, Wrapping::default());
        while let Some(length) = memchr(b'\n', &text[end..part.end]) {
            let (line, next) = (&text[end..end + length], end + length + 1);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if !fasta::is_sequence(line.first()) || next > legal && printable::first_illegal(line).is_some() {
                break;
            }
            (end, lines) = (next, lines + 1);
            wrapping.push(lines, line.len() as u64);
            residues.extend_from_slice(line);
        }
        Self { head, end, lines, wrapping, residues }
    }
}
