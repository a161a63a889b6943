//! The processors near a GPU: those of its NUMA node. Threads that feed a GPU run there, so that what they pin lies in that node's
//! memory, and no copy crosses from one node to another.

use std::mem::{size_of, zeroed};
use std::path::Path;

/// Where Linux tells of the devices on PCI buses.
pub(crate) const DEVICES: &str = "/sys/bus/pci/devices";

/// Where a device is on PCI buses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub domain: u32,
    pub bus: u32,
    pub device: u32,
}

/// The processors of the node that a device belongs to, as the system tells in the folder `devices`: all, where there is one node. None where it
/// does not tell.
pub(crate) fn processors(devices: &Path, Address { domain, bus, device }: Address) -> Vec<usize> {
    let list = devices.join(format!("{domain:04x}:{bus:02x}:{device:02x}.0")).join("local_cpulist");
    std::fs::read_to_string(list).ok().and_then(|list| parse(list.trim())).unwrap_or_default()
}

/// The numbers in a list such as `0-15,32-47`.
fn parse(list: &str) -> Option<Vec<usize>> {
    let mut numbers = Vec::new();
    for part in list.split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        numbers.extend((first..=last).take_while(|&number| number < SET));
    }
    Some(numbers)
}

/// Processors that a set can hold.
const SET: usize = libc::CPU_SETSIZE as usize;

/// Has the calling thread run on `processors` only, as far as it may run there. Where it may run on none of them, or the system
/// refuses, it goes on as before.
pub fn run_on(processors: &[usize]) {
    if processors.is_empty() {
        return;
    }
    let Some(allowed) = allowed() else { return };
    let near: Vec<usize> = processors.iter().copied().filter(|number| allowed.contains(number)).collect();
    if near.is_empty() || near.len() == allowed.len() {
        return;
    }
    // SAFETY: a set of bits, of which none is set.
    let mut set: libc::cpu_set_t = unsafe { zeroed() };
    // SAFETY: all numbers are below that of a set's bits.
    near.iter().for_each(|&number| unsafe { libc::CPU_SET(number, &mut set) });
    // SAFETY: 0 is the calling thread; the set lives until the call returns.
    let _ = unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set) };
}

/// The processors that the calling thread may run on.
fn allowed() -> Option<Vec<usize>> {
    // SAFETY: a set of bits, of which none is set.
    let mut set: libc::cpu_set_t = unsafe { zeroed() };
    // SAFETY: 0 is the calling thread; the answer has a place of that size.
    let code = unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set) };
    // SAFETY: the number is below that of a set's bits.
    let is_set = |&number: &usize| unsafe { libc::CPU_ISSET(number, &set) };
    (code == 0).then(|| (0..SET).filter(is_set).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_processors_are_read() {
        let all = |list| parse(list);
        assert_eq!(all("0-3,8,10-11"), Some(vec![0, 1, 2, 3, 8, 10, 11]));
        assert_eq!(all("5"), Some(vec![5]));
        assert_eq!(all(""), Some(vec![]));
        assert_eq!(all("0-3,x"), None);
        assert_eq!(all("0-18446744073709551615").map(|all| all.len()), Some(SET));
    }

    #[test]
    fn a_device_is_found_by_its_address() {
        let folder = tempfile::tempdir().unwrap();
        let address = Address { domain: 0, bus: 0xc1, device: 6 };
        assert_eq!(processors(folder.path(), address), [0; 0]);
        let device = folder.path().join("0000:c1:06.0");
        std::fs::create_dir(&device).unwrap();
        std::fs::write(device.join("local_cpulist"), "16-18\n").unwrap();
        assert_eq!(processors(folder.path(), address), [16, 17, 18]);
    }

    #[test]
    fn a_thread_runs_near_as_far_as_it_may() {
        let on_its_own = |near: &(dyn Fn(&[usize]) -> Vec<usize> + Sync)| {
            let run = || {
                let before = allowed().unwrap();
                run_on(&near(&before));
                (before, allowed().unwrap())
            };
            std::thread::scope(|scope| scope.spawn(run).join().unwrap())
        };
        let (before, after) = on_its_own(&|before| vec![before[before.len() - 1], SET - 1]);
        assert_eq!(after, [before[before.len() - 1]]);
        let (before, after) = on_its_own(&|before| (0..SET).filter(|number| !before.contains(number)).collect());
        assert_eq!(after, before);
        let (before, after) = on_its_own(&|_| Vec::new());
        assert_eq!(after, before);
    }
}
