//! Ranking on the emulator against a sort of the naive reference's scores.

use super::*;
use crate::matrix::Matrix;
use crate::reference::Reference;
use crate::scoring::{Alphabet as Residues, Decimal, Rules};
use crate::search::{Database, Passes};
use crate::{Batch, Pair, Want, align};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use warpseq_device::emulated::{Device as Size, Emulated};
use warpseq_engine::executor::Patient;

/// Ranks by the naive reference, and counts the queries.
#[derive(Default)]
struct Slow {
    queries: usize,
}

impl Rank for Slow {
    fn rank(&mut self, ranking: &Ranking, _: &dyn Watch) -> Result<Vec<Vec<Scored>>> {
        self.queries += ranking.queries();
        (0..ranking.queries()).map(|query| Ok(kept(ranking, query, scores(ranking, query)?))).collect()
    }
}

fn scores(ranking: &Ranking, query: usize) -> Result<Vec<i64>> {
    let targets = ranking.database.targets();
    let pairs: Vec<Pair> = (0..targets.len() as u32).map(|target| Pair { query: query as u32, target }).collect();
    let mut best = vec![0; pairs.len()];
    for queries in ranking.strands.iter().flatten() {
        let found = align(&mut Reference, &Batch::new(queries, targets, &pairs), ranking.scoring, Want::Score)?;
        best.iter_mut().zip(found).for_each(|(best, found)| *best = found.score.max(*best));
    }
    Ok(best)
}

fn kept(ranking: &Ranking, query: usize, scores: Vec<i64>) -> Vec<Scored> {
    let all = (0..).zip(scores).map(|(target, score)| Scored { target, score });
    let mut kept: Vec<Scored> = all.filter(|scored| scored.score >= ranking.least[query]).collect();
    kept.retain(|&scored| ranking.wants(query, scored));
    kept.sort_by_key(|scored| Reverse(scored.score));
    kept.truncate(ranking.top);
    kept.sort_by_key(|scored| scored.target);
    kept
}

fn proteins() -> Scoring {
    let alphabet = Residues::Matrix(Matrix::built_in("BLOSUM62").unwrap());
    Rules { alphabet, ..Rules::default() }.scoring().unwrap()
}

/// Sequences of up to `longest` of these residues, some of them like the ones before.
fn drawn(random: &mut ChaCha8Rng, count: usize, longest: usize, residues: &[u8]) -> Sequences {
    let mut last: Vec<u8> = Vec::new();
    let mut one = || {
        let length = random.random_range(0..=longest);
        let residue = |random: &mut ChaCha8Rng| residues[random.random_range(0..residues.len())];
        let like = random.random_range(0..2) == 0;
        let sequence = (0..length).map(|k| match last.get(k) {
            Some(&same) if like && random.random_range(0..5) > 0 => same,
            _ => residue(random),
        });
        last = sequence.collect();
        last.clone()
    };
    (0..count).map(|_| one()).collect()
}

/// How a job is ranked.
struct Case<'a> {
    queries: &'a Sequences,
    targets: &'a Sequences,
    scoring: &'a Scoring,
    reverse: bool,
    memory: usize,
    size: Size,
}

/// Compares what is kept with the reference, for several `top` and `least`; queries that the CPU ranked.
fn check(case: &Case) -> usize {
    let Case { queries, targets, scoring, reverse, memory, size } = *case;
    let database = Database::new(targets);
    let reversed = queries.iter().map(|query| query.iter().rev().copied().collect::<Vec<u8>>()).collect::<Sequences>();
    let strands = [Some(queries), reverse.then_some(&reversed)];
    let settings = Settings { memory, ..Settings::default() };
    let mut device = Device::new(Arc::new(Emulated::new(size)), settings, Box::new(Slow::default())).unwrap();
    let mut on_cpu = 0;
    for (top, least) in [(1, 0), (3, 0), (usize::MAX, 12), (targets.len(), 0), (2, 40)] {
        let least = vec![least; queries.len()];
        let passes = |score: i64, [query, target]: [usize; 2]| score as usize >= (query + target) / 8;
        let passes = (top == usize::MAX).then_some(&passes as Passes);
        let ranking = Ranking { strands, database: &database, scoring, top, least: &least, passes };
        let found = device.rank(&ranking, &Patient).unwrap();
        on_cpu = device.sent_to_cpu();
        for (query, found) in found.into_iter().enumerate() {
            let expected = kept(&ranking, query, scores(&ranking, query).unwrap());
            assert_eq!(found, expected, "query {query}, top {top}, least {}", least[query]);
        }
    }
    on_cpu
}

