//! Every integration test of warpseq, one binary.

mod fastx;
mod output;
