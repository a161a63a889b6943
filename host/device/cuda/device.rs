//! Which GPUs there are, and which of them these kernels run on. `CUDA_VISIBLE_DEVICES` is the driver's business: it hides
//! GPUs and numbers the rest.

use super::context::failure;
use super::driver::{self, calls, codes};
use super::module::{self, Ptx};
use crate::error::DeviceError;
use crate::near::Address;
use cust::device::DeviceAttribute;
use cust::sys::CUdevice;
use std::ffi::{CStr, c_char, c_int, c_uint};

/// Room for a GPU's name and the NUL behind it.
const NAME_BYTES: usize = 256;
/// Compute mode in which a GPU takes no work (`nvidia-smi -c PROHIBITED`).
const PROHIBITED: u32 = 2;

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
    /// The floor of the PTX texts that it would run.
    pub ptx_floor: Option<u32>,
    /// The architecture of the machine code that it would run; `None`: the driver compiles the texts.
    pub machine_code: Option<u32>,
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
pub(super) fn find(ordinal: u32, ptx: &[Ptx]) -> Result<(CUdevice, Found), DeviceError> {
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
        (code, _) => Err(failure("cuda", "counting the GPUs", None, code)),
    }
}

fn examine(ordinal: u32, ptx: &[Ptx]) -> Result<(CUdevice, Found), DeviceError> {
    let named = format!("cuda:{ordinal}");
    let ask = |code| failure(&named, "asking the driver about a GPU", None, code);
    let mut device = 0;
    // SAFETY: the answer has a place.
    answer((), unsafe { calls::cuDeviceGet(&mut device, ordinal as c_int) }).map_err(ask)?;
    let attribute = |which: DeviceAttribute| attribute(device, which as c_uint).map_err(ask);
    let major = attribute(DeviceAttribute::ComputeCapabilityMajor)?;
    let minor = attribute(DeviceAttribute::ComputeCapabilityMinor)?;
    let chosen = module::choose(ptx, (major, minor));
    let usable = match attribute(DeviceAttribute::ComputeMode)? {
        PROHIBITED => Err("its compute mode is `prohibited`; `nvidia-smi -c DEFAULT` changes that".into()),
        _ => chosen.as_ref().map(|_| ()).map_err(String::clone),
    };
    let chosen = chosen.unwrap_or_default();
    let ready = chosen.iter().map(|text| text.machine_code((major, minor)).map(|code| code.architecture));
    let found = Found {
        ordinal,
        name: name(device).map_err(ask)?,
        memory_bytes: memory(device).map_err(ask)?,
        compute_capability: (major, minor),
        driver_version: driver::version()?,
        ptx_floor: chosen.iter().map(|text| text.floor).min(),
        machine_code: ready.min().flatten(),
        usable,
    };
    Ok((device, found))
}

/// What the driver says of `device` under the number `which`, or its error code.
pub(super) fn attribute(device: CUdevice, which: c_uint) -> Result<u32, u32> {
    let mut value = 0;
    // SAFETY: the device comes from the driver, and the answer has a place.
    let code = unsafe { calls::cuDeviceGetAttribute(&mut value, which, device) };
    answer(value as u32, code)
}

/// Where `device` is on PCI buses, or the driver's error code.
pub(super) fn address(device: CUdevice) -> Result<Address, u32> {
    let ask = |which: DeviceAttribute| attribute(device, which as c_uint);
    let [domain, bus, device] =
        [ask(DeviceAttribute::PciDomainId)?, ask(DeviceAttribute::PciBusId)?, ask(DeviceAttribute::PciDeviceId)?];
    Ok(Address { domain, bus, device })
}

fn name(device: CUdevice) -> Result<String, u32> {
    let mut name: [c_char; NAME_BYTES] = [0; NAME_BYTES];
    // SAFETY: the device comes from the driver; the name has the room that is given, and one zero byte more.
    let code = unsafe { calls::cuDeviceGetName(name.as_mut_ptr(), NAME_BYTES as c_int - 1, device) };
    // SAFETY: the last byte is zero whatever the driver wrote before it.
    answer(unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned(), code)
}

fn memory(device: CUdevice) -> Result<usize, u32> {
    let mut bytes = 0;
    // SAFETY: the device comes from the driver, and the answer has a place.
    let code = unsafe { calls::cuDeviceTotalMem_v2(&mut bytes, device) };
    answer(bytes, code)
}

/// `value`, or the code with which the driver gave none.
fn answer<T>(value: T, code: u32) -> Result<T, u32> {
    if code == codes::SUCCESS { Ok(value) } else { Err(code) }
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
