//! Every set of vectors against the recurrence in two plain rows, and a sort.

use super::*;
use crate::cpu::tests::{Impatient, literal, table};
use crate::search::{Database, Finder, Job, Keep};
use crate::{Scoring, Sequences, Want};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpseq_engine::executor::{Executor, Patient};
use warpseq_seq::Strands;

/// The score of a local alignment.
fn score(scoring: &Scoring, query: &[u8], target: &[u8]) -> i64 {
    let (open, extend) = (i64::from(scoring.gap.open), i64::from(scoring.gap.extend));
    let (mut h, mut f, mut best) = (vec![0; target.len() + 1], vec![i64::MIN / 2; target.len() + 1], 0);
    for &q in query {
        let (mut e, mut diagonal) = (i64::MIN / 2, 0);
        for (j, &t) in target.iter().enumerate() {
            e = (h[j] - open).max(e - extend);
            f[j + 1] = (h[j + 1] - open).max(f[j + 1] - extend);
            let matched = diagonal + i64::from(scoring.score(q, t));
            diagonal = h[j + 1];
            h[j + 1] = matched.max(e).max(f[j + 1]).max(0);
            best = best.max(h[j + 1]);
        }
    }
    best
}

/// All scores of each query, the better strand's.
fn scores(ranking: &Ranking) -> Vec<Vec<Scored>> {
    let of_query = |k: usize| {
        let of_target = |(target, residues)| {
            let of_strand = |queries: &Sequences| score(ranking.scoring, queries.get(k), residues);
            Scored { target, score: ranking.strands.into_iter().flatten().map(of_strand).max().unwrap() }
        };
        (0..).zip(ranking.database.targets().iter()).map(of_target).collect()
    };
    (0..ranking.least.len()).map(of_query).collect()
}

/// What each query keeps of all that is scored: sorted and cut.
fn kept(ranking: &Ranking, mut scores: Vec<Vec<Scored>>) -> Vec<Vec<Scored>> {
    for (all, least) in scores.iter_mut().zip(ranking.least) {
        all.retain(|scored| scored.score >= *least);
        all.sort_by_key(|scored| -scored.score);
        all.truncate(ranking.top);
        all.sort_by_key(|scored| scored.target);
    }
    scores
}

/// Lanes that end early: sequences of more than 100 residues, and passes of few pairs.
const SMALL: Limits = Limits { length: 100, pairs: 100, few: 7 };

/// By all sets of instructions, for some `top` and `least`.
fn agree_with(limits: &[Limits], strands: [Option<&Sequences>; 2], targets: &Sequences, scoring: &Scoring) {
    let database = &Database::new(targets);
    let count = strands.into_iter().flatten().next().unwrap().len();
    let least = |least: i64| (0..count as i64).map(|k| if least > 0 { least + k % 5 } else { 0 }).collect();
    let least: [Vec<i64>; 2] = [least(0), least(30)];
    let ranking = |top, least| Ranking { strands, database, scoring, top, least, passes: None };
    let scores = scores(&ranking(0, &least[0]));
    for ranking in [(usize::MAX, &least[0]), (3, &least[1])].map(|(top, least)| ranking(top, least)) {
        let expected = kept(&ranking, scores.clone());
        for (set, &limits) in InstructionSet::all().into_iter().flat_map(|set| limits.iter().map(move |l| (set, l))) {
            let found = Cpu { limits, ..Cpu::with_instructions(set) }.rank(&ranking, &Patient).unwrap();
            for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let about = || format!("{set:?}, top {}, query {k}, gap {:?}", ranking.top, scoring.gap);
                assert!(found == expected, "{}: found {found:?}, expected {expected:?}", about());
            }
            assert_eq!(found.len(), expected.len());
        }
    }
}

fn agree(queries: &Sequences, targets: &Sequences, scoring: &Scoring) {
    agree_with(&[LIMITS, SMALL], [Some(queries), None], targets, scoring);
}

fn random(rng: &mut impl Rng, length: usize, residues: &[u8]) -> Vec<u8> {
    (0..length).map(|_| residues[rng.random_range(0..residues.len())]).collect()
}

/// Random sequences of 0 to `most` residues, some of them copies.
fn some(rng: &mut impl Rng, count: usize, most: usize, residues: &[u8]) -> Sequences {
    let mut all: Vec<Vec<u8>> = Vec::new();
    for _ in 0..count {
        let length = rng.random_range(0..=most);
        let copied = !all.is_empty() && rng.random_bool(0.2);
        all.push(if copied { all[rng.random_range(0..all.len())].clone() } else { random(rng, length, residues) });
    }
    all.into_iter().collect()
}

#[test]
fn tables_and_gaps_of_all_kinds() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (size, reach) in [(1, 3), (2, 3), (4, 9), (20, 12), (31, 127), (32, 10), (20, 1000)] {
        for gap in [(1, 1), (3, 3), (11, 1), (127, 127), (128, 1), (40_000, 7)] {
            let scores = (0..size * size).map(|_| rng.random_range(-reach..=reach * 2 / 3)).collect();
            let residues: Vec<u8> = (0..size).map(|k| b'A' + k as u8).collect();
            let (queries, targets) = (some(&mut rng, 5, 60, &residues), some(&mut rng, 90, 130, &residues));
            agree(&queries, &targets, &table(size, scores, gap));
        }
    }
}

