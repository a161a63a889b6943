//! Varies one factor of an input and keeps the others: a CSV with all times, and a chart.
//!
//! The chart shows median times, or billions per second if cells or residues are counted. The answer at each point is checked
//! as in a benchmark.

use super::amount::Unit;
use super::chart::{Chart, Series};
use super::record::write;
use super::spread::{Repeat, Spread};
use super::{Measured, Rig};
use crate::error::Result;
use crate::gpu::Gpu;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A factor of an engine's input.
pub trait Factor: Copy {
    type Work: Measured;
    /// `scan`, `align`, `sign`.
    const ENGINE: &'static str;
    /// The title of the chart: the engine and its options.
    const TITLE: &'static str;

    /// The name in file names.
    fn name(self) -> &'static str;

    /// The name with its unit, for the axis.
    fn axis(self) -> &'static str;

    /// The workloads of the study, each with its value of the factor. `scale` multiplies the numbers of sequences.
    fn works(self, scale: f64) -> Vec<(f64, Self::Work)>;

    /// Measures the point of one value on each engine.
    ///
    /// # Errors
    /// [`crate::error::Error::Mismatch`] for a wrong answer; those of the engines.
    fn measure<G: Gpu>(value: f64, work: &Self::Work, rig: Option<&Rig<G>>, repeat: Repeat) -> Result<Vec<Point>>;
}

/// Measures the effect of a factor, writes `<engine>-<factor>.csv` and `.svg` into `folder`, and returns their paths.
///
/// # Errors
/// [`crate::error::Error::Mismatch`] for a wrong answer; those of the engines and of writing.
pub fn study<F: Factor, G: Gpu>(
    factor: F,
    works: &[(f64, F::Work)],
    rig: Option<&Rig<G>>,
    runs: usize,
    folder: &Path,
) -> Result<[PathBuf; 2]> {
    let repeat = Repeat { runs, at_most: Duration::from_secs(1) };
    let mut points = Vec::new();
    for (value, work) in works {
        points.extend(F::measure(*value, work, rig, repeat)?);
    }
    Study { engine: F::ENGINE, factor: factor.name(), title: F::TITLE, axis: factor.axis(), points }.write(folder)
}

/// Times of one engine at one value of the factor.
pub struct Point {
    pub value: f64,
    /// `cpu`, or the GPU's name.
    pub device: String,
    /// `None` for the CPU.
    pub kernel: Option<Spread>,
    pub call: Spread,
    /// Rows found, pairs aligned, or windows signed.
    pub rows: usize,
    /// The amount of work, if it is counted.
    pub amount: Option<(Unit, u64)>,
}

/// What was varied, and the points measured.
struct Study<'a> {
    engine: &'a str,
    factor: &'a str,
    title: &'a str,
    axis: &'a str,
    points: Vec<Point>,
}

impl Study<'_> {
    fn write(&self, folder: &Path) -> Result<[PathBuf; 2]> {
        let name = format!("{}-{}", self.engine, self.factor);
        let csv = write(folder, &format!("{name}.csv"), &self.csv())?;
        let y = self.unit().map_or("time (ms)".into(), |unit| format!("billions of {} a second", unit.name()));
        let chart = Chart { title: self.title, x: self.axis, y: &y, series: self.series() };
        Ok([csv, write(folder, &format!("{name}.svg"), &chart.svg())?])
    }

    /// The unit of the amounts, if they are counted.
    fn unit(&self) -> Option<Unit> {
        self.points.iter().find_map(|point| point.amount).map(|(unit, _)| unit)
    }

    fn csv(&self) -> String {
        let mut text = self.factor.to_owned();
        text += ",device,kernel_min_ms,kernel_median_ms,kernel_max_ms,call_min_ms,call_median_ms,call_max_ms,runs,rows";
        text += &self.unit().map_or("\n".into(), |unit| format!(",{}\n", unit.name()));
        for Point { value, device, kernel, call, rows, amount } in &self.points {
            let shown = |spread: &Spread| format!("{:.4},{:.4},{:.4}", spread.min_ms, spread.median_ms, spread.max_ms);
            let (kernel, call_ms, runs) = (kernel.as_ref().map_or(",,".into(), shown), shown(call), call.runs);
            let amount = amount.map(|(_, count)| format!(",{count}")).unwrap_or_default();
            writeln!(text, "{value},{device},{kernel},{call_ms},{runs},{rows}{amount}")
                .expect("a string takes all text");
        }
        text
    }

    fn series(&self) -> Vec<Series> {
        let line = |name: &str, on_gpu: bool, time: &dyn Fn(&Point) -> Option<Spread>| {
            let of_engine = self.points.iter().filter(|point| point.kernel.is_some() == on_gpu);
            Series {
                name: name.into(),
                points: of_engine.filter_map(|p| Some((p.value, p.height(time(p)?)))).collect(),
            }
        };
        let call = |point: &Point| Some(point.call);
        let kernel = |point: &Point| point.kernel;
        let all =
            [line("CPU, call", false, &call), line("GPU, call", true, &call), line("GPU, kernels", true, &kernel)];
        all.into_iter().filter(|series| !series.points.is_empty()).collect()
    }
}

impl Point {
    /// The height of a time in the chart.
    fn height(&self, Spread { median_ms, .. }: Spread) -> f64 {
        self.amount.map_or(median_ms, |(_, count)| count as f64 / median_ms / 1e6)
    }
}
