//! What is aligned together: pairs that share a query or a target, in any order, in batches of any size.

use super::random::{alphabets, pair};
use super::scorings::{MODES, through_zero};
use super::{Case, Size, compare, end_of};
use crate::conformance::dice::Dice;
use warpseq::align::reference::Reference;
use warpseq::align::{Aligning, Alignment, Mode, Pair, Sequences, Want, align};
use warpseq::executor::Executor;

/// Sequences of mixed lengths, some of them nobody's, some in many pairs.
pub fn cases(size: Size) -> Vec<Case> {
    let (mut cases, mut dice) = (Vec::new(), Dice::new(7));
    for (k, (name, residues, scoring, gaps)) in alphabets().into_iter().enumerate() {
        let mode = MODES[k % 4];
        let scoring = scoring(mode, gaps[k % 2]);
        let scoring = if mode == Mode::Local && k > 0 { through_zero(scoring) } else { scoring };
        let name = format!("shared sequences, {name}, {mode:?}");
        let (mut queries, mut targets) = (Sequences::default(), Sequences::default());
        let (sequences, longest) = if size == Size::Small { (6, 50) } else { (25, 300) };
        for _ in 0..sequences {
            let lengths = (dice.below(longest), dice.below(longest));
            let (query, target) = pair(&mut dice, &residues, lengths, true);
            queries.push(&query);
            targets.push(&target);
        }
        let mut any = || dice.below(sequences) as u32;
        let mut pairs: Vec<_> = (0..3 * sequences).map(|_| Pair { query: any(), target: any() }).collect();
        pairs.extend((0..sequences as u32).map(|k| Pair { query: 3, target: k }));
        pairs.extend((0..sequences as u32).map(|k| Pair { query: k, target: 2 }));
        cases.push(Case { name, queries, targets, pairs, scoring });
    }
    cases
}

/// Each case backwards, in batches of 1, 2 and 7 pairs, and of none.
pub fn check(executor: &mut dyn Executor<Aligning>, size: Size) {
    for case in cases(size) {
        let mut expected = case.align(&mut Reference, Want::Path);
        expected.reverse();
        let backwards = Case { pairs: case.pairs.iter().rev().copied().collect(), ..case };
        let ends: Vec<_> = expected.iter().map(end_of).collect();
        for together in [1, 2, 7] {
            compare(&backwards, &in_parts(executor, &backwards, together, Want::Path), &expected);
        }
        compare(&backwards, &in_parts(executor, &backwards, 5, Want::Score), &ends);
        let nothing = backwards.batch().with_pairs(&[]);
        assert_eq!(align(executor, &nothing, &backwards.scoring, Want::Path).unwrap(), []);
    }
}

fn in_parts(executor: &mut dyn Executor<Aligning>, case: &Case, together: usize, want: Want) -> Vec<Alignment> {
    let part = |pairs| align(executor, &case.batch().with_pairs(pairs), &case.scoring, want).unwrap();
    case.pairs.chunks(together).flat_map(part).collect()
}
