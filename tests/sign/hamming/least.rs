//! The least distance to each group of targets: groups of one, of many, of all and of none.

use super::searches::{BITS, random};
use super::{Search, Size};
use crate::conformance::dice::Dice;
use warpseq::sign::reference::NaiveHamming;
use warpseq::sign::{Comparer, NO_TARGET, least};

fn compare(executor: &mut Comparer, search: &Search, groups: &[u32]) {
    let found = least(executor, search.queries(), search.targets(), groups).unwrap();
    let expected = least(&mut NaiveHamming, search.queries(), search.targets(), groups).unwrap();
    assert_eq!(found.len(), expected.len(), "{}, groups {groups:?}", search.name);
    if let Some(at) = found.iter().zip(&expected).position(|(found, expected)| found != expected) {
        let (query, group) = (at / (groups.len() - 1), at % (groups.len() - 1));
        let (found, expected) = (found[at], expected[at]);
        panic!("{}: query {query} to group {group} of {groups:?}: {found}, expected {expected}", search.name);
    }
}

/// Ends of groups that hold all `count` targets. Some groups have one target; some, the first and the last among them, none.
fn ends(dice: &mut Dice, count: usize, groups: usize) -> Vec<u32> {
    let mut ends: Vec<_> = (0..groups).map(|_| dice.below(count + 1) as u32).collect();
    ends.extend([0, 0, count as u32, count as u32]);
    ends.sort_unstable();
    ends
}

pub fn check(executor: &mut Comparer, size: Size) {
    let mut dice = Dice::new(312);
    for bits in BITS {
        for (queries, targets) in [(1, 1), (0, 4), (4, 0), (size.of(5, 33), size.of(40, 700)), (2, size.of(65, 1025))] {
            let name = format!("{queries} x {targets} signatures of {bits} bits");
            let (a, b) = (random(&mut dice, bits, queries), random(&mut dice, bits, targets));
            let search = Search { name, bits, queries: a, targets: b };
            compare(executor, &search, &[0, targets as u32]);
            compare(executor, &search, &(0..=targets as u32).collect::<Vec<_>>());
            for groups in [2, targets / 7, targets] {
                let groups = ends(&mut dice, targets, groups);
                compare(executor, &search, &groups);
            }
        }
        opposites(executor, bits);
    }
}

/// The largest distance there is, which is not that of an empty group.
fn opposites(executor: &mut Comparer, bits: u32) {
    let [queries, targets] = [0x00, 0xFF].map(|byte| vec![byte; bits as usize / 8]);
    let search = Search { name: "opposites".into(), bits, queries, targets };
    let found = least(executor, search.queries(), search.targets(), &[0, 0, 1, 1]).unwrap();
    assert_eq!(found, [NO_TARGET, bits, NO_TARGET]);
    assert!(least(executor, search.queries(), search.targets(), &[0]).unwrap().is_empty());
}
