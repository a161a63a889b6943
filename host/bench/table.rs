//! Figures as a table for people. A column without values is left out.

use super::Figure;
use super::amount::Unit;

/// The text of a figure in a column.
type Show = fn(&Figure) -> Option<String>;

/// The columns: words are aligned left, numbers right.
const WORDS: [(&str, Show); 5] = [
    ("work", |figure| Some(figure.work.clone())),
    ("preset", |figure| figure.preset.map(str::to_owned)),
    ("mode", |figure| figure.mode.map(str::to_owned)),
    ("engine", |figure| Some(figure.engine.clone())),
    ("clock", |figure| Some(format!("{:?}", figure.clock).to_lowercase())),
];
const NUMBERS: [(&str, Show); 16] = [
    ("min ms", |figure| Some(format!("{:.3}", figure.times.min_ms))),
    ("median ms", |figure| Some(format!("{:.3}", figure.times.median_ms))),
    ("max ms", |figure| Some(format!("{:.3}", figure.times.max_ms))),
    ("runs", |figure| Some(figure.times.runs.to_string())),
    ("ceiling", |figure| figure.ceiling_ms.map(|ms| format!("{ms:.3}"))),
    ("of it", |figure| figure.share_of_ceiling().map(|share| format!("{:.0} %", 100.0 * share))),
    ("target", |figure| figure.target_ms.map(|ms| format!("{ms:.1}"))),
    ("rows", |figure| Some(figure.rows.to_string())),
    (Unit::Cells.rate(), |figure| rate(figure, Unit::Cells).map(|rate| format!("{rate:.1}"))),
    (Unit::Residues.rate(), |figure| rate(figure, Unit::Residues).map(|rate| format!("{rate:.3}"))),
    (Unit::Pairs.rate(), |figure| rate(figure, Unit::Pairs).map(|rate| format!("{rate:.1}"))),
    (Unit::Bytes.rate(), |figure| rate(figure, Unit::Bytes).map(|rate| format!("{rate:.2}"))),
    ("Mreads/s", |figure| rate(figure, Unit::Reads).map(|rate| format!("{:.2}", 1e3 * rate))),
    ("x CPU", |figure| figure.amount?.speed_up.map(|times| format!("{times:.1}"))),
    ("as CPU", |figure| figure.amount?.identical.map(|count| format!("{count} same"))),
    ("MiB", |figure| figure.peak_mib.map(|mib| format!("{mib:.0}"))),
];

/// Billions of the unit per second, if the figure counts it.
fn rate(figure: &Figure, unit: Unit) -> Option<f64> {
    figure.amount.filter(|amount| amount.unit == unit).map(|amount| amount.rate)
}

/// A heading, and a line for each figure.
pub fn table(figures: &[Figure]) -> String {
    let columns = WORDS.map(|column| (column, true)).into_iter().chain(NUMBERS.map(|column| (column, false)));
    let mut lines = vec![String::new(); 1 + figures.len()];
    for ((heading, show), left) in columns {
        let shown: Vec<_> = figures.iter().map(show).collect();
        if shown.iter().any(Option::is_some) {
            let cells = shown.into_iter().map(|cell| cell.unwrap_or("-".into()));
            let cells: Vec<_> = std::iter::once(heading.to_owned()).chain(cells).collect();
            add(&mut lines, &cells, left);
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Adds a column to the lines, as wide as its widest cell.
fn add(lines: &mut [String], cells: &[String], left: bool) {
    let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    for (line, cell) in lines.iter_mut().zip(cells) {
        let gap = if line.is_empty() { "" } else { " " };
        *line += &if left { format!("{gap}{cell:width$}") } else { format!("{gap} {cell:>width$}") };
    }
}
