//! The benchmark of `scan`: the workloads of `bench/scan.toml`, each with the course presets and with the defaults.
//!
//! Every result is checked three times. All inserted signatures are reported. The number of rows is the one in the description
//! of the workload. The hits, rows and hashes of the GPU equal those of the CPU engine.
//!
//! # Ceilings
//!
//! A call cannot be faster than the copy of the bases, one byte each, at the rate of a pinned copy measured at the start.
//! Kernels cannot be faster than their traffic at the rate of device memory: packing reads and writes a byte for each symbol,
//! and searching reads half a byte.

pub mod call;
pub mod process;
pub mod study;
pub mod work;

use super::machine::DEVICE_MEMORY_RATE;
use super::pinned::PinnedInPlace;
use super::process::{Folder, engine};
use super::spread::Spread;
use super::works::Shipped;
use super::{Bench, Clock, Figure, Measured, Outcome, Rig};
use crate::error::{Error, Result};
use crate::gpu::Gpu;
use crate::scan::device::stage;
use call::{Found, OnGpu, Search};
use process::Asked;
use work::{Input, Preset, Work};

/// Bytes of kernel traffic per symbol: packing reads one and writes one, searching reads half of one.
const KERNEL_BYTES: f64 = 2.5;

impl Measured for Work {
    const SHIPPED: Shipped = Shipped { path: "bench/scan.toml", text: include_str!("../../bench/scan.toml") };
    const USUAL: &'static [&'static str] = &["default", "no-n", "n30", "dense"];

    fn named(self, name: String) -> Self {
        Self { name, ..self }
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.about
    }

    /// Measures it with all presets.
    fn measure<G: Gpu>(&self, bench: &Bench<G>) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        let input = self.generate()?;
        let pin = |rig: &Rig<G>| {
            // SAFETY: the bases stay until after the guard was dropped below, and nothing else pins them.
            unsafe { PinnedInPlace::new(&rig.gpu, input.batch.sequences().residues()) }
        };
        let pinned = bench.rig.as_ref().map(pin).transpose()?;
        for preset in Preset::ALL {
            bench.measure_searches(self, preset, &input, &mut outcome)?;
        }
        drop(pinned);
        let rows = self.rows.unwrap_or(input.truth.len());
        drop(input);
        if !bench.programs.is_empty() {
            let files = process::files(self, &bench.scratch)?;
            for preset in Preset::ALL {
                bench.measure_scans(self, (preset, rows), &files, &mut outcome)?;
            }
        }
        Ok(outcome)
    }
}

impl<G: Gpu> Bench<G> {
    fn measure_searches(&self, work: &Work, preset: Preset, input: &Input, outcome: &mut Outcome) -> Result<()> {
        let search = Search::new((preset, work.mismatches), input);
        let (times, result) = search.on_cpu(self.repeat)?;
        work.check("cpu", input, &result.rows)?;
        let figure = Figure::new(work.name(), "cpu", (Clock::Call, times), result.rows.len());
        let target_ms = work.target.cpu_ms(rayon::current_num_threads());
        outcome.figures.push(figure.searched(preset, None, target_ms));
        let Some(rig) = &self.rig else { return Ok(()) };
        let on_gpu = search.on_gpu(&rig.gpu, self.repeat)?;
        let name = rig.gpu.name();
        agree(work, preset, name, [&result, &on_gpu.result])?;
        work.check(name, input, &on_gpu.result.rows)?;
        let remark = remark(preset, &times, &on_gpu.call);
        outcome.remarks.push(format!("{}: {remark}", work.name));
        outcome.details.extend(details(&on_gpu));
        outcome.figures.extend(rig.figures(work, preset, input.batch.sequences().residues().len(), &on_gpu));
        Ok(())
    }

    fn measure_scans(
        &self,
        work: &Work,
        (preset, rows): (Preset, usize),
        files: &Folder,
        outcome: &mut Outcome,
    ) -> Result<()> {
        for device in &self.devices {
            for program in &self.programs {
                let threads = rayon::current_num_threads();
                let took = process::measure(files, Asked { program, preset, device, threads, rows }, self.repeat)?;
                let figure = Figure::new(&work.name, &engine(program, device), (Clock::Process, took.times), rows);
                let target_ms = work.target.process_ms.filter(|_| device != "cpu");
                let figure = figure.searched(preset, None, target_ms);
                outcome.figures.push(Figure { peak_mib: Some(took.peak_mib), ..figure });
            }
        }
        Ok(())
    }
}

impl<G: Gpu> Rig<G> {
    fn figures(&self, work: &Work, preset: Preset, symbols: usize, on_gpu: &OnGpu) -> [Figure; 2] {
        let figure = |times: (Clock, Spread)| Figure::new(&work.name, self.gpu.name(), times, on_gpu.result.rows.len());
        let copy_ms = symbols as f64 / self.copy_rate * 1e3;
        let traffic_ms = KERNEL_BYTES * symbols as f64 / DEVICE_MEMORY_RATE * 1e3;
        [
            figure((Clock::Call, on_gpu.call)).searched(preset, Some(copy_ms), work.target.call_ms),
            figure((Clock::Kernel, on_gpu.kernel)).searched(preset, Some(traffic_ms), work.target.kernel_ms),
        ]
    }
}

impl Figure {
    /// The same figure with its preset, its ceiling, and its target if the preset has one.
    fn searched(self, preset: Preset, ceiling_ms: Option<f64>, target_ms: Option<f64>) -> Self {
        let target_ms = target_ms.filter(|_| preset.has_targets());
        Self { preset: Some(preset.name()), ceiling_ms, target_ms, ..self }
    }
}

fn agree(work: &Work, preset: Preset, gpu: &str, [cpu, other]: [&Found; 2]) -> Result<()> {
    match cpu.differing(other) {
        0 => Ok(()),
        count => Err(Error::Mismatch(format!(
            "workload {:?}, {}: {count} hits and rows differ between {gpu} and the CPU engine",
            work.name,
            preset.name()
        ))),
    }
}

fn remark(preset: Preset, cpu: &Spread, gpu: &Spread) -> String {
    let times = cpu.median_ms / gpu.median_ms;
    let (preset, cpu_ms, gpu_ms) = (preset.name(), cpu.median_ms, gpu.median_ms);
    format!("{preset}: CPU {cpu_ms:.1} ms, GPU {gpu_ms:.1} ms, speed-up {times:.1}, identical")
}

fn details(on_gpu: &OnGpu) -> [String; 2] {
    [("first run, with allocation", &on_gpu.first), ("last run", &on_gpu.last)].map(|(which, t)| {
        let stages = [stage::ALLOCATE, stage::COPY_IN, stage::PACK, stage::TABLE, stage::SEARCH, stage::COPY_OUT];
        format!("{which}: {}; host waited {:.3}", t.text(&stages), t.of(stage::WAIT))
    })
}
