//! Device memory. A view is an address and a length; it crosses from host to kernel inside the argument struct.

use crate::{Element, machine};
use core::marker::PhantomData;

/// Device memory that no thread writes during the launch: loads go through the read-only cache.
#[repr(C)]
pub struct Global<T> {
    address: u64,
    len: u64,
    element: PhantomData<*const T>,
}

/// Device memory that the launch may write. Threads must not write what others read or write without atomics.
#[repr(C)]
pub struct GlobalMut<T> {
    address: u64,
    len: u64,
    element: PhantomData<*mut T>,
}

const _: () = assert!(size_of::<Global<u8>>() == 16 && size_of::<GlobalMut<u8>>() == 16);

macro_rules! view {
    ($view:ident) => {
        impl<T> Clone for $view<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $view<T> {}

        impl<T: Element> $view<T> {
            /// A view of `len` elements at a device address.
            ///
            /// # Safety
            /// The memory is allocated on the device that runs the kernel, aligned to the element, and stays so until the
            /// launch has ended.
            pub const unsafe fn from_raw(address: u64, len: u64) -> Self {
                Self { address, len, element: PhantomData }
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
        }
    };
}
view!(Global);
view!(GlobalMut);

impl<T: Element> Global<T> {
    /// Element `index`, through the read-only cache.
    #[inline(always)]
    pub fn read(&self, index: u32) -> T {
        // SAFETY: `at` gives an address inside the view, which `from_raw` promised to be live.
        unsafe { T::load_constant(self.at(index)) }
    }
}

impl<T: Element> GlobalMut<T> {
    /// Element `index` as this thread sees it.
    #[inline(always)]
    pub fn read(&self, index: u32) -> T {
        // SAFETY: `at` gives an address inside the view, which `from_raw` promised to be live.
        unsafe { T::load_global(self.at(index)) }
    }

    /// Writes element `index`.
    #[inline(always)]
    pub fn write(&self, index: u32, value: T) {
        // SAFETY: `at` gives an address inside the view, which `from_raw` promised to be live.
        unsafe { value.store_global(self.at(index)) }
    }
}

impl GlobalMut<u32> {
    /// Adds to element `index` in one step for all threads; the value before.
    #[inline(always)]
    pub fn fetch_add(&self, index: u32, value: u32) -> u32 {
        // SAFETY: `at` gives an address inside the view, which `from_raw` promised to be live.
        unsafe { machine::atomic_add_global(self.at(index), value) }
    }

    /// Sets the bits of `value` in element `index` in one step for all threads.
    #[inline(always)]
    pub fn or(&self, index: u32, value: u32) {
        // SAFETY: `at` gives an address inside the view, which `from_raw` promised to be live.
        unsafe { machine::atomic_or_global(self.at(index), value) }
    }
}

impl GlobalMut<u64> {
    /// Adds to element `index` in one step for all threads.
    #[inline(always)]
    pub fn add(&self, index: u32, value: u64) {
        // SAFETY: `at` gives an address inside the view, which `from_raw` promised to be live.
        unsafe { machine::atomic_add_global_u64(self.at(index), value) }
    }
}
