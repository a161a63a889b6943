//! The statistics of a run: wanted or not, known for its scoring or not, and over which targets.

use super::Request;
use crate::Scoring;
use crate::format::Format;
use crate::pairing::Pairing;
use crate::statistics::Parameters;
use warpseq_engine::error::{Error, Result};

/// The parameters of the statistics, where E-values are wanted.
///
/// # Errors
/// [`Error::Usage`] for pairs other than of each query with each target, and those of [`Parameters::of`].
pub(super) fn parameters(request: &Request, scoring: &Scoring) -> Result<Option<Parameters>> {
    let option = match request.format {
        Format::Blast6 => "--format blast6",
        _ if request.thresholds.evalue.is_some() => "--evalue",
        _ => return Ok(None),
    };
    if request.pairing != Pairing::All {
        return Err(Error::Usage(format!(
            "{option} counts what chance finds among all targets, with which each query is aligned: write --pairs all"
        )));
    }
    Parameters::of(&request.rules, scoring).map(Some)
}
