//! A third naive alignment, for pairs too large for whole matrices: two rows of scores, and one byte per cell for the way
//! back (Gotoh 1982).

use super::{Size, compare, suite};
use warpseq::align::{Alignment, Mode, Op, Run, Scoring, Stop};

const DIAGONAL: u8 = 1;
const UP: u8 = 2;
const LEFT: u8 = 3;
/// Where H came from, 0 for nowhere; then whether F, and whether E, goes on with a gap that is open already.
const ORIGIN: u8 = 3;
const UP_GOES_ON: u8 = 4;
const LEFT_GOES_ON: u8 = 8;

/// Less than any score.
const NONE: i64 = i64::MIN / 4;

struct Rows<'a> {
    query: &'a [u8],
    target: &'a [u8],
    scoring: &'a Scoring,
    /// H of the row before, then of this row up to the current column.
    h: Vec<i64>,
    /// F of the row before, likewise.
    f: Vec<i64>,
    /// m x n bytes, without the border.
    bytes: Vec<u8>,
    best: (i64, usize, usize),
}

pub fn align(query: &[u8], target: &[u8], scoring: &Scoring) -> Alignment {
    let bytes = vec![0; query.len() * target.len()];
    let f = vec![NONE; target.len() + 1];
    let mut rows = Rows { query, target, scoring, h: Vec::new(), f, bytes, best: (NONE, 0, 0) };
    let charged = scoring.mode == Mode::Global;
    rows.h = (0..=target.len()).map(|j| if charged { rows.gap(j) } else { 0 }).collect();
    rows.look_at_row(0);
    for i in 1..=query.len() {
        rows.next(i);
        rows.look_at_row(i);
    }
    rows.back()
}

impl Rows<'_> {
    fn gap(&self, length: usize) -> i64 {
        let (open, extend) = (i64::from(self.scoring.gap.open), i64::from(self.scoring.gap.extend));
        if length == 0 { 0 } else { extend - open - extend * length as i64 }
    }

    fn next(&mut self, i: usize) {
        let (open, extend) = (i64::from(self.scoring.gap.open), i64::from(self.scoring.gap.extend));
        let charged = matches!(self.scoring.mode, Mode::Global | Mode::Fit);
        let mut diagonal = self.h[0];
        self.h[0] = if charged { self.gap(i) } else { 0 };
        let mut e = NONE;
        for j in 1..=self.target.len() {
            let mut byte = 0;
            if self.f[j] - extend > self.h[j] - open {
                byte |= UP_GOES_ON;
            }
            if e - extend > self.h[j - 1] - open {
                byte |= LEFT_GOES_ON;
            }
            self.f[j] = (self.f[j] - extend).max(self.h[j] - open);
            e = (e - extend).max(self.h[j - 1] - open);
            let score = i64::from(self.scoring.score(self.query[i - 1], self.target[j - 1]));
            let (value, origin) = self.choose(diagonal + score, self.f[j], e);
            diagonal = std::mem::replace(&mut self.h[j], value);
            self.bytes[(i - 1) * self.target.len() + j - 1] = byte | origin;
        }
    }

    fn choose(&self, diagonal: i64, up: i64, left: i64) -> (i64, u8) {
        let mut best = (diagonal, DIAGONAL);
        for other in [(up, UP), (left, LEFT)] {
            if other.0 > best.0 {
                best = other;
            }
        }
        let floor = if self.scoring.stop == Stop::AtZero { 1 } else { 0 };
        if self.scoring.mode == Mode::Local && best.0 < floor { (0, 0) } else { best }
    }

    /// Takes the best of the row's cells that may be the end.
    fn look_at_row(&mut self, i: usize) {
        let (m, n) = (self.query.len(), self.target.len());
        let (first, last) = match self.scoring.mode {
            Mode::Local => (0, n),
            Mode::Fit | Mode::Overlap if i == m => (0, n),
            Mode::Overlap => (n, n),
            Mode::Global if i == m => (n, n),
            _ => return,
        };
        for j in first..=last {
            if self.h[j] > self.best.0 {
                self.best = (self.h[j], i, j);
            }
        }
    }

    fn back(&self) -> Alignment {
        let (score, end_i, end_j) = self.best;
        let (mut i, mut j, mut path) = (end_i, end_j, Vec::new());
        while i > 0 && j > 0 {
            match self.byte(i, j) & ORIGIN {
                DIAGONAL => {
                    let equal = self.scoring.equal(self.query[i - 1], self.target[j - 1]);
                    add(&mut path, if equal { Op::Equal } else { Op::Different }, 1);
                    (i, j) = (i - 1, j - 1);
                }
                UP => {
                    let length = (0..i).take_while(|&k| k == 0 || self.byte(i - k + 1, j) & UP_GOES_ON != 0).count();
                    add(&mut path, Op::Insertion, length);
                    i -= length;
                }
                LEFT => {
                    let length = (0..j).take_while(|&k| k == 0 || self.byte(i, j - k + 1) & LEFT_GOES_ON != 0).count();
                    add(&mut path, Op::Deletion, length);
                    j -= length;
                }
                _ => break,
            }
        }
        if j == 0 && matches!(self.scoring.mode, Mode::Global | Mode::Fit) {
            add(&mut path, Op::Insertion, std::mem::take(&mut i));
        }
        if i == 0 && self.scoring.mode == Mode::Global {
            add(&mut path, Op::Deletion, std::mem::take(&mut j));
        }
        path.reverse();
        Alignment { score, query: i as u64..end_i as u64, target: j as u64..end_j as u64, path: path.into() }
    }

    fn byte(&self, i: usize, j: usize) -> u8 {
        self.bytes[(i - 1) * self.target.len() + j - 1]
    }
}

/// Adds columns to a path that is written backwards.
fn add(path: &mut Vec<Run>, op: Op, length: usize) {
    match path.last_mut() {
        Some(run) if run.op == op => run.length += length as u32,
        _ if length > 0 => path.push(Run { op, length: length as u32 }),
        _ => {}
    }
}

#[test]
fn the_reference_agrees_everywhere() {
    for (case, expected) in suite(Size::Full) {
        let one = |pair| case.batch().residues(pair);
        let found: Vec<_> = (0..case.pairs.len()).map(one).map(|(q, t)| align(q, t, &case.scoring)).collect();
        compare(case, &found, expected);
    }
}
