//! Long pairs: tiles side by side, of one pair or of several, one anti-diagonal after the other.
//!
//! ```text
//!   tiles    0 1 2 3        the tiles of an anti-diagonal need only those of the two before it: they fill the lanes, and
//!            1 2 3 4        groups of lanes the threads. Short anti-diagonals of several pairs are computed together.
//!            2 3 4 5
//! ```
//!
//! For a score alone, two anti-diagonals are kept; for a path all last rows and columns of tiles, and the tiles that the path
//! crosses are computed once more, from its end.

use super::block::{Block, Keep, Rectangle};
use super::grid::Grid;
use super::job::{Aligned, Job};
use super::question::{Question, Scale};
use super::reach::{Reach, holds_costs};
use super::traceback::Traceback;
use super::vector::{Task, Vector, Width, run};
use crate::{Mode, Want};
use rayon::prelude::*;
use std::cmp::Reverse;
use warpseq_engine::error::{Error, Result};
use warpseq_engine::executor::Parts;
use warpseq_simd::InstructionSet;

/// Sides of tiles that are tried: the larger, the less is kept.
const SIDES: [usize; 4] = [512, 1024, 2048, 4096];
/// Bytes that are kept of the pairs computed together, unless a single pair needs more.
const KEPT: u64 = 1 << 28;
/// Bytes beyond which a pair is refused.
const MOST_KEPT: u64 = 1 << 30;

/// A pair, the side of its tiles, the width of its lanes, and the bytes kept of it.
#[derive(Clone, Copy)]
struct Plan {
    pair: usize,
    side: usize,
    width: Width,
    bytes: u64,
}

impl Job<'_> {
    /// Aligns long pairs, none of them with an empty sequence; or some, when they are not wanted any more.
    ///
    /// # Errors
    /// A path of a pair so long that a gigabyte does not hold what is kept.
    pub fn align_tiled(&self, set: InstructionSet, pairs: Vec<usize>) -> Result<Vec<Aligned>> {
        let mut plans = pairs.into_iter().map(|k| self.plan(set, k)).collect::<Result<Vec<_>>>()?;
        plans.sort_by_key(|plan| (plan.width, plan.side, plan.bytes));
        let mut aligned = Vec::with_capacity(plans.len());
        let mut rest = plans.as_slice();
        while let Some(first) = rest.first() {
            let mut bytes = 0;
            let fits = |plan: &&Plan| {
                bytes += plan.bytes;
                (plan.width, plan.side) == (first.width, first.side) && bytes <= KEPT
            };
            let count = rest.iter().take_while(fits).count().max(1);
            let (now, later) = rest.split_at(count);
            aligned.extend(run(set, first.width, Together { job: self, plans: now }));
            if !self.parts.is_wanted() {
                break;
            }
            rest = later;
        }
        Ok(aligned)
    }

    fn plan(&self, set: InstructionSet, pair: usize) -> Result<Plan> {
        let plan = |side| {
            let width = *Width::ALL
                .iter()
                .find(|&&width| run(set, width, Holds { job: self, side }))
                .expect("64 bits hold all");
            Plan { pair, side, width, bytes: run(set, width, Bytes { job: self, side, lengths: self.lengths(pair) }) }
        };
        let plans = SIDES.map(plan);
        let plan = plans.iter().find(|plan| plan.bytes <= KEPT).unwrap_or(&plans[SIDES.len() - 1]);
        if plan.bytes > MOST_KEPT { Err(too_long(self.lengths(pair), plan.bytes)) } else { Ok(*plan) }
    }
}

fn too_long([rows, columns]: [usize; 2], bytes: u64) -> Error {
    Error::Usage(format!(
        "a path through {rows} x {columns} symbols needs {} MB of memory, more than the CPU engine takes for a pair: cut the \
         sequences, or ask for the score only",
        bytes >> 20
    ))
}

