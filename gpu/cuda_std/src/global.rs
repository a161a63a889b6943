//! Device memory. A view is an address and a length; it crosses from host to kernel inside the argument struct. On the
//! host it borrows the array that it shows, so that no launch is queued with a view of memory that has gone.

use crate::{Element, machine};
use core::marker::PhantomData;

/// Device memory that no thread writes during the launch: loads go through the read-only cache.
#[repr(C)]
pub struct Global<'a, T> {
    address: u64,
    len: u64,
    array: PhantomData<&'a [T]>,
}

/// Device memory that the launch may write. Threads must not write what others read or write without atomics.
#[repr(C)]
pub struct GlobalMut<'a, T> {
    address: u64,
    len: u64,
    array: PhantomData<&'a [T]>,
}

const _: () = assert!(size_of::<Global<u8>>() == 16 && size_of::<GlobalMut<u8>>() == 16);

macro_rules! view {
    ($view:ident) => {
        impl<T> Clone for $view<'_, T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $view<'_, T> {}

        impl<T: Element> $view<'_, T> {
            /// A view of `len` elements at a device address.
            ///
            /// # Safety
            /// - `address` is aligned to the element, and the elements lie in one allocation of the device that runs the
            ///   kernel.
            /// - The allocation is not released during the lifetime, nor before every launch has ended that was queued
            ///   with this view.
            pub const unsafe fn from_raw(address: u64, len: u64) -> Self {
                Self { address, len, array: PhantomData }
            }

            /// A view of no elements.
            pub const fn empty() -> Self {
                Self { address: 0, len: 0, array: PhantomData }
            }

            /// Elements in the view.
            #[inline(always)]
            pub fn len(&self) -> u64 {
                self.len
            }

            /// Whether the view has no elements.
            #[inline(always)]
            pub fn is_empty(&self) -> bool {
                self.len == 0
            }

            #[inline(always)]
            fn at(&self, index: u32) -> u64 {
                machine::check_index(index, self.len);
                self.address + u64::from(index) * size_of::<T>() as u64
            }

            #[inline(always)]
            fn past(&self, index: u32, by: u32) -> u64 {
                machine::check_index(index + by, self.len);
                self.address + u64::from(index) * size_of::<T>() as u64 + u64::from(by) * size_of::<T>() as u64
            }
        }
    };
}
view!(Global);
view!(GlobalMut);

impl<T: Element> Global<'_, T> {
    /// Element `index`, through the read-only cache.
    #[inline(always)]
    pub fn read(&self, index: u32) -> T {
        // SAFETY: the address is inside the view, since kernels index within `len`, and `from_raw` was given live memory.
        unsafe { T::load_constant(self.at(index)) }
    }

    /// Element `index + by`. Where `by` is a constant it is part of the instruction.
    #[inline(always)]
    pub fn read_past(&self, index: u32, by: u32) -> T {
        // SAFETY: as for `read`.
        unsafe { T::load_constant(self.past(index, by)) }
    }
}

impl<T: Element> GlobalMut<'_, T> {
    /// Element `index` as this thread sees it.
    #[inline(always)]
    pub fn read(&self, index: u32) -> T {
        // SAFETY: the address is inside the view, since kernels index within `len`, and `from_raw` was given live memory.
        unsafe { T::load_global(self.at(index)) }
    }

    /// Element `index + by`. Where `by` is a constant it is part of the instruction.
    #[inline(always)]
    pub fn read_past(&self, index: u32, by: u32) -> T {
        // SAFETY: as for `read`.
        unsafe { T::load_global(self.past(index, by)) }
    }

    /// Writes element `index`.
    #[inline(always)]
    pub fn write(&self, index: u32, value: T) {
        // SAFETY: the address is inside the view, since kernels index within `len`, and `from_raw` was given live memory.
        unsafe { value.store_global(self.at(index)) }
    }

    /// Writes element `index + by`. Where `by` is a constant it is part of the instruction.
    #[inline(always)]
    pub fn write_past(&self, index: u32, by: u32, value: T) {
        // SAFETY: as for `write`.
        unsafe { value.store_global(self.past(index, by)) }
    }
}

impl GlobalMut<'_, u32> {
    /// Adds to element `index` in one step for all threads; the value before.
    #[inline(always)]
    pub fn fetch_add(&self, index: u32, value: u32) -> u32 {
        // SAFETY: the address is inside the view, since kernels index within `len`, and `from_raw` was given live memory.
        unsafe { machine::atomic_add_global(self.at(index), value) }
    }

    /// Sets the bits of `value` in element `index` in one step for all threads.
    #[inline(always)]
    pub fn or(&self, index: u32, value: u32) {
        // SAFETY: the address is inside the view, since kernels index within `len`, and `from_raw` was given live memory.
        unsafe { machine::atomic_or_global(self.at(index), value) }
    }
}

impl GlobalMut<'_, u64> {
    /// Adds to element `index` in one step for all threads.
    #[inline(always)]
    pub fn add(&self, index: u32, value: u64) {
        // SAFETY: the address is inside the view, since kernels index within `len`, and `from_raw` was given live memory.
        unsafe { machine::atomic_add_global_u64(self.at(index), value) }
    }

    /// Lowers element `index` to `value`, where it is greater, in one step for all threads; the value before.
    #[inline(always)]
    pub fn fetch_min(&self, index: u32, value: u64) -> u64 {
        // SAFETY: the address is inside the view, since kernels index within `len`, and `from_raw` was given live memory.
        unsafe { machine::atomic_min_global_u64(self.at(index), value) }
    }
}
