//! The text of an input: its bytes, decompressed, as blocks in order.
//!
//! ```text
//! Text::next (one thread, in order) -> Block -> Block::fill (any thread, in any order) -> text
//! ```
//!
//! A block that is handed out is still to be made: what can be done without the blocks before it is done by the thread that fills
//! it. Blocks end anywhere, within a line too.
//!
//! # Who does what
//!
//! | input | `next` | `fill` | other threads |
//! |---|---|---|---|
//! | regular file | counts | reads its part | |
//! | pipe | reads | | |
//! | BGZF, a regular file | follows the lengths of the blocks | reads its blocks, decompresses, checks | |
//! | BGZF of a pipe | reads, follows the lengths of the blocks | decompresses, checks | |
//! | gzip, a regular file | | | decompress: three quarters as many as the program has |
//! | gzip of a pipe, bzip2, xz, zstd | | | one decompresses |
//!
//! gzip of a small file is as that of a pipe, and so it is where the program has fewer than five threads: `parallel.rs` says why.
//! Where the program has one thread, `next` decompresses what other threads would. So it does for a [`Text::new`], whose input
//! cannot be left alone: nothing could end a thread that waits for it.
//!
//! # Memory
//!
//! The blocks that the caller holds, each of about `block_bytes`; up to four whose memory is kept for the next ones, and three more
//! where a decoder runs ahead; and what the decoder keeps: 32 KiB for gzip, 4 MiB for bzip2, the dictionary of xz (`xz -9`:
//! 64 MiB) and the window of zstd (`zstd -19`: 8 MiB).
//! `parallel.rs` says what the threads of gzip take.
//!
//! # Why it is right at the edges
//!
//! Whatever the blocks, and whoever fills them in which order: the text is what one thread would read, and damage comes after the
//! same bytes with the same words. A compressed file of several members is read to its end, and what follows the last one is
//! damage, unless the format allows it.

mod ahead;
mod bgzf;
mod bzip2;
mod compression;
mod deflate;
mod input;
mod marks;
mod parallel;
mod part;
mod plain;
mod serial;
mod stream;
mod streams;
mod tape;
mod xz;
mod zstd;

#[cfg(test)]
mod tests;

use crate::error::{FileError, Result};
use crate::gzip;
use crate::profile::{self, Phase};
use ahead::{Ahead, Awaited};
use compression::{Compression, TELLING};
use input::{Counted, Gate, Input};
pub use marks::{Mark, Marks};
use parallel::Parallel;
pub use part::{Measure, Part, measure};
use plain::{Parts, Place};
pub use serial::Serial;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use stream::Stream;
use streams::Fault;
use tape::Tape;

/// Compressed bytes read at a time where one thread decompresses.
const BUFFER_BYTES: usize = 1 << 18;

/// Why reading failed before the end of the input.
#[derive(Debug)]
pub enum Damage {
    /// The compressed stream is truncated or damaged.
    Compressed(String),
    /// The system cannot read the input.
    Unreadable(io::Error),
}

/// What an error of a decoder, or of its input, says.
fn damage_of(error: io::Error) -> Damage {
    let fault = error.get_ref().and_then(|source| source.downcast_ref::<Fault>());
    match (gzip::damage(&error), fault) {
        (Some(damage), _) => Damage::Compressed(damage.to_string()),
        (_, Some(fault)) => Damage::Compressed(fault.to_string()),
        _ => Damage::Unreadable(error),
    }
}

/// What fills a block.
type Fill = dyn FnOnce(&mut Vec<u8>) -> std::result::Result<(), Damage> + Send;

/// A block that is still to be made.
pub struct Block {
    fill: Box<Fill>,
    /// What making it is.
    phase: Phase,
}

impl Block {
    /// Appends the text of the block to `text`. An empty `text` may be exchanged for another vector.
    ///
    /// # Errors
    /// Why the block is not whole. What comes before the damage has been appended then.
    pub fn fill(self, text: &mut Vec<u8>) -> std::result::Result<(), Damage> {
        let _filled = profile::enter(self.phase);
        (self.fill)(text)
    }
}

