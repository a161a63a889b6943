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
    BruteArgs, Hard, HardArgs, Matches, PackArgs, PartedArgs, Patterns, SeekArgs, Sequences, WindowArgs,
};
use warpseq_gpu::scan::kernel;
use warpseq_gpu::tuning::{
    BRUTE_POSITIONS, HARD_SHARED, HARD_TILES, SEEK_THREADS, SLACK, SPANS, THREADS, TILE, WARP_SHARED, WINDOW_BLOCKS,
};

type Result = DeviceResult<()>;

/// grid: ceil(groups / THREADS), block: THREADS, shared: 0, where groups is `planes.len()`
/// `bases.len() >= 2 * groups`, `digits.len() == groups` or 0, `odd.len() == 1`.
pub fn scan_pack<G: Gpu>(stream: &Stream<G>, args: PackArgs) -> Result {
    let groups = args.planes.len();
    let met = args.bases.len() >= 2 * groups && [0, groups].contains(&args.digits.len()) && args.odd.len() == 1;
    require("scan_pack", met, "two elements of bases for each group of 32, one flag")?;
    // SAFETY: for each group the kernel reads two elements of `bases` and writes one of `planes` and of `digits`, if there are any;
    // these, and the flag, were just checked to be there. It writes no more of `wild` than there are.
    unsafe { launch(stream, &kernel::scan_pack, groups, args) }
}

fn search_met(sequences: &Sequences, patterns: &Patterns, matches: &Matches) -> bool {
    let groups = sequences.planes.len();
    let words = sequences.digits.len() == groups && sequences.wild.len() == groups.div_ceil(u64::from(TILE / 32));
    let rest = sequences.starts.len() >= 2 && sequences.odd.len() == 1 && matches.count.len() == 2;
    let ranks = (sequences.starts.len() - 1) * patterns.info.len();
    let ranked = matches.least.is_empty() || matches.least.len() == ranks && ranks <= u64::from(u32::MAX);
    let quality = [0, 32 * groups].contains(&matches.quality.len());
    words && rest && ranked && quality && matches.found.len() <= u64::from(u32::MAX) && !patterns.info.is_empty()
}

/// Whether there is room for a bit of each position, and a word of each tile.
fn hard_met(hard: &Hard, sequences: &Sequences) -> bool {
    hard.bits.len() == sequences.planes.len() && hard.tiles.len() == sequences.wild.len()
}

/// grid: at most blocks, block: at most SEEK_THREADS, a warp a tile; shared: the kept bits, and WARP_SHARED for each warp
/// The tiles and the slack after them lie inside the sequences, and there is room for their hard positions.
///
/// # Safety
/// - `sequences` are packed; their `starts` rise from 0, and the last is at most `SLACK` symbols less than `planes` hold.
/// - `patterns` are packed, and `spans` those of some of them, inside them; the spans of each in a row.
/// - `bits`, `starts` and `entries` have for each of the `tiles`, or for all together, what `form` says, `words` and `lists` of them and all entries that
///   these name; spans have at most `SLACK` less 96 symbols.
/// - With `reach`, `hard` are those of the first spans of the same patterns, for all positions where any of their spans may lie, and `left` some of
///   them.
pub unsafe fn scan_seek<G: Gpu>(stream: &Stream<G>, blocks: u32, args: SeekArgs) -> Result {
    let form = &args.seeds.form;
    let groups = args.sequences.planes.len();
    let inside = u64::from(args.end_tile) * u64::from(TILE / 32) + u64::from(SLACK / 32) <= groups;
    let marked = hard_met(&args.hard, &args.sequences) && hard_met(&args.left, &args.sequences);
    let count = if form.together == 0 { form.tiles } else { 1 };
    let tables = args.seeds.bits.len() == u64::from(form.words) * u64::from(count)
        && args.seeds.starts.len() == u64::from(form.lists) * u64::from(count)
        && form.tile * form.tiles + 96 <= SLACK
        && (1..=form.tiles).contains(&form.needed)
        && form.words.is_multiple_of(4)
        && (form.together == 0 || (form.needed == 1 && form.tiles < 31 && form.tile * form.tiles <= 128))
        && args.kept <= count;
    let met = inside && marked && tables && search_met(&args.sequences, &args.patterns, &args.matches);
    require("scan_seek", met, "whole tables, and tiles and slack inside the sequences")?;
    let tiles = args.end_tile.saturating_sub(args.first_tile);
    let warps = tiles.min(SEEK_THREADS / 32);
    if warps == 0 {
        return Ok(());
    }
    let grid = blocks.min(tiles.div_ceil(warps));
    let shape = Shape { grid, block: 32 * warps, shared: 4 * args.kept * form.words + warps * WARP_SHARED };
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { stream.launch(&kernel::scan_seek, shape, args) }
}

