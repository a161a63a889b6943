//! `warpseq devices`.

use clap::ArgAction;
use std::fmt::Write as _;
use warpseq::check::{self, Checked};
use warpseq::console::Console;
use warpseq::cuda::{self, Found, discover, kernels};
use warpseq::error::{Error, Result};
use warpseq::output::Output;

const EXAMPLES: &str = "\
Examples:
  warpseq devices
      every GPU with its name, memory and whether it works; then the CPU
  warpseq devices --check
      whether each of them computes correctly";

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
}

impl Args {
    /// Lists or checks.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if a device fails its check; those of the output.
    pub fn run(self) -> Result<()> {
        if self.check { check_all() } else { list() }
    }
}

fn list() -> Result<()> {
    let mut text = String::new();
    match discover(kernels::MODULES) {
        Ok(found) => found.iter().for_each(|gpu| text += &described(gpu)),
        Err(error) => Console::default().note(error),
    }
    let (model, threads) = cuda::cpu();
    let plural = if threads == 1 { "" } else { "s" };
    text += &format!("cpu ({model})\n    {threads} thread{plural}\n");
    print(&text)
}

fn described(gpu: &Found) -> String {
    let (major, minor) = gpu.compute_capability;
    let (cuda_major, cuda_minor) = gpu.driver_version;
    let gib = gpu.memory_bytes as f64 / f64::from(1 << 30);
    let mut text = format!("{}\n", gpu.label());
    let facts = format!("{gib:.1} GiB, compute capability {major}.{minor}, driver for CUDA {cuda_major}.{cuda_minor}");
    writeln!(text, "    {facts}").expect("writing to memory does not fail");
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
    writeln!(text, "    {state}").expect("writing to memory does not fail");
    text
}

fn check_all() -> Result<()> {
    let (mut text, mut failed) = (String::new(), 0);
    for Checked { executor, outcome } in check::executors() {
        text += &match outcome {
            Ok(()) => format!("{executor}: ok\n"),
            Err(why) => {
                failed += 1;
                format!("{executor}: FAILED: {why}\n")
            }
        };
    }
    print(&text)?;
    match failed {
        0 => Ok(()),
        _ => Err(Error::Mismatch(format!(
            "{failed} of the devices above failed: do not use them, and report the lines above"
        ))),
    }
}

fn print(text: &str) -> Result<()> {
    let mut output = Output::create(None, &[])?;
    output.put(text.as_bytes())?;
    Ok(output.finish()?)
}
