//! Batches: sequences in any order, in batches of any size, next to any other sequence.

use super::lengths::WINDOWS;
use super::parameters::ALPHABETS;
use super::{Case, Make, Size, batch, compare, sign};
use crate::conformance::dice::Dice;
use warpseq::sign::{Parameters, Records, Signatures, Window};

/// Sequences of mixed lengths, some of them empty; the preset, and every alphabet with dense vectors.
pub fn cases(size: Size) -> Vec<Case> {
    let mut dice = Dice::new(304);
    let mut sequences = |residues: &[u8]| -> Vec<_> {
        let lengths: Vec<_> = (0..size.of(12, 150)).map(|k| dice.below([1, 8, 40, 150][k % 4])).collect();
        lengths.into_iter().map(|length| dice.letters(residues, length)).collect()
    };
    let mut cases = vec![Case::new("mixed", Parameters::QUT, &sequences(b"ACDEFGHIKLMNPQRSTVWY"))];
    for ((alphabet, canonical, residues), window) in ALPHABETS.into_iter().zip(WINDOWS) {
        let parameters = Parameters { alphabet, canonical, window, k: 4, ..Parameters::PROTEIN };
        cases.push(Case::new("mixed", parameters, &sequences(residues)));
    }
    cases
}

/// Each case backwards, in batches of 1, 2 and 7 sequences, and of none; and with other neighbours.
pub fn check(make: &Make, size: Size) {
    for case in cases(size) {
        let mut signer = make(case.parameters);
        let sequences: Vec<_> = (0..case.batch.len()).rev().map(|k| case.batch.sequence(k)).collect();
        let backwards = Case { batch: batch(&sequences), ..case };
        let expected = backwards.solve();
        let mut part = Signatures::default();
        for together in [1, 2, 7, sequences.len()] {
            let mut found = Signatures::default();
            for some in sequences.chunks(together) {
                signer.compute(&batch(some), &mut part).unwrap();
                found.bytes.extend_from_slice(&part.bytes);
                found.present.extend_from_slice(&part.present);
            }
            compare(&backwards, &found, &expected);
        }
        signer.compute(&Records::default(), &mut part).unwrap();
        assert_eq!(part, Signatures::default(), "{}: of no sequences", backwards.name);
    }
    neighbours_are_not_read(make);
}

/// The last window of a sequence, however short, is the same whatever sequence follows.
fn neighbours_are_not_read(make: &Make) {
    for window in [Window::Length(4), Window::Length(16)] {
        let mut signer = make(Parameters { window, ..Parameters::QUT });
        for length in 0..=40 {
            let sequence = Dice::new(305 + length).letters(b"ACDEFGHIKLMNPQRSTVWY", length as usize);
            let mut signed = |neighbour: &[u8]| sign(&mut *signer, &batch(&[neighbour, &sequence, neighbour]));
            let middle = |signatures: Signatures, neighbour: u64| {
                let (first, windows) = (window.count(neighbour) as usize, window.count(length) as usize);
                signatures.bytes[8 * first..][..8 * windows].to_vec()
            };
            let expected = middle(signed(b""), 0);
            for neighbour in [b"W".to_vec(), b"CCC".repeat(30), sequence.clone(), b"VGM".repeat(6)] {
                let found = middle(signed(&neighbour), neighbour.len() as u64);
                assert_eq!(found, expected, "{length} residues, {window:?}, beside {}", neighbour.escape_ascii());
            }
        }
    }
}
