//! Where vectors come from: computed from a key, or looked up in a table.

use super::super::cell::{FNV_START, GAMMA, amino_acid, fnv, is_periodic, kmer, mix, reverse_complement};
use super::counter::Counts;
use crate::abi::PiecesArgs;
use crate::tuning::{ALPHABET_DNA, ALPHABET_PROTEIN, STAGE, UNKNOWN_CODE};
use cuda_std::{Shared, U32x4, bits};

/// A source of vectors.
pub trait Source<'a> {
    /// Words that a vector adds to the counts: 1 if its elements are +1 or -1, 2 if they may be 0.
    const INPUTS: u32;
    /// Turns of [`STAGE`] k-mers that the counts in registers hold.
    const TURNS: u32 = 255 / (STAGE * Self::INPUTS);

    /// The source of word `word` of the vectors, which is 64 elements.
    fn new(args: &PiecesArgs<'a>, word: u32) -> Self;

    /// What the lanes need to know of the k-mer that begins at `residue`: two words of a number, and a word of ones if
    /// it is a k-mer.
    fn stage(args: &PiecesArgs<'a>, residue: u32) -> U32x4;

    /// Adds the vectors of [`STAGE`] staged k-mers to `counts`. Returns how many of them are k-mers.
    fn count(&self, staged: &Shared<U32x4>, counts: &mut Counts) -> u32;
}

/// A staged k-mer: `value`, and a word of ones if `is_kmer`.
#[inline(always)]
fn staged(value: u64, is_kmer: bool) -> U32x4 {
    if is_kmer { U32x4([value as u32, (value >> 32) as u32, u32::MAX, 0]) } else { U32x4::default() }
}

/// Dense vectors: outputs of splitmix64 from the k-mer's key.
pub struct Dense {
    /// How far this lane's state is ahead of the key.
    ahead: u64,
}

impl Dense {
    /// The key of a k-mer of DNA.
    #[inline(always)]
    fn dna(args: &PiecesArgs, residue: u32) -> U32x4 {
        let k = args.rules.k;
        let (at, by) = (residue / 16, 2 * (residue % 16));
        let [a, b, c] = [0, 1, 2].map(|next| args.packed.read(at + next));
        let left = |high: u32, low: u32| ((u64::from(high) << 32 | u64::from(low)) << by >> 32) as u32;
        let bases = u64::from(left(a, b)) << 32 | u64::from(left(b, c));
        let (at, by) = (residue / 32, residue % 32);
        let known = bits::funnel_shift_right(args.known.read(at), args.known.read(at + 1), by);
        let wanted = u32::MAX >> (32 - k);
        let forward = kmer(bases, k);
        let key = if args.rules.canonical == 0 { forward } else { forward.min(reverse_complement(bases, k)) };
        staged(key, known & wanted == wanted && !is_periodic(forward, k, args.rules.longest_period))
    }

    /// The key of a k-mer of bytes.
    #[inline(always)]
    fn bytes(args: &PiecesArgs, residue: u32) -> U32x4 {
        let (mut key, mut is_kmer) = (FNV_START, true);
        for at in 0..args.rules.k {
            let byte = u32::from(args.residues.read(residue + at));
            let known = if args.rules.alphabet == ALPHABET_PROTEIN { amino_acid(byte) } else { Some(byte) };
            is_kmer &= known.is_some();
            key = fnv(key, known.unwrap_or(0));
        }
        staged(key, is_kmer)
    }
}

impl<'a> Source<'a> for Dense {
    const INPUTS: u32 = 1;

    #[inline(always)]
    fn new(_: &PiecesArgs<'a>, word: u32) -> Self {
        Self { ahead: u64::from(word + 1).wrapping_mul(GAMMA) }
    }

    #[inline(always)]
    fn stage(args: &PiecesArgs<'a>, residue: u32) -> U32x4 {
        if args.rules.alphabet == ALPHABET_DNA { Self::dna(args, residue) } else { Self::bytes(args, residue) }
    }

    #[inline(always)]
    fn count(&self, staged: &Shared<U32x4>, counts: &mut Counts) -> u32 {
        let mut seen = 0;
        unroll!(first in 0 8; {
            let mut inputs = [0; 8];
            unroll!(at in 0 1 2 3 4 5 6 7; {
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

/// Sparse vectors: a table of all k-mers' vectors, in device memory.
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
    fn stage(args: &PiecesArgs<'a>, residue: u32) -> U32x4 {
        let (mut kmer, mut greatest) = (0u32, 0);
        for at in 0..args.rules.k {
            let code = args.codes.read(u32::from(args.residues.read(residue + at)));
            // If a residue is not allowed in k-mers, the number is wrong, but it is not used.
            kmer = kmer.wrapping_mul(args.rules.alphabet_size).wrapping_add(code);
            greatest = greatest.max(code);
        }
        if greatest >= UNKNOWN_CODE {
            args.odd.or(0, 1);
        }
        staged(u64::from(kmer), greatest < args.rules.alphabet_size)
    }

    #[inline(always)]
    fn count(&self, staged: &Shared<U32x4>, counts: &mut Counts) -> u32 {
        let mut seen = 0;
        unroll!(first in 0 4 8 12; {
            let mut inputs = [0; 8];
            unroll!(at in 0 1 2 3; {
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
