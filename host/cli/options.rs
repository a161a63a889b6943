//! Options that every engine's subcommand has, and how options with named values are read.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Command};
use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use warpseq::console::Console;
use warpseq::end;
use warpseq::error::{Error, FileError, Result};
use warpseq::options::{Process, Processor, RunOptions, Verify, memory_size};
use warpseq::profile;
use warpseq::scan::{PhredOffset, Strands};
use warpseq::shard::Shard;

/// Where results go, and what is printed on standard error.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub struct Writing {
    /// Write results to FILE [default: standard output]
    ///
    /// A name that ends in .gz is compressed as BGZF. The file appears when it is complete: an error or Ctrl-C leaves an
    /// older file of that name as it was.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print no notes and no warnings
    ///
    /// Errors are printed all the same, and so is what an option asks for, such as the result of --verify.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print counts and times on standard error
    ///
    /// Times are those of the calling thread, which together are the whole run: open (all until the first result is waited for, and
    /// what is left at the end), wait for results, write them; and those of all other threads together: read, inflate, parse,
    /// compute.
    #[arg(short, long)]
    pub verbose: bool,
}

impl Writing {
    pub fn console(&self) -> Console {
        match (self.quiet, self.verbose) {
            (true, _) => Console::Quiet,
            (false, false) => Console::Usual,
            (false, true) => Console::Verbose,
        }
    }
}

/// The part of the inputs that a run takes.
#[derive(Args)]
pub struct Sharding {
    /// Take only shard K of N of the inputs, as for another machine
    ///
    /// Shards 1/N to N/N have about as many bytes each. Their outputs, one after another, are that of a run without this option: the
    /// header is on shard 1 only, and `warpseq merge` puts them together. Inputs must be files; plain ones and BGZF are
    /// read from the shard's place on. docs/shards.md describes it.
    #[arg(long, value_name = "K/N", hide_short_help = true, help_heading = "Performance")]
    pub shard: Option<Shard>,
}

/// What every run has: where it writes, what computes, and how much memory it may take.
#[derive(Args)]
pub struct Run {
    #[command(flatten)]
    pub writing: Writing,
    /// Device: auto, cpu, cuda or cuda:N
    ///
    /// auto computes on the CPU at once, and on every GPU that works as soon as it is open. cuda-or-cpu uses the CPU only if no
    /// GPU works, and says why. cuda fails if no GPU works. cuda:N uses only GPU N of `warpseq devices`.
    #[arg(long, value_name = "DEVICE", default_value_t, help_heading = "Performance")]
    pub device: Processor,
    /// CPU threads [default: all]
    #[arg(short, long, value_name = "N", value_parser = thread_count, help_heading = "Performance")]
    pub threads: Option<usize>,
    /// Host memory limit, such as 500M or 4G
    ///
    /// K, M and G are powers of 1024. Less than 48M is raised to that. A record larger than the limit is still held whole.
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = memory_size, hide_short_help = true, help_heading = "Performance")]
    pub max_memory: usize,
    /// GPU memory limit, such as 500M or 4G [default: all that is free]
    #[arg(long, value_name = "SIZE", value_parser = memory_size, hide_short_help = true, help_heading = "Performance")]
    pub gpu_memory: Option<usize>,
    /// Compute every result twice and compare
    ///
    /// The second result comes from the naive reference, which is slow, or with `--verify cpu` from the CPU engine. A difference
    /// ends the run with exit code 1.
    #[arg(
        long,
        value_name = "WITH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "reference",
        hide_possible_values = true,
        ignore_case = true,
        help_heading = "Performance"
    )]
    pub verify: Option<Verify>,
}

/// A value of an option: its name, the value, and what it means. One without a meaning is accepted but not listed.
pub type Named<T> = (&'static str, T, &'static str);

/// Accepts the values of a table by name, in any case, with `_` for `-`.
pub fn one_of<T: Clone + Send + Sync + 'static>(table: &'static [Named<T>]) -> impl TypedValueParser<Value = T> {
    OneOf { table }
}

#[derive(Clone)]
struct OneOf<T: 'static> {
    table: &'static [Named<T>],
}

impl<T> OneOf<T> {
    fn names(&self) -> Vec<PossibleValue> {
        let value = |(name, _, meaning): &Named<T>| match meaning.is_empty() {
            true => PossibleValue::new(*name).hide(true),
            false => PossibleValue::new(*name).help(*meaning),
        };
        self.table.iter().map(value).collect()
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for OneOf<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, option: Option<&Arg>, value: &OsStr) -> std::result::Result<T, clap::Error> {
        let given = value.to_string_lossy().replace('_', "-");
        if let Some((_, named, _)) = self.table.iter().find(|(name, ..)| name.eq_ignore_ascii_case(&given)) {
            return Ok(named.clone());
        }
        let known = PossibleValuesParser::new(self.names()).parse_ref(command, option, value)?;
        unreachable!("{known} is in the table, and was not found there")
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names().into_iter()))
    }
}

