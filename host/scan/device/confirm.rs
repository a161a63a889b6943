//! Hits that the device could not decide: under `--wildcards n`, bytes other than A, C, G, T, N look wild to it.

use crate::pattern::wild_positions;
use crate::{Hit, Pattern, Records, Wildcards};
use rayon::prelude::*;

/// Whether the pattern has a symbol that is not wild, so that a match with fewer wild positions than symbols can exist.
pub(super) fn has_informative(pattern: &Pattern, literal: bool) -> bool {
    if literal {
        pattern.bases().iter().any(|&b| b != b'N')
    } else {
        pattern.bases().iter().any(|b| b"ACGTUacgtu".contains(b))
    }
}

/// The hits that are matches byte by byte, with their true number of wild positions.
pub(super) fn confirm(batch: &Records, patterns: &[Pattern], hits: Vec<Hit>) -> Vec<Hit> {
    hits.into_par_iter().filter_map(|hit| confirm_one(batch, patterns, hit)).collect()
}

fn confirm_one(batch: &Records, patterns: &[Pattern], hit: Hit) -> Option<Hit> {
    let pattern = &patterns[hit.pattern as usize];
    let sample = &batch.sequence(hit.sample as usize)[hit.start as usize..];
    wild_positions(sample, pattern, Wildcards::N).map(|wild| Hit { wild, ..hit })
}
