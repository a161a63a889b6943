//! Checks alignments: two engines agree, the scores have the expected sum, and each path has its score.

use super::call::Call;
use crate::align::reference::rescore;
use crate::align::{Alignment, Want};
use crate::error::{Error, Result};
use rayon::prelude::*;

/// Counts the alignments of a sample that differ from those of all pairs. The sample holds the numbers of its pairs.
pub fn differing(sample: &[usize], found: &[Alignment], all: &[Alignment]) -> usize {
    sample.iter().zip(found).filter(|&(&k, alignment)| all[k] != *alignment).count()
}

/// The sum of all scores.
pub fn sum(alignments: &[Alignment]) -> i64 {
    alignments.iter().map(|alignment| alignment.score).sum()
}

/// Checks that the residues of every path add up to the score of the alignment. Does nothing without paths.
///
/// # Errors
/// [`Error::Mismatch`] with the first pair whose path is invalid or has another score.
pub fn paths(engine: &str, call: &Call, (sample, found): (&[usize], &[Alignment])) -> Result<()> {
    if call.want == Want::Score {
        return Ok(());
    }
    let batch = call.input.batch();
    let fault = |(&k, alignment): (&usize, &Alignment)| {
        let (query, target) = batch.residues(k);
        let what = match rescore(query, target, alignment, call.scoring) {
            Ok(score) if score == alignment.score => return None,
            Ok(score) => format!("the score is {}, but its path adds up to {score}", alignment.score),
            Err(what) => what,
        };
        Some(Error::Mismatch(format!("{engine}, pair {k}: {what}")))
    };
    sample.par_iter().zip(found).find_map_first(fault).map_or(Ok(()), Err)
}
