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
//! 3. *Choice*: F at the window of a pattern at offset o is the number of candidates that anchoring it there would make. Each
//!    pattern takes its rarest window; [`Anchor::entries`] counts a little, as lists must be built too. A pattern shorter
//!    than 8 is continued with wild digits.
//! 4. *Lists*: for each code, the patterns whose anchor agrees with it, with a bitmap of the codes that have any.
//!
//! # Why nothing is lost
//!
//! Where a pattern matches, each of its windows agrees with the sequence under it, the anchor too (wild digits past the end of a
//! short pattern agree with anything, also with padding and with bases of another sequence). The lists hold the pattern under
//! every agreeing code. So looking up the code at every position of the sequences finds every match once: at its anchor.
//! No step depends on how many N there are, or on the histogram; only the number of candidates does.

use warpseq_gpu::tuning;
use warpseq_seq::iupac::WILD;

/// Symbols of an anchor.
pub const WINDOW: usize = tuning::ANCHOR as usize;
/// Codes of a window: 5^8.
pub const CODES: usize = tuning::CODES as usize;
/// The code of eight wild symbols: every pattern is in its list.
pub const ALL_WILD: u32 = CODES as u32 - 1;

/// Slices of the sequences that a histogram counts, and symbols in each: 2 million windows at most.
const SLICES: usize = 64;
const SLICE: usize = 1 << 15;
/// List entries that may be built to avoid one candidate in the histogram's slices: about equal in time for 300 M symbols.
const ENTRIES_PER_CANDIDATE: u64 = 1024;

/// The code that follows `code` when the window moves on by one symbol, `old` leaving it on the left.
fn next_code(code: u32, old: u8, new: u8) -> u32 {
    (code - u32::from(old) * (CODES / 5) as u32) * 5 + u32::from(new)
}

/// How often windows occur in sequences.
pub struct Frequencies {
    /// F\[c\], windows that agree with code c.
    agreeing: Vec<u32>,
    /// Windows looked at.
    windows: u32,
}

impl Frequencies {
    /// Counts the windows of `bases`, in slices when it is long. `digits` gives the digit of each byte.
    pub fn of(bases: &[u8], digits: &[u8; 256]) -> Self {
        let mut counts = vec![0; CODES];
        let mut windows = 0;
        let whole = bases.len() <= 2 * SLICES * SLICE;
        let (slices, length) = if whole { (1, bases.len()) } else { (SLICES, SLICE) };
        for k in 0..slices {
            let from = bases.len() / slices * k;
            windows += count(&bases[from..from + length], digits, &mut counts);
        }
        fold(&mut counts);
        Self { agreeing: counts, windows }
    }

    /// The share of sequence positions at which this anchor would make a candidate, 0 to 1.
    pub fn share(&self, anchor: &Anchor) -> f64 {
        f64::from(self.agreeing[anchor.code() as usize]) / f64::from(self.windows.max(1))
    }

    /// The best place to anchor a pattern of these digits, of which there is at least one.
    pub fn rarest(&self, digits: &[u8]) -> Anchor {
        let mut anchor = Anchor { offset: 0, digits: [WILD; WINDOW] };
        if digits.len() < WINDOW {
            anchor.digits[..digits.len()].copy_from_slice(digits);
            return anchor;
        }
        anchor.digits.copy_from_slice(&digits[..WINDOW]);
        let mut code = anchor.code();
        let mut wild = digits[..WINDOW].iter().filter(|&&d| d == WILD).count();
        let cost = |code: u32, wild| u64::from(self.agreeing[code as usize]) * ENTRIES_PER_CANDIDATE + entries(wild);
        let mut least = cost(code, wild);
        for offset in 1..=digits.len() - WINDOW {
            let (old, new) = (digits[offset - 1], digits[offset + WINDOW - 1]);
            code = next_code(code, old, new);
            wild = wild + usize::from(new == WILD) - usize::from(old == WILD);
            if cost(code, wild) < least {
                (least, anchor.offset) = (cost(code, wild), offset);
            }
        }
        anchor.digits.copy_from_slice(&digits[anchor.offset..anchor.offset + WINDOW]);
        anchor
    }
}

