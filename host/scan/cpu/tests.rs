//! All algorithms against plain loops: hand cases at the edges, then scenarios made to hurt the anchor.

use super::*;
use crate::pattern::patterns;
use crate::seeds::plan::Encoding;
use crate::seeds::planes::Planes;
use crate::seeds::{Chains, Columns, Cover, Rows, Span};
use crate::{Fraction, Limits, Mismatches, Signature, Strands, find, find_within};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use warpseq_seq::iupac;

const ALL: [Algorithm; 3] = [Algorithm::Auto, Algorithm::Anchor, Algorithm::Brute];

fn batch(sequences: &[Vec<u8>]) -> Records {
    sequences.iter().enumerate().map(|(k, sequence)| (k.to_string(), sequence)).collect()
}

/// Wild positions and mismatches of a place, by the definition.
fn compare(sequence: &[u8], pattern: &[u8], wildcards: Wildcards) -> Limits {
    let mut found = Limits::default();
    for (&s, &q) in sequence.iter().zip(pattern) {
        let (compatible, single) = match wildcards {
            Wildcards::N => (s == q || s == b'N' || q == b'N', s != b'N' && q != b'N'),
            Wildcards::Iupac => {
                let (s, q) = (iupac::base_set(s).unwrap(), iupac::base_set(q).unwrap());
                (s & q != 0, s.count_ones() == 1 && q.count_ones() == 1)
            }
        };
        found.mismatches += u32::from(!compatible);
        found.wild += u32::from(compatible && !single);
    }
    found
}

fn naive(batch: &Records, patterns: &[Pattern], wildcards: Wildcards) -> Vec<Hit> {
    let mut hits = vec![];
    for sequence in 0..batch.len() {
        for (k, pattern) in patterns.iter().enumerate() {
            for (start, window) in batch.sequence(sequence).windows(pattern.bases().len()).enumerate() {
                let Limits { wild, mismatches } = compare(window, pattern.bases(), wildcards);
                if wild <= pattern.limits().wild && mismatches <= pattern.limits().mismatches {
                    let (sequence, pattern, start) = (sequence as u32, k as u32, start as u64);
                    hits.push(Hit { sequence, pattern, start, wild, mismatches });
                }
            }
        }
    }
    hits
}

/// Runs all algorithms without mismatches and with some, and returns how many matches without there are.
fn agree(sequences: &[Vec<u8>], signatures: &[Vec<u8>], options: Options) -> usize {
    for mismatches in [Mismatches::Count(1), Mismatches::Count(3), Mismatches::Share(Fraction::printed(0.1))] {
        agree_under(sequences, signatures, Options { max_mismatch: mismatches, ..options });
    }
    agree_under(sequences, signatures, options)
}

/// Runs all algorithms, with whole and with tiny segments, and returns how many matches there are.
fn agree_under(sequences: &[Vec<u8>], signatures: &[Vec<u8>], options: Options) -> usize {
    let signature = |bases: &Vec<u8>| Signature::new("", bases.clone());
    let patterns = patterns(&signatures.iter().map(signature).collect::<Vec<_>>(), &options);
    let batch = batch(sequences);
    let mut want = naive(&batch, &patterns, options.wildcards);
    want.sort();
    for algorithm in ALL {
        for segment in [SEGMENT, 257, 64] {
            let mut cpu = Cpu::with_algorithm(&options, &patterns, algorithm);
            cpu.segment = segment;
            let mut hits = find(&mut cpu, &batch).unwrap();
            hits.sort();
            let wrong = hits.iter().zip(&want).find(|(hit, want)| hit != want);
            let counts = (hits.len(), want.len());
            assert!(hits == want, "{algorithm:?}, segments of {segment}: {counts:?} {wrong:?} {options:?}");
            assert!(
                in_streaks(&mut cpu, &batch) == want,
                "{algorithm:?}, segments of {segment}, in streaks: {options:?}"
            );
        }
    }
    want.len()
}

