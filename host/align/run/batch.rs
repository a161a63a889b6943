//! What a worker does with a piece of work: align on one strand or both, choose, write as text.

pub mod choice;

use super::Run;
use crate::engine::Aligner;
use crate::format::sam::{is_placed, placed_by_score};
use crate::format::{Format, Line, Record};
use crate::pairing::{Work, weight};
use crate::pieces::pieces;
use crate::strands::{Directions, Stranded};
use crate::{Alignment, Batch, Job, Pair, Runs, Want};
use choice::{choose, of_queries, primary};
use rayon::prelude::*;
use std::ops::Range;
use warpseq_engine::error::Result;
use warpseq_engine::executor::Executor;
use warpseq_engine::profile;
use warpseq_engine::worker::Worker;
use warpseq_io::output::spool::Spool;
use warpseq_seq::Records;

/// What a query has whose alignments all fall short.
pub static NO_ALIGNMENT: Alignment = Alignment { score: 0, query: 0..0, target: 0..0, path: Runs::NONE };

/// Runs that a thread writes at a time, in half a millisecond, and what a row counts besides.
const SHARE: usize = 1 << 16;
const ROW: usize = 24;

/// What became of a piece of work.
pub struct Aligned {
    /// Its rows, formatted.
    pub text: Spool,
    pub pairs: u64,
    /// Cells that the executor computed: query length times target length, summed over pairs, strands and passes.
    pub cells: u64,
}

/// A worker at a piece of work.
struct Batcher<'r, 'w, 'e> {
    run: &'r Run<'r>,
    worker: &'w mut Worker<'e, Aligner>,
    work: &'w Work,
    directions: Directions<'w>,
    cells: u64,
}

impl Run<'_> {
    /// Aligns the pairs and writes those that are to be reported.
    ///
    /// # Errors
    /// Those of the executors; a difference between them.
    pub fn align(&self, worker: &mut Worker<Aligner>, work: &Work) -> Result<Aligned> {
        let directions = Directions::new(work.queries.sequences(), self.request.strands);
        let mut batcher = Batcher { run: self, worker, work, directions, cells: 0 };
        let reported = batcher.reported()?;
        let pairs: Vec<Pair> = reported.iter().map(|reported| reported.pair).collect();
        let mut text = Spool::new(self.memory.rows, self.folder);
        for piece in in_pieces(work, &pairs, self.memory.batch) {
            let reported = &reported[piece];
            let aligned = batcher.align_all_but_short(reported)?;
            let _range = profile::range("text");
            Rows { reported, aligned: &aligned }.write(&mut text, self, work)?;
        }
        Ok(Aligned { text, pairs: work.pairs.len() as u64, cells: batcher.cells })
    }
}

impl Batcher<'_, '_, '_> {
    /// The better alignment of each of `pairs`, which are some of the work's; forward where both are as good.
    fn align(&mut self, pairs: &[Pair], want: Want) -> Result<Vec<Stranded>> {
        let _range = profile::range("align");
        let Self { run, worker, work, directions, cells } = self;
        let names = Some([work.queries.names(), work.targets.names()]);
        directions.align(|queries| {
            let batch = Batch::new(queries, work.targets.sequences(), pairs);
            let mut alignments = Vec::new();
            worker.compute(Job { batch, scoring: run.scoring, want, names }, &mut alignments)?;
            assert_eq!(alignments.len(), pairs.len(), "an executor aligns each pair");
            let lengths = (0..pairs.len()).map(|k| batch.lengths(k));
            let computed = lengths.map(|(query, target)| query as u64 * target as u64);
            *cells = computed.fold(*cells, u64::saturating_add);
            Ok(alignments)
        })
    }

    /// The better alignment of each pair, but of those that fall short.
    fn align_all_but_short(&mut self, reported: &[Reported]) -> Result<Vec<Option<Stranded>>> {
        let pairs: Vec<Pair> = reported.iter().filter(|pair| !pair.is_short).map(|reported| reported.pair).collect();
        let aligned = if pairs.is_empty() { Vec::new() } else { self.align(&pairs, self.run.want)? };
        let mut aligned = aligned.into_iter();
        Ok(reported.iter().map(|pair| if pair.is_short { None } else { aligned.next() }).collect())
    }

    /// The pairs to be reported, all or by their scores.
    fn reported(&mut self) -> Result<Vec<Reported>> {
        let (run, work) = (self.run, self.work);
        let chosen = run.ranked && of_queries(&work.pairs).any(|places| places.len() > 1);
        let shortened = run.filter.looks_at_scores() && run.want == Want::Path;
        if !chosen && !shortened {
            let report = |&pair: &Pair| Reported { pair, is_primary: true, is_short: false };
            return Ok(work.pairs.iter().map(report).collect());
        }
        let all = self.scores()?;
        let (mut pairs, mut scores) = (Vec::new(), Vec::new());
        for places in of_queries(&work.pairs) {
            for place in choose(&all[places.clone()], run.request.top) {
                pairs.push(work.pairs[places.start + place]);
                scores.push(all[places.start + place]);
            }
        }
        let passes = |k: usize| run.filter.passes_by_score(scores[k], lengths(work, pairs[k]));
        let passes: Vec<bool> = (0..pairs.len()).map(passes).collect();
        let report = |is_primary: &dyn Fn(usize) -> bool| -> Vec<Reported> {
            let places = (0..pairs.len()).filter(|&k| is_primary(k) || passes[k]);
            places.map(|k| Reported { pair: pairs[k], is_primary: is_primary(k), is_short: !passes[k] }).collect()
        };
        if run.request.format != Format::Sam {
            return Ok(report(&|k| passes[k]));
        }
        let placed = self.placed(&pairs, &scores, &passes)?;
        let mut is_primary = vec![false; pairs.len()];
        for places in of_queries(&pairs) {
            let first = primary(places.clone().map(|k| (placed[k], scores[k])));
            is_primary[places.start + first.expect("a query has pairs")] = true;
        }
        Ok(report(&|k| is_primary[k]))
    }

    /// The score of each pair of the work.
    fn scores(&mut self) -> Result<Vec<i64>> {
        let (work, limit) = (self.work, self.run.memory.batch);
        let mut scores = Vec::with_capacity(work.pairs.len());
        for piece in in_pieces(work, &work.pairs, limit) {
            let aligned = self.align(&work.pairs[piece], Want::Score)?;
            scores.extend(aligned.into_iter().map(|(alignment, _)| alignment.score));
        }
        Ok(scores)
    }

    /// Whether each pair has a place in SAM and does not fall short; of those that fall short by their scores it is known
    /// (`passes`). Where the score does not tell, the pair is aligned with its path, unless a pair of the query that is as good or
    /// better has a place for sure: it is said to have none then.
    fn placed(&mut self, pairs: &[Pair], scores: &[i64], passes: &[bool]) -> Result<Vec<bool>> {
        let (work, Run { scoring, filter, memory, .. }) = (self.work, self.run);
        let tell = |k: usize| match placed_by_score(scoring, scores[k], lengths(work, pairs[k])) {
            _ if !passes[k] => Some(false),
            Some(true) if filter.looks_at_paths() => None,
            told => told,
        };
        let told: Vec<Option<bool>> = (0..pairs.len()).map(tell).collect();
        let mut unsure = Vec::new();
        for places in of_queries(pairs) {
            let best = places.clone().filter(|&k| told[k] == Some(true)).map(|k| scores[k]).max();
            unsure.extend(places.filter(|&k| told[k].is_none() && best.is_none_or(|best| scores[k] >= best)));
        }
        let mut placed: Vec<bool> = told.iter().map(|told| *told == Some(true)).collect();
        let some: Vec<Pair> = unsure.iter().map(|&k| pairs[k]).collect();
        for piece in in_pieces(work, &some, memory.batch) {
            let aligned = self.align(&some[piece.clone()], Want::Path)?;
            for (&k, (alignment, _)) in unsure[piece].iter().zip(&aligned) {
                placed[k] = is_placed(alignment) && filter.passes(alignment, lengths(work, pairs[k]));
            }
        }
        Ok(placed)
    }
}

