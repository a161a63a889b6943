//! The benchmark of `sign`: the workloads of `bench/sign.toml`, which make or search signatures.
//!
//! Every answer is checked three times. The rows of the GPU equal those of the CPU engine, for all sequences or queries or
//! for the first part, which the CPU computes. The checksum of all rows is the one in the description of the workload. The
//! output of the program has the checksum of the engines' rows, written in its format.
//!
//! The CPU's rate is that of its part, and a speed-up compares rates.
//!
//! # Ceilings
//!
//! Kernels cannot be faster than shared memory or the instructions of their steps ([`ceiling`]). A call cannot be faster
//! than its kernels, nor than the copy of the residues to the device or of the signatures from it, at the rate of a pinned
//! copy measured at the start. Only making signatures has the process clock.

pub mod answer;
pub mod call;
pub mod ceiling;
pub mod process;
pub mod searching;
pub mod signing;
pub mod study;
pub mod work;

use super::amount::Amount;
use super::process::engine;
use super::spread::Spread;
use super::works::Shipped;
use super::{Bench, Clock, Figure, Measured, Outcome, Rig};
use crate::error::Result;
use crate::gpu::Gpu;
use answer::Answer;
use call::{Call, OnCpu, OnGpu};
use process::{Asked, Expected};
use signing::Signing;
use work::{Task, Work};

impl Measured for Work {
    const SHIPPED: Shipped = Shipped { path: "bench/sign.toml", text: include_str!("../../bench/sign.toml") };
    const USUAL: &'static [&'static str] = &[
        "qut",
        "qut-large",
        "proteins",
        "dna",
        "dna-one",
        "dna-reads",
        "dna-windows",
        "search-64",
        "search-1024",
        "search-8192",
        "search-65536",
        "search-few",
    ];

    fn named(self, name: String) -> Self {
        Self { name, ..self }
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.about
    }

    fn measure<G: Gpu>(&self, bench: &Bench<G>) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        match &self.task {
            Task::Search(search) => {
                bench.measure_engines(self, &search.generate(self.seed)?, &mut outcome)?;
            }
            Task::Sign(signing) => {
                let input = signing.generate(self.seed)?;
                let answer = bench.measure_engines(self, &input, &mut outcome)?;
                let expected = Expected::new(&input, answer)?;
                drop(input);
                bench.measure_builds(self, signing, expected, &mut outcome)?;
            }
        }
        Ok(outcome)
    }
}

impl<G: Gpu> Bench<G> {
    /// Measures the calls of the engines. Returns all rows, unless there is only the CPU and it computes a part.
    fn measure_engines<C: Call>(&self, work: &Work, call: &C, outcome: &mut Outcome) -> Result<Option<Answer>> {
        let on_cpu = call.on_cpu(work.cpu_part(call.size()), self.repeat)?;
        let times = (Clock::Call, on_cpu.call);
        let figure = Figure::new(&work.name, "cpu", times, on_cpu.answer.rows()).counted::<C>(on_cpu.count);
        let target_ms = work.target.cpu_ms(on_cpu.count, rayon::current_num_threads());
        outcome.figures.push(Figure { target_ms, ..figure });
        let Some(rig) = &self.rig else {
            if on_cpu.part < call.size() {
                return Ok(None);
            }
            work.check("cpu", &on_cpu.answer)?;
            outcome.remarks.push(format!("{}: checksum {}", work.name, on_cpu.answer.checksum()));
            return Ok(Some(on_cpu.answer));
        };
        let on_gpu = call.on_gpu(&rig.gpu, self.repeat)?;
        let name = rig.gpu.name();
        work.agree(name, &on_cpu.answer, &on_gpu.answer)?;
        work.check(name, &on_gpu.answer)?;
        outcome.remarks.push(remark(work, call, &on_cpu, &on_gpu));
        outcome.details.push(on_gpu.stages.clone());
        outcome.figures.extend(rig.figures_of_engines(work, call, (&on_cpu, &on_gpu)));
        Ok(Some(on_gpu.answer))
    }

