//! A slice: packed pairs of one class that the same launches align, and how much of each array they take.

use super::super::{Batch, Want};
use super::plan::{Class, Planned};
use cuda_std::U32x4;
use warpseq_gpu::tuning::CHECKPOINT;

/// The most elements of an array: words are counted in 32 bits on the device.
const ELEMENTS_MAX: u64 = 1 << 30;
/// The most pairs of a slice, an even number. While the device aligns a slice, the host cuts the next and reads the previous one.
const PAIRS_MAX: usize = 1 << 17;
/// Steps of an item when there are too few pairs to fill the device.
const CHUNK: u32 = 1024;
/// An item without end.
const WHOLE: u32 = 1 << 30;

/// What all slices of a batch have in common.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub affine: bool,
    pub local: bool,
    pub want: Want,
    /// Bytes that the arrays of a slice may take together.
    pub memory: u64,
    /// About how many groups the device runs at a time.
    pub parallel: usize,
}

/// Elements of each array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Of row checkpoints, of column checkpoints: each once, or twice where gaps are affine.
    pub rows: u64,
    pub columns: u64,
    pub records: u64,
    pub last: u64,
    /// Words of paths.
    pub paths: u64,
}

impl Sizes {
    fn plus(self, more: Self) -> Self {
        Self {
            rows: self.rows + more.rows,
            columns: self.columns + more.columns,
            records: self.records + more.records,
            last: self.last + more.last,
            paths: self.paths + more.paths,
        }
    }

    fn bytes(&self, affine: bool) -> u64 {
        let checkpoints = (self.rows + self.columns) * (1 + u64::from(affine));
        16 * (checkpoints + self.records + self.last) + 4 * self.paths
    }

    fn fits(&self, memory: u64, affine: bool) -> bool {
        let most = self.rows.max(self.columns).max(self.last).max(self.records).max(self.paths / 4);
        most <= ELEMENTS_MAX && self.bytes(affine) <= memory
    }
}

/// How far the matrices of a packed pair go.
struct Extent {
    strips: u32,
    steps: u32,
    chunks: u32,
    /// Words of the pairs' paths.
    paths: [u64; 2],
}

impl Extent {
    fn new([first, second]: [&Planned; 2], chunk: u32, want: Want) -> Self {
        let steps = (first.rows.max(second.rows) + first.class.width - 1).next_multiple_of(CHECKPOINT);
        Self {
            strips: first.strips.max(second.strips),
            steps,
            chunks: steps.div_ceil(chunk),
            paths: if want == Want::Path { [first, second].map(path_words) } else { [0; 2] },
        }
    }

    /// What a packed pair of `class` takes of each array.
    fn sizes(&self, class: Class, saved: bool, local: bool) -> Sizes {
        let Self { strips, steps, chunks, paths } = *self;
        let [pairs, quads] = [class.pairs(), class.columns / 4].map(u64::from);
        let (saved, local) = (u64::from(saved), u64::from(local));
        let lanes = u64::from(strips) * u64::from(class.width);
        Sizes {
            rows: saved * lanes * u64::from(steps / CHECKPOINT + 1) * quads,
            columns: saved * lanes * u64::from(steps / 4),
            records: local * u64::from(strips) * u64::from(chunks) * pairs,
            last: (1 - local) * lanes * quads * pairs,
            paths: paths[..pairs as usize].iter().sum(),
        }
    }
}

/// Packed pairs that are aligned by the same launches.
#[derive(Debug, Default)]
pub struct Slice {
    pub class: Option<Class>,
    /// Whether checkpoints are saved; otherwise the forward pass alone gives scores and ends.
    pub saved: bool,
    /// Whether the kernel keeps E and F; those for one pair a word always do.
    pub affine: bool,
    /// Steps of an item.
    pub chunk: u32,
    /// The pair of the batch at each place, in launch order. The last packed pair may have its first pair in both places, of which
    /// the second is not named here.
    pub pairs: Vec<u32>,
    pub places: Vec<U32x4>,
    pub packed_pairs: Vec<U32x4>,
    /// Items of each launch.
    pub waves: Vec<Vec<U32x4>>,
    pub path_starts: Vec<u32>,
    pub sizes: Sizes,
}

