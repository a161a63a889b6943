//! Fragments that repeat another one of their sample: PCR duplicates, most of them.
//!
//! A fragment repeats an earlier one when their mates begin with the same 32 bases, mate 1 with mate 1 and mate 2 with mate 2, and
//! a sequence without a mate when its first 32 bases are those of another one. Case is nothing, and U is T. A sequence that is
//! shorter counts as a whole.
//!
//! 32 bases of A, C, G and T are 64 bits, and nearly all mates begin with such. Others are kept as they are. So nothing is
//! mistaken for a repeat. The reader asks, in the order of the sequences, so the first of several fragments is always the one that
//! counts.

use std::collections::HashSet;
use std::hash::Hash;

/// Bases of a mate that are compared.
const BASES: usize = 32;

/// The starts of the fragments of a sample.
#[derive(Default)]
pub struct Repeats {
    sample: usize,
    singles: HashSet<u64>,
    pairs: HashSet<[u64; 2]>,
    /// Those with other symbols, or too short.
    others: HashSet<Vec<Vec<u8>>>,
}

impl Repeats {
    /// Goes on with a sample; of another one than before, nothing is known.
    pub fn go_on_with(&mut self, sample: usize) {
        if self.sample != sample {
            *self = Self { sample, ..Self::default() };
        }
    }

    /// Whether a sequence without a mate repeats another.
    pub fn single(&mut self, bases: &[u8]) -> bool {
        match packed(bases) {
            Some(start) => is_there(&mut self.singles, start),
            None => is_there(&mut self.others, vec![start(bases)]),
        }
    }

    /// Whether a pair repeats another.
    pub fn pair(&mut self, mates: [&[u8]; 2]) -> bool {
        match mates.map(packed) {
            [Some(first), Some(second)] => is_there(&mut self.pairs, [first, second]),
            _ => is_there(&mut self.others, mates.map(start).into()),
        }
    }
}

fn is_there<T: Hash + Eq>(all: &mut HashSet<T>, start: T) -> bool {
    !all.insert(start)
}

/// The first bases, two bits each, if they are all there and single bases.
fn packed(bases: &[u8]) -> Option<u64> {
    let code = |base: u8| match base.to_ascii_uppercase() {
        b'A' => Some(0),
        b'C' => Some(1),
        b'G' => Some(2),
        b'T' | b'U' => Some(3),
        _ => None,
    };
    bases.get(..BASES)?.iter().try_fold(0, |all, &base| Some(all << 2 | code(base)?))
}

/// The first bases, in one case, with T for U.
fn start(bases: &[u8]) -> Vec<u8> {
    let mut start = bases[..bases.len().min(BASES)].to_ascii_uppercase();
    start.iter_mut().filter(|base| **base == b'U').for_each(|base| *base = b'T');
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_compared_and_nothing_else() {
        let (a, c) = ("ACGT".repeat(8), "CCGT".repeat(8));
        let n = a.replacen('T', "N", 1);
        let behind = format!("{}TTTT", a.to_lowercase().replace('t', "u"));
        let mut repeats = Repeats::default();
        let mut single = |bases: &str| repeats.single(bases.as_bytes());
        assert_eq!([&a, &behind, &c, &n, &n, &a].map(|bases| single(bases)), [false, true, false, false, true, true]);
        assert_eq!([&a[..31], &a[..31], &a[..30], ""].map(single), [false, true, false, false]);
        let mut pair = |first: &str, second: &str| repeats.pair([first.as_bytes(), second.as_bytes()]);
        assert!(!pair(&a, &c) && pair(&behind, &c) && !pair(&c, &a) && !pair(&n, &a) && pair(&n, &behind));
        assert!(!pair("A", "CC") && !pair("AC", "C") && pair("a", "cc"));
        repeats.go_on_with(0);
        assert!(repeats.single(a.as_bytes()));
        repeats.go_on_with(1);
        assert!(!repeats.single(a.as_bytes()));
    }
}
