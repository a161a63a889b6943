//! The shared memory of a block, handed out as arrays that do not overlap.
//!
//! A kernel that uses shared memory has a second parameter, which `#[kernel]` passes: the bytes that its launch asked for.
//! It takes its arrays from there, one after another:
//!
//! ```text
//! pub fn kernel(args: Args, mut shared: SharedMemory) {
//!     let table = shared.array::<U32x4>(args.table_len);    // one array for the whole block
//!     let mut own = shared.part(warp::warp_id(), 384);      // then 384 bytes for each warp:
//!     let (queue, counts) = (own.array::<u32>(64), own.array::<u16>(64));
//! ```
//!
//! # Why arrays do not overlap
//!
//! An array begins where the one before it ends, rounded up to a multiple of its element's size. [`SharedMemory`] cannot be
//! copied, and [`SharedMemory::part`] consumes it, so no byte is handed out twice within a thread, and different parts have
//! different bytes. All threads of a block take the same arrays, which is how they share them.
//!
//! That the arrays fit is part of the launch's contract: the module of a kernel gives the number of bytes to the host. It
//! is checked like an index: by the emulator, and in PTX with debug assertions.

use crate::{Element, machine};
use core::marker::PhantomData;

/// The bytes of a block's shared memory that no array has yet.
pub struct SharedMemory {
    next: u32,
    end: u32,
}

impl SharedMemory {
    /// All bytes that the launch asked for.
    ///
    /// # Safety
    /// A thread calls this once at most. `#[kernel]` does, and nothing else should.
    #[doc(hidden)]
    #[inline(always)]
    pub unsafe fn of_block() -> Self {
        Self { next: 0, end: machine::shared_size() }
    }

    /// The next `len` elements.
    #[inline(always)]
    pub fn array<T: Element>(&mut self, len: u32) -> Shared<T> {
        let offset = self.next.next_multiple_of(size_of::<T>() as u32);
        machine::check_shared(offset, u64::from(len) * size_of::<T>() as u64, self.end);
        self.next = offset + len * size_of::<T>() as u32;
        Shared { offset, len, element: PhantomData }
    }

    /// Part `index` of what is left, when all of it is divided into parts of `bytes` bytes.
    #[inline(always)]
    pub fn part(self, index: u32, bytes: u32) -> Self {
        let start = self.next + index * bytes;
        machine::check_shared(start, u64::from(bytes), self.end);
        Self { next: start, end: start + bytes }
    }
}

/// An array in the block's shared memory. Threads of a block see each other's writes after `thread::sync_threads`, lanes of
/// a warp after `warp::sync`.
#[derive(Clone, Copy)]
pub struct Shared<T> {
    offset: u32,
    len: u32,
    element: PhantomData<*mut T>,
}

impl<T: Element> Shared<T> {
    /// Elements in the array.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether the array has no elements.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The same bytes as elements that are no wider: to fill an array by wide stores and read it by narrow loads.
    #[inline(always)]
    pub fn cast<U: Element>(self) -> Shared<U> {
        const { assert!(size_of::<U>() <= size_of::<T>(), "wider elements would not be aligned") };
        Shared { offset: self.offset, len: self.len * (size_of::<T>() / size_of::<U>()) as u32, element: PhantomData }
    }

    #[inline(always)]
    fn at(&self, index: u32) -> u32 {
        machine::check_index(index, u64::from(self.len));
        machine::shared_address(self.offset + index * size_of::<T>() as u32)
    }

    /// Element `index`.
    #[inline(always)]
    pub fn read(&self, index: u32) -> T {
        // SAFETY: `SharedMemory::array` aligns arrays, and the launch promises that index and array are in bounds (see
        // the crate).
        unsafe { T::load_shared(self.at(index)) }
    }

    /// The element that begins as many bytes past element `index` as the four bytes of `a * b` add up to, a multiple of its size:
    /// a row of a table, found in one instruction.
    #[inline(always)]
    pub fn read_dot(&self, index: u32, a: u32, b: u32) -> T {
        let first = machine::shared_address(self.offset + index * size_of::<T>() as u32);
        // SAFETY: as for `read`, at the address of the sum.
        unsafe { T::load_shared(machine::dot_product(a, b, first)) }
    }

    /// Writes element `index`.
    #[inline(always)]
    pub fn write(&self, index: u32, value: T) {
        // SAFETY: as for `read`.
        unsafe { value.store_shared(self.at(index)) }
    }
}

impl Shared<u32> {
    /// Adds to element `index` in one step for all threads of the block; the value before.
    #[inline(always)]
    pub fn fetch_add(&self, index: u32, value: u32) -> u32 {
        // SAFETY: as for `read`.
        unsafe { machine::atomic_add_shared(self.at(index), value) }
    }
}
