//! Files and the terminal: reading FASTA and FASTQ, compression, outputs that appear when they are complete, progress, messages.

#![deny(missing_docs)]

pub mod allocator;
pub mod console;
pub mod contents;
pub mod date;
pub mod end;
pub mod error;
pub mod fastx;
pub mod format;
pub mod groups;
pub mod gzip;
pub mod idle;
pub mod info;
pub mod json;
pub mod label;
pub mod lines;
pub mod mapped;
pub mod output;
pub mod pool;
pub mod profile;
pub mod progress;
pub mod shard;
pub mod standard;
pub mod table;
pub mod text;
