//! Slices: whole sequences that are signed together, as many as fill a slice and fit a slot.
//!
//! Positions on the device have 32 bits and count from the start of the slice.

use super::Way;
use crate::{Alphabet, Parameters, Records, Window};
use std::ops::Range;
use warpseq_gpu::sign::pieces::NO_SLOT;
use warpseq_gpu::tuning::PIECE;

/// The most residues of a slice.
const RESIDUES_MAX: u64 = 1 << 31;
/// The most elements of an array of signatures or sums.
const ELEMENTS_MAX: u64 = 1 << 31;

/// A slice of a batch: its sequences and residues, and its windows among those of the batch.
#[derive(Debug, Default)]
pub struct Slice {
    pub sequences: Range<usize>,
    pub residues: Range<u64>,
    pub windows: Range<u64>,
    /// The first residue of each sequence, and the end of the last.
    pub starts: Vec<u32>,
    /// The number of halves or pieces before each sequence, then that of all.
    pub firsts: Vec<u32>,
    /// The number of windows before each sequence, then that of all. This and the rest are for pieces only.
    pub before: Vec<u32>,
    /// The slot of each sequence's first window, or [`NO_SLOT`].
    pub slots: Vec<u32>,
    /// The window of each slot.
    pub slot_windows: Vec<u32>,
}

/// How batches are cut.
pub struct Cut {
    parameters: Parameters,
    way: Way,
    /// Bytes of residues and signatures that fill a slice.
    bytes: usize,
    /// Bytes of device memory that it may take.
    memory: usize,
    /// Pieces of a window, as a power of two; `None` for whole sequences.
    parts: Option<u32>,
}

/// What a sequence takes.
struct Needs {
    windows: u64,
    /// Halves or pieces.
    units: u64,
    /// Windows that have slots.
    slots: u64,
}

impl Cut {
    /// Cuts into slices that `bytes` fill, each in at most `memory` bytes of device memory.
    pub fn new(parameters: Parameters, way: Way, (bytes, memory): (usize, usize)) -> Self {
        let parts = match parameters.window {
            Window::Length(w) => Some((w - parameters.k + 1).div_ceil(PIECE).next_power_of_two().trailing_zeros()),
            Window::Whole => None,
        };
        Self { parameters, way, bytes, memory, parts }
    }

    /// Pieces of a window, as the kernels shift them.
    pub fn parts(&self) -> u32 {
        self.parts.unwrap_or(31)
    }

    fn needs(&self, length: u64) -> Needs {
        let windows = self.parameters.window.count(length);
        if self.way == Way::Halves {
            return Needs { windows, units: windows + 1, slots: 0 };
        }
        let kmers = (length + 1).saturating_sub(u64::from(self.parameters.k));
        let parts = self.parts.map_or(kmers.div_ceil(u64::from(PIECE)).max(1), |parts| 1 << parts);
        Needs { windows, units: windows * parts, slots: if parts > 1 { windows } else { 0 } }
    }

    /// Device memory of a sequence.
    fn memory(&self, length: u64, needs: &Needs) -> u64 {
        let packed = if self.parameters.alphabet == Alphabet::Dna && self.way == Way::Dense { length } else { 0 };
        let width = self.parameters.width() as u64;
        16 + length + packed / 2 + needs.windows * (width + 1) + needs.slots * (64 * width + 12)
    }

    /// The slice from sequence `first` on. `before` is the number of windows before each sequence, then that of all.
    ///
    /// # Errors
    /// The bytes that the first sequence takes, if it does not fit.
    pub fn slice(&self, (batch, before): (&Records, &[u64]), first: usize) -> Result<Slice, usize> {
        let (start, window) = (batch.sequences().starts()[first], before[first]);
        let mut slice = Slice { residues: start..start, windows: window..window, ..Slice::default() };
        if self.way == Way::Halves {
            self.take_halves(&mut slice, (batch, before), first);
        } else {
            self.take_pieces(&mut slice, (batch, before), first);
        }
        if slice.sequences.is_empty() {
            let length = batch.sequences().starts()[first + 1] - start;
            return Err(self.memory(length, &self.needs(length)) as usize);
        }
        let end = slice.sequences.end;
        (slice.residues.end, slice.windows.end) = (batch.sequences().starts()[end], before[end]);
        Ok(slice)
    }

