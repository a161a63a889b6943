//! The patterns and their anchor table in device memory. Filled once per run, from the first slice's windows.
//!
//! ```text
//! patterns (host) --copy--> bases --scan_pack--> planes, digits
//! first slice --scan_histogram, scan_fold--> counts --scan_choose--> anchors, probes; listed | tried
//! listed --scan_count, scan_offsets, scan_fill--> bitmap, lists, entries
//! ```
//!
//! The device decides which patterns go into the table, so that the host queues all of this and waits for none of it.

use super::patterns::DevicePatterns;
use super::slot::Slot;
use crate::device::launch;
use crate::{Algorithm, Pattern};
use cuda_std::{Global, U32x2, U32x4};
use std::sync::Arc;
use warpseq_device::array::DeviceArray;
use warpseq_device::error::Result;
use warpseq_device::gpu::Gpu;
use warpseq_device::stream::Stream;
use warpseq_gpu::abi::{
    AnchorArgs, BruteArgs, ChooseArgs, Costs, CountArgs, Division, FillArgs, FoldArgs, HistogramArgs, OffsetsArgs,
};
use warpseq_gpu::tuning::{
    ANCHOR_BLOCKS, BITMAP_WORDS, BRUTE_BLOCKS, CODES, ENTRY_UNIT, HISTOGRAM_WINDOWS, SLACK, TILE,
};

/// Costs on an H100, in femtoseconds: to try a pattern at a position, to look at a candidate, to enter a code into the table,
/// and to build a table at all. Only speed depends on them.
const TRY: f64 = 260.0;
const CANDIDATE: f64 = 3500.0;
const ENTRY: f64 = 20_000.0;
const TABLE: f64 = 1e11;

/// Entries to make room for, for each pattern: an anchor with three wild symbols has 4000.
const ENTRIES_PER_PATTERN: u64 = 4096;

/// How the table is filled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub algorithm: Algorithm,
    /// Positions that will be searched with the table, as far as is known.
    pub positions: u64,
}

/// Which positions of a slot to search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub first: u32,
    pub end: u32,
}

pub(super) struct Table<G: Gpu> {
    patterns: DevicePatterns<G>,
    counts: DeviceArray<u32, G>,
    anchors: DeviceArray<U32x4, G>,
    probes: DeviceArray<U32x4, G>,
    bitmap: DeviceArray<u32, G>,
    lists: DeviceArray<U32x2, G>,
    placed: DeviceArray<u32, G>,
    entries: DeviceArray<U32x2, G>,
    /// Patterns searched through the table, and patterns tried everywhere.
    listed: DeviceArray<u32, G>,
    tried: DeviceArray<u32, G>,
    division: DeviceArray<u32, G>,
    /// Whether any pattern may be listed.
    used: bool,
}

impl<G: Gpu> Table<G> {
    /// Takes the memory, with room for at most `entries` entries.
    pub fn new(gpu: &Arc<G>, patterns: &[Pattern], entries: u64) -> Result<Self> {
        let room = (patterns.len() as u64 * ENTRIES_PER_PATTERN).max(u64::from(CODES)).min(entries.max(1));
        Ok(Self {
            patterns: DevicePatterns::new(gpu, patterns)?,
            counts: DeviceArray::new(gpu, CODES as usize)?,
            anchors: DeviceArray::new(gpu, patterns.len())?,
            probes: DeviceArray::new(gpu, patterns.len())?,
            bitmap: DeviceArray::new(gpu, BITMAP_WORDS as usize)?,
            lists: DeviceArray::new(gpu, CODES as usize)?,
            placed: DeviceArray::new(gpu, 1)?,
            entries: DeviceArray::new(gpu, room as usize)?,
            listed: DeviceArray::new(gpu, patterns.len())?,
            tried: DeviceArray::new(gpu, patterns.len())?,
            division: DeviceArray::new(gpu, 3)?,
            used: false,
        })
    }

    /// Queues the copy and the packing of the patterns, the ones given to `new`.
    pub fn load(&mut self, stream: &Stream<G>, patterns: &[Pattern], unknown: u32) -> Result<()> {
        self.patterns.load(stream, patterns, unknown)
    }

    /// Queues the filling of the table from the windows of the slice that `slot` has packed, after `load`.
    pub fn fill(&mut self, slot: &Slot<G>, plan: Plan) -> Result<()> {
        let stream = &slot.stream;
        let windows = count_windows(slot, &self.counts)?;
        let costs = costs(self.anchors.len(), windows, self.entries.len(), plan);
        self.used = costs.everywhere > 0;
        self.division.fill(stream, 0..3, 0)?;
        let args = ChooseArgs {
            patterns: self.patterns.view(),
            counts: self.counts.view(),
            anchors: self.anchors.view_mut(),
            probes: self.probes.view_mut(),
            division: Division {
                listed: self.listed.view_mut(),
                tried: self.tried.view_mut(),
                counts: self.division.view_mut(),
            },
            costs,
        };
        // SAFETY: `load` has packed the patterns on this stream: from a border of words each, with `SLACK` symbols after the last;
        // a `Pattern` has bases; the counts are filled with 0 above.
        unsafe { launch::scan_choose(stream, args)? };
        if self.used { self.list(stream) } else { Ok(()) }
    }

