//! `sign_pack`, `sign_dense`, `sign_sparse`, `sign_decide`.

use super::naive::{dense, dna, fnv, made_up, number_of, protein, sign, windows};
use crate::abi::{DecideArgs, PieceRules, PiecesArgs, SignPackArgs};
use crate::bench::{Array, Bench, numbers};
use crate::sign::kernel::{sign_decide, sign_dense, sign_pack, sign_sparse};
use crate::sign::pieces::{NO_SLOT, shared_bytes};
use crate::tuning::*;
use cuda_std::{Kernel, Shape, U32x2, U32x4};
use std::vec::Vec;

/// What is signed.
#[derive(Clone, Copy, Debug)]
struct Rules {
    window: Option<usize>,
    k: usize,
    vectors: usize,
    alphabet: u32,
    canonical: bool,
    /// Pieces per group.
    run: u32,
}

const RAW: Rules = Rules { window: None, k: 3, vectors: 1, alphabet: ALPHABET_RAW, canonical: false, run: 1 };

/// A table of sparse vectors, and its alphabet's size. Residues below that stand for themselves.
struct Table<'a>(&'a [Vec<i8>], u8);

/// Where sequences, pieces, windows and slots begin.
#[derive(Default)]
struct Places {
    starts: Vec<u32>,
    firsts: Vec<u32>,
    windows: Vec<u32>,
    slots: Vec<u32>,
    slot_windows: Vec<u32>,
}

impl Places {
    fn new(sequences: &[Vec<u8>], rules: &Rules) -> Self {
        let mut places = Self::default();
        let (mut start, mut pieces, mut before) = (0, 0, 0);
        for sequence in sequences {
            let length = rules.window.unwrap_or(sequence.len());
            let parts = (length + 1).saturating_sub(rules.k).div_ceil(PIECE as usize).max(1);
            let parts = if rules.window.is_some() { parts.next_power_of_two() } else { parts } as u32;
            let count = windows(sequence, rules.window).len() as u32;
            places.starts.push(start);
            places.firsts.push(pieces);
            places.windows.push(before);
            places.slots.push(if parts > 1 { places.slot_windows.len() as u32 } else { NO_SLOT });
            places.slot_windows.extend((before..before + count).filter(|_| parts > 1));
            (start, pieces, before) = (start + sequence.len() as u32, pieces + count * parts, before + count);
        }
        places.starts.push(start);
        places.firsts.push(pieces);
        places.windows.push(before);
        places
    }
}

fn piece_rules(rules: &Rules, alphabet_size: u32) -> PieceRules {
    let vectors = rules.vectors as u32;
    let parts = |window: usize| (window - rules.k + 1).div_ceil(PIECE as usize).next_power_of_two().trailing_zeros();
    PieceRules {
        window: rules.window.map_or(u32::MAX, |window| window as u32),
        step: rules.window.map_or(0, |window| window as u32 / 2),
        k: rules.k as u32,
        parts: rules.window.map_or(31, parts),
        vectors,
        width: vectors.next_power_of_two().min(32),
        blocks: vectors.div_ceil(32).next_power_of_two().trailing_zeros(),
        alphabet_size,
        alphabet: rules.alphabet,
        canonical: rules.canonical.into(),
        longest_period: 0,
    }
}

/// Packs residues: 2-bit codes, and which of them are known.
fn pack(bench: &Bench, residues: Array<u8>) -> (Array<U32x2>, Array<u32>) {
    let groups = residues.view::<U32x4>().len() as u32 / 2;
    let (packed, known) = (bench.room(groups), bench.room(groups));
    let args = SignPackArgs { bases: residues.view(), packed: packed.view_mut(), known: known.view_mut() };
    bench.launch(&sign_pack, groups, args);
    (packed, known)
}

/// The elements of a vector as bits, the first highest.
fn bits(elements: &[i8], is_set: impl Fn(i8) -> bool) -> [u32; 2] {
    let bits = elements.iter().fold(0u64, |bits, &element| bits << 1 | u64::from(is_set(element)));
    [bits as u32, (bits >> 32) as u32]
}

fn entries(vectors: &[Vec<i8>]) -> Vec<U32x4> {
    let elements = vectors.iter().flat_map(|vector| vector.chunks(64));
    elements
        .map(|elements| {
            let ([a, b], [c, d]) = (bits(elements, |element| element > 0), bits(elements, |element| element >= 0));
            U32x4([a, b, c, d])
        })
        .collect()
}

