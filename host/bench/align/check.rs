//! Whether alignments are right: the same from two engines, the sum of the scores as expected, and each path worth its score.

use super::call::Call;
use crate::align::reference::rescore;
use crate::align::{Alignment, Want};
use crate::error::{Error, Result};
use rayon::prelude::*;

/// Counts the alignments of a sample that are not those of all pairs, each sample's number saying which one it is.
pub fn differing(sample: &[usize], found: &[Alignment], all: &[Alignment]) -> usize {
    sample.iter().zip(found).filter(|&(&k, alignment)| all[k] != *alignment).count()
}

/// What all scores add up to.
pub fn sum(alignments: &[Alignment]) -> i64 {
    alignments.iter().map(|alignment| alignment.score).sum()
}

/// Adds up every path's score from its letters: it is the alignment's. Nothing to do without paths.
///
/// # Errors
/// [`Error::Mismatch`] with the first pair whose path is no path, or worth another score.
pub fn paths(engine: &str, call: &Call, (sample, found): (&[usize], &[Alignment])) -> Result<()> {
    if call.want == Want::Score {
        return Ok(());
    }
    let batch = call.input.batch();
    let fault = |(&k, alignment): (&usize, &Alignment)| {
        let (query, target) = batch.residues(k);
        let what = match rescore(query, target, alignment, call.scoring) {
            Ok(score) if score == alignment.score => return None,
            Ok(score) => format!("its path is worth {score} and not {}", alignment.score),
            Err(what) => what,
        };
        Some(Error::Mismatch(format!("{engine}, pair {k}: {what}")))
    };
    sample.par_iter().zip(found).find_map_first(fault).map_or(Ok(()), Err)
}
