//! The search of a batch: its slices pass through the slots.
//!
//! A slice is searched only after the next one was sent, so that the copy of the next is queued before the host begins to fill
//! the table: slice k is copied and packed when it is begun, and searched when slice k + 1 is begun or k is collected.

use super::slices::Slice;
use super::slot::Collected;
use super::table::{Plan, Range, Table};
use super::{Device, stage};
use crate::pattern::compare;
use crate::{Hit, Pattern, Records, Wildcards};
use cuda_std::U32x4;
use rayon::prelude::*;
use std::time::Instant;
use warpseq_device::error::{DeviceError, Result};
use warpseq_device::gpu::Gpu;
use warpseq_device::scope::Scope;
use warpseq_device::slots::Slices;
use warpseq_engine::profile;
use warpseq_gpu::tuning::TILE;

/// The search of one batch.
pub(super) struct Search<'s, 'env, G: Gpu> {
    device: &'s mut Device<G>,
    scope: &'s Scope<'env, G>,
    batch: &'env Records,
    slices: std::slice::Iter<'s, Slice>,
    /// The slot whose slice was sent, and not searched yet.
    sent: Option<(usize, &'s Slice)>,
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
        self.send(at, slice)?;
        if let Some((earlier, slice)) = self.sent.replace((at, slice)) {
            self.search(earlier, slice)?;
        }
        Ok(slice)
    }

    fn collect(&mut self, at: usize, slice: &'s Slice) -> Result<()> {
        if self.has_too_many() {
            return Ok(());
        }
        if let Some((at, slice)) = self.sent.take_if(|(sent, _)| *sent == at) {
            self.search(at, slice)?;
        }
        let _range = profile::range("collect");
        self.take(at, slice, Range { first: 0, end: slice.symbols })
    }
}

