//! warpseq: sequence analysis on NVIDIA GPUs, and on CPUs where there is none, in pure Rust.

pub mod align;
pub mod bench;
pub mod check;
pub mod cuda;
pub mod emulated;
pub mod engines;
pub mod error;
pub mod fastx;
pub mod gpu;
mod gzip;
pub mod outcome;
pub mod output;
pub mod pipeline;
pub mod processor;
pub mod profile;
pub mod progress;
pub mod report;
pub mod scan;
pub mod sign;
pub mod simulate;
pub mod verify;
