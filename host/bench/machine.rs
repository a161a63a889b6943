//! The machine that a benchmark ran on, and how fast it copies to the device.

use super::process::this_program;
use super::spread::{Repeat, Spread};
use crate::array::DeviceArray;
use crate::cuda::{Found, cpu};
use crate::error::{DeviceError, Error, FileError, Result};
use crate::gpu::Gpu;
use crate::pinned::Pinned;
use crate::stream::Stream;
use serde::{Deserialize, Serialize};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// Bytes per second of an H100's memory, read and written, as measured (docs/performance.md).
pub const DEVICE_MEMORY_RATE: f64 = 3.0e12;

/// Clocks per second of all multiprocessors of an H100 together: 132 at 1.98 GHz.
pub const CLOCKS: f64 = 132.0 * 1.98e9;

/// The machine in a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Machine {
    pub cpu: String,
    /// Threads used.
    pub threads: usize,
    pub gpu: Option<GpuRecord>,
    /// How many GPUs: where there are several, `--device cuda` is all of them.
    pub gpus: usize,
}

/// The GPU in a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GpuRecord {
    pub name: String,
    /// Compute capability and CUDA version of the driver, such as `9.0` and `13.0`.
    pub compute_capability: String,
    pub driver_cuda: String,
    pub memory_bytes: usize,
}

impl From<&Found> for GpuRecord {
    fn from(found: &Found) -> Self {
        let dotted = |(major, minor)| format!("{major}.{minor}");
        Self {
            name: found.name.clone(),
            compute_capability: dotted(found.compute_capability),
            driver_cuda: dotted(found.driver_version),
            memory_bytes: found.memory_bytes,
        }
    }
}

/// What is known of the GPU that is measured, whether it is open or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    pub gpu: GpuRecord,
    /// Its value for `--device`.
    pub argument: String,
    /// How many GPUs the machine has to work with it: of several, all together are measured, too.
    pub gpus: usize,
    /// Bytes per second of a pinned copy to it.
    pub copy_rate: f64,
}

impl Facts {
    /// The values of `--device` for the measured engines, where this is the GPU, if there is one.
    pub fn devices(facts: Option<&Self>) -> Vec<String> {
        let all = facts.filter(|facts| facts.gpus > 1).map(|_| "cuda");
        let one = facts.map(|facts| facts.argument.as_str());
        ["cpu"].into_iter().chain(one).chain(all).map(str::to_owned).collect()
    }

    /// Those that a program of its own finds out, which opens and closes the GPU of `device`: another program took a tenth of a second
    /// less where somebody held one open, on hosts of one kind. `None`: the CPU only, for a reason that it has told.
    ///
    /// # Errors
    /// [`Error::Usage`] where the GPU that was asked for cannot be used, for a reason that it has told.
    pub fn of_process(device: &str) -> Result<Option<Self>> {
        let program = this_program()?;
        let failed = |source| FileError::File { path: program.clone(), action: "run", source };
        let output = Command::new(&program).args(["bench", "gpu", device]).stderr(Stdio::inherit()).output();
        let output = output.map_err(failed)?;
        let facts = serde_json::from_slice(&output.stdout).ok().filter(|_| output.status.success());
        facts.ok_or_else(|| Error::Usage(format!("nothing is known of the GPU of --device {device}, as said above")))
    }
}

impl Machine {
    /// This machine, of which `threads` CPU threads are used, and the GPU that is measured.
    pub fn here(threads: usize, facts: Option<&Facts>) -> Self {
        let (gpu, gpus) = facts.map_or((None, 0), |facts| (Some(facts.gpu.clone()), facts.gpus));
        Self { cpu: cpu().0, threads, gpu, gpus }
    }

    /// The device as part of a file name: lower-case letters, digits and `-`.
    pub fn slug(&self) -> String {
        let several = if self.gpus > 1 { format!(" x{}", self.gpus) } else { String::new() };
        let name = self.gpu.as_ref().map_or_else(|| format!("cpu {}", self.cpu), |gpu| gpu.name.clone() + &several);
        let plain: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' }).collect();
        plain.split_whitespace().collect::<Vec<_>>().join("-")
    }
}

/// Bytes per second of a copy of `bytes` pinned bytes to the device: the best of five.
///
/// # Errors
/// Those of the device.
pub fn copy_rate<G: Gpu>(gpu: &Arc<G>, bytes: usize) -> std::result::Result<f64, DeviceError> {
    let (stream, mut host) = (Stream::new(gpu)?, Pinned::<u8, G>::new(gpu, bytes)?);
    let device = DeviceArray::<u8, G>::new(gpu, bytes)?;
    let copy = || {
        let before = stream.record()?;
        host.copy_to(&stream, 0..bytes, &device, 0)?;
        let after = stream.record()?;
        stream.synchronize()?;
        gpu.milliseconds(&before, &after).map(f64::from)
    };
    let Spread { min_ms, .. } = Repeat { runs: 5, at_most: Duration::from_secs(5) }.measure(copy)?;
    Ok(bytes as f64 / min_ms.max(1e-6) * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_come_back_from_their_text_and_say_which_devices_there_are() {
        let gpu = GpuRecord {
            name: "NVIDIA H200".into(),
            compute_capability: "9.0".into(),
            driver_cuda: "13.0".into(),
            memory_bytes: 1 << 37,
        };
        let facts = |gpus| Facts { gpu: gpu.clone(), argument: "cuda:0".into(), gpus, copy_rate: 55.1e9 };
        for some in [None, Some(facts(1)), Some(facts(2))] {
            assert_eq!(serde_json::from_str::<Option<Facts>>(&serde_json::to_string(&some).unwrap()).unwrap(), some);
        }
        assert_eq!(Facts::devices(None), ["cpu"]);
        assert_eq!(Facts::devices(Some(&facts(1))), ["cpu", "cuda:0"]);
        assert_eq!(Facts::devices(Some(&facts(2))), ["cpu", "cuda:0", "cuda"]);
    }

    #[test]
    fn slugs_are_plain() {
        let gpu = |name: &str| GpuRecord {
            name: name.into(),
            compute_capability: "9.0".into(),
            driver_cuda: "13.0".into(),
            memory_bytes: 1,
        };
        let machine = |gpu, gpus| Machine { cpu: "Xeon(R) @ 2.0 GHz".into(), threads: 2, gpu, gpus };
        assert_eq!(machine(Some(gpu("NVIDIA H100 80GB HBM3")), 1).slug(), "nvidia-h100-80gb-hbm3");
        assert_eq!(machine(Some(gpu("NVIDIA H200")), 2).slug(), "nvidia-h200-x2");
        assert_eq!(machine(None, 0).slug(), "cpu-xeon-r-2-0-ghz");
    }
}
