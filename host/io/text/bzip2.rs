//! bzip2, decoded by libbz2-rs-sys, which checks the checksum of each block and of the stream.
//!
//! When the decoder finds damage, it forgets the bytes of that call. Which these are must not depend on the caller's buffers, so it
//! writes into a small one of its own, which is always filled before it is passed on.

use super::streams::{Cause, Decode, Step};
use bzip2::{Decompress, Status};

/// Bytes that damage may take with it, of a block whose checksum is wrong.
const BUFFER_BYTES: usize = 4096;

/// The decoder of a bzip2 stream.
pub(super) struct Bzip2 {
    decoder: Decompress,
    buffer: Box<[u8; BUFFER_BYTES]>,
    /// `buffer[start..end]` is decoded, but not yet passed on.
    start: usize,
    end: usize,
    /// How decoding ended, if it has.
    ended: Option<Result<bool, Cause>>,
}

impl Bzip2 {
    /// Decodes into the rest of the buffer. Returns how many bytes that took.
    fn decode(&mut self, input: &[u8]) -> usize {
        let before = (self.decoder.total_in(), self.decoder.total_out());
        let status = self.decoder.decompress(input, &mut self.buffer[self.end..]);
        self.end += (self.decoder.total_out() - before.1) as usize;
        self.ended = match status {
            Ok(Status::StreamEnd) => Some(Ok(true)),
            Ok(Status::MemNeeded) => Some(Err(Cause::Needs("more memory than there is"))),
            Ok(_) => None,
            Err(_) => Some(Err(Cause::Broken)),
        };
        (self.decoder.total_in() - before.0) as usize
    }
}

impl Decode for Bzip2 {
    const FORMAT: &'static str = "bzip2";
    const FIRST: u8 = b'B';
    const PADDING: u64 = 0;

    fn new() -> Self {
        let (decoder, buffer) = (Decompress::new(false), Box::new([0; BUFFER_BYTES]));
        Self { decoder, buffer, start: 0, end: 0, ended: None }
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let mut taken = 0;
        if self.ended.is_none() && self.end < BUFFER_BYTES {
            taken = self.decode(input);
        }
        // At the end of the file nothing more comes to fill the buffer.
        if self.ended.is_none() && self.end < BUFFER_BYTES && !input.is_empty() {
            return Step { taken, given: 0, ended: Ok(false) };
        }
        let given = output.len().min(self.end - self.start);
        output[..given].copy_from_slice(&self.buffer[self.start..self.start + given]);
        self.start += given;
        let empty = self.start == self.end;
        if empty {
            (self.start, self.end) = (0, 0);
        }
        Step { taken, given, ended: self.ended.filter(|_| empty).unwrap_or(Ok(false)) }
    }
}
