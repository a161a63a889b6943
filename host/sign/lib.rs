//! `sign`: k-mer signatures of sequences, and what they are for: finding, comparing, grouping and showing sequences.
//!
//! # Definition (semantics: the book, `docs/sign.md`)
//!
//! A *k-mer* is k residues in a row. A hash gives each k-mer a vector of `bits` elements, each +1, 0 or -1. The *signature*
//! of a window holds the signs of the sum of its k-mers' vectors, one bit for each element:
//!
//! ```text
//! sequence    M K V L A T ...                        windows overlap by half
//! k-mers      MKV KVL VLA LAT ...                    k = 3
//! vectors     (0 + 0 - ...) (- 0 0 + ...) ...        sparse (pcg, isaac) or dense (mix64)
//! signature   bit e = sum of the vectors at e > 0    element e is bit 7 - (e mod 8) of byte e / 8
//! ```
//!
//! Similar windows share k-mers, so their signatures differ in few bits: a *distance* is the number of bits that differ.
//! Signatures by the signs of random projections are due to Charikar (2002), STOC, p. 380; the sparse vectors and the halves
//! are those of TopSig (Geva and De Vries 2011, CIKM, p. 333) as used for proteins.
//!
//! # Who does what
//!
//! ```text
//! fastx -> Records -> Signer: Signatures -> file | raw        build
//! file -> Collection -> Points -> Hamming: Neighbours        search, dist, cluster, map, tree
//! files -> Writer                                            merge
//! ```
//!
//! Every executor gives the same bytes and the same neighbours: the naive reference, the CPU engine, a GPU
//! and the emulator.

#![deny(missing_docs)]

pub mod caveats;
pub mod check;
pub mod cluster;
pub mod collection;
mod comparison;
mod comparisons;
pub mod composition;
pub mod cpu;
pub mod device;
pub mod dist;
pub mod engine;
pub mod file;
pub mod hamming;
pub mod info;
pub mod input;
pub mod map;
pub mod merge;
pub mod metric;
pub mod open;
pub mod parameters;
pub mod ratio;
pub mod raw;
pub mod reference;
pub mod run;
pub mod search;
pub mod significance;
pub mod signing;
pub mod sink;
pub mod sparse;
pub mod tree;
pub mod wanted;
pub mod window;
pub mod words;

pub use comparison::{
    Compared, Comparer, Comparing, Comparison, Distances, Limits, NO_TARGET, Neighbour, Points, least, nearest,
};
pub use parameters::{Hash, Parameters, Words};
pub use warpseq_seq::{Alphabet, Records};
pub use window::Window;

use warpseq_engine::executor::Problem;

/// Signatures of windows, in the windows' order: those of the first sequence, then those of the second.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signatures {
    /// `bits / 8` bytes per window; zeros for a window without a k-mer.
    pub bytes: Vec<u8>,
    /// A byte per window: 1 if it has a k-mer, else 0.
    pub present: Vec<u8>,
}

impl Signatures {
    /// The number of windows.
    pub fn len(&self) -> usize {
        self.present.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.present.is_empty()
    }

    /// Makes room for `windows` signatures of `bytes` bytes each, reusing memory. Their contents are unspecified.
    pub fn resize(&mut self, windows: usize, bytes: usize) {
        self.bytes.resize(windows * bytes, 0);
        self.present.resize(windows, 0);
    }
}

/// The signatures of all windows of a batch. An empty sequence has one window, which has no k-mer.
pub struct Signing;

impl Problem for Signing {
    type Job<'j> = &'j Records;
    type Output = Signatures;
}
