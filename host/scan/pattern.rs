//! Signatures, and the patterns that are searched for them: one per strand.
//!
//! Order: signatures as given, for each the forward bases, then the reverse complement. A signature that equals its reverse
//! complement lies on both strands of one place and is reported once, as `+`: it has one pattern, the forward one, even when
//! only the reverse strand is searched. Equal means equal base sets, so `AU` and `acgT` count; under `--wildcards n`, equal
//! bytes.

use super::{Limits, Options, Strands, Wildcards};
use bytes::Bytes;
use rayon::iter::Either;
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;
use warpseq_seq::iupac::{WILD, base_set, digits, same};
use warpseq_seq::strand::{complement, reverse_complement};
use warpseq_seq::{Records, Sequences};

/// Signatures, and patterns, whose bases lie together. Threads that ask for memory wait for one another, and did so for half of the time that
/// 16 of them took to make the patterns of 1000 signatures of 6500 bases, while each had memory of its own.
const TOGETHER: usize = 32;

/// What is searched for: a name and at least one base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    name: Bytes,
    bases: Bytes,
}

impl Signature {
    /// A signature of these bases, which the options' alphabet has.
    ///
    /// # Panics
    /// When there are no bases.
    pub fn new(name: impl Into<Vec<u8>>, bases: Vec<u8>) -> Self {
        assert!(!bases.is_empty(), "a signature has at least one base");
        Self { name: name.into().into(), bases: bases.into() }
    }

    /// Those of all records, in their order.
    ///
    /// # Panics
    /// When one has no bases.
    pub fn of(records: &Records) -> impl IndexedParallelIterator<Item = Self> {
        let (name, bases) = (together(records.names()), together(records.sequences()));
        (0..records.len()).into_par_iter().map(move |k| {
            let (name, bases) = (name(k), bases(k));
            assert!(!bases.is_empty(), "a signature has at least one base");
            Self { name, bases }
        })
    }

    /// The first word of the header line.
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// The bases as read.
    pub fn bases(&self) -> &[u8] {
        &self.bases
    }

    /// The name and the bases.
    pub(crate) fn into_parts(self) -> (Bytes, Bytes) {
        (self.name, self.bases)
    }
}

/// A copy of each sequence, [`TOGETHER`] in one piece of memory.
fn together(sequences: &Sequences) -> impl Fn(usize) -> Bytes + Sync + Send {
    let starts = sequences.starts();
    let copy = |group: usize| {
        let [start, end] = [group, group + 1].map(|k| starts[(k * TOGETHER).min(sequences.len())] as usize);
        Bytes::copy_from_slice(&sequences.residues()[start..end])
    };
    let copies: Vec<Bytes> = (0..sequences.len().div_ceil(TOGETHER)).into_par_iter().map(copy).collect();
    move |k| {
        let [first, start, end] = [k / TOGETHER * TOGETHER, k, k + 1].map(|k| starts[k] as usize);
        copies[k / TOGETHER].slice(start - first..end - first)
    }
}

/// A signature's bases as searched in one direction. All patterns of a run: for each signature in input order, forward
/// (if searched), then reverse complement (if searched). A signature equal to its reverse complement has one pattern,
/// forward, whichever strands are searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    signature: u32,
    reverse: bool,
    bases: Bytes,
    limits: Limits,
}

impl Pattern {
    /// A pattern of signature number `signature`.
    ///
    /// # Panics
    /// When there are no bases.
    pub fn new(signature: u32, reverse: bool, bases: Vec<u8>, limits: Limits) -> Self {
        assert!(!bases.is_empty(), "a pattern has at least one base");
        Self { signature, reverse, bases: bases.into(), limits }
    }

    /// Index of the signature.
    pub fn signature(&self) -> u32 {
        self.signature
    }

    /// Whether the bases are the signature's reverse complement.
    pub fn is_reverse(&self) -> bool {
        self.reverse
    }

    /// Its number where patterns are made a group at a time.
    fn number(&self) -> u32 {
        2 * self.signature + u32::from(self.reverse)
    }

