//! The engine against plain loops over windows, k-mers and elements, with every set of instructions.

use super::*;
use crate::Words;
use crate::sparse::Sparse;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

const QUT: Parameters = Parameters::QUT;
const DNA: Parameters = Parameters::DNA;
const PROTEIN: Parameters = Parameters::PROTEIN;
const WINDOWS: [Window; 4] = [Window::Length(4), Window::Length(16), Window::Length(64), Window::Whole];

/// The k-mer that is counted, if there is one.
fn kmer(parameters: &Parameters, residues: &[u8]) -> Option<Vec<u8>> {
    let kmer: Vec<u8> = residues.iter().map(|&residue| parameters.alphabet.letter(residue)).collect::<Option<_>>()?;
    let repeats = |p: usize| kmer.iter().zip(&kmer[p..]).all(|(one, later)| one == later);
    if parameters.words == Words::Complex && (1..=6).any(|p| 3 * p <= kmer.len() && repeats(p)) {
        return None;
    }
    let complement = |&residue: &u8| b"TGCA"[b"ACGT".iter().position(|&base| base == residue).unwrap()];
    let other = parameters.canonical.then(|| kmer.iter().rev().map(complement).collect());
    Some(other.map_or(kmer.clone(), |other: Vec<u8>| other.min(kmer)))
}

fn dense(parameters: &Parameters, kmer: &[u8]) -> Vec<i64> {
    let key = match parameters.alphabet {
        Alphabet::Dna => kmer.iter().fold(0u64, |key, residue| {
            key.wrapping_mul(4) + b"ACGT".iter().position(|base| base == residue).unwrap() as u64
        }),
        _ => kmer
            .iter()
            .fold(0xcbf29ce484222325, |key: u64, &residue| (key ^ u64::from(residue)).wrapping_mul(0x100000001b3)),
    };
    let mut state = key;
    let mut elements = vec![];
    for _ in 0..parameters.bits / 64 {
        state = state.wrapping_add(0x9E3779B97F4A7C15);
        let z = (state ^ state >> 30).wrapping_mul(0xBF58476D1CE4E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D049BB133111EB);
        let z = z ^ z >> 31;
        elements.extend((0..64).map(|e| if z >> (63 - e) & 1 == 1 { 1 } else { -1 }));
    }
    elements
}

fn vector(parameters: &Parameters, kmer: &[u8]) -> Vec<i64> {
    if parameters.hash == Hash::Mix64 {
        return dense(parameters, kmer);
    }
    let columns = parameters.bits as usize / 64;
    let (mut positive, mut negative) = (vec![0; columns], vec![0; columns]);
    Sparse::new(parameters).vector(kmer, &mut positive, &mut negative);
    let element = |numbers: &[u64], e: usize| (numbers[e / 64] >> (63 - e % 64) & 1) as i64;
    (0..64 * columns).map(|e| element(&positive, e) - element(&negative, e)).collect()
}

fn naive(parameters: &Parameters, batch: &Records) -> Signatures {
    let mut signatures = Signatures::default();
    for sequence in (0..batch.len()).map(|k| batch.sequence(k)) {
        let length = sequence.len() as u64;
        for window in 0..parameters.window.count(length) {
            let range = parameters.window.range(window, length);
            let residues = &sequence[range.start as usize..range.end as usize];
            let kmers: Vec<_> = residues.windows(parameters.k as usize).filter_map(|w| kmer(parameters, w)).collect();
            let mut sum = vec![0; parameters.bits as usize];
            for kmer in &kmers {
                sum.iter_mut().zip(vector(parameters, kmer)).for_each(|(sum, element)| *sum += element);
            }
            let byte = |sums: &[i64]| sums.iter().fold(0, |byte, &sum| byte << 1 | u8::from(sum > 0));
            signatures.bytes.extend(sum.chunks(8).map(byte));
            signatures.present.push((!kmers.is_empty()).into());
        }
    }
    signatures
}

