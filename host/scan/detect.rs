//! `detect`: from references and reads to a folder with all that tells which references are in which samples.
//!
//! ```text
//! references -> probes: unique windows ----------> probes.fa, probes.tsv
//! reads      -> scan for them, with mismatches --> counts.tsv, summary.tsv, report.html, stats_mqc.json, matched/
//! ```
//!
//! Both are the runs that `warpseq probes` and `warpseq scan` make, with the same bytes. The files are written in a folder beside, or
//! in, the one that is asked for, and go there when all are complete. So an error leaves nothing.

use crate::input;
use crate::inputs::Inputs;
use crate::probes::{self, groups::Grouping};
use crate::run::reads::{Names, ReadsOut};
use crate::run::{self, Counting};
use crate::summary::Summary as Calls;
use crate::{Algorithm, Mismatches, Options};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Instant;
use warpseq_engine::error::Result;
use warpseq_engine::options::RunOptions;
use warpseq_io::error::FileError;
use warpseq_io::output::Scratch;
use warpseq_io::table::View;

/// What to look for, in what.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// FASTA of the references; `-` is standard input.
    pub references: PathBuf,
    /// Which references are called together.
    pub grouping: Grouping,
    /// FASTA or FASTQ in which no probe occurs.
    pub excluded: Vec<PathBuf>,
    /// The samples.
    pub inputs: Inputs,
    /// How many positions of a match may be mismatches. A probe occurs in no other group with twice as many.
    pub max_mismatch: Mismatches,
    /// When a group is called, and with what; files are nothing here.
    pub counting: Counting,
    /// Where the files go.
    pub folder: PathBuf,
    /// Whether files that are there are replaced.
    pub force: bool,
    /// What cutting probes computes on. The scan follows.
    pub probing: RunOptions,
    /// What the scan computes on.
    pub scanning: RunOptions,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// How the probes were cut.
    pub probes: probes::run::Summary,
    /// How the reads were searched.
    pub scan: run::Summary,
    /// Seconds from the call of [`run()`] to its return.
    pub seconds: f64,
}

/// Runs `detect`.
///
/// # Errors
/// Those of [`probes::run::run`] and [`run::run`]; a folder that has something in it, unless [`Request::force`]; references of which
/// no probe is left.
pub fn run(request: &Request) -> Result<Summary> {
    let start = Instant::now();
    let Request { inputs, counting, .. } = request;
    inputs.require_files()?;
    Calls::require_control(counting.control.as_deref(), inputs.samples().iter().map(Vec::as_slice))?;
    let folder = Folder::new(&request.folder, request.force)?;
    let probes = probes::run::run(&request.cutting(folder.path()))?;
    if probes.probes == 0 {
        let message = "no probe is left of any reference: are related references in one group (--groups FILE)? `warpseq probes \
                       --table FILE` says what drops windows";
        return Err(FileError::Unusable { path: request.references.clone(), message: message.into() }.into());
    }
    let scan = run::run(&request.scanning(folder.path(), &probes.without))?;
    folder.fill()?;
    Ok(Summary { probes, scan, seconds: start.elapsed().as_secs_f64() })
}

impl Request {
    /// How probes are cut, in a folder.
    fn cutting(&self, folder: &Path) -> probes::run::Request {
        let options = probes::Options { unique: true, ..Default::default() };
        let length = u32::try_from(options.length).expect("it is a small number");
        probes::run::Request {
            references: self.references.clone(),
            grouping: self.grouping.clone(),
            options: probes::Options { max_mismatch: 2 * self.max_mismatch.of(length), ..options },
            excluded: self.excluded.clone(),
            output: Some(folder.join("probes.fa")),
            table: Some(folder.join("probes.tsv")),
            run: self.probing,
        }
    }

