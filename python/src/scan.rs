//! `Engine.scan`: the rows of `warpseq scan`.

use crate::call::Call;
use crate::choice::{Named, choose_one, number};
use crate::engine::{Machine, compute};
use crate::error::{exception, usage};
use crate::input::{Input, pieces, require};
use crate::table::{Column, Table, arrow, column};
use arrow_array::{Float64Array, Int64Array, StringArray, UInt64Array};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::atomic::Ordering;
use warpseq::error::{FileError, Result};
use warpseq::executor::Executor;
use warpseq::fastx::{Demands, Spare};
use warpseq::memory::Memory;
use warpseq::scan::device::Shared;
use warpseq::scan::engine::Search;
use warpseq::scan::input::{demands, demands_of_signatures, signatures};
use warpseq::scan::inputs::{Input as Reading, Inputs, Reads};
use warpseq::scan::pattern::{Patterns, patterns};
use warpseq::scan::report::Row as Found;
use warpseq::scan::run::fragments::Reader;
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
    pub mates: Option<&'py Bound<'py, PyAny>>,
    pub interleaved: bool,
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

    /// What is searched: records in memory; or files, each without mates, with mates 1 and 2 in turn, or with that of its mates.
    fn source(&self, py: Python, sequences: &Bound<PyAny>) -> PyResult<Source> {
        let refuse = |why: &str| Err(usage(py, why));
        let files = match Input::of("<sequences>", sequences)? {
            Input::Held(_) if self.mates.is_some() || self.interleaved => {
                return refuse(
                    "mates and interleaved are for files: give sequences as a path or a list of pathlib.Path",
                );
            }
            Input::Held(records) => return Ok(Source::Held(records)),
            Input::Files(files) => files,
        };
        let reads: Vec<Reads> = match self.mates.map(|mates| Input::of("<mates>", mates)).transpose()? {
            None if self.interleaved => files.into_iter().map(Reads::Interleaved).collect(),
            None => files.into_iter().map(Reads::Single).collect(),
            Some(_) if self.interleaved => {
                return refuse("mates and interleaved exclude each other: leave out one of them");
            }
            Some(Input::Held(_)) => return refuse("mates: expected a path or a list of pathlib.Path"),
            Some(Input::Files(mates)) if mates.len() != files.len() => {
                return refuse(&format!(
                    "mates: {} for {} of sequences: give as many, in their order",
                    counted(mates.len()),
                    counted(files.len())
                ));
            }
            Some(Input::Files(mates)) => files.into_iter().zip(mates).map(|(one, two)| Reads::Pair(one, two)).collect(),
        };
        let mut inputs = Inputs::default();
        let pushed = reads.into_iter().try_for_each(|reads| inputs.push(reads));
        pushed.map_err(|error| exception(py, &error.into()))?;
        Ok(Source::Files(inputs))
    }
}

fn counted(files: usize) -> String {
    if files == 1 { "1 file".into() } else { format!("{files} files") }
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
    let source = arguments.source(py, sequences)?;
    let wanted = Input::of("<signatures>", wanted)?;
    if let Input::Files(files) = &wanted
        && files.len() != 1
    {
        return Err(usage(py, &format!("signatures: expected one file, not {}", files.len())));
    }
    let rows = Call::run(py, progress, |call| {
        let circles = if options.circular { warpseq::scan::circular::FOLD } else { 1 };
        let memory = machine.memory_for_batches(circles + usize::from(source.has_pairs()));
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
    Ok(Signature::of(records).collect())
}

/// What is searched.
enum Source {
    Files(Inputs),
    Held(Records),
}

impl Source {
    fn has_pairs(&self) -> bool {
        matches!(self, Self::Files(inputs) if inputs.have_pairs())
    }
}

/// A match, and what a row tells beside it.
struct Row {
    /// `None` for sequences in memory.
    sample: Option<String>,
    sequence: String,
    /// 1 or 2, if there are mates.
    mate: Option<i64>,
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
                    self.search(executor, &some, (None, false))?;
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
        let (machine, Memory { batch, reading, .. }) = (self.machine, self.memory);
        let mut reader = machine.pool.install(|| Reader::new(inputs.all(), None, demands.clone(), reading, false))?;
        let (total, read, spare) = (reader.total_bytes(), reader.bytes_read(), Spare::default());
        while let Some(fragments) = machine.pool.install(|| reader.next_fragments())? {
            let Reading { sample, reads } = &inputs.all()[fragments.input];
            let sample = String::from_utf8_lossy(&inputs.samples()[*sample]).into_owned();
            let joined = fragments.join(inputs, (&spare, batch))?;
            self.search(executor, &joined.records, (Some(&sample), reads.are_paired()))?;
            joined.spare.give_back(joined.records, batch);
            self.call.tell(read.load(Ordering::Relaxed), total);
        }
        Ok(())
    }

    /// Searches some sequences of a sample; whether they are mates, one behind the other.
    fn search(
        &mut self,
        executor: &mut dyn Executor<Matching>,
        batch: &Records,
        (sample, are_paired): (Option<&str>, bool),
    ) -> Result<()> {
        self.call.go_on()?;
        let Self { machine, call, search, .. } = self;
        let (found, hashes) = machine.pool.install(|| {
            let mut hits = None;
            compute(executor, call, Job::new(batch, usize::MAX), &mut hits)?;
            Ok::<_, warpseq::error::Error>(search.choose(batch, hits.unwrap_or_default()))
        })?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let row = |(found, hash): (Found, Option<u8>)| Row {
            sample: sample.map(str::to_owned),
            sequence: text(batch.name(found.sequence as usize)),
            mate: are_paired.then_some(1 + i64::from(found.sequence % 2)),
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
        column("mate", rows.iter().map(|row| row.mate).collect::<Int64Array>()),
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
