//! A run of `summary`: from counts to a table.

use super::Summary;
use super::genomes::Genomes;
use crate::counts::read::Counts;
use crate::facts::{Facts, Warnings};
use crate::input::named;
use crate::page::depth::Tracks;
use crate::run::Counting;
use crate::{page, stats};
use std::path::{Path, PathBuf};
use std::time::Instant;
use warpseq_engine::error::Result;
use warpseq_io::console::Console;
use warpseq_io::fastx::refuse_one_stream;
use warpseq_io::groups::Table;
use warpseq_io::output::Output;
use warpseq_io::output::places::{Place, Places};
use warpseq_io::table::View;

/// What to sum up.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Counts; `-` is standard input.
    pub counts: Vec<PathBuf>,
    /// The signatures that were counted: FASTA; `-` is standard input.
    pub signatures: PathBuf,
    /// Where the table goes. `None` or `-`: standard output.
    pub output: Option<PathBuf>,
    /// What is shown of the table.
    pub view: View,
    /// The matrix, groups, thresholds, control, figures of the run and page; the rest is nothing here.
    pub counting: Counting,
    /// Where warnings go.
    pub console: Console,
}

/// Runs `summary`.
///
/// # Errors
/// Those of the files; [`FileError::Usage`](warpseq_io::error::FileError::Usage) for two inputs that are one stream, and for a
/// control that is none of the samples.
pub fn run(Request { counts, signatures, output, view, counting, console }: &Request) -> Result<()> {
    let start = Instant::now();
    let Counting { matrix, stats, html, groups, thresholds, control, command, .. } = counting;
    let roles = counts.iter().map(|path| ("counts", path.as_path()));
    refuse_one_stream(&roles.chain([("signatures", signatures.as_path())]).collect::<Vec<_>>())?;
    let inputs = counts.iter().chain([signatures]).chain(groups);
    let inputs: Vec<&Path> = inputs.map(PathBuf::as_path).collect();
    let mut places = Places::new(&inputs);
    let table = places.add("the main output", output.as_deref())?;
    let mut place =
        |option, path: &Option<PathBuf>| path.as_deref().map(|path| places.add(option, Some(path))).transpose();
    let matrix = place("--matrix", matrix)?;
    let stats = place("--stats", stats)?;
    let html = place("--html", html)?;

    let signatures = named(signatures)?;
    let mut sums = Counts::new(&signatures);
    counts.iter().try_for_each(|path| sums.add(path))?;
    let samples = sums.into_samples();
    Summary::require_control(control.as_deref(), samples.iter().map(|sample| &sample.label[..]))?;
    let groups = groups.as_deref().map(Table::read).transpose()?;
    let genomes = Genomes::of(&signatures, groups.as_ref());
    let mut warnings = Warnings::new(*console, Vec::new());
    genomes.warn(&mut warnings);
    let mut summary = Summary::new(genomes, *thresholds, control.clone());
    let mut tracks = html.is_some().then(|| Tracks::new(&signatures));
    for sample in &samples {
        summary.add(sample);
        tracks.iter_mut().for_each(|tracks| tracks.add(&summary, sample));
    }

    let mut outputs = vec![table.open()?];
    outputs[0].show(view);
    outputs[0].put(&summary.table())?;
    let facts = Facts::new(command, start, warnings);
    let mut put = |place: Option<Place>, text: &dyn Fn() -> Vec<u8>| -> Result<()> {
        let Some(place) = place else { return Ok(()) };
        let mut output = place.open()?;
        output.put(&text())?;
        outputs.push(output);
        Ok(())
    };
    put(matrix, &|| summary.matrix())?;
    put(stats, &|| stats::text(&summary, &facts))?;
    if let Some(tracks) = &tracks {
        put(html, &|| page::text(&summary, tracks, &facts))?;
    }
    Ok(Output::finish_all(outputs)?)
}
