//! The naive reference of `sign`: the rules written down as plain loops. Tests and `--verify` compare the engines with it.
//!
//! # Definition
//!
//! ```text
//! window     M K V L         every window is a slice of its sequence, so no k-mer crosses an end
//! k-mers     MKV KVL         k residues in a row; skipped if one is not of the alphabet (kmer)
//! vectors    + 0 0 - ...     drawn (drawing, with pcg or isaac) or dense (mix64)
//!            0 + 0 - ...
//! sums       1 1 0 -2 ...    one 64-bit sum per element
//! signature  1 1 0 0 ...     bit = sum > 0; the first element is the highest bit of the first byte
//! ```
//!
//! # Why it can be trusted
//!
//! It shares nothing with the engines, and does not use the methods of [`Parameters`] and [`Window`]: it has its own alphabets,
//! window loop, hashes and packing. The vector of a k-mer is written out, one number per element, and added. Two windows share
//! nothing but these vectors. [`hamming`] compares signatures bit by bit and sorts them all. [`exact`] has the distances of
//! sequences as fractions.

mod alphabet;
pub mod drawing;
pub mod exact;
pub mod hamming;
mod isaac;
mod kmer;
mod mix64;
mod significance;

pub use alphabet::alphabet;
pub use exact::distance;
pub use hamming::NaiveHamming;
pub use significance::evalue;

use super::{Hash, Parameters, Records, Signatures, Signing, Window};
use drawing::Drawing;
use std::collections::HashMap;
use warpseq_engine::error::Result;
use warpseq_engine::executor::Executor;

/// Elements of the vectors that are kept, a byte each.
const MOST_KEPT: usize = 64 << 20;

/// The naive signer.
pub struct Reference {
    parameters: Parameters,
    vectors: HashMap<Vec<u8>, Vec<i8>>,
}

impl Reference {
    /// Signs with `parameters`, which have passed [`Parameters::check`].
    pub fn new(parameters: Parameters) -> Self {
        Self { parameters, vectors: HashMap::new() }
    }

    /// The signature of one window; `None` when it has no k-mer.
    fn sign_window(&mut self, window: &[u8]) -> Option<Vec<u8>> {
        self.sign_file(&[window])
    }

    /// The signature of several sequences that are one record: the signs of the sum over the k-mers of all.
    pub fn sign_file(&mut self, sequences: &[&[u8]]) -> Option<Vec<u8>> {
        let mut sums = vec![0_i64; self.parameters.bits as usize];
        let (mut kmers, k) = (0, self.parameters.k as usize);
        for place in sequences.iter().flat_map(|sequence| sequence.windows(k)) {
            let Some(kmer) = kmer::read(place, &self.parameters) else { continue };
            for (sum, &element) in sums.iter_mut().zip(self.vector_of(kmer)) {
                *sum += i64::from(element);
            }
            kmers += 1;
        }
        (kmers > 0).then(|| signs(&sums))
    }

    /// What stands for the signature of a window without a k-mer.
    fn zeros(&self) -> Vec<u8> {
        vec![0; self.parameters.bits as usize / 8]
    }

    fn vector_of(&mut self, kmer: Vec<u8>) -> &[i8] {
        if self.vectors.len() * self.parameters.bits as usize >= MOST_KEPT {
            self.vectors.clear();
        }
        self.vectors.entry(kmer).or_insert_with_key(|kmer| vector(kmer, &self.parameters))
    }
}

impl Executor<Signing> for Reference {
    fn compute(&mut self, batch: &Records, signatures: &mut Signatures) -> Result<()> {
        *signatures = Signatures::default();
        for k in 0..batch.len() {
            for window in windows(batch.sequence(k), self.parameters.window) {
                let signature = self.sign_window(window);
                signatures.present.push(u8::from(signature.is_some()));
                signatures.bytes.extend(signature.unwrap_or(self.zeros()));
            }
        }
        Ok(())
    }
}

/// What `--raw` writes: the signatures of all windows, with zeros for a window without a k-mer. With `ids`, the number of its
/// sequence comes before each: from 0, 32 bits, little-endian.
pub fn raw(parameters: Parameters, batch: &Records, ids: bool) -> Vec<u8> {
    let mut reference = Reference::new(parameters);
    let mut bytes = Vec::new();
    for k in 0..batch.len() {
        for window in windows(batch.sequence(k), parameters.window) {
            if ids {
                bytes.extend((k as u32).to_le_bytes());
            }
            bytes.extend(reference.sign_window(window).unwrap_or(reference.zeros()));
        }
    }
    bytes
}

/// The words of each window: the k-mers that count.
pub fn words(parameters: Parameters, batch: &Records) -> Vec<u32> {
    let windows = (0..batch.len()).flat_map(|k| windows(batch.sequence(k), parameters.window));
    let words = |window: &[u8]| {
        window.windows(parameters.k as usize).filter_map(|place| kmer::read(place, &parameters)).count()
    };
    windows.map(|window| words(window) as u32).collect()
}

/// The windows of a sequence: `i = 0; do { window [i, i + min(w, L - i)); i += w / 2 } while (i + w / 2 < L)`.
pub fn windows(sequence: &[u8], window: Window) -> Vec<&[u8]> {
    let Window::Length(w) = window else { return vec![sequence] };
    let (w, length) = (w as usize, sequence.len());
    let (mut i, mut windows) = (0, Vec::new());
    loop {
        windows.push(&sequence[i..i + w.min(length - i)]);
        i += w / 2;
        if i + w / 2 >= length {
            return windows;
        }
    }
}

/// The vector of a k-mer, spelled in upper case and with T for U: `bits` elements, each +1, 0 or -1.
pub fn vector(kmer: &[u8], parameters: &Parameters) -> Vec<i8> {
    match parameters.hash {
        Hash::Mix64 => mix64::vector(mix64::key(kmer, parameters.alphabet), parameters.bits),
        Hash::Pcg | Hash::Isaac => drawn(kmer, parameters).vector(parameters.bits),
    }
}

/// The positions of a k-mer's sparse vector in the order in which they are drawn; none for dense vectors.
pub fn drawn(kmer: &[u8], parameters: &Parameters) -> Drawing {
    let Parameters { bits, density, .. } = *parameters;
    let of_each_sign = bits * density / 100 / 2;
    match parameters.hash {
        Hash::Pcg => Drawing::new(drawing::pcg(kmer), bits, of_each_sign),
        Hash::Isaac => Drawing::new(isaac::numbers(kmer), bits, of_each_sign),
        Hash::Mix64 => Drawing::default(),
    }
}

/// A bit for each sum, set when it is above 0; the first is the highest of the first byte.
fn signs(sums: &[i64]) -> Vec<u8> {
    let mut bytes = vec![0; sums.len() / 8];
    for (element, &sum) in sums.iter().enumerate() {
        if sum > 0 {
            bytes[element / 8] |= 1 << (7 - element % 8);
        }
    }
    bytes
}

#[cfg(test)]
mod tests;
