//! `scan` on a GPU, or on the emulator: the host's side of the search (the device's side: `warpseq_gpu::scan`).
//!
//! ```text
//! batch -> slices -> slot 0: copy | pack | search |collect
//!                    slot 1:        copy | pack | search |collect
//!                    slot 2:               copy | pack | search |collect
//! ```
//!
//! The first slice's windows also choose the anchors; the table they give serves the whole run. A search that finds more
//! matches than its slot holds is repeated on the two halves of its positions, down to single positions, where there cannot
//! be more matches than patterns: nothing is dropped.

mod confirm;
mod launch;
mod patterns;
mod slices;
mod slot;
mod table;
mod times;

use super::{Algorithm, Hit, Job, Matching, Options, Pattern, Records, Wildcards};
use cuda_std::U32x4;
use slices::{Cut, Slice};
pub use slot::Capacity;
use slot::{Collected, Slot};
use std::sync::Arc;
use std::time::Instant;
use table::{Plan, Range, Table};
pub use times::Times;
use times::{Recorder, Stage};
use warpseq_device::gpu::Gpu;
use warpseq_engine::error::{DeviceError, Error};
use warpseq_engine::executor::Executor;
use warpseq_engine::profile;
use warpseq_gpu::tuning::{PATTERNS_MAX, TILE};

/// How a device is used.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How matches are searched.
    pub algorithm: Algorithm,
    /// The most symbols of a slice. A multiple of the tile; raised when patterns are longer than a quarter of it.
    pub slice: u32,
    /// The most matches a slot holds; raised to the number of patterns.
    pub matches: u32,
    /// The most entries of the anchor table's lists together, 8 bytes each; patterns beyond are tried everywhere.
    pub entries: u64,
    /// Batches are pinned: their letters are copied straight to the device.
    pub pinned: bool,
    /// Stages are timed for [`Device::times`], one after the other in one slot: slower than a search that is not timed.
    pub timed: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Auto,
            slice: 64 << 20,
            matches: 1 << 18,
            entries: 1 << 27,
            pinned: false,
            timed: false,
        }
    }
}

/// Slices in flight.
const SLOTS: usize = 3;

/// The search engine on one GPU.
pub struct Device<G: Gpu> {
    gpu: Arc<G>,
    settings: Settings,
    /// The patterns searched here, and the number of each in the run.
    patterns: Vec<Pattern>,
    numbers: Vec<u32>,
    literal: bool,
    odd: bool,
    slots: Vec<Slot<G>>,
    capacity: Capacity,
    table: Option<Table<G>>,
    /// The point in a stream after which the table is filled; `None` until it is begun.
    filled: Option<G::Event>,
    recorder: Recorder<G>,
}

impl<G: Gpu> Device<G> {
    /// An engine for `patterns`. Device memory is taken at the first batch.
    ///
    /// # Errors
    /// More patterns, or a longer one, than an entry of the anchor table can name.
    pub fn new(gpu: Arc<G>, options: &Options, patterns: &[Pattern], settings: Settings) -> Result<Self, Error> {
        let literal = options.wildcards == Wildcards::N;
        let can_match =
            |p: &&Pattern| p.wild_limit() as usize >= p.bases().len() || confirm::has_informative(p, literal);
        let numbers = (0..).zip(patterns).filter(|(_, p)| can_match(p)).map(|(k, _)| k).collect();
        let patterns: Vec<Pattern> = patterns.iter().filter(can_match).cloned().collect();
        let longest = patterns.iter().map(|p| p.bases().len()).max().unwrap_or(0);
        if patterns.len() > PATTERNS_MAX as usize || longest > 1 << 28 {
            let message = "too many signatures, or one too long, for the device: use --device cpu";
            return Err(DeviceError::Unavailable(message.into()).into());
        }
        let odd = literal && patterns.iter().any(|p| !p.bases().iter().all(|b| b"ACGTN".contains(b)));
        let capacity = Capacity { symbols: 0, pieces: 0, matches: 0 };
        let (slots, recorder) = (Vec::new(), Recorder::new(settings.timed));
        Ok(Self {
            gpu,
            settings,
            patterns,
            numbers,
            literal,
            odd,
            slots,
            capacity,
            table: None,
            filled: None,
            recorder,
        })
    }

    /// Makes the next batch copy the patterns and fill their table anew, for measuring. Device memory stays.
    pub fn forget_table(&mut self) {
        self.filled = None;
    }

    /// How long the stages of the last `find` took; zeros unless the device is `timed`.
    ///
    /// # Errors
    /// What the device says.
    pub fn times(&self) -> Result<Times, Error> {
        Ok(self.recorder.times(&self.gpu)?)
    }

