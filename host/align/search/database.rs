//! Targets as a search goes through them.

use super::couples::Couples;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use warpseq_seq::{Records, Sequences};

/// Targets, and the order in which they are searched: neighbours are of like lengths, so that they can be aligned side by side.
/// Clones, and the [shares](Self::shares) of one, hold all of it in common.
#[derive(Clone, Debug)]
pub struct Database<'t> {
    targets: Targets<'t>,
    order: Arc<[u32]>,
    /// The places in that order that are searched. Couples are not divided.
    share: Range<usize>,
    lengths: Arc<[usize]>,
    /// Of all targets, made when a GPU wants them.
    couples: Arc<Mutex<Option<Arc<Couples>>>>,
}

#[derive(Clone, Debug)]
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
        let order: Arc<[u32]> = keys.iter().map(|&(_, target)| target).collect();
        let lengths = keys.chunk_by(|a, b| a.0 == b.0).map(|like| like[0].0.0 as usize).collect();
        Self { targets, share: 0..order.len(), order, lengths, couples: Arc::default() }
    }

    /// Divides what is searched into `count` shares that have about as many residues each; some may have none.
    pub fn shares(&self, count: usize) -> Vec<Self> {
        let residues =
            |couple: &[u32]| couple.iter().map(|&target| self.targets().length(target as usize) as u64).sum();
        let all: u64 = residues(self.order());
        let (mut shares, mut start, mut end, mut passed) = (Vec::with_capacity(count), self.share.start, 0, 0);
        let mut couples = self.order().chunks(2);
        for k in 1..=count as u64 {
            while k == count as u64 || u128::from(passed) * (count as u128) < u128::from(all) * u128::from(k) {
                let Some(couple) = couples.next() else { break };
                (passed, end) = (passed + residues(couple), end + couple.len());
            }
            let share = start..self.share.start + end;
            start = share.end;
            shares.push(Self { share, ..self.clone() });
        }
        shares
    }

    /// Whether some targets are not searched.
    pub(crate) fn is_divided(&self) -> bool {
        self.share.len() < self.order.len()
    }

    /// Whether a target is searched.
    pub(crate) fn holds(&self, target: u32) -> bool {
        let place = |target: u32| (Reverse(self.targets().length(target as usize)), target);
        !self.is_divided() || self.order().binary_search_by_key(&place(target), |&other| place(other)).is_ok()
    }

    /// The targets, in the order in which they were given.
    pub fn targets(&self) -> &Sequences {
        self.targets.sequences()
    }

    /// The lengths that all targets have, each once.
    pub fn lengths(&self) -> impl Iterator<Item = usize> + '_ {
        self.lengths.iter().copied()
    }

    /// The numbers of the targets that are searched, the longest first, equally long ones in their order.
    pub fn order(&self) -> &[u32] {
        &self.order[self.share.clone()]
    }

    /// Which of the couples are searched, which are so many.
    pub(crate) fn share_of_couples(&self, couples: usize) -> Range<usize> {
        let [start, end] = [self.share.start, self.share.end].map(|place| place.div_ceil(2).min(couples));
        start..end
    }

    /// All targets in couples, their residues as `codes`. They are kept for the next call with the same.
    pub(crate) fn couples(&self, codes: &[u8; 256], padding: u8) -> Arc<Couples> {
        let mut couples = self.couples.lock().unwrap_or_else(PoisonError::into_inner);
        match &*couples {
            Some(couples) if couples.are_of(codes, padding) => couples.clone(),
            _ => {
                let all = Self { share: 0..self.order.len(), ..self.clone() };
                couples.insert(Arc::new(Couples::new(&all, codes, padding))).clone()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_divide_the_targets_by_their_residues() {
        let lengths = [3, 0, 8, 5, 5, 1, 2, 9, 0, 4];
        let targets: Sequences = lengths.iter().map(|&length| vec![b'A'; length]).collect();
        let database = Database::new(&targets);
        assert_eq!(database.order(), [7, 2, 3, 4, 9, 0, 6, 5, 1, 8]);
        let orders = |count| database.shares(count).iter().map(|share| share.order().to_vec()).collect::<Vec<_>>();
        assert_eq!(orders(1), [database.order().to_vec()]);
        assert_eq!(orders(2), [&[7, 2, 3, 4][..], &[9, 0, 6, 5, 1, 8]]);
        assert_eq!(orders(3), [&[7, 2][..], &[3, 4], &[9, 0, 6, 5, 1, 8]]);
        assert_eq!(orders(20).concat(), database.order());
        for share in database.shares(3) {
            let held: Vec<u32> = (0..10).filter(|&target| share.holds(target)).collect();
            let mut expected = share.order().to_vec();
            expected.sort_unstable();
            assert_eq!(held, expected);
        }
        assert!((0..10).all(|target| database.holds(target)) && !database.is_divided());
        let of_couples =
            |count| database.shares(count).iter().map(|share| share.share_of_couples(4)).collect::<Vec<_>>();
        assert_eq!((of_couples(2), of_couples(3)), (vec![0..2, 2..4], vec![0..1, 1..2, 2..4]));
        let none = Sequences::default();
        assert!(Database::new(&none).shares(3).iter().all(|share| share.order().is_empty()));
    }
}