/// What an engine finds that may put matches together, each by itself and in order.
fn in_streaks(cpu: &mut Cpu, batch: &Records) -> Vec<Hit> {
    let streaks = Mutex::default();
    let mut hits = find_within(cpu, Job { streaks: Some(&streaks), ..Job::new(batch, usize::MAX) }).unwrap().unwrap();
    for streak in streaks.into_inner().unwrap() {
        let hit = |(pattern, start)| Hit { sequence: streak.sequence, pattern, start, wild: 0, mismatches: 0 };
        hits.extend(streak.patterns().zip(streak.start..).map(hit));
    }
    hits.sort();
    hits
}

fn options(wildcards: Wildcards, max_n_frac: f64) -> Options {
    Options { wildcards, max_n_frac: Fraction::printed(max_n_frac), ..Options::default() }
}

fn bytes(bases: &[&str]) -> Vec<Vec<u8>> {
    bases.iter().map(|s| s.as_bytes().to_vec()).collect()
}

#[test]
fn edges_of_sequences() {
    let sequences = bytes(&["", "ACGT", "", "A", "CGTACGTT", "ACGTACGTACGTACGTACGTACGTA", ""]);
    let signatures = bytes(&["A", "T", "ACGT", "ACGTA", "CGTACGTT", "GTTACGTACG", "NNNNACGT", "ACGTNNNN"]);
    // A and T: 10 each, for two signatures; ACGT 8; ACGTA 6 and 6 reversed; CGTACGTT 1.
    assert_eq!(agree(&sequences, &signatures, options(Wildcards::N, 0.0)), 61);
    assert!(agree(&sequences, &signatures, options(Wildcards::Iupac, 1.0)) > 61);
}

/// Wants a job until it has been asked so often.
struct Impatient(AtomicUsize);

impl Watch for Impatient {
    fn is_wanted(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) > 1
    }
}

/// Keeps the largest share that it hears, in thousandths.
struct Listener(AtomicUsize);

impl Watch for Listener {
    fn hear(&self, done: usize, all: usize) {
        self.0.fetch_max(1000 * done / all, Ordering::Relaxed);
    }
}

#[test]
fn a_search_that_is_not_wanted_is_given_up_and_one_that_is_tells_how_far_it_is() {
    let options = options(Wildcards::Iupac, 0.1);
    let patterns = patterns(&[Signature::new("q", b"ACGT".to_vec())], &options);
    let batch = batch(&[b"ACGT".repeat(100_000)]);
    for algorithm in [Algorithm::Auto, Algorithm::Brute] {
        let mut cpu = Cpu::with_algorithm(&options, &patterns, algorithm);
        let (mut found, listener) = (None, Listener(AtomicUsize::new(0)));
        let job = Job::new(&batch, usize::MAX);
        assert!(!cpu.compute_watched(job, &mut found, &Impatient(AtomicUsize::new(4))).unwrap());
        assert!(cpu.compute_watched(job, &mut found, &listener).unwrap());
        assert_eq!(listener.0.into_inner(), 1000);
        assert_eq!(found.map(|found| found.len()), Some(100_000));
    }
}

#[test]
fn no_sequences_no_patterns() {
    assert_eq!(agree(&[], &bytes(&["ACGT"]), options(Wildcards::N, 0.5)), 0);
    assert_eq!(agree(&bytes(&["", ""]), &bytes(&["ACGT", "N"]), options(Wildcards::N, 1.0)), 0);
    assert_eq!(agree(&bytes(&["ACGT"]), &[], options(Wildcards::N, 0.5)), 0);
}

#[test]
fn gaps_match_nothing_but_themselves_as_bytes() {
    let sequences = bytes(&["AC-GTNN-ACGT---------------NNNNNNNNNNNNNNN-A", "-"]);
    let signatures = bytes(&["N", "NNN", "ACNGT", "GTNN", "ACGT", "CNNNNNNNNNNNN"]);
    assert!(agree(&sequences, &signatures, options(Wildcards::Iupac, 1.0)) > 0);
    assert!(agree(&sequences, &bytes(&["C-G", "N-A"]), options(Wildcards::N, 1.0)) > 0);
}

