//! The picture of the module, what is refused, and what [`rescore()`] finds wrong. The rest is in `tests/align`.

use super::*;
use crate::{Gap, Mode, Op, Pair, Run, Runs, Sequences, Stop};

/// A, C, G and T by their bytes, 1 and -1, linear gaps of 2.
fn plain(mode: Mode) -> Scoring {
    let identity: [u8; 256] = std::array::from_fn(|byte| if b"ACGT".contains(&(byte as u8)) { byte as u8 } else { 0 });
    let scores = (0..1 << 16).map(|k| if k >> 8 == k & 255 && identity[k & 255] != 0 { 1 } else { -1 }).collect();
    let codes = std::array::from_fn(|byte| byte as u8);
    Scoring { mode, stop: Stop::AtZero, gap: Gap { open: 2, extend: 2 }, codes, size: 256, scores, identity, scale: 1 }
}

fn align(query: &[u8], target: &[u8], scoring: &Scoring, want: Want) -> Result<Vec<Alignment>> {
    let [queries, targets] = [query, target].map(|residues| [residues].into_iter().collect::<Sequences>());
    let pairs = [Pair { query: 0, target: 0 }];
    crate::align(&mut Reference, &Batch::new(&queries, &targets, &pairs), scoring, want)
}

fn path(runs: &[(u32, Op)]) -> Vec<Run> {
    runs.iter().map(|&(length, op)| Run { op, length }).collect()
}

#[test]
fn the_picture_of_the_module() {
    let drawn = [
        [0, 0, 0, 0, 0, 0, 0],
        [0, 0, 1, 0, 0, 0, 0],
        [0, 1, 0, 2, 0, 0, 0],
        [0, 0, 0, 0, 3, 1, 0],
        [0, 0, 0, 0, 1, 2, 2],
    ];
    let matrices = Matrices::new(b"CAGT", b"ACAGGT", &plain(Mode::Local));
    assert!((0..5).all(|i| (0..7).all(|j| matrices.h[(i, j)] == drawn[i][j])), "{}", matrices.h);
    let found = align(b"CAGT", b"ACAGGT", &plain(Mode::Local), Want::Path).unwrap();
    assert_eq!(found, [Alignment { score: 3, query: 0..3, target: 1..4, path: path(&[(3, Op::Equal)]).into() }]);
    let found = align(b"CAGT", b"ACAGGT", &plain(Mode::Local), Want::Score).unwrap();
    assert_eq!(found, [Alignment { score: 3, query: 3..3, target: 4..4, path: Runs::NONE }]);
}

/// Global, gap 3 and 1: e and f open at each border cell, and go on one row or column further.
#[test]
fn gaps_open_at_the_border_and_extend() {
    let scoring = Scoring { gap: Gap { open: 3, extend: 1 }, ..plain(Mode::Global) };
    let Matrices { h, e, f } = Matrices::new(b"AC", b"AGC", &scoring);
    let rows = |matrix: &nalgebra::DMatrix<i64>| -> Vec<Vec<i64>> {
        matrix
            .row_iter()
            .map(|row| row.iter().map(|&value| if value == matrices::ABSENT { -99 } else { value }).collect())
            .collect()
    };
    assert_eq!(rows(&h), [[0, -3, -4, -5], [-3, 1, -2, -3], [-4, -2, 0, -1]]);
    assert_eq!(rows(&e), [[-99, -99, -99, -99], [-99, -6, -2, -3], [-99, -7, -5, -3]]);
    assert_eq!(rows(&f), [[-99, -99, -99, -99], [-99, -6, -7, -8], [-99, -2, -5, -6]]);
}

#[test]
fn a_pair_too_large_is_refused_with_its_number_and_a_way_out() {
    let (query, target) = (vec![b'A'; 1 << 13], vec![b'A'; 1 << 12]);
    let message = align(&query, &target, &plain(Mode::Local), Want::Score).unwrap_err().to_string();
    assert!(message.starts_with("pair 1 of the batch has 8192 x 4096 symbols"), "{message}");
    assert!(message.contains("33554432 cells") && message.ends_with("(--verify cpu)"), "{message}");
}

#[test]
fn a_path_is_scored_from_its_residues() {
    let scoring = Scoring { gap: Gap { open: 5, extend: 2 }, ..plain(Mode::Global) };
    let runs = path(&[(1, Op::Equal), (2, Op::Insertion), (1, Op::Different), (3, Op::Deletion)]);
    let claimed = Alignment { score: 0, query: 0..4, target: 0..5, path: runs.into() };
    assert_eq!(rescore(b"AGGC", b"ATACG", &claimed, &scoring), Ok(1 - 7 - 1 - 9));
}

#[test]
fn what_is_wrong_with_a_path_is_said() {
    let wrong = |mode, query, target, runs: &[(u32, Op)]| {
        let alignment = Alignment { score: 0, query, target, path: path(runs).into() };
        rescore(b"ACGT", b"ACGT", &alignment, &plain(mode)).unwrap_err()
    };
    let four = [(4, Op::Equal)];
    assert_eq!(wrong(Mode::Local, 0..5, 0..4, &four), "0..5 is not inside the query of 4 symbols");
    assert_eq!(wrong(Mode::Local, 0..3, 0..4, &four), "the path ends at 4, 4, the ranges at 3, 4");
    assert_eq!(wrong(Mode::Local, 1..4, 0..4, &four), "4 Equal at 1, 0 leave a sequence");
    assert_eq!(wrong(Mode::Local, 0..3, 1..4, &[(3, Op::Equal)]), "A over C is called equal");
    assert_eq!(
        wrong(Mode::Global, 0..3, 0..3, &[(3, Op::Equal)]),
        "Global does not allow query 0..3 of 4, target 0..3 of 4"
    );
    assert!(wrong(Mode::Fit, 0..3, 0..3, &[(3, Op::Equal)]).starts_with("Fit does not allow"));
    assert!(wrong(Mode::Overlap, 1..4, 1..4, &[(3, Op::Equal)]).starts_with("Overlap does not allow"));
    assert!(wrong(Mode::Local, 0..4, 0..4, &[(2, Op::Equal), (2, Op::Equal)]).contains("two of one kind"));
    assert!(wrong(Mode::Local, 0..4, 0..3, &[(3, Op::Equal), (1, Op::Insertion)]).contains("a gap at an end"));
}