fn count(bases: &[u8], digits: &[u8; 256], counts: &mut [u32]) -> u32 {
    let mut code = 0;
    for (k, &base) in bases.iter().enumerate() {
        let old = if k < WINDOW { 0 } else { digits[bases[k - WINDOW] as usize] };
        code = next_code(code, old, digits[base as usize]);
        if k + 1 >= WINDOW {
            counts[code as usize] += 1;
        }
    }
    (bases.len() + 1).saturating_sub(WINDOW) as u32
}

fn fold(counts: &mut [u32]) {
    for digit in 0..WINDOW as u32 {
        let stride = 5usize.pow(digit);
        for rows in counts.chunks_exact_mut(5 * stride) {
            let (single, wild) = rows.split_at_mut(4 * stride);
            for (k, wild) in wild.iter_mut().enumerate() {
                let total = *wild + (0..4).map(|d| single[d * stride + k]).sum::<u32>();
                (0..4).for_each(|d| single[d * stride + k] += *wild);
                *wild = total;
            }
        }
    }
}

/// Codes that agree with a window of which `wild` digits are wild: a base agrees with itself and N, N with all five.
fn entries(wild: usize) -> u64 {
    5u64.pow(wild as u32) << (WINDOW - wild)
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
    /// The base-5 number of the digits.
    pub fn code(&self) -> u32 {
        self.digits.iter().fold(0, |code, &digit| code * 5 + u32::from(digit))
    }

    /// List entries of this anchor: codes that agree with it, 256 to 390,625.
    pub fn entries(&self) -> u64 {
        entries(self.digits.iter().filter(|&&digit| digit == WILD).count())
    }

    /// Calls `visit` with every code that agrees with the anchor, each once.
    fn each_agreeing(&self, mut visit: impl FnMut(usize)) {
        let choices = self.digits.map(|digit| if digit == WILD { [0, 1, 2, 3, WILD] } else { [digit, WILD, 5, 5, 5] });
        let mut codes = vec![0u32];
        for choice in choices {
            let digits = &choice[..choice.iter().filter(|&&digit| digit < 5).count()];
            codes = codes.iter().flat_map(|code| digits.iter().map(move |&d| code * 5 + u32::from(d))).collect();
        }
        codes.into_iter().for_each(|code| visit(code as usize));
    }
}

/// The lists: which anchors agree with a code.
pub struct Table {
    /// The list of code c is `list[starts[c]..starts[c + 1]]`; [`CODES`] + 1 numbers.
    pub starts: Vec<u32>,
    /// Indexes of anchors, ascending within a list.
    pub list: Vec<u32>,
    /// Bit c % 32 of word c / 32 is set when code c has a list; 12,208 words.
    pub occupied: Vec<u32>,
}

impl Table {
    /// Lists the anchors under every code they agree with. Their [`Anchor::entries`] add up to less than 2^32.
    pub fn new(anchors: &[Anchor]) -> Self {
        let mut starts = vec![0u32; CODES + 2];
        let mut occupied = vec![0u32; CODES.div_ceil(32)];
        for anchor in anchors {
            anchor.each_agreeing(|code| {
                starts[code + 2] += 1;
                occupied[code / 32] |= 1 << (code % 32);
            });
        }
        for code in 2..CODES + 2 {
            starts[code] += starts[code - 1];
        }
        // starts[c + 1] is where list c begins; filling moves it to the end, which is where list c + 1 begins.
        let mut list = vec![0; starts[CODES + 1] as usize];
        for (k, anchor) in anchors.iter().enumerate() {
            anchor.each_agreeing(|code| {
                list[starts[code + 1] as usize] = k as u32;
                starts[code + 1] += 1;
            });
        }
        starts.truncate(CODES + 1);
        Self { starts, list, occupied }
    }

