//! A whole run of `probes`: from references to a file of signatures.
//!
//! ```text
//! references -> groups, windows -> look-ups, if there is something to look up in -> thin -> FASTA, table
//! ```
//!
//! References and windows are in memory, genomes to be avoided are read batch by batch. An error leaves no output file.

use super::groups::{Grouping, Groups};
use super::lookups::{Library, look_up};
use super::{Options, Records, Rule, Window, reference, windows};
use crate::{Signature, input};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use warpseq_engine::error::{Error, Result};
use warpseq_engine::memory::Memory;
use warpseq_engine::options::{Processor, RunOptions, Verify};
use warpseq_engine::worker::Clock;
use warpseq_io::console::Console;
use warpseq_io::fastx::refuse_one_stream;
use warpseq_io::output::{Output, beside};
use warpseq_io::table::View;

/// What probes are cut from, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// FASTA of the references; `-` is standard input.
    pub references: PathBuf,
    /// The groups that probes tell apart.
    pub grouping: Grouping,
    /// Which windows are probes.
    pub options: Options,
    /// FASTA or FASTQ in which no probe occurs; `-` is standard input.
    pub excluded: Vec<PathBuf>,
    /// The probes as FASTA. `None` or `-`: standard output.
    pub output: Option<PathBuf>,
    /// How many windows of each group each rule dropped.
    pub table: Option<PathBuf>,
    /// What the run computes on, and what it may take.
    pub run: RunOptions,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// References that probes were cut from.
    pub references: u64,
    /// Their groups.
    pub groups: u64,
    /// Windows that were cut.
    pub windows: u64,
    /// Probes that were written.
    pub probes: u64,
    /// The groups of which none is left.
    pub without: Vec<Vec<u8>>,
    /// Seconds spent looking windows up, summed over workers: the *call* clock.
    pub call_seconds: f64,
    /// Seconds from the call of [`run`] to its return.
    pub seconds: f64,
    /// What looked up: `cpu`, GPUs by name, or both; empty when there was nothing to look up.
    pub engine: String,
}

/// Runs `probes`.
///
/// # Errors
/// Those of the files, the GPU and the output; [`Error::Usage`] for options that no window can meet, and for two inputs on standard
/// input; [`Error::Mismatch`] when `verify` finds a difference.
pub fn run(request: &Request) -> Result<Summary> {
    let start = Instant::now();
    let Request { options, run, .. } = request;
    check(options)?;
    request.refuse_one_stream()?;
    let mut outputs = request.open()?;
    outputs.1.iter_mut().for_each(|table| table.show(&View::of_file(request.table.as_deref())));
    let memory = Memory::for_batches(run.host_memory, rayon::current_num_threads(), Processor::Cpu, 1);
    let references = input::genomes(&request.references, memory.reading)?;
    let groups = Groups::of(&references, &request.grouping, run.console)?;
    let mut windows = windows::cut(&references, &groups, options);
    let mut summary = Summary { references: references.len() as u64, ..Summary::default() };
    (summary.groups, summary.windows) = (groups.names.len() as u64, windows.len() as u64);
    let mut excluded = Records::default();
    if options.unique || !request.excluded.is_empty() {
        let library = Library { references: &references, groups: &groups, excluded: &request.excluded };
        let found = drop_found(&mut windows, &library, options, *run)?;
        if run.verify == Some(Verify::Cpu) {
            found.computed.clock.tell_verified(*run);
        }
        summary.engine = found.computed.devices.join(", ");
        summary.call_seconds = found.computed.clock.call.as_secs_f64();
        excluded = found.excluded;
    }
    if let Some(most) = options.per_group {
        windows::thin(&mut windows, &groups, most);
    }
    if run.verify == Some(Verify::Reference) {
        verify(&windows, &references, &groups, &excluded, request, start)?;
    }
    let tables = Tables { references: &references, groups: &groups, windows: &windows, length: options.length };
    summary.probes = tables.probes().count() as u64;
    summary.without = tables.without();
    warn(&summary.without, run.console);
    beside::write(outputs, |output| tables.write_probes(output), |output| tables.write_table(output))?;
    Ok(Summary { seconds: start.elapsed().as_secs_f64(), ..summary })
}

impl Request {
    fn refuse_one_stream(&self) -> warpseq_io::error::Result<()> {
        let mut inputs = vec![("references", self.references.as_path())];
        inputs.extend(self.excluded.iter().map(|path| ("--exclude", path.as_path())));
        refuse_one_stream(&inputs)
    }

    fn open(&self) -> warpseq_io::error::Result<(Output, Option<Output>)> {
        let groups = match &self.grouping {
            Grouping::Table(path) => Some(path),
            _ => None,
        };
        let inputs: Vec<&Path> =
            [&self.references].into_iter().chain(&self.excluded).chain(groups).map(PathBuf::as_path).collect();
        beside::open(self.output.as_deref(), ("--table", self.table.as_deref()), &inputs)
    }
}

fn check(options: &Options) -> Result<()> {
    let Options { length, step, ref gc, max_mismatch, per_group, .. } = *options;
    let refused = |message: String| Err(Error::Usage(message));
    match () {
        () if length == 0 || u32::try_from(length).is_err() => {
            refused(format!("--length {length}: give 1 to {}", u32::MAX))
        }
        () if step == 0 => refused("--step 0: windows would all begin at the same place; give at least 1".into()),
        () if per_group == Some(0) => refused("--per-group 0: no probe would be left; give at least 1".into()),
        () if gc.start() > gc.end() => {
            refused(format!("--gc {}-{}: give the smaller number first", gc.start(), gc.end()))
        }
        () if max_mismatch as usize >= length => refused(format!(
            "with {max_mismatch} mismatches, a window of {length} symbols occurs anywhere: give --unique={} or less",
            length - 1
        )),
        () => Ok(()),
    }
}

