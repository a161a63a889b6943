//! A whole run of `sign map`: from a file to a table and a picture.

use super::groups::{Field, Groups, Rule};
use super::picture::Picture;
use super::records::{Mapped, warn_of_missing};
use super::silhouette::{Silhouettes, silhouettes};
use super::{CLASSICAL_MAX, LANDMARKS, Map, map, table};
use crate::collection::Collection;
use crate::comparisons::Comparisons;
use crate::signing::SignOptions;
use crate::{Comparer, open};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use warpseq_engine::error::{Error, Result};
use warpseq_io::console::Console;
use warpseq_io::fastx::refuse_one_stream;
use warpseq_io::groups::Table;
use warpseq_io::output::{Output, beside};
use warpseq_io::table::View;

/// The most groups that are shown on standard error.
const SHOWN_MAX: usize = 20;

/// Where the groups of the records come from.
#[derive(Clone, Debug)]
pub enum Grouping {
    /// A file of names and groups.
    Table(PathBuf),
    /// A part of each name.
    Field(Field),
}

impl Grouping {
    fn rule(&self) -> Result<Rule> {
        match self {
            Self::Table(path) => Ok(Table::read(path).map(Rule::Table)?),
            Self::Field(field) => Ok(Rule::Field(*field)),
        }
    }

    /// The file that is read for it, if any.
    fn path(&self) -> Option<&Path> {
        match self {
            Self::Table(path) => Some(path),
            Self::Field(_) => None,
        }
    }
}

/// What to do.
#[derive(Clone, Debug)]
pub struct Request {
    /// Signatures, or sequences to be signed; `-` is standard input.
    pub input: PathBuf,
    /// How the sequences are grouped, if they are.
    pub grouping: Option<Grouping>,
    /// Seed that chooses the landmarks, if there are any.
    pub seed: u64,
    /// Where the table goes; `None` or `-`: standard output.
    pub output: Option<PathBuf>,
    /// What is shown of the table.
    pub view: View,
    /// Where the picture goes, if anywhere.
    pub picture: Option<PathBuf>,
    /// How sequences are signed, and the devices and memory of the run.
    pub signing: SignOptions,
}

/// Runs `sign map`.
///
/// # Errors
/// Those of the files, the GPU and the outputs; [`Error::Usage`] for a table in a file that is named as a picture.
pub fn run(request: &Request) -> Result<()> {
    let Request { input, grouping, output, view, picture, signing, .. } = request;
    refuse_picture_name(output.as_deref())?;
    let inputs: Vec<&Path> =
        [Some(&**input), grouping.as_ref().and_then(Grouping::path)].into_iter().flatten().collect();
    if let Some(table) = grouping.as_ref().and_then(Grouping::path) {
        refuse_one_stream(&[("sequences", &**input), ("--groups", table)])?;
    }
    let mut outputs = beside::open(output.as_deref(), ("--svg", picture.as_deref()), &inputs)?;
    outputs.0.show(view);
    let rule = grouping.as_ref().map(Grouping::rule).transpose()?;
    let collection = open::open(input, signing)?;
    let mut comparer = Comparisons::start(signing.run)?;

    let shown = Shown::new(request, rule.as_ref(), &collection, &mut comparer)?;
    collection.require_unchanged()?;
    let table = |output: &mut Output| shown.write_table(output).map_err(|error| output.fault(error));
    beside::write(outputs, table, |output| output.put(shown.picture(input).as_bytes()))?;
    shown.tell(signing.run.console);
    comparer.tell()?;
    Ok(())
}

fn refuse_picture_name(output: Option<&Path>) -> Result<()> {
    match output.filter(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"))) {
        Some(path) => {
            let path = path.display();
            Err(Error::Usage(format!("-o is for the table: write the picture with --svg {path}")))
        }
        None => Ok(()),
    }
}

/// What is shown of a collection.
struct Shown<'a> {
    names: Vec<&'a [u8]>,
    map: Map,
    groups: Option<Groups>,
    silhouettes: Option<Silhouettes>,
}

impl<'a> Shown<'a> {
    fn new(
        request: &Request,
        rule: Option<&Rule>,
        collection: &'a Collection,
        comparer: &mut Comparer,
    ) -> Result<Self> {
        let mut records = Mapped::new(collection, comparer, request.signing.run.host_memory / 2);
        let names = records.names();
        let console = request.signing.run.console;
        warn_of_missing(console, &request.input, (collection.len(), "on the map"), names.len());
        let groups = rule.map(|rule| rule.groups(&names));
        let map = map(&mut records, request.seed)?;
        let silhouettes = groups.as_ref().map(|groups| silhouettes(&mut records, groups)).transpose()?.flatten();
        Ok(Self { names, map, groups, silhouettes })
    }

    fn write_table(&self, out: &mut impl Write) -> io::Result<()> {
        table::write(out, &self.map, &self.names, self.groups.as_ref())
    }

    fn picture(&self, input: &Path) -> String {
        let count = self.names.len();
        let name = match input.file_name() {
            Some(name) if name != "-" => name.display(),
            _ => OsStr::new("standard input").display(),
        };
        let title = format!("{name}: {count} records");
        let method =
            if count > CLASSICAL_MAX { format!("MDS by {LANDMARKS} landmarks") } else { "classical MDS".into() };
        let share = 100.0 * self.map.share();
        let silhouette = self.silhouettes.as_ref().map(|of| format!("; silhouette of the groups {:.3}", of.mean));
        let subtitle =
            format!("{method}; the axes hold {share:.0} % of what the records span{}", silhouette.unwrap_or_default());
        let names: Vec<String> = self.names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        let groups = self.groups.as_ref();
        Picture { title: &title, subtitle: &subtitle, map: &self.map, names: &names, groups }.svg()
    }

    /// Prints how well the groups are separated.
    fn tell(&self, console: Console) {
        let Some(groups) = &self.groups else { return };
        let without = groups.of.iter().filter(|group| group.is_none()).count();
        if without > 0 {
            console.warn(format_args!("{without} of {} records are in no group", groups.of.len()));
        }
        let Some(Silhouettes { of_groups, mean }) = &self.silhouettes else {
            return console.note("no silhouette: it needs at least two groups");
        };
        let (grouped, sizes) = (groups.of.len() - without, groups.sizes());
        console.note(format_args!("silhouette {mean:.3} of {grouped} records in {} groups", sizes.len()));
        console.note(" records  silhouette  group");
        for group in groups.by_size().into_iter().take(SHOWN_MAX) {
            let name = String::from_utf8_lossy(&groups.names[group]);
            console.note(format_args!("{:8} {:11.3}  {name}", sizes[group], of_groups[group]));
        }
        if sizes.len() > SHOWN_MAX {
            console.note(format_args!("and {} smaller groups", sizes.len() - SHOWN_MAX));
        }
    }
}
