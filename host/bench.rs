//! `bench`: how fast the engines are, how near the ceiling, and whether they agree. A wrong answer is a failure.
//!
//! # Three clocks, never mixed
//!
//! ```text
//! kernel    the device's own clock around its kernels, table building included; nothing else runs meanwhile
//! call      host arrays in, host results out; memory and context are there, tables are not
//! process   the whole program: files in the page cache to a file of results
//! ```
//!
//! # Who does what
//!
//! ```text
//! work::works -> Work -> generate -> call::Search (CPU, GPU) -> Figure -> table (people), record (JSON)
//!                     -> process::Files -> process::measure -> Figure
//! study                one factor varied: CSV, and SVG by chart
//! ```
//!
//! Every answer is checked three times: all signatures that were put in are reported, the rows are as many as the work's
//! description says, and the GPU's hits, rows and hashes are those of the CPU engine.
//!
//! # Ceilings
//!
//! A call cannot be faster than the copy of the letters, one byte each, at the rate of a pinned copy measured at the start.
//! Kernels cannot be faster than their traffic at the rate of device memory: packing reads and writes a byte for each
//! symbol, searching reads half of one.

pub mod call;
pub mod chart;
pub mod machine;
pub mod process;
pub mod record;
pub mod spread;
pub mod study;
pub mod table;
pub mod work;

use crate::error::{Error, Result};
use crate::gpu::Gpu;
use call::{Answer, OnGpu, PinnedInPlace, Search};
use machine::DEVICE_MEMORY_RATE;
use process::{Asked, Files};
use serde::Serialize;
use spread::{Repeat, Spread};
use std::path::PathBuf;
use std::sync::Arc;
use work::{Input, Preset, Work};

/// Bytes of kernel traffic for each symbol: one read and one written by packing, half of one read by searching.
const KERNEL_BYTES: f64 = 2.5;

/// What was timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    Kernel,
    Call,
    Process,
}

/// One measurement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    pub work: String,
    pub preset: Preset,
    /// `cpu`, the GPU's name, or for the process clock the program and `--device`.
    pub engine: String,
    pub clock: Clock,
    #[serde(flatten)]
    pub times: Spread,
    /// The least time possible, where there is such a bound.
    pub ceiling_ms: Option<f64>,
    /// The time aimed at.
    pub target_ms: Option<f64>,
    pub rows: usize,
    /// Memory of a process, at most.
    pub peak_mib: Option<f64>,
}

/// A GPU to measure.
pub struct Rig<G: Gpu> {
    pub gpu: Arc<G>,
    /// The value for `--device` that gives it.
    pub argument: String,
    /// Bytes a second of a pinned copy to it.
    pub copy_rate: f64,
}

/// What to measure, and with what.
pub struct Bench<G: Gpu> {
    /// `None`: the CPU only.
    pub rig: Option<Rig<G>>,
    pub repeat: Repeat,
    /// Programs for the process clock.
    pub programs: Vec<PathBuf>,
    /// Where the files for it go.
    pub scratch: PathBuf,
}

/// What came of a work.
#[derive(Default)]
pub struct Outcome {
    pub figures: Vec<Figure>,
    /// What a person wants to read of it, line by line.
    pub remarks: Vec<String>,
    /// What the curious want to know.
    pub details: Vec<String>,
}

