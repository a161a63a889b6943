//! The definition in plain loops: three whole matrices of 64-bit numbers, and a traceback over them.

use crate::{Alignment, Mode, Op, Run, Scoring, Stop};

const NONE: i64 = i64::MIN / 4;

struct Matrices<'a> {
    scoring: &'a Scoring,
    query: &'a [u8],
    target: &'a [u8],
    h: Vec<Vec<i64>>,
    e: Vec<Vec<i64>>,
    f: Vec<Vec<i64>>,
}

fn gap(scoring: &Scoring, n: usize) -> i64 {
    if n == 0 { 0 } else { i64::from(scoring.gap.open) + (n as i64 - 1) * i64::from(scoring.gap.extend) }
}

impl Matrices<'_> {
    fn fill(&mut self) {
        let (open, extend) = (i64::from(self.scoring.gap.open), i64::from(self.scoring.gap.extend));
        let mode = self.scoring.mode;
        for i in 0..=self.query.len() {
            for j in 0..=self.target.len() {
                if i == 0 || j == 0 {
                    let free = match mode {
                        Mode::Local | Mode::Overlap => true,
                        Mode::Global => false,
                        Mode::Fit => i == 0,
                    };
                    self.h[i][j] = if free { 0 } else { -gap(self.scoring, i + j) };
                    continue;
                }
                self.e[i][j] = (self.h[i][j - 1] - open).max(self.e[i][j - 1] - extend);
                self.f[i][j] = (self.h[i - 1][j] - open).max(self.f[i - 1][j] - extend);
                let best = self.diagonal(i, j).max(self.e[i][j]).max(self.f[i][j]);
                self.h[i][j] = if mode == Mode::Local { best.max(0) } else { best };
            }
        }
    }

    fn diagonal(&self, i: usize, j: usize) -> i64 {
        self.h[i - 1][j - 1] + i64::from(self.scoring.score(self.query[i - 1], self.target[j - 1]))
    }

    fn end(&self) -> (usize, usize) {
        let (m, n) = (self.query.len(), self.target.len());
        let mut end = None;
        for i in 0..=m {
            for j in 0..=n {
                let allowed = match self.scoring.mode {
                    Mode::Local => true,
                    Mode::Global => i == m && j == n,
                    Mode::Fit => i == m,
                    Mode::Overlap => i == m || j == n,
                };
                if allowed && end.is_none_or(|(k, l): (usize, usize)| self.h[i][j] > self.h[k][l]) {
                    end = Some((i, j));
                }
            }
        }
        end.unwrap()
    }

    /// The ops from the end, and where they start.
    fn traceback(&self, (mut i, mut j): (usize, usize)) -> (Vec<Op>, (usize, usize)) {
        let open = i64::from(self.scoring.gap.open);
        let (mode, mut ops, mut gap) = (self.scoring.mode, vec![], None);
        loop {
            let on_border = i == 0 || j == 0;
            if gap.is_none() && on_border {
                let charged = mode == Mode::Global || mode == Mode::Fit && j == 0;
                if charged {
                    ops.extend(std::iter::repeat_n(Op::Insertion, std::mem::take(&mut i)));
                    ops.extend(std::iter::repeat_n(Op::Deletion, std::mem::take(&mut j)));
                }
                return (ops, (i, j));
            }
            let h = self.h[i][j];
            match gap {
                None if mode == Mode::Local && self.scoring.stop == Stop::AtZero && h == 0 => return (ops, (i, j)),
                None if h == self.diagonal(i, j) => {
                    (i, j) = (i - 1, j - 1);
                    let equal = self.scoring.equal(self.query[i], self.target[j]);
                    ops.push(if equal { Op::Equal } else { Op::Different });
                }
                None if h == self.f[i][j] => gap = Some(Op::Insertion),
                None if h == self.e[i][j] => gap = Some(Op::Deletion),
                None => return (ops, (i, j)),
                Some(Op::Insertion) => {
                    if self.f[i][j] == self.h[i - 1][j] - open {
                        gap = None;
                    }
                    i -= 1;
                    ops.push(Op::Insertion);
                }
                Some(_) => {
                    if self.e[i][j] == self.h[i][j - 1] - open {
                        gap = None;
                    }
                    j -= 1;
                    ops.push(Op::Deletion);
                }
            }
        }
    }
}

/// The alignment of two sequences, with its path.
pub fn align(scoring: &Scoring, query: &[u8], target: &[u8]) -> Alignment {
    let matrix = |value| vec![vec![value; target.len() + 1]; query.len() + 1];
    let mut matrices = Matrices { scoring, query, target, h: matrix(0), e: matrix(NONE), f: matrix(NONE) };
    matrices.fill();
    let end = matrices.end();
    let (ops, start) = matrices.traceback(end);
    let mut path: Vec<Run> = vec![];
    for op in ops.into_iter().rev() {
        match path.last_mut() {
            Some(run) if run.op == op => run.length += 1,
            _ => path.push(Run { op, length: 1 }),
        }
    }
    let range = |start: usize, end: usize| start as u64..end as u64;
    Alignment { score: matrices.h[end.0][end.1], query: range(start.0, end.0), target: range(start.1, end.1), path }
}
