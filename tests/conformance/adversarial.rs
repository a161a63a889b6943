//! Fourteen scenarios made to break an index, a filter, a queue or a word border. Nothing is dropped for its wild positions.

use super::dice::Dice;
use super::{Case, Size};
use warpseq::scan::{Fraction, Options};

type Texts = Vec<Vec<u8>>;
/// Signatures and sequences for about this many symbols per sequence.
type Scenario = fn(&mut Dice, usize) -> (Texts, Texts);

pub fn cases(size: Size) -> Vec<Case> {
    let scenarios: [(&str, Scenario); 14] = [
        ("no N", |dice, length| cut_from_random(dice, length, 0)),
        ("10 % N", |dice, length| cut_from_random(dice, length, 10)),
        ("30 % N", |dice, length| cut_from_random(dice, length, 30)),
        ("50 % N", |dice, length| cut_from_random(dice, length, 50)),
        ("long signatures, 30 % N", |dice, _| long(dice, (12, 30), 0)),
        ("long signatures, 30 % N and runs", |dice, _| long(dice, (12, 30), 5)),
        ("long signatures, 18 % N and runs", |dice, _| long(dice, (44, 18), 5)),
        ("periodic N", periodic_n),
        ("poly-A", poly_a),
        ("N gaps", n_gaps),
        ("signatures of 5 to 64", short),
        ("all-N signatures", all_n),
        ("tandem repeats", tandem_repeats),
        ("overlapping copies", overlapping_copies),
    ];
    let options = Options { max_n_frac: Fraction::ONE, ..Options::default() };
    let case = |(k, (name, make)): (usize, &(&str, Scenario))| {
        let (signatures, sequences) = make(&mut Dice::new(400 + k as u64), size.symbols(3000));
        Case::new(&format!("adversarial, {name}"), &signatures, &sequences).under(options)
    };
    scenarios.iter().enumerate().map(case).collect()
}

fn random(dice: &mut Dice, length: usize, n_percent: usize) -> Texts {
    (0..3).map(|k| dice.bases(length + 5 * k, n_percent)).collect()
}

fn cut_from_random(dice: &mut Dice, length: usize, n_percent: usize) -> (Texts, Texts) {
    let sequences = random(dice, length, n_percent);
    let signatures = (0..20).map(|k| dice.cut(&sequences, 20 + 10 * k)).collect();
    (signatures, sequences)
}

/// So many signatures of 700 to 1900 symbols, and as many runs of `N` in each sequence as said, longer than some of them are.
fn long(dice: &mut Dice, (signatures, n_percent): (usize, usize), runs: usize) -> (Texts, Texts) {
    let mut sequences = random(dice, 4000, n_percent);
    for sequence in &mut sequences {
        for _ in 0..runs {
            let at = dice.below(sequence.len() - 800);
            let run = dice.below(800);
            sequence[at..at + run].fill(b'N');
        }
    }
    let signatures = (0..signatures).map(|k| dice.cut(&sequences, 700 + 100 * (k % 13))).collect();
    (signatures, sequences)
}

/// Every p-th symbol is `N`, in sequences and signatures, with equal and unequal periods and phases: no window of 8 is whole.
fn periodic_n(dice: &mut Dice, length: usize) -> (Texts, Texts) {
    let mut every = |period: usize, phase: usize, length: usize| {
        let mut text = dice.bases(length, 0);
        text.iter_mut().skip(phase).step_by(period).for_each(|base| *base = b'N');
        text
    };
    let sequences: Texts = (2..9).map(|period| every(period, 0, length)).collect();
    let mut signatures: Texts = (2..9).flat_map(|period| [every(period, 1, 30), every(period, 0, 64)]).collect();
    signatures.extend((0..14).map(|k| {
        let mut piece = dice.cut(&sequences, 40 + k);
        piece.iter_mut().skip(k % 3).step_by(3).for_each(|base| *base = b'N');
        piece
    }));
    (signatures, sequences)
}

/// One window code everywhere: every position is a candidate of every signature.
fn poly_a(_: &mut Dice, length: usize) -> (Texts, Texts) {
    let a = |length: usize| vec![b'A'; length];
    let spoiled = |length: usize, at: usize| {
        let mut text = a(length);
        text[at] = b'C';
        text
    };
    let signatures = vec![a(1), a(8), a(9), a(33), a(64), spoiled(40, 39), spoiled(40, 0), vec![b'T'; 20]];
    (signatures, vec![a(length), spoiled(length, length / 2), spoiled(200, 199), a(63)])
}

/// Long runs of `N` as in draft genomes; signatures reach into them from both sides.
fn n_gaps(dice: &mut Dice, length: usize) -> (Texts, Texts) {
    let mut sequences = random(dice, length, 0);
    for sequence in &mut sequences {
        for _ in 0..4 {
            let run = 20 + dice.below(length / 10);
            let at = dice.below(sequence.len() - run);
            sequence[at..at + run].fill(b'N');
        }
    }
    let mut signatures: Texts = (0..12).map(|k| dice.cut(&sequences, 30 + 15 * k)).collect();
    signatures.extend((0..4).map(|k| [dice.bases(10, 0), vec![b'N'; 20 * k], dice.bases(10, 0)].concat()));
    (signatures, sequences)
}

/// Shorter than a window, a probe or a word, one of each length.
fn short(dice: &mut Dice, length: usize) -> (Texts, Texts) {
    let sequences = random(dice, length, 2);
    let signatures = (5..=64).map(|length| dice.cut(&sequences, length)).collect();
    (signatures, sequences)
}

/// Match at every start.
fn all_n(dice: &mut Dice, length: usize) -> (Texts, Texts) {
    let sequences = random(dice, length, 10);
    let signatures = [1, 5, 8, 31, 32, 33, 100, length, length + 5].map(|length| vec![b'N'; length]);
    (signatures.into(), sequences)
}

/// Units of 1 to 9 symbols repeated; signatures are the same repeats in every phase, and with one base off.
fn tandem_repeats(dice: &mut Dice, length: usize) -> (Texts, Texts) {
    let units: Texts = (1..10).map(|length| dice.bases(length, 0)).collect();
    let sequences = units.iter().map(|unit| unit.repeat(length / 2 / unit.len())).collect();
    let mut signatures = Texts::new();
    for unit in &units {
        let phase = dice.below(unit.len());
        let mut text = unit.repeat(12)[phase..].to_vec();
        signatures.push(text.clone());
        let at = dice.below(text.len());
        text[at] = b'N';
        signatures.push(text.clone());
        text[at / 2] = b"ACGT"[dice.below(4)];
        signatures.push(text);
    }
    (signatures, sequences)
}

/// Copies at the very start, at the very end, end to end, and overlapping by every amount; signatures inside signatures.
fn overlapping_copies(dice: &mut Dice, length: usize) -> (Texts, Texts) {
    let unit = b"ACGTACGTACGTGGACGTACGTACGT".to_vec();
    let mut overlapping = unit.clone();
    for overlap in 0..unit.len() {
        overlapping.truncate(overlapping.len() - overlap);
        overlapping.extend_from_slice(&unit);
    }
    let ends = [unit.clone(), dice.bases(length, 0), unit.clone()].concat();
    let signatures = (0..12).map(|k| unit[k..unit.len() - k].to_vec()).chain([overlapping[..100].to_vec()]);
    (signatures.collect(), vec![overlapping, ends, unit.repeat(9), unit.clone()])
}
