//! A map as an SVG picture, readable for ten records and for thousands.
//!
//! ```text
//! +------------------------------------------+
//! | title, and what the axes hold            |
//! +-----------------------------+------------+
//! | the plane, both axes to the | groups by  |      the legend stands beside the plane, not on it, and only where there
//! | same scale: lengths in it   | size, with |      are groups; a map of few records has their names beside the points
//! | are distances               | marks      |
//! +-----------------------------+------------+
//! ```
//!
//! Marks are smaller and more translucent the more records there are, and those of small groups lie on those of large ones.

mod labels;
mod legend;

use super::Map;
use super::groups::Groups;
use legend::{Mark, Style};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::fmt::Write;
use std::ops::Range;

/// The most records that are named.
const NAMED_MAX: usize = 40;

/// Characters that are told of a record that is pointed at.
const TOLD_MAX: usize = 1000;
/// The radius in pixels of what can be pointed at.
const TIP: u32 = 4;

const SIZE: (u32, u32) = (1000, 760);
const TITLE_HEIGHT: u32 = 58;
const LEGEND_WIDTH: u32 = 240;
const FONT: &str = "sans-serif";

/// Why drawing cannot fail.
const NEVER: &str = "a string takes all text, and the plane is larger than its margins";

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Plane<'a> = DrawingArea<SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// What a picture shows.
pub struct Picture<'a> {
    /// The title.
    pub title: &'a str,
    /// A second, smaller line.
    pub subtitle: &'a str,
    /// Where the points lie.
    pub map: &'a Map,
    /// The records' names, as many as points.
    pub names: &'a [String],
    /// What colours them.
    pub groups: Option<&'a Groups>,
}

