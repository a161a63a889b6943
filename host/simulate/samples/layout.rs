//! Where the signatures are in a sample.
//!
//! The background of a sample has `free` symbols, and so `free + 1` gaps. Each signature gets a uniformly drawn gap, a cut. The
//! signatures are inserted there in random order, and each start moves on by the length of the signatures before it:
//!
//! ```text
//! background  . . . . . .      cuts 2 and 4
//! sample      . . [ A ] . . [  B  ] . .
//! ```
//!
//! So signatures do not overlap, all are complete, and every layout is possible, also one with adjacent signatures.

use super::Recipe;
use crate::error::{Error, Result};
use crate::scan::Signature;
use crate::simulate::{Kind, below, stream, unit, within};
use rand_chacha::ChaCha8Rng;

/// A signature and its position.
pub(super) struct Insert {
    pub(super) signature: usize,
    pub(super) reverse: bool,
    pub(super) start: usize,
}

/// A sample without its bases and qualities.
pub(super) struct Layout {
    pub(super) length: usize,
    pub(super) mean_phred: f64,
    /// In order of their starts.
    pub(super) inserts: Vec<Insert>,
}

impl Layout {
    /// Draws the layout of sample `k`.
    ///
    /// # Errors
    /// [`Error::Usage`] if the signatures drawn are longer than the sample.
    pub(super) fn draw(k: usize, recipe: &Recipe, signatures: &[Signature]) -> Result<Self> {
        let mut random = stream(recipe.seed, Kind::SampleLayout, k);
        let length = within(&mut random, &recipe.lengths);
        let (least, greatest) = (f64::from(*recipe.phred.start()), f64::from(*recipe.phred.end()));
        let mean_phred = least + unit(&mut random) * (greatest - least);
        let chosen = match holds_viruses(k, recipe) {
            true => {
                let count = within(&mut random, &recipe.viruses);
                distinct(&mut random, count, signatures.len())
            }
            false => Vec::new(),
        };
        let taken: usize = chosen.iter().map(|&signature| signatures[signature].bases().len()).sum();
        let Some(free) = length.checked_sub(taken) else {
            return Err(Error::Usage(format!(
                "sample_{k} of {length} symbols cannot hold the {} signatures drawn for it, {taken} symbols together: raise \
                 the smallest sample length, or lower the largest number of viruses",
                chosen.len()
            )));
        };
        let mut cuts: Vec<usize> = chosen.iter().map(|_| below(&mut random, free + 1)).collect();
        cuts.sort_unstable();
        let mut before = 0;
        let place = |(signature, cut): (usize, usize)| {
            let start = cut + before;
            before += signatures[signature].bases().len();
            Insert { signature, reverse: recipe.both_strands && below(&mut random, 2) == 1, start }
        };
        Ok(Self { length, mean_phred, inserts: chosen.into_iter().zip(cuts).map(place).collect() })
    }
}

/// Whether sample `k` has signatures. Such samples are spread evenly, and the last sample is one if there are any.
fn holds_viruses(k: usize, recipe: &Recipe) -> bool {
    let (with, all) = (recipe.with as u128, (recipe.without + recipe.with) as u128);
    let until = |k: u128| k * with / all;
    until(k as u128 + 1) > until(k as u128)
}

/// `count` distinct numbers below `end` in random order: a shuffle of 0..end that stops early and stores only moved numbers.
fn distinct(random: &mut ChaCha8Rng, count: usize, end: usize) -> Vec<usize> {
    let mut moved = std::collections::HashMap::new();
    (0..count)
        .map(|at| {
            let from = at + below(random, end - at);
            let here = moved.get(&at).copied().unwrap_or(at);
            moved.insert(from, here).unwrap_or(from)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinct_numbers_are_distinct_and_uniform() {
        let mut random = stream(1, Kind::SampleLayout, 0);
        let mut counts = [[0; 5]; 5];
        for _ in 0..10_000 {
            let mut all = distinct(&mut random, 5, 5);
            all.iter().enumerate().for_each(|(at, &number)| counts[at][number] += 1);
            all.sort_unstable();
            assert_eq!(all, [0, 1, 2, 3, 4]);
        }
        assert!(counts.iter().flatten().all(|count| (1800..2200).contains(count)), "{counts:?}");
    }
}
