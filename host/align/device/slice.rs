//! A slice: couples of one class that are aligned by the same launches, and what they take of each array.

use super::super::{Batch, Want};
use super::plan::{Class, Planned};
use cuda_std::U32x4;
use warpseq_gpu::tuning::CHECKPOINT;

/// The most elements of an array: words are counted in 32 bits on the device.
const ELEMENTS_MAX: u64 = 1 << 30;
/// The most pairs of a slice, an even number: while the device aligns one, the host cuts the next and reads the last.
const PAIRS_MAX: usize = 1 << 16;
/// Steps of an item where there are too few pairs to fill the device.
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
    /// Groups that the device runs at a time, about.
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

    fn fits(&self, shape: &Shape) -> bool {
        let most = self.rows.max(self.columns).max(self.last).max(self.records).max(self.paths / 4);
        most <= ELEMENTS_MAX && self.bytes(shape.affine) <= shape.memory
    }
}

/// Couples that are aligned by the same launches.
#[derive(Debug, Default)]
pub struct Slice {
    pub class: Option<Class>,
    /// Whether checkpoints are saved; otherwise the forward pass alone gives scores and ends.
    pub saved: bool,
    /// Steps of an item.
    pub chunk: u32,
    /// The pair of the batch at each place, in launch order. The last couple may have its first pair in both places, of which
    /// the second is not named here.
    pub pairs: Vec<u32>,
    pub places: Vec<U32x4>,
    pub couples: Vec<U32x4>,
    /// Items of each launch.
    pub waves: Vec<Vec<U32x4>>,
    pub path_starts: Vec<u32>,
    pub sizes: Sizes,
}

impl Slice {
    /// The longest slice that fits at the start of `planned`, and how many pairs it takes: none when not even one couple
    /// fits.
    pub fn cut(planned: &[Planned], batch: &Batch, shape: &Shape) -> (Self, usize) {
        let Some(first) = planned.first() else { return (Self::default(), 0) };
        let each = 1 + usize::from(first.class.packed);
        let most = planned.len().min(PAIRS_MAX);
        let same = planned[..most].iter().take_while(|p| p.class == first.class && alike(first, p)).count();
        let saved = !(shape.local && shape.want == Want::Score && first.class.packed && first.strips == 1);
        let chunked = first.strips > 1 && same.div_ceil(each) < shape.parallel;
        let chunk = if chunked { CHUNK } else { WHOLE };
        let mut slice = Self { class: Some(first.class), saved, chunk, ..Self::default() };
        slice.pairs.reserve(same + 1);
        slice.places.reserve(same + 1);
        slice.path_starts.reserve(same + 1);
        slice.couples.reserve(same / each + 1);
        slice.waves.push(Vec::with_capacity(same / each + 1));
        let mut taken = 0;
        for couple in planned[..same].chunks(each) {
            if !slice.add(couple, batch, shape) {
                break;
            }
            taken += couple.len();
        }
        (slice, taken)
    }

    /// Adds a couple if there is room for it.
    fn add(&mut self, couple: &[Planned], batch: &Batch, shape: &Shape) -> bool {
        let Some(class) = self.class else { return false };
        let first = couple[0];
        let second = couple.get(1).unwrap_or(&first);
        let strips = first.strips.max(second.strips);
        let quads = class.columns / 4;
        let steps = (first.rows.max(second.rows) + class.width - 1).next_multiple_of(CHECKPOINT);
        let chunks = steps.div_ceil(self.chunk);
        let pairs = 1 + u64::from(class.packed);
        let lanes = u64::from(strips) * u64::from(class.width);
        let paths = if shape.want == Want::Path { [&first, second].map(path_words) } else { [0; 2] };
        let saved = u64::from(self.saved);
        let more = Sizes {
            rows: saved * lanes * u64::from((steps / CHECKPOINT + 1) * quads),
            columns: saved * lanes * u64::from(steps / 4),
            records: u64::from(shape.local) * u64::from(strips * chunks) * pairs,
            last: u64::from(!shape.local) * lanes * u64::from(quads) * pairs,
            paths: if class.packed { paths[0] + paths[1] } else { paths[0] },
        };
        let sizes = self.sizes.plus(more);
        if !sizes.fits(shape) {
            return false;
        }
        let before = self.sizes;
        let results =
            if shape.local { before.records / pairs } else { before.last / (u64::from(quads * class.width) * pairs) };
        let number = self.couples.len() as u32;
        self.couples.push(U32x4([before.rows as u32, before.columns as u32, steps, results as u32]));
        self.path_starts.push(before.paths as u32);
        self.place(&first, batch);
        if class.packed {
            self.path_starts.push((before.paths + paths[0]) as u32);
            self.place(second, batch);
        }
        self.pairs.extend(couple.iter().map(|planned| planned.pair));
        for strip in 0..strips {
            for chunk in 0..chunks {
                // A strip needs what the strip to its left has saved up to `width` steps further on.
                let wave = (chunk + 2 * strip) as usize;
                if wave >= self.waves.len() {
                    self.waves.resize_with(wave + 1, Vec::new);
                }
                self.waves[wave].push(U32x4([number, strip, chunk * self.chunk, 0]));
            }
        }
        self.sizes = sizes;
        true
    }

    fn place(&mut self, planned: &Planned, batch: &Batch) {
        let pair = batch.pairs[planned.pair as usize];
        let query = batch.queries.starts[pair.query as usize] as u32;
        let target = batch.targets.starts[pair.target as usize] as u32;
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
