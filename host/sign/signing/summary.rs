//! What a run has seen, and what of it the user should know: each once.

use super::Signed;
use std::path::Path;
use warpseq_io::console::Console;

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Sequences that were signed.
    pub sequences: u64,
    /// Letters of all sequences.
    pub residues: u64,
    /// Windows of all sequences.
    pub windows: u64,
    /// Windows in which there is no word.
    pub wordless: u64,
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
        self.wordless += signatures.present.iter().filter(|&&present| present == 0).count() as u64;
    }

    /// Tells the user.
    pub(super) fn tell(&self, path: &Path, console: Console) {
        let path = path.display();
        let Self { windows, wordless, .. } = self;
        if self.sequences == 0 {
            console.warn(format_args!("{path}: there are no sequences in it"));
        }
        if *wordless > 0 {
            console.warn(format_args!(
                "{path}: {wordless} of {windows} windows have no word, so no signature: never a hit"
            ));
        }
    }
}
