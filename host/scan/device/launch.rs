//! The launches of `scan`: one function for each kernel, with its contract.
//!
//! Some kernels go where device memory tells them. Their functions are unsafe, and their contracts say what must be there
//! *when the kernel runs*: kernels run in the order of their stream. "Packed" is what `scan_pack` wrote.

use cuda_std::Shape;
use warpseq_device::error::Result as DeviceResult;
use warpseq_device::gpu::Gpu;
use warpseq_device::launch::{launch, require};
use warpseq_device::stream::Stream;
use warpseq_gpu::abi::{
    AnchorArgs, BruteArgs, ChooseArgs, CountArgs, FillArgs, FoldArgs, HistogramArgs, Matches, OffsetsArgs, PackArgs,
    Patterns, Sequences,
};
use warpseq_gpu::scan::kernel;
use warpseq_gpu::tuning::{
    ANCHOR_SHARED, ANCHOR_THREADS, BITMAP_WORDS, BRUTE_POSITIONS, CODES, OFFSETS_PER_THREAD, PATTERNS_MAX, THREADS,
    TILE,
};

type Result = DeviceResult<()>;

/// grid: ceil(groups / THREADS), block: THREADS, shared: 0, where groups is `planes.len()`
/// `bases.len() >= 2 * groups`, `digits.len() == groups`, `odd.len() == 1`.
pub fn scan_pack<G: Gpu>(stream: &Stream<G>, args: PackArgs) -> Result {
    let groups = args.planes.len();
    let met = args.bases.len() >= 2 * groups && args.digits.len() == groups && args.odd.len() == 1;
    require("scan_pack", met, "two elements of bases for each group of 32, one flag")?;
    // SAFETY: for each group the kernel reads two elements of `bases` and writes one of `planes` and of `digits`; these, and
    // the flag, were just checked to be there.
    unsafe { launch(stream, &kernel::scan_pack, groups, args) }
}

/// grid: ceil(groups / THREADS), block: THREADS, shared: 0
/// `counts.len() == CODES`; the last group looked at and the one after it lie inside `digits`.
///
/// # Safety
/// `digits` are packed.
pub unsafe fn scan_histogram<G: Gpu>(stream: &Stream<G>, args: HistogramArgs) -> Result {
    let last = u64::from(args.groups.saturating_sub(1)) * u64::from(args.stride);
    let met = args.counts.len() == u64::from(CODES) && last + 1 < args.digits.len() && last < u64::from(u32::MAX);
    require("scan_histogram", met, "a count per code, every group and its successor inside the digits")?;
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { launch(stream, &kernel::scan_histogram, u64::from(args.groups), args) }
}

/// grid: ceil(CODES / 25 / THREADS), block: THREADS, shared: 0
/// `counts.len() == CODES`; `place` is 1, 25, 625 or 15,625.
pub fn scan_fold<G: Gpu>(stream: &Stream<G>, args: FoldArgs) -> Result {
    let met = args.counts.len() == u64::from(CODES) && [1, 25, 625, 15_625].contains(&args.place);
    require("scan_fold", met, "a count per code, a place of two digits")?;
    // SAFETY: which counts the kernel adds up follows from the thread and the place; both were just checked to fit.
    unsafe { launch(stream, &kernel::scan_fold, u64::from(CODES / 25), args) }
}

fn patterns_met(patterns: &Patterns) -> bool {
    patterns.planes.len() == patterns.digits.len() && patterns.info.len() <= u64::from(PATTERNS_MAX)
}

/// grid: ceil(32 * patterns / THREADS), block: THREADS, shared: 0
/// `counts.len() == CODES`; `anchors`, `probes`, `listed` and `tried` have an element per pattern, `division.counts` three.
///
/// # Safety
/// - `patterns` are packed: each from its first word in `info` on, with its length, at least 1; the words that it takes, and
///   one more, lie inside `planes` and `digits`.
/// - `division.counts` are 0.
pub unsafe fn scan_choose<G: Gpu>(stream: &Stream<G>, args: ChooseArgs) -> Result {
    let patterns = args.patterns.info.len();
    let division = &args.division;
    let room = division.listed.len() == patterns && division.tried.len() == patterns && division.counts.len() == 3;
    let met = args.counts.len() == u64::from(CODES) && args.anchors.len() == patterns && args.probes.len() == patterns;
    let contract = "a count per code; an anchor, a probe and a place in each list per pattern";
    require("scan_choose", met && room && patterns_met(&args.patterns), contract)?;
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { launch(stream, &kernel::scan_choose, 32 * patterns, args) }
}

/// grid: ceil(32 * listed / THREADS), block: THREADS, shared: 0
/// `counts.len() == CODES`, `bitmap.len() == BITMAP_WORDS`, `listed_count.len() == 1`; `listed` has an element for each
/// probe.
///
/// # Safety
/// `listed`, `listed_count` and `probes` are what `scan_choose` wrote.
pub unsafe fn scan_count<G: Gpu>(stream: &Stream<G>, args: CountArgs) -> Result {
    let tables = args.counts.len() == u64::from(CODES) && args.bitmap.len() == u64::from(BITMAP_WORDS);
    let met = tables && args.listed_count.len() == 1 && args.listed.len() == args.probes.len();
    require("scan_count", met, "a count and a bit per code, room to list every pattern")?;
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { launch(stream, &kernel::scan_count, 32 * args.listed.len(), args) }
}

