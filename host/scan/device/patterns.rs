//! The patterns in device memory, packed like sequences: each begins at a whole word and is padded with N.

use crate::Pattern;
use crate::device::launch;
use cuda_std::{Global, U32x4};
use rayon::prelude::*;
use std::sync::Arc;
use warpseq_device::array::DeviceArray;
use warpseq_device::error::Result;
use warpseq_device::gpu::Gpu;
use warpseq_device::staged::Staged;
use warpseq_device::stream::Stream;
use warpseq_gpu::abi::{PackArgs, Patterns};
use warpseq_gpu::tuning::SLACK;

pub(super) struct DevicePatterns<G: Gpu> {
    bases: Staged<u8, G>,
    planes: DeviceArray<U32x4, G>,
    digits: DeviceArray<U32x4, G>,
    odd: DeviceArray<u32, G>,
    /// Of each pattern, as in [`Patterns`].
    info: Staged<U32x4, G>,
    /// Every pattern's number, then how many there are.
    numbers: Staged<u32, G>,
}

impl<G: Gpu> DevicePatterns<G> {
    /// Takes the memory for `patterns`.
    pub fn new(gpu: &Arc<G>, patterns: &[Pattern]) -> Result<Self> {
        let (symbols, count) = (symbols(patterns), patterns.len());
        Ok(Self {
            bases: Staged::new(gpu, symbols, symbols)?,
            planes: DeviceArray::new(gpu, symbols / 32)?,
            digits: DeviceArray::new(gpu, symbols / 32)?,
            odd: DeviceArray::new(gpu, 1)?,
            info: Staged::new(gpu, count, count)?,
            numbers: Staged::new(gpu, count + 1, count + 1)?,
        })
    }

    /// Queues the copy and the packing of `patterns`, the ones given to `new`. `unknown` is as in [`PackArgs`].
    pub fn load(&mut self, stream: &Stream<G>, patterns: &[Pattern], unknown: u32) -> Result<()> {
        self.bases.send_written(stream, symbols(patterns), |bases| write_bases(patterns, bases))?;
        self.info.send_written(stream, patterns.len(), |info| {
            let mut word = 0;
            for (info, pattern) in info.iter_mut().zip(patterns) {
                *info = U32x4([word, pattern.bases().len() as u32, pattern.limits().wild, 0]);
                word += (padded(pattern) / 32) as u32;
            }
        })?;
        self.numbers.send_written(stream, patterns.len() + 1, |numbers| {
            (0..).zip(numbers).for_each(|(k, number)| *number = k);
        })?;
        self.odd.fill(stream, 0..1, 0)?;
        let (planes, digits) = (self.planes.view_mut(), self.digits.view_mut());
        let bases = self.bases.device().view_as();
        launch::scan_pack(stream, PackArgs { bases, planes, digits, odd: self.odd.view_mut(), unknown })
    }

    /// The packed patterns, for a kernel.
    pub fn view(&self) -> Patterns<'_> {
        Patterns { planes: self.planes.view(), digits: self.digits.view(), info: self.info.device().view() }
    }

    /// The numbers of all patterns, and how many there are.
    pub fn all(&self) -> (Global<'_, u32>, Global<'_, u32>) {
        let (numbers, count) = (self.numbers.device(), self.info.device().len());
        (numbers.slice(0..count), numbers.slice(count..count + 1))
    }
}

/// Symbols of a pattern in whole words.
fn padded(pattern: &Pattern) -> usize {
    pattern.bases().len().next_multiple_of(32)
}

/// Symbols of all patterns in whole words, and the slack that the last one's windows read.
fn symbols(patterns: &[Pattern]) -> usize {
    patterns.iter().map(padded).sum::<usize>() + SLACK as usize
}

fn write_bases(patterns: &[Pattern], mut rest: &mut [u8]) {
    let mut places = Vec::with_capacity(patterns.len());
    for pattern in patterns {
        let (place, after) = rest.split_at_mut(padded(pattern));
        places.push(place);
        rest = after;
    }
    rest.fill(b'N');
    places.into_par_iter().zip(patterns).for_each(|(place, pattern)| {
        let (bases, padding) = place.split_at_mut(pattern.bases().len());
        bases.copy_from_slice(pattern.bases());
        padding.fill(b'N');
    });
}
