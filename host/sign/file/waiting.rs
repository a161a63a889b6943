//! The sections behind the signatures, which wait until these are written.
//!
//! ```text
//! the writer, batch by batch      checksum and signatures -> output       lists of its sequences --+
//!                                      ^--- empty lists, to be used again ---+                      |
//! a thread, from the second on                                             lists -> sections <------+
//! ```
//!
//! As much as may be kept stays in memory, and the rest is in files without a name. To write these takes as long as to write the
//! signatures, so it is done meanwhile.

use crate::collection::{Catalogue, Lists};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};
use warpseq_io::error::{FileError, Result};
use warpseq_io::output::spool::Spool;

/// Bytes of a section that stay in memory, unless more may.
const KEPT: usize = 1 << 20;
/// Lists that wait for the thread.
const AHEAD: usize = 2;

/// The sections behind the signatures, but for the numbers of first windows, which follow from the lengths.
pub struct Waiting {
    pub present: Spool,
    pub words: Spool,
    pub lengths: Spool,
    pub name_offsets: Spool,
    pub names: Spool,
    /// Bytes of the number of words of a window.
    word_width: u64,
}

impl Waiting {
    /// Empty sections, which grow in `folder`.
    pub fn new(word_width: u64, folder: &Path) -> Self {
        let section = || Spool::new(KEPT, folder);
        let (present, words, lengths) = (section(), section(), section());
        Self { present, words, lengths, name_offsets: section(), names: section(), word_width }
    }

    /// Keeps about so many bytes in memory from here on, if these are more than without. Words are the most of proteins in windows.
    pub fn keep(&mut self, bytes: usize) {
        let part = bytes / 6;
        let Self { present, words, lengths, name_offsets, names, .. } = self;
        words.keep(KEPT.max(2 * part));
        [present, lengths, name_offsets, names].into_iter().for_each(|section| section.keep(KEPT.max(part)));
    }

    /// Takes the lists of the next sequences.
    ///
    /// # Errors
    /// Those of temporary files.
    pub fn take(&mut self, lists: &Lists) -> Result<()> {
        self.present.put(&lists.present)?;
        let numbers = lists.words.iter().map(|words| words.to_le_bytes());
        self.words.put_with(|bytes| match self.word_width {
            1 => bytes.extend(numbers.map(|[lowest, ..]| lowest)),
            2 => bytes.extend(numbers.flat_map(|[low, high, ..]| [low, high])),
            4 => bytes.extend(numbers.flatten()),
            _ => {}
        })?;
        self.names.put(&lists.names)?;
        put_numbers(&mut self.lengths, &lists.lengths)?;
        put_numbers(&mut self.name_offsets, &lists.name_offsets)
    }
}

fn put_numbers(spool: &mut Spool, numbers: &[u64]) -> Result<()> {
    spool.put_with(|bytes| numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes())))
}

/// Who puts the lists of batches into their sections.
pub enum Gathering {
    /// Whoever hands them over, as long as there is one batch.
    Here(Box<Waiting>),
    Thread(Thread),
    /// Nobody, after an error.
    Nowhere,
}

pub struct Thread {
    full: SyncSender<Lists>,
    empty: Receiver<Lists>,
    taken: JoinHandle<Result<Waiting>>,
}

impl Gathering {
    /// Nothing has come.
    pub fn new(waiting: Waiting) -> Self {
        Self::Here(Box::new(waiting))
    }

    /// Keeps about so many bytes in memory, as [`Waiting::keep`]. To be told before anything comes.
    pub fn keep(&mut self, bytes: usize) {
        if let Self::Here(waiting) = self {
            waiting.keep(bytes);
        }
    }

