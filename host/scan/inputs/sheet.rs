//! Sample sheets: tables of samples and the files of their sequences.
//!
//! ```text
//! sample  r1               r2                 tab-separated, or with commas and the quotes of CSV: as the header is
//! p12     p12_R1.fq.gz     p12_R2.fq.gz       a pair; without r2, or where it is empty, one file
//! ```
//!
//! Columns may stand in any order; `fastq_1` and `fastq_2`, as nf-core calls them, are `r1` and `r2`, and others are not looked
//! at. A path that is relative is relative to the folder of the sheet. Empty lines are passed over.

use super::Reads;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use warpseq_io::error::{FileError, Result};
use warpseq_io::lines::{Fault, Lines};
use warpseq_io::text::Text;

/// Bytes read at a time.
const BLOCK: usize = 1 << 16;

const EXPECTED: &str = "expected a header with the columns sample, r1 and, for pairs, r2 (or fastq_1 and fastq_2)";

/// A row of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What the sample is called.
    pub label: Vec<u8>,
    /// Where its sequences are.
    pub reads: Reads,
    /// Of the sheet, from 1.
    pub line: u64,
}

/// Reads a sheet, plain or compressed; `-` is standard input. Where there is one file, it may be `interleaved`.
///
/// # Errors
/// [`FileError::File`]; [`FileError::Input`] for a header or row that is not as the module says; [`FileError::Unusable`] for a
/// sheet without rows.
pub fn read(path: &Path, interleaved: bool) -> Result<Vec<Row>> {
    let text = Text::open(path, BLOCK, 1)?;
    let label = text.label().to_path_buf();
    let folder = path.parent().unwrap_or(Path::new(""));
    let rows = parse(text.serial(), folder, interleaved)
        .map_err(|fault| fault.of_file(label.clone(), |line| line.saturating_sub(1)))?;
    let none = || FileError::Unusable { path: label, message: "there are no samples in it".into() };
    if rows.is_empty() { Err(none()) } else { Ok(rows) }
}

fn parse(source: impl BufRead, folder: &Path, interleaved: bool) -> std::result::Result<Vec<Row>, Fault> {
    let mut lines = Lines::new(source);
    let columns = loop {
        if !lines.read()? {
            return Err(lines.fault(EXPECTED.into()));
        }
        if !lines.line().is_empty() {
            break Columns::of(lines.line()).map_err(|message| lines.fault(message))?;
        }
    };
    let mut rows = Vec::new();
    while lines.read()? {
        if !lines.line().is_empty() {
            let row = columns.row(lines.line(), folder, interleaved);
            let (label, reads) = row.map_err(|message| lines.fault(message))?;
            rows.push(Row { label, reads, line: lines.number() });
        }
    }
    Ok(rows)
}

/// Where the fields of a row are.
struct Columns {
    separator: u8,
    count: usize,
    sample: usize,
    first: usize,
    second: Option<usize>,
}

impl Columns {
    fn of(header: &[u8]) -> std::result::Result<Self, String> {
        let header = header.strip_prefix(b"\xef\xbb\xbf").unwrap_or(header);
        let separator = if header.contains(&b'\t') { b'\t' } else { b',' };
        let names = fields(header, separator)?;
        let shown = || String::from_utf8_lossy(header).into_owned();
        let find = |wanted: &[&str]| {
            let mut found = (0..names.len()).filter(|&at| wanted.iter().any(|name| names[at] == name.as_bytes()));
            match (found.next(), found.next()) {
                (_, Some(_)) => Err(format!("the column {} is there twice: {EXPECTED}", wanted[0])),
                (found, None) => Ok(found),
            }
        };
        let (sample, first, second) = (find(&["sample"])?, find(&["r1", "fastq_1"])?, find(&["r2", "fastq_2"])?);
        let (Some(sample), Some(first)) = (sample, first) else { return Err(format!("{EXPECTED}, found {}", shown())) };
        Ok(Self { separator, count: names.len(), sample, first, second })
    }

    fn row(&self, line: &[u8], folder: &Path, interleaved: bool) -> std::result::Result<(Vec<u8>, Reads), String> {
        let fields = fields(line, self.separator)?;
        // A last field that is empty may be missing, with its separator.
        if fields.len() > self.count || fields.len() + 1 < self.count {
            return Err(format!("expected {} fields, as the header has, found {}", self.count, fields.len()));
        }
        let field = |at: usize| fields.get(at).filter(|field| !field.is_empty());
        let label = field(self.sample).ok_or("the row has no sample: expected a label")?;
        if label.contains(&b'\t') {
            return Err("a tab in the label of the sample, which no table could hold: expected a word".into());
        }
        let path = |field: &Vec<u8>| path(folder, field);
        let first = field(self.first).ok_or("the row has no file: expected a path in the column of r1")?;
        let reads = match self.second.and_then(field) {
            Some(second) => Reads::Pair(path(first)?, path(second)?),
            None if interleaved => Reads::Interleaved(path(first)?),
            None => Reads::Single(path(first)?),
        };
        Ok((label.clone(), reads))
    }
}

