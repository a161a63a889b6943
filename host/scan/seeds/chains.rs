//! Patterns that follow one another along a reference, as all windows of one length do: where one of them matches, how many of the
//! next ones do is a comparison of the sequence with the reference.
//!
//! ```text
//! patterns   ACGTA          text    A C G T A C C
//!             CGTAC         place   0 1 2
//!              GTACC        number  k k+1 k+2
//! ```
//!
//! For patterns of one length, at most 64, without wild symbols, of which all matches may have as many mismatches. A pattern that is there
//! twice is in no chain. So where a pattern of a chain matches digits none of which is wild, without a mismatch, no other pattern does.
//! Patterns are numbered in the order of the text: where two of one chain match along the sequence as they do along the reference, their
//! numbers differ by as much as their places.
//!
//! Tiles of references are listed that many patterns have; so where no mismatches are allowed, there are two bits of one word for each of many
//! hashes of a whole pattern, too.

use super::maybe_twice;
use super::plan::Query;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use warpseq_simd::InstructionSet;

/// No pattern, and no place.
const NONE: u32 = u32::MAX;
/// How far from a pattern the next of its chain may be: its reverse complement is between them, or not.
const NEXT: [isize; 4] = [2, -2, 1, -1];

/// The bit of a symbol of the text at which a pattern begins.
const BEGINS: u8 = 1 << 2;
/// Bits of hashes for each pattern, of which it sets two: one of fifty places where none begins is taken for one where one may.
const BITS_PER_PATTERN: usize = 16;

/// The chains of some patterns, as one text.
pub struct Chains {
    /// Symbols of each pattern.
    pub length: usize,
    /// The digits of the text in planes, 64 a word; one word more than they need.
    low: Vec<u64>,
    high: Vec<u64>,
    /// The pattern that begins at each place of the text; [`NONE`] at the last symbols of a chain.
    patterns: Vec<u32>,
    /// Bit p % 64 of word p / 64: a pattern begins at place p.
    begins: Vec<u64>,
    /// Where each pattern begins, by its number, or [`NONE`].
    places: Vec<u32>,
    /// Bits h % 64 of word h / 64 are set for both hashes h of each pattern, which are in one word. None where mismatches are allowed.
    hashes: Vec<u64>,
}

impl Chains {
    /// Of these patterns, if most of them are in chains, or if the tables of their tiles are `full` and a hash tells more. They have the
    /// numbers of the order that is returned with them.
    pub fn new(queries: &[Query], members: &[u32], full: bool) -> Option<(Self, Vec<u32>)> {
        let query = |number: usize| &queries[members[number] as usize];
        let (length, mismatches) = (query(0).length(), query(0).limits.mismatches);
        let is_plain = |query: &Query| query.length() == length && query.limits.mismatches == mismatches;
        let planes_of = |number: usize| Some(query(number)).filter(|query| is_plain(query))?.planes();
        let followed = |number: &usize| follower(&planes_of, length, members.len(), *number).is_some();
        let are_chained = 2 * (0..members.len()).into_par_iter().filter(followed).count() > members.len();
        if !are_chained && !full {
            return None;
        }
        let numbers = || (0..members.len()).into_par_iter();
        if numbers().any(|number| planes_of(number).is_none()) {
            return None;
        }
        let planes: Vec<[u64; 2]> = numbers().map(|number| planes_of(number).unwrap_or_default()).collect();
        let next = if are_chained { next(&planes, length) } else { vec![NONE; members.len()] };
        let patterns: Vec<u32> = numbers().map(|number| query(number).pattern).collect();
        let (mut chains, order) = Self::of(&patterns, &planes, &next, length);
        if mismatches == 0 {
            chains.add_hashes(&planes);
        }
        Some((chains, order.into_par_iter().map(|number| members[number as usize]).collect()))
    }