/// Signs all windows: each one's signature and whether it has a k-mer; and whether a residue is unknown.
fn run(sequences: &[Vec<u8>], rules: &Rules, table: Option<&Table>) -> (Vec<(Vec<u8>, bool)>, u32) {
    let (bench, places) = (Bench::default(), Places::new(sequences, rules));
    let mut residues = sequences.concat();
    residues.resize((residues.len() + 128).next_multiple_of(32), 0);
    let residues = bench.put(&residues);
    let (packed, known) = pack(&bench, residues);
    let alphabet_size = table.map_or(0, |table| u32::from(table.1));
    let codes = (0..256).map(|residue| match residue {
        77 => UNKNOWN_CODE,
        _ if residue < alphabet_size => residue,
        _ => SKIPPED_CODE,
    });
    let (count, slots) = (*places.windows.last().expect("one more"), places.slot_windows.len() as u32);
    let vectors = rules.vectors as u32;
    let (signatures, present) = (bench.room::<U32x2>(count * vectors), bench.room::<u8>(count));
    let (sums, seen, odd) = (bench.zeros::<u64>(slots * vectors * 64), bench.zeros::<u64>(slots), bench.zeros(1));
    let args = PiecesArgs {
        starts: bench.put(&places.starts).view(),
        firsts: bench.put(&places.firsts).view(),
        windows: bench.put(&places.windows).view(),
        slots: bench.put(&places.slots).view(),
        residues: residues.view(),
        packed: packed.view(),
        known: known.view(),
        codes: bench.put(&codes.collect::<Vec<_>>()).view(),
        table: bench.put(&table.map_or(Vec::new(), |table| entries(table.0))).view(),
        signatures: signatures.view_mut(),
        present: present.view_mut(),
        sums: sums.view_mut(),
        seen: seen.view_mut(),
        odd: odd.view_mut(),
        rules: piece_rules(rules, alphabet_size),
        run: rules.run,
    };
    let pieces = *places.firsts.last().expect("one more");
    launch(&bench, if table.is_some() { &sign_sparse } else { &sign_dense }, pieces, args);
    if slots > 0 {
        let args = DecideArgs {
            sums: sums.view(),
            seen: seen.view(),
            slot_windows: bench.put(&places.slot_windows).view(),
            signatures: signatures.view_mut(),
            present: present.view_mut(),
            vectors,
            inputs: if table.is_some() { 2 } else { 1 },
        };
        bench.launch(&sign_decide, slots * vectors, args);
    }
    let words: Vec<u8> = bench.get(signatures).iter().flat_map(|word| word.0).flat_map(u32::to_le_bytes).collect();
    let signatures = words.chunks(8 * rules.vectors).map(Vec::from);
    (signatures.zip(bench.get(present).iter().map(|&present| present == 1)).collect(), bench.get(odd)[0])
}

/// Launches one kernel for all pieces.
fn launch(bench: &Bench, kernel: &Kernel<fn(PiecesArgs)>, pieces: u32, args: PiecesArgs) {
    let PieceRules { width, blocks, .. } = args.rules;
    let threads = (pieces << blocks).div_ceil(args.run) * width;
    let shared = PIECES_THREADS / 32 * shared_bytes(width);
    bench.launch_as(kernel, Shape { grid: threads.div_ceil(PIECES_THREADS), block: PIECES_THREADS, shared }, args);
}

/// Compares all windows with the naive reference.
fn check(sequences: &[Vec<u8>], rules: &Rules, table: Option<&Table>) -> u32 {
    let (found, odd) = run(sequences, rules, table);
    let vector = |kmer: &[u8]| {
        if let Some(Table(vectors, residues)) = table {
            return number_of(kmer, *residues).map(|number| vectors[number].clone());
        }
        let key = match rules.alphabet {
            ALPHABET_DNA => dna(kmer, rules.canonical),
            ALPHABET_PROTEIN => protein(kmer),
            _ => Some(fnv(kmer)),
        };
        key.map(|key| dense(key, rules.vectors))
    };
    let all = sequences.iter().flat_map(|sequence| windows(sequence, rules.window));
    for (k, (found, window)) in found.into_iter().zip(all).enumerate() {
        assert_eq!(found, sign(window, rules.k, rules.vectors, vector), "window {k}: {}, {rules:?}", window.len());
    }
    odd
}

