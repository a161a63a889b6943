//! Which way the axes of a map point.

use nalgebra::{Matrix2, SymmetricEigen};

/// Coordinates that differ by less than this part of them count as equally large.
const TIE: f64 = 1e-9;

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
