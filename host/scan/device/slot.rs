//! A slot: the device memory, the pinned memory and the stream that one slice at a time passes through.
//!
//! ```text
//! letters (host) --copy--> letters --scan_pack--> planes, digits --search--> found, count --copy--> summary (pinned)
//! ```
//!
//! Three slots take turns, so that one slice is copied while another is searched and a third is collected.

use super::slices::Slice;
use crate::device::launch;
use cuda_std::U32x4;
use rayon::prelude::*;
use std::sync::Arc;
use warpseq_device::gpu::{DeviceArray, Gpu, Pinned};
use warpseq_engine::error::DeviceError;
use warpseq_gpu::abi::{Matches, PackArgs, Samples};
use warpseq_gpu::tuning::{SLACK, TILE};

type Result<T> = std::result::Result<T, DeviceError>;

/// How much a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Symbols of a slice.
    pub symbols: u32,
    /// Pieces of a slice.
    pub pieces: usize,
    /// Matches of a launch; at least the number of patterns.
    pub matches: u32,
}

/// Matches that come back with the count, without a second copy.
const SUMMARY: usize = 4096;

pub(super) struct Slot<G: Gpu> {
    pub stream: G::Stream,
    letters: DeviceArray<u8, G>,
    planes: DeviceArray<U32x4, G>,
    digits: DeviceArray<U32x4, G>,
    starts: DeviceArray<u32, G>,
    odd: DeviceArray<u32, G>,
    found: DeviceArray<U32x4, G>,
    count: DeviceArray<u32, G>,
    /// The letters of a batch that is not pinned pass through here.
    staging: Pinned<u8, G>,
    starts_staging: Pinned<u32, G>,
    /// Count, odd flag.
    flags: Pinned<u32, G>,
    summary: Pinned<U32x4, G>,
    /// Groups of 32 symbols of the slice in the slot, slack included.
    groups: usize,
    segments: usize,
}

/// The matches of a search, or that there were more than the slot holds.
pub(super) enum Collected {
    All { found: Vec<U32x4>, odd: bool },
    TooMany,
}

impl<G: Gpu> Slot<G> {
    pub fn new(gpu: &Arc<G>, capacity: Capacity, staged: bool) -> Result<Self> {
        let groups = groups_of(capacity.symbols);
        let stream = gpu.stream()?;
        let found = DeviceArray::new(gpu, capacity.matches as usize)?;
        let summary = Pinned::new(gpu, SUMMARY.min(capacity.matches as usize))?;
        // `fetch` copies these whether or not a search has written them.
        found.fill(&stream, 0..summary.len(), 0)?;
        Ok(Self {
            stream,
            letters: DeviceArray::new(gpu, groups * 32)?,
            planes: DeviceArray::new(gpu, groups)?,
            digits: DeviceArray::new(gpu, groups)?,
            starts: DeviceArray::new(gpu, capacity.pieces + 1)?,
            odd: DeviceArray::new(gpu, 1)?,
            found,
            count: DeviceArray::new(gpu, 1)?,
            staging: Pinned::new(gpu, if staged { capacity.symbols as usize } else { 0 })?,
            starts_staging: Pinned::new(gpu, capacity.pieces + 1)?,
            flags: Pinned::new(gpu, 2)?,
            summary,
            groups: 0,
            segments: 0,
        })
    }

    /// Queues the copy of a slice's letters.
    ///
    /// # Safety
    /// Unless the slot was made `staged`, `bases` stays as it is until the stream has passed the copy.
    pub unsafe fn upload(&mut self, slice: &Slice, bases: &[u8]) -> Result<()> {
        self.segments = slice.pieces.len();
        self.groups = groups_of(slice.symbols);
        let staged = !self.staging.is_empty();
        if staged {
            stage(&mut self.staging, slice, bases);
            // SAFETY: the staging buffer is this slot's, and nobody touches it before the slot is collected.
            unsafe { self.letters.copy_in(&self.stream, 0, &self.staging[..slice.symbols as usize])? };
        }
        let mut at = 0;
        for range in slice.ranges.iter().filter(|_| !staged) {
            let part = &bases[range.start as usize..range.end as usize];
            // SAFETY: the caller keeps `bases` as it is.
            unsafe { self.letters.copy_in(&self.stream, at, part)? };
            at += part.len();
        }
        self.letters.fill(&self.stream, slice.symbols as usize..self.groups * 32, b'N')?;
        let mut start = 0;
        for (place, piece) in self.starts_staging.iter_mut().zip(&slice.pieces) {
            *place = start;
            start += piece.length;
        }
        self.starts_staging[self.segments] = start;
        // SAFETY: as for the letters' staging buffer.
        unsafe { self.starts.copy_in(&self.stream, 0, &self.starts_staging[..=self.segments]) }
    }

