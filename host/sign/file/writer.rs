//! Writes a signature file in one pass.
//!
//! While the calling thread writes the signatures of a batch, another one adds them to the checksum, and lists the sequences.

use super::layout::Layout;
use super::{ALIGNMENT, END, header, u64s};
use crate::collection::{Catalogue, windows_of};
use crate::sink::Sink;
use crate::{Parameters, Records, Signatures, Window};
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;
use warpseq_io::error::Result;
use warpseq_io::output::spool::Spool;
use xxhash_rust::xxh3::Xxh3;

/// Bytes of a section that stay in memory.
const KEPT: usize = 1 << 20;

/// Writes a signature file. Signatures go out as they come. What comes behind them waits, a megabyte of each section in memory
/// and the rest in files without a name, so there may be any number of sequences.
pub struct Writer<W> {
    out: Sealed<W>,
    catalogue: Catalogue,
    window: Window,
    waiting: Waiting,
}

/// The sections behind the signatures, but for the numbers of first windows, which follow from the lengths.
struct Waiting {
    present: Spool,
    lengths: Spool,
    name_offsets: Spool,
    names: Spool,
}

impl<W: Sink> Writer<W> {
    /// Starts a file with its header.
    ///
    /// # Errors
    /// Those of [`Parameters::check`] and of `out`.
    pub fn new(out: W, parameters: &Parameters) -> warpseq_engine::error::Result<Self> {
        parameters.check()?;
        let section = || Spool::new(KEPT, &out.folder());
        let waiting = Waiting { present: section(), lengths: section(), name_offsets: section(), names: section() };
        let mut out = Sealed { out, checksum: Xxh3::new(), written: 0 };
        out.put(&header::encode(parameters))?;
        Ok(Self { out, catalogue: Catalogue::new(parameters), window: parameters.window, waiting })
    }

    /// Adds the sequences of a batch with their signatures.
    ///
    /// # Errors
    /// Those of `out`.
    ///
    /// # Panics
    /// When `signatures` are not those of the batch's windows.
    pub fn write(&mut self, batch: &Records, signatures: &Signatures) -> Result<()> {
        let Self { out: Sealed { out, checksum, written }, catalogue, waiting, .. } = self;
        let (kept, width) = (catalogue.kept(batch, signatures.len()), catalogue.width);
        let runs = || kept.iter().map(|run| &signatures.bytes[run.start * width..run.end * width]);
        *written += runs().map(|run| run.len() as u64).sum::<u64>();
        let list = || {
            runs().for_each(|run| checksum.update(run));
            catalogue.add(batch, &signatures.present, &kept);
            waiting.take(catalogue)
        };
        beside(list, || runs().try_for_each(|run| out.put(run)))
    }

    /// Writes all that comes after the signatures, and returns `out`.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn finish(self) -> Result<W> {
        let Self { mut out, mut catalogue, window, mut waiting } = self;
        waiting.take(&mut catalogue)?;
        waiting.present.put(&catalogue.present)?;
        let sizes = [waiting.lengths.len() / 8, catalogue.windows, catalogue.named];
        waiting.present.each(|bytes| out.put(bytes))?;
        out.align()?;
        waiting.lengths.each(|bytes| out.put(bytes))?;
        let mut first = 0_u64;
        out.put(&first.to_le_bytes())?;
        waiting.lengths.each(|bytes| {
            let firsts = u64s(bytes).flat_map(|length| {
                first += windows_of(window, length);
                first.to_le_bytes()
            });
            out.put(&firsts.collect::<Vec<u8>>())
        })?;
        waiting.name_offsets.each(|bytes| out.put(bytes))?;
        waiting.names.each(|bytes| out.put(bytes))?;
        out.align()?;
        let layout = Layout::new(catalogue.width as u64, sizes).expect("what was written has a length");
        out.put(&layout.encode())?;
        let checksum = out.checksum.digest();
        out.put(&checksum.to_le_bytes())?;
        out.put(&END)?;
        debug_assert_eq!(out.written, layout.total);
        Ok(out.out)
    }
}

/// Does `other` on a thread of its own, where there can be one, while the caller's does `work`: the system takes its time over
/// writing, and what is to be known of the bytes needs nothing of that.
fn beside(other: impl FnOnce() -> Result<()> + Send, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let other = Mutex::new(Some(other));
    let begin = || other.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), |other| other());
    thread::scope(|scope| {
        let started = thread::Builder::new().spawn_scoped(scope, begin);
        let done = work();
        let others =
            started.map_or_else(|_| begin(), |thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        done.and(others)
    })
}

impl Waiting {
    /// Takes what has come to the lists of the catalogue, and empties them.
    fn take(&mut self, catalogue: &mut Catalogue) -> Result<()> {
        self.present.put(&catalogue.present[..catalogue.full_bytes()])?;
        self.names.put(&catalogue.names)?;
        put_numbers(&mut self.lengths, &catalogue.lengths)?;
        put_numbers(&mut self.name_offsets, &catalogue.name_offsets)?;
        catalogue.forget();
        Ok(())
    }
}

fn put_numbers(spool: &mut Spool, numbers: &[u64]) -> Result<()> {
    spool.put_with(|bytes| numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes())))
}

/// A sink whose bytes are counted and go into a checksum.
struct Sealed<W> {
    out: W,
    checksum: Xxh3,
    written: u64,
}

impl<W: Sink> Sealed<W> {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.checksum.update(bytes);
        self.written += bytes.len() as u64;
        self.out.put(bytes)
    }

    /// Fills up with zeros to where a section may start.
    fn align(&mut self) -> Result<()> {
        let missing = self.written.next_multiple_of(ALIGNMENT) - self.written;
        self.put(&[0; ALIGNMENT as usize][..missing as usize])
    }
}