    /// The bases to match, left to right along the sequence.
    pub fn bases(&self) -> &[u8] {
        &self.bases
    }

    /// What a match may have at most.
    pub fn limits(&self) -> Limits {
        self.limits
    }
}

/// The patterns of a run, in the order that [`Pattern`] fixes.
pub fn patterns(signatures: &[Signature], options: &Options) -> Vec<Pattern> {
    made(0..signatures.len(), signatures, options)
}

/// Those of some signatures.
fn made(some: Range<usize>, signatures: &[Signature], options: &Options) -> Vec<Pattern> {
    let directions = |k: usize| directions(&signatures[k], options).map(move |reverse| (k as u32, reverse));
    let all: Vec<(u32, bool)> = some.into_par_iter().flat_map_iter(directions).collect();
    let reversed = |&&(_, reverse): &&(u32, bool)| reverse;
    let opposites = |part: &[(u32, bool)]| {
        let opposite = |&(k, _): &(u32, bool)| reverse_complement(signatures[k as usize].bases(), options.wildcards);
        Bytes::from(part.iter().filter(reversed).map(opposite).collect::<Vec<_>>().concat())
    };
    let opposites: Vec<Bytes> = all.par_chunks(TOGETHER).map(opposites).collect();
    // As many as there will be: each is made where it stays.
    let pattern = |at: usize| {
        let (group, (signature, reverse)) = (at / TOGETHER, all[at]);
        let of = |signature: u32| &signatures[signature as usize].bases;
        let bases = match reverse {
            true => {
                let before = all[group * TOGETHER..at].iter().filter(reversed);
                let start: usize = before.map(|&(k, _)| of(k).len()).sum();
                opposites[group].slice(start..start + of(signature).len())
            }
            false => of(signature).clone(),
        };
        let limits = options.limits(bases.len());
        Pattern { signature, reverse, bases, limits }
    };
    (0..all.len()).into_par_iter().map(pattern).collect()
}

/// See [`Patterns::are_many`].
const MANY: usize = 1 << 18;

/// All patterns of a run, each with a number: in memory together, or made where they are searched for.
#[derive(Clone, Copy, Debug)]
pub enum Patterns<'a> {
    /// All are there. The number of each is its place.
    Made(&'a [Pattern]),
    /// Those of these signatures under these options. Numbers 2 k and 2 k + 1 are of signature k, forward and reverse.
    Of(&'a [Signature], &'a Options),
}

impl<'a> Patterns<'a> {
    /// Index of the signature of pattern `number`.
    pub fn signature(self, number: u32) -> u32 {
        match self {
            Self::Made(patterns) => patterns[number as usize].signature,
            Self::Of(..) => number / 2,
        }
    }

    /// Whether its bases are the signature's reverse complement.
    pub fn is_reverse(self, number: u32) -> bool {
        match self {
            Self::Made(patterns) => patterns[number as usize].reverse,
            Self::Of(..) => number % 2 == 1,
        }
    }

    /// How many bases it has.
    pub fn length(self, number: u32) -> usize {
        match self {
            Self::Made(patterns) => patterns[number as usize].bases.len(),
            Self::Of(signatures, _) => signatures[number as usize / 2].bases.len(),
        }
    }

    /// Whether there are so many, all in memory, that a batch may well have more matches than there is room for.
    pub fn are_many(self) -> bool {
        matches!(self, Self::Made(patterns) if patterns.len() >= MANY)
    }

    /// Bases of the longest; 0 if there is none.
    pub fn longest(self) -> usize {
        self.parts().map(|(bases, _)| bases.len()).max().unwrap_or(0)
    }

    /// What the patterns are divided into, in order: the bases and the limits of each, or of each signature those that its patterns share.
    pub fn parts(self) -> impl IndexedParallelIterator<Item = (&'a [u8], Limits)> {
        match self {
            Self::Made(patterns) => Either::Left(patterns.par_iter().map(|pattern| (pattern.bases(), pattern.limits))),
            Self::Of(signatures, options) => Either::Right(
                signatures.par_iter().map(|signature| (signature.bases(), options.limits(signature.bases.len()))),
            ),
        }
    }

