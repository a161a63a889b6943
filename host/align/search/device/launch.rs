//! The launches of a search: one function for each kind of kernel, with its contract.

use cuda_std::{Kernel, Shape};
use warpseq_device::error::Result as DeviceResult;
use warpseq_device::gpu::Gpu;
use warpseq_device::launch::{THREADS_MAX, require};
use warpseq_device::stream::Stream;
use warpseq_gpu::abi::{KeepArgs, SearchArgs, SearchRules};
use warpseq_gpu::align::keep::{KEEP_SHARED, LIMIT_SHARED};
use warpseq_gpu::align::{kernel as align, search};
use warpseq_gpu::tuning::{ALPHABET_MAX, KEEP_THREADS};

type Result = DeviceResult<()>;

/// Which kernel searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pass {
    /// Two targets in a register.
    pub packed: bool,
    pub affine: bool,
    /// Residues of the query that a lane holds.
    pub residues: u32,
}

impl Pass {
    /// The residues that a lane may hold.
    pub fn residues(packed: bool, affine: bool) -> &'static [u32] {
        match (packed, affine) {
            (true, true) => &[8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32],
            (true, false) => &[8, 12, 16, 20, 24, 28, 32],
            (false, _) => &[16],
        }
    }

    fn kernel(self) -> Option<&'static Kernel<fn(SearchArgs)>> {
        let Self { packed, affine, residues } = self;
        Some(match (packed, affine, residues) {
            (true, true, 8) => &align::align_search_affine_8,
            (true, true, 10) => &align::align_search_affine_10,
            (true, true, 12) => &align::align_search_affine_12,
            (true, true, 14) => &align::align_search_affine_14,
            (true, true, 16) => &align::align_search_affine_16,
            (true, true, 18) => &align::align_search_affine_18,
            (true, true, 20) => &align::align_search_affine_20,
            (true, true, 22) => &align::align_search_affine_22,
            (true, true, 24) => &align::align_search_affine_24,
            (true, true, 26) => &align::align_search_affine_26,
            (true, true, 28) => &align::align_search_affine_28,
            (true, true, 30) => &align::align_search_affine_30,
            (true, true, 32) => &align::align_search_affine_32,
            (true, false, 8) => &align::align_search_linear_8,
            (true, false, 12) => &align::align_search_linear_12,
            (true, false, 16) => &align::align_search_linear_16,
            (true, false, 20) => &align::align_search_linear_20,
            (true, false, 24) => &align::align_search_linear_24,
            (true, false, 28) => &align::align_search_linear_28,
            (true, false, 32) => &align::align_search_linear_32,
            (false, _, 16) => &align::align_search_wide,
            _ => return None,
        })
    }
}

/// The blocks of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    pub count: u32,
    pub threads: u32,
}

impl Blocks {
    /// Elements of the borders of all groups of `lanes` lanes, where the longest couple has `columns` columns.
    pub fn borders(self, lanes: u32, columns: u64) -> u64 {
        u64::from(self.count) * u64::from(self.threads / lanes) * 2 * columns
    }
}

/// grid and block: `blocks`, shared: the profile of the longest query
/// The tables are whole, there are groups of 4, 8 or 16 lanes, and borders for all of them where a query has several strips.
///
/// # Safety
/// - Every item names a query, and units below twice the couples (the couples, where the pass is packed).
/// - Every query lies inside the residues, is not empty, and has at most `rules.strips` strips; every residue of one has a code
///   below `rules.codes`.
/// - Every couple lies inside the letters, with one letter more, and has at least one column and at most `rules.border`. The
///   columns fall from couple to couple. Each letter is two codes up to `rules.codes`, the last one of a couple twice that.
/// - Every score lies inside `scores`: its queries times `rules.targets`. `taken` is 0.
pub unsafe fn align_search<G: Gpu>(stream: &Stream<G>, pass: Pass, blocks: Blocks, args: SearchArgs) -> Result {
    let Some(kernel) = pass.kernel() else {
        return require("align_search", false, "a pass that there is a kernel for");
    };
    let SearchRules { codes, lanes, strips, border, .. } = args.rules;
    let tables = args.codes.len() == 256 && args.matrix.len() == u64::from(ALPHABET_MAX * ALPHABET_MAX / 4);
    let couples = args.order.len() == 2 * args.couples.len() && codes < ALPHABET_MAX && args.taken.len() == 1;
    let groups = [4, 8, 16].contains(&lanes)
        && (strips == 1 || args.borders.len() >= blocks.borders(lanes, border.into()))
        && args.scores.len() < THREADS_MAX;
    let warps = blocks.count > 0 && blocks.threads > 0 && blocks.threads.is_multiple_of(32);
    let met = tables && couples && groups && warps && !args.items.is_empty();
    require(kernel.name(), met, "whole tables, two targets a couple, borders for all groups, an item")?;
    let shape =
        Shape { grid: blocks.count, block: blocks.threads, shared: search::shared_bytes(&args.rules, pass.residues) };
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { stream.launch(kernel, shape, args) }
}

fn is_whole(args: &KeepArgs) -> bool {
    let queries = args.limits.len();
    args.least.len() == queries
        && args.scores.len() == queries * u64::from(args.targets)
        && queries > 0
        && args.scores.len() < THREADS_MAX
}

/// grid: queries, block: KEEP_THREADS, shared: LIMIT_SHARED
/// Every query has a least score, a limit, and a score with each target.
///
/// # Safety
/// - No score, and no least one, is 2^31 or more.
pub unsafe fn align_limit<G: Gpu>(stream: &Stream<G>, args: KeepArgs) -> Result {
    require("align_limit", is_whole(&args) && args.top > 0, "a limit for each query, a score for each target")?;
    let shape = Shape { grid: args.limits.len() as u32, block: KEEP_THREADS, shared: LIMIT_SHARED };
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { stream.launch(&align::align_limit, shape, args) }
}

/// grid: queries, block: KEEP_THREADS, shared: KEEP_SHARED
/// As `align_limit`, and every query has a start.
///
/// # Safety
/// - The limits are those of `align_limit` for these scores, and what each query keeps by them fits `kept` from its start on.
pub unsafe fn align_keep<G: Gpu>(stream: &Stream<G>, args: KeepArgs) -> Result {
    let met = is_whole(&args) && args.starts.len() == args.limits.len();
    require("align_keep", met, "a start for each query, a score for each target")?;
    let shape = Shape { grid: args.limits.len() as u32, block: KEEP_THREADS, shared: KEEP_SHARED };
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { stream.launch(&align::align_keep, shape, args) }
}
