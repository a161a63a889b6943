//! The machine that a benchmark ran on, and how fast it copies to the device.

use super::spread::{Repeat, Spread};
use crate::array::DeviceArray;
use crate::cuda::{Found, cpu};
use crate::error::DeviceError;
use crate::gpu::Gpu;
use crate::pinned::Pinned;
use crate::stream::Stream;
use serde::Serialize;
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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

impl Machine {
    /// This machine, of which `threads` CPU threads are used, and of so many GPUs the one that is measured alone.
    pub fn here(threads: usize, gpu: Option<&Found>, gpus: usize) -> Self {
        Self { cpu: cpu().0, threads, gpu: gpu.map(GpuRecord::from), gpus }
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
pub fn copy_rate<G: Gpu>(gpu: &Arc<G>, bytes: usize) -> Result<f64, DeviceError> {
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
