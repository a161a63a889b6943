//! How often windows of 8 digits occur in the sequences, by which patterns choose where to be looked up. Only speed depends on it.
//!
//! The code of a window of digits d0 to d7 is the base-5 number d0 d1 ... d7, below 5^8 = 390,625. Two digits agree when they are
//! equal or one is [`WILD`].
//!
//! 1. *Histogram*: h\[c\] = windows of the sequences with code c; 64 slices of a large batch are enough.
//! 2. *Folding*: F\[c\] = sum of h\[e\] over all codes e that agree with c in every digit. One pass per digit, in place: the sums of
//!    digit k make rows (x0, x1, x2, x3, x4) into (x0 + x4, x1 + x4, x2 + x4, x3 + x4, x0 + ... + x4).

use rayon::prelude::*;
use warpseq_seq::iupac::WILD;

/// Symbols of a window.
const WINDOW: usize = 8;
/// Codes of a window: 5^8.
const CODES: usize = 390_625;
/// The code of eight wild digits.
const ALL_WILD: u32 = CODES as u32 - 1;
/// Slices of the sequences that a histogram counts, and symbols in each: 131,072 windows.
const SLICES: usize = 64;
const SLICE: usize = 1 << 11;

/// The base-5 number of the digits of a window: of pairs of digits, of pairs of these, of the two halves.
fn number(digits: [u8; WINDOW]) -> u32 {
    const ONES: u64 = 0x00ff_00ff_00ff_00ff;
    const PAIRS: u64 = 0x0000_ffff_0000_ffff;
    let digits = u64::from_le_bytes(digits);
    let pairs = (digits & ONES) * 5 + (digits >> 8 & ONES);
    let fours = (pairs & PAIRS) * 25 + (pairs >> 16 & PAIRS);
    fours as u32 * 625 + (fours >> 32) as u32
}

