//! `align` on a GPU, or on the emulator: the host's side (the device's side: `warpseq_gpu::align`).
//!
//! ```text
//! batch -> plan: pairs by kernel and size -> slices -> slot 0: copy | forward ... | traceback | copy | collect
//!       -> residues to the device, once                 slot 1:        copy | forward ... | traceback | copy | collect
//! ```
//!
//! Pairs with an empty sequence need no device. Pairs that no kernel can take (more than 31 kinds of residues, a residue
//! score of more than a byte, scores beyond 32 bits, checkpoints that do not fit) are aligned by the CPU engine;
//! [`Device::sent_to_cpu`] says how many.

mod launch;
mod path;
mod plan;
mod slice;
mod slot;
mod tables;

use super::cpu::Cpu;
use super::{Aligning, Alignment, Batch, Job, Mode, Pair, Runs, Stop, Want, align};
use plan::{Means, Plan, Planned};
use slice::{Shape, Slice};
use slot::{Slot, Work};
use std::sync::Arc;
pub(crate) use tables::Alphabet;
use tables::Tables;
use warpseq_device::gpu::Gpu;
use warpseq_device::scope::{Scope, scope};
use warpseq_device::slots::{Slices, pass_through};
use warpseq_device::timings::{Recorder, Timings};
use warpseq_engine::error::{DeviceError, Error};
use warpseq_engine::executor::Executor;
use warpseq_engine::profile;
use warpseq_gpu::abi::{Rules, mode};
use warpseq_io::console::Console;

/// The stages of a batch.
pub mod stage {
    use warpseq_device::timings::Stage;

    /// Residues, places and items to the device.
    pub const COPY_IN: Stage = Stage::copy("copy in");
    /// The forward passes.
    pub const FORWARD: Stage = Stage::kernel("forward");
    /// Ends and paths.
    pub const TRACEBACK: Stage = Stage::kernel("traceback");
    /// Results and paths to the host.
    pub const COPY_OUT: Stage = Stage::copy("copy out");
}

/// How a device is used.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Bytes of device memory that checkpoints and paths may take.
    pub memory: usize,
    /// Batches are pinned: their residues are copied straight to the device.
    pub pinned: bool,
    /// Stages are timed for [`Device::timings`], one after the other in one slot: slower than a batch that is not timed.
    pub timed: bool,
    /// Packed arithmetic is used where the device has it.
    pub packed: bool,
    /// Where it is said that pairs go to the CPU.
    pub console: Console,
}

impl Default for Settings {
    fn default() -> Self {
        Self { memory: 4 << 30, pinned: false, timed: false, packed: true, console: Console::Quiet }
    }
}

/// Slices in flight.
const SLOTS: usize = 2;
/// The most residues for which lanes of `WIDE_COLUMNS` leave room in shared memory for enough warps.
const WIDE_LETTERS: u32 = 8;
/// Warps that a multiprocessor runs at a time, about.
const WARPS: usize = 8;

/// The alignment engine on one GPU.
pub struct Device<G: Gpu> {
    gpu: Arc<G>,
    settings: Settings,
    tables: Tables<G>,
    slots: Vec<Slot<G>>,
    recorder: Recorder<G>,
    cpu: Cpu,
    sent_to_cpu: usize,
}

impl<G: Gpu> Device<G> {
    /// An engine on `gpu`. Device memory is taken at the first batch.
    pub fn new(gpu: Arc<G>, settings: Settings) -> Self {
        let (tables, recorder) = (Tables::empty(&gpu), Recorder::new(settings.timed));
        Self { gpu, settings, tables, slots: Vec::new(), recorder, cpu: Cpu::new(), sent_to_cpu: 0 }
    }

    /// Pairs of the last batch that the CPU engine aligned.
    pub fn sent_to_cpu(&self) -> usize {
        self.sent_to_cpu
    }

