//! Random signatures to search, so that no index and no early exit would help.

use super::answer::Answer;
use super::call::{Call, OnCpu, OnGpu, memory};
use super::ceiling;
use crate::bench::amount::Unit;
use crate::bench::pinned::PinnedInPlace;
use crate::bench::spread::{Repeat, since};
use crate::error::{Error, Result};
use crate::gpu::Gpu;
use crate::sign::device::Searcher;
use crate::sign::{Comparer, Limits, Neighbour, Points, hamming, nearest};
use crate::simulate::points;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Instant;

/// The numbers of queries and targets, and how they are searched.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Searching {
    /// Bits of a signature.
    pub bits: u32,
    pub queries: usize,
    pub targets: usize,
    /// Number of neighbours per query.
    pub top: u32,
}

impl Searching {
    /// Makes the signatures. The queries have another seed, since each would otherwise be a target.
    ///
    /// # Errors
    /// [`Error::Usage`] if the description is contradictory.
    pub fn generate(&self, seed: u64) -> Result<Input> {
        let Self { bits, queries, targets, top } = *self;
        if top == 0 || queries == 0 || targets == 0 {
            return Err(Error::Usage("a search needs at least 1 query, 1 target and a top of 1".into()));
        }
        let made = |count, seed| points::Points::new(points::Recipe { count, bits, seed }).map(|made| made.generate());
        Ok(Input { bits, queries: made(queries, seed.wrapping_add(1))?, targets: made(targets, seed)?, top })
    }
}

/// Signatures in memory, and the number of neighbours to find.
pub struct Input {
    bits: u32,
    queries: Vec<u8>,
    targets: Vec<u8>,
    top: u32,
}

impl Input {
    fn targets(&self) -> Points<'_> {
        Points::new(self.bits, &self.targets)
    }

    fn queries(&self) -> Points<'_> {
        Points::new(self.bits, &self.queries)
    }

    /// Calls an engine for the first `part` queries. Returns milliseconds and neighbours.
    fn call(&self, comparer: &mut Comparer, part: usize) -> Result<(f64, Vec<Neighbour>)> {
        let (queries, limits) = (self.queries().part(0..part), Limits { top: Some(self.top), distance: self.bits });
        let began = Instant::now();
        let found = nearest(comparer, queries, self.targets(), limits)?;
        Ok((since(began), found))
    }
}

impl Call for Input {
    const UNIT: Unit = Unit::Pairs;

    fn size(&self) -> usize {
        self.queries().len()
    }

    fn count(&self, part: usize) -> u64 {
        part as u64 * self.targets().len() as u64
    }

    fn kernel_ms(&self) -> Option<f64> {
        Some(ceiling::searching_ms(self.count(self.size()), self.bits))
    }

    fn copied(&self) -> usize {
        self.queries.len() + self.targets.len()
    }

    fn on_cpu(&self, part: usize, repeat: Repeat) -> Result<OnCpu> {
        let (mut cpu, mut found) = (hamming::Cpu::new(), Vec::new());
        let call = repeat.measure(|| {
            let call_ms;
            (call_ms, found) = self.call(&mut cpu, part)?;
            Ok::<_, Error>(call_ms)
        })?;
        Ok(OnCpu { part, count: self.count(part), call, answer: Answer::of_neighbours(&found) })
    }

    /// Both clocks are of the same runs, since nothing overlaps with the kernels.
    fn on_gpu<G: Gpu>(&self, gpu: &Arc<G>, repeat: Repeat) -> Result<OnGpu> {
        // SAFETY: the signatures are borrowed for longer than the guards, which are dropped here, and nothing else pins them.
        let pinned = unsafe { [PinnedInPlace::new(gpu, &self.queries)?, PinnedInPlace::new(gpu, &self.targets)?] };
        let mut searcher = Searcher::new(gpu.clone(), memory(&**gpu)?)?;
        let (_, mut found) = self.call(&mut searcher, self.size())?;
        let call = repeat.measure(|| {
            let call_ms;
            (call_ms, found) = self.call(&mut searcher, self.size())?;
            Ok::<_, Error>(call_ms)
        })?;
        let kernel = repeat.measure(|| {
            searcher.kernel_ms();
            self.call(&mut searcher, self.size())?;
            Ok::<_, Error>(searcher.kernel_ms())
        })?;
        drop(pinned);
        let (call_ms, kernel_ms) = (call.median_ms, kernel.median_ms);
        let stages = format!("kernels {kernel_ms:.3} ms, copies and merging {:.3}", call_ms - kernel_ms);
        Ok(OnGpu { call, kernel, stages, answer: Answer::of_neighbours(&found) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_no_targets() {
        let searching = Searching { bits: 64, queries: 3, targets: 5, top: 2 };
        let input = searching.generate(1).unwrap();
        assert_eq!((input.size(), input.count(2), input.copied()), (3, 10, 64));
        assert_ne!(input.queries, input.targets[..24]);
        assert_eq!(Searching { top: 0, ..searching }.generate(1).err().unwrap().exit_code(), 2);
    }
}
