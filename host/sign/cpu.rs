//! The CPU engine: signatures by counting bits in planes, on all cores, for any mix of short and long sequences.
//!
//! # Who does what
//!
//! ```text
//! work       cuts a batch into tasks of similar size: consecutive windows, and the places of their signatures
//! halves     tells which k-mers a window shares with the one before it, and which are its own
//! vectors    finds k-mers and gives their vectors: computed (mix64), looked up, or drawn and remembered (pcg, isaac)
//! planes     counts ones, 512 counters side by side
//! windows    signs half by half, with a row of lanes for each k-mer: any parameters
//! narrow     signs eight halves side by side, of any sequences: 64 bits, a table, windows of less than 256 residues, as in `qut`
//! ```
//!
//! # One rule for all vectors
//!
//! No elements are added: the sum of an element is above 0 if enough bits of its column are 1. A dense vector has a 1 for +1
//! and a 0 for -1, so n k-mers need more than n / 2 ones. A sparse vector has its positive bits and its inverted negative
//! bits, so n k-mers need more than n ones ([`super::sparse`]).
//!
//! # Why it is right at the edges
//!
//! The k-mers of a sequence are found in its own residues, so none reaches into the next sequence. Windows that are cut off,
//! k-mers that are skipped, and sequences shorter than k only make n smaller, or, in `narrow`, give neutral entries. A tally
//! counts the k-mers of one window, at most 65,536. Longer whole sequences are cut into pieces of that many k-mers, which are
//! counted on all cores and added up in 64 bits. Counts are exact and addition commutes, so the result does not depend on which
//! thread counts what, or with which instructions.
//!
//! # Memory
//!
//! A table of at most 64 MB. Each thread takes at most 32 MB for remembered k-mers and vectors, and otherwise less than 1 MB.

mod halves;
mod lanes;
mod narrow;
mod planes;
mod sums;
mod vectors;
mod windows;
mod work;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::sparse::Table;
use super::{Alphabet, Hash, Parameters, Records, Signatures, Signing, Window};
use halves::Halves;
use narrow::{Memory, Narrow};
use rayon::prelude::*;
use sums::{Layout, Sums, Totals};
use vectors::{Entries, Hashed, Lookup, Mixed, Remembered, Rolling, Vectors};
use warpseq_engine::error::Result;
use warpseq_engine::executor::Executor;
use warpseq_simd::InstructionSet;
use windows::{Piece, Windows};
use work::{Stretch, Task};

/// K-mers of a piece of a whole sequence; a [`Sums`] counts no more.
const PIECE: usize = 1 << 16;
/// The most k-mers of a table.
const KMERS: usize = 1 << 20;
/// A table of this many k-mers is made for any batch, a larger one only for a batch of at least as many residues.
const FEW: usize = 1 << 16;
/// The most bytes of a table of sparse vectors, which are slow to draw.
const SPARSE: usize = 64 << 20;
/// The most bytes of a table of dense vectors. To compute one takes no longer than to load one from beyond the near caches.
const DENSE: usize = 1 << 20;

/// The CPU engine. Uses rayon's current thread pool.
pub struct Cpu {
    parameters: Parameters,
    set: InstructionSet,
    halves: Halves,
    layout: Layout,
    /// K-mers of a piece.
    piece: usize,
    /// The vectors of all k-mers, if these are few.
    entries: Option<Entries>,
}

impl Cpu {
    /// An engine for these parameters, which have passed [`Parameters::check`].
    pub fn new(parameters: Parameters) -> Self {
        Self::with_instructions(parameters, InstructionSet::detect())
    }

    /// An engine that uses no wider vectors than these.
    pub fn with_instructions(parameters: Parameters, set: InstructionSet) -> Self {
        Self {
            parameters,
            set,
            halves: Halves::new(&parameters),
            layout: Layout::new(&parameters),
            piece: PIECE,
            entries: None,
        }
    }

    /// Makes a table of all k-mers of the residues met so far, unless there already is one or it would be too large.
    fn prepare(&mut self, batch: &Records) {
        let Parameters { alphabet, hash, bits, .. } = self.parameters;
        let mut residues = match (alphabet, hash) {
            (Alphabet::Raw, Hash::Mix64) => return,
            // A table has a vector for every k-mer.
            _ if self.parameters.longest_period() > 0 => return,
            (Alphabet::Raw, _) => seen(batch.sequences().residues()),
            _ => alphabet.letters().to_vec(),
        };
        if let Some(Entries { residues: known, .. }) = &self.entries {
            if residues.iter().all(|residue| known.contains(residue)) {
                return;
            }
            residues.extend(known);
            residues.sort_unstable();
            residues.dedup();
        }
        let bytes = bits as usize / if hash == Hash::Mix64 { 8 } else { 4 };
        let most = (if hash == Hash::Mix64 { DENSE } else { SPARSE } / bytes)
            .min(KMERS)
            .min(batch.sequences().residues().len().max(FEW));
        let few = Table::entries(&self.parameters, residues.len()).is_some_and(|kmers| kmers <= most);
        self.entries = few.then(|| match (hash, alphabet) {
            (Hash::Mix64, Alphabet::Dna) => Entries::dense(&self.parameters, &residues, self.rolling()),
            (Hash::Mix64, _) => Entries::dense(&self.parameters, &residues, self.hashed()),
            _ => Entries::sparse(&self.parameters, &residues),
        });
    }

