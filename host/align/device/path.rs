//! Alignments from the moves that the device writes, and of pairs that need no device.

use super::super::{Alignment, Mode, Op, Run, Runs, Scoring, Want};
use cuda_std::U32x4;

/// Moves of a word.
const MOVES: usize = 16;

/// What the device found for a pair: two elements of results, and its moves, from the end to the start, 16 a word.
#[derive(Clone, Copy)]
pub struct Traced<'a> {
    pub results: [U32x4; 2],
    pub moves: &'a [u32],
}

impl Traced<'_> {
    /// How many moves there are.
    pub fn moves(&self) -> usize {
        let [U32x4([.., moves]), _] = self.results;
        moves as usize
    }

    /// The alignment, but for its path.
    pub fn told(&self, want: Want) -> Alignment {
        let [U32x4([score, row, column, _]), U32x4([first_row, first_column, ..])] = self.results;
        let end = [row, column].map(u64::from);
        let start = if want == Want::Path { [first_row, first_column].map(u64::from) } else { end };
        let [query, target] = [0, 1].map(|side| start[side]..end[side]);
        Alignment { score: i64::from(score as i32), query, target, path: Runs::NONE }
    }

    /// Adds the runs of the path of a query and a target.
    pub fn add_runs(&self, (query, target): (&[u8], &[u8]), scoring: &Scoring, all: &mut Vec<Run>) {
        let U32x4([row, column, ..]) = self.results[1];
        let (mut i, mut j) = (row as usize, column as usize);
        let mut runs = Adding { all, op: Op::Equal, length: 0 };
        for (word, &moves) in self.moves[..self.moves().div_ceil(MOVES)].iter().enumerate().rev() {
            // The next move is that of the highest bits.
            let mut left = MOVES.min(self.moves() - word * MOVES);
            let mut moves = u64::from(moves) << (64 - 2 * left);
            while left > 0 {
                let next = moves >> 62;
                let others = moves ^ (next * (u64::MAX / 3));
                let same = left.min(others.leading_zeros() as usize / 2);
                match next {
                    1 => {
                        for (&query, &target) in query[i..i + same].iter().zip(&target[j..j + same]) {
                            runs.add(if scoring.equal(query, target) { Op::Equal } else { Op::Different }, 1);
                        }
                        (i, j) = (i + same, j + same);
                    }
                    2 => {
                        runs.add(Op::Insertion, same);
                        i += same;
                    }
                    _ => {
                        runs.add(Op::Deletion, same);
                        j += same;
                    }
                }
                (moves, left) = (moves << (2 * same), left - same);
            }
        }
        runs.end();
    }
}

/// Runs to which columns are added.
struct Adding<'a> {
    all: &'a mut Vec<Run>,
    /// The last run, which may grow.
    op: Op,
    length: u32,
}

impl Adding<'_> {
    fn add(&mut self, op: Op, columns: usize) {
        if op != self.op {
            self.end();
            (self.op, self.length) = (op, 0);
        }
        self.length += columns as u32;
    }

    fn end(&mut self) {
        if self.length > 0 {
            self.all.push(Run { op: self.op, length: self.length });
        }
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
    let path =
        if want == Want::Path && length > 0 { vec![Run { op, length: length as u32 }].into() } else { Runs::NONE };
    Alignment { score: -cost, query: start.0..query, target: start.1..target, path }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Gap, Mode, Stop};
    use super::*;

    fn scoring() -> Scoring {
        Scoring {
            mode: Mode::Local,
            stop: Stop::AtZero,
            gap: Gap { open: 2, extend: 2 },
            codes: [0; 256],
            size: 1,
            scores: vec![1],
            identity: std::array::from_fn(|byte| byte as u8),
            scale: 1,
        }
    }

    fn runs(traced: Traced, residues: (&[u8], &[u8])) -> Vec<(Op, u32)> {
        let mut runs = Vec::new();
        traced.add_runs(residues, &scoring(), &mut runs);
        runs.iter().map(|run| (run.op, run.length)).collect()
    }

    #[test]
    fn moves_are_read_backwards() {
        // From the end: diagonal, left, up, up, diagonal.
        let moves = [1 | 3 << 2 | 2 << 4 | 2 << 6 | 1 << 8];
        let traced = Traced { results: [U32x4([7, 5, 4, 5]), U32x4([1, 1, 0, 0])], moves: &moves };
        let found = runs(traced, (b"xAxxC", b"xAxG"));
        assert_eq!(found, [(Op::Equal, 1), (Op::Insertion, 2), (Op::Deletion, 1), (Op::Different, 1)]);
        let alignment = traced.told(Want::Path);
        assert_eq!((alignment.score, alignment.query, alignment.target), (7, 1..5, 1..4));
        assert_eq!(runs(Traced { results: [U32x4([0; 4]); 2], moves: &[] }, (b"", b"")), []);
    }

    #[test]
    fn runs_go_on_from_word_to_word() {
        // From the end: 20 left, 16 diagonal, 33 up.
        let all: Vec<u32> = [vec![3; 20], vec![1; 16], vec![2; 33]].concat();
        let word = |moves: &[u32]| (0..).zip(moves).fold(0, |word, (k, &next)| word | next << (2 * k));
        let moves: Vec<u32> = all.chunks(MOVES).map(word).collect();
        let traced = Traced { results: [U32x4([1, 49, 36, all.len() as u32]), U32x4([0; 4])], moves: &moves };
        let found = runs(traced, (&[b'A'; 49], &[b'A'; 36]));
        assert_eq!(found, [(Op::Insertion, 33), (Op::Equal, 16), (Op::Deletion, 20)]);
    }
}
