//! One factor of align's input varied, the others kept: unrelated pairs, linear gaps, local, paths.
//!
//! Each point's answer is checked like a benchmark's.

use super::call::Call;
use super::rules::{Mode, Options, Wanted};
use super::work::Work;
use super::{check, pin};
use crate::bench::Rig;
use crate::bench::spread::Repeat;
use crate::bench::study::{Point, Study};
use crate::error::Result;
use crate::gpu::Gpu;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Factor {
    Pairs,
    Length,
}

/// Cells of each point where the length is varied: those of 20,000 pairs of 512.
const CELLS: f64 = 20_000.0 * 512.0 * 512.0;
/// Pairs that the CPU aligns, at least, and cells, about.
const CPU_PAIRS: usize = 2_000;
const CPU_CELLS: usize = 1 << 30;

impl Factor {
    /// As in file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::Length => "length",
        }
    }

    /// With its unit, as on an axis.
    pub fn axis(self) -> &'static str {
        match self {
            Self::Pairs => "pairs (512 x 512 letters each)",
            Self::Length => "length of both sequences (letters), the cells of all pairs kept",
        }
    }

    fn values(self) -> &'static [usize] {
        match self {
            Self::Pairs => &[10, 100, 1_000, 10_000, 100_000],
            Self::Length => &[64, 128, 256, 512, 1024, 2048, 4096, 8192],
        }
    }

    /// The works of the study with the value of the factor in each. `scale` multiplies the numbers of pairs.
    pub fn works(self, scale: f64) -> Vec<(f64, Work)> {
        self.values().iter().map(|&value| self.work(value, scale)).collect()
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
            one_query: false,
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

/// Measures how a factor tells, and writes `align-<factor>.csv` and `.svg` into `folder`. The two files.
///
/// # Errors
/// [`crate::error::Error::Mismatch`] for a wrong answer; those of the engines and of writing.
pub fn study<G: Gpu>(
    factor: Factor,
    works: &[(f64, Work)],
    rig: Option<&Rig<G>>,
    runs: usize,
    folder: &Path,
) -> Result<[PathBuf; 2]> {
    let repeat = Repeat { runs, at_most: Duration::from_secs(1) };
    let mut points = Vec::new();
    for (value, work) in works {
        measure(*value, work, rig, repeat, &mut points)?;
    }
    let title = "align: local, match 1, mismatch -1, gap 2, paths";
    Study { engine: "align", factor: factor.name(), title, axis: factor.axis(), points }.write(folder)
}

fn measure<G: Gpu>(
    value: f64,
    work: &Work,
    rig: Option<&Rig<G>>,
    repeat: Repeat,
    points: &mut Vec<Point>,
) -> Result<()> {
    let (mode, input) = (Mode::Local, work.generate()?);
    let scoring = work.scoring.rules(mode)?.scoring()?;
    let call = Call { input: &input, scoring: &scoring, want: work.want.into() };
    let on_cpu = call.on_cpu(work.cpu_pairs, repeat)?;
    check::paths("cpu", &call, (&on_cpu.sample, &on_cpu.alignments))?;
    let (rows, cells) = (on_cpu.sample.len(), Some(on_cpu.cells));
    points.push(Point { value, device: "cpu".into(), kernel: None, call: on_cpu.call, rows, cells });
    let Some(rig) = rig else { return Ok(()) };
    let pinned = pin(rig, &input)?;
    let on_gpu = call.on_gpu(&rig.gpu, repeat)?;
    drop(pinned);
    work.agree((rig.gpu.name(), mode), &on_cpu, &on_gpu)?;
    let (device, rows, cells) = (rig.gpu.name().to_owned(), on_gpu.alignments.len(), Some(on_gpu.cells));
    points.push(Point { value, device, kernel: Some(on_gpu.kernel), call: on_gpu.call, rows, cells });
    Ok(())
}
