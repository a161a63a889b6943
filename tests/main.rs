//! Every integration test of warpseq, one binary.

mod align;
mod align_formats;
mod amplicon;
mod any_bytes;
mod attacks;
mod bench;
mod cli;
mod concurrency;
mod conformance;
mod cuda_host;
mod fastx;
mod faults;
mod large;
mod lazy_driver;
mod memory;
mod outcome;
mod output;
mod place;
mod promises;
mod ptx;
mod regression;
mod search;
mod sign;
mod slots;
mod soak;
