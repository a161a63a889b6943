//! Tables: what their columns are called and hold, and how they are shown.
//!
//! Every table is written as lines of fields with tabs between them, the first of which names the columns. A [`View`] shows fewer
//! columns, or others first, or no header, or each row as an object of JSON. It is applied where the lines are on their way into a file, so
//! that who writes them knows nothing of it; and where a table is shown as it is, nothing is looked at.
//!
//! In JSON, a column of numbers has numbers, and null where the table has `NA`, `*` or `.`; other columns have strings, as
//! [`crate::json`] says, and a CIGAR that is `*` is null.

use crate::json::write_name;
use crate::shard::Shard;
use memchr::memchr;
use std::path::Path;

/// Columns that hold names and words.
const WORDS: &[&str] = &[
    "alphabet",
    "call",
    "canonical",
    "checksum",
    "cigar",
    "compute_capability",
    "cuda",
    "device",
    "difference",
    "file",
    "genome",
    "group",
    "hash",
    "medoid",
    "name",
    "options",
    "pair",
    "query",
    "read",
    "sample",
    "sequence",
    "signature",
    "state",
    "strand",
    "target",
    "usable",
    "window",
    "works",
];

/// Columns that hold numbers.
const NUMBERS: &[&str] = &[
    "ani",
    "bits",
    "breadth",
    "bytes",
    "cluster",
    "columns",
    "complexity",
    "containment",
    "cosine",
    "density",
    "distance",
    "empty",
    "end",
    "evalue",
    "evenness",
    "excluded",
    "forward_mismatches",
    "found",
    "fragments",
    "gc",
    "identity",
    "informative",
    "integrity_hash",
    "k",
    "kept",
    "length",
    "letters",
    "longest",
    "matches",
    "mate",
    "max_distance",
    "mean_distance",
    "mean_mismatches",
    "mean_phred",
    "median_depth",
    "medoid_end",
    "medoid_start",
    "memory",
    "mismatches",
    "pairs",
    "probe_mismatches",
    "query_end",
    "query_length",
    "query_start",
    "repeated",
    "reverse_mismatches",
    "score",
    "sequences",
    "shared",
    "shortest",
    "signatures",
    "size",
    "start",
    "target_end",
    "target_length",
    "target_start",
    "thinned",
    "threads",
    "version",
    "wild",
    "windows",
    "windows_without_words",
    "x",
    "y",
];

/// Whether a line names columns of a table.
pub fn is_header(line: &[u8]) -> bool {
    let is_name = |field: &[u8]| WORDS.iter().chain(NUMBERS).any(|name| name.as_bytes() == field);
    line.split(|&byte| byte == b'\t').all(is_name)
}

/// How a table is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The columns, in their order; `None`: all.
    pub columns: Option<Vec<String>>,
    /// Whether the line with their names is left out.
    pub no_header: bool,
    /// Whether rows are objects of JSON. There is no header then.
    pub jsonl: bool,
}

impl View {
    /// How a table is shown in a file, as its name says: one that ends in `.jsonl`, maybe with `.gz` behind, has objects of JSON.
    pub fn of_file(path: Option<&Path>) -> Self {
        let name = path.and_then(Path::file_name).map(|name| name.to_string_lossy().to_ascii_lowercase());
        let name = name.unwrap_or_default();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        Self { jsonl: name.ends_with(".jsonl") || name.ends_with(".ndjson"), ..Self::default() }
    }

    /// How the table of a shard is shown, if it is one of a shard: the header is on the first one alone.
    pub fn of_shard(&self, shard: Option<Shard>) -> Self {
        Self { no_header: self.no_header || !shard.is_none_or(Shard::is_first), ..self.clone() }
    }
}

/// Columns that a table does not have, or one that is wanted twice: why, and what there is.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unknown(String);

