//! `amplicon`: products of every executor against the naive reference, and whole runs however they are made.

mod runs;

use crate::conformance::dice::Dice;
use crate::conformance::{cuda, emulated};
use warpseq::executor::{AnyExecutor, Engine, Part};
use warpseq::scan::amplicon::engine::Amplification;
use warpseq::scan::amplicon::primers::Primers;
use warpseq::scan::amplicon::products::Products;
use warpseq::scan::amplicon::{Options, Pair, Product, reference};
use warpseq::scan::device::Shared;
use warpseq::scan::engine::Search;
use warpseq::scan::reference::iupac::reverse_complement;
use warpseq::scan::{Algorithm, Options as SearchOptions, Patterns, Records, Wildcards, find};

/// An input of `amplicon`.
pub struct Case {
    pub name: String,
    pub pairs: Vec<Pair>,
    pub batch: Records,
    pub options: Options,
}

/// Genomes with places of the primers, spoiled or not, and pairs of every kind.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for max_mismatch in 0..=4 {
        for three_prime in [0, 1, 3, 6] {
            for circular in [false, true] {
                let seed = u64::from(100 * max_mismatch + 10 * three_prime) + u64::from(circular);
                let (min_length, max_length) = [(0, 5000), (20, 60), (40, 150)][seed as usize % 3];
                let options = Options { max_mismatch, three_prime, min_length, max_length, circular };
                cases.push(case(seed, options));
            }
        }
    }
    cases
}

fn case(seed: u64, options: Options) -> Case {
    let mut dice = Dice::new(7000 + seed);
    let length = options.max_mismatch as usize + 6;
    let mut primers: Vec<Vec<u8>> = (0..6).map(|k| dice.letters(b"ACGT", length + k)).collect();
    // One with codes, one that is its own reverse complement, and the reverse complement of another.
    primers[1][2] = b"RYSWKMBDHVNU."[dice.below(13)];
    primers[2] = [&primers[2][..], &reverse_complement(&primers[2], Wildcards::Iupac)].concat();
    primers[3] = reverse_complement(&primers[0], Wildcards::Iupac);
    let named = |(k, [forward, reverse]): (usize, [usize; 2])| {
        let probe = (k % 2 == 1).then(|| &primers[k % primers.len()][..]);
        Pair::new(format!("p{k}").as_bytes(), [&primers[forward], &primers[reverse]], probe, &options).unwrap()
    };
    let pairs =
        [[0, 1], [1, 0], [0, 4], [5, 5], [2, 2], [0, 3], [2, 5], [1, 1]].into_iter().enumerate().map(named).collect();
    let lengths = [0, 5, 30, 90, 250, 400];
    let changes = options.max_mismatch as usize + 1;
    let genome = |length| (format!("s{length}"), genome(&mut dice, &primers, length, changes));
    let batch = lengths.into_iter().map(genome).collect();
    Case { name: format!("{options:?}"), pairs, batch, options }
}

/// Random symbols with a primer, either way round, at every twentieth place or so, with up to so many changes.
fn genome(dice: &mut Dice, primers: &[Vec<u8>], length: usize, changes: usize) -> Vec<u8> {
    let mut bases = dice.bases(length, 2);
    for _ in 0..length / 20 {
        let mut primer = primers[dice.below(primers.len())].clone();
        if dice.below(2) == 0 {
            primer = reverse_complement(&primer, Wildcards::Iupac);
        }
        for _ in 0..dice.below(changes + 1) {
            let at = dice.below(primer.len());
            primer[at] = b"ACGTACGTacgtNRYu-"[dice.below(17)];
        }
        if primer.len() < length {
            // Over the end of the sequence, too.
            let start = dice.below(length);
            primer.iter().enumerate().for_each(|(k, &base)| bases[(start + k) % length] = base);
        }
    }
    bases
}

