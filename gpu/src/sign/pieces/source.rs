//! Where vectors come from: made from a key, or looked up in a table.

use super::super::cell::{FNV_START, GAMMA, amino_acid, fnv, mix, reverse_complement, word};
use super::counter::Counts;
use crate::abi::PiecesArgs;
use crate::tuning::{ALPHABET_DNA, ALPHABET_PROTEIN, STAGE, UNKNOWN_CODE};
use cuda_std::{Shared, U32x4, bits};

/// A kind of vectors.
pub trait Source<'a> {
    /// Words of ones that a vector adds to the counts: 1 when its elements are +1 or -1, 2 when they may be 0.
    const INPUTS: u32;
    /// Turns of [`STAGE`] words that counts in registers hold.
    const TURNS: u32 = 255 / (STAGE * Self::INPUTS);

    /// For the 64 elements `word` of the vectors.
    fn new(args: &PiecesArgs<'a>, word: u32) -> Self;

    /// What the lanes need to know of the word that begins at `letter`: two numbers, and ones when it is a word.
    fn stage(args: &PiecesArgs<'a>, letter: u32) -> U32x4;

    /// Adds the vectors of [`STAGE`] staged words; how many of them are words.
    fn count(&self, staged: &Shared<U32x4>, counts: &mut Counts) -> u32;
}

/// Ones when `is_word`.
#[inline(always)]
fn staged(value: u64, is_word: bool) -> U32x4 {
    if is_word { U32x4([value as u32, (value >> 32) as u32, u32::MAX, 0]) } else { U32x4::default() }
}

/// Outputs of splitmix64 from the word's key.
pub struct Dense {
    /// What this lane's state is ahead of the key.
    ahead: u64,
}

impl Dense {
    /// The key of a word of DNA.
    #[inline(always)]
    fn dna(args: &PiecesArgs, letter: u32) -> U32x4 {
        let k = args.rules.k;
        let (at, by) = (letter / 16, 2 * (letter % 16));
        let [a, b, c] = [0, 1, 2].map(|next| args.packed.read(at + next));
        let left = |high: u32, low: u32| ((u64::from(high) << 32 | u64::from(low)) << by >> 32) as u32;
        let letters = u64::from(left(a, b)) << 32 | u64::from(left(b, c));
        let (at, by) = (letter / 32, letter % 32);
        let known = bits::funnel_shift_right(args.known.read(at), args.known.read(at + 1), by);
        let wanted = u32::MAX >> (32 - k);
        let forward = word(letters, k);
        let key = if args.rules.canonical == 0 { forward } else { forward.min(reverse_complement(letters, k)) };
        staged(key, known & wanted == wanted)
    }

    /// The key of a word of bytes.
    #[inline(always)]
    fn bytes(args: &PiecesArgs, letter: u32) -> U32x4 {
        let (mut key, mut is_word) = (FNV_START, true);
        for at in 0..args.rules.k {
            let byte = u32::from(args.letters.read(letter + at));
            let known = if args.rules.alphabet == ALPHABET_PROTEIN { amino_acid(byte) } else { Some(byte) };
            is_word &= known.is_some();
            key = fnv(key, known.unwrap_or(0));
        }
        staged(key, is_word)
    }
}

impl<'a> Source<'a> for Dense {
    const INPUTS: u32 = 1;

    #[inline(always)]
    fn new(_: &PiecesArgs<'a>, word: u32) -> Self {
        Self { ahead: u64::from(word + 1).wrapping_mul(GAMMA) }
    }

    #[inline(always)]
    fn stage(args: &PiecesArgs<'a>, letter: u32) -> U32x4 {
        if args.rules.alphabet == ALPHABET_DNA { Self::dna(args, letter) } else { Self::bytes(args, letter) }
    }

    #[inline(always)]
    fn count(&self, staged: &Shared<U32x4>, counts: &mut Counts) -> u32 {
        let mut seen = 0;
        each!(first in 0 8; {
            let mut inputs = [0; 8];
            each!(at in 0 1 2 3 4 5 6 7; {
                let U32x4([low, high, mask, _]) = staged.read((first + at) as u32);
                let key = u64::from(high) << 32 | u64::from(low);
                inputs[at] = mix(key.wrapping_add(self.ahead)) & (u64::from(mask) << 32 | u64::from(mask));
                seen += mask & 1;
            });
            counts.add(inputs);
        });
        seen
    }
}

/// A table of all words' vectors, in device memory.
pub struct Sparse<'a> {
    args: PiecesArgs<'a>,
    word: u32,
}

impl<'a> Source<'a> for Sparse<'a> {
    const INPUTS: u32 = 2;

    #[inline(always)]
    fn new(args: &PiecesArgs<'a>, word: u32) -> Self {
        Self { args: *args, word: word.min(args.rules.vectors - 1) }
    }

    #[inline(always)]
    fn stage(args: &PiecesArgs<'a>, letter: u32) -> U32x4 {
        let (mut word, mut greatest) = (0u32, 0);
        for at in 0..args.rules.k {
            let code = args.codes.read(u32::from(args.letters.read(letter + at)));
            // What a letter that words do not hold makes of the number does not matter.
            word = word.wrapping_mul(args.rules.letters_known).wrapping_add(code);
            greatest = greatest.max(code);
        }
        if greatest >= UNKNOWN_CODE {
            args.odd.or(0, 1);
        }
        staged(u64::from(word), greatest < args.rules.letters_known)
    }

    #[inline(always)]
    fn count(&self, staged: &Shared<U32x4>, counts: &mut Counts) -> u32 {
        let mut seen = 0;
        each!(first in 0 4 8 12; {
            let mut inputs = [0; 8];
            each!(at in 0 1 2 3; {
                let U32x4([code, _, mask, _]) = staged.read((first + at) as u32);
                let U32x4([a, b, c, d]) = self.args.table.read(code * self.args.rules.vectors + self.word);
                let mask = u64::from(mask) << 32 | u64::from(mask);
                inputs[2 * at] = (u64::from(b) << 32 | u64::from(a)) & mask;
                inputs[2 * at + 1] = (u64::from(d) << 32 | u64::from(c)) & mask;
                seen += mask as u32 & 1;
            });
            counts.add(inputs);
        });
        seen
    }
}
