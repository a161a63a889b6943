//! `paf`: minimap2's pairwise mapping format (Li 2018, Bioinformatics 34:3094).
//!
//! ```text
//! query length start end strand target length start end matches columns 255 AS NM cg
//! ```
//!
//! The query's start and end are on its own strand; the target is always forward, and cg runs along it. Column 10 counts `=`,
//! column 11 all columns of the CIGAR. Pairs whose path has no column are left out.

use super::{Counts, Layout, Line, cigar};
use std::io::{self, Write};

/// Column 12: no mapping quality was computed.
const NO_QUALITY: u8 = 255;

pub(super) fn write(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
    let (path, query, target) = (&line.alignment.path, line.query_range(), &line.alignment.target);
    if path.is_empty() {
        return Ok(());
    }
    let counts = Counts::of(path);
    out.write_all(line.query.name)?;
    write!(out, "\t{}\t{}\t{}\t{}\t", line.query.letters.len(), query.start, query.end, line.strand())?;
    out.write_all(line.target.name)?;
    write!(out, "\t{}\t{}\t{}", line.target.letters.len(), target.start, target.end)?;
    write!(out, "\t{}\t{}\t{NO_QUALITY}", counts.equal, counts.columns())?;
    layout.write_tags(out, line, &counts)?;
    out.write_all(b"\tcg:Z:")?;
    cigar::write(out, layout.cigar, path)?;
    out.write_all(b"\n")
}
