//! Circular sequences: what an executor finds in lines becomes what the reference finds in circles.

use super::dice::Dice;
use super::{Case, Size, adversarial, edges, random};
use warpseq::scan::{Fraction, Mismatches, Options, PhredOffset};

pub fn cases(size: Size) -> Vec<Case> {
    let mut cases = [random::rates(Size::Small), vec![over_the_end(size)]].concat();
    if matches!(size, Size::Full) {
        cases.extend([edges::cases(), adversarial::cases(Size::Small)].concat());
    }
    cases.push(as_long_as_the_signatures().without_qualities());
    let mut cases: Vec<_> = cases.into_iter().map(closed).collect();
    let max_mismatch = Mismatches::Share(Fraction::printed(0.1));
    let with_mismatches = [random::rates(Size::Small), vec![over_the_end(size), as_long_as_the_signatures()]].concat();
    cases.extend(with_mismatches.into_iter().map(closed).map(|case| Case {
        name: format!("{}, {max_mismatch} mismatches", case.name),
        options: Options { max_mismatch, ..case.options },
        ..case
    }));
    cases
}

fn closed(case: Case) -> Case {
    Case { name: format!("{}, circular", case.name), options: Options { circular: true, ..case.options }, ..case }
}

/// Signatures across the end of each sequence, by every amount and on both strands.
pub fn over_the_end(size: Size) -> Case {
    let mut dice = Dice::new(600);
    let sequences: Vec<_> = [40, 70, size.symbols(3000)].map(|length| dice.bases(length, 5)).into();
    let across = sequences.iter().flat_map(|sequence| {
        let twice = sequence.repeat(2);
        (1..40).map(move |k| twice[sequence.len() - k..sequence.len() - k + 40].to_vec())
    });
    let signatures: Vec<_> = across.collect();
    let solexa = Options { phred: PhredOffset::Solexa, max_n_frac: Fraction::ONE, ..Options::default() };
    Case::new("over the end", &signatures, &sequences).under(solexa)
}

/// Sequences shorter than the signatures, as long, and a little longer; such that a signature would fit when laid around twice.
fn as_long_as_the_signatures() -> Case {
    let sequences: Vec<_> = (0..40).map(|length| b"ACG".repeat(14)[..length].to_vec()).collect();
    let signatures: Vec<_> = (10..40).step_by(3).map(|length| b"GAC".repeat(14)[..length].to_vec()).collect();
    Case::new("as long as the signatures", &signatures, &sequences)
}
