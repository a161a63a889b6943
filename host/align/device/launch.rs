//! The launches of `align`: one function for each kernel, with its contract. Both kernels go where device memory tells them, so
//! their functions are unsafe; their contracts say what must be there when the kernel runs.

use cuda_std::{Kernel, Shape};
use warpseq_device::error::Result as DeviceResult;
use warpseq_device::gpu::Gpu;
use warpseq_device::launch::{THREADS_MAX, require};
use warpseq_device::stream::Stream;
use warpseq_gpu::abi::{ForwardArgs, Pairs, Rules, TracebackArgs};
use warpseq_gpu::align::{forward::shared_bytes, kernel as align};
use warpseq_gpu::tuning::{ALPHABET_MAX, CHECKPOINT, COLUMNS, TRACEBACK_LANES, TRACEBACK_SHARED, WIDE_COLUMNS};

type Result = DeviceResult<()>;

/// Which forward pass of `align` is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// Two pairs in a register.
    pub packed: bool,
    pub affine: bool,
    pub local: bool,
    /// With checkpoints.
    pub saved: bool,
    /// Columns of a lane.
    pub columns: u32,
}

impl Pass {
    /// Pairs of a packed pair.
    pub fn pairs(self) -> u32 {
        1 + u32::from(self.packed)
    }

    fn kernel(self) -> Option<&'static Kernel<fn(ForwardArgs)>> {
        let Self { packed, affine, local, saved, columns } = self;
        Some(match (packed, affine, local, saved, columns) {
            (true, false, true, false, COLUMNS) => &align::align_linear_score,
            (true, true, true, false, COLUMNS) => &align::align_affine_score,
            (true, false, true, false, WIDE_COLUMNS) => &align::align_linear_score_wide,
            (true, true, true, false, WIDE_COLUMNS) => &align::align_affine_score_wide,
            (true, false, true, true, COLUMNS) => &align::align_linear_local,
            (true, true, true, true, COLUMNS) => &align::align_affine_local,
            (true, false, false, true, COLUMNS) => &align::align_linear_ends,
            (true, true, false, true, COLUMNS) => &align::align_affine_ends,
            (false, true, true, true, COLUMNS) => &align::align_wide_local,
            (false, true, false, true, COLUMNS) => &align::align_wide_ends,
            _ => return None,
        })
    }
}

fn alignment_met(pairs: &Pairs, rules: &Rules) -> bool {
    let tables = pairs.codes.len() == 256 && pairs.scores.len() == u64::from(ALPHABET_MAX * ALPHABET_MAX / 4);
    let group = [4, 8, 16, 32].contains(&rules.width) && rules.codes < ALPHABET_MAX;
    tables && group && rules.chunk.is_power_of_two() && rules.chunk.is_multiple_of(CHECKPOINT)
}

/// grid: ceil(items / groups of a warp), block: 32, shared: profiles and copies of one warp
/// There is an item; every packed pair has its pairs; the tables are whole.
///
/// # Safety
/// - Every place lies inside the residues, no length is 0, and every residue of a pair has a code below `rules.codes`.
/// - Every item names a packed pair, one of its strips, and a first step below its steps, a multiple of `rules.chunk`. It is the
///   strip's first chunk, or the launch of the chunk before has run; the same goes for the strip to its left, a chunk ahead.
/// - The elements that a packed pair takes from its first ones on (`Extent::sizes`) lie inside checkpoints, records and last rows.
/// - Packed pairs have several strips, or chunks, only with 32 lanes a group.
pub unsafe fn align_forward<G: Gpu>(stream: &Stream<G>, pass: Pass, args: ForwardArgs) -> Result {
    let Some(kernel) = pass.kernel() else {
        return require("align_forward", false, "a pass that there is a kernel for");
    };
    let packed_pairs = args.pairs.places.len() == args.packed_pairs.len() * u64::from(pass.pairs());
    let threads = args.items.len() * u64::from(args.rules.width);
    let met = packed_pairs && alignment_met(&args.pairs, &args.rules) && threads > 0 && threads < THREADS_MAX;
    require(kernel.name(), met, "places for every packed pair, whole tables, an item")?;
    let shared = shared_bytes(args.rules.codes, pass.columns, pass.pairs(), pass.saved);
    let shape = Shape { grid: threads.div_ceil(32) as u32, block: 32, shared };
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { stream.launch(kernel, shape, args) }
}

/// grid: ceil(pairs / pairs of a warp), block: 32, shared: TRACEBACK_SHARED
/// Every pair has a packed pair, two results and a path start; the tables are whole.
///
/// # Safety
/// - The places, residues, packed pairs and arrays are those of `align_forward`, whose launches have run for all items, with
///   checkpoints.
/// - Where paths are wanted, a path as long as both sequences of a pair together fits `paths` from the pair's start on.
pub unsafe fn align_traceback<G: Gpu>(stream: &Stream<G>, args: TracebackArgs) -> Result {
    let pairs = args.pairs.places.len();
    let packed_pairs = (1..=2).contains(&args.packed) && pairs == args.packed_pairs.len() * u64::from(args.packed);
    let room = args.results.len() == 2 * pairs && args.path_starts.len() == pairs;
    let threads = pairs * u64::from(TRACEBACK_LANES);
    let met = packed_pairs && room && alignment_met(&args.pairs, &args.rules) && threads > 0 && threads < THREADS_MAX;
    require("align_traceback", met, "a packed pair, two results and a path start for every pair, whole tables")?;
    let shape = Shape { grid: threads.div_ceil(32) as u32, block: 32, shared: TRACEBACK_SHARED };
    // SAFETY: shape and lengths were just checked, and the caller vouches for the contents.
    unsafe { stream.launch(&align::align_traceback, shape, args) }
}
