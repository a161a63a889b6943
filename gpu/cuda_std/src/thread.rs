//! This thread's position in the launch, and the barrier of its block.

use crate::machine;

/// This thread's index in its block.
#[inline(always)]
pub fn thread_idx_x() -> u32 {
    machine::thread_index()
}

/// This block's index in the grid.
#[inline(always)]
pub fn block_idx_x() -> u32 {
    machine::block_index()
}

/// Threads in a block.
#[inline(always)]
pub fn block_dim_x() -> u32 {
    machine::block_size()
}

/// Blocks in the grid.
#[inline(always)]
pub fn grid_dim_x() -> u32 {
    machine::grid_size()
}

/// This thread's index in the grid. Every launch contract refuses grids of 2^32 threads or more.
#[inline(always)]
pub fn index_1d() -> u32 {
    block_idx_x() * block_dim_x() + thread_idx_x()
}

/// Threads in the grid.
#[inline(always)]
pub fn count_1d() -> u32 {
    grid_dim_x() * block_dim_x()
}

/// Waits for all threads of the block, and makes their writes to shared and device memory visible to one another.
#[inline(always)]
pub fn sync_threads() {
    machine::sync_threads();
}

/// Ends the kernel with an error: the launch fails, and so does its context.
#[inline(always)]
pub fn trap() -> ! {
    machine::trap()
}

/// Promises that no launch of this kernel has blocks of more threads: `THREADS` of them then have registers. A kernel calls this once.
#[inline(always)]
pub fn at_most<const THREADS: u32>() {
    machine::at_most_threads::<THREADS>();
}
