//! A run of `merge`: the outputs of shards, put together.
//!
//! ```text
//! counts    added up
//! tables    one file behind the other, with one header: the first file's
//! ```
//!
//! A header is a line of names of columns, or in SAM the lines that begin with `@`. Outputs of different columns are refused. Those
//! without a header are told by the fields of their first rows, and jsonl by its keys.

use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};
use warpseq_engine::error::{FileError, Result};
use warpseq_io::error::Result as FileResult;
use warpseq_io::fastx::refuse_one_stream;
use warpseq_io::output::Output;
use warpseq_io::table::is_header;
use warpseq_io::text::{Serial, Text, unreadable};
use warpseq_scan::counts::read::Counts;
use warpseq_scan::counts::{self, Sample};
use warpseq_scan::input::named;

/// Bytes read at a time.
const BLOCK: usize = 1 << 20;

/// What a statement before a table begins with.
const COMMENT: &[u8] = b"# warpseq ";

/// What to put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Outputs, at least one, in the order of the shards; `-` is standard input.
    pub inputs: Vec<PathBuf>,
    /// The signatures that were counted, in whose order counts are written; `None`: as they come.
    pub signatures: Option<PathBuf>,
    /// `None` or `-`: standard output.
    pub output: Option<PathBuf>,
}

/// Runs `merge`.
///
/// # Errors
/// Those of the files; outputs that do not go together.
pub fn run(Request { inputs, signatures, output }: &Request) -> Result<()> {
    let roles: Vec<String> = (1..=inputs.len()).map(|number| format!("input {number}")).collect();
    let roles = roles.iter().map(String::as_str).zip(inputs.iter().map(PathBuf::as_path));
    refuse_one_stream(&roles.chain(signatures.iter().map(|path| ("signatures", path.as_path()))).collect::<Vec<_>>())?;
    let read: Vec<&Path> = inputs.iter().chain(signatures).map(PathBuf::as_path).collect();
    let mut output = Output::create(output.as_deref(), &read)?;
    let mut parts = inputs.iter().map(|path| Part::open(path)).collect::<FileResult<Vec<_>>>()?;
    match parts.iter().find(|part| part.is_counts()) {
        None if signatures.is_some() => {
            return Err(FileError::Usage("-s names the signatures of counts, and there are no counts".into()).into());
        }
        None => join(&mut parts, &mut output)?,
        Some(counts) => {
            if let Some(other) = parts.iter().find(|part| !part.is_counts()) {
                return Err(differ(other, counts, "one is a table and the other counts").into());
            }
            let signatures = signatures.as_deref().map(named).transpose()?;
            let mut sums = signatures.map_or_else(Counts::of_any, |signatures| Counts::new(&signatures));
            parts.into_iter().try_for_each(|part| sums.add_text(part.text, &part.path))?;
            add(sums, &mut output)?;
        }
    }
    Ok(output.finish()?)
}

/// Writes counts.
fn add(sums: Counts, output: &mut Output) -> FileResult<()> {
    let names = sums.names();
    output.put(counts::HEADER.as_bytes())?;
    sums.into_samples().iter().try_for_each(|sample: &Sample| {
        let mut text = Vec::new();
        sample.write(|number| &names[number], &mut text);
        output.put(&text)
    })
}

/// What the rows of an output are told by.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Shape {
    /// So many fields with tabs between them.
    Fields(usize),
    /// Objects of these keys.
    Keys(Vec<String>),
}

/// An output to be put together with others.
struct Part {
    path: PathBuf,
    text: Start,
    /// Lines before the rows, with their ends.
    header: Vec<u8>,
    shape: Option<Shape>,
}

/// A text whose first line has been read, and is read again.
type Start = std::io::Chain<std::io::Cursor<Vec<u8>>, Serial>;

impl Part {
    fn open(path: &Path) -> FileResult<Self> {
        let text = Text::open(path, BLOCK, 1)?;
        let path = text.label().to_path_buf();
        let (mut text, mut header) = (text.serial(), Vec::new());
        let mut first = line(&mut text, &path)?;
        while is_of_header(&first) {
            let ends = !first.starts_with(b"@") && !first.starts_with(COMMENT);
            header.append(&mut first);
            first = line(&mut text, &path)?;
            if ends {
                break;
            }
        }
        let columns = header.split(|&byte| byte == b'\n').find(|line| is_header(line));
        let shape = match columns {
            Some(columns) => Some(Shape::Fields(columns.split(|&byte| byte == b'\t').count())),
            None => shape(&first),
        };
        // Counts are read with their header.
        let again = if header == counts::HEADER.as_bytes() { [&header[..], &first].concat() } else { first };
        Ok(Self { path, text: std::io::Cursor::new(again).chain(text), header, shape })
    }

    fn is_counts(&self) -> bool {
        self.header == counts::HEADER.as_bytes()
    }
}