impl Slice {
    /// The longest slice that fits from the start of `planned`, and its number of pairs: 0 when not even one packed pair fits.
    pub fn cut(planned: &[Planned], batch: &Batch, shape: &Shape) -> (Self, usize) {
        let Some(first) = planned.first() else { return (Self::default(), 0) };
        let most = planned.len().min(PAIRS_MAX);
        let same = planned[..most].iter().take_while(|p| p.class == first.class && alike(first, p)).count();
        let each = first.class.pairs() as usize;
        let mut slice = Self::with_room(first, same.div_ceil(each), shape);
        let mut taken = 0;
        for packed_pair in planned[..same].chunks(each) {
            if !slice.add(first.class, packed_pair, batch, shape) {
                break;
            }
            taken += packed_pair.len();
        }
        (slice, taken)
    }

    /// An empty slice for as many packed pairs as these, of which `first` is one pair.
    fn with_room(first: &Planned, packed_pairs: usize, shape: &Shape) -> Self {
        let class = first.class;
        let pairs = packed_pairs * class.pairs() as usize;
        Self {
            class: Some(class),
            saved: !(shape.local && shape.want == Want::Score && class.packed && first.strips == 1),
            affine: shape.affine || !class.packed,
            chunk: if first.strips > 1 && packed_pairs < shape.parallel { CHUNK } else { WHOLE },
            pairs: Vec::with_capacity(pairs),
            places: Vec::with_capacity(pairs),
            packed_pairs: Vec::with_capacity(packed_pairs),
            waves: vec![Vec::with_capacity(packed_pairs)],
            path_starts: Vec::with_capacity(pairs),
            sizes: Sizes::default(),
        }
    }

    /// Adds a packed pair if there is room for it.
    fn add(&mut self, class: Class, packed_pair: &[Planned], batch: &Batch, shape: &Shape) -> bool {
        let ends = [&packed_pair[0], packed_pair.get(1).unwrap_or(&packed_pair[0])];
        let extent = Extent::new(ends, self.chunk, shape.want);
        let before = self.sizes;
        let sizes = before.plus(extent.sizes(class, self.saved, shape.local));
        if !sizes.fits(shape.memory, self.affine) {
            return false;
        }
        let strip = if shape.local { 1 } else { class.columns / 4 * class.width };
        let results = (before.records + before.last) / u64::from(strip * class.pairs());
        self.queue(&extent);
        self.packed_pairs.push(U32x4([before.rows as u32, before.columns as u32, extent.steps, results as u32]));
        let mut words = before.paths;
        for (planned, length) in ends.into_iter().zip(extent.paths).take(class.pairs() as usize) {
            self.path_starts.push(words as u32);
            self.place(planned, batch);
            words += length;
        }
        self.pairs.extend(packed_pair.iter().map(|planned| planned.pair));
        self.sizes = sizes;
        true
    }

    /// Puts the items of the next packed pair into the launches.
    fn queue(&mut self, extent: &Extent) {
        let packed_pair = self.packed_pairs.len() as u32;
        for strip in 0..extent.strips {
            for chunk in 0..extent.chunks {
                // A strip needs what the strip to its left has saved up to `width` steps further on.
                let wave = (chunk + 2 * strip) as usize;
                if wave >= self.waves.len() {
                    self.waves.resize_with(wave + 1, Vec::new);
                }
                self.waves[wave].push(U32x4([packed_pair, strip, chunk * self.chunk, 0]));
            }
        }
    }

    fn place(&mut self, planned: &Planned, batch: &Batch) {
        let pair = batch.pairs()[planned.pair as usize];
        let query = batch.queries().starts()[pair.query as usize] as u32;
        let target = batch.targets().starts()[pair.target as usize] as u32;
        self.places.push(U32x4([query, planned.rows, target, planned.columns]));
    }
}

