//! Filling a table, on all threads or on one.
//!
//! ```text
//! tiles, in parts: code and entry of each -> part: sorted by bucket    (a bucket is a range of codes whose lists fit a near cache)
//! buckets: the slices of all parts -> bits, starts and entries of its codes
//! ```
//!
//! Entries of a list stay in the order of their tiles.

use super::Entry;
use rayon::prelude::*;
use std::ops::Range;

/// Ranges of codes, and the fewest codes of one.
const BUCKETS: usize = 256;
const CODES_OF_ONE: usize = 1 << 12;
/// Entries that are made at a time.
const TOGETHER: usize = 1 << 14;

/// A code, and an entry of its list.
pub type Item = (u32, Entry);

/// How the codes of a table are divided.
pub struct Buckets {
    /// Codes of all buckets.
    pub codes: usize,
    codes_of_one: usize,
    shift: u32,
}

/// The items of some tiles, sorted by bucket.
pub struct Part {
    items: Vec<Item>,
    /// Where each bucket begins, and where the last one ends.
    starts: Vec<usize>,
}

impl Part {
    fn bucket(&self, bucket: usize) -> &[Item] {
        &self.items[self.starts[bucket]..self.starts[bucket + 1]]
    }
}

/// The results of `of`, in the order of `items`: on this thread `alone`, or on all of the current pool.
pub fn map<T: Send, R: Send>(alone: bool, items: Vec<T>, of: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    if alone { items.into_iter().map(of).collect() } else { items.into_par_iter().map(of).collect() }
}

/// Room for so many entries: on all threads, as memory that is touched first takes longer than filling it.
fn none(alone: bool, entries: usize) -> Vec<Entry> {
    let none = |_| Entry::default();
    if alone {
        (0..entries).map(none).collect()
    } else {
        (0..entries).into_par_iter().with_min_len(TOGETHER).map(none).collect()
    }
}

/// What `add` adds for each of so many patterns, `least` or more in a part: about so many `items` together.
pub fn parts(
    alone: bool,
    (patterns, least): (usize, usize),
    items: usize,
    buckets: &Buckets,
    add: &(impl Fn(usize, &mut Vec<Item>) + Sync),
) -> Vec<Part> {
    let step = patterns.div_ceil(4 * rayon::current_num_threads()).max(least);
    let ranges = (0..patterns).step_by(step).map(|first| first..patterns.min(first + step)).collect();
    map(alone, ranges, |patterns_of_part: Range<usize>| {
        let mut of_part = Vec::with_capacity((items * patterns_of_part.len()).div_ceil(patterns));
        patterns_of_part.for_each(|pattern| add(pattern, &mut of_part));
        buckets.sort(of_part)
    })
}

impl Buckets {
    /// Of the codes of tiles of `length` symbols; that of code c is list `c >> shift`.
    pub fn new(length: usize, shift: u32) -> Self {
        let codes = 1usize << (2 * length);
        Self { codes, codes_of_one: (codes / BUCKETS).max(CODES_OF_ONE), shift }
    }

    /// Lists of all buckets.
    pub fn lists(&self) -> usize {
        self.codes.div_ceil(1 << self.shift)
    }

    fn count(&self) -> usize {
        self.codes.div_ceil(self.codes_of_one)
    }

    fn sort(&self, items: Vec<Item>) -> Part {
        let bucket = |item: &Item| item.0 as usize / self.codes_of_one;
        // starts[b + 1] is where bucket b begins; sorting moves it to its end, which is where bucket b + 1 begins.
        let mut starts = vec![0; self.count() + 2];
        items.iter().for_each(|item| starts[bucket(item) + 2] += 1);
        (2..starts.len()).for_each(|bucket| starts[bucket] += starts[bucket - 1]);
        let mut sorted = vec![Item::default(); items.len()];
        for item in items {
            let place = &mut starts[bucket(&item) + 1];
            sorted[*place] = item;
            *place += 1;
        }
        starts.pop();
        Part { items: sorted, starts }
    }

    /// Sets the bit of each code that has entries and where each list begins, and gives the entries of all lists.
    pub fn fill(&self, alone: bool, parts: &[Part], (words, starts): (&mut [u64], &mut [u32])) -> Vec<Entry> {
        let size = |bucket| parts.iter().map(|part| part.bucket(bucket).len()).sum::<usize>();
        let sizes: Vec<usize> = (0..self.count()).map(size).collect();
        let mut entries = none(alone, sizes.iter().sum());
        let (end, starts) = starts.split_last_mut().expect("it has room for the end");
        *end = entries.len() as u32;
        let (mut rest, mut first) = (&mut entries[..], 0);
        let of_bucket = |&size: &usize| {
            first += size;
            (first - size, rest.split_off_mut(..size).expect("there are as many"))
        };
        let entries_of = sizes.iter().map(of_bucket);
        let words = words.chunks_mut(self.codes_of_one / 64);
        let starts = starts.chunks_mut(self.codes_of_one >> self.shift);
        let buckets = words.zip(starts).zip(entries_of).enumerate().collect();
        map(alone, buckets, |(bucket, (codes, (first, entries)))| {
            self.fill_one(parts, bucket, codes, (first as u32, entries));
        });
        entries
    }

    /// Fills one bucket, of which the entries begin at number `first` of all.
    fn fill_one(
        &self,
        parts: &[Part],
        bucket: usize,
        (words, starts): (&mut [u64], &mut [u32]),
        (first, entries): (u32, &mut [Entry]),
    ) {
        let items = || parts.iter().flat_map(|part| part.bucket(bucket));
        let place = |code: u32| code as usize % self.codes_of_one;
        for &(code, _) in items() {
            words[place(code) / 64] |= 1 << (code % 64);
            starts[place(code) >> self.shift] += 1;
        }
        let mut next = first;
        starts.iter_mut().for_each(|start| next += std::mem::replace(start, next));
        for &(code, entry) in items() {
            let end = &mut starts[place(code) >> self.shift];
            entries[(*end - first) as usize] = entry;
            *end += 1;
        }
        // Each list has moved its start to its end, which is where the next one begins.
        starts.rotate_right(1);
        starts[0] = first;
    }
}