    /// Takes the lists of a catalogue.
    ///
    /// # Errors
    /// Those of temporary files, maybe with one of the next lists or in [`Gathering::finish`].
    pub fn take(&mut self, catalogue: &mut Catalogue) -> Result<()> {
        let thread = match std::mem::replace(self, Self::Nowhere) {
            Self::Here(mut waiting) if waiting.lengths.is_empty() => {
                waiting.take(&catalogue.hand_over(Lists::default()))?;
                *self = Self::Here(waiting);
                return Ok(());
            }
            Self::Here(waiting) => Thread::start(*waiting)?,
            Self::Thread(thread) => thread,
            Self::Nowhere => return Ok(()),
        };
        let lists = catalogue.hand_over(thread.empty.try_recv().unwrap_or_default());
        if thread.full.send(lists).is_err() {
            return thread.end().map(drop);
        }
        *self = Self::Thread(thread);
        Ok(())
    }

    /// All that was taken.
    ///
    /// # Errors
    /// Those of temporary files.
    ///
    /// # Panics
    /// After an error.
    pub fn finish(self) -> Result<Waiting> {
        match self {
            Self::Here(waiting) => Ok(*waiting),
            Self::Thread(thread) => thread.end(),
            Self::Nowhere => panic!("there was an error before"),
        }
    }
}

impl Thread {
    fn start(mut waiting: Waiting) -> Result<Self> {
        let ((full, to_take), (used, empty)) = (sync_channel::<Lists>(AHEAD), sync_channel(AHEAD + 1));
        let fault = |source| FileError::File { path: "(a thread)".into(), action: "start", source };
        let take = move || {
            for lists in to_take {
                waiting.take(&lists)?;
                // Nobody takes them when there is nothing more to come.
                _ = used.try_send(lists);
            }
            Ok(waiting)
        };
        Ok(Self { full, empty, taken: Builder::new().name("sections".into()).spawn(take).map_err(fault)? })
    }

    /// Waits for all that was handed over.
    fn end(self) -> Result<Waiting> {
        drop(self.full);
        self.taken.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Parameters, Records, Signatures};

    fn gather(folder: &Path, batches: usize, sequences: usize) -> Result<Waiting> {
        let (mut gathering, mut catalogue) =
            (Gathering::new(Waiting::new(1, folder)), Catalogue::new(&Parameters::QUT));
        let batch = Records::from_iter((0..sequences).map(|k| (format!("s{k}"), "MKV")));
        let signatures = Signatures { bytes: vec![1; 8 * sequences], present: vec![1; sequences] };
        for _ in 0..batches {
            catalogue.add(&batch, &signatures, &mut vec![7; sequences]);
            gathering.take(&mut catalogue)?;
        }
        let mut waiting = gathering.finish()?;
        waiting.take(&catalogue.lists)?;
        Ok(waiting)
    }

    #[test]
    fn a_thread_takes_what_the_writer_would() {
        let folder = std::env::temp_dir();
        let contents = |mut waiting: Waiting| {
            let mut all = Vec::new();
            let Waiting { present, words, lengths, names, .. } = &mut waiting;
            for spool in [present, words, lengths, names] {
                let take = |bytes: &[u8]| {
                    all.extend_from_slice(bytes);
                    Ok(())
                };
                spool.each(take).unwrap();
            }
            (all, waiting.name_offsets.len())
        };
        for (batches, sequences) in [(1, 3), (2, 5), (7, 13), (9, 50_000)] {
            let mut expected = Waiting::new(1, &folder);
            let all = batches * sequences;
            let names: Vec<u8> = (0..all).flat_map(|k| format!("s{}", k % sequences).into_bytes()).collect();
            let present = (0..all).step_by(8).map(|first| u8::MAX >> (8 - (all - first).min(8))).collect();
            let lists =
                Lists { names, name_offsets: vec![0; all + 1], lengths: vec![3; all], present, words: vec![7; all] };
            expected.take(&lists).unwrap();
            assert!(contents(gather(&folder, batches, sequences).unwrap()) == contents(expected), "{batches}");
        }
    }

    #[test]
    fn a_folder_that_takes_no_file_is_an_error_at_the_latest_at_the_end() {
        for batches in [1, 3, 20] {
            let error = gather(Path::new("/nowhere"), batches, 200_000).map(drop).unwrap_err();
            assert!(error.to_string().contains("/nowhere"), "{error}");
        }
    }
}