impl<G: Gpu> Bench<G> {
    /// Measures a work, on all engines and clocks, for all presets.
    ///
    /// # Errors
    /// [`Error::Mismatch`] for a wrong answer; the engines' errors.
    pub fn measure(&self, work: &Work) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        let input = work.generate()?;
        let pin = |rig: &Rig<G>| {
            // SAFETY: `input` outlives the guard, which is declared after it, and nothing changes its letters.
            unsafe { PinnedInPlace::new(&rig.gpu, &input.batch.bases) }
        };
        let pinned = self.rig.as_ref().map(pin).transpose()?;
        for preset in Preset::ALL {
            self.measure_calls(work, preset, &input, &mut outcome)?;
        }
        drop(pinned);
        let rows = work.rows.unwrap_or(input.truth.len());
        drop(input);
        if !self.programs.is_empty() {
            let files = Files::write(work, &self.scratch)?;
            for preset in Preset::ALL {
                self.measure_processes(work, (preset, rows), &files, &mut outcome)?;
            }
        }
        Ok(outcome)
    }

    fn measure_calls(&self, work: &Work, preset: Preset, input: &Input, outcome: &mut Outcome) -> Result<()> {
        let search = Search::new(preset, input);
        let (times, answer) = search.on_cpu(self.repeat)?;
        work.check("cpu", input, &answer.rows)?;
        let figure = Figure::new(work, preset, "cpu", (Clock::Call, times), answer.rows.len());
        let target_ms = work.target.cpu_ms(rayon::current_num_threads());
        outcome.figures.push(figure.aimed_at(None, target_ms));
        let Some(rig) = &self.rig else { return Ok(()) };
        let on_gpu = search.on_gpu(&rig.gpu, self.repeat)?;
        let name = rig.gpu.name();
        agree(work, preset, name, [&answer, &on_gpu.answer])?;
        work.check(name, input, &on_gpu.answer.rows)?;
        let remark = remark(preset, &times, &on_gpu.call);
        outcome.remarks.push(format!("{}: {remark}", work.name));
        outcome.details.extend(details(&on_gpu));
        outcome.figures.extend(rig.figures(work, preset, input.batch.bases.len(), &on_gpu));
        Ok(())
    }

    fn measure_processes(
        &self,
        work: &Work,
        (preset, rows): (Preset, usize),
        files: &Files,
        outcome: &mut Outcome,
    ) -> Result<()> {
        let devices = ["cpu"].into_iter().chain(self.rig.as_ref().map(|rig| rig.argument.as_str()));
        for device in devices {
            for program in &self.programs {
                let threads = rayon::current_num_threads();
                let took = process::measure(files, Asked { program, preset, device, threads, rows }, self.repeat)?;
                let name = program.file_name().unwrap_or(program.as_os_str()).display();
                let engine = format!("{name} --device {device}");
                let figure = Figure::new(work, preset, &engine, (Clock::Process, took.times), rows);
                let target_ms = work.target.process_ms.filter(|_| device != "cpu");
                let figure = figure.aimed_at(None, target_ms);
                outcome.figures.push(Figure { peak_mib: Some(took.peak_mib), ..figure });
            }
        }
        Ok(())
    }
}

impl<G: Gpu> Rig<G> {
    fn figures(&self, work: &Work, preset: Preset, symbols: usize, on_gpu: &OnGpu) -> [Figure; 2] {
        let rows = on_gpu.answer.rows.len();
        let call = Figure::new(work, preset, self.gpu.name(), (Clock::Call, on_gpu.call), rows);
        let kernel = Figure::new(work, preset, self.gpu.name(), (Clock::Kernel, on_gpu.kernel), rows);
        let copy_ms = symbols as f64 / self.copy_rate * 1e3;
        let traffic_ms = KERNEL_BYTES * symbols as f64 / DEVICE_MEMORY_RATE * 1e3;
        [call.aimed_at(Some(copy_ms), work.target.call_ms), kernel.aimed_at(Some(traffic_ms), work.target.kernel_ms)]
    }
}

impl Figure {
    fn new(work: &Work, preset: Preset, engine: &str, (clock, times): (Clock, Spread), rows: usize) -> Self {
        let (work, engine) = (work.name.clone(), engine.to_owned());
        Self { work, preset, engine, clock, times, ceiling_ms: None, target_ms: None, rows, peak_mib: None }
    }

    /// With its ceiling and its target; targets are for the presets that have them.
    fn aimed_at(self, ceiling_ms: Option<f64>, target_ms: Option<f64>) -> Self {
        let target_ms = target_ms.filter(|_| self.preset.has_targets());
        Self { ceiling_ms, target_ms, ..self }
    }

    /// The ceiling's share of the median time, 1 being as fast as can be.
    pub fn share_of_ceiling(&self) -> Option<f64> {
        self.ceiling_ms.map(|ceiling| ceiling / self.times.median_ms)
    }
}

fn agree(work: &Work, preset: Preset, gpu: &str, [cpu, other]: [&Answer; 2]) -> Result<()> {
    match cpu.differing(other) {
        0 => Ok(()),
        count => Err(Error::Mismatch(format!(
            "work {:?}, {}: {count} hits and rows of {gpu} and the CPU engine differ",
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
    [("first run, taking memory", &on_gpu.first), ("last run, memory there", &on_gpu.last)].map(|(which, t)| {
        format!(
            "{which}: allocate {:.3} ms, copy in {:.3}, pack {:.3}, table {:.3}, search {:.3}, copy out {:.3}; host waited {:.3}",
            t.allocate_ms, t.copy_in_ms, t.pack_ms, t.table_ms, t.search_ms, t.copy_out_ms, t.wait_ms
        )
    })
}
