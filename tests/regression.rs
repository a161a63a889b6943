//! Faults that were there once: a test each, so that they stay away.

use crate::cli::{run, warpseq};

/// The header line came out before it was known that there is no GPU to search with.
#[test]
fn a_run_that_cannot_search_prints_nothing() {
    let arguments = ["scan", "data/samples.fastq", "data/signatures.fasta", "--device", "cuda"];
    assert_eq!(run(&mut warpseq(&arguments)).1, "");
}
