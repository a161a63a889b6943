//! Laws that hold whatever the recurrence is written in: of the other order, the other direction, other units, fewer
//! charges.

use super::random::{alphabets, mutated, pair};
use super::scorings::MODES;
use super::{Case, Size, compare};
use crate::conformance::dice::Dice;
use warpseq::align::{Aligning, Alignment, Gap, Mode, Scoring, Want};
use warpseq::executor::Executor;

type Residues = Vec<(Vec<u8>, Vec<u8>)>;

/// Every law on pairs of every alphabet and gap.
pub fn check(executor: &mut dyn Executor<Aligning>, size: Size) {
    let mut dice = Dice::new(5);
    for (name, residues, scoring, gaps) in alphabets() {
        let pairs = pairs(&mut dice, &residues, size);
        for gap in gaps {
            let under = |mode| Case::zip(&format!("{name}, {mode:?}, {gap:?}"), scoring(mode, gap), &pairs);
            let found = MODES.map(|mode| under(mode).align(executor, Want::Path));
            for (mode, found) in MODES.into_iter().zip(&found) {
                swapped(executor, &under(mode), found, &pairs);
                reversed(executor, &under(mode), found, &pairs);
                in_thirds(executor, under(mode), found);
            }
            fewer_charges(name, &found);
        }
    }
}

fn pairs(dice: &mut Dice, residues: &[u8], size: Size) -> Residues {
    let (count, longest) = if size == Size::Small { (4, 40) } else { (20, 250) };
    let drawn = |k: usize| {
        let lengths = (dice.below(longest), dice.below(longest));
        let (query, target) = pair(dice, residues, lengths, k.is_multiple_of(2));
        if k.is_multiple_of(4) { (mutated(dice, residues, &target), target) } else { (query, target) }
    };
    (0..count).map(drawn).collect()
}

fn scores(found: &[Alignment]) -> Vec<i64> {
    found.iter().map(|alignment| alignment.score).collect()
}

/// Query and target change places, and with them the sides of the matrix: the score stays, where the mode treats both alike.
fn swapped(executor: &mut dyn Executor<Aligning>, case: &Case, found: &[Alignment], pairs: &Residues) {
    if case.scoring.mode == Mode::Fit {
        return;
    }
    let Scoring { size, scores: before, .. } = &case.scoring;
    let after = (0..size * size).map(|k| before[k % size * size + k / size]).collect();
    let pairs: Residues = pairs.iter().cloned().map(|(query, target)| (target, query)).collect();
    let other = Case::zip(&case.name, Scoring { scores: after, ..case.scoring.clone() }, &pairs);
    assert_eq!(scores(&other.align(executor, Want::Score)), scores(found), "{}, swapped", case.name);
}

/// Both read backwards: the score stays.
fn reversed(executor: &mut dyn Executor<Aligning>, case: &Case, found: &[Alignment], pairs: &Residues) {
    let backwards = |residues: &[u8]| residues.iter().rev().copied().collect::<Vec<_>>();
    let pairs: Residues = pairs.iter().map(|(query, target)| (backwards(query), backwards(target))).collect();
    let other = Case::zip(&case.name, case.scoring.clone(), &pairs);
    assert_eq!(scores(&other.align(executor, Want::Score)), scores(found), "{}, reversed", case.name);
}

/// All scores and costs times 3: three times the score, and the same path.
fn in_thirds(executor: &mut dyn Executor<Aligning>, mut case: Case, found: &[Alignment]) {
    let Gap { open, extend } = case.scoring.gap;
    case.scoring.gap = Gap { open: 3 * open, extend: 3 * extend };
    case.scoring.scores.iter_mut().for_each(|score| *score *= 3);
    case.name += ", in thirds";
    let expected = found.iter().map(|one| Alignment { score: 3 * one.score, ..one.clone() }).collect::<Vec<_>>();
    compare(&case, &case.align(executor, Want::Path), &expected);
}

/// Each mode charges for less than the one before: global, fit, overlap, local.
fn fewer_charges(name: &str, [local, global, fit, overlap]: &[Vec<Alignment>; 4]) {
    for (pair, local) in local.iter().enumerate() {
        let falling = [local.score, overlap[pair].score, fit[pair].score, global[pair].score];
        assert!(
            falling.is_sorted_by(|a, b| a >= b),
            "{name}, pair {pair}: local, overlap, fit, global are {falling:?}"
        );
    }
}
