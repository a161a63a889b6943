//! The picture of calls: samples down, groups across.
//!
//! A square is positive, the darker the more of the group is found; a triangle is a trace; a dot is negative. Groups that are
//! negative everywhere are left out. With few groups, squares hold the breadth in percent. Squares of one shade are one path, and
//! a title for each sample says in words what its row shows.

use super::Calls;
use super::html::{count, counted, name, percent, short};
use crate::summary::Call;
use std::fmt::Write;

/// With at most so many groups, there are numbers in the squares.
const WITH_NUMBERS: usize = 24;
/// Shades of positive.
const SHADES: usize = 5;
/// Letters of a label.
const LETTERS: usize = 30;
/// Width of a letter, about.
const LETTER: f64 = 7.4;

/// Sizes in pixels.
struct Cells {
    wide: usize,
    high: usize,
    left: usize,
    top: usize,
    numbers: bool,
}

impl Cells {
    fn of(calls: &Calls, groups: &[usize]) -> Self {
        let numbers = groups.len() <= WITH_NUMBERS;
        let (wide, high) = if numbers { (42, 28) } else { (18, 18) };
        let longest =
            |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0).min(LETTERS) as f64 * LETTER;
        let genomes = calls.summary.genomes();
        let left = longest(&mut calls.summary.samples().iter().map(|sample| sample.label.len())) as usize + 16;
        let tall = longest(&mut groups.iter().map(|&group| genomes.groups[group].len()));
        // Labels rise by 45 degrees.
        Self { wide, high, left, top: (tall * 0.71) as usize + 22, numbers }
    }

    fn x(&self, column: usize) -> usize {
        self.left + column * self.wide
    }

    fn y(&self, row: usize) -> usize {
        self.top + row * self.high
    }
}

/// The shade of a breadth, from 1.
fn shade(breadth: f64) -> usize {
    1 + ((breadth * SHADES as f64) as usize).min(SHADES - 1)
}

/// The picture with its key, or a sentence if nothing was found.
pub fn write(calls: &Calls, out: &mut String) {
    let groups: Vec<usize> = (0..calls.summary.genomes().groups.len()).filter(|&group| calls.is_found(group)).collect();
    if groups.is_empty() {
        return out.push_str("<p>Nothing was found: every group is negative in every sample.</p>\n");
    }
    let left_out = calls.summary.genomes().groups.len() - groups.len();
    let absent = match left_out as u64 {
        0 => String::new(),
        1 => " 1 group is not shown: nothing of it was found in any sample.".to_owned(),
        more => format!(" {} groups are not shown: nothing of them was found in any sample.", count(more)),
    };
    let _ = writeln!(out, "<p class=soft>Each row is a sample, each column a group.{absent}</p>");
    key(out);
    let cells = Cells::of(calls, &groups);
    let samples = calls.summary.samples().len();
    let width = cells.x(groups.len()) + cells.top + 10;
    let height = cells.y(samples) + 6;
    let _ = writeln!(
        out,
        "<div class=wide tabindex=0 role=region aria-label=\"Picture of calls\"><svg class=grid width={width} height={height} \
         viewBox=\"0 0 {width} {height}\" role=img aria-labelledby=grid-title><title id=grid-title>Calls of {} in {}; the table of \
         calls has the same in words</title>",
        counted(groups.len() as u64, "group", "groups"),
        counted(samples as u64, "sample", "samples"),
    );
    heads(calls, &groups, &cells, out);
    marks(calls, &groups, &cells, out);
    (0..samples).for_each(|sample| row(calls, sample, &groups, &cells, out));
    out.push_str("</svg></div>\n");
}

/// What the marks mean.
fn key(out: &mut String) {
    out.push_str("<ul class=key>");
    for (shade, range) in (1..).zip(["below 20", "20–40", "40–60", "60–80", "80–100"]) {
        let lead = if shade == 1 { "positive, breadth " } else { "" };
        let _ = write!(
            out,
            "<li><svg class=grid width=16 height=16 aria-hidden=true><path class=\"s s{shade}\" d=\"M2 2h12v12h-12z\"/></svg>{lead}{range}&nbsp;%"
        );
    }
    out.push_str(
        "<li><svg class=grid width=16 height=16 aria-hidden=true><path class=t d=\"M8 3l5 9h-10z\"/></svg>trace\
         <li><svg class=grid width=16 height=16 aria-hidden=true><circle class=o cx=8 cy=8 r=1.5 /></svg>negative</ul>\n",
    );
}

