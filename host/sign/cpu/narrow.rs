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
//! Sequences are short, so a pass takes several: their residues and k-mers are looked up as if they were one, and the k-mers across
//! their ends are left out where halves are put together.

use super::halves::Halves;
use super::lanes::{LANES, Lanes, Task, Vector};
use super::planes::{Pairs, add, count_pairs, or_more};
use super::vectors::{Codes, Entries};
use super::work::Stretch;
use crate::{Parameters, Window};
use std::array::from_fn;

/// Starts of k-mers per pass, unless eight halves have more: what is made of them stays in the nearest cache.
const STARTS: usize = 1024;

/// The halves of the preset `qut`. As constants they are signed faster.
const PRESET: Halves = Halves { k: 3, step: 8, all: 8, shared: 6 };

/// Whether windows are short enough: nine planes count two lanes of 255 k-mers.
pub fn suits(parameters: &Parameters) -> bool {
    parameters.bits == 64 && matches!(parameters.window, Window::Length(w) if w < 256)
}

/// Windows of sequences to sign.
pub struct Narrow<'a, S> {
    pub halves: Halves,
    pub entries: &'a Entries,
    pub memory: &'a mut Memory,
    /// Those of all sequences, side by side.
    pub residues: &'a [u8],
    pub stretches: S,
}

/// Buffers that a thread reuses for all its sequences.
#[derive(Default)]
pub struct Memory {
    residues: Vec<u8>,
    /// Codes of the k-mers of a pass, those across the ends of sequences among them.
    found: Vec<u32>,
    /// Those of the halves, and that of the missing k-mer where there is none.
    kmers: Vec<u32>,
    /// The planes of all k-mers, eight halves after eight.
    all: Vec<Lanes>,
    /// The planes of shared k-mers, plane by plane.
    shared: Vec<u64>,
    /// The signature of the window that begins with each half.
    signs: Vec<[[u8; 8]; LANES]>,
}

/// Some windows of a sequence, and the places of their signatures.
struct Part<'b> {
    /// Where the first one begins, among all residues.
    at: usize,
    /// Places where a k-mer of theirs could start.
    starts: usize,
    bytes: &'b mut [u8],
    present: &'b mut [u8],
}

impl Part<'_> {
    /// Its windows are as many halves, and the next one, which the last one shares.
    fn halves(&self) -> usize {
        self.present.len() + 1
    }
}

impl<'b, S: Iterator<Item = Stretch<'b>>> Task for Narrow<'_, S> {
    /// Whether all k-mers were in the table.
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self, proof: V) -> bool {
        let halves = self.halves;
        match halves.all + halves.shared {
            _ if halves == PRESET => self.sign::<V, 5>(proof, PRESET),
            0..16 => self.sign::<V, 5>(proof, halves),
            16..64 => self.sign::<V, 7>(proof, halves),
            _ => self.sign::<V, 9>(proof, halves),
        }
    }
}

impl<'b, S: Iterator<Item = Stretch<'b>>> Narrow<'_, S> {
    /// Signs the windows pass by pass.
    #[inline(always)]
    fn sign<V: Vector, const P: usize>(self, proof: V, halves: Halves) -> bool {
        let Self { entries, memory, residues, stretches, .. } = self;
        let most = (STARTS / halves.step).next_multiple_of(LANES) - 1;
        let (mut parts, mut pass) = (stretches.flat_map(|stretch| parts(stretch, halves, most)), Vec::new());
        let mut complete = true;
        loop {
            let mut count = 0;
            while count <= most
                && let Some(part) = parts.next()
            {
                count += part.halves();
                pass.push(part);
            }
            if pass.is_empty() {
                return complete;
            }
            complete &= memory.sign::<V, P>(proof, halves, (entries, residues), &mut pass);
            pass.clear();
        }
    }
}

/// The parts of a stretch, of at most so many windows.
fn parts(stretch: Stretch, halves: Halves, most: usize) -> impl Iterator<Item = Part> {
    let Stretch { at, sequence, windows, bytes, present } = stretch;
    let (starts, firsts) =
        (halves.starts(sequence), windows.step_by(most).map(move |first| first as usize * halves.step));
    let places = bytes.chunks_mut(8 * most).zip(present.chunks_mut(most));
    places.zip(firsts).map(move |((bytes, present), first)| {
        let starts = starts.saturating_sub(first).min((present.len() + 1) * halves.step);
        Part { at: at + first, starts, bytes, present }
    })
}

/// The k-mers of eight halves, from one place of each on.
struct Group<'a, V> {
    proof: V,
    list: &'a [[u64; 2]],
    /// All are places of the list.
    kmers: &'a [u32],
    /// Places of a half.
    step: usize,
    first: usize,
}