/// Random sequences of these lengths, of common residues and, one time in `others`, of a rare one.
fn drawn(seed: u32, lengths: &[usize], [residues, rare]: [&[u8]; 2], others: u32) -> Vec<Vec<u8>> {
    let mut number = numbers(seed);
    let mut residue = || match number(others) {
        0 => rare[number(rare.len() as u32) as usize],
        _ => residues[number(residues.len() as u32) as usize],
    };
    lengths.iter().map(|&length| (0..length).map(|_| residue()).collect()).collect()
}

const DNA: [&[u8]; 2] = [b"ACGTacgtUu", b"NRn-\n"];
const PROTEIN: [&[u8]; 2] = [b"ACDEFGHIKLMNPQRSTVWYacdefghiklmnpqrstvwy", b"BJOUXZ*bx"];

#[test]
fn dna_is_signed_like_the_naive_reference() {
    for (k, vectors, window) in
        [(1, 1, None), (21, 16, None), (32, 3, None), (11, 2, Some(40)), (5, 1, Some(16)), (17, 5, Some(33))]
    {
        let lengths: Vec<usize> = (0..40).chain([k - 1, k, 300, 70]).collect();
        for canonical in [false, true] {
            for run in [1, 3] {
                let rules = Rules { window, k, vectors, alphabet: ALPHABET_DNA, canonical, run };
                check(&drawn(k as u32, &lengths, DNA, 60), &rules, None);
            }
        }
    }
}

#[test]
fn bytes_and_proteins_are_signed_like_the_naive_reference() {
    for (k, vectors, window) in [(3, 16, None), (1, 1, Some(8)), (7, 3, Some(21))] {
        let rules = Rules { window, k, vectors, ..RAW };
        let lengths: Vec<usize> = (0..30).chain([250, 64]).collect();
        check(&drawn(3, &lengths, PROTEIN, 9), &rules, None);
        check(&drawn(4, &lengths, PROTEIN, 30), &Rules { alphabet: ALPHABET_PROTEIN, run: 2, ..rules }, None);
    }
}

#[test]
fn vectors_of_more_than_a_warp_are_signed_in_parts() {
    check(&drawn(5, &[300, 0, 20, 77], DNA, 60), &Rules { k: 4, vectors: 64, run: 1, ..RAW }, None);
    check(&drawn(6, &[60, 100], DNA, 60), &Rules { k: 4, vectors: 40, run: 3, ..RAW }, None);
}

#[test]
fn long_windows_are_counted_in_pieces_and_decided() {
    let piece = PIECE as usize;
    let lengths = [piece + 2, piece + 3, 10, 2 * piece + 2, 3 * piece + 100, 0];
    check(&drawn(7, &lengths, DNA, 200), &Rules { vectors: 2, ..RAW }, None);
    let windows = Rules { window: Some(2 * piece + 500), k: 5, alphabet: ALPHABET_DNA, canonical: true, run: 2, ..RAW };
    check(&drawn(8, &lengths, DNA, 200), &windows, None);
}

#[test]
fn sparse_vectors_are_summed_like_the_naive_reference() {
    let piece = PIECE as usize;
    let residues = [&[0, 1, 2, 3, 4][..], &[5, 200]];
    for (k, vectors, window, run) in
        [(1, 1, None, 1), (3, 2, None, 3), (3, 1, Some(16), 2), (2, 33, None, 1), (2, 1, Some(piece + 50), 1)]
    {
        let table = made_up(5usize.pow(k as u32), vectors, &mut numbers(9));
        let lengths: Vec<usize> = (0..30).chain([130, 400, if vectors > 2 { 50 } else { piece + 20 }]).collect();
        let rules = Rules { window, k, vectors, run, ..RAW };
        assert_eq!(check(&drawn(10, &lengths, residues, 30), &rules, Some(&Table(&table, 5))), 0);
    }
}

#[test]
fn residues_unknown_to_a_sparse_table_are_reported() {
    let table = made_up(25, 1, &mut numbers(9));
    let sequences = [std::vec![1, 2, 77, 4], std::vec![0; 9]];
    assert_eq!(check(&sequences, &Rules { k: 2, ..RAW }, Some(&Table(&table, 5))), 1);
}