    /// How many patterns a part has, at most.
    pub fn in_a_part(self) -> usize {
        match self {
            Self::Of(_, Options { strands: Strands::Both, .. }) => 2,
            _ => 1,
        }
    }

    /// The patterns of some parts, and the number of each.
    pub fn of(self, parts: Range<usize>) -> (Cow<'a, [Pattern]>, Vec<u32>) {
        match self {
            Self::Made(patterns) => {
                let numbers = (parts.start as u32..parts.end as u32).collect();
                (Cow::Borrowed(&patterns[parts]), numbers)
            }
            Self::Of(signatures, options) => {
                let patterns = made(parts, signatures, options);
                let numbers = patterns.par_iter().map(Pattern::number).collect();
                (Cow::Owned(patterns), numbers)
            }
        }
    }

    /// Those of some parts, each with its number, in any order.
    pub fn each(self, parts: Range<usize>) -> impl ParallelIterator<Item = (u32, Cow<'a, Pattern>)> {
        match self {
            Self::Made(patterns) => {
                let numbered = |number| (number as u32, Cow::Borrowed(&patterns[number]));
                Either::Left(parts.into_par_iter().map(numbered))
            }
            Self::Of(signatures, options) => {
                let of = move |k: usize| of_signature(k as u32, &signatures[k], options);
                let numbered = |pattern: Pattern| (pattern.number(), Cow::Owned(pattern));
                Either::Right(parts.into_par_iter().flat_map_iter(of).map(numbered))
            }
        }
    }
}

/// The patterns of signature number `k`.
fn of_signature(k: u32, signature: &Signature, options: &Options) -> impl Iterator<Item = Pattern> {
    directions(signature, options).map(move |reverse| in_direction(k, reverse, signature, options))
}

/// Which patterns a signature has: whether each is its reverse complement.
fn directions(
    signature: &Signature,
    Options { strands, wildcards, .. }: &Options,
) -> impl Iterator<Item = bool> + use<> {
    let bases = signature.bases();
    let opposite = bases.iter().rev().map(|&base| complement(base, *wildcards));
    let is_own_opposite = bases.iter().zip(opposite).all(|(&base, opposite)| same(&[base], &[opposite], *wildcards));
    let forward = is_own_opposite || *strands != Strands::Reverse;
    let reverse = !is_own_opposite && *strands != Strands::Forward;
    [false, true].into_iter().filter(move |&direction| if direction { reverse } else { forward })
}

/// The pattern of signature number `k` in one direction.
fn in_direction(k: u32, reverse: bool, signature: &Signature, options: &Options) -> Pattern {
    let Signature { bases, .. } = signature;
    let bases = if reverse { reverse_complement(bases, options.wildcards).into() } else { bases.clone() };
    Pattern { signature: k, reverse, limits: options.limits(bases.len()), bases }
}

/// How many positions are wild, and how many are mismatches, where `pattern` matches the start of `sequence`, if it does.
pub fn compare(sequence: &[u8], pattern: &Pattern, wildcards: Wildcards) -> Option<Limits> {
    compare_bases(sequence, (pattern.bases(), pattern.limits()), wildcards)
}

