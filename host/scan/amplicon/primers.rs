//! The patterns that are searched for: each primer and each probe as it is and as its reverse complement, equal ones once.
//!
//! ```text
//! pairs      a: F G    b: F H (probe P)          F' is the reverse complement of F
//! patterns   F F' G G' H H' P P'                 F and F' once, though two pairs have them
//! roles      F opens  a+ closed by G', b+ closed by H'
//!            G opens  a- closed by F'
//!            H opens  b- closed by F'
//! ```
//!
//! Equal means the same sets of bases. A pattern may be a primer and the reverse complement of another: what matters is the role in
//! which a match of it is looked at.
//!
//! # Limits
//!
//! A primer of m symbols has up to K mismatches and up to floor(m / 10) wild positions, or as many as it has ambiguous symbols
//! if these are more: the limit is there for the N of a sequence, and a primer such as GTGYCAGCMGCCGCGGTAA must bind at all.

use super::Pair;
use crate::{Limits, Pattern};
use std::collections::HashMap;
use std::ops::Range;
use warpseq_seq::Wildcards;
use warpseq_seq::iupac::{count_wild, same};
use warpseq_seq::strand::reverse_complement;

/// How the products of one pair on one strand come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role {
    /// The pair, by its number.
    pub pair: u32,
    /// Whether the reverse primer opens: strand `-`.
    pub reverse: bool,
    /// The pattern that opens, a primer as it is.
    pub opening: u32,
    /// The pattern that closes, the other primer's reverse complement.
    pub closing: u32,
    /// The probe as it is and as its reverse complement.
    pub probe: Option<[u32; 2]>,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Primers {
    patterns: Vec<Pattern>,
    /// By the pattern that opens, then by pair, `+` first.
    roles: Vec<Role>,
    /// Of each pattern, whether it is a probe's.
    probes: Vec<bool>,
}

impl Primers {
    /// Those of `pairs`, with up to `max_mismatch` mismatches each.
    pub fn new(pairs: &[Pair], max_mismatch: u32) -> Self {
        let (mut primers, mut numbers) = (Self::default(), HashMap::new());
        for (number, pair) in (0..).zip(pairs) {
            let mut both = |bases: &[u8]| {
                let opposite = reverse_complement(bases, Wildcards::Iupac);
                [bases, &opposite].map(|bases| primers.add(bases, max_mismatch, &mut numbers))
            };
            let [forward, reverse] = [pair.forward(), pair.reverse()].map(&mut both);
            let probe = pair.probe().map(both);
            let role = |reverse: bool, opening: [u32; 2], closing: [u32; 2]| Role {
                pair: number,
                reverse,
                opening: opening[0],
                closing: closing[1],
                probe,
            };
            primers.roles.push(role(false, forward, reverse));
            // The products of a primer with itself are the same on both strands.
            if !same(pair.forward(), pair.reverse(), Wildcards::Iupac) {
                primers.roles.push(role(true, reverse, forward));
            }
            probe.into_iter().flatten().for_each(|pattern| primers.probes[pattern as usize] = true);
        }
        primers.roles.sort_unstable_by_key(|role| (role.opening, role.pair, role.reverse));
        primers
    }

    /// The number of a pattern, which is added if it is not there.
    fn add(&mut self, bases: &[u8], max_mismatch: u32, numbers: &mut HashMap<Vec<u8>, u32>) -> u32 {
        *numbers.entry(spelled(bases)).or_insert_with_key(|bases| {
            let number = self.patterns.len() as u32;
            let codes = count_wild(bases, Wildcards::Iupac);
            let limits = Limits { wild: codes.max(bases.len() / 10) as u32, mismatches: max_mismatch };
            self.patterns.push(Pattern::new(number, false, bases.clone(), limits));
            self.probes.push(false);
            number
        })
    }

    /// What is searched for, all different.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The symbols of a pattern.
    pub fn length(&self, pattern: u32) -> u64 {
        self.patterns[pattern as usize].bases().len() as u64
    }

