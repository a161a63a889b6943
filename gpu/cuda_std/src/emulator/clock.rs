//! Decides which of two memory accesses comes first by the barriers between them, not by which happened to run first.
//!
//! One counter advances at the start of every launch and block and at every barrier. It never goes back, so old stamps
//! need no clearing: they are from before. An access at tick `then` by thread `a` is ordered before an access now by
//! thread `b` when
//!
//! ```text
//! then < start of launch                         the launch waited for everything before it
//! start of block <= then < last sync_threads     the block's barrier lies between
//! start of block <= then, a == b                 program order
//! start of block <= then < last warp::sync of the warp of both
//! ```
//!
//! and in no other case. An access between the start of the launch and the start of this block is another block's, and
//! blocks are not ordered. The relation is transitive, which lets the shadow forget an access that a later one is
//! ordered after. Here blocks do run one after another, but the relation makes no use of that.

use std::vec::Vec;

/// Bits of a stamp that hold the thread's index in its block.
const THREAD_BITS: u32 = 10;

/// When an access was made, and by which thread of its block: a tick and an index in one word. The default is
/// [`Self::NEVER`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp(u64);

impl Stamp {
    /// Before all launches.
    pub const NEVER: Self = Self(0);

    fn tick(self) -> u64 {
        self.0 >> THREAD_BITS
    }

    pub fn thread(self) -> u32 {
        (self.0 & ((1 << THREAD_BITS) - 1)) as u32
    }

    pub fn warp(self) -> u32 {
        self.thread() / 32
    }

    /// Whether the access was at tick `since` or later.
    pub fn is_since(self, since: u64) -> bool {
        self.tick() >= since
    }
}

/// The ticks that order accesses of the running block.
#[derive(Default)]
pub(super) struct Clock {
    now: u64,
    launch: u64,
    block: u64,
    barrier: u64,
    warps: [u64; 32],
    blocks: Vec<u64>,
}

impl Clock {
    pub fn start_launch(&mut self) {
        self.now += 1;
        self.launch = self.now;
        self.blocks.clear();
    }

    pub fn start_block(&mut self) {
        self.sync_threads();
        self.block = self.now;
        self.blocks.push(self.now);
    }

    pub fn sync_threads(&mut self) {
        self.now += 1;
        self.barrier = self.now;
        self.warps = [self.now; 32];
    }

    pub fn sync_warp(&mut self, warp: u32) {
        self.now += 1;
        self.warps[warp as usize] = self.now;
    }

    /// When the launch started. Older stamps on device memory order nothing.
    pub fn launch(&self) -> u64 {
        self.launch
    }

    /// When the block started. Older stamps on shared memory order nothing.
    pub fn block(&self) -> u64 {
        self.block
    }

    /// The stamp of an access that `thread` makes now.
    #[inline]
    pub fn stamp(&self, thread: u32) -> Stamp {
        Stamp(self.now << THREAD_BITS | u64::from(thread))
    }

    /// Whether the access at `then` is ordered before one that `thread` makes now, or is older than `since`.
    #[inline]
    pub fn is_ordered(&self, then: Stamp, thread: u32, since: u64) -> bool {
        let tick = then.tick();
        if tick < since {
            return true;
        }
        if tick < self.block {
            return false;
        }
        tick < self.barrier
            || then.thread() == thread
            || (then.warp() == thread / 32 && tick < self.warps[then.warp() as usize])
    }

    /// The block that ran at a stamp of the current launch.
    pub fn block_of(&self, then: Stamp) -> u32 {
        (self.blocks.partition_point(|&start| start <= then.tick()) - 1) as u32
    }
}
