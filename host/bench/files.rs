//! The benchmark of whole commands: the workloads of `bench/files.toml`, from files to a file, by the process clock.
//!
//! Each command runs on every device that is measured and with `auto`, with each program, in turn. All must write the same bytes. Beside it
//! stands the reader alone, which reads the same files and does nothing with them: no command can be faster than that.

pub mod study;

use super::amount::{Amount, Unit};
use super::process::{self, Folder, RESULT, Took, engine};
use super::spread::Repeat;
use super::works::Shipped;
use super::{Bench, Clock, Figure, Measured, Outcome};
use crate::error::{Error, FileError, Result};
use crate::fastx::{Batches, Demands};
use crate::gpu::Gpu;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Deserialize;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use warpseq_engine::memory::Memory;
use warpseq_engine::options::{Processor, RunOptions};
use xxhash_rust::xxh3::xxh3_64;

/// A command, the files that it reads, and the time aimed at.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Work {
    #[serde(skip)]
    pub name: String,
    /// A description in one line.
    pub about: String,
    /// Real files that it reads, of the folder of the benchmark's inputs.
    #[serde(default)]
    pub inputs: Vec<String>,
    /// The arguments of each `warpseq simulate` that makes files.
    #[serde(default)]
    pub simulate: Vec<String>,
    /// The arguments of other commands that make files of those.
    #[serde(default)]
    pub prepare: Vec<String>,
    /// Files of those that are then compressed, each into one member of gzip with `.gz` at its name.
    #[serde(default)]
    pub gzip: Vec<String>,
    /// The arguments of the command, but for the device and, where none of them is `result`, the output.
    pub run: String,
    /// Reads in its input.
    pub reads: Option<u64>,
    /// The file that the reader alone reads.
    pub read: Option<String>,
    /// Milliseconds aimed at, with `auto`.
    pub target_ms: Option<f64>,
}

impl Measured for Work {
    const SHIPPED: Shipped = Shipped { path: "bench/files.toml", text: include_str!("../../bench/files.toml") };
    const USUAL: &'static [&'static str] =
        &["scan-fastq", "scan-gzip", "scan-bgzf", "align-pairs", "align-few", "sign-proteins"];
    const BY_PROGRAMS: bool = true;

    fn named(self, name: String) -> Self {
        Self { name, ..self }
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.about
    }

    fn measure<G: Gpu>(&self, bench: &Bench<G>) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        let Some(maker) = bench.programs.last() else {
            outcome.remarks.push(format!("{}: not measured, for it has the process clock alone", self.name));
            return Ok(outcome);
        };
        if let Some(missing) = self.inputs.iter().find(|name| !bench.inputs.join(name).is_file()) {
            let folder = bench.inputs.display();
            outcome.remarks.push(format!("{}: not measured, for {folder} has no {missing}: see --inputs", self.name));
            return Ok(outcome);
        }
        let folder = self.files(maker, &bench.scratch, &bench.inputs)?;
        if let Some(path) = &self.read {
            outcome.figures.push(self.read_alone(&folder.file(path), bench.repeat)?);
        }
        let devices = || ["auto"].into_iter().chain(bench.devices.iter().map(String::as_str));
        let engines: Vec<(&Path, &str)> =
            bench.programs.iter().flat_map(|program| devices().map(|device| (program.as_path(), device))).collect();
        for (took, &(program, device)) in self.run(&folder, &engines, bench.repeat)?.into_iter().zip(&engines) {
            let (Took { times, peak_mib }, rows) = took;
            let target_ms = self.target_ms.filter(|_| device == "auto");
            let amount = self.reads.map(|reads| Amount::in_time(Unit::Reads, reads, times.median_ms));
            let figure = Figure::new(&self.name, &engine(program, device), (Clock::Process, times), rows);
            outcome.figures.push(Figure { target_ms, peak_mib: Some(peak_mib), amount, ..figure });
        }
        Ok(outcome)
    }
}

