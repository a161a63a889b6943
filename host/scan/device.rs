//! `scan` on a GPU, or on the emulator: the host's side of the search (the device's side: `warpseq_gpu::scan`).
//!
//! ```text
//! batch -> slices -> slot 0: copy | pack | search |collect
//!                    slot 1:        copy | pack | search |collect
//!                    slot 2:               copy | pack | search |collect
//! ```
//!
//! What is searched for, and how, is decided on the host from the first batch ([`crate::seeds`], as for the CPU), and serves the
//! whole run. A search that finds more matches than its slot holds is repeated on the two halves of its positions, down to
//! single positions, which cannot have more matches than there is room for: nothing is dropped.

mod launch;
mod patterns;
mod resident;
mod search;
mod slices;
mod slot;
mod tables;

use super::cpu::Cpu;
use super::passes::Turn;
use super::run::crowded::Density;
use super::seats::Rule;
use super::seeds::Frequencies;
use super::seeds::plan::{Machine, Plan, Queries, Query};
use super::{Algorithm, Hit, Job, Limits, Matching, Options, Pattern, Records, Wildcards};
use cuda_std::U32x4;
use patterns::DevicePatterns;
use rayon::prelude::*;
use resident::{Resident, Residents};
use search::Search;
use slices::Cut;
pub use slot::Capacity;
use slot::{Ranked, Slot};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};
use tables::Tables;
use warpseq_device::gpu::Gpu;
use warpseq_device::scope::scope;
use warpseq_device::slots::pass_through;
use warpseq_device::stream::Stream;
use warpseq_device::timings::{Recorder, Timings};
use warpseq_engine::error::{DeviceError, Error};
use warpseq_engine::executor::{Executor, Patient, Watch};
use warpseq_gpu::tuning::{SUMMED, TILE};
use warpseq_seq::iupac::digits;

/// The stages of a search.
pub mod stage {
    use warpseq_device::timings::Stage;

    /// Bases and starts to the device.
    pub const COPY_IN: Stage = Stage::copy("copy in");
    /// Bases to planes and digits.
    pub const PACK: Stage = Stage::kernel("pack");
    /// Making the tables, and their copies and allocations: 0 after the first batch.
    pub const TABLE: Stage = Stage::host("table");
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
    /// The matches a slot holds at first; raised where there are more, as long as memory allows, and so far that those of one position fit.
    pub matches: u32,
    /// Up to how many that is raised: of a slice with more, its halves are searched.
    pub most_matches: u32,
    /// Device memory for everything, in bytes: slices are made so small that it is enough.
    pub memory: usize,
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
            most_matches: 1 << 22,
            memory: usize::MAX,
            pinned: false,
            timed: false,
        }
    }
}

/// Slices in flight: enough that the first ones are copied while the tables are made.
const SLOTS: usize = 5;
/// Slices that are sent before patterns and tables are: these wait for all that is to be copied before them, and while they are made, there is to be
/// something to copy.
const BEFORE_PATTERNS: usize = 2;
const BEFORE_TABLES: usize = 3;

/// The most symbols of tiles that are listed together: the bits of so many codes, 128 KB, fit in shared memory.
const TOGETHER: usize = 10;

/// Pieces and patterns, multiplied, up to which matches are ranked: 32 MB.
const RANKS_MOST: usize = 1 << 22;

/// The most pieces of a slice.
const PIECES_MOST: usize = 1 << 20;

/// Device memory of a slot for each symbol, in bytes, rounded up: its base, planes, digits, hard positions, marks.
const BYTES_PER_SYMBOL: usize = 3;
/// The least slice worth a launch, in symbols; raised when patterns are longer.
const LEAST_SLICE: usize = 1 << 16;

/// More bytes than the tables take: some of 13 symbols, however few the patterns are, and of each pattern a span of 4096 codes and three of 16,384,
/// with mismatches for each of these as many.
const TABLES_MOST: (usize, usize) = (4 << 30, 500 << 10);

