//! `tsv`: the statement as a comment, a header line, a line per pair.

use super::{Counts, Layout, Line, cigar};
use std::io::{self, Write};
use std::ops::Range;

const COLUMNS: &str = "query\ttarget\tstrand\tscore\tquery_start\tquery_end\tquery_length\ttarget_start\ttarget_end\t\
                       target_length\tmatches\tcolumns\tidentity\tcigar";
const SCORE_COLUMNS: &str = "query\ttarget\tscore\tquery_end\ttarget_end";

pub(super) fn write_header(out: &mut impl Write, layout: &Layout) -> io::Result<()> {
    let columns = if layout.score_only { SCORE_COLUMNS } else { COLUMNS };
    writeln!(out, "# warpseq align: {}\n{columns}", layout.statement)
}

pub(super) fn write(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
    let alignment = line.alignment;
    let counts = Counts::of(&alignment.path);
    let [query, target] = [line.query_range(), alignment.target.clone()].map(|range| places(layout, line, range));
    write_names(out, line)?;
    write!(out, "\t{}\t{}", line.strand(), layout.score(line))?;
    write!(out, "\t{query}\t{}\t{target}\t{}", line.query.letters.len(), line.target.letters.len())?;
    write!(out, "\t{}\t{}\t{:.4}\t", counts.equal, counts.columns(), counts.identity())?;
    cigar::write(out, layout.cigar, &alignment.path)?;
    out.write_all(b"\n")
}

/// Score and ends. The query's end counts along the strand that was aligned: where that is the reverse one, the end on the
/// query's own strand is its start, which is not known without the path.
pub(super) fn write_score(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
    write_names(out, line)?;
    write!(out, "\t{}", layout.score(line))?;
    if layout.has_place(line) {
        writeln!(out, "\t{}\t{}", line.alignment.query.end, line.alignment.target.end)
    } else {
        out.write_all(b"\t*\t*\n")
    }
}

fn write_names(out: &mut impl Write, line: &Line) -> io::Result<()> {
    out.write_all(line.query.name)?;
    out.write_all(b"\t")?;
    out.write_all(line.target.name)
}

fn places(layout: &Layout, line: &Line, Range { start, end }: Range<u64>) -> String {
    if layout.has_place(line) { format!("{start}\t{end}") } else { "*\t*".into() }
}
