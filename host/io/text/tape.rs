//! The compressed bytes of an input as a tape: read once, by whoever comes first to its end, and kept for as long as a reader is
//! behind them.
//!
//! ```text
//! piece -> piece -> piece -> (the input)
//!   ^ a block that is being filled   ^ the next blocks are cut here
//! ```
//!
//! A reader is a place on the tape. A copy of it reads the same bytes again, at any time and on any thread, up to the end of the
//! input. The pieces before the last reader free themselves.

use std::io::{self, BufRead, ErrorKind, Read};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Bytes asked of the input at a time.
const PIECE_BYTES: usize = 1 << 18;

/// What one read of the input gave.
struct Piece {
    bytes: Vec<u8>,
    next: OnceLock<Next>,
}

/// What follows a piece.
enum Next {
    Piece(Arc<Piece>),
    End,
    Failed(Failure),
}

/// An error of the system, kept for every reader that comes there.
struct Failure {
    kind: ErrorKind,
    code: Option<i32>,
    message: String,
}

impl Failure {
    fn new(error: &io::Error) -> Self {
        Self { kind: error.kind(), code: error.raw_os_error(), message: error.to_string() }
    }

    fn error(&self) -> io::Error {
        match self.code {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::new(self.kind, self.message.clone()),
        }
    }
}

impl Drop for Piece {
    /// Frees the pieces that only this one holds, one after another: a chain of them that frees itself is a recursion.
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(Next::Piece(piece)) = next {
            next = Arc::into_inner(piece).and_then(|mut piece| piece.next.take());
        }
    }
}

/// A place on the tape.
#[derive(Clone)]
pub(super) struct Tape {
    piece: Arc<Piece>,
    at: usize,
    input: Arc<Mutex<dyn Read + Send>>,
}

impl Tape {
    /// The beginning of what `input` reads.
    pub(super) fn new(input: impl Read + Send + 'static) -> Self {
        let piece = Piece { bytes: Vec::new(), next: OnceLock::new() };
        Self { piece: Arc::new(piece), at: 0, input: Arc::new(Mutex::new(input)) }
    }

    /// Goes to the next piece; false at the end. Waits for the input where nobody has read it.
    fn advance(&mut self) -> io::Result<bool> {
        let next = match self.piece.next.get() {
            Some(next) => next,
            None => {
                let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
                self.piece.next.get_or_init(|| read(&mut *input))
            }
        };
        match next {
            Next::Piece(piece) => (self.piece, self.at) = (Arc::clone(piece), 0),
            Next::End => return Ok(false),
            Next::Failed(failure) => return Err(failure.error()),
        }
        Ok(true)
    }

    /// Whether the next `bytes` have been read already, by whomever.
    pub(super) fn has(&self, bytes: usize) -> bool {
        let (mut piece, mut here) = (&self.piece, self.piece.bytes.len() - self.at);
        while here < bytes {
            let Some(Next::Piece(next)) = piece.next.get() else { return false };
            (piece, here) = (next, here + next.bytes.len());
        }
        true
    }

    /// Goes `bytes` on. Whether there are so many.
    pub(super) fn skip(&mut self, mut bytes: usize) -> io::Result<bool> {
        while bytes > 0 {
            let some = self.fill_buf()?.len().min(bytes);
            if some == 0 {
                return Ok(false);
            }
            self.consume(some);
            bytes -= some;
        }
        Ok(true)
    }

    /// Reads the next `bytes`, which are there, into `scratch` unless a piece has them all.
    pub(super) fn slice<'a>(&'a mut self, bytes: usize, scratch: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        if self.fill_buf()?.len() >= bytes {
            self.at += bytes;
            return Ok(&self.piece.bytes[self.at - bytes..self.at]);
        }
        scratch.resize(bytes, 0);
        self.read_exact(scratch)?;
        Ok(scratch)
    }
}

/// Reads the next piece.
fn read(input: &mut dyn Read) -> Next {
    let mut bytes = vec![0; PIECE_BYTES];
    loop {
        match input.read(&mut bytes) {
            Ok(0) => return Next::End,
            Ok(read) => {
                bytes.truncate(read);
                // The slow pipe that gives a line at a time shall not take a whole piece for each.
                if read < PIECE_BYTES / 2 {
                    bytes.shrink_to_fit();
                }
                return Next::Piece(Arc::new(Piece { bytes, next: OnceLock::new() }));
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Next::Failed(Failure::new(&error)),
        }
    }
}

impl BufRead for Tape {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.at == self.piece.bytes.len() {
            if !self.advance()? {
                break;
            }
        }
        Ok(&self.piece.bytes[self.at..])
    }

    fn consume(&mut self, bytes: usize) {
        self.at += bytes;
    }
}

impl Read for Tape {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let ready = self.fill_buf()?;
        let some = ready.len().min(buffer.len());
        buffer[..some].copy_from_slice(&ready[..some]);
        self.consume(some);
        Ok(some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives three bytes at a time, then fails with the code of a damaged disk.
    struct Failing(u8);

    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0 += 1;
            match self.0 {
                1 => Err(ErrorKind::Interrupted.into()),
                2..4 => {
                    buffer[..3].fill(self.0);
                    Ok(3)
                }
                _ => Err(io::Error::from_raw_os_error(libc::EIO)),
            }
        }
    }

    #[test]
    fn every_reader_gets_the_same_bytes_and_the_same_error() {
        let start = Tape::new(Failing(0));
        let readers = [start.clone(), start.clone(), start];
        for mut reader in readers {
            let mut bytes = Vec::new();
            let error = reader.read_to_end(&mut bytes).unwrap_err();
            assert_eq!((bytes, error.raw_os_error()), (vec![2, 2, 2, 3, 3, 3], Some(libc::EIO)));
        }
    }

    #[test]
    fn bytes_are_taken_across_pieces() {
        let mut tape = Tape::new(Failing(0));
        let mut scratch = Vec::new();
        assert!(tape.skip(2).unwrap());
        assert_eq!(tape.clone().slice(1, &mut scratch).unwrap(), [2]);
        assert_eq!(tape.clone().slice(3, &mut scratch).unwrap(), [2, 3, 3]);
        assert!(tape.skip(9).is_err());
        let mut short = Tape::new(&b"abc"[..]);
        assert!(!short.clone().skip(4).unwrap());
        assert!(short.skip(3).unwrap());
    }

    #[test]
    fn many_pieces_are_freed_without_recursion() {
        struct Bytes(u32);
        impl Read for Bytes {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0 -= 1;
                buffer[0] = 1;
                Ok(usize::from(self.0 > 0))
            }
        }
        // A piece is 256 KiB until it has shrunk, so this also shows that it does.
        let start = Tape::new(Bytes(20_000));
        assert!(!start.clone().skip(20_000).unwrap());
    }
}