const BIG: usize = 1 << 30;
const ACIDS: &[u8] = b"ARNDCQEGHILKMFPSTWYVBZX";

#[test]
fn the_device_keeps_what_the_reference_keeps() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let (queries, targets) = (drawn(&mut random, 7, 90, ACIDS), drawn(&mut random, 23, 70, ACIDS));
    let scoring = proteins();
    for (reverse, memory) in [(false, BIG), (true, BIG), (true, 4096)] {
        let case =
            Case { queries: &queries, targets: &targets, scoring: &scoring, reverse, memory, size: Size::default() };
        assert_eq!(check(&case), 0);
    }
    let nucleotides = Rules { gap: Some(Decimal::whole(2)), ..Rules::default() }.scoring().unwrap();
    let (queries, targets) = (drawn(&mut random, 5, 80, b"ACGTN"), drawn(&mut random, 17, 90, b"ACGTN"));
    let case = Case {
        queries: &queries,
        targets: &targets,
        scoring: &nucleotides,
        reverse: true,
        memory: BIG,
        size: Size::default(),
    };
    assert_eq!(check(&case), 0);
}

#[test]
fn queries_of_several_strips_and_of_none() {
    let mut random = ChaCha8Rng::seed_from_u64(12);
    let mut queries = drawn(&mut random, 2, 600, ACIDS);
    queries.push(b"");
    let targets = drawn(&mut random, 9, 300, ACIDS);
    let case = Case {
        queries: &queries,
        targets: &targets,
        scoring: &proteins(),
        reverse: false,
        memory: 1 << 20,
        size: Size::default(),
    };
    assert_eq!(check(&case), 0);
}

#[test]
fn scores_beyond_16_bits_are_found_in_32() {
    let mut scoring = proteins();
    let tryptophan = usize::from(scoring.codes[usize::from(b'W')]);
    scoring.scores[tryptophan * scoring.size + tryptophan] = 127;
    let (mut queries, mut targets) = (Sequences::default(), Sequences::default());
    for length in [30, 257, 258, 259, 300] {
        queries.push(&vec![b'W'; length]);
        targets.push(&vec![b'W'; length]);
        targets.push(&[b'C'; 30]);
    }
    let (queries, targets, scoring) = (&queries, &targets, &scoring);
    let case = Case { queries, targets, scoring, reverse: false, memory: BIG, size: Size::default() };
    assert_eq!(check(&case), 0);
}

#[test]
fn what_no_kernel_takes_is_ranked_on_the_cpu() {
    let mut random = ChaCha8Rng::seed_from_u64(13);
    let (mut queries, targets) = (drawn(&mut random, 4, 60, ACIDS), drawn(&mut random, 9, 50, ACIDS));
    queries.push(&[b'K'; 700]);
    let scoring = proteins();
    let small = Size { shared_memory: 12 << 10, ..Size::default() };
    let case =
        Case { queries: &queries, targets: &targets, scoring: &scoring, reverse: false, memory: BIG, size: small };
    assert_eq!(check(&case), 1);
    let literal = Rules { alphabet: Residues::Literal, ..Rules::default() }.scoring().unwrap();
    assert_eq!(check(&Case { scoring: &literal, ..case }), 5);
    // Half of the memory holds 100 letters of couples, and the longest target has 200.
    let long: Sequences = [vec![b'K'; 200], vec![b'K'; 20]].iter().collect();
    let case = Case { targets: &long, memory: 400, size: Size::default(), ..case };
    assert_eq!(check(&case), 5);
    let none = Sequences::default();
    assert_eq!(
        check(&Case {
            targets: &none,
            size: Size::default(),
            queries: &queries,
            scoring: &scoring,
            reverse: false,
            memory: BIG
        }),
        5
    );
}
