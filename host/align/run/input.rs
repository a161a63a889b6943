//! What a run reads: pairs, piece by piece, or queries and the targets that they are searched in.

use super::search::Searched;
use crate::format::sam::Targets;
use crate::input::File;
use crate::pairing::Works;
use crate::statistics::Database;
use std::sync::Arc;
use warpseq_engine::error::{Error, Result};
use warpseq_io::console::Console;
use warpseq_seq::Records;

/// See the module.
pub(super) enum Input {
    Pairs(Works),
    Search(Searched),
}

impl Input {
    pub fn queries(&self) -> &File {
        match self {
            Self::Pairs(works) => works.queries(),
            Self::Search(searched) => &searched.queries,
        }
    }

    pub fn targets(&self) -> &File {
        match self {
            Self::Pairs(works) => works.targets(),
            Self::Search(searched) => searched.parts.file(),
        }
    }

    /// The file whose reading shows how far the run has come.
    pub fn streamed(&self) -> &File {
        match self {
            Self::Pairs(works) => works.streamed(),
            Self::Search(Searched { queries, whole: true, .. }) => queries,
            Self::Search(searched) => searched.parts.file(),
        }
    }

    /// All targets, when they are in memory.
    fn held(&self) -> Option<&Arc<Records>> {
        match self {
            Self::Pairs(works) => works.held_targets(),
            Self::Search(Searched { whole, first, .. }) => whole.then_some(first),
        }
    }

    /// The sizes of all targets, which are read once beforehand if they are not held.
    ///
    /// # Errors
    /// Those of reading; [`Error::Usage`] for targets that can be read only once.
    pub fn sizes(&self) -> Result<Database> {
        if let Some(held) = self.held() {
            return Ok(Database::of(held.sequences()));
        }
        if let Some([letters, targets]) = self.targets().sizes() {
            return Ok(Database { letters, targets });
        }
        let mut all = Database { letters: 0, targets: 0 };
        self.each_target(BEFORE_EVALUES, |_, residues| {
            all.letters += residues.len() as u64;
            all.targets += u64::from(!residues.is_empty());
            Ok(())
        })?;
        Ok(all)
    }

    /// The targets that SAM's header names.
    ///
    /// # Errors
    /// Those of reading; targets that the format cannot name; [`Error::Usage`] for targets that can be read only once.
    pub fn names(&self) -> Result<Targets> {
        let (mut targets, path) = (Targets::default(), self.targets().path());
        match self.held() {
            Some(held) => (0..held.len()).try_for_each(|k| targets.add(path, held.name(k), held.sequence(k)))?,
            None => self.each_target(BEFORE_SAM, |name, residues| Ok(targets.add(path, name, residues)?))?,
        }
        Ok(targets)
    }

    /// Reads all targets, which are read again later.
    fn each_target(&self, why: Reason, mut see: impl FnMut(&[u8], &[u8]) -> Result<()>) -> Result<()> {
        let file = self.targets();
        let Some(mut again) = file.again()? else { return Err(read_once(file, why)) };
        loop {
            let (records, range) = again.ready()?;
            if range.is_empty() {
                return Ok(());
            }
            let count = range.len();
            range.into_iter().try_for_each(|k| see(records.name(k), records.sequence(k)))?;
            again.skip(count);
        }
    }

    /// Warns of what the whole input shows.
    pub fn warn(&self, console: Console) {
        let (queries, targets) = (self.queries(), self.targets());
        if queries.is_empty() {
            console.warn(format_args!("{}: there are no queries in it", queries.path().display()));
        }
        if matches!(self, Self::Pairs(works) if works.names_in_another_order()) {
            console.warn(format_args!(
                "{} has the same names in another order than {}: records are paired by their order, not by name",
                targets.path().display(),
                queries.path().display()
            ));
        }
        let as_x = queries.scored_as_x() + targets.scored_as_x();
        if as_x > 0 {
            console.warn(format_args!("{as_x} residues are J, O or U, which the matrix lacks: they score as X"));
        }
    }
}

/// Why targets are read twice, and what to do where they cannot be.
pub(super) type Reason = [&'static str; 2];

const BEFORE_SAM: Reason = ["sam names all targets before the first query", "write --format paf"];
const BEFORE_EVALUES: Reason =
    ["E-values count the letters of all targets before the first alignment", "raise --max-memory to hold them all"];

/// Refuses targets that cannot be read once more.
pub(super) fn read_once(targets: &File, [why, instead]: Reason) -> Error {
    Error::Usage(format!(
        "{}: {why}, so they are read twice: give the targets as a file, or {instead}",
        targets.path().display()
    ))
}
