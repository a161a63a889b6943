//! How hits are written: `tsv` and `jsonl`.
//!
//! ```text
//! by window     query query_start query_end target target_start target_end distance bits evalue
//! by sequence   query target distance bits
//! either        and then cosine, ani or containment, if that is asked for
//! ```
//!
//! These are tab-separated columns with one header line, or the keys of one object per line. Positions are 0-based and
//! half-open. Distances are in bits, out of `bits`; those of sequences are means, with the six
//! decimals that are nearest, and of two equally near, those whose last digit is even. E-values have three digits, other numbers
//! six decimals; what cannot be said is `NA`, in jsonl null. Names are written as read, except in
//! jsonl, which must be UTF-8.

use super::By;
use crate::Parameters;
use crate::collection::{Collection, Place};
use crate::dist::Distance;
use crate::metric::Metric;
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

/// A cell of a row.
enum Value<'a> {
    Name(&'a [u8]),
    Number(u64),
    Mean(Ratio),
    Expected(f64),
    Real(Option<f64>),
}

const WINDOWS: [&str; 9] =
    ["query", "query_start", "query_end", "target", "target_start", "target_end", "distance", "bits", "evalue"];
const SEQUENCES: [&str; 4] = ["query", "target", "distance", "bits"];

/// How the rows of a search are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub format: Format,
    pub by: By,
    pub metric: Metric,
}

impl Rows {
    fn columns(self) -> impl Iterator<Item = &'static str> {
        let columns: &[&str] = match self.by {
            By::Window => &WINDOWS,
            By::Sequence => &SEQUENCES,
        };
        let more = (self.metric != Metric::Hamming).then(|| self.metric.name());
        columns.iter().copied().chain(more)
    }

    /// What comes before the first row.
    pub fn header(self) -> String {
        match self.format {
            Format::Tsv => self.columns().collect::<Vec<_>>().join("\t") + "\n",
            Format::Jsonl => String::new(),
        }
    }

    /// Appends the row of two windows.
    pub fn window(
        self,
        text: &mut Vec<u8>,
        (queries, query): (&Collection, usize),
        (targets, target): (&Collection, usize),
        (distance, evalue): (u32, f64),
    ) {
        let words = queries.words.as_ref().zip(targets.words.as_ref());
        let words = words.map(|(queries, targets)| [queries[query], targets[target]].map(u64::from));
        let bits = targets.parameters.bits;
        let value = self.metric.at(f64::from(distance) / f64::from(bits), (bits, targets.parameters.k), words);
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
            Value::Number(bits.into()),
            Value::Expected(evalue),
            Value::Real(value),
        ];
        self.row(text, &values);
    }

    /// Appends the row of two sequences.
    pub fn sequence(
        self,
        text: &mut Vec<u8>,
        (queries, query): (&Collection, usize),
        (targets, target): (&Collection, usize),
        distance: Distance,
    ) {
        let Parameters { bits, k, .. } = targets.parameters;
        let words = queries.words(query).zip(targets.words(target)).map(|(query, target)| [query, target]);
        let values = [
            Value::Name(&queries.names[query]),
            Value::Name(&targets.names[target]),
            Value::Mean(distance.bits()),
            Value::Number(bits.into()),
            Value::Real(self.metric.at(distance.rounded() / f64::from(bits), (bits, k), words)),
        ];
        self.row(text, &values);
    }

    /// Values beyond the columns are left out.
    fn row(self, text: &mut Vec<u8>, values: &[Value]) {
        let is_table = self.format == Format::Tsv;
        let first = if is_table { "" } else { "{" };
        let next = if is_table { "\t" } else { "," };
        for (k, (column, value)) in self.columns().zip(values).enumerate() {
            text.extend_from_slice(if k == 0 { first } else { next }.as_bytes());
            if !is_table {
                write!(text, "\"{column}\":").expect(MEMORY);
            }
            match value {
                Value::Name(name) if is_table => text.extend_from_slice(name),
                Value::Name(name) => write_name(&mut *text, name).expect(MEMORY),
                Value::Number(number) => write!(text, "{number}").expect(MEMORY),
                Value::Mean(mean) => write!(text, "{mean:.6}").expect(MEMORY),
                Value::Expected(number) => write!(text, "{number:.2e}").expect(MEMORY),
                Value::Real(Some(number)) => write!(text, "{number:.6}").expect(MEMORY),
                Value::Real(None) => text.extend_from_slice(if is_table { b"NA" } else { b"null" }),
            }
        }
        text.extend_from_slice(if is_table { b"\n" } else { b"}\n" });
    }
}

const MEMORY: &str = "writing to memory does not fail";
