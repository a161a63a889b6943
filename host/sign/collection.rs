//! A collection: the signatures of a set of sequences with their names and places, in memory or mapped from a file.

mod catalogue;
mod present;

pub(super) use catalogue::{Catalogue, Lists, are_all, split_names, windows_of};
pub use present::Present;

use super::{Alphabet, Parameters, Records, Signatures, file};
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;
use warpseq_io::error::{FileError, Result};
use warpseq_io::mapped::Mapped;

/// Bytes that are owned or lie in a mapped file.
#[derive(Clone, Debug)]
pub enum Bytes {
    /// In memory.
    Owned(Vec<u8>),
    /// A part of a file that is mapped.
    Mapped(Arc<Mapped>, Range<usize>),
}

impl Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Self::Owned(bytes) => bytes,
            Self::Mapped(map, range) => &map[range.clone()],
        }
    }
}

/// A window by its place in a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The sequence's number.
    pub sequence: usize,
    /// The residues of the window, 0-based and half-open.
    pub residues: Range<u64>,
}

/// Signatures, and the sequences that they are of. Empty sequences have no windows here.
#[derive(Clone, Debug)]
pub struct Collection {
    /// How the signatures were made.
    pub parameters: Parameters,
    /// Name of each sequence.
    pub names: Vec<Vec<u8>>,
    /// Number of residues of each sequence.
    pub lengths: Vec<u64>,
    /// Sequence s has the windows `firsts[s]..firsts[s + 1]`; one more entry than sequences.
    pub firsts: Vec<u64>,
    /// A bit for each window: bit `w % 8` of byte `w / 8` is set when window w has a k-mer.
    pub present: Bytes,
    /// `bits / 8` bytes per window.
    pub signatures: Bytes,
    /// The words of each window; `None`: those of a file of version 1 are not known.
    pub words: Option<Vec<u32>>,
}

impl Collection {
    /// Opens a signature file, as [`file::open`].
    ///
    /// # Errors
    /// Those of [`file::open`].
    pub fn open(path: &Path) -> Result<Self> {
        file::open(path).map(|opened| opened.collection)
    }

    /// Refuses a collection whose file was changed since it was opened. To be asked when all has been read.
    ///
    /// # Errors
    /// Those of [`Mapped::require_unchanged`].
    pub fn require_unchanged(&self) -> Result<()> {
        match &self.signatures {
            Bytes::Mapped(mapped, _) => mapped.require_unchanged(),
            Bytes::Owned(_) => Ok(()),
        }
    }

    /// Refuses to compare signatures that were made in different ways. The paths name this collection and the other.
    ///
    /// # Errors
    /// [`FileError::Unusable`] with both files and both parameters.
    pub fn require_same_parameters(&self, path: &Path, other: &Self, other_path: &Path) -> Result<()> {
        let (ours, theirs) = (self.parameters, other.parameters);
        if ours == theirs {
            return Ok(());
        }
        let other = other_path.display();
        let message = match (ours.alphabet, theirs.alphabet) {
            (Alphabet::Dna, Alphabet::Protein) => format!(
                "it holds DNA, and {other} proteins: compare proteins with proteins; translate the DNA, and sign it again"
            ),
            (Alphabet::Protein, Alphabet::Dna) => format!(
                "it holds proteins, and {other} DNA: compare proteins with proteins; translate the DNA, and sign it again"
            ),
            _ => format!(
                "its signatures were made with `{ours}`, those of {other} with `{theirs}`: only signatures made with the \
                 same parameters can be compared; make one of them again with the options of the other"
            ),
        };
        Err(FileError::Unusable { path: path.to_path_buf(), message })
    }

    /// The number of sequences.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The number of windows of all sequences.
    pub fn window_count(&self) -> usize {
        *self.firsts.last().expect("one more entry than sequences") as usize
    }

    /// The windows of a sequence.
    pub fn windows(&self, sequence: usize) -> Range<usize> {
        self.firsts[sequence] as usize..self.firsts[sequence + 1] as usize
    }

    /// Whether a window has a k-mer, and so a signature.
    pub fn is_present(&self, window: usize) -> bool {
        self.present[window / 8] >> (window % 8) & 1 == 1
    }

    /// The words of a sequence: those of all its windows.
    pub fn words(&self, sequence: usize) -> Option<u64> {
        self.words.as_ref().map(|words| words[self.windows(sequence)].iter().map(|&words| u64::from(words)).sum())
    }

    /// The bytes of a window's signature; zeros when it has none.
    pub fn signature(&self, window: usize) -> &[u8] {
        let width = self.parameters.width();
        &self.signatures[window * width..][..width]
    }

    /// Where a window lies.
    pub fn place(&self, window: usize) -> Place {
        let sequence = self.firsts.partition_point(|&first| first <= window as u64) - 1;
        let index = window as u64 - self.firsts[sequence];
        Place { sequence, residues: self.parameters.window.range(index, self.lengths[sequence]) }
    }
}

/// Gathers signed batches into a [`Collection`].
pub struct Builder {
    parameters: Parameters,
    catalogue: Catalogue,
    signatures: Vec<u8>,
}

impl Builder {
    /// One without sequences.
    pub fn new(parameters: &Parameters) -> Self {
        Self { parameters: *parameters, catalogue: Catalogue::new(parameters), signatures: Vec::new() }
    }

    /// Adds the sequences of a batch with their signatures and the [`words`](super::words) of each window, 0 where there is none.
    ///
    /// # Panics
    /// When `signatures` or `words` are not those of the batch's windows.
    pub fn push(&mut self, batch: &Records, signatures: &Signatures, words: &[u32]) {
        let (kept, width) = (self.catalogue.add(batch, signatures, &mut words.to_vec()), self.parameters.width());
        let bytes = |windows: &Range<usize>| &signatures.bytes[windows.start * width..windows.end * width];
        kept.iter().for_each(|windows| self.signatures.extend_from_slice(bytes(windows)));
    }

    /// Bytes that the signatures so far take.
    pub fn bytes(&self) -> usize {
        self.signatures.len()
    }

    /// What was gathered: what a file of the same batches would hold.
    pub fn finish(self) -> Collection {
        let Self { parameters, catalogue, signatures } = self;
        let firsts = catalogue.firsts().collect();
        let Lists { names, name_offsets, lengths, present, words } = catalogue.lists;
        Collection {
            parameters,
            names: split_names(&names, &name_offsets),
            firsts,
            lengths,
            present: Bytes::Owned(present),
            signatures: Bytes::Owned(signatures),
            words: Some(words),
        }
    }
}
