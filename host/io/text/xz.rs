//! xz, decoded by lzma-rust2, which checks every checksum, the lengths of all blocks and the index at the end of a stream.

use super::streams::{Cause, Decode, Step};
use lzma_rust2::{Action, Status, XzStream};
use std::io::ErrorKind;

/// The first bytes of every stream.
pub(super) const MAGIC: &[u8] = b"\xfd7zXZ\0";

/// The most memory for a stream, in KiB. `xz -9` makes files that take 65 MiB, and the largest dictionary of xz takes 1.5 GiB.
const MEMORY_KIB: u32 = 2 << 20;

/// The decoder of an xz stream.
pub(super) struct Xz(XzStream);

impl Decode for Xz {
    const FORMAT: &'static str = "xz";
    const FIRST: u8 = MAGIC[0];
    /// The file format, version 1.2.1, section 2.2.
    const PADDING: u64 = 4;

    fn new() -> Self {
        Self(XzStream::new_mem_limit(false, MEMORY_KIB))
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let before = (self.0.total_in(), self.0.total_out());
        let ended = match self.0.process(input, output, Action::Run) {
            Ok(result) => Ok(result.status == Status::StreamEnd),
            Err(error) if error.kind() == ErrorKind::OutOfMemory => Err(Cause::Needs("more than 2 GiB of memory")),
            Err(error) if error.kind() == ErrorKind::Unsupported => Err(Cause::Needs("another version of xz")),
            Err(_) => Err(Cause::Broken),
        };
        let (taken, given) = (self.0.total_in() - before.0, self.0.total_out() - before.1);
        Step { taken: taken as usize, given: given as usize, ended }
    }
}