#[test]
fn bases_of_both_alphabets() {
    let sequences = bytes(&["acgtuRYSWKMBDHVN.ACGTUryswkmbdhvnNNNN", "ACGUacguACGTRYacgtrySWKM!x%"]);
    let signatures = bytes(&["ACGU", "acgt", "RYSW", "gtRY", "N.n", "UACG", "ACGTRYAC"]);
    assert!(agree(&sequences, &signatures, options(Wildcards::N, 1.0)) > 0);
    assert!(agree(&sequences[..1], &signatures, options(Wildcards::Iupac, 1.0)) > 0);
}

/// Bases of which a share is N (or, for IUPAC, any ambiguity).
pub(super) fn bases_with(rng: &mut impl Rng, length: usize, n: f64, wild: &[u8]) -> Vec<u8> {
    let base =
        |_| if rng.random_bool(n) { wild[rng.random_range(0..wild.len())] } else { b"ACGT"[rng.random_range(0..4)] };
    (0..length).map(base).collect()
}

/// Sequences with the signatures put in at random places, forward, some of their bases replaced by N.
fn plant(rng: &mut impl Rng, sequences: &mut [Vec<u8>], signatures: &[Vec<u8>], n: f64) {
    for sequence in sequences {
        let signature = &signatures[rng.random_range(0..signatures.len())];
        if signature.len() <= sequence.len() {
            let at = rng.random_range(0..=sequence.len() - signature.len());
            for (k, &base) in signature.iter().enumerate() {
                sequence[at + k] = if rng.random_bool(n) { b'N' } else { base };
            }
        }
    }
}

#[test]
fn random_bases_at_any_share_of_n() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (n, max_n_frac) in [(0.0, 0.5), (0.1, 0.5), (0.1, 1.0), (0.3, 0.5), (0.5, 0.5), (0.5, 0.9)] {
        for (wildcards, wild) in [(Wildcards::N, &b"N"[..]), (Wildcards::Iupac, b"NNRYSWKMBDHV.n")] {
            let lengths = [1, 5, 7, 8, 9, 23, 24, 25, 63, 64, 65, 100, 150, 300];
            let signatures: Vec<_> = lengths.iter().map(|&m| bases_with(&mut rng, m, n, wild)).collect();
            let mut sequences: Vec<_> = (0..12).map(|k| bases_with(&mut rng, 37 * k, n, wild)).collect();
            plant(&mut rng, &mut sequences, &signatures, n);
            assert!(agree(&sequences, &signatures, options(wildcards, max_n_frac)) > 0);
        }
    }
}

#[test]
fn scenarios_made_to_hurt() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let periodic: Vec<u8> = (0..900).map(|k| if k % 3 == 0 { b'N' } else { b"ACGT"[k * k % 4] }).collect();
    let poly = b"A".repeat(700);
    let mut gaps = bases_with(&mut rng, 1500, 0.0, b"N");
    gaps[100..180].fill(b'N');
    gaps[400..1100].fill(b'N');
    let signatures = vec![
        periodic[31..131].to_vec(),
        b"A".repeat(40),
        b"N".repeat(20),
        [b"N".repeat(40), b"ACGTACGTAC".to_vec()].concat(),
        gaps[60..260].to_vec(),
        gaps[350..450].to_vec(),
        gaps[1050..1150].to_vec(),
        [poly[..30].to_vec(), b"C".to_vec()].concat(),
        b"ANANANANANANANANAN".to_vec(),
    ];
    let sequences = [periodic, poly, gaps, b"N".repeat(600)];
    for max_n_frac in [0.0, 0.2, 0.5, 0.8, 1.0] {
        for wildcards in [Wildcards::N, Wildcards::Iupac] {
            assert!(agree(&sequences, &signatures, options(wildcards, max_n_frac)) > 0);
        }
    }
}

#[test]
fn a_plan_serves_batches_it_was_not_made_for() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let signatures: Vec<_> = (0..20).map(|_| bases_with(&mut rng, 50, 0.05, b"N")).collect();
    let signature = |bases: &Vec<u8>| Signature::new("", bases.clone());
    let options = Options { strands: Strands::Forward, ..Options::default() };
    let patterns = patterns(&signatures.iter().map(signature).collect::<Vec<_>>(), &options);
    let mut cpu = Cpu::new(&options, &patterns);
    assert_eq!(find(&mut cpu, &batch(&[])).unwrap(), []);
    for _ in 0..3 {
        let mut sequences: Vec<_> = (0..30).map(|k| bases_with(&mut rng, 20 * k, 0.05, b"N")).collect();
        plant(&mut rng, &mut sequences, &signatures, 0.05);
        let batch = batch(&sequences);
        let (mut hits, mut want) = (find(&mut cpu, &batch).unwrap(), naive(&batch, &patterns, options.wildcards));
        hits.sort();
        want.sort();
        assert!(!want.is_empty());
        assert_eq!(hits, want);
    }
}

