//! A chart of times as SVG. Both axes are logarithmic, but the horizontal one is linear if it holds 0.

use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::ops::Range;

/// A line of the chart, with its points by ascending x.
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// What a chart shows.
pub struct Chart<'a> {
    pub title: &'a str,
    /// The names of the axes, with units.
    pub x: &'a str,
    pub y: &'a str,
    pub series: Vec<Series>,
}

const SIZE: (u32, u32) = (800, 500);
const COLOURS: [RGBColor; 3] = [RGBColor(213, 94, 0), RGBColor(0, 114, 178), RGBColor(0, 158, 115)];

impl Chart<'_> {
    /// The chart as SVG text.
    pub fn svg(&self) -> String {
        let x = self.range(|&(x, _)| x);
        if x.start > 0.0 { self.draw((x.start..x.end).log_scale()) } else { self.draw::<Range<f64>, RangedCoordf64>(x) }
    }

    /// From the smallest to the largest value. Never empty.
    fn range(&self, of: impl Fn(&(f64, f64)) -> f64) -> Range<f64> {
        let values = || self.series.iter().flat_map(|series| &series.points).map(&of);
        let (least, greatest) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        if least < greatest { least..greatest } else { 0.0..1.0 }
    }

    fn draw<A, X>(&self, x: A) -> String
    where
        A: AsRangedCoord<Value = f64, CoordDescType = X>,
        X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let mut svg = String::new();
        let y = self.range(|&(_, y)| y);
        let y = (y.start.max(1e-4) / 2.0)..(y.end * 2.0);
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE).expect(NEVER);
        let mut chart = ChartBuilder::on(&area)
            .caption(self.title, ("sans-serif", 18))
            .margin(12)
            .margin_right(30)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d(x, y.log_scale())
            .expect(NEVER);
        let label = |value: &f64| ((value * 1e6).round() / 1e6).to_string();
        let mut mesh = chart.configure_mesh();
        mesh.x_label_formatter(&label).y_label_formatter(&label);
        mesh.x_desc(self.x).y_desc(self.y).axis_desc_style(("sans-serif", 15)).draw().expect(NEVER);
        for (series, colour) in self.series.iter().zip(COLOURS) {
            let line = LineSeries::new(series.points.iter().copied(), colour.stroke_width(2)).point_size(4);
            let key = move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2));
            chart.draw_series(line).expect(NEVER).label(&series.name).legend(key);
        }
        let mut legend = chart.configure_series_labels();
        legend.position(SeriesLabelPosition::UpperLeft).label_font(("sans-serif", 14));
        legend.background_style(WHITE).border_style(BLACK).draw().expect(NEVER);
        area.present().expect(NEVER);
        drop(chart);
        drop(area);
        svg
    }
}

/// Why drawing succeeds.
const NEVER: &str = "a string takes all text, and the chart is larger than its margins";

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(x: [f64; 2]) -> String {
        let series = |name: &str, y| Series { name: name.into(), points: vec![(x[0], y), (x[1], 3.0 * y)] };
        let series = vec![series("CPU, call", 100.0), series("GPU, call", 1.0)];
        Chart { title: "scan", x: "samples", y: "time (ms)", series }.svg()
    }

    #[test]
    fn axes_and_legend_are_named_on_both_scales() {
        for svg in [chart([0.0, 0.3]), chart([100.0, 1600.0])] {
            for text in ["scan", "samples", "time (ms)", "CPU, call", "GPU, call"] {
                assert!(svg.contains(text), "{text} in {svg}");
            }
            assert!(svg.trim_end().ends_with("</svg>") && !svg.contains("100.0"));
        }
    }
}
