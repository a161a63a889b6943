//! Mismatches: the inputs of the other cases with some allowed, signatures of 1 to 10,000 symbols that differ from what is there
//! in as many symbols as are allowed and in one more, and sequences that are there twice.

use super::dice::Dice;
use super::{Case, Size, adversarial, alphabets, edges, random};
use warpseq::scan::{Fraction, Mismatches, Options, Strands, Wildcards};

fn share(percent: u32) -> Mismatches {
    Mismatches::Share(Fraction::printed(f64::from(percent) / 100.0))
}

pub fn cases(size: Size) -> Vec<Case> {
    let counts = (1..=4).map(Mismatches::Count);
    let mut cases: Vec<_> = counts.flat_map(|allowed| under(random::rates(size), allowed)).collect();
    for allowed in [4, 10, 29].map(share) {
        let with_any_length = [alphabets::cases(size), adversarial::cases(Size::Small), edges::cases()].concat();
        cases.extend(under(with_any_length, allowed));
    }
    for allowed in [Mismatches::NONE, Mismatches::Count(2), Mismatches::Count(4), share(2), share(5)] {
        cases.extend([0, 10, 50].map(|n_percent| long(size, n_percent, allowed)));
    }
    cases.extend([(0, 0), (1, 0), (0, 151), (10, 41), (30, 0)].map(|gaps| many(size, gaps)));
    for wildcards in [Wildcards::Iupac, Wildcards::N] {
        cases.extend((0..=4).map(|allowed| short(wildcards, allowed)));
        cases.push(gaps(wildcards));
    }
    cases
}

/// The same inputs with mismatches.
fn under(cases: Vec<Case>, max_mismatch: Mismatches) -> impl Iterator<Item = Case> {
    cases.into_iter().map(move |case| Case {
        name: format!("{}, {max_mismatch} mismatches", case.name),
        options: Options { max_mismatch, ..case.options },
        ..case
    })
}

/// Signatures of up to 10,000 symbols (in the small suite 400), each spoiled in as many places as may be mismatches, in one fewer
/// and in one more; and each sequence twice.
fn long(size: Size, n_percent: usize, max_mismatch: Mismatches) -> Case {
    let mut dice = Dice::new(500 + n_percent as u64);
    let mut sequences: Vec<_> = [12_000, 5_000].map(|full| dice.bases(size.symbols(full), n_percent)).into();
    let longest = size.symbols(12_000) * 5 / 6;
    let mut signatures = Vec::new();
    for length in [longest, longest / 2, longest / 10, 100, 31] {
        let allowed = max_mismatch.of(length as u32) as usize;
        for spoiled in [allowed.saturating_sub(1), allowed, allowed + 1] {
            let mut piece = dice.cut(&sequences, length);
            dice.spoil(&mut piece, spoiled);
            signatures.push(piece);
        }
    }
    sequences.extend(sequences.clone());
    let options = Options { max_mismatch, max_n_frac: Fraction::ONE, ..Options::default() };
    Case::new(&format!("long, {n_percent} % N, {max_mismatch} mismatches"), &signatures, &sequences).under(options)
}

/// Signatures with 32 to 60 mismatches, which leave out one of several equal stretches, or some of them, and with one more; in sequences with
/// `N`, and a run of them.
fn many(size: Size, (n_percent, run): (usize, usize)) -> Case {
    let mut dice = Dice::new(530 + n_percent as u64 + run as u64);
    let mut sequences: Vec<_> = [9_000, 6_000, 2_000].map(|full| dice.bases(size.symbols(full), n_percent)).into();
    let allowed = [32, 45, 60][run % 3];
    let mut signatures = Vec::new();
    for (stretches, length) in [(9, 500), (12, 590), (16, 1800), (7, 505), (3, 580), (2, 700)] {
        for spoiled in [allowed, allowed + 1] {
            let mut piece = dice.cut(&sequences, size.symbols(length));
            let (stretch, spared) = (piece.len() / stretches, dice.below(stretches));
            let others = stretches - 1;
            for k in 0..spoiled {
                let at =
                    (spared + 1 + k % others) % stretches * stretch + k / others * stretch / (spoiled / others + 1);
                piece[at] = *b"ACGT".iter().find(|&&base| base != piece[at]).expect("there are others");
            }
            signatures.push(piece);
        }
    }
    for sequence in &mut sequences {
        let at = dice.below(sequence.len() - run);
        sequence[at..at + run].fill(b'N');
    }
    let options =
        Options { max_mismatch: Mismatches::Count(allowed as u32), strands: Strands::Both, ..Options::default() };
    Case::new(&format!("{allowed} mismatches, {n_percent} % N, a run of {run}"), &signatures, &sequences).under(options)
}

/// Signatures of hardly more symbols than may be mismatches, with wild symbols among them, in sequences hardly longer.
fn short(wildcards: Wildcards, allowed: u32) -> Case {
    let mut dice = Dice::new(510 + u64::from(allowed));
    let letters: &[u8] = if wildcards == Wildcards::N { b"AACCGTNa-*" } else { b"AACCGGTTNRya" };
    let lengths = allowed as usize + 1..allowed as usize + 12;
    let signatures: Vec<_> = lengths.clone().map(|length| dice.letters(letters, length)).collect();
    let sequences: Vec<_> = (0..30).map(|length| dice.letters(letters, length)).collect();
    let max_mismatch = Mismatches::Count(allowed);
    let options = Options { wildcards, max_mismatch, strands: Strands::Both, ..Options::default() };
    Case::new(&format!("short, {wildcards:?}, {allowed} mismatches"), &signatures, &sequences).under(options)
}

/// One, two and three gaps, at every place.
fn gaps(wildcards: Wildcards) -> Case {
    let mut dice = Dice::new(520);
    let text = dice.bases(70, 10);
    let gaps_at = |at: usize| [&text[..at], &b"---"[..1 + at % 3], &text[at + 1 + at % 3..]].concat();
    let sequences: Vec<_> = (0..67).map(gaps_at).chain([b"-".repeat(9)]).collect();
    let signatures = [&text[..], &text[..32], &text[32..], &text[5..14], &text[60..], b"NNN", b"NNNNNNNN"];
    let options =
        Options { wildcards, max_mismatch: Mismatches::Count(2), max_n_frac: Fraction::ONE, ..Options::default() };
    Case::new(&format!("gaps, {wildcards:?}, 2 mismatches"), &signatures, &sequences).under(options)
}
