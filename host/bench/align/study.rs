//! Varies one factor of the input of `align` and keeps the others: unrelated pairs, linear gaps, local, paths.

use super::call::Call;
use super::rules::{Mode, Options, Wanted};
use super::work::Work;
use super::{check, pin};
use crate::bench::Rig;
use crate::bench::amount::Unit;
use crate::bench::spread::Repeat;
use crate::bench::study::{self, Factor as _, Point};
use crate::error::Result;
use crate::gpu::Gpu;

/// The factor to vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Factor {
    Pairs,
    Length,
}

/// Cells of each point if the length is varied: those of 20,000 pairs of 512 residues.
const CELLS: f64 = 20_000.0 * 512.0 * 512.0;
/// The CPU aligns at least so many pairs, and about so many cells.
const CPU_PAIRS: usize = 2_000;
const CPU_CELLS: usize = 1 << 30;

impl Factor {
    fn values(self) -> &'static [usize] {
        match self {
            Self::Pairs => &[10, 100, 1_000, 10_000, 100_000],
            Self::Length => &[64, 128, 256, 512, 1024, 2048, 4096, 8192],
        }
    }

    fn work(self, value: usize, scale: f64) -> (f64, Work) {
        let (pairs, length) = match self {
            Self::Pairs => (value as f64, 512),
            Self::Length => (CELLS / (value * value) as f64, value),
        };
        let count = ((pairs * scale).round() as usize).max(1);
        let shown = if self == Self::Pairs { count } else { length };
        let work = Work {
            name: format!("{} {shown}", self.name()),
            about: self.axis().into(),
            seed: 1,
            count,
            lengths: [length; 2],
            letters: Some("ACGT".into()),
            divergence: None,
            search: None,
            modes: vec![Mode::Local],
            scoring: Options::default(),
            want: Wanted::Path,
            cpu_pairs: Some((CPU_CELLS / (length * length)).max(CPU_PAIRS)),
            score_sums: Default::default(),
            target: Default::default(),
        };
        (shown as f64, work)
    }
}

impl study::Factor for Factor {
    type Work = Work;
    const ENGINE: &'static str = "align";
    const TITLE: &'static str = "align: local, match 1, mismatch -1, gap 2, paths";

    fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::Length => "length",
        }
    }

    fn axis(self) -> &'static str {
        match self {
            Self::Pairs => "pairs (512 x 512 letters each)",
            Self::Length => "length of both sequences (letters), the cells of all pairs kept",
        }
    }

    fn works(self, scale: f64) -> Vec<(f64, Work)> {
        self.values().iter().map(|&value| self.work(value, scale)).collect()
    }

    fn measure<G: Gpu>(value: f64, work: &Work, rig: Option<&Rig<G>>, repeat: Repeat) -> Result<Vec<Point>> {
        let (mode, input) = (Mode::Local, work.generate()?);
        let scoring = work.scoring.rules(mode)?.scoring()?;
        let call = Call { input: &input, scoring: &scoring, want: work.want.into() };
        let on_cpu = call.on_cpu(work.cpu_pairs, repeat)?;
        check::paths("cpu", &call, (&on_cpu.sample, &on_cpu.alignments))?;
        let (rows, amount) = (on_cpu.sample.len(), Some((Unit::Cells, on_cpu.cells)));
        let cpu = Point { value, device: "cpu".into(), kernel: None, call: on_cpu.call, rows, amount };
        let Some(rig) = rig else { return Ok(vec![cpu]) };
        // SAFETY: the residues stay until after the guards were dropped below, and nothing else pins them.
        let pinned = unsafe { pin(rig, &input)? };
        let on_gpu = call.on_gpu(&rig.gpu, repeat)?;
        drop(pinned);
        work.agree((rig.gpu.name(), mode), &on_cpu, &on_gpu)?;
        let (rows, amount) = (on_gpu.alignments.len(), Some((Unit::Cells, on_gpu.cells)));
        let (device, kernel) = (rig.gpu.name().to_owned(), Some(on_gpu.kernel));
        Ok(vec![cpu, Point { value, device, kernel, call: on_gpu.call, rows, amount }])
    }
}
