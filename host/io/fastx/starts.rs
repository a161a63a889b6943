//! Where records begin, told by lines alone: for who begins to read in the middle of a file.
//!
//! ```text
//! FASTA   a line that begins with `>`
//! FASTQ   a line that begins with `@` whose second next begins with `+`, the two others being as long
//! ```
//!
//! In FASTQ of four lines a record that is the first line of a record and nothing else: a line of quality may begin with `@`, but its
//! second next one is a sequence, which does not begin with `+`.

use super::Kind;
use memchr::memchr;
use std::collections::VecDeque;
use std::io::{self, BufRead};

/// A line.
struct Line {
    /// Where it begins.
    at: u64,
    first: Option<u8>,
    /// Without its end.
    length: u64,
}

/// The lines of a text, of which nothing is kept.
struct Lines<R> {
    text: R,
    at: u64,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> io::Result<Option<Line>> {
        let (start, mut first, mut last) = (self.at, None, None);
        loop {
            let bytes = self.text.fill_buf()?;
            if bytes.is_empty() {
                break;
            }
            let end = memchr(b'\n', bytes);
            let line = &bytes[..end.unwrap_or(bytes.len())];
            (first, last) = (first.or(line.first().copied()), line.last().copied().or(last));
            let taken = line.len() + usize::from(end.is_some());
            self.text.consume(taken);
            self.at += taken as u64;
            if end.is_some() {
                let length = self.at - start - 1 - u64::from(last == Some(b'\r'));
                return Ok(Some(Line { at: start, first: first.filter(|_| length > 0), length }));
            }
        }
        // The last line need not end.
        let length = self.at - start - u64::from(last == Some(b'\r'));
        Ok((self.at > start).then_some(Line { at: start, first, length }))
    }
}

/// Whether four lines are a record of FASTQ. A quality of no symbols may be left out at the end of a file.
fn are_record(lines: &VecDeque<Line>) -> bool {
    let quality = lines.get(3).map_or(0, |line| line.length);
    lines.len() >= 3 && lines[0].first == Some(b'@') && lines[2].first == Some(b'+') && lines[1].length == quality
}

/// Whether a text begins with a record of FASTQ of four lines.
///
/// # Errors
/// Those of reading.
pub(super) fn has_four_lines(text: impl BufRead) -> io::Result<bool> {
    let (mut lines, mut some) = (Lines { text, at: 0 }, VecDeque::new());
    while some.len() < 4
        && let Some(line) = lines.next()?
    {
        some.push_back(line);
    }
    Ok(are_record(&some))
}

/// Where the first record of a text begins; `None`: there is none. The text begins with a line if `at_line`, else within one.
///
/// # Errors
/// Those of reading.
pub(super) fn first(kind: Kind, text: impl BufRead, at_line: bool) -> io::Result<Option<u64>> {
    let mut lines = Lines { text, at: 0 };
    if !at_line {
        lines.next()?;
    }
    match kind {
        Kind::Fasta => {
            while let Some(line) = lines.next()? {
                if line.first == Some(b'>') {
                    return Ok(Some(line.at));
                }
            }
            Ok(None)
        }
        Kind::Fastq => {
            let mut some = VecDeque::new();
            while let Some(line) = lines.next()? {
                some.push_back(line);
                if some.len() == 4 {
                    if are_record(&some) {
                        break;
                    }
                    some.pop_front();
                }
            }
            Ok(Some(&some).filter(|some| are_record(some)).map(|some| some[0].at))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_begin_where_only_they_can() {
        for (kind, text, at_line, expected) in [
            (Kind::Fasta, ">a\nAC\n>b\nG", true, Some(0)),
            (Kind::Fasta, ">a\nAC\n>b\nG", false, Some(6)),
            (Kind::Fasta, ">a\r\nAC\r\n", false, None),
            (Kind::Fasta, "", true, None),
            (Kind::Fastq, "@a\nAC\n+\n@+\n@b\nG\n+\n+\n", true, Some(0)),
            (Kind::Fastq, "@+\n@b\nGT\n+b\n++\n", true, Some(3)),
            (Kind::Fastq, "@a\nAC\n+\n@+\n@b\nG\n+\n+", false, Some(11)),
            (Kind::Fastq, "+\r\n@@\r\n@b\r\n@\r\n", true, None),
            (Kind::Fastq, "I\r\n@b\r\nAC\r\n+\r\nII\r\n", true, Some(3)),
            (Kind::Fastq, "@b\n\n+\n\n", true, Some(0)),
            (Kind::Fastq, "@b\n\n+\n", true, Some(0)),
            (Kind::Fastq, "@b\nA\n+\n", true, None),
            (Kind::Fastq, "@b\nAC\n+\nI\n@c\nA\n+\nI\n", true, Some(10)),
        ] {
            for bytes in [1, 2, 100] {
                let found = first(kind, io::BufReader::with_capacity(bytes, text.as_bytes()), at_line).unwrap();
                assert_eq!(found, expected, "{text:?} by {bytes}");
            }
        }
    }

    #[test]
    fn four_lines_are_told_from_more() {
        for (text, expected) in [
            ("@a\nAC\n+\nII\n", true),
            ("@a\nAC\n+\nII", true),
            ("@a\n\n+\n", true),
            ("@a\nA\nC\n+\nII\n", false),
            ("@a\nAC\n+\nI\nI\n", false),
            ("", false),
        ] {
            assert_eq!(has_four_lines(text.as_bytes()).unwrap(), expected, "{text:?}");
        }
    }
}
