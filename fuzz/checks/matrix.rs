//! Matrix files: a table of all pairs of residues as the definition says, or an error with its line; and scores that every
//! executor computes with alike.

use super::scratch;
use warpseq::align::cpu::Cpu;
use warpseq::align::matrix::Matrix;
use warpseq::align::reference::Reference;
use warpseq::align::scoring::{Alphabet, Rules};
use warpseq::align::{Aligning, Batch, Pair, Sequences, Want, align};
use warpseq::error::{Error, FileError};
use warpseq::executor::Executor;

/// All bytes are a matrix file; it is read at once, so there is no buffer to choose.
///
/// # Panics
/// When the program goes wrong.
pub fn matrix(bytes: &[u8]) {
    let (found, expected) = (scratch::with(bytes, Matrix::read), table(bytes));
    match found {
        Ok(matrix) => {
            let (residues, scores) = expected.expect("the definition refuses it");
            assert_eq!((&matrix.residues, &matrix.scores), (&residues, &scores));
            assert_eq!(scores.len(), residues.len() * residues.len());
            computed(matrix);
        }
        Err(Error::File(FileError::Unusable { message, .. })) => {
            assert!(expected.is_none(), "the definition takes it: {message}");
            let line = message.strip_prefix("line ").and_then(|rest| rest.split(':').next()?.parse::<usize>().ok());
            let lines = bytes.split(|&byte| byte == b'\n').count();
            assert!(line.is_some_and(|line| (1..=lines).contains(&line)), "{message}");
        }
        Err(error) => panic!("{error}"),
    }
}

/// The residues and the scores of NCBI's format, from `host/align/matrix/ncbi.rs`.
fn table(bytes: &[u8]) -> Option<(Vec<u8>, Vec<i32>)> {
    let mut rows = bytes.split(|&byte| byte == b'\n').filter(|line| line.first() != Some(&b'#')).map(words);
    let header = rows.by_ref().find(|words| !words.is_empty())?;
    let residues: Vec<u8> = header.iter().map(|word| residue(word)).collect::<Option<_>>()?;
    let mut scores = vec![None; residues.len()];
    for row in rows.filter(|words| !words.is_empty()) {
        let place = residues.iter().position(|&known| Some(known) == residue(row[0]))?;
        let numbers: Vec<i32> = row[1..].iter().map(|word| number(word)).collect::<Option<_>>()?;
        if scores[place].is_some() || numbers.len() != residues.len() {
            return None;
        }
        scores[place] = Some(numbers);
    }
    let distinct = (0..residues.len()).all(|k| !residues[..k].contains(&residues[k]));
    let rows: Vec<Vec<i32>> = scores.into_iter().collect::<Option<_>>()?;
    distinct.then(|| (residues, rows.concat()))
}

fn words(line: &[u8]) -> Vec<&[u8]> {
    line.split(|byte| b" \t\r\x0c".contains(byte)).filter(|word| !word.is_empty()).collect()
}

fn residue(word: &[u8]) -> Option<u8> {
    match word {
        [byte @ b'!'..=b'~'] => Some(byte.to_ascii_uppercase()),
        _ => None,
    }
}

fn number(word: &[u8]) -> Option<i32> {
    let (sign, digits) = match word {
        [b'-', digits @ ..] => (-1, digits),
        [b'+', digits @ ..] | digits => (1, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let whole = digits.iter().try_fold(0_i64, |sum, digit| {
        let sum = 10 * sum + i64::from(digit - b'0');
        (sum <= 1 << 31).then_some(sum)
    })?;
    i32::try_from(sign * whole).ok()
}

/// Sequences of the matrix's residues score the same by the naive reference and by the CPU engine, or are refused by both.
fn computed(matrix: Matrix) {
    let residues: Vec<u8> = matrix.residues.iter().copied().take(12).collect();
    let Ok(scoring) = (Rules { alphabet: Alphabet::Matrix(matrix), ..Rules::default() }).scoring() else { return };
    let backward: Vec<u8> = residues.iter().rev().copied().collect();
    let [queries, targets] =
        [[&residues, &backward], [&residues, &residues]].map(|all| all.iter().collect::<Sequences>());
    let pairs = [Pair { query: 0, target: 0 }, Pair { query: 1, target: 1 }];
    let batch = Batch::new(&queries, &targets, &pairs);
    let [naive, fast] = [&mut Reference as &mut dyn Executor<Aligning>, &mut Cpu::new()]
        .map(|executor| align(executor, &batch, &scoring, Want::Path).map_err(|error| error.to_string()));
    assert_eq!(naive, fast);
}
