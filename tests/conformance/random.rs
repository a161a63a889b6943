//! Random sequences with random and cut-out signatures at several rates of `N`, and small ones under every combination of
//! options.

use super::dice::Dice;
use super::{Case, Size};
use warpseq::scan::{Choice, Fraction, Options, PhredOffset, Strands, Wildcards};

pub fn cases(size: Size) -> Vec<Case> {
    let mut cases = rates(size);
    cases.extend(every_combination());
    cases.extend(offsets());
    cases.push(rate(size, 10).without_qualities());
    cases
}

/// One case per rate of `N`.
pub fn rates(size: Size) -> Vec<Case> {
    [0, 1, 10, 30, 50].iter().map(|&n_percent| rate(size, n_percent)).collect()
}

/// Sequences of several lengths; of the signatures, some occur, some occur but for one base, some are random.
fn rate(size: Size, n_percent: usize) -> Case {
    let mut dice = Dice::new(n_percent as u64);
    let full = size.symbols(12_000);
    let sequences: Vec<_> = (1..=4).map(|k| dice.bases(full * k / 4 + k, n_percent)).collect();
    let mut signatures = Vec::new();
    for k in 0..30 {
        let length = 10 + dice.below(120 + 10 * k).min(full / 4 - 10);
        let mut bases = if k % 3 == 2 { dice.bases(length, n_percent) } else { dice.cut(&sequences, length) };
        dice.sprinkle(&mut bases, n_percent);
        if k % 3 == 1 {
            let at = dice.below(length);
            bases[at] = b"ACGT"[dice.below(4)];
        }
        signatures.push(bases);
    }
    let options =
        Options { max_n_frac: if n_percent > 10 { Fraction::ONE } else { Fraction::HALF }, ..Options::default() };
    Case::new(&format!("random, {n_percent} % N"), &signatures, &sequences).under(options)
}

fn every_combination() -> Vec<Case> {
    let mut dice = Dice::new(100);
    let sequences: Vec<_> = [200, 0, 90, 301].iter().map(|&length| dice.bases(length, 20)).collect();
    let mut signatures: Vec<_> = (1..=8).map(|k| dice.cut(&sequences, 3 * k)).collect();
    signatures.extend([b"ACGT".to_vec(), b"NNNN".to_vec(), b"ANT".to_vec(), dice.bases(400, 20)]);
    let mut cases = Vec::new();
    for wildcards in [Wildcards::Iupac, Wildcards::N] {
        for strands in [Strands::Both, Strands::Forward, Strands::Reverse] {
            for choice in [Choice::Best, Choice::First, Choice::All] {
                for max_n_frac in [0.0, 0.1, 0.5, 1.0].map(Fraction::printed) {
                    let options = Options { wildcards, strands, choice, max_n_frac, ..Options::default() };
                    cases.push(Case::new(&format!("{options:?}"), &signatures, &sequences).under(options));
                }
            }
        }
    }
    cases
}

/// Offsets 33 and 64, and Solexa's negative values.
fn offsets() -> Vec<Case> {
    let mut dice = Dice::new(101);
    let sequences = [dice.bases(500, 5), dice.bases(33, 50)];
    let signatures: Vec<_> = (0..6).map(|k| dice.cut(&sequences[..1], 4 + k)).collect();
    [PhredOffset::Sanger, PhredOffset::Illumina64, PhredOffset::Solexa]
        .map(|phred| {
            Case::new(&format!("{phred:?}"), &signatures, &sequences).under(Options { phred, ..Options::default() })
        })
        .into()
}
