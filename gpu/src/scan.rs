//! `scan` on the GPU: where patterns occur in sequences.
//!
//! # The search
//!
//! `host/scan/seeds.rs` defines it, and says why no match is lost: patterns have spans of tiles, whose codes are listed in tables
//! that the host builds. `scan_seek` looks up the tiles at every position, a launch for each class of patterns. It marks the
//! positions at which it cannot, the hard ones. Patterns of several spans whose first lies there are found by windows: `scan_mark` chooses
//! marks near these positions, and `scan_window` looks up the windows there. Where patterns have none, or a place has too few marks, a second
//! launch of `scan_seek` looks up the other spans. `scan_hard` compares the patterns of which all spans lie at hard positions,
//! `scan_parted` those in parts of which too many do, and `scan_brute` those without spans, everywhere.
//!
//! A match may be found more than once: by several tiles of a span, or under several codes of one. The host removes such doubles.
//!
//! # Base planes and digits
//!
//! `scan_pack` turns bases into *planes*: for 32 symbols four words with one bit per symbol. They say whether the
//! symbol may be A, C, G, T. Two symbols are compatible if both bits are set in some plane. From these it makes *digits*: a single
//! base is one of four, everything else is wild. Under `--wildcards n`, bytes other than A, C, G, T and N cannot be told apart in
//! this way. They become what they look like here, or wild, and raise a flag. The device then finds all places that may match,
//! whatever they have of wild symbols, and the host confirms each on the bytes.

pub mod brute;
pub mod cell;
pub mod hard;
pub mod kernel;
pub mod parted;
pub mod search;
pub mod seek;
pub mod windows;

#[cfg(test)]
mod tests;
