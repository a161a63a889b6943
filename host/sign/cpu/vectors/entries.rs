//! Vectors from a table of all k-mers of some residues.

use super::super::lanes::{ByteTable, LANES, Lanes, Vector};
use super::Vectors;
use crate::Parameters;
use crate::sparse::{Table, spelled};
use std::ops::Range;

/// Of a byte that no k-mer contains, if there are such bytes.
const MISSING: u8 = u8::MAX;

/// The codes of residues and of k-mers, as in [`Table`].
#[derive(Clone)]
pub struct Codes {
    /// Code of each byte; [`MISSING`] for one that no k-mer contains.
    residues: ByteTable,
    /// How many residues there are.
    base: u32,
    /// How many k-mers there are. This is also the code of a missing k-mer.
    pub kmers: u32,
    pub k: usize,
}

impl Codes {
    fn new(parameters: &Parameters, residues: &[u8], kmers: usize) -> Self {
        assert!(kmers < 1 << 23, "a code times 256 residues is a number of 32 bits");
        let place = |residue| residues.iter().position(|&other| other == residue);
        let code = |residue: Option<u8>| residue.and_then(place).map_or(MISSING, |place| place as u8);
        let residue_codes = super::residues(parameters.alphabet).map(code);
        Self {
            residues: ByteTable::new(residue_codes),
            base: residues.len() as u32,
            kmers: kmers as u32,
            k: parameters.k as usize,
        }
    }

    /// Replaces `codes` by those of the k-mers that start in `starts`, with [`Codes::kmers`] for those with another symbol. Returns
    /// whether there are none of these.
    ///
    /// A code grows residue by residue. Where symbols are missing, it is capped at the number of k-mers. The code of a k-mer never reaches
    /// the cap. That of a missing k-mer stays at the cap once it is there, because each further step multiplies by at least 1.
    #[inline(always)]
    pub fn find<V: Vector>(
        &self,
        proof: V,
        (sequence, starts): (&[u8], Range<usize>),
        codes: &mut Vec<u32>,
        residues: &mut Vec<u8>,
    ) -> bool {
        codes.resize(starts.len(), 0);
        if starts.is_empty() {
            return true;
        }
        let bytes = &sequence[starts.start..starts.end + self.k - 1];
        residues.resize(bytes.len(), 0);
        proof.look_up(&self.residues, bytes, residues);
        // Where all bytes have codes, none is missing.
        if self.base > MISSING.into() || residues.iter().fold(0, |most, &residue| most.max(residue)) < MISSING {
            for (code, &residue) in codes.iter_mut().zip(&*residues) {
                *code = residue.into();
            }
            for j in 1..self.k {
                for (code, &residue) in codes.iter_mut().zip(&residues[j..]) {
                    *code = *code * self.base + u32::from(residue);
                }
            }
            return true;
        }
        codes.fill(0);
        for j in 0..self.k {
            for (code, &residue) in codes.iter_mut().zip(&residues[j..]) {
                let residue = if residue == MISSING { self.kmers } else { residue.into() };
                *code = (*code * self.base + residue).min(self.kmers);
            }
        }
        codes.iter().fold(0, |most, &code| most.max(code)) < self.kmers
    }
}

/// The vectors of all k-mers.
pub struct Entries {
    pub codes: Codes,
    /// The residues that have codes.
    pub residues: Vec<u8>,
    /// Lanes of a vector.
    stride: usize,
    /// The vectors by code, then that of the missing k-mer, then one row of padding.
    lanes: Vec<u64>,
}

impl Entries {
    /// Those of a table of sparse vectors.
    pub fn sparse(parameters: &Parameters, residues: &[u8]) -> Self {
        let table = Table::new(parameters, residues);
        let (kmers, stride) = (table.kmers(), 2 * table.columns());
        Self::new(parameters, residues, kmers, stride, table.into_pairs().into_flattened())
    }

    /// Those of dense vectors.
    pub fn dense(parameters: &Parameters, residues: &[u8], mut vectors: impl Vectors) -> Self {
        let kmers = residues.len().pow(parameters.k);
        let stride = parameters.bits as usize / 64;
        let mut lanes = Vec::with_capacity((kmers + 1) * stride + LANES);
        for code in 0..kmers {
            let kmer = spelled(residues, parameters.k, code);
            vectors.begin();
            vectors.find(&kmer, 0..1);
            for block in 0..stride.div_ceil(LANES) {
                let mut row = [Lanes::ZERO];
                vectors.lay_out(Lanes::ZERO, block, 0, &mut row);
                lanes.extend(row[0].0.iter().take(stride - block * LANES));
            }
        }
        Self::new(parameters, residues, kmers, stride, lanes)
    }

    fn new(parameters: &Parameters, residues: &[u8], kmers: usize, stride: usize, mut lanes: Vec<u64>) -> Self {
        lanes.resize((kmers + 1) * stride + LANES, 0);
        Self { codes: Codes::new(parameters, residues, kmers), residues: residues.to_vec(), stride, lanes }
    }

    /// The vectors as pairs of lanes, if each has two.
    pub fn pairs(&self) -> &[[u64; 2]] {
        assert_eq!(self.stride, 2, "vectors of one column");
        self.lanes.as_chunks().0
    }
}

/// Looks up the vectors of k-mers.
pub struct Lookup<'a> {
    entries: &'a Entries,
    /// Codes of the k-mers found.
    codes: Vec<u32>,
    residues: Vec<u8>,
}

impl<'a> Lookup<'a> {
    /// The vectors of a table.
    pub fn new(entries: &'a Entries) -> Self {
        Self { entries, codes: Vec::new(), residues: Vec::new() }
    }
}

impl Vectors for Lookup<'_> {
    #[inline(always)]
    fn begin(&mut self) {}

    #[inline(always)]
    fn find(&mut self, sequence: &[u8], starts: Range<usize>) -> usize {
        let codes = &self.entries.codes;
        if !codes.find(Lanes::ZERO, (sequence, starts), &mut self.codes, &mut self.residues) {
            self.codes.retain(|&code| code < codes.kmers);
        }
        self.codes.len()
    }

    #[inline(always)]
    fn lay_out<V: Vector>(&self, _: V, block: usize, first: usize, rows: &mut [Lanes]) {
        lay_out(&self.entries.lanes[block * LANES..], self.entries.stride, &self.codes[first..], rows);
    }
}

/// Copies a row of each vector in `places`. `lanes` holds all vectors from the first lane of the row on, and a row of padding.
#[inline(always)]
pub fn lay_out(lanes: &[u64], stride: usize, places: &[u32], rows: &mut [Lanes]) {
    for (row, &place) in rows.iter_mut().zip(places) {
        row.0.copy_from_slice(&lanes[place as usize * stride..][..LANES]);
    }
}