/// Both kernels: grid: at most WINDOW_BLOCKS for each of `multiprocessors`, block: THREADS, a warp a tile; shared: 0
/// There is room for the marks of all tiles, and for the positions that are left.
///
/// # Safety
/// - `sequences` are packed; their `starts` rise from 0, and the last is at most `SLACK` symbols less than `planes` hold.
/// - `patterns` are packed, and `spans` those of some of them, inside them, `SPANS` of each in a row.
/// - `bits`, `starts` and `entries` of `seeds` are those of a table of tiles of `form.tile` symbols, 16 at most, and its entries number symbols of
///   the patterns of these spans, of which `starts` has the first of each.
/// - `hard` was marked by [`scan_seek`] for these spans.
pub unsafe fn scan_windows<G: Gpu>(stream: &Stream<G>, multiprocessors: u32, args: WindowArgs) -> Result {
    let groups = args.sequences.planes.len();
    let tiles = args.sequences.wild.len().saturating_sub(u64::from(SLACK.div_ceil(TILE))) as u32;
    let inside = u64::from(tiles) * u64::from(TILE / 32) + u64::from(SLACK / 32) <= groups;
    let cells = (5..=TILE.ilog2()).contains(&args.cell_bits)
        && args.marks.len() >= u64::from(tiles) * u64::from(TILE >> args.cell_bits);
    let form = &args.seeds.form;
    let windows = (1..=16).contains(&form.tile)
        && args.places <= 32
        && args.seeds.bits.len() == u64::from(form.words)
        && args.seeds.starts.len() == u64::from(form.lists)
        && args.seeds.spans.len() == u64::from(SPANS) * args.starts.len();
    let marked = hard_met(&args.hard, &args.sequences) && hard_met(&args.left, &args.sequences);
    let met = inside && cells && windows && marked && search_met(&args.sequences, &args.patterns, &args.matches);
    require(
        "scan_mark",
        met,
        "marks for all tiles inside the sequences, a whole table, the first symbols of all patterns",
    )?;
    let warps = u64::from(tiles.min(multiprocessors * WINDOW_BLOCKS * (THREADS / 32)));
    if warps == 0 {
        return Ok(());
    }
    // SAFETY: lengths were just checked, and the caller vouches for the contents. Marks are written before they are read.
    unsafe {
        launch(stream, &kernel::scan_mark, 32 * warps, args)?;
        launch(stream, &kernel::scan_window, 32 * warps, args)
    }
}

/// Warps of so many blocks, in whole groups of `parts`, which is not 0, but no more of these than there are tiles.
fn warps_in_parts(blocks: u32, tiles: u32, parts: u32) -> u32 {
    (blocks * (THREADS / 32)).next_multiple_of(parts).min(tiles.saturating_mul(parts))
}

