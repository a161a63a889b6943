//! A naive reference: windows, k-mers, sums of vectors, bits.

use std::{vec, vec::Vec};

/// The windows of a sequence: of `window` residues, each half a window after the one before; or all of it for `None`.
pub fn windows(sequence: &[u8], window: Option<usize>) -> Vec<&[u8]> {
    let Some(window) = window else { return vec![sequence] };
    let (mut windows, mut at) = (Vec::new(), 0);
    loop {
        windows.push(&sequence[at..sequence.len().min(at + window)]);
        at += window / 2;
        if at + window / 2 >= sequence.len() {
            return windows;
        }
    }
}

/// The bytes of a window's signature of `64 * vectors` bits, and whether the window has a k-mer. `vector` gives a
/// k-mer's vector, with an element of +1, 0 or -1 for each bit, or `None` for what is no k-mer.
pub fn sign(window: &[u8], k: usize, vectors: usize, vector: impl Fn(&[u8]) -> Option<Vec<i8>>) -> (Vec<u8>, bool) {
    let (mut sums, mut has_kmer) = (vec![0i32; 64 * vectors], false);
    for vector in window.windows(k).filter_map(vector) {
        has_kmer = true;
        sums.iter_mut().zip(vector).for_each(|(sum, element)| *sum += i32::from(element));
    }
    let mut bytes = vec![0; 8 * vectors];
    for (e, sum) in sums.into_iter().enumerate() {
        bytes[e / 8] |= u8::from(sum > 0) << (7 - e % 8);
    }
    (bytes, has_kmer)
}

/// The dense vector of a key: bits of splitmix64, 64 of them per output, the highest first.
pub fn dense(key: u64, vectors: usize) -> Vec<i8> {
    let output = |number: u64| {
        let state = key.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let once = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let twice = (once ^ (once >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        twice ^ (twice >> 31)
    };
    let bits = |number| (0..64).map(move |bit| if output(number) >> (63 - bit) & 1 == 1 { 1 } else { -1 });
    (1..=vectors as u64).flat_map(bits).collect()
}

/// The key of a k-mer of bytes.
pub fn fnv(kmer: &[u8]) -> u64 {
    let hash = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    kmer.iter().fold(0xCBF2_9CE4_8422_2325, hash)
}

/// The key of a k-mer of amino acids, if it is one.
pub fn protein(kmer: &[u8]) -> Option<u64> {
    let upper = kmer.to_ascii_uppercase();
    upper.iter().all(|residue| b"ACDEFGHIKLMNPQRSTVWY".contains(residue)).then(|| fnv(&upper))
}

/// The key of a k-mer of DNA, if it is one.
pub fn dna(kmer: &[u8], canonical: bool) -> Option<u64> {
    let code = |residue: &u8| match residue.to_ascii_uppercase() {
        b'U' => Some(3),
        residue => b"ACGT".iter().position(|&base| base == residue).map(|code| code as u64),
    };
    let codes: Vec<u64> = kmer.iter().map(code).collect::<Option<_>>()?;
    let key = codes.iter().fold(0, |key, code| key << 2 | code);
    let other = codes.iter().rev().fold(0, |key, code| key << 2 | (3 - code));
    Some(if canonical { key.min(other) } else { key })
}

/// A table of random sparse vectors: `64 * vectors` elements for each of `words` k-mers.
pub fn made_up(words: usize, vectors: usize, number: &mut impl FnMut(u32) -> u32) -> Vec<Vec<i8>> {
    let mut element = || [1, -1, 1, -1, 0][number(5) as usize];
    (0..words).map(|_| (0..64 * vectors).map(|_| element()).collect()).collect()
}

/// The number of a k-mer in a table, if all its residues are below `alphabet_size`.
pub fn number_of(kmer: &[u8], alphabet_size: u8) -> Option<usize> {
    kmer.iter()
        .all(|&residue| residue < alphabet_size)
        .then(|| kmer.iter().fold(0, |number, &residue| number * usize::from(alphabet_size) + usize::from(residue)))
}
