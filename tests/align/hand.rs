//! Cases small enough to draw: H, with the path starred from its start to its end.
//!
//! A picture says everything: the residues, every value, and by the steps from star to star score, ends and path.

use super::scorings::{gap, nucleotide, through_zero};
use super::{Case, Reference, Want, compare};
use warpseq::align::reference::matrices::Matrices;
use warpseq::align::{Alignment, Gap, Mode, Op, Run, Scoring, Stop};

mod pictures;

struct Picture {
    name: &'static str,
    mode: Mode,
    /// Of equal residues, of others.
    scores: [i32; 2],
    gap: Gap,
    stop: Stop,
    drawing: &'static str,
}

impl Picture {
    fn scoring(&self) -> Scoring {
        let scoring = nucleotide(self.mode, self.scores, self.gap);
        if self.stop == Stop::ThroughZero { through_zero(scoring) } else { scoring }
    }

    /// The lines under the target's residues: a residue, then the values of its row.
    fn rows(&self) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
        self.drawing.trim_start_matches('\n').lines().skip(1).map(|line| {
            let mut words = line.split_whitespace();
            (words.next().expect("a row starts with its residue"), words.collect())
        })
    }

    fn case(&self) -> Case {
        let target: String =
            self.drawing.trim_start_matches('\n').lines().take(1).flat_map(str::split_whitespace).collect();
        let query: String = self.rows().map(|(residue, _)| residue).collect();
        Case::zip(self.name, self.scoring(), &[(&query[1..], &target[1..])])
    }

    fn values(&self) -> Vec<Vec<i64>> {
        let value = |word: &str| word.trim_end_matches('*').parse().expect("a value, and a star on the path");
        self.rows().map(|(_, words)| words.into_iter().map(value).collect()).collect()
    }

    /// The alignment that the stars are.
    fn alignment(&self) -> Alignment {
        let case = self.case();
        let (query, target) = case.batch().residues(0);
        let rows: Vec<_> = self.rows().collect();
        let stars = rows.iter().enumerate().flat_map(|(i, (_, words))| {
            words.iter().enumerate().filter(|(_, word)| word.ends_with('*')).map(move |(j, _)| (i, j))
        });
        let stars: Vec<_> = stars.collect();
        let ((first_i, first_j), (i, j)) = (stars[0], stars[stars.len() - 1]);
        let op = |step: &[(usize, usize)]| match (step[1].0 - step[0].0, step[1].1 - step[0].1) {
            (1, 1) if case.scoring.equal(query[step[0].0], target[step[0].1]) => Op::Equal,
            (1, 1) => Op::Different,
            (1, 0) => Op::Insertion,
            (0, 1) => Op::Deletion,
            _ => panic!("{}: stars that do not touch: {step:?}", self.name),
        };
        let columns: Vec<_> = stars.windows(2).map(op).collect();
        let path = columns.chunk_by(Op::eq).map(|run| Run { op: run[0], length: run.len() as u32 }).collect();
        let score = self.values()[i][j];
        Alignment { score, query: first_i as u64..i as u64, target: first_j as u64..j as u64, path }
    }
}

pub fn cases() -> Vec<Case> {
    pictures::ALL.iter().map(Picture::case).collect()
}

#[test]
fn the_reference_finds_what_is_drawn() {
    for picture in &pictures::ALL {
        let case = picture.case();
        let (query, target) = case.batch().residues(0);
        let matrices = Matrices::new(query, target, &case.scoring);
        let filled: Vec<Vec<i64>> = matrices.h.row_iter().map(|row| row.iter().copied().collect()).collect();
        assert_eq!(filled, picture.values(), "{}", picture.name);
        compare(&case, &case.align(&mut Reference, Want::Path), &[picture.alignment()]);
    }
}

#[test]
fn empty_sequences_end_at_the_border() {
    let expected = |mode, (m, n): (usize, usize)| match mode {
        Mode::Global => -((m + n) as i64) - 2 * i64::from(m > 0) - 2 * i64::from(n > 0),
        Mode::Fit if m > 0 => -2 - m as i64,
        _ => 0,
    };
    for mode in super::scorings::MODES {
        for (m, n) in [(0, 0), (3, 0), (0, 3)] {
            let case = Case::zip("empty", nucleotide(mode, [1, -1], gap(3, 1)), &[(vec![b'A'; m], vec![b'A'; n])]);
            let found = case.align(&mut Reference, Want::Path);
            assert_eq!(found[0].score, expected(mode, (m, n)), "{mode:?} of {m} x {n}: {:?}", found[0]);
            super::add_up(&case, &found);
        }
    }
}