#[test]
fn nucleotides_on_both_strands() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for (equal, different, gap) in [(1, -1, (2, 2)), (2, -3, (7, 2)), (5, -4, (1, 1)), (1, 0, (3, 1))] {
        let (forward, reverse) = (some(&mut rng, 6, 150, b"ACGTN"), some(&mut rng, 6, 150, b"ACGTN"));
        let targets = some(&mut rng, 150, 200, b"ACGT");
        let scoring = literal(equal, different, gap);
        for strands in [[Some(&forward), Some(&reverse)], [None, Some(&reverse)]] {
            agree_with(&[LIMITS], strands, &targets, &scoring);
        }
    }
}

#[test]
fn scores_at_the_edges_of_lanes() {
    let lengths = [20, 23, 24, 127, 253, 254, 255, 256, 257, 515, 516, 517];
    let queries: Sequences = lengths.iter().map(|&length| b"W".repeat(length)).collect();
    let targets: Sequences = (0..80).map(|k| b"W".repeat(lengths[k * 5 % lengths.len()] + k % 3)).collect();
    for gap in [(11, 1), (3, 3), (200, 1)] {
        for equal in [1, 11, 127] {
            agree_with(&[LIMITS], [Some(&queries), None], &targets, &literal(equal, -1, gap));
        }
    }
}

#[test]
fn long_and_short_ones_together() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let scores = (0..400).map(|k| if k / 20 == k % 20 { 5 } else { rng.random_range(-4..=1) }).collect();
    let residues: Vec<u8> = (0..20).map(|k| b'A' + k as u8).collect();
    let queries = some(&mut rng, 6, 500, &residues);
    let mut targets: Vec<Vec<u8>> = (0..70).map(|k| random(&mut rng, [1000, 3, 70, 300][k % 4], &residues)).collect();
    targets.extend(queries.iter().map(<[u8]>::to_vec));
    targets.push(random(&mut rng, 4000, &residues));
    let scoring = table(20, scores, (11, 1));
    agree(&queries, &targets.into_iter().collect(), &scoring);
}

#[test]
fn nothing_is_found_in_nothing() {
    let [none, empty, some] = [&[][..], &[""; 30], &["ACGT"; 70]].map(|all| all.iter().collect::<Sequences>());
    for queries in [&none, &empty, &some] {
        for targets in [&none, &empty, &some] {
            agree(queries, targets, &literal(1, -1, (2, 2)));
        }
    }
}

#[test]
fn as_many_are_kept_as_are_wanted() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (queries, targets) = (some(&mut rng, 4, 40, b"AC"), some(&mut rng, 800, 30, b"AC"));
    let (database, scoring) = (&Database::new(&targets), &literal(1, -1, (1, 1)));
    for (top, least) in [0, 1, 2, 10, 799, 800, 801, usize::MAX].into_iter().zip([[0; 4], [7, 0, 1, 30]].iter().cycle())
    {
        let ranking = Ranking { strands: [Some(&queries), None], database, scoring, top, least, passes: None };
        assert!(Cpu::new().rank(&ranking, &Patient).unwrap() == kept(&ranking, scores(&ranking)), "{top} {least:?}");
    }
}

#[test]
fn a_search_that_is_not_wanted_is_given_up() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let (queries, targets) = (some(&mut rng, 5, 150, b"ACGT"), some(&mut rng, 300, 200, b"ACGT"));
    let (database, scoring) = (&Database::new(&targets), &literal(2, -3, (5, 2)));
    let keep = Keep { top: Some(3), passes: None };
    let job = Job { queries: &queries, database, scoring, strands: Strands::Both, keep, want: Want::Path, names: None };
    for limits in [LIMITS, SMALL] {
        let mut finder = Finder { rank: Cpu { limits, ..Cpu::new() }, aligner: Aligner::new() };
        let (mut expected, mut found, mut asked) = (Vec::new(), Vec::new(), 1);
        finder.compute(job, &mut expected).unwrap();
        while !finder.compute_watched(job, &mut found, &Impatient::new(asked)).unwrap() {
            assert!(found.is_empty());
            asked += 1;
        }
        assert!(asked > 5 && found == expected && expected.len() == 5, "{asked}");
    }
}

#[test]
fn threads_change_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let (queries, targets) = (some(&mut rng, 30, 200, b"ACGT"), some(&mut rng, 600, 200, b"ACGT"));
    let (database, scoring, least) = (Database::new(&targets), literal(2, -3, (5, 2)), vec![1; 30]);
    let ranking = Ranking {
        strands: [Some(&queries), None],
        database: &database,
        scoring: &scoring,
        top: 5,
        least: &least,
        passes: None,
    };
    let expected = kept(&ranking, scores(&ranking));
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for limits in [LIMITS, Limits { pairs: 3000, ..LIMITS }] {
            assert!(pool.install(|| Cpu { limits, ..Cpu::new() }.rank(&ranking, &Patient).unwrap()) == expected);
        }
    }
}