/// Device memory for slices of the default size and the matches in them, in bytes, and the least that is of use.
pub fn memory() -> (usize, usize) {
    let Settings { slice, matches, .. } = Settings::default();
    let of_slice = |symbols: usize| SLOTS * (size_of::<U32x4>() * matches as usize + symbols * BYTES_PER_SYMBOL);
    (of_slice(slice as usize), of_slice(LEAST_SLICE))
}

/// What the engines of a run have in common on the host, for the same patterns under the same options: made by the first of them. Those
/// on the CPU take part where patterns are encoded for them as for devices: under IUPAC rules.
#[derive(Default)]
pub struct Shared {
    queries: OnceLock<Arc<Queries>>,
    extent: OnceLock<Extent>,
    decided: Arc<OnceLock<Decided>>,
    residents: Residents,
    /// The engine on the CPU for all patterns.
    pub(crate) cpu: OnceLock<Cpu>,
    /// Of the batches searched so far.
    pub(crate) density: Density,
    /// How much later than computing allows devices end the run.
    pub(crate) late: Duration,
    /// The tables in memory where there is room for one group's at a time, of the executor that has had its turn last.
    pub(crate) turn: Turn,
}

impl Shared {
    /// The patterns, encoded for the devices.
    pub(crate) fn queries(&self, patterns: &[Pattern], literal: bool) -> Arc<Queries> {
        self.queries.get_or_init(|| Arc::new(patterns::queries(patterns, literal))).clone()
    }

    fn extent(&self, queries: &Queries) -> Extent {
        *self.extent.get_or_init(|| Extent::of(queries))
    }

    /// Decides how devices search, by bases of the first batch, before there is a device: a driver takes as long to start as this
    /// takes for a million patterns. Windows are made meanwhile on other threads.
    pub(crate) fn decide(&self, patterns: &[Pattern], wildcards: Wildcards, algorithm: Algorithm, bases: &[u8]) {
        let queries = self.queries(patterns, wildcards == Wildcards::N);
        self.extent(&queries);
        let mut is_new = false;
        self.decided.get_or_init(|| {
            is_new = true;
            Decided::by(bases, &queries, algorithm)
        });
        if is_new {
            let decided = self.decided.clone();
            rayon::spawn(move || {
                let Decided { plan, frequencies } = decided.get().expect("it was made above");
                plan.make_all_windows(frequencies, &queries);
            });
        }
    }

    /// Bytes that patterns and tables take on a device, when that has been decided.
    pub(crate) fn bytes(&self) -> Option<usize> {
        Some(bytes_of(self.queries.get()?, &self.decided.get()?.plan))
    }
}

/// Bytes that patterns and their tables take on a device.
fn bytes_of(queries: &Queries, plan: &Plan) -> usize {
    patterns::bytes_of(queries) + tables::bytes_of(queries, plan)
}

/// How each pattern is searched, by how often windows occur in the first batch.
struct Decided {
    frequencies: Frequencies,
    plan: Plan,
}

impl Decided {
    fn by(bases: &[u8], queries: &Queries, algorithm: Algorithm) -> Self {
        let frequencies = Frequencies::of(bases, digits(Wildcards::Iupac));
        let machine = Machine { together: TOGETHER, vector: None, follows: false };
        let plan = Plan::new(queries, &frequencies, algorithm, machine);
        Self { frequencies, plan }
    }
}

/// What every batch asks about the patterns: there may be millions, so it is counted once.
#[derive(Clone, Copy)]
struct Extent {
    /// Symbols of the shortest and of the longest pattern, if there are any.
    lengths: Option<[usize; 2]>,
    /// The most wild symbols of a match, if none may have all of its symbols wild.
    most_wild: Option<u32>,
    has_mismatches: bool,
    /// More bytes than the patterns and their tables take, whatever these will be.
    bytes: usize,
}

