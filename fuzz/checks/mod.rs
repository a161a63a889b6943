//! What must hold for any bytes that come as a file: functions of bytes that panic when it does not.
//!
//! The fuzz targets of this folder call them, and so do the tests of the program (`tests/any_bytes.rs`), always. The models
//! that results are compared with are written from the definitions, share nothing with the readers, and are as slow and as
//! obvious as they can be.

mod bytes;
mod commands;
mod database;
mod fastx;
mod grammar;
mod gzip;
mod matrix;
mod reading;
mod scratch;
mod signatures;
mod wdb;
mod wsig;

pub use commands::commands;
pub use database::database;
pub use fastx::{fasta, fastq};
pub use gzip::gzip;
pub use matrix::matrix;
pub use signatures::signatures;