/// Looks up the windows that are left, and drops those that are found.
fn drop_found(
    windows: &mut [Window],
    library: &Library,
    options: &Options,
    run: RunOptions,
) -> Result<super::lookups::Found> {
    let left: Vec<usize> = (0..windows.len()).filter(|&k| windows[k].dropped.is_none()).collect();
    let signature = |&k: &usize| {
        let (window, mut name) = (&windows[k], Vec::new());
        write_name(&mut name, window, library.references, options.length);
        Signature::new(name, window.bases(library.references, options.length).into_owned())
    };
    let signatures: Vec<Signature> = left.iter().map(signature).collect();
    let groups: Vec<u32> = left.iter().map(|&k| library.groups.of[windows[k].reference as usize]).collect();
    let found = look_up(&signatures, &groups, library, options, run)?;
    for (&k, &dropped) in left.iter().zip(&found.dropped) {
        windows[k].dropped = dropped;
    }
    Ok(found)
}

/// Compares all windows with those of the naive reference.
fn verify(
    windows: &[Window],
    references: &Records,
    groups: &Groups,
    excluded: &Records,
    request: &Request,
    start: Instant,
) -> Result<()> {
    let (call, naive) = (start.elapsed(), Instant::now());
    let expected = reference::probes(references, &groups.of, excluded, &request.options);
    if let Some(k) = (0..windows.len().max(expected.len())).find(|&k| windows.get(k) != expected.get(k)) {
        let shown = |window: Option<&Window>| {
            let Some(window) = window else { return "no window".to_owned() };
            let mut name = Vec::new();
            write_name(&mut name, window, references, request.options.length);
            let rule = window.dropped.map_or("kept", Rule::name);
            format!("{} {rule}", String::from_utf8_lossy(&name))
        };
        let [found, expected] = [windows.get(k), expected.get(k)].map(shown);
        let message =
            format!("--verify found a difference in window {k}: found {found}, expected {expected} by the reference");
        return Err(Error::Mismatch(message));
    }
    Clock { call, verified: naive.elapsed() }.tell_verified(request.run);
    Ok(())
}

/// `record:start-end`, the end counted on over the end of a circle.
fn write_name(text: &mut Vec<u8>, window: &Window, references: &Records, length: usize) {
    text.extend_from_slice(references.name(window.reference as usize));
    text.extend_from_slice(format!(":{}-{}", window.start, window.start + length as u64).as_bytes());
}

/// What is written of windows.
struct Tables<'a> {
    references: &'a Records,
    groups: &'a Groups,
    windows: &'a [Window],
    length: usize,
}

/// Windows of a group: all, dropped by each rule, kept.
type Counts = [u64; Rule::ALL.len() + 2];

impl Tables<'_> {
    fn probes(&self) -> impl Iterator<Item = &Window> {
        self.windows.iter().filter(|window| window.dropped.is_none())
    }

    fn write_probes(&self, output: &mut Output) -> warpseq_io::error::Result<()> {
        let mut text = Vec::new();
        for window in self.probes() {
            text.clear();
            text.push(b'>');
            let reference = window.reference as usize;
            if self.groups.given[reference] {
                text.extend_from_slice(&self.groups.names[self.groups.of[reference] as usize]);
                text.push(b'|');
            }
            write_name(&mut text, window, self.references, self.length);
            text.push(b'\n');
            text.extend_from_slice(&window.bases(self.references, self.length));
            text.push(b'\n');
            output.put(&text)?;
        }
        Ok(())
    }

    fn counts(&self) -> Vec<Counts> {
        let mut counts = vec![Counts::default(); self.groups.names.len()];
        for window in self.windows {
            let of_group = &mut counts[self.groups.of[window.reference as usize] as usize];
            of_group[0] += 1;
            of_group[window.dropped.map_or(Rule::ALL.len(), |rule| rule as usize) + 1] += 1;
        }
        counts
    }

    /// A row for each group.
    fn write_table(&self, output: &mut Output) -> warpseq_io::error::Result<()> {
        let mut text = b"group\twindows".to_vec();
        let columns = Rule::ALL.map(Rule::name).into_iter().chain(["kept"]);
        columns.for_each(|name| text.extend_from_slice(format!("\t{name}").as_bytes()));
        for (group, counts) in self.groups.names.iter().zip(self.counts()) {
            text.push(b'\n');
            text.extend_from_slice(group);
            for count in counts {
                write!(text, "\t{count}").expect("writing to memory does not fail");
            }
        }
        text.push(b'\n');
        output.put(&text)
    }

    /// The names of the groups without probes.
    fn without(&self) -> Vec<Vec<u8>> {
        let named = self.groups.names.iter().zip(self.counts());
        named.filter(|(_, counts)| counts[Rule::ALL.len() + 1] == 0).map(|(name, _)| name.clone()).collect()
    }
}

/// Warns of groups without probes.
fn warn(without: &[Vec<u8>], console: Console) {
    if let Some(first) = without.first() {
        let (first, count) = (String::from_utf8_lossy(first), without.len());
        console.warn(format_args!("groups without probes: {count}, the first is {first}; --table shows why"));
    }
}
