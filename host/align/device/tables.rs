//! What every launch of a batch needs: the letters, their codes, and the scores.

use super::super::{Batch, Scoring};
use cuda_std::{Global, U32x4};
use rayon::prelude::*;
use std::sync::Arc;
use warpseq_device::gpu::{DeviceArray, Gpu, Pinned};
use warpseq_engine::error::DeviceError;
use warpseq_gpu::abi::Pairs;
use warpseq_gpu::tuning::LETTERS;

type Result<T> = std::result::Result<T, DeviceError>;

/// Codes of letters, few enough for the device, and their scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    pub codes: Vec<u8>,
    /// Codes in use.
    pub size: u32,
    /// As in [`Pairs`], paddings included.
    pub scores: Vec<u32>,
}

impl Alphabet {
    /// The alphabet of a batch; `None` when its letters have too many codes, or scores of more than a byte.
    pub fn new(batch: &Batch, scoring: &Scoring) -> Option<Self> {
        let most = LETTERS as usize - 1;
        let used: Vec<u8> =
            if scoring.size <= FEW { (0..scoring.size as u8).collect() } else { used_codes(batch, scoring) };
        if used.len() > most {
            return None;
        }
        let mut place = [0; 256];
        (0..).zip(&used).for_each(|(k, &code)| place[usize::from(code)] = k);
        let codes = scoring.codes.iter().map(|&code| place[usize::from(code)]).collect();
        // The paddings score below 0 with everything.
        let mut bytes = vec![-1i8; (LETTERS * LETTERS) as usize];
        for (t, &target) in used.iter().enumerate() {
            for (q, &query) in used.iter().enumerate() {
                let score = scoring.scores[usize::from(query) * scoring.size + usize::from(target)];
                bytes[t * LETTERS as usize + q] = i8::try_from(score).ok()?;
            }
        }
        let words = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0] as u8, b[1] as u8, b[2] as u8, b[3] as u8]));
        Some(Self { codes, size: used.len() as u32, scores: words.collect() })
    }
}

/// Codes that are not worth looking which of them occur. Fewer leave more shared memory, hence more warps.
const FEW: usize = 8;

/// The codes that occur in a batch.
fn used_codes(batch: &Batch, scoring: &Scoring) -> Vec<u8> {
    let merge = |a: [bool; 256], b: [bool; 256]| std::array::from_fn(|k| a[k] || b[k]);
    let letters = [&batch.queries.letters, &batch.targets.letters];
    let seen = letters.into_par_iter().flat_map(|letters| letters.par_chunks(1 << 20)).map(|part| {
        let mut seen = [false; 256];
        part.iter().for_each(|&letter| seen[usize::from(scoring.codes[usize::from(letter)])] = true);
        seen
    });
    let seen: [bool; 256] = seen.reduce(|| [false; 256], merge);
    (0..=255).filter(|&code| seen[usize::from(code)]).collect()
}

/// The tables on the device.
pub struct Tables<G: Gpu> {
    queries: DeviceArray<u8, G>,
    targets: DeviceArray<u8, G>,
    codes: DeviceArray<u8, G>,
    scores: DeviceArray<u32, G>,
    /// Letters that are not pinned pass through here, codes and scores too.
    staging: Pinned<u8, G>,
    staged_scores: Pinned<u32, G>,
    staged_codes: Pinned<u8, G>,
    pub size: u32,
}

impl<G: Gpu> Tables<G> {
    /// Room for `queries` and `targets` letters, `staged` when they are not pinned.
    pub fn new(gpu: &Arc<G>, queries: usize, targets: usize, staged: bool) -> Result<Self> {
        Ok(Self {
            queries: DeviceArray::new(gpu, queries)?,
            targets: DeviceArray::new(gpu, targets)?,
            codes: DeviceArray::new(gpu, 256)?,
            scores: DeviceArray::new(gpu, (LETTERS * LETTERS / 4) as usize)?,
            staging: Pinned::new(gpu, if staged { queries + targets } else { 0 })?,
            staged_scores: Pinned::new(gpu, (LETTERS * LETTERS / 4) as usize)?,
            staged_codes: Pinned::new(gpu, 256)?,
            size: 0,
        })
    }

    /// Whether there is room for so many letters.
    pub fn hold(&self, queries: usize, targets: usize) -> bool {
        self.queries.len() >= queries && self.targets.len() >= targets
    }

    /// Queues the copy of a batch's letters and an alphabet.
    ///
    /// # Safety
    /// Unless the tables were made `staged`, the batch stays as it is until the stream has passed the copy. The stream has
    /// passed the last `load`.
    pub unsafe fn load(&mut self, stream: &G::Stream, batch: &Batch, alphabet: &Alphabet) -> Result<()> {
        self.size = alphabet.size;
        self.staged_codes.copy_from_slice(&alphabet.codes);
        self.staged_scores.copy_from_slice(&alphabet.scores);
        // SAFETY: the staging buffers are these tables' own, and nobody touches them before the next `load`.
        unsafe {
            self.codes.copy_in(stream, 0, &self.staged_codes)?;
            self.scores.copy_in(stream, 0, &self.staged_scores)?;
        }
        let mut at = 0;
        for (array, letters) in [(&self.queries, &batch.queries.letters), (&self.targets, &batch.targets.letters)] {
            if self.staging.is_empty() {
                // SAFETY: the caller keeps the batch as it is.
                unsafe { array.copy_in(stream, 0, letters)? };
                continue;
            }
            for (k, (to, from)) in self.staging[at..].chunks_mut(PART).zip(letters.chunks(PART)).enumerate() {
                let to = &mut to[..from.len()];
                stage(from, to);
                // SAFETY: as for codes and scores.
                unsafe { array.copy_in(stream, k * PART, to)? };
            }
            at += letters.len();
        }
        Ok(())
    }

    /// The pairs at `places`, for a launch.
    pub fn pairs<'a>(&'a self, places: Global<'a, U32x4>) -> Pairs<'a> {
        Pairs {
            queries: self.queries.view(),
            targets: self.targets.view(),
            places,
            codes: self.codes.view(),
            scores: self.scores.view(),
        }
    }
}

/// Letters that are staged while those before are copied.
const PART: usize = 8 << 20;

fn stage(from: &[u8], to: &mut [u8]) {
    to.par_chunks_mut(PART / 16).zip(from.par_chunks(PART / 16)).for_each(|(to, from)| to.copy_from_slice(from));
}
