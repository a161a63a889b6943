//! Symbols beyond ACGTN: IUPAC codes on both sides, lower case, `U`, `.`, `-`; and any byte under `--wildcards n`.

use super::dice::Dice;
use super::{Case, Size};
use warpseq::scan::{Fraction, Options, Wildcards};

pub fn cases(size: Size) -> Vec<Case> {
    let mut cases = vec![every_pair(size, Wildcards::Iupac), every_pair(size, Wildcards::N)];
    for max_n_frac in [0.0, 0.5, 1.0].map(Fraction::printed) {
        cases.push(codes(size, max_n_frac));
        cases.push(bytes(size, max_n_frac));
    }
    cases.push(gaps());
    cases
}

const CODES: &[u8] = b"ACGTURYSWKMBDHVN.acgturyswkmbdhvn";

/// Every code against every code, and every byte (in the small suite every printable one) against every byte, alone and at
/// the end of eight others.
fn every_pair(size: Size, wildcards: Wildcards) -> Case {
    let bytes: Vec<u8> = match size {
        Size::Small | Size::Few => (b'!'..=b'~').step_by(5).chain(*b"ACGTNacgtn-").collect(),
        Size::Full => (0..=255).collect(),
    };
    let (signatures, sequence): (&[u8], Vec<u8>) = match wildcards {
        Wildcards::Iupac => (CODES, [CODES, b"-"].concat()),
        Wildcards::N => (&bytes, bytes.clone()),
    };
    let long = sequence.iter().flat_map(|&symbol| [b"ACGTTCAG".to_vec(), vec![symbol]].concat());
    let mut searched: Vec<_> = signatures.iter().map(|&symbol| vec![symbol]).collect();
    searched.extend(signatures.iter().map(|&symbol| [b"ACGTTCAG".to_vec(), vec![symbol]].concat()));
    let sequences = [sequence.clone(), long.collect()];
    let options = Options { wildcards, max_n_frac: Fraction::ONE, ..Options::default() };
    Case::new(&format!("every pair, {wildcards:?}"), &searched, &sequences).under(options)
}

/// Mostly bases, some codes and gaps.
fn codes(size: Size, max_n_frac: Fraction) -> Case {
    let mut dice = Dice::new(300);
    let alphabet = [&b"ACGTacgt".repeat(8)[..], CODES].concat();
    let with_gaps = [&alphabet[..], b"--"].concat();
    let sequences: Vec<_> = (0..3).map(|k| dice.letters(&with_gaps, size.symbols(2000) + k)).collect();
    let mut signatures: Vec<_> = (0..20).map(|k| dice.letters(&alphabet, 2 + k % 7)).collect();
    while signatures.len() < 50 {
        let length = 5 + dice.below(60);
        let piece = dice.cut(&sequences, length);
        if !piece.contains(&b'-') {
            signatures.push(piece);
        }
    }
    let options = Options { max_n_frac, ..Options::default() };
    Case::new(&format!("codes, max_n_frac {max_n_frac}"), &signatures, &sequences).under(options)
}

/// Bytes that only `--wildcards n` allows; none but `N` is wild.
fn bytes(size: Size, max_n_frac: Fraction) -> Case {
    let mut dice = Dice::new(301);
    let alphabet = b"AACCGGTTacgtNNn-.*URX?\x00\xff 7";
    let sequences: Vec<_> = (0..3).map(|k| dice.letters(alphabet, size.symbols(2000) + k)).collect();
    let mut signatures: Vec<_> = (0..20).map(|k| dice.letters(alphabet, 1 + k % 5)).collect();
    for _ in 0..20 {
        let length = 5 + dice.below(60);
        signatures.push(dice.cut(&sequences, length));
    }
    let options = Options { wildcards: Wildcards::N, max_n_frac, ..Options::default() };
    Case::new(&format!("any bytes, max_n_frac {max_n_frac}"), &signatures, &sequences).under(options)
}

/// `-` matches nothing, at every place of a word, and keeps its coordinate.
fn gaps() -> Case {
    let mut dice = Dice::new(302);
    let text = dice.bases(70, 10);
    let gap_at = |at: usize| [&text[..at], b"-", &text[at + 1..]].concat();
    let sequences: Vec<_> = (0..70).map(gap_at).chain([b"-".to_vec(), b"--------".to_vec()]).collect();
    let signatures = [&text[..], &text[..32], &text[32..], &text[5..14], &text[60..], b"N", b"NNNNNNNN"];
    let options = Options { max_n_frac: Fraction::ONE, ..Options::default() };
    Case::new("gaps", &signatures, &sequences).under(options)
}
