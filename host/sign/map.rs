//! `sign map`: records as points of a plane, near each other where their signatures are.
//!
//! # Definition
//!
//! Classical multidimensional scaling (Torgerson 1952, Psychometrika 17:401) of the matrix D of distances: with
//! B = -1/2 J D² J, where D² has the squares and J takes the mean off rows and columns, the axes are the eigenvectors of the
//! two largest eigenvalues of B, times the roots of these (`axes`). Distances of points in a plane come back exactly;
//! of others, as much as two axes can hold. An axis whose eigenvalue is not positive is 0 for all.
//!
//! Above [`CLASSICAL_MAX`] records, landmark MDS (de Silva and Tenenbaum 2004, Stanford technical report; `landmark`):
//! the same for [`LANDMARKS`] of the records, among which the others are placed by their distances to these.
//!
//! Each axis points to where its largest absolute coordinate is positive; of coordinates as large (to a part in 10^9), the
//! first record's decides.
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
//! No record and one record need no distances: nothing, and the origin. Equal records share a point. Records without a
//! signature have no distances and are not among the records here.

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

use nalgebra::DMatrix;
use warpseq_engine::error::Result;

/// The most records of which all distances are taken.
pub const CLASSICAL_MAX: usize = 1000;
/// The records by which those of a larger map are placed.
pub const LANDMARKS: usize = 500;

/// Numbers of a block of distances that are held at once.
const BLOCK: usize = 1 << 22;

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
    /// How much of what the records (or the landmarks) span the two axes hold: their eigenvalues' part of the sum of all
    /// positive ones. 0 where nothing is spanned.
    pub share: f64,
}

/// Places the records; `seed` chooses the landmarks, where there are any.
///
/// # Errors
/// Those of `distances`.
pub fn map(distances: &mut dyn Distances, seed: u64) -> Result<Map> {
    let mut map = match distances.len() {
        0 => Map::default(),
        1 => Map { points: vec![[0.0; 2]], share: 0.0 },
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
    Ok(Map { points: axes.points(), share: axes.share })
}
