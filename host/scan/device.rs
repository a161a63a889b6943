//! `scan` on a GPU, or on the emulator: the host's side of the search (the device's side: `warpseq_gpu::scan`).
//!
//! ```text
//! batch -> slices -> slot 0: copy | pack | search |collect
//!                    slot 1:        copy | pack | search |collect
//!                    slot 2:               copy | pack | search |collect
//! ```
//!
//! The anchors are chosen by the windows of the first slice, and their table serves the whole run. A search that finds more
//! matches than its slot holds is repeated on the two halves of its positions, down to single positions, which cannot have
//! more matches than there are patterns: nothing is dropped.

mod launch;
mod patterns;
mod search;
mod slices;
mod slot;
mod table;

use super::{Algorithm, Hit, Job, Matching, Options, Pattern, Records, Wildcards};
use search::Search;
use slices::Cut;
pub use slot::Capacity;
use slot::Slot;
use std::sync::Arc;
use std::time::Instant;
use table::Table;
use warpseq_device::gpu::Gpu;
use warpseq_device::scope::scope;
use warpseq_device::slots::pass_through;
use warpseq_device::timings::{Recorder, Timings};
use warpseq_engine::error::{DeviceError, Error};
use warpseq_engine::executor::Executor;
use warpseq_gpu::tuning::TILE;

/// The stages of a search.
pub mod stage {
    use warpseq_device::timings::Stage;

    /// Bases and starts to the device.
    pub const COPY_IN: Stage = Stage::copy("copy in");
    /// Bases to planes and digits.
    pub const PACK: Stage = Stage::kernel("pack");
    /// Building the anchor table, with its copies and allocations.
    pub const TABLE: Stage = Stage::kernel("table");
    /// The search kernels.
    pub const SEARCH: Stage = Stage::kernel("search");
    /// Counts and matches to the host.
    pub const COPY_OUT: Stage = Stage::copy("copy out");
    /// Taking the slots' memory: 0 when it was there.
    pub const ALLOCATE: Stage = Stage::host("allocate");
    /// Waiting for the device to end a slice.
    pub const WAIT: Stage = Stage::host("wait");
}

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
    /// Batches are pinned: their bases are copied straight to the device.
    pub pinned: bool,
    /// Stages are timed for [`Device::timings`]. They run one after another in one slot, which is slower.
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

/// The most patterns: of more, each position has hundreds of candidates, and the CPU is faster.
const PATTERNS: usize = 1 << 18;

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
    /// More than 262,144 patterns, a longer one than an entry of the anchor table can name, or one that allows mismatches.
    pub fn new(gpu: Arc<G>, options: &Options, patterns: &[Pattern], settings: Settings) -> Result<Self, Error> {
        if patterns.iter().any(|p| p.limits().mismatches > 0) {
            let message = "mismatches are searched for by the CPU only: use --device cpu";
            return Err(DeviceError::Unavailable(message.into()).into());
        }
        let literal = options.wildcards == Wildcards::N;
        let can_match = |p: &&Pattern| p.limits().wild as usize >= p.bases().len() || has_informative(p, literal);
        let numbers = (0..).zip(patterns).filter(|(_, p)| can_match(p)).map(|(k, _)| k).collect();
        let patterns: Vec<Pattern> = patterns.iter().filter(can_match).cloned().collect();
        let longest = patterns.iter().map(|p| p.bases().len()).max().unwrap_or(0);
        if patterns.len() > PATTERNS || longest > 1 << 28 {
            let message = "there are too many signatures for the device, or one is too long: use --device cpu";
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

    /// How long the stages of the last batch took. Stages of the device are included only when it is `timed`.
    ///
    /// # Errors
    /// Those of the device.
    pub fn timings(&self) -> Result<Timings, Error> {
        Ok(self.recorder.timings(&self.gpu)?)
    }

    /// Makes slots that hold slices of this batch, unless there are such slots.
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
            self.slots.push(Slot::new(&self.gpu, capacity, self.settings.pinned)?);
        }
        self.capacity = capacity;
        Ok(())
    }

    /// Every match in a batch, through the slots; `None` when there are more than `most`.
    fn search(&mut self, batch: &Records, cut: Cut, most: usize) -> Result<Option<Vec<Hit>>, DeviceError> {
        let slices = cut.slices(batch.sequences().starts(), batch.sequences().residues());
        scope(|scope| {
            self.slots.iter().for_each(|slot| scope.include(&slot.stream));
            let slots = self.slots.len();
            let mut search = Search::new(self, (scope, batch), &slices, most);
            pass_through(slots, &mut search)?;
            Ok(search.hits())
        })
    }
}

/// Whether the pattern has a symbol that is not wild, so that a match with fewer wild positions than symbols can exist.
fn has_informative(pattern: &Pattern, literal: bool) -> bool {
    if literal {
        pattern.bases().iter().any(|&b| b != b'N')
    } else {
        pattern.bases().iter().any(|b| b"ACGTUacgtu".contains(b))
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
        self.recorder.add(stage::ALLOCATE, began.elapsed());
        let Capacity { symbols, pieces, .. } = self.capacity;
        // Under IUPAC rules `n` and `.` are wild, too, but long runs are of one byte.
        let is_never_wild = self.patterns.iter().all(|p| (p.limits().wild as usize) < p.bases().len());
        let left_out = is_never_wild.then_some(b'N');
        let cut = Cut { symbols, pieces, shortest: shortest as u64, longest: longest as u64, left_out };
        *output = self.search(batch, cut, most)?;
        Ok(())
    }
}
