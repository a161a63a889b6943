//! The patterns and their anchor table in device memory. Built once per run, from the first slice's windows.

use super::slot::Slot;
use crate::cuda::launch;
use crate::error::DeviceError;
use crate::gpu::{DeviceArray, Gpu};
use crate::scan::{Algorithm, Pattern};
use cuda_std::{U32x2, U32x4};
use std::sync::Arc;
use warpseq_gpu::abi::{
    AnchorArgs, BruteArgs, ChooseArgs, CountArgs, FillArgs, FoldArgs, HistogramArgs, OffsetsArgs, PackArgs, Patterns,
};
use warpseq_gpu::tuning::{BITMAP_WORDS, CODES, HISTOGRAM_WINDOWS, SLACK};

type Result<T> = std::result::Result<T, DeviceError>;

/// A pattern of which more than this fraction of all windows are candidates is tried everywhere instead: a candidate costs
/// about 3.5 ps, a try at every position 0.26 ps.
const CANDIDATES_MAX: f64 = 0.07;

/// The most entries of all lists together: 8 bytes each.
const ENTRIES_MAX: u64 = 1 << 27;

pub(super) struct Table<G: Gpu> {
    patterns: DevicePatterns<G>,
    anchors: DeviceArray<U32x4, G>,
    probes: DeviceArray<U32x4, G>,
    bitmap: DeviceArray<u32, G>,
    lists: DeviceArray<U32x2, G>,
    entries: DeviceArray<U32x2, G>,
    /// Patterns searched through the table, patterns tried everywhere, and all of them.
    listed: DeviceArray<u32, G>,
    tried: DeviceArray<u32, G>,
    all: DeviceArray<u32, G>,
}

/// Which positions of a slot to search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub first: u32,
    pub end: u32,
}

struct DevicePatterns<G: Gpu> {
    planes: DeviceArray<U32x4, G>,
    digits: DeviceArray<U32x4, G>,
    info: DeviceArray<U32x4, G>,
}

impl<G: Gpu> DevicePatterns<G> {
    /// Copies and packs the patterns. Waits, so that what it copies from may go.
    fn new(gpu: &Arc<G>, stream: &G::Stream, patterns: &[Pattern], unknown: u32) -> Result<Self> {
        let mut letters = Vec::new();
        let mut info = Vec::new();
        for pattern in patterns {
            let word = (letters.len() / 32) as u32;
            info.push(U32x4([word, pattern.bases.len() as u32, pattern.wild_limit, 0]));
            letters.extend_from_slice(&pattern.bases);
            letters.resize(letters.len().next_multiple_of(32), b'N');
        }
        letters.resize(letters.len() + SLACK as usize, b'N');
        let groups = letters.len() / 32;
        let on_device = Self {
            planes: DeviceArray::new(gpu, groups)?,
            digits: DeviceArray::new(gpu, groups)?,
            info: DeviceArray::new(gpu, info.len())?,
        };
        let packed = DeviceArray::<u8, G>::new(gpu, letters.len())?;
        let odd = DeviceArray::new(gpu, 1)?;
        odd.fill(stream, 0..1, 0)?;
        // SAFETY: the stream is waited for below, before `letters` and `info` go.
        unsafe {
            packed.copy_in(stream, 0, &letters)?;
            on_device.info.copy_in(stream, 0, &info)?;
        }
        let (planes, digits) = (on_device.planes.view_mut(), on_device.digits.view_mut());
        launch::scan_pack(
            &**gpu,
            stream,
            PackArgs { letters: packed.view_as(), planes, digits, odd: odd.view_mut(), unknown },
        )?;
        gpu.synchronize(stream)?;
        Ok(on_device)
    }

    fn view(&self) -> Patterns {
        Patterns { planes: self.planes.view(), digits: self.digits.view(), info: self.info.view() }
    }
}

impl<G: Gpu> Table<G> {
    /// Builds the table for `patterns` from the windows of the slice that `slot` has packed.
    pub fn build(
        gpu: &Arc<G>,
        slot: &Slot<G>,
        patterns: &[Pattern],
        unknown: u32,
        algorithm: Algorithm,
    ) -> Result<Self> {
        let stream = &slot.stream;
        let counts = DeviceArray::new(gpu, CODES as usize)?;
        let windows = count_windows(&**gpu, slot, &counts)?;
        let patterns_there = DevicePatterns::new(gpu, stream, patterns, unknown)?;
        let anchors = DeviceArray::new(gpu, patterns.len())?;
        let probes = DeviceArray::new(gpu, patterns.len())?;
        let args = ChooseArgs {
            patterns: patterns_there.view(),
            counts: counts.view(),
            anchors: anchors.view_mut(),
            probes: probes.view_mut(),
        };
        launch::scan_choose(&**gpu, stream, args)?;
        let mut chosen = vec![U32x4::default(); patterns.len()];
        // SAFETY: the stream is waited for on the next line.
        unsafe { anchors.copy_out(stream, 0..patterns.len(), &mut chosen)? };
        gpu.synchronize(stream)?;
        let (listed, tried, entries) = divide(&chosen, windows, algorithm);
        let mut table = Self {
            patterns: patterns_there,
            anchors,
            probes,
            bitmap: DeviceArray::new(gpu, BITMAP_WORDS as usize)?,
            lists: DeviceArray::new(gpu, CODES as usize)?,
            entries: DeviceArray::new(gpu, entries as usize)?,
            listed: DeviceArray::new(gpu, listed.len())?,
            tried: DeviceArray::new(gpu, tried.len())?,
            all: DeviceArray::new(gpu, patterns.len())?,
        };
        table.list(gpu, stream, &counts, [&listed, &tried])?;
        Ok(table)
    }

