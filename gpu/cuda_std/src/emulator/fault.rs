//! What the emulator reports: the first fault, and where it happened.

use super::collective::Collective;
use crate::Shape;
use core::fmt;
use std::string::String;

/// The first error of a launch or a copy. A launch ends there, and memory holds what was written up to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it happened.
    pub site: Site,
    /// What happened.
    pub kind: Kind,
}

/// Where a fault happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// A thread of a launch.
    Thread {
        /// The kernel's name.
        kernel: &'static str,
        /// The block's index in the grid.
        block: u32,
        /// The thread's index in its block.
        thread: u32,
    },
    /// A call of the host. `action` is a noun phrase: "copy to the host".
    Host {
        /// What the host did.
        action: &'static str,
    },
}

/// A byte of device or shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Byte `offset` of buffer `buffer`.
    Global {
        /// How many buffers were allocated before this one.
        buffer: u32,
        /// Bytes from the start of the buffer.
        offset: u64,
    },
    /// Byte `offset` of the block's shared memory.
    Shared {
        /// Bytes from the start of shared memory.
        offset: u64,
    },
}

/// A kind of memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A load through the read-only cache (`Global::read`). Nothing may write these bytes during the launch.
    Constant,
    /// A load.
    Read,
    /// A store.
    Write,
    /// An atomic read-modify-write.
    Atomic,
}

/// The earlier one of two accesses that race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriorAccess {
    /// The index of its block in the grid.
    pub block: u32,
    /// The index of its thread in the block.
    pub thread: u32,
    /// What kind of access it was.
    pub access: Access,
}

/// What went wrong. Sizes are in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An index that is not below the `len` elements of a view.
    Index { index: u32, len: u64 },
    /// `bytes` bytes at `at` end past byte `size`.
    OutOfBounds { at: Place, bytes: u64, size: u64 },
    /// An address in no buffer.
    Unallocated { address: u64 },
    /// A buffer that the host has released.
    Released { at: Place },
    /// An address that is not a multiple of the word's size.
    Misaligned { at: Place, bytes: u64 },
    /// A read of a byte that nothing was written to. Shared memory is uninitialised at the start of every block.
    Uninitialised { at: Place },
    /// Two accesses to one byte that no barrier orders, not both reads and not both atomic.
    Race { at: Place, access: Access, prior: PriorAccess },
    /// A collective that thread `missing` does not reach: it has ended, or waits at `instead`.
    NotReached { collective: Collective, missing: u32, instead: Option<Collective> },
    /// A shuffle in groups of `width` lanes, where `width` is not a power of two up to 32.
    Width { width: u32 },
    /// The kernel called `thread::trap`.
    Trap,
    /// The kernel panicked with this text.
    Panic(String),
    /// A shape that no device runs.
    Launch(Shape),
}

impl core::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.site {
            Site::Thread { kernel, block, thread } => write!(f, "kernel {kernel}, block {block}, thread {thread}: ")?,
            Site::Host { action } => write!(f, "{action}: ")?,
        }
        self.kind.fmt(f)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Global { buffer, offset } => write!(f, "byte {offset} of buffer {buffer}"),
            Self::Shared { offset } => write!(f, "byte {offset} of shared memory"),
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Constant => "a read-only load",
            Self::Read => "a read",
            Self::Write => "a write",
            Self::Atomic => "an atomic access",
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Index { index, len } => write!(f, "out of bounds: index {index} of a view of {len} elements"),
            Self::OutOfBounds { at, bytes, size } => {
                write!(f, "out of bounds: {bytes} bytes at {at} end past byte {size}")
            }
            Self::Unallocated { address } => write!(f, "address {address:#x} belongs to no buffer"),
            Self::Released { at } => write!(f, "{at} is used after the host released it"),
            Self::Misaligned { at, bytes } => write!(f, "{at} is not aligned to {bytes} bytes"),
            Self::Uninitialised { at } => write!(f, "{at} is read before anything was written to it"),
            Self::Race { at, access, prior } => write!(
                f,
                "race on {at}: {access} here and {} by thread {} of block {}, with no barrier between them",
                prior.access, prior.thread, prior.block
            ),
            Self::NotReached { collective, missing, instead: None } => {
                write!(f, "waits at {collective}, but thread {missing} ended without reaching it")
            }
            Self::NotReached { collective, missing, instead: Some(other) } => {
                write!(f, "waits at {collective}, but thread {missing} waits at {other}")
            }
            Self::Width { width } => write!(f, "expected a shuffle width of 1, 2, 4, 8, 16 or 32, found {width}"),
            Self::Trap => f.write_str("trap"),
            Self::Panic(text) => write!(f, "panic: {text}"),
            Self::Launch(shape) => {
                write!(
                    f,
                    "cannot launch {shape:?}: expected at least one block of 32 to 1024 threads, a multiple of 32"
                )
            }
        }
    }
}
