//! Lengths around the sizes of words, windows and tiles; nothing at all; matches at the ends of sequences.

use super::Case;
use super::dice::Dice;
use std::ops::Range;
use warpseq::scan::{Fraction, Mismatches, Options};

const SIZES: [usize; 19] = [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 1023, 1024, 1025];

pub fn cases() -> Vec<Case> {
    let mut cases = vec![borders(0), borders(10), longer_than_the_sequence(), all_n(), palindromes()];
    cases.extend(nothing());
    cases
}

/// Long signatures in runs of `N`.
pub fn in_runs() -> Vec<Case> {
    let all = [(0, 0.5, 0), (1, 0.5, 4), (2, 0.7, 1), (10, 0.6, 1)];
    let beside = all.map(|(n_percent, max_n_frac, masked)| many_runs(n_percent, max_n_frac, masked));
    let in_parts = [(9, 0), (9, 10), (40, 0), (40, 10), (90, 0), (90, 10)].map(half_in_runs);
    let cases = [0.1, 0.2, 0.3].map(runs_of_n).into_iter().chain(beside).chain([0, 1, 2].map(islands));
    cases.chain(in_parts).collect()
}

/// Every size of signature at the start, inside, and at the end of every size of sequence.
fn borders(n_percent: usize) -> Case {
    let mut dice = Dice::new(200);
    let text = dice.bases(1100, n_percent);
    let starts = |lengths: &[usize]| lengths.iter().map(|&n| text[..n].to_vec()).collect::<Vec<_>>();
    let ends = |lengths: &[usize]| lengths.iter().map(|&n| text[1100 - n..].to_vec()).collect::<Vec<_>>();
    let inside = SIZES.iter().map(|&n| text[37..37 + n].to_vec());
    let signatures = [starts(&SIZES), ends(&SIZES), inside.collect()].concat();
    let sequences = [starts(&SIZES), ends(&SIZES), vec![text.clone()]].concat();
    Case::new(&format!("sizes, {n_percent} % N"), &signatures, &sequences)
}

fn longer_than_the_sequence() -> Case {
    let sequences = ["", "A", "AC", "NNNNNNN", "ACGTACG"];
    Case::new("signatures longer than sequences", &["ACGTACGT", "NNNNNNNN", "ACG", "AC"], &sequences).under(keep_all())
}

/// Signatures and sequences of nothing but `N`.
fn all_n() -> Case {
    let n = |length: usize| vec![b'N'; length];
    let signatures: Vec<_> = [1, 2, 7, 8, 9, 31, 32, 33, 64, 65].map(n).into();
    Case::new("all N", &signatures, &[n(1), n(8), n(66), b"ACGTTGCA".repeat(10), n(0)]).under(keep_all())
}

/// Signatures equal to their reverse complements, as bytes and only as symbols, and near misses.
fn palindromes() -> Case {
    let signatures = ["ACGT", "AT", "N", "RY", "ACNGT", "acgu", "UA", "SW", "A", "ACGGT", "gaattc"];
    Case::new("palindromes", &signatures, &["ACGTACGTTAGAATTCAACCGT", "NNNNN", "TAUAacguSSWW"]).under(keep_all())
}

/// Copies of long signatures with half of the symbols in runs of `N`, which hold all that is looked up of some of them; of some, a symbol is
/// another one. The last signature, or as many as `masked` says, has runs of `N` itself.
fn many_runs(n_percent: usize, max_n_frac: f64, masked: usize) -> Case {
    let mut dice = Dice::new(202 + n_percent as u64);
    let lengths = (0..12).map(|k| [700, 1300, 1900, 2600][k % 4]);
    let mut signatures: Vec<_> = lengths.map(|length| dice.bases(length, n_percent)).collect();
    signatures.iter_mut().rev().take(masked).for_each(|signature| signature[500..540].fill(b'N'));
    let mut sequence = dice.bases(300, n_percent);
    for copy in 0..32 {
        let mut copied = signatures[copy % signatures.len()].clone();
        let mut at = dice.below(200);
        while at < copied.len() {
            let end = copied.len().min(at + 60 + dice.below(300));
            copied[at..end].fill(b'N');
            at = end + 20 + dice.below(340);
        }
        if copy % 8 > 5 {
            let at = dice.below(copied.len());
            copied[at] = b"ACGT"[dice.below(4)];
        }
        sequence.extend(copied);
        let between = dice.below(150);
        sequence.extend(dice.bases(between, n_percent));
    }
    let options = Options { max_n_frac: Fraction::printed(max_n_frac), ..keep_all() };
    Case::new(&format!("many runs of N, {n_percent} % N, {masked} signatures with some"), &signatures, &[sequence])
        .under(options)
}

