//! The stages of a batch ([`marks`](warpseq_device::gpu::marks) says how they are timed): copy in, sign, copy out.

use warpseq_device::gpu::marks::{Marks, Sums};

/// Milliseconds that the last `sign` spent in each stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// Letters and places to the device.
    pub copy_in_ms: f64,
    /// All kernels.
    pub sign_ms: f64,
    /// Signatures to the host.
    pub copy_out_ms: f64,
}

/// What the device does between two marks.
#[derive(Clone, Copy, Debug)]
pub enum Stage {
    CopyIn,
    Sign,
    CopyOut,
}

impl Sums for Times {
    type Stage = Stage;

    fn of(&mut self, stage: Stage) -> &mut f64 {
        match stage {
            Stage::CopyIn => &mut self.copy_in_ms,
            Stage::Sign => &mut self.sign_ms,
            Stage::CopyOut => &mut self.copy_out_ms,
        }
    }
}

/// Marks in the stream of a timed device.
pub type Recorder<G> = Marks<G, Times>;