    fn rolling(&self) -> Mixed<Rolling> {
        Mixed::new(Rolling::new(&self.parameters))
    }

    fn hashed(&self) -> Mixed<Hashed> {
        Mixed::new(Hashed::new(&self.parameters))
    }

    /// The table, if it has vectors of 64 bits for short windows.
    fn narrow(&self) -> Option<&Entries> {
        let suits = self.parameters.hash != Hash::Mix64 && narrow::suits(&self.parameters);
        self.entries.as_ref().filter(|_| suits)
    }

    /// Signs with vectors of 64 bits from the table. Returns whether it has all k-mers.
    fn sign_narrow(&self, batch: &Records, tasks: Vec<Task>, entries: &Entries) -> bool {
        let (halves, residues) = (self.halves, batch.sequences().residues());
        let signed = tasks.into_par_iter().map_init(Memory::default, |memory, task| {
            let stretches = task.stretches(batch, self.parameters.window);
            lanes::run(self.set, Narrow { halves, entries, memory, residues, stretches })
        });
        signed.reduce(|| true, |one, other| one & other)
    }

    /// Signs with any vectors.
    fn sign_with<V: Vectors>(&self, batch: &Records, tasks: Vec<Task>, vectors: impl Fn() -> V + Sync) {
        let sums = || [Sums::new(self.layout), Sums::new(self.layout)];
        tasks.into_par_iter().for_each_init(
            || (vectors(), sums()),
            |(own, sums), task| {
                for stretch in task.stretches(batch, self.parameters.window) {
                    if self.parameters.window == Window::Whole && self.halves.starts(stretch.sequence) > self.piece {
                        self.sign_long(stretch, &vectors);
                    } else {
                        lanes::run(self.set, Windows { halves: self.halves, vectors: own, sums, stretch });
                    }
                }
            },
        );
    }

    /// Signs a whole sequence piece by piece.
    fn sign_long<V: Vectors>(&self, stretch: Stretch, vectors: &(impl Fn() -> V + Sync)) {
        let Stretch { sequence, bytes, present, .. } = stretch;
        let starts = self.halves.starts(sequence);
        let piece = |vectors: &mut V, k: usize| {
            let starts = k * self.piece..starts.min((k + 1) * self.piece);
            lanes::run(self.set, Piece { layout: self.layout, vectors, sequence, starts })
        };
        let pieces = (0..starts.div_ceil(self.piece)).into_par_iter().map_init(vectors, piece);
        present[0] = pieces.reduce(Totals::default, Totals::plus).sign(self.layout, bytes).into();
    }
}

impl Executor<Signing> for Cpu {
    fn compute(&mut self, batch: &Records, signatures: &mut Signatures) -> Result<()> {
        let Parameters { alphabet, hash, window, .. } = self.parameters;
        let windows: u64 = batch.sequences().lengths().map(|length| window.count(length)).sum();
        signatures.resize(windows as usize, self.parameters.width());
        // Which residues there are is looked for only where the table has not all of them. That of an alphabet is never extended.
        if let Some(entries) = self.narrow()
            && (self.sign_narrow(batch, work::cut(batch, window, signatures), entries) || alphabet != Alphabet::Raw)
        {
            return Ok(());
        }
        self.prepare(batch);
        let tasks = work::cut(batch, window, signatures);
        match (&self.entries, hash, alphabet) {
            (Some(entries), ..) if self.narrow().is_some() => drop(self.sign_narrow(batch, tasks, entries)),
            (Some(entries), ..) => self.sign_with(batch, tasks, || Lookup::new(entries)),
            (None, Hash::Mix64, Alphabet::Dna) => self.sign_with(batch, tasks, || self.rolling()),
            (None, Hash::Mix64, _) => self.sign_with(batch, tasks, || self.hashed()),
            (None, ..) => self.sign_with(batch, tasks, || Remembered::new(&self.parameters)),
        }
        Ok(())
    }
}

/// The bytes that occur.
fn seen(residues: &[u8]) -> Vec<u8> {
    let seen = residues.par_chunks(1 << 16).map(|residues| {
        let mut seen = [false; 256];
        residues.iter().for_each(|&residue| seen[residue as usize] = true);
        seen
    });
    let seen = seen.reduce(|| [false; 256], |a, b| std::array::from_fn(|residue| a[residue] | b[residue]));
    (0..=u8::MAX).filter(|&residue| seen[residue as usize]).collect()
}

#[cfg(test)]
mod tests;
