//! What can go wrong: one type, a variant per cause, each message saying what, where, and what to do next.

use crate::cuda::driver::codes::{LAUNCH_OUT_OF_RESOURCES, OUT_OF_MEMORY, advice};
use std::io;
use std::path::PathBuf;

/// The result of everything that can fail here.
pub type Result<T> = std::result::Result<T, Error>;

/// Any failure a user can meet.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be opened, read, created or renamed. `action` is a verb phrase: "read", "create".
    #[error("cannot {action} {}: {source}", path.display())]
    File { path: PathBuf, action: &'static str, source: io::Error },

    /// An input file breaks its format. `record` counts from 1; 0 means before the first record.
    #[error("{}, line {line}, record {record}: {message}", path.display())]
    Input { path: PathBuf, line: u64, record: u64, message: String },

    /// An input as a whole cannot be used (empty signatures, an output equal to an input).
    #[error("{}: {message}", path.display())]
    Unusable { path: PathBuf, message: String },

    /// The command line asks for something that makes no sense. Exit code 2.
    #[error("{0}")]
    Usage(String),

    /// The GPU or its driver failed.
    #[error("{0}")]
    Device(#[from] DeviceError),

    /// The GPU or its driver failed at `work`, a part of the input.
    #[error("{work}: {error}")]
    DeviceAt { work: String, error: DeviceError },

    /// A check against another executor found a difference.
    #[error("{0}")]
    Mismatch(String),

    /// SIGINT or SIGTERM. Exit code 130.
    #[error("interrupted")]
    Interrupted,

    /// Standard output was closed by its reader: not a failure. Exit code 0, no message.
    #[error("standard output was closed")]
    ClosedPipe,
}

/// A failure of the GPU, its driver, or the module of kernels.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// The driver answered an error code. `name` is NVIDIA's name for it. Errors of asynchronous work come out of a later
    /// call, so `kernel` is the one that the call named, or else the last one launched on the call's stream.
    #[error("{device}: {action} failed with {name} ({code}){}; {}", last_kernel(*kernel), advice(*code))]
    Driver { device: String, action: &'static str, kernel: Option<&'static str>, code: u32, name: &'static str },

    /// An allocation did not fit. Halve the batch and retry; an item that cannot fit alone goes to the CPU engine.
    #[error("{device}: out of memory asking for {bytes} bytes")]
    OutOfMemory { device: String, bytes: usize },

    /// The GPU answered what cannot be.
    #[error(
        "{device}: {message}: this GPU computes wrong; look with `warpseq devices --check`, or run with --device cpu"
    )]
    Nonsense { device: String, message: String },

    /// There is no usable device: no driver, no device, or this build holds no kernels. The text says which and what to do.
    #[error("{0}")]
    Unavailable(String),

    /// A launch contract was not met: a bug here, found before anything ran.
    #[error("kernel {kernel}: launch contract not met: {message}")]
    Contract { kernel: &'static str, message: String },

    /// The emulator found a fault in a kernel.
    #[error("{0}")]
    Fault(String),
}

fn last_kernel(kernel: Option<&'static str>) -> String {
    kernel.map(|kernel| format!(", last kernel: {kernel}")).unwrap_or_default()
}

impl DeviceError {
    /// Whether less work may do: there was too little memory, at an allocation or at a launch, for which the driver itself
    /// allocates.
    pub fn is_shortage(&self) -> bool {
        matches!(self, Self::OutOfMemory { .. } | Self::Driver { code: OUT_OF_MEMORY | LAUNCH_OUT_OF_RESOURCES, .. })
    }
}

impl Error {
    /// The exit code of the program that ends with this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::ClosedPipe => 0,
            Self::Usage(_) => 2,
            Self::Interrupted => 130,
            _ => 1,
        }
    }
}
