//! `scan` on the GPU: where patterns occur in sequences.
//!
//! # The anchor table
//!
//! Symbols are sets of bases. For anchors they are five digits: A 0, C 1, G 2, T 3, and 4 for everything else. A window
//! of 8 digits, read as a base-5 number, has a *code* below 390,625. Two windows are compatible if at each position the
//! digits are equal or one of them is 4. Symbols that have a base in common always have compatible digits.
//!
//! 1. Count the codes of the sequences' windows, or of a part of them, which is enough. Fold the counts by
//!    compatibility, digit by digit. Then F\[c\] is the number of windows compatible with code c.
//! 2. A pattern's *anchor* is its window with the least F: the one with the fewest expected candidates.
//! 3. For every code c, list the patterns whose anchor is compatible with c. A bitmap says which lists are not empty.
//! 4. At every position x of the sequences, look up the window's code in the bitmap. For each pattern in its list
//!    compare the next 12 digits, and then the whole pattern symbol by symbol, at x - anchor.
//!
//! Why no match is lost: where a pattern matches, its anchor is compatible with the window under it, so the list of
//! that window's code names the pattern (step 3 enumerates every code). Step 4 visits every x. Every comparison on the
//! way rejects only where two symbols cannot be equal. None of this depends on how many symbols are ambiguous; only the
//! number of candidates does. (Seeds of unambiguous k-mers would be faster to build, but would lose matches.)
//!
//! # Base planes
//!
//! `scan_pack` turns bases into *planes*: for 32 symbols four words with one bit per symbol. They say whether the
//! symbol may be A, C, G, T. Two symbols are compatible if both bits are set in some plane. Under `--wildcards n`,
//! bytes other than A, C, G, T and N cannot be told apart in this way. They become wild here and raise a flag, and the
//! host confirms each hit on the bytes.

pub mod cell;
pub mod kernel;
pub mod table;
pub mod tile;

#[cfg(test)]
mod tests;