/// The same for the bases of a pattern and its limits.
pub fn compare_bases(sequence: &[u8], (bases, limits): (&[u8], Limits), wildcards: Wildcards) -> Option<Limits> {
    let (sequence, digits) = (sequence.get(..bases.len())?, digits(wildcards));
    let set = |base| base_set(base).unwrap_or(0);
    let mut found = Limits::default();
    for (&s, &q) in sequence.iter().zip(bases) {
        let compatible = match wildcards {
            Wildcards::Iupac => set(s) & set(q) != 0,
            Wildcards::N => s == q || s == b'N' || q == b'N',
        };
        found.mismatches += u32::from(!compatible);
        found.wild += u32::from(compatible && [s, q].iter().any(|&base| digits[usize::from(base)] == WILD));
        if found.mismatches > limits.mismatches {
            return None;
        }
    }
    (found.wild <= limits.wild).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fraction;

    fn searched(signatures: &[&str], strands: Strands, wildcards: Wildcards) -> Vec<(u32, bool, String)> {
        let signature = |s: &&str| Signature::new("s", s.as_bytes().to_vec());
        let signatures: Vec<_> = signatures.iter().map(signature).collect();
        let options = Options { strands, wildcards, ..Options::default() };
        let searched = |p: Pattern| (p.signature(), p.is_reverse(), String::from_utf8(p.bases().to_vec()).unwrap());
        patterns(&signatures, &options).into_iter().map(searched).collect()
    }

    #[test]
    fn both_strands_in_signature_order() {
        let found = searched(&["AACR", "GT"], Strands::Both, Wildcards::Iupac);
        let want = [(0, false, "AACR"), (0, true, "YGTT"), (1, false, "GT"), (1, true, "AC")];
        assert_eq!(found, want.map(|(k, r, s)| (k, r, s.to_string())));
    }

    #[test]
    fn one_strand() {
        assert_eq!(searched(&["AACR"], Strands::Forward, Wildcards::Iupac), [(0, false, "AACR".to_string())]);
        assert_eq!(searched(&["AACR"], Strands::Reverse, Wildcards::Iupac), [(0, true, "YGTT".to_string())]);
        assert_eq!(searched(&["AACR"], Strands::Reverse, Wildcards::N), [(0, true, "RGTT".to_string())]);
    }

    #[test]
    fn a_palindrome_is_one_forward_pattern() {
        for bases in ["ACGT", "acGT", "AU", "NN", "SW.WS"] {
            for strands in [Strands::Both, Strands::Forward, Strands::Reverse] {
                assert_eq!(searched(&[bases], strands, Wildcards::Iupac), [(0, false, bases.to_string())]);
            }
        }
        assert_eq!(searched(&["acGT"], Strands::Both, Wildcards::N).len(), 2);
        assert_eq!(searched(&["AcgT"], Strands::Reverse, Wildcards::N), [(0, false, "AcgT".to_string())]);
    }

    #[test]
    fn bases_that_lie_together_are_those_of_each() {
        let bases = |k: usize| -> Vec<u8> { (0..1 + k * 7 % 40).map(|at| b"ACGTN"[(k + at * at) % 5]).collect() };
        for count in [0, 1, TOGETHER - 1, TOGETHER, 3 * TOGETHER + 5] {
            let records: Records = (0..count).map(|k| (format!("s{k}"), bases(k))).collect();
            let signatures: Vec<Signature> = Signature::of(&records).collect();
            let each = (0..count).map(|k| Signature::new(format!("s{k}"), bases(k)));
            assert!(each.eq(signatures.iter().cloned()), "{count}");
            for strands in [Strands::Both, Strands::Forward, Strands::Reverse] {
                let options = Options { strands, ..Options::default() };
                let of = |(k, signature)| of_signature(k as u32, signature, &options);
                let each: Vec<Pattern> = signatures.iter().enumerate().flat_map(of).collect();
                assert_eq!(patterns(&signatures, &options), each);
            }
        }
    }

    #[test]
    fn the_wild_limit_is_that_of_the_whole_signature() {
        let signature = Signature::new("", b"AACCA".to_vec());
        let options = Options { max_n_frac: Fraction::HALF, ..Options::default() };
        assert!(patterns(&[signature], &options).iter().all(|p| p.limits() == Limits { wild: 2, mismatches: 0 }));
    }

    #[test]
    #[should_panic(expected = "a pattern has at least one base")]
    fn a_pattern_without_bases_is_refused() {
        Pattern::new(0, false, vec![], Limits::default());
    }

    #[test]
    #[should_panic(expected = "a signature has at least one base")]
    fn a_signature_without_bases_is_refused() {
        Signature::new("empty", vec![]);
    }
}
