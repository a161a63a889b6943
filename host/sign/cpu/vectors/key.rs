//! The keys of words under mix64: 2-bit codes for DNA, FNV-1a for other alphabets.

use super::letters;
use crate::Parameters;
use std::array::from_fn;
use std::ops::Range;
use warpseq_gpu::sign::cell::{FNV_START, fnv};
use warpseq_seq::{Wildcards, iupac};

/// Words hashed side by side.
const TOGETHER: usize = 8;

/// Finds the keys of words.
pub trait Key: Clone {
    /// Forgets the sequence before.
    fn begin(&mut self);

    /// Puts the keys of the words that start in `starts` at the start of `keys`, which may grow longer, and returns how many
    /// there are.
    fn find(&mut self, sequence: &[u8], starts: Range<usize>, keys: &mut Vec<u64>) -> usize;
}

/// Codes of DNA words and of their reverse complements, rolled from one word to the next.
#[derive(Clone)]
pub struct Rolling {
    /// 2-bit codes of bytes; [`Rolling::OTHER`] for those that are no bases.
    codes: [u8; 256],
    step: Step,
    k: usize,
    state: State,
}

/// How a letter changes the state.
#[derive(Clone, Copy)]
struct Step {
    /// Where the first letter's code is in a word's.
    top: u32,
    /// The bits of a word's code.
    mask: u64,
    /// All bits set when reverse complements do not count, which makes them no smaller than any word.
    apart: u64,
}

/// After some letters of a sequence.
#[derive(Clone, Copy, Default)]
struct State {
    /// Bases since the last other letter.
    run: usize,
    forward: u64,
    reverse: u64,
    /// Where the next letter is; 0 before the first.
    next: usize,
}

impl Step {
    /// The state after one more letter.
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
        Self { codes: *iupac::digits(Wildcards::Iupac), step, k: k as usize, state: State::default() }
    }
}

impl Key for Rolling {
    #[inline(always)]
    fn begin(&mut self) {
        self.state = State::default();
    }

    #[inline(always)]
    fn find(&mut self, sequence: &[u8], starts: Range<usize>, keys: &mut Vec<u64>) -> usize {
        let Self { ref codes, step, k, mut state } = *self;
        let first = starts.start + k - 1;
        if state.next != first {
            state = State { next: starts.start, ..State::default() };
            for &letter in &sequence[starts.start..first] {
                state = step.after(state, codes[letter as usize]);
            }
        }
        if keys.len() < starts.len() {
            keys.resize(starts.len(), 0);
        }
        let (keys, mut found) = (&mut keys[..starts.len()], 0);
        for &letter in &sequence[first..first + starts.len()] {
            state = step.after(state, codes[letter as usize]);
            keys[found] = state.forward.min(state.reverse | step.apart);
            found += usize::from(state.run >= k);
        }
        self.state = state;
        found
    }
}

/// FNV-1a of the letters of words (Fowler, Noll and Vo 1991).
#[derive(Clone)]
pub struct Hashed {
    letters: [Option<u8>; 256],
    k: usize,
    /// The letters of a stretch, and as many more as are read beyond it.
    stretch: Vec<u8>,
}

impl Hashed {
    /// The keys of these parameters.
    pub fn new(parameters: &Parameters) -> Self {
        Self { letters: letters(parameters.alphabet), k: parameters.k as usize, stretch: Vec::new() }
    }

    /// Takes the letters up and tells whether all of them make words.
    #[inline(always)]
    fn take(&mut self, letters: &[u8]) -> bool {
        let mut all = true;
        self.stretch.clear();
        self.stretch.extend(letters.iter().map(|&byte| {
            let letter = self.letters[byte as usize];
            all &= letter.is_some();
            letter.unwrap_or(0)
        }));
        self.stretch.resize(letters.len() + TOGETHER, 0);
        all
    }

    /// Keeps the keys of words of which all letters count.
    #[inline(always)]
    fn keep(&self, letters: &[u8], keys: &mut [u64]) -> usize {
        let (mut found, mut run) = (0, 0);
        for (end, &letter) in letters.iter().enumerate() {
            run = if self.letters[letter as usize].is_some() { run + 1 } else { 0 };
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
        let letters = &sequence[starts.start..starts.end + self.k - 1];
        let all = self.take(letters);
        let rounded = starts.len().next_multiple_of(TOGETHER);
        if keys.len() < rounded {
            keys.resize(rounded, 0);
        }
        for (group, keys) in keys[..rounded].chunks_exact_mut(TOGETHER).enumerate() {
            let mut hashes = [FNV_START; TOGETHER];
            for j in 0..self.k {
                let letters = &self.stretch[group * TOGETHER + j..][..TOGETHER];
                hashes = from_fn(|lane| fnv(hashes[lane], u32::from(letters[lane])));
            }
            keys.copy_from_slice(&hashes);
        }
        if all { starts.len() } else { self.keep(letters, keys) }
    }
}