    /// How long the stages of the last batch took; none unless the device is `timed`.
    ///
    /// # Errors
    /// What the device says.
    pub fn timings(&self) -> Result<Timings, Error> {
        Ok(self.recorder.timings(&self.gpu)?)
    }

    /// Groups that the device runs at a time, about.
    fn parallel(&self) -> usize {
        self.gpu.multiprocessors() as usize * WARPS
    }

    /// Sees to slots, and to the residues and tables of a batch on the device.
    fn load<'env>(
        &mut self,
        scope: &Scope<'env, G>,
        batch: Batch<'env>,
        alphabet: &Alphabet,
    ) -> Result<(), DeviceError> {
        let slots = if self.settings.timed { 1 } else { SLOTS };
        while self.slots.len() < slots {
            self.slots.push(Slot::new(&self.gpu)?);
        }
        self.slots.iter().for_each(|slot| scope.include(&slot.stream));
        let stream = &self.slots[0].stream;
        self.recorder.mark(stream, None)?;
        self.tables.load((scope, stream), batch, alphabet, self.settings.pinned)?;
        self.recorder.mark(stream, Some(stage::COPY_IN))?;
        let loaded = stream.record()?;
        self.slots[1..].iter().try_for_each(|slot| slot.stream.wait_for(&loaded))
    }

    /// Aligns the planned pairs. Returns the numbers of those that do not fit.
    fn align_planned(&mut self, job: &Job, plan: &Plan, alignments: &mut Alignments) -> Result<Vec<u32>, DeviceError> {
        let slots = self.slots.len();
        let shape = shape(job, self.settings.memory / slots, self.parallel());
        let work = work(job, &self.tables);
        let (slots_of, recorder) = (&mut self.slots[..], &mut self.recorder);
        let (rest, beyond) = (&plan.planned[..], Vec::new());
        let mut pairs = Pairs { slots: slots_of, recorder, work, job, shape, rest, beyond, alignments };
        pass_through(slots, &mut pairs)?;
        Ok(pairs.beyond)
    }

    /// Aligns on the device what it can, and the rest on the CPU.
    fn align_all<'env>(
        &mut self,
        scope: &Scope<'env, G>,
        job: &Job<'env>,
        alignments: &mut Alignments,
    ) -> Result<(), Error> {
        let Job { batch, scoring, want, .. } = *job;
        let countable = [batch.queries(), batch.targets()].iter().all(|s| u32::try_from(s.residues().len()).is_ok());
        let alphabet = if countable { Alphabet::new(&batch, scoring) } else { None };
        let Some(alphabet) = alphabet else {
            return self.align_on_cpu(job, &(0..batch.pairs().len() as u32).collect::<Vec<_>>(), alignments);
        };
        let scored = scoring.mode == Mode::Local && want == Want::Score;
        let means = Means {
            packs: self.settings.packed && self.gpu.packs(),
            wide: scored && alphabet.size <= WIDE_LETTERS && batch.pairs().len() >= 4 * self.parallel(),
        };
        // The residues travel while the pairs are planned.
        self.load(scope, batch, &alphabet)?;
        let mut plan = Plan::new(&batch, scoring, means);
        for &pair in &plan.empty {
            let (rows, columns) = batch.lengths(pair as usize);
            alignments.take(vec![(pair, path::align_empty(rows as u64, columns as u64, scoring, want))]);
        }
        plan.beyond.extend(self.align_planned(job, &plan, alignments)?);
        self.align_on_cpu(job, &plan.beyond, alignments)
    }

    fn align_on_cpu(&mut self, job: &Job, numbers: &[u32], alignments: &mut Alignments) -> Result<(), Error> {
        self.sent_to_cpu = numbers.len();
        if numbers.is_empty() {
            return Ok(());
        }
        self.settings.console.detail(format_args!("{} pairs that no kernel takes: on the CPU", numbers.len()));
        let pairs: Vec<Pair> = numbers.iter().map(|&k| job.batch.pairs()[k as usize]).collect();
        let batch = job.batch.with_pairs(&pairs);
        let found = align(&mut self.cpu, &batch, job.scoring, job.want)?;
        alignments.take(numbers.iter().copied().zip(found).collect());
        Ok(())
    }
}

