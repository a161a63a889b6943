//! A GPU that is as late as it may be: it does nothing before somebody waits. Whatever safe code does, it waits before it looks
//! at memory that a copy uses, and before that memory goes; in a panic too. Sizes that cannot be are refused.

use cuda_std::emulator::Emulator;
use cuda_std::{Kernel, Shape};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use warpseq_device::array::DeviceArray;
use warpseq_device::error::{DeviceError, Result};
use warpseq_device::gpu::Gpu;
use warpseq_device::pinned::Pinned;
use warpseq_device::scope::scope;
use warpseq_device::slots::{Slices, pass_through};
use warpseq_device::staged::Staged;
use warpseq_device::stream::Stream;

type Work = Box<dyn FnOnce(&Emulator) + Send>;

/// What a stream was given and has not done.
#[derive(Clone, Default)]
struct Queue(Arc<Mutex<Vec<Work>>>);

impl Queue {
    fn give(&self, work: impl FnOnce(&Emulator) + Send + 'static) -> Result<()> {
        self.0.lock().unwrap().push(Box::new(work));
        Ok(())
    }

    fn finish(&self, device: &Emulator) {
        let work = std::mem::take(&mut *self.0.lock().unwrap());
        work.into_iter().for_each(|work| work(device));
    }
}

#[derive(Default)]
struct Late {
    device: Emulator,
    queues: Mutex<Vec<Queue>>,
}

impl Late {
    fn is_idle(&self) -> bool {
        self.queues.lock().unwrap().iter().all(|queue| queue.0.lock().unwrap().is_empty())
    }
}

// SAFETY: the emulator keeps device memory, checked and never given twice; pinned memory is a boxed slice that nobody has until
// it is dropped. `release` does the work of all streams first, `synchronize` that of one. Copies touch what they are given, and
// nothing is launched.
unsafe impl Gpu for Late {
    type Stream = Queue;
    type Event = Instant;

    fn name(&self) -> &str {
        "late"
    }

    fn multiprocessors(&self) -> u32 {
        1
    }

    fn shared_memory(&self) -> u32 {
        0
    }

    fn packs(&self) -> bool {
        false
    }

    fn free_memory(&self) -> Result<usize> {
        Ok(0)
    }

    fn allocate(&self, bytes: usize) -> Result<u64> {
        Ok(self.device.allocate(bytes))
    }

    unsafe fn release(&self, address: u64) {
        self.queues.lock().unwrap().iter().for_each(|queue| queue.finish(&self.device));
        self.device.release(address).unwrap();
    }

    fn allocate_pinned(&self, bytes: usize) -> Result<*mut u8> {
        Ok(Box::into_raw(vec![0u128; bytes.div_ceil(16)].into_boxed_slice()).cast())
    }

    unsafe fn release_pinned(&self, address: *mut u8, bytes: usize) {
        assert!(self.is_idle(), "pinned memory goes while a copy that was queued uses it");
        let slice = std::ptr::slice_from_raw_parts_mut(address.cast::<u128>(), bytes.div_ceil(16));
        // SAFETY: `allocate_pinned` made this box with as many bytes, and the caller gives it back once.
        drop(unsafe { Box::from_raw(slice) });
    }

    unsafe fn pin(&self, _address: *mut u8, _bytes: usize) -> Result<()> {
        Ok(())
    }

    unsafe fn unpin(&self, _address: *mut u8) {}

    fn stream(&self) -> Result<Queue> {
        let queue = Queue::default();
        self.queues.lock().unwrap().push(queue.clone());
        Ok(queue)
    }

    fn record(&self, _stream: &Queue) -> Result<Instant> {
        Ok(Instant::now())
    }

    fn wait(&self, _stream: &Queue, _event: &Instant) -> Result<()> {
        Ok(())
    }

    fn milliseconds(&self, _from: &Instant, _to: &Instant) -> Result<f32> {
        Ok(0.0)
    }

    fn synchronize(&self, stream: &Queue) -> Result<()> {
        stream.finish(&self.device);
        Ok(())
    }

