//! The numbers of pcg: the output permutation of PCG-RXS-M-XS-32 (O'Neill 2014, HMC-CS-2014-0905) over a seed that its own
//! outputs change.

/// The endless numbers of a k-mer of at most 4 bytes. The seed is its bytes, the first highest; each number is exclusive-ored
/// into it.
pub fn numbers(kmer: &[u8]) -> impl Iterator<Item = u32> {
    let mut seed = kmer.iter().fold(0_u32, |seed, &byte| seed << 8 | u32::from(byte));
    std::iter::repeat_with(move || {
        let number = pcg(seed);
        seed ^= number;
        number
    })
}

fn pcg(x: u32) -> u32 {
    let s = x.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let t = ((s >> ((s >> 28) + 4)) ^ s).wrapping_mul(277_803_737);
    (t >> 22) ^ t
}

#[cfg(test)]
mod tests {
    use super::*;

    /// pcg is a bijection, so there is one such seed: the s of it is 0.
    #[test]
    fn there_is_a_seed_that_stays() {
        assert_eq!(pcg(0x1ACE_07EF), 0);
        assert!(numbers(&[0x1A, 0xCE, 0x07, 0xEF]).take(100).all(|number| number == 0));
    }
}
