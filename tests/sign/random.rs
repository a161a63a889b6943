//! Random sequences with all parameters: every alphabet, hash and k, with windows and bits.

use super::parameters::{BITS, WINDOWS, combinations, fits};
use super::{Case, Size};
use crate::conformance::dice::Dice;
use warpseq::sign::{Hash, Parameters, Window, Words};

/// In the full suite every combination; in the small one each alphabet, hash and k with one window and one number of bits.
pub fn cases(size: Size) -> Vec<Case> {
    let (mut cases, mut dice) = (Vec::new(), Dice::new(300));
    for (number, (parameters, residues)) in combinations().enumerate() {
        let sequences = sequences(&mut dice, parameters.k, residues);
        let mut add = |window, bits| {
            cases.push(Case::new("random", Parameters { window, bits, ..parameters }, &sequences));
        };
        let windows: Vec<_> = WINDOWS.into_iter().filter(|&window| fits(parameters.k, window)).collect();
        match size {
            Size::Small => add(windows[number % windows.len()], BITS[number % BITS.len()]),
            Size::Full => windows.iter().for_each(|&window| BITS.iter().for_each(|&bits| add(window, bits))),
        }
    }
    cases.extend(densities());
    cases.extend(repeats());
    cases
}

/// One too short for a k-mer, one with a single k-mer, others with several windows.
fn sequences(dice: &mut Dice, k: u32, residues: &[u8]) -> Vec<Vec<u8>> {
    let k = k as usize;
    let (some, more) = (dice.below(40), dice.below(60));
    [k - 1, k, 2 * k + 1, k + some, 30 + some, 70 + more].map(|length| dice.letters(residues, length)).into()
}

/// Tandem repeats of 1 to 7 bases between others, also on the other strand and around an N: with k-mers that repeat themselves
/// and without.
fn repeats() -> Vec<Case> {
    let mut dice = Dice::new(302);
    let mut sequence = Vec::new();
    for unit in [&b"A"[..], b"ca", b"ACG", b"tttg", b"ACGTC", b"AACGTC", b"ACGTCAG", b"T", b"NAAAA"] {
        sequence.extend(dice.letters(b"ACGT", 9));
        sequence.extend(unit.repeat(40 / unit.len()));
    }
    let only = [b"a".repeat(50), b"GT".repeat(30), b"AAC".repeat(20)];
    let sequences = [&only[..], &[sequence]].concat();
    let mut cases = Vec::new();
    for (number, k) in [1, 2, 3, 4, 5, 6, 9, 12, 15, 18, 21, 32].into_iter().enumerate() {
        for words in [Words::Complex, Words::All] {
            let (window, bits) = [(Window::Whole, 64), (Window::Length(64), 1024)][number % 2];
            let parameters = Parameters { k, words, window, bits, canonical: number % 3 > 0, ..Parameters::DNA };
            cases.push(Case::new("repeats", parameters, &sequences));
        }
    }
    cases
}

/// From a single position of each sign to all positions. With very many, some are never drawn and are taken in order.
fn densities() -> Vec<Case> {
    let (mut cases, mut dice) = (Vec::new(), Dice::new(301));
    for hash in [Hash::Pcg, Hash::Isaac] {
        for (bits, densities) in [(64, [4, 50, 99, 100]), (192, [2, 7, 67, 100]), (4096, [1, 33, 99, 100])] {
            for (density, window) in densities.into_iter().zip([Window::Length(16), Window::Whole].repeat(2)) {
                let parameters = Parameters { hash, bits, density, window, ..Parameters::QUT };
                cases.push(Case::new("densities", parameters, &[dice.letters(b"ACDEFGHIKLMN", 40)]));
            }
        }
    }
    cases
}
