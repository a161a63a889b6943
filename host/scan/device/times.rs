//! How long the stages of a search take on the device, by its own clock.
//!
//! A timed device has one slot, hence one stream in which nothing overlaps, and marks the stream between two stages:
//!
//! ```text
//! stream  | copy in | pack | table | search | copy out |   | copy in | ...
//! marks   -         C      P       T        S          O   -
//! ```
//!
//! A mark names the stage that ends there; the stretch before `-` is nobody's. Sums over all slices are exact, because no
//! two stages run at a time. Building the table holds steps of the host too, which are part of its time.

use crate::error::DeviceError;
use crate::gpu::Gpu;
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, DeviceError>;

/// Milliseconds that the last `find` spent in each stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// Letters and starts to the device.
    pub copy_in_ms: f64,
    /// Letters to planes and digits.
    pub pack_ms: f64,
    /// Building the anchor table, with its copies and allocations.
    pub table_ms: f64,
    /// The search kernels.
    pub search_ms: f64,
    /// Counts and matches to the host.
    pub copy_out_ms: f64,
    /// Host time for taking the slots' memory: 0 when they were there.
    pub allocate_ms: f64,
    /// Host time in waiting for the device to end a slice.
    pub wait_ms: f64,
}

impl Times {
    /// All kernels, table building included.
    pub fn kernel_ms(&self) -> f64 {
        self.pack_ms + self.table_ms + self.search_ms
    }
}

/// What the device does between two marks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stage {
    CopyIn,
    Pack,
    Table,
    Search,
    CopyOut,
}

/// Marks in the stream of a timed device.
pub(super) struct Recorder<G: Gpu> {
    timed: bool,
    marks: Vec<(Option<Stage>, G::Event)>,
    allocate: Duration,
    wait: Duration,
}

impl<G: Gpu> Recorder<G> {
    pub fn new(timed: bool) -> Self {
        Self { timed, marks: Vec::new(), allocate: Duration::ZERO, wait: Duration::ZERO }
    }

    /// Forgets the last `find`.
    pub fn clear(&mut self) {
        *self = Self::new(self.timed);
    }

    /// Marks the end of `stage`; `None`: the end of a pause.
    pub fn mark(&mut self, gpu: &G, stream: &G::Stream, stage: Option<Stage>) -> Result<()> {
        if self.timed {
            self.marks.push((stage, gpu.record(stream)?));
        }
        Ok(())
    }

    /// Notes that taking memory began at `began` and is over.
    pub fn allocated(&mut self, began: Instant) {
        self.allocate += began.elapsed();
    }

    /// Notes that waiting for the device began at `began` and is over.
    pub fn waited(&mut self, began: Instant) {
        self.wait += began.elapsed();
    }

    /// The sums. The stream has been waited for.
    pub fn times(&self, gpu: &G) -> Result<Times> {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let (allocate_ms, wait_ms) = (milliseconds(self.allocate), milliseconds(self.wait));
        let mut times = Times { allocate_ms, wait_ms, ..Times::default() };
        for pair in self.marks.windows(2) {
            let sum = match pair[1].0 {
                None => continue,
                Some(Stage::CopyIn) => &mut times.copy_in_ms,
                Some(Stage::Pack) => &mut times.pack_ms,
                Some(Stage::Table) => &mut times.table_ms,
                Some(Stage::Search) => &mut times.search_ms,
                Some(Stage::CopyOut) => &mut times.copy_out_ms,
            };
            *sum += f64::from(gpu.milliseconds(&pair[0].1, &pair[1].1)?);
        }
        Ok(times)
    }
}
