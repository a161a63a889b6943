//! The formats of one line per alignment: `tsv`, `jsonl`, `paf` and `text`.
//!
//! ```text
//! tsv    a header line, then the columns of COLUMNS, or of SCORE_COLUMNS with --score-only; with
//!        statistics evalue and bits at the end
//! jsonl  the keys of tsv, one object per line
//! paf    query length start end strand target length start end matches columns 255 AS NM cg
//! text   query score codes; codes from the end of the alignment to its start:
//!        1 diagonal, equal   2 diagonal, different   3 up: a query symbol over a gap   4 left: a gap over a target symbol
//! ```
//!
//! `paf` is minimap2's pairwise mapping format (Li 2018, Bioinformatics 34:3094). The query's start and end are on its own
//! strand; the target is always forward, and cg runs along it. Column 10 counts `=`, column 11 all columns of the CIGAR. Pairs
//! whose path has no column are left out. `text` is what the GPU101 assignment compares.

use super::{Counts, Layout, Line};
use crate::Op;
use std::io::{self, Read, Write};
use std::ops::Range;
use warpseq_io::json;

const COLUMNS: &str = "query\ttarget\tstrand\tscore\tquery_start\tquery_end\tquery_length\ttarget_start\ttarget_end\t\
                       target_length\tmatches\tcolumns\tidentity\tcigar";
const SCORE_COLUMNS: &str = "query\ttarget\tscore\tquery_end\ttarget_end";

pub(super) fn write_tsv_header(out: &mut impl Write, layout: &Layout) -> io::Result<()> {
    let columns = if layout.score_only { SCORE_COLUMNS } else { COLUMNS };
    let more = if layout.statistics.is_some() { "\tevalue\tbits" } else { "" };
    writeln!(out, "{columns}{more}")
}

pub(super) fn write_tsv(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
    let alignment = line.alignment;
    let counts = Counts::of(&alignment.path);
    write_names(out, line)?;
    out.write_all(if line.reverse { b"\t-\t" } else { b"\t+\t" })?;
    write_score(out, layout, line)?;
    for (range, record) in [(line.query_range(), line.query), (alignment.target.clone(), line.target)] {
        write_range(out, layout, line, range)?;
        write_number(out, record.residues.len() as u64)?;
    }
    write_number(out, counts.equal)?;
    write_number(out, counts.columns())?;
    out.write_all(b"\t")?;
    counts.write_identity(out)?;
    out.write_all(b"\t")?;
    layout.cigar.write(out, &alignment.path)?;
    write_significance(out, layout, line)
}

/// A tab and a number. A million rows have thirteen million of them.
fn write_number(out: &mut impl Write, number: u64) -> io::Result<()> {
    out.write_all(b"\t")?;
    out.write_all(itoa::Buffer::new().format(number).as_bytes())
}

fn write_score(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
    match layout.scoring.scale {
        1 => out.write_all(itoa::Buffer::new().format(line.alignment.score).as_bytes()),
        _ => write!(out, "{}", layout.score(line)),
    }
}

/// Start and end, each behind a tab.
fn write_range(out: &mut impl Write, layout: &Layout, line: &Line, range: Range<u64>) -> io::Result<()> {
    if !layout.has_place(line) {
        return out.write_all(b"\t*\t*");
    }
    write_number(out, range.start)?;
    write_number(out, range.end)
}

/// The last columns, if they are wanted, and the end of the line.
fn write_significance(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
    match layout.significance(line) {
        Some(found) => writeln!(out, "\t{}\t{}", found.evalue, found.bits()),
        None if layout.statistics.is_some() => out.write_all(b"\t*\t*\n"),
        None => out.write_all(b"\n"),
    }
}

/// Score and ends. The query's end counts along the strand that was aligned: where that is the reverse one, the end on the
/// query's own strand is its start, which is not known without the path.
pub(super) fn write_scores(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
    write_names(out, line)?;
    out.write_all(b"\t")?;
    write_score(out, layout, line)?;
    write_range(out, layout, line, line.alignment.query.end..line.alignment.target.end)?;
    write_significance(out, layout, line)
}

fn write_names(out: &mut impl Write, line: &Line) -> io::Result<()> {
    out.write_all(line.query.name)?;
    out.write_all(b"\t")?;
    out.write_all(line.target.name)
}

pub(super) fn write_jsonl(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
    let alignment = line.alignment;
    out.write_all(b"{\"query\":")?;
    json::write_name(out, line.query.name)?;
    out.write_all(b",\"target\":")?;
    json::write_name(out, line.target.name)?;
    write!(out, ",\"strand\":\"{}\",\"score\":{}", line.strand(), layout.score(line))?;
    write_places(out, layout, line, "query", line.query_range())?;
    write!(out, ",\"query_length\":{}", line.query.residues.len())?;
    write_places(out, layout, line, "target", alignment.target.clone())?;
    write!(out, ",\"target_length\":{}", line.target.residues.len())?;
    let counts = Counts::of(&alignment.path);
    write!(out, ",\"matches\":{},\"columns\":{}", counts.equal, counts.columns())?;
    out.write_all(b",\"identity\":")?;
    counts.write_identity(out)?;
    out.write_all(b",\"cigar\":")?;
    if alignment.path.is_empty() {
        out.write_all(b"null")?;
    } else {
        out.write_all(b"\"")?;
        layout.cigar.write(out, &alignment.path)?;
        out.write_all(b"\"")?;
    }
    match layout.significance(line) {
        Some(found) => write!(out, ",\"evalue\":{},\"bits\":{}", found.evalue, found.bits())?,
        None if layout.statistics.is_some() => out.write_all(b",\"evalue\":null,\"bits\":null")?,
        None => {}
    }
    out.write_all(b"}\n")
}

fn write_places(out: &mut impl Write, layout: &Layout, line: &Line, of: &str, places: Range<u64>) -> io::Result<()> {
    match layout.has_place(line) {
        true => write!(out, ",\"{of}_start\":{},\"{of}_end\":{}", places.start, places.end),
        false => write!(out, ",\"{of}_start\":null,\"{of}_end\":null"),
    }
}

/// Column 12: no mapping quality was computed.
const NO_QUALITY: u8 = 255;

pub(super) fn write_paf(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
    let (path, query, target) = (&line.alignment.path, line.query_range(), &line.alignment.target);
    if path.is_empty() {
        return Ok(());
    }
    let counts = Counts::of(path);
    out.write_all(line.query.name)?;
    write!(out, "\t{}\t{}\t{}\t{}\t", line.query.residues.len(), query.start, query.end, line.strand())?;
    out.write_all(line.target.name)?;
    write!(out, "\t{}\t{}\t{}", line.target.residues.len(), target.start, target.end)?;
    write!(out, "\t{}\t{}\t{NO_QUALITY}", counts.equal, counts.columns())?;
    layout.write_tags(out, line, &counts)?;
    out.write_all(b"\tcg:Z:")?;
    layout.cigar.write(out, path)?;
    out.write_all(b"\n")
}

pub(super) fn write_text(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
    out.write_all(line.query.name)?;
    write!(out, "\t{}\t", layout.score(line))?;
    for run in line.alignment.path.iter().rev() {
        io::copy(&mut io::repeat(code(run.op)).take(run.length.into()), out)?;
    }
    out.write_all(b"\n")
}

fn code(op: Op) -> u8 {
    match op {
        Op::Equal => b'1',
        Op::Different => b'2',
        Op::Insertion => b'3',
        Op::Deletion => b'4',
    }
}
