//! Dense vectors: each 64 elements are an output of splitmix64 (Steele, Lea and Flood 2014, OOPSLA, p. 453) for the key of the
//! k-mer. Eight outputs are computed side by side.
//!
//! The key of DNA is the 2-bit codes of the k-mer, that of other alphabets the FNV-1a of its residues.

use super::super::lanes::{LANES, Lanes, Vector};
use super::{Vectors, residues};
use crate::Parameters;
use std::array::from_fn;
use std::ops::Range;
use warpseq_gpu::sign::cell::{FNV_START, fnv, is_periodic};
use warpseq_seq::{Wildcards, iupac};

/// The generator's increment: 2^64 divided by the golden ratio.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Computes vectors before they are counted.
#[derive(Clone)]
pub struct Mixed<K> {
    key: K,
    keys: Vec<u64>,
    found: usize,
}

impl<K: Key> Mixed<K> {
    /// The vectors of k-mers with these keys.
    pub fn new(key: K) -> Self {
        Self { key, keys: Vec::new(), found: 0 }
    }
}

impl<K: Key> Vectors for Mixed<K> {
    #[inline(always)]
    fn begin(&mut self) {
        self.key.begin();
    }

    #[inline(always)]
    fn find(&mut self, sequence: &[u8], starts: Range<usize>) -> usize {
        self.found = self.key.find(sequence, starts, &mut self.keys);
        self.found
    }

    #[inline(always)]
    fn lay_out<V: Vector>(&self, proof: V, block: usize, first: usize, rows: &mut [Lanes]) {
        let column = |lane| (block * LANES + lane) as u64;
        let increments = proof.load(&Lanes(from_fn(|lane| (column(lane) + 1).wrapping_mul(GAMMA))));
        let (a, b) = (proof.splat(0xbf58_476d_1ce4_e5b9), proof.splat(0x94d0_49bb_1331_11eb));
        for (row, &key) in rows.iter_mut().zip(&self.keys[first..self.found]) {
            let state = proof.splat(key).plus(increments);
            let state = state.xor(state.shifted_right::<30>()).times(a);
            let state = state.xor(state.shifted_right::<27>()).times(b);
            *row = state.xor(state.shifted_right::<31>()).store();
        }
    }
}

/// K-mers that are hashed side by side.
const TOGETHER: usize = 8;

/// Finds the keys of k-mers.
pub trait Key: Clone {
    /// Starts a new sequence.
    fn begin(&mut self);

    /// Writes the keys of the k-mers that start in `starts` to the start of `keys`, which grows if it must. Returns how many
    /// there are.
    fn find(&mut self, sequence: &[u8], starts: Range<usize>, keys: &mut Vec<u64>) -> usize;
}

/// Codes of DNA k-mers and of their reverse complements, rolled from one k-mer to the next.
#[derive(Clone)]
pub struct Rolling {
    /// 2-bit code of each byte; [`Rolling::OTHER`] for bytes that are not A, C, G, T or U.
    codes: [u8; 256],
    step: Step,
    k: usize,
    /// K-mers with a period of at most this are skipped.
    longest_period: u32,
    state: State,
}

/// How a base changes the state.
#[derive(Clone, Copy)]
struct Step {
    /// Position of the first base's code in that of a k-mer.
    top: u32,
    /// The bits of a k-mer's code.
    mask: u64,
    /// All bits are set if reverse complements do not count, so that none is smaller than its k-mer.
    apart: u64,
}

/// The state after some bytes of a sequence.
#[derive(Clone, Copy, Default)]
struct State {
    /// Bases since the last byte that is not a base.
    run: usize,
    forward: u64,
    reverse: u64,
    /// Position of the next byte; 0 before the first.
    next: usize,
}

impl Step {
    /// The state after one more byte.
    #[inline(always)]
    fn after(self, state: State, code: u8) -> State {
        State {
            run: if code < Rolling::OTHER { state.run + 1 } else { 0 },
            forward: (state.forward << 2 | u64::from(code & 3)) & self.mask,
            reverse: state.reverse >> 2 | u64::from(code & 3 ^ 3) << self.top,
            next: state.next + 1,
        }
    }
}

impl Rolling {
    const OTHER: u8 = iupac::WILD;

