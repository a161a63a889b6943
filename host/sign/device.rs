//! `sign` on a GPU, or on the emulator: the host's side (the device's side: `warpseq_gpu::sign`).
//!
//! ```text
//! batch -> slices -> slot 0: copy | sign | copy |collect
//!                    slot 1:        copy | sign | copy |collect
//!                    slot 2:               copy | sign | copy |collect
//! ```
//!
//! A slice is whole sequences. One launch signs all its windows, long and short. Which bytes a raw sequence contains is not
//! known beforehand. So the table is first made for the 20 amino acids; a kernel that meets another byte reports it, and the
//! batch is signed again with a table for its bytes too. If no table can hold the vectors (ISAAC with long k-mers), the CPU
//! engine signs.

mod launch;
mod searcher;
mod slice;
mod slot;
mod tables;

use super::cpu::Cpu;
use super::{Alphabet, Parameters, Records, Signatures, Signing, Window};
use rayon::prelude::*;
pub use searcher::Searcher;
use slice::{Cut, Slice};
use slot::{Output, Slot, Work};
use std::ops::Range;
use std::sync::Arc;
use tables::{Tables, Way};
use warpseq_device::gpu::Gpu;
use warpseq_device::scope::{Scope, scope};
use warpseq_device::slots::{Slices, pass_through};
use warpseq_device::timings::{Recorder, Timings};
use warpseq_engine::error::{DeviceError, Error};
use warpseq_engine::executor::Executor;
use warpseq_engine::profile;
use warpseq_io::console::Console;

/// The stages of a batch.
pub mod stage {
    use warpseq_device::timings::Stage;

    /// Residues and their positions, to the device.
    pub const COPY_IN: Stage = Stage::copy("copy in");
    /// All kernels.
    pub const SIGN: Stage = Stage::kernel("sign");
    /// Signatures, to the host.
    pub const COPY_OUT: Stage = Stage::copy("copy out");
}

/// How a device is used.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The most device memory to take, in bytes.
    pub memory: usize,
    /// Bytes of residues and signatures that fill a slice.
    pub slice: usize,
    /// Whether residues and signatures are pinned, so that they are copied directly.
    pub pinned: bool,
    /// Whether stages are timed for [`Device::timings`]. They then run one after the other in one slot, which is slower.
    pub timed: bool,
    /// Whether windows of 16 in 64 bits are counted piece by piece, too, for tests.
    pub pieces: bool,
    /// Where to report that the CPU engine signs.
    pub console: Console,
}

impl Default for Settings {
    fn default() -> Self {
        let console = Console::default();
        Self { memory: 4 << 30, slice: 16 << 20, pinned: false, timed: false, pieces: false, console }
    }
}

/// Sequences that one thread counts at a time.
const COUNTED: usize = 1 << 13;
/// Bytes that one thread copies or looks through at a time.
const COPIED: usize = 1 << 20;
/// Slices in flight.
const SLOTS: usize = 3;

/// The signing engine on one GPU.
pub struct Device<G: Gpu> {
    gpu: Arc<G>,
    parameters: Parameters,
    settings: Settings,
    tables: Tables<G>,
    slots: Vec<Slot<G>>,
    recorder: Recorder<G>,
    cpu: Cpu,
}

impl<G: Gpu> Device<G> {
    /// An engine on `gpu`. Device memory is taken at the first batch.
    pub fn new(gpu: Arc<G>, parameters: Parameters, settings: Settings) -> Self {
        let (tables, recorder) = (Tables::new(parameters), Recorder::new(settings.timed));
        Self { gpu, parameters, settings, tables, slots: Vec::new(), recorder, cpu: Cpu::new(parameters) }
    }

    /// How long the stages of the last batch took; empty unless [`Settings::timed`].
    ///
    /// # Errors
    /// Those of the device.
    pub fn timings(&self) -> Result<Timings, Error> {
        Ok(self.recorder.timings(&self.gpu)?)
    }

    /// Signs a batch. Returns whether it contains a residue that is not in the table.
    fn sign_once(&mut self, batch: &Records, way: Way, signatures: &mut Signatures) -> Result<bool, DeviceError> {
        self.tables.load(&self.gpu, way)?;
        let slots = if self.settings.timed { 1 } else { SLOTS };
        while self.slots.len() < slots {
            self.slots.push(Slot::new(&self.gpu)?);
        }
        let before = windows_before(self.parameters.window, batch);
        signatures.resize(before[batch.len()] as usize, self.parameters.width());
        let memory = self.settings.memory.saturating_sub(self.tables.bytes()) / slots;
        let cut = Cut::new(self.parameters, way, (self.settings.slice, memory));
        let Signatures { bytes, present } = signatures;
        let output = Output { bytes, present };
        scope(|scope| {
            self.slots.iter().for_each(|slot| scope.include(&slot.stream));
            let mut sequences = Sequences::new(self, scope, (batch, &before), (way, cut), output);
            pass_through(slots, &mut sequences)?;
            Ok(sequences.is_odd)
        })
    }
}

/// The sequences of a batch, on their way through the slots.
struct Sequences<'a, 'env, G: Gpu> {
    gpu: &'a G,
    parameters: &'a Parameters,
    slots: &'a mut [Slot<G>],
    recorder: &'a mut Recorder<G>,
    scope: &'a Scope<'env, G>,
    batch: &'env Records,
    /// The number of windows before each sequence, then that of all.
    before: &'a [u64],
    cut: Cut,
    work: Work<'a, G>,
    /// The output of the sequences that are in no slice yet.
    output: Output<'env>,
    first: usize,
    /// Whether there was a residue that is not in the table.
    is_odd: bool,
}

