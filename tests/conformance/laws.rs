//! What must hold for any input: the reference is held against laws that do not use its own code for the other strand.

use super::{Case, Size, compare, random, suite};
use std::collections::BTreeSet;
use warpseq::scan::reference::{self, Reference};
use warpseq::scan::{Choice, Hit, Options, Records, Strands, find};

/// The other strand of text over ACGTN.
fn other_strand(bases: &[u8]) -> Vec<u8> {
    let other = |&base: &u8| match base {
        b'A' => b'T',
        b'C' => b'G',
        b'G' => b'C',
        b'T' => b'A',
        base => base,
    };
    bases.iter().rev().map(other).collect()
}

fn mirrored(batch: &Records) -> Records {
    let other = (0..batch.len()).map(|k| (batch.name(k), other_strand(batch.sequence(k))));
    let reversed = |k| batch.quality(k).unwrap().iter().rev().copied();
    Records::from_iter(other).with_qualities((0..batch.len()).flat_map(reversed).collect()).unwrap()
}

fn all(case: &Case, strands: Strands) -> Options {
    Options { strands, choice: Choice::All, ..case.options }
}

/// Forward matches in the sequences are reverse matches, at mirrored places, in their other strands.
#[test]
fn the_other_strand_of_the_sequences_mirrors_the_rows() {
    for case in random::rates(Size::Small) {
        let mirror = mirrored(&case.batch);
        let forward = reference::scan(&case.signatures, &case.batch, &all(&case, Strands::Forward));
        let reverse = reference::scan(&case.signatures, &mirror, &all(&case, Strands::Reverse));
        let length = |row: &reference::Row| case.batch.sequence(row.sequence as usize).len() as u64;
        let there = forward.iter().map(|row| (row.sequence, row.signature, length(row) - row.end, row.phred_sum));
        let here = reverse.iter().map(|row| (row.sequence, row.signature, row.start, row.phred_sum));
        assert_eq!(there.collect::<BTreeSet<_>>(), here.collect::<BTreeSet<_>>(), "{}", case.name);
        assert!(!forward.is_empty(), "{} has no match", case.name);
    }
}

/// `first` is the first of `all`, `best` is in `all` and none there is better.
#[test]
fn choices_are_of_all_the_matches() {
    for case in random::rates(Size::Small) {
        let Case { name, signatures, batch, .. } = &case;
        let every = reference::scan(signatures, batch, &all(&case, Strands::Both));
        for choice in [Choice::First, Choice::Best] {
            let rows = reference::scan(signatures, batch, &Options { choice, ..all(&case, Strands::Both) });
            let owners: BTreeSet<_> = every.iter().map(|row| (row.sequence, row.signature)).collect();
            assert_eq!(rows.iter().map(|row| (row.sequence, row.signature)).collect::<BTreeSet<_>>(), owners, "{name}");
            for row in &rows {
                let mut rivals =
                    every.iter().filter(|other| (other.sequence, other.signature) == (row.sequence, row.signature));
                let better = |other: &reference::Row| match choice {
                    Choice::First => (other.start, other.reverse) < (row.start, row.reverse),
                    _ => {
                        (-other.phred_sum.unwrap(), other.start, other.reverse)
                            < (-row.phred_sum.unwrap(), row.start, row.reverse)
                    }
                };
                assert!(every.contains(row) && !rivals.any(better), "{name}: {row:?} is not the {choice:?}");
            }
        }
    }
}

/// The rows of `all` are the hits: the reference's two ways in agree.
#[test]
fn hits_are_the_rows_of_all() {
    for case in suite(Size::Small) {
        let patterns = reference::patterns(&case.signatures, &case.options);
        let hits = find(&mut Reference::new(&case.options, patterns.clone()), &case.batch).unwrap();
        let place = |hit: Hit| {
            let pattern = &patterns[hit.pattern as usize];
            (hit.sequence, pattern.signature(), hit.start, pattern.is_reverse(), hit.wild)
        };
        let mut places: Vec<_> = hits.into_iter().map(place).collect();
        places.sort_unstable();
        let options = Options { choice: Choice::All, ..case.options };
        let rows = reference::scan(&case.signatures, &case.batch, &options);
        let rows = rows.iter().map(|row| (row.sequence, row.signature, row.start, row.reverse, row.wild));
        compare(&case.name, &places, &rows.collect::<Vec<_>>());
    }
}
