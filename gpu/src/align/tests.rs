//! The kernels of `align` on the emulator against a naive matrix. No code of the host takes part.

mod launches;
mod matrix;
mod search;

use crate::abi::mode;
use crate::bench::numbers;
use launches::{Layout, Pair, run, run_scores};
use matrix::{Scoring, align};
use std::vec::Vec;

const MODES: [u32; 4] = [mode::LOCAL, mode::GLOBAL, mode::FIT, mode::OVERLAP];

/// A chunk longer than every query.
const WHOLE: u32 = 1 << 30;

/// Scores with frequent ties.
const EQUAL: [[i32; 5]; 5] =
    [[1, -1, -1, -1, -1], [-1, 1, -1, -1, -1], [-1, -1, 1, -1, -1], [-1, -1, -1, 1, -1], [-1, -1, -1, -1, 1]];
/// Scores that change when query and target are swapped.
const UNLIKE: [[i32; 5]; 5] =
    [[5, -4, 1, -1, -3], [-2, 6, -5, 0, -1], [-1, -3, 4, 2, -6], [-4, -2, -1, 7, -2], [0, -7, -2, -3, 3]];

const LINEAR: Scoring = Scoring { mode: mode::LOCAL, open: 2, extend: 2, stops: true, scores: EQUAL };
const THROUGH: Scoring = Scoring { open: 1, extend: 1, stops: false, ..LINEAR };
const AFFINE: Scoring = Scoring { open: 3, extend: 1, ..LINEAR };
const MATRIX: Scoring = Scoring { open: 9, extend: 2, scores: UNLIKE, ..LINEAR };

const NARROW: Layout = Layout { packed: true, affine: true, columns: 16, width: 4, chunk: WHOLE, want_path: true };

/// Random pairs of these sizes. Targets are queries with errors.
fn drawn(seed: u32, sizes: &[(usize, usize)]) -> Vec<Pair> {
    let mut number = numbers(seed);
    let mut pair = |&(rows, columns): &(usize, usize)| {
        let alphabet = 2 + number(4);
        let query: Vec<u8> = (0..rows).map(|_| number(alphabet) as u8).collect();
        let (mut target, mut at) = (Vec::new(), number(rows as u32 / 2 + 1) as usize);
        while target.len() < columns {
            match number(12) {
                0 => at += number(7) as usize,
                1 => target.extend((0..number(7)).map(|_| number(alphabet) as u8)),
                2 => target.push(number(alphabet) as u8),
                _ => target.push(query[at % rows]),
            }
            at += 1;
        }
        target.truncate(columns);
        (query, target)
    };
    sizes.iter().map(&mut pair).collect()
}

/// Compares all pairs of one launch with the naive matrix.
fn check(layout: Layout, scoring: Scoring, pairs: &[Pair]) {
    for (k, (found, (query, target))) in run(&layout, &scoring, pairs).into_iter().zip(pairs).enumerate() {
        let expected = align(query, target, &scoring);
        let expected = if layout.want_path { expected } else { expected.without_path() };
        assert_eq!(found, expected, "pair {k}: {} x {}, {layout:?}, {scoring:?}", query.len(), target.len());
    }
}

/// The same in 16 and in 32 bits.
fn check_both(layout: Layout, scoring: Scoring, pairs: &[Pair]) {
    for packed in [true, false] {
        check(Layout { packed, affine: scoring.open != scoring.extend, ..layout }, scoring, pairs);
    }
}

#[test]
fn a_group_of_four_finds_what_the_matrix_finds() {
    let sizes =
        [(1, 1), (1, 40), (40, 1), (33, 17), (70, 64), (32, 16), (31, 33), (64, 48), (2, 3), (97, 50), (65, 63)];
    for (mode, scoring) in MODES.into_iter().flat_map(|mode| [LINEAR, AFFINE, THROUGH, MATRIX].map(|s| (mode, s))) {
        check_both(NARROW, Scoring { mode, ..scoring }, &drawn(1 + mode, &sizes));
    }
}

#[test]
fn wider_groups_find_what_the_matrix_finds() {
    for (width, sizes) in [(8, [(20, 65), (33, 128), (64, 100)]), (16, [(40, 200), (5, 256), (50, 150)])] {
        for (mode, scoring) in MODES.into_iter().flat_map(|mode| [LINEAR, MATRIX].map(|s| (mode, s))) {
            check_both(Layout { width, ..NARROW }, Scoring { mode, ..scoring }, &drawn(7 + mode, &sizes));
        }
    }
}

#[test]
fn strips_and_chunks_of_a_warp_find_what_the_matrix_finds() {
    let pairs = drawn(3, &[(70, 130), (100, 512), (40, 513), (70, 1100)]);
    for (mode, scoring) in MODES.into_iter().flat_map(|mode| [LINEAR, AFFINE].map(|s| (mode, s))) {
        for chunk in [32, 64, WHOLE] {
            check_both(Layout { width: 32, chunk, ..NARROW }, Scoring { mode, ..scoring }, &pairs);
        }
    }
}

#[test]
fn an_end_is_found_without_a_path() {
    let pairs = drawn(4, &[(1, 1), (33, 17), (70, 64), (20, 30), (64, 64)]);
    for mode in MODES {
        check_both(Layout { want_path: false, ..NARROW }, Scoring { mode, ..AFFINE }, &pairs);
    }
}

#[test]
fn pairs_without_an_equal_residue_have_no_local_alignment() {
    let pairs: Vec<Pair> = [(3, 3), (40, 64), (33, 1)].map(|(m, n)| (std::vec![0; m], std::vec![1; n])).into();
    for mode in MODES {
        check_both(NARROW, Scoring { mode, ..LINEAR }, &pairs);
        check_both(NARROW, Scoring { mode, ..THROUGH }, &pairs);
    }
}

#[test]
fn dear_gaps_do_not_overflow() {
    let pairs = drawn(5, &[(1, 1), (33, 17), (40, 64), (60, 40)]);
    for mode in MODES {
        check(NARROW, Scoring { mode, open: 4000, extend: 60, ..LINEAR }, &pairs);
        check(NARROW, Scoring { mode, open: 4000, extend: 4000, ..LINEAR }, &pairs[..1]);
        check(
            Layout { packed: false, ..NARROW },
            Scoring { mode, open: 100_000_000, extend: 2_000_000, ..LINEAR },
            &pairs,
        );
    }
}

#[test]
fn scores_and_ends_are_found_in_the_forward_pass_alone() {
    for (width, sizes) in [
        (4, [(1, 1), (33, 17), (70, 64), (40, 1), (1, 60)]),
        (8, [(20, 65), (70, 128), (33, 100), (9, 120), (40, 66)]),
        (32, [(70, 130), (33, 512), (2, 500), (90, 300), (31, 31)]),
    ] {
        for (columns, scoring) in
            [16, 32].into_iter().flat_map(|columns| [LINEAR, AFFINE, MATRIX].map(|s| (columns, s)))
        {
            let pairs = drawn(width + columns, &sizes);
            let layout = Layout { columns, width, affine: scoring.open != scoring.extend, ..NARROW };
            let expected = pairs.iter().map(|(query, target)| align(query, target, &scoring).without_path());
            assert_eq!(run_scores(&layout, &scoring, &pairs), expected.collect::<Vec<_>>(), "{layout:?} {scoring:?}");
        }
    }
}
