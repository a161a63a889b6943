//! A kernel as the host sees it: its name in the PTX module, and its body for the emulator, whose type says what it takes.

/// A kernel whose body is an `F`: `fn(Args)`, where `Args` is passed by value.
///
/// `fn(Args)` stands for every lifetime of the views in `Args`, so one constant serves all launches.
pub struct Kernel<F> {
    name: &'static str,
    body: F,
}

impl<F: Copy> Kernel<F> {
    /// For `#[kernel]`.
    pub const fn new(name: &'static str, body: F) -> Self {
        Self { name, body }
    }

    /// The name of the entry point in the PTX module.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What one thread does, as a host function. Only the emulator calls it.
    pub(crate) fn body(&self) -> F {
        self.body
    }
}

/// The shape of a launch. It has one dimension, since every kernel here indexes one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Blocks in the grid.
    pub grid: u32,
    /// Threads in a block: a multiple of 32, at most 1024.
    pub block: u32,
    /// Dynamic shared memory of a block, in bytes.
    pub shared: u32,
}
