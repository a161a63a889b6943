//! `output`: where results go, complete or not at all.
//!
//! # Definition
//!
//! ```text
//! none, "-"            standard output
//! device, pipe, socket written as it is
//! any other FILE       .warpseq.<random>.tmp beside it -> rename to FILE in finish()
//! FILE.gz              the same, as BGZF with its end-of-file block
//! ```
//!
//! A reader of FILE sees the old content or the whole new one; several outputs of a run are complete before the first of them
//! gets its name. Whoever drops an [`Output`] without [`Output::finish`] (an error, a panic) leaves FILE as it was and nothing
//! beside it; [`interrupt`] does the same for signals.
//!
//! # At the edges
//!
//! - A symbolic link is followed: the file it names is replaced, not the link (unless it names none).
//! - A new file has the permissions of any new file (0666 less the umask); one that is replaced passes its own on, and one
//!   that could not be written is not replaced.
//! - A file that is also an input, under any name, is refused before anything is written, standard output too.
//! - A closed pipe is [`FileError::ClosedPipe`], which ends the program quietly; every other failure, of the last flush too, is
//!   an [`FileError::File`].

pub mod beside;
pub mod interrupt;
pub mod scratch;
pub mod spool;
mod target;
mod temporary;

pub use temporary::remove_temporaries;

use crate::error::{FileError, Result};
use noodles_bgzf as bgzf;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use target::Target;
use temporary::Temporary;

/// Bytes gathered before a write.
const BUFFER_BYTES: usize = 1 << 18;

/// A place to write results to. Nothing is certain to be there before [`Output::finish`].
pub struct Output {
    encoder: Encoder,
    /// The name of the place in errors.
    label: PathBuf,
    /// The file to be renamed, when there is one.
    temporary: Option<Temporary>,
    /// What comes before the first bytes, until they come.
    header: Vec<u8>,
}

enum Encoder {
    Plain(BufWriter<File>),
    Bgzf(bgzf::io::Writer<BufWriter<File>>),
}

impl Output {
    /// Opens `path`; standard output for `None` or `-`. `inputs` are the files that will be read: none may be written.
    ///
    /// # Errors
    ///
    /// [`FileError::Unusable`] when `path` is one of `inputs`, [`FileError::File`] when it cannot be written.
    pub fn create(path: Option<&Path>, inputs: &[&Path]) -> Result<Self> {
        Self::open(Target::find(path, inputs)?)
    }

    fn open(target: Target) -> Result<Self> {
        let compress = target.label().extension().is_some_and(|extension| extension == "gz");
        let label = target.label().to_path_buf();
        let (file, temporary) = target.open()?;
        let buffered = BufWriter::with_capacity(BUFFER_BYTES, file);
        let encoder = if compress { Encoder::Bgzf(bgzf::io::Writer::new(buffered)) } else { Encoder::Plain(buffered) };
        Ok(Self { encoder, label, temporary, header: Vec::new() })
    }

    /// Puts `header` before the first bytes, or at the end when none come, so that a run that fails early prints nothing.
    pub fn begin_with(&mut self, header: Vec<u8>) {
        self.header = header;
    }

    /// Writes all of `bytes`.
    ///
    /// # Errors
    ///
    /// [`FileError::ClosedPipe`] or [`FileError::File`].
    pub fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.write_all(bytes).map_err(|error| self.fault(error))
    }

    /// What an error of this writer's [`Write`] means: [`FileError::ClosedPipe`] or [`FileError::File`].
    pub fn fault(&self, error: io::Error) -> FileError {
        fault(&self.label, error)
    }

    /// Writes what is buffered and gives a file its name.
    ///
    /// # Errors
    ///
    /// [`FileError::ClosedPipe`] or [`FileError::File`]; [`FileError::Interrupted`] when a signal has removed the file.
    pub fn finish(self) -> Result<()> {
        Self::finish_all([self])
    }

    /// Finishes outputs together: none gets its name before all are complete. A closed pipe does not keep the others from
    /// theirs.
    ///
    /// # Errors
    ///
    /// Those of [`Output::finish`].
    pub fn finish_all(outputs: impl IntoIterator<Item = Self>) -> Result<()> {
        let (mut complete, mut closed) = (Vec::new(), Ok(()));
        for output in outputs {
            match output.complete() {
                Err(FileError::ClosedPipe) => closed = Err(FileError::ClosedPipe),
                outcome => complete.extend(outcome?),
            }
        }
        Temporary::rename_all(complete)?;
        closed
    }

    /// Writes what is buffered. The file that waits for its name, and that name in errors, when there is one.
    fn complete(mut self) -> Result<Option<(Temporary, PathBuf)>> {
        let header = std::mem::take(&mut self.header);
        self.put(&header)?;
        let Self { encoder, label, temporary, .. } = self;
        let written = match encoder {
            Encoder::Plain(mut plain) => plain.flush(),
            Encoder::Bgzf(bgzf) => bgzf.finish().and_then(|mut plain| plain.flush()),
        };
        written.map_err(|error| fault(&label, error))?;
        Ok(temporary.map(|temporary| (temporary, label)))
    }
}

/// Refuses `path` as an output when it is one of `inputs`, for inputs that are read before the output is opened.
///
/// # Errors
///
/// [`FileError::Unusable`].
pub fn refuse_inputs(path: Option<&Path>, inputs: &[&Path]) -> Result<()> {
    Target::find(path, inputs).map(|_is_none| ())
}

/// What an error of writing to the place called `label` means: [`FileError::ClosedPipe`] or [`FileError::File`].
pub fn fault(label: &Path, source: io::Error) -> FileError {
    match source.kind() {
        ErrorKind::BrokenPipe => FileError::ClosedPipe,
        _ => FileError::File { path: label.to_path_buf(), action: "write", source },
    }
}

impl Encoder {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Plain(plain) => plain,
            Self::Bgzf(bgzf) => bgzf,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.header.is_empty() {
            self.encoder.writer().write_all(&std::mem::take(&mut self.header))?;
        }
        self.encoder.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.writer().flush()
    }
}
