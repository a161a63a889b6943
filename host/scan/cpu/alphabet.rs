//! How bases are encoded for comparison: one byte a symbol, compared by operations that compile to vector code.
//!
//! `Iupac`: a symbol is its base set, compatible means intersecting. Symbols of sequences carry one bit more ([`PRESENT`]), so
//! that padding, which has all five bits, agrees with everything, `-` included.
//! `Bytes`: a symbol is its byte, `N` is padding.

use crate::Wildcards;
use crate::seeds::plan::Encoding;
use warpseq_seq::iupac::{base_set, digits};

const IUPAC_SYMBOLS: [u8; 256] = iupac_symbols();
const BYTES: [u8; 256] = bytes();

const fn iupac_symbols() -> [u8; 256] {
    let mut symbols = bytes();
    let mut base = 0;
    while base < 256 {
        symbols[base] = match base_set(base as u8) {
            Some(set) => PRESENT | set,
            None => PRESENT,
        };
        base += 1;
    }
    symbols
}

const fn bytes() -> [u8; 256] {
    let mut bytes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        bytes[byte] = byte as u8;
        byte += 1;
    }
    bytes
}

/// Set in every symbol of a sequence, and in padding.
const PRESENT: u8 = 0x10;

/// An encoding of bases.
pub trait Alphabet: Encoding {
    /// Agrees with every symbol, in sequences and in patterns.
    const PADDING: u8;
    /// The symbol of each base in sequences. A byte outside the alphabet matches nothing.
    const SYMBOLS: &'static [u8; 256];

    /// Whether symbol `s` of a sequence and symbol `q` of a pattern may be the same base.
    fn compatible(s: u8, q: u8) -> bool;
}

/// IUPAC base sets.
pub struct Iupac;

impl Encoding for Iupac {
    const DIGITS: &'static [u8; 256] = digits(Wildcards::Iupac);
    const TELLING: bool = true;

    fn pattern_symbol(base: u8) -> u8 {
        base_set(base).unwrap_or(0)
    }
}

impl Alphabet for Iupac {
    const PADDING: u8 = PRESENT | 15;
    const SYMBOLS: &'static [u8; 256] = &IUPAC_SYMBOLS;

    #[inline(always)]
    fn compatible(s: u8, q: u8) -> bool {
        s & q != 0
    }
}

/// Bytes as they are; only `N` is wild.
pub struct Bytes;

impl Encoding for Bytes {
    const DIGITS: &'static [u8; 256] = digits(Wildcards::N);

    fn pattern_symbol(base: u8) -> u8 {
        base
    }
}

impl Alphabet for Bytes {
    const PADDING: u8 = b'N';
    const SYMBOLS: &'static [u8; 256] = &BYTES;

    #[inline(always)]
    fn compatible(s: u8, q: u8) -> bool {
        (s == q) | (s == b'N') | (q == b'N')
    }
}
