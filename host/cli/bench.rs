//! `warpseq bench`: measures the engines on this machine.

use clap::ValueEnum;
use clap::builder::EnumValueParser;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use warpseq::bench::machine::{Facts, GpuRecord, Machine, copy_rate};
use warpseq::bench::process::this_program;
use warpseq::bench::record::{Record, prepare};
use warpseq::bench::spread::Repeat;
use warpseq::bench::study::{Factor, study};
use warpseq::bench::table::table;
use warpseq::bench::works::{select, works};
use warpseq::bench::{Bench, Measured, Rig, align, files, scan, sign};
use warpseq::console::Console;
use warpseq::cuda::{Cuda, Opening, discover, kernels};
use warpseq::error::{Error, Result};
use warpseq::output::Output;

const EXAMPLES: &str = "\
Examples:
  warpseq bench scan --work smoke
  warpseq bench align --work smoke
  warpseq bench sign --work smoke
  warpseq bench files --work smoke";

const SCAN_EXAMPLES: &str = "\
Three clocks: kernel (the GPU's own, building the tables included), call (from arrays in host memory \
to results there, on a warm device) and process (the whole program, on files in the page cache). A \
wrong answer ends the benchmark with exit code 1.

Examples:
  warpseq bench scan
      the default workloads; the record goes to bench/record
  warpseq bench scan --work smoke --device cpu
      seconds, on any machine
  warpseq bench scan --work long --no-process
      takes 4 GB of memory
  warpseq bench scan --process old/warpseq new/warpseq
      two versions of the program compared
  warpseq bench scan --vary n-ratio --record out
      writes out/scan-n-ratio.csv and out/scan-n-ratio.svg";

const ALIGN_EXAMPLES: &str = "\
Three clocks: kernel (the GPU's own), call (from arrays in host memory to alignments there, on a warm \
device) and process (the whole program, on files in the page cache). Of a large workload the CPU \
engine aligns a sample: \"x CPU\" compares rates, and \"as CPU\" counts the alignments that were \
compared with the CPU's. A wrong answer ends the benchmark with exit code 1.

Examples:
  warpseq bench align
      all workloads but the small one; the record goes to bench/record
  warpseq bench align --work smoke --device cpu
      seconds, on any machine
  warpseq bench align --work dna-score --no-process
      one workload, without the process clock
  warpseq bench align --vary length --record out
      writes out/align-length.csv and out/align-length.svg";

const SIGN_EXAMPLES: &str = "\
Three clocks: kernel (the GPU's own), call (from arrays in host memory to arrays there, on a warm \
device) and process (`warpseq sign build` on files in the page cache; searches have none). Of a large \
workload the CPU engine takes a part: \"x CPU\" compares rates, and \"as CPU\" counts the rows that \
were compared with the CPU's. A wrong answer ends the benchmark with exit code 1.

Examples:
  warpseq bench sign
      all workloads but the small ones; the record goes to bench/record
  warpseq bench sign --work smoke --device cpu
      seconds, on any machine
  warpseq bench sign --work search-64 --work search-1024
      two workloads
  warpseq bench sign --work qut-large --no-process
      takes 4 GB of memory
  warpseq bench sign --vary length --record out
      writes out/sign-length.csv and out/sign-length.svg";

const FILES_EXAMPLES: &str = "\
The process clock: whole commands, from files in the page cache to a file, with --device auto and on \
each device. Different bytes from two devices or programs end the benchmark with exit code 1. The \
rate of the reader is that of the file, compressed if it is compressed.

Examples:
  warpseq bench files
      the default workloads; takes 5 GB in the temporary folder
  warpseq bench files --work scan-gzip --process old/warpseq new/warpseq
      two versions of the program compared; the last one makes the files
  warpseq bench files --vary threads --record out
      the reader alone: writes out/files-threads.csv and out/files-threads.svg";

const GPU_EXAMPLES: &str = "\
Examples:
  warpseq bench gpu auto";

/// Measure an engine on generated input, and check its answers
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    engine: Engine,
}

#[derive(clap::Subcommand)]
enum Engine {
    /// Measure scan: virus signatures in samples
    #[command(after_long_help = SCAN_EXAMPLES)]
    Scan(Measuring<scan::study::Factor>),
    /// Measure align: pairwise alignment
    #[command(after_long_help = ALIGN_EXAMPLES)]
    Align(Measuring<align::study::Factor>),
    /// Measure sign: making and searching signatures
    #[command(after_long_help = SIGN_EXAMPLES)]
    Sign(Measuring<sign::study::Factor>),
    /// Measure whole commands, from files to a file
    #[command(after_long_help = FILES_EXAMPLES)]
    Files(Measuring<files::study::Factor>),
    /// Print what `bench files` records of a GPU, which it does not open itself
    #[command(hide = true, after_help = GPU_EXAMPLES)]
    Gpu {
        /// As of the others
        device: String,
    },
}

