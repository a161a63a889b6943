//! Arrays in device memory, and views of them for kernels.
//!
//! A view borrows its array for as long as a launch is being queued. After that the array may be dropped: giving device
//! memory back waits for the work that uses it.

use crate::error::{DeviceError, Result};
use crate::gpu::Gpu;
use crate::stream::Stream;
use cuda_std::{Element, Global, GlobalMut};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

/// An array in device memory, given back on drop. One without elements takes no memory.
pub struct DeviceArray<T, G: Gpu> {
    gpu: Arc<G>,
    address: u64,
    len: usize,
    element: PhantomData<T>,
}

/// Bytes of `len` elements.
///
/// # Errors
/// [`DeviceError::OutOfMemory`] when there are more than an allocation can have.
pub(crate) fn bytes_of<T>(gpu: &impl Gpu, len: usize) -> Result<usize> {
    let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| isize::try_from(bytes).is_ok());
    bytes.ok_or_else(|| DeviceError::OutOfMemory { device: gpu.name().to_owned(), bytes: usize::MAX })
}

impl<T: Element, G: Gpu> DeviceArray<T, G> {
    /// `len` elements with undefined contents.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] when they do not fit; what else the device answers.
    pub fn new(gpu: &Arc<G>, len: usize) -> Result<Self> {
        let address = match bytes_of::<T>(&**gpu, len)? {
            0 => 0,
            bytes => gpu.allocate(bytes)?,
        };
        Ok(Self { gpu: gpu.clone(), address, len, element: PhantomData })
    }

    /// No elements.
    pub fn empty(gpu: &Arc<G>) -> Self {
        Self { gpu: gpu.clone(), address: 0, len: 0, element: PhantomData }
    }

    /// Makes the array longer if it has fewer than `len` elements. The contents are lost then.
    ///
    /// # Errors
    /// As [`DeviceArray::new`]; the array is empty then.
    pub fn grow(&mut self, len: usize) -> Result<()> {
        if self.len < len {
            // What was there goes first, so that both need not fit.
            *self = Self::empty(&self.gpu.clone());
            *self = Self::new(&self.gpu.clone(), len)?;
        }
        Ok(())
    }

    /// Elements in the array.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the array has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The GPU whose memory this is.
    pub fn gpu(&self) -> &Arc<G> {
        &self.gpu
    }

    /// The address and the number of the elements of width `W` in `range`, counted from the start of the array.
    ///
    /// # Panics
    /// When the range does not lie inside the array.
    fn place<W: Element>(&self, range: Range<usize>) -> (u64, u64) {
        let inside = range.start <= range.end && range.end <= self.len * size_of::<T>() / size_of::<W>();
        assert!(inside, "elements {range:?} past the end of a device array");
        (self.address + (range.start * size_of::<W>()) as u64, range.len() as u64)
    }

