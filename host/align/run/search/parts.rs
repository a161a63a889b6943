//! Targets in parts, each of which memory holds, and the queries that all of them are searched for.
//!
//! ```text
//! all targets fit       one part; the queries are streamed through it
//! they do not           rounds: as many queries as fit, and every part for these, one after another
//! ```
//!
//! A part is read when nothing of the one before it is left, so memory holds one at a time. Rounds after the first read the
//! targets again.

use super::super::input::{Reason, read_once};
use crate::input::{File, Piece};
use crate::pairing::{RECORD_BYTES, RECORDS_MAX};
use crate::search::{Database, TARGET_BYTES};
use std::sync::Arc;
use warpseq_engine::error::Result;
use warpseq_engine::room::{Guard, Room};
use warpseq_seq::Records;

/// What a part of `most` bytes is. For a GPU, couples take a byte for each residue more.
pub fn piece(most: usize, for_gpu: bool) -> Piece {
    Piece { most, weights: [1 + usize::from(for_gpu), RECORD_BYTES + TARGET_BYTES] }
}

const BEFORE_ROUNDS: Reason =
    ["neither the queries nor the targets fit memory at once", "raise --max-memory to hold one of them"];

/// The parts of the targets.
pub struct Parts {
    file: File,
    piece: Piece,
    room: Room,
}

/// Targets that are searched together.
pub struct Part {
    pub targets: Arc<Records>,
    pub database: Database<'static>,
    _guard: Guard,
}

impl Parts {
    pub fn new(file: File, piece: Piece) -> Self {
        // Whatever is in it, nothing else goes in.
        Self { file, piece, room: Room::new(0) }
    }

    /// The targets being read.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The next records, as many as weigh what a part may, one at least; `None` at the end.
    pub fn next_records(&mut self) -> Result<Option<Arc<Records>>> {
        let Piece { most, weights: [residue, record] } = self.piece;
        let (mut records, mut weighs) = (Records::default(), 0_usize);
        loop {
            let (some, range) = self.file.ready()?;
            let (mut count, left) = (0, range.len());
            for k in range {
                let weight = some.sequences().length(k).saturating_mul(residue).saturating_add(record);
                if weighs > 0 && weighs.saturating_add(weight) > most {
                    break;
                }
                weighs = weighs.saturating_add(weight);
                count += 1;
            }
            self.file.take(count, &mut records);
            if count < left || left == 0 {
                return Ok(Some(Arc::new(records)).filter(|records| !records.is_empty()));
            }
        }
    }

    /// The part of some records, once nothing is left of the one before.
    pub fn part(&self, targets: Arc<Records>) -> Part {
        let database = Database::of_records(targets.clone());
        Part { targets, database, _guard: self.room.take(1) }
    }

    /// The next part; `None` at the end.
    fn next(&mut self) -> Result<Option<Part>> {
        self.room.wait_for(1);
        Ok(self.next_records()?.map(|records| self.part(records)))
    }

    /// Whether all records have been handed out.
    pub fn is_at_end(&mut self) -> Result<bool> {
        Ok(self.file.ready()?.1.is_empty())
    }

    fn begin_again(&mut self) -> Result<()> {
        self.file = self.file.again()?.ok_or_else(|| read_once(&self.file, BEFORE_ROUNDS))?;
        Ok(())
    }
}

/// Queries and parts of targets: every part for some queries, then every part for the next ones.
pub struct Rounds<'a> {
    queries: &'a mut File,
    parts: &'a mut Parts,
    /// Bytes of the queries of a round.
    most: usize,
    round: Records,
    part: Option<Arc<Part>>,
    /// Whether the part is the first one of the round.
    is_first: bool,
    /// Queries of the round that have been handed out for this part.
    next: usize,
}

/// Where a batch of a round stands.
#[derive(Clone, Copy)]
pub struct Place {
    /// The first batch of its part.
    pub begins_part: bool,
    /// Its part is the first of the round.
    pub begins_round: bool,
    /// The last batch of the round, of so many queries.
    pub ends_round: Option<usize>,
}

impl<'a> Rounds<'a> {
    /// The rounds of these queries, a round of about `most` bytes of them. The first part has been read.
    pub fn new(queries: &'a mut File, parts: &'a mut Parts, first: Part, most: usize) -> Result<Self> {
        let (round, part) = (Records::default(), Some(Arc::new(first)));
        let mut rounds = Self { queries, parts, most, round, part, is_first: true, next: 0 };
        rounds.round = rounds.read()?;
        // Said before any row is written.
        let is_round_left = !rounds.queries.ready()?.1.is_empty();
        if is_round_left && rounds.parts.file.again()?.is_none() {
            return Err(read_once(&rounds.parts.file, BEFORE_ROUNDS));
        }
        Ok(rounds)
    }

    fn read(&mut self) -> Result<Records> {
        let (queries, most) = (&mut *self.queries, self.most);
        let bytes = |query: usize| 2 * query + RECORD_BYTES;
        Ok(gather(|some| queries.next(some), (usize::MAX, most), bytes)?
            .map_or_else(Records::default, |(some, _)| some))
    }

    /// The part that the next queries are searched in; `None` at the end.
    pub fn part(&mut self) -> Result<Option<Arc<Part>>> {
        if self.next == self.round.len() && !self.round.is_empty() {
            (self.part, self.next) = (None, 0);
            let mut part = self.parts.next()?;
            self.is_first = part.is_none();
            if part.is_none() {
                self.round = self.read()?;
                if !self.round.is_empty() {
                    self.parts.begin_again()?;
                    part = self.parts.next()?;
                }
            }
            self.part = part.map(Arc::new);
        }
        Ok(self.part.clone().filter(|_| !self.round.is_empty()))
    }

    /// The next queries, as [`gather`] counts them, and where they stand.
    pub fn next(
        &mut self,
        limits: (usize, usize),
        weight: impl Fn(usize) -> usize,
    ) -> Result<Option<(Records, usize, Place)>> {
        let first = self.next;
        let (round, next) = (&self.round, &mut self.next);
        let add = |some: &mut Records| {
            let is_left = *next < round.len();
            if is_left {
                some.extend(round, *next..*next + 1);
                *next += 1;
            }
            Ok(is_left)
        };
        let Some((queries, weighs)) = gather(add, limits, weight)? else { return Ok(None) };
        let ends_round = self.next == self.round.len() && self.parts.is_at_end()?;
        let place = Place {
            begins_part: first == 0,
            begins_round: self.is_first,
            ends_round: ends_round.then_some(self.round.len()),
        };
        Ok(Some((queries, weighs, place)))
    }
}

/// Queries that `add` adds one by one, and what they weigh: as many as have `residues` together, or weigh `limit`, one at least;
/// `None` at the end.
pub fn gather(
    mut add: impl FnMut(&mut Records) -> Result<bool>,
    (residues, limit): (usize, usize),
    weight: impl Fn(usize) -> usize,
) -> Result<Option<(Records, usize)>> {
    let (mut queries, mut weighs) = (Records::default(), 0_usize);
    while weighs < limit && queries.sequences().residues().len() < residues && queries.len() < RECORDS_MAX {
        if !add(&mut queries)? {
            break;
        }
        weighs = weighs.saturating_add(weight(queries.sequences().length(queries.len() - 1)));
    }
    Ok(Some((queries, weighs)).filter(|(queries, _)| !queries.is_empty()))
}