/// Long patterns have several spans. Runs of N lie over some of them, over most, or over all; some patterns match all the same.
#[test]
fn long_patterns_in_runs_of_n() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for share in [0.0, 0.02, 0.3] {
        let signatures: Vec<_> = [200, 333, 500, 800, 1400].map(|m| bases_with(&mut rng, m, share / 10.0, b"N")).into();
        let mut sequences: Vec<_> = (0..5).map(|_| bases_with(&mut rng, 3000, share, b"N")).collect();
        plant(&mut rng, &mut sequences, &signatures, share);
        for sequence in &mut sequences {
            for _ in 0..rng.random_range(1..4) {
                let (start, length) = (rng.random_range(0..2500), rng.random_range(20..900));
                sequence[start..3000.min(start + length)].fill(b'N');
            }
        }
        for max_n_frac in [0.3, 0.5, 0.9, 1.0] {
            let found = agree(&sequences, &signatures, options(Wildcards::Iupac, max_n_frac));
            assert!(found > 0 || max_n_frac < 0.9, "{share} {max_n_frac}");
        }
    }
}

/// What stands in for the others is made when many places have been compared: in the middle of a segment, between two patterns.
#[test]
fn windows_take_over_from_comparing() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let signatures: Vec<_> = (0..40).map(|_| bases_with(&mut rng, 1500, 0.01, b"N")).collect();
    let mut sequence = Vec::new();
    for k in 0..120 {
        let mut copy = signatures[k % 40].clone();
        let mut at = rng.random_range(0..300);
        while at < copy.len() {
            let end = copy.len().min(at + rng.random_range(50..400));
            copy[at..end].fill(b'N');
            at = end + rng.random_range(50..400);
        }
        sequence.extend(copy);
        sequence.extend(bases_with(&mut rng, k, 0.0, b"N"));
    }
    let signature = |bases: &Vec<u8>| Signature::new("", bases.clone());
    let options = options(Wildcards::Iupac, 0.7);
    let patterns = patterns(&signatures.iter().map(signature).collect::<Vec<_>>(), &options);
    let (without, with) = (batch(&[bases_with(&mut rng, 3000, 0.0, b"N")]), batch(&[sequence]));
    let mut found = [Algorithm::Auto, Algorithm::Anchor, Algorithm::Brute].map(|algorithm| {
        // With narrow vectors, as with some others patterns are in rows, and there are no windows.
        let mut cpu = Cpu::with_algorithm(&options, &patterns, algorithm).with_instructions(InstructionSet::all()[0]);
        // Made for a batch without runs.
        assert_eq!(find(&mut cpu, &without).unwrap(), []);
        let made = |cpu: &Cpu| {
            let plan = cpu.plan.get().unwrap();
            plan.classes.iter().filter(|class| plan.windows(class, &cpu.queries).is_some()).count()
        };
        let before = if algorithm == Algorithm::Auto { made(&cpu) } else { 0 };
        let found = find(&mut cpu, &with).unwrap();
        assert_eq!((before, made(&cpu) > 0), (0, algorithm != Algorithm::Brute), "{algorithm:?}");
        found
    });
    found.iter_mut().for_each(|hits| hits.sort());
    let [auto, anchor, brute] = found;
    assert!(auto.len() >= 60 && auto == anchor && auto == brute, "{} {} {}", auto.len(), anchor.len(), brute.len());
}

