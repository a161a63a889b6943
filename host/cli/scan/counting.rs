//! What `warpseq scan` counts, and the reads that it writes; what a summary needs, also of `warpseq summary`.

use std::path::PathBuf;
use warpseq::error::{Error, Result};
use warpseq::scan::Fraction;
use warpseq::scan::run::Counting;
use warpseq::scan::run::reads::{Names, ReadsOut};
use warpseq::scan::summary::Thresholds;

/// What is counted.
#[derive(clap::Args)]
pub struct CountingOptions {
    /// Count the pairs and reads that each signature matches
    ///
    /// A table: sample, signature, sequences, pairs, mismatches. A pair, or a sequence without a mate, counts once for a signature.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    counts: Option<PathBuf>,
    /// Sum the counts up for each sample and genome
    ///
    /// Genomes and groups are told by the names of the signatures, record:start-end or group|record:start-end.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    summary: Option<PathBuf>,
    /// Count pairs and sequences that begin with the same 32 bases once
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    dedup: bool,
    #[command(flatten)]
    of_summary: SummaryOptions,
}

/// The files of a summary, and how it is made.
#[derive(clap::Args)]
pub struct SummaryOptions {
    /// Write the breadth of each group in each sample
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = "Output")]
    matrix: Option<PathBuf>,
    /// Write a page with calls and depth, for people
    ///
    /// One HTML file that needs no network: a table and a picture of calls, the depth along what is positive, what became of the
    /// fragments, and how to read it. docs/page.md describes it.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    html: Option<PathBuf>,
    /// Write figures of the run, for scripts and MultiQC
    ///
    /// JSON: what was run, the fragments of each sample, and the call of each group in it. MultiQC shows a file whose name ends in
    /// _mqc.json as it is. docs/stats.md describes it.
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = "Output")]
    stats: Option<PathBuf>,
    /// Read the groups of genomes from a table
    ///
    /// Each line has a genome, a tab and a group. Groups in the names of signatures are overridden.
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = "Output")]
    groups: Option<PathBuf>,
    #[command(flatten)]
    calls: CallOptions,
}

/// When a group is called.
#[derive(clap::Args)]
#[command(next_help_heading = "Calls")]
pub struct CallOptions {
    /// Compare with a sample that should hold nothing
    ///
    /// A group is at most a trace unless it has more than 10 times as many fragments per million as that sample.
    #[arg(long, value_name = "LABEL", hide_short_help = true)]
    negative_control: Option<String>,
    /// Fragments of a group that is positive, at least
    ///
    /// Summed over its signatures: a pair that matches eight of them counts eight times.
    #[arg(long, value_name = "N", default_value_t = 25, hide_short_help = true)]
    min_fragments: u64,
    /// Signatures found of a group that is positive, at least
    #[arg(long, value_name = "N", default_value_t = 3, hide_short_help = true)]
    min_found: u64,
    /// Evenness of a group that is positive, at least
    #[arg(long, value_name = "F", default_value = "0.1", hide_short_help = true)]
    min_evenness: Fraction,
}

impl CallOptions {
    /// What is counted with these, besides `counting`.
    pub fn with(self, counting: Counting) -> Counting {
        let thresholds = self.thresholds();
        let control = self.negative_control.map(String::into_bytes);
        let command = std::env::args_os().skip(1).collect();
        Counting { command, thresholds, control, ..counting }
    }

    fn thresholds(&self) -> Thresholds {
        Thresholds { fragments: self.min_fragments, found: self.min_found, evenness: self.min_evenness }
    }
}

impl SummaryOptions {
    /// What is counted with these, besides `counting`.
    pub fn with(self, counting: Counting) -> Counting {
        let Self { matrix, stats, html, groups, calls } = self;
        calls.with(Counting { matrix, stats, html, groups, ..counting })
    }

    /// An option that is of use to a summary alone.
    fn of_summary_alone(&self) -> Option<&'static str> {
        let Thresholds { fragments, found, evenness } = self.calls.thresholds();
        let usual = Thresholds::default();
        let given = [
            ("--groups", self.groups.is_some()),
            ("--negative-control", self.calls.negative_control.is_some()),
            ("--min-fragments", fragments != usual.fragments),
            ("--min-found", found != usual.found),
            ("--min-evenness", evenness != usual.evenness),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }
}

impl CountingOptions {
    /// What is counted.
    ///
    /// # Errors
    /// [`Error::Usage`] for options of what is not wanted.
    pub fn counting(self) -> Result<Counting> {
        let of_summary = &self.of_summary;
        let files = [&self.summary, &of_summary.matrix, &of_summary.html, &of_summary.stats];
        let wants_summary = files.into_iter().any(Option::is_some);
        if let Some(option) = self.of_summary.of_summary_alone().filter(|_| !wants_summary) {
            return Err(Error::Usage(format!(
                "{option} is for --summary, --matrix, --html and --stats: give one of them"
            )));
        }
        if self.dedup && !wants_summary && self.counts.is_none() {
            return Err(Error::Usage(
                "--dedup is for --counts, --summary, --matrix, --html and --stats: give one of them".into(),
            ));
        }
        Ok(self.of_summary.with(Counting {
            counts: self.counts,
            dedup: self.dedup,
            summary: self.summary,
            ..Counting::default()
        }))
    }
}

/// The reads that are written.
#[derive(clap::Args)]
pub struct ReadFiles {
    /// Write the reads that any signature matches
    ///
    /// They are written as they came in, both mates of a pair when either matches. `#` in the name stands for 1 and 2, the mates; else pairs are interleaved. `{sample}`
    /// in the name makes a file for each sample. Names that end in .gz are compressed as BGZF.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    matched: Option<PathBuf>,
    /// Write the reads that no signature matches
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = "Output")]
    unmatched: Option<PathBuf>,
    /// Mates 2 of --matched, which then has mates 1
    #[arg(long, value_name = "FILE", requires = "matched", hide_short_help = true, help_heading = "Output")]
    matched2: Option<PathBuf>,
    /// Mates 2 of --unmatched, which then has mates 1
    #[arg(long, value_name = "FILE", requires = "unmatched", hide_short_help = true, help_heading = "Output")]
    unmatched2: Option<PathBuf>,
}

impl ReadFiles {
    /// Where reads go.
    pub fn names(self) -> ReadsOut {
        let names = |first: Option<PathBuf>, second| first.map(|first| Names { first, second });
        ReadsOut { matched: names(self.matched, self.matched2), unmatched: names(self.unmatched, self.unmatched2) }
    }
}