impl Extent {
    fn of(queries: &Queries) -> Self {
        let lengths = || queries.all.par_iter().map(|query| query.length());
        let tables = |query: &Query| TABLES_MOST.1 * (1 + query.limits.mismatches as usize);
        let wild = |query: &Query| {
            let Limits { wild, mismatches } = query.limits;
            Some(wild.saturating_add(mismatches)).filter(|&wild| (wild as usize) < query.length())
        };
        Self {
            lengths: lengths().min().zip(lengths().max()).map(|(shortest, longest)| [shortest, longest]),
            most_wild: queries.all.par_iter().map(wild).reduce(|| Some(0), |one, other| Some(one?.max(other?))),
            has_mismatches: queries.all.par_iter().any(|query| query.limits.mismatches > 0),
            bytes: patterns::bytes_of(queries) + TABLES_MOST.0 + queries.all.par_iter().map(tables).sum::<usize>(),
        }
    }
}

/// The search engine on one GPU.
pub struct Device<G: Gpu> {
    gpu: Arc<G>,
    settings: Settings,
    queries: Arc<Queries>,
    extent: Extent,
    decided: Arc<OnceLock<Decided>>,
    literal: bool,
    odd: bool,
    slots: Vec<Slot<G>>,
    capacity: Capacity,
    /// Whether a slice has had many matches.
    is_dense: bool,
    /// What is on the GPU for all engines on it, and its tables.
    resident: Arc<Resident<G>>,
    tables: Option<Arc<Tables<G>>>,
    /// Bytes of the device that they take at most, as this engine's part.
    tables_bytes: usize,
    recorder: Recorder<G>,
}

impl<G: Gpu> Device<G> {
    /// An engine for `patterns`, which are copied to the device. Other device memory is taken at the first batch.
    ///
    /// # Errors
    /// A pattern of more than 2^28 symbols.
    pub fn new(gpu: Arc<G>, options: &Options, patterns: &[Pattern], settings: Settings) -> Result<Self, Error> {
        Self::sharing(gpu, options, patterns, settings, &Shared::default())
    }

    /// The same with what other engines of the run have made already.
    ///
    /// # Errors
    /// See [`Device::new`].
    pub fn sharing(
        gpu: Arc<G>,
        options: &Options,
        patterns: &[Pattern],
        settings: Settings,
        shared: &Shared,
    ) -> Result<Self, Error> {
        let literal = options.wildcards == Wildcards::N;
        let (queries, decided) = (shared.queries(patterns, literal), shared.decided.clone());
        let extent = shared.extent(&queries);
        if extent.lengths.is_some_and(|[_, longest]| longest > 1 << 28) {
            let message = "a signature is too long for the device: use --device cpu";
            return Err(DeviceError::Unavailable(message.into()).into());
        }
        let odd = literal && patterns.iter().any(|p| !p.bases().iter().all(|b| b"ACGTN".contains(b)));
        let capacity = Capacity { symbols: 0, pieces: 0, matches: 0 };
        let (slots, recorder) = (Vec::new(), Recorder::new(settings.timed));
        let (tables, tables_bytes, resident) = (None, 0, shared.residents.on(&gpu));
        // What keeps that from being done, the first batch will meet.
        _ = resident.patterns(&queries, literal);
        Ok(Self {
            gpu,
            settings,
            queries,
            extent,
            decided,
            literal,
            odd,
            slots,
            capacity,
            is_dense: false,
            resident,
            tables,
            tables_bytes,
            recorder,
        })
    }

    /// Makes the next batch decide how to search, and copy the tables for it, anew, for measuring. Other device memory stays.
    pub fn forget_tables(&mut self) {
        (self.tables, self.decided) = (None, Arc::default());
        self.resident = Arc::new(Resident::new(self.gpu.clone()));
    }

    /// How long the stages of the last batch took. Stages of the device are included only when it is `timed`.
    ///
    /// # Errors
    /// Those of the device.
    pub fn timings(&self) -> Result<Timings, Error> {
        Ok(self.recorder.timings(&self.gpu)?)
    }

    /// The patterns on the device, which are copied unless that is done.
    fn patterns(&self) -> Result<Arc<DevicePatterns<G>>, DeviceError> {
        self.resident.patterns(&self.queries, self.literal)
    }