    unsafe fn copy_in(&self, stream: &Queue, from: *const u8, to: u64, bytes: usize) -> Result<()> {
        let from = from.addr();
        stream.give(move |device| {
            let from = std::ptr::with_exposed_provenance(from);
            // SAFETY: the caller keeps the bytes until the stream was waited for, which is now.
            device.copy_in(unsafe { std::slice::from_raw_parts(from, bytes) }, to).unwrap();
        })
    }

    unsafe fn copy_out(&self, stream: &Queue, from: u64, to: *mut u8, bytes: usize) -> Result<()> {
        let to = to.expose_provenance();
        stream.give(move |device| {
            let to = std::ptr::with_exposed_provenance_mut(to);
            // SAFETY: the caller leaves the bytes alone until the stream was waited for, which is now.
            device.copy_out(from, unsafe { std::slice::from_raw_parts_mut(to, bytes) }).unwrap();
        })
    }

    unsafe fn fill(&self, stream: &Queue, to: u64, byte: u8, bytes: usize) -> Result<()> {
        stream.give(move |device| device.fill(to, byte, bytes).unwrap())
    }

    unsafe fn launch<A: Copy>(&self, _: &Queue, kernel: &Kernel<fn(A)>, _: Shape, _: A) -> Result<()> {
        unimplemented!("{} on a device for copies", kernel.name())
    }
}

/// A device, a stream, and an array of eights.
fn device() -> (Arc<Late>, Stream<Late>, DeviceArray<u8, Late>) {
    let gpu = Arc::new(Late::default());
    let (stream, array) = (Stream::new(&gpu).unwrap(), DeviceArray::new(&gpu, 100).unwrap());
    array.fill(&stream, 0..100, 8).unwrap();
    (gpu, stream, array)
}

#[test]
fn pinned_memory_is_whole_when_it_is_read() {
    let (gpu, stream, array) = device();
    let mut pinned = Pinned::<u8, _>::new(&gpu, 100).unwrap();
    pinned.copy_from(&stream, 10..90, &array, 0).unwrap();
    assert!(!gpu.is_idle());
    let expected = [[0; 10].as_slice(), &[8; 80], &[0; 10]].concat();
    assert_eq!(pinned.read().unwrap(), expected);
    assert!(gpu.is_idle());
}

#[test]
fn pinned_memory_is_written_only_after_the_copy_from_it() {
    let (gpu, stream, array) = device();
    let mut pinned = Pinned::new(&gpu, 100).unwrap();
    pinned.copy_to(&stream, 0..50, &array, 0).unwrap();
    pinned.write().unwrap().fill(7);
    let mut came = [1; 100];
    array.read(&stream, 0, &mut came).unwrap();
    assert_eq!(came, [[0; 50], [8; 50]].concat()[..]);
}

#[test]
fn copies_of_other_streams_wait_for_each_other() {
    let (gpu, stream, array) = device();
    let other = Stream::new(&gpu).unwrap();
    let mut pinned = Pinned::new(&gpu, 100).unwrap();
    pinned.copy_from(&stream, 0..100, &array, 0).unwrap();
    pinned.copy_to(&other, 0..100, &array, 0).unwrap();
    other.synchronize().unwrap();
    assert_eq!(pinned.read().unwrap(), [8; 100]);
}

#[test]
fn memory_goes_only_after_the_work_that_uses_it() {
    let (gpu, stream, array) = device();
    let mut pinned = Pinned::new(&gpu, 100).unwrap();
    pinned.copy_from(&stream, 0..100, &array, 0).unwrap();
    drop(pinned);
    assert!(gpu.is_idle());
    array.fill(&stream, 0..100, 9).unwrap();
    drop(array);
    assert!(gpu.is_idle());
}

#[test]
fn a_scope_ends_after_its_copies() {
    let (_, stream, array) = device();
    let (from, mut to) = ([5; 50], [0; 100]);
    let done = scope(|scope| {
        scope.copy_in(&stream, &from, &array, 0)?;
        scope.copy_out(&stream, &mut to, &array, 0)
    });
    assert_eq!((done, &to[..]), (Ok(()), &[[5; 50], [8; 50]].concat()[..]));
}

