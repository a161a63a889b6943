//! The stages of a batch ([`marks`](warpseq_device::gpu::marks) says how they are timed): copy in, forward, walk, copy out.

use warpseq_device::gpu::marks::{Marks, Sums};

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

impl Sums for Times {
    type Stage = Stage;

    fn of(&mut self, stage: Stage) -> &mut f64 {
        match stage {
            Stage::CopyIn => &mut self.copy_in_ms,
            Stage::Forward => &mut self.forward_ms,
            Stage::Walk => &mut self.walk_ms,
            Stage::CopyOut => &mut self.copy_out_ms,
        }
    }
}

/// Marks in the stream of a timed device.
pub type Recorder<G> = Marks<G, Times>;