    /// The anchors that agree with `code`.
    pub fn list(&self, code: u32) -> &[u32] {
        &self.list[self.starts[code as usize] as usize..self.starts[code as usize + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wildcards;
    use warpseq_seq::iupac;

    fn digits(bases: &str) -> Vec<u8> {
        bases.bytes().map(|b| iupac::digits(Wildcards::N)[b as usize]).collect()
    }

    fn anchor(bases: &str) -> Anchor {
        Anchor { offset: 0, digits: digits(bases).try_into().unwrap() }
    }

    fn agree(a: &Anchor, b: &Anchor) -> bool {
        a.digits.iter().zip(&b.digits).all(|(&x, &y)| x == y || x == WILD || y == WILD)
    }

    /// The window of a code.
    fn window(code: usize) -> Anchor {
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
        assert_eq!(next_code(anchor("NACGTACG").code(), WILD, 3), anchor("ACGTACGT").code());
    }

    #[test]
    fn folded_counts_are_the_agreeing_windows() {
        let bases = b"ACGTNACGGTTANNNNACGATCGATTTTTTTTTNACGTTACGAC";
        let frequencies = Frequencies::of(bases, iupac::digits(Wildcards::N));
        let text = std::str::from_utf8(bases).unwrap();
        let windows: Vec<_> = (0..=bases.len() - WINDOW).map(|k| anchor(&text[k..k + WINDOW])).collect();
        assert_eq!(frequencies.windows as usize, windows.len());
        for code in (0..CODES).step_by(7).chain(windows.iter().map(|w| w.code() as usize)) {
            let want = windows.iter().filter(|w| agree(w, &window(code))).count();
            assert_eq!(frequencies.agreeing[code] as usize, want, "{:?}", window(code));
        }
        assert_eq!(frequencies.share(&anchor("NNNNNNNN")), 1.0);
    }

    #[test]
    fn long_sequences_are_counted_in_slices() {
        let bases = b"ACGGT".repeat(SLICES * SLICE);
        let frequencies = Frequencies::of(&bases, iupac::digits(Wildcards::N));
        assert_eq!(frequencies.windows as usize, SLICES * (SLICE - 7));
        assert!((frequencies.share(&anchor("ACGGTACG")) - 0.2).abs() < 0.001);
    }

    #[test]
    fn the_rarest_window_is_chosen() {
        let frequencies = Frequencies::of(&b"A".repeat(500), iupac::digits(Wildcards::N));
        let chosen = frequencies.rarest(&digits("AAAAAAAAAAAANNNNAAAACAAAAAAAA"));
        assert_eq!((chosen.offset, chosen.digits.to_vec()), (16, digits("AAAACAAA")));
        assert_eq!(frequencies.share(&chosen), 0.0);
    }

    #[test]
    fn a_short_pattern_is_continued_with_wild_digits() {
        let frequencies = Frequencies::of(b"", iupac::digits(Wildcards::N));
        assert_eq!(frequencies.rarest(&digits("CGT")), Anchor { offset: 0, digits: [1, 2, 3, 4, 4, 4, 4, 4] });
        assert_eq!(frequencies.share(&frequencies.rarest(&digits("CGT"))), 0.0);
    }

    #[test]
    fn lists_hold_exactly_the_agreeing_anchors() {
        let anchors = ["ACGTACGT", "NNNNNNNN", "ANNNNNNT", "TTTTTTTT", "ACGTACGN"].map(anchor);
        let table = Table::new(&anchors);
        for code in 0..CODES {
            let want = (0..5).filter(|&k| agree(&anchors[k as usize], &window(code))).collect::<Vec<u32>>();
            assert_eq!(table.list(code as u32), want);
            assert_eq!(table.occupied[code / 32] >> (code % 32) & 1 == 1, !want.is_empty());
        }
        assert_eq!(table.list.len() as u64, anchors.iter().map(Anchor::entries).sum::<u64>());
        assert!(Table::new(&[]).list(ALL_WILD).is_empty());
    }
}
