//! The search of a batch: its slices pass through the slots.
//!
//! A slice is copied, packed and searched when it is begun; the device works on it while the next one is copied.

use super::slices::Slice;
use super::slot::{Collected, Found};
use super::tables::Range;
use super::{BEFORE_PATTERNS, BEFORE_TABLES, Device, stage};
use crate::pattern::compare_bases;
use crate::seats::{Rule, Seats};
use crate::seeds::plan::{Queries, TOLD};
use crate::{Choice, Hit, Records, Wildcards};
use cuda_std::U32x4;
use rayon::prelude::*;
use std::time::Instant;
use warpseq_device::error::{DeviceError, Result};
use warpseq_device::gpu::Gpu;
use warpseq_device::scope::Scope;
use warpseq_device::slots::Slices;
use warpseq_engine::executor::{Parts, Watch};
use warpseq_engine::profile;
use warpseq_gpu::tuning::{SUMMED, TILE};

/// Matches that one thread turns into hits.
const FEW: usize = 1 << 12;

/// A slice whose matches fill more than this share of a slot has many: from then on, they are ranked where one of each pattern is wanted.
const DENSE: usize = 4;

/// The search of one batch.
pub(super) struct Search<'s, 'env, G: Gpu> {
    device: &'s mut Device<G>,
    scope: &'s Scope<'env, G>,
    batch: &'env Records,
    /// Which of the hits are kept.
    rule: Rule<'env>,
    slices: std::slice::Iter<'s, Slice>,
    /// Slices that are done.
    parts: Parts<'s>,
    /// Slots whose slice is to be searched when the tables are made, and which range of it.
    waiting: Vec<(usize, &'s Slice, Range)>,
    /// Of each slot, what its search must not mark, as it then leaves something out.
    partial: Vec<u32>,
    hits: Vec<Hit>,
    /// The most hits there is room for.
    most: usize,
}

impl<'s, G: Gpu> Slices for Search<'s, '_, G> {
    type Slice = &'s Slice;
    type Begun = &'s Slice;
    type Error = DeviceError;

    fn next(&mut self) -> Result<Option<&'s Slice>> {
        Ok(if self.has_too_many() { None } else { self.slices.next() })
    }

    fn begin(&mut self, at: usize, slice: &'s Slice) -> Result<&'s Slice> {
        if self.waiting.len() == BEFORE_TABLES {
            self.make_tables()?;
        }
        self.send(at, slice)?;
        if self.waiting.len() + 1 == BEFORE_PATTERNS && self.device.tables.is_none() {
            self.device.patterns()?;
        }
        let _range = profile::range("kernel");
        self.queue_waiting()?;
        self.queue(at, slice, Range { first: 0, end: slice.symbols })?;
        Ok(slice)
    }

    fn collect(&mut self, at: usize, slice: &'s Slice) -> Result<()> {
        if self.has_too_many() {
            return Ok(());
        }
        let _range = profile::range("collect");
        self.make_tables()?;
        self.queue_waiting()?;
        self.take(at, slice, Range { first: 0, end: slice.symbols })?;
        self.parts.add(1);
        Ok(())
    }
}

