//! The launches of `sign`: one function for each kernel, with its contract.
//!
//! Most kernels follow indices in device memory. Their functions are unsafe, and their contracts say what the memory must hold
//! when the kernel runs. "Bounds" are ascending numbers from 0: where each item begins, then where the last one ends.

use crate::Parameters;
use cuda_std::{Kernel, Shape};
use warpseq_device::error::Result as DeviceResult;
use warpseq_device::gpu::Gpu;
use warpseq_device::launch::{THREADS_MAX, launch, require};
use warpseq_device::stream::Stream;
use warpseq_gpu::abi::{CompareArgs, DecideArgs, HalvesArgs, MergeArgs, PiecesArgs, SignPackArgs};
use warpseq_gpu::sign::{kernel, neighbours, pieces};
use warpseq_gpu::tuning::{
    HALVES_ALPHABET_MAX, HALVES_STEP, HALVES_THREADS, MERGED, NEIGHBOURS_THREADS, PIECES_THREADS, STAGE, THREADS,
};

type Result = DeviceResult<()>;

/// Shared memory of a `sign_halves` block: the table, and 256 codes.
pub fn halves_shared(entries: u64) -> u64 {
    entries * 16 + 256 * 4
}

/// grid: blocks, block: HALVES_THREADS, shared: the table and the codes
/// `starts` and `firsts` have an element for each sequence and one more; `table` has an entry for each 3-mer and one
/// more; the warps' spans, multiples of HALVES_STEP, cover all `halves`.
///
/// # Safety
/// - `starts` are bounds of sequences in `residues`, which holds 32 more.
/// - `firsts` are bounds of the sequences' halves, at least 2 each, `halves` in all; a sequence has one
///   window less than halves, and all windows have their places.
/// - `codes` are below `alphabet_size`, `SKIPPED_CODE` or `UNKNOWN_CODE`.
pub unsafe fn sign_halves<G: Gpu>(stream: &Stream<G>, (blocks, halves): (u32, u32), args: HalvesArgs) -> Result {
    let entries = u64::from(args.alphabet_size).pow(3) + 1;
    let records = args.firsts.len() == args.starts.len() && args.firsts.len() >= 2;
    let tables = args.table.len() == entries && args.codes.len() == 256 && args.alphabet_size <= HALVES_ALPHABET_MAX;
    let windows = args.present.len() == args.signatures.len() && args.odd.len() == 1;
    let spans = u64::from(args.span) * u64::from(blocks) * u64::from(HALVES_THREADS / 32);
    let covered = args.span.is_multiple_of(HALVES_STEP) && spans >= u64::from(halves) && spans < THREADS_MAX;
    let contract = "whole tables, places for each sequence and window, spans that cover all halves";
    require("sign_halves", records && tables && windows && covered, contract)?;
    let shape = Shape { grid: blocks, block: HALVES_THREADS, shared: halves_shared(entries) as u32 };
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { stream.launch(&kernel::sign_halves, shape, args) }
}

/// grid: ceil(groups / THREADS), block: THREADS, shared: 0, where groups is `known.len()`
/// `bases.len() >= 2 * groups`, `packed.len() == groups`.
pub fn sign_pack<G: Gpu>(stream: &Stream<G>, args: SignPackArgs) -> Result {
    let groups = args.known.len();
    let met = args.bases.len() >= 2 * groups && args.packed.len() == groups;
    require("sign_pack", met, "two elements of `bases` for each group of 32")?;
    // SAFETY: for each group the kernel reads two elements of `bases` and writes one of `packed` and of `known`; these were
    // just checked to be there.
    unsafe { launch(stream, &kernel::sign_pack, groups, args) }
}

/// Which vectors are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vectors {
    Dense,
    Sparse,
}

/// grid: ceil(items / run / groups of a block), block: PIECES_THREADS, shared: planes and staged k-mers of its warps
/// Records have an element for each sequence, and one more; `signatures` and `sums` have `vectors` for each window and slot.
///
/// # Safety
/// - `starts` are bounds of sequences in the residues; `firsts` are bounds of their pieces, at least one each; `items`
///   is their number times 1 << `blocks`; `windows` are the windows before each sequence.
/// - Every window of a sequence has its place, and its slot where windows have several pieces.
/// - DNA with dense vectors: `packed` and `known` are what `sign_pack` wrote of the residues and 64 more. Otherwise
///   `residues` holds all of them.
/// - Sparse vectors: `table` has `vectors` elements for each k-mer of `k` codes below `alphabet_size`, of which there are fewer
///   than 2^32.
pub unsafe fn sign_pieces<G: Gpu>(stream: &Stream<G>, (kind, items): (Vectors, u64), args: PiecesArgs) -> Result {
    let kernel: &Kernel<fn(PiecesArgs)> = match kind {
        Vectors::Dense => &kernel::sign_dense,
        Vectors::Sparse => &kernel::sign_sparse,
    };
    let rules = &args.rules;
    let records = args.firsts.len() == args.starts.len() && args.windows.len() == args.starts.len();
    let records = records && args.firsts.len() >= 2 && args.slots.len() + 1 == args.firsts.len();
    let vectors = u64::from(rules.vectors);
    let windows = args.signatures.len() == args.present.len() * vectors && args.odd.len() == 1;
    let slots = args.sums.len() == args.seen.len() * vectors * 64;
    let lanes = rules.width.is_power_of_two() && u64::from(rules.width) << rules.blocks >= vectors;
    let kmers = (1..=32).contains(&rules.k) && rules.width <= 32 && rules.width <= PIECES_THREADS && STAGE <= 32;
    let tables = kind == Vectors::Dense || args.codes.len() == 256;
    let counted = args.signatures.len() < THREADS_MAX && args.sums.len() < THREADS_MAX;
    let met = records && windows && slots && lanes && kmers && tables && counted;
    require(kernel.name(), met, "places for each sequence, window and slot; lanes for all of a vector")?;
    let threads = items.div_ceil(u64::from(args.run.max(1))) * u64::from(rules.width);
    let runs = threads + u64::from(PIECES_THREADS) <= THREADS_MAX && items + u64::from(args.run) < THREADS_MAX;
    require(kernel.name(), runs && threads > 0, "a piece, and fewer than 2^32 threads")?;
    let shared = PIECES_THREADS / 32 * pieces::shared_bytes(rules.width);
    let shape = Shape { grid: threads.div_ceil(u64::from(PIECES_THREADS)) as u32, block: PIECES_THREADS, shared };
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { stream.launch(kernel, shape, args) }
}

