//! Landmark MDS: places the landmarks by their distances to each other, and all records by their distances to the landmarks.
//!
//! # Definition
//!
//! Let v and λ be eigenvectors and eigenvalues of the landmarks' classical MDS, and m_j the mean of landmark j's squared
//! distances to the landmarks. A record with the squared distances s_j to the landmarks has on the axis of v and λ the
//! coordinate
//!
//! ```text
//! -1/2 sum over j of v_j / sqrt(λ) (s_j - m_j)
//! ```
//!
//! which for a landmark is its classical coordinate. Afterwards all records are centred and turned to their principal axes
//! (the paper's last step), so that records in a plane come out as classical MDS of all would place them.
//!
//! # Landmarks
//!
//! Drawn without replacement, each set as likely: ChaCha8 with the key that `rand_core` derives from the seed; for i from 0,
//! the record at place i of a list of all changes places with the one at i + floor(r (n - i) / 2^64), r the next 64-bit
//! draw. A random sample has the kinds of records in about the same proportions as the whole. Farthest-first, the paper's
//! other choice, would be reproducible without a seed, but takes every lone record before the second of a family, and an
//! even step through the file can meet only one family where these take turns.

use super::axes::{self, Axes};
use super::{BLOCK, Distances, Map};
use nalgebra::DMatrix;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use warpseq_engine::error::Result;
use warpseq_seq::random::below;

/// Places all records by `count` landmarks.
///
/// # Errors
/// Those of `distances`.
pub fn map(distances: &mut dyn Distances, count: usize, seed: u64) -> Result<Map> {
    let landmarks = choose(distances.len(), count, seed);
    let among = distances.block(&landmarks, &landmarks)?;
    let landmark_axes = Axes::new(&DMatrix::from_row_slice(landmarks.len(), landmarks.len(), &among));
    let all: Vec<usize> = (0..distances.len()).collect();
    let mut points = Vec::with_capacity(all.len());
    for records in all.chunks((BLOCK / landmarks.len()).max(1)) {
        let block = distances.block(records, &landmarks)?;
        points.par_extend(block.par_chunks(landmarks.len()).map(|distances| place(&landmark_axes, distances)));
    }
    axes::turn_to_principal(&mut points);
    Ok(Map { points, shares: landmark_axes.shares })
}

/// The landmarks, ascending: `count` of the records, or all.
pub(crate) fn choose(records: usize, count: usize, seed: u64) -> Vec<usize> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut all: Vec<usize> = (0..records).collect();
    let count = count.min(records);
    for i in 0..count {
        all.swap(i, i + below(&mut random, records - i));
    }
    all.truncate(count);
    all.sort_unstable();
    all
}

/// A record by its distances to the landmarks.
fn place(landmarks: &Axes, distances: &[f64]) -> [f64; 2] {
    landmarks.axes.each_ref().map(|axis| {
        let Some((vector, value)) = axis else { return 0.0 };
        let beyond = |(distance, mean): (&f64, &f64)| distance * distance - mean;
        let sum: f64 = distances.iter().zip(&landmarks.mean_squares).map(beyond).zip(vector).map(|(a, b)| a * b).sum();
        -0.5 * sum / value.sqrt()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn landmarks_are_different_records_in_order() {
        let landmarks = choose(5000, 500, 1);
        assert_eq!(landmarks.len(), 500);
        assert!(landmarks.windows(2).all(|pair| pair[0] < pair[1]) && landmarks[499] < 5000);
        assert_eq!(landmarks, choose(5000, 500, 1));
        assert_ne!(landmarks, choose(5000, 500, 2));
        assert_eq!(choose(3, 500, 1), [0, 1, 2]);
    }
}
