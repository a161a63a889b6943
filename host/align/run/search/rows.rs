//! The rows of what queries found: as they are written, or with keys for those of other parts ([`super::merged`]).

use super::merged::Key;
use super::parts::Part;
use crate::format::sam::is_placed;
use crate::format::{Format, Line};
use crate::run::Run;
use crate::run::batch::choice::primary;
use crate::run::batch::{NO_ALIGNMENT, record};
use crate::search::Hit;
use warpseq_seq::Records;

/// Queries of which a thread writes the rows at a time.
pub const QUERIES: usize = 16;

/// What queries found in a part.
pub struct Hits<'a> {
    pub run: &'a Run<'a>,
    pub part: &'a Part,
    pub queries: &'a Records,
    pub hits: &'a [Vec<Hit>],
    /// Whether the part is the first one.
    pub begins: bool,
}

impl Hits<'_> {
    /// Keys, where they are wanted, and rows of some queries.
    pub fn some(&self, start: usize, with_keys: bool) -> [Vec<u8>; 2] {
        let (mut keys, mut rows) = (Vec::new(), Vec::new());
        for query in start..self.queries.len().min(start + QUERIES) {
            if with_keys { self.put_keys(query, &mut keys, &mut rows) } else { self.put_rows(query, &mut rows) }
        }
        [keys, rows]
    }

    /// Whether a hit does not fall short.
    fn passes(&self, query: usize, hit: &Hit) -> bool {
        let target = self.part.targets.sequences().length(hit.target as usize);
        self.run.filter.passes(&hit.alignment, [self.queries.sequences().length(query), target])
    }

    fn put(&self, rows: &mut Vec<u8>, query: usize, hit: Option<&Hit>, primary: bool) {
        let query = record(self.queries, query);
        let target = record(&self.part.targets, hit.map_or(0, |hit| hit.target as usize));
        let (reverse, alignment) = hit.map_or((false, &NO_ALIGNMENT), |hit| (hit.reverse, &hit.alignment));
        let line = Line { query, target, reverse, primary, alignment };
        self.run.layout.write_line(rows, &line).expect("writing to memory does not fail");
    }

    /// A row for each hit that does not fall short; in SAM at least one.
    fn put_rows(&self, query: usize, rows: &mut Vec<u8>) {
        let passing: Vec<&Hit> = self.hits[query].iter().filter(|hit| self.passes(query, hit)).collect();
        let primary = primary(passing.iter().map(|hit| (is_placed(&hit.alignment), hit.alignment.score)));
        for (k, &hit) in passing.iter().enumerate() {
            self.put(rows, query, Some(hit), Some(k) == primary);
        }
        if passing.is_empty() && self.is_sam() {
            self.put(rows, query, None, true);
        }
    }

    fn is_sam(&self) -> bool {
        self.run.request.format == Format::Sam
    }

    /// A key for each hit, and its rows if it does not fall short: as one of several and, in SAM, as the primary one.
    fn put_keys(&self, query: usize, keys: &mut Vec<u8>, rows: &mut Vec<u8>) {
        let before = rows.len();
        if self.begins && self.is_sam() {
            self.put(rows, query, None, true);
        }
        Key::beginning(self.hits[query].len(), rows.len() - before).encode(keys);
        for hit in &self.hits[query] {
            let (passes, start) = (self.passes(query, hit), rows.len());
            if passes {
                self.put(rows, query, Some(hit), false);
            }
            let middle = rows.len();
            if passes && self.is_sam() {
                self.put(rows, query, Some(hit), true);
            }
            let lengths = [middle - start, rows.len() - middle].map(|length| length as u64);
            let (score, is_placed) = (hit.alignment.score, is_placed(&hit.alignment));
            Key { score, passes, is_placed, lengths }.encode(keys);
        }
    }
}
