//! Targets as a search goes through them.

use std::cmp::Reverse;
use warpseq_seq::Sequences;

/// Targets, and the order in which they are searched: neighbours are of like lengths, so that they can be aligned side by side.
#[derive(Clone, Debug)]
pub struct Database<'t> {
    targets: &'t Sequences,
    order: Vec<u32>,
    lengths: Vec<usize>,
}

impl<'t> Database<'t> {
    /// A database of these targets.
    ///
    /// # Panics
    /// When there are more than 2^32 of them.
    pub fn new(targets: &'t Sequences) -> Self {
        let count = u32::try_from(targets.len()).expect("targets are numbered in 32 bits");
        let mut order: Vec<u32> = (0..count).collect();
        order.sort_by_key(|&target| Reverse(targets.length(target as usize)));
        let mut lengths: Vec<usize> = order.iter().map(|&target| targets.length(target as usize)).collect();
        lengths.dedup();
        Self { targets, order, lengths }
    }

    /// The targets, in the order in which they were given.
    pub fn targets(&self) -> &'t Sequences {
        self.targets
    }

    /// The lengths that targets have, each once.
    pub fn lengths(&self) -> impl Iterator<Item = usize> + '_ {
        self.lengths.iter().copied()
    }

    /// The numbers of all targets, the longest first, equally long ones in their order.
    pub fn order(&self) -> &[u32] {
        &self.order
    }
}