/// Patterns in parts, with runs of N over half of these and mismatches in all others; some patterns are repeats, or have N themselves.
#[test]
fn what_parts_miss_beside_runs_is_found_by_short_tiles() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut signatures: Vec<_> = (0..5).map(|k| bases_with(&mut rng, 3000 + 150 * k, 0.0, b"N")).collect();
    signatures.push([bases_with(&mut rng, 1500, 0.0, b"N"), b"ACGTTGCAAC".repeat(150)].concat());
    signatures.push([bases_with(&mut rng, 1700, 0.0, b"N"), b"T".repeat(1500)].concat());
    signatures.push(bases_with(&mut rng, 3300, 0.004, b"N"));
    let options =
        Options { max_mismatch: Mismatches::Share(Fraction::printed(0.05)), ..options(Wildcards::Iupac, 0.5) };
    let signature = |bases: &Vec<u8>| Signature::new("", bases.clone());
    let patterns = patterns(&signatures.iter().map(signature).collect::<Vec<_>>(), &options);
    for segment in [SEGMENT, 5000] {
        let mut cpu = Cpu::new(&options, &patterns);
        cpu.segment = segment;
        // The plan is made for a batch without runs, with hardly a part to spare.
        let without = batch(&[bases_with(&mut rng, 9000, 0.0, b"N")]);
        assert_eq!(find(&mut cpu, &without).unwrap(), []);
        let plan = cpu.plan.get().unwrap();
        let [class] = &plan.classes[..] else { panic!("patterns have one layout") };
        assert!(class.shape.parted && plan.short_tiles(class, &cpu.queries).is_some());
        let mut sequence = bases_with(&mut rng, 700, 0.0, b"N");
        for (k, signature) in signatures.iter().enumerate() {
            let mut copy = signature.clone();
            let is_forward = |spans: &&[Span]| cpu.queries.all[spans[0].query as usize].pattern as usize == 2 * k;
            for span in plan.patterns_of(class).find(is_forward).unwrap() {
                for at in (span.offset as usize..).step_by(class.shape.tile).take(class.shape.tiles) {
                    copy[at] = if copy[at] == b'A' { b'C' } else { b'A' };
                }
            }
            // Nearly as many as may be wild.
            let wild = |copy: &[u8]| copy.iter().filter(|&&base| base == b'N').count();
            while wild(&copy) < copy.len() / 100 * 47 {
                let length = rng.random_range(100..500).min(copy.len() / 100 * 49 - wild(&copy));
                let at = rng.random_range(0..copy.len() - length);
                copy[at..at + length].fill(b'N');
            }
            sequence.extend(copy);
            sequence.extend(bases_with(&mut rng, 30 * k, 0.0, b"N"));
        }
        let batch = batch(&[sequence]);
        let (mut hits, mut want) = (find(&mut cpu, &batch).unwrap(), naive(&batch, &patterns, options.wildcards));
        hits.sort();
        want.sort();
        assert_eq!(hits, want, "segments of {segment}");
        assert!(want.len() >= 6, "{}", want.len());
    }
}

/// A set so large that most codes of its tiles are listed, in which signatures occur twice and differ by one base.
#[test]
fn many_signatures() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut signatures: Vec<_> = (0..1000).map(|_| bases_with(&mut rng, 12, 0.02, b"NRY")).collect();
    signatures.extend_from_within(..50);
    for k in 0..50 {
        let mut changed = signatures[k].clone();
        changed[k % 12] = b"ACGT"[k % 4];
        signatures.push(changed);
    }
    let mut sequences = vec![bases_with(&mut rng, 400, 0.1, b"N"), bases_with(&mut rng, 300, 0.0, b"N")];
    plant(&mut rng, &mut sequences, &signatures, 0.1);
    assert!(agree(&sequences, &signatures, options(Wildcards::Iupac, 0.5)) > 0);
}

