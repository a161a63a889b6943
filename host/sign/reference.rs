//! The naive reference of `sign`: the rules written down as plain loops. Tests and `--verify` compare the engines with it.
//!
//! # Definition
//!
//! ```text
//! window     M K V L         every window is a slice of its sequence, so no word crosses an end
//! words      MKV KVL         k letters in a row; skipped when one is not of the alphabet (letters)
//! vectors    + 0 0 - ...     drawn (drawing, with pcg or isaac) or dense (mix64)
//!            0 + 0 - ...
//! sums       1 1 0 -2 ...    one 64-bit sum per element
//! signature  1 1 0 0 ...     bit = sum > 0; the first element is the highest bit of the first byte
//! ```
//!
//! # Why it can be trusted
//!
//! It shares nothing with the engines, nor with the helpers of [`Parameters`] and [`Window`]: its own letters, window loop,
//! hashes and packing. A word's vector is written out, one number per element, and added; no two windows share anything but
//! those vectors. [`hamming`] compares signatures bit by bit and sorts them all.

pub mod drawing;
pub mod hamming;
mod isaac;
mod letters;
mod mix64;
mod pcg;

pub use hamming::{NaiveHamming, distance};

use super::{Hash, Parameters, Records, Signatures, Signing, Window};
use drawing::Drawing;
use std::collections::HashMap;
use warpseq_engine::error::Result;
use warpseq_engine::executor::Executor;

/// How many words' vectors are kept: 64 MiB of them at 4096 bits.
const MOST_KEPT: usize = 1 << 14;

/// The naive signer.
pub struct Reference {
    parameters: Parameters,
    vectors: HashMap<Vec<u8>, Vec<i8>>,
}

impl Reference {
    /// Signs by `parameters`, which have passed [`Parameters::check`].
    pub fn new(parameters: Parameters) -> Self {
        Self { parameters, vectors: HashMap::new() }
    }

    /// The signature of one window; `None` when it has no word.
    fn sign_window(&mut self, window: &[u8]) -> Option<Vec<u8>> {
        let mut sums = vec![0_i64; self.parameters.bits as usize];
        let mut words = 0;
        for place in window.windows(self.parameters.k as usize) {
            let Some(word) = letters::word(place, &self.parameters) else { continue };
            for (sum, &element) in sums.iter_mut().zip(self.vector_of(word)) {
                *sum += i64::from(element);
            }
            words += 1;
        }
        (words > 0).then(|| signs(&sums))
    }

    /// What stands for the signature of a window with no word.
    fn zeros(&self) -> Vec<u8> {
        vec![0; self.parameters.bits as usize / 8]
    }

    fn vector_of(&mut self, word: Vec<u8>) -> &[i8] {
        if self.vectors.len() == MOST_KEPT {
            self.vectors.clear();
        }
        self.vectors.entry(word).or_insert_with_key(|word| vector(word, &self.parameters))
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

/// What `--raw` writes: the signatures of all windows, zeros for one with no word; with `ids`, each after its sequence's
/// number from 0 on, 32 bits little-endian.
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

/// The vector of a word of the alphabet's own letters: +1, 0 and -1, `bits` of them.
pub fn vector(word: &[u8], parameters: &Parameters) -> Vec<i8> {
    match parameters.hash {
        Hash::Mix64 => mix64::vector(mix64::key(word, parameters.alphabet), parameters.bits),
        Hash::Pcg | Hash::Isaac => drawn(word, parameters).vector(parameters.bits),
    }
}

/// The positions of a word's sparse vector in the order in which they are drawn; none for dense vectors.
pub fn drawn(word: &[u8], parameters: &Parameters) -> Drawing {
    let Parameters { bits, density, .. } = *parameters;
    let of_each_sign = bits * density / 100 / 2;
    match parameters.hash {
        Hash::Pcg => Drawing::new(pcg::numbers(word), bits, of_each_sign),
        Hash::Isaac => Drawing::new(isaac::numbers(word), bits, of_each_sign),
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
