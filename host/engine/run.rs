//! The one shape of a run: batches are read ahead, computed by workers, and their results written in order.
//!
//! ```text
//! reader thread --batches--> workers: the CPU, GPUs as they open --results--> calling thread, in the order of reading
//! ```
//!
//! GPUs are opened while the first batches are read, and under `auto` computed. The results do not show which worker computed a
//! batch, or how the input was cut into batches: every executor gives the same output.

use crate::devices::{Gpus, gather};
use crate::error::Result;
use crate::executor::Engine;
use crate::memory;
use crate::options::{Process, RunOptions};
use crate::pipeline::{self, Role};
use crate::worker::{Clock, Kept, Worker};
use std::sync::Mutex;
use warpseq_io::console::Console;
use warpseq_io::progress::Progress;

/// What a run needs besides its engine.
pub struct Setup {
    /// What the run computes on, and what it may take.
    pub options: RunOptions,
    /// GPUs that are being opened.
    pub gpus: Option<Gpus>,
    /// The most batches that exist at a time.
    pub in_flight: usize,
    /// What the user sees of it.
    pub progress: Progress,
}

/// What computed in a run, and how long.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Computed {
    /// Devices that computed, by name: `cpu`, and GPUs.
    pub devices: Vec<String>,
    /// Summed over the workers.
    pub clock: Clock,
    /// The clock of the device that computed longest.
    pub longest: Clock,
}

impl Computed {
    /// Of these devices, each with its clock; `None`: it has computed nothing.
    fn of(devices: Vec<(String, Option<Clock>)>) -> Self {
        let mut computed = Self::default();
        let idle = devices.iter().all(|(_, clock)| clock.is_none());
        for (name, clock) in devices {
            if let Some(clock) = clock {
                computed.clock += clock;
                computed.longest = if clock.call > computed.longest.call { clock } else { computed.longest };
            }
            // A run without batches names who was there first. A device may have several workers.
            let named = computed.devices.contains(&name);
            if !named && (clock.is_some() || idle && computed.devices.is_empty()) {
                computed.devices.push(name);
            }
        }
        computed
    }
}

/// Runs `read` until it returns `None`, `compute` on each batch with one of the workers, and `write` on the results in the order
/// of reading.
///
/// # Errors
/// The first error of `read`, `compute` or `write` in the order of reading; why no worker could be made.
pub fn run<'e, E: Engine, B: Send, R: Send>(
    engine: &'e E,
    setup: Setup,
    read: impl FnMut() -> Result<Option<B>> + Send,
    compute: impl Fn(&mut Worker<'e, E>, B) -> Result<R> + Send + Sync + 'e,
    mut write: impl FnMut(R) -> Result<()>,
) -> Result<Computed> {
    let Setup { options, gpus, in_flight, progress } = setup;
    // Until a GPU is asked for, there are no more batches than the CPU needs.
    let few = if gpus.as_ref().is_some_and(Gpus::is_held) {
        in_flight.min(memory::for_cpu(rayon::current_num_threads()))
    } else {
        in_flight
    };
    let (names, compute, progress) = (Mutex::new(Vec::new()), &compute, &progress);
    let mut clocks: Vec<Option<Clock>> = Vec::new();
    let mut batches: Vec<u64> = Vec::new();
    let write = |(result, worker, took)| {
        batches.resize(batches.len().max(worker + 1), 0);
        batches[worker] += 1;
        if clocks.len() <= worker {
            clocks.resize(worker + 1, None);
        }
        *clocks[worker].get_or_insert_default() += took;
        write(result)
    };
    pipeline::run_joined(
        [few, in_flight],
        read,
        |crew| {
            gather(engine, gpus, options, crew, &|| progress.share(), |role: Role, (worker, name)| {
                let mut worker = Kept::new(worker, options.process == Process::EndsWithRun);
                let number = {
                    let mut names = names.lock().expect("nobody panics with the lock");
                    names.push(name);
                    names.len() - 1
                };
                let compute = move |batch| {
                    let worker = worker.get();
                    worker.settle();
                    let result = compute(worker, batch)?;
                    Ok((result, number, std::mem::take(&mut worker.clock)))
                };
                crew.join(role, Box::new(compute));
            })
        },
        write,
        |share| progress.show(share),
    )?;
    let names = names.into_inner().expect("nobody panics with the lock");
    tell(options.console, &names, &batches, &clocks);
    let clocks = clocks.into_iter().chain(std::iter::repeat(None));
    Ok(Computed::of(names.into_iter().zip(clocks).collect()))
}

/// A line for each device, if several computed.
fn tell(console: Console, names: &[String], batches: &[u64], clocks: &[Option<Clock>]) {
    let mut devices: Vec<(&str, u64, f64)> = Vec::new();
    for ((name, batches), clock) in names.iter().zip(batches).zip(clocks) {
        let seconds = clock.map_or(0.0, |clock| clock.call.as_secs_f64());
        match devices.iter_mut().find(|(other, ..)| other == name) {
            Some(device) => (device.1, device.2) = (device.1 + batches, device.2 + seconds),
            None => devices.push((name, *batches, seconds)),
        }
    }
    devices.retain(|(_, batches, _)| *batches > 0);
    for (name, batches, seconds) in devices.iter().filter(|_| devices.len() > 1) {
        console.detail(format_args!("{name}: {batches} batches, call {seconds:.3} s"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn devices_that_computed_are_named_and_of_an_idle_run_the_first() {
        let clock = |seconds| Some(Clock { call: Duration::from_secs(seconds), verified: Duration::ZERO });
        let of = |clocks: &[Option<Clock>]| {
            Computed::of(["cpu", "a", "b"].map(str::to_owned).into_iter().zip(clocks.iter().copied()).collect())
        };
        let cpu = Computed::of(vec![("cpu".into(), clock(1)), ("cpu".into(), None), ("cpu".into(), clock(2))]);
        assert_eq!((cpu.devices, Some(cpu.clock)), (vec!["cpu".to_owned()], clock(3)));
        let all = of(&[clock(1), clock(3), clock(2)]);
        assert_eq!(
            (all.devices.join(", "), Some(all.clock), Some(all.longest)),
            ("cpu, a, b".into(), clock(6), clock(3))
        );
        assert_eq!(of(&[None, clock(3), None]).devices, ["a"]);
        assert_eq!(of(&[None, None, None]).devices, ["cpu"]);
        assert_eq!(of(&[]), Computed::default());
    }
}