/// Signs with all sets of instructions, and in pieces of the usual and of a small size, into used buffers.
fn agree(parameters: Parameters, batch: &Records) {
    parameters.check().unwrap();
    let want = naive(&parameters, batch);
    let mut signatures = Signatures { bytes: vec![0xaa; 100], present: vec![7; 5] };
    for set in InstructionSet::all() {
        for piece in [PIECE, 37] {
            let mut cpu = Cpu { set, piece, ..Cpu::new(parameters) };
            cpu.compute(batch, &mut signatures).unwrap();
            assert!(signatures == want, "{parameters}, {set:?}, pieces of {piece}");
        }
    }
}

fn sequence(rng: &mut impl Rng, residues: &[u8], length: usize) -> Vec<u8> {
    (0..length).map(|_| residues[rng.random_range(0..residues.len())]).collect()
}

fn batch(sequences: impl IntoIterator<Item = Vec<u8>>) -> Records {
    let mut batch = Records::default();
    sequences.into_iter().for_each(|sequence| batch.push(b"", &sequence));
    batch
}

/// Every length from 0 to 100, one after another and in another order.
fn lengths(residues: &[u8]) -> Records {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    batch((0..=100).chain((0..=100).map(|k| k * 38 % 101)).map(|length| sequence(&mut rng, residues, length)))
}

#[test]
fn every_length_of_the_preset() {
    for window in WINDOWS {
        for k in [1, 2, 3, 4] {
            agree(Parameters { window, k, ..QUT }, &lengths(b"ACDEFGHIKLMNPQRSTVWY"));
        }
        agree(Parameters { window, alphabet: Alphabet::Protein, ..QUT }, &lengths(b"ACDEFGHIKLMNPQRSTVWYacx*B"));
    }
}

#[test]
fn every_length_of_dense_vectors() {
    for window in WINDOWS {
        for bits in [64, 1024, 1088] {
            for k in [4, 3, 1] {
                agree(Parameters { window, k, bits, ..DNA }, &lengths(b"ACGTACGTACGTacgtuUN"));
                agree(Parameters { window, k, bits, ..PROTEIN }, &lengths(b"ACDEFGHIKLMNPQRSTVWYacx*B"));
            }
        }
    }
}

#[test]
fn every_length_of_long_kmers() {
    for k in [15, 16, 21, 31, 32] {
        for window in [Window::Length(32), Window::Length(64), Window::Whole] {
            for canonical in [true, false] {
                agree(Parameters { window, k, canonical, bits: 256, ..DNA }, &lengths(b"ACGT"));
            }
            for alphabet in [Alphabet::Protein, Alphabet::Raw] {
                agree(Parameters { window, k, alphabet, bits: 192, ..PROTEIN }, &lengths(b"ACDEFGHIKLMN"));
            }
        }
    }
}

#[test]
fn every_length_of_isaac() {
    let isaac = Parameters { hash: Hash::Isaac, density: 21, words: Words::All, ..DNA };
    for window in [Window::Length(16), Window::Length(64), Window::Whole] {
        agree(Parameters { window, k: 3, bits: 64, ..isaac }, &lengths(b"ACGTACGTACGTacgtuUN"));
        agree(Parameters { window, k: 5, bits: 320, ..isaac }, &lengths(b"ACGTACGTACGTacgtuUN"));
        agree(Parameters { window, k: 12, bits: 64, ..isaac }, &lengths(b"ACGTACGTACGTacgtuUN"));
    }
}

#[test]
fn kmers_that_are_drawn_and_remembered() {
    for (k, alphabet, residues) in [(32, Alphabet::Raw, &b"AB\0\xff"[..]), (7, Alphabet::Protein, b"ACDEFGwyX")] {
        let parameters = Parameters { k, alphabet, hash: Hash::Isaac, bits: 192, window: Window::Length(64), ..QUT };
        agree(parameters, &lengths(residues));
    }
}