/// Hands out what fills the blocks.
trait Source: Send {
    /// For the next block. After `None` it is not called again.
    fn next(&mut self) -> Option<Box<Fill>>;

    /// Whether `next` would not wait for what comes from outside, as far as is known.
    fn is_ready(&mut self) -> bool {
        true
    }

    /// Whether `next` makes the text of the block itself, which takes a while.
    fn makes(&self) -> bool {
        false
    }

    /// What reads on after the last block.
    fn then(&mut self) -> Option<Box<dyn Source>> {
        None
    }
}

/// The text of one input.
pub struct Text {
    source: Option<Box<dyn Source>>,
    phase: Phase,
    label: PathBuf,
    bytes_read: Arc<AtomicU64>,
    total_bytes: Option<u64>,
}

impl Text {
    /// Opens a file, or standard input for `-`, whose blocks have about `block_bytes`. At most `ahead` of them exist at a time:
    /// the caller sees to that.
    ///
    /// # Errors
    /// [`FileError::File`] if it is a directory or cannot be opened or read.
    pub fn open(path: &Path, block_bytes: usize, ahead: usize) -> Result<Self> {
        let (input, label) = Input::open(path)?;
        Self::of(input, &label, block_bytes, ahead).map_err(|source| unreadable(&label, source))
    }

    fn of(input: Input, label: &Path, block_bytes: usize, ahead: usize) -> io::Result<Self> {
        let (block_bytes, bytes_read) = (block_bytes.max(1), Arc::default());
        let ((source, phase), total_bytes) = match input {
            Input::File(place, end) => {
                let (total_bytes, held) = (end.saturating_sub(place.at), block_bytes.saturating_mul(ahead));
                (of_file((place, end), (block_bytes, held), u64::MAX, &bytes_read)?, Some(total_bytes))
            }
            Input::Stream(file) => (of_pipe(file, block_bytes, &bytes_read)?, None),
        };
        Ok(Self { source: Some(source), phase, label: label.to_path_buf(), bytes_read, total_bytes })
    }

    /// The text of what `source` reads, which errors call `label`. The thread that calls [`Text::next`] reads it.
    ///
    /// # Errors
    /// [`FileError::File`] if it cannot be read.
    pub fn new(source: impl Read + Send + 'static, label: &Path, block_bytes: usize) -> Result<Self> {
        let bytes_read = Arc::default();
        let mut input = Counted { input: source, bytes_read: Arc::clone(&bytes_read) };
        let (compression, start) = Compression::tell(&mut input).map_err(|source| unreadable(label, source))?;
        let source = Some(of_stream(compression, Cursor::new(start).chain(input), block_bytes.max(1), None));
        Ok(Self { source, phase: compression.phase(), label: label.to_path_buf(), bytes_read, total_bytes: None })
    }

    /// The next block; `None` at the end, and after damage that shows before the blocks are filled. May wait for the input.
    #[expect(clippy::should_implement_trait, reason = "a text of blocks is no collection: a block may be damage")]
    pub fn next(&mut self) -> Option<Block> {
        while let Some(source) = &mut self.source {
            let filled = profile::enter(self.phase);
            let fill = source.next();
            drop(filled);
            if let Some(fill) = fill {
                return Some(Block { fill, phase: self.phase });
            }
            self.source = source.then();
        }
        None
    }

    /// Whether [`Text::next`] would not wait for a pipe or a decoder. Who has other blocks to read uses those first, so that what a
    /// slow pipe has given is not held back.
    pub fn is_ready(&mut self) -> bool {
        self.source.as_mut().is_none_or(|source| source.is_ready())
    }

    /// Whether [`Text::next`] makes the text itself, and [`Block::fill`] does next to nothing.
    pub fn makes(&self) -> bool {
        self.source.as_ref().is_some_and(|source| source.makes())
    }

    /// The name of the input in errors.
    pub fn label(&self) -> &Path {
        &self.label
    }

