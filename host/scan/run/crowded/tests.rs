//! However little there is room for, the rows are those of one search.

use super::*;
use crate::cpu::Cpu;
use crate::device::Shared;
use crate::pattern::{Pattern, Patterns, patterns};
use crate::{Algorithm, Fraction, Options, Signature, Wildcards, find};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpseq_engine::executor::Engine;

/// Mostly A, so that there are many matches, and runs of N.
fn bases(random: &mut ChaCha8Rng, length: usize) -> Vec<u8> {
    (0..length).map(|_| b"AAAAAACN"[random.random_range(0..8)]).collect()
}

fn batch(random: &mut ChaCha8Rng, with_qualities: bool) -> Records {
    let lengths = [3, 0, 90, 1, 40, 700, 0, 25];
    let batch: Records = lengths.into_iter().map(|length| (format!("s{length}"), bases(random, length))).collect();
    if !with_qualities {
        return batch;
    }
    let qualities = batch.sequences().residues().iter().map(|_| random.random_range(33..=40)).collect();
    batch.with_qualities(qualities).unwrap()
}

fn signatures(random: &mut ChaCha8Rng) -> Vec<Signature> {
    let lengths = [1, 4, 4, 40, 7, 100, 2];
    let mut all: Vec<Vec<u8>> = lengths.map(|length| bases(random, length)).into();
    all.extend([b"N".repeat(5), b"GGGG".to_vec(), b"N".repeat(60)]);
    all.into_iter().map(|bases| Signature::new("q", bases)).collect()
}

fn search<'a>(
    options: &'a Options,
    signatures: &'a [Signature],
    patterns: &'a [Pattern],
    shared: &'a Shared,
) -> Search<'a> {
    let (algorithm, patterns, hashed) = (Algorithm::Auto, Patterns::Made(patterns), true);
    Search { options, algorithm, signatures, patterns, tables: None, hashed, shared }
}

/// What was told.
#[derive(Default)]
struct Told {
    seen: Vec<Hit>,
    rows: Vec<Row>,
    hashes: Vec<Option<u8>>,
    /// The most rows at a time.
    most: usize,
    /// Only matches are wanted.
    no_rows: bool,
    /// Those that this choice may report.
    needs: Option<Choice>,
}

impl Taker for Told {
    fn needs(&self) -> Choice {
        self.needs.unwrap_or(Choice::All)
    }

    fn see(&mut self, hits: &[Hit]) {
        let last = self.seen.last().map_or(0, |hit| hit.sequence);
        assert!(hits.iter().all(|hit| hit.sequence >= last), "sequences come in their order");
        self.seen.extend_from_slice(hits);
        self.seen.sort_unstable();
    }

    fn wants_rows(&self) -> bool {
        !self.no_rows
    }

    fn tell(&mut self, rows: &[Row], hashes: &[Option<u8>]) -> Result<()> {
        self.rows.extend_from_slice(rows);
        self.hashes.extend_from_slice(hashes);
        self.most = self.most.max(rows.len());
        Ok(())
    }
}

fn sorted(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_unstable();
    hits
}

#[test]
fn rows_are_the_same_whatever_there_is_room_for() {
    let random = &mut ChaCha8Rng::seed_from_u64(7);
    for choice in [Choice::Best, Choice::First, Choice::All] {
        for (wildcards, with_qualities, circular) in [
            (Wildcards::Iupac, true, false),
            (Wildcards::N, true, false),
            (Wildcards::Iupac, false, false),
            (Wildcards::Iupac, true, true),
        ] {
            let options = Options { choice, wildcards, circular, max_n_frac: Fraction::ONE, ..Options::default() };
            let (batch, signatures) = (batch(random, with_qualities), signatures(random));
            let patterns = patterns(&signatures, &options);
            let shared = Shared::default();
            let asked = search(&options, &signatures, &patterns, &shared);
            let mut cpu = asked.cpu();
            let hits = find(&mut *cpu, &batch).unwrap();
            let (count, all, expected) = (hits.len(), sorted(hits.clone()), asked.choose(&batch, hits));
            assert!(count > 2000, "{count} matches");
            for (matches, bases) in [(1, 1), (3, 64), (17, 16), (90, 1000), (1000, 333), (count, 1 << 20)] {
                let mut told = Told::default();
                let bounds = Bounds { matches, bases };
                Crowded::new(&mut *cpu, asked, &batch, bounds).search(&mut told).unwrap();
                assert!(
                    (told.rows, told.hashes) == expected && sorted(told.seen) == all,
                    "{options:?}, {matches} matches, {bases} bases"
                );
                let mut told = Told { needs: Some(choice), ..Told::default() };
                Crowded::new(&mut *cpu, asked, &batch, bounds).search(&mut told).unwrap();
                assert!(
                    (told.rows, told.hashes) == expected && told.seen.iter().all(|hit| all.contains(hit)),
                    "{options:?}, {matches} matches, {bases} bases, what may be reported"
                );
                let mut told = Told { no_rows: true, ..Told::default() };
                Crowded::new(&mut *cpu, asked, &batch, bounds).search(&mut told).unwrap();
                assert!(told.most == 0 && sorted(told.seen) == all, "{options:?}, {matches} matches, no rows");
            }
        }
    }
}

