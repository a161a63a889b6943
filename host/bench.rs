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
//! works::read -> {scan, align, sign}::Work -> call (CPU, GPU) -> Figure -> table (people), record (JSON)
//!                                          -> process         -> Figure
//!                one factor varied         -> call -> study: CSV, and SVG by chart
//! ```
//!
//! What an engine is asked, how its answers are checked, and where its ceilings lie, [`scan`], [`align`] and [`sign`] say.

pub mod align;
pub mod amount;
pub mod chart;
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
    /// `scan`: how was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<&'static str>,
    /// `align`: which ends were free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<&'static str>,
    /// `cpu`, the GPU's name, or for the process clock the program and `--device`.
    pub engine: String,
    pub clock: Clock,
    #[serde(flatten)]
    pub times: Spread,
    /// The least time possible, where there is such a bound.
    pub ceiling_ms: Option<f64>,
    /// The time aimed at.
    pub target_ms: Option<f64>,
    /// Rows found, pairs aligned, or windows signed.
    pub rows: usize,
    /// Memory of a process, at most.
    pub peak_mib: Option<f64>,
    /// How much that is, where it is counted.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub amount: Option<amount::Amount>,
}

impl Figure {
    /// A figure of which nothing but the times of `rows` answers is known.
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

    /// The ceiling's share of the median time, 1 being as fast as can be.
    pub fn share_of_ceiling(&self) -> Option<f64> {
        self.ceiling_ms.map(|ceiling| ceiling / self.times.median_ms)
    }
}

/// A GPU to measure.
pub struct Rig<G: Gpu> {
    pub gpu: Arc<G>,
    /// The value for `--device` that gives it.
    pub argument: String,
    /// Bytes a second of a pinned copy to it.
    pub copy_rate: f64,
}

/// With what to measure.
pub struct Bench<G: Gpu> {
    /// `None`: the CPU only.
    pub rig: Option<Rig<G>>,
    pub repeat: Repeat,
    /// Programs for the process clock.
    pub programs: Vec<PathBuf>,
    /// Where the files for it go.
    pub scratch: PathBuf,
}

/// A workload of an engine.
pub trait Measured: Clone + DeserializeOwned {
    /// The workloads shipped with the program.
    const SHIPPED: Shipped;
    /// Those measured unless others are asked for.
    const USUAL: &'static [&'static str];

    /// The workload under the name that it has in its file.
    fn named(self, name: String) -> Self;

    fn name(&self) -> &str;

    /// One line for people.
    fn about(&self) -> &str;

    /// Measures it, on all engines and clocks.
    ///
    /// # Errors
    /// [`crate::error::Error::Mismatch`] for a wrong answer; the engines' errors.
    fn measure<G: Gpu>(&self, bench: &Bench<G>) -> Result<Outcome>;
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
    /// The values for `--device` that give the engines measured.
    fn devices(&self) -> impl Iterator<Item = &str> {
        ["cpu"].into_iter().chain(self.rig.as_ref().map(|rig| rig.argument.as_str()))
    }
}
