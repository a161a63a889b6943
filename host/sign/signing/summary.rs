//! What a run has seen, and what of it the user should know: each once.

use super::{Answer, Signing};
use std::path::Path;

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    pub sequences: u64,
    /// Letters of all sequences.
    pub residues: u64,
    pub windows: u64,
    /// Windows in which there is no word.
    pub wordless: u64,
    /// Seconds spent signing, summed over engines: the *call* clock.
    pub call_seconds: f64,
    /// Seconds that the second executor of `--verify` took.
    pub verify_seconds: f64,
    /// Seconds from the opening of the file to the last signature taken.
    pub seconds: f64,
    /// What signed: `cpu`, or GPUs by name.
    pub engine: String,
}

impl Summary {
    pub(super) fn add(&mut self, answer: &Answer) {
        let (batch, signatures) = (&answer.signed.batch, &answer.signed.signatures);
        self.sequences += batch.len() as u64;
        self.residues += batch.sequences().residues().len() as u64;
        self.windows += signatures.len() as u64;
        self.wordless += signatures.present.iter().filter(|&&present| present == 0).count() as u64;
        self.call_seconds += answer.call.as_secs_f64();
        self.verify_seconds += answer.verified.as_secs_f64();
    }

    /// Tells the user, and the outcome of `--verify`.
    pub(super) fn tell(&self, path: &Path, signing: &Signing) {
        let (path, console) = (path.display(), signing.terms.console);
        let Self { windows, wordless, .. } = self;
        if self.sequences == 0 {
            console.warn(format_args!("{path}: there are no sequences in it"));
        }
        if *wordless > 0 {
            console.warn(format_args!(
                "{path}: {wordless} of {windows} windows have no word, so no signature: never a hit"
            ));
        }
        if let Some(verify) = signing.verify {
            let (ours, other) = (self.call_seconds, self.verify_seconds);
            console.result(format_args!("verify: {ours:.3} s, {} {other:.3} s: identical", verify.name()));
        }
    }
}
