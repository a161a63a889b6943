//! `output`: files that appear complete or not at all.
//!
//! # Definition
//!
//! ```text
//! none, "-"             standard output
//! device, pipe, socket  written directly
//! any other FILE        a file without a name in the same folder -> FILE in finish()
//! FILE.gz               the same, as BGZF with its end-of-file block
//! ```
//!
//! A reader of FILE sees either the old content or all of the new. If a run has several outputs, all are complete before the
//! first is there. An [`Output`] dropped without [`Output::finish`], after an error or in a panic, leaves FILE as it was and no
//! other file. [`catch_signals`] makes signals do the same. Where a file system has no files without names, they are called
//! `.warpseq.<random>.tmp`, and SIGKILL leaves one.
//!
//! # At the edges
//!
//! - A symbolic link is followed: the file it names is replaced, or created, and not the link.
//! - A new file has the usual permissions, 0666 less the umask. A replaced file passes on its permissions. A file without write
//!   permission is not replaced.
//! - An output that is also an input, under any name, is refused before anything is written. That holds for standard output too.
//! - A closed pipe is [`FileError::ClosedPipe`], which ends the program quietly. Every other failure is a [`FileError::File`],
//!   also one of the last flush.

mod behind;
pub mod beside;
mod blocks;
pub mod places;
pub mod spool;
mod target;
mod temporary;

pub(crate) use temporary::remove_temporaries_unless_busy;
pub use temporary::{Scratch, catch_signals, remove_temporaries};

use crate::error::{FileError, Result};
use crate::table::{Shown, Unknown, View};
use behind::Behind;
use blocks::Blocks;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use target::Target;
use temporary::Temporary;

/// Bytes gathered before a write.
const BUFFER_BYTES: usize = 1 << 18;

/// A file or stream for results. They are sure to be there only after [`Output::finish`].
pub struct Output {
    encoder: Encoder,
    /// Its name in errors.
    label: PathBuf,
    /// The file to rename, if there is one.
    temporary: Option<Temporary>,
    /// Written before the first bytes; empty once it is.
    header: Vec<u8>,
    /// How the table is shown that is written; `None`: as it is.
    shown: Option<Box<Shown>>,
}

enum Encoder {
    /// A stream, whose readers wait.
    Plain(BufWriter<File>),
    /// A file that nobody reads before it is finished.
    Behind(Behind),
    Bgzf(Blocks),
}

impl Output {
    /// Opens `path`, or standard output for `None` and `-`. It must not be one of `inputs`, the files that the run reads.
    ///
    /// # Errors
    ///
    /// [`FileError::Unusable`] if `path` is one of `inputs`, [`FileError::File`] if it cannot be written.
    pub fn create(path: Option<&Path>, inputs: &[&Path]) -> Result<Self> {
        Self::open(Target::find(path, inputs)?)
    }

    fn open(target: Target) -> Result<Self> {
        let compress = target.label().extension().is_some_and(|extension| extension == "gz");
        let label = target.label().to_path_buf();
        let (file, temporary) = target.open()?;
        let buffered = |file| BufWriter::with_capacity(BUFFER_BYTES, file);
        let encoder = match &temporary {
            _ if compress => Encoder::Bgzf(Blocks::new(buffered(file))),
            Some(_) => Encoder::Behind(Behind::new(file)),
            None => Encoder::Plain(buffered(file)),
        };
        Ok(Self { encoder, label, temporary, header: Vec::new(), shown: None })
    }

    /// Shows the table that is written from here on, the first line of which names its columns, as `view` says. What is written as it is
    /// costs nothing.
    pub fn show(&mut self, view: &View) {
        self.shown = (*view != View::default()).then(|| Box::new(Shown::new(view)));
    }

    /// Writes `header` before the first bytes, or in [`Output::finish`] if there are none. So a run that fails early prints nothing.
    ///
    /// # Errors
    /// [`FileError::Usage`] for columns that it lacks.
    pub fn begin_with(&mut self, header: Vec<u8>) -> Result<()> {
        self.header = match &mut self.shown {
            None => header,
            Some(shown) => shown.take(&header).map_err(|unknown| FileError::Usage(unknown.to_string()))?.to_vec(),
        };
        Ok(())
    }

