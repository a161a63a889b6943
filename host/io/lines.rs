//! The lines of a table that people write: text, one line at a time.
//!
//! Bytes are looked at as they come. So a file that is no text is refused at its first piece, and not when all of it is in
//! memory: the rest of a sparse file is NULs, and `/dev/zero` has no end.

use crate::error::FileError;
use memchr::memchr;
use std::io::{self, BufRead, ErrorKind};
use std::path::PathBuf;

/// The most bytes of a line.
pub const LINE_MAX: usize = 16 << 20;

/// Why there are no more lines.
#[derive(Debug)]
pub enum Fault {
    /// What the system says.
    Unreadable(io::Error),
    /// The number of a line, from 1, and what is wrong with it.
    Line(u64, String),
}

impl Fault {
    /// The error of a table whose lines are at `path`; `record` says which record is on a line.
    pub fn of_file(self, path: PathBuf, record: impl FnOnce(u64) -> u64) -> FileError {
        match self {
            Self::Unreadable(source) => FileError::File { path, action: "read", source },
            Self::Line(line, message) => FileError::Input { path, line, record: record(line), message },
        }
    }
}

/// The lines of a source.
pub struct Lines<R> {
    source: R,
    line: Vec<u8>,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// Those of `source`.
    pub fn new(source: R) -> Self {
        Self { source, line: Vec::new(), number: 0 }
    }

    /// A fault of the last line.
    pub fn fault(&self, message: String) -> Fault {
        Fault::Line(self.number, message)
    }

    /// Reads the next line into [`Lines::line`]. False at the end.
    ///
    /// # Errors
    /// [`Fault`]: for control bytes other than tabs, and for lines above [`LINE_MAX`].
    pub fn read(&mut self) -> Result<bool, Fault> {
        self.line.clear();
        self.number += 1;
        let mut is_complete = false;
        while !is_complete {
            let piece = match self.source.fill_buf() {
                Ok(piece) => piece,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(Fault::Unreadable(error)),
            };
            if piece.is_empty() {
                break;
            }
            let end = memchr(b'\n', piece);
            self.line.extend_from_slice(&piece[..end.unwrap_or(piece.len())]);
            is_complete = end.is_some();
            let (taken, read) = (end.map_or(piece.len(), |end| end + 1), self.line.len());
            self.source.consume(taken);
            self.check(read - (taken - usize::from(is_complete)))?;
        }
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        Ok(is_complete || !self.line.is_empty())
    }

    /// The line that was read, without LF or CRLF.
    pub fn line(&self) -> &[u8] {
        &self.line
    }

    /// The number of the line that was read last, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Refuses what came since byte `from`. A carriage return may be the first byte of a line end.
    fn check(&self, from: usize) -> Result<(), Fault> {
        let is_control = |&byte: &u8| byte.is_ascii_control() && byte != b'\t';
        let from = from.saturating_sub(1);
        let found = self.line[from..].iter().position(is_control).map(|at| from + at);
        if let Some(at) = found.filter(|&at| self.line[at] != b'\r' || at + 1 < self.line.len()) {
            let byte = match self.line[at] {
                0 => "a NUL byte".to_owned(),
                b'\r' => "a carriage return".to_owned(),
                byte => format!("byte {byte:#04x}"),
            };
            return Err(self.fault(format!("{byte} in column {}: expected text", at + 1)));
        }
        if self.line.len() > LINE_MAX {
            return Err(self.fault(format!("a line of more than {} MiB: expected a table", LINE_MAX >> 20)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    fn lines(source: impl Read, buffer: usize) -> Result<Vec<String>, (u64, String)> {
        let (mut lines, mut all) = (Lines::new(BufReader::with_capacity(buffer, source)), Vec::new());
        loop {
            match lines.read() {
                Ok(true) => all.push(String::from_utf8(lines.line().to_vec()).unwrap()),
                Ok(false) => return Ok(all),
                Err(Fault::Line(number, message)) => return Err((number, message)),
                Err(Fault::Unreadable(error)) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn lines_do_not_depend_on_how_they_are_read() {
        for (text, expected) in [
            ("", &[][..]),
            ("\n", &[""]),
            ("a\tb", &["a\tb"]),
            ("a\r\n\r\n\nb\r\n", &["a", "", "", "b"]),
            ("é x\tb\nc\r", &["é x\tb", "c"]),
        ] {
            for buffer in [1, 2, 3, 1000] {
                assert_eq!(lines(text.as_bytes(), buffer).unwrap(), expected, "{text:?} by {buffer}");
            }
        }
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_place() {
        for (text, line, words) in [
            ("a\tb\nc\0d\te\n", 2, "a NUL byte in column 2"),
            ("\x1f\u{8b}", 1, "byte 0x1f in column 1"),
            ("a\tb\x7f\n", 1, "byte 0x7f in column 4"),
            ("a\tb\rc\td\n", 1, "a carriage return in column 4"),
            ("a\tb\n\r\r\n", 2, "a carriage return in column 1"),
        ] {
            for buffer in [1, 2, 3, 1000] {
                let (number, message) = lines(text.as_bytes(), buffer).unwrap_err();
                assert!(number == line && message.starts_with(words), "{number}: {message}");
            }
        }
    }

    /// Regression: they were read to the end.
    #[test]
    fn endless_lines_are_refused() {
        let nul = lines(b"a\tb\n".chain(io::repeat(0)), 1 << 16).unwrap_err();
        assert_eq!(nul, (2, "a NUL byte in column 1: expected text".to_owned()));
        let long = lines(b"a\tb\nc\td\n".chain(io::repeat(b'x')), 1 << 16).unwrap_err();
        assert_eq!(long, (3, "a line of more than 16 MiB: expected a table".to_owned()));
        let most = [vec![b'x'; LINE_MAX], b"\n".to_vec()].concat();
        assert_eq!(lines(&most[..], 1 << 16).unwrap()[0].len(), LINE_MAX);
    }
}
