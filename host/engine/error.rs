//! What can go wrong in a run. Each layer has its own error; this one gathers them.

pub use warpseq_device::error::DeviceError;
pub use warpseq_io::error::FileError;

/// The result of everything that can fail in a run.
pub type Result<T> = std::result::Result<T, Error>;

/// Any failure a user can meet.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or stream failed, or its content is not what it should be.
    #[error(transparent)]
    File(#[from] FileError),

    /// The command line asks for something that makes no sense. Exit code 2.
    #[error("{0}")]
    Usage(String),

    /// The GPU or its driver failed.
    #[error("{0}")]
    Device(#[from] DeviceError),

    /// The GPU or its driver failed at `work`, a part of the input.
    #[error("{work}: {error}")]
    DeviceAt {
        /// The part of the input, as the user knows it.
        work: String,
        /// What went wrong on the device.
        error: DeviceError,
    },

    /// A check against another executor found a difference.
    #[error("{0}")]
    Mismatch(String),
}

impl Error {
    /// The exit code of the program that ends with this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::File(error) => error.exit_code(),
            Self::Usage(_) => 2,
            _ => 1,
        }
    }
}
