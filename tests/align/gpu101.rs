//! The preset gpu101, held against its rule written down once more: one matrix of scores and one of direction codes, filled
//! together, as in the course's starter program.

use super::scorings::{gap, literal, through_zero};
use super::{Case, Size};
use crate::conformance::dice::Dice;
use warpseq::align::reference::Reference;
use warpseq::align::{Alignment, Mode, Op, Want};

/// Random pairs of 512 residues (64 in the small suite).
pub fn case(size: Size) -> Case {
    if size == Size::Small { pairs(20, 64) } else { pairs(100, 512) }
}

fn pairs(count: usize, length: usize) -> Case {
    let mut dice = Dice::new(512);
    let mut residues = || dice.letters(b"ACGTN", length);
    let pairs: Vec<_> = (0..count).map(|_| (residues(), residues())).collect();
    Case::zip("gpu101", through_zero(literal(Mode::Local, [1, -1], gap(2, 2))), &pairs)
}

/// From end to start: 1 diagonal equal, 2 diagonal different, 3 up, 4 left.
fn codes(alignment: &Alignment) -> Vec<u8> {
    let code = |op| match op {
        Op::Equal => 1,
        Op::Different => 2,
        Op::Insertion => 3,
        Op::Deletion => 4,
    };
    alignment.path.iter().rev().flat_map(|run| std::iter::repeat_n(code(run.op), run.length as usize)).collect()
}

/// The largest score, and the codes back from its first cell.
fn by_the_rule(query: &[u8], target: &[u8]) -> (i32, Vec<u8>) {
    let width = target.len() + 1;
    let mut scores = vec![0; (query.len() + 1) * width];
    let mut directions = vec![0u8; scores.len()];
    let (mut largest, mut at) = (0, 0);
    for i in 1..=query.len() {
        for j in 1..width {
            let cell = i * width + j;
            let equal = query[i - 1] == target[j - 1];
            let diagonal = scores[cell - width - 1] + if equal { 1 } else { -1 };
            let (up, left) = (scores[cell - width] - 2, scores[cell - 1] - 2);
            let best = 0.max(diagonal).max(up).max(left);
            scores[cell] = best;
            directions[cell] = match best {
                _ if best == diagonal && equal => 1,
                _ if best == diagonal => 2,
                _ if best == up => 3,
                _ if best == left => 4,
                _ => 0,
            };
            if best > largest {
                (largest, at) = (best, cell);
            }
        }
    }
    let mut codes = Vec::new();
    while directions[at] != 0 {
        codes.push(directions[at]);
        at -= match directions[at] {
            1 | 2 => width + 1,
            3 => width,
            _ => 1,
        };
    }
    (largest, codes)
}

#[test]
fn the_reference_follows_the_rule_of_the_course() {
    let case = pairs(1000, 512);
    let found = case.align(&mut Reference, Want::Path);
    let (mut scores, mut steps) = (0, 0);
    for (pair, alignment) in found.iter().enumerate() {
        let (query, target) = case.batch().residues(pair);
        let (score, directions) = by_the_rule(query, target);
        assert_eq!((alignment.score, codes(alignment)), (i64::from(score), directions), "{}", case.describe(pair));
        (scores, steps) = (scores + alignment.score, steps + codes(alignment).len());
    }
    let [score, steps] = [scores as f64, steps as f64].map(|sum| sum / found.len() as f64);
    println!("mean score {score:.2}, mean steps {steps:.2}");
    assert!((8.7..8.9).contains(&score) && (17.0..19.0).contains(&steps), "means: score {score}, steps {steps}");
}
