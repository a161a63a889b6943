//! The tables of a run in device memory: made on the host from the first batch ([`crate::seeds`]), and copied once.
//!
//! ```text
//! for each class   first spans: scan_seek -> matches, hard positions
//!                  windows near hard positions: scan_mark, scan_window -> matches, the positions that are left    (once there have been any)
//!                  other spans: scan_seek near those that are left -> matches                                     (once there have been any)
//!                  all spans at hard positions, the first at one that is left: scan_hard -> matches
//!                  patterns in parts, more of them at hard positions than are spare: scan_parted -> matches
//! at last          patterns without spans: scan_brute -> matches
//! ```

use super::patterns::DevicePatterns;
use super::slot::Slot;
use crate::device::launch;
use crate::seeds::plan::{Class, Plan, Queries, Query, distance};
use crate::seeds::windows::{NEAR, PLACES};
use crate::seeds::{self, Frequencies, Span, Table, Tile};
use cuda_std::{U32x2, U32x4};
use rayon::prelude::*;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use warpseq_device::array::DeviceArray;
use warpseq_device::error::{DeviceError, Result};
use warpseq_device::gpu::Gpu;
use warpseq_device::stream::Stream;
use warpseq_gpu::abi::{BruteArgs, Form, HARD, Hard, HardArgs, LEFT, PartedArgs, Seeds, SeekArgs, WindowArgs};
use warpseq_gpu::tuning::{BRUTE_BLOCKS, HARD_BLOCKS, HARD_LONG_PARTS, HARD_LONG_PATTERNS, HARD_PARTS, HARD_PATTERNS};
use warpseq_gpu::tuning::{PARTED_BLOCKS, PARTED_PARTS, PARTED_PATTERNS, SEEK_THREADS, TILE, WARP_SHARED};

/// Which positions of a slot to search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub first: u32,
    pub end: u32,
}

/// What a run searches for.
pub(super) struct Tables<G: Gpu> {
    patterns: Arc<DevicePatterns<G>>,
    classes: Vec<Spans<G>>,
    /// Patterns that are compared everywhere.
    brute: Probes<G>,
    /// Whether a match may be found more than once, and whether from several places.
    pub doubles: bool,
    pub scattered: bool,
    /// Had by who makes the tables of other spans.
    adding: Mutex<()>,
}

/// Patterns to compare, as in [`BruteArgs`].
struct Probes<G: Gpu> {
    tried: DeviceArray<U32x4, G>,
    probes: DeviceArray<U32x4, G>,
}

/// Entries, or spans, that are copied at a time.
const COPIED: usize = 1 << 16;

/// The spans of a class.
struct Spans<G: Gpu> {
    spans: DeviceArray<U32x4, G>,
    /// As in [`HardArgs`].
    heads: DeviceArray<U32x4, G>,
    first: Lists<G>,
    /// Made when there is a hard position; `None`: these patterns are found by their other spans.
    windows: OnceLock<Option<Windows<G>>>,
    /// Of those that are not looked up first: made when there is a hard position that is left.
    others: OnceLock<Lists<G>>,
    /// Spans of a pattern of which the first is looked up, unless it lies at a hard position; the most symbols between two spans of a pattern.
    spread: u32,
    reach: u32,
    /// As in [`HardArgs`].
    slack: u32,
    /// Where patterns are in parts.
    parted: Option<Parted<G>>,
}

/// The patterns of a class in parts, as in [`PartedArgs`].
struct Parted<G: Gpu> {
    parted: DeviceArray<U32x4, G>,
    spare: DeviceArray<u32, G>,
}

/// The most entries of windows, 128 MB.
const WINDOWS_MOST: usize = 1 << 24;
/// Cells for each mark that is needed: one that lies half in a run may have none, and a match over too few marks takes tables of its other spans.
const CELLS: usize = 2;

/// The windows of a class, as in [`WindowArgs`].
struct Windows<G: Gpu> {
    lists: Lists<G>,
    starts: DeviceArray<u32, G>,
    cell_bits: u32,
    needed: u32,
    shortest: u32,
    least_single: u32,
    reach: u32,
}

/// Where the tiles of spans are listed, as in [`Seeds`].
struct Lists<G: Gpu> {
    bits: DeviceArray<u32, G>,
    starts: DeviceArray<u32, G>,
    entries: DeviceArray<U32x2, G>,
    form: Form,
}

