//! Every integration test of warpseq, one binary.

mod bench;
mod conformance;
mod cuda_host;
mod fastx;
mod lazy_driver;
mod output;
