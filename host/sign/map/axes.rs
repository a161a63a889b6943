//! The axes of a map: the two that classical MDS finds ([`super`]), and which way they point.

use nalgebra::{DMatrix, DVector, Matrix2, SymmetricEigen};

/// An eigenvalue is positive when it is more than this part of the largest one in size: what rounding leaves is less.
const POSITIVE: f64 = 1e-9;

/// Coordinates that differ by less than this part of them count as equally large.
const TIE: f64 = 1e-9;

/// The two axes that hold the most of a matrix of distances.
pub struct Axes {
    /// Eigenvectors of length 1, and their eigenvalues, the larger one first; `None` where it is not positive.
    pub axes: [Option<(DVector<f64>, f64)>; 2],
    /// For each record, the mean of its squared distances to all.
    pub mean_squares: DVector<f64>,
    /// What each holds of the sum of all positive eigenvalues.
    pub shares: [f64; 2],
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
        let all: f64 = order.iter().map(|&k| eigenvalues[k]).sum();
        let shares = axes.each_ref().map(|axis| axis.as_ref().map_or(0.0, |(_, value)| value / all));
        Self { axes, mean_squares, shares }
    }

    /// The records' coordinates.
    pub fn points(&self) -> Vec<[f64; 2]> {
        let coordinate = |axis: &Option<(DVector<f64>, f64)>, record: usize| {
            axis.as_ref().map_or(0.0, |(vector, value)| vector[record] * value.sqrt())
        };
        (0..self.mean_squares.len()).map(|record| self.axes.each_ref().map(|axis| coordinate(axis, record))).collect()
    }
}

/// Turns each axis so that its largest absolute coordinate is positive; of those as large, the first one's.
pub fn orient(points: &mut [[f64; 2]]) {
    for axis in 0..2 {
        let largest = points.iter().map(|point| point[axis].abs()).fold(0.0, f64::max);
        let first = points.iter().map(|point| point[axis]).find(|value| value.abs() >= largest * (1.0 - TIE));
        let sign = if first.is_some_and(|value| value < 0.0) { -1.0 } else { 1.0 };
        // Adding 0 makes 0 of -0.
        points.iter_mut().for_each(|point| point[axis] = point[axis] * sign + 0.0);
    }
}

/// Centres the points and turns them so that the first axis holds the most of their spread.
pub fn turn_to_principal(points: &mut [[f64; 2]]) {
    let count = points.len() as f64;
    let mean = [0, 1].map(|axis| points.iter().map(|point| point[axis]).sum::<f64>() / count);
    points.iter_mut().for_each(|point| (0..2).for_each(|axis| point[axis] -= mean[axis]));
    let product = |a: usize, b: usize| points.iter().map(|point| point[a] * point[b]).sum::<f64>();
    let (xx, xy, yy) = (product(0, 0), product(0, 1), product(1, 1));
    let SymmetricEigen { eigenvectors, eigenvalues } = SymmetricEigen::new(Matrix2::new(xx, xy, xy, yy));
    let order = if eigenvalues[0] >= eigenvalues[1] { [0, 1] } else { [1, 0] };
    let along = |point: &[f64; 2], axis: usize| {
        point[0] * eigenvectors[(0, order[axis])] + point[1] * eigenvectors[(1, order[axis])]
    };
    points.iter_mut().for_each(|point| *point = [along(point, 0), along(point, 1)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_coordinate_is_positive() {
        let mut points = [[1.0, 2.0], [-3.0, 0.5], [2.0, -1.0]];
        orient(&mut points);
        assert_eq!(points, [[-1.0, 2.0], [3.0, 0.5], [-2.0, -1.0]]);
    }

    #[test]
    fn of_equals_the_first_decides_whatever_rounding_does() {
        let mut points = [[-1.0, 0.0], [1.0 + 1e-15, -0.0]];
        orient(&mut points);
        assert_eq!(points.map(|point| point[0] > 0.0), [true, false]);
        assert!(points[1][1].is_sign_positive());
        orient(&mut []);
    }

    #[test]
    fn a_slanted_line_becomes_the_first_axis() {
        let mut points = [[1.0, 1.0], [2.0, 2.0], [6.0, 6.0]];
        turn_to_principal(&mut points);
        orient(&mut points);
        let expected = [-2.0, -1.0, 3.0].map(|x| x * 2f64.sqrt());
        for (point, x) in points.iter().zip(expected) {
            assert!((point[0] - x).abs() < 1e-12 && point[1].abs() < 1e-12, "{points:?}");
        }
    }
}
