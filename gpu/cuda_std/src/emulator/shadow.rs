//! The last accesses to each byte of a region: as few as will find every race.
//!
//! A cell stands for `1 << shift` bytes. Cells start wide and are split when a smaller word is accessed. So accesses of
//! a buffer's usual width cost one cell each, and the record is exact for any mixture of widths. Each cell keeps:
//!
//! - the last write. Races between writes have been reported, so all earlier writes are ordered before it.
//! - two reads and two atomic accesses, from two warps if there are two. Two are enough: a barrier of one warp orders
//!   only that warp's accesses, so a later access that races with any of them races with one of the two. Within one
//!   warp two threads are enough, since the later access is by at most one of them. A read of an earlier block is
//!   ordered before nothing later in the launch, and stays.
//! - one read-only load. A write anywhere in the launch races with it.
//!
//! A table is allocated when it is first used, so a buffer that is only read costs only the table of reads. Each table
//! knows when it was last used, and is skipped if that was before the launch.

use super::clock::{Clock, Stamp};
use super::fault::Access;
use std::vec;
use std::vec::Vec;

/// One access, as the shadow sees it.
#[derive(Clone, Copy)]
pub(super) struct Touch {
    pub offset: usize,
    /// 1, 2, 4, 8 or 16. `offset` is a multiple of it.
    pub bytes: usize,
    pub access: Access,
    pub thread: u32,
    /// Stamps older than this order nothing.
    pub since: u64,
}

/// The last accesses to all cells, of one kind.
struct Table<T> {
    cells: Vec<T>,
    latest: Stamp,
}

impl<T: Copy + Default> Table<T> {
    const fn new() -> Self {
        Self { cells: Vec::new(), latest: Stamp::NEVER }
    }

    /// The cell, if this table was used since.
    #[inline]
    fn get(&self, cell: usize, since: u64) -> Option<&T> {
        if self.latest.is_since(since) { self.cells.get(cell) } else { None }
    }

    /// The cell in which to record an access at `now`, in a table of `cells`.
    #[inline]
    fn touch(&mut self, cell: usize, cells: usize, now: Stamp) -> &mut T {
        if self.cells.is_empty() {
            self.cells = vec![T::default(); cells];
        }
        self.latest = now;
        &mut self.cells[cell]
    }

    fn split(&mut self, by: u32, cells: usize) {
        if !self.cells.is_empty() {
            self.cells = (0..cells).map(|cell| self.cells[cell >> by]).collect();
        }
    }
}

/// The accesses to a region.
pub(super) struct Shadow {
    bytes: usize,
    shift: u32,
    writes: Table<Stamp>,
    reads: Table<[Stamp; 2]>,
    atomics: Table<[Stamp; 2]>,
    constants: Table<Stamp>,
}

impl Shadow {
    /// The shadow of a region of `bytes` without accesses.
    pub const fn new(bytes: usize) -> Self {
        Self {
            bytes,
            shift: 4,
            writes: Table::new(),
            reads: Table::new(),
            atomics: Table::new(),
            constants: Table::new(),
        }
    }

    /// Records an access, or returns the kind and stamp of one that it races with.
    #[inline]
    pub fn touch(&mut self, touch: Touch, clock: &Clock) -> Result<(), (Access, Stamp)> {
        if touch.bytes < 1 << self.shift {
            self.split(touch.bytes.trailing_zeros());
        }
        for cell in touch.offset >> self.shift..(touch.offset + touch.bytes) >> self.shift {
            if let Some(prior) = self.prior(cell, touch, clock) {
                return Err(prior);
            }
            self.record(cell, touch, clock);
        }
        Ok(())
    }

    #[cold]
    fn split(&mut self, shift: u32) {
        let by = self.shift - shift;
        self.shift = shift;
        let cells = self.cells();
        self.writes.split(by, cells);
        self.reads.split(by, cells);
        self.atomics.split(by, cells);
        self.constants.split(by, cells);
    }

    fn cells(&self) -> usize {
        self.bytes.div_ceil(1 << self.shift)
    }

    #[inline]
    fn prior(&self, cell: usize, touch: Touch, clock: &Clock) -> Option<(Access, Stamp)> {
        let Touch { access, thread, since, .. } = touch;
        let races = |then: &Stamp| match access {
            Access::Constant => then.is_since(since),
            _ => !clock.is_ordered(*then, thread, since),
        };
        let write = self.writes.get(cell, since).copied().filter(races);
        let read = || match access {
            Access::Write | Access::Atomic => self.reads.get(cell, since)?.iter().copied().find(races),
            Access::Constant | Access::Read => None,
        };
        let atomic = || match access {
            Access::Atomic => None,
            _ => self.atomics.get(cell, since)?.iter().copied().find(races),
        };
        let constant = || match access {
            Access::Write | Access::Atomic => self.constants.get(cell, since).copied().filter(|t| t.is_since(since)),
            Access::Constant | Access::Read => None,
        };
        (write.map(|stamp| (Access::Write, stamp)))
            .or_else(|| Some((Access::Read, read()?)))
            .or_else(|| Some((Access::Atomic, atomic()?)))
            .or_else(|| Some((Access::Constant, constant()?)))
    }

    #[inline]
    fn record(&mut self, cell: usize, touch: Touch, clock: &Clock) {
        let (cells, now) = (self.cells(), clock.stamp(touch.thread));
        match touch.access {
            Access::Constant => *self.constants.touch(cell, cells, now) = now,
            Access::Write => *self.writes.touch(cell, cells, now) = now,
            Access::Read => keep_two(self.reads.touch(cell, cells, now), touch, clock),
            Access::Atomic => keep_two(self.atomics.touch(cell, cells, now), touch, clock),
        }
    }
}

/// Adds an access to the two that stand for all before it. Those that are ordered before it are dropped, and one if
/// there would be three.
#[inline]
fn keep_two(two: &mut [Stamp; 2], touch: Touch, clock: &Clock) {
    let now = clock.stamp(touch.thread);
    let drops = two.map(|then| clock.is_ordered(then, touch.thread, touch.since));
    *two = match drops {
        [true, true] => [now, Stamp::NEVER],
        [false, true] => [two[0], now],
        [true, false] => [two[1], now],
        [false, false] if two[0].warp() == two[1].warp() => [two[0], now],
        [false, false] => *two,
    };
}

#[cfg(test)]
mod tests;