    /// The chains in a row, and behind them the patterns that are in none.
    fn of(patterns: &[u32], planes: &[[u64; 2]], next: &[u32], length: usize) -> (Self, Vec<u32>) {
        let mut has_one_before = vec![false; patterns.len()];
        next.iter().filter(|&&next| next != NONE).for_each(|&next| has_one_before[next as usize] = true);
        let [low, high, begins, hashes] = Default::default();
        let mut chains = Self { length, low, high, patterns: Vec::new(), begins, places: Vec::new(), hashes };
        let (mut order, mut text) = (Vec::with_capacity(patterns.len()), Vec::new());
        chains.places.reserve(patterns.len());
        if next.iter().any(|&next| next != NONE) {
            let symbols = patterns.len() + patterns.len() / 2;
            chains.patterns.reserve(symbols);
            text.reserve(symbols);
        }
        for first in (0..patterns.len()).filter(|&first| next[first] != NONE && !has_one_before[first]) {
            let following = |&number: &u32| Some(next[number as usize]).filter(|&next| next != NONE);
            let chain = order.len();
            order.extend(std::iter::successors(Some(first as u32), following));
            chains.add(patterns, planes, &order[chain..], &mut text);
        }
        let mut is_chained = vec![false; patterns.len()];
        order.iter().for_each(|&number| is_chained[number as usize] = true);
        order.extend((0..patterns.len() as u32).filter(|&number| !is_chained[number as usize]));
        chains.places.resize(patterns.len(), NONE);
        for [low, high, begins] in text.chunks(64).map(super::planes) {
            chains.low.push(low);
            chains.high.push(high);
            chains.begins.push(begins);
        }
        let words = chains.patterns.len() / 64 + 2;
        for plane in [&mut chains.low, &mut chains.high, &mut chains.begins] {
            plane.resize(words, 0);
        }
        (chains, order)
    }

    /// Adds a chain of these patterns, and its symbols to the text: bits 0 and 1 of each are its digit, and bit 2 says that a pattern begins there.
    fn add(&mut self, patterns: &[u32], planes: &[[u64; 2]], chain: &[u32], text: &mut Vec<u8>) {
        let digit = |[low, high]: [u64; 2]| (low & 1 | (high & 1) << 1) as u8;
        let mut last = [0; 2];
        for &number in chain {
            last = planes[number as usize];
            self.places.push(self.patterns.len() as u32);
            self.patterns.push(patterns[number as usize]);
            text.push(digit(last) | BEGINS);
        }
        for behind in 1..self.length {
            self.patterns.push(NONE);
            text.push(digit(last.map(|plane| plane >> behind)));
        }
    }

    /// Adds the hashes of each pattern.
    fn add_hashes(&mut self, planes: &[[u64; 2]]) {
        self.hashes = vec![0; words_of_hashes(planes.len())];
        let hashes: Vec<AtomicU64> = self.hashes.iter().map(|_| AtomicU64::new(0)).collect();
        planes.par_iter().for_each(|&planes| {
            let both = self.hash(planes);
            let bits = both.map(|hash| 1 << (hash % 64));
            hashes[both[0] as usize / 64].fetch_or(bits[0] | bits[1], Ordering::Relaxed);
        });
        self.hashes = hashes.into_iter().map(AtomicU64::into_inner).collect();
    }

    /// Two hashes of the first digits of `planes`, as many as a pattern has. Multiplications of 32 bits, as vectors have these.
    #[inline(always)]
    fn hash(&self, planes: [u64; 2]) -> [u32; 2] {
        const HALF: u64 = u32::MAX as u64;
        let [low, high] = planes.map(|plane| plane & u64::MAX >> (64 - self.length));
        let both = low ^ high.rotate_left(32);
        let sum = ((both & HALF) * 0x9e37_79b1).wrapping_add((both >> 32) * 0xc2b2_ae3d);
        let folded = (sum ^ sum >> 32) as u32;
        // As many bits as say which of those of all words, and which of the same 32.
        let one = folded.wrapping_mul(0x85eb_ca77) >> (26 - self.hashes.len().trailing_zeros());
        [one, one & !31 | folded.wrapping_mul(0x27d4_eb2f) >> 27]
    }

    /// Bit 0: whether a pattern may be the first of these digits, none of which is wild.
    #[inline(always)]
    pub fn may_begin(&self, planes: [u64; 2]) -> u64 {
        let [one, other] = self.hash(planes);
        let word = self.hashes[one as usize / 64];
        word >> (one % 64) & word >> (other % 64)
    }

    /// Bit k: whether a pattern may be the first of the digits that `planes` tells of k.
    #[inline(always)]
    pub fn may_begin_at(&self, set: InstructionSet, planes: impl Fn(u32) -> [u64; 2]) -> u64 {
        let (mut ones, mut others) = ([0; 64], [0; 64]);
        for (k, (one, other)) in ones.iter_mut().zip(&mut others).enumerate() {
            [*one, *other] = self.hash(planes(k as u32));
        }
        set.both_bits_at(&self.hashes, &ones, &others)
    }

