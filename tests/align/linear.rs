//! A second naive alignment, for linear gaps alone: one matrix, no E, no F, and the way back is noted while it is filled.
//!
//! The reference's affine recurrence with open == extend must give the same paths, or engines that take the linear one
//! there would differ from those that do not.

use super::{Size, suite};
use warpseq::align::{Alignment, Mode, Op, Run, Scoring, Stop};

/// A cell: its value, and the column that leads to it, none where an alignment starts.
type Cell = (i64, Option<Op>);

pub fn align(query: &[u8], target: &[u8], scoring: &Scoring) -> Alignment {
    let rows = fill(query, target, scoring);
    let (mut i, mut j) = last_cell(&rows, scoring.mode);
    let (score, end) = (rows[i][j].0, (i as u64, j as u64));
    let mut columns = Vec::new();
    while let Some(column) = rows[i][j].1 {
        columns.push(column);
        i -= usize::from(column != Op::Deletion);
        j -= usize::from(column != Op::Insertion);
    }
    columns.reverse();
    let path = columns.chunk_by(Op::eq).map(|run| Run { op: run[0], length: run.len() as u32 }).collect();
    Alignment { score, query: i as u64..end.0, target: j as u64..end.1, path }
}

fn fill(query: &[u8], target: &[u8], scoring: &Scoring) -> Vec<Vec<Cell>> {
    let gap = i64::from(scoring.gap.open);
    let charged = |length: usize, op: Op| (length as i64 * -gap, (length > 0).then_some(op));
    let first_row = |j| if scoring.mode == Mode::Global { charged(j, Op::Deletion) } else { (0, None) };
    let mut rows: Vec<Vec<Cell>> = vec![(0..=target.len()).map(first_row).collect()];
    for (k, &residue) in query.iter().enumerate() {
        let free = matches!(scoring.mode, Mode::Local | Mode::Overlap);
        let mut row = vec![if free { (0, None) } else { charged(k + 1, Op::Insertion) }];
        for (j, &symbol) in target.iter().enumerate() {
            let op = if scoring.equal(residue, symbol) { Op::Equal } else { Op::Different };
            let diagonal = (rows[k][j].0 + i64::from(scoring.score(residue, symbol)), Some(op));
            let (up, left) = ((rows[k][j + 1].0 - gap, Some(Op::Insertion)), (row[j].0 - gap, Some(Op::Deletion)));
            row.push(first_of_the_best([diagonal, up, left], scoring));
        }
        rows.push(row);
    }
    rows
}

fn first_of_the_best(candidates: [Cell; 3], scoring: &Scoring) -> Cell {
    let best = candidates.into_iter().rev().max_by_key(|cell| cell.0).expect("three candidates");
    let stops = match scoring.stop {
        Stop::AtZero => best.0 <= 0,
        Stop::ThroughZero => best.0 < 0,
    };
    if scoring.mode == Mode::Local && stops { (0, None) } else { best }
}

fn last_cell(rows: &[Vec<Cell>], mode: Mode) -> (usize, usize) {
    let (m, n) = (rows.len() - 1, rows[0].len() - 1);
    let cells: Vec<_> = match mode {
        Mode::Local => (0..=m).flat_map(|i| (0..=n).map(move |j| (i, j))).collect(),
        Mode::Global => vec![(m, n)],
        Mode::Fit => (0..=n).map(|j| (m, j)).collect(),
        Mode::Overlap => (0..m).map(|i| (i, n)).chain((0..=n).map(|j| (m, j))).collect(),
    };
    cells.into_iter().rev().max_by_key(|&(i, j)| rows[i][j].0).expect("every mode has an end")
}

/// All pairs but the largest, which [`super::rows`] has.
#[test]
fn the_reference_agrees_where_costs_are_linear() {
    let mut pairs = 0;
    for (case, expected) in suite(Size::Full).iter().filter(|(case, _)| case.scoring.is_linear()) {
        for (pair, expected) in expected.iter().enumerate() {
            let (query, target) = case.batch().residues(pair);
            if query.len() * target.len() <= 1 << 19 {
                let found = align(query, target, &case.scoring);
                assert!(found == *expected, "{}: found {found:?}, expected {expected:?}", case.describe(pair));
                pairs += 1;
            }
        }
    }
    assert!(pairs > 10_000, "only {pairs} pairs");
}