impl<V: Vector> Pairs<V> for Group<'_, V> {
    #[inline(always)]
    fn pair(&self, at: usize) -> [V; 2] {
        let kmers = from_fn(|lane| self.kmers[lane * self.step + self.first + at]);
        // SAFETY: what is said of the k-mers.
        unsafe { self.proof.pairs(self.list, kmers) }
    }
}

impl Memory {
    /// Signs some windows. Returns whether all k-mers are in the table.
    #[inline(always)]
    fn sign<V: Vector, const P: usize>(
        &mut self,
        proof: V,
        halves: Halves,
        (entries, residues): (&Entries, &[u8]),
        parts: &mut [Part],
    ) -> bool {
        let complete = self.find(proof, halves, (entries, residues), parts);
        self.count::<V, P>(proof, halves, entries.pairs());
        self.decide::<V, P>(proof, halves);
        self.write(halves, entries.codes.kmers, complete, parts);
        complete
    }

    /// Finds the codes of the k-mers of some windows, in whole groups of eight halves. Returns whether none is missing
    /// before the sequences' ends.
    #[inline(always)]
    fn find<V: Vector>(
        &mut self,
        proof: V,
        halves: Halves,
        (entries, residues): (&Entries, &[u8]),
        parts: &[Part],
    ) -> bool {
        let Codes { kmers: missing, k, .. } = entries.codes;
        let first = parts.first().map_or(0, |part| part.at);
        let end = parts.iter().rev().find(|part| part.starts > 0).map_or(first, |part| part.at + part.starts);
        let residues = if end > first { &residues[first..end + k - 1] } else { &[] };
        let complete = entries.codes.find(proof, (residues, 0..end - first), &mut self.found, &mut self.residues);
        self.kmers.clear();
        for part in parts {
            let all = self.kmers.len() + part.halves() * halves.step;
            if part.starts > 0 {
                self.kmers.extend_from_slice(&self.found[part.at - first..][..part.starts]);
            }
            self.kmers.resize(all, missing);
        }
        self.kmers.resize(self.kmers.len().next_multiple_of(LANES * halves.step), missing);
        complete
    }

    /// Counts the ones of each half.
    #[inline(always)]
    fn count<V: Vector, const P: usize>(&mut self, proof: V, halves: Halves, list: &[[u64; 2]]) {
        let Self { kmers, all, shared, .. } = self;
        let stride = kmers.len() / halves.step + 1;
        shared.resize(P * stride, 0);
        all.clear();
        for (group, kmers) in kmers.chunks_exact(LANES * halves.step).enumerate() {
            let last = kmers.iter().fold(0, |most, &kmer| most.max(kmer));
            assert!((last as usize) < list.len(), "a vector of each k-mer");
            let kmers_from = |first| Group { proof, list, kmers, step: halves.step, first };
            let mut planes = [proof.splat(0); P];
            count_pairs(&mut planes, halves.shared, &kmers_from(0));
            for (level, plane) in planes.iter().enumerate() {
                shared[level * stride + group * LANES..][..LANES].copy_from_slice(&plane.store().0);
            }
            count_pairs(&mut planes, halves.all - halves.shared, &kmers_from(halves.shared));
            for plane in planes {
                all.push(plane.store());
            }
        }
    }

    /// Makes the signatures of the windows that begin with each half.
    #[inline(always)]
    fn decide<V: Vector, const P: usize>(&mut self, proof: V, halves: Halves) {
        let stride = self.kmers.len() / halves.step + 1;
        let kmers = (halves.all + halves.shared) as u32;
        self.signs.clear();
        for (group, planes) in self.all.as_chunks::<P>().0.iter().enumerate() {
            let (mut carry, mut signs) = (proof.splat(0), proof.splat(0));
            for (level, plane) in planes.iter().enumerate() {
                let next = &self.shared[level * stride + group * LANES + 1..][..LANES];
                let next = Lanes(next.try_into().expect("as many lanes as a row has"));
                let mut plane = proof.load(plane);
                carry = add(&mut plane, proof.load(&next), carry);
                signs = or_more(signs, plane, kmers >> level);
            }
            self.signs.push(signs.store().0.map(u64::to_be_bytes));
        }
    }

    /// Writes the signatures where they belong.
    fn write(&self, halves: Halves, missing: u32, complete: bool, parts: &mut [Part]) {
        let (signs, mut first) = (self.signs.as_flattened(), 0);
        for part in parts {
            let windows = part.present.len();
            part.bytes.copy_from_slice(signs[first..first + windows].as_flattened());
            let with = part.starts.div_ceil(halves.step).min(windows);
            part.present[..with].fill(1);
            part.present[with..].fill(0);
            if !complete {
                let kmers = self.kmers[first * halves.step..].windows(halves.all + halves.shared);
                for (present, kmers) in part.present.iter_mut().zip(kmers.step_by(halves.step)) {
                    *present = kmers.iter().any(|&kmer| kmer < missing).into();
                }
            }
            first += part.halves();
        }
    }
}
