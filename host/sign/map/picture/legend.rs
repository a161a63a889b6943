//! The legend: the largest groups with their marks and sizes, then the others in one line, then the records without a group.

use super::style::{Mark, STYLED_MAX, Style};
use super::{Area, FONT, NEVER, printable};
use crate::map::groups::Groups;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

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
