//! A decoder that runs ahead on a thread of its own, so that the thread that asks for blocks is free for other work.
//!
//! # Why it is right at the edges
//!
//! - The decoder runs [`AHEAD`] blocks ahead and then sleeps.
//! - Whoever no longer wants the text drops it, and the thread ends. Where it waits for its blocks to be taken, nobody takes
//!   them. Where it waits for a slow pipe, [`Awaited`] waits for the pipe and for that.
//! - Where the system gives no thread, the caller's does the work.

use super::stream::Stream;
use super::{Fill, Source};
use std::fs::File;
use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read};
use std::os::fd::AsRawFd;
use std::panic;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Blocks that wait to be taken. One more is in the making.
const AHEAD: usize = 2;

/// Blocks made on another thread.
pub(super) struct Ahead {
    /// `None` comes through it at the end.
    blocks: Option<Receiver<Option<Box<Fill>>>>,
    /// What has come already.
    come: Option<Option<Box<Fill>>>,
    thread: Option<JoinHandle<()>>,
    /// What [`Awaited`] waits for, too.
    stop: Option<PipeWriter>,
}

impl Ahead {
    /// Starts to read `stream`. Where its input may wait, it is to end when `stop` is dropped.
    pub(super) fn start(stream: Stream, stop: Option<PipeWriter>) -> Box<dyn Source> {
        let (sender, blocks) = mpsc::sync_channel(AHEAD);
        let stream = Arc::new(Mutex::new(stream));
        let shared = Arc::clone(&stream);
        let started = thread::Builder::new().name("decoder".into()).spawn(move || {
            let mut stream = shared.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                let block = stream.next();
                let ended = block.is_none();
                if sender.send(block).is_err() || ended {
                    return;
                }
            }
        });
        match started {
            Ok(thread) => Box::new(Self { blocks: Some(blocks), come: None, thread: Some(thread), stop }),
            Err(_) => Box::new(stream),
        }
    }

    fn end(&mut self) -> thread::Result<()> {
        (self.blocks, self.stop) = (None, None);
        self.thread.take().map_or(Ok(()), JoinHandle::join)
    }
}

impl Source for Ahead {
    fn next(&mut self) -> Option<Box<Fill>> {
        let come = self.come.take();
        match come.map_or_else(|| self.blocks.as_ref().map_or(Ok(None), Receiver::recv), Ok) {
            Ok(Some(block)) => return Some(block),
            Ok(None) => {}
            // The thread ended before the text did, which must not pass for its end.
            Err(_) => {
                if let Err(panic) = self.end() {
                    panic::resume_unwind(panic);
                }
            }
        }
        self.blocks = None;
        None
    }

    fn is_ready(&mut self) -> bool {
        if let (None, Some(blocks)) = (&self.come, &self.blocks) {
            match blocks.try_recv() {
                Ok(come) => self.come = Some(come),
                Err(error) => return error == TryRecvError::Disconnected,
            }
        }
        true
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        // A panic of the thread has been reported by the thread, and nobody waits for its text.
        let _ = self.end();
    }
}

/// Where there is no thread.
impl Source for Arc<Mutex<Stream>> {
    fn next(&mut self) -> Option<Box<Fill>> {
        self.lock().unwrap_or_else(PoisonError::into_inner).next()
    }

    fn is_ready(&mut self) -> bool {
        self.lock().unwrap_or_else(PoisonError::into_inner).is_ready()
    }

    fn makes(&self) -> bool {
        true
    }
}

/// A pipe, a terminal or the like, which is read until it ends or the other end of `stop` is dropped.
pub(super) struct Awaited {
    file: Arc<File>,
    stop: PipeReader,
}

impl Awaited {
    /// `stop` is the reading end of a pipe.
    pub(super) fn new(file: Arc<File>, stop: PipeReader) -> Self {
        Self { file, stop }
    }

    /// Waits until there is something to be read, or the end. False if reading shall end.
    fn wait(&self) -> io::Result<bool> {
        let wanted = |number| libc::pollfd { fd: number, events: libc::POLLIN, revents: 0 };
        let mut both = [wanted(self.file.as_raw_fd()), wanted(self.stop.as_raw_fd())];
        // SAFETY: the pointer and the count are those of an array that lives until the call returns.
        let found = unsafe { libc::poll(both.as_mut_ptr(), both.len() as libc::nfds_t, -1) };
        if found < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(both[1].revents == 0)
    }
}

impl Read for Awaited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.wait() {
            Ok(true) => self.file.read(buffer),
            Ok(false) => Err(io::Error::from(ErrorKind::BrokenPipe)),
            Err(error) => Err(error),
        }
    }
}