#[test]
fn a_scope_ends_after_its_copies_when_it_fails_or_panics() {
    let (gpu, stream, array) = device();
    for panics in [false, true] {
        let mut to = [0; 100];
        let ended = catch_unwind(AssertUnwindSafe(|| {
            scope(|scope| {
                scope.copy_out(&stream, &mut to, &array, 0)?;
                assert!(!panics, "as told");
                Err::<(), _>(DeviceError::Unavailable("as told".into()))
            })
        }));
        assert!(if panics { ended.is_err() } else { matches!(ended, Ok(Err(_))) });
        assert!(gpu.is_idle() && to == [8; 100], "panics: {panics}");
    }
}

/// Two slices in flight, of which the second cannot be collected.
struct Failing<'env, 's> {
    scope: &'s warpseq_device::scope::Scope<'env, Late>,
    stream: &'s Stream<Late>,
    array: &'s DeviceArray<u8, Late>,
    left: Vec<&'env mut [u8]>,
}

impl<'env> Slices for Failing<'env, '_> {
    type Slice = &'env mut [u8];
    type Begun = ();
    type Error = DeviceError;

    fn next(&mut self) -> Result<Option<&'env mut [u8]>> {
        Ok(self.left.pop())
    }

    fn begin(&mut self, _: usize, slice: &'env mut [u8]) -> Result<()> {
        self.scope.copy_out(self.stream, slice, self.array, 0)
    }

    fn collect(&mut self, _: usize, (): ()) -> Result<()> {
        panic!("between begin and collect");
    }
}

#[test]
fn a_panic_between_begin_and_collect_waits() {
    let (gpu, stream, array) = device();
    let mut letters = [0; 100];
    let ended = catch_unwind(AssertUnwindSafe(|| {
        scope(|scope| {
            let left = letters.chunks_mut(50).collect();
            pass_through(2, &mut Failing { scope, stream: &stream, array: &array, left })
        })
    }));
    assert!(ended.is_err() && gpu.is_idle());
    assert_eq!(letters, [8; 100]);
}

#[test]
fn staged_copies_do_not_meet() {
    let (gpu, stream, _) = device();
    // More than the stretch that is filled while another is copied.
    let long: Vec<u8> = (0..20 << 20).map(|k| (k % 251) as u8).collect();
    let (first, second) = long.split_at(11 << 20);
    let mut staged = Staged::empty(&gpu);
    let sent = scope(|scope| staged.send_parts((scope, &stream), &[first, second], false));
    assert_eq!(sent, Ok(()));
    staged.fetch(&stream, long.len()).unwrap();
    assert!(staged.read().unwrap() == long);
}

#[test]
fn what_was_fetched_is_read_and_nothing_else() {
    let (gpu, stream, _) = device();
    let numbers: Vec<u32> = (0..500).collect();
    let mut staged = Staged::empty(&gpu);
    staged.send(&stream, &numbers[..100]).unwrap();
    staged.fetch(&stream, 100).unwrap();
    assert_eq!(staged.read().unwrap(), &numbers[..100]);
    // Pinned memory that was too short gets a quarter more than is asked for.
    staged.send(&stream, &numbers[..400]).unwrap();
    staged.fetch(&stream, 400).unwrap();
    assert_eq!(staged.read().unwrap(), &numbers[..400]);
    staged.fetch(&stream, 7).unwrap();
    assert_eq!(staged.read().unwrap(), &numbers[..7]);
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    let (gpu, ..) = device();
    let is_refused = |error: Option<DeviceError>| matches!(error, Some(DeviceError::OutOfMemory { .. }));
    for len in [usize::MAX, usize::MAX / 8 + 1, usize::MAX / 8, isize::MAX as usize / 8 + 1] {
        assert!(is_refused(DeviceArray::<u64, _>::new(&gpu, len).err()), "{len}");
        assert!(is_refused(Pinned::<u64, _>::new(&gpu, len).err()), "{len}");
    }
}

#[test]
#[should_panic(expected = "past the end of a device array")]
fn a_view_past_the_end_is_refused() {
    let (.., array) = device();
    array.slice_as::<u32>(24..26);
}

#[test]
#[should_panic(expected = "an array of one GPU and a stream of another")]
fn a_stream_of_another_gpu_is_refused() {
    let ((.., array), (_, stream, _)) = (device(), device());
    drop(array.fill(&stream, 0..1, 0));
}