/// grid: ceil(slots * vectors / THREADS), block: THREADS, shared: 0
/// 64 sums for each slot and 64-bit word of a vector.
///
/// # Safety
/// Every element of `slot_windows` is a window with its places.
pub unsafe fn sign_decide<G: Gpu>(stream: &Stream<G>, args: DecideArgs) -> Result {
    let (slots, vectors) = (args.seen.len(), u64::from(args.vectors));
    let sums = args.sums.len() == slots * vectors * 64 && args.slot_windows.len() == slots;
    let met = sums && (1..=2).contains(&args.inputs) && args.signatures.len() == args.present.len() * vectors;
    require("sign_decide", met, "64 sums and a window for each slot")?;
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { launch(stream, &kernel::sign_decide, slots * vectors, args) }
}

/// What becomes of distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    Nearest,
    Within,
    Least,
}

/// grid: query blocks * segments, block: up to NEIGHBOURS_THREADS, shared: the queries and a tile of targets
/// There is a query, and a thread for each; `nearest`: entries for every thread and segment, and `known` times of all targets before; `within`: one count, which does not
/// wrap when every thread adds one to a full list; `least`: a place for every query and group.
///
/// # Safety
/// - `segments` are bounds of targets.
/// - `least`: `groups` are bounds of targets; every segment begins with the group that `segment_groups` says.
pub unsafe fn sign_compare<G: Gpu>(stream: &Stream<G>, (kept, threads): (Kept, u32), args: CompareArgs) -> Result {
    let (kernel, segments): (&Kernel<fn(CompareArgs)>, _) = match kept {
        Kept::Nearest => (&kernel::sign_nearest, args.segments.len().saturating_sub(1)),
        Kept::Within => (&kernel::sign_within, args.segments.len().saturating_sub(1)),
        Kept::Least => (&kernel::sign_least, args.segment_groups.len()),
    };
    let words = u64::from(args.words);
    let whole = (1..=u64::from(Parameters::MOST_BITS / 64)).contains(&words)
        && !args.queries.is_empty()
        && args.queries.len().is_multiple_of(words)
        && args.targets.len().is_multiple_of(words)
        && args.queries.len().max(args.targets.len()) < THREADS_MAX
        && args.segments.len() == segments + 1
        && args.known <= 1;
    let lanes = u64::from(args.query_blocks) * u64::from(threads);
    let covered = threads.is_multiple_of(32) && threads <= NEIGHBOURS_THREADS && lanes * words >= args.queries.len();
    let room = match kept {
        Kept::Nearest => {
            let heaps = segments + u64::from(args.known);
            args.heap.len() == heaps * u64::from(args.top) * lanes && args.heap.len() < THREADS_MAX
        }
        Kept::Within => args.count.len() == 1 && args.found.len() + segments * lanes < THREADS_MAX,
        Kept::Least => {
            let places = args.queries.len() / words.max(1) * args.groups.len().saturating_sub(1);
            args.least.len() == places && places < THREADS_MAX
        }
    };
    let grid = u64::from(args.query_blocks) * segments;
    let counted = grid > 0 && grid * u64::from(THREADS) < THREADS_MAX;
    require(kernel.name(), whole && covered && room && counted, "a thread for each query, room for what is kept")?;
    let shared = neighbours::shared_bytes(args.words, threads);
    let shape = Shape { grid: grid as u32, block: threads, shared };
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { stream.launch(kernel, shape, args) }
}

/// grid: ceil(ceil(segments / step / MERGED) * lanes / THREADS), block: THREADS, shared: 0
/// `heap` has `top` entries for each lane and segment, as `sign_nearest` has left them.
pub fn sign_merge<G: Gpu>(stream: &Stream<G>, args: MergeArgs) -> Result {
    let [lanes, top, segments, step] = [args.lanes, args.top, args.segments, args.step].map(u64::from);
    let entries = lanes.is_multiple_of(32) && args.heap.len() == segments.saturating_mul(lanes * top);
    // A block's last threads may be of as many as eight more groups of lanes.
    let counted = args.heap.len() < THREADS_MAX && segments + 9 * step * u64::from(MERGED) < THREADS_MAX;
    require("sign_merge", lanes * top * step > 0 && entries && counted, "entries for each lane and segment")?;
    let threads = segments.div_ceil(step * u64::from(MERGED)) * lanes;
    // SAFETY: each thread reads and writes the entries of its own lane in its own segments, which were just checked to be there.
    unsafe { launch(stream, &kernel::sign_merge, threads, args) }
}