    /// Bytes read from the input so far, compressed ones if it is compressed: for a progress bar.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes_read)
    }

    /// The size of a regular file in bytes, compressed ones if it is compressed.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total_bytes
    }
}

/// The error of a text that cannot be read.
pub fn unreadable(label: &Path, source: io::Error) -> FileError {
    FileError::File { path: label.to_path_buf(), action: "read", source }
}

/// Whether the program has more threads than the one that asks for blocks.
fn has_threads() -> bool {
    rayon::current_num_threads() > 1
}

/// A source, and what making its blocks is.
type Phased = (Box<dyn Source>, Phase);

/// The blocks of a regular file, each of `block_bytes`. The caller may hold `held` bytes of them. Those of a plain file or BGZF that
/// begin at `ahead` or behind it are not to be had before they are asked for.
fn of_file(
    (place, end): (Place, u64),
    (block_bytes, held): (usize, usize),
    ahead: u64,
    bytes_read: &Arc<AtomicU64>,
) -> io::Result<Phased> {
    let mut start = Vec::with_capacity(TELLING);
    place.clone().take(TELLING as u64).read_to_end(&mut start)?;
    let (compression, _) = Compression::tell(&mut &start[..])?;
    let (bytes_read, phase) = (Arc::clone(bytes_read), compression.phase());
    if compression == Compression::None {
        return Ok((Box::new(Parts::new(place, end, ahead, block_bytes, bytes_read)), phase));
    }
    let bytes = end.saturating_sub(place.at);
    if let (Compression::Gzip, Some(workers)) = (compression, parallel::workers(bytes, held))
        && let Some(parallel) = Parallel::new(place.clone(), workers, Arc::clone(&bytes_read))
    {
        return Ok((Box::new(Stream::new(parallel, block_bytes)), phase));
    }
    let left = ahead.saturating_sub(place.at);
    let input = Counted { input: place, bytes_read };
    let source: Box<dyn Source> = match compression {
        Compression::Bgzf => Box::new(bgzf::Blocks::new(input, block_bytes, None).of_part(left)),
        _ if has_threads() => Ahead::start(decoded(compression, input, block_bytes), None),
        _ => Box::new(decoded(compression, input, block_bytes)),
    };
    Ok((source, phase))
}

/// The blocks of a pipe or the like.
fn of_pipe(file: File, block_bytes: usize, bytes_read: &Arc<AtomicU64>) -> io::Result<Phased> {
    let mut file = Arc::new(file);
    let (compression, start) = Compression::tell(&mut file)?;
    let gate = Some(Gate(Arc::clone(&file)));
    bytes_read.fetch_add(start.len() as u64, Ordering::Relaxed);
    let (start, bytes_read) = (Cursor::new(start), Arc::clone(bytes_read));
    // Where the system gives no pipe, it is done without a thread.
    if has_threads()
        && compression.is_serial()
        && let Ok((stopped, stop)) = io::pipe()
    {
        let input = start.chain(Counted { input: Awaited::new(file, stopped), bytes_read });
        let stream = decoded(compression, input, block_bytes).behind(gate);
        return Ok((Ahead::start(stream, Some(stop)), compression.phase()));
    }
    let source = of_stream(compression, start.chain(Counted { input: file, bytes_read }), block_bytes, gate);
    Ok((source, compression.phase()))
}

/// The blocks of what the caller's thread reads, through `gate` if it may wait.
fn of_stream(
    compression: Compression,
    input: impl Read + Send + 'static,
    block_bytes: usize,
    gate: Option<Gate>,
) -> Box<dyn Source> {
    match compression {
        Compression::None => Box::new(Stream::new(input, block_bytes).behind(gate)),
        Compression::Bgzf => Box::new(bgzf::Blocks::new(Tape::new(input), block_bytes, gate)),
        _ => Box::new(decoded(compression, input, block_bytes).behind(gate)),
    }
}

/// What one thread decompresses.
fn decoded(compression: Compression, input: impl Read + Send + 'static, block_bytes: usize) -> Stream {
    Stream::new(compression.decoder(BufReader::with_capacity(BUFFER_BYTES, input)), block_bytes)
}
