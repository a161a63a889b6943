//! Compares signatures: each thread has one query, each block a segment of the targets.
//!
//! ```text
//! shared    the block's queries, word by word: word 0 of all of them, then word 1 of all, ... | a tile of targets
//! thread t  query t against 8 targets at a time: exclusive or, population count, sum
//! ```
//!
//! Signatures of more than [`WHOLE_WORDS`] are compared a slice of their words at a time, with a smaller tile.
//!
//! All threads read the same word of a target at once, and each its own query's. What becomes of a distance is up to
//! [`Keep`]: the nearest few, all within a limit, or the least of each group.

mod keep;

use super::cell::count_ones;
use crate::abi::CompareArgs;
use crate::tuning::{NEAR, SLICE_WORDS, SLICED_TARGETS, TARGETS, TILE_BYTES, WHOLE_WORDS};
use cuda_std::{Shared, SharedMemory, U32x2, U32x4, thread, warp};
pub use keep::{Keep, Least, Nearest, Within, merge};

/// Words of a signature that a block holds at a time.
const fn held(words: u32) -> u32 {
    if words <= WHOLE_WORDS { words } else { SLICE_WORDS }
}

/// Targets of a tile: a multiple of [`TARGETS`]. The check for 0 is there because a division by what may be 0 is a call
/// in a kernel.
#[inline(always)]
pub const fn tile(words: u32) -> u32 {
    let held = if words == 0 { 1 } else { words };
    if words <= WHOLE_WORDS { (TILE_BYTES / 8 / held) & !(TARGETS - 1) } else { SLICED_TARGETS }
}

/// Bytes of shared memory of a block of `threads` threads, for signatures of `words` words of 64 bits.
pub const fn shared_bytes(words: u32, threads: u32) -> u32 {
    held(words) * (stride(words, threads) + tile(words)) * 8
}

/// Elements from a word of the queries to the next. The warp that copies a slice of a query writes all of its words at once, and
/// one element more puts them into different banks.
const fn stride(words: u32, threads: u32) -> u32 {
    if words <= WHOLE_WORDS { threads } else { threads + 1 }
}

/// What one block compares.
struct Block<'a> {
    args: &'a CompareArgs<'a>,
    queries: Shared<U32x2>,
    stride: u32,
    targets: Shared<U32x2>,
    /// The same, two words at a time.
    target_pairs: Shared<U32x4>,
    /// This thread's query.
    query: u32,
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
    let queries = shared.array(held(words) * stride(words, threads));
    let target_pairs = shared.array::<U32x4>(held(words) * tile(words) / 2);
    let block = Block {
        args,
        queries,
        stride: stride(words, threads),
        targets: target_pairs.cast(),
        target_pairs,
        query,
        first: args.segments.read(segment),
        end: args.segments.read(segment + 1),
    };
    let keep = K::new(args, segment, query);
    if words <= WHOLE_WORDS { block.compare_whole(keep) } else { block.compare_sliced(keep) }
}

