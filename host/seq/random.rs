//! Random choices that do not depend on a library's choice of algorithm: results hold them, so they may never change.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::ops::RangeInclusive;

/// A uniform integer below `end` > 0, from one 64-bit draw by one multiplication. The bias is below `end` / 2^64.
pub fn below(random: &mut ChaCha8Rng, end: usize) -> usize {
    ((u128::from(random.next_u64()) * end as u128) >> 64) as usize
}

/// A uniform integer of a range that is not empty.
pub fn within(random: &mut ChaCha8Rng, range: &RangeInclusive<usize>) -> usize {
    range.start() + below(random, range.end() - range.start() + 1)
}

/// A uniform number of [0, 1).
pub fn unit(random: &mut ChaCha8Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn draws_stay_in_their_ranges_and_reach_the_ends() {
        let random = &mut ChaCha8Rng::seed_from_u64(1);
        let drawn: Vec<_> = (0..1000).map(|_| within(random, &(3..=6))).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&3), Some(&6)));
        assert!((0..1000).map(|_| unit(random)).all(|number| (0.0..1.0).contains(&number)));
    }
}
