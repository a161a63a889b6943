//! The three matrices of a pair, and where its alignment ends.
//!
//! Cell (i, j) is about the first i query symbols and the first j target symbols:
//!
//! ```text
//! H[i][j]   the best alignment that ends here
//! E[i][j]   the best one whose last column is a gap in the query      undefined where j = 0, not asked for where i = 0
//! F[i][j]   the best one whose last column is a gap in the target     undefined where i = 0, not asked for where j = 0
//! ```
//!
//! Undefined is [`ABSENT`]: `E[i][1]` and `F[1][j]` find it on the border and always open. No other cell can be absent, so
//! it is never lowered more than once.

use crate::{Gap, Mode, Scoring};
use nalgebra::DMatrix;

/// Less than any score, and still far from the least i64.
pub const ABSENT: i64 = i64::MIN / 2;

/// (m + 1) x (n + 1) cells each; `h[(i, j)]`.
pub struct Matrices {
    /// The best score of a path to each cell.
    pub h: DMatrix<i64>,
    /// The same, of paths that end with a gap in the query.
    pub e: DMatrix<i64>,
    /// The same, of paths that end with a gap in the target.
    pub f: DMatrix<i64>,
}

impl Matrices {
    /// Every cell of a pair.
    pub fn new(query: &[u8], target: &[u8], scoring: &Scoring) -> Self {
        let absent = DMatrix::from_element(query.len() + 1, target.len() + 1, ABSENT);
        let mut all = Self { h: absent.clone(), e: absent.clone(), f: absent };
        for i in 0..=query.len() {
            all.h[(i, 0)] = if charges_query_start(scoring.mode) { -cost(scoring.gap, i) } else { 0 };
        }
        for j in 0..=target.len() {
            all.h[(0, j)] = if charges_target_start(scoring.mode) { -cost(scoring.gap, j) } else { 0 };
        }
        for (j, &symbol) in (1..).zip(target) {
            for (i, &residue) in (1..).zip(query) {
                all.fill(i, j, i64::from(scoring.score(residue, symbol)), scoring);
            }
        }
        all
    }

    /// Cell (i, j), inside the border; `score` is that of its two symbols.
    fn fill(&mut self, i: usize, j: usize, score: i64, scoring: &Scoring) {
        let (open, extend) = (i64::from(scoring.gap.open), i64::from(scoring.gap.extend));
        let e = (self.h[(i, j - 1)] - open).max(self.e[(i, j - 1)] - extend);
        let f = (self.h[(i - 1, j)] - open).max(self.f[(i - 1, j)] - extend);
        let best = (self.h[(i - 1, j - 1)] + score).max(f).max(e);
        self.h[(i, j)] = if scoring.mode == Mode::Local { best.max(0) } else { best };
        self.e[(i, j)] = e;
        self.f[(i, j)] = f;
    }

    /// The end cell: of those that the mode allows the highest score, then the smallest i, then the smallest j.
    pub fn end(&self, mode: Mode) -> (usize, usize) {
        let (m, n) = (self.h.nrows() - 1, self.h.ncols() - 1);
        let mut end = (m, n);
        for cell in (0..=n).flat_map(|j| (0..=m).map(move |i| (i, j))) {
            let allowed = match mode {
                Mode::Local => true,
                Mode::Global => cell == (m, n),
                Mode::Fit => cell.0 == m,
                Mode::Overlap => cell.0 == m || cell.1 == n,
            };
            if allowed && (self.h[cell] > self.h[end] || self.h[cell] == self.h[end] && cell < end) {
                end = cell;
            }
        }
        end
    }
}

/// What a gap of `length` symbols costs; 0 symbols are no gap.
pub fn cost(gap: Gap, length: usize) -> i64 {
    match length {
        0 => 0,
        _ => i64::from(gap.open) + (length as i64 - 1) * i64::from(gap.extend),
    }
}

/// Whether query symbols before the first target symbol cost a gap: column 0.
pub fn charges_query_start(mode: Mode) -> bool {
    matches!(mode, Mode::Global | Mode::Fit)
}

/// Whether target symbols before the first query symbol cost a gap: row 0.
pub fn charges_target_start(mode: Mode) -> bool {
    mode == Mode::Global
}
