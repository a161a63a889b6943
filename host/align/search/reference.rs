//! The naive reference of a search: every pair is aligned, and what is kept is sorted out.

use super::{Hit, Job, Searching};
use crate::reference::Reference as PairReference;
use crate::{Batch, Pair, align};
use warpseq_engine::error::Result;
use warpseq_engine::executor::Executor;
use warpseq_seq::{Sequences, Strands, Wildcards, strand::reverse_complement};

/// The naive executor.
pub struct Reference;

impl Executor<Searching> for Reference {
    fn compute(&mut self, job: Job, output: &mut Vec<Vec<Hit>>) -> Result<()> {
        *output = (0..job.queries.len()).map(|query| hits(&job, query)).collect::<Result<_>>()?;
        Ok(())
    }
}

fn hits(job: &Job, query: usize) -> Result<Vec<Hit>> {
    let (one, targets) = (job.queries.get(query), job.database.targets());
    let mut all: Vec<Hit> = Vec::new();
    for reverse in [false, true] {
        if job.strands == if reverse { Strands::Forward } else { Strands::Reverse } {
            continue;
        }
        let read = if reverse { reverse_complement(one, Wildcards::Iupac) } else { one.to_vec() };
        let queries: Sequences = [read].iter().collect();
        for target in 0..targets.len() as u32 {
            let pairs = [Pair { query: 0, target }];
            let batch = Batch::new(&queries, targets, &pairs);
            let alignment = align(&mut PairReference, &batch, job.scoring, job.want)?.remove(0);
            match all.iter_mut().find(|hit| hit.target == target) {
                Some(hit) if alignment.score > hit.alignment.score => *hit = Hit { target, reverse, alignment },
                Some(_) => {}
                None => all.push(Hit { target, reverse, alignment }),
            }
        }
    }
    if let Some(top) = job.keep.top {
        // Stable: equal ones keep the order of the database.
        all.sort_by_key(|hit| -hit.alignment.score);
        all.truncate(top);
    }
    all.retain(|hit| {
        let lengths = [one.len(), targets.length(hit.target as usize)];
        job.keep.passes.is_none_or(|passes| passes(hit.alignment.score, lengths))
    });
    Ok(all)
}
