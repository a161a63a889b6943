//! Blocks that wait for pairs. A block is large, so the one that a thread has done with is the next one's, in this job and the next.

use super::block::Block;
use super::vector::Vector;
use std::any::Any;
use std::sync::{Mutex, PoisonError};

/// Bytes of a block that stays after a job: as many as pairs of 128 x 128 need.
const SMALL: usize = 2 << 20;

/// Blocks of any vectors, and how many bytes each takes.
#[derive(Default)]
pub struct Blocks(Mutex<Vec<(usize, Box<dyn Any + Send>)>>);

impl Blocks {
    /// A block of vectors like `proof`: one that waits, or a new one.
    pub fn take<V: Vector>(&self, proof: V) -> Box<Block<V>> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = waiting.iter().rposition(|(_, block)| block.is::<Block<V>>());
        let block = place.map(|place| waiting.swap_remove(place).1);
        drop(waiting);
        let block = block.map(|block| block.downcast().expect("it is a block of these vectors"));
        block.unwrap_or_else(|| Box::new(Block::new(proof)))
    }

    /// Takes a block that waits from now on.
    pub fn give_back<V: Vector>(&self, block: Box<Block<V>>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((block.bytes(), block));
    }

    /// Ends a job: only small blocks wait for the next one.
    pub fn end_job(&mut self) {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).retain(|&(bytes, _)| bytes <= SMALL);
    }
}