/// Bytes that the tables of a plan take on a device, with those that are made when there is a hard position.
pub(super) fn bytes_of(queries: &Queries, plan: &Plan) -> usize {
    let of =
        |table: &Table| size_of_val(table.bits()) + size_of_val(table.lists().0) + table.entries() * size_of::<U32x2>();
    let first: usize = plan.classes.iter().flat_map(|class| &class.first).map(of).sum();
    let spread = plan.classes.iter().filter(|class| class.shape.spread);
    let others = |class: &Class| plan.bytes_of_others(class, queries) + plan.bytes_of_windows(class, queries);
    let others: usize = spread.map(others).sum();
    let parted = plan.classes.iter().filter(|class| class.shape.parted);
    let parted = parted.map(|class| plan.patterns_of(class).count()).sum::<usize>();
    first + others + 2 * (plan.spans.len() + parted + plan.brute.len()) * size_of::<U32x4>()
}

impl<G: Gpu> Tables<G> {
    /// Copies everything to the device, and waits for it. `frequencies` are those that the plan was made by.
    pub fn new(
        stream: &Stream<G>,
        patterns: Arc<DevicePatterns<G>>,
        (queries, plan): (&Queries, &Plan),
        frequencies: &Frequencies,
    ) -> Result<Self> {
        let probe = |&number: &u32| probe(queries, number, &queries.all[number as usize], frequencies);
        let (tried, probes): (Vec<_>, Vec<_>) = plan.brute.par_iter().map(probe).unzip();
        let tables = Self {
            patterns,
            classes: plan
                .classes
                .iter()
                .map(|class| Spans::new(stream, (queries, plan), class))
                .collect::<Result<_>>()?,
            brute: Probes { tried: copy(stream, &tried)?, probes: copy(stream, &probes)? },
            doubles: plan.doubles || plan.scattered,
            scattered: plan.scattered,
            adding: Mutex::default(),
        };
        if plan.has_others() {
            tables.add(stream, queries, plan, HARD)?;
        }
        stream.synchronize()?;
        Ok(tables)
    }

    /// What must not be marked by a search with these tables, as it then leaves something out.
    pub fn lacking(&self) -> u32 {
        let of = |class: &Spans<G>| match class.windows.get() {
            None => HARD,
            Some(windows) if class.others.get().is_none() => windows.as_ref().map_or(HARD, |_| LEFT),
            Some(_) => 0,
        };
        self.classes.iter().filter(|class| class.spread > 1).fold(0, |lacking, class| lacking | of(class))
    }

    /// Makes the tables that what was `marked` asks for, copies them, and waits for that, unless another engine has done so.
    pub fn add(&self, stream: &Stream<G>, queries: &Queries, plan: &Plan, marked: u32) -> Result<()> {
        // Nothing is left half done by a panic.
        let _guard = self.adding.lock().unwrap_or_else(PoisonError::into_inner);
        for (spans, class) in self.classes.iter().zip(&plan.classes).filter(|(_, class)| class.shape.spread) {
            if spans.windows.get().is_none() {
                let windows = plan.all_windows(class, queries);
                let windows = windows.filter(|windows| windows.table.entries() <= WINDOWS_MOST);
                let windows = windows.map(|windows| Windows::new(stream, windows, plan)).transpose()?;
                stream.synchronize()?;
                _ = spans.windows.set(windows);
            }
            let has_windows = spans.windows.get().is_some_and(Option::is_some);
            if spans.others.get().is_none() && (!has_windows || marked & LEFT != 0) {
                let lists = Lists::new(stream, form(class), plan.others(class, queries))?;
                stream.synchronize()?;
                _ = spans.others.set(lists);
            }
        }
        Ok(())
    }

    /// Queues the search of `range` of what `slot` holds.
    pub fn search(&self, slot: &Slot<G>, range: Range) -> Result<()> {
        slot.clear()?;
        self.classes.iter().try_for_each(|class| self.search_class(slot, class, range))?;
        self.compare(slot, range)
    }

    fn compare(&self, slot: &Slot<G>, range: Range) -> Result<()> {
        let Probes { tried, probes } = &self.brute;
        let args = BruteArgs {
            sequences: slot.sequences(),
            patterns: self.patterns.view(),
            matches: slot.matches(),
            tried: tried.view(),
            probes: probes.view(),
            first: range.first,
            end: range.end,
        };
        let blocks = BRUTE_BLOCKS * slot.stream.gpu().multiprocessors();
        // SAFETY: the slot's stream has packed its slice, whose starts `Slot::upload` adds up from lengths that fit it, and waits
        // for the patterns, which `DevicePatterns::new` packed; the probes are those of patterns, inside them.
        if tried.is_empty() { Ok(()) } else { unsafe { launch::scan_brute(&slot.stream, blocks, args) } }
    }

