//! One factor of an input varied, the others kept: a CSV with all times, and a chart.
//!
//! The chart shows median times, or, where cells are counted, billions of cells a second.

use super::chart::{Chart, Series};
use super::record::write;
use super::spread::Spread;
use crate::error::Result;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Times of one engine at one value of the factor.
pub struct Point {
    pub value: f64,
    /// `cpu`, or the GPU's name.
    pub device: String,
    /// `None`: the CPU.
    pub kernel: Option<Spread>,
    pub call: Spread,
    /// Rows found, or pairs aligned.
    pub rows: usize,
    /// Cells computed, of `align`.
    pub cells: Option<u64>,
}

/// What was varied, and what came of it.
pub struct Study<'a> {
    /// `scan`, `align`.
    pub engine: &'a str,
    /// The factor, as in file names.
    pub factor: &'a str,
    pub title: &'a str,
    /// The factor with its unit.
    pub axis: &'a str,
    pub points: Vec<Point>,
}

impl Study<'_> {
    /// Writes `<engine>-<factor>.csv` and `.svg` into `folder`. The two files.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write(&self, folder: &Path) -> Result<[PathBuf; 2]> {
        let name = format!("{}-{}", self.engine, self.factor);
        let csv = write(folder, &format!("{name}.csv"), &self.csv())?;
        let y = if self.counts_cells() { "billions of cells a second" } else { "time (ms)" };
        let chart = Chart { title: self.title, x: self.axis, y, series: self.series() };
        Ok([csv, write(folder, &format!("{name}.svg"), &chart.svg())?])
    }

    fn counts_cells(&self) -> bool {
        self.points.iter().any(|point| point.cells.is_some())
    }

    fn csv(&self) -> String {
        let mut text = self.factor.to_owned();
        text += ",device,kernel_min_ms,kernel_median_ms,kernel_max_ms,call_min_ms,call_median_ms,call_max_ms,runs,rows";
        text += if self.counts_cells() { ",cells\n" } else { "\n" };
        for Point { value, device, kernel, call, rows, cells } in &self.points {
            let shown = |spread: &Spread| format!("{:.4},{:.4},{:.4}", spread.min_ms, spread.median_ms, spread.max_ms);
            let (kernel, call_ms, runs) = (kernel.as_ref().map_or(",,".into(), shown), shown(call), call.runs);
            let cells = cells.map(|cells| format!(",{cells}")).unwrap_or_default();
            writeln!(text, "{value},{device},{kernel},{call_ms},{runs},{rows}{cells}")
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
    /// What the chart shows of a time.
    fn height(&self, Spread { median_ms, .. }: Spread) -> f64 {
        self.cells.map_or(median_ms, |cells| cells as f64 / median_ms / 1e6)
    }
}
