//! PCG, RXS-M-XS with 32 bits of state (O'Neill 2014), as a hash that is fed its own values.

/// Values for a k-mer of at most 4 residues.
pub struct Pcg {
    seed: u32,
}

impl Pcg {
    /// The k-mer's bytes, the first one highest, are the seed.
    pub fn new(kmer: &[u8]) -> Self {
        Self { seed: kmer.iter().fold(0, |seed, &residue| seed << 8 | u32::from(residue)) }
    }
}

impl Iterator for Pcg {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let value = hash(self.seed);
        self.seed ^= value;
        Some(value)
    }
}

/// One step of the generator and its output permutation.
fn hash(x: u32) -> u32 {
    let state = x.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let mixed = (state >> ((state >> 28) + 4) ^ state).wrapping_mul(277_803_737);
    mixed >> 22 ^ mixed
}