/// All windows of a few references, some of which share a stretch, so that patterns follow one another in chains that end there; in
/// pieces of these references, forward and reverse, that follow one another without a gap.
#[test]
fn windows_of_references_in_pieces_of_them() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for (length, strands) in
        [(2, Strands::Both), (9, Strands::Both), (25, Strands::Both), (25, Strands::Reverse), (64, Strands::Forward)]
    {
        let mut references: Vec<_> = (0..3).map(|_| bases_with(&mut rng, 200, 0.0, b"N")).collect();
        let shared = references[0][40..40 + length + 10].to_vec();
        references[1][100..100 + shared.len()].copy_from_slice(&shared);
        references[2][..80].fill(b'A');
        let mut signatures: Vec<_> =
            references.iter().flat_map(|all| all.windows(length)).map(<[u8]>::to_vec).collect();
        signatures.dedup();
        let mut piece = |k: usize| {
            let mut piece = references[k % 3].clone();
            if k.is_multiple_of(2) {
                let complement = |&base: &u8| b"TGAC"[b"ACTG".iter().position(|&known| known == base).unwrap()];
                piece = piece.iter().rev().map(complement).collect();
            }
            let start = rng.random_range(0..100);
            piece = piece[start..rng.random_range(start..=200)].to_vec();
            for _ in 0..k % 4 {
                if let Some(base) = piece.get_mut(rng.random_range(0..150)) {
                    *base = b"ACGTNRn"[rng.random_range(0..7)];
                }
            }
            piece
        };
        let sequences: Vec<_> = (0..12).map(&mut piece).collect();
        let ways = [(Wildcards::Iupac, 0.0), (Wildcards::Iupac, 0.1), (Wildcards::N, 0.1)];
        let most = if length < 25 { 1 } else { 3 };
        for ((wildcards, max_n_frac), mismatches) in ways.into_iter().flat_map(|way| (0..=most).map(move |m| (way, m)))
        {
            let max_mismatch = Mismatches::Count(mismatches);
            let options = Options { strands, max_mismatch, ..options(wildcards, max_n_frac) };
            let signature = |bases: &Vec<u8>| Signature::new("", bases.clone());
            let patterns = patterns(&signatures.iter().map(signature).collect::<Vec<_>>(), &options);
            let queries = Queries::of::<Iupac>(&patterns);
            let all: Vec<u32> = (0..queries.all.len() as u32).collect();
            assert!(Chains::new(&queries.all, &all, false).is_some() || length == 2);
            assert!(agree_under(&sequences, &signatures, options) > 100);
        }
    }
}

#[test]
fn reads_with_runs_of_n_are_looked_up_among_thousands_of_patterns() {
    let mut dice = ChaCha8Rng::seed_from_u64(11);
    let mut base = |letters: &[u8]| letters[dice.random_range(0..letters.len())];
    let signatures: Vec<Vec<u8>> = (0..2500).map(|_| (0..60).map(|_| base(b"ACGT")).collect()).collect();
    let mut dice = ChaCha8Rng::seed_from_u64(12);
    // Each read is a pattern and some letters around it, with a run of wild symbols in it and three changed ones at most.
    let mut read = |signature: &Vec<u8>| {
        let mut read = [b"ACGTACGTAC", &signature[..], b"TTGCA"].concat();
        let (at, length) = (dice.random_range(5..60), dice.random_range(7..32));
        let wild = if dice.random_bool(0.8) { b'N' } else { b'R' };
        read[at..75.min(at + length)].fill(wild);
        for _ in 0..dice.random_range(0..4) {
            read[dice.random_range(10..70)] = b"ACGT"[dice.random_range(0..4)];
        }
        read
    };
    let reads: Vec<Vec<u8>> = signatures.iter().step_by(25).map(&mut read).collect();
    let options = options(Wildcards::Iupac, 0.5);
    for count in 1..=4 {
        let options = Options { max_mismatch: Mismatches::Count(count), ..options };
        let of = |bases: &Vec<u8>| Signature::new("", bases.clone());
        let patterns = patterns(&signatures.iter().map(of).collect::<Vec<_>>(), &options);
        let batch = batch(&reads);
        let mut want = naive(&batch, &patterns, Wildcards::Iupac);
        want.sort();
        for algorithm in [Algorithm::Auto, Algorithm::Anchor] {
            let mut hits = find(&mut Cpu::with_algorithm(&options, &patterns, algorithm), &batch).unwrap();
            hits.sort();
            assert!(want.len() >= 20 && hits == want, "{count}: {} of {}", hits.len(), want.len());
        }
    }
}

