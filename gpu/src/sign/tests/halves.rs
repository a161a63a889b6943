//! `sign_halves`.

use super::naive::{made_up, number_of, sign, windows};
use crate::abi::HalvesArgs;
use crate::bench::{Bench, numbers};
use crate::sign::kernel::sign_halves;
use crate::tuning::{HALVES_STEP, SKIPPED_CODE, UNKNOWN_CODE};
use cuda_std::{Shape, U32x2, U32x4};
use std::vec::Vec;

/// Residues below this are in k-mers. This one is skipped, and all others are unknown.
const ALPHABET_SIZE: u8 = 5;

/// Elements as bits, in the order of a signature's bytes.
fn bits(elements: &[i8], is_set: impl Fn(i8) -> bool) -> [u32; 2] {
    let mut bits = 0u64;
    for (e, &element) in elements.iter().enumerate() {
        bits |= u64::from(is_set(element)) << (e / 8 * 8 + 7 - e % 8);
    }
    [bits as u32, (bits >> 32) as u32]
}

fn table(vectors: &[Vec<i8>]) -> Vec<U32x4> {
    let entry = |vector: &Vec<i8>| {
        let ([a, b], [c, d]) = (bits(vector, |element| element > 0), bits(vector, |element| element >= 0));
        U32x4([a, b, c, d])
    };
    vectors.iter().map(entry).chain([U32x4([u32::MAX, u32::MAX, 0, 0])]).collect()
}

/// Signs all windows with blocks of two warps: signatures, whether windows have k-mers, whether a residue is unknown.
fn run(sequences: &[Vec<u8>], vectors: &[Vec<i8>], steps: u32) -> (Vec<U32x2>, Vec<u8>, u32) {
    let bench = Bench::default();
    let (mut starts, mut firsts, mut residues) = (std::vec![0], std::vec![0], Vec::new());
    for sequence in sequences {
        residues.extend(sequence);
        starts.push(residues.len() as u32);
        firsts.push(firsts[firsts.len() - 1] + windows(sequence, Some(16)).len() as u32 + 1);
    }
    residues.resize(residues.len().next_multiple_of(4) + 32, 0);
    let halves = firsts[sequences.len()];
    let count = halves - sequences.len() as u32;
    let codes: Vec<u32> = (0..256)
        .map(|residue| match residue {
            0..5 => residue,
            // 255 fills what is past the end of a half.
            5 | 255 => SKIPPED_CODE,
            _ => UNKNOWN_CODE,
        })
        .collect();
    let (signatures, present, odd) = (bench.room(count), bench.room(count), bench.zeros(1));
    let args = HalvesArgs {
        residues: bench.put(&residues).view(),
        starts: bench.put(&starts).view(),
        firsts: bench.put(&firsts).view(),
        table: bench.put(&table(vectors)).view(),
        codes: bench.put(&codes).view(),
        signatures: signatures.view_mut(),
        present: present.view_mut(),
        odd: odd.view_mut(),
        alphabet_size: ALPHABET_SIZE.into(),
        span: HALVES_STEP * steps,
    };
    let shared = (vectors.len() as u32 + 1) * 16 + 256 * 4;
    let grid = halves.div_ceil(2 * HALVES_STEP * steps);
    bench.launch_as(&sign_halves, Shape { grid, block: 64, shared }, args);
    (bench.get(signatures), bench.get(present), bench.get(odd)[0])
}

fn check(sequences: &[Vec<u8>], vectors: &[Vec<i8>], steps: u32) -> u32 {
    let (signatures, present, odd) = run(sequences, vectors, steps);
    let expected = sequences.iter().flat_map(|sequence| windows(sequence, Some(16))).map(|window| {
        let (bytes, has_kmer) =
            sign(window, 3, 1, |kmer| number_of(kmer, ALPHABET_SIZE).map(|number| vectors[number].clone()));
        (bytes, u8::from(has_kmer))
    });
    let bytes = |U32x2([low, high]): &U32x2| [low.to_le_bytes(), high.to_le_bytes()].concat();
    let found: Vec<_> = signatures.iter().map(bytes).zip(present).collect();
    assert_eq!(found, expected.collect::<Vec<_>>());
    odd
}

#[test]
fn windows_are_signed_like_the_naive_reference() {
    let mut number = numbers(1);
    let vectors = made_up(125, 1, &mut number);
    // Every length, and then so many short ones that the halves of a warp are of many sequences.
    let lengths = (0..60).chain([300, 1000]).chain((0..70).map(|k| k % 20));
    let residue = |number: &mut dyn FnMut(u32) -> u32| if number(15) == 0 { 5 } else { number(5) as u8 };
    let sequences: Vec<Vec<u8>> = lengths.map(|length| (0..length).map(|_| residue(&mut number)).collect()).collect();
    for steps in [1, 3] {
        assert_eq!(check(&sequences, &vectors, steps), 0);
    }
}

#[test]
fn residues_unknown_to_the_table_are_reported() {
    let vectors = made_up(125, 1, &mut numbers(2));
    for at in [0, 9, 16, 39] {
        let mut sequence = std::vec![1; 40];
        sequence[at] = 77;
        assert_eq!(check(&[std::vec![2; 33], sequence], &vectors, 1), 1, "{at}");
    }
}