/// Whether lanes of some width hold the scores of a tile.
struct Holds<'a> {
    job: &'a Job<'a>,
    side: usize,
}

impl Task for Holds<'_> {
    type Output = bool;

    fn run<V: Vector>(self, _: V) -> bool {
        let Job { scoring, alphabet, .. } = *self.job;
        Reach::of_tile(scoring, alphabet, self.side).fits::<V::Lane>() && holds_costs::<V::Lane>(scoring, alphabet)
    }
}

/// How many bytes are kept of a pair.
struct Bytes<'a> {
    job: &'a Job<'a>,
    side: usize,
    lengths: [usize; 2],
}

impl Task for Bytes<'_> {
    type Output = u64;

    fn run<V: Vector>(self, _: V) -> u64 {
        let [rows, columns] = self.lengths.map(|length| length.div_ceil(self.side) as u64);
        let lines = if self.job.scoring.is_linear() { 2 } else { 4 };
        let tiles = if self.job.want == Want::Path { rows * columns } else { 3 * rows.min(columns) };
        tiles * lines * (self.side * size_of::<V::Lane>()) as u64
    }
}

/// Aligns pairs of one side and width together.
struct Together<'a> {
    job: &'a Job<'a>,
    plans: &'a [Plan],
}

/// A tile of one of the grids.
type At = (usize, [usize; 2]);

impl Task for Together<'_> {
    type Output = Vec<Aligned>;

    fn run<V: Vector>(self, proof: V) -> Vec<Aligned> {
        let Job { scoring, alphabet, batch, want, parts, .. } = *self.job;
        let side = self.plans[0].side;
        let scale = Scale { least: Reach::of_tile(scoring, alphabet, side).least };
        let question = Question { proof, scoring, alphabet, scale };
        let mut grids: Vec<Grid<V::Lane>> =
            self.plans.iter().map(|plan| Grid::new(batch.residues(plan.pair), side, scoring)).collect();
        forward(&question, &mut grids, want == Want::Path, parts);
        if !parts.is_wanted() {
            return Vec::new();
        }
        let mut tracebacks: Vec<Traceback> = grids.iter().map(|grid| Traceback::from(grid.end.1)).collect();
        if want == Want::Path {
            trace(&question, &grids, &mut tracebacks, parts);
        }
        let told = |((plan, grid), traceback): ((&Plan, &Grid<_>), Traceback)| {
            (plan.pair, self.job.told(traceback, grid.end.0, grid.end.1))
        };
        self.plans.iter().zip(&grids).zip(tracebacks).map(told).collect()
    }
}

/// Computes all tiles, as long as they are wanted.
fn forward<V: Vector>(question: &Question<V>, grids: &mut [Grid<V::Lane>], keep: bool, parts: &Parts) {
    let diagonals = grids.iter().map(|grid| grid.size[0] + grid.size[1] - 1).max().unwrap_or(0);
    for diagonal in 0..diagonals {
        let tiles = |(k, grid): (usize, &Grid<V::Lane>)| grid.diagonal(diagonal).map(move |tile| (k, tile));
        let tiles: Vec<At> = grids.iter().enumerate().flat_map(tiles).collect();
        let compute = |block: &mut Block<V>, lanes: &[At]| {
            if !parts.is_wanted() {
                return Vec::new();
            }
            let ends = compute(question, grids, lanes, block);
            parts.add(lanes.iter().map(|&(k, tile)| grids[k].whole(tile).cells()).sum());
            ends
        };
        let ends = tiles.par_chunks(V::LANES).map_init(|| Block::new(question.proof), compute);
        for (k, score, cell) in ends.flatten_iter().collect::<Vec<_>>() {
            let (best, at) = grids[k].end;
            if (Reverse(score), cell) < (Reverse(best), at) {
                grids[k].end = (score, cell);
            }
        }
        if !keep && diagonal >= 2 {
            grids.iter_mut().for_each(|grid| grid.forget(diagonal - 2));
        }
    }
}