impl<'s, 'env, G: Gpu> Search<'s, 'env, G> {
    /// A search that stops soon after `most` hits.
    pub fn new(
        device: &'s mut Device<G>,
        (scope, batch): (&'s Scope<'env, G>, &'env Records),
        slices: &'s [Slice],
        most: usize,
    ) -> Self {
        Self { device, scope, batch, slices: slices.iter(), sent: None, hits: Vec::new(), most }
    }

    /// The hits, in the order of the slices; `None` when there are too many.
    pub fn hits(self) -> Option<Vec<Hit>> {
        if self.has_too_many() { None } else { Some(self.hits) }
    }

    fn has_too_many(&self) -> bool {
        self.hits.len() > self.most
    }

    /// Queues the copy and the packing of a slice. Before the first one go those of the patterns, which would otherwise wait for
    /// the slices queued ahead of them.
    fn send(&mut self, at: usize, slice: &Slice) -> Result<()> {
        let _range = profile::range("copy");
        let Device { gpu, settings, patterns, literal, odd, slots, table, filled, recorder, .. } = &mut *self.device;
        let (slot, unknown) = (&mut slots[at], if *literal { u32::MAX } else { 0 });
        recorder.mark(&slot.stream, None)?;
        if filled.is_none() && at == 0 {
            let table = match table {
                Some(table) => table,
                none => none.insert(Table::new(gpu, patterns, settings.entries)?),
            };
            table.load(&slot.stream, patterns, unknown)?;
            recorder.mark(&slot.stream, Some(stage::TABLE))?;
        }
        slot.upload(self.scope, slice, self.batch.sequences().residues(), settings.pinned)?;
        recorder.mark(&slot.stream, Some(stage::COPY_IN))?;
        slot.pack(unknown, *odd)?;
        recorder.mark(&slot.stream, Some(stage::PACK))
    }

    /// Queues the search of a slice; before the first one the filling of the table.
    fn search(&mut self, at: usize, slice: &Slice) -> Result<()> {
        let _range = profile::range("kernel");
        let Device { settings, slots, table, filled, recorder, .. } = &mut *self.device;
        let plan = Plan { algorithm: settings.algorithm, positions: self.batch.sequences().residues().len() as u64 };
        let (table, slot) = (table.as_mut().expect("`send` has made it"), &slots[at]);
        match filled {
            Some(filled) => slot.stream.wait_for(filled)?,
            None => {
                table.fill(slot, plan)?;
                *filled = Some(slot.stream.record()?);
                recorder.mark(&slot.stream, Some(stage::TABLE))?;
            }
        }
        self.queue(at, Range { first: 0, end: slice.symbols })
    }

    /// Queues the search of a range of what a slot holds, and the copy of what it finds.
    fn queue(&mut self, at: usize, range: Range) -> Result<()> {
        let Device { slots, table, recorder, .. } = &mut *self.device;
        let (table, slot) = (table.as_ref().expect("`send` has made it"), &mut slots[at]);
        table.search(slot, range)?;
        recorder.mark(&slot.stream, Some(stage::SEARCH))?;
        slot.fetch()?;
        recorder.mark(&slot.stream, Some(stage::COPY_OUT))
    }

    /// Takes the hits in a range of a slice, which was queued.
    fn take(&mut self, at: usize, slice: &Slice, range: Range) -> Result<()> {
        let began = Instant::now();
        let collected = self.device.slots[at].collect();
        self.device.recorder.add(stage::WAIT, began.elapsed());
        match collected? {
            Collected::All { found, odd } => self.keep(slice, &found, odd),
            Collected::TooMany => self.halve(at, slice, range),
        }
    }

    /// Searches the two halves of a range with more matches than a slot holds, unless there are too many already.
    fn halve(&mut self, at: usize, slice: &Slice, range: Range) -> Result<()> {
        let half = (range.end - range.first) / 2;
        let middle = range.first + if half > TILE { half.next_multiple_of(TILE) } else { half };
        for part in [Range { first: range.first, end: middle }, Range { first: middle, end: range.end }] {
            if self.has_too_many() {
                return Ok(());
            }
            self.device.recorder.mark(&self.device.slots[at].stream, None)?;
            self.queue(at, part)?;
            self.take(at, slice, part)?;
        }
        Ok(())
    }

    /// Turns what the device found into hits: each match is kept for the piece that owns its start, and confirmed on the bytes
    /// where the device could not tell them apart.
    fn keep(&mut self, slice: &Slice, found: &[U32x4], odd: bool) -> Result<()> {
        let patterns = &self.device.patterns;
        let starts = slice.pieces.iter().scan(0, |start, piece| Some(std::mem::replace(start, *start + piece.length)));
        let starts: Vec<u32> = starts.collect();
        let mut owned = Vec::with_capacity(found.len());
        for &U32x4([at, segment, pattern, wild]) in found {
            let start = starts.get(segment as usize);
            let inside = start.and_then(|start| at.checked_sub(*start)).ok_or_else(|| self.nonsense())?;
            let piece = slice.pieces[segment as usize];
            let length = patterns.get(pattern as usize).map(|pattern| pattern.bases().len() as u64);
            if length.is_none_or(|length| u64::from(inside) + length > u64::from(piece.length)) {
                return Err(self.nonsense());
            }
            if inside < piece.owned {
                owned.push(Hit {
                    sequence: piece.sequence,
                    pattern,
                    start: piece.offset + u64::from(inside),
                    wild,
                    mismatches: 0,
                });
            }
        }
        let confirmed = if odd { confirm(self.batch, patterns, owned) } else { owned };
        let numbers = &self.device.numbers;
        self.hits.extend(confirmed.into_iter().map(|hit| Hit { pattern: numbers[hit.pattern as usize], ..hit }));
        Ok(())
    }

    fn nonsense(&self) -> DeviceError {
        let message = "it reported a match outside every sequence, or of no signature".to_owned();
        DeviceError::Nonsense { device: self.device.gpu.name().to_owned(), message }
    }
}

/// The hits that are matches byte by byte, with their true number of wild positions. Under `--wildcards n`, bytes other than
/// A, C, G, T and N look wild to the device.
fn confirm(batch: &Records, patterns: &[Pattern], hits: Vec<Hit>) -> Vec<Hit> {
    hits.into_par_iter().filter_map(|hit| confirm_one(batch, patterns, hit)).collect()
}

fn confirm_one(batch: &Records, patterns: &[Pattern], hit: Hit) -> Option<Hit> {
    let pattern = &patterns[hit.pattern as usize];
    let sequence = &batch.sequence(hit.sequence as usize)[hit.start as usize..];
    compare(sequence, pattern, Wildcards::N).map(|found| Hit { wild: found.wild, ..hit })
}
