//! The emulator as a whole. Correct kernels must run and give the right results. Wrong ones must be reported with the
//! kernel, the block and the thread.

mod correct;
mod faults;
mod races;
mod reach;

use cuda_std::emulator::{Emulator, Fault, Kind, Site};
use cuda_std::{Element, Global, GlobalMut, Kernel, Shape};

/// The argument of all kernels here: an input and an output.
#[repr(C)]
pub struct Args<'a, T> {
    pub input: Global<'a, T>,
    pub output: GlobalMut<'a, T>,
}

impl<T> Clone for Args<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Args<'_, T> {}

/// A device with an input (buffer 0) and an output (buffer 1) of `u32`.
pub struct Bench {
    pub emulator: Emulator,
    pub input: u64,
    pub output: u64,
    lens: (usize, usize),
}

impl Bench {
    /// An input with these contents, and an uninitialised output of `len` elements.
    pub fn new(input: &[u32], len: usize) -> Self {
        let emulator = Emulator::new();
        let (from, to) = (emulator.allocate(input.len() * 4), emulator.allocate(len * 4));
        let bytes: Vec<u8> = input.iter().flat_map(|word| word.to_ne_bytes()).collect();
        emulator.copy_in(&bytes, from).unwrap();
        Self { emulator, input: from, output: to, lens: (input.len(), len) }
    }

    pub fn zero_output(self) -> Self {
        self.emulator.fill(self.output, 0, self.lens.1 * 4).unwrap();
        self
    }

    /// Both buffers as views of another element.
    pub fn args<T: Element>(&self) -> Args<'_, T> {
        let len = |words: usize| (words * 4 / size_of::<T>()) as u64;
        // SAFETY: the buffers have these lengths. If a test has released one, the emulator reports it and touches no
        // memory.
        unsafe {
            Args {
                input: Global::from_raw(self.input, len(self.lens.0)),
                output: GlobalMut::from_raw(self.output, len(self.lens.1)),
            }
        }
    }

    /// Runs a kernel of `grid` blocks of `block` threads with 4 KiB of shared memory.
    pub fn launch<T: Element>(&self, kernel: &Kernel<fn(Args<T>)>, grid: u32, block: u32) -> Result<(), Fault> {
        self.emulator.launch(kernel, Shape { grid, block, shared: 4096 }, self.args())
    }

    /// The output.
    pub fn words(&self) -> Vec<u32> {
        let mut bytes = vec![0; self.lens.1 * 4];
        self.emulator.copy_out(self.output, &mut bytes).unwrap();
        bytes.chunks_exact(4).map(|word| u32::from_ne_bytes(word.try_into().unwrap())).collect()
    }
}

/// What a launch must return.
pub fn fault(kernel: &'static str, block: u32, thread: u32, kind: Kind) -> Result<(), Fault> {
    Err(Fault { site: Site::Thread { kernel, block, thread }, kind })
}
