//! A database file, read like any other: in pieces, of which none is copied.

use super::Reading;
use crate::database::Stored;
use crate::scoring::Residues;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use warpseq_engine::error::{FileError, Result};
use warpseq_seq::Records;

/// How much of a database file is a piece.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// What a piece may weigh, but for a single record.
    pub most: usize,
    /// What a residue weighs, and a record beside its residues.
    pub weights: [usize; 2],
}

impl Piece {
    /// All of it.
    pub const ALL: Self = Self { most: usize::MAX, weights: [0, 0] };
}

/// A database file being read.
pub(super) struct Pieces {
    pub stored: Stored,
    piece: Piece,
    next: usize,
    /// How many residues score as X because the matrix lacks them.
    pub scored_as_x: u64,
    /// Residues of the pieces that were read.
    pub read: Arc<AtomicU64>,
}

impl Pieces {
    /// Opens a file whose residues and names are to be legal.
    ///
    /// # Errors
    /// Those of [`Stored::open`]; [`FileError::Unusable`] for an illegal residue or name, with its record.
    pub fn open(path: &Path, reading: &Reading, piece: Piece) -> Result<Self> {
        let stored = Stored::open(path)?;
        let unusable = |message| FileError::Unusable { path: stored.path().into(), message };
        let legal = reading.residues.as_ref().map_or(Ok(0), |legal| check_letters(&stored, legal));
        let scored_as_x = legal.map_err(unusable)?;
        if let Some(check) = reading.name {
            stored.records(0..stored.len()).names().iter().try_for_each(check).map_err(unusable)?;
        }
        Ok(Self { stored, piece, next: 0, scored_as_x, read: Arc::default() })
    }

    /// The same from the first record on.
    pub fn again(&self) -> Self {
        let Self { stored, piece, scored_as_x, .. } = self;
        Self { stored: stored.clone(), piece: *piece, next: 0, scored_as_x: *scored_as_x, read: Arc::default() }
    }

    /// The next records; `None` at the end.
    pub fn next(&mut self) -> Option<Records> {
        let first = self.next;
        self.next = self.stored.end_of(first, self.piece.most, self.piece.weights);
        let records = (first < self.next).then(|| self.stored.records(first..self.next))?;
        self.read.fetch_add(records.sequences().residues().len() as u64, Ordering::Relaxed);
        Some(records)
    }
}

/// How many residues score as X; or the first illegal one, with its record.
fn check_letters(stored: &Stored, legal: &Residues) -> std::result::Result<u64, String> {
    let letters = stored.letters();
    let (mut as_x, mut illegal) = (0, Vec::new());
    for byte in (0..=255).filter(|&byte| letters[usize::from(byte)] > 0) {
        match legal.check(&[byte]) {
            Ok(counted) => as_x += counted * letters[usize::from(byte)],
            Err(_) => illegal.push(byte),
        }
    }
    if illegal.is_empty() {
        return Ok(as_x);
    }
    let records = stored.records(0..stored.len());
    let residues = records.sequences().residues();
    let at = residues.iter().position(|residue| illegal.contains(residue)).expect("one of them occurs");
    let record = records.sequences().starts().partition_point(|&start| start <= at as u64) - 1;
    let name = String::from_utf8_lossy(records.name(record));
    let (kind, refusal) = (stored.kind().name(), legal.refusal(residues[at]));
    Err(format!("it holds {kind}, and in record {name} {refusal}"))
}