#[test]
fn nothing_is_told_that_there_is_no_room_for() {
    let random = &mut ChaCha8Rng::seed_from_u64(8);
    let options = Options { choice: Choice::All, max_n_frac: Fraction::ONE, ..Options::default() };
    let (batch, signatures) = (batch(random, true), signatures(random));
    let patterns = patterns(&signatures, &options);
    let shared = Shared::default();
    let asked = search(&options, &signatures, &patterns, &shared);
    for matches in [1, 50, 500] {
        let (mut cpu, bounds) = (Cpu::new(&options, &patterns), Bounds { matches, bases: 1 << 20 });
        let mut told = Told::default();
        Crowded::new(&mut cpu, asked, &batch, bounds).search(&mut told).unwrap();
        let most = told.most;
        assert!(most <= matches + patterns.len(), "{most} rows at a time, and room for {matches}");
    }
}

#[test]
fn a_sequence_that_is_searched_in_stretches_shows_how_many_matches_there_are() {
    let random = &mut ChaCha8Rng::seed_from_u64(9);
    let (options, signatures) = (Options::default(), signatures(random));
    let batch: Records = [("s", bases(random, 3000))].into_iter().collect();
    let patterns = patterns(&signatures, &options);
    let shared = Shared::default();
    let asked = search(&options, &signatures, &patterns, &shared);
    let mut cpu = Cpu::new(&options, &patterns);
    let count = find(&mut cpu, &batch).unwrap().len();
    let bounds = Bounds { matches: count / 5, bases: 1 << 20 };
    Crowded::new(&mut cpu, asked, &batch, bounds).search(&mut Told::default()).unwrap();
    assert!(shared.density.matches(3000).abs_diff(count) <= 1, "{count}");
    assert!(!Crowded::begins_with_part(asked, &batch));
}

#[test]
fn groups_are_as_large_as_there_is_room_for() {
    assert_eq!(groups(&[3, 0, 4, 9, 1, 0, 2, 20, 0], 8), [(0..3, 7), (3..4, 9), (4..7, 3), (7..8, 20)]);
    assert_eq!(groups(&[0, 0], 8), []);
    assert_eq!(groups(&[1, 1], 0), [(0..1, 1), (1..2, 1)]);
}

#[test]
fn a_gpu_is_not_asked_for_where_there_are_many_matches() {
    let options = &Options::default();
    let signatures = &[Signature::new("q", b"ACGTAGGA".to_vec())];
    let few = patterns(signatures, options);
    let many = vec![few[0].clone(); 1 << 18];
    for (patterns, unknown) in [(&few, false), (&many, true)] {
        let shared = &Shared::default();
        let (patterns, algorithm) = (Patterns::Made(patterns), Algorithm::Auto);
        let search = Search { options, algorithm, signatures, patterns, tables: None, hashed: false, shared };
        assert_eq!(search.prefers_cpu(), unknown);
        for (matches, high) in [(840_000, true), (20_000, false), (0, false)] {
            shared.density.learn(1_000_000, matches);
            assert_eq!(search.prefers_cpu(), high, "{matches}");
        }
    }
}
