//! `pretty`: blocks of three lines, for people.
//!
//! ```text
//! q + 3..20 of 23, t 4..22 of 26: score 29, identity 17/18 = 0.9444, 8=1D9=
//!
//! query   3 ACGTTGCA-GGATCCAGT 20
//!           |||||||| |||||||||
//! target  4 ACGTTGCATGGATCCAGT 22
//! ```
//!
//! Numbers are boundaries between symbols, as everywhere (0-based, half-open): left of the block how many symbols come before
//! it, right of it how many come before its end. On strand `-` the query is shown as aligned and its numbers fall. Between the
//! sequences: `|` equal, `+` different with a score above 0, `.` different, blank over a gap.

use super::{Counts, Layout, Line};
use crate::Op;
use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;
use warpseq_seq::{Wildcards, strand::reverse_complement};

/// Columns of a block.
const WIDTH: usize = 60;

pub(super) fn write(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
    write_headline(out, layout, line)?;
    let columns = columns(layout, line);
    let digits = line.query.residues.len().max(line.target.residues.len()).to_string().len();
    let mut at = Places::of(line);
    for block in columns.chunks(WIDTH) {
        let start = at;
        block.iter().for_each(|column| at.pass(column));
        let row = |residue: fn(&Column) -> u8| block.iter().map(residue).collect::<Vec<_>>();
        write_row(out, &format!("query  {:digits$} ", start.query), &row(|c| c.query), at.query)?;
        write_blank_row(out, 8 + digits, &row(|c| c.sign))?;
        write_row(out, &format!("target {:digits$} ", start.target), &row(|c| c.target), at.target)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// One column: the residues or `-`, and what stands between them.
struct Column {
    query: u8,
    sign: u8,
    target: u8,
    op: Op,
}

/// How many symbols come before a column, on each sequence's own strand.
#[derive(Clone, Copy)]
struct Places {
    query: u64,
    target: u64,
    reverse: bool,
}

impl Places {
    fn of(line: &Line) -> Self {
        let Range { start, end } = line.query_range();
        let query = if line.reverse { end } else { start };
        Self { query, target: line.alignment.target.start, reverse: line.reverse }
    }

    fn pass(&mut self, column: &Column) {
        match column.op {
            Op::Deletion => {}
            _ if self.reverse => self.query -= 1,
            _ => self.query += 1,
        }
        self.target += u64::from(column.op != Op::Insertion);
    }
}

fn columns(layout: &Layout, line: &Line) -> Vec<Column> {
    let residues = if line.reverse {
        Cow::Owned(reverse_complement(line.query.residues, Wildcards::Iupac))
    } else {
        line.query.residues.into()
    };
    let mut query = residues.iter().copied().skip(line.alignment.query.start as usize);
    let mut target = line.target.residues.iter().copied().skip(line.alignment.target.start as usize);
    let mut next = |op: Op| {
        let query = if op == Op::Deletion { b'-' } else { query.next().expect("a path stays inside the query") };
        let target = if op == Op::Insertion { b'-' } else { target.next().expect("a path stays inside the target") };
        let sign = match op {
            Op::Equal => b'|',
            Op::Different if layout.scoring.score(query, target) > 0 => b'+',
            Op::Different => b'.',
            Op::Insertion | Op::Deletion => b' ',
        };
        Column { query, sign, target, op }
    };
    line.alignment.path.iter().flat_map(|run| std::iter::repeat_n(run.op, run.length as usize)).map(&mut next).collect()
}

fn write_headline(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
    let (query, target, counts) = (line.query_range(), &line.alignment.target, Counts::of(&line.alignment.path));
    let [query, target] = [&query, target].map(|range| match layout.has_place(line) {
        true => format!("{}..{}", range.start, range.end),
        false => "*".into(),
    });
    out.write_all(line.query.name)?;
    write!(out, " {} {query} of {}, ", line.strand(), line.query.residues.len())?;
    out.write_all(line.target.name)?;
    write!(out, " {target} of {}: score {}, ", line.target.residues.len(), layout.score(line))?;
    if let Some(found) = layout.significance(line) {
        write!(out, "E {}, {} bits, ", found.evalue, found.bits())?;
    }
    write!(out, "identity {}/{} = {:.4}, ", counts.equal, counts.columns(), counts.identity())?;
    layout.cigar.write(out, &line.alignment.path)?;
    out.write_all(b"\n\n")
}

fn write_row(out: &mut impl Write, label: &str, residues: &[u8], end: u64) -> io::Result<()> {
    out.write_all(label.as_bytes())?;
    out.write_all(residues)?;
    writeln!(out, " {end}")
}

/// The signs under the residues, without blanks at the end.
fn write_blank_row(out: &mut impl Write, indent: usize, signs: &[u8]) -> io::Result<()> {
    let signs = signs.trim_ascii_end();
    if !signs.is_empty() {
        write!(out, "{:indent$}", "")?;
        out.write_all(signs)?;
    }
    out.write_all(b"\n")
}