    fn search_class(&self, slot: &Slot<G>, class: &Spans<G>, range: Range) -> Result<()> {
        slot.clear_hard()?;
        let seeds = class.first.view(&class.spans);
        // Hard positions decide over spans as far away as there are any of the same pattern.
        let around = class.reach;
        let first_tile = range.first.saturating_sub(around) / TILE;
        let beyond = around + class.first.length();
        let end_tile = (range.end + beyond).min(slot.symbols()).div_ceil(TILE);
        let args = SeekArgs {
            sequences: slot.sequences(),
            patterns: self.patterns.view(),
            matches: slot.matches(),
            seeds,
            hard: slot.hard(),
            left: slot.hard(),
            first_tile,
            end_tile,
            first: range.first,
            end: range.end,
            reach: 0,
            kept: class.first.kept(slot),
        };
        let blocks = slot.stream.gpu().multiprocessors();
        // SAFETY: as above; the lists are those of a `Table`, and name spans of the class, whose patterns are there; the hard
        // positions were cleared above.
        unsafe { launch::scan_seek(&slot.stream, blocks, args)? };
        let left = match class.windows.get() {
            Some(Some(windows)) => {
                self.look_up_windows(slot, (class, windows), range)?;
                slot.left()
            }
            _ => slot.hard(),
        };
        if let Some(others) = class.others.get() {
            let args = SeekArgs {
                seeds: others.view(&class.spans),
                left,
                first_tile: range.first / TILE,
                end_tile: (range.end + others.length()).min(slot.symbols()).div_ceil(TILE),
                reach: class.reach.div_ceil(TILE) + 2,
                kept: others.kept(slot),
                ..args
            };
            // SAFETY: as above; the hard positions were marked above.
            unsafe { launch::scan_seek(&slot.stream, blocks, args)? };
        }
        if let Some(parted) = &class.parted {
            return self.search_parted(slot, (class, parted), range);
        }
        // Where others are missing, the search is made again, or nothing is left.
        let has_others = class.spread == 1 || class.others.get().is_some();
        if has_others { self.search_hard(slot, (class, left), range) } else { Ok(()) }
    }

    fn search_parted(
        &self,
        slot: &Slot<G>,
        (class, Parted { parted, spare }): (&Spans<G>, &Parted<G>),
        Range { first, end }: Range,
    ) -> Result<()> {
        let parts = parts_of(parted.len() as u32, (PARTED_PATTERNS, PARTED_PARTS));
        let args = PartedArgs {
            sequences: slot.sequences(),
            patterns: self.patterns.view(),
            matches: slot.matches(),
            parted: parted.view(),
            spare: spare.view(),
            hard: slot.hard(),
            first,
            end,
            parts,
            reach: class.reach,
        };
        let blocks = PARTED_BLOCKS * slot.stream.gpu().multiprocessors();
        // SAFETY: as in `search_class`; the hard positions were marked there for spans of these patterns, which are at most `reach` apart.
        unsafe { launch::scan_parted(&slot.stream, blocks, args) }
    }

    fn look_up_windows(&self, slot: &Slot<G>, (class, windows): (&Spans<G>, &Windows<G>), range: Range) -> Result<()> {
        slot.clear_left()?;
        let args = WindowArgs {
            sequences: slot.sequences(),
            patterns: self.patterns.view(),
            matches: slot.matches(),
            seeds: windows.lists.view(&class.spans),
            starts: windows.starts.view(),
            hard: slot.hard(),
            left: slot.left(),
            marks: slot.marks(),
            cell_bits: windows.cell_bits,
            places: PLACES as u32,
            needed: windows.needed,
            shortest: windows.shortest,
            least_single: windows.least_single,
            reach: windows.reach,
            first: range.first,
            end: range.end,
        };
        // SAFETY: as in `search_class`; the lists are those of the windows of the class, whose patterns have `SPANS` spans each; the hard
        // positions were marked there.
        unsafe { launch::scan_windows(&slot.stream, slot.stream.gpu().multiprocessors(), args) }
    }