/// What is measured, and how. `F` are the factors that can be varied.
#[derive(clap::Args)]
struct Measuring<F: Factor + ValueEnum + Send + Sync + 'static> {
    /// Workload to measure; may be given several times
    #[arg(long = "work", value_name = "NAME", default_values = F::Work::USUAL, help_heading = "Workload")]
    works: Vec<String>,
    /// Vary one factor of the input instead, and draw a chart
    #[arg(long, value_name = "FACTOR", value_parser = EnumValueParser::<F>::new(), help_heading = "Workload")]
    vary: Option<F>,
    /// Factor on the number of sequences (--vary)
    #[arg(long, value_name = "F", default_value_t = 1.0, requires = "vary", help_heading = "Workload")]
    scale: f64,
    /// Read the workloads from a TOML file like bench/scan.toml
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = "Workload")]
    works_file: Option<PathBuf>,

    /// Device: auto, cpu, cuda or cuda:N
    ///
    /// The CPU is always measured too, to compare with. With auto and cuda, the first GPU is measured alone and, where there are
    /// more, whole commands with all of them as well.
    #[arg(long, default_value = "auto", help_heading = "Measurement")]
    device: String,
    /// Threads of the CPU engine [default: all]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Measurement")]
    threads: Option<u16>,
    /// Runs of each measurement
    ///
    /// No run starts after 10 seconds.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 9,
        value_parser = clap::value_parser!(u16).range(1..),
        help_heading = "Measurement"
    )]
    runs: u16,
    /// Programs to measure with the process clock [default: this one]
    #[arg(long, value_name = "FILE", num_args = 1.., hide_short_help = true, help_heading = "Measurement")]
    process: Vec<PathBuf>,
    /// Leave out the process clock
    #[arg(long, conflicts_with = "process", help_heading = "Measurement")]
    no_process: bool,
    /// Folder of the real files that some workloads read
    #[arg(
        long,
        value_name = "DIR",
        default_value = "../shared/data",
        hide_short_help = true,
        help_heading = "Workload"
    )]
    inputs: PathBuf,
    /// Folder for the input files of the process clock [default: the system's temporary folder]
    #[arg(long, value_name = "DIR", hide_short_help = true, help_heading = "Measurement")]
    scratch: Option<PathBuf>,

    /// Folder for records, tables and charts
    #[arg(long, value_name = "DIR", default_value = "bench/record", help_heading = "Output")]
    record: PathBuf,
    /// Print the time of each stage of a call
    #[arg(short, long, help_heading = "Output")]
    verbose: bool,
}

/// Bytes of the copy that measures the rate to the device.
const COPY_BYTES: usize = 1 << 30;

impl Args {
    /// Runs the benchmark.
    ///
    /// # Errors
    /// [`Error::Mismatch`] for a wrong answer, [`Error::Usage`] for an unknown name, and those of the engines.
    pub fn run(self) -> Result<()> {
        match self.engine {
            Engine::Scan(measuring) => measuring.run(),
            Engine::Align(measuring) => measuring.run(),
            Engine::Sign(measuring) => measuring.run(),
            Engine::Files(measuring) => measuring.run(),
            Engine::Gpu { device } => {
                let facts = open(&device, Console::Usual)?.map(|(_, facts)| facts);
                let mut output = Output::create(None, &[])?;
                output.put(serde_json::to_string(&facts).expect("facts are plain").as_bytes())?;
                Ok(output.finish()?)
            }
        }
    }
}

