//! Random signatures, signatures with many ties, and nothing at all.

use super::{Search, Size, compare, within};
use crate::conformance::dice::Dice;
use warpseq::sign::reference::NaiveHamming;
use warpseq::sign::{Comparer, Limits, Parameters};

pub const BITS: [u32; 5] = [64, 128, 320, 1024, 4096];

/// `count` random signatures.
pub fn random(dice: &mut Dice, bits: u32, count: usize) -> Vec<u8> {
    (0..count * bits as usize / 8).map(|_| dice.below(256) as u8).collect()
}

pub fn cases(size: Size) -> Vec<Search> {
    let (mut cases, mut dice) = (Vec::new(), Dice::new(309));
    for bits in BITS {
        for (queries, targets) in shapes(size) {
            let (a, b) = (random(&mut dice, bits, queries), random(&mut dice, bits, targets));
            cases.push(Search {
                name: format!("{queries} x {targets} random signatures of {bits} bits"),
                bits,
                queries: a,
                targets: b,
            });
        }
        cases.push(ties(&mut dice, bits, size));
        cases.extend(extremes(bits));
    }
    for bits in [4160, 8192, Parameters::MOST_BITS] {
        cases.push(ties(&mut dice, bits, Size::Small));
        cases.extend(extremes(bits));
    }
    cases
}

/// Numbers of queries and targets around the sizes of warps and tiles, and none.
fn shapes(size: Size) -> Vec<(usize, usize)> {
    let mut shapes = vec![(0, 0), (0, 3), (3, 0), (1, 1), (2, 31), (1, 32), (3, 33)];
    match size {
        Size::Small => shapes.push((5, 65)),
        Size::Full => shapes.extend([(64, 63), (65, 64), (33, 127), (31, 129), (127, 5), (2, 1025), (17, 2500)]),
    }
    shapes
}

/// Three signatures repeated, and one-bit changes of them: targets at the same distance are in order, whichever thread has
/// them.
fn ties(dice: &mut Dice, bits: u32, size: Size) -> Search {
    let width = bits as usize / 8;
    let few = random(dice, bits, 3);
    let mut some = |count: usize| -> Vec<u8> {
        let drawn: Vec<_> = (0..count).map(|_| (dice.below(3), dice.below(3), dice.below(bits as usize))).collect();
        let copy = |(which, change, bit): (usize, usize, usize)| {
            let mut copy = few[which * width..][..width].to_vec();
            copy[bit / 8] ^= u8::from(change == 0) << (bit % 8);
            copy
        };
        drawn.into_iter().flat_map(copy).collect()
    };
    let (queries, targets) = (some(size.of(4, 40)), some(size.of(70, 1100)));
    Search { name: format!("ties of {bits} bits"), bits, queries, targets }
}

/// All bits equal and all bits different: distances of 0 and of `bits`; and every target the same.
fn extremes(bits: u32) -> [Search; 2] {
    let width = bits as usize / 8;
    let [zeros, ones] = [0x00, 0xFF].map(|byte| vec![byte; width]);
    let queries = [zeros.clone(), ones.clone()].concat();
    let targets = [ones.clone(), zeros.clone(), ones.clone(), zeros.clone()].concat();
    [
        Search { name: format!("opposites of {bits} bits"), bits, queries, targets },
        Search { name: format!("the same of {bits} bits"), bits, queries: ones, targets: zeros.repeat(70) },
    ]
}

/// 64 bits: every top from 1 to five more than there are targets, and every distance from 0 to all bits.
pub fn check_limits(executor: &mut Comparer) {
    let mut dice = Dice::new(310);
    let search = ties(&mut dice, 64, Size::Small);
    let all = search.nearest(&mut NaiveHamming, Limits { top: None, distance: 64 });
    let tops = (1..=search.targets().len() as u32 + 5).map(|top| Limits { top: Some(top), distance: 64 });
    let distances = (0..=64).flat_map(|distance| [None, Some(3)].map(|top| Limits { top, distance }));
    for limits in tops.chain(distances) {
        compare(&search, limits, &search.nearest(executor, limits), &within(&all, limits));
    }
}