    fn search_hard(&self, slot: &Slot<G>, (class, left): (&Spans<G>, Hard), Range { first, end }: Range) -> Result<()> {
        let patterns = class.spans.len() as u32 / class.spread;
        let long = class.spread > 1;
        let (each, most) = if long { (HARD_LONG_PATTERNS, HARD_LONG_PARTS) } else { (HARD_PATTERNS, HARD_PARTS) };
        let parts = parts_of(patterns, (each, most));
        let args = HardArgs {
            sequences: slot.sequences(),
            patterns: self.patterns.view(),
            matches: slot.matches(),
            spans: class.spans.view(),
            heads: class.heads.view(),
            hard: slot.hard(),
            left,
            first,
            end,
            spread: class.spread,
            parts,
            length: class.first.length(),
            reach: class.reach,
            slack: class.slack,
        };
        let blocks = HARD_BLOCKS * slot.stream.gpu().multiprocessors();
        // SAFETY: as in `search_class`; the hard positions were marked there, by spans of this length, and each pattern has `spread` of
        // them in a row.
        unsafe { launch::scan_hard(&slot.stream, blocks, args) }
    }
}

impl<G: Gpu> Spans<G> {
    fn new(stream: &Stream<G>, (queries, plan): (&Queries, &Plan), class: &Class) -> Result<Self> {
        let spans = plan.spans_of(class);
        let heads = if class.shape.spread || class.shape.parted { &[] } else { spans };
        Ok(Self {
            spans: copy_each(stream, spans, |span| U32x4([span.query, span.offset, span.order, 0]))?,
            heads: copy_each(stream, heads, |span| head(queries, span))?,
            first: Lists::new(stream, form(class), &class.first)?,
            windows: OnceLock::new(),
            others: OnceLock::new(),
            spread: class.shape.spans() as u32,
            reach: plan.patterns_of(class).map(distance).max().unwrap_or(0),
            slack: if class.fits_a_run { u32::MAX } else { class.shape.slack() as u32 },
            parted: class.shape.parted.then(|| Parted::new(stream, (queries, plan), class)).transpose()?,
        })
    }
}

impl<G: Gpu> Parted<G> {
    fn new(stream: &Stream<G>, (queries, plan): (&Queries, &Plan), class: &Class) -> Result<Self> {
        let of_pattern = |spans: &[Span]| {
            let Span { query, offset, .. } = spans[0];
            let step = spans.get(1).map_or(0, |second| second.offset - offset);
            let mismatches = queries.all[query as usize].limits.mismatches;
            let spare = seeds::spare(spans.len(), class.shape.needed, mismatches);
            (U32x4([query, offset, step, spans.len() as u32]), spare as u32)
        };
        let (parted, spare): (Vec<_>, Vec<_>) = plan.patterns_of(class).map(of_pattern).unzip();
        Ok(Self { parted: copy(stream, &parted)?, spare: copy(stream, &spare)? })
    }
}

impl<G: Gpu> Windows<G> {
    fn new(stream: &Stream<G>, windows: &seeds::Windows, plan: &Plan) -> Result<Self> {
        let form = Form { tile: windows.length as u32, tiles: 1, needed: 1, ..Form::default() };
        Ok(Self {
            lists: Lists::new(stream, form, std::slice::from_ref(&windows.table))?,
            starts: copy(stream, windows.starts())?,
            cell_bits: (windows.apart(TILE as usize) / CELLS).max(NEAR).ilog2(),
            needed: windows.needed as u32,
            shortest: windows.shortest as u32,
            least_single: windows.least_single as u32,
            reach: plan.before.max(plan.after).div_ceil(TILE as usize) as u32 + 1,
        })
    }
}

/// What the spans of a class have in common, but for their tables.
fn form(class: &Class) -> Form {
    Form {
        tile: class.shape.tile as u32,
        tiles: class.shape.tiles as u32,
        needed: class.shape.needed as u32,
        wild: class.wild,
        most_wild: class.most_wild,
        together: u32::from(class.shape.together),
        ..Form::default()
    }
}

impl<G: Gpu> Lists<G> {
    /// Copies the tables of all tiles of a class.
    fn new(stream: &Stream<G>, form: Form, tables: &[Table]) -> Result<Self> {
        let all: usize = tables.iter().map(Table::entries).sum();
        if u32::try_from(all).is_err() {
            let device = stream.gpu().name().to_owned();
            return Err(DeviceError::OutOfMemory { device, bytes: all * size_of::<U32x2>() });
        }
        // In whole units of 16 bytes.
        let words = (2 * tables[0].bits().len()).next_multiple_of(4);
        let (lists, shift) = tables[0].lists();
        let (mut bits, mut starts) = (Vec::with_capacity(words * tables.len()), Vec::new());
        let entries = DeviceArray::new(stream.gpu(), all)?;
        let mut before = 0;
        for (k, table) in tables.iter().enumerate() {
            bits.extend(table.bits().iter().flat_map(|word| [*word as u32, (word >> 32) as u32]));
            bits.resize((k + 1) * words, 0);
            starts.extend(table.lists().0.iter().map(|start| start + before as u32));
            // On this thread: others are busy reading, and to wait for them takes longer.
            for (some, at) in table.all().chunks(COPIED).zip((before..).step_by(COPIED)) {
                entries.write(stream, at, &some.iter().map(|entry| U32x2(entry.words())).collect::<Vec<_>>())?;
            }
            before += table.entries();
        }
        let form = Form { words: words as u32, lists: lists.len() as u32, shift, ..form };
        Ok(Self { bits: copy(stream, &bits)?, starts: copy(stream, &starts)?, entries, form })
    }