    /// Decides how to search, by the bases of this batch, and copies the tables, unless that is done.
    fn make_tables(&mut self, bases: &[u8]) -> Result<(), DeviceError> {
        let began = Instant::now();
        if self.tables.is_none() {
            let patterns = self.patterns()?;
            let (decided, algorithm) = (self.decided.clone(), self.settings.algorithm);
            let Decided { frequencies, plan } = decided.get_or_init(|| Decided::by(bases, &self.queries, algorithm));
            // Counting what others will take is not worth its time where there is room for any.
            self.tables_bytes = match self.extent.bytes {
                any if self.has_room_beside(any) => any,
                _ => self.resident.part(bytes_of(&self.queries, plan)),
            };
            self.symbols()?;
            let make = || {
                let stream = Stream::new(&self.gpu)?;
                Tables::new(&stream, patterns, (&self.queries, plan), frequencies)
            };
            self.tables = Some(self.resident.tables(make)?);
        }
        self.recorder.add(stage::TABLE, began.elapsed());
        Ok(())
    }

    /// Makes the tables that what was `marked` asks for, if they are missing. The stream of slot `at` copies them.
    fn add_tables(&mut self, at: usize, marked: u32) -> Result<(), DeviceError> {
        let (Some(tables), Some(Decided { plan, .. })) = (&self.tables, self.decided.get()) else { return Ok(()) };
        if tables.lacking() & marked == 0 {
            return Ok(());
        }
        tables.add(&self.slots[at].stream, &self.queries, plan, marked)
    }

    /// Whether there is memory for slices of the full size beside tables of so many bytes.
    fn has_room_beside(&self, tables: usize) -> bool {
        self.settings.memory.saturating_sub(tables) >= memory().0
    }

    /// The most symbols of a slice for which there is memory, at most those that are set.
    fn symbols(&self) -> Result<u64, DeviceError> {
        let Settings { memory, matches, slice, .. } = self.settings;
        let left = memory.saturating_sub(self.tables_bytes + SLOTS * size_of::<U32x4>() * matches as usize);
        let symbols = left / (SLOTS * BYTES_PER_SYMBOL);
        if symbols < LEAST_SLICE {
            return Err(DeviceError::OutOfMemory { device: self.gpu.name().to_owned(), bytes: self.tables_bytes });
        }
        Ok((symbols as u64).min(u64::from(slice)))
    }

    /// Whether a slot may hold twice as many matches, with the others as large: settings and memory allow it.
    fn may_grow(&self, at: usize) -> bool {
        let (matches, ranking) = (2 * self.slots[at].room(), self.slots[at].ranking_bytes());
        matches <= self.settings.most_matches as usize && self.has_room_for_slots(matches, ranking)
    }

    /// Whether there is memory for slots of so many matches, with so many bytes for ranks and qualities.
    fn has_room_for_slots(&self, matches: usize, ranking: usize) -> bool {
        let of_slot = size_of::<U32x4>() * matches + ranking + self.capacity.symbols as usize * BYTES_PER_SYMBOL;
        self.tables_bytes + self.slots.len() * of_slot <= self.settings.memory
    }

    /// How the matches of the slice in a slot are ranked, as its rule asks for, where there were many matches.
    fn ranked(&self, at: usize, rule: Rule) -> Ranked {
        let (slot, patterns) = (&self.slots[at], self.queries.all.len());
        let ranks = slot.ranks(patterns);
        let by_quality = !rule.qualities().is_empty();
        let ranking = ranks * size_of::<u64>() + if by_quality { self.capacity.symbols as usize } else { 0 };
        let are_summed = self.extent.lengths.is_some_and(|[shortest, _]| shortest <= SUMMED as usize);
        let pays = self.is_dense && (!by_quality || are_summed || self.extent.has_mismatches);
        match rule.ranked().filter(|_| pays && ranks <= RANKS_MOST) {
            Some(by) if self.has_room_for_slots(slot.room(), ranking) => Ranked { ranks, by, by_quality },
            _ => Ranked::default(),
        }
    }

