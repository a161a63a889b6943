//! The naive matrix of a pair: the rules of `align` cell by cell, and the traceback.

use crate::abi::mode;
use std::{vec, vec::Vec};

/// What residues and gaps score, and which ends are free.
#[derive(Clone, Copy, Debug)]
pub struct Scoring {
    pub mode: u32,
    pub open: i32,
    pub extend: i32,
    /// Whether a local path stops at the first cell of score 0.
    pub stops: bool,
    /// By query code and target code.
    pub scores: [[i32; 5]; 5],
}

/// An alignment: the cells of its end and its start, and the moves from the end to the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub score: i32,
    pub end: [u32; 2],
    pub start: [u32; 2],
    pub moves: Vec<u32>,
}

impl Found {
    /// What remains if no path is wanted.
    pub fn without_path(self) -> Self {
        Self { start: self.end, moves: Vec::new(), ..self }
    }
}

const NONE: i32 = i32::MIN / 2;
const NOWHERE: u32 = 0;
const DIAGONAL: u32 = 1;
const UP: u32 = 2;
const LEFT: u32 = 3;

struct Matrix<'a> {
    query: &'a [u8],
    target: &'a [u8],
    scoring: &'a Scoring,
    h: Vec<Vec<i32>>,
    e: Vec<Vec<i32>>,
    f: Vec<Vec<i32>>,
}

/// Aligns a query and a target, both as codes.
pub fn align(query: &[u8], target: &[u8], scoring: &Scoring) -> Found {
    let blank = vec![vec![NONE; target.len() + 1]; query.len() + 1];
    let mut matrix = Matrix { query, target, scoring, h: blank.clone(), e: blank.clone(), f: blank };
    for i in 0..=query.len() {
        for j in 0..=target.len() {
            matrix.fill(i, j);
        }
    }
    matrix.back(matrix.end())
}

impl Matrix<'_> {
    fn fill(&mut self, i: usize, j: usize) {
        let Scoring { mode, open, extend, .. } = *self.scoring;
        if i == 0 || j == 0 {
            let charged = mode == mode::GLOBAL || mode == mode::FIT && j == 0;
            let symbols = (i + j) as i32;
            self.h[i][j] = if charged && symbols > 0 { -open - (symbols - 1) * extend } else { 0 };
            return;
        }
        self.e[i][j] = (self.h[i][j - 1] - open).max(self.e[i][j - 1] - extend);
        self.f[i][j] = (self.h[i - 1][j] - open).max(self.f[i - 1][j] - extend);
        let h = self.diagonal(i, j).max(self.f[i][j]).max(self.e[i][j]);
        self.h[i][j] = if mode == mode::LOCAL { h.max(0) } else { h };
    }

    fn diagonal(&self, i: usize, j: usize) -> i32 {
        self.h[i - 1][j - 1] + self.scoring.scores[usize::from(self.query[i - 1])][usize::from(self.target[j - 1])]
    }

    /// The first of the highest cells among those where an alignment may end.
    fn end(&self) -> [usize; 2] {
        let (m, n) = (self.query.len(), self.target.len());
        let mut best = None;
        for (i, j) in (0..=m).flat_map(|i| (0..=n).map(move |j| (i, j))) {
            let may_end = match self.scoring.mode {
                mode::LOCAL => true,
                mode::GLOBAL => i == m && j == n,
                mode::FIT => i == m,
                _ => i == m || j == n,
            };
            if may_end && best.is_none_or(|[k, l]: [usize; 2]| self.h[i][j] > self.h[k][l]) {
                best = Some([i, j]);
            }
        }
        best.expect("the last cell is one")
    }

    fn back(&self, end: [usize; 2]) -> Found {
        let ([mut i, mut j], mut inside, mut moves) = (end, NOWHERE, Vec::new());
        loop {
            let step = if inside == NOWHERE { self.step(i, j) } else { inside };
            let border = i == 0 || j == 0;
            inside = match step {
                UP if !border && self.f[i][j] != self.h[i - 1][j] - self.scoring.open => UP,
                LEFT if !border && self.e[i][j] != self.h[i][j - 1] - self.scoring.open => LEFT,
                _ => NOWHERE,
            };
            if step == NOWHERE {
                let cell = |[i, j]: [usize; 2]| [i as u32, j as u32];
                return Found { score: self.h[end[0]][end[1]], end: cell(end), start: cell([i, j]), moves };
            }
            i -= usize::from(step != LEFT);
            j -= usize::from(step != UP);
            moves.push(step);
        }
    }

    /// Where H of a cell comes from.
    fn step(&self, i: usize, j: usize) -> u32 {
        let Scoring { mode, stops, .. } = *self.scoring;
        if i == 0 || j == 0 {
            return match mode {
                mode::GLOBAL if j > 0 => LEFT,
                mode::GLOBAL | mode::FIT if i > 0 => UP,
                _ => NOWHERE,
            };
        }
        match self.h[i][j] {
            0 if mode == mode::LOCAL && stops => NOWHERE,
            h if h == self.diagonal(i, j) => DIAGONAL,
            h if h == self.f[i][j] => UP,
            h if h == self.e[i][j] => LEFT,
            _ => NOWHERE,
        }
    }
}
