//! `align` on a GPU, or on the emulator: the host's side (the device's side: `warpseq_gpu::align`).
//!
//! ```text
//! batch -> plan: pairs by kernel and size -> slices -> slot 0: copy | forward ... | walk | copy | collect
//!       -> letters to the device, once                 slot 1:        copy | forward ... | walk | copy | collect
//! ```
//!
//! Pairs with an empty sequence are answered here. Pairs that no kernel can take (more than 31 kinds of letters, a letter
//! score of more than a byte, scores beyond 32 bits, checkpoints that do not fit) are aligned by the CPU engine;
//! [`Device::sent_to_cpu`] says how many they were.

mod empty;
mod launch;
mod path;
mod plan;
mod slice;
mod slot;
mod tables;
mod times;

use super::cpu::Cpu;
use super::{Aligning, Alignment, Batch, Mode, Pair, Scoring, Stop, Want, align};
use plan::{Means, Plan, Planned};
use slice::{Shape, Slice};
use slot::{Slot, Work};
use std::sync::Arc;
use tables::{Alphabet, Tables};
pub use times::Times;
use times::{Recorder, Stage};
use warpseq_device::gpu::Gpu;
use warpseq_engine::error::{DeviceError, Error};
use warpseq_engine::executor::Executor;
use warpseq_engine::profile;
use warpseq_gpu::abi::{Rules, mode};
use warpseq_io::console::Console;

/// How a device is used.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Bytes of device memory that checkpoints and paths may take.
    pub memory: usize,
    /// Batches are pinned: their letters are copied straight to the device.
    pub pinned: bool,
    /// Stages are timed for [`Device::times`], one after the other in one slot: slower than a batch that is not timed.
    pub timed: bool,
    /// Packed arithmetic is used where the device has it.
    pub packed: bool,
    /// Where it is said that pairs go to the CPU.
    pub console: Console,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            memory: 4 << 30,
            pinned: false,
            timed: false,
            packed: true,
            console: Console { quiet: true, verbose: false },
        }
    }
}

/// Slices in flight.
const SLOTS: usize = 2;
/// The most letters for which lanes of `WIDE_COLUMNS` leave room in shared memory for enough warps.
const WIDE_LETTERS: u32 = 8;
/// Warps that a multiprocessor runs at a time, about.
const WARPS: usize = 8;

/// The alignment engine on one GPU.
pub struct Device<G: Gpu> {
    gpu: Arc<G>,
    settings: Settings,
    tables: Option<Tables<G>>,
    slots: Vec<Slot<G>>,
    recorder: Recorder<G>,
    cpu: Cpu,
    sent_to_cpu: usize,
}

impl<G: Gpu> Device<G> {
    /// An engine on `gpu`. Device memory is taken at the first batch.
    pub fn new(gpu: Arc<G>, settings: Settings) -> Self {
        let recorder = Recorder::new(settings.timed);
        Self { gpu, settings, tables: None, slots: Vec::new(), recorder, cpu: Cpu::new(), sent_to_cpu: 0 }
    }

    /// Pairs of the last batch that the CPU engine aligned.
    pub fn sent_to_cpu(&self) -> usize {
        self.sent_to_cpu
    }

    /// How long the stages of the last batch took; zeros unless the device is `timed`.
    ///
    /// # Errors
    /// What the device says.
    pub fn times(&self) -> Result<Times, Error> {
        Ok(self.recorder.times(&self.gpu)?)
    }

    /// Groups that the device runs at a time, about.
    fn parallel(&self) -> usize {
        self.gpu.multiprocessors() as usize * WARPS
    }

    /// Sees to slots, and to the letters and tables of a batch on the device.
    fn load(&mut self, batch: &Batch, alphabet: &Alphabet) -> Result<(), DeviceError> {
        let slots = if self.settings.timed { 1 } else { SLOTS };
        while self.slots.len() < slots {
            self.slots.push(Slot::new(&self.gpu)?);
        }
        let (queries, targets) = (batch.queries().residues().len(), batch.targets().residues().len());
        if !self.tables.as_ref().is_some_and(|tables| tables.hold(queries, targets)) {
            self.tables = None;
            self.tables = Some(Tables::new(&self.gpu, queries, targets, !self.settings.pinned)?);
        }
        let tables = self.tables.as_mut().expect("made just now");
        let stream = &self.slots[0].stream;
        self.recorder.mark(&self.gpu, stream, None)?;
        // SAFETY: the batch is borrowed until `align` returns, which waits for every stream first.
        unsafe { tables.load(stream, batch, alphabet)? };
        self.recorder.mark(&self.gpu, stream, Some(Stage::CopyIn))?;
        let loaded = self.gpu.record(stream)?;
        self.slots[1..].iter().try_for_each(|slot| self.gpu.wait(&slot.stream, &loaded))
    }

    /// Aligns the planned pairs; those that do not fit are answered with their numbers.
    fn align_planned(&mut self, job: &Job, plan: &Plan, answers: &mut Answers) -> Result<Vec<u32>, DeviceError> {
        let shape = job.shape(self.settings.memory / self.slots.len(), self.parallel());
        let work = job.work(self.tables.as_ref().expect("`load` has made them"));
        let (mut rest, mut turns) = (&plan.planned[..], (0..self.slots.len()).cycle());
        let mut beyond = Vec::new();
        while let Some(first) = rest.first() {
            let (slice, taken) = cut(rest, &job.batch, &shape);
            rest = &rest[taken.max(1)..];
            if taken == 0 {
                beyond.push(first.pair);
                continue;
            }
            let slot = &mut self.slots[turns.next().expect("there is a slot")];
            if slot.is_busy() {
                collect(slot, job, answers)?;
            }
            let _range = profile::range("kernel");
            slot.begin(slice, &work, &mut self.recorder)?;
        }
        // Without a slice, too: the letters went through the first slot's stream.
        self.slots.iter_mut().try_for_each(|slot| collect(slot, job, answers))?;
        Ok(beyond)
    }

