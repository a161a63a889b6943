//! `Engine.scan`: the rows of `warpseq scan`.

use crate::call::Call;
use crate::choice::{Named, choose_one, number};
use crate::engine::{Machine, compute};
use crate::error::{exception, usage};
use crate::input::{Input, pieces, require};
use crate::table::{Column, Table, arrow, column};
use arrow_array::{Float64Array, Int64Array, StringArray, UInt64Array};
use pyo3::prelude::*;
use std::sync::atomic::Ordering;
use warpseq::error::{FileError, Result};
use warpseq::executor::Executor;
use warpseq::fastx::{Batch, Batches, Demands};
use warpseq::memory::Memory;
use warpseq::scan::device::Shared;
use warpseq::scan::engine::Search;
use warpseq::scan::input::{demands, demands_of_signatures, signatures};
use warpseq::scan::inputs::{Inputs, Reads};
use warpseq::scan::pattern::{Patterns, patterns};
use warpseq::scan::report::Row as Found;
use warpseq::scan::{Algorithm, Choice, Job, Matching, Options, Signature};
use warpseq::seq::{PhredOffset, Records, Wildcards};

const WILDCARDS: Named<Wildcards> = &[("iupac", Wildcards::Iupac), ("n", Wildcards::N)];
const REPORTS: Named<Choice> = &[("best", Choice::Best), ("first", Choice::First), ("all", Choice::All)];
const PHRED_OFFSETS: Named<PhredOffset> = &[
    ("33", PhredOffset::Sanger),
    ("64", PhredOffset::Illumina64),
    ("solexa", PhredOffset::Solexa),
    ("sanger", PhredOffset::Sanger),
];
const ALGORITHMS: Named<Algorithm> =
    &[("auto", Algorithm::Auto), ("anchor", Algorithm::Anchor), ("brute", Algorithm::Brute)];

/// The arguments of `scan` beside the sequences and the signatures, as Python gives them.
pub struct Arguments<'py> {
    pub wildcards: &'py str,
    pub strand: &'py str,
    pub report: &'py str,
    pub max_mismatch: Option<Bound<'py, PyAny>>,
    pub circular: bool,
    pub max_n_frac: Option<Bound<'py, PyAny>>,
    pub phred_offset: Option<Bound<'py, PyAny>>,
    pub algorithm: &'py str,
}

impl Arguments<'_> {
    fn options(&self, py: Python) -> PyResult<(Options, Algorithm)> {
        let default = Options::default();
        let options = Options {
            wildcards: choose_one(py, "wildcards", self.wildcards, WILDCARDS)?,
            strands: choose_one(py, "strand", self.strand, crate::align::STRANDS)?,
            choice: choose_one(py, "report", self.report, REPORTS)?,
            max_n_frac: number("max_n_frac", self.max_n_frac.as_ref())?.unwrap_or(default.max_n_frac),
            max_mismatch: number("max_mismatch", self.max_mismatch.as_ref())?.unwrap_or(default.max_mismatch),
            circular: self.circular,
            phred: match &self.phred_offset {
                None => default.phred,
                Some(offset) => choose_one(py, "phred_offset", &offset.str()?.to_string(), PHRED_OFFSETS)?,
            },
        };
        Ok((options, choose_one(py, "algorithm", self.algorithm, ALGORITHMS)?))
    }
}

/// Searches and returns the rows.
///
/// # Errors
/// Those of the arguments, the files, the device, and of `progress`.
pub fn scan(
    py: Python,
    machine: &Machine,
    [sequences, wanted]: [&Bound<PyAny>; 2],
    arguments: &Arguments,
    progress: Option<&Bound<PyAny>>,
) -> PyResult<Table> {
    machine.check_process(py)?;
    let (options, algorithm) = arguments.options(py)?;
    let source = match Input::of("<sequences>", sequences)? {
        Input::Held(records) => Source::Held(records),
        Input::Files(files) => {
            let mut inputs = Inputs::default();
            let pushed = files.into_iter().try_for_each(|file| inputs.push(Reads::Single(file)));
            pushed.map_err(|error| exception(py, &error.into()))?;
            Source::Files(inputs)
        }
    };
    let wanted = Input::of("<signatures>", wanted)?;
    if let Input::Files(files) = &wanted
        && files.len() != 1
    {
        return Err(usage(py, &format!("signatures: expected one file, not {}", files.len())));
    }
    let rows = Call::run(py, progress, |call| {
        let fold = if options.circular { warpseq::scan::circular::FOLD } else { 1 };
        let memory = machine.memory_for_batches(fold);
        let signatures = machine.pool.install(|| read(&wanted, &options, memory))?;
        let patterns = machine.pool.install(|| patterns(&signatures, &options));
        let (options, signatures, shared) = (&options, &signatures, &Shared::default());
        let patterns = Patterns::Made(&patterns);
        let search = Search { options, algorithm, signatures, patterns, tables: None, hashed: true, shared };
        Scanning { machine, call, search, memory, rows: Vec::new() }.run(&source)
    })?;
    Table::new(columns(&[]), rows.iter().map(|rows| columns(rows)).collect()).map_err(arrow)
}

