//! What groups look like, and the legend that says so. Groups have seven colours that colour-blind people can tell apart (Okabe
//! and Ito 2008), in three shapes. The legend lists the largest groups with their marks and sizes, then the others in one line,
//! then the records without a group.

use super::{Area, FONT, NEVER, Plane, printable};
use crate::map::groups::Groups;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// Groups with a look of their own; the others share one.
const STYLED_MAX: usize = 20;

const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Circle,
    Square,
    Triangle,
}

/// A colour and a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    colour: RGBColor,
    shape: Shape,
}

impl Style {
    /// Where there are no groups.
    pub const ONLY: Self = Self { colour: COLOURS[0], shape: Shape::Circle };
    /// Groups beyond the largest ones.
    pub const OTHER: Self = Self { colour: RGBColor(130, 130, 130), shape: Shape::Circle };
    /// Records without a group.
    pub const NONE: Self = Self { colour: RGBColor(195, 195, 195), shape: Shape::Circle };
}

/// The style of each group, by its rank in size.
pub fn styles(groups: &Groups) -> Vec<Style> {
    let mut styles = vec![Style::OTHER; groups.names.len()];
    for (rank, group) in groups.by_size().into_iter().take(STYLED_MAX).enumerate() {
        let shape = [Shape::Circle, Shape::Square, Shape::Triangle][rank / COLOURS.len()];
        styles[group] = Style { colour: COLOURS[rank % COLOURS.len()], shape };
    }
    styles
}

/// How large and how opaque marks are.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// Pixels.
    radius: i32,
    opacity: f64,
}

impl Mark {
    /// In the legend.
    pub const KEY: Self = Self { radius: 5, opacity: 1.0 };

    /// For so many records.
    pub fn of_many(records: usize) -> Self {
        let (radius, opacity) = match records {
            0..=100 => (5, 0.85),
            101..=1000 => (4, 0.65),
            1001..=10_000 => (3, 0.4),
            _ => (2, 0.3),
        };
        Self { radius, opacity }
    }

    /// Draws a mark at a point of the plane.
    pub fn draw(self, plane: &Plane, at: (f64, f64), style: Style) {
        let (filled, r) = (style.colour.mix(self.opacity).filled(), self.radius);
        let drawn = match style.shape {
            Shape::Circle => plane.draw(&Circle::new(at, r, filled)),
            Shape::Square => plane.draw(&(EmptyElement::at(at) + Rectangle::new([(-r, -r), (r, r)], filled))),
            Shape::Triangle => plane.draw(&TriangleMarker::new(at, r + 1, filled)),
        };
        drawn.expect(NEVER);
    }
}

/// Pixels from line to line.
const LINE: i32 = 24;

/// Draws the legend into its own area.
pub fn draw(area: &Area, groups: &Groups, styles: &[Style]) {
    let plane = area.apply_coord_spec(pixels(area));
    let heading = format!("{} groups, {} records", groups.names.len(), groups.of.len());
    area.draw(&Text::new(heading, (4, 14), (FONT, 15))).expect(NEVER);
    for (line, (style, text)) in (0..).zip(entries(groups, styles)) {
        let y = 50 + line * LINE;
        Mark::KEY.draw(&plane, (12.0, f64::from(y)), style);
        area.draw(&Text::new(text, (26, y - 8), (FONT, 15))).expect(NEVER);
    }
}

/// Pixels as coordinates.
fn pixels(area: &Area) -> Cartesian2d<RangedCoordf64, RangedCoordf64> {
    let (width, height) = area.dim_in_pixel();
    Cartesian2d::new(0.0..f64::from(width), 0.0..f64::from(height), area.get_pixel_range())
}

fn entries(groups: &Groups, styles: &[Style]) -> Vec<(Style, String)> {
    let (sizes, order) = (groups.sizes(), groups.by_size());
    let name = |group: usize| printable(&String::from_utf8_lossy(&groups.names[group]), 24);
    let styled =
        order.iter().take(STYLED_MAX).map(|&group| (styles[group], format!("{} ({})", name(group), sizes[group])));
    let mut entries: Vec<_> = styled.collect();
    let others = order.get(STYLED_MAX..).unwrap_or_default();
    if !others.is_empty() {
        let records: usize = others.iter().map(|&group| sizes[group]).sum();
        entries.push((Style::OTHER, format!("{} others ({records})", others.len())));
    }
    let without = groups.of.iter().filter(|group| group.is_none()).count();
    if without > 0 {
        entries.push((Style::NONE, format!("no group ({without})")));
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_groups_have_styles_of_their_own() {
        let names: Vec<Vec<u8>> = (0..30).flat_map(|k| vec![vec![k]; 1 + usize::from(k)]).collect();
        let styles = styles(&Groups::new(names.iter().map(|name| Some(&name[..]))));
        assert!(styles[..10].iter().all(|&style| style == Style::OTHER));
        for (k, style) in styles.iter().enumerate().skip(10) {
            assert!(*style != Style::OTHER && styles.iter().filter(|other| *other == style).count() == 1, "{k}");
        }
    }
}
