//! The command line. This file is its table of contents: one subcommand, one file.

mod align;
mod bench;
mod devices;
mod options;
mod scan;
mod sign;
mod simulate;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use warpseq::error::Result;
use warpseq::output::fault;

/// Colours of the help, where the terminal has any.
const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const EXAMPLES: &str = "\
Examples:
  warpseq scan samples.fastq.gz signatures.fasta -o hits.tsv
  warpseq align queries.fasta targets.fasta --format sam -o alignments.sam
  warpseq sign build proteins.fasta -o proteins.wsig
  warpseq simulate signatures 100 3000 10000 0.1 -o signatures.fasta
  warpseq devices

Exit codes: 0 done, 1 failure, 2 wrong usage, 130 interrupted.";

/// Sequence analysis on NVIDIA GPUs, and on CPUs where there is none.
#[derive(Parser)]
#[command(version, styles = STYLES, max_term_width = 100, after_help = EXAMPLES)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

/// What the program is asked to do.
#[derive(Subcommand)]
pub enum Command {
    /// Find virus signatures in sequencing samples
    Scan(scan::Args),
    /// Align pairs of sequences exactly
    Align(align::Args),
    /// Find, compare, group and show sequences by k-mer signatures
    Sign(sign::Args),
    /// Make random signatures, samples, pairs or proteins
    Simulate(simulate::Args),
    /// List what this machine can compute on, or check it
    Devices(devices::Args),
    /// Measure an engine on generated work, and check its answers
    Bench(bench::Args),
}

impl Command {
    /// Does it.
    ///
    /// # Errors
    /// Those of the subcommand.
    pub fn run(self) -> Result<()> {
        match self {
            Self::Scan(args) => args.run(),
            Self::Align(args) => args.run(),
            Self::Sign(args) => args.run(),
            Self::Simulate(args) => args.run(),
            Self::Devices(args) => args.run(),
            Self::Bench(args) => bench::run(&args),
        }
    }
}

/// Reads the command line. Wrong usage, `--help` and `--version` end the program here.
///
/// # Errors
/// Those of standard output, where help goes.
pub fn parse() -> Result<Command> {
    match Program::try_parse_from(join_verify(std::env::args_os())) {
        Ok(program) => Ok(program.command),
        Err(wrong) if wrong.use_stderr() => wrong.exit(),
        Err(help) => {
            help.print()
                .and_then(|()| io::stdout().flush())
                .map_err(|error| fault(Path::new("standard output"), error))?;
            std::process::exit(0)
        }
    }
}

/// Writes `--verify cpu` as `--verify=cpu`: the value may be left out, so the parser itself would take a file name for it.
fn join_verify(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    for word in words {
        match joined.last_mut() {
            Some(last) if last == "--verify" && (word == "cpu" || word == "reference") => {
                last.push("=");
                last.push(word);
            }
            _ => joined.push(word),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Program::command().debug_assert();
    }

    #[test]
    fn every_subcommand_shows_examples() {
        let mut waiting = vec![Program::command()];
        while let Some(command) = waiting.pop() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("warpseq "), "{} has no examples", command.get_name());
            waiting.extend(command.get_subcommands().cloned());
        }
    }

    #[test]
    fn only_a_value_of_verify_is_joined_to_it() {
        let joined = |text: &str| {
            let words = join_verify(text.split(' ').map(OsString::from));
            words.into_iter().map(|word| word.into_string().unwrap()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(joined("scan --verify cpu a b"), "scan --verify=cpu a b");
        assert_eq!(joined("scan a b --verify reference"), "scan a b --verify=reference");
        assert_eq!(joined("scan --verify a cpu"), "scan --verify a cpu");
    }
}
