//! `file`: signatures on disk, mapped when they are read.
//!
//! What is streamed comes first, what is known at the end last: a [`Writer`] needs no seeking, so pipes and compression work,
//! and it keeps names, lengths and present bits in memory until [`Writer::finish`]. [`open`] checks everything once, so what
//! reads a [`Collection`](super::collection::Collection) need not.
//!
#![doc = include_str!("../../docs/signature-file.md")]

#[cfg(test)]
mod changed;
mod header;
mod layout;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use reader::{Opened, holds_signatures, open};
pub use writer::Writer;

use warpseq_io::mapped::Format;
use xxhash_rust::xxh3::xxh3_64;

/// The version that is written and the only one that is read.
pub const VERSION: u32 = 1;

/// The first bytes of every version.
const MAGIC: [u8; 8] = *b"WARPSIG\x1a";
/// How it is mapped.
static FORMAT: Format = Format {
    magic: MAGIC,
    checksum: |bytes| xxh3_64(&bytes[..bytes.len().saturating_sub(TRAILER - CHECKSUM)]),
    lost: b"warpseq: error: a signature file was truncated, overwritten or unreadable while it was read: run again\n",
};

/// The last bytes.
const END: [u8; 8] = *b"WARPEND\x1a";
/// Bytes of the header; the signatures start behind them.
const HEADER: usize = 64;
/// Bytes of the trailer.
const TRAILER: usize = 80;
/// Where the checksum is in the trailer.
const CHECKSUM: usize = 64;
/// Sections start at multiples of this many bytes.
const ALIGNMENT: u64 = 8;

/// The number in bytes `at..at + 4`.
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"))
}

/// The number in bytes `at..at + 8`.
fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"))
}

/// The numbers in `bytes`, whose length is a multiple of 8.
fn u64s(bytes: &[u8]) -> impl ExactSizeIterator<Item = u64> + '_ {
    bytes.chunks_exact(8).map(|bytes| u64_at(bytes, 0))
}
