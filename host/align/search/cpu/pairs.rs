//! Pairs that fit no lanes of a search: few of them wait at a time, then the aligner scores them.

use super::super::{Gathered, Ranking, Scored};
use super::chosen::{Chosen, locked};
use crate::cpu::Cpu as Aligner;
use crate::{Batch, Job, Pair, Want};
use std::sync::Mutex;
use warpseq_engine::error::Result;
use warpseq_engine::executor::{Asked, Executor, Watch};

/// Residues of targets that wait at most, but for the last target.
const RESIDUES: usize = 1 << 26;

/// See the module.
pub struct Pairs<'a> {
    ranking: &'a Ranking<'a>,
    chosen: &'a [Mutex<Chosen>],
    aligner: &'a mut Aligner,
    watch: Asked<'a>,
    /// Pairs that wait at most.
    most: usize,
    waiting: Vec<Pair>,
    residues: usize,
}

impl<'a> Pairs<'a> {
    /// No pair waits yet.
    pub fn new(
        ranking: &'a Ranking<'a>,
        chosen: &'a [Mutex<Chosen>],
        (aligner, most): (&'a mut Aligner, usize),
        watch: &'a dyn Watch,
    ) -> Self {
        let watch = Asked::quiet(watch);
        Self { ranking, chosen, aligner, watch, most, waiting: Vec::new(), residues: 0 }
    }

    /// One more pair. Targets come best in a row.
    ///
    /// # Errors
    /// Those of the aligner.
    pub fn add(&mut self, pair: Pair) -> Result<()> {
        if self.waiting.last().is_none_or(|last| last.target != pair.target) {
            if self.residues >= RESIDUES {
                self.finish()?;
            }
            self.residues += self.ranking.database.targets().length(pair.target as usize);
        }
        self.waiting.push(pair);
        if self.waiting.len() >= self.most { self.finish() } else { Ok(()) }
    }

    /// Scores all pairs that wait, and offers them to their queries, if they are still wanted.
    ///
    /// # Errors
    /// Those of the aligner.
    pub fn finish(&mut self) -> Result<()> {
        let Ranking { strands, database, scoring, .. } = *self.ranking;
        let gathered = Gathered::new(database, self.waiting.iter().map(|pair| pair.target));
        let here = |pair: &Pair| Pair { target: gathered.number(pair.target), ..*pair };
        let pairs: Vec<Pair> = self.waiting.iter().map(here).collect();
        let mut scores = vec![0; pairs.len()];
        for queries in strands.into_iter().flatten() {
            let batch = Batch::new(queries, gathered.targets(), &pairs);
            let (mut alignments, job) = (Vec::new(), Job { batch, scoring, want: Want::Score, names: None });
            if !self.aligner.compute_watched(job, &mut alignments, &self.watch)? {
                self.waiting.clear();
                return Ok(());
            }
            scores.iter_mut().zip(alignments).for_each(|(score, found)| *score = found.score.max(*score));
        }
        for (pair, score) in self.waiting.drain(..).zip(scores) {
            let (query, scored) = (pair.query as usize, Scored { target: pair.target, score });
            locked(&self.chosen[query]).offer(scored, || self.ranking.wants(query, scored));
        }
        self.residues = 0;
        Ok(())
    }
}