fn read(wanted: &Input, options: &Options, memory: Memory) -> Result<Vec<Signature>> {
    let records = match wanted {
        Input::Files(files) => return Ok(signatures(&files[0], options, memory.reading)?),
        Input::Held(records) => records,
    };
    require("<signatures>", records, &demands_of_signatures(options))?;
    if records.is_empty() {
        let message = "there are no signatures".into();
        return Err(FileError::Unusable { path: "<signatures>".into(), message }.into());
    }
    Ok((0..records.len()).map(|k| Signature::new(records.name(k), records.sequence(k).to_vec())).collect())
}

/// What is searched.
enum Source {
    Files(Inputs),
    Held(Records),
}

/// A match, and what a row tells beside it.
struct Row {
    /// `None` for sequences in memory.
    sample: Option<String>,
    sequence: String,
    signature: String,
    found: Found,
    hash: Option<u8>,
}

/// A call at work.
struct Scanning<'a> {
    machine: &'a Machine,
    call: &'a Call,
    search: Search<'a>,
    memory: Memory,
    rows: Vec<Vec<Row>>,
}

impl Scanning<'_> {
    fn run(mut self, source: &Source) -> Result<Vec<Vec<Row>>> {
        let search = self.search;
        let executor = &mut *self.machine.executor(&search)?;
        let demands = demands(search.options);
        match source {
            Source::Held(records) => {
                self.machine.pool.install(|| require("<sequences>", records, &demands))?;
                let mut done = 0;
                for some in pieces(records, self.memory.batch) {
                    self.search(executor, &some, None)?;
                    done += some.len() as u64;
                    self.call.tell(done, Some(records.len() as u64));
                }
            }
            Source::Files(inputs) => {
                inputs.require_files()?;
                self.files(executor, inputs, &demands)?;
            }
        }
        Ok(self.rows)
    }

    fn files(&mut self, executor: &mut dyn Executor<Matching>, inputs: &Inputs, demands: &Demands) -> Result<()> {
        let (mut before, total) = (0, inputs.all().iter().map(|input| input.reads.bytes()).sum::<Option<u64>>());
        for input in inputs.all() {
            let Reads::Single(path) = &input.reads else { unreachable!("all inputs are without mates") };
            let sample = String::from_utf8_lossy(&inputs.samples()[input.sample]).into_owned();
            let open = || Batches::open(path, demands.clone(), self.memory.reading);
            let mut batches = self.machine.pool.install(open)?;
            let read = batches.reader().bytes_read();
            while let Some(Batch { records, .. }) = self.machine.pool.install(|| batches.next())? {
                self.search(executor, &records, Some(&sample))?;
                self.call.tell(before + read.load(Ordering::Relaxed), total);
            }
            before += read.load(Ordering::Relaxed);
        }
        Ok(())
    }

    fn search(&mut self, executor: &mut dyn Executor<Matching>, batch: &Records, sample: Option<&str>) -> Result<()> {
        self.call.go_on()?;
        let Self { machine, call, search, .. } = self;
        let (found, hashes) = machine.pool.install(|| {
            let mut hits = None;
            compute(executor, call, Job { batch, most: usize::MAX }, &mut hits)?;
            Ok::<_, warpseq::error::Error>(search.choose(batch, hits.unwrap_or_default()))
        })?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let row = |(found, hash): (Found, Option<u8>)| Row {
            sample: sample.map(str::to_owned),
            sequence: text(batch.name(found.sequence as usize)),
            signature: text(search.signatures[found.signature as usize].name()),
            found,
            hash,
        };
        self.rows.push(found.into_iter().zip(hashes).map(row).collect());
        Ok(())
    }
}

fn columns(rows: &[Row]) -> Vec<Column> {
    let strand = |row: &Row| Some(if row.found.reverse { "-" } else { "+" });
    let number = |of: fn(&Found) -> u64| rows.iter().map(|row| Some(of(&row.found))).collect::<UInt64Array>();
    vec![
        column("sample", rows.iter().map(|row| row.sample.as_ref()).collect::<StringArray>()),
        column("sequence", rows.iter().map(|row| Some(&row.sequence)).collect::<StringArray>()),
        column("mate", rows.iter().map(|_| None).collect::<Int64Array>()),
        column("signature", rows.iter().map(|row| Some(&row.signature)).collect::<StringArray>()),
        column("strand", rows.iter().map(strand).collect::<StringArray>()),
        column("start", number(|found| found.start)),
        column("end", number(|found| found.end)),
        column("mean_phred", rows.iter().map(|row| row.found.mean_phred()).collect::<Float64Array>()),
        column("informative", number(|found| found.informative.into())),
        column("wild", number(|found| found.wild.into())),
        column("mismatches", number(|found| found.mismatches.into())),
        column("integrity_hash", rows.iter().map(|row| row.hash.map(i64::from)).collect::<Int64Array>()),
    ]
}