    /// Aligns on the device what it can, and the rest on the CPU.
    fn align_all(&mut self, job: &Job, answers: &mut Answers) -> Result<(), Error> {
        let Job { batch, scoring, want } = *job;
        let countable = [batch.queries(), batch.targets()].iter().all(|s| u32::try_from(s.residues().len()).is_ok());
        let alphabet = if countable { Alphabet::new(&batch, scoring) } else { None };
        let Some(alphabet) = alphabet else {
            return self.align_on_cpu(job, &(0..batch.pairs().len() as u32).collect::<Vec<_>>(), answers);
        };
        let scored = scoring.mode == Mode::Local && want == Want::Score;
        let means = Means {
            packs: self.settings.packed && self.gpu.packs(),
            wide: scored && alphabet.size <= WIDE_LETTERS && batch.pairs().len() >= 4 * self.parallel(),
        };
        // The letters travel while the pairs are planned.
        self.load(&batch, &alphabet)?;
        let mut plan = Plan::new(&batch, scoring, means);
        for &pair in &plan.empty {
            let (rows, columns) = batch.lengths(pair as usize);
            answers.take(vec![(pair, empty::align(rows as u64, columns as u64, scoring, want))]);
        }
        plan.beyond.extend(self.align_planned(job, &plan, answers)?);
        self.align_on_cpu(job, &plan.beyond, answers)
    }

    fn align_on_cpu(&mut self, job: &Job, numbers: &[u32], answers: &mut Answers) -> Result<(), Error> {
        self.sent_to_cpu = numbers.len();
        if numbers.is_empty() {
            return Ok(());
        }
        self.settings.console.detail(format_args!("{} pairs that no kernel takes: on the CPU", numbers.len()));
        let pairs: Vec<Pair> = numbers.iter().map(|&k| job.batch.pairs()[k as usize]).collect();
        let batch = job.batch.with_pairs(&pairs);
        let alignments = align(&mut self.cpu, &batch, job.scoring, job.want)?;
        answers.take(numbers.iter().copied().zip(alignments).collect());
        Ok(())
    }
}

fn cut(planned: &[Planned], batch: &Batch, shape: &Shape) -> (Slice, usize) {
    let _range = profile::range("plan");
    Slice::cut(planned, batch, shape)
}

fn collect<G: Gpu>(slot: &mut Slot<G>, job: &Job, answers: &mut Answers) -> Result<(), DeviceError> {
    let _range = profile::range("collect");
    answers.take(slot.collect(&job.batch, job.scoring, job.want)?);
    Ok(())
}

/// What is asked.
struct Job<'a> {
    batch: Batch<'a>,
    scoring: &'a Scoring,
    want: Want,
}

impl Job<'_> {
    fn shape(&self, memory: usize, parallel: usize) -> Shape {
        let local = self.scoring.mode == Mode::Local;
        Shape { affine: !self.scoring.is_linear(), local, want: self.want, memory: memory as u64, parallel }
    }

    fn work<'t, G: Gpu>(&self, tables: &'t Tables<G>) -> Work<'t, G> {
        let gap = self.scoring.gap;
        let mode = match self.scoring.mode {
            Mode::Local => mode::LOCAL,
            Mode::Global => mode::GLOBAL,
            Mode::Fit => mode::FIT,
            Mode::Overlap => mode::OVERLAP,
        };
        Work {
            tables,
            local: mode == mode::LOCAL,
            rules: Rules { mode, open: gap.open, extend: gap.extend, codes: 0, width: 0, chunk: 0 },
            stop_at_zero: self.scoring.stop == Stop::AtZero,
            want: self.want,
        }
    }
}

/// Alignments as they come, by the number of their pair.
struct Answers {
    alignments: Vec<Alignment>,
    taken: usize,
}

impl Answers {
    fn new(pairs: usize) -> Self {
        let none = Alignment { score: 0, query: 0..0, target: 0..0, path: Vec::new() };
        Self { alignments: vec![none; pairs], taken: 0 }
    }

    fn take(&mut self, found: Vec<(u32, Alignment)>) {
        self.taken += found.len();
        found.into_iter().for_each(|(pair, alignment)| self.alignments[pair as usize] = alignment);
    }
}

impl<G: Gpu> Executor<Aligning> for Device<G> {
    fn compute(&mut self, job: super::Job, output: &mut Vec<Alignment>) -> Result<(), Error> {
        let super::Job { batch, scoring, want, .. } = job;
        self.recorder.clear();
        let job = Job { batch, scoring, want };
        let mut answers = Answers::new(batch.pairs().len());
        let done = self.align_all(&job, &mut answers);
        if let Err(error) = done {
            // Copies from the batch may still be under way. What waiting says is known already.
            self.slots.iter_mut().for_each(|slot| {
                drop(self.gpu.synchronize(&slot.stream));
                slot.clear();
            });
            return Err(error);
        }
        assert_eq!(answers.taken, batch.pairs().len(), "every pair is planned once");
        *output = answers.alignments;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