    /// The keys of these parameters.
    pub fn new(parameters: &Parameters) -> Self {
        let apart = if parameters.canonical { 0 } else { u64::MAX };
        let k = parameters.k;
        let step = Step { top: 2 * (k - 1), mask: u64::MAX >> (64 - 2 * k), apart };
        let (codes, longest_period) = (*iupac::digits(Wildcards::Iupac), parameters.longest_period());
        Self { codes, step, k: k as usize, longest_period, state: State::default() }
    }
}

impl Key for Rolling {
    #[inline(always)]
    fn begin(&mut self) {
        self.state = State::default();
    }

    #[inline(always)]
    fn find(&mut self, sequence: &[u8], starts: Range<usize>, keys: &mut Vec<u64>) -> usize {
        let Self { ref codes, step, k, longest_period, mut state } = *self;
        let first = starts.start + k - 1;
        if state.next != first {
            state = State { next: starts.start, ..State::default() };
            for &byte in &sequence[starts.start..first] {
                state = step.after(state, codes[byte as usize]);
            }
        }
        if keys.len() < starts.len() {
            keys.resize(starts.len(), 0);
        }
        let (keys, mut found) = (&mut keys[..starts.len()], 0);
        for &byte in &sequence[first..first + starts.len()] {
            state = step.after(state, codes[byte as usize]);
            keys[found] = state.forward.min(state.reverse | step.apart);
            found += usize::from(state.run >= k);
        }
        self.state = state;
        if longest_period == 0 { found } else { keep_complex(&mut keys[..found], k as u32, longest_period) }
    }
}

/// Moves the keys of k-mers without a short period to the front. Returns how many there are.
#[inline(always)]
fn keep_complex(keys: &mut [u64], k: u32, longest_period: u32) -> usize {
    let mut kept = 0;
    for at in 0..keys.len() {
        let key = keys[at];
        keys[kept] = key;
        kept += usize::from(!is_periodic(key, k, longest_period));
    }
    kept
}

/// FNV-1a of the residues of k-mers (Fowler, Noll and Vo 1991).
#[derive(Clone)]
pub struct Hashed {
    residues: [Option<u8>; 256],
    k: usize,
    /// The residues of a stretch, and the padding that is read beyond it.
    stretch: Vec<u8>,
}

impl Hashed {
    /// The keys of these parameters.
    pub fn new(parameters: &Parameters) -> Self {
        Self { residues: residues(parameters.alphabet), k: parameters.k as usize, stretch: Vec::new() }
    }

    /// Reads the stretch. Returns whether k-mers may contain all of it.
    #[inline(always)]
    fn read(&mut self, bytes: &[u8]) -> bool {
        let mut all = true;
        self.stretch.clear();
        self.stretch.extend(bytes.iter().map(|&byte| {
            let residue = self.residues[byte as usize];
            all &= residue.is_some();
            residue.unwrap_or(0)
        }));
        self.stretch.resize(bytes.len() + TOGETHER, 0);
        all
    }

    /// Keeps the keys of k-mers without other symbols.
    #[inline(always)]
    fn keep(&self, bytes: &[u8], keys: &mut [u64]) -> usize {
        let (mut found, mut run) = (0, 0);
        for (end, &byte) in bytes.iter().enumerate() {
            run = if self.residues[byte as usize].is_some() { run + 1 } else { 0 };
            if run >= self.k {
                keys[found] = keys[end + 1 - self.k];
                found += 1;
            }
        }
        found
    }
}

impl Key for Hashed {
    #[inline(always)]
    fn begin(&mut self) {}

    #[inline(always)]
    fn find(&mut self, sequence: &[u8], starts: Range<usize>, keys: &mut Vec<u64>) -> usize {
        let bytes = &sequence[starts.start..starts.end + self.k - 1];
        let all = self.read(bytes);
        let rounded = starts.len().next_multiple_of(TOGETHER);
        if keys.len() < rounded {
            keys.resize(rounded, 0);
        }
        for (group, keys) in keys[..rounded].chunks_exact_mut(TOGETHER).enumerate() {
            let mut hashes = [FNV_START; TOGETHER];
            for j in 0..self.k {
                let residues = &self.stretch[group * TOGETHER + j..][..TOGETHER];
                hashes = from_fn(|lane| fnv(hashes[lane], u32::from(residues[lane])));
            }
            keys.copy_from_slice(&hashes);
        }
        if all { starts.len() } else { self.keep(bytes, keys) }
    }
}
