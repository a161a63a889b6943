//! A file that a thread of its own writes, once there is much to write.
//!
//! ```text
//! put() -> buffer -> full buffers, at most WAITING -> thread: write -> written buffers, to be used again
//! give() ---------------^
//! ```
//!
//! Copying to the page cache takes as long as making many results, so it is done meanwhile. An error comes out with one of the next
//! pieces, or in [`Behind::finish`]. Short files need no thread.

use std::fs::File;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

/// Bytes of a buffer.
const BUFFER: usize = 1 << 20;
/// Bytes that are not copied to a buffer.
const GIVEN: usize = BUFFER / 4;
/// Full buffers that wait for the thread.
const WAITING: usize = 2;

/// A file that is written behind its writer.
pub struct Behind {
    /// The bytes that follow those handed to `file`.
    buffer: Vec<u8>,
    file: Handed,
}

enum Handed {
    /// Nothing was written yet.
    Here(File),
    Thread(Thread),
    /// After an error.
    Nowhere,
}

struct Thread {
    full: SyncSender<Vec<u8>>,
    /// Buffers that are written, with what they held.
    used: Receiver<Vec<u8>>,
    written: JoinHandle<io::Result<()>>,
}

impl Behind {
    pub fn new(file: File) -> Self {
        Self { buffer: Vec::new(), file: Handed::Here(file) }
    }

    /// Writes what waits, and closes the file.
    pub fn finish(mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.file, Handed::Nowhere) {
            Handed::Here(mut file) => file.write_all(&self.buffer),
            Handed::Thread(thread) => {
                // Where the thread has ended, it tells why.
                _ = thread.full.send(self.buffer);
                thread.end()
            }
            Handed::Nowhere => Ok(()),
        }
    }

    /// Writes all of `bytes` without copying them, if they are many. In their place is another list then.
    pub fn give(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        if bytes.len() < GIVEN {
            return self.write_all(bytes);
        }
        if !self.buffer.is_empty() {
            self.hand_over_buffer()?;
        }
        *bytes = self.hand_over(std::mem::take(bytes))?;
        Ok(())
    }

    fn hand_over_buffer(&mut self) -> io::Result<()> {
        let full = std::mem::take(&mut self.buffer);
        self.buffer = self.hand_over(full)?;
        self.buffer.clear();
        Ok(())
    }

    /// Hands a buffer to the thread, and takes one that is written.
    fn hand_over(&mut self, full: Vec<u8>) -> io::Result<Vec<u8>> {
        let thread = match std::mem::replace(&mut self.file, Handed::Nowhere) {
            Handed::Here(file) => Thread::start(file)?,
            Handed::Thread(thread) => thread,
            Handed::Nowhere => return Ok(full),
        };
        if thread.full.send(full).is_err() {
            return thread.end().map(|()| Vec::new());
        }
        let written = thread.used.try_recv().unwrap_or_default();
        self.file = Handed::Thread(thread);
        Ok(written)
    }
}

impl Thread {
    fn start(file: File) -> io::Result<Self> {
        let ((full, to_write), (put_back, used)) = (sync_channel(WAITING), channel());
        let written =
            thread::Builder::new().name("writer".into()).spawn(move || write_all(file, &to_write, &put_back))?;
        Ok(Self { full, used, written })
    }

    /// Waits for all that was handed over.
    fn end(self) -> io::Result<()> {
        drop(self.full);
        self.written.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn write_all(mut file: File, full: &Receiver<Vec<u8>>, put_back: &Sender<Vec<u8>>) -> io::Result<()> {
    for buffer in full {
        file.write_all(&buffer)?;
        // Nobody takes it when there is nothing more to write.
        _ = put_back.send(buffer);
    }
    Ok(())
}

impl Write for Behind {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.buffer.len() == BUFFER {
            self.hand_over_buffer()?;
        }
        let taken = bytes.len().min(BUFFER - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    /// Nothing: nobody sees the file before it is finished.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Seek};

    #[test]
    fn the_file_holds_what_was_written_in_any_pieces() {
        let bytes: Vec<u8> = (0..5 * BUFFER + 17).map(|at| ((at * at) >> 7) as u8).collect();
        for (length, piece) in
            [(0, 1), (1, 1), (BUFFER, 1000), (BUFFER + 1, BUFFER), (bytes.len(), 99_999), (bytes.len(), bytes.len())]
        {
            let mut file = tempfile::tempfile().unwrap();
            let mut behind = Behind::new(file.try_clone().unwrap());
            for (k, piece) in bytes[..length].chunks(piece).enumerate() {
                match k % 3 {
                    0 => behind.give(&mut piece.to_vec()).unwrap(),
                    _ => behind.write_all(piece).unwrap(),
                }
            }
            let is_there = matches!(behind.file, Handed::Thread(_));
            assert_eq!(is_there, length > BUFFER || piece >= GIVEN && length >= GIVEN, "{length}");
            behind.finish().unwrap();
            let mut found = Vec::new();
            file.rewind().unwrap();
            file.read_to_end(&mut found).unwrap();
            assert!(found == bytes[..length], "{length} in pieces of {piece}");
        }
    }

    #[test]
    fn a_full_disk_is_an_error_at_the_latest_at_the_end() {
        for length in [1, BUFFER, 20 * BUFFER] {
            let file = File::options().write(true).open("/dev/full").unwrap();
            let mut behind = Behind::new(file);
            let put = behind.write_all(&vec![0; length]);
            assert_eq!(put.and_then(|()| behind.finish()).unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }
}