impl<'a, 'env, G: Gpu> Sequences<'a, 'env, G> {
    fn new(
        device: &'a mut Device<G>,
        scope: &'a Scope<'env, G>,
        (batch, before): (&'env Records, &'a [u64]),
        (way, cut): (Way, Cut),
        output: Output<'env>,
    ) -> Self {
        let Device { gpu, parameters, settings, tables, slots, recorder, .. } = device;
        let is_marked = parameters.alphabet != Alphabet::Raw;
        let work = Work { tables, way, is_pinned: settings.pinned, is_marked };
        let (first, is_odd) = (0, false);
        Self { gpu, parameters, slots, recorder, scope, batch, before, cut, work, output, first, is_odd }
    }

    /// The output of the next windows.
    fn take_output(&mut self, windows: usize) -> Output<'env> {
        let Output { bytes, present } = std::mem::take(&mut self.output);
        let (bytes, later_bytes) = bytes.split_at_mut(windows * self.parameters.width());
        let (present, later) = present.split_at_mut(windows);
        self.output = Output { bytes: later_bytes, present: later };
        Output { bytes, present }
    }
}

impl<'env, G: Gpu> Slices for Sequences<'_, 'env, G> {
    type Slice = Slice;
    type Begun = Output<'env>;
    type Error = DeviceError;

    fn next(&mut self) -> Result<Option<Slice>, DeviceError> {
        if self.first == self.batch.len() || self.is_odd {
            return Ok(None);
        }
        let _range = profile::range("plan");
        let too_large = |bytes| DeviceError::OutOfMemory { device: self.gpu.name().to_owned(), bytes };
        let slice = self.cut.slice((self.batch, self.before), self.first).map_err(too_large)?;
        self.first = slice.sequences.end;
        Ok(Some(slice))
    }

    fn begin(&mut self, at: usize, slice: Slice) -> Result<Output<'env>, DeviceError> {
        let _range = profile::range("kernel");
        let (batch, output) = (self.batch, self.take_output(slice.window_count()));
        let residues = &batch.sequences().residues()[slice.residues.start as usize..slice.residues.end as usize];
        let sent = (&slice, residues, output);
        let left = self.slots[at].begin(self.scope, sent, &self.work, self.recorder)?;
        // This runs while the device works. `sign_halves` cannot tell 255 from the end of a sequence.
        self.is_odd |= self.work.way == Way::Halves && holds_255(residues);
        if !self.work.is_marked {
            mark_present(self.parameters, (batch, self.before), slice.sequences, left.present);
        }
        Ok(left)
    }

    fn collect(&mut self, at: usize, left: Output<'env>) -> Result<(), DeviceError> {
        self.is_odd |= self.slots[at].collect(left, self.work.is_marked)?;
        Ok(())
    }
}

/// The number of windows before each sequence, then that of all.
fn windows_before(window: Window, batch: &Records) -> Vec<u64> {
    let count = |starts: &[u64]| starts.windows(2).map(|ends| window.count(ends[1] - ends[0])).sum::<u64>();
    let parts = || (0..batch.len().div_ceil(COUNTED)).into_par_iter().map(|part| part * COUNTED);
    let starts = |first: usize| &batch.sequences().starts()[first..=(first + COUNTED).min(batch.len())];
    let sums: Vec<u64> = parts().map(|first| count(starts(first))).collect();
    let mut before = vec![0; batch.len() + 1];
    let firsts = sums.iter().scan(0, |sum, part| Some(std::mem::replace(sum, *sum + part)));
    let firsts: Vec<u64> = firsts.collect();
    before[1..].par_chunks_mut(COUNTED).zip(parts()).zip(firsts).for_each(|((before, first), mut sum)| {
        for (before, ends) in before.iter_mut().zip(starts(first).windows(2)) {
            sum += window.count(ends[1] - ends[0]);
            *before = sum;
        }
    });
    before
}

fn holds_255(residues: &[u8]) -> bool {
    residues.par_chunks(COPIED).any(|residues| memchr::memchr(255, residues).is_some())
}

/// Marks the windows of raw sequences that have a k-mer: all but those shorter than k.
fn mark_present(
    parameters: &Parameters,
    (batch, before): (&Records, &[u64]),
    sequences: Range<usize>,
    present: &mut [u8],
) {
    let first = before[sequences.start];
    present.par_chunks_mut(COPIED).for_each(|present| present.fill(1));
    // Only the last window of a sequence may be shorter than the others, whose length k does not exceed.
    for (starts, ends) in
        batch.sequences().starts()[sequences.start..=sequences.end].windows(2).zip(before[sequences.start..].windows(2))
    {
        let last = parameters.window.range(ends[1] - ends[0] - 1, starts[1] - starts[0]);
        present[(ends[1] - first) as usize - 1] = u8::from(last.end - last.start >= u64::from(parameters.k));
    }
}

impl<G: Gpu> Executor<Signing> for Device<G> {
    fn compute(&mut self, batch: &Records, signatures: &mut Signatures) -> Result<(), Error> {
        self.recorder.clear();
        loop {
            let way = self.tables.way(&self.gpu, &self.settings);
            if way == Way::Cpu {
                let (hash, k) = (self.parameters.hash, self.parameters.k);
                self.settings.console.detail(format_args!("{hash} vectors of {k}-mers: signing on the CPU"));
                return self.cpu.compute(batch, signatures);
            }
            if !self.sign_once(batch, way, signatures)? {
                break;
            }
            self.tables.learn(batch.sequences().residues());
        }
        Ok(())
    }
}

/// Whether windows are what `sign_halves` signs.
fn are_halves(parameters: &Parameters) -> bool {
    parameters.k == 3 && parameters.bits == 64 && parameters.window == Window::Length(16)
}

#[cfg(test)]
mod tests;