/// grid: ceil(CODES / OFFSETS_PER_THREAD / THREADS), block: THREADS, shared: 0
/// `counts.len() == lists.len() == CODES`, `placed.len() == 1`.
pub fn scan_offsets<G: Gpu>(stream: &Stream<G>, args: OffsetsArgs) -> Result {
    let codes = u64::from(CODES);
    let met = args.counts.len() == codes && args.lists.len() == codes && args.placed.len() == 1;
    require("scan_offsets", met, "a count and a list per code, one sum")?;
    // SAFETY: the kernel reads and writes an element of `counts` and `lists` for each code, and one word; these were just checked
    // to be there.
    unsafe { launch(stream, &kernel::scan_offsets, u64::from(CODES.div_ceil(OFFSETS_PER_THREAD)), args) }
}

/// grid: ceil(32 * listed / THREADS), block: THREADS, shared: 0
/// `filled.len() == lists.len() == CODES`, `listed_count.len() == 1`; `listed` has an element for each probe.
///
/// # Safety
/// - `listed`, `listed_count` and `probes` are what `scan_choose` wrote.
/// - `lists` are what `scan_offsets` made of what `scan_count` counted for these patterns, and `filled` are 0.
/// - `entries` has room for all lists: `scan_choose` was given that room.
pub unsafe fn scan_fill<G: Gpu>(stream: &Stream<G>, args: FillArgs) -> Result {
    let tables = args.filled.len() == u64::from(CODES) && args.lists.len() == u64::from(CODES);
    let met = tables && args.listed_count.len() == 1 && args.listed.len() == args.probes.len();
    require("scan_fill", met, "a list and a count per code, room to list every pattern")?;
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { launch(stream, &kernel::scan_fill, 32 * args.listed.len(), args) }
}

fn search_met(sequences: &Sequences, matches: &Matches) -> bool {
    let words =
        sequences.planes.len() == sequences.digits.len() && sequences.starts.len() >= 2 && sequences.odd.len() == 1;
    words && matches.count.len() == 1 && matches.found.len() <= u64::from(u32::MAX)
}

/// grid: blocks, block: ANCHOR_THREADS, shared: ANCHOR_SHARED
/// `bitmap` has `BITMAP_WORDS` words, `lists.len() == CODES`; the tiles and a group after them lie inside the sequences.
///
/// # Safety
/// - `sequences` are packed; their `starts` rise from 0, and the last is at most 32 symbols less than `planes` hold.
/// - `patterns` are those of `scan_choose`, which wrote `anchors` and `probes`.
/// - `bitmap` is what `scan_count` wrote, `lists` what `scan_offsets`, and `entries` what `scan_fill` wrote for them.
pub unsafe fn scan_anchor<G: Gpu>(stream: &Stream<G>, blocks: u32, args: AnchorArgs) -> Result {
    let tables = args.bitmap.len() * 4 == u64::from(BITMAP_WORDS) && args.lists.len() == u64::from(CODES);
    let inside = u64::from(args.end_tile) * u64::from(TILE / 32) < args.sequences.planes.len();
    let met = tables && inside && search_met(&args.sequences, &args.matches);
    let chosen = args.probes.len() == args.patterns.info.len() && args.anchors.len() == args.probes.len();
    require(
        "scan_anchor",
        met && chosen && patterns_met(&args.patterns),
        "whole tables, and tiles inside the sequences",
    )?;
    let tiles = args.end_tile.saturating_sub(args.first_tile);
    let grid = blocks.min(tiles.div_ceil(ANCHOR_THREADS / 32));
    if grid == 0 {
        return Ok(());
    }
    let shape = Shape { grid, block: ANCHOR_THREADS, shared: ANCHOR_SHARED };
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { stream.launch(&kernel::scan_anchor, shape, args) }
}

/// grid: blocks, block: THREADS, shared: 0
/// The positions and a group after them lie inside the sequences; `tried_count.len() == 1`.
///
/// # Safety
/// - `sequences` are packed; their `starts` rise from 0, and the last is at most 32 symbols less than `planes` hold.
/// - `patterns` are those of `scan_choose`, which wrote `anchors` and `probes`.
/// - `tried` begins with as many numbers of patterns as `tried_count` says.
pub unsafe fn scan_brute<G: Gpu>(stream: &Stream<G>, blocks: u32, args: BruteArgs) -> Result {
    let run = u64::from(32 * BRUTE_POSITIONS);
    let step = u64::from(blocks) * u64::from(THREADS / 32) * run;
    let inside = u64::from(args.end).div_ceil(32) < args.sequences.planes.len();
    let counted = u64::from(args.end) + step < u64::from(u32::MAX) && args.tried_count.len() == 1;
    let met = inside && counted && search_met(&args.sequences, &args.matches);
    let chosen = args.probes.len() == args.patterns.info.len() && args.anchors.len() == args.probes.len();
    require("scan_brute", met && chosen && patterns_met(&args.patterns), "positions inside the sequences, one count")?;
    let runs = u64::from(args.end.saturating_sub(args.first)).div_ceil(run);
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { launch(stream, &kernel::scan_brute, 32 * runs.min(step / run), args) }
}
