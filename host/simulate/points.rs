//! Random bit signatures: each bit is uniform.

use super::{Kind, stream};
use crate::error::{Error, Result};
use rand::Rng;
use rayon::prelude::*;

/// What to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// How many points there are.
    pub count: usize,
    /// Bits of a signature: a multiple of 64, from 64 to 65,536.
    pub bits: u32,
    /// The same seed gives the same data.
    pub seed: u64,
}

/// Makes signatures.
pub struct Points {
    recipe: Recipe,
}

impl Points {
    /// # Errors
    /// [`Error::Usage`] for another number of bits.
    pub fn new(recipe: Recipe) -> Result<Self> {
        match recipe.bits {
            bits if (64..=65_536).contains(&bits) && bits % 64 == 0 => Ok(Self { recipe }),
            bits => Err(Error::Usage(format!("a signature has {bits} bits: give a multiple of 64 from 64 to 65536"))),
        }
    }

    /// Makes all signatures, `bits / 8` bytes each, one after another.
    pub fn generate(&self) -> Vec<u8> {
        let width = self.recipe.bits as usize / 8;
        let mut bytes = vec![0; self.recipe.count * width];
        let fill = |(k, point): (usize, &mut [u8])| stream(self.recipe.seed, Kind::Point, k).fill_bytes(point);
        bytes.par_chunks_mut(width).enumerate().for_each(fill);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_bits_are_ones_and_the_seed_fixes_them() {
        let made = |count, seed| Points::new(Recipe { count, bits: 128, seed }).unwrap().generate();
        let bytes = made(1000, 1);
        let ones: u32 = bytes.iter().map(|byte| byte.count_ones()).sum();
        assert!(bytes.len() == 16_000 && (63_000..65_000).contains(&ones), "{ones} of 128000");
        assert_eq!(made(10, 1), bytes[..160]);
        assert_ne!(made(10, 2), bytes[..160]);
    }

    #[test]
    fn bits_that_no_signature_has_are_refused() {
        for bits in [0, 100, 65_600] {
            assert_eq!(Points::new(Recipe { count: 1, bits, seed: 1 }).err().unwrap().exit_code(), 2);
        }
    }
}
