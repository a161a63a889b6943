//! warpseq: sequence analysis on NVIDIA GPUs, and on CPUs where there is none, in pure Rust.

pub mod bench;
pub mod check;
pub mod outcome;
pub mod simulate;

pub use warpseq_align as align;
pub use warpseq_device::{cuda, emulated, gpu};
pub use warpseq_engine::{devices, error, executor, fallback, memory, pipeline, profile, worker};
pub use warpseq_io::{console, fastx, gzip, output, progress};
pub use warpseq_scan as scan;
pub use warpseq_seq as seq;
pub use warpseq_sign as sign;
