//! The device engine on the emulator: what the suites of `tests/sign` do not set, such as slices, memory and both kernels for
//! the same windows.

use super::*;
use crate::reference::{NaiveHamming, Reference};
use crate::{Hash, Limits, Points, Words, least, nearest};
use warpseq_device::emulated::{self, Emulated};

fn batch(sequences: &[&[u8]]) -> Records {
    let mut batch = Records::default();
    sequences.iter().for_each(|residues| batch.push(b"s", residues));
    batch
}

/// A sequence of random residues.
fn random(length: usize, residues: &[u8], seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize
    };
    (0..length).map(|_| residues[next() % residues.len()]).collect()
}

fn sign(signer: &mut dyn Executor<Signing>, batch: &Records) -> Signatures {
    let mut signatures = Signatures::default();
    signer.compute(batch, &mut signatures).unwrap();
    signatures
}

fn check(parameters: Parameters, batch: &Records, settings: Settings) {
    parameters.check().unwrap();
    let gpu = Arc::new(Emulated::default());
    let found = sign(&mut Device::new(gpu, parameters, settings), batch);
    assert_eq!(found, sign(&mut Reference::new(parameters), batch), "{parameters}");
}

const PROTEIN: &[u8] = b"ACDEFGHIKLMNPQRSTVWY";

#[test]
fn the_preset_is_signed_by_halves_and_by_pieces() {
    let sequences: Vec<Vec<u8>> = (0..60).map(|k| random(k * 7 % 131, PROTEIN, k as u64)).collect();
    let sequences: Vec<&[u8]> = sequences.iter().map(Vec::as_slice).collect();
    for pieces in [false, true] {
        check(Parameters::QUT, &batch(&sequences), Settings { pieces, ..Settings::default() });
        check(Parameters::QUT, &batch(&sequences), Settings { pieces, slice: 700, ..Settings::default() });
    }
}

#[test]
fn unexpected_residues_are_learnt() {
    let odd: [&[u8]; 4] = [b"ACDEFGHIKLMNPQRSTVWYXX", b"acgtBZ*AAAAAAA", b"\xff\xffAAAAAAAAAAAA\xff", b"AAA"];
    check(Parameters::QUT, &batch(&odd[..1]), Settings::default());
    check(Parameters::QUT, &batch(&odd), Settings::default());
    check(Parameters { alphabet: Alphabet::Protein, ..Parameters::QUT }, &batch(&odd), Settings::default());
    check(Parameters { k: 2, ..Parameters::QUT }, &batch(&odd), Settings::default());
}

#[test]
fn long_windows_are_added_up() {
    let (long, short) = (random(9000, b"ACGTN", 1), random(50, b"ACGT", 2));
    let batch = batch(&[&short, &long, b"", &long[..4200], b"ACG"]);
    let dna = Parameters { k: 11, bits: 64, ..Parameters::DNA };
    check(dna, &batch, Settings::default());
    check(Parameters { window: Window::Length(8300), bits: 128, ..dna }, &batch, Settings::default());
    let sparse = Parameters { hash: Hash::Pcg, k: 3, density: 21, words: Words::All, ..dna };
    check(sparse, &batch, Settings::default());
    check(Parameters { canonical: false, bits: 192, ..sparse }, &batch, Settings::default());
}

#[test]
fn what_no_table_holds_is_signed_by_the_cpu() {
    let parameters = Parameters { hash: Hash::Isaac, k: 20, window: Window::Whole, ..Parameters::QUT };
    check(parameters, &batch(&[&random(100, PROTEIN, 3)]), Settings::default());
}

#[test]
fn a_sequence_that_does_not_fit_is_out_of_memory() {
    let long = random(100_000, b"ACGT", 4);
    let gpu = Arc::new(Emulated::new(emulated::Device::default()));
    let mut device = Device::new(gpu, Parameters::DNA, Settings { memory: 100_000, ..Settings::default() });
    let failed = device.compute(&batch(&[&long]), &mut Signatures::default());
    assert!(matches!(failed, Err(Error::Device(DeviceError::OutOfMemory { bytes, .. })) if bytes > 100_000));
}

#[test]
fn parts_of_the_targets_give_what_all_of_them_give() {
    let bytes = random(40_000, &(0..=255).collect::<Vec<u8>>(), 5);
    let (queries, targets) = (Points::new(128, &bytes[..320]), Points::new(128, &bytes));
    let gpu = Arc::new(Emulated::default());
    let mut whole = Searcher::new(gpu.clone(), 1 << 20).unwrap();
    let mut in_parts = Searcher::new(gpu, 9000).unwrap();
    let groups = [0, 3, 3, 60, 61, 2500];
    for (top, distance) in [(Some(1), 128), (Some(9), 60), (Some(1000), 128), (Some(100), 60), (None, 55)] {
        let limits = Limits { top, distance };
        let expected = nearest(&mut NaiveHamming, queries, targets, limits).unwrap();
        assert_eq!(nearest(&mut whole, queries, targets, limits).unwrap(), expected);
        assert_eq!(nearest(&mut in_parts, queries, targets, limits).unwrap(), expected);
    }
    let expected = least(&mut whole, queries, targets, &groups).unwrap();
    assert_eq!(least(&mut in_parts, queries, targets, &groups).unwrap(), expected);
    assert_eq!(expected[1], crate::NO_TARGET);
}

/// A share of so many is searched before the others, and near signatures are told from others by half of their bits.
#[test]
fn what_is_nearest_so_far_bounds_what_follows() {
    let bytes = random(8 * 33_000, &(0..=255).collect::<Vec<u8>>(), 6);
    let mut near = bytes.clone();
    // Every hundredth target is one of the queries, with up to 21 bits changed.
    for (k, target) in near.chunks_exact_mut(8).enumerate().filter(|(k, _)| k % 100 == 7) {
        target.copy_from_slice(&bytes[8 * (k % 40)..][..8]);
        (0..k / 100 % 22).for_each(|bit| target[bit % 8] ^= 1 << (bit / 8));
    }
    let mut searcher = Searcher::new(Arc::new(Emulated::default()), 1 << 28).unwrap();
    for targets in [&bytes, &near] {
        let (queries, targets) = (Points::new(64, &bytes[..8 * 40]), Points::new(64, targets));
        for (top, distance) in [(1, 64), (3, 64), (10, 17), (64, 20)] {
            let limits = Limits { top: Some(top), distance };
            let expected = nearest(&mut NaiveHamming, queries, targets, limits).unwrap();
            assert_eq!(nearest(&mut searcher, queries, targets, limits).unwrap(), expected, "{top} {distance}");
        }
    }
}