    /// A slice takes hundreds of thousands of sequences, so only two numbers are computed for each.
    fn take_halves(&self, slice: &mut Slice, (batch, before): (&Records, &[u64]), first: usize) {
        let (start, window, width) = (batch.sequences().starts()[first], before[first], self.parameters.width() as u64);
        let fits = |end: usize| {
            let (residues, windows) = (batch.sequences().starts()[end] - start, before[end] - window);
            let sequences = (end - first) as u64;
            let memory = 16 * sequences + residues + windows * (width + 1);
            memory <= self.memory as u64 && residues < RESIDUES_MAX && windows + sequences < RESIDUES_MAX
        };
        let bytes = |end: usize| batch.sequences().starts()[end] - start + (before[end] - window) * width;
        // The first end at which the slice is complete, unless a sequence before it does not fit.
        let (mut low, mut high) = (first, batch.len());
        while low < high {
            let end = low + (high - low) / 2;
            if bytes(end) < self.bytes as u64 && fits(end + 1) { low = end + 1 } else { high = end }
        }
        let end = low;
        slice.sequences = first..end;
        slice.starts = batch.sequences().starts()[first..=end].iter().map(|&at| (at - start) as u32).collect();
        let firsts = before[first..=end].iter().zip(0..);
        slice.firsts = firsts.map(|(&at, sequence)| (at - window) as u32 + sequence).collect();
    }

    fn take_pieces(&self, slice: &mut Slice, (batch, before): (&Records, &[u64]), first: usize) {
        let (start, window, width) = (batch.sequences().starts()[first], before[first], self.parameters.width() as u64);
        let (mut memory, mut units, mut end) = (0, 0, first);
        while end < batch.len()
            && batch.sequences().starts()[end] - start + (before[end] - window) * width < self.bytes as u64
        {
            let length = batch.sequences().starts()[end + 1] - batch.sequences().starts()[end];
            let needs = self.needs(length);
            memory += self.memory(length, &needs);
            let slots = slice.slot_windows.len() as u64 + needs.slots;
            let elements = ((before[end + 1] - window) * width / 8).max(slots * width * 8);
            let countable = (batch.sequences().starts()[end + 1] - start).max(units + needs.units) < RESIDUES_MAX;
            if memory > self.memory as u64 || !countable || elements >= ELEMENTS_MAX {
                break;
            }
            slice.push((batch.sequences().starts()[end] - start, before[end] - window), units, &needs);
            units += needs.units;
            end += 1;
        }
        slice.sequences = first..end;
        slice.close((batch.sequences().starts()[end] - start, before[end] - window), units);
    }
}

impl Slice {
    fn push(&mut self, (start, window): (u64, u64), units: u64, needs: &Needs) {
        self.starts.push(start as u32);
        self.firsts.push(units as u32);
        self.before.push(window as u32);
        self.slots.push(if needs.slots > 0 { self.slot_windows.len() as u32 } else { NO_SLOT });
        self.slot_windows.extend((0..needs.slots).map(|slot| (window + slot) as u32));
    }

    /// The ends of the last sequence.
    fn close(&mut self, (end, window): (u64, u64), units: u64) {
        self.starts.push(end as u32);
        self.firsts.push(units as u32);
        self.before.push(window as u32);
    }

    /// Halves or pieces.
    pub fn units(&self) -> u32 {
        *self.firsts.last().expect("a slice is closed")
    }

    /// The number of windows.
    pub fn window_count(&self) -> usize {
        (self.windows.end - self.windows.start) as usize
    }

    /// The number of residues.
    pub fn residue_count(&self) -> usize {
        (self.residues.end - self.residues.start) as usize
    }
}
