//! The command line: one subcommand, one file.

mod align;
mod amplicon;
mod bench;
mod db;
mod detect;
mod devices;
mod generated;
mod info;
mod merge;
mod options;
mod probes;
mod scan;
mod sign;
mod simulate;
mod summary;
mod tables;

use clap::builder::StyledStr;
use clap::builder::styling::{AnsiColor, Styles};
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::sync::LazyLock;
use warpseq::cuda::kernels;
use warpseq::error::Result;
use warpseq::output::fault;
use warpseq::standard;

/// Colours of the help, on a terminal that has them.
const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const EXAMPLES: &str = "\
Examples:
  warpseq detect -r viruses.fasta -1 p12_R1.fastq.gz -2 p12_R2.fastq.gz -o p12
  warpseq scan samples.fastq.gz signatures.fasta -o hits.tsv
  warpseq align queries.fasta targets.fasta --format sam -o alignments.sam
  warpseq sign build proteins.fasta -o proteins.wsig
  warpseq sign search new.fasta proteins.wsig --top 5
  warpseq devices

`warpseq COMMAND -h` shows the common options of a command, `--help` all of them.
Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted.";

/// What `--version` tells after the program's name: which sources it was built of, and what built its kernels.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let kernels = match kernels::ORIGIN {
        "built" => format!("built by {}", kernels::BUILDER),
        other => other.to_owned(),
    };
    format!("{}\ncommit: {}\nkernels: {kernels}", env!("CARGO_PKG_VERSION"), env!("WARPSEQ_COMMIT"))
});

/// Sequence analysis on NVIDIA GPUs, and on the CPU where there is none
#[derive(Parser)]
#[command(version, long_version = VERSION.as_str(), styles = STYLES, max_term_width = 100, after_help = EXAMPLES, args_override_self = true)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

/// A subcommand with its arguments.
#[derive(Subcommand)]
pub enum Command {
    Detect(Box<detect::Args>),
    Scan(Box<scan::Args>),
    Summary(summary::Args),
    Merge(merge::Args),
    Probes(probes::Args),
    Amplicon(amplicon::Args),
    Align(Box<align::Args>),
    Db(db::Args),
    Sign(sign::Args),
    Simulate(simulate::Args),
    Devices(devices::Args),
    Bench(bench::Args),
    Completion(generated::Completion),
    Man(generated::Pages),
}

impl Command {
    /// Runs it.
    ///
    /// # Errors
    /// Those of the subcommand.
    pub fn run(self) -> Result<()> {
        match self {
            Self::Detect(args) => args.run(),
            Self::Scan(args) => args.run(),
            Self::Summary(args) => args.run(),
            Self::Merge(args) => args.run(),
            Self::Probes(args) => args.run(),
            Self::Amplicon(args) => args.run(),
            Self::Align(args) => args.run(),
            Self::Db(args) => args.run(),
            Self::Sign(args) => args.run(),
            Self::Simulate(args) => args.run(),
            Self::Devices(args) => args.run(),
            Self::Bench(args) => args.run(),
            Self::Completion(args) => args.run(),
            Self::Man(args) => args.run(),
        }
    }
}

/// Parses the command line. Wrong usage, `--help` and `--version` end the program here.
///
/// # Errors
/// Those of standard output, if it cannot take the help.
pub fn parse() -> Result<Command> {
    match Program::try_parse_from(join_verify(std::env::args_os())) {
        Ok(program) => Ok(program.command),
        Err(wrong) if wrong.use_stderr() => with_tips(wrong, std::env::args_os().skip(1)).exit(),
        Err(help) => {
            standard::output()
                .and_then(|_open| help.print())
                .and_then(|()| io::stdout().flush())
                .map_err(|error| fault(Path::new("standard output"), error))?;
            std::process::exit(0)
        }
    }
}

