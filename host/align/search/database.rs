//! Targets as a search goes through them.

use super::couples::Couples;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};
use warpseq_seq::{Records, Sequences};

/// Targets, and the order in which they are searched: neighbours are of like lengths, so that they can be aligned side by side.
#[derive(Debug)]
pub struct Database<'t> {
    targets: Targets<'t>,
    order: Vec<u32>,
    lengths: Vec<usize>,
    /// Made when a GPU wants them.
    couples: Mutex<Option<Arc<Couples>>>,
}

#[derive(Debug)]
enum Targets<'t> {
    Lent(&'t Sequences),
    Held(Arc<Records>),
}

impl Targets<'_> {
    fn sequences(&self) -> &Sequences {
        match self {
            Self::Lent(targets) => targets,
            Self::Held(records) => records.sequences(),
        }
    }
}

/// Bytes that a target takes beside its residues and name: in the order, in couples, and a start in these.
pub const TARGET_BYTES: usize = 12;

impl Database<'static> {
    /// A database of these records.
    ///
    /// # Panics
    /// As [`Database::new`].
    pub fn of_records(records: Arc<Records>) -> Self {
        Self::of(Targets::Held(records))
    }
}

impl<'t> Database<'t> {
    /// A database of these targets.
    ///
    /// # Panics
    /// When there are more than 2^32 of them.
    pub fn new(targets: &'t Sequences) -> Self {
        Self::of(Targets::Lent(targets))
    }

    fn of(targets: Targets<'t>) -> Self {
        let sequences = targets.sequences();
        u32::try_from(sequences.len()).expect("targets are numbered in 32 bits");
        let mut keys: Vec<(Reverse<u64>, u32)> = sequences.lengths().map(Reverse).zip(0..).collect();
        keys.par_sort_unstable();
        let order = keys.iter().map(|&(_, target)| target).collect();
        let lengths = keys.chunk_by(|a, b| a.0 == b.0).map(|like| like[0].0.0 as usize).collect();
        Self { targets, order, lengths, couples: Mutex::default() }
    }

    /// The targets, in the order in which they were given.
    pub fn targets(&self) -> &Sequences {
        self.targets.sequences()
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
