//! What a run counted, and the warnings that follow from it.

use super::Signed;
use std::path::Path;
use warpseq_io::console::Console;

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Number of sequences that were signed.
    pub sequences: u64,
    /// Number of residues of all sequences.
    pub residues: u64,
    /// Number of windows of all sequences.
    pub windows: u64,
    /// Number of windows without a k-mer.
    pub without_kmers: u64,
    /// Seconds spent signing, summed over workers: the *call* clock.
    pub call_seconds: f64,
    /// Seconds from the opening of the file to the last signature taken.
    pub seconds: f64,
    /// What signed: `cpu`, or GPUs by name.
    pub engine: String,
}

impl Summary {
    pub(super) fn add(&mut self, signed: &Signed) {
        let (batch, signatures) = (&signed.batch, &signed.signatures);
        self.sequences += batch.len() as u64;
        self.residues += batch.sequences().residues().len() as u64;
        self.windows += signatures.len() as u64;
        self.without_kmers += signatures.present.iter().filter(|&&present| present == 0).count() as u64;
    }

    /// Tells the user.
    pub(super) fn tell(&self, path: &Path, console: Console) {
        let path = path.display();
        let Self { windows, without_kmers, .. } = self;
        if self.sequences == 0 {
            console.warn(format_args!("{path}: there are no sequences in it"));
        }
        if *without_kmers > 0 {
            console.warn(format_args!(
                "{path}: {without_kmers} of {windows} windows have no k-mer, so they have no signature and are never hits"
            ));
        }
    }
}