/// The products that an executor's matches make, and how many the reference finds.
fn check(case: &Case, algorithm: Algorithm, make: impl FnOnce(&Amplification) -> Vec<Product>) -> usize {
    let primers = &Primers::new(&case.pairs, case.options.max_mismatch);
    let options = &SearchOptions { circular: case.options.circular, ..SearchOptions::default() };
    let shared = &Shared::default();
    let patterns = Patterns::Made(primers.patterns());
    let search = Search { options, algorithm, signatures: &[], patterns, tables: None, hashed: false, shared };
    let products = Products { options: &case.options, primers, most: 10 };
    let amplification = Amplification { search, options: &case.options, pairs: &case.pairs, products };
    let expected = reference::amplify(&case.pairs, &case.batch, &case.options);
    let found = make(&amplification);
    let at = found.iter().zip(&expected).take_while(|(a, b)| a == b).count();
    assert!(found == expected, "{}, {algorithm:?}: {:?}, expected {:?}", case.name, found.get(at), expected.get(at));
    expected.len()
}

fn amplify<'e>(
    engine: &'e Amplification,
    mut executor: AnyExecutor<'e, Amplification<'e>>,
    case: &Case,
) -> Vec<Product> {
    let hits = find(&mut *executor, &case.batch).expect("an executor that was made can search");
    let mut found = Vec::new();
    let mut take = |some: &[Product]| {
        found.extend_from_slice(some);
        Ok(())
    };
    engine.each(&case.batch, hits, &mut take).unwrap();
    found
}

#[test]
fn cpu() {
    let mut count = 0;
    for case in cases() {
        for algorithm in [Algorithm::Auto, Algorithm::Anchor, Algorithm::Brute] {
            count += check(&case, algorithm, |engine| amplify(engine, engine.cpu(), &case));
        }
        check(&case, Algorithm::Auto, |engine| amplify(engine, engine.reference(), &case));
    }
    assert!(count > 4000, "{count} products");
}

fn on_gpu<G: warpseq::gpu::Gpu>(gpu: &std::sync::Arc<G>, case: &Case, algorithm: Algorithm) -> usize {
    check(case, algorithm, |engine| amplify(engine, engine.device(gpu.clone(), Part::alone(64 << 20)).unwrap(), case))
}

#[test]
fn emulator() {
    let gpu = emulated().unwrap();
    let count: usize = cases().iter().map(|case| on_gpu(&gpu, case, Algorithm::Auto)).sum();
    assert!(count > 40, "{count} products");
}

#[test]
fn gpu() {
    let Some(gpu) = cuda() else { return };
    for algorithm in [Algorithm::Auto, Algorithm::Anchor, Algorithm::Brute] {
        cases().iter().for_each(|case| assert!(on_gpu(&gpu, case, algorithm) < 10_000));
    }
}

/// A law that holds without a reference: what is amplified on one strand of a genome is amplified on the other.
#[test]
fn both_strands_of_a_genome_have_the_same_products() {
    for case in cases().into_iter().filter(|case| !case.options.circular) {
        let other = |k| (case.batch.name(k).to_vec(), reverse_complement(case.batch.sequence(k), Wildcards::Iupac));
        let mirrored = Case {
            name: case.name.clone(),
            pairs: case.pairs.clone(),
            batch: (0..case.batch.len()).map(other).collect(),
            options: case.options,
        };
        let products = |case: &Case| {
            let mut all = Vec::new();
            check(case, Algorithm::Auto, |engine| {
                all = amplify(engine, engine.cpu(), case);
                all.clone()
            });
            all
        };
        let turned = |product: Product| {
            let length = case.batch.sequence(product.sequence as usize).len() as u64;
            let pair = &case.pairs[product.pair as usize];
            let Product { start, end, reverse, forward_mismatches, reverse_mismatches, .. } = product;
            // A pair of a primer with itself has one strand, on which its primers change places.
            let mismatches = if pair.forward() == pair.reverse() {
                (false, reverse_mismatches, forward_mismatches)
            } else {
                (!reverse, forward_mismatches, reverse_mismatches)
            };
            let (reverse, forward_mismatches, reverse_mismatches) = mismatches;
            let (start, end) = (length - end, length - start);
            Product { start, end, reverse, forward_mismatches, reverse_mismatches, ..product }
        };
        let mut expected: Vec<_> = products(&mirrored).into_iter().map(turned).collect();
        expected.sort_unstable();
        assert!(products(&case) == expected, "{}", case.name);
    }
}
