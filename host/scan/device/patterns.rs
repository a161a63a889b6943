//! The patterns in device memory: each from a word border, padded with N, packed like samples.

use crate::Pattern;
use crate::device::launch;
use cuda_std::{Global, U32x4};
use rayon::prelude::*;
use std::sync::Arc;
use warpseq_device::gpu::{DeviceArray, Gpu, Pinned};
use warpseq_engine::error::DeviceError;
use warpseq_gpu::abi::{PackArgs, Patterns};
use warpseq_gpu::tuning::SLACK;

type Result<T> = std::result::Result<T, DeviceError>;

pub(super) struct DevicePatterns<G: Gpu> {
    letters: DeviceArray<u8, G>,
    planes: DeviceArray<U32x4, G>,
    digits: DeviceArray<U32x4, G>,
    odd: DeviceArray<u32, G>,
    info: DeviceArray<U32x4, G>,
    /// Every pattern's number, then how many there are.
    numbers: DeviceArray<u32, G>,
    letters_staging: Pinned<u8, G>,
    info_staging: Pinned<U32x4, G>,
    numbers_staging: Pinned<u32, G>,
}

impl<G: Gpu> DevicePatterns<G> {
    /// Takes the memory for `patterns`.
    pub fn new(gpu: &Arc<G>, patterns: &[Pattern]) -> Result<Self> {
        let symbols = patterns.iter().map(padded).sum::<usize>() + SLACK as usize;
        Ok(Self {
            letters: DeviceArray::new(gpu, symbols)?,
            planes: DeviceArray::new(gpu, symbols / 32)?,
            digits: DeviceArray::new(gpu, symbols / 32)?,
            odd: DeviceArray::new(gpu, 1)?,
            info: DeviceArray::new(gpu, patterns.len())?,
            numbers: DeviceArray::new(gpu, patterns.len() + 1)?,
            letters_staging: Pinned::new(gpu, symbols)?,
            info_staging: Pinned::new(gpu, patterns.len())?,
            numbers_staging: Pinned::new(gpu, patterns.len() + 1)?,
        })
    }

    /// Queues the copy and the packing of `patterns`, which are those of `new`. `unknown` as in [`PackArgs`].
    ///
    /// # Safety
    /// The stream has passed any earlier `load`.
    pub unsafe fn load(&mut self, gpu: &G, stream: &G::Stream, patterns: &[Pattern], unknown: u32) -> Result<()> {
        self.stage(patterns);
        // SAFETY: the staging arrays live as long as this does, and are written only here, where the stream has passed
        // the copies before.
        unsafe {
            self.letters.copy_in(stream, 0, &self.letters_staging)?;
            self.info.copy_in(stream, 0, &self.info_staging)?;
            self.numbers.copy_in(stream, 0, &self.numbers_staging)?;
        }
        self.odd.fill(stream, 0..1, 0)?;
        let (planes, digits) = (self.planes.view_mut(), self.digits.view_mut());
        let letters = self.letters.view_as();
        launch::scan_pack(gpu, stream, PackArgs { letters, planes, digits, odd: self.odd.view_mut(), unknown })
    }

    fn stage(&mut self, patterns: &[Pattern]) {
        let mut rest: &mut [u8] = &mut self.letters_staging;
        let mut places = Vec::with_capacity(patterns.len());
        let mut word = 0;
        for (number, pattern) in patterns.iter().enumerate() {
            self.info_staging[number] = U32x4([word, pattern.bases.len() as u32, pattern.wild_limit, 0]);
            self.numbers_staging[number] = number as u32;
            let (place, after) = rest.split_at_mut(padded(pattern));
            word += (place.len() / 32) as u32;
            places.push(place);
            rest = after;
        }
        self.numbers_staging[patterns.len()] = patterns.len() as u32;
        rest.fill(b'N');
        places.into_par_iter().zip(patterns).for_each(|(place, pattern)| {
            let (letters, padding) = place.split_at_mut(pattern.bases.len());
            letters.copy_from_slice(&pattern.bases);
            padding.fill(b'N');
        });
    }

    /// The packed patterns, for a kernel.
    pub fn view(&self) -> Patterns<'_> {
        Patterns { planes: self.planes.view(), digits: self.digits.view(), info: self.info.view() }
    }

    /// The numbers of all patterns, and how many there are.
    pub fn all(&self) -> (Global<'_, u32>, Global<'_, u32>) {
        let count = self.info.len();
        (self.numbers.slice(0..count), self.numbers.slice(count..count + 1))
    }
}

/// Symbols of a pattern in whole words.
fn padded(pattern: &Pattern) -> usize {
    pattern.bases.len().next_multiple_of(32)
}