/// The planned pairs of a batch, on their way through the slots.
struct Pairs<'a, 'j, G: Gpu> {
    slots: &'a mut [Slot<G>],
    recorder: &'a mut Recorder<G>,
    work: Work<'a, G>,
    job: &'a Job<'j>,
    shape: Shape,
    /// Pairs of no slice yet.
    rest: &'a [Planned],
    /// Pairs that do not fit.
    beyond: Vec<u32>,
    alignments: &'a mut Alignments,
}

impl<G: Gpu> Slices for Pairs<'_, '_, G> {
    type Slice = Slice;
    type Begun = Slice;
    type Error = DeviceError;

    fn next(&mut self) -> Result<Option<Slice>, DeviceError> {
        let _range = profile::range("plan");
        while let Some(first) = self.rest.first() {
            let (slice, taken) = Slice::cut(self.rest, &self.job.batch, &self.shape);
            self.rest = &self.rest[taken.max(1)..];
            if taken > 0 {
                return Ok(Some(slice));
            }
            self.beyond.push(first.pair);
        }
        Ok(None)
    }

    fn begin(&mut self, at: usize, slice: Slice) -> Result<Slice, DeviceError> {
        let _range = profile::range("kernel");
        self.slots[at].begin(&slice, &self.work, self.recorder)?;
        Ok(slice)
    }

    fn collect(&mut self, at: usize, slice: Slice) -> Result<(), DeviceError> {
        let _range = profile::range("collect");
        let Job { batch, scoring, want, .. } = self.job;
        for some in self.slots[at].collect(&slice, (batch, scoring, *want))? {
            self.alignments.take(some);
        }
        Ok(())
    }
}

/// What all slices of a job have in common, to cut them.
fn shape(job: &Job, memory: usize, parallel: usize) -> Shape {
    let local = job.scoring.mode == Mode::Local;
    Shape { affine: !job.scoring.is_linear(), local, want: job.want, memory: memory as u64, parallel }
}

/// What all slices of a job have in common, on the device.
fn work<'t, G: Gpu>(job: &Job, tables: &'t Tables<G>) -> Work<'t, G> {
    let gap = job.scoring.gap;
    let mode = match job.scoring.mode {
        Mode::Local => mode::LOCAL,
        Mode::Global => mode::GLOBAL,
        Mode::Fit => mode::FIT,
        Mode::Overlap => mode::OVERLAP,
    };
    Work {
        tables,
        local: mode == mode::LOCAL,
        rules: Rules { mode, open: gap.open, extend: gap.extend, codes: 0, width: 0, chunk: 0 },
        stop_at_zero: job.scoring.stop == Stop::AtZero,
        want: job.want,
    }
}

/// Alignments as they come, by the number of their pair.
struct Alignments {
    list: Vec<Alignment>,
    taken: usize,
}

impl Alignments {
    fn new(pairs: usize) -> Self {
        let none = Alignment { score: 0, query: 0..0, target: 0..0, path: Runs::NONE };
        Self { list: vec![none; pairs], taken: 0 }
    }

    fn take(&mut self, found: Vec<(u32, Alignment)>) {
        self.taken += found.len();
        found.into_iter().for_each(|(pair, alignment)| self.list[pair as usize] = alignment);
    }
}

impl<G: Gpu> Executor<Aligning> for Device<G> {
    fn compute(&mut self, job: Job, output: &mut Vec<Alignment>) -> Result<(), Error> {
        self.recorder.clear();
        let mut alignments = Alignments::new(job.batch.pairs().len());
        scope(|scope| self.align_all(scope, &job, &mut alignments))?;
        assert_eq!(alignments.taken, job.batch.pairs().len(), "every pair is planned once");
        *output = alignments.list;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
