//! The kernels of a search against a naive matrix and a sort.

use super::matrix::{Scoring, align};
use super::{AFFINE, LINEAR, MATRIX, drawn};
use crate::abi::{KeepArgs, SearchArgs, SearchRules};
use crate::align::keep::{KEEP_SHARED, LIMIT_SHARED};
use crate::align::kernel::*;
use crate::align::search::shared_bytes;
use crate::bench::{Array, Bench, numbers};
use crate::tuning::{ALPHABET_MAX, KEEP_THREADS, LETTER, PROTEIN_GAP, SEARCH_GAP};
use cuda_std::{Kernel, Shape, U32x2, U32x4};
use std::cmp::Reverse;
use std::{vec, vec::Vec};

const CODES_USED: u32 = 5;

/// Gives a kernel that searches.
type Search = fn() -> &'static Kernel<fn(SearchArgs)>;

/// How a search is divided.
#[derive(Clone, Copy, Debug)]
struct Layout {
    kernel: Search,
    residues: u32,
    lanes: u32,
    packed: bool,
    /// Warps of a block, and blocks.
    shape: [u32; 2],
    /// Units of an item.
    item: u32,
}

const NARROW: Layout =
    Layout { kernel: || &align_search_affine_8, residues: 8, lanes: 4, packed: true, shape: [2, 2], item: 5 };

/// Targets in couples, the longest first: their letters, the couples, the numbers of the targets.
fn couples(targets: &[Vec<u8>]) -> (Vec<u16>, Vec<U32x2>, Vec<u32>) {
    let mut order: Vec<u32> = (0..targets.len() as u32).filter(|&k| !targets[k as usize].is_empty()).collect();
    order.sort_by_key(|&k| Reverse(targets[k as usize].len()));
    let letter = |[first, second]: [u8; 2]| (u16::from(first) | u16::from(second) << 8) * LETTER as u16;
    let gap = [letter([CODES_USED as u8; 2]); SEARCH_GAP as usize];
    let (mut letters, mut places) = (gap.to_vec(), Vec::new());
    for couple in order.chunks(2) {
        let of = |k: usize, j: usize| couple.get(k).and_then(|&target| targets[target as usize].get(j)).copied();
        let columns = targets[couple[0] as usize].len();
        places.push(U32x2([letters.len() as u32, columns as u32]));
        letters.extend((0..columns).map(|j| letter([0, 1].map(|k| of(k, j).unwrap_or(CODES_USED as u8)))));
        letters.extend(gap);
    }
    order.resize(2 * places.len(), u32::MAX);
    (letters, places, order)
}

/// The score of each query with each target, query by query.
fn search(layout: &Layout, scoring: &Scoring, queries: &[Vec<u8>], targets: &[Vec<u8>], twice: bool) -> Vec<u32> {
    let bench = Bench::default();
    let (letters, couples, order) = couples(targets);
    let mut matrix = [-1i8; (ALPHABET_MAX * ALPHABET_MAX) as usize];
    for (q, row) in scoring.scores.iter().enumerate() {
        row.iter().enumerate().for_each(|(t, &score)| matrix[t * ALPHABET_MAX as usize + q] = score as i8);
    }
    let mut start = 0;
    let place = |query: &Vec<u8>| {
        start += query.len() as u32;
        U32x2([start - query.len() as u32, query.len() as u32])
    };
    let places: Vec<U32x2> = queries.iter().map(place).collect();
    let longest = queries.iter().map(Vec::len).max().unwrap_or(0) as u32;
    let strips = longest.div_ceil(layout.lanes * layout.residues);
    let units = couples.len() as u32 * if layout.packed { 1 } else { 2 };
    let items: Vec<U32x4> = (0..queries.len() as u32)
        .flat_map(|query| (0..units).step_by(layout.item as usize).map(move |first| (query, first)))
        .map(|(query, first)| U32x4([query, first, units.min(first + layout.item), 0]))
        .collect();
    let [warps, grid] = layout.shape;
    let border = couples[0].0[1] + 2 * SEARCH_GAP;
    let codes: Vec<u8> = (0..=255).map(|residue: u8| 250u8.wrapping_sub(residue) / 7).collect();
    let residues: Vec<u8> = queries.concat().iter().map(|code| 250 - 7 * code).collect();
    let scores = bench.zeros::<u32>((queries.len() * targets.len()) as u32);
    for second in 0..=u32::from(twice) {
        let args = SearchArgs {
            queries: bench.put(&residues).view(),
            places: bench.put(&places).view(),
            codes: bench.put(&codes).view(),
            matrix: bench.put(&matrix.map(|score| score as u8)).view(),
            letters: bench.put(&letters).view(),
            couples: bench.put(&couples).view(),
            order: bench.put(&order).view(),
            items: bench.put(&items).view(),
            scores: scores.view_mut(),
            borders: bench
                .room::<U32x2>(if strips > 1 { grid * warps * 32 / layout.lanes * border } else { 0 })
                .view_mut(),
            taken: bench.zeros::<u32>(1 + items.len() as u32).view_mut(),
            rules: SearchRules {
                open: scoring.open,
                extend: scoring.extend,
                codes: CODES_USED,
                lanes: layout.lanes,
                strips,
                targets: targets.len() as u32,
                border,
                second,
            },
        };
        let shape = Shape { grid, block: 32 * warps, shared: shared_bytes(&args.rules, layout.residues) };
        bench.launch_as((layout.kernel)(), shape, args);
    }
    bench.get(scores)
}

