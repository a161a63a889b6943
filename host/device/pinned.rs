//! Pinned host memory: the device copies from and to it at full speed.
//!
//! It belongs to the copy that uses it until that is past: reading, writing and dropping it wait first. Where the stream was
//! waited for already, that costs one load of an atomic number.

use crate::array::{DeviceArray, bytes_of};
use crate::error::Result;
use crate::gpu::Gpu;
use crate::stream::{InFlight, Stream};
use cuda_std::Element;
use rayon::prelude::*;
use std::ops::Range;
use std::ptr::{NonNull, slice_from_raw_parts_mut};
use std::sync::Arc;

/// An array in pinned host memory, given back on drop. One without elements takes no memory.
pub struct Pinned<T: Element, G: Gpu> {
    /// The copies that use it. Not past: nobody else touches the memory.
    in_flight: Option<InFlight<G>>,
    gpu: Arc<G>,
    start: NonNull<T>,
    len: usize,
}

// SAFETY: it owns its memory as a Vec does.
unsafe impl<T: Element, G: Gpu> Send for Pinned<T, G> {}
// SAFETY: `&Pinned` gives `&[T]` and no other access.
unsafe impl<T: Element, G: Gpu> Sync for Pinned<T, G> {}

/// Bytes that are filled while those before are copied, and bytes of them that a thread fills at a time.
const STRETCH: usize = 8 << 20;
const PART: usize = 512 << 10;
/// Bytes that the caller fills alone: the others may be busy reading, and to wait for one of them takes longer.
const FEW: usize = 2 << 20;

impl<T: Element, G: Gpu> Pinned<T, G> {
    /// `len` zeroed elements.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`](crate::error::DeviceError::OutOfMemory) when they do not fit; what else the device
    /// answers.
    pub fn new(gpu: &Arc<G>, len: usize) -> Result<Self> {
        let mut pinned = Self::empty(gpu);
        let bytes = bytes_of::<T>(&**gpu, len)?;
        if bytes > 0 {
            pinned.start = NonNull::new(gpu.allocate_pinned(bytes)?.cast()).expect("`Gpu` promises memory");
            pinned.len = len;
        }
        Ok(pinned)
    }

    /// No elements.
    pub fn empty(gpu: &Arc<G>) -> Self {
        Self { in_flight: None, gpu: gpu.clone(), start: NonNull::dangling(), len: 0 }
    }

    /// Makes the array longer if it has fewer than `len` elements. The contents are lost then.
    ///
    /// Pinning takes half a millisecond for each MB. So an array that was too short once gets a quarter more than is asked for:
    /// of batches that are about as large as each other, the next larger one fits.
    ///
    /// # Errors
    /// As [`Pinned::new`]; the array is empty then.
    pub fn grow(&mut self, len: usize) -> Result<()> {
        if self.len < len {
            let len = if self.is_empty() { len } else { len.saturating_add(len / 4) };
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

    /// The elements, once no copy uses them.
    ///
    /// # Errors
    /// What the device answers when it is waited for.
    pub fn read(&self) -> Result<&[T]> {
        self.wait()?;
        // SAFETY: `Gpu` promises `len` zeroed elements from `start` on, every bit pattern is an element, and no copy writes
        // them, since a copy to them needs `&mut self`.
        Ok(unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) })
    }

    /// The elements for writing, once no copy uses them.
    ///
    /// # Errors
    /// What the device answers when it is waited for.
    pub fn write(&mut self) -> Result<&mut [T]> {
        self.wait()?;
        // SAFETY: `Gpu` promises `len` zeroed elements from `start` on, every bit pattern is an element, and `&mut self` is
        // the only access, since no copy is under way.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) })
    }

    /// Queues a copy of the elements in `range` to those of `array` from `at` on.
    ///
    /// # Errors
    /// What the device answers.
    ///
    /// # Panics
    /// When the elements do not lie inside both arrays.
    pub fn copy_to(
        &mut self,
        stream: &Stream<G>,
        range: Range<usize>,
        array: &DeviceArray<T, G>,
        at: usize,
    ) -> Result<()> {
        let from = self.lend(stream, range)?;
        // SAFETY: the elements are live, and nobody touches them until `in_flight`, set below, was waited for.
        let copied = unsafe { array.copy_in(stream, at, from) };
        self.note(stream);
        copied
    }

    /// Queues a copy of the elements of `array` from `at` on to those in `range`.
    ///
    /// # Errors
    /// What the device answers.
    ///
    /// # Panics
    /// When the elements do not lie inside both arrays.
    pub fn copy_from(
        &mut self,
        stream: &Stream<G>,
        range: Range<usize>,
        array: &DeviceArray<T, G>,
        at: usize,
    ) -> Result<()> {
        let to = self.lend(stream, range)?;
        // SAFETY: the elements are live, and nobody touches them until `in_flight`, set below, was waited for.
        let copied = unsafe { array.copy_out(stream, at, to) };
        self.note(stream);
        copied
    }

