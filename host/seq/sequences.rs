//! Sequences in memory, one after another: how all engines take them, and how they are copied to a device.
//!
//! ```text
//! residues  A C G T T C C A         three sequences: ACGT, one without residues, TCCA
//! starts    0       4 4       8     one number more than sequences
//! ```
//!
//! The starts begin with 0, never fall, and end with the number of residues. Nothing outside this crate can break that, so
//! kernels and engines may read without checks what the starts say is there.

use crate::letters::{Letters, Shared};
use std::fmt;
use std::ops::Range;

/// Sequences in memory, one after another.
#[derive(Clone, Debug, Default)]
pub struct Sequences {
    pub(crate) residues: Letters,
    /// As the module says, or empty when there are no sequences.
    starts: Vec<u64>,
}

impl Sequences {
    /// Makes sequences of residues and starts.
    ///
    /// # Errors
    /// [`InvalidParts::Starts`] when the starts do not begin with 0, fall somewhere, or do not end with the number of residues.
    pub fn from_parts(residues: Vec<u8>, starts: Vec<u64>) -> Result<Self, InvalidParts> {
        Self::checked(residues.into(), starts)
    }

    /// Makes sequences of starts and of residues that others hold, too, such as those in a mapped file. They are copied only when a
    /// sequence is added.
    ///
    /// # Errors
    /// As [`Sequences::from_parts`].
    pub fn from_shared(residues: Shared, starts: Vec<u64>) -> Result<Self, InvalidParts> {
        Self::checked(residues.into(), starts)
    }

    fn checked(residues: Letters, starts: Vec<u64>) -> Result<Self, InvalidParts> {
        let ends = starts.first() == Some(&0) && starts.last() == Some(&(residues.len() as u64));
        if ends && starts.is_sorted() { Ok(Self { residues, starts }) } else { Err(InvalidParts::Starts) }
    }

    /// How many sequences there are.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The residues of sequence `k`.
    pub fn get(&self, k: usize) -> &[u8] {
        &self.residues[self.starts[k] as usize..self.starts[k + 1] as usize]
    }

    /// How many residues sequence `k` has.
    pub fn length(&self, k: usize) -> usize {
        (self.starts[k + 1] - self.starts[k]) as usize
    }

    /// How many residues each sequence has.
    pub fn lengths(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        self.starts.windows(2).map(|ends| ends[1] - ends[0])
    }

    /// The sequences in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> + '_ {
        (0..self.len()).map(|k| self.get(k))
    }

    /// The residues of all sequences.
    pub fn residues(&self) -> &[u8] {
        &self.residues
    }

    /// Where each sequence starts in the residues, and where the last one ends: `len() + 1` numbers.
    pub fn starts(&self) -> &[u64] {
        if self.starts.is_empty() { &[0] } else { &self.starts }
    }

    /// Adds a sequence.
    pub fn push(&mut self, residues: &[u8]) {
        self.residues.owned().extend_from_slice(residues);
        self.close();
    }

    /// Adds some sequences of others, in their order.
    pub fn extend(&mut self, others: &Self, range: Range<usize>) {
        let (first, last) = (others.starts()[range.start], others.starts()[range.end]);
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        let end = self.residues.len() as u64;
        self.residues.owned().extend_from_slice(&others.residues[first as usize..last as usize]);
        self.starts.extend(others.starts()[range.start + 1..=range.end].iter().map(|start| start - first + end));
    }

    /// Ends the last sequence where the residues end.
    pub(crate) fn close(&mut self) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.starts.push(self.residues.len() as u64);
    }

    /// Removes all sequences; the memory stays.
    pub fn clear(&mut self) {
        self.residues.clear();
        self.starts.clear();
    }

    /// Gives memory back but for about `residues` of them.
    pub fn shrink_to(&mut self, residues: usize) {
        self.residues.owned().shrink_to(residues);
        self.starts.shrink_to(residues / size_of::<u64>());
    }
}

