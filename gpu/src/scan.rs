//! `scan` on the GPU: where patterns occur in sequences.
//!
//! # The anchor table
//!
//! Symbols are sets of bases. For anchors they are five digits: A 0, C 1, G 2, T 3, and 4 for everything else. A window
//! of 8 digits is a base-5 number, its *code*, below 390,625. Two windows are compatible when at each place the digits are
//! equal or either is 4; symbols whose base sets intersect always have compatible digits.
//!
//! 1. Count the codes of the sequences' windows (a part of them is enough). Fold the counts by compatibility, digit by digit:
//!    F\[c\] = number of windows compatible with code c.
//! 2. A pattern's *anchor* is its window with the least F: where it expects the fewest candidates.
//! 3. List, for every code c, the patterns whose anchor is compatible with c; a bitmap says which lists are not empty.
//! 4. At every position x of the sequences: look the window's code up in the bitmap; for each listed pattern compare the
//!    next 12 digits, then the whole pattern, symbol by symbol, at x - anchor.
//!
//! Why nothing is lost: where a pattern matches, its anchor is compatible with the window under it, so the list of that
//! window's code names the pattern (step 3 enumerates every code); step 4 visits every x; and every comparison on the way
//! rejects only where two symbols cannot be equal. None of this depends on how many symbols are ambiguous; only the
//! number of candidates does. (Seeds of unambiguous k-mers would be faster to build and would lose matches.)
//!
//! # Letters
//!
//! `scan_pack` turns letters into *planes*: for 32 symbols four words, one bit per symbol each: may it be A, C, G, T.
//! Two symbols are compatible when some plane has both bits. Under `--wildcards n` other bytes than A, C, G, T, N cannot be
//! told apart this way: they become wild here and raise a flag, and the host confirms each hit on the bytes.

pub mod cell;
pub mod kernel;
pub mod table;
pub mod tile;

#[cfg(test)]
mod tests;
