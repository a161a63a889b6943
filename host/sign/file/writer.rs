//! Writing a signature file in one pass.

use super::layout::Layout;
use super::{ALIGNMENT, END, header};
use crate::error::Result;
use crate::sign::collection::Catalogue;
use crate::sign::sink::Sink;
use crate::sign::{Batch, Parameters, Signatures};
use xxhash_rust::xxh3::Xxh3;

/// Numbers turned into bytes at a time.
const NUMBERS: usize = 8192;

/// Writes a signature file. Signatures go out as they come; per sequence its name and 16 bytes, and per window a bit, stay in
/// memory until [`Writer::finish`].
pub struct Writer<W> {
    out: Sealed<W>,
    catalogue: Catalogue,
}

impl<W: Sink> Writer<W> {
    /// Starts a file with its header.
    ///
    /// # Errors
    /// Those of [`Parameters::check`] and of `out`.
    pub fn new(out: W, parameters: &Parameters) -> Result<Self> {
        parameters.check()?;
        let mut out = Sealed { out, checksum: Xxh3::new(), written: 0 };
        out.put(&header::encode(parameters))?;
        Ok(Self { out, catalogue: Catalogue::new(parameters) })
    }

    /// Adds the sequences of a batch with their signatures.
    ///
    /// # Errors
    /// Those of `out`.
    ///
    /// # Panics
    /// When `signatures` are not those of the batch's windows.
    pub fn write(&mut self, batch: &Batch, signatures: &Signatures) -> Result<()> {
        let Self { out, catalogue } = self;
        catalogue.add(batch, signatures, |bytes| out.put(bytes))
    }

    /// Writes all that comes behind the signatures, and answers what was written to.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn finish(self) -> Result<W> {
        let Self { mut out, catalogue } = self;
        out.put(&catalogue.present)?;
        out.align()?;
        out.put_numbers(catalogue.lengths.iter().copied())?;
        out.put_numbers(catalogue.firsts())?;
        out.put_numbers(catalogue.name_offsets.iter().copied())?;
        out.put(&catalogue.names)?;
        out.align()?;
        let sizes = [catalogue.lengths.len() as u64, catalogue.windows, catalogue.names.len() as u64];
        let layout = Layout::new(catalogue.width as u64, sizes).expect("what was written has a length");
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
        self.checksum.update(bytes);
        self.written += bytes.len() as u64;
        self.out.put(bytes)
    }

    /// Fills up with zeros to where a section may start.
    fn align(&mut self) -> Result<()> {
        let missing = self.written.next_multiple_of(ALIGNMENT) - self.written;
        self.put(&[0; ALIGNMENT as usize][..missing as usize])
    }

    fn put_numbers(&mut self, mut numbers: impl Iterator<Item = u64>) -> Result<()> {
        let mut bytes = Vec::with_capacity(8 * NUMBERS);
        loop {
            bytes.clear();
            numbers.by_ref().take(NUMBERS).for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
            if bytes.is_empty() {
                return Ok(());
            }
            self.put(&bytes)?;
        }
    }
}
