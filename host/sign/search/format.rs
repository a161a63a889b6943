//! How hits are written: `tsv` and `jsonl`.
//!
//! ```text
//! by window     query query_start query_end target target_start target_end distance bits
//! by sequence   query target distance bits
//! ```
//!
//! These are tab-separated columns with one header line, or the keys of one object per line. Positions are 0-based and
//! half-open. Distances are in bits, out of `bits`; those of sequences are means, with the six
//! decimals that are nearest, and of two equally near, those whose last digit is even. Names are written as read, except in
//! jsonl, which must be UTF-8.

use super::By;
use crate::collection::{Collection, Place};
use crate::dist::Distance;
use crate::ratio::Ratio;
use std::io::Write;
use warpseq_io::json::write_name;

/// How hits are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A tab-separated table with a header.
    #[default]
    Tsv,
    /// One JSON object per line.
    Jsonl,
}

/// A column of a row.
enum Value<'a> {
    Name(&'a [u8]),
    Number(u64),
    Mean(Ratio),
}

const WINDOWS: [&str; 8] =
    ["query", "query_start", "query_end", "target", "target_start", "target_end", "distance", "bits"];
const SEQUENCES: [&str; 4] = ["query", "target", "distance", "bits"];

impl Format {
    /// What comes before the first row.
    pub fn header(self, by: By) -> String {
        let columns: &[&str] = match by {
            By::Window => &WINDOWS,
            By::Sequence => &SEQUENCES,
        };
        if self == Self::Tsv { columns.join("\t") + "\n" } else { String::new() }
    }

    /// Appends the row of two windows.
    pub fn window(
        self,
        text: &mut Vec<u8>,
        (queries, query): (&Collection, usize),
        (targets, target): (&Collection, usize),
        distance: u32,
    ) {
        let (query, target) = (queries.place(query), targets.place(target));
        let name = |collection: &Collection, place: &Place| collection.names[place.sequence].clone();
        let (query_name, target_name) = (name(queries, &query), name(targets, &target));
        let values = [
            Value::Name(&query_name),
            Value::Number(query.residues.start),
            Value::Number(query.residues.end),
            Value::Name(&target_name),
            Value::Number(target.residues.start),
            Value::Number(target.residues.end),
            Value::Number(distance.into()),
            Value::Number(targets.parameters.bits.into()),
        ];
        self.row(text, &WINDOWS, &values);
    }

    /// Appends the row of two sequences.
    pub fn sequence(self, text: &mut Vec<u8>, query: &[u8], target: &[u8], distance: Distance, bits: u32) {
        let values =
            [Value::Name(query), Value::Name(target), Value::Mean(distance.bits()), Value::Number(bits.into())];
        self.row(text, &SEQUENCES, &values);
    }

    fn row(self, text: &mut Vec<u8>, columns: &[&str], values: &[Value]) {
        let first = if self == Self::Tsv { "" } else { "{" };
        let next = if self == Self::Tsv { "\t" } else { "," };
        for (k, (column, value)) in columns.iter().zip(values).enumerate() {
            text.extend_from_slice(if k == 0 { first } else { next }.as_bytes());
            if self == Self::Jsonl {
                write!(text, "\"{column}\":").expect(MEMORY);
            }
            match value {
                Value::Name(name) if self == Self::Tsv => text.extend_from_slice(name),
                Value::Name(name) => write_name(&mut *text, name).expect(MEMORY),
                Value::Number(number) => write!(text, "{number}").expect(MEMORY),
                Value::Mean(mean) => write!(text, "{mean:.6}").expect(MEMORY),
            }
        }
        text.extend_from_slice(if self == Self::Tsv { b"\n" } else { b"}\n" });
    }
}

const MEMORY: &str = "writing to memory does not fail";
