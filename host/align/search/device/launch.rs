//! The launches of a search: one function for each kind of kernel, with its contract.

use cuda_std::{Kernel, Shape};
use warpseq_device::error::Result as DeviceResult;
use warpseq_device::gpu::Gpu;
use warpseq_device::launch::{THREADS_MAX, require};
use warpseq_device::stream::Stream;
use warpseq_gpu::abi::{KeepArgs, SearchArgs, SearchRules};
use warpseq_gpu::align::keep::{KEEP_SHARED, LIMIT_SHARED};
use warpseq_gpu::align::{kernel as align, search};
use warpseq_gpu::tuning::{ALPHABET_MAX, KEEP_THREADS, PROTEIN_GAP};

type Result = DeviceResult<()>;

/// The gaps that a kernel is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gaps {
    Linear,
    Affine,
    /// Affine, of the costs that proteins have by default.
    Protein,
}

impl Gaps {
    /// Those of an opening and an extension.
    pub fn of(open: i32, extend: i32) -> Self {
        match [open, extend] {
            PROTEIN_GAP => Self::Protein,
            _ if open == extend => Self::Linear,
            _ => Self::Affine,
        }
    }
}

/// Which kernel searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pass {
    /// Two targets in a register.
    pub packed: bool,
    pub gaps: Gaps,
    /// Residues of the query that a lane holds.
    pub residues: u32,
}

impl Pass {
    /// The residues that a lane may hold.
    pub fn residues(packed: bool, gaps: Gaps) -> &'static [u32] {
        match (packed, gaps) {
            (true, Gaps::Protein) => &[8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 32],
            (true, Gaps::Affine) => &[8, 12, 16, 20, 24, 28, 30],
            (true, Gaps::Linear) => &[8, 12, 16, 20, 24, 28, 32],
            (false, _) => &[16],
        }
    }

    fn kernel(self) -> Option<&'static Kernel<fn(SearchArgs)>> {
        let Self { packed, gaps, residues } = self;
        Some(match (packed, gaps, residues) {
            (true, Gaps::Protein, 8) => &align::align_search_protein_8,
            (true, Gaps::Protein, 10) => &align::align_search_protein_10,
            (true, Gaps::Protein, 12) => &align::align_search_protein_12,
            (true, Gaps::Protein, 14) => &align::align_search_protein_14,
            (true, Gaps::Protein, 16) => &align::align_search_protein_16,
            (true, Gaps::Protein, 18) => &align::align_search_protein_18,
            (true, Gaps::Protein, 20) => &align::align_search_protein_20,
            (true, Gaps::Protein, 22) => &align::align_search_protein_22,
            (true, Gaps::Protein, 24) => &align::align_search_protein_24,
            (true, Gaps::Protein, 26) => &align::align_search_protein_26,
            (true, Gaps::Protein, 28) => &align::align_search_protein_28,
            (true, Gaps::Protein, 32) => &align::align_search_protein_32,
            (true, Gaps::Affine, 8) => &align::align_search_affine_8,
            (true, Gaps::Affine, 12) => &align::align_search_affine_12,
            (true, Gaps::Affine, 16) => &align::align_search_affine_16,
            (true, Gaps::Affine, 20) => &align::align_search_affine_20,
            (true, Gaps::Affine, 24) => &align::align_search_affine_24,
            (true, Gaps::Affine, 28) => &align::align_search_affine_28,
            (true, Gaps::Affine, 30) => &align::align_search_affine_30,
            (true, Gaps::Linear, 8) => &align::align_search_linear_8,
            (true, Gaps::Linear, 12) => &align::align_search_linear_12,
            (true, Gaps::Linear, 16) => &align::align_search_linear_16,
            (true, Gaps::Linear, 20) => &align::align_search_linear_20,
            (true, Gaps::Linear, 24) => &align::align_search_linear_24,
            (true, Gaps::Linear, 28) => &align::align_search_linear_28,
            (true, Gaps::Linear, 32) => &align::align_search_linear_32,
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
    /// Elements of the borders of all groups of `lanes` lanes, where a border has so many.
    pub fn borders(self, lanes: u32, border: u64) -> u64 {
        u64::from(self.count) * u64::from(self.threads / lanes) * border
    }
}

/// grid and block: `blocks`, shared: the profile of the longest query
/// The tables are whole, there are groups of 4, 8 or 16 lanes, and borders for all of them where a query has several strips.
///
/// # Safety
/// - Every item names a query, and units below twice the couples (the couples, where the pass is packed).
/// - Every query lies inside the residues, is not empty, and has at most `rules.strips` strips; every residue of one has a code
///   below `rules.codes`.
/// - Every couple lies inside the letters, and has at least one column and at most `rules.border`, less twice `SEARCH_GAP`. The
///   columns fall from couple to couple. Each letter is two codes up to `rules.codes`, times `LETTER`; the `SEARCH_GAP` ones before
///   and after a couple are twice `rules.codes`.
/// - Every score lies inside `scores`: its queries times `rules.targets`. `taken` is 0, one word and another for each item.
pub unsafe fn align_search<G: Gpu>(stream: &Stream<G>, pass: Pass, blocks: Blocks, args: SearchArgs) -> Result {
    let Some(kernel) = pass.kernel() else {
        return require("align_search", false, "a pass that there is a kernel for");
    };
    let SearchRules { codes, lanes, strips, border, .. } = args.rules;
    let tables = args.codes.len() == 256 && args.matrix.len() == u64::from(ALPHABET_MAX * ALPHABET_MAX / 4);
    let couples =
        args.order.len() == 2 * args.couples.len() && codes < ALPHABET_MAX && args.taken.len() == 1 + args.items.len();
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
