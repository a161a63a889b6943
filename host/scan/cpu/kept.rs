//! Which matches of a segment are kept already, where patterns are in chains and matches may have mismatches: several may start at a place,
//! and each is found by several tiles, and by all that are followed to it.
//!
//! ```text
//! position    0 1 2 3 4 5 6 7 ...        where the sequence runs along the reference, the number of the pattern less the
//! number          7 8 9                  position is the same: a diagonal
//! diagonal        5 5 5 : block 0, bits  0 0 1 1 1 0 0 ...
//! ```
//!
//! A hash table, probed one place after another, with an entry for each block of 64 positions of each diagonal that has a match: so it is small
//! where many matches follow one another.

/// Places of the first table.
const LEAST: usize = 1 << 8;

/// Some positions of a diagonal.
#[derive(Clone, Copy, Default)]
struct Entry {
    diagonal: u32,
    block: u32,
    /// Bit k: the match at position 64 `block` + k is kept. 0: no entry.
    positions: u64,
}

/// See the module.
#[derive(Default)]
pub struct Kept {
    /// A power of two of them, or none.
    entries: Vec<Entry>,
    count: usize,
}

impl Kept {
    /// Forgets all matches.
    pub fn clear(&mut self) {
        if self.count > 0 {
            // What much took stays no longer than it is needed.
            let places = (4 * self.count).next_power_of_two().clamp(LEAST, self.entries.len());
            self.entries.truncate(places);
            self.entries.fill(Entry::default());
            self.count = 0;
        }
    }

    /// Whether the match of pattern `number` at position `at` is kept.
    #[inline(always)]
    pub fn has(&self, number: u32, at: usize) -> bool {
        let (diagonal, block) = (number.wrapping_sub(at as u32), (at / 64) as u32);
        !self.entries.is_empty() && self.entries[self.place(diagonal, block)].positions >> (at % 64) & 1 == 1
    }

    /// Takes note of the match of pattern `number` at position `at`, and of those of the next patterns at the next positions: `count` in all.
    #[inline]
    pub fn add(&mut self, number: u32, at: usize, count: usize) {
        let diagonal = number.wrapping_sub(at as u32);
        for block in at / 64..(at + count).div_ceil(64) {
            let (from, to) = (at.max(64 * block) - 64 * block, (at + count).min(64 * block + 64) - 64 * block);
            self.insert(Entry { diagonal, block: block as u32, positions: u64::MAX >> (64 - (to - from)) << from });
        }
    }

    fn insert(&mut self, Entry { diagonal, block, positions }: Entry) {
        if 2 * self.count >= self.entries.len() {
            self.grow();
        }
        let place = self.place(diagonal, block);
        let entry = &mut self.entries[place];
        self.count += usize::from(entry.positions == 0);
        *entry = Entry { diagonal, block, positions: entry.positions | positions };
    }

    /// Where the entry is, or would be.
    #[inline(always)]
    fn place(&self, diagonal: u32, block: u32) -> usize {
        let last = self.entries.len() - 1;
        let hash = (u64::from(diagonal) << 32 | u64::from(block)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut place = (hash >> 32) as usize & last;
        loop {
            let entry = &self.entries[place];
            if entry.positions == 0 || (entry.diagonal, entry.block) == (diagonal, block) {
                return place;
            }
            place = (place + 1) & last;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let places = (2 * self.entries.len()).max(LEAST);
        let old = std::mem::replace(&mut self.entries, vec![Entry::default(); places]);
        for entry in old.into_iter().filter(|entry| entry.positions != 0) {
            let place = self.place(entry.diagonal, entry.block);
            self.entries[place] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn what_is_added_is_kept_until_all_is_forgotten() {
        let mut kept = Kept::default();
        for size in [3, 2000, 10] {
            let mut all = BTreeSet::new();
            for k in 0..size {
                let (number, at, count) = (k * k % 911, (k * 37) as usize % 5000, k as usize % 150 + 1);
                kept.add(number, at, count);
                all.extend((0..count as u32).map(|more| (number + more, at + more as usize)));
            }
            for (number, at) in (0..1100).flat_map(|number| (0..5200).step_by(3).map(move |at| (number, at))) {
                assert_eq!(kept.has(number, at), all.contains(&(number, at)), "{number} {at}");
            }
            kept.clear();
            assert!(!all.iter().any(|&(number, at)| kept.has(number, at)));
        }
    }
}
