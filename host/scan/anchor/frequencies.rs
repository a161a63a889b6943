//! How often windows occur, and where to anchor a pattern.

use super::{Anchor, CODES, FOLLOWING, WINDOW, number};
use rayon::prelude::*;

/// Slices of the sequences that a histogram counts, and symbols in each: half a million windows.
const SLICES: usize = 64;
const SLICE: usize = 1 << 13;
/// List entries that may be built to avoid one candidate in the histogram's slices: about equal in time for 300 M symbols.
const ENTRIES_PER_CANDIDATE: u64 = 4096;
/// Places of a pattern that are looked at, evenly spread: among so many, there is one about as rare as the rarest.
const PLACES: usize = 256;

/// For each code, how many of `codes` agree with it.
pub fn agreeing(codes: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut counts = vec![0; CODES];
    codes.for_each(|code| counts[code as usize] += 1);
    fold(&mut counts);
    counts
}

/// Six digits in parts on all threads, each of which fits the first cache, then two in all.
fn fold(counts: &mut [u32]) {
    const INNER: u32 = 6;
    counts
        .par_chunks_exact_mut(5usize.pow(INNER))
        .for_each(|part| (0..INNER).for_each(|digit| fold_digit(part, digit)));
    (INNER..WINDOW as u32).for_each(|digit| fold_digit(counts, digit));
}

fn fold_digit(counts: &mut [u32], digit: u32) {
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

/// The code that follows `code` when the window moves on by one symbol, `old` leaving it on the left.
fn next_code(code: u32, old: u8, new: u8) -> u32 {
    (code - u32::from(old) * (CODES / 5) as u32) * 5 + u32::from(new)
}

/// The codes of all windows of `bases`.
fn codes<'a>(bases: &'a [u8], digits: &'a [u8; 256]) -> impl Iterator<Item = u32> + 'a {
    let digit = |base: &u8| digits[*base as usize];
    let first: Vec<u8> = bases.iter().take(WINDOW).map(digit).collect();
    let first = (first.len() == WINDOW).then(|| number(&first));
    let moves = bases.iter().zip(bases.iter().skip(WINDOW));
    let others = moves.scan(first.unwrap_or(0), move |code, (old, new)| {
        *code = next_code(*code, digit(old), digit(new));
        Some(*code)
    });
    first.into_iter().chain(others)
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
        let whole = bases.len() <= 2 * SLICES * SLICE;
        let (slices, length) = if whole { (1, bases.len()) } else { (SLICES, SLICE) };
        let slice = |k| &bases[bases.len() / slices * k..][..length];
        let agreeing = agreeing((0..slices).flat_map(|k| codes(slice(k), digits)));
        let windows = slices * (length + 1).saturating_sub(WINDOW);
        Self { agreeing, windows: windows as u32 }
    }

    /// How many windows agree with this one.
    fn count(&self, window: &Anchor) -> u64 {
        u64::from(self.agreeing[window.code() as usize])
    }

    /// The share of sequence positions at which this anchor would make a candidate, 0 to 1.
    pub fn share(&self, anchor: &Anchor) -> f64 {
        self.count(anchor) as f64 / f64::from(self.windows.max(1))
    }

    /// The best place to anchor a pattern of these digits, of which there is at least one.
    pub fn rarest(&self, digits: &[u8]) -> Anchor {
        let places = (digits.len() + 1).saturating_sub(WINDOW).max(1);
        let anchors = (0..places).step_by(places.div_ceil(PLACES)).map(|offset| Anchor::at(digits, offset));
        let cost = |anchor: &Anchor| {
            let behind = |windows| self.count(&Anchor::at(digits, anchor.offset + windows * WINDOW));
            // The anchor counts twice: where it is a candidate, the windows behind it are looked up.
            let passed = self.count(anchor) + (0..=FOLLOWING).map(behind).sum::<u64>();
            passed * ENTRIES_PER_CANDIDATE + anchor.entries()
        };
        anchors.min_by_key(cost).expect("there is at least one place")
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{agree, anchor, digits, window};
    use super::*;
    use crate::Wildcards;
    use warpseq_seq::iupac;

    #[test]
    fn the_next_code_is_that_of_the_window_one_further() {
        assert_eq!(next_code(anchor("NACGTACG").code(), iupac::WILD, 3), anchor("ACGTACGT").code());
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
    fn fewer_bases_than_a_window_have_none() {
        let bases = b"ACGTACG";
        assert_eq!(
            (Frequencies::of(bases, iupac::digits(Wildcards::N)).windows, codes(bases, &[0; 256]).count()),
            (0, 0)
        );
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
    fn of_rare_windows_one_is_chosen_that_a_rare_one_follows() {
        let frequencies = Frequencies::of(&b"A".repeat(500), iupac::digits(Wildcards::N));
        let pattern = ["A".repeat(20), "C".into(), "A".repeat(40), "C".repeat(24), "A".repeat(20)].concat();
        assert_eq!(frequencies.rarest(&digits(&pattern)).offset, 54);
    }

    #[test]
    fn places_all_over_a_long_pattern_are_looked_at() {
        let frequencies = Frequencies::of(&b"A".repeat(500), iupac::digits(Wildcards::N));
        let pattern = ["A".repeat(50 * PLACES), "C".repeat(500), "A".repeat(50 * PLACES)].concat();
        assert_eq!(frequencies.share(&frequencies.rarest(&digits(&pattern))), 0.0);
    }

    #[test]
    fn a_short_pattern_is_continued_with_wild_digits() {
        let frequencies = Frequencies::of(b"", iupac::digits(Wildcards::N));
        assert_eq!(frequencies.rarest(&digits("CGT")), Anchor { offset: 0, digits: [1, 2, 3, 4, 4, 4, 4, 4] });
        assert_eq!(frequencies.share(&frequencies.rarest(&digits("CGT"))), 0.0);
    }
}
