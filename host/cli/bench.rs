//! `warpseq bench`: measures the engines on this machine.

mod align;
mod scan;
mod sign;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use warpseq::bench::machine::{Machine, copy_rate};
use warpseq::bench::record::{Record, prepare};
use warpseq::bench::spread::Repeat;
use warpseq::bench::study::{Factor, study};
use warpseq::bench::table::table;
use warpseq::bench::works::select;
use warpseq::bench::{Bench, Measured, Rig};
use warpseq::console::Console;
use warpseq::cuda::{Cuda, Opening, kernels};
use warpseq::error::{Error, FileError, Result};
use warpseq::output::Output;

/// Measures an engine: checks its answers, and prints and records its times.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  warpseq bench scan --work smoke\n  warpseq bench align --work smoke\n  warpseq bench sign --work smoke"
)]
pub struct Args {
    #[command(subcommand)]
    engine: Engine,
}

#[derive(Debug, clap::Subcommand)]
enum Engine {
    /// Virus signatures in samples.
    #[command(after_help = scan::EXAMPLES)]
    Scan(scan::Args),
    /// Pairwise alignment.
    #[command(after_help = align::EXAMPLES)]
    Align(align::Args),
    /// Signatures, and search over them.
    #[command(after_help = sign::EXAMPLES)]
    Sign(sign::Args),
}

/// How an engine is measured, whichever it is.
#[derive(Debug, clap::Args)]
struct Measuring {
    /// A file that describes works, instead of those shipped.
    #[arg(long, value_name = "FILE")]
    works_file: Option<PathBuf>,
    /// auto, cpu, cuda or cuda:N. The CPU is always measured, to compare with.
    #[arg(long, default_value = "auto")]
    device: String,
    /// Threads of the CPU engine [default: all].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Runs of each measurement; a slow one stops after 10 seconds.
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// Where records, tables and charts go.
    #[arg(long, value_name = "DIR", default_value = "bench/record")]
    record: PathBuf,
    /// With --vary: multiplies the numbers of sequences.
    #[arg(long, value_name = "F", default_value_t = 1.0, requires = "vary")]
    scale: f64,
    /// Programs for the process clock [default: this one].
    #[arg(long, value_name = "FILE", num_args = 1..)]
    process: Vec<PathBuf>,
    /// Leaves the process clock out.
    #[arg(long, conflicts_with = "process")]
    no_process: bool,
    /// Say how the time of a call divides into its stages, too.
    #[arg(short, long)]
    verbose: bool,
    /// Where the input files for the process clock go [default: the folder for temporary files].
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
}

/// Bytes of the copy that measures the rate to the device.
const COPY_BYTES: usize = 1 << 30;

/// Runs the benchmark that was asked for.
///
/// # Errors
/// [`Error::Mismatch`] for a wrong answer, [`Error::Usage`] for names that are not there, and the engines' errors.
pub fn run(args: &Args) -> Result<()> {
    let measuring = match &args.engine {
        Engine::Scan(scan) => &scan.measuring,
        Engine::Align(align) => &align.measuring,
        Engine::Sign(sign) => &sign.measuring,
    };
    if !(measuring.scale > 0.0 && measuring.scale.is_finite()) {
        return Err(Error::Usage(format!("--scale is {}: give a number above 0", measuring.scale)));
    }
    // 0 threads: as many as there are.
    let threads = measuring.threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Error::Usage(format!("cannot start {threads} threads: {error}")))?;
    pool.install(|| match &args.engine {
        Engine::Scan(scan) => scan.run(),
        Engine::Align(align) => align.run(),
        Engine::Sign(sign) => sign.run(),
    })
}

impl Measuring {
    fn console(&self) -> Console {
        Console { quiet: false, verbose: self.verbose }
    }