/// Queries and targets of these sizes.
fn drawn_sides(seed: u32, sizes: &[(usize, usize)]) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    drawn(seed, sizes).into_iter().unzip()
}

fn check(layout: Layout, scoring: Scoring, (queries, targets): (&[Vec<u8>], &[Vec<u8>])) {
    let found = search(&layout, &scoring, queries, targets, false);
    let pairs = queries.iter().flat_map(|query| targets.iter().map(move |target| (query, target)));
    for (k, ((query, target), found)) in pairs.zip(found).enumerate() {
        let expected = if target.is_empty() { 0 } else { align(query, target, &scoring).score as u32 };
        assert_eq!(found, expected, "pair {k}: {} x {}, {layout:?}, {scoring:?}", query.len(), target.len());
    }
}

const SIZES: [(usize, usize); 11] =
    [(1, 1), (31, 40), (32, 1), (33, 17), (70, 64), (32, 16), (7, 33), (64, 48), (2, 3), (97, 50), (12, 66)];

#[test]
fn scores_of_a_search_are_those_of_the_matrix() {
    for scoring in [AFFINE, MATRIX] {
        let (queries, mut targets) = drawn_sides(3, &SIZES);
        targets.push(Vec::new());
        check(NARROW, scoring, (&queries, &targets));
        check(Layout { lanes: 8, item: 100, shape: [1, 1], ..NARROW }, scoring, (&queries, &targets));
        check(Layout { lanes: 16, item: 7, ..NARROW }, scoring, (&queries, &targets));
        let wide = Layout { kernel: || &align_search_wide, residues: 16, packed: false, ..NARROW };
        check(wide, scoring, (&queries, &targets));
    }
    let (queries, targets) = drawn_sides(4, &SIZES);
    let linear = Layout { kernel: || &align_search_linear_12, residues: 12, ..NARROW };
    for scoring in [LINEAR, Scoring { open: 1, extend: 1, ..LINEAR }] {
        check(linear, scoring, (&queries, &targets));
    }
}

