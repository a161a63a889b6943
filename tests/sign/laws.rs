//! What must hold for any input: strands, case, and windows as sequences.

use super::parameters::combinations;
use super::{Case, Make, lengths, sign};
use crate::conformance::dice::Dice;
use warpseq::sign::{Alphabet, Parameters, Records, Signatures, Window};

pub fn check(make: &Make) {
    strands_are_the_same(make);
    case_and_u_do_not_matter(make);
    windows_are_sequences(make);
}

fn signed(make: &Make, parameters: Parameters, sequences: &[&[u8]]) -> Signatures {
    sign(&mut *make(parameters), &super::batch(sequences))
}

/// The other strand of text over ACGTN.
fn other_strand(bases: &[u8]) -> Vec<u8> {
    let other = |&base: &u8| match base {
        b'A' => b'T',
        b'C' => b'G',
        b'G' => b'C',
        b'T' => b'A',
        base => base,
    };
    bases.iter().rev().map(other).collect()
}

/// With canonical k-mers a sequence and its reverse complement have the same signature; otherwise they differ.
fn strands_are_the_same(make: &Make) {
    let mut dice = Dice::new(308);
    for (parameters, _) in combinations().filter(|(parameters, _)| parameters.alphabet == Alphabet::Dna) {
        let bases = dice.letters(b"ACGTACGTACGTACGTACGTN", 100);
        let other = other_strand(&bases);
        let signatures = signed(make, parameters, &[&bases, &other]);
        let (forward, reverse) = signatures.bytes.split_at(parameters.width());
        let same = forward == reverse;
        // Sparse vectors may cancel out, so that signatures are equal by chance; with dense ones some bit differs.
        if parameters.canonical || (parameters.density == 0 && signatures.present == [1, 1]) {
            assert_eq!(same, parameters.canonical, "{parameters}: {} and its other strand", bases.escape_ascii());
        }
    }
}

/// Case does not matter and U is T, except in raw sequences.
fn case_and_u_do_not_matter(make: &Make) {
    let upper = b"ACGTTTGACCATACGACTGACTTTACGGATTACA".as_slice();
    let lower = upper.to_ascii_lowercase();
    for (parameters, _) in combinations().filter(|(parameters, _)| parameters.density == 0) {
        let u: Vec<_> = upper.iter().map(|&base| if base == b'T' { b'U' } else { base }).collect();
        let signatures = signed(make, parameters, &[upper, &lower, &u]);
        let width = parameters.width();
        let of = |k: usize| &signatures.bytes[k * width..][..width];
        assert_eq!(of(0) == of(1), parameters.alphabet != Alphabet::Raw, "{parameters}: lower case");
        if parameters.alphabet != Alphabet::Protein {
            assert_eq!(of(0) == of(2), parameters.alphabet == Alphabet::Dna, "{parameters}: U for T");
        }
    }
}

/// The signature of a window is that of its residues as a sequence of their own: what lies beside them does not count.
fn windows_are_sequences(make: &Make) {
    for Case { name, parameters, batch } in lengths::cases() {
        let mut cut = Records::default();
        for sequence in (0..batch.len()).map(|k| batch.sequence(k)) {
            let length = sequence.len() as u64;
            let ranges = (0..parameters.window.count(length)).map(|index| parameters.window.range(index, length));
            ranges.for_each(|range| cut.push(b"", &sequence[range.start as usize..range.end as usize]));
        }
        let whole = Parameters { window: Window::Whole, ..parameters };
        let case = Case { name: format!("{name}, windows as sequences"), parameters: whole, batch: cut };
        super::compare(&case, &sign(&mut *make(whole), &case.batch), &sign(&mut *make(parameters), &batch));
    }
}
