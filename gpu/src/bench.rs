//! What the tests of kernels share: an emulated device, arrays on it, launches, pseudo-random numbers.

use crate::tuning::THREADS;
use core::marker::PhantomData;
use cuda_std::emulator::Emulator;
use cuda_std::{Element, Global, GlobalMut, Kernel, Shape};
use std::{slice, vec, vec::Vec};

/// An array in device memory. It lives as long as the device.
pub struct Array<T> {
    address: u64,
    len: u32,
    element: PhantomData<T>,
}

impl<T> Clone for Array<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Array<T> {}

impl<T: Element> Array<T> {
    /// A view for reading, with elements of any width.
    pub fn view<U: Element>(&self) -> Global<'static, U> {
        // SAFETY: the view is of this array's buffer, which is aligned to 256 bytes and never released.
        unsafe { Global::from_raw(self.address, self.elements::<U>()) }
    }

    /// A view for writing.
    pub fn view_mut<U: Element>(&self) -> GlobalMut<'static, U> {
        // SAFETY: buffers are aligned for every element, and nothing here releases one.
        unsafe { GlobalMut::from_raw(self.address, self.elements::<U>()) }
    }

    fn elements<U>(&self) -> u64 {
        u64::from(self.len) * size_of::<T>() as u64 / size_of::<U>() as u64
    }
}

/// An emulated device.
#[derive(Default)]
pub struct Bench {
    device: Emulator,
}

impl Bench {
    /// An array with these elements.
    pub fn put<T: Element>(&self, elements: &[T]) -> Array<T> {
        let address = self.device.allocate(size_of_val(elements));
        // SAFETY: the bytes are those of `elements`, which have no padding.
        let bytes = unsafe { slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) };
        self.device.copy_in(bytes, address).expect("it was just allocated");
        Array { address, len: elements.len() as u32, element: PhantomData }
    }

    /// An uninitialised array.
    pub fn room<T: Element>(&self, len: u32) -> Array<T> {
        let address = self.device.allocate(len as usize * size_of::<T>());
        Array { address, len, element: PhantomData }
    }

    /// An array of zeros.
    pub fn zeros<T: Element + Default>(&self, len: u32) -> Array<T> {
        self.put(&vec![T::default(); len as usize])
    }

    /// The elements of an array.
    pub fn get<T: Element + Default>(&self, array: Array<T>) -> Vec<T> {
        let mut elements = vec![T::default(); array.len as usize];
        // SAFETY: the bytes are those of `elements`, for which every bit pattern is valid.
        let bytes = unsafe { slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), size_of_val(&elements[..])) };
        self.device.copy_out(array.address, bytes).expect("arrays are written when they are made");
        elements
    }

    /// Runs a kernel with at least this many threads.
    pub fn launch<A: Copy>(&self, kernel: &Kernel<fn(A)>, threads: u32, args: A) {
        self.launch_as(kernel, Shape { grid: threads.div_ceil(THREADS), block: THREADS, shared: 0 }, args);
    }

    /// Runs a kernel.
    pub fn launch_as<A: Copy>(&self, kernel: &Kernel<fn(A)>, shape: Shape, args: A) {
        self.device.launch(kernel, shape, args).unwrap_or_else(|fault| panic!("{fault}"));
    }
}

/// Makes a generator of numbers below its argument (xorshift, Marsaglia 2003).
pub fn numbers(mut seed: u32) -> impl FnMut(u32) -> u32 {
    move |below| {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        ((u64::from(seed) * u64::from(below)) >> 32) as u32
    }
}
