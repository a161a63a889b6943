//! Comparing signatures in a run: on the CPU, or on one GPU or several.
//!
//! One comparison comes after another, and each must be done before the next one is known. So a GPU is opened for the first
//! comparison that makes it worth that, with all before it, and another one when those that are open have compared for as long as
//! opening takes. Each GPU takes as many of the queries, one part after another; a few queries stay on one. What is found does not
//! depend on it.

use crate::engine::Hamming;
use crate::{Compared, Comparing, Comparison, Neighbour};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use warpseq_device::cuda::Cuda;
use warpseq_device::error::DeviceError;
use warpseq_engine::devices::{CPU, Gpus, Named, on_cpu, on_gpu, worker, worker_on};
use warpseq_engine::error::{Error, Result};
use warpseq_engine::executor::Executor;
use warpseq_engine::options::{Process, Processor, RunOptions};
use warpseq_engine::worker::{Clock, Kept};

/// Bytes of signatures, one of each pair, that a thread of the CPU compares in about the time in which a GPU is opened: with
/// AVX-512, 24 (64 bits) to 50 (1024 bits) GB a second were measured, and opening takes 0.2 s.
const WHILE_OPENING: usize = 4 << 30;
/// The same in the time in which it is opened, used and closed. Runs that compare less do so on the CPU.
const WORTH_A_GPU: usize = 2 * WHILE_OPENING;
/// The same of a GPU: 8 (64 bits) to 16 (8192 bits) TB a second were measured on an H200.
const WORTH_ANOTHER: usize = 4 << 40;

/// Compares signatures in a run.
pub struct Comparisons {
    /// The CPU, while no GPU is open, or the GPUs; at least one.
    workers: Vec<Kept<Named<'static, Hamming>>>,
    /// GPUs that may be opened.
    opening: Option<Gpus>,
    /// Bytes compared so far by the workers that there are.
    compared: usize,
    /// What compared before, and its clock.
    before: Option<(String, Clock)>,
    options: RunOptions,
}

impl Comparisons {
    /// Opens the device, or gets ready to.
    ///
    /// # Errors
    /// Why the GPU that was asked for cannot be used.
    pub fn start(options: RunOptions) -> Result<Self> {
        let mut opening = Gpus::start_opening(options, "sign_");
        let first = match options.processor {
            Processor::Auto => on_cpu(&Hamming, options),
            _ => worker(&Hamming, opening.as_mut(), options)?,
        };
        if options.processor != Processor::Auto && first.1 == CPU {
            // The GPU that was asked for cannot be used, as has been said.
            opening = None;
        }
        Ok(Self::of(vec![first], opening, options))
    }

    fn of(workers: Vec<Named<'static, Hamming>>, opening: Option<Gpus>, options: RunOptions) -> Self {
        let mut comparisons = Self { workers: Vec::new(), opening, compared: 0, before: None, options };
        workers.into_iter().for_each(|worker| comparisons.join(worker));
        comparisons
    }

    fn join(&mut self, worker: Named<'static, Hamming>) {
        self.workers.push(Kept::new(worker, self.options.process != Process::GoesOn));
    }

    /// Whether the only worker is the CPU.
    fn is_on_cpu(&mut self) -> bool {
        self.workers[0].get().1 == CPU
    }

    /// Has a GPU opened if the comparisons up to `job` are worth that, and takes it.
    fn choose(&mut self, job: Comparison) -> Result<()> {
        let bytes = job.queries().len().saturating_mul(job.targets().len()).saturating_mul(job.targets().width());
        self.compared = self.compared.saturating_add(bytes);
        let (on_cpu, workers) = (self.is_on_cpu(), self.workers.len());
        let Some(gpus) = &mut self.opening else { return Ok(()) };
        let of_thread = |bytes: usize| bytes / rayon::current_num_threads();
        if on_cpu && of_thread(self.compared) >= WORTH_A_GPU {
            gpus.ask();
            let wait = of_thread(bytes) >= WHILE_OPENING;
            let first = if wait { Some(gpus.first()) } else { gpus.first_by_now() };
            return first.map_or(Ok(()), |gpu| self.take(gpu, bytes));
        }
        if !on_cpu && self.compared / workers >= WORTH_ANOTHER {
            match gpus.more() {
                Some(gpu) => return self.add(gpu),
                None => self.opening = None,
            }
        }
        Ok(())
    }

    /// Takes a GPU in place of the CPU, for so many bytes at first.
    fn take(&mut self, gpu: std::result::Result<Arc<Cuda>, DeviceError>, bytes: usize) -> Result<()> {
        let (cpu, name) = std::mem::replace(self.workers[0].get(), worker_on(&Hamming, gpu, self.options)?);
        self.before = (cpu.clock != Clock::default()).then_some((name, cpu.clock));
        self.compared = bytes;
        if self.is_on_cpu() {
            self.opening = None;
        }
        Ok(())
    }

