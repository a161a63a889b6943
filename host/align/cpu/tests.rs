//! The engine against the definition in plain loops ([`naive`]): every mode, every set of vectors, scores at the edges of
//! lanes, lengths at the edges of strips, chunks, tiles and groups.

mod naive;

use super::*;
use crate::{Batch, Scoring, Want, align};
use crate::{Gap, Mode, Pair, Sequences, Stop};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const MODES: [Mode; 4] = [Mode::Local, Mode::Global, Mode::Fit, Mode::Overlap];
const STOPS: [Stop; 2] = [Stop::AtZero, Stop::ThroughZero];

/// Letters are their own codes; equal or not.
pub fn literal(equal: i32, different: i32, gap: (i32, i32)) -> Scoring {
    let codes = std::array::from_fn(|letter| letter as u8);
    let scores = (0..256 * 256).map(|k| if k / 256 == k % 256 { equal } else { different }).collect();
    let identity = std::array::from_fn(|letter| letter as u8);
    scoring(Scoring { size: 256, scores, identity, codes, ..bare() }, gap)
}

/// Letters A, B, C ... of a table, row by row.
pub fn table(size: usize, scores: Vec<i32>, gap: (i32, i32)) -> Scoring {
    let codes = std::array::from_fn(|letter| (letter.wrapping_sub(usize::from(b'A'))).min(size - 1) as u8);
    let identity = std::array::from_fn(|letter| letter as u8);
    scoring(Scoring { size, scores, identity, codes, ..bare() }, gap)
}

fn bare() -> Scoring {
    Scoring {
        mode: Mode::Local,
        stop: Stop::AtZero,
        gap: Gap { open: 1, extend: 1 },
        codes: [0; 256],
        size: 1,
        scores: vec![0],
        identity: [0; 256],
        scale: 1,
    }
}

fn scoring(scoring: Scoring, (open, extend): (i32, i32)) -> Scoring {
    Scoring { gap: Gap { open, extend }, ..scoring }
}

fn random(rng: &mut impl Rng, length: usize, letters: &[u8]) -> Vec<u8> {
    (0..length).map(|_| letters[rng.random_range(0..letters.len())]).collect()
}

/// A copy with some letters replaced, left out or doubled.
fn mutated(rng: &mut impl Rng, sequence: &[u8], rate: f64, letters: &[u8]) -> Vec<u8> {
    let mut copy = vec![];
    for &letter in sequence {
        match rng.random_bool(rate).then(|| rng.random_range(0..3)) {
            None => copy.push(letter),
            Some(0) => copy.push(letters[rng.random_range(0..letters.len())]),
            Some(1) => copy.extend([letter, letters[rng.random_range(0..letters.len())]]),
            Some(_) => (),
        }
    }
    copy
}

/// Aligns by all sets of instructions and both wants, and compares with the definition.
fn agree(pairs: &[(Vec<u8>, Vec<u8>)], scoring: &Scoring, limits: Limits) {
    let queries: Sequences = pairs.iter().map(|(query, _)| query).collect();
    let targets: Sequences = pairs.iter().map(|(_, target)| target).collect();
    let numbers: Vec<Pair> = (0..pairs.len() as u32).map(|k| Pair { query: k, target: k }).collect();
    let batch = Batch::new(&queries, &targets, &numbers);
    let want: Vec<_> = pairs.iter().map(|(query, target)| naive::align(scoring, query, target)).collect();
    for set in InstructionSet::all() {
        let mut cpu = Cpu { set, limits };
        let paths = align(&mut cpu, &batch, scoring, Want::Path).unwrap();
        let scores = align(&mut cpu, &batch, scoring, Want::Score).unwrap();
        for (k, want) in want.iter().enumerate() {
            let about = || format!("{set:?}, pair {k} of {:?}, {:?} {:?}", batch.lengths(k), scoring.mode, scoring.gap);
            assert!(paths[k] == *want, "{}: {:?}, not {want:?}", about(), paths[k]);
            let (row, column) = (want.query.end, want.target.end);
            let end = Alignment { score: want.score, query: row..row, target: column..column, path: vec![] };
            assert!(scores[k] == end, "{}: {:?}, not {end:?}", about(), scores[k]);
        }
    }
}