/// Copies of long signatures of which a short stretch is left in a run of `N`, with as many mismatches around its middle as may be, one less
/// or one more.
fn islands(allowed: u32) -> Case {
    let mut dice = Dice::new(203);
    let signatures: Vec<_> = [700, 900, 1100, 1300].map(|length| dice.bases(length, 0)).into();
    let island = |k: usize| {
        let signature = &signatures[k % signatures.len()];
        let mut copy = vec![b'N'; signature.len() + dice.below(100)];
        let length = 50 + dice.below(60);
        let at = dice.below(signature.len() - length);
        copy[at..at + length].copy_from_slice(&signature[at..at + length]);
        for mismatch in 0..(allowed as usize + k % 3).saturating_sub(1) {
            let at = at + length / 2 - 3 * mismatch;
            copy[at] = *b"ACGT".iter().find(|&&base| base != copy[at]).expect("there are others");
        }
        copy
    };
    let sequences = [(0..24).flat_map(island).collect(), dice.bases(3000, 0)];
    let options =
        Options { max_n_frac: Fraction::printed(0.97), max_mismatch: Mismatches::Count(allowed), ..Options::default() };
    Case::new(&format!("islands in runs of N, {allowed} mismatches"), &signatures, &sequences).under(options)
}

/// Copies of long signatures, of which none, one end, both or the middle lie in runs of `N`, up to half, with as many mismatches elsewhere as may be,
/// one less or one more: all in a row, or spread.
fn half_in_runs((allowed, n_percent): (u32, usize)) -> Case {
    let mut dice = Dice::new(204 + u64::from(allowed));
    let lengths = [700, 1300, 1900, 2600].map(|length| length + dice.below(50));
    let signatures = lengths.map(|length| dice.bases(length, n_percent / 5));
    let copy = |k: usize| {
        let mut copy = signatures[k % signatures.len()].clone();
        let (length, covered) = (copy.len(), copy.len() * (k % 6) / 10);
        let run = [0..covered, length - covered..length, (length - covered) / 2..(length + covered) / 2];
        let free = [covered..length, 0..length - covered, (length + covered) / 2..length];
        let (run, free) = (run[k / 2 % 3].clone(), free[k / 2 % 3].clone());
        let mismatches = allowed as usize + k % 3 - 1;
        let step = if k.is_multiple_of(2) { 1 } else { (free.len() / mismatches).max(1) };
        for at in free.step_by(step).take(mismatches) {
            copy[at] = *b"ACGT".iter().find(|&&base| base != copy[at]).expect("there are others");
        }
        for _ in 0..length * n_percent / 100 {
            copy[dice.below(length)] = b'N';
        }
        copy[run].fill(b'N');
        let between = dice.below(200);
        [copy, dice.bases(between, n_percent)].concat()
    };
    let sequences = [(0..24).flat_map(copy).collect::<Vec<u8>>()];
    let options =
        Options { max_n_frac: Fraction::printed(0.6), max_mismatch: Mismatches::Count(allowed), ..Options::default() };
    Case::new(&format!("half in runs of N, {n_percent} % N, {allowed} mismatches"), &signatures, &sequences)
        .under(options)
}

/// A run of `N` that slides over a long signature, as long as a match may have wild, one less or one more; and others, longer, that cover as much
/// of either end, or of both.
fn runs_of_n(max_n_frac: f64) -> Case {
    let (mut dice, length, flank) = (Dice::new(201), 700, 300);
    let (signature, most) = (dice.bases(length, 0), (max_n_frac * length as f64) as usize);
    let mut sequence = |run: Range<usize>| {
        let mut sequence = [dice.bases(flank, 0), signature.clone(), dice.bases(flank, 0)].concat();
        sequence[run].fill(b'N');
        sequence
    };
    let mut sequences = Vec::new();
    for (k, at) in (flank - most / 2..flank + length - most / 2).step_by(29).enumerate() {
        sequences.push(sequence(at..at + most - 1 + k % 3));
    }
    for covered in [most / 2, most - 1, most, most + 1] {
        let left = sequence(0..flank + covered);
        let [right, mut both] = [(); 2].map(|()| sequence(flank + length - covered..2 * flank + length));
        both[..flank + most - covered].fill(b'N');
        sequences.extend([left, right, both]);
    }
    let options = Options { max_n_frac: Fraction::printed(max_n_frac), ..Options::default() };
    Case::new(&format!("runs of N under a long signature, {max_n_frac}"), &[signature], &sequences).under(options)
}

fn nothing() -> Vec<Case> {
    let none: [&str; 0] = [];
    let signatures = ["ACGT", "N", "A"];
    vec![
        Case::new("no sequences", &signatures, &none),
        Case::new("empty sequences", &signatures, &["", "", ""]),
        Case::new("empty sequences between others", &signatures, &["", "ACGTA", "", "", "NA", ""]).under(keep_all()),
        Case::new("empty sequences, no qualities", &signatures, &["", "A", ""]).without_qualities(),
    ]
}

fn keep_all() -> Options {
    Options { max_n_frac: Fraction::ONE, ..Options::default() }
}