    /// A view of all elements.
    pub fn view(&self) -> Global<'_, T> {
        self.slice(0..self.len)
    }

    /// A view of all elements, for a kernel that writes.
    pub fn view_mut(&self) -> GlobalMut<'_, T> {
        self.slice_mut(0..self.len)
    }

    /// A view of the elements in `range`.
    ///
    /// # Panics
    /// When the range does not lie inside the array.
    pub fn slice(&self, range: Range<usize>) -> Global<'_, T> {
        self.slice_as(range)
    }

    /// A view of the elements in `range`, for a kernel that writes.
    ///
    /// # Panics
    /// When the range does not lie inside the array.
    pub fn slice_mut(&self, range: Range<usize>) -> GlobalMut<'_, T> {
        self.slice_mut_as(range)
    }

    /// A view of the same bytes as elements of another width, as many as fit.
    pub fn view_as<W: Element>(&self) -> Global<'_, W> {
        self.slice_as(0..self.len * size_of::<T>() / size_of::<W>())
    }

    /// A view of the elements of another width in `range`, counted from the start of the array.
    ///
    /// # Panics
    /// When the range does not lie inside the array.
    pub fn slice_as<W: Element>(&self, range: Range<usize>) -> Global<'_, W> {
        let (address, len) = self.place::<W>(range);
        // SAFETY: `place` answers a range of this array, whose start is aligned for every element; the view borrows the
        // array, and dropping the array waits for launches.
        unsafe { Global::from_raw(address, len) }
    }

    /// A view of the elements of another width in `range`, for a kernel that writes.
    ///
    /// # Panics
    /// When the range does not lie inside the array.
    pub fn slice_mut_as<W: Element>(&self, range: Range<usize>) -> GlobalMut<'_, W> {
        let (address, len) = self.place::<W>(range);
        // SAFETY: `place` answers a range of this array, whose start is aligned for every element; the view borrows the
        // array, and dropping the array waits for launches.
        unsafe { GlobalMut::from_raw(address, len) }
    }

    /// Sets every byte of the elements in `range`.
    ///
    /// # Errors
    /// What the device answers.
    ///
    /// # Panics
    /// When the range does not lie inside the array.
    pub fn fill(&self, stream: &Stream<G>, range: Range<usize>, byte: u8) -> Result<()> {
        let (to, len) = self.at(stream, range);
        // SAFETY: the range lies inside this array, which is borrowed for the call.
        if len == 0 { Ok(()) } else { unsafe { stream.fill(to, byte, len) } }
    }

    /// Copies `from` to the elements from `at` on, and waits.
    ///
    /// # Errors
    /// What the device answers.
    ///
    /// # Panics
    /// When the elements do not lie inside the array.
    pub fn write(&self, stream: &Stream<G>, at: usize, from: &[T]) -> Result<()> {
        // SAFETY: the stream is waited for before this returns, until when `from` is borrowed.
        let copied = unsafe { self.copy_in(stream, at, from) };
        stream.finish(copied)
    }

    /// Copies the elements from `at` on to `to`, and waits.
    ///
    /// # Errors
    /// What the device answers.
    ///
    /// # Panics
    /// When the elements do not lie inside the array.
    pub fn read(&self, stream: &Stream<G>, at: usize, to: &mut [T]) -> Result<()> {
        // SAFETY: the stream is waited for before this returns, until when `to` is borrowed.
        let copied = unsafe { self.copy_out(stream, at, to) };
        stream.finish(copied)
    }

    /// Queues a copy of `from` to the elements from `at` on.
    ///
    /// # Safety
    /// `from` is readable, and nobody writes it, until the stream was waited for.
    ///
    /// # Panics
    /// When the elements do not lie inside the array.
    pub(crate) unsafe fn copy_in(&self, stream: &Stream<G>, at: usize, from: *const [T]) -> Result<()> {
        let (to, len) = self.at(stream, at..at + from.len());
        // SAFETY: the device range lies inside this array, which is borrowed for the call; the caller answers for `from`.
        if len == 0 { Ok(()) } else { unsafe { stream.copy_in(from.cast(), to, len) } }
    }

    /// Queues a copy of the elements from `at` on to `to`.
    ///
    /// # Safety
    /// `to` is writable, and nobody else touches it, until the stream was waited for.
    ///
    /// # Panics
    /// When the elements do not lie inside the array.
    pub(crate) unsafe fn copy_out(&self, stream: &Stream<G>, at: usize, to: *mut [T]) -> Result<()> {
        let (from, len) = self.at(stream, at..at + to.len());
        // SAFETY: the device range lies inside this array, which is borrowed for the call; the caller answers for `to`.
        if len == 0 { Ok(()) } else { unsafe { stream.copy_out(from, to.cast(), len) } }
    }

    /// The address and the bytes of the elements in `range`, for work on `stream`.
    fn at(&self, stream: &Stream<G>, range: Range<usize>) -> (u64, usize) {
        // Dropping the array waits for the streams of its own GPU alone.
        assert!(Arc::ptr_eq(&self.gpu, stream.gpu()), "an array of one GPU and a stream of another");
        let (address, len) = self.place::<T>(range);
        (address, len as usize * size_of::<T>())
    }
}

impl<G: Gpu> DeviceArray<cuda_std::U32x2, G> {
    /// An array of these bytes, eight an element, after waiting for their copy.
    ///
    /// # Errors
    /// As [`DeviceArray::new`].
    pub fn of_bytes(stream: &Stream<G>, bytes: &[u8]) -> Result<Self> {
        let array = Self::new(stream.gpu(), bytes.len() / 8)?;
        array.write_bytes(stream, bytes).map(|()| array)
    }

    /// Copies these bytes, eight an element, to the first elements, and waits.
    ///
    /// # Errors
    /// What the device answers.
    ///
    /// # Panics
    /// When the array has fewer elements.
    pub fn write_bytes(&self, stream: &Stream<G>, bytes: &[u8]) -> Result<()> {
        let whole = std::ptr::slice_from_raw_parts(bytes.as_ptr().cast(), bytes.len() / 8);
        // SAFETY: the copy moves bytes of whatever alignment, all inside `bytes`, which are borrowed until the stream was
        // waited for, before this returns.
        let copied = unsafe { self.copy_in(stream, 0, whole) };
        stream.finish(copied)
    }
}

impl<T, G: Gpu> Drop for DeviceArray<T, G> {
    fn drop(&mut self) {
        if self.len > 0 {
            // SAFETY: `new` allocated it for an array with elements, and it is given back here alone; views borrow the
            // array, so nothing that uses the memory is queued after.
            unsafe { self.gpu.release(self.address) };
        }
    }
}