    /// Symbols of a span.
    fn length(&self) -> u32 {
        self.form.tile * self.form.tiles
    }

    /// How many tables there are.
    fn tables(&self) -> u32 {
        if self.form.together == 0 { self.form.tiles } else { 1 }
    }

    fn view<'a>(&'a self, spans: &'a DeviceArray<U32x4, G>) -> Seeds<'a> {
        Seeds {
            bits: self.bits.view(),
            starts: self.starts.view(),
            entries: self.entries.view(),
            spans: spans.view(),
            form: self.form,
        }
    }

    /// Of how many tiles the bits fit in shared memory, beside what the warps of a block need.
    fn kept(&self, slot: &Slot<G>) -> u32 {
        let room = slot.stream.gpu().shared_memory().saturating_sub(SEEK_THREADS / 32 * WARP_SHARED);
        self.tables().min(room / (4 * self.form.words))
    }
}

/// How many warps share the positions of a tile: one for `each` patterns, `most` at most, rounded up to a power of two.
fn parts_of(patterns: u32, (each, most): (u32, u32)) -> u32 {
    patterns.div_ceil(each).min(most).next_power_of_two()
}

/// A copy of what is made of each.
fn copy_each<F: Sync, T: cuda_std::Element + Send, G: Gpu>(
    stream: &Stream<G>,
    from: &[F],
    make: impl Fn(&F) -> T + Sync,
) -> Result<DeviceArray<T, G>> {
    let array = DeviceArray::new(stream.gpu(), from.len())?;
    write_each(stream, (&array, 0), from, make)?;
    Ok(array)
}

/// Writes what is made of each from one place of an array on, some at a time: of millions, they do not stand in host memory.
fn write_each<F: Sync, T: cuda_std::Element + Send, G: Gpu>(
    stream: &Stream<G>,
    (array, at): (&DeviceArray<T, G>, usize),
    from: &[F],
    make: impl Fn(&F) -> T + Sync,
) -> Result<()> {
    let mut parts = from.chunks(COPIED).zip((at..).step_by(COPIED));
    parts.try_for_each(|(from, at)| array.write(stream, at, &from.par_iter().map(&make).collect::<Vec<_>>()))
}

fn copy<T: cuda_std::Element, G: Gpu>(stream: &Stream<G>, from: &[T]) -> Result<DeviceArray<T, G>> {
    let array = DeviceArray::new(stream.gpu(), from.len())?;
    array.write(stream, 0, from)?;
    Ok(array)
}

/// Symbols of a probe, and of a head.
const PROBE: usize = 32;
/// Probes to choose from.
const PROBES: usize = 64;

/// The rarest 32 symbols of a pattern, as far as is known, as in [`BruteArgs`].
fn probe(queries: &Queries, number: u32, query: &Query, frequencies: &Frequencies) -> (U32x4, U32x4) {
    let digits = queries.digits(query);
    let offsets = 0..digits.len().saturating_sub(PROBE) + 1;
    let step = offsets.len().div_ceil(PROBES);
    let at = offsets.step_by(step).min_by_key(|&at| frequencies.count(&digits[at..]));
    let at = at.expect("a pattern has a first symbol");
    let [low, high, wild] = planes_at(digits, at);
    (U32x4([number, at as u32, query.limits.mismatches, 0]), U32x4([low, high, wild, 0]))
}

/// The symbols of a pattern from a span on, as in [`HardArgs`].
fn head(queries: &Queries, span: &Span) -> U32x4 {
    let query = &queries.all[span.query as usize];
    let [low, high, wild] = planes_at(queries.digits(query), span.offset as usize);
    U32x4([low, high, !wild, query.limits.mismatches])
}

/// Up to 32 digits in three planes, those behind the last one wild.
fn planes_at(digits: &[u8], at: usize) -> [u32; 3] {
    let length = PROBE.min(digits.len() - at);
    let Tile { low, high, wild } = Tile::of(&digits[at..at + length]);
    let behind = if length < PROBE { u32::MAX << length } else { 0 };
    [low, high, wild | behind]
}
