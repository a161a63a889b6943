//! Short windows, signed with 64 bits from a table: a lane is a window, not a column.
//!
//! ```text
//! lane          0       1      ...      7
//! row 2 t       half 0  half 1 ...  half 7      k-mer t of each half: positive bits
//! row 2 t + 1   half 0  half 1 ...  half 7                           inverted negative bits
//! ```
//!
//! Eight halves are counted at a time ([`super::halves`]): first the k-mers that are shared, then the others on top. The sum
//! of a window is that of its half plus that of the shared k-mers of the next half, which is in the same planes one lane on.
//! A missing k-mer, because of other symbols or beyond the end of the sequence, has the neutral entry, which adds one to
//! every count and nothing to the sum. So all windows have the same number of k-mers, and a bit is set if its count is above
//! that number.
//!
//! Rows are laid out in memory before they are counted. Gathering them into registers where they are counted was slower,
//! because the compiler spread them over registers of all widths: 270 million residues per second instead of 300.

use super::halves::Halves;
use super::lanes::{LANES, Lanes, Task, Vector};
use super::planes::{add, count_near, or_more};
use super::vectors::Entries;
use super::work::Stretch;
use crate::{Parameters, Window};
use std::ops::Range;

/// Starts of k-mers per pass, unless eight halves have more: their rows stay in the nearest cache.
const STARTS: usize = 1024;

/// The halves of the preset `qut`. As constants they are signed faster.
const PRESET: Halves = Halves { k: 3, step: 8, all: 8, shared: 6 };

/// Whether windows are short enough: nine planes count two lanes of 255 k-mers.
pub fn suits(parameters: &Parameters) -> bool {
    parameters.bits == 64 && matches!(parameters.window, Window::Length(w) if w < 256)
}

/// Buffers that a thread reuses for all its sequences.
#[derive(Default)]
pub struct Memory {
    residues: Vec<u32>,
    /// Codes of the k-mers of some halves; that of the missing k-mer where there is none.
    kmers: Vec<u32>,
    /// Two rows for each place of eight halves.
    rows: Vec<Lanes>,
    /// The planes of all k-mers, eight halves after eight.
    all: Vec<Lanes>,
    /// The planes of shared k-mers, plane by plane.
    shared: Vec<u64>,
}

/// Windows of a sequence to sign.
pub struct Narrow<'a, 'b> {
    pub halves: Halves,
    pub entries: &'a Entries,
    pub memory: &'a mut Memory,
    pub stretch: Stretch<'b>,
}

impl Task for Narrow<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(mut self, proof: V) {
        let most = (STARTS / self.halves.step).next_multiple_of(LANES) as u64 - 1;
        let Range { start, end } = self.stretch.windows;
        for first in (start..end).step_by(most as usize) {
            let (at, windows) = ((first - start) as usize, first..end.min(first + most));
            match self.halves.all + self.halves.shared {
                _ if self.halves == PRESET => self.sign::<V, 5>(proof, PRESET, at, windows),
                0..16 => self.sign::<V, 5>(proof, self.halves, at, windows),
                16..64 => self.sign::<V, 7>(proof, self.halves, at, windows),
                _ => self.sign::<V, 9>(proof, self.halves, at, windows),
            }
        }
    }
}

impl Narrow<'_, '_> {
    /// Signs some windows, the first of which is window `at` of the stretch.
    #[inline(always)]
    fn sign<V: Vector, const P: usize>(&mut self, proof: V, halves: Halves, at: usize, windows: Range<u64>) {
        let count = (windows.end - windows.start) as usize;
        let complete = self.memory.find(halves, self.entries, self.stretch.sequence, windows.clone());
        self.memory.lay_out(halves, self.entries.pairs());
        self.memory.count::<V, P>(proof, halves);
        self.memory.write::<V, P>(proof, halves, &mut self.stretch.bytes[8 * at..][..8 * count]);
        let starts = halves.starts(self.stretch.sequence);
        let first = windows.start as usize * halves.step;
        let with = starts.saturating_sub(first).div_ceil(halves.step).min(count);
        let present = &mut self.stretch.present[at..][..count];
        present.fill(0);
        present[..with].fill(1);
        if !complete {
            let missing = self.entries.codes.kmers;
            let windows = self.memory.kmers.windows(halves.all + halves.shared).step_by(halves.step);
            for (present, kmers) in present.iter_mut().zip(windows) {
                *present = kmers.iter().any(|&kmer| kmer < missing).into();
            }
        }
    }
}

