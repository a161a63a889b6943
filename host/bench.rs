//! `bench`: how fast the engines are, how close to the ceiling, and whether they agree. A wrong answer is a failure.
//!
//! # Three clocks, never mixed
//!
//! ```text
//! kernel    the device's own clock around its kernels, building the tables included; nothing else runs meanwhile
//! call      from arrays in host memory to results there; memory and context exist, the tables do not
//! process   the whole program, from files in the page cache to a file of results
//! ```
//!
//! # Who does what
//!
//! ```text
//! works::works -> {scan, align, sign}::Work -> call (CPU, GPU) -> Figure -> table (people), record (JSON)
//!                                          -> process         -> Figure
//!                one factor varied         -> call -> study: CSV, and SVG by chart
//! ```
//!
//! [`scan`], [`align`] and [`sign`] describe their workloads, how the answers are checked, and the ceilings; [`files`] measures whole
//! commands.

pub mod align;
pub mod amount;
pub mod chart;
pub mod files;
pub mod machine;
pub mod pinned;
pub mod process;
pub mod record;
pub mod scan;
pub mod sign;
pub mod spread;
pub mod study;
pub mod table;
pub mod works;

use crate::error::Result;
use crate::gpu::Gpu;
use serde::Serialize;
use serde::de::DeserializeOwned;
use spread::{Repeat, Spread};
use std::path::PathBuf;
use std::sync::Arc;
use works::Shipped;

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
    /// `scan`: the preset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<&'static str>,
    /// `align`: the mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<&'static str>,
    /// `cpu`, the GPU's name, or for the process clock the program and `--device`.
    pub engine: String,
    pub clock: Clock,
    #[serde(flatten)]
    pub times: Spread,
    /// The shortest possible time, if a bound is known.
    pub ceiling_ms: Option<f64>,
    /// The target time.
    pub target_ms: Option<f64>,
    /// Rows found, pairs aligned, or windows signed.
    pub rows: usize,
    /// Peak memory of a process.
    pub peak_mib: Option<f64>,
    /// The amount of work, if it is counted.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub amount: Option<amount::Amount>,
}

impl Figure {
    /// A figure with the times of `rows` answers, and nothing else.
    fn new(work: &str, engine: &str, (clock, times): (Clock, Spread), rows: usize) -> Self {
        Self {
            work: work.to_owned(),
            preset: None,
            mode: None,
            engine: engine.to_owned(),
            clock,
            times,
            ceiling_ms: None,
            target_ms: None,
            rows,
            peak_mib: None,
            amount: None,
        }
    }

    /// Ceiling divided by median time. 1 is as fast as possible.
    pub fn share_of_ceiling(&self) -> Option<f64> {
        self.ceiling_ms.map(|ceiling| ceiling / self.times.median_ms)
    }
}

/// A GPU to measure.
pub struct Rig<G: Gpu> {
    pub gpu: Arc<G>,
    /// Bytes per second of a pinned copy to it.
    pub copy_rate: f64,
}

/// The equipment: what to measure on, how often, and with which programs.
pub struct Bench<G: Gpu> {
    /// `None`: the CPU only, or only programs, which open a GPU by themselves.
    pub rig: Option<Rig<G>>,
    /// The values of `--device` for programs.
    pub devices: Vec<String>,
    pub repeat: Repeat,
    /// Programs for the process clock.
    pub programs: Vec<PathBuf>,
    /// The folder for their files.
    pub scratch: PathBuf,
    /// The folder of real files that some workloads read.
    pub inputs: PathBuf,
}

/// A workload of an engine.
pub trait Measured: Clone + DeserializeOwned {
    /// The workloads shipped with the program.
    const SHIPPED: Shipped;
    /// Those measured unless others are asked for.
    const USUAL: &'static [&'static str];
    /// Whether only programs are measured, beside which the GPU is not to be open: see [`machine::Facts::of_process`].
    const BY_PROGRAMS: bool = false;

    /// The workload under the name that it has in its file.
    fn named(self, name: String) -> Self;

    fn name(&self) -> &str;

    /// A description in one line.
    fn about(&self) -> &str;

    /// Measures it on all engines and clocks.
    ///
    /// # Errors
    /// [`crate::error::Error::Mismatch`] for a wrong answer; those of the engines.
    fn measure<G: Gpu>(&self, bench: &Bench<G>) -> Result<Outcome>;
}

/// The result of measuring a workload.
#[derive(Default)]
pub struct Outcome {
    pub figures: Vec<Figure>,
    /// The summary, line by line.
    pub remarks: Vec<String>,
    /// Details, for `--verbose`.
    pub details: Vec<String>,
}