impl Block<'_> {
    fn queries(&self) -> u32 {
        self.args.queries.len() as u32 / self.args.words.max(1)
    }

    /// Compares with signatures that are held as a whole.
    #[inline(always)]
    fn compare_whole<'k, K: Keep<'k>>(&self, mut keep: K) {
        let (words, queries) = (self.args.words, self.queries());
        self.load_query();
        let mut at = self.first;
        while at < self.end {
            self.load(at);
            thread::sync_threads();
            let is_there = self.query < queries;
            let none_is_far = warp::ballot(is_there && keep.bound() > NEAR) == 0;
            if is_there && words == 1 && none_is_far {
                self.compare_near(at, &mut keep);
            } else if is_there {
                self.compare_tile(at, &mut keep);
            }
            thread::sync_threads();
            at += tile(words);
        }
        if self.query < queries {
            keep.finish();
        }
    }

    /// Compares a slice of the words at a time, and keeps the distances to a tile of targets until all words were seen.
    #[inline(always)]
    fn compare_sliced<'k, K: Keep<'k>>(&self, mut keep: K) {
        let (words, queries) = (self.args.words, self.queries());
        let mut at = self.first;
        while at < self.end {
            let mut distances = [0; TARGETS as usize];
            let mut from = 0;
            while from < words {
                let held = SLICE_WORDS.min(words - from);
                self.load_queries_slice(from, held);
                self.load_slice(at, from, held);
                thread::sync_threads();
                if self.query < queries {
                    self.add(0, (held, SLICE_WORDS), &mut distances);
                }
                thread::sync_threads();
                from += held;
            }
            if self.query < queries {
                keep.offer(at, distances, self.end - at);
            }
            at += SLICED_TARGETS;
        }
        if self.query < queries {
            keep.finish();
        }
    }

    /// Copies this thread's query.
    #[inline(always)]
    fn load_query(&self) {
        let row = self.query.min(self.queries() - 1) * self.args.words;
        for word in 0..self.args.words {
            self.queries.write(word * self.stride + thread::thread_idx_x(), self.args.queries.read(row + word));
        }
    }

    /// Copies words of the warp's queries: `held` of each, from `from` on, one for each lane.
    #[inline(always)]
    fn load_queries_slice(&self, from: u32, held: u32) {
        let (lane, last) = (warp::lane_id(), self.queries() - 1);
        let first = thread::thread_idx_x() - lane;
        for of in 0..32 {
            let row = (self.query - lane + of).min(last) * self.args.words + from;
            if lane < held {
                self.queries.write(lane * self.stride + first + of, self.args.queries.read(row + lane));
            }
        }
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

    /// Copies words of the tile of targets from `at` on: `held` of each, from `from` on.
    #[inline(always)]
    fn load_slice(&self, at: u32, from: u32, held: u32) {
        let mut word = thread::thread_idx_x();
        while word < SLICED_TARGETS * SLICE_WORDS {
            let (target, own) = (at + word / SLICE_WORDS, word % SLICE_WORDS);
            let inside = target < self.end && own < held;
            let place = target * self.args.words + from + own;
            self.targets.write(word, if inside { self.args.targets.read(place) } else { U32x2::default() });
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
            self.add(first, (words, words), &mut distances);
            keep.offer(at + first, distances, in_tile - first);
            first += TARGETS;
        }
    }

    /// The same for signatures of one word, where only what is near is kept. Of every two bits, one in each half of the word, it is
    /// first counted whether any differs: that is half the counting, and seldom as little as what is near has.
    #[inline(always)]
    fn compare_near<'k, K: Keep<'k>>(&self, at: u32, keep: &mut K) {
        let in_tile = tile(1).min(self.end - at);
        let [U32x2([low, high])] = self.own(0);
        let mut first = 0;
        while first < in_tile {
            let (mut distances, mut both, mut least) = ([0; TARGETS as usize], [0; TARGETS as usize], u32::MAX);
            unroll!(pair in 0 1 2 3; {
                let U32x4([a, b, c, d]) = self.target_pairs.read(first / 2 + pair as u32);
                (both[2 * pair], both[2 * pair + 1]) = ((low ^ a) & (high ^ b), (low ^ c) & (high ^ d));
                distances[2 * pair] = (low ^ a | high ^ b).count_ones();
                distances[2 * pair + 1] = (low ^ c | high ^ d).count_ones();
                least = least.min(distances[2 * pair]).min(distances[2 * pair + 1]);
            });
            if least < keep.bound() {
                unroll!(target in 0 1 2 3 4 5 6 7; { distances[target] += both[target].count_ones() });
                keep.offer(at + first, distances, in_tile - first);
            }
            first += TARGETS;
        }
    }

    /// Adds how many bits of the `held` words differ from those of the tile's targets from `first` on, which lie `stride` words
    /// apart.
    #[inline(always)]
    fn add(&self, first: u32, (held, stride): (u32, u32), distances: &mut [u32; TARGETS as usize]) {
        let mut word = 0;
        while word + 4 <= held {
            let own = self.own::<4>(word);
            unroll!(target in 0 1 2 3 4 5 6 7; {
                distances[target] += differing4(own, self.target((first + target as u32) * stride + word));
            });
            word += 4;
        }
        while word < held {
            let own = self.own(word);
            unroll!(target in 0 1 2 3 4 5 6 7; {
                distances[target] += differing(own, self.target((first + target as u32) * stride + word));
            });
            word += 1;
        }
    }
}

impl Block<'_> {
    /// Words of this thread's query, from `word` on.
    #[inline(always)]
    fn own<const N: usize>(&self, word: u32) -> [U32x2; N] {
        core::array::from_fn(|at| self.queries.read((word + at as u32) * self.stride + thread::thread_idx_x()))
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
