//! The benchmark of `align`: the workloads of `bench/align.toml`.
//!
//! Every result is checked three times. The alignments of the GPU equal those of the CPU engine, for all pairs or for the sample
//! that the CPU aligns. The path of every pair has its score. The scores of all pairs add up to the sum in the description of
//! the workload, also in the output of the program.
//!
//! Searches are measured in the same ways ([`search`]). The CPU's rate is that of its sample, and a speed-up compares rates.
//!
//! # Ceilings
//!
//! Kernels cannot be faster than the instructions of their steps ([`ceiling`]). A call cannot be faster than its kernels or than
//! the copy of the residues, one byte each, at the rate of a pinned copy measured at the start.

pub mod call;
pub mod ceiling;
pub mod check;
pub mod process;
pub mod rules;
pub mod search;
pub mod study;
pub mod work;

use super::amount::{Amount, Unit};
use super::pinned::PinnedInPlace;
use super::process::{Folder, engine};
use super::works::Shipped;
use super::{Bench, Clock, Figure, Measured, Outcome, Rig};
use crate::align::device::stage;
use crate::error::{Error, Result};
use crate::gpu::Gpu;
use call::{Call, OnCpu, OnGpu};
use process::Asked;
use rules::Mode;
use work::{Input, Work};

impl Measured for Work {
    const SHIPPED: Shipped = Shipped { path: "bench/align.toml", text: include_str!("../../bench/align.toml") };
    const USUAL: &'static [&'static str] = &[
        "thousand",
        "dna-path",
        "dna-path-similar",
        "dna-score",
        "affine-path",
        "search-144",
        "search-1000",
        "search-5478",
        "search-20",
        "reads-fit",
        "long",
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

    /// Measures it in all modes.
    fn measure<G: Gpu>(&self, bench: &Bench<G>) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        let input = self.generate()?;
        let mut score_sums = Vec::new();
        if self.search.is_some() {
            score_sums.push(search::measure(bench, self, &input, &mut outcome)?);
        } else {
            // SAFETY: the residues stay until after the guards were dropped below, and nothing else pins them.
            let pinned = bench.rig.as_ref().map(|rig| unsafe { pin(rig, &input) }).transpose()?;
            for &mode in &self.modes {
                score_sums.push(bench.measure_calls(self, mode, &input, &mut outcome)?);
            }
            drop(pinned);
        }
        if !bench.programs.is_empty() {
            let (files, cells) = (process::files(&input, &bench.scratch)?, self.cells(&input));
            drop(input);
            for (&mode, score_sum) in self.modes.iter().zip(score_sums) {
                bench.measure_programs(self, (mode, score_sum), (&files, cells), &mut outcome)?;
            }
        }
        Ok(outcome)
    }
}

/// Pins the residues of an input.
///
/// # Safety
/// The residues stay allocated, and where they are, until the guards are dropped; nothing else pins them.
unsafe fn pin<G: Gpu>(rig: &Rig<G>, input: &Input) -> Result<[PinnedInPlace<G>; 2]> {
    let pin = |residues: &[u8]| {
        // SAFETY: the obligations are those of this function.
        unsafe { PinnedInPlace::new(&rig.gpu, residues) }
    };
    Ok([pin(input.queries.residues())?, pin(input.targets.residues())?])
}

impl<G: Gpu> Bench<G> {
    /// Measures the calls of the engines. Returns the sum of the scores of all pairs, if it is known.
    fn measure_calls(&self, work: &Work, mode: Mode, input: &Input, outcome: &mut Outcome) -> Result<Option<i64>> {
        let scoring = work.scoring.rules(mode)?.scoring()?;
        let call = Call { input, scoring: &scoring, want: work.want.into() };
        let on_cpu = call.on_cpu(work.cpu_pairs, self.repeat)?;
        check::paths("cpu", &call, (&on_cpu.sample, &on_cpu.alignments))?;
        outcome.figures.push(figure_of_cpu(work, mode, &on_cpu));
        let expected = work.score_sums.get(&mode).copied();
        let Some(rig) = &self.rig else {
            if on_cpu.sample.len() < input.pairs.len() {
                return Ok(expected);
            }
            let sum = check::sum(&on_cpu.alignments);
            work.check_sum(("cpu", mode), sum)?;
            outcome.remarks.push(format!("{}, {}: scores add up to {sum}", work.name, mode.name()));
            return Ok(Some(sum));
        };
        let on_gpu = call.on_gpu(&rig.gpu, self.repeat)?;
        let name = rig.gpu.name();
        work.agree((name, mode), &on_cpu, &on_gpu)?;
        let all: Vec<usize> = (0..input.pairs.len()).collect();
        check::paths(name, &call, (&all, &on_gpu.alignments))?;
        let sum = check::sum(&on_gpu.alignments);
        work.check_sum((name, mode), sum)?;
        outcome.remarks.push(remark(work, mode, &on_cpu, &on_gpu));
        outcome.details.push(details(&on_gpu));
        outcome.figures.extend(rig.figures_of_calls(work, mode, &call, (&on_cpu, &on_gpu)));
        Ok(Some(sum))
    }

    fn measure_programs(
        &self,
        work: &Work,
        (mode, score_sum): (Mode, Option<i64>),
        (files, cells): (&Folder, u64),
        outcome: &mut Outcome,
    ) -> Result<()> {
        for device in &self.devices {
            for program in &self.programs {
                let took = process::measure(files, Asked { program, work, mode, device, score_sum }, self.repeat)?;
                let times = (Clock::Process, took.times);
                let figure = Figure::new(&work.name, &engine(program, device), times, work.count).aligned(mode, cells);
                outcome.figures.push(Figure { peak_mib: Some(took.peak_mib), ..figure });
            }
        }
        Ok(())
    }
}

