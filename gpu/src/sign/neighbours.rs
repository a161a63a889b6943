//! Compares signatures: each thread has one query, each block a segment of the targets.
//!
//! ```text
//! shared    the block's queries, word by word: word 0 of all of them, then word 1 of all, ... | a tile of targets
//! thread t  query t against 8 targets at a time: exclusive or, population count, sum
//! ```
//!
//! All threads read the same word of a target at once, and each its own query's. What becomes of a distance is up to
//! [`Keep`]: the nearest few, all within a limit, or the least of each group.

mod keep;

use super::cell::count_ones;
use crate::abi::CompareArgs;
use crate::tuning::{TARGETS, TILE_BYTES};
use cuda_std::{Shared, SharedMemory, U32x2, thread};
pub use keep::{Keep, Least, Nearest, Within};

/// Targets of a tile: a multiple of [`TARGETS`]. The check for 0 is there because a division by what may be 0 is a call
/// in a kernel.
#[inline(always)]
pub const fn tile(words: u32) -> u32 {
    let words = if words == 0 { 1 } else { words };
    (TILE_BYTES / 8 / words) & !(TARGETS - 1)
}

/// Bytes of shared memory of a block of `threads` threads, for signatures of `words` words of 64 bits.
pub const fn shared_bytes(words: u32, threads: u32) -> u32 {
    (words * threads + words * tile(words)) * 8
}

/// What one block compares.
struct Block<'a> {
    args: &'a CompareArgs<'a>,
    queries: Shared<U32x2>,
    targets: Shared<U32x2>,
    first: u32,
    end: u32,
}

/// Compares each thread's query with its block's targets.
#[inline(always)]
pub fn compare<'a, K: Keep<'a>>(args: &CompareArgs<'a>, mut shared: SharedMemory) {
    let (words, threads) = (args.words, thread::block_dim_x());
    let query_blocks = args.query_blocks.max(1);
    let (segment, block) = (thread::block_idx_x() / query_blocks, thread::block_idx_x() % query_blocks);
    let query = block * threads + thread::thread_idx_x();
    let block = Block {
        args,
        queries: shared.array(words * threads),
        targets: shared.array(words * tile(words)),
        first: args.segments.read(segment),
        end: args.segments.read(segment + 1),
    };
    let queries = args.queries.len() as u32 / words.max(1);
    let mut keep = K::new(args, segment, query);
    for word in 0..words {
        let own = args.queries.read(query.min(queries - 1) * words + word);
        block.queries.write(word * threads + thread::thread_idx_x(), own);
    }
    let mut at = block.first;
    while at < block.end {
        block.load(at);
        thread::sync_threads();
        if query < queries {
            block.compare_tile(at, &mut keep);
        }
        thread::sync_threads();
        at += tile(words);
    }
    if query < queries {
        keep.finish();
    }
}

impl Block<'_> {
    /// Copies the tile of targets from `at` on, with all threads. Targets past the end are zeros.
    #[inline(always)]
    fn load(&self, at: u32) {
        let words = self.args.words;
        let there = (self.end - at) * words;
        let mut word = thread::thread_idx_x();
        while word < tile(words) * words {
            let inside = word < there;
            self.targets.write(word, if inside { self.args.targets.read(at * words + word) } else { U32x2::default() });
            word += thread::block_dim_x();
        }
    }

    #[inline(always)]
    fn compare_tile<'k, K: Keep<'k>>(&self, at: u32, keep: &mut K) {
        let words = self.args.words;
        let in_tile = tile(words).min(self.end - at);
        let mut first = 0;
        while first < in_tile {
            let mut distances = [0; TARGETS as usize];
            let mut word = 0;
            while word + 4 <= words {
                let own = self.own::<4>(word);
                unroll!(target in 0 1 2 3 4 5 6 7; {
                    distances[target] += differing4(own, self.target((first + target as u32) * words + word));
                });
                word += 4;
            }
            while word < words {
                let own = self.own(word);
                unroll!(target in 0 1 2 3 4 5 6 7; {
                    distances[target] += differing(own, self.target((first + target as u32) * words + word));
                });
                word += 1;
            }
            keep.offer(at + first, distances, in_tile - first);
            first += TARGETS;
        }
    }
}

impl Block<'_> {
    /// Words of this thread's query, from `word` on.
    #[inline(always)]
    fn own<const N: usize>(&self, word: u32) -> [U32x2; N] {
        core::array::from_fn(|at| {
            self.queries.read((word + at as u32) * thread::block_dim_x() + thread::thread_idx_x())
        })
    }

    /// Words of the tile's targets, from `word` on.
    #[inline(always)]
    fn target<const N: usize>(&self, word: u32) -> [U32x2; N] {
        core::array::from_fn(|at| self.targets.read(word + at as u32))
    }
}

/// How many bits differ in four words.
#[inline(always)]
fn differing4(own: [U32x2; 4], target: [U32x2; 4]) -> u32 {
    let [U32x2([a, b]), U32x2([c, d]), U32x2([e, f]), U32x2([g, h])] = own;
    let [U32x2([i, j]), U32x2([k, l]), U32x2([m, n]), U32x2([o, p])] = target;
    count_ones([a ^ i, b ^ j, c ^ k, d ^ l, e ^ m, f ^ n, g ^ o, h ^ p])
}

/// How many bits differ in one word.
#[inline(always)]
fn differing([U32x2([a, b])]: [U32x2; 1], [U32x2([c, d])]: [U32x2; 1]) -> u32 {
    (a ^ c).count_ones() + (b ^ d).count_ones()
}
