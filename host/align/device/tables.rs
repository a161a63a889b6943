//! What every launch of a batch needs: the residues, their codes, and the scores.

use super::super::{Batch, Scoring};
use cuda_std::{Global, U32x4};
use rayon::prelude::*;
use std::sync::Arc;
use warpseq_device::error::Result;
use warpseq_device::gpu::Gpu;
use warpseq_device::scope::Scope;
use warpseq_device::staged::Staged;
use warpseq_device::stream::Stream;
use warpseq_gpu::abi::Pairs;
use warpseq_gpu::tuning::ALPHABET_MAX;

/// Codes of residues, few enough for the device, and their scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    pub codes: Vec<u8>,
    /// Codes in use.
    pub size: u32,
    /// As in [`Pairs`], paddings included.
    pub scores: Vec<u32>,
}

impl Alphabet {
    /// The alphabet of a batch; `None` when its residues have too many codes, or scores of more than a byte.
    pub fn new(batch: &Batch, scoring: &Scoring) -> Option<Self> {
        if scoring.size <= FEW { Self::of_all(scoring) } else { Self::of(&used_codes(batch, scoring), scoring) }
    }

    /// The alphabet of all residues that a scoring knows; likewise.
    pub fn of_all(scoring: &Scoring) -> Option<Self> {
        let codes: Vec<u8> = (0..=255).take(scoring.size).collect();
        Self::of(&codes, scoring)
    }

    fn of(used: &[u8], scoring: &Scoring) -> Option<Self> {
        if used.len() >= ALPHABET_MAX as usize {
            return None;
        }
        let mut place = [0; 256];
        (0..).zip(used).for_each(|(k, &code)| place[usize::from(code)] = k);
        let codes = scoring.codes.iter().map(|&code| place[usize::from(code)]).collect();
        // The paddings score below 0 with everything.
        let mut bytes = vec![-1i8; (ALPHABET_MAX * ALPHABET_MAX) as usize];
        for (t, &target) in used.iter().enumerate() {
            for (q, &query) in used.iter().enumerate() {
                let score = scoring.scores[usize::from(query) * scoring.size + usize::from(target)];
                bytes[t * ALPHABET_MAX as usize + q] = i8::try_from(score).ok()?;
            }
        }
        let words = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0] as u8, b[1] as u8, b[2] as u8, b[3] as u8]));
        Some(Self { codes, size: used.len() as u32, scores: words.collect() })
    }
}

/// With so few codes it is not worth finding out which of them occur. (Fewer codes leave more shared memory for warps.)
const FEW: usize = 8;

/// The codes that occur in a batch.
fn used_codes(batch: &Batch, scoring: &Scoring) -> Vec<u8> {
    let merge = |a: [bool; 256], b: [bool; 256]| std::array::from_fn(|k| a[k] || b[k]);
    let residues = [batch.queries().residues(), batch.targets().residues()];
    let seen = residues.into_par_iter().flat_map(|residues| residues.par_chunks(1 << 20)).map(|part| {
        let mut seen = [false; 256];
        part.iter().for_each(|&residue| seen[usize::from(scoring.codes[usize::from(residue)])] = true);
        seen
    });
    let seen: [bool; 256] = seen.reduce(|| [false; 256], merge);
    (0..=255).filter(|&code| seen[usize::from(code)]).collect()
}

/// The tables on the device.
pub struct Tables<G: Gpu> {
    queries: Staged<u8, G>,
    targets: Staged<u8, G>,
    codes: Staged<u8, G>,
    scores: Staged<u32, G>,
    /// Codes in use.
    pub size: u32,
}

impl<G: Gpu> Tables<G> {
    /// Without residues, and no memory taken.
    pub fn empty(gpu: &Arc<G>) -> Self {
        let bytes = || Staged::empty(gpu);
        Self { queries: bytes(), targets: bytes(), codes: bytes(), scores: Staged::empty(gpu), size: 0 }
    }

    /// Queues the copy of a batch's residues, straight from there where they are pinned, and of an alphabet.
    pub fn load<'env>(
        &mut self,
        (scope, stream): (&Scope<'env, G>, &Stream<G>),
        batch: Batch<'env>,
        alphabet: &Alphabet,
        is_pinned: bool,
    ) -> Result<()> {
        self.size = alphabet.size;
        self.codes.send(stream, &alphabet.codes)?;
        self.scores.send(stream, &alphabet.scores)?;
        self.queries.send_parts((scope, stream), &[batch.queries().residues()], is_pinned)?;
        self.targets.send_parts((scope, stream), &[batch.targets().residues()], is_pinned)
    }

    /// The pairs at `places`, for a launch.
    pub fn pairs<'a>(&'a self, places: Global<'a, U32x4>) -> Pairs<'a> {
        Pairs {
            queries: self.queries.device().view(),
            targets: self.targets.device().view(),
            places,
            codes: self.codes.device().view(),
            scores: self.scores.device().view(),
        }
    }
}
