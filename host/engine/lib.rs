//! A run: batches in, results out, in order; who computes, and what happens when a device fails.

#![deny(missing_docs)]

pub mod devices;
pub mod error;
pub mod executor;
pub mod fallback;
pub mod memory;
pub mod options;
pub mod pipeline;
pub mod room;
pub mod run;
pub mod worker;

pub mod profile {
    //! Named ranges that a profiler shows on its time line (NVTX): read, check, find (copy, kernel, collect), choose,
    //! write.
    //!
    //! Free when nobody listens: the library looks once for a profiler's injection and does nothing without one.

    /// A range that ends when it is dropped.
    #[must_use = "a range ends when it is dropped"]
    pub struct Range {
        _open: nvtx::RangeGuard,
    }

    /// Begins a range.
    pub fn range(name: &'static str) -> Range {
        Range { _open: nvtx::range!("{}", name) }
    }
}
