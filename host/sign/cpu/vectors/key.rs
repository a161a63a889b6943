//! The keys of words under mix64: 2-bit codes for DNA, FNV-1a for other alphabets.

use super::letters;
use crate::sign::{Alphabet, Parameters};
use std::array::from_fn;
use std::ops::Range;

/// FNV-1a with 64 bits (Fowler, Noll and Vo; RFC 9923).
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;
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
    k: usize,
    canonical: bool,
    state: State,
}

/// After some letters of a sequence.
#[derive(Clone, Copy, Default)]
struct State {
    /// Where the next letter is; 0 before the first.
    next: usize,
    /// Bases since the last other letter.
    run: usize,
    forward: u64,
    reverse: u64,
}

impl Rolling {
    const OTHER: u8 = 4;

    /// The keys of these parameters.
    pub fn new(parameters: &Parameters) -> Self {
        let place = |letter| Alphabet::Dna.letters().iter().position(|&base| base == letter);
        let code = |letter: Option<u8>| letter.and_then(place).map_or(Self::OTHER, |code| code as u8);
        let Parameters { k, canonical, .. } = *parameters;
        Self { codes: letters(Alphabet::Dna).map(code), k: k as usize, canonical, state: State::default() }
    }

    /// The state after one more letter.
    #[inline(always)]
    fn after(&self, state: State, letter: u8) -> State {
        let code = self.codes[letter as usize];
        let top = 2 * (self.k as u32 - 1);
        State {
            next: state.next + 1,
            run: if code < Self::OTHER { state.run + 1 } else { 0 },
            forward: (state.forward << 2 | u64::from(code & 3)) & (u64::MAX >> (62 - top)),
            reverse: state.reverse >> 2 | u64::from(code & 3 ^ 3) << top,
        }
    }
}

impl Key for Rolling {
    #[inline(always)]
    fn begin(&mut self) {
        self.state = State::default();
    }

    #[inline(always)]
    fn find(&mut self, sequence: &[u8], starts: Range<usize>, keys: &mut Vec<u64>) -> usize {
        let first = starts.start + self.k - 1;
        let mut state = self.state;
        if state.next != first {
            state = State { next: starts.start, ..State::default() };
            state = sequence[starts.start..first].iter().fold(state, |state, &letter| self.after(state, letter));
        }
        if keys.len() < starts.len() {
            keys.resize(starts.len(), 0);
        }
        let mut found = 0;
        for &letter in &sequence[first..first + starts.len()] {
            state = self.after(state, letter);
            keys[found] = if self.canonical { state.forward.min(state.reverse) } else { state.forward };
            found += usize::from(state.run >= self.k);
        }
        self.state = state;
        found
    }
}

/// FNV-1a of the letters of words.
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
            let mut hashes = [FNV_OFFSET; TOGETHER];
            for j in 0..self.k {
                let letters = &self.stretch[group * TOGETHER + j..][..TOGETHER];
                hashes = from_fn(|lane| (hashes[lane] ^ u64::from(letters[lane])).wrapping_mul(FNV_PRIME));
            }
            keys.copy_from_slice(&hashes);
        }
        if all { starts.len() } else { self.keep(letters, keys) }
    }
}