    /// Sees to slots that hold slices of this batch.
    fn make_room(&mut self, batch: &Records, longest: usize) -> Result<(), DeviceError> {
        let total = batch.sequences().residues().len().max(1) as u64;
        let wanted = u64::from(self.settings.slice).max(4 * longest as u64).min(total.max(2 * longest as u64));
        let symbols = wanted.next_multiple_of(u64::from(TILE)) as u32;
        let pieces = batch.len().min(symbols as usize).clamp(1, 1 << 20);
        let matches = self.settings.matches.max(self.patterns.len() as u32);
        if symbols <= self.capacity.symbols && pieces <= self.capacity.pieces {
            return Ok(());
        }
        let (symbols, pieces) = (symbols.max(self.capacity.symbols), pieces.max(self.capacity.pieces));
        self.slots.clear();
        self.capacity = Capacity { symbols: 0, pieces: 0, matches: 0 };
        let capacity = Capacity { symbols, pieces, matches };
        let most = if self.settings.timed { 1 } else { SLOTS };
        let slots = most.min(total.div_ceil(u64::from(symbols)) as usize);
        for _ in 0..slots.max(1) {
            self.slots.push(Slot::new(&self.gpu, capacity, !self.settings.pinned)?);
        }
        self.capacity = capacity;
        Ok(())
    }

    fn search(&mut self, batch: &Records, slices: &[Slice], most: usize) -> Result<Option<Vec<Hit>>, DeviceError> {
        let found = self.search_slices(batch, slices, most);
        if !matches!(found, Ok(Some(_))) {
            // Copies from the batch may still be under way. What waiting says is known already.
            self.slots.iter().for_each(|slot| drop(self.gpu.synchronize(&slot.stream)));
        }
        found
    }

    /// Slice k is copied and packed at step k, searched at step k + 1, collected at step k + slots - 1 or the end.
    /// `None` as soon as there are more than `most` matches.
    fn search_slices(
        &mut self,
        batch: &Records,
        slices: &[Slice],
        most: usize,
    ) -> Result<Option<Vec<Hit>>, DeviceError> {
        let slots = self.slots.len();
        let mut found = Found { hits: Vec::new(), most };
        for step in 0..slices.len() + slots {
            if step < slices.len() {
                self.send(batch, &slices[step], step % slots)?;
            }
            let searched = if slots == 1 { Some(step) } else { step.checked_sub(1) };
            if let Some(k) = searched.filter(|&k| k < slices.len()) {
                self.begin(&slices[k], k % slots, batch.sequences().residues().len() as u64)?;
            }
            if let Some(k) = (step + 1).checked_sub(slots).filter(|&k| k < slices.len()) {
                self.finish(batch, &slices[k], k % slots, &mut found)?;
                if found.are_too_many() {
                    return Ok(None);
                }
            }
        }
        Ok(Some(found.hits))
    }

    /// Queues the copy and the packing of a slice; before the first one those of the patterns, which a slice behind it in the
    /// queue would keep waiting.
    fn send(&mut self, batch: &Records, slice: &Slice, at: usize) -> Result<(), DeviceError> {
        let _range = profile::range("copy");
        let (unknown, odd) = (self.unknown(), self.odd);
        let slot = &mut self.slots[at];
        self.recorder.mark(&self.gpu, &slot.stream, None)?;
        if self.filled.is_none() && at == 0 {
            let table = match &mut self.table {
                Some(table) => table,
                none => none.insert(Table::new(&self.gpu, &self.patterns, self.settings.entries)?),
            };
            // SAFETY: every slot was waited for at the end of the last batch, which the last `load` came before.
            unsafe { table.load(&self.gpu, &slot.stream, &self.patterns, unknown)? };
            self.recorder.mark(&self.gpu, &slot.stream, Some(Stage::Table))?;
        }
        // SAFETY: every slot is waited for before `search` returns, and the batch is borrowed until then.
        unsafe { slot.upload(slice, batch.sequences().residues())? };
        self.recorder.mark(&self.gpu, &slot.stream, Some(Stage::CopyIn))?;
        slot.pack(&self.gpu, unknown, odd)?;
        self.recorder.mark(&self.gpu, &slot.stream, Some(Stage::Pack))
    }

    fn unknown(&self) -> u32 {
        if self.literal { u32::MAX } else { 0 }
    }

    /// Queues the search of a slice of a batch of `positions` symbols; before the first one the filling of the table.
    fn begin(&mut self, slice: &Slice, at: usize, positions: u64) -> Result<(), DeviceError> {
        let _range = profile::range("kernel");
        let plan = Plan { algorithm: self.settings.algorithm, positions };
        let (table, slot) = (self.table.as_mut().expect("send has made it"), &self.slots[at]);
        match &self.filled {
            Some(filled) => self.gpu.wait(&slot.stream, filled)?,
            None => {
                table.fill(&self.gpu, slot, plan)?;
                self.filled = Some(self.gpu.record(&slot.stream)?);
                self.recorder.mark(&self.gpu, &slot.stream, Some(Stage::Table))?;
            }
        }
        self.queue(at, Range { first: 0, end: slice.symbols })
    }

