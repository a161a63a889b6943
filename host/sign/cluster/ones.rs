//! Counts of ones: how many members of a cluster have a bit, for every bit.
//!
//! Members are counted in pieces of [`PIECE`], many at once on all threads, so that a large cluster is not the work of one
//! thread. In a piece, the 64 counts of a word lie across [`PLANES`] words, plane p holding bit p of each: adding a
//! word ripples a carry through the planes, two of them on average.
//!
//! ```text
//! word     1 0 1 1 ...        plane 0   ^= carry, carry = word
//! plane 0  1 0 0 1 ...  -->   plane 1   ^= carry, carry = what both had
//! plane 1  0 0 1 0 ...        until no carry is left
//! ```
//!
//! Pieces are added as `u64`.

use super::super::Points;
use super::words;
use rayon::prelude::*;

/// Bits of a count in a piece.
const PLANES: usize = 12;
/// The most members of a piece: their number fits the planes.
const PIECE: usize = (1 << PLANES) - 1;

/// The members of each cluster, ascending.
pub fn members(of: &[u32], clusters: usize) -> Vec<Vec<u32>> {
    let mut members = vec![Vec::new(); clusters];
    for (point, &cluster) in of.iter().enumerate() {
        members[cluster as usize].push(point as u32);
    }
    members
}

/// For each bit, how many members have it. An empty cluster has zeros.
pub fn ones(points: Points, members: &[u32]) -> Vec<u64> {
    let none = || vec![0u64; points.bits() as usize];
    let add = |mut sum: Vec<u64>, piece: Vec<u64>| {
        sum.iter_mut().zip(piece).for_each(|(sum, count)| *sum += count);
        sum
    };
    members.par_chunks(PIECE).map(|piece| ones_of_piece(points, piece)).reduce(none, add)
}

fn ones_of_piece(points: Points, members: &[u32]) -> Vec<u64> {
    let mut planes = vec![[0u64; PLANES]; points.width() / 8];
    for &member in members {
        for (planes, word) in planes.iter_mut().zip(words(points.get(member as usize))) {
            add(planes, word);
        }
    }
    let count = |planes: &[u64; PLANES], bit: u32| {
        planes.iter().enumerate().map(|(plane, ones)| (ones >> (63 - bit) & 1) << plane).sum()
    };
    planes.iter().flat_map(|planes| (0..64).map(move |bit| count(planes, bit))).collect()
}

fn add(planes: &mut [u64; PLANES], word: u64) {
    let mut carry = word;
    for plane in planes {
        if carry == 0 {
            return;
        }
        (*plane, carry) = (*plane ^ carry, *plane & carry);
    }
}

/// The majority of each cluster's members, `bits / 8` bytes a cluster.
pub fn majorities(points: Points, of: &[u32], clusters: usize) -> Vec<u8> {
    let majority = |members: &Vec<u32>| {
        let half = members.len() as u64;
        let bits = ones(points, members).into_iter().map(|count| u8::from(2 * count > half)).collect::<Vec<_>>();
        bits.chunks(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | bit)).collect::<Vec<u8>>()
    };
    members(of, clusters).par_iter().flat_map_iter(majority).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_half_counts_as_zero() {
        let bytes = [[0b1100_0000, 0, 0, 0, 0, 0, 0, 1], [0b1010_0000, 0, 0, 0, 0, 0, 0, 1], [0xFF; 8]].concat();
        let points = Points::new(64, &bytes);
        assert_eq!(majorities(points, &[0, 0, 1], 2)[..8], [0b1000_0000, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(majorities(points, &[0, 0, 0], 1), [0b1110_0000, 0, 0, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn counts_do_not_overflow_a_piece() {
        let count = 2 * PIECE + 3;
        let bytes = [0xFF, 0, 0xF0, 0, 0, 0, 0, 1].repeat(count);
        let points = Points::new(64, &bytes);
        let counts = ones(points, &(0..count as u32).collect::<Vec<_>>());
        let expected = |bit: usize| u64::from(bit < 8 || (16..20).contains(&bit) || bit == 63) * count as u64;
        assert_eq!(counts, (0..64).map(expected).collect::<Vec<_>>());
    }
}
