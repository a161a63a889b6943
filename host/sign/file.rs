//! `file`: signatures on disk, mapped when they are read.
//!
//! What is streamed comes first, what is known at the end last: a [`Writer`] needs no seeking, so pipes and compression work,
//! and it keeps names, lengths and present bits in memory until [`Writer::finish`]. [`open`] checks everything once, so what
//! reads a [`Collection`](super::collection::Collection) need not.
//!
#![doc = include_str!("../../docs/signature-file.md")]

mod header;
mod layout;
mod reader;
#[cfg(test)]
mod tests;
mod waiting;
mod writer;

pub use reader::{Opened, holds_signatures, open};
pub use writer::Writer;

use warpseq_io::format::Format;
use xxhash_rust::xxh3::xxh3_64;

/// The version that is written. Older ones are read.
pub const VERSION: u32 = 2;

/// The first bytes of every version.
const MAGIC: [u8; 8] = *b"WARPSIG\x1a";
/// How it is mapped, and what is said of it.
static FORMAT: Format = Format {
    magic: MAGIC,
    versions: 1..=VERSION,
    ends: [HEADER, TRAILER],
    words: ["signature file", "signatures"],
    made_by: ["warpseq sign build", "SEQUENCES.fasta -o SIGNATURES.wsig"],
    checksum: xxh3_64,
    lost: b"warpseq: error: a signature file was truncated, overwritten or unreadable while it was read: run again\n",
};

/// Bytes of the header; the signatures start behind them.
const HEADER: usize = 64;
/// Bytes of the trailer.
const TRAILER: usize = 80;
/// Sections start at multiples of this many bytes.
const ALIGNMENT: u64 = 8;
