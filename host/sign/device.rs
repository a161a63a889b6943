//! `sign` on a GPU, or on the emulator: the host's side (the device's side: `warpseq_gpu::sign`).
//!
//! ```text
//! batch -> slices -> slot 0: copy | sign | copy |collect
//!                    slot 1:        copy | sign | copy |collect
//!                    slot 2:               copy | sign | copy |collect
//! ```
//!
//! A slice is whole sequences; one launch signs all its windows, long and short. Which letters raw bytes are made of is not
//! known before they are seen: a table is made for the letters of proteins, a kernel that meets another letter says so, and the
//! batch is signed again with a table for its letters too. Parameters whose vectors no table holds (ISAAC with long words) are
//! signed by the CPU engine.

mod launch;
mod output;
mod searcher;
mod slice;
mod slot;
mod tables;
mod times;

use super::cpu::Cpu;
use super::{Alphabet, Parameters, Records, Signatures, Signing, Window};
use output::Output;
use rayon::prelude::*;
pub use searcher::Searcher;
use slice::Cut;
use slot::Slot;
use std::ops::Range;
use std::sync::Arc;
use tables::{Tables, Way};
use times::Recorder;
pub use times::Times;
use warpseq_device::gpu::Gpu;
use warpseq_engine::error::{DeviceError, Error};
use warpseq_engine::executor::Executor;
use warpseq_engine::profile;
use warpseq_io::console::Console;

/// How a device is used.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Device memory that may be taken, in bytes.
    pub memory: usize,
    /// Bytes of letters and signatures that complete a slice.
    pub slice: usize,
    /// Letters and signatures are pinned: they are copied without passing through other memory.
    pub pinned: bool,
    /// Stages are timed for [`Device::times`], one after the other in one slot: slower than a run that is not timed.
    pub timed: bool,
    /// Windows of 16 in 64 bits, too, are counted piece by piece, for tests.
    pub pieces: bool,
    /// Where to say what the CPU engine signs.
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

    /// How long the stages of the last batch took; zeros unless the device is `timed`.
    ///
    /// # Errors
    /// What the device says.
    pub fn times(&self) -> Result<Times, Error> {
        Ok(self.recorder.times(&self.gpu)?)
    }

    /// Signs a batch; whether a letter came up that the table does not know.
    fn sign_once(&mut self, batch: &Records, way: Way, signatures: &mut Signatures) -> Result<bool, DeviceError> {
        self.tables.load(&self.gpu, way)?;
        let slots = if self.settings.timed { 1 } else { SLOTS };
        while self.slots.len() < slots {
            self.slots.push(Slot::new(&self.gpu)?);
        }
        let width = self.parameters.width();
        let raw = self.parameters.alphabet == Alphabet::Raw;
        let before = windows_before(self.parameters.window, batch);
        signatures.resize(before[batch.len()] as usize, width);
        let output = Output::new(signatures, width, !raw);
        let signed = self.sign_slices((batch, &before), way, &output);
        // Copies from and to the caller's memory may still be under way. What waiting says after an error is known already.
        let mut waited = Ok(());
        for slot in &mut self.slots {
            waited = slot.abandon().and(waited);
        }
        let odd = signed?;
        waited?;
        Ok(odd)
    }

    fn sign_slices(
        &mut self,
        (batch, before): (&Records, &[u64]),
        way: Way,
        output: &Output,
    ) -> Result<bool, DeviceError> {
        let memory = self.settings.memory.saturating_sub(self.tables.bytes()) / self.slots.len();
        let cut = Cut::new(self.parameters, way, (self.settings.slice, memory));
        let (mut first, mut turns, mut odd) = (0, (0..self.slots.len()).cycle(), false);
        while first < batch.len() && !odd {
            let slice = {
                let _range = profile::range("plan");
                cut.slice((batch, before), first).map_err(|bytes| self.too_large(bytes))?
            };
            first = slice.sequences.end;
            let slot = &mut self.slots[turns.next().expect("there is a slot")];
            odd |= slot.collect(output)?;
            let _range = profile::range("kernel");
            let (sequences, windows) = (slice.sequences.clone(), slice.windows.clone());
            // SAFETY: `sign_once` waits for all slots before it returns, and borrows the batch and the signatures until then.
            unsafe { slot.begin(slice, (batch, output), (&self.tables, way), (&self.settings, &mut self.recorder))? };
            // Meanwhile the device is at work. `sign_halves` does not tell 255 from the end of a sequence.
            odd |= way == Way::Halves && holds_255(batch, &sequences);
            if self.parameters.alphabet == Alphabet::Raw {
                // SAFETY: each window is in one slice, and the device does not write what is not marked.
                let present = unsafe { output.present(windows) };
                mark_present(&self.parameters, (batch, before), sequences, present);
            }
        }
        for slot in &mut self.slots {
            odd |= slot.collect(output)?;
        }
        Ok(odd)
    }

    fn too_large(&self, bytes: usize) -> DeviceError {
        DeviceError::OutOfMemory { device: self.gpu.name().to_owned(), bytes }
    }
}

/// Windows before those of each sequence, and of all.
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

fn holds_255(batch: &Records, sequences: &Range<usize>) -> bool {
    let letters =
        batch.sequences().starts()[sequences.start] as usize..batch.sequences().starts()[sequences.end] as usize;
    batch.sequences().residues()[letters].par_chunks(COPIED).any(|letters| memchr::memchr(255, letters).is_some())
}

/// Marks the windows of sequences of raw bytes that have a word: all but those shorter than one.
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
                self.settings.console.detail(format_args!("{hash} vectors of words of {k} letters: on the CPU"));
                return self.cpu.compute(batch, signatures);
            }
            if !self.sign_once(batch, way, signatures)? {
                break;
            }
            self.tables.learn(&batch.sequences().residues());
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
