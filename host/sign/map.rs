//! `sign map`: records as points of a plane, near each other where their signatures are.
//!
//! # Definition
//!
//! Classical multidimensional scaling (Torgerson 1952, Psychometrika 17:401) of the matrix D of distances: with B = -1/2 J
//! D² J, where D² has the squares and J takes the mean off rows and columns, the axes are the eigenvectors of the two
//! largest eigenvalues of B, times their square roots (`axes`). The distances of points in a plane are preserved exactly,
//! others as far as two axes can hold them. An axis whose eigenvalue is not positive is 0 for all records.
//!
//! Above [`CLASSICAL_MAX`] records, landmark MDS (de Silva and Tenenbaum 2004, Stanford technical report; `landmark`):
//! the same for [`LANDMARKS`] of the records. The others are placed by their distances to these.
//!
//! Each axis points to the side on which its largest absolute coordinate is positive. If several are equally large (to a
//! part in 10^9), the first record decides.
//!
//! # Who does what
//!
//! ```text
//! Distances (rows x columns) -> axes | landmark -> points -> table, picture
//!                            -> silhouette (all pairs, a few rows at a time)
//! ```
//!
//! # At the edges
//!
//! No distances are needed for an empty map, nor for a single record, which lies at the origin. Equal records share a point.
//! Sequences without a signature have no distances, so they are not on the map.

mod axes;
pub mod groups;
mod landmark;
pub mod picture;
mod records;
pub mod run;
pub mod silhouette;
pub mod table;
#[cfg(test)]
mod tests;

pub(crate) use landmark::choose as sample;
pub use records::{Mapped, warn_of_missing};

use nalgebra::DMatrix;
use warpseq_engine::error::Result;

/// The most records of which all distances are taken.
pub const CLASSICAL_MAX: usize = 1000;
/// The number of landmarks of a larger map.
pub const LANDMARKS: usize = 500;

/// The most distances that are held at once.
pub(crate) const BLOCK: usize = 1 << 22;

/// Distances between records, which are counted from 0.
pub trait Distances {
    /// How many records there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The distances of each of `rows` to all of `columns`, row after row.
    ///
    /// # Errors
    /// Those of the device.
    fn block(&mut self, rows: &[usize], columns: &[usize]) -> Result<Vec<f64>>;
}

/// Records in a plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// For each record, in the unit of the distances.
    pub points: Vec<[f64; 2]>,
    /// How much of the spread of the records (or of the landmarks) each axis holds: the share of its eigenvalue in the sum of all
    /// positive ones. 0 if there is no spread.
    pub shares: [f64; 2],
}

impl Map {
    /// How much both axes hold.
    pub fn share(&self) -> f64 {
        self.shares.iter().sum()
    }
}

/// Places the records. `seed` chooses the landmarks, if there are any.
///
/// # Errors
/// Those of `distances`.
pub fn map(distances: &mut dyn Distances, seed: u64) -> Result<Map> {
    let mut map = match distances.len() {
        0 => Map::default(),
        1 => Map { points: vec![[0.0; 2]], shares: [0.0; 2] },
        2..=CLASSICAL_MAX => of_all(distances)?,
        _ => landmark::map(distances, LANDMARKS, seed)?,
    };
    axes::orient(&mut map.points);
    Ok(map)
}

fn of_all(distances: &mut dyn Distances) -> Result<Map> {
    let all: Vec<usize> = (0..distances.len()).collect();
    let block = distances.block(&all, &all)?;
    let axes = axes::Axes::new(&DMatrix::from_row_slice(all.len(), all.len(), &block));
    Ok(Map { points: axes.points(), shares: axes.shares })
}