    /// Writes `parts` one after another and queues their copy to the start of `array`: while one stretch is copied, all cores
    /// write the next.
    ///
    /// # Errors
    /// What the device answers.
    ///
    /// # Panics
    /// When the parts do not fit both arrays.
    pub fn copy_through<'p>(
        &mut self,
        stream: &Stream<G>,
        parts: impl IntoIterator<Item = &'p [T]>,
        array: &DeviceArray<T, G>,
    ) -> Result<()> {
        self.wait()?;
        let mut first = 0;
        for stretch in stretches(parts, STRETCH / size_of::<T>()) {
            let len = stretch.iter().map(|part| part.len()).sum::<usize>();
            assert!(len <= self.len - first, "more than pinned memory holds");
            // SAFETY: the elements lie inside the array, as was just checked, and the copies under way are those of this
            // function, from elements before `first`.
            let to = unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().add(first), len) };
            write_parts(&stretch, to);
            self.copy_to(stream, first..first + len, array, first)?;
            first += len;
        }
        Ok(())
    }

    fn wait(&self) -> Result<()> {
        self.in_flight.as_ref().map_or(Ok(()), InFlight::wait)
    }

    /// The elements in `range`, for a copy on `stream`, which comes after those that it was given before.
    fn lend(&mut self, stream: &Stream<G>, range: Range<usize>) -> Result<*mut [T]> {
        assert!(range.start <= range.end && range.end <= self.len, "elements {range:?} past the end of pinned memory");
        if self.in_flight.as_ref().is_some_and(|copies| !copies.is_of(stream)) {
            self.wait()?;
        }
        // SAFETY: the range was just checked.
        let start = unsafe { self.start.as_ptr().add(range.start) };
        Ok(slice_from_raw_parts_mut(start, range.len()))
    }

    /// Notes that the last work of `stream` uses the memory.
    fn note(&mut self, stream: &Stream<G>) {
        match &mut self.in_flight {
            Some(copies) if copies.is_of(stream) => copies.extend(),
            copies => *copies = Some(stream.in_flight()),
        }
    }
}

impl<T: Element, G: Gpu> Drop for Pinned<T, G> {
    fn drop(&mut self) {
        self.in_flight = None;
        if self.len > 0 {
            // SAFETY: `new` allocated as many bytes for an array with elements, and they are given back here alone; dropping
            // `in_flight` has waited for the copies.
            unsafe { self.gpu.release_pinned(self.start.as_ptr().cast(), self.len * size_of::<T>()) };
        }
    }
}

/// Cuts parts that follow one another into stretches of `most` elements.
fn stretches<'p, T: 'p>(parts: impl IntoIterator<Item = &'p [T]>, most: usize) -> impl Iterator<Item = Vec<&'p [T]>> {
    let (mut parts, mut rest) = (parts.into_iter(), &[][..]);
    std::iter::from_fn(move || {
        let (mut stretch, mut room) = (Vec::new(), most);
        while room > 0 {
            if rest.is_empty() {
                let Some(part) = parts.next() else { break };
                rest = part;
            }
            let (some, after) = rest.split_at(rest.len().min(room));
            stretch.push(some);
            (rest, room) = (after, room - some.len());
        }
        (room < most).then_some(stretch)
    })
}

/// Copies parts one after another, many on all cores.
fn write_parts<T: Element>(parts: &[&[T]], mut to: &mut [T]) {
    let is_for_one = size_of_val(to) <= FEW;
    let mut copies = Vec::new();
    for part in parts {
        let (place, rest) = to.split_at_mut(part.len());
        to = rest;
        copies.extend(place.chunks_mut(PART / size_of::<T>()).zip(part.chunks(PART / size_of::<T>())));
    }
    let copy = |(to, from): (&mut [T], &[T])| to.copy_from_slice(from);
    if is_for_one { copies.into_iter().for_each(copy) } else { copies.into_par_iter().for_each(copy) }
}

/// Copies, much on all cores.
///
/// # Panics
/// When there are more elements than `to` holds.
pub fn copy<T: Element>(from: &[T], to: &mut [T]) {
    write_parts(&[from], to);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_that_was_too_short_gets_more_than_is_asked_for() {
        let gpu = Arc::new(crate::emulated::Emulated::default());
        let mut pinned = Pinned::<u32, _>::empty(&gpu);
        let lengths = [100, 90, 101, 126, 127].map(|len| {
            pinned.grow(len).unwrap();
            pinned.len()
        });
        assert_eq!(lengths, [100, 100, 126, 126, 158]);
    }

    #[test]
    fn parts_are_cut_and_joined_to_stretches() {
        let cut = |parts: &[&'static [u8]]| -> Vec<String> {
            let joined = |stretch: Vec<&[u8]>| String::from_utf8(stretch.join(&b'|')).unwrap();
            stretches(parts.iter().copied(), 4).map(joined).collect()
        };
        assert_eq!(cut(&[b"abcdefghi"]), ["abcd", "efgh", "i"]);
        assert_eq!(cut(&[b"ab", b"", b"cdef", b"gh"]), ["ab||cd", "ef|gh"]);
        assert_eq!(cut(&[b"", b""]), [""; 0]);
    }
}
