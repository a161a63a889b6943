//! The CPU engine: signatures by counting bits in planes, on all cores, for any mix of short and long sequences.
//!
//! # Who does what
//!
//! ```text
//! work       cuts a batch into tasks of like size: windows one after another, and where their signatures go
//! halves     which words a window has of its own, and which it shares with the one before
//! vectors    finds words and gives their vectors: computed (mix64), looked up, or drawn and remembered (pcg, isaac)
//! planes     counts ones, 512 counters side by side
//! windows    half by half, a row of lanes for each word: any parameters
//! narrow     eight halves side by side: 64 bits, a table, windows of less than 256 letters, as the preset qut has them
//! ```
//!
//! # One rule for all vectors
//!
//! No element is ever added: the sum at an element is more than 0 when enough bits of its column are 1. A dense vector has a
//! 1 for +1 and a 0 for -1, so the ones of n words must be more than n / 2. Those of a sparse vector's positive and inverted
//! negative bits must be more than n ([`super::sparse`]).
//!
//! # Why it is right at the edges
//!
//! Each sequence's words are found in its own letters, so none reaches into the next one. A window that is cut off, words
//! with letters that do not count, and sequences shorter than k only make n smaller, or, in `narrow`, give neutral entries.
//! A tally counts the words of one window, at most 65,536. Longer whole sequences are cut into pieces of as many words, which
//! are counted on all cores and added up with 64 bits. Counts are exact and addition commutes: which thread counts what, and
//! with which instructions, decides nothing but speed.
//!
//! # Memory
//!
//! A table of at most 64 MB, and for each thread at most 32 MB of remembered words and vectors; else less than 1 MB.

mod halves;
mod lanes;
mod narrow;
mod planes;
mod sums;
mod vectors;
mod windows;
mod work;

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

/// Words of a piece of a whole sequence; a [`Sums`] counts no more.
const PIECE: usize = 1 << 16;
/// The most words of a table.
const WORDS: usize = 1 << 20;
/// A table of so many words is made for any batch; a larger one for a batch of at least as many letters.
const FEW: usize = 1 << 16;
/// Bytes of a table of sparse vectors, which are slow to draw.
const SPARSE: usize = 64 << 20;
/// Bytes of a table of dense vectors, which are computed as fast as they come from memory that is not near.
const DENSE: usize = 1 << 20;

/// The CPU engine. Uses rayon's current thread pool.
pub struct Cpu {
    parameters: Parameters,
    set: InstructionSet,
    halves: Halves,
    layout: Layout,
    /// Words of a piece.
    piece: usize,
    /// The vectors of all words, when they are few.
    entries: Option<Entries>,
}

impl Cpu {
    /// An engine for these parameters, which make sense ([`Parameters::check`]).
    pub fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            set: InstructionSet::detect(),
            halves: Halves::new(&parameters),
            layout: Layout::new(&parameters),
            piece: PIECE,
            entries: None,
        }
    }

    /// Makes a table of all words over the letters met so far, unless there is one or they are too many.
    fn prepare(&mut self, batch: &Records) {
        let Parameters { alphabet, hash, bits, .. } = self.parameters;
        let mut letters = match (alphabet, hash) {
            (Alphabet::Raw, Hash::Mix64) => return,
            (Alphabet::Raw, _) => seen(batch.sequences().residues()),
            _ => alphabet.letters().to_vec(),
        };
        if let Some(Entries { letters: known, .. }) = &self.entries {
            if letters.iter().all(|letter| known.contains(letter)) {
                return;
            }
            letters.extend(known);
            letters.sort_unstable();
            letters.dedup();
        }
        let bytes = bits as usize / if hash == Hash::Mix64 { 8 } else { 4 };
        let most = (if hash == Hash::Mix64 { DENSE } else { SPARSE } / bytes)
            .min(WORDS)
            .min(batch.sequences().residues().len().max(FEW));
        let few = Table::entries(&self.parameters, letters.len()).is_some_and(|words| words <= most);
        self.entries = few.then(|| match (hash, alphabet) {
            (Hash::Mix64, Alphabet::Dna) => Entries::dense(&self.parameters, &letters, self.rolling()),
            (Hash::Mix64, _) => Entries::dense(&self.parameters, &letters, self.hashed()),
            _ => Entries::sparse(&self.parameters, &letters),
        });
    }

    fn rolling(&self) -> Mixed<Rolling> {
        Mixed::new(Rolling::new(&self.parameters))
    }

    fn hashed(&self) -> Mixed<Hashed> {
        Mixed::new(Hashed::new(&self.parameters))
    }

    /// Signs with vectors from the table, when there are 64 bits.
    fn sign_narrow(&self, batch: &Records, tasks: Vec<Task>, entries: &Entries) {
        let halves = self.halves;
        tasks.into_par_iter().for_each_init(Memory::default, |memory, task| {
            for stretch in task.stretches(batch, self.parameters.window) {
                lanes::run(self.set, Narrow { halves, entries, memory, stretch });
            }
        });
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

    /// Signs a whole sequence by pieces.
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
        self.prepare(batch);
        let tasks = work::cut(batch, window, signatures);
        match (&self.entries, hash, alphabet) {
            (Some(entries), Hash::Pcg | Hash::Isaac, _) if narrow::suits(&self.parameters) => {
                self.sign_narrow(batch, tasks, entries);
            }
            (Some(entries), ..) => self.sign_with(batch, tasks, || Lookup::new(entries)),
            (None, Hash::Mix64, Alphabet::Dna) => self.sign_with(batch, tasks, || self.rolling()),
            (None, Hash::Mix64, _) => self.sign_with(batch, tasks, || self.hashed()),
            (None, ..) => self.sign_with(batch, tasks, || Remembered::new(&self.parameters)),
        }
        Ok(())
    }
}

/// The letters that occur.
fn seen(letters: &[u8]) -> Vec<u8> {
    let seen = letters.par_chunks(1 << 16).map(|letters| {
        let mut seen = [false; 256];
        letters.iter().for_each(|&letter| seen[letter as usize] = true);
        seen
    });
    let seen = seen.reduce(|| [false; 256], |a, b| std::array::from_fn(|letter| a[letter] | b[letter]));
    (0..=u8::MAX).filter(|&letter| seen[letter as usize]).collect()
}

#[cfg(test)]
mod tests;
