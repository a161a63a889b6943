//! What a run was, and what became of the fragments: the part of its report that is no count.

use std::ffi::OsString;
use std::ops::AddAssign;
use std::time::Instant;
use warpseq_io::console::Console;
use warpseq_io::date;

/// Warnings, which are printed at once and kept for the report.
#[derive(Debug)]
pub struct Warnings {
    console: Console,
    all: Vec<String>,
}

impl Warnings {
    /// Those of `earlier`, which were printed, and none else yet.
    pub fn new(console: Console, earlier: Vec<String>) -> Self {
        Self { console, all: earlier }
    }

    /// Prints a warning, unless quiet, and keeps it.
    pub fn add(&mut self, message: String) {
        self.console.warn(&message);
        self.all.push(message);
    }
}

/// What became of the fragments of a sample. The first two add up to all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// Fragments that a signature matches.
    pub matched: u64,
    /// Fragments that none matches.
    pub unmatched: u64,
    /// Fragments that begin as an earlier one, where these are left out of the counts.
    pub repeated: u64,
}

impl AddAssign for Passed {
    fn add_assign(&mut self, other: Self) {
        self.matched += other.matched;
        self.unmatched += other.unmatched;
        self.repeated += other.repeated;
    }
}

/// What searched, and how long.
#[derive(Clone, Debug, PartialEq)]
pub struct Searching {
    /// `cpu`, GPUs by name, or both.
    pub engine: String,
    /// Seconds of searching, summed over workers.
    pub call_seconds: f64,
}

/// What was run.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The words of the command line, from `warpseq` on; empty where there was none.
    pub command: Vec<String>,
    /// What searched; `None`: nothing, the counts were there.
    pub searching: Option<Searching>,
    /// Threads of the CPU.
    pub threads: usize,
    /// When the report was made, in UTC.
    pub time: String,
    /// Seconds from the start of the run to the report.
    pub seconds: f64,
    /// What was warned of.
    pub warnings: Vec<String>,
    /// What became of the fragments of each sample; empty where that was not seen.
    pub passed: Vec<Passed>,
}

impl Facts {
    /// Of a run that began at `start` and did not search.
    pub fn new(command: &[OsString], start: Instant, warnings: Warnings) -> Self {
        let program = command.first().map(|_| "warpseq".to_owned());
        let words = command.iter().map(|word| word.to_string_lossy().into_owned());
        Self {
            command: program.into_iter().chain(words).collect(),
            searching: None,
            threads: rayon::current_num_threads(),
            time: date::now(),
            seconds: start.elapsed().as_secs_f64(),
            warnings: warnings.all,
            passed: Vec::new(),
        }
    }

    /// The same of a run that searched.
    pub fn of_scan(self, engine: &str, call_seconds: f64) -> Self {
        Self { searching: Some(Searching { engine: engine.to_owned(), call_seconds }), ..self }
    }
}