    /// How reads are searched for the probes in a folder, of which some groups are `without`.
    fn scanning(&self, folder: &Path, without: &[Vec<u8>]) -> run::Request {
        let file = |name: &str| Some(folder.join(name));
        let mates = if self.inputs.have_pairs() { "_R#" } else { "" };
        let suffix = if self.inputs.paths().all(is_fasta) { "fasta" } else { "fastq" };
        let matched = folder.join(format!("{MATCHED}/{{sample}}{mates}.{suffix}.gz"));
        let mut counting = self.counting.clone();
        if !without.is_empty() {
            let names: Vec<_> = without.iter().map(|name| String::from_utf8_lossy(name)).collect();
            counting
                .warned
                .push(format!("no probe is left of these groups, so they cannot be found: {}", names.join(", ")));
        }
        run::Request {
            inputs: self.inputs.clone(),
            shard: None,
            signatures: folder.join("probes.fa"),
            output: None,
            options: Options { max_mismatch: self.max_mismatch, ..Options::default() },
            format: None,
            view: View::default(),
            counting: Counting {
                counts: file("counts.tsv"),
                summary: file("summary.tsv"),
                html: file("report.html"),
                stats: file("stats_mqc.json"),
                ..counting
            },
            reads_out: ReadsOut { matched: Some(Names { first: matched, second: None }), unmatched: None },
            algorithm: Algorithm::Auto,
            run: self.scanning,
        }
    }
}

/// Whether the name of a file is one of FASTA.
fn is_fasta(path: &Path) -> bool {
    let stem = if input::is_compressed(path) { path.with_extension("") } else { path.into() };
    input::ends_in(&stem, &["fa", "fasta", "fna", "fas"])
}

/// The folder of matched reads.
const MATCHED: &str = "matched";

/// A folder whose files are not yet in their place.
struct Folder<'p> {
    place: &'p Path,
    scratch: Scratch,
}

impl<'p> Folder<'p> {
    /// # Errors
    /// A place that is no folder, and, unless `force`, one with something in it.
    fn new(place: &'p Path, force: bool) -> Result<Self> {
        let is_there = match fs::read_dir(place).map(|mut entries| entries.next().is_some()) {
            Ok(true) if !force => {
                let message = "the folder is not empty: name another, or add --force to replace files of earlier runs";
                return Err(FileError::Unusable { path: place.into(), message: message.into() }.into());
            }
            Ok(_) => true,
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(fault(place, "write to the folder")(error).into()),
        };
        let above = place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let parent = if is_there { place } else { above };
        let scratch = Scratch::new(parent, ".warpseq.").map_err(fault(place, "make the folder"))?;
        fs::create_dir(scratch.path().join(MATCHED)).map_err(fault(place, "write to the folder"))?;
        Ok(Self { place, scratch })
    }

    fn path(&self) -> &Path {
        self.scratch.path()
    }

    /// Moves the files to their place.
    fn fill(self) -> Result<()> {
        fs::create_dir_all(self.place.join(MATCHED)).map_err(fault(self.place, "make the folder"))?;
        for part in [MATCHED, "."] {
            let entries = fs::read_dir(self.path().join(part)).map_err(fault(self.path(), "read"))?;
            for entry in entries {
                let from = entry.map_err(fault(self.path(), "read"))?.path();
                if from.is_file() {
                    let to = self.place.join(part).join(from.file_name().expect("an entry has a name"));
                    fs::rename(&from, &to).map_err(fault(&to, "write"))?;
                }
            }
        }
        Ok(())
    }
}

fn fault(path: &Path, action: &'static str) -> impl Fn(std::io::Error) -> FileError {
    move |source| FileError::File { path: path.to_path_buf(), action, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fasta_is_known_by_its_name() {
        for (name, is) in [
            ("a.fa", true),
            ("b.FASTA.gz", true),
            ("c/d.fna.zst", true),
            ("a.fastq.gz", false),
            ("fa", false),
            ("-", false),
        ] {
            assert_eq!(is_fasta(Path::new(name)), is, "{name}");
        }
    }
}
