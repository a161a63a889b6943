//! A kernel as the host sees it: its name in the PTX module, the type of its argument, and its body for the emulator.

/// A kernel with one argument, an `A` passed by value.
pub struct Kernel<A> {
    name: &'static str,
    body: fn(A),
}

impl<A: Copy> Kernel<A> {
    /// For `#[kernel]`.
    pub const fn new(name: &'static str, body: fn(A)) -> Self {
        Self { name, body }
    }

    /// The name of the entry point in the PTX module.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What one thread does, as a host function. Only the emulator calls it.
    pub(crate) fn body(&self) -> fn(A) {
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
