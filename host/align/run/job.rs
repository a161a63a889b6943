//! What an engine thread does with a piece of work: align, choose, write as text.

use super::Run;
use super::aligner::{Aligner, Asked, Effort, Stranded, Strands};
use super::choose::choose;
use crate::format::{Layout, Line, Record};
use crate::pairing::{Work, weight};
use crate::{Pair, Sequences, Want};
use rayon::prelude::*;
use std::ops::Range;
use warpseq_engine::error::Result;
use warpseq_engine::profile;
use warpseq_io::output::spool::Spool;
use warpseq_seq::{Records, Wildcards, strand::reverse_complement};

/// Rows that a thread writes at a time.
const ROWS: usize = 256;

/// What became of a piece of work.
pub struct Answer {
    /// Its rows, formatted.
    pub text: Spool,
    pub pairs: u64,
    pub effort: Effort,
}

/// An executor at work for a run.
pub struct Job<'a> {
    pub run: &'a Run<'a>,
    pub aligner: Aligner<'a>,
}

/// Pairs to be reported, and whether each is the best of its query.
type Reported = (Vec<Pair>, Vec<bool>);

impl Job<'_> {
    /// Aligns the pairs and writes those that are to be reported.
    ///
    /// # Errors
    /// Those of the executor; a difference from the second one.
    pub fn align(&mut self, work: &Work) -> Result<Answer> {
        let wanted = self.run.request.strands;
        let reverse = (wanted != warpseq_seq::Strands::Forward).then(|| reverse_complements(work.queries.sequences()));
        let forward = (wanted != warpseq_seq::Strands::Reverse).then_some(work.queries.sequences());
        let strands = Strands { forward, reverse: reverse.as_ref() };
        let (pairs, primary) = self.reported(work, strands)?;
        let mut text = Spool::new(self.run.batches.rows, self.run.folder);
        for piece in pieces(work, &pairs, self.run.batches.weight) {
            let aligned = self.align_some(work, strands, &pairs[piece.clone()], self.run.want)?;
            let _range = profile::range("text");
            let rows = Rows { pairs: &pairs[piece.clone()], primary: &primary[piece], aligned: &aligned };
            rows.write(&mut text, self.run.layout, work)?;
        }
        Ok(Answer { text, pairs: work.pairs.len() as u64, effort: std::mem::take(&mut self.aligner.effort) })
    }

    fn align_some(&mut self, work: &Work, strands: Strands, pairs: &[Pair], want: Want) -> Result<Vec<Stranded>> {
        let _range = profile::range("align");
        self.aligner.align(work, strands, pairs, Asked { scoring: self.run.scoring, want })
    }

    /// The pairs to be reported: all, or by their scores.
    fn reported(&mut self, work: &Work, strands: Strands) -> Result<Reported> {
        let queries = || work.pairs.chunk_by(|a, b| a.query == b.query);
        if !self.run.ranked || queries().all(|pairs| pairs.len() == 1) {
            return Ok((work.pairs.clone(), vec![true; work.pairs.len()]));
        }
        let mut scores = Vec::with_capacity(work.pairs.len());
        for piece in pieces(work, &work.pairs, self.run.batches.weight) {
            let aligned = self.align_some(work, strands, &work.pairs[piece], Want::Score)?;
            scores.extend(aligned.into_iter().map(|(alignment, _)| alignment.score));
        }
        let mut rest = &scores[..];
        let chosen = queries().flat_map(|pairs| {
            let (scores, more) = rest.split_at(pairs.len());
            rest = more;
            let chosen = choose(scores, self.run.request.top);
            chosen.into_iter().map(|chosen| (pairs[chosen.place], chosen.primary))
        });
        Ok(chosen.unzip())
    }
}

fn reverse_complements(queries: &Sequences) -> Sequences {
    queries.iter().map(|query| reverse_complement(query, Wildcards::Iupac)).collect()
}

/// Cuts pairs into runs that weigh `limit`, or as much more as their last pair does.
fn pieces(work: &Work, pairs: &[Pair], limit: usize) -> Vec<Range<usize>> {
    let (mut pieces, mut start, mut weighs) = (Vec::new(), 0, 0);
    for (k, pair) in pairs.iter().enumerate() {
        weighs += weight(&work.queries, pair.query as usize, &work.targets, pair.target as usize);
        if weighs >= limit || k + 1 == pairs.len() {
            pieces.push(start..k + 1);
            (start, weighs) = (k + 1, 0);
        }
    }
    pieces
}

/// What is written of some pairs.
struct Rows<'a> {
    pairs: &'a [Pair],
    primary: &'a [bool],
    aligned: &'a [Stranded],
}

impl Rows<'_> {
    fn write(&self, text: &mut Spool, layout: &Layout, work: &Work) -> Result<()> {
        let starts: Vec<usize> = (0..self.pairs.len()).step_by(ROWS).collect();
        let some = |&start: &usize| {
            let mut text = Vec::new();
            for k in start..self.pairs.len().min(start + ROWS) {
                layout.write_line(&mut text, &self.line(work, k)).expect("writing to memory does not fail");
            }
            text
        };
        let texts: Vec<Vec<u8>> = starts.par_iter().map(some).collect();
        Ok(texts.iter().try_for_each(|some| text.put(some))?)
    }

    fn line<'a>(&'a self, work: &'a Work, k: usize) -> Line<'a> {
        let (Pair { query, target }, (alignment, reverse)) = (self.pairs[k], &self.aligned[k]);
        let [query, target] = [(&work.queries, query), (&work.targets, target)].map(|(all, k)| record(all, k as usize));
        Line { query, target, reverse: *reverse, primary: self.primary[k], alignment }
    }
}

fn record(records: &Records, k: usize) -> Record<'_> {
    Record { name: records.name(k), letters: records.sequence(k), quality: records.quality(k) }
}
