//! Near-duplicates at known distances among random signatures, which are nowhere near.

use super::searches::{BITS, random};
use super::{Search, Size, compare};
use crate::conformance::dice::Dice;
use warpseq::sign::{Comparer, Limits, NO_TARGET, Neighbour, least};

/// A signature with `distance` of its bits changed, drawn without repeats.
fn changed(dice: &mut Dice, signature: &[u8], distance: usize) -> Vec<u8> {
    let mut places: Vec<_> = (0..8 * signature.len()).collect();
    let mut copy = signature.to_vec();
    for _ in 0..distance {
        let place = places.swap_remove(dice.below(places.len()));
        copy[place / 8] ^= 1 << (place % 8);
    }
    copy
}

/// Queries, each planted at every distance from 0 to 7, the nearest not first; and what is found within 7 bits. A random
/// signature of 64 bits is as near to one of the queries with a chance of 4e-11.
fn plant(bits: u32, size: Size) -> (Search, Vec<Neighbour>) {
    let (mut dice, width) = (Dice::new(311), bits as usize / 8);
    let queries = random(&mut dice, bits, size.of(3, 20));
    let (mut targets, mut expected) = (Vec::new(), Vec::new());
    for distance in [3, 0, 7, 1, 2, 5, 4, 6] {
        for (query, signature) in queries.chunks(width).enumerate() {
            let between = dice.below(size.of(3, 12));
            targets.extend(random(&mut dice, bits, between));
            let target = (targets.len() / width) as u32;
            expected.push(Neighbour { query: query as u32, distance: distance as u32, target });
            targets.extend(changed(&mut dice, signature, distance));
        }
    }
    expected.sort_unstable();
    (Search { name: format!("planted, {bits} bits"), bits, queries, targets }, expected)
}

pub fn check(executor: &mut Comparer, size: Size) {
    for bits in BITS {
        let (search, planted) = plant(bits, size);
        for distance in 0..=7 {
            let limits = Limits { top: None, distance };
            let expected: Vec<_> = planted.iter().filter(|neighbour| neighbour.distance <= distance).copied().collect();
            compare(&search, limits, &search.nearest(executor, limits), &expected);
        }
        for top in 1..=8 {
            let limits = Limits { top: Some(top), distance: bits };
            let expected: Vec<_> = planted.iter().filter(|neighbour| neighbour.distance < top).copied().collect();
            compare(&search, limits, &search.nearest(executor, limits), &expected);
        }
        let everything = [0, 0, search.targets().len() as u32];
        let least = least(executor, search.queries(), search.targets(), &everything).unwrap();
        assert_eq!(least, [NO_TARGET, 0].repeat(search.queries().len()), "{}", search.name);
    }
}
