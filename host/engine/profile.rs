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