    /// Queues the search of a range of what a slot holds, and the copy of what it finds.
    fn queue(&mut self, at: usize, range: Range) -> Result<(), DeviceError> {
        let (table, slot) = (self.table.as_ref().expect("begin has built it"), &mut self.slots[at]);
        table.search(&self.gpu, slot, range)?;
        self.recorder.mark(&self.gpu, &slot.stream, Some(Stage::Search))?;
        slot.fetch()?;
        self.recorder.mark(&self.gpu, &slot.stream, Some(Stage::CopyOut))
    }

    fn collect(&mut self, at: usize) -> Result<Collected, DeviceError> {
        let began = Instant::now();
        let collected = self.slots[at].collect(&self.gpu);
        self.recorder.add(Stage::Wait, began.elapsed());
        collected
    }

    /// Takes the matches of a slice.
    fn finish(&mut self, batch: &Records, slice: &Slice, at: usize, hits: &mut Found) -> Result<(), DeviceError> {
        let _range = profile::range("collect");
        match self.collect(at)? {
            Collected::All { found, odd } => self.take(batch, slice, (&found, odd), &mut hits.hits)?,
            Collected::TooMany => self.halve(batch, slice, at, Range { first: 0, end: slice.symbols }, hits)?,
        }
        Ok(())
    }

    /// Searches the two halves of a range with more matches than a slot holds, unless there are too many already.
    fn halve(
        &mut self,
        batch: &Records,
        slice: &Slice,
        at: usize,
        range: Range,
        hits: &mut Found,
    ) -> Result<(), DeviceError> {
        let half = (range.end - range.first) / 2;
        let middle = range.first + if half > TILE { half.next_multiple_of(TILE) } else { half };
        for part in [Range { first: range.first, end: middle }, Range { first: middle, end: range.end }] {
            if hits.are_too_many() {
                return Ok(());
            }
            self.recorder.mark(&self.gpu, &self.slots[at].stream, None)?;
            self.queue(at, part)?;
            match self.collect(at)? {
                Collected::All { found, odd } => self.take(batch, slice, (&found, odd), &mut hits.hits)?,
                Collected::TooMany => self.halve(batch, slice, at, part, hits)?,
            }
        }
        Ok(())
    }

    /// Turns what the device found into hits: each match is taken from the piece that owns its start, and confirmed on the
    /// letters where the device could not tell them apart.
    fn take(
        &self,
        batch: &Records,
        slice: &Slice,
        (found, odd): (&[U32x4], bool),
        hits: &mut Vec<Hit>,
    ) -> Result<(), DeviceError> {
        let mut piece_starts = Vec::with_capacity(slice.pieces.len());
        let mut start = 0;
        for piece in &slice.pieces {
            piece_starts.push(start);
            start += piece.length;
        }
        let mut owned = Vec::with_capacity(found.len());
        for &U32x4([at, segment, pattern, wild]) in found {
            let start = piece_starts.get(segment as usize);
            let inside = start.and_then(|start| at.checked_sub(*start)).ok_or_else(|| self.nonsense())?;
            let piece = slice.pieces[segment as usize];
            let length = self.patterns.get(pattern as usize).map(|pattern| pattern.bases().len() as u64);
            if length.is_none_or(|length| u64::from(inside) + length > u64::from(piece.length)) {
                return Err(self.nonsense());
            }
            if inside < piece.owned {
                owned.push(Hit { sample: piece.sample, pattern, start: piece.offset + u64::from(inside), wild });
            }
        }
        let confirmed = if odd { confirm::confirm(batch, &self.patterns, owned) } else { owned };
        hits.extend(confirmed.into_iter().map(|hit| Hit { pattern: self.numbers[hit.pattern as usize], ..hit }));
        Ok(())
    }

    fn nonsense(&self) -> DeviceError {
        let message = "a match was found that lies in no sample, or is of no signature".to_owned();
        DeviceError::Nonsense { device: self.gpu.name().to_owned(), message }
    }
}

/// The matches so far, and how many there may be.
struct Found {
    hits: Vec<Hit>,
    most: usize,
}

impl Found {
    fn are_too_many(&self) -> bool {
        self.hits.len() > self.most
    }
}

impl<G: Gpu> Executor<Matching> for Device<G> {
    fn compute(&mut self, Job { batch, most }: Job, output: &mut Option<Vec<Hit>>) -> Result<(), Error> {
        let lengths = || self.patterns.iter().map(|p| p.bases().len());
        let (Some(shortest), Some(longest)) = (lengths().min(), lengths().max()) else {
            *output = Some(Vec::new());
            return Ok(());
        };
        self.recorder.clear();
        let began = Instant::now();
        self.make_room(batch, longest)?;
        self.recorder.add(Stage::Allocate, began.elapsed());
        let Capacity { symbols, pieces, .. } = self.capacity;
        let cut = Cut { symbols, pieces, shortest: shortest as u64, longest: longest as u64 };
        let slices = cut.slices(batch.sequences().starts());
        *output = self.search(batch, &slices, most)?;
        Ok(())
    }
}
