//! A GPU that is the lockstep emulator of `cuda_std`: the same kernels and the same host code on a machine with no device,
//! with every access checked.
//!
//! Every call does its work before it returns, so streams and events order nothing, pinned memory is ordinary memory, and an
//! error comes from the call that caused it: [`DeviceError::Fault`] with the emulator's text. Use small inputs; an access
//! costs some tens of nanoseconds.

use crate::error::DeviceError;
use crate::gpu::Gpu;
use cuda_std::emulator::{Emulator, Fault};
use cuda_std::{Kernel, Shape, U32x4};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

type Result<T> = std::result::Result<T, DeviceError>;

/// What messages call it.
const NAME: &str = "emulator";

/// What an emulated device has. The default is that of a big device, but for the multiprocessors.
#[derive(Clone, Copy, Debug)]
pub struct Device {
    /// Multiprocessors: what engines size their grids by.
    pub multiprocessors: u32,
    /// The most dynamic shared memory of a block, in bytes.
    pub shared_memory: u32,
    /// Device memory in bytes: allocations past it do not fit.
    pub memory: usize,
}

impl Default for Device {
    fn default() -> Self {
        Self { multiprocessors: 2, shared_memory: 227 << 10, memory: 1 << 30 }
    }
}

/// An emulated device.
#[derive(Default)]
pub struct Emulated {
    device: Device,
    emulator: Emulator,
    /// Pinned memory by address, in the widest element so that it is aligned for all.
    pinned: Mutex<HashMap<usize, Vec<U32x4>>>,
}

impl Emulated {
    /// An emulated device of the given size.
    pub fn new(device: Device) -> Self {
        Self { device, ..Self::default() }
    }

    fn pinned(&self) -> MutexGuard<'_, HashMap<usize, Vec<U32x4>>> {
        self.pinned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<Fault> for DeviceError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault.to_string())
    }
}

// SAFETY: every call has done its work before it returns, so there is nothing to wait for, and what is released is in use no
// more. The emulator checks each access to device memory, and never gives an address twice. Pinned memory is a `Vec` of zeros,
// aligned to 16, which nobody else has until it is removed from the map.
unsafe impl Gpu for Emulated {
    type Stream = ();
    type Event = Instant;

    fn name(&self) -> &str {
        NAME
    }

    fn multiprocessors(&self) -> u32 {
        self.device.multiprocessors
    }

    fn shared_memory(&self) -> u32 {
        self.device.shared_memory
    }

    fn packs(&self) -> bool {
        true
    }

    fn free_memory(&self) -> Result<usize> {
        Ok(self.device.memory - self.emulator.allocated())
    }

    fn allocate(&self, bytes: usize) -> Result<u64> {
        self.emulator
            .allocate_within(bytes, self.device.memory)
            .ok_or_else(|| DeviceError::OutOfMemory { device: NAME.into(), bytes })
    }

    unsafe fn release(&self, address: u64) {
        self.emulator.release(address).expect("only what `allocate` gave is released, and once");
    }

    fn allocate_pinned(&self, bytes: usize) -> Result<*mut u8> {
        let mut words = vec![U32x4::default(); bytes.div_ceil(size_of::<U32x4>())];
        let start: *mut u8 = words.as_mut_ptr().cast();
        self.pinned().insert(start.addr(), words);
        Ok(start)
    }

    unsafe fn release_pinned(&self, address: *mut u8, _bytes: usize) {
        self.pinned().remove(&address.addr()).expect("only what `allocate_pinned` gave is released, and once");
    }

    /// Nothing to do: all host memory is as good as pinned.
    unsafe fn pin(&self, _address: *mut u8, _bytes: usize) -> Result<()> {
        Ok(())
    }

    unsafe fn unpin(&self, _address: *mut u8) {}

    fn stream(&self) -> Result<()> {
        Ok(())
    }

    fn record(&self, _stream: &()) -> Result<Instant> {
        Ok(Instant::now())
    }

    fn wait(&self, _stream: &(), _event: &Instant) -> Result<()> {
        Ok(())
    }

    fn milliseconds(&self, from: &Instant, to: &Instant) -> Result<f32> {
        Ok(to.duration_since(*from).as_secs_f32() * 1e3)
    }

    fn synchronize(&self, _stream: &()) -> Result<()> {
        Ok(())
    }

    unsafe fn copy_in(&self, _stream: &(), from: *const u8, to: u64, bytes: usize) -> Result<()> {
        // SAFETY: the caller has the host bytes readable, and written by nobody, for longer than this call.
        let from = unsafe { std::slice::from_raw_parts(from, bytes) };
        Ok(self.emulator.copy_in(from, to)?)
    }