/// How the bytes of qualities encode Phred scores.
pub const PHRED_OFFSETS: &[Named<PhredOffset>] = &[
    ("33", PhredOffset::Sanger, "Sanger, and Illumina since 1.8"),
    ("sanger", PhredOffset::Sanger, ""),
    ("64", PhredOffset::Illumina64, "Illumina 1.3 to 1.7"),
    ("solexa", PhredOffset::Solexa, "offset 64 with scores from -5 on"),
];

/// Which strands are searched or aligned.
pub const STRANDS: &[Named<Strands>] = &[
    ("both", Strands::Both, "both strands"),
    ("forward", Strands::Forward, "the sequence as it is"),
    ("reverse", Strands::Reverse, "the reverse complement"),
    ("plus", Strands::Forward, ""),
    ("minus", Strands::Reverse, ""),
    ("+", Strands::Forward, ""),
    ("-", Strands::Reverse, ""),
    ("fwd", Strands::Forward, ""),
    ("rev", Strands::Reverse, ""),
];

impl Run {
    /// What a run computes on, and what it may take. It is the last part of the program.
    pub fn options(&self) -> RunOptions {
        let process = if end::is_watched() { Process::GoesOn } else { Process::EndsWithRun };
        let Self { device: processor, max_memory, gpu_memory: device_memory, verify, .. } = *self;
        let host_memory = max_memory.max(least_memory());
        RunOptions { processor, host_memory, device_memory, verify, console: self.writing.console(), process }
    }

    /// The same for a run that others follow.
    pub fn first_options(&self) -> RunOptions {
        let options = self.options();
        match options.process {
            Process::EndsWithRun => RunOptions { process: Process::EndsSoon, ..options },
            Process::GoesOn | Process::EndsSoon => options,
        }
    }

    /// Starts the threads of the whole program, and returns where its notes go.
    ///
    /// # Errors
    /// Those of [`start_threads`].
    pub fn start(&self) -> Result<Console> {
        if self.writing.verbose {
            profile::begin();
        }
        start_threads(self.threads)?;
        let console = self.writing.console();
        if self.max_memory < least_memory() {
            console.note(format_args!("--max-memory is less than a run needs: raised to {}M", least_memory() >> 20));
        }
        Ok(console)
    }
}

/// The least host memory of a run, in bytes: below, it would take more than it was given, and be slow. Tests lower it by
/// `WARPSEQ_LEAST_MEMORY`, so that small inputs are divided, too.
fn least_memory() -> usize {
    let told = std::env::var("WARPSEQ_LEAST_MEMORY").ok().and_then(|bytes| bytes.parse().ok());
    told.unwrap_or(LEAST_MEMORY)
}

const LEAST_MEMORY: usize = 48 << 20;

/// Starts the threads of the whole program: so many, or one for each processor.
///
/// # Errors
/// [`Error::Usage`] if the system cannot start so many threads; [`FileError::File`] if not one for each processor.
pub fn start_threads(threads: Option<usize>) -> Result<()> {
    let started = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build_global();
    started.map_err(|error| match threads {
        Some(threads) => Error::Usage(format!("cannot start {threads} threads: {error}; lower -t")),
        None => FileError::File { path: "threads".into(), action: "start", source: io::Error::other(error) }.into(),
    })
}

/// The largest number of threads: more than any machine has, and few enough to start at once.
const THREADS_MAX: usize = 1024;

/// Parses a number of threads.
pub fn thread_count(text: &str) -> std::result::Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=THREADS_MAX).contains(number));
    number.ok_or_else(|| format!("expected a number from 1 to {THREADS_MAX}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_in_any_case() {
        let parsed = |text: &str| {
            one_of(STRANDS)
                .parse_ref(&Command::new("warpseq"), None, OsStr::new(text))
                .map_err(|wrong| wrong.to_string())
        };
        for text in ["forward", "FORWARD", "Plus", "+", "fwd"] {
            assert_eq!(parsed(text), Ok(Strands::Forward), "{text}");
        }
        let told = parsed("upwards").unwrap_err();
        assert!(told.contains("both, forward, reverse]"), "{told}");
    }
}