#[test]
fn raw_kmers_contain_any_byte() {
    let all: Vec<u8> = (0..=255).collect();
    for k in [1, 2, 3, 4] {
        agree(Parameters { k, ..QUT }, &lengths(&all));
    }
    agree(QUT, &lengths(b"acgtACGT*-\0\xff"));
    agree(Parameters { alphabet: Alphabet::Raw, window: Window::Length(16), ..PROTEIN }, &lengths(&all));
}

#[test]
fn residues_of_a_later_batch() {
    let mut cpu = Cpu::new(QUT);
    let mut signatures = Signatures::default();
    let all: Vec<u8> = (0..=255).collect();
    for residues in [&b"AC"[..], b"C", b"ADE", b"AB\xff", &all, b"AC", b""] {
        let batch = if residues.is_empty() { Records::default() } else { lengths(residues) };
        cpu.compute(&batch, &mut signatures).unwrap();
        assert_eq!(signatures, naive(&QUT, &batch));
    }
}

#[test]
fn long_sequences_beside_short_ones() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut lengths = vec![40_000, 3, 17, 5000, 0, 0, 9000, 8191, 8192];
    lengths.extend([20; 300]);
    let sequences = batch(lengths.into_iter().map(|length| sequence(&mut rng, b"ACGTACGTACGTACGTACGTN", length)));
    for window in [Window::Length(16), Window::Length(254), Window::Length(256), Window::Length(4096), Window::Whole] {
        agree(Parameters { window, ..QUT }, &sequences);
        agree(Parameters { window, bits: 256, k: 11, ..DNA }, &sequences);
    }
}

/// Sequences of one base, or of a short period, so that counts are as high as they can be.
#[test]
fn counts_as_high_as_they_can_be() {
    for window in [Window::Length(65_536), Window::Whole] {
        for residues in [&b"W"[..], b"ACGTW"] {
            let sequences = batch([residues.iter().copied().cycle().take(200_000).collect()]);
            agree(Parameters { window, k: 1, ..QUT }, &sequences);
            agree(Parameters { window, k: 1, bits: 64, ..PROTEIN }, &sequences);
        }
    }
}

#[test]
fn totals_beyond_32_bits() {
    let mut totals = Totals::default();
    let mut sums = Sums::new(Layout::new(&QUT));
    let entries = Entries::sparse(&QUT, b"A");
    sums.count(lanes::Lanes::ZERO, &mut Lookup::new(&entries), &[b'A'; 1 << 16 | 2], 0..1 << 16);
    for _ in 0..1 << 17 {
        totals = totals.plus(sums.totals());
    }
    let mut signature = [0; 8];
    assert!(totals.sign(Layout::new(&QUT), &mut signature));
    assert_eq!(signature.as_slice(), naive(&QUT, &batch([b"AAA".to_vec()])).bytes);
}

#[test]
fn threads_do_not_matter() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let sequences = batch((0..400).map(|k| sequence(&mut rng, b"ACGTN", k * 7 % 1000)));
    for parameters in [QUT, DNA, Parameters { window: Window::Length(64), ..DNA }] {
        let sign = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut signatures = Signatures::default();
            pool.install(|| Cpu::new(parameters).compute(&sequences, &mut signatures)).unwrap();
            signatures
        };
        assert_eq!(sign(1), sign(5));
    }
}

/// The data of the report. The 288 bytes of its program have this XXH3, and the SHA-256
/// 088350f41edddee55f85ace8d574c37267ecd5f0abab38bffdbac373b631e663.
#[test]
fn the_bytes_of_the_report() {
    let path = Path::new("../shared/data/qut_xs.fasta");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("skipped: {} is not here", path.display());
        return;
    };
    let records = text.lines().filter(|line| !line.starts_with('>')).map(|line| line.as_bytes().to_vec());
    let mut signatures = Signatures::default();
    Cpu::new(QUT).compute(&batch(records), &mut signatures).unwrap();
    assert_eq!((signatures.bytes.len(), &signatures.present), (288, &vec![1; 36]));
    assert_eq!(xxh3_64(&signatures.bytes), 0x8bd3_cb75_cf6c_ae95);
}