/// All patterns in rows, covered in this way.
fn cpu_with_rows(options: &Options, patterns: &[Pattern], bases: &[u8], cover: Cover) -> Cpu {
    let cpu = Cpu::new(options, patterns);
    let machine = Machine { together: TILE_MAX, vector: Some(16), follows: true };
    let frequencies = Frequencies::of(bases, iupac::digits(options.wildcards));
    let mut plan = Plan::new(&Queries::default(), &frequencies, Algorithm::Auto, machine);
    let all: Vec<u32> = (0..cpu.queries.all.len() as u32).collect();
    let mismatches = patterns.iter().map(|pattern| pattern.limits().mismatches).max().unwrap();
    plan.rows = vec![Rows::new(&cpu.queries, &all, (cover, mismatches), &frequencies)];
    let longest = patterns.iter().map(|pattern| pattern.bases().len()).max().unwrap();
    (plan.before, plan.after) = (longest, longest);
    assert!(cpu.plan.set(plan).is_ok());
    cpu
}

#[test]
fn patterns_in_rows_are_found_whatever_is_wild() {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    for (share, max_n_frac, mismatches, length, covers) in [
        (0.0, 0.1, 0, 12, [(3, 2, 1), (1, 1, 3)]),
        (0.3, 0.5, 0, 25, [(6, 4, 2), (5, 5, 7)]),
        (0.5, 0.9, 0, 90, [(16, 3, 1), (7, 6, 64)]),
        (0.3, 1.0, 0, 60, [(8, 3, 1), (15, 6, 2)]),
        (0.1, 0.2, 1, 20, [(5, 4, 1), (2, 2, 5)]),
        (0.3, 1.0, 2, 30, [(7, 5, 2), (4, 3, 1)]),
        (0.1, 0.4, 3, 40, [(10, 6, 3), (5, 5, 1)]),
        (0.2, 0.5, 5, 60, [(12, 9, 1), (8, 7, 2)]),
        (0.1, 0.3, 7, 70, [(16, 9, 1), (9, 8, 2)]),
    ] {
        for (wildcards, wild) in [(Wildcards::N, &b"N"[..]), (Wildcards::Iupac, b"NNRYSWKMBDHV.n")] {
            // Of one length, so many that they are in several rows.
            let count = if length == 60 && mismatches == 0 { 700 } else { 70 };
            let signatures: Vec<_> =
                (0..count).map(|k| bases_with(&mut rng, length + k % 5 * 9, share / 3.0, wild)).collect();
            let mut sequences: Vec<_> = (0..10).map(|k| bases_with(&mut rng, 97 * k, share, wild)).collect();
            plant(&mut rng, &mut sequences, &signatures, share);
            // Runs at which all of a row is left: short ones, and one of so many positions that all are not compared in turn.
            sequences[8][300..380].fill(b'N');
            if count == 700 {
                sequences[9].splice(400..400, std::iter::repeat_n(b'N', 1300));
            }
            let options = Options { max_mismatch: Mismatches::Count(mismatches), ..options(wildcards, max_n_frac) };
            let signature = |bases: &Vec<u8>| Signature::new("", bases.clone());
            let patterns = patterns(&signatures.iter().map(signature).collect::<Vec<_>>(), &options);
            let batch = batch(&sequences);
            let mut want = naive(&batch, &patterns, wildcards);
            want.sort();
            assert!(!want.is_empty());
            for ((windows, first, group), segment) in covers.into_iter().flat_map(|of| [(of, SEGMENT), (of, 100)]) {
                for set in InstructionSet::all() {
                    let cover = Cover { windows, first, group };
                    let cpu = cpu_with_rows(&options, &patterns, batch.sequences().residues(), cover);
                    let mut cpu = Cpu { segment, ..cpu.with_instructions(set) };
                    let mut hits = find(&mut cpu, &batch).unwrap();
                    hits.sort();
                    let counts = (hits.len(), want.len());
                    assert!(hits == want, "{counts:?} {cover:?} {set:?}, segments of {segment}: {options:?}");
                }
            }
        }
    }
}