/// For each code, how many of those of `slices` agree with it. Windows in runs of wild digits, which are not looked up, do not count.
fn agreeing<'a>(slices: impl Iterator<Item = &'a [u8]>, digits: &[u8; 256]) -> Vec<u32> {
    let mut counts = vec![0; CODES];
    for slice in slices {
        codes(slice, digits).filter(|&code| code != ALL_WILD).for_each(|code| counts[code as usize] += 1);
    }
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
    let first = bases.first_chunk::<WINDOW>().map(|bases| number(bases.each_ref().map(digit)));
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
        let agreeing = agreeing((0..slices).map(slice), digits);
        let windows = slices * (length + 1).saturating_sub(WINDOW);
        Self { agreeing, windows: windows as u32 }
    }

    /// How many windows agree with the first 8 of `digits`; what is missing is wild.
    pub fn count(&self, digits: &[u8]) -> u64 {
        let window = digits.first_chunk().copied().unwrap_or_else(|| {
            let mut window = [WILD; WINDOW];
            window[..digits.len()].copy_from_slice(digits);
            window
        });
        u64::from(self.agreeing[number(window) as usize])
    }

    /// The share of symbols that are wild, 0 to 1, leaving out windows in which all are.
    pub fn wild_share(&self) -> f64 {
        let windows = self.count(&[]);
        // Those with a wild first symbol agree with each of four.
        let agreeing: u64 = (0..WILD).map(|digit| self.count(&[digit])).sum();
        (agreeing - windows) as f64 / (3 * windows.max(1)) as f64
    }

    /// The share of windows in which all symbols are wild, 0 to 1.
    pub fn share_in_runs(&self) -> f64 {
        if self.windows == 0 { 0.0 } else { 1.0 - self.share(self.count(&[])) }
    }

    /// So many windows as a share of all, 0 to 1 for those that agree with one.
    pub fn share(&self, windows: u64) -> f64 {
        windows as f64 / f64::from(self.windows.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wildcards;
    use warpseq_seq::iupac;

    fn digits(bases: &str) -> Vec<u8> {
        bases.bytes().map(|base| iupac::digits(Wildcards::N)[base as usize]).collect()
    }

    fn agree(a: &[u8], b: &[u8]) -> bool {
        a.iter().zip(b).all(|(&x, &y)| x == y || x == WILD || y == WILD)
    }

    fn code(bases: &str) -> u32 {
        number(digits(bases).try_into().unwrap())
    }

    /// The window of a code.
    fn window(code: usize) -> Vec<u8> {
        (0..WINDOW).rev().map(|k| (code / 5usize.pow(k as u32) % 5) as u8).collect()
    }

    #[test]
    fn codes_are_base_5_numbers() {
        assert_eq!(["AAAAAAAA", "AAAAAACG", "CAAAAAAA"].map(code), [0, 7, 78_125]);
        assert_eq!(code("NNNNNNNN"), CODES as u32 - 1);
    }

    #[test]
    fn the_next_code_is_that_of_the_window_one_further() {
        assert_eq!(next_code(code("NACGTACG"), WILD, 3), code("ACGTACGT"));
    }

    #[test]
    fn folded_counts_are_the_agreeing_windows() {
        let bases = b"ACGTNACGGTTANNNNNNNNNACGATCGATTTTTTTTTNACGTTACGAC";
        let frequencies = Frequencies::of(bases, iupac::digits(Wildcards::N));
        let text = std::str::from_utf8(bases).unwrap();
        let windows: Vec<_> = (0..=bases.len() - WINDOW).map(|k| digits(&text[k..k + WINDOW])).collect();
        assert_eq!(frequencies.windows as usize, windows.len());
        for code in (0..CODES).step_by(7).chain(windows.iter().map(|w| number(w[..].try_into().unwrap()) as usize)) {
            let counted = |w: &&Vec<u8>| agree(w, &window(code)) && w.iter().any(|&digit| digit != WILD);
            let want = windows.iter().filter(counted).count();
            assert_eq!(frequencies.count(&window(code)) as usize, want, "{:?}", window(code));
        }
        let counted = (bases.len() - WINDOW + 1 - 2) as f64 / (bases.len() - WINDOW + 1) as f64;
        assert_eq!(frequencies.share(frequencies.count(&digits("N"))), counted);
    }

    #[test]
    fn wild_symbols_outside_of_runs_are_counted() {
        let share = |bases: &[u8]| Frequencies::of(bases, iupac::digits(Wildcards::Iupac)).wild_share();
        assert_eq!(share(&b"ACGTN".repeat(100)), 98.0 / 493.0);
        assert_eq!((share(&b"ACGGT".repeat(100)), share(&b"N".repeat(100)), share(b"ACG")), (0.0, 0.0, 0.0));
        assert!(share(&[b"ACGGT".repeat(100), b"N".repeat(10_000)].concat()) < 0.02);
        let in_runs = |bases: &[u8]| Frequencies::of(bases, iupac::digits(Wildcards::Iupac)).share_in_runs();
        assert_eq!([&b"ACGTN".repeat(100)[..], b"NNNNNNNN", b"NNNNNNN"].map(in_runs), [0.0, 1.0, 0.0]);
        assert_eq!(in_runs(&[b"ACGGT".repeat(100), b"N".repeat(507)].concat()), 0.5);
    }

    #[test]
    fn fewer_bases_than_a_window_have_none() {
        let bases = b"ACGTACG";
        let frequencies = Frequencies::of(bases, iupac::digits(Wildcards::N));
        assert_eq!((frequencies.windows, codes(bases, &[0; 256]).count()), (0, 0));
        assert_eq!(frequencies.share(frequencies.count(&digits("ACG"))), 0.0);
    }

    #[test]
    fn long_sequences_are_counted_in_slices() {
        let bases = b"ACGGT".repeat(SLICES * SLICE);
        let frequencies = Frequencies::of(&bases, iupac::digits(Wildcards::N));
        assert_eq!(frequencies.windows as usize, SLICES * (SLICE - 7));
        assert!((frequencies.share(frequencies.count(&digits("ACGGTACG"))) - 0.2).abs() < 0.001);
    }
}
