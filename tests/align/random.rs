//! Random pairs: every kind of residues, mode and gap, at the lengths around which engines change their ways.

use super::scorings::{MODES, PROTEIN, gap, literal, lopsided, nucleotide, protein, through_zero};
use super::{Case, Size};
use crate::conformance::dice::Dice;
use warpseq::align::{Gap, Mode, Scoring};

type Residues = (&'static str, Vec<u8>, fn(Mode, Gap) -> Scoring, [Gap; 2]);

/// Residues to draw from, their scoring, and a linear and an affine gap.
pub fn alphabets() -> [Residues; 5] {
    let codes = [b"ACGTACGTACGTACGTNNUacgtu".as_slice(), b"RYSWKMBDHVnrk"].concat();
    let bytes = (0..=255).filter(|&byte| byte != b'\n').collect();
    let nucleotides = |mode, gap: Gap| nucleotide(mode, if gap.open == gap.extend { [1, -1] } else { [2, -3] }, gap);
    [
        ("DNA", b"ACGT".to_vec(), nucleotides, [gap(2, 2), gap(5, 2)]),
        ("DNA with codes", codes, nucleotides, [gap(1, 1), gap(4, 1)]),
        ("protein", PROTEIN.to_vec(), protein, [gap(4, 4), gap(11, 1)]),
        ("protein, lopsided", PROTEIN.to_vec(), lopsided, [gap(3, 3), gap(7, 1)]),
        ("bytes", bytes, |mode, gap| literal(mode, [3, -2], gap), [gap(3, 3), gap(6, 2)]),
    ]
}

fn lengths(size: Size) -> &'static [usize] {
    match size {
        Size::Small => &[0, 1, 2, 15, 16, 17, 31, 32, 33, 65],
        _ => &[0, 1, 2, 31, 32, 33, 63, 64, 65, 511, 512, 513, 2049],
    }
}

/// A copy with some residues replaced, left out and put in.
pub fn mutated(dice: &mut Dice, residues: &[u8], original: &[u8]) -> Vec<u8> {
    let mut copy = Vec::new();
    for &residue in original {
        match dice.below(30) {
            0 | 1 => copy.extend(dice.letters(residues, 1)),
            2 => {}
            3 => {
                let length = 1 + dice.below(4);
                copy.extend(dice.letters(residues, length));
                copy.push(residue);
            }
            _ => copy.push(residue),
        }
    }
    copy
}

/// A query of `m` and a target of `n` residues: unrelated, or the one a mutated piece of the other.
pub fn pair(dice: &mut Dice, residues: &[u8], (m, n): (usize, usize), related: bool) -> (Vec<u8>, Vec<u8>) {
    let (mut query, mut target) = (dice.letters(residues, m), dice.letters(residues, n));
    if related {
        let (long, short) = if m > n { (&query, &mut target) } else { (&target, &mut query) };
        let at = dice.below(long.len() - short.len() + 1);
        let mut copy = mutated(dice, residues, &long[at..at + short.len()]);
        copy.extend_from_slice(short);
        copy.truncate(short.len());
        *short = copy;
    }
    (query, target)
}

pub fn cases(size: Size) -> Vec<Case> {
    let (mut cases, mut dice) = (Vec::new(), Dice::new(101));
    for (name, residues, scoring, gaps) in alphabets() {
        let pairs = pairs(&mut dice, &residues, lengths(size));
        for (mode, gap) in MODES.into_iter().flat_map(|mode| gaps.map(|gap| (mode, gap))) {
            let name = format!("{name}, {mode:?}, {gap:?}");
            cases.push(Case::zip(&name, scoring(mode, gap), &pairs));
            if mode == Mode::Local {
                cases.push(Case::zip(&format!("{name}, through zero"), through_zero(scoring(mode, gap)), &pairs));
            }
        }
    }
    cases.extend(few_residues(size));
    cases
}

/// Each length with itself and with another, unrelated and related; the longest with itself only related.
fn pairs(dice: &mut Dice, residues: &[u8], lengths: &[usize]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut pairs = Vec::new();
    for (k, &m) in lengths.iter().enumerate() {
        let other = lengths[(k * 5 + 3) % lengths.len()];
        pairs.extend([m, other].map(|n| pair(dice, residues, (m, n), true)));
        pairs.push(pair(dice, residues, (m, other), false));
        if m < 2000 {
            pairs.push(pair(dice, residues, (m, m), false));
        }
    }
    pairs
}

/// Many short pairs of two residues, small scores and no end of ties.
fn few_residues(size: Size) -> Vec<Case> {
    let mut dice = Dice::new(2);
    let count = if size == Size::Small { 20 } else { 300 };
    let mut cases = Vec::new();
    for (mode, gap) in
        MODES.into_iter().flat_map(|mode| [gap(1, 1), gap(2, 1), gap(2, 2), gap(3, 1)].map(|gap| (mode, gap)))
    {
        let mut drawn = || {
            let (m, n) = (dice.below(13), dice.below(13));
            (dice.letters(b"AC", m), dice.letters(b"AC", n))
        };
        let pairs: Vec<_> = (0..count).map(|_| drawn()).collect();
        for scores in [[1, -1], [1, -2], [2, 0], [2, 1]] {
            let scoring = nucleotide(mode, scores, gap);
            let name = format!("two residues, {mode:?}, {gap:?}, {scores:?}");
            cases.push(Case::zip(&name, scoring.clone(), &pairs));
            if mode == Mode::Local {
                cases.push(Case::zip(&format!("{name}, through zero"), through_zero(scoring), &pairs));
            }
        }
    }
    cases
}
