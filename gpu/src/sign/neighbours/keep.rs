//! What becomes of the distances between a query and targets.

use crate::abi::{CompareArgs, MergeArgs};
use crate::tuning::{MERGED, TARGETS};
use cuda_std::{GlobalMut, U32x2, U32x4};

/// Takes the distances of one query to targets, in the order of these.
pub trait Keep<'a> {
    /// For a query and a segment of the targets.
    fn new(args: &CompareArgs<'a>, segment: u32, query: u32) -> Self;

    /// A distance that is not kept, nor any above.
    fn bound(&self) -> u32;

    /// Takes the distances to the targets from `first` on. The first `there` of them are of targets that exist.
    fn offer(&mut self, first: u32, distances: [u32; TARGETS as usize], there: u32);

    /// Called after the last target.
    fn finish(self);
}

/// The nearest few of a query in device memory, with the farthest of them on top: distance and target of each.
struct Heap<'a> {
    entries: GlobalMut<'a, U32x2>,
    /// Entry i is `first + i * stride`.
    first: u32,
    stride: u32,
    size: u32,
}

impl Heap<'_> {
    #[inline(always)]
    fn read(&self, entry: u32) -> [u32; 2] {
        self.entries.read(self.first + entry * self.stride).0
    }

    #[inline(always)]
    fn write(&self, entry: u32, value: [u32; 2]) {
        self.entries.write(self.first + entry * self.stride, U32x2(value));
    }

    /// Replaces the top by a value and moves it down to where it belongs. Returns the new top.
    #[inline(always)]
    fn replace_top(&self, value: [u32; 2]) -> [u32; 2] {
        let mut entry = 0;
        loop {
            let mut child = 2 * entry + 1;
            if child >= self.size {
                break;
            }
            let mut greatest = self.read(child);
            if child + 1 < self.size {
                let other = self.read(child + 1);
                if is_less(greatest, other) {
                    (child, greatest) = (child + 1, other);
                }
            }
            if !is_less(value, greatest) {
                break;
            }
            self.write(entry, greatest);
            entry = child;
        }
        self.write(entry, value);
        self.read(0)
    }
}

/// Keeps the nearest few. A target as far away as the farthest of them does not replace it, since it comes later.
pub struct Nearest<'a> {
    heap: Heap<'a>,
    /// Only distances below this are of interest.
    bound: u32,
}

/// By distance, then by target.
#[inline(always)]
fn is_less([a, b]: [u32; 2], [c, d]: [u32; 2]) -> bool {
    a < c || (a == c && b < d)
}

impl<'a> Keep<'a> for Nearest<'a> {
    #[inline(always)]
    fn new(args: &CompareArgs<'a>, segment: u32, query: u32) -> Self {
        let stride = args.query_blocks * cuda_std::thread::block_dim_x();
        let heap =
            |number| Heap { entries: args.heap, first: number * args.top * stride + query, stride, size: args.top };
        let [farthest, _] = if args.known > 0 { heap(0).read(0) } else { [u32::MAX; 2] };
        Self { heap: heap(args.known + segment), bound: farthest.min(args.limit + 1) }
    }

    #[inline(always)]
    fn bound(&self) -> u32 {
        self.bound
    }

    #[inline(always)]
    fn offer(&mut self, first: u32, distances: [u32; TARGETS as usize], there: u32) {
        let mut least = u32::MAX;
        unroll!(at in 0 1 2 3 4 5 6 7; { least = least.min(distances[at]) });
        if least >= self.bound {
            return;
        }
        unroll!(at in 0 1 2 3 4 5 6 7; {
            if distances[at] < self.bound && (at as u32) < there {
                let [farthest, _] = self.heap.replace_top([distances[at], first + at as u32]);
                self.bound = self.bound.min(farthest);
            }
        });
    }

    #[inline(always)]
    fn finish(self) {}
}

/// Adds the entries of a thread's other segments to those of its first one.
#[inline(always)]
pub fn merge(args: &MergeArgs, thread: u32) {
    let lanes = args.lanes.max(1);
    let (query, segments) = (thread % lanes, args.segments);
    let heap =
        |segment| Heap { entries: args.heap, first: segment * args.top * lanes + query, stride: lanes, size: args.top };
    let first = thread / lanes * MERGED * args.step;
    if first >= segments {
        return;
    }
    let kept = heap(first);
    let mut farthest = kept.read(0);
    let mut segment = first + args.step;
    while segment < segments.min(first + MERGED * args.step) {
        let other = heap(segment);
        let mut entry = 0;
        while entry < args.top {
            let value = other.read(entry);
            if is_less(value, farthest) {
                farthest = kept.replace_top(value);
            }
            entry += 1;
        }
        segment += args.step;
    }
}

/// Keeps all within the limit, in a list that all threads append to, until it is full.
pub struct Within<'a> {
    found: GlobalMut<'a, U32x4>,
    count: GlobalMut<'a, u32>,
    query: u32,
    /// Only distances below this are of interest.
    bound: u32,
}

impl<'a> Keep<'a> for Within<'a> {
    #[inline(always)]
    fn new(args: &CompareArgs<'a>, _segment: u32, query: u32) -> Self {
        Self { found: args.found, count: args.count, query, bound: args.limit + 1 }
    }

    #[inline(always)]
    fn bound(&self) -> u32 {
        self.bound
    }

    #[inline(always)]
    fn offer(&mut self, first: u32, distances: [u32; TARGETS as usize], there: u32) {
        unroll!(at in 0 1 2 3 4 5 6 7; {
            if distances[at] < self.bound && (at as u32) < there {
                let place = self.count.fetch_add(0, 1);
                if u64::from(place) < self.found.len() {
                    self.found.write(place, U32x4([self.query, distances[at], first + at as u32, 0]));
                } else {
                    // No list of any thread has room any more, and a count that all add to takes its time.
                    self.bound = 0;
                }
            }
        });
    }

    #[inline(always)]
    fn finish(self) {}
}

/// Keeps the least of each group of consecutive targets.
pub struct Least<'a> {
    args: CompareArgs<'a>,
    /// The group that the next target belongs to: its number, its end, and the least distance so far.
    group: u32,
    end: u32,
    least: u32,
    query: u32,
}

impl Least<'_> {
    /// Writes the least of the group and goes on to the next one.
    #[inline(always)]
    fn close(&mut self) {
        let groups = self.args.groups.len() as u32 - 1;
        self.args.least.write(self.query * groups + self.group, self.least);
        self.least = u32::MAX;
        self.group += 1;
        self.end = if self.group < groups { self.args.groups.read(self.group + 1) } else { u32::MAX };
    }
}

impl<'a> Keep<'a> for Least<'a> {
    #[inline(always)]
    fn new(args: &CompareArgs<'a>, segment: u32, query: u32) -> Self {
        let group = args.segment_groups.read(segment);
        Self { args: *args, group, end: args.groups.read(group + 1), least: u32::MAX, query }
    }

    #[inline(always)]
    fn bound(&self) -> u32 {
        u32::MAX
    }

    #[inline(always)]
    fn offer(&mut self, first: u32, distances: [u32; TARGETS as usize], there: u32) {
        unroll!(at in 0 1 2 3 4 5 6 7; {
            if (at as u32) < there {
                self.least = self.least.min(distances[at]);
                if first + at as u32 + 1 == self.end {
                    self.close();
                }
            }
        });
    }

    #[inline(always)]
    fn finish(self) {}
}
