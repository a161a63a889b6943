//! The grammar of FASTA: a header line, then sequence lines until the next header or the end.
//!
//! An empty line ends a record: a header, more empty lines or the end of the file must follow. If sequence were allowed to go
//! on, a file that lost a header line would be accepted.

use super::grammar::{Draft, read_header};
use super::lines::Lines;
use super::printable;
use crate::error::Result;

/// Whether a line that begins with `first`, `None` if it is empty, is sequence where that may go on.
pub(super) fn is_sequence(first: Option<&u8>) -> bool {
    !matches!(first, None | Some(b'>' | b'@' | b';'))
}

/// Reads one record. False at the end of the input.
pub(super) fn read(lines: &mut Lines, draft: &mut Draft, sequence: &mut Vec<u8>) -> Result<bool> {
    match lines.peek()? {
        None => return Ok(false),
        Some(b'>') => {}
        Some(other) => {
            return Err(lines.fault_on_next(format!("expected `>`, found {}", printable::name_of(other))));
        }
    }
    read_header(lines, draft)?;
    read_sequence(lines, draft, sequence)?;
    draft.rope.append_to(sequence);
    Ok(true)
}

fn read_sequence(lines: &mut Lines, draft: &mut Draft, sequence: &mut Vec<u8>) -> Result<()> {
    loop {
        match lines.peek()? {
            None | Some(b'>') => return Ok(()),
            Some(b'@') => {
                return Err(lines.fault_on_next(
                    "a FASTQ header line (`@`) in a FASTA file: split the file, or convert it to one format".into(),
                ));
            }
            Some(b';') => {
                return Err(lines.fault_on_next("a comment line (`;`) in a FASTA file: delete such lines".into()));
            }
            Some(_) => {}
        }
        if let Some(stretch) = lines.take_stretch() {
            draft.sequence.push_all(lines.line() + 1 - stretch.lines, &stretch.wrapping);
            draft.rope.push_all(stretch.residues, sequence);
            continue;
        }
        match lines.append_symbols("sequence", &mut draft.rope, sequence)? {
            0 => return expect_gap(lines),
            symbols => draft.sequence.push(lines.line(), symbols),
        }
    }
}

/// After an empty line: more of them, then a header or the end.
fn expect_gap(lines: &mut Lines) -> Result<()> {
    let empty = lines.line();
    lines.skip_empty_lines()?;
    match lines.peek()? {
        None | Some(b'>') => Ok(()),
        Some(_) => Err(lines.fault_at(empty, "an empty line inside the sequence: delete it".into())),
    }
}