/// Says of an unknown subcommand which ones there are, and what else the word may mean: a subcommand of another command, or a
/// file without a command before it.
fn with_tips(mut wrong: clap::Error, words: impl Iterator<Item = OsString>) -> clap::Error {
    let Some(ContextValue::String(unknown)) = wrong.get(ContextKind::InvalidSubcommand) else { return wrong };
    let unknown = unknown.clone();
    let all = commands();
    let mut asked = &all[0];
    for word in words.take_while(|word| *word != *unknown) {
        asked = asked.find_subcommand(word).unwrap_or(asked);
    }
    let mut tips = Vec::new();
    if let Some(other) = all.iter().find(|command| command.get_name() == unknown) {
        wrong.remove(ContextKind::SuggestedSubcommand);
        tips.push(format!("there is `{}`", other.get_bin_name().unwrap_or_default()));
    } else if Path::new(&unknown).exists() {
        tips.push("a command comes before the files, as in `warpseq scan SAMPLES SIGNATURES`".to_owned());
    }
    let names: Vec<&str> =
        asked.get_subcommands().map(clap::Command::get_name).filter(|name| *name != "help").collect();
    tips.push(format!("the commands are {}", names.join(", ")));
    wrong.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips.into_iter().map(StyledStr::from).collect()));
    wrong
}

/// Joins `--verify cpu` to `--verify=cpu`. The value is optional, so without the `=` clap would take a file name for it.
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

/// The program and all its subcommands, each with the name that it is called by. `help` is not one of them.
fn commands() -> Vec<clap::Command> {
    let mut program = Program::command().bin_name("warpseq").disable_help_subcommand(true);
    program.build();
    let mut commands = vec![program];
    let mut next = 0;
    while let Some(command) = commands.get(next) {
        let subcommands: Vec<_> = command.get_subcommands().cloned().collect();
        commands.extend(subcommands);
        next += 1;
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Program::command().debug_assert();
    }

    #[test]
    fn every_subcommand_shows_examples() {
        for mut command in commands() {
            let help = command.render_long_help().to_string();
            assert!(
                help.contains("Example") && help.contains("\n  warpseq "),
                "{} has no examples",
                command.get_name()
            );
        }
    }

    #[test]
    fn short_help_fits_on_a_screen() {
        for command in commands() {
            for width in [80, 100] {
                let help = command.clone().term_width(width).render_help().to_string();
                let (lines, name) = (help.lines().count(), command.get_bin_name().unwrap());
                assert!(lines <= 40, "{name} -h takes {lines} lines of {width} columns:\n{help}");
            }
        }
    }

    #[test]
    fn long_help_is_complete_and_short_help_leaves_out_the_courses() {
        for mut command in commands() {
            let (short, long) = (command.render_help().to_string(), command.render_long_help().to_string());
            for option in command.get_arguments().filter_map(|option| option.get_long()) {
                assert!(long.contains(&format!("--{option}")), "{} --help lacks --{option}", command.get_name());
            }
            for course in ["--preset", "cs3210", "gpu101", "text-2024", "pcg", "isaac"] {
                assert!(!short.contains(course), "{} -h names {course}", command.get_name());
            }
            assert_eq!(long.contains("--preset"), long.contains("docs/course-presets.md"), "{}", command.get_name());
        }
    }

    #[test]
    fn an_unknown_command_is_told_which_ones_there_are() {
        let told = |text: &str| {
            let words: Vec<OsString> = text.split(' ').map(OsString::from).collect();
            let wrong = Program::try_parse_from(&words).err().expect("it is no command");
            with_tips(wrong, words.into_iter().skip(1)).render().to_string()
        };
        let all =
            "tip: the commands are detect, scan, summary, merge, probes, amplicon, align, db, sign, simulate, devices, bench, completion, man
";
        for (text, tips) in [
            ("warpseq blast a b", vec![]),
            ("warpseq scna a b", vec!["'scan'"]),
            ("warpseq help scna", vec![]),
            ("warpseq search a b", vec!["tip: there is `warpseq sign search`"]),
            ("warpseq / b", vec!["tip: a command comes before the files"]),
        ] {
            let told = told(text);
            assert!(told.contains(all) && tips.iter().all(|tip| told.contains(tip)), "{told}");
        }
        assert!(!told("warpseq search a b").contains("bench'"));
        let told = told("warpseq sign serch a b");
        assert!(told.contains("tip: the commands are build, search,") && told.contains("'search'"), "{told}");
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