fn path(folder: &Path, field: &[u8]) -> std::result::Result<PathBuf, String> {
    let path = str::from_utf8(field).map_err(|_| "a path that is no UTF-8: rename the file".to_owned())?;
    Ok(if path == "-" { path.into() } else { folder.join(path) })
}

/// The fields of a line. With commas, a field may stand in quotes, in which a quote is doubled.
fn fields(line: &[u8], separator: u8) -> std::result::Result<Vec<Vec<u8>>, String> {
    if separator == b'\t' {
        return Ok(line.split(|&byte| byte == b'\t').map(<[u8]>::to_vec).collect());
    }
    let (mut all, mut rest) = (Vec::new(), line);
    loop {
        let (field, behind) = match rest.strip_prefix(b"\"") {
            Some(quoted) => unquoted(quoted)?,
            None => {
                let end = rest.iter().position(|byte| *byte == separator).unwrap_or(rest.len());
                (rest[..end].to_vec(), &rest[end..])
            }
        };
        all.push(field);
        match behind.split_first() {
            None => return Ok(all),
            Some((&next, behind)) if next == separator => rest = behind,
            Some(_) => return Err("expected a comma behind a quoted field".into()),
        }
    }
}

/// The field that ends with the first single quote, and what is behind that.
fn unquoted(mut rest: &[u8]) -> std::result::Result<(Vec<u8>, &[u8]), String> {
    let mut field = Vec::new();
    loop {
        let end = rest.iter().position(|&byte| byte == b'"').ok_or("a quoted field without its last quote")?;
        field.extend_from_slice(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix(b"\"") {
            Some(more) => {
                field.push(b'"');
                rest = more;
            }
            None => return Ok((field, rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> std::result::Result<Vec<Row>, (u64, String)> {
        parse(text.as_bytes(), Path::new("lab"), false).map_err(|fault| match fault {
            Fault::Line(line, message) => (line, message),
            Fault::Unreadable(error) => panic!("{error}"),
        })
    }

    fn pair(label: &str, line: u64, first: &str, second: &str) -> Row {
        Row { label: label.into(), reads: Reads::Pair(first.into(), second.into()), line }
    }

    fn single(label: &str, line: u64, path: &str) -> Row {
        Row { label: label.into(), reads: Reads::Single(path.into()), line }
    }

    #[test]
    fn sheets_of_all_kinds() {
        let expected = vec![pair("a", 2, "lab/x_1.fq", "lab/x_2.fq"), single("b", 3, "/abs/y.fq")];
        for text in [
            "sample\tr1\tr2\na\tx_1.fq\tx_2.fq\nb\t/abs/y.fq\t\n",
            "sample\tr1\tr2\r\na\tx_1.fq\tx_2.fq\r\nb\t/abs/y.fq",
            "sample,fastq_1,fastq_2\na,x_1.fq,x_2.fq\nb,/abs/y.fq,\n\n",
            "\u{feff}\"sample\",r1,\"r2\"\n\"a\",\"x_1.fq\",x_2.fq\nb,/abs/y.fq,\"\"\n",
            "strandedness,r2,sample,fastq_1\nauto,x_2.fq,a,x_1.fq\nauto,,b,/abs/y.fq\n",
        ] {
            assert_eq!(rows(text).unwrap(), expected, "{text}");
        }
        assert_eq!(rows("sample,r1\n\"a, \"\"b\"\"\",-\n").unwrap(), [single("a, \"b\"", 2, "-")]);
        let interleaved = parse(&b"sample,r1\na,x\n"[..], Path::new(""), true).unwrap();
        assert_eq!(interleaved[0].reads, Reads::Interleaved("x".into()));
    }

    #[test]
    fn other_sheets_are_refused_with_the_line() {
        for (text, line, words) in [
            ("", 1, "expected a header"),
            ("sample\tfile\na\tx\n", 1, "found sample\tfile"),
            ("a\tx_1.fq\tx_2.fq\n", 1, "expected a header"),
            ("sample,r1,fastq_1\n", 1, "the column r1 is there twice"),
            ("sample,r1\na,x\n\nb\n,y\n", 4, "no file"),
            ("sample,r1\na,x,y\n", 2, "expected 2 fields"),
            ("sample,r1,r2,run\na,x\n", 2, "expected 4 fields"),
            ("sample,r1\n,y\n", 2, "no sample"),
            ("sample,r1\na\tb,y\n", 2, "a tab in the label"),
            ("sample,r1\n\"a,y\n", 2, "without its last quote"),
            ("sample,r1\n\"a\"b,y\n", 2, "expected a comma"),
        ] {
            let (found, message) = rows(text).unwrap_err();
            assert!(found == line && message.contains(words), "{text}: {found}: {message}");
        }
    }
}
