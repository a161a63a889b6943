//! The engine against the definition in plain loops ([`naive`]): every mode, every set of vectors, scores at the edges of
//! lanes, lengths at the edges of strips, chunks, tiles and groups.

mod naive {
    //! The definition in plain loops: three whole matrices of 64-bit numbers, and a traceback over them.

    use crate::{Alignment, Mode, Op, Run, Scoring, Stop};

    const NONE: i64 = i64::MIN / 4;

    struct Matrices<'a> {
        scoring: &'a Scoring,
        query: &'a [u8],
        target: &'a [u8],
        h: Vec<Vec<i64>>,
        e: Vec<Vec<i64>>,
        f: Vec<Vec<i64>>,
    }

    fn gap(scoring: &Scoring, n: usize) -> i64 {
        if n == 0 { 0 } else { i64::from(scoring.gap.open) + (n as i64 - 1) * i64::from(scoring.gap.extend) }
    }

    impl Matrices<'_> {
        fn fill(&mut self) {
            let (open, extend) = (i64::from(self.scoring.gap.open), i64::from(self.scoring.gap.extend));
            let mode = self.scoring.mode;
            for i in 0..=self.query.len() {
                for j in 0..=self.target.len() {
                    if i == 0 || j == 0 {
                        let free = match mode {
                            Mode::Local | Mode::Overlap => true,
                            Mode::Global => false,
                            Mode::Fit => i == 0,
                        };
                        self.h[i][j] = if free { 0 } else { -gap(self.scoring, i + j) };
                        continue;
                    }
                    self.e[i][j] = (self.h[i][j - 1] - open).max(self.e[i][j - 1] - extend);
                    self.f[i][j] = (self.h[i - 1][j] - open).max(self.f[i - 1][j] - extend);
                    let best = self.diagonal(i, j).max(self.e[i][j]).max(self.f[i][j]);
                    self.h[i][j] = if mode == Mode::Local { best.max(0) } else { best };
                }
            }
        }

        fn diagonal(&self, i: usize, j: usize) -> i64 {
            self.h[i - 1][j - 1] + i64::from(self.scoring.score(self.query[i - 1], self.target[j - 1]))
        }

        fn end(&self) -> (usize, usize) {
            let (m, n) = (self.query.len(), self.target.len());
            let mut end = None;
            for i in 0..=m {
                for j in 0..=n {
                    let allowed = match self.scoring.mode {
                        Mode::Local => true,
                        Mode::Global => i == m && j == n,
                        Mode::Fit => i == m,
                        Mode::Overlap => i == m || j == n,
                    };
                    if allowed && end.is_none_or(|(k, l): (usize, usize)| self.h[i][j] > self.h[k][l]) {
                        end = Some((i, j));
                    }
                }
            }
            end.unwrap()
        }

        /// The ops from the end, and where they start.
        fn traceback(&self, (mut i, mut j): (usize, usize)) -> (Vec<Op>, (usize, usize)) {
            let open = i64::from(self.scoring.gap.open);
            let (mode, mut ops, mut gap) = (self.scoring.mode, vec![], None);
            loop {
                let on_border = i == 0 || j == 0;
                if gap.is_none() && on_border {
                    let charged = mode == Mode::Global || mode == Mode::Fit && j == 0;
                    if charged {
                        ops.extend(std::iter::repeat_n(Op::Insertion, std::mem::take(&mut i)));
                        ops.extend(std::iter::repeat_n(Op::Deletion, std::mem::take(&mut j)));
                    }
                    return (ops, (i, j));
                }
                let h = self.h[i][j];
                match gap {
                    None if mode == Mode::Local && self.scoring.stop == Stop::AtZero && h == 0 => return (ops, (i, j)),
                    None if h == self.diagonal(i, j) => {
                        (i, j) = (i - 1, j - 1);
                        let equal = self.scoring.equal(self.query[i], self.target[j]);
                        ops.push(if equal { Op::Equal } else { Op::Different });
                    }
                    None if h == self.f[i][j] => gap = Some(Op::Insertion),
                    None if h == self.e[i][j] => gap = Some(Op::Deletion),
                    None => return (ops, (i, j)),
                    Some(Op::Insertion) => {
                        if self.f[i][j] == self.h[i - 1][j] - open {
                            gap = None;
                        }
                        i -= 1;
                        ops.push(Op::Insertion);
                    }
                    Some(_) => {
                        if self.e[i][j] == self.h[i][j - 1] - open {
                            gap = None;
                        }
                        j -= 1;
                        ops.push(Op::Deletion);
                    }
                }
            }
        }
    }

    /// The alignment of two sequences, with its path.
    pub fn align(scoring: &Scoring, query: &[u8], target: &[u8]) -> Alignment {
        let matrix = |value| vec![vec![value; target.len() + 1]; query.len() + 1];
        let mut matrices = Matrices { scoring, query, target, h: matrix(0), e: matrix(NONE), f: matrix(NONE) };
        matrices.fill();
        let end = matrices.end();
        let (ops, start) = matrices.traceback(end);
        let mut path: Vec<Run> = vec![];
        for op in ops.into_iter().rev() {
            match path.last_mut() {
                Some(run) if run.op == op => run.length += 1,
                _ => path.push(Run { op, length: 1 }),
            }
        }
        let range = |start: usize, end: usize| start as u64..end as u64;
        Alignment {
            score: matrices.h[end.0][end.1],
            query: range(start.0, end.0),
            target: range(start.1, end.1),
            path: path.into(),
        }
    }
}

