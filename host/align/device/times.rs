//! How long the stages of a batch take on the device, by its own clock.
//!
//! A timed device has one slot, hence one stream in which nothing overlaps, and marks the stream between two stages:
//!
//! ```text
//! stream  | copy in | forward | walk | copy out |   | copy in | ...
//! marks   -         C         F      W          O   -
//! ```
//!
//! A mark names the stage that ends there; the stretch before `-` is nobody's.

use crate::error::DeviceError;
use crate::gpu::Gpu;

type Result<T> = std::result::Result<T, DeviceError>;

/// Milliseconds that the last `align` spent in each stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// Letters, places and items to the device.
    pub copy_in_ms: f64,
    /// The forward passes.
    pub forward_ms: f64,
    /// Ends and paths.
    pub walk_ms: f64,
    /// Results and paths to the host.
    pub copy_out_ms: f64,
}

impl Times {
    /// All kernels.
    pub fn kernel_ms(&self) -> f64 {
        self.forward_ms + self.walk_ms
    }
}

/// What the device does between two marks.
#[derive(Clone, Copy, Debug)]
pub enum Stage {
    CopyIn,
    Forward,
    Walk,
    CopyOut,
}

/// Marks in the stream of a timed device.
pub struct Recorder<G: Gpu> {
    timed: bool,
    marks: Vec<(Option<Stage>, G::Event)>,
}

impl<G: Gpu> Recorder<G> {
    pub fn new(timed: bool) -> Self {
        Self { timed, marks: Vec::new() }
    }

    /// Forgets the last batch.
    pub fn clear(&mut self) {
        self.marks.clear();
    }

    /// Marks where a stage ends, or, with `None`, where one begins.
    pub fn mark(&mut self, gpu: &G, stream: &G::Stream, stage: Option<Stage>) -> Result<()> {
        if self.timed {
            self.marks.push((stage, gpu.record(stream)?));
        }
        Ok(())
    }

    /// The sums of the stages.
    pub fn times(&self, gpu: &G) -> Result<Times> {
        let mut times = Times::default();
        for ends in self.marks.windows(2) {
            let [(_, from), (stage, to)] = ends else { continue };
            let Some(stage) = stage else { continue };
            let sum = match stage {
                Stage::CopyIn => &mut times.copy_in_ms,
                Stage::Forward => &mut times.forward_ms,
                Stage::Walk => &mut times.walk_ms,
                Stage::CopyOut => &mut times.copy_out_ms,
            };
            *sum += f64::from(gpu.milliseconds(from, to)?);
        }
        Ok(times)
    }
}
