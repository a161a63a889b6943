//! What a run writes: rows, counts, summaries and reads, each where it is asked for.
//!
//! Results come in the order of reading, so all batches of a sample are done when one of the next sample comes, and the tables of
//! its counts are added up then. Whoever reads one output and closes it does not stop the others.

use super::batch::Searched;
use super::reads::Files;
use super::tally::Tallies;
use super::{Counting, Request};
use crate::Signature;
use crate::counts::{HEADER, Sample, Totals};
use crate::facts::{Facts, Passed, Warnings};
use crate::format::Format;
use crate::page::depth::Tracks;
use crate::summary::Summary;
use crate::summary::genomes::Genomes;
use crate::{page, stats};
use std::path::{Path, PathBuf};
use warpseq_engine::error::Result;
use warpseq_io::error::{FileError, Result as FileResult};
use warpseq_io::groups::Table;
use warpseq_io::output::places::{Place, Places};
use warpseq_io::output::{Complete, Output};
use warpseq_io::table::View;

/// An output; `None`: not wanted, or closed by whoever read it.
#[derive(Default)]
struct Stream {
    output: Option<Output>,
    closed: bool,
}

impl Stream {
    fn open(place: Option<Place>, header: &[u8], view: &View) -> Result<Self> {
        let mut output = place.map(Place::open).transpose()?;
        if let Some(output) = &mut output {
            output.show(view);
            output.begin_with(header.to_vec())?;
        }
        Ok(Self { output, closed: false })
    }

    fn put(&mut self, bytes: &[u8]) -> FileResult<()> {
        match self.output.as_mut().map_or(Ok(()), |output| output.put(bytes)) {
            Err(FileError::ClosedPipe) => (self.output, self.closed) = (None, true),
            written => written?,
        }
        Ok(())
    }

    /// Writes what is buffered. Whether it was closed.
    fn complete(self, complete: &mut Vec<Complete>) -> Result<bool> {
        match self.output.map(Output::complete) {
            None => Ok(self.closed),
            Some(Err(FileError::ClosedPipe)) => Ok(true),
            Some(written) => {
                complete.push(written?);
                Ok(false)
            }
        }
    }
}

/// The outputs of a run.
pub struct Outputs<'a> {
    signatures: &'a [Signature],
    samples: &'a [Vec<u8>],
    tallies: Option<&'a Tallies>,
    /// The sample at work.
    sample: usize,
    totals: Totals,
    rows: Stream,
    counts: Stream,
    summary: Option<Summary>,
    table: Stream,
    matrix: Stream,
    stats: Stream,
    html: Stream,
    /// What the page shows along genomes; `None`: there is none.
    tracks: Option<Tracks<'a>>,
    /// What became of the fragments of each sample.
    passed: Vec<Passed>,
    reads: Files,
    /// Where rows wait that are too many for memory.
    pub folder: PathBuf,
}

impl<'a> Outputs<'a> {
    /// Opens what `request` asks for.
    ///
    /// # Errors
    /// Outputs that are inputs, or one place; those of the files.
    pub fn open(
        request: &'a Request,
        signatures: &'a [Signature],
        tallies: Option<&'a Tallies>,
        warnings: &mut Warnings,
    ) -> Result<Self> {
        let Request { inputs, counting, reads_out, format, view, shard, .. } = request;
        let groups = counting.groups.as_deref();
        let read: Vec<&Path> = inputs.paths().chain([request.signatures.as_path()]).chain(groups).collect();
        let mut places = Places::new(&read);
        let rows = format.map(|_| places.add("the main output", request.output.as_deref())).transpose()?;
        let mut place =
            |option, path: &Option<PathBuf>| path.as_deref().map(|path| places.add(option, Some(path))).transpose();
        let counts = place("--counts", &counting.counts)?;
        let table = place("--summary", &counting.summary)?;
        let matrix = place("--matrix", &counting.matrix)?;
        let stats = place("--stats", &counting.stats)?;
        let html = place("--html", &counting.html)?;
        let planned = reads_out.places(inputs, &mut places)?;
        let header = format.map(Format::header).unwrap_or_default();
        let view = if *format == Some(Format::Tsv) { view.of_shard(*shard) } else { View::default() };
        let rows = Stream::open(rows, &header, &view)?;
        let folder = rows.output.as_ref().map_or_else(std::env::temp_dir, Output::folder);
        let as_it_is = View::default();
        Ok(Self {
            signatures,
            samples: inputs.samples(),
            tallies,
            sample: 0,
            totals: Totals::default(),
            rows,
            counts: Stream::open(counts, HEADER.as_bytes(), &as_it_is)?,
            summary: counting.summary(signatures, warnings)?,
            table: Stream::open(table, b"", &View::of_file(counting.summary.as_deref()))?,
            matrix: Stream::open(matrix, b"", &as_it_is)?,
            stats: Stream::open(stats, b"", &as_it_is)?,
            tracks: html.is_some().then(|| Tracks::new(signatures)),
            html: Stream::open(html, b"", &as_it_is)?,
            passed: vec![Passed::default(); inputs.samples().len()],
            reads: Files::open(planned)?,
            folder,
        })
    }

