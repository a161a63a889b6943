//! What a run computes on, and what it may take.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;
use warpseq_device::cuda::kernels;
use warpseq_io::console::Console;

/// What a run computes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Processor {
    /// Every usable GPU, and the CPU while that helps.
    #[default]
    Auto,
    /// Every usable GPU; the CPU when there is none.
    CudaOrCpu,
    /// The CPU.
    Cpu,
    /// One GPU by its number, or every usable one.
    Cuda(Option<u32>),
    /// The lockstep emulator, for tests.
    Emulator,
}

/// What a run computes on, and what it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// What computes.
    pub processor: Processor,
    /// Bytes that the process may take, the longest record apart.
    pub host_memory: usize,
    /// Bytes of device memory that may be taken; `None`: what is free.
    pub device_memory: Option<usize>,
    /// Whether everything is computed a second time by another executor, and compared.
    pub verify: Option<Verify>,
    /// How much is said on standard error.
    pub console: Console,
    /// What becomes of the process afterwards.
    pub process: Process,
}

/// What becomes of the process after a run. Giving back a GPU's memory takes tens of milliseconds, and opening a GPU hundreds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Process {
    /// It goes on: all that the run holds is given back, and no thread is left behind.
    #[default]
    GoesOn,
    /// It ends soon, by [`warpseq_io::end::with`]: a GPU that is still being opened is not waited for.
    EndsSoon,
    /// It ends with the run, in that way: besides, nothing is given back.
    EndsWithRun,
}

impl Default for RunOptions {
    fn default() -> Self {
        let (processor, console) = (Processor::Auto, Console::default());
        Self { processor, host_memory: 1 << 30, device_memory: None, verify: None, console, process: Process::GoesOn }
    }
}

impl FromStr for Processor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.to_ascii_lowercase();
        match text.as_str() {
            "auto" => Ok(Self::Auto),
            "cuda-or-cpu" => Ok(Self::CudaOrCpu),
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
            Self::CudaOrCpu => f.write_str("cuda-or-cpu"),
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(None) => f.write_str("cuda"),
            Self::Cuda(Some(number)) => write!(f, "cuda:{number}"),
            Self::Emulator => f.write_str("emulator"),
        }
    }
}

impl Processor {
    /// Whether the CPU computes what a GPU cannot.
    pub fn falls_back(self) -> bool {
        matches!(self, Self::Auto | Self::CudaOrCpu)
    }

    /// Whether a GPU may come to be used, judged without starting the driver. Only how far reading runs ahead hangs on it.
    pub fn expects_gpu(self) -> bool {
        /// What the driver makes on Linux, and what Windows offers its Linux.
        const NODES: [&str; 2] = ["/dev/nvidiactl", "/dev/dxg"];
        match self {
            Self::Auto | Self::CudaOrCpu => {
                !kernels::MODULES.is_empty() && NODES.iter().any(|node| Path::new(node).exists())
            }
            Self::Cuda(_) => true,
            Self::Cpu | Self::Emulator => false,
        }
    }
}

/// How much longer opening a GPU takes where the system has several, as its driver makes all of them ready: with two H200s, `cuda:0` took 0.63 s for
/// what takes 0.37 with one, and some more while the CPU computes. More than three count as three.
pub fn opening_takes_longer() -> Duration {
    const FOR_EACH: Duration = Duration::from_millis(350);
    let nodes = std::fs::read_dir("/dev").into_iter().flatten().flatten();
    let gpus = nodes.filter(|node| is_gpu(&node.file_name().to_string_lossy())).count();
    FOR_EACH * (gpus.clamp(1, 3) as u32 - 1)
}

/// Whether this is the name of a GPU among the system's devices: `nvidia0`, but not `nvidiactl`.
fn is_gpu(name: &str) -> bool {
    name.strip_prefix("nvidia").is_some_and(|number| number.parse::<u32>().is_ok())
}

/// Which executor computes a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Verify {
    /// The naive reference: shares nothing with the engines, and is slow.
    Reference,
    /// The CPU engine.
    Cpu,
}

impl Verify {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Cpu => "cpu",
        }
    }
}

/// Parses `512`, `64K`, `100M` or `2G` to bytes.
///
/// # Errors
/// What was expected instead.
pub fn memory_size(text: &str) -> Result<usize, String> {
    let (digits, shift) = match text.as_bytes().last().map(u8::to_ascii_uppercase) {
        Some(b'K') => (&text[..text.len() - 1], 10),
        Some(b'M') => (&text[..text.len() - 1], 20),
        Some(b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let bytes = digits.parse::<usize>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.filter(|&bytes| bytes > 0).ok_or_else(|| "expected a size such as 64K, 500M or 2G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gpus_are_told_by_their_numbers() {
        let names = ["nvidia0", "nvidia12", "nvidiactl", "nvidia-uvm", "nvidia", "null"];
        assert_eq!(names.map(is_gpu), [true, true, false, false, false, false]);
    }

    #[test]
    fn names_are_read_and_written() {
        for name in ["auto", "cuda-or-cpu", "cpu", "cuda", "cuda:0", "cuda:17", "emulator"] {
            assert_eq!(name.parse::<Processor>().unwrap().to_string(), name);
        }
        assert_eq!(
            ["CPU", "Cuda:1"].map(|name| name.parse::<Processor>().unwrap()),
            [Processor::Cpu, Processor::Cuda(Some(1))]
        );
        for name in ["", "gpu", "cuda:", "cuda:x", "cuda:-1"] {
            assert!(name.parse::<Processor>().unwrap_err().contains("cuda:N"), "{name}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(["1", "64K", "500m", "2G"].map(|text| memory_size(text).unwrap()), [1, 65536, 500 << 20, 2 << 30]);
        for text in ["", "G", "0", "-1G", "1.5G", "1T", "99999999999999G"] {
            assert!(memory_size(text).unwrap_err().contains("500M"), "{text}");
        }
    }
}
