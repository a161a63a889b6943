//! The shared memory of a block: one dynamic allocation, cut into arrays by byte offset.

use crate::{Element, machine};
use core::marker::PhantomData;

/// An array in the block's shared memory. Threads of a block see each other's writes after `thread::sync_threads`, lanes of
/// a warp after `warp::sync`.
#[derive(Clone, Copy)]
pub struct Shared<T> {
    offset: u32,
    len: u32,
    element: PhantomData<*mut T>,
}

impl<T: Element> Shared<T> {
    /// The array of `len` elements at byte `offset` of the launch's shared memory. The offset is a multiple of the
    /// element's size, and the array ends inside the bytes that the launch asked for.
    #[inline(always)]
    pub fn at(offset: u32, len: u32) -> Self {
        machine::check_shared(offset, size_of::<T>() as u32, len);
        Self { offset, len, element: PhantomData }
    }

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

    #[inline(always)]
    fn offset_of(&self, index: u32) -> u32 {
        machine::check_index(index, u64::from(self.len));
        self.offset + index * size_of::<T>() as u32
    }

    /// Element `index`.
    #[inline(always)]
    pub fn read(&self, index: u32) -> T {
        // SAFETY: `offset_of` gives an offset inside the array, and `at` keeps the array inside the block's memory.
        unsafe { T::load_shared(self.offset_of(index)) }
    }

    /// Writes element `index`.
    #[inline(always)]
    pub fn write(&self, index: u32, value: T) {
        // SAFETY: `offset_of` gives an offset inside the array, and `at` keeps the array inside the block's memory.
        unsafe { value.store_shared(self.offset_of(index)) }
    }
}

impl Shared<u32> {
    /// Adds to element `index` in one step for all threads of the block; the value before.
    #[inline(always)]
    pub fn fetch_add(&self, index: u32, value: u32) -> u32 {
        // SAFETY: `offset_of` gives an offset inside the array, and `at` keeps the array inside the block's memory.
        unsafe { machine::atomic_add_shared(self.offset_of(index), value) }
    }
}
