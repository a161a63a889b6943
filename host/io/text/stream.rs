//! A stream: bytes that come one after another, from a pipe or a decoder, as blocks.

use super::input::Gate;
use super::{Damage, Fill, Source, damage_of};
use std::io::{ErrorKind, Read};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A block whose bytes take longer to come is handed out as it is, so that what a slow pipe has given is not held back.
const PATIENCE: Duration = Duration::from_millis(50);

/// The most buffers kept for the next blocks: a few, so that blocks that wait to be used do not take their memory twice.
const SPARES: usize = 4;

/// Reads the bytes of a stream when the next block is asked for.
pub(super) struct Stream {
    bytes: Box<dyn Read + Send>,
    block_bytes: usize,
    /// Tells whether `bytes` waits, if it may. What a decoder holds does not count.
    gate: Option<Gate>,
    begun: bool,
    ended: bool,
    spares: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Stream {
    /// Blocks of at most `block_bytes`, which is above 0.
    pub(super) fn new(bytes: impl Read + Send + 'static, block_bytes: usize) -> Self {
        Self { bytes: Box::new(bytes), block_bytes, gate: None, begun: false, ended: false, spares: Arc::default() }
    }

    /// The same, of bytes that come through `gate`, if it is one.
    pub(super) fn behind(self, gate: Option<Gate>) -> Self {
        Self { gate, ..self }
    }

    /// Fills `text` until it is full, or time or the stream is over. What is wrong with the stream, if anything is.
    fn gather(&mut self, text: &mut Vec<u8>) -> Option<Damage> {
        let (mut end, mut first) = (0, None);
        text.resize(self.block_bytes, 0);
        let damage = loop {
            match self.bytes.read(&mut text[end..]) {
                Ok(0) => {
                    self.ended = true;
                    break None;
                }
                Ok(read) => end += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.ended = true;
                    break Some(damage_of(error));
                }
            }
            let left = PATIENCE.saturating_sub(first.get_or_insert_with(Instant::now).elapsed());
            if end == text.len() || left.is_zero() || self.gate.as_ref().is_some_and(|gate| !gate.is_open(left)) {
                break None;
            }
        };
        text.truncate(end);
        damage
    }
}

impl Source for Stream {
    fn next(&mut self) -> Option<Box<Fill>> {
        if self.ended {
            return None;
        }
        let mut made = self.spares.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        self.begun = true;
        let damage = self.gather(&mut made);
        if made.is_empty() && damage.is_none() {
            return None;
        }
        let spares = Arc::clone(&self.spares);
        Some(Box::new(move |text| {
            // The memory is exchanged where that does, so that the bytes are not copied once more.
            match text.is_empty() {
                true => mem::swap(text, &mut made),
                false => text.extend_from_slice(&made),
            }
            let mut spares = spares.lock().unwrap_or_else(PoisonError::into_inner);
            if spares.len() < SPARES {
                spares.push(made);
            }
            damage.map_or(Ok(()), Err)
        }))
    }

    fn makes(&self) -> bool {
        true
    }

    fn is_ready(&mut self) -> bool {
        // The first bytes have been read to tell how they are compressed.
        !self.begun || self.ended || self.gate.as_ref().is_none_or(|gate| gate.is_open(Duration::ZERO))
    }
}