/// Computes and keeps as many tiles as there are lanes, or fewer. The best cell of each, if any: grid, score, cell.
fn compute<V: Vector>(
    question: &Question<V>,
    grids: &[Grid<V::Lane>],
    lanes: &[At],
    block: &mut Block<V>,
) -> Vec<(usize, i64, [usize; 2])> {
    let rectangles: Vec<_> = lanes.iter().map(|&(k, tile)| grids[k].whole(tile)).collect();
    begin(question, grids, (lanes, &rectangles), block);
    block.forward(question, Keep::Nothing);
    let mut ends = Vec::new();
    for (lane, &(k, tile)) in lanes.iter().enumerate() {
        grids[k].keep(question, tile, lane, block);
        if let Some((number, cell)) = block.ends.get(lane) {
            let [row, column] = grids[k].origin(tile);
            let score = grids[k].base(question, tile) + question.scale.score(number);
            ends.push((k, score, [row + cell[0], column + cell[1]]));
        }
    }
    ends
}

/// Gives all lanes their residues and borders.
fn begin<V: Vector>(
    question: &Question<V>,
    grids: &[Grid<V::Lane>],
    (lanes, rectangles): (&[At], &[Rectangle]),
    block: &mut Block<V>,
) {
    let mut costs = question.costs();
    if question.scoring.mode == Mode::Local {
        for (zero, &(k, tile)) in costs.zero.lanes_mut().iter_mut().zip(lanes) {
            *zero = question.scale.number(-grids[k].base(question, tile));
        }
    }
    block.load(question, rectangles, costs);
    for (lane, &(k, tile)) in lanes.iter().enumerate() {
        grids[k].begin(question, tile, lane, block);
    }
}

/// Follows the traceback of each grid, one tile of each at a time, as long as they are wanted.
fn trace<V: Vector>(question: &Question<V>, grids: &[Grid<V::Lane>], tracebacks: &mut [Traceback], parts: &Parts) {
    let mut tracebacks: Vec<(usize, &mut Traceback)> = tracebacks.iter_mut().enumerate().collect();
    loop {
        tracebacks.retain(|(_, traceback)| traceback.goes_on());
        if tracebacks.is_empty() || !parts.is_wanted() {
            return;
        }
        let chunks = tracebacks.par_chunks_mut(V::LANES);
        chunks.for_each_init(
            || Block::new(question.proof),
            |block, tracebacks| trace_tiles(question, grids, tracebacks, block),
        );
    }
}

fn trace_tiles<V: Vector>(
    question: &Question<V>,
    grids: &[Grid<V::Lane>],
    tracebacks: &mut [(usize, &mut Traceback)],
    block: &mut Block<V>,
) {
    let at = |(k, traceback): &(usize, &mut Traceback)| (*k, grids[*k].holding([traceback.row, traceback.column]));
    let lanes: Vec<At> = tracebacks.iter().map(at).collect();
    let rectangle = |(&(k, tile), (_, traceback)): (&At, &(usize, &mut Traceback))| {
        grids[k].rectangle(tile, [traceback.row, traceback.column])
    };
    let rectangles: Vec<_> = lanes.iter().zip(tracebacks.iter()).map(rectangle).collect();
    begin(question, grids, (&lanes, &rectangles), block);
    block.forward(question, Keep::Checkpoints);
    let origins: Vec<_> = lanes.iter().map(|&(k, tile)| grids[k].origin(tile)).collect();
    let mut inside: Vec<Traceback> =
        tracebacks.iter_mut().zip(&origins).map(|((_, traceback), &origin)| traceback.enter(origin)).collect();
    block.trace(question, &rectangles, &mut inside);
    for (((_, traceback), inside), origin) in tracebacks.iter_mut().zip(inside).zip(origins) {
        traceback.leave(inside, origin);
    }
}
