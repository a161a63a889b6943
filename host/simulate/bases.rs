//! Random bases.

use crate::error::Result;
use crate::simulate::check_ratio;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use warpseq_seq::alphabet::BASES;

/// Makes one base per random word: the low two bits choose the base, the other 30 whether it is `N` instead.
#[derive(Clone, Copy)]
pub(super) struct Bases {
    /// `N` if the 30 bits are below this, at most 2^30.
    n_below: u32,
}

impl Bases {
    /// Each base is `N` with probability `n_ratio`, to 30 bits, and otherwise one of ACGT, uniformly.
    pub(super) fn new(n_ratio: f64) -> Result<Self> {
        check_ratio("ratio of N", n_ratio)?;
        Ok(Self { n_below: (n_ratio * f64::from(1u32 << 30)).round() as u32 })
    }

    /// The base of a random word.
    #[inline]
    pub(super) fn base(self, word: u32) -> u8 {
        let base = BASES[(word & 3) as usize];
        if word >> 2 < self.n_below { b'N' } else { base }
    }

    /// `length` random bases.
    pub(super) fn sequence(self, random: &mut ChaCha8Rng, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.base(random.next_u32())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::{Kind, stream};

    #[test]
    fn ratios_of_n_are_met_and_the_ends_are_exact() {
        for (n_ratio, from, to) in [(0.0, 0, 0), (0.1, 9_700, 10_300), (1.0, 100_000, 100_000)] {
            let bases = Bases::new(n_ratio).unwrap().sequence(&mut stream(1, Kind::Signature, 0), 100_000);
            let n = bases.iter().filter(|&&base| base == b'N').count();
            assert!((from..=to).contains(&n), "{n} of 100000 at {n_ratio}");
        }
        assert!(Bases::new(1.5).is_err() && Bases::new(f64::NAN).is_err());
    }

    #[test]
    fn bases_are_uniform() {
        let bases = Bases::new(0.0).unwrap().sequence(&mut stream(2, Kind::Signature, 0), 100_000);
        for &wanted in BASES {
            let count = bases.iter().filter(|&&base| base == wanted).count();
            assert!((24_400..25_600).contains(&count), "{count} {}", wanted as char);
        }
    }
}