impl Memory {
    /// Finds the codes of the k-mers of some windows, in whole groups of eight halves. Returns whether none is missing
    /// before the sequence's end.
    #[inline(always)]
    fn find(&mut self, halves: Halves, entries: &Entries, sequence: &[u8], windows: Range<u64>) -> bool {
        let starts = halves.starts(sequence);
        let first = windows.start as usize * halves.step;
        let length = ((windows.end - windows.start) as usize + 1).next_multiple_of(LANES) * halves.step;
        let range = first.min(starts)..starts.min(first + length);
        entries.codes.find(sequence, range, &mut self.kmers, &mut self.residues);
        let complete = self.kmers.iter().fold(0, |most, &kmer| most.max(kmer)) < entries.codes.kmers;
        self.kmers.resize(length, entries.codes.kmers);
        complete
    }

    /// Lays out the rows of the k-mers.
    #[inline(always)]
    fn lay_out(&mut self, halves: Halves, pairs: &[[u64; 2]]) {
        self.rows.resize(2 * self.kmers.len() / LANES, Lanes::ZERO);
        let groups = self.kmers.chunks_exact(LANES * halves.step);
        for (kmers, rows) in groups.zip(self.rows.chunks_exact_mut(2 * halves.step)) {
            for lane in 0..LANES {
                let kmers = &kmers[lane * halves.step..][..halves.all];
                for (&kmer, rows) in kmers.iter().zip(rows.chunks_exact_mut(2)) {
                    [rows[0].0[lane], rows[1].0[lane]] = pairs[kmer as usize];
                }
            }
        }
    }

    /// Counts the ones of each half.
    #[inline(always)]
    fn count<V: Vector, const P: usize>(&mut self, proof: V, halves: Halves) {
        let stride = self.kmers.len() / halves.step + 1;
        self.shared.resize(P * stride, 0);
        self.all.clear();
        for (group, rows) in self.rows.chunks_exact(2 * halves.step).enumerate() {
            let mut planes = [proof.splat(0); P];
            let (shared, others) = rows[..2 * halves.all].split_at(2 * halves.shared);
            count_near(&mut planes, shared);
            for (level, plane) in planes.iter().enumerate() {
                self.shared[level * stride + group * LANES..][..LANES].copy_from_slice(&plane.store().0);
            }
            count_near(&mut planes, others);
            for plane in planes {
                self.all.push(plane.store());
            }
        }
    }

    /// Writes the signs of windows.
    #[inline(always)]
    fn write<V: Vector, const P: usize>(&self, proof: V, halves: Halves, signatures: &mut [u8]) {
        let stride = self.kmers.len() / halves.step + 1;
        let groups = self.all.as_chunks::<P>().0;
        for (group, (planes, signatures)) in groups.iter().zip(signatures.chunks_mut(8 * LANES)).enumerate() {
            let kmers = (halves.all + halves.shared) as u32;
            let (mut carry, mut signs) = (proof.splat(0), proof.splat(0));
            for (level, plane) in planes.iter().enumerate() {
                let next = &self.shared[level * stride + group * LANES + 1..][..LANES];
                let next = Lanes(next.try_into().expect("as many lanes as a row has"));
                let mut plane = proof.load(plane);
                carry = add(&mut plane, proof.load(&next), carry);
                signs = or_more(signs, plane, kmers >> level);
            }
            for (signature, sign) in signatures.chunks_exact_mut(8).zip(signs.store().0) {
                signature.copy_from_slice(&sign.to_be_bytes());
            }
        }
    }
}
