//! k-means++: first centroids that lie apart (Arthur and Vassilvitskii 2007, SODA, p. 1027).
//!
//! # Definition
//!
//! The first centroid is a point drawn uniformly. Each further one is drawn with a probability proportional to the square of
//! the Hamming distance to the nearest centroid so far. [`trials`] points are drawn in this way (section 7 of the paper:
//! greedy), and the one that leaves the least sum of squares is kept, of equals the first drawn. If every point equals a
//! centroid, the next centroid is the first point that is not one yet.
//!
//! # Reproducible
//!
//! Random numbers are 64-bit draws of ChaCha8 with the key that `rand_core` derives from the seed, in this order, and no
//! others. A draw r means the number floor(r * n / 2^64) below n. For a square-weighted draw n is the sum of the squares, and
//! the point is the first one at which the running sum of squares exceeds the number. All sums are integers: 65,536^2 times
//! 2^31 points fits 64 bits, and so many would take 16 TB.

use super::super::{Comparer, Points, least};
use super::{Recipe, SLICE};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use warpseq_engine::error::Result;
use warpseq_seq::random::below;

/// How many points are tried for a centroid.
fn trials(clusters: u32) -> usize {
    2 + clusters.ilog2() as usize
}

/// The points that are the first centroids: `recipe.k` different ones.
///
/// # Errors
/// Those of the device.
pub fn seeds(points: Points, recipe: Recipe, comparer: &mut Comparer) -> Result<Vec<usize>> {
    let mut random = ChaCha8Rng::seed_from_u64(recipe.seed);
    let first = below(&mut random, points.len());
    let mut seeds = vec![first];
    let mut chosen = vec![false; points.len()];
    chosen[first] = true;
    let mut squares = squares_to(points, &[first], comparer)?.remove(0);
    while seeds.len() < recipe.k as usize {
        let drawn = draw(&squares, trials(recipe.k), &mut random);
        let next = if drawn.is_empty() {
            chosen.iter().position(|chosen| !chosen).expect("more points than centroids so far")
        } else {
            take_best(&mut squares, &drawn, squares_to(points, &drawn, comparer)?)
        };
        chosen[next] = true;
        seeds.push(next);
    }
    Ok(seeds)
}

/// Points drawn with probabilities proportional to the squares; none when all squares are 0.
fn draw(squares: &[u64], count: usize, random: &mut ChaCha8Rng) -> Vec<usize> {
    let add = |sum: &mut u64, &square: &u64| {
        *sum += square;
        Some(*sum)
    };
    let sums: Vec<u64> = squares.iter().scan(0, add).collect();
    match sums.last() {
        None | Some(0) => Vec::new(),
        Some(&total) => {
            let mut one = || below(random, total as usize) as u64;
            (0..count).map(|_| one()).map(|number| sums.partition_point(|&sum| sum <= number)).collect()
        }
    }
}

/// Keeps the drawn point that leaves the least sum of squares, and those squares.
fn take_best(squares: &mut [u64], drawn: &[usize], to_drawn: Vec<Vec<u64>>) -> usize {
    let left = |to: &Vec<u64>| squares.iter().zip(to).map(|(&old, &new)| old.min(new)).sum::<u64>();
    let best = (0..drawn.len()).min_by_key(|&k| left(&to_drawn[k])).expect("at least one point is drawn");
    squares.iter_mut().zip(&to_drawn[best]).for_each(|(old, &new)| *old = new.min(*old));
    drawn[best]
}

/// For each of `targets`, the squares of all points' distances to it.
fn squares_to(points: Points, targets: &[usize], comparer: &mut Comparer) -> Result<Vec<Vec<u64>>> {
    let bytes: Vec<u8> = targets.iter().flat_map(|&target| points.get(target)).copied().collect();
    let each_alone: Vec<u32> = (0..=targets.len() as u32).collect();
    let mut squares = vec![Vec::with_capacity(points.len()); targets.len()];
    for slice in points.bytes().chunks((SLICE * points.width() / targets.len()).next_multiple_of(points.width())) {
        let slice = Points::new(points.bits(), slice);
        let distances = least(comparer, slice, Points::new(points.bits(), &bytes), &each_alone)?;
        for of_point in distances.chunks(targets.len()) {
            squares.iter_mut().zip(of_point).for_each(|(squares, &distance)| squares.push(u64::from(distance).pow(2)));
        }
    }
    Ok(squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_follow_the_squares() {
        let squares = [0, 9, 0, 1, 0];
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let drawn = draw(&squares, 10_000, &mut random);
        let count = |point| drawn.iter().filter(|&&drawn| drawn == point).count();
        assert_eq!(count(1) + count(3), 10_000);
        assert!((8_800..9_200).contains(&count(1)), "{}", count(1));
        assert!(draw(&[0, 0], 3, &mut random).is_empty());
    }

    #[test]
    fn the_point_that_leaves_least_is_kept() {
        let mut squares = vec![4, 4, 100];
        assert_eq!(take_best(&mut squares, &[1, 2], vec![vec![4, 0, 100], vec![9, 9, 0]]), 2);
        assert_eq!(squares, [4, 4, 0]);
    }
}