impl<'s, 'env, G: Gpu> Search<'s, 'env, G> {
    /// A search that stops soon after `most` hits.
    pub fn new(
        device: &'s mut Device<G>,
        (scope, batch): (&'s Scope<'env, G>, &'env Records),
        slices: &'s [Slice],
        (choice, most, watch): (Choice, usize, &'s dyn Watch),
    ) -> Self {
        let partial = vec![0; device.slots.len()];
        let parts = Parts::new(watch, slices.len());
        let (slices, waiting, hits) = (slices.iter(), Vec::new(), Vec::new());
        let rule = Rule::new(choice, batch);
        Self { device, scope, batch, rule, slices, parts, waiting, partial, hits, most }
    }

    /// The hits, in the order of the slices or, where patterns are in parts, of sequences; `None` when there are too many.
    pub fn hits(self) -> Option<Vec<Hit>> {
        if self.has_too_many() {
            return None;
        }
        let mut hits = self.hits;
        // A match in parts that are in both halves of a range is found in both.
        if self.device.tables.as_ref().is_some_and(|tables| tables.scattered) {
            hits.par_sort_unstable();
            hits.dedup();
        }
        Some(hits)
    }

    fn has_too_many(&self) -> bool {
        self.hits.len() > self.most
    }

    /// Queues the copy and the packing of a slice.
    fn send(&mut self, at: usize, slice: &Slice) -> Result<()> {
        let _range = profile::range("copy");
        let Device { settings, literal, odd, slots, recorder, .. } = &mut *self.device;
        let slot = &mut slots[at];
        recorder.mark(&slot.stream, None)?;
        slot.upload(self.scope, slice, self.batch.sequences().residues(), settings.pinned)?;
        recorder.mark(&slot.stream, Some(stage::COPY_IN))?;
        slot.pack(unknown(*literal), *odd)?;
        recorder.mark(&slot.stream, Some(stage::PACK))
    }

    /// Makes the tables, while the first slices are copied and packed.
    fn make_tables(&mut self) -> Result<()> {
        self.device.make_tables(self.batch.sequences().residues())
    }

    /// Queues the search of the slices that wait for tables, if these are there.
    fn queue_waiting(&mut self) -> Result<()> {
        if self.device.tables.is_none() {
            return Ok(());
        }
        std::mem::take(&mut self.waiting).into_iter().try_for_each(|(at, slice, range)| self.queue(at, slice, range))
    }

    /// Queues the search of a range of the slice that a slot holds, and the copy of what it finds; for later, where there are no tables yet.
    fn queue(&mut self, at: usize, slice: &'s Slice, range: Range) -> Result<()> {
        let ranked = self.device.ranked(at, self.rule);
        let Device { slots, tables, recorder, .. } = &mut *self.device;
        let Some(tables) = tables else {
            self.waiting.push((at, slice, range));
            return Ok(());
        };
        let slot = &mut slots[at];
        self.partial[at] = tables.lacking();
        slot.rank(ranked, slice, self.rule.qualities())?;
        tables.search(slot, range)?;
        recorder.mark(&slot.stream, Some(stage::SEARCH))?;
        slot.fetch()?;
        recorder.mark(&slot.stream, Some(stage::COPY_OUT))
    }

    /// Takes the hits in a range of a slice, which was queued.
    fn take(&mut self, at: usize, slice: &'s Slice, range: Range) -> Result<()> {
        let began = Instant::now();
        let collected = self.device.slots[at].collect();
        self.device.recorder.add(stage::WAIT, began.elapsed());
        match collected? {
            Collected::All(Found { marked, .. }) if marked & self.partial[at] != 0 => {
                self.device.add_tables(at, marked)?;
                self.queue(at, slice, range)?;
                self.take(at, slice, range)
            }
            Collected::All(found) => {
                self.device.is_dense |= found.matches.len() > self.device.slots[at].room() / DENSE;
                self.keep(slice, &found)
            }
            Collected::TooMany if self.begins_ranking(at) => {
                self.queue(at, slice, range)?;
                self.take(at, slice, range)
            }
            Collected::TooMany => self.halve(at, slice, range),
        }
    }

    /// Whether matches are ranked since the slot has had too many, and were not before.
    fn begins_ranking(&mut self, at: usize) -> bool {
        let was_dense = std::mem::replace(&mut self.device.is_dense, true);
        !was_dense && self.device.ranked(at, self.rule).ranks > 0
    }

    /// Searches a range with more matches than a slot holds again, with more room if there may be; or else its two halves, unless
    /// there are too many already.
    fn halve(&mut self, at: usize, slice: &'s Slice, range: Range) -> Result<()> {
        if self.device.may_grow(at) {
            return self.make_room(at, slice, range);
        }
        let half = (range.end - range.first) / 2;
        if half == 0 {
            return self.make_room(at, slice, range);
        }
        let middle = range.first + if half > TILE { half.next_multiple_of(TILE) } else { half };
        for part in [Range { first: range.first, end: middle }, Range { first: middle, end: range.end }] {
            if self.has_too_many() {
                return Ok(());
            }
            self.device.recorder.mark(&self.device.slots[at].stream, None)?;
            self.queue(at, slice, part)?;
            self.take(at, slice, part)?;
        }
        Ok(())
    }

    /// Searches a range again with room for twice as many matches.
    fn make_room(&mut self, at: usize, slice: &'s Slice, range: Range) -> Result<()> {
        self.device.slots[at].grow()?;
        self.queue(at, slice, range)?;
        self.take(at, slice, range)
    }

    /// Turns what the device found into hits: each match is kept once, for the piece that owns its start, and confirmed on the bytes
    /// where the device could not tell them apart.
    fn keep(&mut self, slice: &Slice, found: &Found) -> Result<()> {
        let (queries, odd) = (&self.device.queries, found.odd);
        let starts = slice.pieces.iter().scan(0, |start, piece| Some(std::mem::replace(start, *start + piece.length)));
        let starts: Vec<u32> = starts.collect();
        // Those that are to be confirmed tell nothing before.
        let rule = if odd { Rule::new(Choice::All, self.batch) } else { self.rule };
        // Another one of its pattern in its piece is better. Those that the device has not ranked by where they begin stay.
        let by_quality = !self.rule.qualities().is_empty();
        let is_beaten = |segment: usize, length: usize, &U32x4([at, pattern, wild, mismatches]): &U32x4| {
            let least = found.least.get(segment * queries.all.len() + pattern as usize);
            let is_ranked = !odd && (wild | mismatches) >> 16 == 0 && !(by_quality && length > SUMMED as usize);
            is_ranked && least.is_some_and(|&least| least as u32 != at)
        };
        // `None`: outside every piece, or of no pattern. `Some(None)`: another piece owns it, or it is beaten.
        let hit = |found: &U32x4| {
            let &U32x4([at, pattern, wild, mismatches]) = found;
            let segment = starts.partition_point(|&start| start <= at).checked_sub(1)?;
            let (piece, inside) = (slice.pieces[segment], at - starts[segment]);
            let query = queries.all.get(pattern as usize)?;
            let start = piece.offset + u64::from(inside);
            let pattern = if odd { pattern } else { query.pattern };
            let hit = Hit { sequence: piece.sequence, pattern, start, wild, mismatches };
            let is_inside = u64::from(inside) + query.length() as u64 <= u64::from(piece.length);
            let is_wanted = inside < piece.owned && !is_beaten(segment, query.length(), found);
            is_inside.then_some(is_wanted.then_some((hit, query.length())))
        };
        let of_some = |seats: &mut Seats, found: &[U32x4]| {
            let mut hits = Vec::new();
            for found in found {
                if let Some(hit) = hit(found)? {
                    seats.keep(rule, &mut hits, hit);
                }
            }
            Some(hits)
        };
        // The more a thread sees, the more it leaves out.
        let some = FEW.max(found.matches.len() / (4 * rayon::current_num_threads()));
        let owned: Option<Vec<Vec<Hit>>> = found.matches.par_chunks(some).map_init(Seats::default, of_some).collect();
        let mut owned = owned.ok_or_else(|| self.nonsense())?.concat();
        if self.device.tables.as_ref().is_some_and(|tables| tables.doubles) {
            owned.par_sort_unstable();
            owned.dedup();
        }
        let confirmed = if odd { confirm(self.batch, queries, owned) } else { owned };
        if self.hits.is_empty() {
            self.hits = confirmed;
        } else {
            self.hits.extend(confirmed);
        }
        Ok(())
    }

    fn nonsense(&self) -> DeviceError {
        let message = "it reported a match outside every sequence, or of no signature".to_owned();
        DeviceError::Nonsense { device: self.device.gpu.name().to_owned(), message }
    }
}

/// What a byte without a meaning is on the device, as in [`warpseq_gpu::abi::PackArgs`].
pub(super) fn unknown(literal: bool) -> u32 {
    if literal { u32::MAX } else { 0 }
}

/// The hits of queries that are matches byte by byte, as those of patterns, with their true numbers of wild positions and mismatches. Under `--wildcards n`, bytes
/// other than A, C, G, T and N look wild to the device, or like others.
fn confirm(batch: &Records, queries: &Queries, hits: Vec<Hit>) -> Vec<Hit> {
    hits.into_par_iter().filter_map(|hit| confirm_one(batch, queries, hit)).collect()
}

fn confirm_one(batch: &Records, queries: &Queries, hit: Hit) -> Option<Hit> {
    let query = &queries.all[hit.pattern as usize];
    let sequence = &batch.sequence(hit.sequence as usize)[hit.start as usize..];
    let found = compare_bases(sequence, (queries.symbols(query, &mut [0; TOLD]), query.limits), Wildcards::N)?;
    Some(Hit { pattern: query.pattern, wild: found.wild, mismatches: found.mismatches, ..hit })
}