impl Work {
    /// Makes the files of the workload in a new folder in `scratch`, with those of `inputs` that it reads.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if `maker` fails; those of the files.
    pub fn files(&self, maker: &Path, scratch: &Path, inputs: &Path) -> Result<Folder> {
        let folder = Folder::new(scratch)?;
        for name in &self.inputs {
            let from = inputs.join(name);
            let fault = |source| FileError::File { path: from.clone(), action: "copy", source };
            std::fs::copy(&from, folder.file(name)).map_err(fault)?;
        }
        for arguments in &self.simulate {
            process::call(&folder, Command::new(maker).arg("simulate").args(arguments.split_whitespace()))?;
        }
        for arguments in &self.prepare {
            process::call(&folder, Command::new(maker).args(arguments.split_whitespace()))?;
        }
        for name in &self.gzip {
            gzip(&folder.file(name), &folder.file(&format!("{name}.gz")))?;
        }
        Ok(folder)
    }

    /// Times programs on devices, in turn, after a run of each that is not timed. All must write the same bytes. Of each, the number of lines, too.
    fn run(&self, folder: &Folder, engines: &[(&Path, &str)], repeat: Repeat) -> Result<Vec<(Took, usize)>> {
        let mut commands: Vec<Command> = engines.iter().map(|&engine| self.command(engine)).collect();
        let mut expected = None;
        let mut taken = vec![(0f64, 0); engines.len()];
        let mut once = |k: usize| {
            let (took_ms, mib) = process::once(folder, &mut commands[k])?;
            let written = folder.read(RESULT)?;
            let found = xxh3_64(&written);
            if *expected.get_or_insert(found) != found {
                let name = engine(engines[k].0, engines[k].1);
                return Err(Error::Mismatch(format!("{}: {name} wrote other bytes than the first program", self.name)));
            }
            taken[k] = (taken[k].0.max(mib), memchr::memchr_iter(b'\n', &written).count());
            Ok(took_ms)
        };
        (0..engines.len()).try_for_each(|k| once(k).map(drop))?;
        let times = repeat.measure_in_turn(engines.len(), once)?;
        let took = |(times, (peak_mib, lines))| (Took { times, peak_mib }, lines);
        Ok(times.into_iter().zip(taken).map(took).collect())
    }

    fn command(&self, (program, device): (&Path, &str)) -> Command {
        let threads = rayon::current_num_threads().to_string();
        let mut command = Command::new(program);
        command.args(self.run.split_whitespace()).args(["--quiet", "--device", device, "--threads", &threads]);
        if self.run.split_whitespace().all(|argument| argument != RESULT) {
            command.args(["-o", RESULT]);
        }
        command
    }

    /// Times the reader alone.
    fn read_alone(&self, path: &Path, repeat: Repeat) -> Result<Figure> {
        let mut records = 0;
        let times = repeat.measure(|| {
            let start = Instant::now();
            records = read(path)?;
            Ok::<_, Error>(start.elapsed().as_secs_f64() * 1e3)
        })?;
        let bytes = path.metadata().map_or(0, |metadata| metadata.len());
        let engine = format!("reader, {} threads", rayon::current_num_threads());
        let figure = Figure::new(&self.name, &engine, (Clock::Call, times), records);
        Ok(Figure { amount: Some(Amount::in_time(Unit::Bytes, bytes, times.median_ms)), ..figure })
    }
}

/// Reads all records of a file as the engines do. How many there are.
///
/// # Errors
/// Those of [`Batches`].
pub fn read(path: &Path) -> Result<usize> {
    let sizes =
        Memory::for_batches(RunOptions::default().host_memory, rayon::current_num_threads(), Processor::Cpu, 1).reading;
    let mut batches = Batches::open(path, Demands::default(), sizes)?;
    let (spare, mut records) = (batches.spare(), 0);
    while let Some(batch) = batches.next()? {
        records += batch.records.len();
        spare.give_back(batch.records, sizes.block);
    }
    Ok(records)
}

fn gzip(from: &Path, to: &Path) -> Result<()> {
    let fault = |path: &Path, action| {
        let path = PathBuf::from(path);
        move |source: io::Error| FileError::File { path, action, source }
    };
    let mut reader = BufReader::new(File::open(from).map_err(fault(from, "read"))?);
    let writer = BufWriter::new(File::create(to).map_err(fault(to, "write"))?);
    let mut encoder = GzEncoder::new(writer, Compression::default());
    io::copy(&mut reader, &mut encoder).map_err(fault(from, "compress"))?;
    let written = encoder.finish().and_then(|mut writer| writer.flush());
    Ok(written.map_err(fault(to, "write"))?)
}
