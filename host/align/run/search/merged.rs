//! What queries found in the parts of the targets, put together: as if there had been one part.
//!
//! ```text
//! keys   part by part, query by query: how many, then for each the score, whether it has a row, and how long that is
//! rows   part by part, query by query: the rows, which are written where the part's targets are in memory
//! ```
//!
//! With `top`, each part keeps its best for a query, as many as all parts together do, those included that fall short: they hold a
//! place, as they do in one part. The best of all are the best of these, and of equal ones those of the earlier part come first,
//! which are those of the earlier targets. Without `top`, every part keeps what passes, and parts follow one another.

use crate::run::batch::choice::primary;
use std::cmp::Reverse;
use std::io::{BufReader, Read};
use warpseq_engine::error::Result;
use warpseq_io::output::Output;
use warpseq_io::output::spool::Spool;

/// Bytes of keys that are read at a time, for each part; bytes of keys and of rows that stay in memory.
const AHEAD: usize = 1 << 12;
const KEPT: usize = 1 << 20;
/// Bytes of a key.
const KEY: usize = 32;

/// A target that a query found.
#[derive(Clone, Copy, Default)]
pub struct Key {
    pub score: i64,
    /// It falls short of nothing.
    pub passes: bool,
    /// It has a place in SAM.
    pub is_placed: bool,
    /// Bytes of its row, and of its row as the query's primary one where that is another.
    pub lengths: [u64; 2],
}

/// What a batch of queries found in a part. Each query begins with a key that counts its others, and whose row is what is written
/// where none of all parts passes.
pub struct Found {
    pub keys: Vec<u8>,
    pub rows: Spool,
}

impl Key {
    /// The key that begins a query with so many others, and the bytes of its row.
    pub fn beginning(count: usize, none: usize) -> Self {
        Self { score: count as i64, lengths: [none as u64, 0], ..Self::default() }
    }

    pub fn encode(self, keys: &mut Vec<u8>) {
        let flags = u64::from(self.passes) | u64::from(self.is_placed) << 1;
        for number in [self.score as u64, flags, self.lengths[0], self.lengths[1]] {
            keys.extend(number.to_le_bytes());
        }
    }

    fn read(keys: &mut impl Read) -> std::io::Result<Self> {
        let mut bytes = [0; KEY];
        keys.read_exact(&mut bytes)?;
        let number = |k: usize| u64::from_le_bytes(bytes[8 * k..8 * k + 8].try_into().expect("8 bytes"));
        let flags = number(1);
        let lengths = [number(2), number(3)];
        Ok(Self { score: number(0) as i64, passes: flags & 1 != 0, is_placed: flags & 2 != 0, lengths })
    }
}

/// What the queries of a round found in the parts so far.
pub struct Merged {
    keys: Spool,
    rows: Spool,
    /// Where the keys and rows of each part start.
    parts: Vec<[u64; 2]>,
}

/// A part whose keys are read, query by query.
struct Cursor<'m> {
    keys: BufReader<warpseq_io::output::spool::Rest<'m>>,
    /// Where the row of the next key starts.
    row: u64,
}

/// A key, and where its row starts.
type Placed = (Key, u64);

impl Merged {
    /// Nothing yet; what memory does not hold goes to files in `folder`.
    pub fn new(folder: &std::path::Path) -> Self {
        Self { keys: Spool::new(KEPT, folder), rows: Spool::new(KEPT, folder), parts: Vec::new() }
    }

    pub fn begin_part(&mut self) {
        self.parts.push([self.keys.len(), self.rows.len()]);
    }

    /// Adds what the next queries found in this part.
    ///
    /// # Errors
    /// Those of files.
    pub fn add(&mut self, mut found: Found) -> Result<()> {
        self.keys.put(&found.keys)?;
        Ok(found.rows.each(|rows| self.rows.put(rows))?)
    }

    /// Writes the rows of all queries of the round.
    ///
    /// # Errors
    /// Those of files and of the output.
    pub fn write(&self, queries: usize, top: Option<usize>, output: &mut Output) -> Result<()> {
        let cursor =
            |&[keys, row]: &[u64; 2]| Cursor { keys: BufReader::with_capacity(AHEAD, self.keys.rest(keys)), row };
        let mut cursors: Vec<Cursor> = self.parts.iter().map(cursor).collect();
        for _ in 0..queries {
            let (mut all, mut none) = (Vec::new(), None);
            for cursor in &mut cursors {
                let first = self.next_of(cursor, &mut all)?;
                none = none.or(first);
            }
            self.write_query(&mut all, none, top, output)?;
        }
        Ok(())
    }

    /// Reads the keys of the next query of a part; returns its first one if that has a row.
    fn next_of(&self, cursor: &mut Cursor, all: &mut Vec<Placed>) -> Result<Option<Placed>> {
        let mut next = || -> Result<Placed> {
            let key = Key::read(&mut cursor.keys).map_err(|error| self.keys.fault("read", error))?;
            let row = cursor.row;
            cursor.row += key.lengths.iter().sum::<u64>();
            Ok((key, row))
        };
        let first = next()?;
        for _ in 0..first.0.score {
            all.push(next()?);
        }
        Ok(Some(first).filter(|(key, _)| key.lengths[0] > 0))
    }

    fn write_query(
        &self,
        all: &mut Vec<Placed>,
        none: Option<Placed>,
        top: Option<usize>,
        output: &mut Output,
    ) -> Result<()> {
        if let Some(top) = top {
            all.sort_by_key(|(key, _)| Reverse(key.score));
            all.truncate(top);
        }
        all.retain(|(key, _)| key.passes);
        let primary = primary(all.iter().map(|(key, _)| (key.is_placed, key.score)));
        let put =
            |at: u64, length: u64, output: &mut Output| self.rows.copy(at..at + length, |bytes| output.put(bytes));
        for (k, (Key { lengths: [other, own], .. }, at)) in all.iter().enumerate() {
            match Some(k) == primary && *own > 0 {
                true => put(at + other, *own, output)?,
                false => put(*at, *other, output)?,
            }
        }
        if let Some((key, at)) = none.filter(|_| all.is_empty()) {
            put(at, key.lengths[0], output)?;
        }
        Ok(())
    }
}
