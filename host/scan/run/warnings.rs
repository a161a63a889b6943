//! What a run has seen, and the warnings that follow from it, each given once.

use super::batch::Searched;
use super::fragments::Held;
use super::{Run, Summary};
use crate::facts::Warnings;
use crate::inputs::Input;
use crate::{Signature, Wildcards};
use rayon::prelude::*;
use warpseq_seq::iupac::count_wild;

/// Warns of signatures that nothing can tell apart from noise.
pub fn about_signatures(signatures: &[Signature], wildcards: Wildcards, warnings: &mut Warnings) {
    let uninformative = |s: &&Signature| count_wild(s.bases(), wildcards) == s.bases().len();
    let found = || signatures.par_iter().filter(uninformative);
    if let Some(first) = found().find_first(|_| true) {
        let name = String::from_utf8_lossy(first.name());
        match found().count() - 1 {
            0 => warnings.add(format!("signature {name} has no informative symbol: it matches anything or nothing")),
            more => warnings.add(format!(
                "{} signatures have no informative symbol and match anything or nothing; the first is {name}",
                more + 1
            )),
        }
    }
}

/// Sums over all batches.
#[derive(Default)]
pub struct Seen {
    pub summary: Summary,
    longest: u64,
}

impl Seen {
    pub fn add(&mut self, searched: &Searched) {
        self.summary.sequences += searched.sequences;
        self.summary.bases += searched.bases;
        self.summary.rows += searched.rows;
        self.longest = self.longest.max(searched.longest);
    }

    /// Warns of what the inputs, of which each `held` so much, show as a whole.
    pub fn warn(&self, run: &Run, held: &[Held], warnings: &mut Warnings) {
        let inputs = run.request.inputs.all();
        // Of a shard, nobody knows what the inputs hold besides.
        let empty = |held: &Held| held.records == 0 && run.request.shard.is_none();
        for (Input { reads, .. }, _) in inputs.iter().zip(held).filter(|(_, held)| empty(held)) {
            warnings.add(format!("{reads}: there are no sequences in it"));
        }
        let shortest = run.search.signatures.iter().map(|s| s.bases().len() as u64).min().unwrap_or(0);
        if self.summary.sequences > 0 && self.longest < shortest {
            warnings.add(format!(
                "no signature fits in any sequence (the longest has {} bases, the shortest signature {shortest}): \
                 are the two files swapped? (warpseq scan SAMPLES SIGNATURES)",
                self.longest
            ));
        }
        for (Input { reads, .. }, Held { gaps, .. }) in inputs.iter().zip(held).filter(|(_, held)| held.gaps > 0) {
            warnings.add(format!("{reads}: {gaps} gaps (`-`) among the bases match nothing"));
        }
    }
}
