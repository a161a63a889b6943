//! Which GPUs there are, and which of them these kernels run on. `CUDA_VISIBLE_DEVICES` is the driver's business: it hides
//! GPUs and numbers the rest.

use super::driver::{self, calls, codes};
use super::module::{self, Ptx};
use crate::error::DeviceError;
use cust::device::{Device, DeviceAttribute};
use cust::error::CudaError;

/// Compute mode in which a GPU takes no work (`nvidia-smi -c PROHIBITED`).
const PROHIBITED: i32 = 2;

/// A GPU that the driver shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The driver's number for it, from 0.
    pub ordinal: u32,
    /// NVIDIA's name for the model.
    pub name: String,
    /// Device memory in bytes.
    pub memory_bytes: usize,
    /// Compute capability, (major, minor).
    pub compute_capability: (u32, u32),
    /// The CUDA version that the driver supports, (major, minor).
    pub driver_version: (u32, u32),
    /// The floor of the PTX text that it would run.
    pub ptx_floor: Option<u32>,
    /// Whether it can be used, or why not.
    pub usable: Result<(), String>,
}

impl Found {
    /// How messages name it: `cuda:0 (NVIDIA H100 80GB HBM3)`.
    pub fn label(&self) -> String {
        format!("cuda:{} ({})", self.ordinal, self.name)
    }
}

/// Every GPU that the driver shows, usable with these PTX texts or not.
///
/// # Errors
/// [`DeviceError::Unavailable`] when there is no driver or no GPU; [`DeviceError::Driver`] when the driver fails.
pub fn discover(ptx: &[Ptx]) -> Result<Vec<Found>, DeviceError> {
    (0..count()?).map(|ordinal| examine(ordinal, ptx).map(|(_, found)| found)).collect()
}

/// The GPU numbered `ordinal`, opened for the driver and described.
///
/// # Errors
/// As [`discover`]; [`DeviceError::Unavailable`] also when there is no GPU of that number.
pub(super) fn find(ordinal: u32, ptx: &[Ptx]) -> Result<(Device, Found), DeviceError> {
    let count = count()?;
    if ordinal >= count {
        return Err(DeviceError::Unavailable(format!(
            "there is no GPU cuda:{ordinal}: the driver shows {count}, numbered from 0; `warpseq devices` lists them"
        )));
    }
    examine(ordinal, ptx)
}

fn count() -> Result<u32, DeviceError> {
    driver::load()?;
    let mut count = 0;
    // SAFETY: the answer has a place.
    let code = unsafe { calls::cuDeviceGetCount(&mut count) };
    match (code, u32::try_from(count)) {
        (codes::SUCCESS, Ok(count @ 1..)) => Ok(count),
        (codes::SUCCESS | codes::NO_DEVICE, _) => Err(driver::no_gpu()),
        (code, _) => Err(failure("cuda", "counting the GPUs", code)),
    }
}

fn examine(ordinal: u32, ptx: &[Ptx]) -> Result<(Device, Found), DeviceError> {
    let named = format!("cuda:{ordinal}");
    let ask = |error: CudaError| failure(&named, "asking the driver about a GPU", error as u32);
    let device = Device::get_device(ordinal).map_err(ask)?;
    let attribute = |which| device.get_attribute(which).map_err(ask);
    let major = attribute(DeviceAttribute::ComputeCapabilityMajor)? as u32;
    let minor = attribute(DeviceAttribute::ComputeCapabilityMinor)? as u32;
    let chosen = module::choose(ptx, (major, minor)).map(|text| text.floor);
    let usable = match attribute(DeviceAttribute::ComputeMode)? {
        PROHIBITED => Err("its compute mode is `prohibited`; `nvidia-smi -c DEFAULT` changes that".into()),
        _ => chosen.clone().map(|_| ()),
    };
    let found = Found {
        ordinal,
        name: device.name().map_err(ask)?,
        memory_bytes: device.total_memory().map_err(ask)?,
        compute_capability: (major, minor),
        driver_version: driver::version()?,
        ptx_floor: chosen.ok(),
        usable,
    };
    Ok((device, found))
}

fn failure(device: &str, action: &'static str, code: u32) -> DeviceError {
    DeviceError::Driver { device: device.to_owned(), action, kernel: None, code, name: codes::name(code) }
}

/// The host's processor: its model name, and the threads that this process may run at once.
pub fn cpu() -> (String, usize) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    (model_name(&text).unwrap_or(std::env::consts::ARCH).to_owned(), threads)
}

/// The value of the first `model name` line of `/proc/cpuinfo`; Arm systems have none.
fn model_name(cpuinfo: &str) -> Option<&str> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_name_is_read() {
        let text = "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Intel(R) Xeon(R) CPU @ 2.00GHz\nstepping\t: 3\n";
        assert_eq!(model_name(text), Some("Intel(R) Xeon(R) CPU @ 2.00GHz"));
        assert_eq!(model_name("processor\t: 0\nBogoMIPS\t: 50.00\n"), None);
    }

    #[test]
    fn the_cpu_has_a_name_and_a_thread() {
        let (name, threads) = cpu();
        assert!(!name.is_empty() && threads >= 1);
    }
}