/// In all modes and with both stops.
fn agree_in_all_modes(pairs: &[(Vec<u8>, Vec<u8>)], scoring: &Scoring, limits: Limits) {
    for mode in MODES {
        for stop in STOPS {
            if mode == Mode::Local || stop == Stop::AtZero {
                agree(pairs, &Scoring { mode, stop, ..scoring.clone() }, limits);
            }
        }
    }
}

fn random_pairs(rng: &mut impl Rng, count: usize, most: usize, letters: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let pair = |_| {
        let [m, n] = [0; 2].map(|_| rng.random_range(0..=most));
        let query = random(rng, m, letters);
        let target = if rng.random_bool(0.5) { mutated(rng, &query, 0.1, letters) } else { random(rng, n, letters) };
        if rng.random_bool(0.3) { (target, query) } else { (query, target) }
    };
    (0..count).map(pair).collect()
}

#[test]
fn short_pairs_of_few_letters() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for gap in [(2, 2), (1, 1), (3, 1), (5, 2)] {
        for (equal, different) in [(1, -1), (2, -3), (5, -4), (1, 0), (3, 1)] {
            let pairs = random_pairs(&mut rng, 100, 14, b"AC");
            agree_in_all_modes(&pairs, &literal(equal, different, gap), LIMITS);
        }
    }
}

#[test]
fn pairs_around_the_sizes_of_strips_and_tiles() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for gap in [(2, 2), (4, 1)] {
        let mut pairs = random_pairs(&mut rng, 40, 200, b"ACGT");
        for m in [1, 3, 4, 5, 63, 64, 65, 127, 128, 129] {
            for n in [1, 16, 63, 64, 65, 129] {
                pairs.push((random(&mut rng, m, b"ACGT"), random(&mut rng, n, b"ACGT")));
            }
        }
        agree_in_all_modes(&pairs, &literal(1, -1, gap), LIMITS);
    }
}

#[test]
fn tables_of_any_size() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for (size, reach) in [(1, 3), (2, 3), (4, 9), (24, 15), (31, 127), (32, 10), (40, 10), (24, 1000), (20, 100_000)] {
        for gap in [(3, 3), (11, 1), (200, 150)] {
            let scores = (0..size * size).map(|_| rng.random_range(-reach..=reach)).collect();
            let letters: Vec<u8> = (0..size).map(|k| b'A' + k as u8).collect();
            let pairs = random_pairs(&mut rng, 30, 90, &letters);
            agree_in_all_modes(&pairs, &table(size, scores, gap), LIMITS);
        }
    }
}

#[test]
fn all_256_letters() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let letters: Vec<u8> = (0..=255).collect();
    let mut pairs = random_pairs(&mut rng, 30, 150, &letters);
    pairs.push((letters.clone(), letters.clone()));
    agree_in_all_modes(&pairs, &literal(1, -1, (2, 2)), LIMITS);
}

#[test]
fn scores_at_the_edges_of_lanes() {
    for gap in [(2, 2), (3, 1)] {
        for length in [120, 126, 127, 128, 129, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 256, 257] {
            let pair = (b"A".repeat(length), b"A".repeat(length));
            agree_in_all_modes(&[pair], &literal(1, -1, gap), LIMITS);
        }
        for equal in [32766, 32767, 32768, 65500, 65525, 65530, 65535, 65536, 70000] {
            for different in [-1, -100] {
                let pairs = [(b"A".to_vec(), b"CA".to_vec()), (b"AAG".to_vec(), b"AATA".to_vec())];
                agree_in_all_modes(&pairs, &literal(equal, different, gap), LIMITS);
            }
        }
        for equal in [655, 656, 2184] {
            let pairs =
                [14, 15, 16, 29, 30, 31, 49, 50, 51, 99, 100, 101].map(|n| (b"A".repeat(n), b"A".repeat(n + 1)));
            agree_in_all_modes(&pairs, &literal(equal, -1, gap), LIMITS);
        }
    }
}

