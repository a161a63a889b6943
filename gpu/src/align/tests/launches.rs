//! Lays pairs out for the kernels of `align`, and launches these.

use super::matrix::{Found, Scoring};
use crate::abi::*;
use crate::align::forward::shared_bytes;
use crate::align::kernel::*;
use crate::bench::{Array, Bench};
use crate::tuning::*;
use cuda_std::{Kernel, Shape, U32x4};
use std::vec::Vec;

/// A query and a target, as codes.
pub type Pair = (Vec<u8>, Vec<u8>);

/// How pairs are aligned.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub packed: bool,
    /// Whether the kernel keeps E and F. Those for one pair per word always do.
    pub affine: bool,
    /// Columns per lane, and lanes per group.
    pub columns: u32,
    pub width: u32,
    /// Steps per item.
    pub chunk: u32,
    pub want_path: bool,
}

/// Codes in use.
const CODES_USED: u32 = 5;

impl Layout {
    fn pairs(&self) -> u32 {
        1 + u32::from(self.packed)
    }

    fn keeps_gaps(&self) -> bool {
        self.affine || !self.packed
    }

    fn kernel(&self, local: bool, saved: bool) -> &'static Kernel<fn(ForwardArgs)> {
        match (self.packed, self.affine, local, saved, self.columns) {
            (true, false, _, false, COLUMNS) => &align_linear_score,
            (true, true, _, false, COLUMNS) => &align_affine_score,
            (true, false, _, false, _) => &align_linear_score_wide,
            (true, true, _, false, _) => &align_affine_score_wide,
            (true, false, true, ..) => &align_linear_local,
            (true, true, true, ..) => &align_affine_local,
            (true, false, false, ..) => &align_linear_ends,
            (true, true, false, ..) => &align_affine_ends,
            (false, _, true, ..) => &align_wide_local,
            (false, _, false, ..) => &align_wide_ends,
        }
    }
}

/// Where everything of a launch is.
#[derive(Default)]
struct Plan {
    queries: Vec<u8>,
    targets: Vec<u8>,
    places: Vec<U32x4>,
    packed_pairs: Vec<U32x4>,
    waves: Vec<Vec<U32x4>>,
    path_starts: Vec<u32>,
    /// Elements of each array, and words of all paths.
    rows: u32,
    columns: u32,
    records: u32,
    last: u32,
    paths: u32,
}

impl Plan {
    fn new(layout: &Layout, local: bool, pairs: &[Pair]) -> Self {
        let mut plan = Self::default();
        for packed_pair in pairs.chunks(layout.pairs() as usize) {
            // A pair that is left over fills both halves.
            let both = [&packed_pair[0], packed_pair.last().expect("a chunk is not empty")];
            plan.add(layout, local, &both[..layout.pairs() as usize]);
        }
        plan
    }

    fn add(&mut self, layout: &Layout, local: bool, pairs: &[&Pair]) {
        let longest = |length: fn(&Pair) -> usize| pairs.iter().map(|pair| length(pair)).max().unwrap_or(0) as u32;
        let steps = (longest(|pair| pair.0.len()) + layout.width - 1).next_multiple_of(CHECKPOINT);
        let strips = longest(|pair| pair.1.len()).div_ceil(layout.width * layout.columns);
        let (lanes, quads) = (strips * layout.width, layout.columns / 4);
        let results = if local { self.records } else { self.last / quads / layout.width } / layout.pairs();
        for (strip, chunk) in (0..strips).flat_map(|strip| (0..steps.div_ceil(layout.chunk)).map(move |k| (strip, k))) {
            let wave = (chunk + 2 * strip) as usize;
            self.waves.resize(self.waves.len().max(wave + 1), Vec::new());
            self.waves[wave].push(U32x4([self.packed_pairs.len() as u32, strip, chunk * layout.chunk, 0]));
            self.records += if local { layout.pairs() } else { 0 };
        }
        self.packed_pairs.push(U32x4([self.rows, self.columns, steps, results]));
        self.rows += lanes * (steps / CHECKPOINT + 1) * quads;
        self.columns += lanes * (steps / 4);
        self.last += if local { 0 } else { lanes * quads * layout.pairs() };
        for (query, target) in pairs {
            let [m, n] = [query.len() as u32, target.len() as u32];
            self.places.push(U32x4([self.queries.len() as u32, m, self.targets.len() as u32, n]));
            self.queries.extend(query);
            self.targets.extend(target);
            self.path_starts.push(self.paths);
            self.paths += (m + n).div_ceil(16);
        }
    }
}

/// The arrays of the launches. Those that a forward pass fills are uninitialised.
struct Arrays {
    rows: [Array<U32x4>; 2],
    columns: [Array<U32x4>; 2],
    records: Array<U32x4>,
    last: Array<U32x4>,
}