    /// Writes all of `bytes`.
    ///
    /// # Errors
    ///
    /// [`FileError::ClosedPipe`] or [`FileError::File`].
    pub fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.write_all(bytes).map_err(|error| self.fault(error))
    }

    /// Writes all of `bytes`, and may take their memory: what is in their place then is another list, with unspecified contents.
    ///
    /// # Errors
    ///
    /// [`FileError::ClosedPipe`] or [`FileError::File`].
    pub fn give(&mut self, bytes: &mut Vec<u8>) -> Result<()> {
        match &mut self.encoder {
            Encoder::Behind(behind) if self.header.is_empty() && self.shown.is_none() => {
                behind.give(bytes).map_err(|error| fault(&self.label, error))
            }
            _ => self.put(bytes),
        }
    }

    /// Turns an error of [`Write`] for this output into [`FileError::ClosedPipe`] or [`FileError::File`].
    pub fn fault(&self, error: io::Error) -> FileError {
        fault(&self.label, error)
    }

    /// Writes what is buffered, and renames the file.
    ///
    /// # Errors
    ///
    /// [`FileError::ClosedPipe`] or [`FileError::File`]; [`FileError::Interrupted`] if a signal has removed the file.
    pub fn finish(self) -> Result<()> {
        Self::finish_all([self])
    }

    /// Finishes several outputs: none is renamed before all are complete. A closed pipe does not stop the others.
    ///
    /// # Errors
    ///
    /// Those of [`Output::finish`].
    pub fn finish_all(outputs: impl IntoIterator<Item = Self>) -> Result<()> {
        let (mut complete, mut closed) = (Vec::new(), Ok(()));
        for output in outputs {
            match output.complete() {
                Err(FileError::ClosedPipe) => closed = Err(FileError::ClosedPipe),
                outcome => complete.push(outcome?),
            }
        }
        Complete::rename_all(complete)?;
        closed
    }

    /// Writes what is buffered. Nothing can be written any more.
    ///
    /// # Errors
    ///
    /// [`FileError::ClosedPipe`] or [`FileError::File`].
    pub fn complete(mut self) -> Result<Complete> {
        let header = std::mem::take(&mut self.header);
        self.encoder.writer().write_all(&header).map_err(|error| self.fault(error))?;
        let Self { encoder, label, temporary, .. } = self;
        let written = match encoder {
            Encoder::Plain(mut plain) => plain.flush(),
            Encoder::Behind(behind) => behind.finish(),
            Encoder::Bgzf(blocks) => blocks.finish().and_then(|mut plain| plain.flush()),
        };
        written.map_err(|error| fault(&label, error))?;
        Ok(Complete(temporary.map(|temporary| (temporary, label))))
    }
}

/// An output that is written, and not yet in its place.
pub struct Complete(Option<(Temporary, PathBuf)>);

impl Complete {
    /// Puts all into their places.
    ///
    /// # Errors
    /// [`FileError::File`]; [`FileError::Interrupted`] if a signal has removed a file.
    pub fn rename_all(complete: Vec<Self>) -> Result<()> {
        Temporary::rename_all(complete.into_iter().filter_map(|Self(file)| file).collect())
    }
}

/// Refuses `path` as an output if it is one of `inputs`, for inputs that are read before the output is opened.
///
/// # Errors
///
/// [`FileError::Unusable`].
pub fn refuse_inputs(path: Option<&Path>, inputs: &[&Path]) -> Result<()> {
    Target::find(path, inputs).map(|_is_none| ())
}

/// Turns an error of writing to the output called `label` into [`FileError::ClosedPipe`] or [`FileError::File`].
pub fn fault(label: &Path, source: io::Error) -> FileError {
    if let Some(unknown) = source.get_ref().and_then(|source| source.downcast_ref::<Unknown>()) {
        return FileError::Usage(unknown.to_string());
    }
    match source.kind() {
        ErrorKind::BrokenPipe => FileError::ClosedPipe,
        _ => FileError::File { path: label.to_path_buf(), action: "write", source },
    }
}

impl Encoder {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Plain(plain) => plain,
            Self::Behind(behind) => behind,
            Self::Bgzf(blocks) => blocks,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.header.is_empty() {
            self.encoder.writer().write_all(&std::mem::take(&mut self.header))?;
        }
        let Some(shown) = self.shown.as_mut().filter(|shown| !shown.is_over()) else {
            return self.encoder.writer().write(bytes);
        };
        let shown = shown.take(bytes).map_err(io::Error::other)?;
        self.encoder.writer().write_all(shown)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.writer().flush()
    }
}
