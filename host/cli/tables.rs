//! How results are written: the format, told by an option or by the name of a file, and the columns of tables.

use super::options::{Named, one_of};
use std::path::Path;
use warpseq::console::Console;
use warpseq::error::{Error, Result};
use warpseq::table::View;

/// What of a table is written.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct Tables {
    /// Columns of the table, such as name,score, in that order [default: all]
    ///
    /// For tsv and jsonl. A name that is no column says what there is.
    #[arg(long, value_name = "NAMES", value_parser = columns, hide_short_help = true)]
    columns: Option<Columns>,
    /// Leave out the line with the names of the columns
    #[arg(long, hide_short_help = true)]
    no_header: bool,
}

/// Names of columns.
#[derive(Clone, Debug)]
struct Columns(Vec<String>);

fn columns(text: &str) -> std::result::Result<Columns, String> {
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    match names.iter().any(String::is_empty) {
        true => Err("expected names of columns with commas between them".into()),
        false => Ok(Columns(names)),
    }
}

impl Tables {
    /// How a format that may be `tsv` or `jsonl` is written: which one, and the view of it. With columns, rows of `jsonl` are made of those of `tsv`.
    ///
    /// # Errors
    /// [`Error::Usage`] for columns of another format.
    pub fn of<F: PartialEq>(self, format: F, [tsv, jsonl]: [F; 2]) -> Result<(F, View)> {
        let Self { columns, no_header } = self;
        let columns = columns.map(|Columns(names)| names);
        if columns.is_none() {
            return Ok((format, View { no_header, ..View::default() }));
        }
        let view = View { columns, no_header, jsonl: format == jsonl };
        match format == tsv || view.jsonl {
            true => Ok((tsv, view)),
            false => Err(Error::Usage("--columns is for tables: write --format tsv or jsonl, or leave it out".into())),
        }
    }
}

/// How a table is written that is all there is.
#[derive(clap::Args)]
pub struct TableFormat {
    /// Output format [default: tsv]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(ROWS), help_heading = "Output")]
    format: Option<Rows>,
    #[command(flatten)]
    tables: Tables,
}

#[derive(Clone, Copy, PartialEq)]
enum Rows {
    Tsv,
    Jsonl,
}

const ROWS: &[Named<Rows>] = &[
    ("tsv", Rows::Tsv, "a table with a header line"),
    ("jsonl", Rows::Jsonl, "one JSON object per row"),
    ("json", Rows::Jsonl, ""),
    ("ndjson", Rows::Jsonl, ""),
];

impl TableFormat {
    /// How it is written to a file.
    pub fn view(self, output: Option<&Path>, console: Console) -> View {
        let format = chosen((self.format, Rows::Tsv), ROWS, output, console);
        let Tables { columns, no_header } = self.tables;
        View { columns: columns.map(|Columns(names)| names), no_header, jsonl: format == Rows::Jsonl }
    }
}

/// The format that an option tells, or else the name of the output; `given` is that of the option, and the default one. A name that says
/// something else than the option gives a warning.
pub fn chosen<F: Clone + PartialEq>(
    (given, default): (Option<F>, F),
    table: &[Named<F>],
    output: Option<&Path>,
    console: Console,
) -> F {
    let Some((suffix, told)) = output.and_then(told) else { return given.unwrap_or(default) };
    let named = table.iter().find(|(name, ..)| *name == told).map(|(_, format, _)| format.clone());
    let format = given.or_else(|| named.clone()).unwrap_or(default);
    let name = table.iter().find(|(_, other, _)| *other == format).map_or("", |(name, ..)| name);
    // Fields with tabs between them have a right to the name.
    if Some(&format) != named.as_ref() && !(told == "tsv" && name == "blast6") {
        let path = output.unwrap_or(Path::new("-")).display();
        console.warn(format_args!("{path} ends in .{suffix}, and what is written is {name}"));
    }
    format
}

/// What the name of an output tells: its suffix, but for `.gz`, and the format of that.
fn told(output: &Path) -> Option<(String, &'static str)> {
    let is_gz = output.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("gz"));
    let name = if is_gz { output.file_stem().map(Path::new)? } else { output };
    let suffix = name.extension()?.to_str()?.to_ascii_lowercase();
    let format = match suffix.as_str() {
        "tsv" => "tsv",
        "jsonl" | "ndjson" => "jsonl",
        "bed" => "bed",
        "sam" => "sam",
        "paf" => "paf",
        "fa" | "fasta" | "fna" => "fasta",
        _ => return None,
    };
    Some((suffix, format))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_formats() {
        for (name, expected) in [
            ("a/b.tsv", Some("tsv")),
            ("b.JSONL.gz", Some("jsonl")),
            ("b.bed.gz", Some("bed")),
            ("b.fa", Some("fasta")),
            ("b.sam", Some("sam")),
            ("b.gz", None),
            ("tsv", None),
            ("b.txt", None),
            ("b.tsv.bak", None),
        ] {
            assert_eq!(told(Path::new(name)).map(|(_, format)| format), expected, "{name}");
        }
    }

    #[test]
    fn an_option_wins_over_a_name() {
        let table: &[Named<u8>] = &[("tsv", 0, ""), ("bed", 1, ""), ("blast6", 2, "")];
        let of = |given, name: &str| chosen((given, 0), table, Some(Path::new(name)), Console::Quiet);
        assert_eq!([of(None, "x.bed"), of(None, "x.tsv"), of(None, "x.sam"), of(None, "x")], [1, 0, 0, 0]);
        assert_eq!([of(Some(1), "x.tsv"), of(Some(2), "x.tsv.gz")], [1, 2]);
        assert_eq!(chosen((None, 0), table, None, Console::Quiet), 0);
    }

    #[test]
    fn columns_have_names() {
        assert_eq!(columns("a, b").unwrap().0, ["a", "b"]);
        assert!(columns("a,,b").is_err() && columns("").is_err());
    }
}
