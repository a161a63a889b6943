//! Writes a signature file in one pass.

use super::layout::{Layout, word_width};
use super::waiting::{Gathering, Waiting};
use super::{ALIGNMENT, VERSION, header};
use crate::collection::{Catalogue, Collection, are_all, windows_of};
use crate::sink::Sink;
use crate::{Parameters, Records, Signatures};
use warpseq_io::error::Result;
use warpseq_io::format::END;
use xxhash_rust::xxh3::Xxh3;

/// Bytes that go into the checksum, and out, at a time.
const PIECE: usize = 1 << 17;

/// Writes a signature file. Signatures go out as they come. What comes behind them waits, so there may be any number of
/// sequences.
pub struct Writer<W> {
    out: Sealed<W>,
    catalogue: Catalogue,
    version: u32,
    parameters: Parameters,
    gathering: Gathering,
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
        let gathering = Gathering::new(Waiting::new(word_width(version, parameters.window), &out.folder()));
        let mut out = Sealed { out, checksum: Xxh3::new(), written: 0 };
        out.put(&header::encode(version, parameters))?;
        Ok(Self { out, catalogue: Catalogue::new(parameters), version, parameters: *parameters, gathering })
    }

    /// The same file. Until the signatures are written, about so many bytes of what comes behind them stay in memory.
    pub fn keeping(mut self, bytes: usize) -> Self {
        self.gathering.keep(bytes);
        self
    }

    /// Adds the sequences of a batch with their signatures and the [`words`](crate::words) of each window, 0 where there is none. In the place
    /// of the last two are other lists then, whose contents are unspecified.
    ///
    /// # Errors
    /// Those of `out`.
    ///
    /// # Panics
    /// When `signatures` or `words` are not those of the batch's windows.
    pub fn write(&mut self, batch: &Records, signatures: &mut Signatures, words: &mut Vec<u32>) -> Result<()> {
        let (Self { out, catalogue, gathering, parameters, .. }, windows) = (self, signatures.len());
        let (kept, width) = (catalogue.add(batch, signatures, words), parameters.width());
        if are_all(&kept, windows) {
            out.give(&mut signatures.bytes)?;
        } else {
            let mut bytes = kept.iter().map(|windows| &signatures.bytes[windows.start * width..windows.end * width]);
            bytes.try_for_each(|bytes| out.put(bytes))?;
        }
        gathering.take(catalogue)
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
        self.gathering.take(&mut self.catalogue)
    }

    /// Writes all that comes after the signatures, and returns `out`.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn finish(self) -> Result<W> {
        let Self { mut out, catalogue, version, parameters, gathering } = self;
        let mut waiting = gathering.finish()?;
        waiting.take(&catalogue.lists)?;
        let sizes = [waiting.lengths.len() / 8, catalogue.windows, catalogue.named];
        waiting.present.give_each(|bytes| out.give(bytes))?;
        out.align()?;
        waiting.words.give_each(|bytes| out.give(bytes))?;
        out.align()?;
        waiting.lengths.each(|bytes| out.put(bytes))?;
        let mut first = 0_u64;
        out.put(&first.to_le_bytes())?;
        waiting.lengths.give_each(|bytes| {
            for length in bytes.as_chunks_mut().0 {
                first += windows_of(parameters.window, u64::from_le_bytes(*length));
                *length = first.to_le_bytes();
            }
            out.give(bytes)
        })?;
        waiting.name_offsets.give_each(|bytes| out.give(bytes))?;
        waiting.names.give_each(|bytes| out.give(bytes))?;
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

    /// The same, with the memory of `bytes`, in whose place is another list then.
    fn give(&mut self, bytes: &mut Vec<u8>) -> Result<()> {
        self.written += bytes.len() as u64;
        self.checksum.update(bytes);
        self.out.give(bytes)
    }

    /// Fills up with zeros to where a section may start.
    fn align(&mut self) -> Result<()> {
        let missing = self.written.next_multiple_of(ALIGNMENT) - self.written;
        self.put(&[0; ALIGNMENT as usize][..missing as usize])
    }
}
