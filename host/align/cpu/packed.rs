//! Pairs side by side: a pair to a lane, groups of like lengths, narrow lanes first.

use super::alphabet::Alphabet;
use super::block::{Block, Rectangle};
use super::ends::on_the_border;
use super::machine::{Machine, Task, Width};
use super::question::{Question, Scale};
use super::reach::{Reach, holds_costs};
use super::vector::{Lane, Vector};
use super::walk::Walk;
use crate::align::{Alignment, Batch, Mode, Scoring, Want};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is asked of all pairs.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    pub batch: &'a Batch<'a>,
    pub scoring: &'a Scoring,
    pub alphabet: &'a Alphabet,
    pub want: Want,
}

/// A pair's number in the batch, and its alignment.
pub type Aligned = (usize, Alignment);

impl Job<'_> {
    /// The lengths of pair `k`: rows, columns.
    pub fn lengths(&self, k: usize) -> [usize; 2] {
        let (rows, columns) = self.batch.lengths(k);
        [rows, columns]
    }

    /// What is told of an alignment: without its path, start and end are the end.
    pub fn told(&self, walk: Walk, score: i64, end: [usize; 2]) -> Alignment {
        match self.want {
            Want::Path => walk.finish(self.scoring.mode, score, end),
            Want::Score => {
                let [row, column] = end.map(|at| at as u64);
                Alignment { score, query: row..row, target: column..column, path: Vec::new() }
            }
        }
    }

    /// Aligns pairs, none of them with an empty sequence, in lanes that are wide enough for each.
    pub fn align_packed(&self, machine: Machine, mut pairs: Vec<usize>) -> Vec<Aligned> {
        pairs.sort_by_cached_key(|&k| likeness(self.lengths(k)));
        let mut aligned = Vec::with_capacity(pairs.len());
        for width in Width::ALL {
            let (now, later) =
                pairs.iter().partition(|&&k| machine.run(width, Tried { job: self, lengths: self.lengths(k) }));
            pairs = later;
            let failed = machine.run(width, Groups { job: self, pairs: now, aligned: &mut aligned });
            if !failed.is_empty() {
                pairs.extend(failed);
                pairs.sort_by_cached_key(|&k| likeness(self.lengths(k)));
            }
        }
        assert!(pairs.is_empty(), "lanes of 64 bits hold any score");
        aligned
    }
}

/// Pairs of about as many rows together, of a like number of columns within them. Eight steps for each doubling.
fn likeness([rows, columns]: [usize; 2]) -> (usize, usize) {
    let bits = rows.checked_ilog2().unwrap_or(0).saturating_sub(3);
    (((bits as usize) << 3) + (rows >> bits), columns)
}

/// Whether a pair of these lengths is tried in lanes of some width: they hold all scores, or enough to be worth it.
struct Tried<'a> {
    job: &'a Job<'a>,
    lengths: [usize; 2],
}

impl Task for Tried<'_> {
    type Output = bool;

    fn run<V: Vector>(self, _: V) -> bool {
        let Job { scoring, alphabet, .. } = *self.job;
        let reach = Reach::of_pair(scoring, alphabet, self.lengths);
        if !holds_costs::<V::Lane>(scoring, alphabet) {
            return false;
        }
        if scoring.mode != Mode::Local {
            return reach.fits_plain::<V::Lane>();
        }
        let saturates = size_of::<V::Lane>() <= 2;
        reach.fits::<V::Lane>() || saturates && -reach.least <= V::Lane::MOST
    }
}

/// Aligns pairs in groups of as many as there are lanes; gives back those for which the lanes are too narrow.
struct Groups<'a> {
    job: &'a Job<'a>,
    pairs: Vec<usize>,
    aligned: &'a mut Vec<Aligned>,
}

impl Task for Groups<'_> {
    type Output = Vec<usize>;

    fn run<V: Vector>(self, proof: V) -> Vec<usize> {
        let Job { scoring, alphabet, .. } = *self.job;
        let least = match scoring.mode {
            Mode::Local => Reach::of_pair(scoring, alphabet, [0, 0]).least,
            _ => V::Lane::LEAST,
        };
        let question = Question { proof, scoring, alphabet, scale: Scale { least } };
        let worth = Worth::default();
        let group = |block: &mut Block<V>, lanes: &[usize]| {
            let group = if worth.is_it() { self.job.group(block, &question, lanes) } else { vec![None; lanes.len()] };
            worth.learn(&group);
            lanes.iter().copied().zip(group).collect::<Vec<_>>()
        };
        let groups = self.pairs.par_chunks(V::LANES).map_init(|| Block::new(proof), group);
        let mut failed = Vec::new();
        for (pair, alignment) in groups.flatten_iter().collect::<Vec<_>>() {
            match alignment {
                Some(alignment) => self.aligned.push((pair, alignment)),
                None => failed.push(pair),
            }
        }
        failed
    }
}

/// Whether narrow lanes have been enough so far. Only speed depends on it.
#[derive(Default)]
struct Worth {
    enough: AtomicUsize,
    narrow: AtomicUsize,
}

impl Worth {
    fn is_it(&self) -> bool {
        self.narrow.load(Ordering::Relaxed) <= 2 * self.enough.load(Ordering::Relaxed)
    }

    fn learn(&self, group: &[Option<Alignment>]) {
        let enough = group.iter().flatten().count();
        self.enough.fetch_add(enough, Ordering::Relaxed);
        self.narrow.fetch_add(group.len() - enough, Ordering::Relaxed);
    }
}

impl Job<'_> {
    /// Aligns as many pairs as there are lanes, or fewer. `None`: the lanes are too narrow.
    fn group<V: Vector>(
        &self,
        block: &mut Block<V>,
        question: &Question<V>,
        pairs: &[usize],
    ) -> Vec<Option<Alignment>> {
        let rectangle = |&k: &usize| {
            let (query, target) = self.batch.letters(k);
            Rectangle { query, target, last_row: true, last_column: true }
        };
        let rectangles: Vec<_> = pairs.iter().map(rectangle).collect();
        block.load(question, &rectangles, question.costs());
        block.begin(question);
        if !block.forward(question, self.want == Want::Path) {
            return vec![None; pairs.len()];
        }
        let end = |(lane, &k): (usize, &usize)| self.end(block, question, lane, self.lengths(k));
        let ends: Vec<_> = pairs.iter().enumerate().map(end).collect();
        let mut walks: Vec<_> = ends.iter().map(|end| Walk::from(end.map_or([0, 0], |(_, cell)| cell))).collect();
        if self.want == Want::Path {
            block.trace(question, &rectangles, &mut walks);
        }
        ends.into_iter().zip(walks).map(|(end, walk)| end.map(|(score, cell)| self.told(walk, score, cell))).collect()
    }

    /// Score and end of a lane, unless the lane was too narrow.
    fn end<V: Vector>(
        &self,
        block: &Block<V>,
        question: &Question<V>,
        lane: usize,
        lengths: [usize; 2],
    ) -> Option<(i64, [usize; 2])> {
        let border = on_the_border(self.scoring, lengths);
        let Some((number, cell)) = block.ends.get(lane) else { return Some(border) };
        let score = question.scale.score(number);
        (number.wide() < V::Lane::MOST).then_some(if score > border.0 { (score, cell) } else { border })
    }
}
