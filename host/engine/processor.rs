//! What a run computes on: `--device` as a value, and the GPUs it stands for.
//!
//! ```text
//! auto      every usable GPU; the CPU when there is none, with the reason
//! cpu       the CPU
//! cuda      every usable GPU; an error when there is none
//! cuda:N    GPU N; an error when it cannot be used
//! emulator  the lockstep emulator, for tests
//! ```
//!
//! GPUs are opened on threads of their own, from the start of the run on: the driver takes up to a second, in which the
//! inputs are read.

use crate::error::DeviceError;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::thread::JoinHandle;
use warpseq_device::cuda::{Cuda, Opening, discover, kernels};

/// What a run computes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Processor {
    #[default]
    Auto,
    Cpu,
    /// One GPU by its number, or every usable one.
    Cuda(Option<u32>),
    Emulator,
}

impl FromStr for Processor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "cuda" => Ok(Self::Cuda(None)),
            "emulator" => Ok(Self::Emulator),
            _ => {
                let number = text.strip_prefix("cuda:").and_then(|number| number.parse().ok());
                number.map(|number| Self::Cuda(Some(number))).ok_or("expected auto, cpu, cuda or cuda:N".to_owned())
            }
        }
    }
}

impl fmt::Display for Processor {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(None) => f.write_str("cuda"),
            Self::Cuda(Some(number)) => write!(f, "cuda:{number}"),
            Self::Emulator => f.write_str("emulator"),
        }
    }
}

impl Processor {
    /// Whether a GPU may come to be used, judged without starting the driver. Only how far reading runs ahead hangs on it.
    pub fn expects_gpu(self) -> bool {
        /// What the driver makes on Linux, and what Windows offers its Linux.
        const NODES: [&str; 2] = ["/dev/nvidiactl", "/dev/dxg"];
        match self {
            Self::Auto => !kernels::MODULES.is_empty() && NODES.iter().any(|node| Path::new(node).exists()),
            Self::Cuda(_) => true,
            Self::Cpu | Self::Emulator => false,
        }
    }

    /// Starts opening the GPUs that this may use; `None` when it uses none.
    pub fn start_opening(self) -> Option<Gpus> {
        let wanted = match self {
            Self::Auto => None,
            Self::Cuda(number) => number,
            Self::Cpu | Self::Emulator => return None,
        };
        Some(Gpus { opening: std::thread::spawn(move || open(wanted)) })
    }
}

/// GPUs being opened.
pub struct Gpus {
    opening: JoinHandle<Result<Vec<Arc<Cuda>>, DeviceError>>,
}

impl Gpus {
    /// Waits for the GPUs: at least one.
    ///
    /// # Errors
    /// What keeps the GPU that was named, or else the first one, from being used.
    pub fn finish(self) -> Result<Vec<Arc<Cuda>>, DeviceError> {
        self.opening.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// Opens GPU `wanted`, or every one that can be used.
fn open(wanted: Option<u32>) -> Result<Vec<Arc<Cuda>>, DeviceError> {
    if let Some(ordinal) = wanted {
        return Ok(vec![Arc::new(Cuda::open(ordinal, kernels::MODULES)?)]);
    }
    let found = discover(kernels::MODULES)?;
    let openings: Vec<Opening> = found.iter().map(|gpu| Opening::start(gpu.ordinal, kernels::MODULES)).collect();
    let (mut opened, mut first_failure) = (Vec::new(), None);
    for opening in openings {
        match opening.finish() {
            Ok(gpu) => opened.push(gpu),
            Err(error) => first_failure = first_failure.or(Some(error)),
        }
    }
    match first_failure {
        Some(error) if opened.is_empty() => Err(error),
        _ => Ok(opened),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for name in ["auto", "cpu", "cuda", "cuda:0", "cuda:17", "emulator"] {
            assert_eq!(name.parse::<Processor>().unwrap().to_string(), name);
        }
        for name in ["", "gpu", "cuda:", "cuda:x", "cuda:-1", "CPU"] {
            assert!(name.parse::<Processor>().unwrap_err().contains("cuda:N"), "{name}");
        }
    }

    #[test]
    fn the_cpu_and_the_emulator_open_no_gpu() {
        assert!(Processor::Cpu.start_opening().is_none() && Processor::Emulator.start_opening().is_none());
    }
}