/// Opens the GPU of `device` and measures the copy to it. `None`: the CPU only.
fn open(device: &str, console: Console) -> Result<Option<(Rig<Cuda>, Facts)>> {
    let ordinal = match device {
        "cpu" => return Ok(None),
        "auto" | "cuda" => 0,
        named => named
            .strip_prefix("cuda:")
            .and_then(|number| number.parse().ok())
            .ok_or_else(|| Error::Usage(format!("--device is {named:?}: give auto, cpu, cuda or cuda:N")))?,
    };
    let gpu = match Opening::start(ordinal, kernels::MODULES, "").finish() {
        Ok(gpu) => gpu,
        Err(error) if device == "auto" => {
            console.note(format_args!("measuring the CPU only: {error}"));
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    };
    let copy_rate = copy_rate(&gpu, COPY_BYTES)?;
    console.note(format_args!("pinned copy to the device: {:.1} GB/s", copy_rate / 1e9));
    let gpus = match device {
        "auto" | "cuda" => discover(kernels::MODULES)?.iter().filter(|found| found.usable.is_ok()).count(),
        _ => 1,
    };
    let facts = Facts { gpu: GpuRecord::from(gpu.found()), argument: format!("cuda:{ordinal}"), gpus, copy_rate };
    Ok(Some((Rig { gpu, copy_rate }, facts)))
}

impl<F: Factor + ValueEnum + Send + Sync + 'static> Measuring<F> {
    /// Measures the workloads or varies the factor, on a pool of as many threads as asked for.
    fn run(&self) -> Result<()> {
        if !(self.scale > 0.0 && self.scale.is_finite()) {
            return Err(Error::Usage(format!("--scale is {}: give a number above 0", self.scale)));
        }
        // rayon takes 0 threads for all.
        let threads = self.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Error::Usage(format!("cannot start {threads} threads: {error}; lower -t")))?;
        pool.install(|| match self.vary {
            None => self.measure(),
            Some(factor) => self.vary(factor),
        })
    }

    fn console(&self) -> Console {
        if self.verbose { Console::Verbose } else { Console::Usual }
    }

    /// The GPU of `--device`, where it is to be open, and what is known of it. `None`: the CPU only.
    fn rig(&self) -> Result<(Option<Rig<Cuda>>, Option<Facts>)> {
        match F::Work::BY_PROGRAMS && self.device != "cpu" {
            true => Ok((None, Facts::of_process(&self.device)?)),
            false => Ok(open(&self.device, self.console())?.unzip()),
        }
    }

    /// Varies a factor, and prints the names of the files it is recorded in.
    fn vary(&self, factor: F) -> Result<()> {
        prepare(&self.record)?;
        let (works, (rig, _)) = (factor.works(self.scale), self.rig()?);
        let files = study(factor, &works, rig.as_ref(), usize::from(self.runs), &self.record)?;
        let mut output = Output::create(None, &[])?;
        files.iter().try_for_each(|file| output.put(format!("{}\n", file.display()).as_bytes()))?;
        Ok(output.finish()?)
    }

    /// Measures the workloads, prints the times of each, and writes the record.
    fn measure(&self) -> Result<()> {
        let works = select(&works::<F::Work>(self.works_file.as_deref())?, &self.works)?;
        prepare(&self.record)?;
        let (console, (rig, facts)) = (self.console(), self.rig()?);
        let machine = Machine::here(rayon::current_num_threads(), facts.as_ref());
        let repeat = Repeat { runs: usize::from(self.runs), at_most: Duration::from_secs(10) };
        let scratch = self.scratch.clone().unwrap_or_else(std::env::temp_dir);
        let (devices, programs) = (Facts::devices(facts.as_ref()), self.programs()?);
        let bench = Bench { rig, devices, repeat, programs, scratch, inputs: self.inputs.clone() };
        let mut output = Output::create(None, &[])?;
        let mut figures = Vec::new();
        for work in &works {
            console.note(format_args!("{}: {}", work.name(), work.about()));
            let outcome = work.measure(&bench)?;
            outcome.details.iter().for_each(|detail| console.detail(format_args!("{}: {detail}", work.name())));
            let remarks = outcome.remarks.iter().fold(String::new(), |text, remark| text + remark + "\n");
            output.put((table(&outcome.figures) + &remarks + "\n").as_bytes())?;
            output.flush().map_err(|error| output.fault(error))?;
            figures.extend(outcome.figures);
        }
        let copy_rate = facts.map(|facts| facts.copy_rate);
        let path = Record::new(command(), machine, copy_rate, figures).write(F::ENGINE, &self.record)?;
        output.put(format!("recorded in {}\n", path.display()).as_bytes())?;
        Ok(output.finish()?)
    }

    fn programs(&self) -> Result<Vec<PathBuf>> {
        if self.no_process || !self.process.is_empty() {
            // They run in another folder. One that is found by its name alone has no path.
            let absolute = |program: &PathBuf| program.canonicalize().unwrap_or(program.clone());
            return Ok(self.process.iter().map(absolute).collect());
        }
        Ok(vec![this_program()?])
    }
}

/// The command line without the program's folder.
fn command() -> String {
    let arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once("warpseq".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}