    /// Queues the writing of the lists.
    fn list(&self, stream: &Stream<G>) -> Result<()> {
        self.counts.fill(stream, 0..CODES as usize, 0)?;
        self.placed.fill(stream, 0..1, 0)?;
        self.bitmap.fill(stream, 0..BITMAP_WORDS as usize, 0)?;
        let (listed, listed_count, probes) = (self.listed.view(), self.division.slice(0..1), self.probes.view());
        let (counts, bitmap) = (self.counts.view_mut(), self.bitmap.view_mut());
        // SAFETY: `scan_choose` wrote the list, its length and the probes, earlier on this stream.
        unsafe { launch::scan_count(stream, CountArgs { listed, listed_count, probes, counts, bitmap })? };
        let (lists, placed) = (self.lists.view_mut(), self.placed.view_mut());
        launch::scan_offsets(stream, OffsetsArgs { counts, lists, placed })?;
        let (lists, entries) = (self.lists.view(), self.entries.view_mut());
        // SAFETY: earlier on this stream, `scan_choose` wrote the list for the room of `entries`, and `scan_offsets` made the lists
        // of what `scan_count` counted, and the counts 0.
        unsafe { launch::scan_fill(stream, FillArgs { listed, listed_count, probes, lists, filled: counts, entries }) }
    }

    /// Queues the search of `range` of what `slot` holds. Where the range is not made of whole tiles, every pattern is tried.
    pub fn search(&self, slot: &Slot<G>, range: Range) -> Result<()> {
        let (sequences, patterns, anchors) = (slot.sequences(), self.patterns.view(), self.anchors.view());
        let (probes, matches) = (self.probes.view(), slot.matches());
        let multiprocessors = slot.stream.gpu().multiprocessors();
        slot.clear()?;
        let whole_tiles = range.first.is_multiple_of(TILE) && range.end - range.first >= TILE;
        if whole_tiles && self.used {
            let args = AnchorArgs {
                sequences,
                patterns,
                anchors,
                probes,
                matches,
                bitmap: self.bitmap.view_as(),
                lists: self.lists.view(),
                entries: self.entries.view(),
                first_tile: range.first / TILE,
                end_tile: range.end.div_ceil(TILE),
            };
            // SAFETY: the slot's stream has packed its slice, whose starts `Slot::upload` adds up from lengths that fit it, and
            // waits for `fill`, which has written the table.
            unsafe { launch::scan_anchor(&slot.stream, ANCHOR_BLOCKS * multiprocessors, args)? };
        }
        let (tried, tried_count) = if whole_tiles { self.tried() } else { self.patterns.all() };
        let (first, end) = (range.first, range.end);
        let args = BruteArgs { sequences, patterns, anchors, matches, tried, tried_count, probes, first, end };
        // SAFETY: the slot's stream has packed its slice, whose starts `Slot::upload` adds up from lengths that fit it, and waits
        // for `fill`, in which `scan_choose` wrote anchors, probes and the patterns to try; or all are tried, as `load` lists them.
        unsafe { launch::scan_brute(&slot.stream, BRUTE_BLOCKS * multiprocessors, args) }
    }

    fn tried(&self) -> (Global<'_, u32>, Global<'_, u32>) {
        (self.tried.view(), self.division.slice(1..2))
    }
}

/// Queues the counting and folding of the windows of a part of the slot's slice. Returns how many windows are counted.
fn count_windows<G: Gpu>(slot: &Slot<G>, counts: &DeviceArray<u32, G>) -> Result<u64> {
    let digits = slot.sequences().digits;
    let groups = (digits.len() - u64::from(SLACK / 32)) as u32;
    let looked_at = groups.min(HISTOGRAM_WINDOWS / 32);
    let stride = groups / looked_at;
    counts.fill(&slot.stream, 0..CODES as usize, 0)?;
    let args = HistogramArgs { digits, counts: counts.view_mut(), groups: looked_at, stride };
    // SAFETY: the slot's stream has packed its slice.
    unsafe { launch::scan_histogram(&slot.stream, args)? };
    for place in [1, 25, 625, 15_625] {
        launch::scan_fold(&slot.stream, FoldArgs { counts: counts.view_mut(), place })?;
    }
    Ok(u64::from(looked_at) * 32)
}

/// What the device weighs, for so many patterns, counted windows and entries.
fn costs(patterns: usize, windows: u64, entries: usize, plan: Plan) -> Costs {
    let positions = plan.positions as f64;
    let worth_a_table = TRY * positions * patterns as f64 > TABLE;
    let room = (entries / ENTRY_UNIT as usize) as u64;
    match plan.algorithm {
        Algorithm::Auto if worth_a_table => Costs {
            everywhere: (TRY * positions) as u64,
            candidate: (CANDIDATE * positions / windows as f64) as u64,
            code: ENTRY as u64,
            room,
        },
        Algorithm::Anchor => Costs { everywhere: 1, candidate: 0, code: 0, room },
        Algorithm::Auto | Algorithm::Brute => Costs { everywhere: 0, candidate: 0, code: 0, room },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(algorithm: Algorithm, positions: u64) -> Plan {
        Plan { algorithm, positions }
    }

    #[test]
    fn rare_anchors_are_cheaper_in_the_table_and_common_ones_are_not() {
        let costs = costs(1000, 2 << 20, 1 << 24, plan(Algorithm::Auto, 1 << 30));
        let through_table = |candidates: u64, codes: u64| candidates * costs.candidate + codes * costs.code;
        assert!(through_table(20, 256) < costs.everywhere && through_table(0, 390_625) < costs.everywhere);
        assert!(through_table(2_000_000, 256) > costs.everywhere);
    }

    #[test]
    fn little_work_is_not_worth_a_table_unless_asked_for() {
        assert_eq!(costs(9, 1000, 1 << 20, plan(Algorithm::Auto, 1000)).everywhere, 0);
        assert_eq!(costs(9, 1000, 1 << 20, plan(Algorithm::Anchor, 1000)).everywhere, 1);
        assert_eq!(costs(9, 1000, 1 << 20, plan(Algorithm::Brute, 1 << 40)).everywhere, 0);
    }
}