    /// Writes the lists. `counts` is free for use. Waits, so that the host arrays may go.
    fn list(
        &mut self,
        gpu: &Arc<G>,
        stream: &G::Stream,
        counts: &DeviceArray<u32, G>,
        [listed, tried]: [&[u32]; 2],
    ) -> Result<()> {
        let placed = DeviceArray::new(gpu, 1)?;
        let all: Vec<u32> = (0..self.all.len() as u32).collect();
        // SAFETY: the stream is waited for below.
        unsafe {
            self.listed.copy_in(stream, 0, listed)?;
            self.tried.copy_in(stream, 0, tried)?;
            self.all.copy_in(stream, 0, &all)?;
        }
        counts.fill(stream, 0..CODES as usize, 0)?;
        placed.fill(stream, 0..1, 0)?;
        self.bitmap.fill(stream, 0..BITMAP_WORDS as usize, 0)?;
        let (listed, probes) = (self.listed.view(), self.probes.view());
        let bitmap = self.bitmap.view_mut();
        launch::scan_count(&**gpu, stream, CountArgs { listed, probes, counts: counts.view_mut(), bitmap })?;
        let (lists, placed) = (self.lists.view_mut(), placed.view_mut());
        launch::scan_offsets(&**gpu, stream, OffsetsArgs { counts: counts.view_mut(), lists, placed })?;
        let (lists, entries) = (self.lists.view(), self.entries.view_mut());
        launch::scan_fill(&**gpu, stream, FillArgs { listed, probes, lists, filled: counts.view_mut(), entries })?;
        gpu.synchronize(stream)
    }

    /// Queues the search of `range` of what `slot` holds. Outside whole tiles, or where the range is part of a tile, every
    /// pattern is tried.
    pub fn search(&self, gpu: &G, slot: &Slot<G>, range: Range) -> Result<()> {
        use warpseq_gpu::tuning::TILE;
        let (samples, patterns, anchors) = (slot.samples(), self.patterns.view(), self.anchors.view());
        let matches = slot.matches();
        slot.clear()?;
        let whole_tiles = range.first % TILE == 0 && range.end - range.first >= TILE;
        let tried = if whole_tiles { self.tried.view() } else { self.all.view() };
        if whole_tiles && !self.listed.is_empty() {
            let args = AnchorArgs {
                samples,
                patterns,
                anchors,
                matches,
                bitmap: self.bitmap.view_as(),
                lists: self.lists.view(),
                entries: self.entries.view(),
                first_tile: range.first / TILE,
                end_tile: range.end.div_ceil(TILE),
            };
            launch::scan_anchor(gpu, &slot.stream, 2 * gpu.multiprocessors(), args)?;
        }
        let probes = self.probes.view();
        let (first, end) = (range.first, range.end);
        launch::scan_brute(
            gpu,
            &slot.stream,
            BruteArgs { samples, patterns, anchors, matches, tried, probes, first, end },
        )
    }
}

/// Counts and folds the windows of a part of the slot's slice. How many windows were counted.
fn count_windows<G: Gpu>(gpu: &G, slot: &Slot<G>, counts: &DeviceArray<u32, G>) -> Result<u64> {
    let digits = slot.samples().digits;
    let groups = (digits.len() - u64::from(SLACK / 32)) as u32;
    let looked_at = groups.min(HISTOGRAM_WINDOWS / 32);
    let stride = groups / looked_at;
    counts.fill(&slot.stream, 0..CODES as usize, 0)?;
    let args = HistogramArgs { digits, counts: counts.view_mut(), groups: looked_at, stride };
    launch::scan_histogram(gpu, &slot.stream, args)?;
    for place in [1, 25, 625, 15_625] {
        launch::scan_fold(gpu, &slot.stream, FoldArgs { counts: counts.view_mut(), place })?;
    }
    Ok(u64::from(looked_at) * 32)
}

/// Divides the patterns into those for the table and those to try everywhere; and how many entries the table will have.
fn divide(chosen: &[U32x4], windows: u64, algorithm: Algorithm) -> (Vec<u32>, Vec<u32>, u64) {
    let (mut listed, mut tried, mut entries) = (Vec::new(), Vec::new(), 0);
    for (pattern, U32x4([_, candidates, codes, _])) in (0..).zip(chosen) {
        let rare = f64::from(*candidates) <= CANDIDATES_MAX * windows as f64;
        let fits = entries + u64::from(*codes) <= ENTRIES_MAX;
        let list = match algorithm {
            Algorithm::Auto => rare && fits,
            Algorithm::Anchor => fits,
            Algorithm::Brute => false,
        };
        if list {
            listed.push(pattern);
            entries += u64::from(*codes);
        } else {
            tried.push(pattern);
        }
    }
    (listed, tried, entries)
}
