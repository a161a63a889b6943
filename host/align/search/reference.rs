//! The naive reference of a search: every pair aligned by the naive reference of [`super::super::reference`], each strand, then
//! sorted and cut as the definition says.
//!
//! It shares nothing with the other executors but the types: no ranks, no lanes, no choice before the alignment.

use super::{Hit, Job, Searching};
use crate::reference::Reference as AlignerReference;
use crate::{Alignment, Batch, Pair, Sequences, align};
use warpseq_engine::error::Result;
use warpseq_engine::executor::Executor;
use warpseq_seq::strand::reverse_complement;
use warpseq_seq::{Strands, Wildcards};

/// The naive executor.
pub struct Reference;

impl Executor<Searching> for Reference {
    /// # Errors
    /// A pair whose matrices have more than [`MOST_CELLS`](crate::reference::MOST_CELLS) cells; it is named by its target.
    fn compute(&mut self, job: Job, output: &mut Vec<Vec<Hit>>) -> Result<()> {
        *output = job.queries.iter().map(|query| hits(&job, query)).collect::<Result<_>>()?;
        Ok(())
    }
}

fn hits(job: &Job, query: &[u8]) -> Result<Vec<Hit>> {
    let other_strand = reverse_complement(query, Wildcards::Iupac);
    let mut hits = match job.strands {
        Strands::Forward => one_way(job, query, false)?,
        Strands::Reverse => one_way(job, &other_strand, true)?,
        Strands::Both => {
            let (forward, reverse) = (one_way(job, query, false)?, one_way(job, &other_strand, true)?);
            let better = |(f, r): (Hit, Hit)| if f.alignment.score >= r.alignment.score { f } else { r };
            forward.into_iter().zip(reverse).map(better).collect()
        }
    };
    if let Some(top) = job.keep.top {
        hits.sort_by(|a, b| b.alignment.score.cmp(&a.alignment.score).then(a.target.cmp(&b.target)));
        hits.truncate(top);
    }
    if let Some(passes) = job.keep.passes {
        let length = |hit: &Hit| job.database.targets().length(hit.target as usize);
        hits.retain(|hit| passes(hit.alignment.score, [query.len(), length(hit)]));
    }
    Ok(hits)
}

/// One strand of a query and every target.
fn one_way(job: &Job, query: &[u8], reverse: bool) -> Result<Vec<Hit>> {
    let targets = job.database.targets();
    let searched = (0..targets.len() as u32).filter(|&target| job.database.holds(target));
    let pairs: Vec<Pair> = searched.map(|target| Pair { query: 0, target }).collect();
    let query = Sequences::from_iter([query]);
    let alignments = align(&mut AlignerReference, &Batch::new(&query, targets, &pairs), job.scoring, job.want)?;
    let hit = |(&Pair { target, .. }, alignment): (&Pair, Alignment)| Hit { target, reverse, alignment };
    Ok(pairs.iter().zip(alignments).map(hit).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Want;
    use crate::scoring::Rules;
    use crate::search::{Database, Keep};

    const TARGETS: [&str; 5] = ["ACGTACGG", "TTTT", "", "CCGTACGT", "ACGTACGG"];

    /// Target, strand and score of each hit of one query, match 1, mismatch -1, gap 2.
    fn found(query: &str, strands: Strands, keep: Keep) -> Vec<(u32, char, i64)> {
        let (queries, targets) = (Sequences::from_iter([query]), Sequences::from_iter(TARGETS));
        let (database, scoring) = (&Database::new(&targets), &Rules::default().scoring().unwrap());
        let job = Job { queries: &queries, database, scoring, strands, keep, want: Want::Path, names: None };
        let mut hits = Vec::new();
        Reference.compute(job, &mut hits).unwrap();
        let told = |hit: &Hit| (hit.target, if hit.reverse { '-' } else { '+' }, hit.alignment.score);
        hits.iter().flatten().map(told).collect()
    }

    #[test]
    fn the_best_targets_come_first_and_of_equal_ones_the_first() {
        let all = Keep::default();
        let forward = vec![(0, '+', 8), (1, '+', 1), (2, '+', 0), (3, '+', 6), (4, '+', 8)];
        assert_eq!(found("ACGTACGG", Strands::Forward, all), forward);
        let reverse = vec![(0, '-', 6), (1, '-', 1), (2, '-', 0), (3, '-', 8), (4, '-', 6)];
        assert_eq!(found("ACGTACGG", Strands::Reverse, all), reverse);
        let both = vec![(0, '+', 8), (1, '+', 1), (2, '+', 0), (3, '-', 8), (4, '+', 8)];
        assert_eq!(found("ACGTACGG", Strands::Both, all), both);
        let top = |top| Keep { top: Some(top), passes: None };
        assert_eq!(found("ACGTACGG", Strands::Both, top(2)), [(0, '+', 8), (3, '-', 8)]);
        assert_eq!(found("ACGTACGG", Strands::Forward, top(4)), [(0, '+', 8), (4, '+', 8), (3, '+', 6), (1, '+', 1)]);
        assert_eq!(found("ACGTACGG", Strands::Forward, top(9)).len(), 5);
        assert_eq!(found("ACGTACGG", Strands::Forward, top(0)), []);
    }

    #[test]
    fn of_the_best_those_with_a_high_score_are_kept() {
        let passes = |score, [query, target]: [usize; 2]| score >= (query + target) as i64 - 9;
        let keep = Keep { top: None, passes: Some(&passes) };
        assert_eq!(found("ACGTACGG", Strands::Forward, keep), [(0, '+', 8), (2, '+', 0), (4, '+', 8)]);
        let keep = Keep { top: Some(4), ..keep };
        assert_eq!(found("ACGTACGG", Strands::Forward, keep), [(0, '+', 8), (4, '+', 8)]);
    }
}
