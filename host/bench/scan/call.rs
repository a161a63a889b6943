//! The *call* clock (from arrays in host memory to results there, on a warm engine) and the *kernel* clock (the device's own).
//!
//! A call is `find`, the choice of rows, and the integrity hashes if the format of the preset shows them. On a GPU the samples
//! are pinned and the slots exist, but every call copies the patterns and builds their table. On the CPU every call makes a new
//! engine. The kernel clock is taken in separate runs, in which nothing overlaps (see `Device::timings`).

use super::work::{Input, Preset};
use crate::bench::spread::{Repeat, Spread, since};
use crate::error::{Error, Result};
use crate::executor::Executor;
use crate::gpu::Gpu;
use crate::scan::cpu::Cpu;
use crate::scan::device::{Device, Settings, Shared};
use crate::scan::report::Row;
use crate::scan::{Algorithm, Hit, Matching, Options, Pattern, Patterns, engine, find, pattern};
use crate::timings::Timings;
use std::sync::Arc;
use std::time::Instant;

/// The result of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Every match, sorted.
    pub hits: Vec<Hit>,
    pub rows: Vec<Row>,
    /// One for each row.
    pub hashes: Vec<Option<u8>>,
}

impl Found {
    /// Number of hits and rows that are in only one of the two.
    pub fn differing(&self, other: &Self) -> usize {
        let hits = differing(&self.hits, &other.hits, |hit| (hit.sequence, hit.pattern, hit.start, hit.wild));
        let row = |result: &Self| -> Vec<_> { result.rows.iter().copied().zip(result.hashes.clone()).collect() };
        let key = |(row, hash): &(Row, Option<u8>)| {
            (row.sequence, row.signature, row.start, row.reverse, row.end, row.quality_sum, row.wild, *hash)
        };
        hits + differing(&row(self), &row(other), key)
    }
}

/// Number of elements that are in only one of two sorted lists.
fn differing<T, K: Ord>(a: &[T], b: &[T], key: impl Fn(&T) -> K) -> usize {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let order = key(&a[i]).cmp(&key(&b[j]));
        count += usize::from(order.is_ne());
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    count + (a.len() - i) + (b.len() - j)
}

/// A search of one input.
pub struct Search<'a> {
    options: Options,
    input: &'a Input,
    patterns: Vec<Pattern>,
    /// Whether the format of the preset shows integrity hashes.
    hashed: bool,
}

/// Times and results of a GPU.
pub struct OnGpu {
    pub call: Spread,
    pub kernel: Spread,
    /// Stages of the first kernel run, which allocates memory.
    pub first: Timings,
    /// Stages of the last kernel run.
    pub last: Timings,
    pub result: Found,
}

impl<'a> Search<'a> {
    /// A search of `input` with the options of `preset` and so many mismatches.
    pub fn new((preset, mismatches): (Preset, u32), input: &'a Input) -> Self {
        let options = preset.options(mismatches);
        let patterns = pattern::patterns(&input.signatures, &options);
        Self { options, input, patterns, hashed: preset.shows_hashes() }
    }

    /// Calls an engine. Returns milliseconds and results.
    fn call(&self, executor: &mut impl Executor<Matching>) -> Result<(f64, Found)> {
        let Input { signatures, batch, .. } = self.input;
        let (options, patterns) = (&self.options, &self.patterns);
        let algorithm = Algorithm::Auto;
        let (hashed, shared) = (self.hashed, &Shared::default());
        let patterns = Patterns::Made(patterns);
        let search = engine::Search { options, algorithm, signatures, patterns, tables: None, hashed, shared };
        let began = Instant::now();
        let found = find(executor, batch)?;
        let find_ms = since(began);
        let mut hits = found.clone();
        let began = Instant::now();
        let (rows, hashes) = search.choose(batch, found);
        let call_ms = find_ms + since(began);
        hits.sort_unstable();
        Ok((call_ms, Found { hits, rows, hashes }))
    }

    /// Calls the CPU engine, on the current thread pool.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn on_cpu(&self, repeat: Repeat) -> Result<(Spread, Found)> {
        let mut result = Found::default();
        let times = repeat.measure(|| {
            let began = Instant::now();
            let mut engine = Cpu::new(&self.options, &self.patterns);
            let make_ms = since(began);
            let (call_ms, found) = self.call(&mut engine)?;
            result = found;
            Ok::<_, Error>(make_ms + call_ms)
        })?;
        Ok((times, result))
    }

    /// Calls a GPU, for which the bases of the input are pinned.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn on_gpu<G: Gpu>(&self, gpu: &Arc<G>, repeat: Repeat) -> Result<OnGpu> {
        let (call, result) = self.call_clock(gpu, repeat)?;
        let settings = Settings { pinned: true, timed: true, ..Settings::default() };
        let mut device = Device::new(gpu.clone(), &self.options, &self.patterns, settings)?;
        find(&mut device, &self.input.batch)?;
        let first = device.timings()?;
        let kernel = repeat.measure(|| {
            device.forget_tables();
            find(&mut device, &self.input.batch)?;
            Ok::<_, Error>(device.timings()?.kernels_ms())
        })?;
        Ok(OnGpu { call, kernel, first, last: device.timings()?, result })
    }

    fn call_clock<G: Gpu>(&self, gpu: &Arc<G>, repeat: Repeat) -> Result<(Spread, Found)> {
        let settings = Settings { pinned: true, ..Settings::default() };
        let mut device = Device::new(gpu.clone(), &self.options, &self.patterns, settings)?;
        let (_, mut result) = self.call(&mut device)?;
        let times = repeat.measure(|| {
            device.forget_tables();
            let (call_ms, found) = self.call(&mut device)?;
            result = found;
            Ok::<_, Error>(call_ms)
        })?;
        Ok((times, result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_one_list_has_is_counted() {
        let count = |a: &[u32], b: &[u32]| differing(a, b, |&x| x);
        assert_eq!(count(&[1, 2, 3], &[1, 2, 3]), 0);
        assert_eq!(count(&[1, 2, 3], &[2, 4]), 3);
        assert_eq!(count(&[], &[2, 4]), 2);
    }
}