impl Picture<'_> {
    /// The picture as SVG text.
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let places = self.draw(&area);
        area.present().expect(NEVER);
        drop(area);
        let end = svg.rfind("</svg>").expect("an SVG ends");
        svg.insert_str(end, &self.tips(&places));
        svg
    }

    /// Circles that nobody sees, on the marks; where one is pointed at, its record is told.
    fn tips(&self, places: &[(i32, i32)]) -> String {
        let mut tips = String::from("<g fill=\"none\" pointer-events=\"all\">\n");
        for (record, ((x, y), name)) in places.iter().zip(self.names).enumerate() {
            let group = self.groups.and_then(|groups| groups.of[record].map(|group| &groups.names[group]));
            let group = group.map(|name| format!(": {}", String::from_utf8_lossy(name))).unwrap_or_default();
            let told = escaped(&printable(&format!("{name}{group}"), TOLD_MAX));
            writeln!(tips, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{TIP}\"><title>{told}</title></circle>")
                .expect("a string takes all text");
        }
        tips + "</g>\n"
    }

    /// Returns where the records are, in pixels.
    fn draw(&self, area: &Area) -> Vec<(i32, i32)> {
        area.fill(&WHITE).expect(NEVER);
        let (top, below) = area.split_vertically(TITLE_HEIGHT);
        for (text, size, y) in [(self.title, 20, 12), (self.subtitle, 14, 38)] {
            top.draw(&Text::new(printable(text, 120), (16, y), (FONT, size))).expect(NEVER);
        }
        let styles = self.groups.map(legend::styles).unwrap_or_default();
        let Some(groups) = self.groups.filter(|groups| !groups.names.is_empty()) else {
            return self.draw_plane(&below, &styles);
        };
        let (plane, legend) = below.split_horizontally(SIZE.0 - LEGEND_WIDTH);
        let places = self.draw_plane(&plane, &styles);
        legend::draw(&legend, groups, &styles);
        places
    }

    fn draw_plane(&self, area: &Area, styles: &[Style]) -> Vec<(i32, i32)> {
        let [x, y] = ranges(&self.map.points, plane_pixels(area.dim_in_pixel()));
        let mut chart = chart(area).build_cartesian_2d(x, y).expect(NEVER);
        let mut mesh = chart.configure_mesh();
        let [first, second] = self.map.shares.map(|share| 100.0 * share);
        mesh.x_desc(format!("axis 1, {first:.1} % (distance, as a fraction of the bits)"));
        mesh.y_desc(format!("axis 2, {second:.1} %"));
        mesh.bold_line_style(RGBColor(225, 225, 225)).light_line_style(TRANSPARENT).axis_desc_style((FONT, 15));
        mesh.x_labels(8).y_labels(8).x_label_formatter(&tick).y_label_formatter(&tick);
        mesh.draw().expect(NEVER);
        let plane = chart.plotting_area();
        self.draw_points(plane, styles);
        let places: Vec<(i32, i32)> = self.map.points.iter().map(|&[x, y]| plane.map_coordinate(&(x, y))).collect();
        if self.names.len() <= NAMED_MAX {
            self.draw_names(plane, &places);
        }
        places
    }

    /// Records without a group first, then the groups from the largest on.
    fn draw_points(&self, plane: &Plane, styles: &[Style]) {
        let mark = Mark::of_many(self.map.points.len());
        let draw = |group: Option<usize>, style: Style| {
            let of = |record: usize| self.groups.and_then(|groups| groups.of[record]);
            for (record, &[x, y]) in self.map.points.iter().enumerate() {
                if of(record) == group {
                    mark.draw(plane, (x, y), style);
                }
            }
        };
        draw(None, if self.groups.is_some() { Style::NONE } else { Style::ONLY });
        if let Some(groups) = self.groups {
            groups.by_size().into_iter().for_each(|group| draw(Some(group), styles[group]));
        }
    }

    fn draw_names(&self, plane: &Plane, points: &[(i32, i32)]) {
        let names: Vec<String> = self.names.iter().map(|name| printable(name, 28)).collect();
        let (x, y) = plane.get_pixel_range();
        let places = labels::place(points, &names, labels::Rectangle { x: (x.start, x.end), y: (y.start, y.end) });
        let area = plane.strip_coord_spec();
        let (left, top) = (x.start, y.start);
        let local = |(x, y): (i32, i32)| (x - left, y - top);
        for ((name, point), place) in names.iter().zip(points).zip(places) {
            let Some(place) = place else { continue };
            if place.is_far {
                let line = [local(*point), local(place.anchor)];
                area.draw(&PathElement::new(line, RGBColor(150, 150, 150))).expect(NEVER);
            }
            let side = match place.right {
                1 => HPos::Left,
                -1 => HPos::Right,
                _ => HPos::Center,
            };
            let style = (FONT, labels::FONT_SIZE).into_text_style(&area).pos(Pos::new(side, VPos::Top));
            let at = local((place.anchor.0, place.rectangle.y.0));
            area.draw(&Text::new(name.as_str(), at, style)).expect(NEVER);
        }
    }
}

/// Text without what means something in SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A name that SVG can hold: at most `length` characters, none of them a control character.
fn printable(text: &str, length: usize) -> String {
    let shown = |c: char| if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') { '\u{FFFD}' } else { c };
    if text.chars().count() <= length {
        return text.chars().map(shown).collect();
    }
    text.chars().take(length - 1).map(shown).chain(['…']).collect()
}

/// Pixels around the plane.
const MARGIN: u32 = 14;
const X_LABELS: u32 = 46;
const Y_LABELS: u32 = 66;
/// How much of the span of the points is left free on each side.
const FREE: f64 = 0.06;

/// A chart of an area with the margins.
fn chart<'a, 'b>(area: &'a Area<'b>) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(area);
    builder.margin(MARGIN).x_label_area_size(X_LABELS).y_label_area_size(Y_LABELS);
    builder
}

/// The size in pixels of the plane in an area.
fn plane_pixels((width, height): (u32, u32)) -> [f64; 2] {
    [width - 2 * MARGIN - Y_LABELS, height - 2 * MARGIN - X_LABELS].map(f64::from)
}