/// Shows the lines of a table.
pub(crate) struct Shown {
    view: View,
    /// Once the header has come: the columns that are shown, by number, and their names.
    columns: Option<Vec<(usize, String)>>,
    /// A line that has not ended.
    line: Vec<u8>,
    shown: Vec<u8>,
}

impl Shown {
    pub(crate) fn new(view: &View) -> Self {
        Self { view: view.clone(), columns: None, line: Vec::new(), shown: Vec::new() }
    }

    /// Whether rows are shown as they are from now on.
    pub(crate) fn is_over(&self) -> bool {
        self.view.columns.is_none() && !self.view.jsonl && self.columns.is_some() && self.line.is_empty()
    }

    /// What is shown for the next bytes.
    pub(crate) fn take(&mut self, mut bytes: &[u8]) -> Result<&[u8], Unknown> {
        self.shown.clear();
        while let Some(end) = memchr(b'\n', bytes) {
            let (line, rest) = (&bytes[..end], &bytes[end + 1..]);
            if self.is_over() {
                self.shown.extend_from_slice(bytes);
                return Ok(&self.shown);
            }
            if self.line.is_empty() {
                self.show(line)?;
            } else {
                let mut whole = std::mem::take(&mut self.line);
                whole.extend_from_slice(line);
                self.show(&whole)?;
            }
            bytes = rest;
        }
        if self.is_over() {
            self.shown.extend_from_slice(bytes);
        } else {
            self.line.extend_from_slice(bytes);
        }
        Ok(&self.shown)
    }

    /// Shows a line, without its end.
    fn show(&mut self, line: &[u8]) -> Result<(), Unknown> {
        let fields: Vec<&[u8]> = line.split(|&byte| byte == b'\t').collect();
        let Some(columns) = &self.columns else { return self.begin(&fields) };
        let out = &mut self.shown;
        for (k, (at, name)) in columns.iter().enumerate() {
            let field = fields.get(*at).copied().unwrap_or_default();
            match (self.view.jsonl, k) {
                (true, 0) => out.push(b'{'),
                (true, _) => out.push(b','),
                (false, 0) => {}
                (false, _) => out.push(b'\t'),
            }
            if self.view.jsonl { object(out, name, field) } else { out.extend_from_slice(field) }
        }
        out.extend_from_slice(if self.view.jsonl { b"}\n" } else { b"\n" });
        Ok(())
    }

    /// Learns what columns there are.
    fn begin(&mut self, fields: &[&[u8]]) -> Result<(), Unknown> {
        let there: Vec<String> = fields.iter().map(|field| String::from_utf8_lossy(field).into_owned()).collect();
        let names = self.view.columns.clone().unwrap_or_else(|| there.clone());
        let mut columns: Vec<(usize, String)> = Vec::new();
        for name in names {
            let Some(at) = there.iter().position(|column| column.eq_ignore_ascii_case(&name)) else {
                return Err(Unknown(format!("there is no column {name:?}: the table has {}", there.join(", "))));
            };
            if columns.iter().any(|(other, _)| *other == at) {
                return Err(Unknown(format!("the column {name} is wanted twice in --columns: name it once")));
            }
            columns.push((at, there[at].clone()));
        }
        if !self.view.no_header && !self.view.jsonl {
            let names: Vec<&str> = columns.iter().map(|(_, name)| name.as_str()).collect();
            self.shown.extend_from_slice(names.join("\t").as_bytes());
            self.shown.push(b'\n');
        }
        self.columns = Some(columns);
        Ok(())
    }
}

/// Appends a key and its value.
fn object(out: &mut Vec<u8>, name: &str, field: &[u8]) {
    let missing = matches!(field, b"NA" | b"*" | b".");
    let is_number = NUMBERS.contains(&name);
    write_name(&mut *out, name.as_bytes()).expect("writing to memory does not fail");
    out.push(b':');
    match field {
        _ if missing && (is_number || name == "cigar" && field == b"*") => out.extend_from_slice(b"null"),
        _ if is_number && is_json_number(field) => out.extend_from_slice(field),
        _ => write_name(out, field).expect("writing to memory does not fail"),
    }
}

