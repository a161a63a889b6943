//! Every length from 0 to 100 residues, side by side in one batch: windows that end where another sequence begins.

use super::Case;
use super::parameters::ALPHABETS;
use crate::conformance::dice::Dice;
use warpseq::executor::Executor;
use warpseq::sign::reference::Reference;
use warpseq::sign::{Hash, Parameters, Window};

pub const WINDOWS: [Window; 4] = [Window::Length(4), Window::Length(16), Window::Length(64), Window::Whole];

/// Sparse and dense vectors, and k as large as windows allow.
fn hashes(window: Window) -> [Parameters; 3] {
    let longest = if window == Window::Length(4) { 4 } else { 16 };
    let dna = Parameters { bits: 128, window, ..Parameters::DNA };
    [Parameters { window, ..Parameters::QUT }, Parameters { k: 4, ..dna }, Parameters { k: longest, ..dna }]
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for parameters in WINDOWS.into_iter().flat_map(hashes) {
        let mut dice = Dice::new(302);
        let sequences: Vec<_> = (0..=100).map(|length| dice.letters(b"ACGT", length)).collect();
        cases.push(Case::new("every length", parameters, &sequences));
        let backwards: Vec<_> = sequences.into_iter().rev().collect();
        cases.push(Case::new("every length, the longest first", parameters, &backwards));
    }
    cases.extend(shorter_than_kmers());
    cases
}

/// Sequences of about k residues, none of them long enough for two windows.
fn shorter_than_kmers() -> Vec<Case> {
    let mut cases = Vec::new();
    for (k, window) in [(4, Window::Length(4)), (21, Window::Whole), (32, Window::Length(32)), (32, Window::Whole)] {
        for (alphabet, canonical, _) in ALPHABETS {
            let parameters = Parameters { alphabet, canonical, k, window, bits: 64, ..Parameters::PROTEIN };
            let mut dice = Dice::new(303);
            let sequences: Vec<_> = (0..k as usize + 3).map(|length| dice.letters(b"ACGT", length)).collect();
            cases.push(Case::new("shorter than k-mers", parameters, &sequences));
        }
    }
    cases
}

/// Sequences longer than a window have ceil(L / h) - 1 windows, the others one.
#[test]
fn windows_are_as_many_as_the_definition_says() {
    for window in WINDOWS {
        let parameters = Parameters { window, ..Parameters::QUT };
        for length in 0..=100_usize {
            let expected = match window {
                Window::Length(w) if length > w as usize => length.div_ceil(w as usize / 2) - 1,
                _ => 1,
            };
            let case = Case::new("windows", parameters, &[vec![b'A'; length]]);
            assert_eq!(case.solve().len(), expected, "{length} residues, {parameters}");
        }
    }
}

/// Windows of at least k residues have a k-mer. Only the sequences of 0, 1 and 2 residues have windows that are shorter.
#[test]
fn only_windows_shorter_than_kmers_have_no_signature() {
    for hash in [Hash::Pcg, Hash::Isaac, Hash::Mix64] {
        for case in cases().into_iter().filter(|case| case.parameters.k == 3) {
            let mut signatures = Default::default();
            let parameters = Parameters { hash, ..case.parameters };
            Reference::new(parameters).compute(&case.batch, &mut signatures).unwrap();
            assert_eq!(signatures.present.iter().filter(|&&present| present == 0).count(), 3, "{parameters}");
        }
    }
}
