//! Options that every engine's subcommand has.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use warpseq::console::Console;
use warpseq::error::{Error, Result};
use warpseq::options::Verify;
use warpseq::options::{Processor, RunOptions};
use warpseq::scan::{PhredOffset, Strands};

/// Where results go and how much is said.
#[derive(Args)]
pub struct Writing {
    /// Where results go; a name ending in .gz is compressed (BGZF) [default: standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Say nothing on standard error but errors and what was asked for
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,
    /// Say what was read, what computed, and how long that took
    #[arg(short, long, help_heading = "Output")]
    pub verbose: bool,
}

impl Writing {
    pub fn console(&self) -> Console {
        Console { quiet: self.quiet, verbose: self.verbose }
    }
}

/// What computes, and what it may take.
#[derive(Args)]
pub struct Computing {
    /// auto (a GPU if there is one), cpu, cuda, or cuda:N
    #[arg(long, value_name = "DEVICE", default_value_t, help_heading = "Computing")]
    pub device: Processor,
    /// Threads of the CPU [default: as many as there are]
    #[arg(short, long, value_name = "N", value_parser = threads, help_heading = "Computing")]
    pub threads: Option<usize>,
    /// Most memory to take, apart from the longest record; K, M and G are powers of 1024
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size, help_heading = "Computing")]
    pub max_memory: usize,
    /// Most GPU memory to take [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Computing")]
    pub gpu_memory: Option<usize>,
    /// Compute everything again with the naive reference (or with the CPU engine: `--verify cpu`) and compare
    #[arg(
        long,
        value_name = "WITH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "reference",
        help_heading = "Computing",
        hide_possible_values = true
    )]
    pub verify: Option<Verify>,
}

/// How qualities are encoded.
#[derive(Clone, Copy, ValueEnum)]
pub enum Offset {
    #[value(name = "33")]
    Sanger,
    #[value(name = "64")]
    Illumina64,
    Solexa,
}

impl From<Offset> for PhredOffset {
    fn from(offset: Offset) -> Self {
        match offset {
            Offset::Sanger => Self::Sanger,
            Offset::Illumina64 => Self::Illumina64,
            Offset::Solexa => Self::Solexa,
        }
    }
}

/// Which strands are looked at.
#[derive(Clone, Copy, ValueEnum)]
pub enum Strand {
    Both,
    Forward,
    Reverse,
}

impl From<Strand> for Strands {
    fn from(strand: Strand) -> Self {
        match strand {
            Strand::Both => Self::Both,
            Strand::Forward => Self::Forward,
            Strand::Reverse => Self::Reverse,
        }
    }
}

/// Accepts one of `all` by its name.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let named = move |wanted: String| *all.iter().find(|&&each| name(each) == wanted).expect("only these are accepted");
    PossibleValuesParser::new(all.iter().map(|&each| name(each))).map(named)
}

impl Computing {
    /// What the run computes on, and what it may take.
    pub fn options(&self, console: Console) -> RunOptions {
        let Self { device: processor, max_memory: host_memory, gpu_memory: device_memory, verify, .. } = *self;
        RunOptions { processor, host_memory, device_memory, verify, console }
    }

    /// Sets the number of threads for the whole program.
    ///
    /// # Errors
    /// [`Error::Usage`] when the system refuses so many.
    pub fn start_threads(&self) -> Result<()> {
        let Some(threads) = self.threads else { return Ok(()) };
        let started = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        started.map_err(|error| Error::Usage(format!("cannot start {threads} threads: {error}; ask for fewer with -t")))
    }
}

/// The most threads: more than any machine has, few enough to start at once.
const THREADS_MAX: usize = 1024;

/// A number of threads.
fn threads(text: &str) -> std::result::Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=THREADS_MAX).contains(number));
    number.ok_or_else(|| format!("expected a number from 1 to {THREADS_MAX}"))
}

/// Bytes from `512`, `64K`, `100M` or `2G`.
fn size(text: &str) -> std::result::Result<usize, String> {
    let (digits, shift) = match text.as_bytes().last().map(u8::to_ascii_uppercase) {
        Some(b'K') => (&text[..text.len() - 1], 10),
        Some(b'M') => (&text[..text.len() - 1], 20),
        Some(b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let bytes = digits.parse::<usize>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.filter(|&bytes| bytes > 0).ok_or_else(|| "expected a size such as 64K, 500M or 2G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(["1", "64K", "500m", "2G"].map(|text| size(text).unwrap()), [1, 65536, 500 << 20, 2 << 30]);
        for text in ["", "G", "0", "-1G", "1.5G", "1T", "99999999999999G"] {
            assert!(size(text).unwrap_err().contains("500M"), "{text}");
        }
    }
}
