//! Pairs of sequences. A [`Batch`] is made by its constructors alone, so its pairs are all of sequences that are there: kernels
//! read without checks what it names.

use crate::Sequences;

/// Which query is aligned with which target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// Its number among the batch's queries.
    pub query: u32,
    /// Its number among the batch's targets.
    pub target: u32,
}

/// Pairs to align, all of sequences that are there.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    queries: &'a Sequences,
    targets: &'a Sequences,
    pairs: &'a [Pair],
}

impl<'a> Batch<'a> {
    /// Pairs of these queries and targets.
    ///
    /// # Panics
    /// When a pair names a query or a target that is not there.
    pub fn new(queries: &'a Sequences, targets: &'a Sequences, pairs: &'a [Pair]) -> Self {
        let outside = |pair: &Pair| pair.query as usize >= queries.len() || pair.target as usize >= targets.len();
        if let Some(pair) = pairs.iter().find(|pair| outside(pair)) {
            panic!("{pair:?} among {} queries and {} targets", queries.len(), targets.len());
        }
        Self { queries, targets, pairs }
    }

    /// Other pairs of the same queries and targets.
    ///
    /// # Panics
    /// As [`Batch::new`].
    pub fn with_pairs<'b>(&self, pairs: &'b [Pair]) -> Batch<'b>
    where
        'a: 'b,
    {
        Batch::new(self.queries, self.targets, pairs)
    }

    /// All queries, those in no pair included.
    pub fn queries(&self) -> &'a Sequences {
        self.queries
    }

    /// All targets, those in no pair included.
    pub fn targets(&self) -> &'a Sequences {
        self.targets
    }

    /// The pairs, in the order of their alignments.
    pub fn pairs(&self) -> &'a [Pair] {
        self.pairs
    }

    /// The residues of pair `k`: query, target.
    pub fn residues(&self, k: usize) -> (&'a [u8], &'a [u8]) {
        let Pair { query, target } = self.pairs[k];
        (self.queries.get(query as usize), self.targets.get(target as usize))
    }

    /// The lengths of pair `k`: query, target.
    pub fn lengths(&self, k: usize) -> (usize, usize) {
        let Pair { query, target } = self.pairs[k];
        (self.queries.length(query as usize), self.targets.length(target as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "Pair { query: 0, target: 2 } among 1 queries and 2 targets")]
    fn pairs_of_sequences_that_are_not_there_are_refused() {
        let [queries, targets] = [vec!["ACGT"], vec!["AC", "GT"]].map(Sequences::from_iter);
        Batch::new(&queries, &targets, &[Pair { query: 0, target: 1 }, Pair { query: 0, target: 2 }]);
    }
}
