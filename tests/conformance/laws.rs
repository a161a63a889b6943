//! What must hold for any input: the reference is held against laws that do not use its own code for the other strand.

use super::{Case, Size, circular, compare, random, suite};
use std::collections::BTreeSet;
use warpseq::scan::reference::{self, Reference};
use warpseq::scan::{Choice, Hit, Limits, Mismatches, Options, Records, Strands, find};

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

fn with_and_without_mismatches() -> impl Iterator<Item = Case> {
    let under = |most| {
        let options = move |case: &Case| Options { max_mismatch: Mismatches::Count(most), ..case.options };
        random::rates(Size::Small).into_iter().map(move |case| Case { options: options(&case), ..case })
    };
    [0, 2].into_iter().flat_map(under)
}

/// Forward matches in the sequences are reverse matches, at mirrored places, in their other strands.
#[test]
fn the_other_strand_of_the_sequences_mirrors_the_rows() {
    for case in with_and_without_mismatches() {
        let mirror = mirrored(&case.batch);
        let forward = reference::scan(&case.signatures, &case.batch, &all(&case, Strands::Forward));
        let reverse = reference::scan(&case.signatures, &mirror, &all(&case, Strands::Reverse));
        let length = |row: &reference::Row| case.batch.sequence(row.sequence as usize).len() as u64;
        let there = forward
            .iter()
            .map(|row| (row.sequence, row.signature, length(row) - row.end, row.phred_sum, row.mismatches));
        let here = reverse.iter().map(|row| (row.sequence, row.signature, row.start, row.phred_sum, row.mismatches));
        assert_eq!(there.collect::<BTreeSet<_>>(), here.collect::<BTreeSet<_>>(), "{}", case.name);
        assert!(!forward.is_empty(), "{} has no match", case.name);
    }
}

/// `first` is the first of `all`, `best` is in `all` and none there is better.
#[test]
fn choices_are_of_all_the_matches() {
    for case in with_and_without_mismatches() {
        let Case { name, signatures, batch, .. } = &case;
        let every = reference::scan(signatures, batch, &all(&case, Strands::Both));
        for choice in [Choice::First, Choice::Best] {
            let rows = reference::scan(signatures, batch, &Options { choice, ..all(&case, Strands::Both) });
            let best = |row: &reference::Row| (row.mismatches, -row.phred_sum.unwrap(), row.start, row.reverse);
            let owners: BTreeSet<_> = every.iter().map(|row| (row.sequence, row.signature)).collect();
            assert_eq!(rows.iter().map(|row| (row.sequence, row.signature)).collect::<BTreeSet<_>>(), owners, "{name}");
            for row in &rows {
                let mut rivals =
                    every.iter().filter(|other| (other.sequence, other.signature) == (row.sequence, row.signature));
                let better = |other: &reference::Row| match choice {
                    Choice::First => (other.start, other.reverse) < (row.start, row.reverse),
                    _ => best(other) < best(row),
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
            (hit.sequence, pattern.signature(), hit.start, pattern.is_reverse(), hit.found())
        };
        let mut places: Vec<_> = hits.into_iter().map(place).collect();
        places.sort_unstable();
        let options = Options { choice: Choice::All, ..case.options };
        let rows = reference::scan(&case.signatures, &case.batch, &options);
        let found = |row: &reference::Row| Limits { wild: row.wild, mismatches: row.mismatches };
        let rows = rows.iter().map(|row| (row.sequence, row.signature, row.start, row.reverse, found(row)));
        compare(&case.name, &places, &rows.collect::<Vec<_>>());
    }
}

fn hits(case: &Case, options: Options) -> Vec<Hit> {
    let patterns = reference::patterns(&case.signatures, &options);
    find(&mut Reference::new(&options, patterns), &case.batch).unwrap()
}

/// With one mismatch more there are more matches, and those of fewer mismatches stay as they are.
#[test]
fn matches_of_few_mismatches_are_among_those_of_more() {
    for case in random::rates(Size::Small) {
        let exact = hits(&case, case.options);
        let mut before = exact.clone();
        assert!(!before.is_empty() && before.iter().all(|hit| hit.mismatches == 0), "{}", case.name);
        for most in 1..=5 {
            let options = Options { max_mismatch: Mismatches::Count(most), ..case.options };
            let more = hits(&case, options);
            let few: Vec<_> = more.iter().filter(|hit| hit.mismatches < most).copied().collect();
            compare(&format!("{}, {most} mismatches", case.name), &few, &before);
            before = more;
        }
        assert!(before.len() > exact.len(), "{}: no match has mismatches", case.name);
    }
}

/// A circle has no beginning: turned by some symbols, it has the same matches, turned.
#[test]
fn a_circle_can_be_turned() {
    let mut over = 0;
    for case in random::rates(Size::Small).into_iter().chain([circular::over_the_end(Size::Small)]) {
        let options = Options { circular: true, max_mismatch: Mismatches::Count(1), ..case.options };
        let length = |k: usize| case.batch.sequence(k).len();
        let turned = |k: usize| {
            let (head, tail) = case.batch.sequence(k).split_at(length(k) / 3);
            (case.batch.name(k), [tail, head].concat())
        };
        let other = Case { batch: (0..case.batch.len()).map(turned).collect(), ..case.clone() };
        let back = |hit: Hit| {
            let length = length(hit.sequence as usize) as u64;
            Hit { start: (hit.start + length / 3) % length, ..hit }
        };
        let there: BTreeSet<_> = hits(&other, options).into_iter().map(back).collect();
        let here: BTreeSet<_> = hits(&case, options).into_iter().collect();
        assert_eq!(there, here, "{}", case.name);
        let lines = hits(&case, Options { circular: false, ..options });
        assert!(lines.iter().all(|hit| here.contains(hit)), "{}", case.name);
        over += here.len() - lines.len();
    }
    assert!(over >= 100, "{over} matches lie over an end");
}