impl PartialEq for Sequences {
    fn eq(&self, other: &Self) -> bool {
        self.residues() == other.residues() && self.starts() == other.starts()
    }
}

impl Eq for Sequences {}

impl<R: AsRef<[u8]>> FromIterator<R> for Sequences {
    fn from_iter<I: IntoIterator<Item = R>>(sequences: I) -> Self {
        let mut all = Self::default();
        sequences.into_iter().for_each(|residues| all.push(residues.as_ref()));
        all
    }
}

/// Why parts make no [`Sequences`] or [`Records`](crate::Records).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidParts {
    /// See [`Sequences::from_parts`].
    Starts,
    /// See [`Records::from_parts`](crate::Records::from_parts).
    Names,
    /// See [`Records::with_qualities`](crate::Records::with_qualities).
    Qualities,
}

impl fmt::Display for InvalidParts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Starts => "the starts of sequences must rise from 0 to the number of residues",
            Self::Names => "there must be as many names as sequences",
            Self::Qualities => "there must be as many qualities as residues, or none",
        })
    }
}

impl std::error::Error for InvalidParts {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn sequences_lie_one_after_another() {
        let sequences: Sequences = ["ACGT", "", "TCCA"].into_iter().collect();
        assert_eq!((sequences.residues(), sequences.starts()), (&b"ACGTTCCA"[..], &[0, 4, 4, 8][..]));
        assert_eq!((sequences.len(), sequences.get(1), sequences.length(2)), (3, &b""[..], 4));
        assert_eq!(sequences.lengths().collect::<Vec<_>>(), [4, 0, 4]);
        assert_eq!(sequences.iter().map(<[u8]>::len).collect::<Vec<_>>(), [4, 0, 4]);
        assert_eq!(Sequences::from_parts(b"ACGTTCCA".to_vec(), vec![0, 4, 4, 8]), Ok(sequences));
    }

    #[test]
    fn shared_residues_are_copied_when_a_sequence_is_added() {
        let bytes: Arc<Vec<u8>> = Arc::new(b">>ACGTTC<<".to_vec());
        let shared = |range| Shared::new(bytes.clone(), range);
        let mut sequences = Sequences::from_shared(shared(2..8), vec![0, 4, 4, 6]).unwrap();
        assert_eq!(sequences, Sequences::from_iter(["ACGT", "", "TC"]));
        assert!(std::ptr::eq(sequences.get(0), &raw const bytes[2..6]));
        let before = sequences.clone();
        sequences.push(b"G");
        assert_eq!((before.len(), sequences), (3, Sequences::from_iter(["ACGT", "", "TC", "G"])));
        assert_eq!(Sequences::from_shared(shared(2..8), vec![0, 7]), Err(InvalidParts::Starts));
        assert_eq!(Sequences::from_shared(shared(3..3), vec![0]), Ok(Sequences::default()));
    }

    #[test]
    fn some_sequences_of_others_come_in_their_order() {
        let others: Sequences = ["ACGT", "", "TCCA", "G"].into_iter().collect();
        let mut all = Sequences::default();
        for range in [1..1, 2..4, 0..3, 4..4] {
            all.extend(&others, range);
        }
        assert_eq!(all, Sequences::from_iter(["TCCA", "G", "ACGT", "", "TCCA"]));
    }

    #[test]
    fn starts_that_leave_the_residues_are_refused() {
        for starts in [vec![], vec![0, 1000], vec![1, 4], vec![0, 3], vec![0, 5, 4], vec![0, u64::MAX, 4]] {
            assert_eq!(Sequences::from_parts(b"ACGT".to_vec(), starts), Err(InvalidParts::Starts));
        }
        assert_eq!(Sequences::from_parts(vec![], vec![0, 1000]), Err(InvalidParts::Starts));
        assert_eq!(Sequences::from_parts(vec![], vec![0]), Ok(Sequences::default()));
        assert_eq!(Sequences::default().starts(), [0]);
    }
}