fn figure_of_cpu(work: &Work, mode: Mode, on_cpu: &OnCpu) -> Figure {
    let target_ms = work.target.cpu_ms(on_cpu.cells, rayon::current_num_threads());
    let figure = Figure::new(&work.name, "cpu", (Clock::Call, on_cpu.call), on_cpu.sample.len());
    Figure { target_ms, ..figure.aligned(mode, on_cpu.cells) }
}

impl<G: Gpu> Rig<G> {
    /// The figures of a call, compared with the CPU, and of its kernels.
    fn figures_of_calls(
        &self,
        work: &Work,
        mode: Mode,
        call: &Call,
        (on_cpu, on_gpu): (&OnCpu, &OnGpu),
    ) -> [Figure; 2] {
        let (cells, pairs) = (on_gpu.cells, on_gpu.alignments.len());
        let figure = |times| Figure::new(&work.name, self.gpu.name(), times, pairs).aligned(mode, cells);
        let kernel_ms = ceiling::kernel_ms(cells, call.scoring);
        let compared = |of: Option<Amount>| {
            of.map(|of| Amount { speed_up: Some(speed_up(on_cpu, on_gpu)), identical: Some(on_cpu.sample.len()), ..of })
        };
        let call_figure = figure((Clock::Call, on_gpu.call));
        [
            Figure {
                ceiling_ms: Some(kernel_ms.max(self.copy_ms(call))),
                target_ms: work.target.call_ms(cells),
                amount: compared(call_figure.amount),
                ..call_figure
            },
            Figure {
                ceiling_ms: Some(kernel_ms),
                target_ms: work.target.kernel_ms(cells),
                ..figure((Clock::Kernel, on_gpu.kernel))
            },
        ]
    }

    /// Milliseconds to copy the residues to the device.
    fn copy_ms(&self, call: &Call) -> f64 {
        let residues = call.input.queries.residues().len() + call.input.targets.residues().len();
        residues as f64 / self.copy_rate * 1e3
    }
}

impl Figure {
    /// The same figure with its mode and its rate of cells.
    fn aligned(self, mode: Mode, cells: u64) -> Self {
        let amount = Some(Amount::in_time(Unit::Cells, cells, self.times.median_ms));
        Self { mode: Some(mode.name()), amount, ..self }
    }
}

impl Work {
    /// Cells of all pairs of an input.
    fn cells(&self, input: &Input) -> u64 {
        match self.search {
            Some(_) => input.queries.residues().len() as u64 * input.targets.residues().len() as u64,
            None => call::cells(&input.batch()),
        }
    }

    /// Checks that the alignments of a GPU equal those of the CPU engine.
    fn agree(&self, (gpu, mode): (&str, Mode), on_cpu: &OnCpu, on_gpu: &OnGpu) -> Result<()> {
        let compared = on_cpu.sample.len();
        match check::differing(&on_cpu.sample, &on_cpu.alignments, &on_gpu.alignments) {
            0 => Ok(()),
            count => Err(Error::Mismatch(format!(
                "workload {:?}, {}: {count} of {compared} alignments differ between {gpu} and the CPU engine",
                self.name,
                mode.name()
            ))),
        }
    }

    /// Checks that the scores add up to the sum in the description.
    fn check_sum(&self, (engine, mode): (&str, Mode), sum: i64) -> Result<()> {
        match self.score_sums.get(&mode) {
            Some(&expected) if sum != expected => Err(Error::Mismatch(format!(
                "{engine}, workload {:?}, {}: expected the scores to add up to {expected}, found {sum}",
                self.name,
                mode.name()
            ))),
            _ => Ok(()),
        }
    }
}

/// The rate of a GPU divided by that of the CPU, both of the call clock.
fn speed_up(on_cpu: &OnCpu, on_gpu: &OnGpu) -> f64 {
    let gcups = |cells, ms| Amount::in_time(Unit::Cells, cells, ms).rate;
    gcups(on_gpu.cells, on_gpu.call.median_ms) / gcups(on_cpu.cells, on_cpu.call.median_ms)
}

fn remark(work: &Work, mode: Mode, on_cpu: &OnCpu, on_gpu: &OnGpu) -> String {
    let [cpu, gpu] = [(on_cpu.cells, on_cpu.call), (on_gpu.cells, on_gpu.call)]
        .map(|(cells, call)| Amount::in_time(Unit::Cells, cells, call.median_ms).rate);
    let (compared, pairs, times) = (on_cpu.sample.len(), on_gpu.alignments.len(), speed_up(on_cpu, on_gpu));
    let sum = check::sum(&on_gpu.alignments);
    let sent = match on_gpu.sent_to_cpu {
        0 => String::new(),
        sent => format!("; the CPU engine aligned {sent} pairs for it"),
    };
    format!(
        "{}, {}: CPU {cpu:.1} GCUPS, GPU {gpu:.1} GCUPS, speed-up {times:.1}, {compared} of {pairs} compared: identical; \
         scores add up to {sum}{sent}",
        work.name,
        mode.name()
    )
}

fn details(on_gpu: &OnGpu) -> String {
    on_gpu.last.text(&[stage::COPY_IN, stage::FORWARD, stage::TRACEBACK, stage::COPY_OUT])
}
