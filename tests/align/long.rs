//! Pairs too long for whole matrices, whose alignments are known without any recurrence.
//!
//! n equal residues: every mode aligns all of them, for n matches. n residues over n others that they never equal: local
//! and overlap find nothing worth having; global and fit take n mismatches where gaps cost more.

use super::scorings::{MODES, gap, nucleotide};
use super::{Case, Size, compare, end_of};
use warpseq::align::{Aligning, Alignment, Gap, Mode, Op, Run, Runs, Want};
use warpseq::executor::Executor;

/// How long the pairs are, and what is asked of them.
fn lengths(size: Size) -> &'static [(usize, Want)] {
    match size {
        Size::Small => &[(300, Want::Path)],
        Size::Matrices => &[(4096, Want::Path)],
        Size::Full => &[(8192, Want::Path), (40_000, Want::Score)],
    }
}

struct Long {
    mode: Mode,
    /// Of equal residues, of others.
    scores: [i32; 2],
    gap: Gap,
    /// Whether the residues are equal.
    equal: bool,
}

/// Equal residues in every mode with matches of 1 and 11, others with mismatches of -1, and of -3 where that is still the
/// best there is: two gaps of 2 in their place, which global charges both.
fn cases() -> Vec<Long> {
    let (linear, affine) = (gap(2, 2), gap(12, 1));
    let mut cases = vec![Long { mode: Mode::Global, scores: [1, -3], gap: linear, equal: false }];
    for mode in MODES {
        cases.push(Long { mode, scores: [1, -1], gap: linear, equal: true });
        cases.push(Long { mode, scores: [11, -9], gap: affine, equal: true });
        cases.push(Long { mode, scores: [1, -1], gap: affine, equal: false });
    }
    cases
}

impl Long {
    fn closed_form(&self, length: usize) -> Alignment {
        let n = length as u64;
        let columns = |op| vec![Run { op, length: length as u32 }];
        match (self.equal, self.mode) {
            (true, _) => Alignment {
                score: i64::from(self.scores[0]) * length as i64,
                query: 0..n,
                target: 0..n,
                path: columns(Op::Equal).into(),
            },
            (false, Mode::Global | Mode::Fit) => Alignment {
                score: i64::from(self.scores[1]) * length as i64,
                query: 0..n,
                target: 0..n,
                path: columns(Op::Different).into(),
            },
            (false, Mode::Local) => Alignment { score: 0, query: 0..0, target: 0..0, path: Runs::NONE },
            (false, Mode::Overlap) => Alignment { score: 0, query: 0..0, target: n..n, path: Runs::NONE },
        }
    }
}

pub fn check(executor: &mut dyn Executor<Aligning>, size: Size) {
    for &(length, want) in lengths(size) {
        for long in cases() {
            let residues = (vec![b'A'; length], vec![if long.equal { b'A' } else { b'C' }; length]);
            let scoring = nucleotide(long.mode, long.scores, long.gap);
            let case =
                Case::zip(&format!("{length} residues, {:?}, {:?}", long.mode, long.scores), scoring, &[residues]);
            let expected = long.closed_form(length);
            let expected = if want == Want::Path { expected } else { end_of(&expected) };
            compare(&case, &case.align(executor, want), &[expected]);
        }
    }
}
