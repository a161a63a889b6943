//! Database files: targets on disk, read and checked once, and mapped when they are searched.
//!
//! What is streamed comes first, what is known at the end last: a [`Writer`] needs no seeking, and it keeps starts and names out of
//! memory until [`Writer::finish`]. [`Stored::open`] checks everything once, so what takes its records need not.
//!
//! Residues are bytes as they were read: no scoring is asked for, so any will do, and rows show what the sequences showed. They
//! stand in the order of the input, so that equal scores come in that order.
//!
#![doc = include_str!("../../docs/database-file.md")]

pub mod build;
pub mod info;
mod kind;
mod layout;
mod stored;
#[cfg(test)]
mod tests;
mod writer;

pub use kind::Kind;
pub use stored::Stored;
pub use writer::Writer;

use rayon::prelude::*;
use warpseq_io::format::Format;
use xxhash_rust::xxh3::xxh3_64;

/// The version that is written and the only one that is read.
pub const VERSION: u32 = 1;

/// Bytes of the header; the residues start behind them.
const HEADER: usize = 64;
/// Bytes of the trailer.
const TRAILER: usize = 80;
/// Sections start at multiples of this many bytes.
const ALIGNMENT: u64 = 8;
/// Numbers of the section that counts letters: one for each byte.
const LETTERS: usize = 256;
/// Bytes that are summed together for the checksum, so that all threads may sum.
const PIECE: usize = 1 << 20;

/// How it is mapped, and what is said of it.
static FORMAT: Format = Format {
    magic: *b"WARPSDB\x1a",
    versions: VERSION..=VERSION,
    ends: [HEADER, TRAILER],
    words: ["database file", "a database"],
    made_by: ["warpseq db build", "SEQUENCES.fasta -o DATABASE.wdb"],
    checksum,
    lost: b"warpseq: error: a database file was truncated, overwritten or unreadable while it was read: run again\n",
};

/// XXH3 of the XXH3 of each piece.
fn checksum(bytes: &[u8]) -> u64 {
    let sums: Vec<[u8; 8]> = bytes.par_chunks(PIECE).map(|piece| xxh3_64(piece).to_le_bytes()).collect();
    xxh3_64(sums.as_flattened())
}
