//! `text`: what the GPU101 assignment compares.
//!
//! ```text
//! query score codes, tab-separated; codes from the end of the alignment to its start:
//! 1 diagonal, equal   2 diagonal, different   3 up: a query symbol over a gap   4 left: a gap over a target symbol
//! ```

use super::{Layout, Line};
use crate::Op;
use std::io::{self, Read, Write};

pub(super) fn write(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
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