/// One strip, or several: those of one slice are launched together.
fn alike(a: &Planned, b: &Planned) -> bool {
    (a.strips == 1) == (b.strips == 1)
}

/// Words that the longest path of a pair takes.
fn path_words(planned: &Planned) -> u64 {
    (u64::from(planned.rows) + u64::from(planned.columns)).div_ceil(16)
}

#[cfg(test)]
mod tests {
    use super::super::super::Pair;
    use super::*;
    use crate::Sequences;

    const SHAPE: Shape = Shape { affine: false, local: true, want: Want::Path, memory: 1 << 30, parallel: 16 };

    /// The slice of pairs of one class with these numbers of rows and columns.
    fn cut(lengths: &[(u32, u32)], class: Class, shape: Shape) -> (Slice, usize) {
        let longest: Sequences = [vec![b'A'; 5000]].iter().collect();
        let pairs = vec![Pair { query: 0, target: 0 }; lengths.len()];
        let planned: Vec<_> = (0..)
            .zip(lengths)
            .map(|(pair, &(rows, columns))| Planned {
                class,
                strips: columns.div_ceil(class.strip()),
                pair,
                rows,
                columns,
            })
            .collect();
        Slice::cut(&planned, &Batch::new(&longest, &longest, &pairs), &shape)
    }

    fn class(packed: bool, width: u32) -> Class {
        Class { packed, columns: 16, width }
    }

    #[test]
    fn an_item_comes_after_those_whose_state_it_takes_up() {
        let (slice, _) = cut(&[(4000, 1500), (2500, 2100)], class(true, 32), SHAPE);
        let wave = |strip: u32, chunk: u32| {
            let item = U32x4([0, strip, chunk * CHUNK, 0]);
            slice.waves.iter().position(|wave| wave.contains(&item)).unwrap()
        };
        assert_eq!(slice.waves.iter().map(Vec::len).sum::<usize>(), 5 * 4);
        for (strip, chunk) in (0..5).flat_map(|strip| (0..4).map(move |chunk| (strip, chunk))) {
            assert!(chunk == 0 || wave(strip, chunk - 1) < wave(strip, chunk));
            assert!(strip == 0 || wave(strip - 1, (chunk + 1).min(3)) < wave(strip, chunk));
        }
    }

    #[test]
    fn the_last_of_an_odd_number_of_pairs_has_two_places() {
        let (slice, taken) = cut(&[(9, 9), (20, 30), (70, 40)], class(true, 4), SHAPE);
        assert_eq!((taken, &slice.pairs[..], slice.places.len()), (3, &[0, 1, 2][..], 4));
        assert_eq!(slice.places[2], slice.places[3]);
        assert_eq!(slice.path_starts, [0, 2, 6, 13]);
        // 32 steps, then 96: checkpoints before steps 0 and 32, then before 0, 32, 64 and 96, four elements each.
        assert_eq!(slice.packed_pairs, [U32x4([0, 0, 32, 0]), U32x4([32, 32, 96, 1])]);
        assert_eq!(slice.sizes, Sizes { rows: 32 + 64, columns: 32 + 96, records: 4, last: 0, paths: 20 });
    }

    #[test]
    fn slices_stay_within_their_memory() {
        for (packed, bytes) in [(true, 22_000), (false, 44_000)] {
            let shape = Shape { memory: 5 * bytes, local: false, want: Want::Score, ..SHAPE };
            let (slice, taken) = cut(&[(200, 200); 40], class(packed, 16), shape);
            let Sizes { rows, columns, last, .. } = slice.sizes;
            let each = if slice.affine { 32 } else { 16 };
            let allocated = each * (rows + columns) + 16 * last;
            assert!(allocated <= shape.memory, "{allocated} of {}", shape.memory);
            assert!(taken >= 4 && taken == slice.places.len());
        }
        assert_eq!(cut(&[(200, 200)], class(true, 16), Shape { memory: 20_000, ..SHAPE }).1, 0);
    }
}
