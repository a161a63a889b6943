//! What can go wrong on a device.

use crate::cuda::driver::codes::{LAUNCH_OUT_OF_RESOURCES, OUT_OF_MEMORY, advice};

/// The result of everything that a device does.
pub type Result<T> = std::result::Result<T, DeviceError>;

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
        "{device}: {message}: this GPU gives wrong results; check it with `warpseq devices --check`, or run with --device cpu"
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