/// The lengths of a pair's query and target.
fn lengths(work: &Work, Pair { query, target }: Pair) -> [usize; 2] {
    [(&work.queries, query), (&work.targets, target)].map(|(all, k)| all.sequences().length(k as usize))
}

/// Pairs in pieces that weigh `limit`.
fn in_pieces(work: &Work, pairs: &[Pair], limit: usize) -> Vec<Range<usize>> {
    let weigh = |pair: &Pair| weight(&work.queries, pair.query as usize, &work.targets, pair.target as usize);
    pieces(pairs.iter().map(weigh), limit)
}

/// A pair that is reported.
struct Reported {
    pair: Pair,
    /// The best of its query. SAM alone shows it.
    is_primary: bool,
    /// It falls short by its score, and so does all else of its query: SAM says that the query is unmapped.
    is_short: bool,
}

/// What is written of some pairs.
struct Rows<'a> {
    reported: &'a [Reported],
    aligned: &'a [Option<Stranded>],
}

impl Rows<'_> {
    fn write(&self, text: &mut Spool, run: &Run, work: &Work) -> Result<()> {
        let runs = |aligned: &Option<Stranded>| aligned.as_ref().map_or(0, |(alignment, _)| alignment.path.len());
        let shares = pieces(self.aligned.iter().map(|aligned| ROW + runs(aligned)), SHARE);
        let some = |share: &Range<usize>| {
            let mut text = Vec::new();
            for k in share.clone() {
                if let Some(line) = self.line(run, work, k) {
                    run.layout.write_line(&mut text, &line).expect("writing to memory does not fail");
                }
            }
            text
        };
        let texts: Vec<Vec<u8>> = shares.par_iter().map(some).collect();
        Ok(texts.iter().try_for_each(|some| text.put(some))?)
    }

    /// What is written of a pair: nothing if it falls short, but in SAM, where the query may be left without an alignment.
    fn line<'a>(&'a self, run: &Run, work: &'a Work, k: usize) -> Option<Line<'a>> {
        let Reported { pair, is_primary: primary, .. } = self.reported[k];
        let passing = |(alignment, _): &&Stranded| run.filter.passes(alignment, lengths(work, pair));
        let (alignment, reverse) = match self.aligned[k].as_ref().filter(passing) {
            Some((alignment, reverse)) => (alignment, *reverse),
            None if run.request.format == Format::Sam => (&NO_ALIGNMENT, false),
            None => return None,
        };
        let Pair { query, target } = pair;
        let [query, target] = [(&work.queries, query), (&work.targets, target)].map(|(all, k)| record(all, k as usize));
        Some(Line { query, target, reverse, primary, alignment })
    }
}

pub fn record(records: &Records, k: usize) -> Record<'_> {
    Record { name: records.name(k), residues: records.sequence(k), quality: records.quality(k) }
}
