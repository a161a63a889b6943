//! Random choices that do not depend on a library's choice of algorithm.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// A uniform integer below `end` > 0, from one 64-bit draw by one multiplication. The bias is below `end` / 2^64.
pub fn below(random: &mut ChaCha8Rng, end: usize) -> usize {
    ((u128::from(random.next_u64()) * end as u128) >> 64) as usize
}