    /// Writes what became of a batch.
    ///
    /// # Errors
    /// Those of the outputs; [`FileError::ClosedPipe`] when there is nobody left to write for.
    pub fn put(&mut self, searched: &mut Searched, wants_more: bool) -> Result<()> {
        while self.sample < searched.sample {
            self.next_sample()?;
        }
        self.totals += searched.totals;
        self.passed[searched.sample] += searched.passed;
        let rows = &mut self.rows;
        searched.text.each(|text| rows.put(text))?;
        self.reads.put(&searched.reads)?;
        if self.rows.closed && !wants_more { Err(FileError::ClosedPipe.into()) } else { Ok(()) }
    }

    fn next_sample(&mut self) -> Result<()> {
        self.finish_sample()?;
        self.sample += 1;
        self.reads.next_sample()
    }

    /// Writes what was counted of the sample at work.
    fn finish_sample(&mut self) -> Result<()> {
        let totals = std::mem::take(&mut self.totals);
        let Some(tallies) = self.tallies else { return Ok(()) };
        let (label, counts) = (self.samples[self.sample].clone(), tallies.finish(self.sample));
        let sample = Sample { label, totals, counts };
        if self.counts.output.is_some() {
            let mut text = Vec::new();
            sample.write(|k| self.signatures[k].name(), &mut text);
            self.counts.put(&text)?;
        }
        if let Some(summary) = &mut self.summary {
            summary.add(&sample);
            self.tracks.iter_mut().for_each(|tracks| tracks.add(summary, &sample));
        }
        Ok(())
    }

    /// Completes all outputs and puts them in their places.
    ///
    /// # Errors
    /// As [`Outputs::put`].
    pub fn finish(mut self, facts: Facts) -> Result<()> {
        while self.sample + 1 < self.samples.len() {
            self.next_sample()?;
        }
        self.finish_sample()?;
        if let Some(summary) = &self.summary {
            self.table.put(&summary.table())?;
            self.matrix.put(&summary.matrix())?;
            let facts = Facts { passed: std::mem::take(&mut self.passed), ..facts };
            if self.stats.output.is_some() {
                self.stats.put(&stats::text(summary, &facts))?;
            }
            if let Some(tracks) = &self.tracks {
                self.html.put(&page::text(summary, tracks, &facts))?;
            }
        }
        let (mut complete, mut is_closed) = self.reads.finish()?;
        for stream in [self.rows, self.counts, self.table, self.matrix, self.stats, self.html] {
            is_closed |= stream.complete(&mut complete)?;
        }
        Complete::rename_all(complete)?;
        if is_closed { Err(FileError::ClosedPipe.into()) } else { Ok(()) }
    }
}

impl Counting {
    /// Whether anything is counted.
    pub fn is_wanted(&self) -> bool {
        self.counts.is_some() || self.wants_summary()
    }

    fn wants_summary(&self) -> bool {
        self.summary.is_some() || self.matrix.is_some() || self.wants_facts()
    }

    /// An option whose file needs all sequences.
    pub(super) fn of_all(&self) -> Option<&'static str> {
        let Self { summary, matrix, html, stats, .. } = self;
        let files = [("--summary", summary), ("--matrix", matrix), ("--html", html), ("--stats", stats)];
        files.into_iter().find(|(_, file)| file.is_some()).map(|(option, _)| option)
    }

    /// Whether the run itself is told of.
    fn wants_facts(&self) -> bool {
        self.stats.is_some() || self.html.is_some()
    }

    /// The summary that is wanted, of no samples yet.
    ///
    /// # Errors
    /// Those of the table of groups.
    pub fn summary(&self, signatures: &[Signature], warnings: &mut Warnings) -> Result<Option<Summary>> {
        if !self.wants_summary() {
            return Ok(None);
        }
        let table = self.groups.as_deref().map(Table::read).transpose()?;
        let genomes = Genomes::of(signatures, table.as_ref());
        genomes.warn(warnings);
        Ok(Some(Summary::new(genomes, self.thresholds, self.control.clone())))
    }
}

impl Request {
    /// Whether rows are not all that is written.
    pub(super) fn wants_more(&self) -> bool {
        self.counting.is_wanted() || !self.reads_out.is_empty()
    }

    /// Whether it matters which fragments are matched.
    pub(super) fn asks_for_matched(&self) -> bool {
        self.counting.wants_facts() || !self.reads_out.is_empty()
    }
}
