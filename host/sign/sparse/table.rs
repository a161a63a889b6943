//! The vectors of all k-mers of some residues.

use super::Sparse;
use crate::Parameters;
use rayon::prelude::*;
use warpseq_seq::{Wildcards, strand::reverse_complement};

/// Sparse vectors by the codes of k-mers, in the form that counting asks for (see [the module](super)).
///
/// The code of a k-mer is a number whose digits are the places of its residues in the list, that of the first residue highest.
/// With [`Parameters::canonical`], the entry of a k-mer is the vector of the smaller of it and its reverse complement.
#[derive(Clone, Debug)]
pub struct Table {
    residues: Vec<u8>,
    kmers: usize,
    columns: usize,
    pairs: Vec<[u64; 2]>,
}

impl Table {
    /// The number of k-mers of so many different residues; `None` if it does not fit `usize`.
    pub fn entries(parameters: &Parameters, residues: usize) -> Option<usize> {
        residues.checked_pow(parameters.k)
    }

    /// Draws the vectors of all k-mers of `residues`, which are in the order of their codes, on all cores of rayon's
    /// current thread pool.
    ///
    /// # Panics
    /// When the table is too large to be addressed ([`Table::entries`]).
    pub fn new(parameters: &Parameters, residues: &[u8]) -> Self {
        let kmers = Self::entries(parameters, residues.len()).expect("the caller asked how many k-mers there are");
        let columns = parameters.bits as usize / 64;
        let mut pairs = vec![[u64::MAX, 0]; (kmers + 1) * columns];
        let sparse = Sparse::new(parameters);
        pairs[..kmers * columns].par_chunks_mut(columns).enumerate().for_each_init(
            || (vec![0; columns], vec![0; columns]),
            |(positive, negative), (code, entry)| {
                let kmer = spelled(residues, parameters.k, code);
                let kmer = if parameters.canonical { canonical(kmer) } else { kmer };
                sparse.vector(&kmer, positive, negative);
                for (pair, (&positive, &negative)) in entry.iter_mut().zip(positive.iter().zip(&*negative)) {
                    *pair = [positive, !negative];
                }
            },
        );
        Self { residues: residues.to_vec(), kmers, columns, pairs }
    }

    /// The residues, in the order of their codes.
    pub fn residues(&self) -> &[u8] {
        &self.residues
    }

    /// The number of k-mers. The entry after theirs is the neutral one of a missing k-mer.
    pub fn kmers(&self) -> usize {
        self.kmers
    }

    /// Pairs of an entry: `bits / 64`, one for every 64 elements.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All entries by code, then the neutral one: `columns()` pairs each of (positive, inverted negative) bits.
    pub fn pairs(&self) -> &[[u64; 2]] {
        &self.pairs
    }

    /// [`Table::pairs`], to keep.
    pub fn into_pairs(self) -> Vec<[u64; 2]> {
        self.pairs
    }
}

/// The k-mer of a code.
pub fn spelled(residues: &[u8], k: u32, mut code: usize) -> Vec<u8> {
    let mut kmer = vec![0; k as usize];
    for residue in kmer.iter_mut().rev() {
        *residue = residues[code % residues.len()];
        code /= residues.len();
    }
    kmer
}

/// The smaller of a DNA k-mer, in upper case, and its reverse complement.
pub fn canonical(kmer: Vec<u8>) -> Vec<u8> {
    let reverse = reverse_complement(&kmer, Wildcards::N);
    kmer.min(reverse)
}