#[test]
fn scores_and_costs_of_32_bits() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let pairs = random_pairs(&mut rng, 40, 80, b"ACGT");
    for (equal, different) in [(i32::MAX, -i32::MAX), (i32::MAX, i32::MIN), (1, i32::MIN), (20_000_000, -20_000_000)] {
        for gap in [(i32::MAX, i32::MAX), (i32::MAX, 1), (1, 1), (100_000, 7)] {
            agree_in_all_modes(&pairs, &literal(equal, different, gap), LIMITS);
        }
    }
}

/// All pairs are cut into tiles.
const TILES: Limits = Limits { cells: 0, length: 0, few: 0 };

#[test]
fn small_pairs_in_tiles() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for (equal, different, gap) in
        [(1, -1, (2, 2)), (2, -3, (5, 1)), (1000, -2000, (3000, 200)), (i32::MAX, -7, (9, 4))]
    {
        let mut pairs = random_pairs(&mut rng, 40, 60, b"ACG");
        pairs.extend(random_pairs(&mut rng, 3, 700, b"ACG"));
        agree_in_all_modes(&pairs, &literal(equal, different, gap), TILES);
    }
}

#[test]
fn pairs_of_many_tiles() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let query = random(&mut rng, 1600, b"ACGT");
    let similar = mutated(&mut rng, &query, 0.1, b"ACGT");
    let other = random(&mut rng, 1100, b"ACGT");
    let pairs = [
        (query.clone(), similar.clone()),
        (query[..1024].to_vec(), similar[..512].to_vec()),
        (similar[100..613].to_vec(), query.clone()),
        (other, query.clone()),
        (query.clone(), b"A".to_vec()),
        (b"ACCA".to_vec(), query),
        (b"A".repeat(1500), b"A".repeat(1300)),
    ];
    for (equal, different, gap) in [(1, -1, (2, 2)), (5, -4, (11, 1))] {
        agree_in_all_modes(&pairs, &literal(equal, different, gap), TILES);
    }
    let scores = (0..16).map(|_| rng.random_range(-90..=100)).collect();
    let as_table =
        Scoring { codes: literal(1, -1, (1, 1)).codes.map(|letter| (letter >> 1) & 3), ..table(4, scores, (90, 30)) };
    agree_in_all_modes(&pairs[1..4], &as_table, TILES);
}

#[test]
fn threads_and_order_change_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut pairs = random_pairs(&mut rng, 300, 70, b"ACGT");
    pairs.extend(random_pairs(&mut rng, 5, 1100, b"ACGT"));
    let queries: Sequences = pairs.iter().map(|(query, _)| query).collect();
    let targets: Sequences = pairs.iter().map(|(_, target)| target).collect();
    let mut numbers: Vec<Pair> = (0..pairs.len() as u32).map(|k| Pair { query: k, target: k }).collect();
    let scoring = literal(2, -3, (5, 2));
    let align = |numbers: &[Pair], threads: usize, limits| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let batch = Batch::new(&queries, &targets, numbers);
        pool.install(|| align(&mut Cpu { limits, ..Cpu::new() }, &batch, &scoring, Want::Path).unwrap())
    };
    let want = align(&numbers, 1, LIMITS);
    assert_eq!(align(&numbers, 4, LIMITS), want);
    assert_eq!(align(&numbers, 4, TILES), want);
    numbers.reverse();
    let reversed: Vec<_> = want.into_iter().rev().collect();
    assert_eq!(align(&numbers, 4, LIMITS), reversed);
    assert_eq!(align(&numbers[..0], 4, LIMITS), []);
}
