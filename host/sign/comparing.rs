//! Who compares signatures in a run: a GPU or the CPU, and with `--verify` a second executor.
//!
//! Whoever compares must be done with one question before the next is known, so one GPU is used, the first, whatever others
//! there are.

mod second;

use super::device::Searcher;
use super::hamming::Cpu;
use super::{Hamming, Limits, Neighbour, Points};
use second::Second;
use std::sync::Arc;
use std::time::Instant;
use warpseq_device::gpu::Gpu;
use warpseq_engine::engines::coping::{Coping, Share};
use warpseq_engine::engines::{self, Maker, Names, Terms};
use warpseq_engine::error::Result;
use warpseq_engine::verify::Verify;

/// The least device memory worth a launch, in bytes.
const LEAST_MEMORY: usize = 16 << 20;

/// How signatures are compared.
#[derive(Clone, Copy, Debug)]
pub struct Comparing {
    pub terms: Terms,
    /// Whether everything is compared a second time by another executor.
    pub verify: Option<Verify>,
}

impl Comparing {
    /// Makes the executor.
    ///
    /// # Errors
    /// Why the GPU that was asked for cannot be used.
    pub fn start(&self) -> Result<Comparer> {
        let (gpus, names) = (self.terms.processor.start_opening(), Names::default());
        let hamming = engines::start(&Comparers { terms: self.terms }, gpus, &names)?;
        Ok(Comparer {
            hamming: hamming.into_iter().next().expect("at least one executor"),
            second: self.verify.map(Second::new),
            engine: names.into_inner().swap_remove(0),
            call_seconds: 0.0,
            terms: self.terms,
        })
    }
}

/// An executor, and what it has done.
pub struct Comparer {
    hamming: Box<dyn Hamming>,
    second: Option<Second>,
    engine: String,
    call_seconds: f64,
    terms: Terms,
}

impl Comparer {
    /// Tells the user who compared, and the outcome of `--verify`.
    pub fn tell(&self) {
        let Self { engine, call_seconds: ours, terms: Terms { console, .. }, .. } = self;
        console.detail(format_args!("compared by {engine}: call {ours:.3} s"));
        if let Some(second) = &self.second {
            let (name, other) = (second.name(), second.seconds);
            console.result(format_args!("verify: {ours:.3} s, {name} {other:.3} s: identical"));
        }
    }

    fn timed<T>(&mut self, compare: impl FnOnce(&mut dyn Hamming) -> Result<T>) -> Result<T> {
        let start = Instant::now();
        let answer = compare(&mut *self.hamming);
        self.call_seconds += start.elapsed().as_secs_f64();
        answer
    }
}

impl Hamming for Comparer {
    fn nearest(&mut self, queries: Points, targets: Points, limits: Limits) -> Result<Vec<Neighbour>> {
        let found = self.timed(|hamming| hamming.nearest(queries, targets, limits))?;
        if let Some(second) = &mut self.second {
            second.check_nearest(queries, targets, limits, &found)?;
        }
        Ok(found)
    }

    fn least(&mut self, queries: Points, targets: Points, groups: &[u32]) -> Result<Vec<u16>> {
        let found = self.timed(|hamming| hamming.least(queries, targets, groups))?;
        if let Some(second) = &mut self.second {
            second.check_least(queries, targets, groups, &found)?;
        }
        Ok(found)
    }
}

/// Makes executors.
struct Comparers {
    terms: Terms,
}

impl Maker for Comparers {
    type Executor = dyn Hamming;
    const DOING: &'static str = "comparing";

    fn terms(&self) -> Terms {
        self.terms
    }

    fn on_cpu(&self) -> Box<dyn Hamming> {
        Box::new(Cpu::new())
    }

    fn on_gpu<G: Gpu>(&self, gpu: Arc<G>) -> Result<Box<dyn Hamming>> {
        let terms = self.terms;
        let share = Share { first: terms.memory(&*gpu)? / 4 * 3, least: LEAST_MEMORY };
        let on_device = move |memory| -> Result<Box<dyn Hamming>> { Ok(Box::new(Searcher::new(gpu.clone(), memory)?)) };
        let on_cpu = || -> Box<dyn Hamming> { Box::new(Cpu::new()) };
        Ok(Box::new(Coping::new(Box::new(on_device), Box::new(on_cpu), share, terms)?))
    }
}

impl Hamming for Coping<'_, dyn Hamming> {
    fn nearest(&mut self, queries: Points, targets: Points, limits: Limits) -> Result<Vec<Neighbour>> {
        self.run(&|| name_of(queries), |hamming| hamming.nearest(queries, targets, limits))
    }

    fn least(&mut self, queries: Points, targets: Points, groups: &[u32]) -> Result<Vec<u16>> {
        self.run(&|| name_of(queries), |hamming| hamming.least(queries, targets, groups))
    }
}

fn name_of(queries: Points) -> String {
    format!("a batch of {} queries", queries.len())
}