/// Ranges that hold all points, with the same scale on both axes. Points that coincide get a range around them.
fn ranges(points: &[[f64; 2]], pixels: [f64; 2]) -> [Range<f64>; 2] {
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
fn tick(number: &f64) -> String {
    let text = format!("{number:.4}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".to_owned(),
        short => short.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(count: usize, group: impl Fn(usize) -> Option<String>) -> String {
        let points = (0..count).map(|k| [(k as f64 * 0.7).sin() * 0.3, (k as f64 * 1.1).cos() * 0.2]).collect();
        let map = Map { points, shares: [0.375, 0.125] };
        let names: Vec<String> = (0..count).map(|k| format!("record<{k}>")).collect();
        let of: Vec<Option<Vec<u8>>> = (0..count).map(|k| group(k).map(String::into_bytes)).collect();
        let groups = Groups::new(of.iter().map(Option::as_deref));
        let groups = of.iter().any(Option::is_some).then_some(&groups);
        Picture { title: "a & b", subtitle: "classical MDS", map: &map, names: &names, groups }.svg()
    }

    #[test]
    fn few_records_are_named() {
        let svg = svg(10, |_| None);
        for text in
            ["a &amp; b", "classical MDS", "axis 1, 37.5 % (", "axis 2, 12.5 %", "record&lt;0&gt;", "record&lt;9&gt;"]
        {
            assert!(svg.contains(text), "{text} in {svg}");
        }
        assert!(svg.trim_end().ends_with("</svg>") && !svg.contains("groups"));
    }

    #[test]
    fn many_records_have_small_marks_and_a_legend_of_the_largest_groups() {
        let svg = svg(5000, |k| (k % 7 > 0).then(|| format!("group {}", (k * k) % 53)));
        for text in ["27 groups, 5000 records", "7 others (", "no group (715)"] {
            assert!(svg.contains(text), "{text} in {}", &svg[svg.len() - 8000..]);
        }
        assert!(!svg.replace("<title>record&lt;", "").contains("record&lt;"), "none but those that are told");
        assert!(svg.len() < 3 << 19, "{} bytes", svg.len());
    }

    #[test]
    fn nothing_one_point_and_equal_points_are_drawn() {
        for count in [0, 1, 2, 3] {
            let names = vec!["same".to_owned(); count];
            let map = Map { points: vec![[0.0; 2]; count], shares: [0.0; 2] };
            let svg = Picture { title: "", subtitle: "", map: &map, names: &names, groups: None }.svg();
            assert_eq!(svg.matches("<title>same</title>").count(), count, "{svg}");
            assert_eq!(svg.matches("same").count(), 2 * count, "{svg}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"));
        }
    }

    /// A circle for each record, where its mark is.
    #[test]
    fn each_record_is_told_where_it_is_pointed_at() {
        let svg = svg(50, |k| (k > 0).then(|| format!("g{}", k % 2)));
        assert_eq!(svg.matches("<title>").count(), 50);
        for (record, text) in [(0, "record&lt;0&gt;"), (1, "record&lt;1&gt;: g1"), (49, "record&lt;49&gt;: g1")] {
            let told = format!("<title>{text}</title>");
            let line = svg.lines().find(|line| line.contains(&told)).unwrap_or_else(|| panic!("{record}: {svg}"));
            let place = &line[line.find("cx=").unwrap()..line.find(" r=").unwrap()];
            assert!(svg.matches(place).count() >= 2, "no mark at {place}");
        }
    }

    #[test]
    fn names_are_cut_and_cleaned() {
        assert_eq!(printable("abcdef", 6), "abcdef");
        assert_eq!(printable("abcdefg", 6), "abcde…");
        assert_eq!(printable("a\u{1}b", 6), "a\u{FFFD}b");
    }

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
