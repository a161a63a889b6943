//! Writes a signature file in one pass.

use super::layout::{Layout, word_width};
use super::{ALIGNMENT, VERSION, header};
use crate::collection::{Catalogue, Collection, windows_of};
use crate::sink::Sink;
use crate::{Parameters, Records, Signatures};
use warpseq_io::error::Result;
use warpseq_io::format::{END, u64s};
use warpseq_io::output::spool::Spool;
use xxhash_rust::xxh3::Xxh3;

/// Bytes of a section that stay in memory.
const KEPT: usize = 1 << 20;
/// Bytes that go into the checksum, and out, at a time.
const PIECE: usize = 1 << 17;

/// Writes a signature file. Signatures go out as they come. What comes behind them waits, a megabyte of each section in memory
/// and the rest in files without a name, so there may be any number of sequences.
pub struct Writer<W> {
    out: Sealed<W>,
    catalogue: Catalogue,
    version: u32,
    parameters: Parameters,
    waiting: Waiting,
}

/// The sections behind the signatures, but for the numbers of first windows, which follow from the lengths.
struct Waiting {
    present: Spool,
    words: Spool,
    lengths: Spool,
    name_offsets: Spool,
    names: Spool,
    /// Bytes of the number of words of a window.
    word_width: u64,
}

impl<W: Sink> Writer<W> {
    /// Starts a file with its header.
    ///
    /// # Errors
    /// Those of [`Parameters::check`] and of `out`.
    pub fn new(out: W, parameters: &Parameters) -> warpseq_engine::error::Result<Self> {
        Self::of_version(out, parameters, VERSION)
    }

    /// Starts a file of this or an older version. One of version 1 has no words, and all k-mers count.
    ///
    /// # Errors
    /// Those of [`Writer::new`].
    pub fn of_version(out: W, parameters: &Parameters, version: u32) -> warpseq_engine::error::Result<Self> {
        parameters.check()?;
        let section = || Spool::new(KEPT, &out.folder());
        let waiting = Waiting {
            present: section(),
            words: section(),
            lengths: section(),
            name_offsets: section(),
            names: section(),
            word_width: word_width(version, parameters.window),
        };
        let mut out = Sealed { out, checksum: Xxh3::new(), written: 0 };
        out.put(&header::encode(version, parameters))?;
        Ok(Self { out, catalogue: Catalogue::new(parameters), version, parameters: *parameters, waiting })
    }

    /// Adds the sequences of a batch with their signatures and the [`words`](crate::words) of each window.
    ///
    /// # Errors
    /// Those of `out`.
    ///
    /// # Panics
    /// When `signatures` or `words` are not those of the batch's windows.
    pub fn write(&mut self, batch: &Records, signatures: &Signatures, words: &[u32]) -> Result<()> {
        let Self { out, catalogue, waiting, .. } = self;
        catalogue.add(batch, (signatures, words), |bytes| out.put(bytes))?;
        waiting.take(catalogue)
    }

    /// Adds the sequences of a collection that was made with the same parameters.
    ///
    /// # Errors
    /// Those of `out`.
    ///
    /// # Panics
    /// When its words are not known, and the file is to have them.
    pub fn append(&mut self, collection: &Collection) -> Result<()> {
        let are_known = collection.words.is_some() || collection.window_count() == 0;
        assert!(self.version == 1 || are_known, "words for each window");
        self.out.put(&collection.signatures)?;
        self.catalogue.add_collection(collection);
        self.waiting.take(&mut self.catalogue)
    }

    /// Writes all that comes after the signatures, and returns `out`.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn finish(self) -> Result<W> {
        let Self { mut out, mut catalogue, version, parameters, mut waiting } = self;
        waiting.take(&mut catalogue)?;
        waiting.present.put(&catalogue.present)?;
        let sizes = [waiting.lengths.len() / 8, catalogue.windows, catalogue.named];
        waiting.present.each(|bytes| out.put(bytes))?;
        out.align()?;
        waiting.words.each(|bytes| out.put(bytes))?;
        out.align()?;
        waiting.lengths.each(|bytes| out.put(bytes))?;
        let mut first = 0_u64;
        out.put(&first.to_le_bytes())?;
        waiting.lengths.each(|bytes| {
            let firsts = u64s(bytes).flat_map(|length| {
                first += windows_of(parameters.window, length);
                first.to_le_bytes()
            });
            out.put(&firsts.collect::<Vec<u8>>())
        })?;
        waiting.name_offsets.each(|bytes| out.put(bytes))?;
        waiting.names.each(|bytes| out.put(bytes))?;
        out.align()?;
        let layout = Layout::new(version, &parameters, sizes).expect("what was written has a length");
        out.put(&layout.encode())?;
        let checksum = out.checksum.digest();
        out.put(&checksum.to_le_bytes())?;
        out.put(&END)?;
        debug_assert_eq!(out.written, layout.total);
        Ok(out.out)
    }
}

impl Waiting {
    /// Takes what has come to the lists of the catalogue, and empties them.
    fn take(&mut self, catalogue: &mut Catalogue) -> Result<()> {
        self.present.put(&catalogue.present[..catalogue.full_bytes()])?;
        let numbers = catalogue.words.iter().map(|words| words.to_le_bytes());
        self.words.put_with(|bytes| match self.word_width {
            1 => bytes.extend(numbers.map(|[lowest, ..]| lowest)),
            2 => bytes.extend(numbers.flat_map(|[low, high, ..]| [low, high])),
            4 => bytes.extend(numbers.flatten()),
            _ => {}
        })?;
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
        self.written += bytes.len() as u64;
        // What is read for the checksum is still in a near cache when it is copied.
        bytes.chunks(PIECE).try_for_each(|piece| {
            self.checksum.update(piece);
            self.out.put(piece)
        })
    }

    /// Fills up with zeros to where a section may start.
    fn align(&mut self) -> Result<()> {
        let missing = self.written.next_multiple_of(ALIGNMENT) - self.written;
        self.put(&[0; ALIGNMENT as usize][..missing as usize])
    }
}
