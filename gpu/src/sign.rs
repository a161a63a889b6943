//! `sign` on the GPU: signatures of windows, and comparing signatures.
//!
//! # Counting in bit planes
//!
//! The k-mers of a window have vectors, and each bit of the window's signature depends on how often it is set among
//! them. That takes a count for each of 64 to 65,536 elements, over a stream of words that are each seen once. The counts
//! are kept transposed: plane p holds bit p of the counts of 64 elements. A full adder of two logic instructions then
//! adds three words of the same weight for 64 elements at once. Adding a word to 64 counts takes about six
//! instructions, and no carry leaves a register. The decision `count > t` is the carry of adding `-t - 1`.
//!
//! A sparse vector has elements +1, 0 and -1. It is two words: the positions of +1, and all positions but those of -1.
//! The sum over n k-mers is positive if there are more than n ones among these 2n words. A dense vector has elements +1
//! and -1. It is one word, and the sum is positive if there are more than n / 2 ones.
//!
//! # Two ways
//!
//! | | k-mers | one thread | kernels |
//! |---|---|---|---|
//! | [`halves`] | small tables, windows of 16 residues, 64 bits | half a window of one sequence | `sign_halves` |
//! | [`pieces`] | any | 64 elements of a piece of a window | `sign_pack`, `sign_dense` or `sign_sparse`, `sign_decide` |
//!
//! [`neighbours`] compares signatures.

pub mod cell;
pub mod halves;
pub mod kernel;
pub mod neighbours;
pub mod pieces;

#[cfg(test)]
mod tests;
