//! zstd, decoded by ruzstd: frames with data, frames to be skipped, one after another (RFC 8878).
//!
//! # Why it is right at the edges
//!
//! As for gzip ([`crate::gzip`]). The decoder keeps the last bytes that it made for as long as later ones may repeat them. When it
//! fails, an empty last block makes it give them up, so that they come before the damage. It reports checksums, and
//! [`Frames::finish`] compares them.

use super::streams::{Cause, Fault};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, ErrorKind, Read};

/// The first bytes of a frame with data.
pub(super) const MAGIC: &[u8] = b"\x28\xb5\x2f\xfd";

/// The first bytes of a frame to be skipped, but for the very first, of which four bits are free.
pub(super) const SKIPPED: &[u8] = b"\x2a\x4d\x18";

/// A last block, of no bytes, and the place of a checksum.
const END: &[u8] = &[1, 0, 0, 0, 0, 0, 0];

/// The input, which remembers how reading it ended.
struct Remembering<R> {
    input: R,
    ended: bool,
    error: Option<io::Error>,
}

impl<R: BufRead> Read for Remembering<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.input.read(buffer) {
                Ok(read) => {
                    self.ended |= read == 0 && !buffer.is_empty();
                    return Ok(read);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    let kind = error.kind();
                    self.error = Some(error);
                    return Err(kind.into());
                }
            }
        }
    }
}

/// Reads the decompressed bytes of all frames of a file.
pub(super) struct Frames<R> {
    input: Remembering<R>,
    decoder: FrameDecoder,
    /// Inside a frame with data.
    inside: bool,
    /// Bytes of the frame that have been returned.
    given: u64,
    /// Returned once what the decoder keeps has been.
    cause: Option<Cause>,
}

impl<R: BufRead> Frames<R> {
    /// `input` starts with the first byte of a frame.
    pub(super) fn new(input: R) -> Self {
        let input = Remembering { input, ended: false, error: None };
        Self { input, decoder: FrameDecoder::new(), inside: false, given: 0, cause: None }
    }

    /// Reads the header of the next frame, and the frame if it is to be skipped. False at the end.
    fn begin(&mut self) -> io::Result<bool> {
        let Some(&first) = self.input.input.fill_buf()?.first() else { return Ok(false) };
        if first != MAGIC[0] && first & 0xf0 != 0x50 {
            self.cause = Some(Cause::Followed(first));
            return Ok(true);
        }
        self.given = 0;
        match self.decoder.reset(&mut self.input) {
            Ok(()) => self.inside = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                let length = u64::from(length);
                if io::copy(&mut self.input.by_ref().take(length), &mut io::sink())? < length {
                    self.cause = Some(Cause::Truncated);
                }
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::BadMagicNumber(_))) => {
                self.cause = Some(Cause::Followed(first));
            }
            Err(error) => self.cause = Some(self.cause_of(&error)?),
        }
        Ok(true)
    }

    /// Decodes the next block of the frame.
    fn decode(&mut self) -> io::Result<()> {
        if let Err(error) = self.decoder.decode_blocks(&mut self.input, BlockDecodingStrategy::UptoBlocks(1)) {
            self.cause = Some(self.cause_of(&error)?);
            // What it returns does not matter: a decoder that cannot even do this gives up nothing more.
            let _ = self.decoder.decode_blocks(END, BlockDecodingStrategy::UptoBlocks(1));
        }
        Ok(())
    }

    /// Ends a frame of which all bytes have been returned.
    fn finish(&mut self) {
        self.inside = false;
        let stored = self.decoder.get_checksum_from_data();
        let sum_differs = stored.is_some() && stored != self.decoder.get_calculated_checksum();
        // 0 stands for no length, too.
        let length = self.decoder.content_size();
        if sum_differs || length > 0 && length != self.given {
            self.cause = Some(Cause::Broken);
        }
    }

    /// Why the decoder failed, or the error of the system if that is why.
    fn cause_of(&mut self, error: &FrameDecoderError) -> io::Result<Cause> {
        if let Some(error) = self.input.error.take() {
            return Err(error);
        }
        Ok(match error {
            FrameDecoderError::WindowSizeTooBig { .. } => Cause::Needs("a window of more than 128 MiB"),
            FrameDecoderError::DictNotProvided { .. } => Cause::Needs("its dictionary"),
            _ if self.input.ended => Cause::Truncated,
            _ => Cause::Broken,
        })
    }
}

impl<R: BufRead> Read for Frames<R> {
    /// # Errors
    /// Those of the input, and [`Fault`], which every later call returns again.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if self.inside {
                let given = self.decoder.read(buffer)?;
                self.given += given as u64;
                if given > 0 {
                    return Ok(given);
                }
            }
            if let Some(cause) = self.cause {
                return Err(Fault { format: "zstd", cause }.into());
            }
            if !self.inside {
                if !self.begin()? {
                    return Ok(0);
                }
            } else if self.decoder.is_finished() {
                self.finish();
            } else {
                self.decode()?;
            }
        }
    }
}