use super::*;
use crate::{Batch, Runs, Scoring, Want, align};
use crate::{Gap, Mode, Pair, Sequences, Stop};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::atomic::{AtomicUsize, Ordering};

const MODES: [Mode; 4] = [Mode::Local, Mode::Global, Mode::Fit, Mode::Overlap];
const STOPS: [Stop; 2] = [Stop::AtZero, Stop::ThroughZero];

/// Residues are their own codes; equal or not.
pub fn literal(equal: i32, different: i32, gap: (i32, i32)) -> Scoring {
    let codes = std::array::from_fn(|residue| residue as u8);
    let scores = (0..256 * 256).map(|k| if k / 256 == k % 256 { equal } else { different }).collect();
    let identity = std::array::from_fn(|residue| residue as u8);
    scoring(Scoring { size: 256, scores, identity, codes, ..bare() }, gap)
}

/// Residues A, B, C ... of a table, row by row.
pub fn table(size: usize, scores: Vec<i32>, gap: (i32, i32)) -> Scoring {
    let codes = std::array::from_fn(|residue| (residue.wrapping_sub(usize::from(b'A'))).min(size - 1) as u8);
    let identity = std::array::from_fn(|residue| residue as u8);
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

fn random(rng: &mut impl Rng, length: usize, residues: &[u8]) -> Vec<u8> {
    (0..length).map(|_| residues[rng.random_range(0..residues.len())]).collect()
}

/// A copy with some residues replaced, left out or doubled.
fn mutated(rng: &mut impl Rng, sequence: &[u8], rate: f64, residues: &[u8]) -> Vec<u8> {
    let mut copy = vec![];
    for &residue in sequence {
        match rng.random_bool(rate).then(|| rng.random_range(0..3)) {
            None => copy.push(residue),
            Some(0) => copy.push(residues[rng.random_range(0..residues.len())]),
            Some(1) => copy.extend([residue, residues[rng.random_range(0..residues.len())]]),
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
        let mut cpu = Cpu { limits, ..Cpu::with_instructions(set) };
        let paths = align(&mut cpu, &batch, scoring, Want::Path).unwrap();
        let scores = align(&mut cpu, &batch, scoring, Want::Score).unwrap();
        for (k, want) in want.iter().enumerate() {
            let about = || format!("{set:?}, pair {k} of {:?}, {:?} {:?}", batch.lengths(k), scoring.mode, scoring.gap);
            assert!(paths[k] == *want, "{}: {:?}, not {want:?}", about(), paths[k]);
            let (row, column) = (want.query.end, want.target.end);
            let end = Alignment { score: want.score, query: row..row, target: column..column, path: Runs::NONE };
            assert!(scores[k] == end, "{}: {:?}, not {end:?}", about(), scores[k]);
        }
    }
}

/// Wants a job until it has been asked so often.
pub(crate) struct Impatient(AtomicUsize);

impl Impatient {
    pub(crate) fn new(asked: usize) -> Self {
        Self(AtomicUsize::new(asked))
    }
}

impl Watch for Impatient {
    fn is_wanted(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) > 1
    }
}

#[test]
fn alignments_that_are_not_wanted_are_given_up() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let [queries, targets]: [Sequences; 2] = [0; 2].map(|_| (0..200).map(|_| random(&mut rng, 600, b"ACGT")).collect());
    let pairs: Vec<Pair> = (0..200).map(|k| Pair { query: k, target: k }).collect();
    let (batch, scoring) = (Batch::new(&queries, &targets, &pairs), &literal(2, -3, (5, 2)));
    for limits in [LIMITS, TILES] {
        let mut cpu = Cpu { limits, ..Cpu::new() };
        for want in [Want::Score, Want::Path] {
            let (job, mut output) = (crate::Job { batch, scoring, want, names: None }, Vec::new());
            for asked in [1, 2, 5] {
                assert!(!cpu.compute_watched(job, &mut output, &Impatient::new(asked)).unwrap() && output.is_empty());
            }
            assert!(cpu.compute_watched(job, &mut output, &Patient).unwrap() && output.len() == 200);
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

fn random_pairs(rng: &mut impl Rng, count: usize, most: usize, residues: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let pair = |_| {
        let [m, n] = [0; 2].map(|_| rng.random_range(0..=most));
        let query = random(rng, m, residues);
        let target = if rng.random_bool(0.5) { mutated(rng, &query, 0.1, residues) } else { random(rng, n, residues) };
        if rng.random_bool(0.3) { (target, query) } else { (query, target) }
    };
    (0..count).map(pair).collect()
}

#[test]
fn short_pairs_of_few_residues() {
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
            let residues: Vec<u8> = (0..size).map(|k| b'A' + k as u8).collect();
            let pairs = random_pairs(&mut rng, 30, 90, &residues);
            agree_in_all_modes(&pairs, &table(size, scores, gap), LIMITS);
        }
    }
}

#[test]
fn all_256_residues() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let residues: Vec<u8> = (0..=255).collect();
    let mut pairs = random_pairs(&mut rng, 30, 150, &residues);
    pairs.push((residues.clone(), residues.clone()));
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
        Scoring { codes: literal(1, -1, (1, 1)).codes.map(|residue| (residue >> 1) & 3), ..table(4, scores, (90, 30)) };
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
