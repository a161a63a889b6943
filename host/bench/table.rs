//! Figures as a table for people.

use super::Figure;
use std::fmt::Write;

/// The heading, then a line for each figure.
pub fn table(figures: &[Figure]) -> String {
    let width = figures.iter().map(|figure| figure.engine.chars().count()).max().unwrap_or(0).max("engine".len());
    let mut text = format!(
        "{:8} {:12} {:width$} {:7} {:>10} {:>10} {:>10} {:>4} {:>9} {:>9} {:>9} {:>7} {:>8}\n",
        "work",
        "preset",
        "engine",
        "clock",
        "min ms",
        "median ms",
        "max ms",
        "runs",
        "ceiling",
        "of it",
        "target",
        "rows",
        "MiB"
    );
    for figure in figures {
        let clock = format!("{:?}", figure.clock).to_lowercase();
        let (times, rows) = (figure.times, figure.rows);
        let number = |value: Option<f64>, decimals| value.map_or("-".into(), |v| format!("{v:.decimals$}"));
        let share = figure.share_of_ceiling().map_or("-".into(), |share| format!("{:.0} %", 100.0 * share));
        writeln!(
            text,
            "{:8} {:12} {:width$} {clock:7} {:>10.3} {:>10.3} {:>10.3} {:>4} {:>9} {share:>9} {:>9} {rows:>7} {:>8}",
            figure.work,
            figure.preset.name(),
            figure.engine,
            times.min_ms,
            times.median_ms,
            times.max_ms,
            times.runs,
            number(figure.ceiling_ms, 3),
            number(figure.target_ms, 1),
            number(figure.peak_mib, 0),
        )
        .expect("a string takes all text");
    }
    text
}
