//! Files of one compressed stream after another: what bzip2 and xz have in common, and zstd's messages.
//!
//! # Why it is right at the edges
//!
//! As for gzip ([`crate::gzip`]): bytes before damage are returned before it is reported; a stream is complete only after its
//! checksums; after it comes another one, what the format allows for padding, or the end.

use std::fmt::{self, Display, Formatter};
use std::io::{self, BufRead, ErrorKind, Read};
use std::{error, result};

/// What is wrong with a compressed file: the source of an [`io::Error`] of its decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) format: &'static str,
    pub(super) cause: Cause,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// It ends inside a stream.
    Truncated,
    /// A stream breaks the format, or a checksum or a length is wrong.
    Broken,
    /// A stream is followed by this byte, which does not start another.
    Followed(u8),
    /// It needs what its decoder does not have.
    Needs(&'static str),
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let format = self.format;
        match self.cause {
            Cause::Truncated => {
                write!(f, "the {format} stream is truncated: the file is incomplete; copy or download it again")
            }
            Cause::Broken => {
                write!(f, "the {format} stream is damaged: the file was changed; copy or download it again")
            }
            Cause::Followed(byte) => write!(
                f,
                "the {format} stream is damaged: expected another {format} stream or the end of the file, found byte \
                 {byte:#04x}; copy or download the file again"
            ),
            Cause::Needs(what) => {
                write!(f, "the {format} stream needs {what}: decompress it, as in `{format} -dc FILE | warpseq ... -`")
            }
        }
    }
}

impl error::Error for Fault {}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        Self::new(ErrorKind::InvalidData, fault)
    }
}

/// What a call of a decoder did.
pub(super) struct Step {
    pub(super) taken: usize,
    pub(super) given: usize,
    /// The stream has ended, or why it cannot go on.
    pub(super) ended: result::Result<bool, Cause>,
}

/// The decoder of one stream.
pub(super) trait Decode: Send {
    /// What the format is called; the program that decompresses it has the same name.
    const FORMAT: &'static str;
    /// The first byte of every stream.
    const FIRST: u8;
    /// After a stream may come zeros, a multiple of so many; 0 for none.
    const PADDING: u64;

    /// A decoder that expects the first byte of a stream.
    fn new() -> Self;

    /// Decompresses `input` into `output`, which is not empty. `input` is empty only at the end of the file.
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step;
}

/// Reads the decompressed bytes of all streams of a file.
pub(super) struct Streams<R, D> {
    input: R,
    /// The stream being read; `None` between streams.
    decoder: Option<D>,
    /// Zeros read after a stream.
    padding: u64,
    /// Returned by the next call.
    cause: Option<Cause>,
}

impl<R: BufRead, D: Decode> Streams<R, D> {
    /// `input` starts with the first byte of a stream.
    pub(super) fn new(input: R) -> Self {
        Self { input, decoder: Some(D::new()), padding: 0, cause: None }
    }

    /// Goes to the next stream. False at the end.
    fn advance(&mut self) -> io::Result<bool> {
        loop {
            let first = self.input.fill_buf()?.first().copied();
            match first {
                Some(0) if D::PADDING > 0 => {
                    self.input.consume(1);
                    self.padding += 1;
                }
                _ if !self.padding.is_multiple_of(D::PADDING) => {
                    self.cause = Some(if first.is_some() { Cause::Followed(0) } else { Cause::Truncated });
                    return Ok(true);
                }
                Some(first) if first == D::FIRST => {
                    (self.decoder, self.padding) = (Some(D::new()), 0);
                    return Ok(true);
                }
                Some(first) => {
                    self.cause = Some(Cause::Followed(first));
                    return Ok(true);
                }
                None => return Ok(false),
            }
        }
    }
}

impl<R: BufRead, D: Decode> Read for Streams<R, D> {
    /// # Errors
    /// Those of the input, and [`Fault`], which every later call returns again.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(cause) = self.cause {
                return Err(Fault { format: D::FORMAT, cause }.into());
            }
            if buffer.is_empty() {
                return Ok(0);
            }
            let Some(decoder) = &mut self.decoder else {
                match self.advance()? {
                    true => continue,
                    false => return Ok(0),
                }
            };
            let ready = self.input.fill_buf()?;
            let at_end = ready.is_empty();
            let Step { taken, given, ended } = decoder.step(ready, buffer);
            self.input.consume(taken);
            match ended {
                Ok(true) => self.decoder = None,
                Ok(false) if at_end && given == 0 => self.cause = Some(Cause::Truncated),
                Ok(false) => {}
                Err(cause) => self.cause = Some(cause),
            }
            if given > 0 {
                return Ok(given);
            }
        }
    }
}
