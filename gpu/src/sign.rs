//! `sign` on the device: signatures of windows, and comparing signatures.
//!
//! # Counting in bit planes
//!
//! A signature is decided by how often each of its bits is set among the vectors of a window's words: a count for each of 64 to
//! 4096 elements, from a stream of words that are seen once. The counts are kept crosswise: plane p holds bit p of the counts of
//! 64 elements, and a full adder of two logic instructions adds three words of the same weight for all of them at once. Adding
//! a word to 64 counts takes about six instructions, no carry leaves a register, and the decision `count > t` is the carry of
//! the addition of `-t - 1`.
//!
//! A sparse vector, of +1, 0 and -1, is two words: the positions of +1, and all positions but those of -1. Over n words, the
//! sum is positive where the ones among these 2n words are more than n. A dense vector, of +1 and -1, is one word, and its sum
//! positive where the ones are more than n / 2.
//!
//! # Two ways
//!
//! | | words | one thread | kernels |
//! |---|---|---|---|
//! | [`halves`] | small tables, windows of 16, 64 bits | half a window of one sequence | `sign_halves` |
//! | [`pieces`] | any | 64 elements of a stretch of words | `sign_pack`, `sign_dense` or `sign_sparse`, `sign_decide` |
//!
//! [`neighbours`] compares signatures.

pub mod cell;
pub mod halves;
pub mod kernel;
pub mod neighbours;
pub mod pieces;
pub mod sequences;

#[cfg(test)]
mod tests;