/// grid: at least blocks, a multiple of what `parts` warps are; block: THREADS, shared: HARD_SHARED for each warp
/// The positions lie inside the sequences and have room in `hard`; `parts` is a power of two; with one span each, all have a head.
///
/// # Safety
/// - `sequences` are packed; their `starts` rise from 0, and the last is at most `SLACK` symbols less than `planes` hold.
/// - `patterns` are packed, and `spans` those of some of them, inside them; `spread` of each in a row.
/// - `hard` was marked by [`scan_seek`] for these spans, of `length` symbols where each pattern has several: at a hard position, one ends inside
///   the sequences. `left` are some of them.
pub unsafe fn scan_hard<G: Gpu>(stream: &Stream<G>, blocks: u32, args: HardArgs) -> Result {
    let groups = args.sequences.planes.len();
    let marked = hard_met(&args.hard, &args.sequences) && hard_met(&args.left, &args.sequences);
    let inside = u64::from(args.end) + u64::from(SLACK) <= 32 * groups && marked;
    let long = args.spread == SPANS;
    let whole = (long || args.spread == 1) && args.spans.len().is_multiple_of(args.spread.into());
    let heads = long || args.heads.len() == args.spans.len();
    let met = inside
        && whole
        && heads
        && args.parts.is_power_of_two()
        && search_met(&args.sequences, &args.patterns, &args.matches);
    require("scan_hard", met, "positions inside the sequences, a power of two of parts, a head for each span")?;
    let tiles = args.end.div_ceil(TILE).saturating_sub(args.first / TILE).div_ceil(if long { HARD_TILES } else { 1 });
    let warps = warps_in_parts(blocks, tiles, args.parts);
    if warps == 0 {
        return Ok(());
    }
    let shape = Shape { grid: warps.div_ceil(THREADS / 32), block: THREADS, shared: THREADS / 32 * HARD_SHARED };
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { stream.launch(&kernel::scan_hard, shape, args) }
}

/// grid: at least blocks, a multiple of what `parts` warps are; block: THREADS, shared: 0
/// The positions lie inside the sequences and have room in `hard`; `parts` is a power of two; for each pattern it is said how many spans are spare.
///
/// # Safety
/// - `sequences` are packed; their `starts` rise from 0, and the last is at most `SLACK` symbols less than `planes` hold.
/// - `patterns` are packed, and `parted` are numbers of some of them.
/// - `hard` was marked by [`scan_seek`] for the spans of these, which are at most `reach` apart and inside them.
pub unsafe fn scan_parted<G: Gpu>(stream: &Stream<G>, blocks: u32, args: PartedArgs) -> Result {
    let inside = u64::from(args.end) + u64::from(SLACK) <= 32 * args.sequences.planes.len();
    let met = inside
        && hard_met(&args.hard, &args.sequences)
        && args.parted.len() == args.spare.len()
        && args.parts.is_power_of_two()
        && search_met(&args.sequences, &args.patterns, &args.matches);
    require("scan_parted", met, "positions inside the sequences, a power of two of parts, a number for each pattern")?;
    let tiles = args.end.div_ceil(TILE).saturating_sub(args.first / TILE);
    let warps = warps_in_parts(blocks, tiles, args.parts);
    if warps == 0 || args.parted.is_empty() {
        return Ok(());
    }
    // SAFETY: lengths were just checked, and the caller vouches for the contents.
    unsafe { launch(stream, &kernel::scan_parted, 32 * u64::from(warps), args) }
}

/// grid: at most blocks, block: THREADS, shared: 0
/// The positions lie inside the sequences; there are as many probes as patterns to try.
///
/// # Safety
/// - `sequences` are packed; their `starts` rise from 0, and the last is at most `SLACK` symbols less than `planes` hold.
/// - `patterns` are packed, and `tried` are numbers of some of them, with places inside them.
pub unsafe fn scan_brute<G: Gpu>(stream: &Stream<G>, blocks: u32, args: BruteArgs) -> Result {
    let run = u64::from(32 * BRUTE_POSITIONS);
    let step = u64::from(blocks) * u64::from(THREADS / 32) * run;
    let inside = u64::from(args.end) + u64::from(SLACK) <= 32 * args.sequences.planes.len();
    let counted = u64::from(args.end) + step < u64::from(u32::MAX) && args.probes.len() == args.tried.len();
    let met = inside && counted && search_met(&args.sequences, &args.patterns, &args.matches);
    require("scan_brute", met, "positions inside the sequences, a probe per pattern")?;
    let runs = u64::from(args.end.saturating_sub(args.first)).div_ceil(run);
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { launch(stream, &kernel::scan_brute, 32 * runs.min(step / run), args) }
}
