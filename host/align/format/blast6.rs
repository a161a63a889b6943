//! `blast6`: the table of BLAST's `-outfmt 6`, which very many programs read.
//!
//! ```text
//! qaccver saccver pident length mismatch gapopen qstart qend sstart send evalue bitscore
//! ```
//!
//! No header. Positions are from 1, both ends included; on strand `-` the query runs forward and the target from its higher
//! position to the lower. pident is 100 matches / length with three decimals, length counts all columns, gapopen the gaps and
//! mismatch the columns that are neither `=` nor in a gap. A pair without an alignment has no row. Names are the first words of
//! the header lines; BLAST writes some of them shorter.

use super::{Counts, Layout, Line};
use crate::Op;
use std::io::{self, Write};

pub(super) fn write(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
    let Some(significance) = layout.significance(line) else { return Ok(()) };
    let (counts, query, target) = (Counts::of(&line.alignment.path), line.query_range(), &line.alignment.target);
    let gaps = line.alignment.path.iter().filter(|run| matches!(run.op, Op::Insertion | Op::Deletion)).count();
    let [first, last] = match line.reverse {
        false => [target.start + 1, target.end],
        true => [target.end, target.start + 1],
    };
    out.write_all(line.query.name)?;
    out.write_all(b"\t")?;
    out.write_all(line.target.name)?;
    write!(out, "\t{:.3}\t{}\t{}\t{gaps}", counts.identity() * 100.0, counts.columns(), counts.different)?;
    write!(out, "\t{}\t{}\t{first}\t{last}", query.start + 1, query.end)?;
    writeln!(out, "\t{}\t{}", significance.evalue, significance.padded_bits())
}
