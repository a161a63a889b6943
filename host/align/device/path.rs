//! Alignments from the moves that the device writes, and of pairs that need no device.

use super::super::{Alignment, Mode, Op, Run, Scoring, Want};
use cuda_std::U32x4;

/// Most paths have no more runs.
const SHORT: usize = 12;

/// What the device found for a pair: two elements of results, and its moves, from the end to the start, 16 a word.
pub struct Traced<'a> {
    pub results: [U32x4; 2],
    pub moves: &'a [u32],
}

impl Traced<'_> {
    /// The alignment of a query and a target.
    pub fn alignment(&self, (query, target): (&[u8], &[u8]), scoring: &Scoring, want: Want) -> Alignment {
        let [U32x4([score, row, column, moves]), U32x4([first_row, first_column, ..])] = self.results;
        let score = i64::from(score as i32);
        let end = (u64::from(row), u64::from(column));
        if want == Want::Score {
            return Alignment { score, query: end.0..end.0, target: end.1..end.1, path: Vec::new() };
        }
        let (mut i, mut j) = (first_row as usize, first_column as usize);
        let mut path: Vec<Run> = Vec::with_capacity((moves as usize).min(SHORT));
        for k in (0..moves as usize).rev() {
            let op = match self.moves[k / 16] >> (k % 16 * 2) & 3 {
                1 if scoring.equal(query[i], target[j]) => Op::Equal,
                1 => Op::Different,
                2 => Op::Insertion,
                _ => Op::Deletion,
            };
            i += usize::from(op != Op::Deletion);
            j += usize::from(op != Op::Insertion);
            match path.last_mut() {
                Some(last) if last.op == op => last.length += 1,
                _ => path.push(Run { op, length: 1 }),
            }
        }
        Alignment { score, query: u64::from(first_row)..end.0, target: u64::from(first_column)..end.1, path }
    }
}

/// The alignment of a pair with an empty sequence, as the border alone gives it: of a query of `rows` symbols and a target of `columns`, one of which is 0.
pub fn align_empty(rows: u64, columns: u64, scoring: &Scoring, want: Want) -> Alignment {
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

#[cfg(test)]
mod tests {
    use super::super::super::{Gap, Mode, Stop};
    use super::*;

    #[test]
    fn moves_are_read_backwards() {
        let scoring = Scoring {
            mode: Mode::Local,
            stop: Stop::AtZero,
            gap: Gap { open: 2, extend: 2 },
            codes: [0; 256],
            size: 1,
            scores: vec![1],
            identity: std::array::from_fn(|byte| byte as u8),
            scale: 1,
        };
        // From the end: diagonal, left, up, up, diagonal.
        let moves = [1 | 3 << 2 | 2 << 4 | 2 << 6 | 1 << 8];
        let traced = Traced { results: [U32x4([7, 5, 4, 5]), U32x4([1, 1, 0, 0])], moves: &moves };
        let alignment = traced.alignment((b"xAxxC", b"xAxG"), &scoring, Want::Path);
        let path: Vec<_> = alignment.path.iter().map(|run| (run.op, run.length)).collect();
        assert_eq!(path, [(Op::Equal, 1), (Op::Insertion, 2), (Op::Deletion, 1), (Op::Different, 1)]);
        assert_eq!((alignment.score, alignment.query, alignment.target), (7, 1..5, 1..4));
    }
}
