//! Sequence analysis on NVIDIA GPUs, and on CPUs where there is none, in pure Rust.
//!
//! | engine | question |
//! |---|---|
//! | [`scan`] | where do these signatures occur in these sequences? |
//! | [`align`] | how do these pairs of sequences align, exactly? |
//! | [`mod@sign`] | which sequences share many k-mers? |
//!
//! What the program does, a Rust program does with the same names. Each engine has a `run` from files to a file, and executors
//! for sequences in memory. All executors of an engine give the same answers: the naive reference, the CPU engine, a GPU and
//! the emulator.
//!
//! # From file to file
//!
//! ```
//! use warpseq::options::{Processor, RunOptions};
//! use warpseq::scan::inputs::Inputs;
//! use warpseq::scan::run::{Request, run};
//!
//! let summary = run(&Request {
//!     inputs: Inputs::of_file("data/samples.fastq"),
//!     shard: None,
//!     signatures: "data/signatures.fasta".into(),
//!     output: Some(std::env::temp_dir().join("warpseq-doctest.tsv")),
//!     options: Default::default(),
//!     format: Some(Default::default()),
//!     view: Default::default(),
//!     counting: Default::default(),
//!     reads_out: Default::default(),
//!     algorithm: Default::default(),
//!     // `Auto` takes a GPU if there is one.
//!     run: RunOptions { processor: Processor::Cpu, ..Default::default() },
//! })?;
//! assert_eq!((summary.sequences, summary.rows), (40, 23));
//! # std::fs::remove_file(std::env::temp_dir().join("warpseq-doctest.tsv")).unwrap();
//! # Ok::<(), warpseq::error::Error>(())
//! ```
//!
//! # In memory
//!
//! ```
//! use warpseq::align::{Batch, Pair, Sequences, Want, align, cpu::Cpu, scoring::Rules};
//!
//! let queries: Sequences = ["ACGTTGCAGGATCCAGT"].into_iter().collect();
//! let targets: Sequences = ["TTACGTTGCATGGATCCAGTTT"].into_iter().collect();
//! let pairs = [Pair { query: 0, target: 0 }];
//! let batch = Batch::new(&queries, &targets, &pairs);
//! let scoring = Rules::default().scoring()?;
//! let alignments = align(&mut Cpu::new(), &batch, &scoring, Want::Path)?;
//! // 17 matches and a gap of one: 17 - 2.
//! assert_eq!((alignments[0].score, alignments[0].target.clone()), (15, 2..20));
//! # Ok::<(), warpseq::error::Error>(())
//! ```
//!
//! ```
//! use warpseq::executor::Executor;
//! use warpseq::seq::Records;
//! use warpseq::sign::{Parameters, Signatures, cpu::Cpu};
//!
//! let mut batch = Records::default();
//! batch.push("a", b"ACGTTGCAGGATCCAGTACGTTGCAGGATCCAGT");
//! batch.push("b", b"ACTGGATCCTGCAACGTACTGGATCCTGCAACGT");
//! let mut signatures = Signatures::default();
//! Cpu::new(Parameters::DNA).compute(&batch, &mut signatures)?;
//! // The second sequence is the first one's other strand, so they share all k-mers.
//! let [a, b] = [0, 1].map(|k| &signatures.bytes[k * 1024..][..1024]);
//! assert_eq!(a, b);
//! # Ok::<(), warpseq::error::Error>(())
//! ```
//!
//! # The crates
//!
//! Each layer is a crate, and each knows only those before it: [`seq`] (alphabets, strands), [`fastx`] and [`output`] (files),
//! [`cuda`] and [`emulated`] (devices), [`executor`] and [`devices`] (runs), then the engines.

#![deny(missing_docs)]

// The benchmarks belong to the program.
#[doc(hidden)]
pub mod bench;
pub mod check;
pub mod merge;
pub mod outcome;
pub mod simulate;

pub use warpseq_align as align;
pub use warpseq_device::{array, cuda, emulated, gpu, pinned, stream, timings};
pub use warpseq_engine::{devices, error, executor, fallback, memory, options, pipeline, profile, room, worker};
pub use warpseq_io::{
    allocator, console, date, end, fastx, gzip, info, output, progress, shard, standard, table, text,
};
pub use warpseq_scan as scan;
pub use warpseq_seq as seq;
pub use warpseq_sign as sign;
