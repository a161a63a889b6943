//! Searches of proteins: the best target of each query, and its score.
//!
//! A call is one search with the targets in order and, on a GPU, on the device: what every batch of queries but the first takes. The
//! CPU engine searches a sample, the first of the targets, and the scores of all of them are compared with those of the GPU.

use super::ceiling;
use super::rules::Mode;
use super::work::{Input, Work};
use crate::align::Scoring;
use crate::align::Sequences;
use crate::align::search::cpu::Cpu;
use crate::align::search::device::{Device, Settings, stage};
use crate::align::search::{Database, Rank, Ranking, Scored};
use crate::bench::amount::Amount;
use crate::bench::spread::{Repeat, Spread, since};
use crate::bench::{Bench, Clock, Figure, Outcome};
use crate::error::{Error, Result};
use crate::gpu::Gpu;
use std::sync::Arc;
use std::time::Instant;
use warpseq_engine::executor::Patient;
use warpseq_engine::fallback::affordable;

/// What is searched.
#[derive(Clone, Copy)]
struct Call<'a> {
    queries: &'a Sequences,
    database: &'a Database<'a>,
    scoring: &'a Scoring,
}

impl Call<'_> {
    /// Query length times target length, summed over all pairs.
    fn cells(&self) -> u64 {
        self.queries.residues().len() as u64 * self.database.targets().residues().len() as u64
    }

    /// Searches for `top` targets of each query. Returns milliseconds and these.
    fn rank(&self, rank: &mut dyn Rank, top: usize) -> Result<(f64, Vec<Vec<Scored>>)> {
        let Self { queries, database, scoring } = *self;
        let (strands, least) = ([Some(queries), None], &vec![0; queries.len()]);
        let began = Instant::now();
        let found = rank.rank(&Ranking { strands, database, scoring, top, least, passes: None }, &Patient)?;
        Ok((since(began), found))
    }

    /// The times of searches for the best target, and the sum of their scores.
    fn measure(&self, rank: &mut dyn Rank, repeat: Repeat) -> Result<(Spread, i64)> {
        let mut sum = 0;
        let call = repeat.measure(|| {
            let (call_ms, found) = self.rank(rank, 1)?;
            sum = found.iter().flatten().map(|scored| scored.score).sum();
            Ok::<_, Error>(call_ms)
        })?;
        Ok((call, sum))
    }

    /// The same of the kernels alone.
    fn kernels<G: Gpu>(&self, rank: &mut Device<G>, repeat: Repeat) -> Result<Spread> {
        self.rank(rank, 1)?;
        repeat.measure(|| {
            self.rank(rank, 1)?;
            Ok::<_, Error>(rank.timings()?.kernels_ms())
        })
    }

    fn figure(&self, work: &Work, engine: &str, times: (Clock, Spread)) -> Figure {
        let pairs = self.queries.len() * self.database.targets().len();
        Figure::new(&work.name, engine, times, pairs).aligned(Mode::Local, self.cells())
    }
}

/// Measures the calls of the engines. Returns the sum of the scores of the best targets, if it is known.
///
/// # Errors
/// [`Error::Mismatch`] for wrong scores; those of the engines.
pub fn measure<G: Gpu>(bench: &Bench<G>, work: &Work, input: &Input, outcome: &mut Outcome) -> Result<Option<i64>> {
    let scoring = &work.scoring.rules(Mode::Local)?.scoring()?;
    let Input { queries, targets, .. } = input;
    let some: Sequences = targets.iter().take(work.cpu_pairs.unwrap_or(usize::MAX)).collect();
    let sample = Call { queries, database: &Database::new(&some), scoring };
    let (on_cpu, cpu_sum) = sample.measure(&mut Cpu::new(), bench.repeat)?;
    let figure = sample.figure(work, "cpu", (Clock::Call, on_cpu));
    let target_ms = work.target.cpu_ms(sample.cells(), rayon::current_num_threads());
    outcome.figures.push(Figure { target_ms, ..figure });
    let Some(rig) = &bench.rig else {
        if some.len() < targets.len() {
            return Ok(work.score_sums.get(&Mode::Local).copied());
        }
        work.check_sum(("cpu", Mode::Local), cpu_sum)?;
        outcome.remarks.push(format!("{}: scores add up to {cpu_sum}", work.name));
        return Ok(Some(cpu_sum));
    };
    let (name, device) = (rig.gpu.name(), |timed| device(&rig.gpu, timed));
    let all = [sample.rank(&mut Cpu::new(), usize::MAX)?.1, sample.rank(&mut device(false)?, usize::MAX)?.1];
    if all[0] != all[1] {
        let message = format!("workload {:?}: scores differ between {name} and the CPU engine", work.name);
        return Err(Error::Mismatch(message));
    }
    let call = Call { database: &Database::new(targets), ..sample };
    let mut rank = device(false)?;
    call.rank(&mut rank, 1)?;
    let (on_gpu, sum) = call.measure(&mut rank, bench.repeat)?;
    drop(rank);
    work.check_sum((name, Mode::Local), sum)?;
    let mut timed = device(true)?;
    let kernels = call.kernels(&mut timed, bench.repeat)?;
    outcome.details.push(timed.timings()?.text(&[stage::COPY_IN, stage::SEARCH, stage::KEEP]));
    let [of_cpu, of_gpu] = [(&sample, on_cpu), (&call, on_gpu)].map(|(call, times)| rate(call, times));
    let (times, compared) = (of_gpu / of_cpu, queries.len() * some.len());
    outcome.remarks.push(format!(
        "{}: CPU {of_cpu:.1} GCUPS, GPU {of_gpu:.1} GCUPS, speed-up {times:.1}, {compared} scores compared: identical; \
         scores add up to {sum}",
        work.name
    ));
    let ceiling_ms = Some(ceiling::kernel_ms(call.cells(), scoring));
    let figure = call.figure(work, name, (Clock::Call, on_gpu));
    let amount = figure.amount.map(|of| Amount { speed_up: Some(times), identical: Some(compared), ..of });
    let target_ms = work.target.call_ms(call.cells());
    outcome.figures.push(Figure { ceiling_ms, target_ms, amount, ..figure });
    let target_ms = work.target.kernel_ms(call.cells());
    outcome.figures.push(Figure { ceiling_ms, target_ms, ..call.figure(work, name, (Clock::Kernel, kernels)) });
    Ok(Some(sum))
}

/// 10^9 cells a second of the median.
fn rate(call: &Call, times: Spread) -> f64 {
    Amount::in_time(crate::bench::amount::Unit::Cells, call.cells(), times.median_ms).rate
}

fn device<G: Gpu>(gpu: &Arc<G>, timed: bool) -> Result<Device<G>> {
    let memory = affordable(gpu.free_memory()?, None) / 4 * 3;
    Device::new(gpu.clone(), Settings { memory, timed, ..Settings::default() }, Box::new(Cpu::new()))
}