    /// Makes slots that hold slices of this batch, unless there are such slots.
    fn make_room(&mut self, batch: &Records, longest: usize) -> Result<(), DeviceError> {
        let total = batch.sequences().residues().len().max(1) as u64;
        let most = self.symbols()?.max(4 * longest as u64);
        let wanted = most.min(total.max(2 * longest as u64));
        // A run that is left out makes two of one.
        let pieces = batch.len() + (wanted / slices::LEAST_LEFT_OUT) as usize;
        let pieces = pieces.clamp(1, (wanted as usize).min(PIECES_MOST));
        if wanted <= u64::from(self.capacity.symbols) && pieces <= self.capacity.pieces {
            return Ok(());
        }
        // Slots are slow to make, and the next batch may be a little larger.
        let symbols = most.min(wanted + wanted / 4).next_multiple_of(u64::from(TILE)) as u32;
        let pieces = (pieces + pieces / 4).clamp(1, (symbols as usize).min(PIECES_MOST));
        let (symbols, pieces) = (symbols.max(self.capacity.symbols), pieces.max(self.capacity.pieces));
        self.slots.clear();
        self.capacity = Capacity { symbols: 0, pieces: 0, matches: 0 };
        let capacity = Capacity { symbols, pieces, matches: self.settings.matches };
        let most = if self.settings.timed { 1 } else { SLOTS };
        let slots = most.min(total.div_ceil(u64::from(symbols)) as usize);
        for _ in 0..slots.max(1) {
            self.slots.push(Slot::new(&self.gpu, capacity, self.settings.pinned)?);
        }
        self.capacity = capacity;
        Ok(())
    }

    /// Every match in a batch, through the slots; `None` when there are more than `most`.
    fn search(
        &mut self,
        Job { batch, most, choice, .. }: Job,
        cut: Cut,
        watch: &dyn Watch,
    ) -> Result<Option<Vec<Hit>>, DeviceError> {
        let slices = cut.slices(batch.sequences().starts(), batch.sequences().residues());
        scope(|scope| {
            self.slots.iter().for_each(|slot| scope.include(&slot.stream));
            let slots = self.slots.len();
            let mut search = Search::new(self, (scope, batch), &slices, (choice, most, watch));
            pass_through(slots, &mut search)?;
            Ok(search.hits())
        })
    }
}

impl<G: Gpu> Executor<Matching> for Device<G> {
    fn compute(&mut self, job: Job, output: &mut Option<Vec<Hit>>) -> Result<(), Error> {
        self.compute_watched(job, output, &Patient).map(drop)
    }

    fn compute_watched(&mut self, job: Job, output: &mut Option<Vec<Hit>>, watch: &dyn Watch) -> Result<bool, Error> {
        let (Extent { lengths, most_wild, bytes, .. }, bases) = (self.extent, job.batch.sequences().residues());
        let Some([shortest, longest]) = lengths.filter(|_| !bases.is_empty()) else {
            *output = Some(Vec::new());
            return Ok(true);
        };
        self.recorder.clear();
        thread::scope(|threads| {
            if self.tables.is_none() {
                // While patterns are copied, and the first slices.
                let (decided, queries, algorithm) =
                    (self.decided.clone(), self.queries.clone(), self.settings.algorithm);
                threads.spawn(move || _ = decided.get_or_init(|| Decided::by(bases, &queries, algorithm)));
            }
            if self.settings.timed || !self.has_room_beside(bytes) {
                self.make_tables(bases)?;
            }
            let began = Instant::now();
            self.make_room(job.batch, longest)?;
            self.recorder.add(stage::ALLOCATE, began.elapsed());
            let Capacity { symbols, pieces, .. } = self.capacity;
            // Under IUPAC rules `n` and `.` are wild, too, but long runs are of one byte.
            let left_out = most_wild.map(|most| (b'N', u64::from(most)));
            let cut = Cut { symbols, pieces, shortest: shortest as u64, longest: longest as u64, left_out };
            *output = self.search(job, cut, watch)?;
            Ok(true)
        })
    }
}

#[cfg(test)]
mod tests;
