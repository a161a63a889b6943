//! Classical MDS: the two axes that hold the most of a matrix of distances. See [`super`].

use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// An eigenvalue is positive when it is more than this part of the largest one in size: what rounding leaves is less.
const POSITIVE: f64 = 1e-9;

/// The two axes.
pub struct Axes {
    /// Eigenvectors of length 1, and their eigenvalues, the larger one first; `None` where it is not positive.
    pub axes: [Option<(DVector<f64>, f64)>; 2],
    /// For each record, the mean of its squared distances to all.
    pub mean_squares: DVector<f64>,
    pub share: f64,
}

impl Axes {
    /// Of a symmetric matrix of distances, n x n, n at least 1.
    pub fn new(distances: &DMatrix<f64>) -> Self {
        let squares = distances.map(|distance| distance * distance);
        let mean_squares = squares.column_mean();
        let mean = mean_squares.mean();
        let centred = DMatrix::from_fn(squares.nrows(), squares.ncols(), |i, j| {
            -0.5 * (squares[(i, j)] - mean_squares[i] - mean_squares[j] + mean)
        });
        let SymmetricEigen { eigenvectors, eigenvalues } = SymmetricEigen::new(centred);
        let least = POSITIVE * eigenvalues.amax();
        let mut order: Vec<usize> = (0..eigenvalues.len()).filter(|&k| eigenvalues[k] > least).collect();
        order.sort_by(|&a, &b| eigenvalues[b].total_cmp(&eigenvalues[a]));
        let axis = |rank: usize| order.get(rank).map(|&k| (eigenvectors.column(k).into_owned(), eigenvalues[k]));
        let axes = [axis(0), axis(1)];
        let held: f64 = axes.iter().flatten().map(|(_, value)| value).sum();
        let all: f64 = order.iter().map(|&k| eigenvalues[k]).sum();
        Self { axes, mean_squares, share: if all > 0.0 { held / all } else { 0.0 } }
    }

    /// The records' coordinates.
    pub fn points(&self) -> Vec<[f64; 2]> {
        let coordinate = |axis: &Option<(DVector<f64>, f64)>, record: usize| {
            axis.as_ref().map_or(0.0, |(vector, value)| vector[record] * value.sqrt())
        };
        (0..self.mean_squares.len()).map(|record| self.axes.each_ref().map(|axis| coordinate(axis, record))).collect()
    }
}
