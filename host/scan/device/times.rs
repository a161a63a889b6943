//! The stages of a search ([`marks`](warpseq_device::gpu::marks) says how they are timed): copy in, pack, table, search, copy out.
//!
//! Building the table holds steps of the host too, which are part of its time.

use warpseq_device::gpu::marks::{Marks, Sums};

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

/// What the device does between two marks, and, by the host's clock, what it is waited for.
#[derive(Clone, Copy, Debug)]
pub enum Stage {
    CopyIn,
    Pack,
    Table,
    Search,
    CopyOut,
    Allocate,
    Wait,
}

impl Sums for Times {
    type Stage = Stage;

    fn of(&mut self, stage: Stage) -> &mut f64 {
        match stage {
            Stage::CopyIn => &mut self.copy_in_ms,
            Stage::Pack => &mut self.pack_ms,
            Stage::Table => &mut self.table_ms,
            Stage::Search => &mut self.search_ms,
            Stage::CopyOut => &mut self.copy_out_ms,
            Stage::Allocate => &mut self.allocate_ms,
            Stage::Wait => &mut self.wait_ms,
        }
    }
}

/// Marks in the stream of a timed device.
pub type Recorder<G> = Marks<G, Times>;
