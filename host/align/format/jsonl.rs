//! `jsonl`: the keys of `tsv`, one object per line.

use super::{Counts, Layout, Line, cigar};
use std::io::{self, Write};
use std::ops::Range;

pub(super) fn write(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
    let alignment = line.alignment;
    out.write_all(b"{\"query\":")?;
    serde_json::to_writer(&mut *out, &String::from_utf8_lossy(line.query.name))?;
    out.write_all(b",\"target\":")?;
    serde_json::to_writer(&mut *out, &String::from_utf8_lossy(line.target.name))?;
    write!(out, ",\"strand\":\"{}\",\"score\":{}", line.strand(), layout.score(line))?;
    write_places(out, layout, line, "query", line.query_range())?;
    write!(out, ",\"query_length\":{}", line.query.letters.len())?;
    write_places(out, layout, line, "target", alignment.target.clone())?;
    write!(out, ",\"target_length\":{}", line.target.letters.len())?;
    let counts = Counts::of(&alignment.path);
    write!(out, ",\"matches\":{},\"columns\":{}", counts.equal, counts.columns())?;
    write!(out, ",\"identity\":{:.4},\"cigar\":", counts.identity())?;
    if alignment.path.is_empty() {
        return out.write_all(b"null}\n");
    }
    out.write_all(b"\"")?;
    cigar::write(out, layout.cigar, &alignment.path)?;
    out.write_all(b"\"}\n")
}

fn write_places(out: &mut impl Write, layout: &Layout, line: &Line, of: &str, places: Range<u64>) -> io::Result<()> {
    match layout.has_place(line) {
        true => write!(out, ",\"{of}_start\":{},\"{of}_end\":{}", places.start, places.end),
        false => write!(out, ",\"{of}_start\":null,\"{of}_end\":null"),
    }
}
