//! A regular file that is not compressed: each block is read by the thread that fills it, straight from its place in the file.

use super::input::Counted;
use super::stream::Stream;
use super::{Damage, Fill, Source};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A regular file from some place on, read without moving the place that others who have it open may share.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) file: Arc<File>,
    pub(super) at: u64,
}

impl Place {
    /// Reads `bytes` bytes, or those up to the end of the file, to the end of `text`.
    fn append(mut self, text: &mut Vec<u8>, bytes: usize) -> io::Result<usize> {
        text.reserve(bytes);
        self.by_ref().take(bytes as u64).read_to_end(text)
    }
}

impl Read for Place {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// Hands out the parts of a file.
pub(super) struct Parts {
    place: Place,
    /// Where the file ended when it was opened.
    end: u64,
    /// Where parts are no longer handed out before they are asked for.
    ahead: u64,
    block_bytes: usize,
    bytes_read: Arc<AtomicU64>,
}

impl Parts {
    /// The file from `place`, which ends at `end`, in parts of `block_bytes`, which is above 0. They may be had ahead up to `ahead`.
    pub(super) fn new(place: Place, end: u64, ahead: u64, block_bytes: usize, bytes_read: Arc<AtomicU64>) -> Self {
        Self { place, end, ahead, block_bytes, bytes_read }
    }
}

impl Source for Parts {
    /// A file that has become shorter meanwhile ends earlier.
    fn next(&mut self) -> Option<Box<Fill>> {
        let bytes = (self.end.saturating_sub(self.place.at)).min(self.block_bytes as u64);
        if bytes == 0 {
            return None;
        }
        let (place, bytes_read) = (self.place.clone(), Arc::clone(&self.bytes_read));
        self.place.at += bytes;
        Some(Box::new(move |text| {
            let read = place.append(text, bytes as usize).map_err(Damage::Unreadable)?;
            bytes_read.fetch_add(read as u64, Ordering::Relaxed);
            Ok(())
        }))
    }

    fn is_ready(&mut self) -> bool {
        self.place.at < self.ahead
    }

    /// What has been appended to the file meanwhile.
    fn then(&mut self) -> Option<Box<dyn Source>> {
        let more = Counted { input: self.place.clone(), bytes_read: Arc::clone(&self.bytes_read) };
        Some(Box::new(Stream::new(more, self.block_bytes)))
    }
}
