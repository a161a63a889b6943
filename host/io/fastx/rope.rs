//! Symbols of a long record that wait to be copied to where they belong, by all threads at a time.
//!
//! One thread puts a chromosome together, as it is longer than all blocks that are read ahead. If it also copied the symbols, to
//! memory that the system has to give first, all others would wait for it. So it notes where they are, and when there are enough,
//! each thread copies some.

use crate::pool::Pool;
use rayon::prelude::*;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::Arc;

/// Fewer symbols in a row are copied at once, if none wait.
const LONG: usize = if cfg!(test) { 8 } else { 64 << 10 };

/// Fewer symbols are copied by one thread.
const MANY: usize = 64 * LONG;

/// Memory of texts that have been read.
pub(super) type Spent = Arc<Pool<Vec<u8>>>;

/// Symbols in their order.
#[derive(Default)]
pub(super) struct Rope {
    parts: Vec<Part>,
    /// Few symbols in a row, that come behind many.
    loose: Vec<u8>,
    /// Where the memory goes; `None`: nothing waits.
    spent: Option<Spent>,
}

/// Some symbols.
enum Part {
    Of(Arc<Vec<u8>>, Range<usize>),
    Loose(Range<usize>),
}

impl Rope {
    /// None yet. `spent` is where the memory goes of those that have been copied.
    pub(super) fn new(spent: Spent) -> Self {
        Self { spent: Some(spent), ..Self::default() }
    }

    /// Adds symbols of a block behind those of `into` and of the rope.
    #[inline]
    pub(super) fn push(&mut self, block: &Arc<Vec<u8>>, range: Range<usize>, into: &mut Vec<u8>) {
        if self.parts.is_empty() && (range.len() < LONG || self.spent.is_none()) {
            into.extend_from_slice(&block[range]);
        } else {
            self.put(block, range, into);
        }
    }

    /// As [`Rope::push`], for all that is in `symbols`.
    pub(super) fn push_all(&mut self, symbols: Vec<u8>, into: &mut Vec<u8>) {
        let all = 0..symbols.len();
        self.push(&Arc::new(symbols), all, into);
    }

    fn put(&mut self, block: &Arc<Vec<u8>>, range: Range<usize>, into: &mut Vec<u8>) {
        if range.len() >= LONG {
            self.parts.push(Part::Of(Arc::clone(block), range));
        } else {
            let start = self.loose.len();
            self.loose.extend_from_slice(&block[range]);
            match self.parts.last_mut() {
                Some(Part::Loose(before)) => before.end = self.loose.len(),
                _ => self.parts.push(Part::Loose(start..self.loose.len())),
            }
        }
        // Where lines are short, every second part is the line that two blocks share.
        if self.parts.len() >= 2 * rayon::current_num_threads() {
            self.append_to(into);
        }
    }

    /// Appends all to `into`.
    pub(super) fn append_to(&mut self, into: &mut Vec<u8>) {
        if self.parts.is_empty() {
            return;
        }
        let symbols = self.parts.iter().map(|part| match part {
            Part::Of(block, range) => &block[range.clone()],
            Part::Loose(range) => &self.loose[range.clone()],
        });
        append(&symbols.collect::<Vec<_>>(), into);
        self.clear();
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.loose.clear();
        for part in self.parts.drain(..) {
            if let (Part::Of(block, _), Some(spent)) = (part, &self.spent)
                && let Ok(block) = Arc::try_unwrap(block)
            {
                spent.give_back(block);
            }
        }
    }
}

/// Appends all parts to `into`, on all threads if these are many.
fn append(parts: &[&[u8]], into: &mut Vec<u8>) {
    let (before, bytes) = (into.len(), parts.iter().map(|part| part.len()).sum());
    if bytes < MANY {
        parts.iter().for_each(|part| into.extend_from_slice(part));
        return;
    }
    into.reserve(bytes);
    let mut room: &mut [MaybeUninit<u8>] = &mut into.spare_capacity_mut()[..bytes];
    let mut places = Vec::with_capacity(parts.len());
    for part in parts {
        let place;
        (place, room) = room.split_at_mut(part.len());
        places.push((place, *part));
    }
    places.into_par_iter().for_each(|(place, part)| {
        place.write_copy_of_slice(part);
    });
    // SAFETY: the parts, which are so many bytes together, have been written to the places that the room was divided into.
    unsafe { into.set_len(before + bytes) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_come_in_their_order_whatever_waits() {
        let block = Arc::new((0..10 * LONG).map(|at| (at % 251) as u8).collect::<Vec<_>>());
        let ranges = [0..5, 5..5, 5..LONG + 5, LONG + 5..LONG + 9, LONG + 9..LONG + 9, LONG + 9..LONG + 20];
        let ranges = || ranges.iter().cloned().chain([LONG + 20..3 * LONG + 30, 3 * LONG + 30..3 * LONG + 31]);
        for mut rope in [Rope::default(), Rope::new(Spent::default())] {
            let (mut expected, mut found) = (b"before".to_vec(), b"before".to_vec());
            for _ in 0..40 {
                for range in ranges() {
                    expected.extend_from_slice(&block[range.clone()]);
                    rope.push(&block, range, &mut found);
                }
            }
            rope.append_to(&mut found);
            assert!(found == expected && rope.parts.is_empty());
            rope.push(&block, 0..LONG, &mut found);
            assert_eq!(found == expected, rope.spent.is_some(), "many symbols wait");
        }
    }

    #[test]
    fn memory_is_given_back_once_nothing_else_needs_it() {
        let (spent, mut into) = (Spent::default(), Vec::new());
        let mut rope = Rope::new(Arc::clone(&spent));
        let block = Arc::new(vec![b'A'; LONG]);
        rope.push(&block, 0..LONG, &mut into);
        rope.append_to(&mut into);
        assert_eq!((into.len(), spent.take().len()), (LONG, 0), "the block is still held");
        rope.push(&block, 0..LONG, &mut into);
        drop(block);
        rope.append_to(&mut into);
        assert_eq!((into.len(), spent.take().len()), (2 * LONG, LONG));
    }
}