#[test]
fn every_number_of_residues_in_a_lane_gives_the_same_scores() {
    let (queries, targets) = drawn_sides(5, &SIZES[..8]);
    let protein: [Search; 12] = [
        || &align_search_protein_8,
        || &align_search_protein_10,
        || &align_search_protein_12,
        || &align_search_protein_14,
        || &align_search_protein_16,
        || &align_search_protein_18,
        || &align_search_protein_20,
        || &align_search_protein_22,
        || &align_search_protein_24,
        || &align_search_protein_26,
        || &align_search_protein_28,
        || &align_search_protein_32,
    ];
    let affine: [Search; 6] = [
        || &align_search_affine_12,
        || &align_search_affine_16,
        || &align_search_affine_20,
        || &align_search_affine_24,
        || &align_search_affine_28,
        || &align_search_affine_30,
    ];
    let linear: [Search; 6] = [
        || &align_search_linear_8,
        || &align_search_linear_16,
        || &align_search_linear_20,
        || &align_search_linear_24,
        || &align_search_linear_28,
        || &align_search_linear_32,
    ];
    let [open, extend] = PROTEIN_GAP;
    let like_proteins = Scoring { open, extend, ..MATRIX };
    for (kernel, residues) in protein.into_iter().zip((8..=28).step_by(2).chain([32])) {
        check(Layout { kernel, residues, ..NARROW }, like_proteins, (&queries, &targets));
    }
    for (kernel, residues) in affine.into_iter().zip((12..=28).step_by(4).chain([30])) {
        check(Layout { kernel, residues, ..NARROW }, MATRIX, (&queries, &targets));
    }
    for (kernel, residues) in linear.into_iter().zip([8, 16, 20, 24, 28, 32]) {
        check(Layout { kernel, residues, ..NARROW }, LINEAR, (&queries, &targets));
    }
}

#[test]
fn the_better_score_of_two_strands_is_kept() {
    let (queries, targets) = drawn_sides(6, &SIZES[..5]);
    let once = search(&NARROW, &AFFINE, &queries, &targets, false);
    assert_eq!(search(&NARROW, &AFFINE, &queries, &targets, true), once);
}

/// What is kept of each query, by the kernels.
fn kept(scores: &[Vec<u32>], least: &[u32], top: u32) -> Vec<Vec<(u32, u32)>> {
    let (bench, targets) = (Bench::default(), scores[0].len() as u32);
    let limits: Array<U32x4> = bench.room(scores.len() as u32);
    let args = KeepArgs {
        scores: bench.put(&scores.concat()).view(),
        least: bench.put(least).view(),
        limits: limits.view_mut(),
        starts: bench.put(&vec![0u32; scores.len()]).view(),
        kept: bench.room::<U32x2>(0).view_mut(),
        targets,
        top,
    };
    let shape = |shared| Shape { grid: scores.len() as u32, block: KEEP_THREADS, shared };
    bench.launch_as(&align_limit, shape(LIMIT_SHARED), args);
    let counts: Vec<u32> = bench.get(limits).iter().map(|limit| limit.0[2]).collect();
    let starts: Vec<u32> = counts.iter().scan(0, |end, count| Some(std::mem::replace(end, *end + count))).collect();
    let kept: Array<U32x2> = bench.room(counts.iter().sum());
    let args = KeepArgs { starts: bench.put(&starts).view(), kept: kept.view_mut(), ..args };
    bench.launch_as(&align_keep, shape(KEEP_SHARED), args);
    let kept = if counts.iter().sum::<u32>() == 0 { Vec::new() } else { bench.get(kept) };
    let of = |(&start, &count): (&u32, &u32)| {
        kept[start as usize..(start + count) as usize].iter().map(|k| (k.0[0], k.0[1])).collect()
    };
    starts.iter().zip(&counts).map(of).collect()
}

#[test]
fn the_best_are_kept_and_of_equals_the_first() {
    let mut number = numbers(8);
    for (targets, highest, top) in
        [(1, 5, 1), (37, 4, 3), (700, 60, 10), (700, 3, 200), (300, 1 << 20, 7), (9, 1 << 30, 100), (64, 1, 64)]
    {
        let scores: Vec<Vec<u32>> = (0..4).map(|_| (0..targets).map(|_| number(highest)).collect()).collect();
        let least = [0, 1, highest / 2, highest + 7];
        for (found, (scores, least)) in kept(&scores, &least, top).into_iter().zip(scores.iter().zip(least)) {
            let mut expected: Vec<(u32, u32)> =
                (0..).zip(scores.iter().copied()).filter(|&(_, score)| score >= least).collect();
            expected.sort_by_key(|&(_, score)| Reverse(score));
            expected.truncate(top as usize);
            expected.sort_unstable();
            assert_eq!(found, expected, "{targets} targets up to {highest}, least {least}, top {top}");
        }
    }
}
