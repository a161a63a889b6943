//! Targets as a search goes through them.

use super::couples::Couples;
use std::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};
use warpseq_seq::Sequences;

/// Targets, and the order in which they are searched: neighbours are of like lengths, so that they can be aligned side by side.
#[derive(Debug)]
pub struct Database<'t> {
    targets: &'t Sequences,
    order: Vec<u32>,
    lengths: Vec<usize>,
    /// Made when a GPU wants them.
    couples: Mutex<Option<Arc<Couples>>>,
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
        Self { targets, order, lengths, couples: Mutex::default() }
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

    /// The targets in couples, their residues as `codes`. They are kept for the next call with the same.
    pub(crate) fn couples(&self, codes: &[u8; 256], padding: u8) -> Arc<Couples> {
        let mut couples = self.couples.lock().unwrap_or_else(PoisonError::into_inner);
        match &*couples {
            Some(couples) if couples.are_of(codes, padding) => couples.clone(),
            _ => couples.insert(Arc::new(Couples::new(self, codes, padding))).clone(),
        }
    }
}
