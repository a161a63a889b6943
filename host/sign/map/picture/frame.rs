//! The frame around the plane: margins, and ranges that give both axes the same scale.

use super::Area;
use plotters::prelude::*;
use std::ops::Range;

/// Pixels around the plane.
const MARGIN: u32 = 14;
const X_LABELS: u32 = 46;
const Y_LABELS: u32 = 66;
/// How much of the span of the points is left free on each side.
const FREE: f64 = 0.06;

/// A chart of an area with the margins.
pub fn builder<'a, 'b>(area: &'a Area<'b>) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(area);
    builder.margin(MARGIN).x_label_area_size(X_LABELS).y_label_area_size(Y_LABELS);
    builder
}

/// The pixels that are left for the plane, of an area of so many.
pub fn inside((width, height): (u32, u32)) -> [f64; 2] {
    [width - 2 * MARGIN - Y_LABELS, height - 2 * MARGIN - X_LABELS].map(f64::from)
}

/// Ranges that hold all points, as wide for their pixels on one axis as on the other. Points without a span get a range
/// about them all the same.
pub fn ranges(points: &[[f64; 2]], pixels: [f64; 2]) -> [Range<f64>; 2] {
    let values = |axis: usize| points.iter().map(move |point| point[axis]);
    let least = [0, 1].map(|axis| values(axis).fold(f64::INFINITY, f64::min));
    let greatest = [0, 1].map(|axis| values(axis).fold(f64::NEG_INFINITY, f64::max));
    let per_pixel = |axis: usize| (greatest[axis] - least[axis]) * (1.0 + 2.0 * FREE) / pixels[axis];
    let scale = per_pixel(0).max(per_pixel(1));
    let scale = if scale > 0.0 && scale.is_finite() { scale } else { 1.0 / pixels[0] };
    [0, 1].map(|axis| {
        let middle = if points.is_empty() { 0.0 } else { (least[axis] + greatest[axis]) / 2.0 };
        middle - scale * pixels[axis] / 2.0..middle + scale * pixels[axis] / 2.0
    })
}

/// A number beside an axis: as short as its 4 decimals allow, and 0 without a sign.
pub fn tick(number: &f64) -> String {
    let text = format!("{number:.4}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".to_owned(),
        short => short.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_short() {
        assert_eq!([0.1 + 0.2, -1e-17, 20.0, -0.25, 0.0].map(|number| tick(&number)), ["0.3", "0", "20", "-0.25", "0"]);
    }

    #[test]
    fn both_axes_have_one_scale_and_hold_the_points() {
        for points in [vec![], vec![[3.0, -1.0]], vec![[0.0, 0.0], [10.0, 1.0]], vec![[0.0, 0.0], [0.1, 7.0]]] {
            let [x, y] = ranges(&points, [600.0, 400.0]);
            assert!(((x.end - x.start) / 600.0 - (y.end - y.start) / 400.0).abs() < 1e-12);
            assert!(points.iter().all(|point| x.contains(&point[0]) && y.contains(&point[1])), "{points:?}");
        }
    }
}
