//! Pairs side by side: a pair to a lane, groups of like lengths, narrow lanes first.

use super::block::{Block, Keep, Rectangle};
use super::ends::on_the_border;
use super::job::{Aligned, Job};
use super::question::{Question, Scale};
use super::reach::{Reach, holds_costs};
use super::traceback::Traceback;
use super::vector::{Lane, Task, Vector, Width, run};
use super::worth::Worth;
use crate::{Alignment, Mode, Runs, Want};
use rayon::prelude::*;
use warpseq_simd::InstructionSet;

impl Job<'_> {
    /// Aligns pairs, none of them with an empty sequence, in lanes that are wide enough for each; or some, when they are not wanted
    /// any more.
    pub fn align_packed(&self, set: InstructionSet, mut pairs: Vec<usize>) -> Vec<Aligned> {
        pairs.sort_by_cached_key(|&k| likeness(self.lengths(k)));
        let mut aligned = Vec::with_capacity(pairs.len());
        for width in Width::ALL {
            let (now, later) =
                pairs.iter().partition(|&&k| run(set, width, Tried { job: self, lengths: self.lengths(k) }));
            pairs = later;
            let failed = run(set, width, Groups { job: self, pairs: now, aligned: &mut aligned });
            if !self.parts.is_wanted() {
                return aligned;
            }
            if !failed.is_empty() {
                pairs.extend(failed);
                pairs.sort_by_cached_key(|&k| likeness(self.lengths(k)));
            }
        }
        assert!(pairs.is_empty(), "lanes of 64 bits hold any score");
        aligned
    }
}

/// Cells of a group that are fewer than any other cost of it.
const MOST_WASTED: usize = 1 << 12;
/// Cells of a group's largest pair up to which all directions are kept.
const DIRECTIONS: usize = 1 << 14;

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
            let goes_on = worth.is_it() && self.job.parts.is_wanted();
            let group = if goes_on { self.job.group(block, &question, lanes) } else { vec![None; lanes.len()] };
            worth.learn(group.iter().flatten().count(), group.len());
            let aligned = lanes.iter().zip(&group).filter(|(_, alignment)| alignment.is_some());
            self.job.parts.add(aligned.map(|(&k, _)| self.job.cells(k)).sum());
            lanes.iter().copied().zip(group).collect::<Vec<_>>()
        };
        let groups = self.job.groups(&self.pairs, V::LANES);
        let groups = groups.into_par_iter().map(|lanes| {
            let mut block = self.job.blocks.take(proof);
            let group = group(&mut block, lanes);
            self.job.blocks.give_back(block);
            group
        });
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

impl Job<'_> {
    /// Cuts sorted pairs into groups of at most `lanes`, of like lengths: one long query and one long target must not make
    /// all lanes long in both ways.
    fn groups<'a>(&self, mut pairs: &'a [usize], lanes: usize) -> Vec<&'a [usize]> {
        let mut groups = Vec::new();
        while !pairs.is_empty() {
            let (mut size, mut largest) = ([0; 2], MOST_WASTED);
            let like = |&&k: &&usize| {
                let lengths = self.lengths(k);
                size = [size[0].max(lengths[0]), size[1].max(lengths[1])];
                largest = largest.max(lengths[0] * lengths[1]);
                size[0] * size[1] <= 2 * largest
            };
            let (group, rest) = pairs.split_at(pairs.iter().take(lanes).take_while(like).count());
            groups.push(group);
            pairs = rest;
        }
        groups
    }

    /// Aligns as many pairs as there are lanes, or fewer. `None`: the lanes are too narrow.
    fn group<V: Vector>(
        &self,
        block: &mut Block<V>,
        question: &Question<V>,
        pairs: &[usize],
    ) -> Vec<Option<Alignment>> {
        let rectangle = |&k: &usize| {
            let (query, target) = self.batch.residues(k);
            Rectangle { query, target, last_row: true, last_column: true }
        };
        let rectangles: Vec<_> = pairs.iter().map(rectangle).collect();
        block.load(question, &rectangles, question.costs());
        block.begin(question);
        if !block.forward(question, self.keep(&rectangles)) {
            return vec![None; pairs.len()];
        }
        let end = |(lane, &k): (usize, &usize)| self.end(block, question, lane, self.lengths(k));
        let ends: Vec<_> = pairs.iter().enumerate().map(end).collect();
        let mut tracebacks: Vec<_> =
            ends.iter().map(|end| Traceback::from(end.map_or([0, 0], |(_, cell)| cell))).collect();
        if self.want == Want::Path {
            block.trace(question, &rectangles, &mut tracebacks);
        }
        let told = |(end, traceback): (Option<(i64, _)>, _)| end.map(|(score, cell)| self.told(traceback, score, cell));
        let mut told: Vec<Option<Alignment>> = ends.into_iter().zip(tracebacks).map(told).collect();
        if self.want == Want::Path {
            Runs::put_together(told.iter_mut().flatten().map(|alignment| &mut alignment.path));
        }
        told
    }

    /// What is kept of pairs for their tracebacks.
    fn keep(&self, rectangles: &[Rectangle]) -> Keep {
        let most = |length: fn(&Rectangle) -> usize| rectangles.iter().map(length).max().unwrap_or(0);
        match self.want {
            Want::Score => Keep::Nothing,
            Want::Path if most(|of| of.query.len()) * most(|of| of.target.len()) <= DIRECTIONS => Keep::Directions,
            Want::Path => Keep::Checkpoints,
        }
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

#[cfg(test)]
mod tests {
    use super::super::alphabet::Alphabet;
    use super::super::blocks::Blocks;
    use super::*;
    use crate::cpu::tests::literal;
    use crate::{Batch, Pair, Sequences};
    use warpseq_engine::executor::{Parts, Patient};

    #[test]
    fn groups_are_of_like_lengths() {
        let lengths = [1, 2, 3, 60, 64, 65, 66, 100, 500, 512, 513, 30_000];
        let residues: Sequences = lengths.iter().map(|&length| b"A".repeat(length)).collect();
        let all = (0..12 * 12).map(|k| Pair { query: k / 12, target: k % 12 });
        let pairs: Vec<Pair> = all.collect();
        let (batch, scoring) = (Batch::new(&residues, &residues, &pairs), literal(1, -1, (1, 1)));
        let (alphabet, parts) = (&Alphabet::new(&batch, &scoring), &Parts::new(&Patient, 0));
        let job =
            Job { batch: &batch, scoring: &scoring, alphabet, want: Want::Path, parts, blocks: &Blocks::default() };
        let mut sorted: Vec<usize> = (0..pairs.len()).collect();
        sorted.sort_by_cached_key(|&k| likeness(job.lengths(k)));
        let groups = job.groups(&sorted, 16);
        assert_eq!(groups.concat(), sorted);
        for group in groups {
            let most = |side: usize| group.iter().map(|&k| job.lengths(k)[side]).max().unwrap();
            let largest = group.iter().map(|&k| job.lengths(k).iter().product()).max().unwrap();
            assert!((1..=16).contains(&group.len()) && most(0) * most(1) <= 2 * MOST_WASTED.max(largest));
        }
    }
}