    /// Opens the GPU that was asked for, and measures the copy to it. `None`: the CPU only.
    fn rig(&self) -> Result<Option<Rig<Cuda>>> {
        let ordinal = match self.device.as_str() {
            "cpu" => return Ok(None),
            "auto" | "cuda" => 0,
            named => named
                .strip_prefix("cuda:")
                .and_then(|number| number.parse().ok())
                .ok_or_else(|| Error::Usage(format!("there is no device {named:?}: give auto, cpu, cuda or cuda:N")))?,
        };
        let gpu = match Opening::start(ordinal, kernels::MODULES).finish() {
            Ok(gpu) => gpu,
            Err(error) if self.device == "auto" => {
                self.console().note(format_args!("measuring the CPU only: {error}"));
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        let copy_rate = copy_rate(&gpu, COPY_BYTES)?;
        self.console().note(format_args!("pinned copy to the device: {:.1} GB/s", copy_rate / 1e9));
        Ok(Some(Rig { gpu, argument: format!("cuda:{ordinal}"), copy_rate }))
    }

    /// Measures the works called `names`, or varies a factor.
    fn run<F>(&self, works: fn(Option<&Path>) -> Result<Vec<F::Work>>, names: &[String], vary: Option<F>) -> Result<()>
    where
        F: Factor<Work: Clone>,
    {
        let Some(factor) = vary else {
            let works = select(&works(self.works_file.as_deref())?, names)?;
            prepare(&self.record)?;
            return self.measure(F::ENGINE, &works);
        };
        prepare(&self.record)?;
        let (works, rig) = (factor.works(self.scale), self.rig()?);
        tell(&study(factor, &works, rig.as_ref(), usize::from(self.runs), &self.record)?)
    }

    /// Measures works of an engine, prints what came of each, and writes the record.
    fn measure<W: Measured>(&self, engine: &str, works: &[W]) -> Result<()> {
        let (console, rig) = (self.console(), self.rig()?);
        let machine = Machine::here(rayon::current_num_threads(), rig.as_ref().map(|rig| rig.gpu.found()));
        let repeat = Repeat { runs: usize::from(self.runs), at_most: Duration::from_secs(10) };
        let scratch = self.scratch.clone().unwrap_or_else(std::env::temp_dir);
        let bench = Bench { rig, repeat, programs: self.programs()?, scratch };
        let mut output = Output::create(None, &[])?;
        let mut figures = Vec::new();
        for work in works {
            console.note(format_args!("{}: {}", work.name(), work.about()));
            let outcome = work.measure(&bench)?;
            outcome.details.iter().for_each(|detail| console.detail(format_args!("{}: {detail}", work.name())));
            let remarks = outcome.remarks.iter().fold(String::new(), |text, remark| text + remark + "\n");
            output.put((table(&outcome.figures) + &remarks + "\n").as_bytes())?;
            output.flush().map_err(|error| output.fault(error))?;
            figures.extend(outcome.figures);
        }
        let copy_rate = bench.rig.as_ref().map(|rig| rig.copy_rate);
        let path = Record::new(command(), machine, copy_rate, figures).write(engine, &self.record)?;
        output.put(format!("recorded in {}\n", path.display()).as_bytes())?;
        Ok(output.finish()?)
    }

    fn programs(&self) -> Result<Vec<PathBuf>> {
        if self.no_process || !self.process.is_empty() {
            return Ok(self.process.clone());
        }
        let cannot =
            |source| FileError::File { path: PathBuf::from("warpseq"), action: "find the running program", source };
        Ok(vec![std::env::current_exe().map_err(cannot)?])
    }
}

/// Prints where the files of a study are.
fn tell(files: &[PathBuf]) -> Result<()> {
    let mut output = Output::create(None, &[])?;
    files.iter().try_for_each(|file| output.put(format!("{}\n", file.display()).as_bytes()))?;
    Ok(output.finish()?)
}

/// The command line, without the program's folder.
fn command() -> String {
    let arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once("warpseq".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}
