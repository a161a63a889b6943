//! Which of many things may be there more than once: a bit for each of many hashes says so without putting them in order.

use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bits for each thing: of things that are there once, about one of so many is taken for one that is not.
const BITS_EACH: usize = 16;

/// The numbers, rising, of those of so many things that share some bits of their hashes, all 64 of which are to be used, with another: all that are
/// there more than once, and few others.
pub fn maybe_twice(count: usize, hash: impl Fn(usize) -> u64 + Sync) -> Vec<u32> {
    let words = (count * BITS_EACH / 64).next_power_of_two();
    let [once, twice] = [(); 2].map(|()| (0..words).map(|_| AtomicU64::new(0)).collect::<Vec<_>>());
    let place = |number: usize| {
        let hash = hash(number);
        ((hash >> 6) as usize & (words - 1), 1 << (hash & 63))
    };
    (0..count).into_par_iter().for_each(|number| {
        let (word, bit) = place(number);
        if once[word].fetch_or(bit, Ordering::Relaxed) & bit != 0 {
            twice[word].fetch_or(bit, Ordering::Relaxed);
        }
    });
    let is_twice = |&number: &usize| {
        let (word, bit) = place(number);
        twice[word].load(Ordering::Relaxed) & bit != 0
    };
    (0..count).into_par_iter().filter(is_twice).map(|number| number as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_are_there_twice_are_found_and_few_others() {
        let mixed = |k: u64| k.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ k << 17;
        let of = |things: &[u64]| maybe_twice(things.len(), |k| mixed(things[k]) ^ mixed(things[k]) >> 29);
        assert_eq!((of(&[]), of(&[7]), of(&[7, 3, 7])), (vec![], vec![], vec![0, 2]));
        let mut things: Vec<u64> = (1..20_000).collect();
        let once = of(&things);
        assert!(once.len() < 20_000 / 6, "{}", once.len());
        things.extend(5_000..5_100);
        let twice = of(&things);
        let all = (4_999..5_099).chain(19_999..20_099);
        assert!(twice.is_sorted() && all.into_iter().all(|number| twice.contains(&number)));
    }
}
