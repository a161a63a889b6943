//! The anchor table: from eight symbols of a sequence to the few patterns that may match there. Exact for any input.
//!
//! # Definition
//!
//! Bases are reduced to the digits 0 to 4 ([`warpseq_seq::iupac`]). Two digits agree when they are equal or one is [`WILD`].
//! The code of a window of 8 digits d0 to d7 is the base-5 number d0 d1 ... d7, below 5^8 = 390,625.
//!
//! 1. *Histogram*: h\[c\] = windows of the sequences with code c; 64 slices of a large batch are enough, as only speed depends
//!    on them.
//! 2. *Folding*: F\[c\] = sum of h\[e\] over all codes e that agree with c in every digit. One pass per digit, in place: the sums of
//!    digit k make rows (x0, x1, x2, x3, x4) into (x0 + x4, x1 + x4, x2 + x4, x3 + x4, x0 + ... + x4).
//! 3. *Choice*: F at the window of a pattern at offset o is the number of candidates that anchoring it there would make, and F at
//!    the two windows behind it how many places would pass for what *follows* the anchor. Each pattern is anchored where these
//!    add up to the least, the anchor counting twice; [`Anchor::entries`] counts a little, as lists must be built too. A pattern is
//!    continued with wild digits behind its end.
//! 4. *Lists*: for each code, the patterns whose anchor agrees with it, with a bitmap of the codes that have any, and one for each
//!    of the two windows behind, of the codes that agree with what any pattern has there.
//!
//! # Why nothing is lost
//!
//! Where a pattern matches, each of its windows agrees with the sequence under it, the anchor and what follows it too (wild digits
//! past the end of a pattern agree with anything, also with padding and with bases of another sequence). The lists hold the
//! pattern under every agreeing code. So looking up the code at every position of the sequences, where those of the two windows
//! behind it are in their bitmaps, finds every match once: at its anchor. No step depends on how many N there are, or on the
//! histogram; only the number of candidates does.

mod frequencies;
mod table;

pub use frequencies::{Frequencies, agreeing};
pub use table::{Bitmap, Table};

use warpseq_gpu::tuning;
use warpseq_seq::iupac::WILD;

/// Symbols of an anchor.
pub const WINDOW: usize = tuning::ANCHOR as usize;
/// Codes of a window: 5^8.
pub const CODES: usize = tuning::CODES as usize;
/// The code of eight wild symbols: every pattern is in its list.
pub const ALL_WILD: u32 = CODES as u32 - 1;

/// Windows behind the anchor that are looked at, too.
pub const FOLLOWING: usize = 2;

/// Codes of half a window.
const HALVES: u32 = 625;

/// Codes that agree with a window of which `wild` digits are wild: a base agrees with itself and N, N with all five.
fn entries(wild: usize) -> u64 {
    5u64.pow(wild as u32) << (WINDOW - wild)
}

/// The base-5 number of some digits.
fn number(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |code, &digit| code * 5 + u32::from(digit))
}

/// The numbers of the digits that agree with half a window.
fn agreeing_halves(digits: &[u8]) -> Vec<u32> {
    let mut numbers = vec![0];
    for &digit in digits {
        let choices = if digit == WILD { &[0, 1, 2, 3, WILD][..] } else { &[digit, WILD] };
        numbers = numbers.iter().flat_map(|number| choices.iter().map(move |&d| number * 5 + u32::from(d))).collect();
    }
    numbers
}

/// Where a pattern is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// Symbols of the pattern before the anchor.
    pub offset: usize,
    /// The pattern's digits from `offset`, [`WILD`] past its end.
    pub digits: [u8; WINDOW],
}

impl Anchor {
    /// The window at `offset` of a pattern of these digits, which may lie behind its end.
    pub fn at(digits: &[u8], offset: usize) -> Self {
        let rest = digits.get(offset..).unwrap_or_default();
        let mut window = [WILD; WINDOW];
        let length = rest.len().min(WINDOW);
        window[..length].copy_from_slice(&rest[..length]);
        Self { offset, digits: window }
    }

    /// The base-5 number of the digits.
    pub fn code(&self) -> u32 {
        number(&self.digits)
    }

    /// List entries of this anchor: codes that agree with it, 256 to 390,625.
    pub fn entries(&self) -> u64 {
        entries(self.digits.iter().filter(|&&digit| digit == WILD).count())
    }

    /// Calls `visit` with every code that agrees with the anchor, each once.
    fn each_agreeing(&self, mut visit: impl FnMut(u32)) {
        let (high, low) = self.digits.split_at(WINDOW / 2);
        let [high, low] = [high, low].map(agreeing_halves);
        high.iter().for_each(|high| low.iter().for_each(|low| visit(high * HALVES + low)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wildcards;
    use warpseq_seq::iupac;

    pub(super) fn digits(bases: &str) -> Vec<u8> {
        bases.bytes().map(|b| iupac::digits(Wildcards::N)[b as usize]).collect()
    }

    pub(super) fn anchor(bases: &str) -> Anchor {
        Anchor::at(&digits(bases), 0)
    }

    pub(super) fn agree(a: &Anchor, b: &Anchor) -> bool {
        a.digits.iter().zip(&b.digits).all(|(&x, &y)| x == y || x == WILD || y == WILD)
    }

    /// The window of a code.
    pub(super) fn window(code: usize) -> Anchor {
        let mut digits = [0; WINDOW];
        (0..WINDOW).for_each(|k| digits[WINDOW - 1 - k] = (code / 5usize.pow(k as u32) % 5) as u8);
        Anchor { offset: 0, digits }
    }

    #[test]
    fn codes_are_base_5_numbers() {
        assert_eq!(anchor("AAAAAAAA").code(), 0);
        assert_eq!(anchor("AAAAAACG").code(), 7);
        assert_eq!(anchor("CAAAAAAA").code(), 78_125);
        assert_eq!(anchor("NNNNNNNN").code(), ALL_WILD);
    }

    #[test]
    fn windows_are_wild_past_the_end() {
        let digits = digits("ACGTACGTCA");
        let expected = [(0, "ACGTACGT"), (3, "TACGTCAN"), (9, "ANNNNNNN"), (10, "NNNNNNNN"), (99, "NNNNNNNN")];
        for (offset, bases) in expected {
            assert_eq!(Anchor::at(&digits, offset), Anchor { offset, ..anchor(bases) });
        }
    }
}