    unsafe fn copy_out(&self, _stream: &(), from: u64, to: *mut u8, bytes: usize) -> Result<()> {
        // SAFETY: the caller has the host bytes writable, and touched by nobody, for longer than this call.
        let to = unsafe { std::slice::from_raw_parts_mut(to, bytes) };
        Ok(self.emulator.copy_out(from, to)?)
    }

    unsafe fn fill(&self, _stream: &(), to: u64, byte: u8, bytes: usize) -> Result<()> {
        Ok(self.emulator.fill(to, byte, bytes)?)
    }

    unsafe fn launch<A: Copy>(&self, _stream: &(), kernel: &Kernel<fn(A)>, shape: Shape, args: A) -> Result<()> {
        if shape.shared > self.device.shared_memory {
            let message =
                format!("{} bytes of shared memory, and a block can have {}", shape.shared, self.device.shared_memory);
            return Err(DeviceError::Contract { kernel: kernel.name(), message });
        }
        Ok(self.emulator.launch(kernel, shape, args)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::DeviceArray;
    use crate::pinned::Pinned;
    use crate::stream::Stream;
    use cuda_std::{GlobalMut, kernel, thread};
    use std::sync::Arc;

    /// A view to fill and the value to fill it with.
    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Fill<'a> {
        to: GlobalMut<'a, u32>,
        from: u32,
    }

    /// Writes `from + index` to every element but the last.
    #[kernel]
    pub fn fill(args: Fill) {
        let index = thread::index_1d();
        if u64::from(index) + 1 < args.to.len() {
            args.to.write(index, args.from + index);
        }
    }

    fn device(device: Device) -> (Arc<Emulated>, Stream<Emulated>) {
        let gpu = Arc::new(Emulated::new(device));
        let stream = Stream::new(&gpu).unwrap();
        (gpu, stream)
    }

    fn launch_fill(stream: &Stream<Emulated>, array: &DeviceArray<u32, Emulated>, shared: u32) -> Result<()> {
        let args = Fill { to: array.view_mut(), from: 5 };
        // SAFETY: the kernel takes a `Fill` and stays inside the view.
        unsafe { stream.launch(&fill, Shape { grid: 2, block: 32, shared }, args) }
    }

    #[test]
    fn a_kernel_runs_and_its_result_comes_back() {
        let (gpu, stream) = device(Device::default());
        let array = DeviceArray::new(&gpu, 65).unwrap();
        launch_fill(&stream, &array, 0).unwrap();
        let mut words = Pinned::<u32, _>::new(&gpu, 64).unwrap();
        assert_eq!(words.read().unwrap(), [0; 64]);
        words.copy_from(&stream, 0..64, &array, 0).unwrap();
        assert!(words.read().unwrap().iter().zip(5..).all(|(&word, expected)| word == expected));
    }

    #[test]
    fn a_fault_is_told_as_text() {
        let (gpu, stream) = device(Device::default());
        let array = DeviceArray::<u32, _>::new(&gpu, 65).unwrap();
        launch_fill(&stream, &array, 0).unwrap();
        let mut words = [0; 65];
        let outcome = array.read(&stream, 0, &mut words);
        let text = "copy to the host: byte 256 of buffer 0 is read before anything was written to it";
        assert_eq!(outcome, Err(DeviceError::Fault(text.into())));
        array.fill(&stream, 64..65, 0xff).unwrap();
        array.read(&stream, 0, &mut words).unwrap();
        assert_eq!(words[63..], [68, u32::MAX]);
    }

    #[test]
    fn memory_runs_out_and_comes_back() {
        let (gpu, _) = device(Device { memory: 1000, ..Device::default() });
        let first = DeviceArray::<u8, _>::new(&gpu, 600).unwrap();
        assert_eq!(gpu.free_memory(), Ok(400));
        let second = DeviceArray::<u8, _>::new(&gpu, 401).err();
        assert_eq!(second, Some(DeviceError::OutOfMemory { device: "emulator".into(), bytes: 401 }));
        drop(first);
        assert_eq!(gpu.free_memory(), Ok(1000));
        assert!(DeviceArray::<u8, _>::new(&gpu, 1000).is_ok());
    }

    #[test]
    fn shared_memory_has_an_end() {
        let (gpu, stream) = device(Device { shared_memory: 1024, ..Device::default() });
        let array = DeviceArray::new(&gpu, 64).unwrap();
        assert_eq!(launch_fill(&stream, &array, 1024), Ok(()));
        let Err(DeviceError::Contract { kernel, message }) = launch_fill(&stream, &array, 1025) else {
            panic!("more shared memory than there is must be refused");
        };
        assert_eq!((kernel, &message[..]), ("fill", "1025 bytes of shared memory, and a block can have 1024"));
    }
}
