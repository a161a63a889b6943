//! A search divided: a job for each [share](super::Database::shares) of a database, and their hits put together.
//!
//! # Why it is right
//!
//! A share keeps its best for a query, as many as the whole does, those included that are too low in the end: they hold a place, as they do
//! in the whole. Each of the best of the whole is among the best of its share, for there are no more targets before it there. So the best
//! of all shares' hits, of equal ones the first in the database, are the best of the whole.

use super::{Database, Hit, Keep};
use std::cmp::Reverse;

impl Keep<'_> {
    /// What a share keeps, for [`Self::put_together`].
    #[must_use]
    pub fn of_share(self) -> Self {
        Self { passes: self.passes.filter(|_| self.top.is_none()), ..self }
    }

    /// Leaves of the hits of a query of this length in all shares those in the whole database, in their order.
    pub fn put_together(&self, query: usize, database: &Database, hits: &mut Vec<Hit>) {
        hits.sort_unstable_by_key(|hit| (Reverse(self.top.map(|_| hit.alignment.score)), hit.target));
        hits.truncate(self.top.unwrap_or(usize::MAX));
        if let Some(passes) = self.passes {
            let target = |hit: &Hit| database.targets().length(hit.target as usize);
            hits.retain(|hit| passes(hit.alignment.score, [query, target(hit)]));
        }
    }
}