    /// Where in the text the pattern of a number begins, if it is in a chain.
    #[inline(always)]
    pub fn place(&self, number: u32) -> Option<usize> {
        Some(self.places[number as usize]).filter(|&place| place != NONE).map(|place| place as usize)
    }

    /// The pattern that begins at a place.
    #[inline(always)]
    pub fn pattern(&self, place: usize) -> u32 {
        self.patterns[place]
    }

    /// The patterns of the chain from a place on: the one there, and so many of the next at most.
    #[inline(always)]
    pub fn patterns(&self, place: usize, next: usize) -> impl Iterator<Item = u32> {
        let end = self.patterns.len().min(place + 1 + next);
        self.patterns[place..end].iter().copied().take_while(|&pattern| pattern != NONE)
    }

    /// Bits 0 and bits 1 of the 64 digits at a place of the text, or of as many as there are.
    #[inline(always)]
    pub fn digits(&self, place: usize) -> [u64; 2] {
        [&self.low, &self.high].map(|plane| bits(plane, place))
    }

    /// Bit k: a pattern begins k digits behind a place of the text.
    #[inline(always)]
    pub fn begins(&self, place: usize) -> u64 {
        bits(&self.begins, place)
    }
}

/// The 64 bits from bit `at` on, or as many as there are.
#[inline(always)]
fn bits(plane: &[u64], at: usize) -> u64 {
    let word = |word: usize| plane.get(word).copied().unwrap_or(0);
    word(at / 64) >> (at % 64) | word(at / 64 + 1) << 1 << (63 - at % 64)
}

fn words_of_hashes(patterns: usize) -> usize {
    (patterns * BITS_PER_PATTERN / 64).next_power_of_two()
}

/// A pattern near number `number` of so many that is the same but for its own first symbol and the other's last.
fn follower(
    planes: &impl Fn(usize) -> Option<[u64; 2]>,
    length: usize,
    patterns: usize,
    number: usize,
) -> Option<usize> {
    let behind = planes(number)?.map(|plane| plane >> 1);
    let all_but_last = u64::MAX.checked_shr(65 - length as u32)?;
    let follows = |&other: &usize| planes(other).map(|planes| planes.map(|plane| plane & all_but_last)) == Some(behind);
    let mut near = NEXT.iter().filter_map(|&step| number.checked_add_signed(step)).filter(|&other| other < patterns);
    near.find(follows)
}

/// The next of each pattern's chain, or [`NONE`]. No pattern is the next of two, and none that is there twice is in a chain.
fn next(planes: &[[u64; 2]], length: usize) -> Vec<u32> {
    let (is_twin, mut is_next) = (twins(planes), vec![false; planes.len()]);
    let next_of = |number: usize| {
        let other = follower(&|number| Some(planes[number]), length, planes.len(), number);
        let may_be = |&other: &usize| !is_twin[number] && !is_twin[other];
        other.filter(may_be).map_or(NONE, |other| other as u32)
    };
    let mut next: Vec<u32> = (0..planes.len()).into_par_iter().map(next_of).collect();
    for next in next.iter_mut().filter(|next| **next != NONE) {
        if std::mem::replace(&mut is_next[*next as usize], true) {
            *next = NONE;
        }
    }
    next
}

