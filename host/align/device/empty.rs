//! Pairs with an empty sequence: what the border alone says.

use super::super::{Alignment, Mode, Op, Run, Scoring, Want};

/// The alignment of a query of `rows` symbols and a target of `columns`, one of which is 0.
pub fn align(rows: u64, columns: u64, scoring: &Scoring, want: Want) -> Alignment {
    // The end. On a free border all cells score 0, and the corner is the first.
    let (query, target) = match scoring.mode {
        Mode::Global => (rows, columns),
        Mode::Fit => (rows, 0),
        Mode::Local | Mode::Overlap => (0, 0),
    };
    let length = query + target;
    let gap = scoring.gap;
    let cost = if length == 0 { 0 } else { i64::from(gap.open) + (length as i64 - 1) * i64::from(gap.extend) };
    let start = match want {
        Want::Path => (0, 0),
        Want::Score => (query, target),
    };
    let op = if query > 0 { Op::Insertion } else { Op::Deletion };
    let path = if want == Want::Path && length > 0 { vec![Run { op, length: length as u32 }] } else { Vec::new() };
    Alignment { score: -cost, query: start.0..query, target: start.1..target, path }
}