#[test]
fn long_patterns_in_rows_are_found_in_runs_that_a_plan_does_not_know() {
    let mut rng = ChaCha8Rng::seed_from_u64(32);
    let signatures: Vec<_> = (0..120).map(|_| bases_with(&mut rng, 700, 0.3, b"N")).collect();
    let signature = |bases: &Vec<u8>| Signature::new("", bases.clone());
    let options = options(Wildcards::Iupac, 0.8);
    let patterns = patterns(&signatures.iter().map(signature).collect::<Vec<_>>(), &options);
    let mut sequences: Vec<_> = (0..6).map(|_| bases_with(&mut rng, 2500, 0.4, b"N")).collect();
    plant(&mut rng, &mut sequences, &signatures, 0.4);
    let without = batch(&sequences);
    for sequence in &mut sequences[..4] {
        let (start, length) = (rng.random_range(0..1500), rng.random_range(30..900));
        sequence[start..start + length].fill(b'N');
    }
    let mut cpu = Cpu::new(&options, &patterns);
    for batch in [without, batch(&sequences)] {
        let (mut hits, mut want) = (find(&mut cpu, &batch).unwrap(), naive(&batch, &patterns, options.wildcards));
        hits.sort();
        want.sort();
        assert!(!want.is_empty() && hits == want, "{} of {}", hits.len(), want.len());
    }
    assert_eq!(cpu.plan.get().unwrap().rows.iter().map(|rows| rows.spans.len()).sum::<usize>(), patterns.len());
}

#[test]
fn columns_tell_which_patterns_are_near() {
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    let mut random = |length: usize| (0..length).map(|_| b"ACGTN"[rng.random_range(0..5)]).collect::<Vec<u8>>();
    let bases: Vec<Vec<u8>> = (0..150).map(|k| random(8 + k % 70)).collect();
    let patterns: Vec<Pattern> =
        bases.iter().map(|bases| Pattern::new(0, false, bases.clone(), Limits { wild: 100, mismatches: 0 })).collect();
    let queries = Queries::of::<Iupac>(&patterns);
    let spans: Vec<_> = (0..150).map(|query| Span { query, offset: query % 7, order: 0 }).collect();
    let columns = Columns::new(&spans, &queries);
    let sequence = random(64);
    let mut planes = Planes::default();
    planes.fill(
        &sequence.iter().map(|&base| Iupac::DIGITS[base as usize]).collect::<Vec<u8>>(),
        InstructionSet::detect(),
    );
    for most in [0, 2, 6, 64] {
        let mut near = Vec::new();
        columns.each_near(planes.digits(0), most, |span| near.push(span));
        let pairs = |k: u32| sequence.iter().zip(&bases[k as usize][k as usize % 7..]);
        let different = |k: u32| pairs(k).filter(|(s, q)| s != q && **s != b'N' && **q != b'N').count() as u32;
        assert_eq!(near, (0..150).filter(|&k| different(k) <= most).collect::<Vec<_>>());
        assert!(most == 0 || !near.is_empty());
    }
}

#[test]
fn runs_of_n_are_passed_over_by_rows_of_short_patterns() {
    let mut rng = ChaCha8Rng::seed_from_u64(33);
    let signatures: Vec<_> = (0..300).map(|k| bases_with(&mut rng, 20 + k % 7, 0.1, b"RYSWKM")).collect();
    let signature = |bases: &Vec<u8>| Signature::new("", bases.clone());
    let options = options(Wildcards::Iupac, 0.5);
    let patterns = patterns(&signatures.iter().map(signature).collect::<Vec<_>>(), &options);
    let mut sequence = bases_with(&mut rng, 4000, 0.1, b"N");
    sequence.splice(2000..2000, std::iter::repeat_n(b'N', 3000));
    let mut sequences = [sequence];
    plant(&mut rng, &mut sequences, &signatures[..9], 0.0);
    let (batch, frequencies) = (batch(&sequences), Frequencies::of(&sequences[0], Iupac::DIGITS));
    let mut cpu = Cpu::new(&options, &patterns);
    let (mut hits, mut want) = (find(&mut cpu, &batch).unwrap(), naive(&batch, &patterns, options.wildcards));
    hits.sort();
    want.sort();
    assert!(!want.is_empty() && hits == want, "{} of {}", hits.len(), want.len());
    let (rows, _) = Rows::divide(&cpu.queries, ((0..cpu.queries.all.len() as u32).collect(), 64), &frequencies);
    assert!(!rows.is_empty() && rows.iter().all(|rows| rows.extent > rows.most_wild as usize));
}