/// Which patterns are there more than once.
fn twins(planes: &[[u64; 2]]) -> Vec<bool> {
    let mixed =
        |[low, high]: [u64; 2]| low.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ high.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    let hash = |number: usize| mixed(planes[number]) ^ mixed(planes[number]) >> 32;
    let mut sorted: Vec<([u64; 2], u32)> =
        maybe_twice(planes.len(), hash).into_par_iter().map(|number| (planes[number as usize], number)).collect();
    sorted.par_sort_unstable();
    let mut is_twin = vec![false; planes.len()];
    for same in sorted.chunk_by(|one, other| one.0 == other.0).filter(|same| same.len() > 1) {
        same.iter().for_each(|&(_, number)| is_twin[number as usize] = true);
    }
    is_twin
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::patterns;
    use crate::seeds::plan::{Encoding, Queries};
    use crate::{Options, Signature, Strands, Wildcards};
    use warpseq_seq::iupac;

    struct Digits;

    impl Encoding for Digits {
        const DIGITS: &'static [u8; 256] = iupac::digits(Wildcards::Iupac);
        const TELLING: bool = true;

        fn pattern_symbol(base: u8) -> u8 {
            base
        }
    }

    /// The patterns of each chain, by their numbers.
    fn chains(bases: &[&str], strands: Strands) -> Option<Vec<Vec<u32>>> {
        let signatures: Vec<_> = bases.iter().map(|bases| Signature::new("", bases.as_bytes().to_vec())).collect();
        let queries = Queries::of::<Digits>(&patterns(&signatures, &Options { strands, ..Options::default() }));
        let all: Vec<u32> = (0..queries.all.len() as u32).collect();
        let (chains, mut order) = Chains::new(&queries.all, &all, false)?;
        let (mut found, mut place, mut number) = (Vec::new(), 0, 0);
        while place < chains.patterns.len() {
            let chain: Vec<u32> = chains.patterns(place, usize::MAX / 2).collect();
            for (&pattern, at) in chain.iter().zip(place..) {
                let digits = chains.digits(at).map(|plane| plane & (u64::MAX >> (64 - chains.length)));
                assert_eq!((order[number as usize], Some(digits)), (pattern, queries.all[pattern as usize].planes()));
                assert_eq!((chains.place(number), chains.begins(at) & 1), (Some(at), 1));
                number += 1;
            }
            place += chain.len() + chains.length - 1;
            assert_eq!(chains.begins(place - 1) & 1, 0);
            found.push(chain);
        }
        assert!((number..all.len() as u32).all(|number| chains.place(number).is_none()));
        order.sort_unstable();
        assert_eq!(order, all);
        Some(found)
    }

    fn forward(bases: &[&str]) -> Option<Vec<Vec<u32>>> {
        chains(bases, Strands::Forward)
    }

    #[test]
    fn windows_of_a_text_are_a_chain_of_each_strand() {
        let text = "ACGGTCATTGACCAGTTTCAGGCATCCGAAGCTACGTGATCCCTTAGAGGATACTGCGCAATGTTAACGCCTATTCGGAGT";
        for length in [15, 31, 63, 64] {
            let windows: Vec<&str> = (0..=text.len() - length).map(|k| &text[k..k + length]).collect();
            let last = windows.len() as u32 - 1;
            assert_eq!(forward(&windows), Some(vec![(0..=last).collect()]));
            let backwards: Vec<&str> = windows.iter().rev().copied().collect();
            assert_eq!(forward(&backwards), Some(vec![(0..=last).rev().collect()]));
            let strands = vec![(0..=last).map(|k| 2 * k).collect(), (0..=last).rev().map(|k| 2 * k + 1).collect()];
            assert_eq!(chains(&windows, Strands::Both), Some(strands));
        }
    }

    #[test]
    fn what_is_there_twice_is_in_no_chain() {
        let patterns = ["ACGTA", "CGTAC", "GTACC", "TACCA", "ACCAG", "CCAGA", "CAGAT", "AGATT", "GTACC"];
        assert_eq!(forward(&patterns), Some(vec![vec![0, 1], vec![3, 4, 5, 6, 7]]));
    }

    #[test]
    fn a_pattern_is_the_next_of_one_alone_and_a_circle_has_no_first() {
        assert_eq!(forward(&["ACG", "CGT", "CCG", "GTA", "TAG"]), Some(vec![vec![0, 1, 3, 4]]));
        assert_eq!(forward(&["ACA", "CAC"]), Some(vec![]));
    }

    #[test]
    fn few_places_without_a_pattern_are_taken_for_one() {
        use rand::{RngExt, SeedableRng};
        let mut dice = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        for length in [12, 20, 25, 32, 33, 64] {
            let planes: Vec<[u64; 2]> = (0..20_000).map(|_| [dice.random(), dice.random()]).collect();
            let (patterns, others) = planes.split_at(10_000);
            let (mut chains, _) = Chains::of(&[0; 10_000], patterns, &[NONE; 10_000], length);
            chains.add_hashes(patterns);
            let told = |planes: &[[u64; 2]]| planes.iter().filter(|&&planes| chains.may_begin(planes) & 1 == 1).count();
            assert_eq!(told(patterns), 10_000);
            let wrong = told(others);
            assert!(wrong < 10_000 / 25, "{wrong} of symbols {length}");
        }
    }

    #[test]
    fn patterns_of_other_kinds_make_no_chains() {
        assert_eq!(forward(&["ACGT", "TTTT", "CCCC"]), None);
        assert_eq!(forward(&["ACGT", "CGTA", "GTACC"]), None);
        assert_eq!(forward(&["ACGT", "CGTN", "GTNC"]), None);
        assert_eq!(forward(&["A"]), None);
    }
}
