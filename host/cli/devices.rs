//! `warpseq devices`.

use super::options::{Named, one_of};
use super::tables::Tables;
use clap::ArgAction;
use serde::Serialize;
use std::io::{self, Write};
use warpseq::check::{self, Checked};
use warpseq::console::Console;
use warpseq::cuda::{self, Found, discover, kernels};
use warpseq::devices::CPU;
use warpseq::error::{Error, Result};
use warpseq::info::{Describe, Format};
use warpseq::output::Output;

const EXAMPLES: &str = "\
Examples:
  warpseq devices
      every GPU with its name, memory and whether it works; then the CPU
  warpseq devices --check
      whether each of them computes correctly
  warpseq devices --format jsonl
      the same for programs";

/// List the GPUs and the CPU of this machine, or check them
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Check that every device computes correctly
    ///
    /// Scans, aligns and signs small inputs on the CPU, the GPU emulator and every GPU, and compares the results with the naive
    /// reference. The exit code is 1 if one fails.
    #[arg(long, action = ArgAction::SetTrue)]
    check: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = one_of(FORMATS), help_heading = "Output")]
    format: Format,
    #[command(flatten)]
    tables: Tables,
}

const FORMATS: &[Named<Format>] = &[
    ("text", Format::Text, "lines for people"),
    ("tsv", Format::Tsv, "a table with a header line"),
    ("jsonl", Format::Jsonl, "one JSON object per device"),
    ("json", Format::Jsonl, ""),
];

impl Args {
    /// Lists or checks.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if a device fails its check; those of the output; columns of lines for people.
    pub fn run(self) -> Result<()> {
        let is_checked = self.check;
        if is_checked { self.check_all() } else { self.write(&list()) }
    }

    fn check_all(self) -> Result<()> {
        let all: Vec<Check> = check::executors().into_iter().map(Check::of).collect();
        let failed = all.iter().filter(|check| check.difference.is_some()).count();
        self.write(&all)?;
        match failed {
            0 => Ok(()),
            _ => Err(Error::Mismatch(format!(
                "{failed} of the devices above failed: do not use them, and report the lines above"
            ))),
        }
    }

    fn write<I: Describe>(self, all: &[I]) -> Result<()> {
        let (format, view) = self.tables.of(self.format, [Format::Tsv, Format::Jsonl])?;
        let mut output = Output::create(None, &[])?;
        if format == Format::Tsv {
            output.show(&view);
        }
        let written = format.write_header::<I>(&mut output);
        written
            .and_then(|()| all.iter().try_for_each(|info| format.write(&mut output, info)))
            .map_err(|error| output.fault(error))?;
        Ok(output.finish()?)
    }
}

/// The GPUs, and the CPU.
fn list() -> Vec<Device> {
    let gpus = discover(kernels::MODULES).unwrap_or_else(|error| {
        Console::default().note(error);
        Vec::new()
    });
    gpus.iter().map(Device::gpu).chain([Device::cpu()]).collect()
}

const YES: &str = "yes";
const NO: &str = "no";

/// A device of this machine.
#[derive(Serialize)]
struct Device {
    /// As `--device` takes it.
    device: String,
    name: String,
    /// Bytes of a GPU's memory.
    memory: Option<usize>,
    /// Threads of the CPU.
    threads: Option<usize>,
    compute_capability: Option<String>,
    /// The CUDA of the driver.
    cuda: Option<String>,
    usable: &'static str,
    /// Which kernels are used, or why the device cannot be.
    state: String,
}

impl Device {
    fn cpu() -> Self {
        let (name, threads) = cuda::cpu();
        let (memory, compute_capability, cuda) = Default::default();
        let state = "usable".to_owned();
        Self { device: CPU.into(), name, memory, threads: Some(threads), compute_capability, cuda, usable: YES, state }
    }

    fn gpu(gpu: &Found) -> Self {
        let version = |(major, minor)| Some(format!("{major}.{minor}"));
        let state = match (&gpu.usable, gpu.ptx_floor) {
            (Ok(()), Some(floor)) => {
                let form = match gpu.machine_code {
                    Some(architecture) => format!("machine code for sm_{architecture}"),
                    None => "compiled by the driver when first used".to_owned(),
                };
                format!("usable, with the kernels for sm_{floor} ({}, {form})", kernels::ORIGIN)
            }
            (Ok(()), None) => "usable".to_owned(),
            (Err(why), _) => format!("not usable: {why}"),
        };
        Self {
            device: format!("cuda:{}", gpu.ordinal),
            name: gpu.name.clone(),
            memory: Some(gpu.memory_bytes),
            threads: None,
            compute_capability: version(gpu.compute_capability),
            cuda: version(gpu.driver_version),
            usable: if gpu.usable.is_ok() { YES } else { NO },
            state,
        }
    }
}

impl Describe for Device {
    const COLUMNS: &'static str = "device\tname\tmemory\tthreads\tcompute_capability\tcuda\tusable\tstate";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { device, name, memory, threads, compute_capability, cuda, state, .. } = self;
        writeln!(out, "{device} ({name})")?;
        if let (Some(memory), Some(capability), Some(cuda)) = (memory, compute_capability, cuda) {
            let gib = *memory as f64 / f64::from(1 << 30);
            writeln!(out, "    {gib:.1} GiB, compute capability {capability}, driver for CUDA {cuda}\n    {state}")?;
        }
        match threads {
            Some(1) => writeln!(out, "    1 thread"),
            Some(threads) => writeln!(out, "    {threads} threads"),
            None => Ok(()),
        }
    }

    fn write_row(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { device, name, memory, threads, compute_capability, cuda, usable, state } = self;
        let number = |number: Option<usize>| number.map_or("NA".to_owned(), |number| number.to_string());
        let word = |word: &Option<String>| word.clone().unwrap_or("NA".into());
        let (memory, threads) = (number(*memory), number(*threads));
        let (capability, cuda) = (word(compute_capability), word(cuda));
        writeln!(out, "{device}\t{name}\t{memory}\t{threads}\t{capability}\t{cuda}\t{usable}\t{state}")
    }
}

/// Whether an executor computes correctly.
#[derive(Serialize)]
struct Check {
    device: String,
    works: &'static str,
    /// What is wrong.
    difference: Option<String>,
}

impl Check {
    fn of(Checked { executor, outcome }: Checked) -> Self {
        let difference = outcome.err();
        let works = if difference.is_none() { YES } else { NO };
        Self { device: executor, works, difference }
    }
}

impl Describe for Check {
    const COLUMNS: &'static str = "device\tworks\tdifference";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.difference {
            None => writeln!(out, "{}: ok", self.device),
            Some(why) => writeln!(out, "{}: FAILED: {why}", self.device),
        }
    }

    fn write_row(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { device, works, difference } = self;
        writeln!(out, "{device}\t{works}\t{}", difference.as_deref().unwrap_or("NA"))
    }
}
