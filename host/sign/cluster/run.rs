//! A whole run of `sign cluster`: from a file to a table of windows, and one of clusters.

use super::{Chosen, Clusters, Group, MOST, Method, choose, cluster, groups, link, table};
use crate::collection::{Collection, Present};
use crate::comparisons::Comparisons;
use crate::signing::SignOptions;
use crate::{Comparer, Points, open};
use std::path::PathBuf;
use warpseq_engine::error::Result;
use warpseq_engine::options::RunOptions;
use warpseq_io::console::Console;
use warpseq_io::output::beside;
use warpseq_io::table::View;

/// The most clusters that are shown on standard error.
const SHOWN_MAX: usize = 20;

/// What to do.
#[derive(Clone, Debug)]
pub struct Request {
    /// Signatures, or sequences to be signed; `-` is standard input.
    pub input: PathBuf,
    /// Which clusters are made.
    pub method: Method,
    /// Where the windows go; `None` or `-`: standard output.
    pub output: Option<PathBuf>,
    /// What is shown of the windows.
    pub view: View,
    /// Where the clusters go, if anywhere.
    pub summary: Option<PathBuf>,
    /// How sequences are signed, and the devices and memory of the run.
    pub signing: SignOptions,
}

/// Runs `sign cluster`.
///
/// # Errors
/// Those of the file, the GPU and the outputs; those of [`cluster`], [`choose`] and [`link`].
pub fn run(request: &Request) -> Result<()> {
    let Request { input, output, view, summary, signing, .. } = request;
    let mut outputs = beside::open(output.as_deref(), ("--summary", summary.as_deref()), &[input])?;
    outputs.0.show(view);
    outputs.1.iter_mut().for_each(|table| table.show(&View::of_file(summary.as_deref())));
    let collection = open::open(input, signing)?;
    let mut comparer = Comparisons::start(signing.run)?;
    let points = collection.points();
    let clusters = clusters(request, points.points(), &mut comparer)?;
    let groups = clusters.as_ref().map(|clusters| groups(points.points(), clusters)).unwrap_or_default();
    beside::write(
        outputs,
        |output| {
            let written = table::write_members(output, &collection, clusters.as_ref());
            written.map_err(|error| output.fault(error))?;
            collection.require_unchanged()
        },
        |summary| {
            let written = table::write_groups(summary, &collection, &points, &groups);
            written.map_err(|error| summary.fault(error))?;
            collection.require_unchanged()
        },
    )?;
    if let Some(clusters) = &clusters {
        tell(signing.run.console, clusters, &groups, (&collection, &points));
    }
    comparer.tell()?;
    Ok(())
}

/// `None`, and a warning, where there is nothing to cluster.
fn clusters(request: &Request, points: Points, comparer: &mut Comparer) -> Result<Option<Clusters>> {
    let RunOptions { console, host_memory, .. } = request.signing.run;
    if points.is_empty() {
        console.warn(format_args!("{}: there are no windows with a signature in it", request.input.display()));
        return Ok(None);
    }
    match request.method {
        Method::Means(recipe) => cluster(points, recipe, comparer).map(Some),
        Method::Linked { distance } => link(points, distance, host_memory / 2, comparer).map(Some),
        Method::Best { seed } => {
            let Chosen { clusters, k, silhouette } = choose(points, seed, comparer)?;
            if let Some(silhouette) = silhouette {
                console.note(format_args!("of 2 to {MOST} clusters, {k} have the largest silhouette, {silhouette:.3}"));
            }
            Ok(Some(clusters))
        }
    }
}

/// Sizes and distances of the clusters, for people.
fn tell(console: Console, clusters: &Clusters, groups: &[Group], (collection, points): (&Collection, &Present)) {
    let Clusters { of, rounds, settled, .. } = clusters;
    let rounds_told = if *rounds > 0 { format!(", {rounds} rounds") } else { String::new() };
    console.note(format_args!("{} windows in {} clusters{rounds_told}", of.len(), groups.len()));
    if !settled {
        console.warn(format_args!(
            "windows still moved in round {rounds}, the last one: try another --clusters or --seed"
        ));
    }
    console.note("cluster     size  mean distance  max  medoid");
    for (cluster, group) in groups.iter().enumerate().take(SHOWN_MAX) {
        let Group { size, max, medoid, .. } = group;
        let place = collection.place(points.window(*medoid));
        let name = String::from_utf8_lossy(&collection.names[place.sequence]);
        let (mean, residues) = (format!("{:.3}", group.mean()), place.residues);
        console
            .note(format_args!("{cluster:7} {size:8} {mean:>14} {max:4}  {name} {}-{}", residues.start, residues.end));
    }
    if groups.len() > SHOWN_MAX {
        console.note(format_args!("and {} more: --summary FILE writes them all", groups.len() - SHOWN_MAX));
    }
}