    fn measure_builds(&self, work: &Work, signing: &Signing, expected: Expected, outcome: &mut Outcome) -> Result<()> {
        if self.programs.is_empty() {
            return Ok(());
        }
        let files = process::files(signing, work.seed, &self.scratch)?;
        for device in &self.devices {
            for program in &self.programs {
                let took = process::measure(&files, Asked { program, signing, device, expected }, self.repeat)?;
                let times = (Clock::Process, took.times);
                let figure = Figure::new(&work.name, &engine(program, device), times, expected.rows);
                let target_ms = work.target.process_ms.filter(|_| device != "cpu");
                let figure = figure.counted::<signing::Input>(expected.residues);
                outcome.figures.push(Figure { target_ms, peak_mib: Some(took.peak_mib), ..figure });
            }
        }
        Ok(())
    }
}

impl<G: Gpu> Rig<G> {
    /// The figures of a call, compared with the CPU, and of its kernels.
    fn figures_of_engines<C: Call>(&self, work: &Work, call: &C, (on_cpu, on_gpu): (&OnCpu, &OnGpu)) -> [Figure; 2] {
        let (count, rows) = (call.count(call.size()), on_gpu.answer.rows());
        let figure = |times: (Clock, Spread)| Figure::new(&work.name, self.gpu.name(), times, rows).counted::<C>(count);
        let (kernel_ms, call_figure) = (call.kernel_ms(), figure((Clock::Call, on_gpu.call)));
        let copy_ms = call.copied() as f64 / self.copy_rate * 1e3;
        let compared = |amount: Amount| Amount {
            speed_up: Some(speed_up::<C>(on_cpu, on_gpu, count)),
            identical: Some(on_cpu.answer.rows()),
            ..amount
        };
        [
            Figure {
                ceiling_ms: Some(kernel_ms.map_or(copy_ms, |kernel_ms| kernel_ms.max(copy_ms))),
                target_ms: work.target.call_ms,
                amount: call_figure.amount.map(compared),
                ..call_figure
            },
            Figure {
                ceiling_ms: kernel_ms,
                target_ms: work.target.kernel_ms(count),
                ..figure((Clock::Kernel, on_gpu.kernel))
            },
        ]
    }
}

impl Figure {
    /// The same figure with its rate.
    fn counted<C: Call>(self, count: u64) -> Self {
        Self { amount: Some(Amount::in_time(C::UNIT, count, self.times.median_ms)), ..self }
    }
}

/// Billions per second of the CPU and of a GPU, both of the call clock.
fn rates<C: Call>(on_cpu: &OnCpu, on_gpu: &OnGpu, count: u64) -> [f64; 2] {
    [(on_cpu.count, on_cpu.call), (count, on_gpu.call)]
        .map(|(count, call)| Amount::in_time(C::UNIT, count, call.median_ms).rate)
}

/// The rate of a GPU divided by that of the CPU.
fn speed_up<C: Call>(on_cpu: &OnCpu, on_gpu: &OnGpu, count: u64) -> f64 {
    let [cpu, gpu] = rates::<C>(on_cpu, on_gpu, count);
    gpu / cpu
}

fn remark<C: Call>(work: &Work, call: &C, on_cpu: &OnCpu, on_gpu: &OnGpu) -> String {
    let [cpu, gpu] = rates::<C>(on_cpu, on_gpu, call.count(call.size()));
    let (compared, rows) = (on_cpu.answer.rows(), on_gpu.answer.rows());
    let (unit, checksum) = (C::UNIT.rate(), on_gpu.answer.checksum());
    format!(
        "{}: CPU {cpu:.3} {unit}, GPU {gpu:.3} {unit}, speed-up {:.1}, {compared} of {rows} rows compared: identical; \
         checksum {checksum}",
        work.name,
        gpu / cpu
    )
}
