//! Writes a database file in one pass.

use super::layout::Layout;
use super::{ALIGNMENT, FORMAT, HEADER, Kind, LETTERS, PIECE, VERSION};
use rayon::prelude::*;
use warpseq_io::error::Result;
use warpseq_io::format::END;
use warpseq_io::output::Output;
use warpseq_io::output::spool::Spool;
use warpseq_seq::Records;
use xxhash_rust::xxh3::Xxh3;

/// Bytes of a section that stay in memory.
const KEPT: usize = 1 << 20;
/// Residues that a thread counts at a time.
const GRAIN: usize = 1 << 18;

/// Writes a database file. Residues go out as they come. What comes behind them waits, a megabyte of each section in memory and the
/// rest in files without a name, so there may be any number of sequences.
pub struct Writer {
    out: Sealed,
    sequences: u64,
    residues: u64,
    named: u64,
    letters: Box<[u64; LETTERS]>,
    starts: Spool,
    name_offsets: Spool,
    names: Spool,
}

impl Writer {
    /// Starts a file with its header.
    ///
    /// # Errors
    /// Those of the output.
    pub fn new(mut output: Output) -> Result<Self> {
        let section = || Spool::new(KEPT, &output.folder());
        let (mut starts, mut name_offsets, names) = (section(), section(), section());
        starts.put(&[0; 8])?;
        name_offsets.put(&[0; 8])?;
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&FORMAT.magic);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[12..16].copy_from_slice(&(HEADER as u32).to_le_bytes());
        // Goes out with the first residues, so a run that cannot read any prints nothing.
        output.begin_with(header.to_vec())?;
        let mut out = Sealed { output, piece: Xxh3::new(), pieces: Xxh3::new(), written: 0 };
        out.count(&header);
        let letters = Box::new([0; LETTERS]);
        Ok(Self { out, sequences: 0, residues: 0, named: 0, letters, starts, name_offsets, names })
    }

    /// Adds sequences.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&mut self, records: &Records) -> Result<()> {
        let residues = records.sequences().residues();
        for (sum, count) in self.letters.iter_mut().zip(counted(residues)) {
            *sum += count;
        }
        put_ends(&mut self.starts, self.residues, records.sequences().starts())?;
        put_ends(&mut self.name_offsets, self.named, records.names().starts())?;
        self.names.put(records.names().residues())?;
        self.sequences += records.len() as u64;
        self.residues += residues.len() as u64;
        self.named += records.names().residues().len() as u64;
        self.out.put(residues)
    }

    /// How many sequences and residues were added.
    pub fn sizes(&self) -> [u64; 2] {
        [self.sequences, self.residues]
    }

    /// Writes all that comes after the residues, and returns the output, to be finished.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(self, kind: Kind) -> Result<Output> {
        let Self { mut out, sequences, residues, named, letters, starts, name_offsets, names } = self;
        let layout = Layout::new([sequences, residues, named]).expect("what was written has a length");
        for mut section in [starts, name_offsets, names] {
            out.align()?;
            section.each(|bytes| out.put(bytes))?;
        }
        out.align()?;
        let letters: Vec<u8> = letters.iter().flat_map(|count| count.to_le_bytes()).collect();
        out.put(&letters)?;
        out.put(&layout.encode())?;
        let number = Kind::ALL.iter().position(|each| *each == kind).expect("all are listed") as u64;
        out.put(&number.to_le_bytes())?;
        out.put(&layout.total.to_le_bytes())?;
        let checksum = out.checksum();
        out.put(&checksum.to_le_bytes())?;
        out.put(&END)?;
        debug_assert_eq!(out.written, layout.total);
        Ok(out.output)
    }
}

/// How often each byte occurs.
fn counted(residues: &[u8]) -> [u64; LETTERS] {
    let count = |residues: &[u8]| {
        let mut counts = [0; LETTERS];
        residues.iter().for_each(|&residue| counts[usize::from(residue)] += 1);
        counts
    };
    let add = |a: [u64; LETTERS], b: [u64; LETTERS]| std::array::from_fn(|k| a[k] + b[k]);
    residues.par_chunks(GRAIN).map(count).reduce(|| [0; LETTERS], add)
}

/// Where sequences end whose starts are these, behind `before` bytes of others.
fn put_ends(spool: &mut Spool, before: u64, starts: &[u64]) -> Result<()> {
    spool.put_with(|bytes| starts[1..].iter().for_each(|end| bytes.extend((before + end).to_le_bytes())))
}

/// An output whose bytes are counted and go into a checksum.
struct Sealed {
    output: Output,
    /// Of the bytes since the last whole piece, and of the sums of all pieces before.
    piece: Xxh3,
    pieces: Xxh3,
    written: u64,
}

impl Sealed {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.count(bytes);
        self.output.put(bytes)
    }

    fn count(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let room = PIECE - (self.written % PIECE as u64) as usize;
            let (now, later) = rest.split_at(room.min(rest.len()));
            self.piece.update(now);
            self.written += now.len() as u64;
            if self.written.is_multiple_of(PIECE as u64) {
                self.end_piece();
            }
            rest = later;
        }
    }

    fn end_piece(&mut self) {
        self.pieces.update(&self.piece.digest().to_le_bytes());
        self.piece.reset();
    }

    /// Of all bytes so far.
    fn checksum(&self) -> u64 {
        let mut pieces = self.pieces.clone();
        if !self.written.is_multiple_of(PIECE as u64) {
            pieces.update(&self.piece.digest().to_le_bytes());
        }
        pieces.digest()
    }

    /// Fills up with zeros to where a section may start.
    fn align(&mut self) -> Result<()> {
        let missing = self.written.next_multiple_of(ALIGNMENT) - self.written;
        self.put(&[0; ALIGNMENT as usize][..missing as usize])
    }
}
