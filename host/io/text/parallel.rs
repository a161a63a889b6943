//! Ordinary gzip in a regular file, decompressed by several threads with the crate `rapidgzip-core`: every thread guesses where a
//! block of codes begins in its part of the file, and decodes it with marks in place of what it does not know yet, the 32 KiB
//! before it (Knespel and Brunst 2023, HPDC '23).
//!
//! # Threads
//!
//! The crate has threads of its own, three quarters as many as the program ([`workers`]), besides one that puts their parts in
//! order. They sleep while nobody takes their text, and the program's sleep while there is none, so that about as many run at a
//! time as were asked for. The marks make a thread decode a third as fast. On 16 cores, FASTQ of 600 MB: 250 MB/s with one thread
//! and no marks, 290 with 4 threads, 550 with 8, 680 with 12 and 780 with 16. Fewer than 4 are not worth it.
//!
//! # Memory
//!
//! The crate keeps as many parts as it has threads, and two more, twice: those that are decoded, of at most 20 MiB of text each,
//! in two bytes a letter as long as they have marks; and those that wait to be taken. FASTQ took 20 MB a thread.
//!
//! # Why it is right at the edges
//!
//! [`Members`] remains the definition. The crate checks the checksum and the length of every member, but has other words for
//! what is wrong, and gives fewer bytes before it. So whatever it complains about is read again by [`Members`] from the beginning;
//! what has been given out is skipped and compared, by its checksum, for it was given out before a member was checked. And what
//! the crate does not look for is looked for here: the end block of BGZF that follows ordinary members.

use super::plain::Place;
use crate::gzip::{self, BLOCK_HEAD, Members};
use crc32fast::Hasher;
use rapidgzip_core::{Decoder, DecoderReader, ReadAt};
use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A smaller file is decompressed by one thread sooner than several have started.
const WORTH_BYTES: u64 = 4 << 20;

/// Bytes read at a time where one thread decompresses.
const BUFFER_BYTES: usize = 1 << 18;

/// Text that the caller may hold for each thread: where memory is short, fewer threads decompress.
const HELD: usize = 4 << 20;

/// Threads that decompress a file of so many bytes for a caller who may hold `held` bytes of text; `None` where it is better done
/// by one.
pub(super) fn workers(bytes: u64, held: usize) -> Option<usize> {
    let threads = rayon::current_num_threads();
    let workers = (threads - threads / 4).min(held / HELD);
    (workers >= 4 && bytes >= WORTH_BYTES).then_some(workers)
}

/// Reads the decompressed bytes of a gzip file.
pub(super) struct Parallel {
    source: Positions,
    reader: Reader,
    /// Bytes given out, and their checksum.
    given: u64,
    crc: Hasher,
}

enum Reader {
    Threads(DecoderReader),
    Members(Members<BufReader<Place>>),
}

/// A file from a place on, as the crate reads it.
#[derive(Clone)]
struct Positions {
    place: Place,
    /// The furthest byte read, for bytes are read more than once.
    bytes_read: Arc<AtomicU64>,
}

impl ReadAt for Positions {
    fn len(&self) -> io::Result<u64> {
        Ok(self.place.file.metadata()?.len().saturating_sub(self.place.at))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let read = Place { at: self.place.at + offset, ..self.place.clone() }.read(buffer)?;
        self.bytes_read.fetch_max(offset + read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl Parallel {
    /// The gzip file at `place`, decompressed by so many threads; `None` if they cannot be started.
    pub(super) fn new(place: Place, workers: usize, bytes_read: Arc<AtomicU64>) -> Option<Self> {
        let source = Positions { place, bytes_read };
        let decoder = Decoder::builder().decoder_threads(workers).build().ok()?;
        let reader = Reader::Threads(decoder.reader(source.clone()).ok()?);
        Some(Self { source, reader, given: 0, crc: Hasher::new() })
    }

    /// Whether the threads have not been given up.
    #[cfg(test)]
    pub(super) fn is_parallel(&self) -> bool {
        matches!(self.reader, Reader::Threads(_))
    }

    /// Starts again with [`Members`], and skips what has been given out.
    fn start_again(&mut self) -> io::Result<()> {
        let mut members = Members::new(BufReader::with_capacity(BUFFER_BYTES, self.source.place.clone()));
        let (mut crc, mut left, mut buffer) = (Hasher::new(), self.given, vec![0; BUFFER_BYTES]);
        while left > 0 {
            let wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let read = members.read(&mut buffer[..wanted])?;
            if read == 0 {
                return Err(io::Error::other("it has become shorter"));
            }
            crc.update(&buffer[..read]);
            left -= read as u64;
        }
        if crc.finalize() != self.crc.clone().finalize() {
            return Err(io::Error::other(
                "two ways to decompress it differ: it has changed, or try with `--threads 1`",
            ));
        }
        // Before this one is there, the threads of the other have ended.
        self.reader = Reader::Members(members);
        Ok(())
    }

    /// Whether the file could end with a block of BGZF that is not the end block, which has no text.
    fn may_lack_end_block(&self) -> io::Result<bool> {
        let length = self.source.len()?;
        let at = length - length.min(1 << 16);
        let mut tail = Vec::new();
        Place { at: self.source.place.at + at, ..self.source.place.clone() }.read_to_end(&mut tail)?;
        let reaches_end = |start: usize| {
            let head = tail[start..start + BLOCK_HEAD].try_into().ok()?;
            Some(tail[start..].starts_with(&gzip::MAGIC) && gzip::block_bytes(head)? == (tail.len() - start) as u64)
        };
        let mut starts = 0..(tail.len() + 1).saturating_sub(BLOCK_HEAD);
        Ok(!tail.ends_with(&[0; 4]) && starts.any(|start| reaches_end(start) == Some(true)))
    }
}

impl Read for Parallel {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let reader = match &mut self.reader {
                Reader::Threads(reader) => reader,
                Reader::Members(members) => return members.read(buffer),
            };
            match reader.read(buffer) {
                Ok(0) if !buffer.is_empty() => {
                    let several = reader.report().is_none_or(|report| report.member_count > 1);
                    if !(several && self.may_lack_end_block()?) {
                        return Ok(0);
                    }
                    self.start_again()?;
                }
                Ok(read) => {
                    self.given += read as u64;
                    self.crc.update(&buffer[..read]);
                    return Ok(read);
                }
                Err(_) => self.start_again()?,
            }
        }
    }
}