    /// Queues the packing of what was uploaded. `unknown` as in [`PackArgs`]; `odd` is raised from the start when the
    /// patterns have odd letters.
    pub fn pack(&self, gpu: &G, unknown: u32, odd: bool) -> Result<()> {
        self.odd.fill(&self.stream, 0..1, u8::from(odd))?;
        launch::scan_pack(
            gpu,
            &self.stream,
            PackArgs {
                letters: self.letters.view_as(),
                planes: self.planes.slice_mut(0..self.groups),
                digits: self.digits.slice_mut(0..self.groups),
                odd: self.odd.view_mut(),
                unknown,
            },
        )
    }

    /// The packed samples, for a search.
    pub fn samples(&self) -> Samples<'_> {
        Samples {
            planes: self.planes.slice(0..self.groups),
            digits: self.digits.slice(0..self.groups),
            starts: self.starts.slice(0..self.segments + 1),
            odd: self.odd.view(),
        }
    }

    /// Where a search puts its matches.
    pub fn matches(&self) -> Matches<'_> {
        Matches { found: self.found.view_mut(), count: self.count.view_mut() }
    }

    /// Queues the clearing of the count, before a search.
    pub fn clear(&self) -> Result<()> {
        self.count.fill(&self.stream, 0..1, 0)
    }

    /// Queues the copy of the count and the first matches, after a search.
    pub fn fetch(&mut self) -> Result<()> {
        let (count, odd) = self.flags.split_at_mut(1);
        // SAFETY: the pinned arrays are this slot's, and are read only after `collect` has waited for the stream.
        unsafe {
            self.count.copy_out(&self.stream, 0..1, count)?;
            self.odd.copy_out(&self.stream, 0..1, odd)?;
        }
        let some = self.summary.len();
        // SAFETY: as above. Elements that no match was written to are copied but not read.
        unsafe { self.found.copy_out(&self.stream, 0..some, &mut self.summary) }
    }

    /// Waits for the search and takes its matches.
    pub fn collect(&mut self, gpu: &G) -> Result<Collected> {
        gpu.synchronize(&self.stream)?;
        let (count, odd) = (self.flags[0] as usize, self.flags[1] != 0);
        if count > self.found.len() {
            return Ok(Collected::TooMany);
        }
        let mut found = self.summary[..count.min(self.summary.len())].to_vec();
        if count > found.len() {
            let have = found.len();
            found.resize(count, U32x4::default());
            // SAFETY: the stream is waited for before `found` is touched again.
            unsafe { self.found.copy_out(&self.stream, have..count, &mut found[have..])? };
            gpu.synchronize(&self.stream)?;
        }
        Ok(Collected::All { found, odd })
    }
}

/// Groups of 32 symbols that hold `symbols` in whole tiles, and the slack that windows at the end read.
fn groups_of(symbols: u32) -> usize {
    symbols.div_ceil(TILE) as usize * (TILE / 32) as usize + (SLACK / 32) as usize
}

/// Copies a slice's letters to the staging buffer, with all threads.
fn stage(staging: &mut [u8], slice: &Slice, bases: &[u8]) {
    /// Symbols a thread copies at a time.
    const PART: usize = 1 << 20;
    let mut rest = staging;
    let mut parts = Vec::new();
    for range in &slice.ranges {
        let from = &bases[range.start as usize..range.end as usize];
        let (to, after) = rest.split_at_mut(from.len());
        rest = after;
        parts.extend(to.chunks_mut(PART).zip(from.chunks(PART)));
    }
    parts.into_par_iter().for_each(|(to, from)| to.copy_from_slice(from));
}
