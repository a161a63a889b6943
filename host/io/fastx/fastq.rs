//! The grammar of FASTQ: header, sequence lines, `+` line, quality lines. Sequence and quality may be wrapped.
//!
//! Sequence ends at a line that starts with `+`. Quality may itself start with `+` or `@`, so it ends with the line on which
//! it is as long as the sequence. One symbol more, or a next line that is neither a header nor empty, is an error of this
//! record.

use super::grammar::{Draft, read_header};
use super::lines::Lines;
use super::printable;
use crate::error::Result;

/// Reads one record. False at the end of the input.
pub(super) fn read(
    lines: &mut Lines,
    draft: &mut Draft,
    sequence: &mut Vec<u8>,
    quality: &mut Vec<u8>,
) -> Result<bool> {
    if !at_header(lines)? {
        return Ok(false);
    }
    read_header(lines, draft)?;
    let length = read_sequence(lines, draft, sequence)?;
    draft.rope.append_to(sequence);
    read_plus(lines, &draft.title[1..])?;
    read_quality(lines, draft, quality, length)?;
    draft.rope.append_to(quality);
    expect_end(lines, length)?;
    Ok(true)
}

fn at_header(lines: &mut Lines) -> Result<bool> {
    let line = lines.line() + 1;
    let next = match lines.peek()? {
        None => return Ok(false),
        Some(b'@') => return Ok(true),
        Some(b'\n' | b'\r') if lines.only_empty_lines_left()? => return Ok(false),
        Some(next) => next,
    };
    lines.next_record();
    let message = format!("expected a header line starting with `@`, found {}", printable::name_of(next));
    Err(lines.fault_at(line, message))
}

fn read_sequence(lines: &mut Lines, draft: &mut Draft, sequence: &mut Vec<u8>) -> Result<u64> {
    let mut length = 0;
    let mut empty = false;
    loop {
        match lines.peek()? {
            None => return Err(lines.fault("the file ends inside the record: no `+` line after the sequence".into())),
            Some(b'+') if !empty || length == 0 => return Ok(length),
            Some(b'@') => {
                let message = "expected sequence or a `+` line, found a header line (`@`)";
                return Err(lines.fault_on_next(message.into()));
            }
            Some(_) if empty => return Err(lines.fault("an empty line inside the sequence: delete it".into())),
            Some(_) => {}
        }
        let symbols = lines.append_symbols("sequence", &mut draft.rope, sequence)?;
        empty = symbols == 0;
        length += symbols;
        draft.sequence.push(lines.line(), symbols);
    }
}

fn read_plus(lines: &mut Lines, title: &[u8]) -> Result<()> {
    let line = lines.take_legal("`+` line", printable::first_control)?;
    if line.len() == 1 || &line[1..] == title {
        return Ok(());
    }
    let message = "the `+` line repeats another header: expected `+` alone, or `+` and the header of this record";
    Err(lines.fault(message.into()))
}

fn read_quality(lines: &mut Lines, draft: &mut Draft, quality: &mut Vec<u8>, length: u64) -> Result<()> {
    if length == 0 {
        return match lines.peek()? {
            Some(b'\n' | b'\r') => lines.append_symbols("quality", &mut draft.rope, quality).map(drop),
            _ => Ok(()),
        };
    }
    let mut read = 0;
    while read < length {
        if lines.peek()?.is_none() {
            return Err(lines.fault(format!(
                "the file ends inside the record: the sequence has {length} symbols, its quality {read}"
            )));
        }
        let symbols = lines.append_symbols("quality", &mut draft.rope, quality)?;
        if symbols == 0 || read + symbols > length {
            return Err(lines.fault(mismatch(length, read, symbols)));
        }
        read += symbols;
        draft.quality.push(lines.line(), symbols);
    }
    Ok(())
}

fn mismatch(length: u64, before: u64, symbols: u64) -> String {
    match (before, symbols) {
        (_, 0) => format!("the sequence has {length} symbols, its quality {before} before this empty line"),
        (0, _) => format!("the sequence has {length} symbols, its quality {symbols}"),
        _ => format!(
            "the sequence has {length} symbols, its quality {before} before this line and {} with it",
            before + symbols
        ),
    }
}

fn expect_end(lines: &mut Lines, length: u64) -> Result<()> {
    match lines.peek()? {
        None | Some(b'@' | b'\n' | b'\r') => Ok(()),
        Some(other) => Err(lines.fault_on_next(format!(
            "the quality is complete with {length} symbols; expected a header line starting with `@`, found {}",
            printable::name_of(other)
        ))),
    }
}
