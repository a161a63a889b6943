//! A run: batches in, results out, in order; who computes, and what happens when a device fails.

pub mod devices;
pub mod error;
pub mod executor;
pub mod fallback;
pub mod memory;
pub mod pipeline;
pub mod profile;
pub mod run;
pub mod worker;
