//! From a path to its score: what an alignment claims, added up without the recurrence.

use super::matrices::cost;
use crate::{Alignment, Mode, Op, Run, Scoring};
use std::ops::Range;

/// The score of an alignment's path, in scaled units.
///
/// # Errors
/// What is wrong with the path: it leaves the sequences, does not fill the ranges, has a run of 0 columns or two runs of one
/// kind in a row, calls equal residues different or the other way round, or does not start and end where the mode allows.
pub fn rescore(
    query: &[u8],
    target: &[u8],
    alignment: &Alignment,
    scoring: &Scoring,
) -> std::result::Result<i64, String> {
    let queries = inside("query", &alignment.query, query.len())?;
    let targets = inside("target", &alignment.target, target.len())?;
    ends(&queries, &targets, (query.len(), target.len()), scoring.mode)?;
    neighbours(&alignment.path, scoring.mode)?;
    let (mut i, mut j, mut score) = (queries.start, targets.start, 0);
    for &Run { op, length } in &alignment.path {
        let length = length as usize;
        let (rows, columns) = match op {
            Op::Equal | Op::Different => (length, length),
            Op::Insertion => (length, 0),
            Op::Deletion => (0, length),
        };
        let (residues, symbols) = (query.get(i..i + rows), target.get(j..j + columns));
        let (residues, symbols) =
            residues.zip(symbols).ok_or(format!("{length} {op:?} at {i}, {j} leave a sequence"))?;
        score += match op {
            Op::Equal | Op::Different => diagonal(residues, symbols, op == Op::Equal, scoring)?,
            Op::Insertion | Op::Deletion => -cost(scoring.gap, length),
        };
        (i, j) = (i + rows, j + columns);
    }
    if (i, j) != (queries.end, targets.end) {
        return Err(format!("the path ends at {i}, {j}, the ranges at {}, {}", queries.end, targets.end));
    }
    Ok(score)
}

fn inside(what: &str, range: &Range<u64>, length: usize) -> std::result::Result<Range<usize>, String> {
    match range.start <= range.end && range.end <= length as u64 {
        true => Ok(range.start as usize..range.end as usize),
        false => Err(format!("{range:?} is not inside the {what} of {length} symbols")),
    }
}

fn ends(
    query: &Range<usize>,
    target: &Range<usize>,
    (m, n): (usize, usize),
    mode: Mode,
) -> std::result::Result<(), String> {
    let allowed = match mode {
        Mode::Local => true,
        Mode::Global => *query == (0..m) && *target == (0..n),
        Mode::Fit => *query == (0..m),
        Mode::Overlap => (query.start == 0 || target.start == 0) && (query.end == m || target.end == n),
    };
    let what = || format!("{mode:?} does not allow query {query:?} of {m}, target {target:?} of {n}");
    allowed.then_some(()).ok_or_else(what)
}

/// Runs have columns, neighbours differ, and a local path, which is worth more than each of its parts, has no gap at an end.
fn neighbours(path: &[Run], mode: Mode) -> std::result::Result<(), String> {
    let gap = |run: Option<&Run>| run.is_some_and(|run| matches!(run.op, Op::Insertion | Op::Deletion));
    if path.iter().any(|run| run.length == 0) || path.windows(2).any(|runs| runs[0].op == runs[1].op) {
        return Err(format!("runs of no columns, or two of one kind in a row: {path:?}"));
    }
    if mode == Mode::Local && (gap(path.first()) || gap(path.last())) {
        return Err(format!("a local path with a gap at an end: {path:?}"));
    }
    Ok(())
}

fn diagonal(query: &[u8], target: &[u8], equal: bool, scoring: &Scoring) -> std::result::Result<i64, String> {
    let mut score = 0;
    for (&residue, &symbol) in query.iter().zip(target) {
        if scoring.equal(residue, symbol) != equal {
            let (residue, symbol) = (residue.escape_ascii(), symbol.escape_ascii());
            return Err(format!("{residue} over {symbol} is called {}", if equal { "equal" } else { "different" }));
        }
        score += i64::from(scoring.score(residue, symbol));
    }
    Ok(score)
}