    /// Whether a pattern is a probe, or its reverse complement.
    pub fn is_probe(&self, pattern: u32) -> bool {
        self.probes[pattern as usize]
    }

    /// The roles in which a pattern opens products.
    pub fn opened_by(&self, pattern: u32) -> &[Role] {
        let before = |than: u32| self.roles.partition_point(|role| role.opening < than);
        let range: Range<usize> = before(pattern)..before(pattern + 1);
        &self.roles[range]
    }
}

/// The one spelling of all sequences of the same sets of bases.
fn spelled(bases: &[u8]) -> Vec<u8> {
    let spelled = |base: &u8| match base.to_ascii_uppercase() {
        b'U' => b'T',
        b'.' => b'N',
        base => base,
    };
    bases.iter().map(spelled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amplicon::Options;

    fn primers(pairs: &[[&str; 3]]) -> Primers {
        let pair = |(k, [forward, reverse, probe]): (usize, &[&str; 3])| {
            let (name, primers) = (format!("p{k}"), [forward.as_bytes(), reverse.as_bytes()]);
            let probe = Some(probe.as_bytes()).filter(|probe| !probe.is_empty());
            Pair::new(name.as_bytes(), primers, probe, &Options::default()).unwrap()
        };
        Primers::new(&pairs.iter().enumerate().map(pair).collect::<Vec<_>>(), 1)
    }

    fn spelling(primers: &Primers) -> Vec<&str> {
        primers.patterns().iter().map(|pattern| std::str::from_utf8(pattern.bases()).unwrap()).collect()
    }

    #[test]
    fn equal_primers_of_many_pairs_are_one_pattern() {
        let primers = primers(&[["AAC", "AAG", ""], ["aac", "AAU", "GTT"], ["AAC", "AAT", "AC.N"]]);
        assert_eq!(spelling(&primers), ["AAC", "GTT", "AAG", "CTT", "AAT", "ATT", "ACNN", "NNGT"]);
        let role = |pair, reverse, opening, closing, probe| Role { pair, reverse, opening, closing, probe };
        let [second, third] = [Some([1, 0]), Some([6, 7])];
        let of_first = [role(0, false, 0, 3, None), role(1, false, 0, 5, second), role(2, false, 0, 5, third)];
        assert_eq!(primers.opened_by(0), of_first);
        assert_eq!(primers.opened_by(2), [role(0, true, 2, 1, None)]);
        assert_eq!(primers.opened_by(4), [role(1, true, 4, 1, second), role(2, true, 4, 1, third)]);
        assert_eq!(primers.opened_by(3), []);
        assert_eq!([0, 1, 2, 6].map(|pattern| primers.is_probe(pattern)), [true, true, false, true]);
    }

    #[test]
    fn a_primer_with_itself_has_one_strand() {
        let primers = primers(&[["ACGTN", "acgu.", ""], ["GAATTC", "GAATTC", ""], ["AC", "GT", ""]]);
        assert_eq!(spelling(&primers), ["ACGTN", "NACGT", "GAATTC", "AC", "GT"]);
        let strands = |pattern| primers.opened_by(pattern).iter().map(|role| role.reverse).collect::<Vec<_>>();
        assert_eq!([0, 2, 3, 4].map(strands), [vec![false], vec![false], vec![false], vec![true]]);
    }

    #[test]
    fn ambiguous_symbols_of_a_primer_are_allowed() {
        let primers = primers(&[["GTGYCAGCMGCCGCGGTAA", "ACGTACGTACGTACGTACGT", ""], ["ACGTACGTA", "NNNN", ""]]);
        let limits: Vec<_> = primers.patterns().iter().map(|pattern| pattern.limits()).collect();
        let limit = |wild| Limits { wild, mismatches: 1 };
        assert_eq!(limits, [2, 2, 2, 0, 0, 4].map(limit));
    }
}