/// Whether a line comes before the rows.
fn is_of_header(line: &[u8]) -> bool {
    let of_sam = |line: &[u8]| matches!(line, [b'@', b'A'..=b'Z', b'A'..=b'Z', b'\t', ..]);
    line.starts_with(COMMENT) || of_sam(line) || is_header(line.trim_ascii_end())
}

/// The next line with its end; nothing at the end of the text.
fn line(text: &mut Serial, path: &Path) -> FileResult<Vec<u8>> {
    let mut line = Vec::new();
    text.read_until(b'\n', &mut line).map_err(|source| unreadable(path, source))?;
    Ok(line)
}

/// The shape of a row; `None`: there is none.
fn shape(row: &[u8]) -> Option<Shape> {
    match row.first()? {
        b'{' => Some(Shape::Keys(keys(row))),
        _ => Some(Shape::Fields(row.split(|&byte| byte == b'\t').count())),
    }
}

/// The keys of an object on a line, not those of objects in it.
fn keys(object: &[u8]) -> Vec<String> {
    let (mut keys, mut depth, mut at) = (Vec::new(), 0, 0);
    while let Some(&byte) = object.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b'"' => {
                let start = at + 1;
                at = start;
                while object.get(at).is_some_and(|&byte| byte != b'"') {
                    at += 1 + usize::from(object[at] == b'\\');
                }
                if depth == 1 && object.get(at + 1) == Some(&b':') {
                    keys.push(String::from_utf8_lossy(&object[start..at.min(object.len())]).into_owned());
                }
            }
            _ => {}
        }
        at += 1;
    }
    keys
}

/// Writes one table behind the other.
fn join(parts: &mut [Part], output: &mut Output) -> FileResult<()> {
    require_alike(parts)?;
    for (number, part) in parts.iter_mut().enumerate() {
        if number == 0 {
            output.put(&part.header)?;
        }
        let mut last = b'\n';
        loop {
            let some = part.text.fill_buf().map_err(|source| unreadable(&part.path, source))?;
            let Some(&end) = some.last() else { break };
            output.put(some)?;
            let taken = some.len();
            (last, _) = (end, part.text.consume(taken));
        }
        if last != b'\n' {
            output.put(b"\n")?;
        }
    }
    Ok(())
}

/// Refuses parts of different columns, and a header behind rows without one.
fn require_alike(parts: &[Part]) -> FileResult<()> {
    let Some((first, others)) = parts.split_first() else { return Ok(()) };
    let with_rows = |part: &&Part| part.shape.is_some();
    for (number, other) in others.iter().enumerate() {
        if !other.header.is_empty() && first.header.is_empty() {
            return Err(differ(other, first, "it has a header and comes later: give the shards in their order"));
        }
        if !other.header.is_empty() && columns(&other.header) != columns(&first.header) {
            return Err(differ(other, first, "they have different headers"));
        }
        let before = parts[..=number].iter().rev().find(with_rows);
        if let (Some(before), Some(shape)) = (before, &other.shape)
            && before.shape.as_ref() != Some(shape)
        {
            return Err(differ(other, before, "they have different columns"));
        }
    }
    Ok(())
}

/// The lines of a header that must be equal: those of SAM that name targets, and those of columns.
fn columns(header: &[u8]) -> Vec<&[u8]> {
    let lines = header.split(|&byte| byte == b'\n');
    lines.filter(|line| line.starts_with(b"@SQ") || is_header(line)).collect()
}

fn differ(part: &Part, other: &Part, why: &str) -> FileError {
    let message = format!("it does not go together with {}: {why}", other.path.display());
    FileError::Unusable { path: part.path.clone(), message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_the_object_itself() {
        let object = br#"{"a":"x\"\\","b":{"c":1,"d":[{"e":2}]},"f\"":["g"],"h":null}"#;
        assert_eq!(keys(object), ["a", "b", "f\\\"", "h"]);
        assert_eq!(keys(b"{"), [] as [&str; 0]);
        assert_eq!(keys(br#"{"a"#), [] as [&str; 0]);
    }

    #[test]
    fn rows_are_told_by_their_fields() {
        for (line, expected) in [
            (&b""[..], None),
            (b"a\tb\n", Some(Shape::Fields(2))),
            (b"a", Some(Shape::Fields(1))),
            (b"{\"a\":1}\n", Some(Shape::Keys(vec!["a".into()]))),
        ] {
            assert_eq!(shape(line), expected);
        }
        for (line, expected) in [
            (&b"@HD\tVN:1.6\n"[..], true),
            (b"@read\t1\n", false),
            (b"# warpseq align: local\n", true),
            (b"sample\tsequence\tstart\n", true),
            (b"a\tb\t1\n", false),
            (b"\n", false),
        ] {
            assert_eq!(is_of_header(line), expected, "{}", String::from_utf8_lossy(line));
        }
    }
}
