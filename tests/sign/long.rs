//! Long sequences, sums beyond 16 bits, and very many short sequences.

use super::{Case, Size};
use crate::conformance::dice::Dice;
use warpseq::sign::{Alphabet, Hash, Parameters, Window};

pub fn cases(size: Size) -> Vec<Case> {
    let mut cases = one_long(size);
    cases.extend(high_sums(size));
    cases.extend(many_short(size));
    cases.extend(wide());
    cases
}

/// 70,000 residues as a whole, in windows of 65,536, and in short ones.
fn one_long(size: Size) -> Vec<Case> {
    let length = size.of(1500, 70_000);
    let widest = Window::Length(size.of(1024, 65_536) as u32);
    let mut dice = Dice::new(306);
    let (bases, residues) =
        (dice.letters(b"ACGTACGTACGTACGTNu", length), dice.letters(b"ACDEFGHIKLMNPQRSTVWY", length));
    let mut cases = Vec::new();
    for window in [Window::Whole, widest, Window::Length(16)] {
        let qut = Parameters { window, ..Parameters::QUT };
        let dna = Parameters { window, k: 11, bits: 256, ..Parameters::DNA };
        cases.push(Case::new("long", qut, &[b"WC".as_slice(), &residues, b"ACDEFGHIKLMNPQRSTVWY"]));
        cases.push(Case::new("long", Parameters { hash: Hash::Isaac, ..qut }, &[&residues]));
        cases.push(Case::new("long", dna, &[b"ACGT".as_slice(), &bases, b"ACGTTGCAACGTTGCA"]));
        cases.push(Case::new("long", Parameters { bits: 64, k: 16, canonical: false, ..dna }, &[&bases]));
    }
    cases
}

/// One k-mer repeated, and two k-mers repeated equally often or one of them once more: sums of 32,767, 65,536 and more, of 0
/// and of 1.
fn high_sums(size: Size) -> Vec<Case> {
    let scale = size.of(64, 1);
    let mut cases = Vec::new();
    for (parameters, kmers) in [
        (Parameters { k: 1, canonical: false, bits: 64, ..Parameters::DNA }, [b"A", b"C"]),
        (Parameters { k: 1, density: 100, window: Window::Whole, ..Parameters::QUT }, [b"A", b"C"]),
        (Parameters { k: 1, alphabet: Alphabet::Raw, bits: 128, ..Parameters::PROTEIN }, [b"x", b"y"]),
    ] {
        let counts = [(32_767, 0), (32_768, 32_768), (32_769, 32_768), (65_535, 1), (65_537, 0), (0, 70_000)];
        let sequence = |(first, second): (usize, usize)| {
            let times = |count: usize| count / scale + usize::from(count % 2 == 1 && scale > 1);
            [kmers[0].repeat(times(first)), kmers[1].repeat(times(second))].concat()
        };
        cases.push(Case::new("high sums", parameters, &counts.map(sequence)));
    }
    cases
}

/// Vectors of more words than a warp has lanes, dense and sparse.
fn wide() -> Vec<Case> {
    let mut dice = Dice::new(309);
    let (bases, residues) = (dice.letters(b"ACGTACGTACGTACGTNu", 120), dice.letters(b"ACDEFGHIKLMN", 40));
    let mut cases = Vec::new();
    for (bits, window) in [(4160, Window::Length(34)), (8192, Window::Whole), (65_536, Window::Whole)] {
        cases.push(Case::new(
            "wide",
            Parameters { bits, window, ..Parameters::DNA },
            &[&bases[..], b"ACGT", &bases[50..]],
        ));
        cases.push(Case::new("wide", Parameters { bits, window, ..Parameters::PROTEIN }, &[&residues]));
        let isaac = Parameters { bits, window, hash: Hash::Isaac, k: 11, density: 2, ..Parameters::QUT };
        cases.push(Case::new("wide", isaac, &[&residues]));
        cases.push(Case::new("wide", Parameters { bits, window, k: 1, density: 2, ..Parameters::QUT }, &[&residues]));
    }
    cases
}

/// More sequences than a device has thread blocks, of 0 to 40 residues.
fn many_short(size: Size) -> Vec<Case> {
    let mut dice = Dice::new(307);
    let lengths: Vec<_> = (0..size.of(150, 5000)).map(|_| dice.below(41)).collect();
    let sequences: Vec<_> = lengths.into_iter().map(|length| dice.letters(b"ACGT", length)).collect();
    let windows = [Window::Length(4), Window::Length(16), Window::Whole];
    let dna = Parameters { k: 4, bits: 128, ..Parameters::DNA };
    let both = |window| [Parameters { window, ..Parameters::QUT }, Parameters { window, ..dna }];
    windows.into_iter().flat_map(both).map(|parameters| Case::new("many short", parameters, &sequences)).collect()
}