/// The names of the groups.
fn heads(calls: &Calls, groups: &[usize], cells: &Cells, out: &mut String) {
    for (column, &group) in groups.iter().enumerate() {
        let (x, y) = (cells.x(column) + cells.wide / 2, cells.top - 8);
        let group = &calls.summary.genomes().groups[group];
        let _ = writeln!(
            out,
            "<text transform=\"translate({x} {y}) rotate(-45)\">{}<title>{}</title></text>",
            short(group, LETTERS),
            name(group)
        );
    }
}

/// All squares, triangles and dots.
fn marks(calls: &Calls, groups: &[usize], cells: &Cells, out: &mut String) {
    let (mut squares, mut traces, mut dots) = (vec![String::new(); SHADES + 1], String::new(), String::new());
    for (row, sample) in calls.summary.samples().iter().enumerate() {
        for (column, &group) in groups.iter().enumerate() {
            let (x, y) = (cells.x(column), cells.y(row));
            let (wide, high) = (cells.wide - 2, cells.high - 2);
            let (middle, centre) = (x + cells.wide / 2, y + cells.high / 2);
            let _ = match calls.of(row, group) {
                Call::Positive => {
                    write!(
                        squares[shade(sample.groups[group].breadth())],
                        "M{} {}h{wide}v{high}h-{wide}z",
                        x + 1,
                        y + 1
                    )
                }
                Call::Trace => write!(traces, "M{middle} {}l5 9h-10z", centre - 5),
                Call::Negative => write!(dots, "M{} {}h2v2h-2z", middle - 1, centre - 1),
            };
        }
    }
    let classes = (1..=SHADES).map(|shade| format!("s s{shade}")).chain(["t".into(), "o".into()]);
    let paths = squares.split_off(1).into_iter().chain([traces, dots]);
    for (class, path) in classes.zip(paths).filter(|(_, path)| !path.is_empty()) {
        let _ = writeln!(out, "<path class=\"{class}\" d=\"{path}\"/>");
    }
}

/// The name of a sample, and the numbers in its squares.
fn row(calls: &Calls, sample: usize, groups: &[usize], cells: &Cells, out: &mut String) {
    let found = &calls.summary.samples()[sample];
    let y = cells.y(sample) + cells.high / 2 + 4;
    let _ = write!(
        out,
        "<g><title>{}</title><a href=\"#s{}\"><text x={} y={y} text-anchor=end>{}</text></a>",
        words(calls, sample),
        sample + 1,
        cells.left - 8,
        short(&found.label, LETTERS)
    );
    let positives = groups.iter().enumerate().filter(|(_, group)| calls.of(sample, **group) == Call::Positive);
    for (column, &group) in positives.filter(|_| cells.numbers) {
        let breadth = found.groups[group].breadth();
        let class = if shade(breadth) <= 3 { "lo" } else { "hi" };
        let x = cells.x(column) + cells.wide / 2;
        let number = if breadth < 0.01 { "&lt;1".to_owned() } else { format!("{:.0}", (100.0 * breadth).floor()) };
        let _ = write!(out, "<text class={class} x={x} y={y} text-anchor=middle>{number}</text>");
    }
    out.push_str("</g>\n");
}

/// What a row shows.
fn words(calls: &Calls, sample: usize) -> String {
    let found = &calls.summary.samples()[sample];
    let listed = |call: Call| {
        let groups = (0..found.groups.len()).filter(|&group| calls.of(sample, group) == call);
        let one = |group: usize| match call {
            Call::Positive => {
                format!("{} ({})", name(&calls.summary.genomes().groups[group]), percent(found.groups[group].breadth()))
            }
            _ => name(&calls.summary.genomes().groups[group]),
        };
        let names: Vec<String> = groups.map(one).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    format!("{}: positive {}; trace {}", name(&found.label), listed(Call::Positive), listed(Call::Trace))
}
