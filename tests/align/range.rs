//! Scores that leave 8, 16 and 32 bits, upward and downward, in pairs small enough for whole matrices.

use super::scorings::{MODES, gap, nucleotide};
use super::{Case, Size};
use crate::conformance::dice::Dice;
use warpseq::align::{Gap, Mode};

type Extreme = (&'static str, [i32; 2], Gap);

/// Scores of two residues and gaps, around the ends of the types that an engine may keep them in.
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
    cases.extend(limit_cases());
    if size != Size::Small {
        cases.extend(long_cases());
    }
    cases
}

/// Where an engine changes the numbers that it keeps scores in: 7 bits, 8, what a kernel's 16 bits are trusted with, 15, 16,
/// what its 32 bits are trusted with, and 31.
const LIMITS: [i64; 7] = [127, 255, 24_000, 32_767, 65_535, 1 << 29, i32::MAX as i64];

/// Scores at each limit, one below and one beyond: of one column, and as the sum of two or three.
fn limit_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (limit, by) in LIMITS.into_iter().flat_map(|limit| [-1, 0, 1].map(|by| (limit, by))) {
        let score = limit + by;
        for columns in [1, 2, 3].into_iter().filter(|columns| score % columns == 0) {
            let Ok(each) = i32::try_from(score / columns) else { continue };
            let alike = vec![b'A'; columns as usize];
            let pairs = [(alike.clone(), alike.clone()), (alike.clone(), vec![b'C'; columns as usize])];
            for mode in [Mode::Local, Mode::Global] {
                // A gap costs more than a mismatch, so the worst path is of mismatches only.
                let scoring = nucleotide(mode, [each, -each], gap(each, each));
                cases.push(Case::zip(&format!("{score} in {columns} columns, {mode:?}"), scoring, &pairs));
            }
        }
    }
    cases
}

/// Plain scores that add up beyond 16 bits over long pairs, and gaps that do over long and narrow ones.
fn long_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for mode in MODES {
        let wide = [(vec![b'A'; 2048], vec![b'A'; 2048]), (vec![b'A'; 2048], vec![b'C'; 1800])];
        cases.push(Case::zip(&format!("a long 17, {mode:?}"), nucleotide(mode, [17, -19], gap(21, 1)), &wide));
        let narrow =
            [(3000, 2), (2, 3000), (40_000, 1), (1, 40_000), (40_000, 0)].map(|(m, n)| (vec![b'A'; m], vec![b'A'; n]));
        for gap in [gap(2, 2), gap(2000, 11), gap(30_000, 1000), gap(2_000_000, 2_000_000)] {
            cases.push(Case::zip(&format!("narrow, {mode:?}, {gap:?}"), nucleotide(mode, [1, -1], gap), &narrow));
        }
    }
    cases
}
