//! Scores that leave 8, 16 and 32 bits, upward and downward, in pairs small enough for whole matrices.

use super::scorings::{MODES, gap, nucleotide};
use super::{Case, Size};
use crate::conformance::dice::Dice;
use warpseq::align::Gap;

type Extreme = (&'static str, [i32; 2], Gap);

/// Scores of two letters and gaps, around the ends of the types that an engine may keep them in.
const EXTREMES: [Extreme; 13] = [
    ("largest of 7 bits", [127, -127], gap(127, 127)),
    ("beyond 7 bits upward", [128, -1], gap(2, 1)),
    ("beyond 7 bits downward", [1, -129], gap(300, 1)),
    ("beyond 8 bits", [300, -300], gap(300, 256)),
    ("a 16-bit sum in a few columns", [5000, -4000], gap(7000, 500)),
    ("one score of 16 bits", [32_767, -32_768], gap(32_767, 1)),
    ("one score beyond 16 bits", [40_000, -40_000], gap(65_536, 65_536)),
    ("gaps beyond 16 bits alone", [1, -1], gap(40_000, 1)),
    ("gaps of 16 bits that add up", [1, -40], gap(1000, 1000)),
    ("mismatches nobody takes", [1, -30_000], gap(2, 1)),
    ("mismatches of no cost", [1, 0], gap(2, 1)),
    ("a 32-bit sum in a few columns", [100_000_000, -90_000_000], gap(150_000_000, 80_000_000)),
    ("everything beyond 31 bits", [i32::MAX, i32::MIN], gap(i32::MAX, i32::MAX)),
];

pub fn cases(size: Size) -> Vec<Case> {
    let (mut cases, mut dice) = (Vec::new(), Dice::new(16));
    for (name, scores, gap) in EXTREMES {
        for mode in MODES {
            let related = super::random::pair(&mut dice, b"ACGTN", (60, 70), true);
            let unrelated = super::random::pair(&mut dice, b"ACGTN", (70, 60), false);
            let mut pairs =
                vec![related, unrelated, (vec![b'A'; 50], vec![b'A'; 50]), (vec![b'A'; 50], vec![b'C'; 50])];
            pairs.extend([(vec![b'A'; 90], vec![b'A'; 2]), (vec![b'C'; 1], vec![b'A'; 90]), (vec![b'A'; 40], vec![])]);
            cases.push(Case::zip(&format!("{name}, {mode:?}"), nucleotide(mode, scores, gap), &pairs));
        }
    }
    if size != Size::Small {
        cases.extend(long_cases());
    }
    cases
}

/// Plain scores that add up beyond 16 bits over long pairs, and gaps that do over long and narrow ones.
fn long_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for mode in MODES {
        let equal = [(vec![b'A'; 4096], vec![b'A'; 4096]), (vec![b'A'; 4096], vec![b'C'; 4000])];
        cases.push(Case::zip(&format!("a long 11, {mode:?}"), nucleotide(mode, [11, -9], gap(12, 1)), &equal));
        let narrow =
            [(3000, 2), (2, 3000), (40_000, 1), (1, 40_000), (40_000, 0)].map(|(m, n)| (vec![b'A'; m], vec![b'A'; n]));
        for gap in [gap(2, 2), gap(2000, 11), gap(30_000, 1000), gap(2_000_000, 2_000_000)] {
            cases.push(Case::zip(&format!("narrow, {mode:?}, {gap:?}"), nucleotide(mode, [1, -1], gap), &narrow));
        }
    }
    cases
}