/// Aligns pairs of one length class on the emulator, in as many launches as strips and chunks need.
pub fn run(layout: &Layout, scoring: &Scoring, pairs: &[Pair]) -> Vec<Found> {
    let (bench, plan) = (Bench::default(), Plan::new(layout, scoring.mode == mode::LOCAL, pairs));
    let gaps = u32::from(layout.keeps_gaps());
    let arrays = Arrays {
        rows: [bench.room(plan.rows), bench.room(plan.rows * gaps)],
        columns: [bench.room(plan.columns), bench.room(plan.columns * gaps)],
        records: bench.room(plan.records),
        last: bench.room(plan.last),
    };
    let sides = put_pairs(&bench, &plan, scoring);
    forward(&bench, layout, scoring, (&plan, &arrays, sides), true);
    let (results, paths) = trace_back(&bench, layout, scoring, (&plan, &arrays, sides));
    let results = results.chunks(2).take(pairs.len()).zip(&plan.path_starts);
    results
        .map(|(result, &first)| {
            let [U32x4([score, i, j, length]), U32x4([k, l, ..])] = *result else { panic!("two results a pair") };
            let moves = (0..length).map(|at| paths[(first + at / 16) as usize] >> (at % 16 * 2) & 3).collect();
            Found { score: score as i32, end: [i, j], start: [k, l], moves }
        })
        .collect()
}

/// Only scores and ends, of local alignments of one strip.
pub fn run_scores(layout: &Layout, scoring: &Scoring, pairs: &[Pair]) -> Vec<Found> {
    let (bench, plan) = (Bench::default(), Plan::new(layout, true, pairs));
    let [rows, columns] = [[bench.room(0); 2]; 2];
    let arrays = Arrays { rows, columns, records: bench.room(plan.records), last: bench.room(0) };
    let sides = put_pairs(&bench, &plan, scoring);
    forward(&bench, layout, scoring, (&plan, &arrays, sides), false);
    let records = bench.get(arrays.records).into_iter().take(pairs.len());
    records
        .map(|U32x4([score, row, column, _])| {
            let end = if score == 0 { [0; 2] } else { [row + 1, column + 1] };
            Found { score: score as i32, end, start: end, moves: Vec::new() }
        })
        .collect()
}

fn rules(layout: &Layout, scoring: &Scoring) -> Rules {
    let Scoring { mode, open, extend, .. } = *scoring;
    Rules { mode, open, extend, codes: CODES_USED, width: layout.width, chunk: layout.chunk }
}

/// The device gets the bytes that `residue_of` makes of codes.
fn put_pairs(bench: &Bench, plan: &Plan, scoring: &Scoring) -> Pairs<'static> {
    let residue_of = |code: &u8| 250 - 7 * code;
    let mut codes = [u8::MAX; 256];
    let mut scores = [-1i8; (ALPHABET_MAX * ALPHABET_MAX) as usize];
    for (q, row) in scoring.scores.iter().enumerate() {
        codes[usize::from(residue_of(&(q as u8)))] = q as u8;
        for (t, &score) in row.iter().enumerate() {
            scores[t * ALPHABET_MAX as usize + q] = score as i8;
        }
    }
    let residues = |codes: &[u8]| bench.put(&codes.iter().map(residue_of).collect::<Vec<_>>()).view();
    Pairs {
        queries: residues(&plan.queries),
        targets: residues(&plan.targets),
        places: bench.put(&plan.places).view(),
        codes: bench.put(&codes).view(),
        scores: bench.put(&scores.map(|score| score as u8)).view(),
    }
}

type Launch<'a> = (&'a Plan, &'a Arrays, Pairs<'a>);

fn forward(bench: &Bench, layout: &Layout, scoring: &Scoring, (plan, arrays, pairs): Launch, saved: bool) {
    let [rows_h, rows_f] = arrays.rows.map(|array| array.view_mut());
    let [columns_h, columns_e] = arrays.columns.map(|array| array.view_mut());
    let shared = shared_bytes(CODES_USED, layout.columns, layout.pairs(), saved);
    for wave in plan.waves.iter().filter(|wave| !wave.is_empty()) {
        let args = ForwardArgs {
            pairs,
            packed_pairs: bench.put(&plan.packed_pairs).view(),
            items: bench.put(wave).view(),
            checkpoints: Checkpoints { rows_h, rows_f, columns_h, columns_e },
            records: arrays.records.view_mut(),
            last: arrays.last.view_mut(),
            rules: rules(layout, scoring),
        };
        let shape = Shape { grid: (wave.len() as u32 * layout.width).div_ceil(32), block: 32, shared };
        bench.launch_as(layout.kernel(scoring.mode == mode::LOCAL, saved), shape, args);
    }
}

/// Launches the traceback; its results and paths.
fn trace_back(bench: &Bench, layout: &Layout, scoring: &Scoring, launch: Launch) -> (Vec<U32x4>, Vec<u32>) {
    let (plan, arrays, pairs) = launch;
    let (paths, results) = (bench.zeros::<u32>(plan.paths), bench.room::<U32x4>(2 * plan.places.len() as u32));
    let args = TracebackArgs {
        pairs,
        packed_pairs: bench.put(&plan.packed_pairs).view(),
        rows_h: arrays.rows[0].view(),
        rows_f: arrays.rows[1].view(),
        columns_h: arrays.columns[0].view(),
        columns_e: arrays.columns[1].view(),
        records: arrays.records.view(),
        last: arrays.last.view(),
        path_starts: bench.put(&plan.path_starts).view(),
        paths: paths.view_mut(),
        results: results.view_mut(),
        rules: rules(layout, scoring),
        packed: layout.pairs(),
        stop_at_zero: scoring.stops.into(),
        want_path: layout.want_path.into(),
    };
    let grid = (plan.places.len() as u32 * TRACEBACK_LANES).div_ceil(32);
    bench.launch_as(&align_traceback, Shape { grid, block: 32, shared: TRACEBACK_SHARED }, args);
    (bench.get(results), bench.get(paths))
}
