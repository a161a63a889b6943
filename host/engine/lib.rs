//! A run: batches in, results out, in order; who computes, and what happens when a device fails.

#![deny(missing_docs)]

pub mod devices;
pub mod error;
pub mod executor;
pub mod fallback;
mod lent;
pub mod memory;
pub mod options;
pub mod pipeline;
pub mod room;
pub mod run;
pub mod worker;

pub use warpseq_io::profile;
