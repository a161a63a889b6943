//! What is asked of every batch: which signatures, under which options, and whether the integrity hashes are wanted.

use super::report::{self, Row};
use super::{Hit, Options, Pattern, Records, Signature};
use warpseq_engine::profile;

/// See the module.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub options: &'a Options,
    pub signatures: &'a [Signature],
    /// Those of `signatures` under `options`.
    pub patterns: &'a [Pattern],
    /// Whether integrity hashes are wanted.
    pub hashed: bool,
}

impl Question<'_> {
    /// The rows among all matches of a batch, and for each the hash of its sample (`None` where not wanted or without
    /// qualities). Only samples that have rows are hashed: hashing all of them while a GPU searches took 3 ms longer on work in which few
    /// samples have rows, and gained 1 ms where nearly all have.
    pub fn choose(&self, batch: &Records, hits: Vec<Hit>) -> (Vec<Row>, Vec<Option<u8>>) {
        let _range = profile::range("choose");
        let rows = report::choose(self.options, self.signatures, batch, self.patterns, hits);
        let hashes = match self.hashed {
            true => report::integrity_hashes(self.options, batch, &rows),
            false => vec![None; rows.len()],
        };
        (rows, hashes)
    }
}