    /// Takes one more GPU. Under `auto`, one that cannot be used is left out.
    fn add(&mut self, gpu: std::result::Result<Arc<Cuda>, DeviceError>) -> Result<()> {
        match gpu.map_err(Error::from).and_then(|gpu| on_gpu(&Hamming, gpu, self.options)) {
            Ok(worker) => self.join(worker),
            Err(Error::Device(error)) if self.options.processor.falls_back() => {
                self.options.console.detail(format_args!("{error}; this run goes on without it"));
                self.opening = None;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Reports which devices compared, why no GPU could have, and the outcome of `--verify`.
    ///
    /// # Errors
    /// None under `auto`, which goes on without a GPU.
    pub fn tell(&mut self) -> Result<()> {
        if self.is_on_cpu()
            && let Some(Err(error)) = self.opening.take().and_then(|mut gpus| gpus.first_by_now())
        {
            self.take(Err(error), 0)?;
        }
        let (mut clock, mut devices) = (Clock::default(), Vec::new());
        let before = self.before.take().into_iter();
        let now = self.workers.iter_mut().map(|worker| (worker.get().1.clone(), worker.get().0.clock));
        for (name, took) in before.chain(now) {
            clock += took;
            // Without a GPU, the CPU has gone on.
            if !devices.contains(&name) {
                devices.push(name);
            }
        }
        let (console, devices) = (self.options.console, devices.join(", "));
        console.detail(format_args!("compared by {devices}: call {:.3} s", clock.call.as_secs_f64()));
        clock.tell_verified(self.options);
        Ok(())
    }
}

impl Executor<Comparing> for Comparisons {
    fn compute(&mut self, job: Comparison, output: &mut Compared) -> Result<()> {
        self.choose(job)?;
        let (queries, count) = (job.queries().len(), self.workers.len());
        if count == 1 || queries < count {
            return self.workers[0].get().0.compute(job, output);
        }
        let part = |k: usize| queries * k / count..queries * (k + 1) / count;
        let parts = thread::scope(|scope| {
            let spawn = |(k, worker)| {
                let job = job.part(part(k));
                scope.spawn(move || compare(worker, job))
            };
            let running: Vec<_> = self.workers.iter_mut().enumerate().map(spawn).collect();
            running.into_iter().map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic))).collect::<Vec<_>>()
        });
        *output = Compared::default();
        for (k, found) in parts.into_iter().enumerate() {
            let (Compared { neighbours, least }, first) = (found?, part(k).start as u32);
            output
                .neighbours
                .extend(neighbours.into_iter().map(|near| Neighbour { query: first + near.query, ..near }));
            output.least.extend(least);
        }
        Ok(())
    }
}

fn compare(worker: &mut Kept<Named<'static, Hamming>>, job: Comparison) -> Result<Compared> {
    let mut found = Compared::default();
    worker.get().0.compute(job, &mut found).map(|()| found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Points, least, nearest};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use warpseq_device::emulated::Emulated;

    #[test]
    fn several_find_what_one_does() {
        let mut bytes = vec![0; 8 * 60];
        ChaCha8Rng::seed_from_u64(3).fill_bytes(&mut bytes);
        let points = Points::new(64, &bytes);
        let options = RunOptions::default();
        let groups: Vec<u32> = (0..=60).step_by(4).collect();
        for limits in [Limits { top: Some(3), distance: 64 }, Limits { top: None, distance: 28 }] {
            let mut found = Vec::new();
            for count in [1, 2, 3, 7] {
                let emulated = || on_gpu(&Hamming, Arc::new(Emulated::default()), options).unwrap();
                let workers = (0..count).map(|k| if k % 2 == 0 { emulated() } else { on_cpu(&Hamming, options) });
                let mut several = Comparisons::of(workers.collect(), None, options);
                for queries in [0, 1, 6, 7, 23] {
                    let queries = points.part(0..queries);
                    let near = nearest(&mut several, queries, points, limits).unwrap();
                    let of_groups = least(&mut several, queries, points, &groups).unwrap();
                    found.push((count, queries.len(), near, of_groups));
                }
                several.tell().unwrap();
            }
            for (_, queries, near, of_groups) in &found {
                let (.., expected, groups) = found.iter().find(|(count, of, ..)| (*count, of) == (1, queries)).unwrap();
                assert!(near == expected && of_groups == groups, "{queries} queries");
            }
        }
    }
}