/// Whether JSON has this as a number.
fn is_json_number(field: &[u8]) -> bool {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let unsigned = field.strip_prefix(b"-").unwrap_or(field);
    let whole = digits(unsigned);
    let mut rest = &unsigned[whole..];
    let mut is_number = whole == 1 || whole > 1 && unsigned[0] != b'0';
    if let [b'.', decimals @ ..] = rest {
        is_number &= digits(decimals) > 0;
        rest = &decimals[digits(decimals)..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = exponent.strip_prefix(b"-").or(exponent.strip_prefix(b"+")).unwrap_or(exponent);
        is_number &= digits(exponent) > 0;
        rest = &exponent[digits(exponent)..];
    }
    is_number && rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "sequence\tmate\tscore\tcigar\nNA\t.\t-1.50\t*\na\\\t1\tNA\t3=\n";

    /// What is shown, whatever the pieces in which the table comes.
    fn shown(view: &View) -> Result<String, String> {
        let whole = in_pieces(view, TABLE.len());
        for bytes in 1..TABLE.len() {
            assert_eq!(in_pieces(view, bytes), whole, "by {bytes}");
        }
        whole
    }

    fn in_pieces(view: &View, bytes: usize) -> Result<String, String> {
        let (mut shown, mut all) = (Shown::new(view), Vec::new());
        for piece in TABLE.as_bytes().chunks(bytes) {
            all.extend_from_slice(shown.take(piece).map_err(|unknown| unknown.to_string())?);
        }
        Ok(String::from_utf8(all).unwrap())
    }

    fn columns(names: &str) -> Option<Vec<String>> {
        Some(names.split(',').map(str::to_owned).collect())
    }

    #[test]
    fn columns_come_in_the_order_given() {
        let view = View { columns: columns("score,SEQUENCE"), ..View::default() };
        assert_eq!(shown(&view).unwrap(), "score\tsequence\n-1.50\tNA\nNA\ta\\\n");
        assert_eq!(shown(&View::default()).unwrap(), TABLE);
        let view = View { no_header: true, ..View::default() };
        assert_eq!(shown(&view).unwrap(), TABLE.split_once('\n').unwrap().1);
        for (names, words) in [
            ("score,end", "there is no column \"end\": the table has sequence, mate, score, cigar"),
            ("score,mate,Score", "the column Score is wanted twice"),
        ] {
            let told = shown(&View { columns: columns(names), ..View::default() }).unwrap_err();
            assert!(told.contains(words), "{told}");
        }
    }

    #[test]
    fn rows_are_objects() {
        let view = View { jsonl: true, ..View::default() };
        let expected = r#"{"sequence":"NA","mate":null,"score":-1.50,"cigar":null}
{"sequence":"a\\","mate":1,"score":null,"cigar":"3="}
"#;
        assert_eq!(shown(&view).unwrap(), expected);
        let view = View { jsonl: true, columns: columns("mate"), ..View::default() };
        assert_eq!(shown(&view).unwrap(), "{\"mate\":null}\n{\"mate\":1}\n");
    }

    #[test]
    fn what_json_has_as_numbers_is_told() {
        for number in ["0", "-0.5", "12", "1e5", "1.20e-180", "0.000"] {
            assert!(is_json_number(number.as_bytes()), "{number}");
            assert!(serde_json::from_str::<f64>(number).is_ok(), "{number}");
        }
        for other in ["", "-", "01", "1.", ".5", "inf", "NaN", "1e", "1 ", "0x1", "+1"] {
            assert!(!is_json_number(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn headers_are_told_from_rows() {
        for (line, expected) in [
            (&b"sample\tsequence\tmate"[..], true),
            (b"sample", true),
            (b"sample\tr1", false),
            (b"sample\t\t1", false),
            (b"", false),
        ] {
            assert_eq!(is_header(line), expected);
        }
    }
}
