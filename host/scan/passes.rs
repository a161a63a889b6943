//! Patterns whose tables do not fit in memory together: a batch is searched for one group of them after another.
//!
//! ```text
//! patterns   1 1 1 1 1 1 1 | 2 2 2 2 2 2 2 | 3 3 3 3 3 3 3        groups in a row, each of about as many bytes
//! batch      tables of group 1, search, drop them | tables of group 2, search, drop them | ...
//! crowded    tables of group 1, search part by part, drop them | tables of group 2, ...
//! ```
//!
//! Whether a pattern matches somewhere has nothing to do with the other patterns. So the matches of a batch are those of all groups, each once,
//! and all that follows is as in one pass. Tables are made anew for each batch, so batches are as large as memory allows
//! ([`Memory::for_large_batches`]), and the executors of a run take turns, so that there are tables of one group at a time.
//! A batch with too many matches is searched in parts ([`super::run::crowded`]), for one group in all parts before the next
//! ([`Job::among`]): the tables of the last group stay until others are needed.
//!
//! Right at the edges: a pattern that takes more than there is room for is a group by itself. The patterns of a signature are in one group, and
//! those that follow one another along a reference stay together, but for a few at the ends of groups. Where sequences are circles, each
//! group searches their seams while its tables are there.

use super::circular::Circular;
use super::pattern::Patterns;
use super::seeds::CUT_FROM;
use super::{Hit, Job, Limits, Matching, Options, Pattern, Wildcards};
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use warpseq_engine::error::Result;
use warpseq_engine::executor::{Executor, Patient, Watch};
use warpseq_engine::memory::{Memory, PROGRAM, for_work};
use warpseq_engine::options::RunOptions;
use warpseq_io::console::Console;
use warpseq_seq::iupac::count_wild;

/// What a pattern takes at most while its tables are made, in bytes: with its places in them, for each symbol, and for each code that one of its
/// tiles is listed under.
const BYTES: usize = 150;
const BYTES_PER_SYMBOL: usize = 3;
const BYTES_PER_CODE: usize = 20;
/// Symbols of a tile as far as wild ones make several codes of one: fewer where a tile is chosen that has few, which needs no mismatches.
const CHOSEN: f64 = 6.0;
const TAKEN: f64 = 10.0;
/// The most codes of a pattern, on average, as measured with 30 % `N` and mismatches; of one in parts, for every eight mismatches.
const CODES_MOST: f64 = 512.0;
/// A pattern in parts has a tile for so many of its symbols, unless wild ones make more codes of a tile than that; and as many
/// [short ones](super::seeds::ShortTiles), of so many bytes while they are made.
const SYMBOLS_PER_TILE: usize = 8;
const BYTES_PER_SHORT_TILE: usize = 12;
const CODES_PREFERRED: f64 = 16.0;

/// About how many bytes a pattern takes with its tables: 0.8 to 2 times as many as were measured of most patterns of 25 to 5000 symbols, and up
/// to 12 times as many of short ones with 30 % `N` and 3 mismatches, which then make more passes than they need.
fn bytes_of_one((bases, limits): (&[u8], Limits), wildcards: Wildcards) -> usize {
    let wild = count_wild(bases, wildcards) as f64 / bases.len() as f64;
    let tile = if limits.mismatches == 0 { CHOSEN } else { TAKEN };
    let codes_of_tile = if wild == 0.0 { 1.0 } else { (1.0 + 3.0 * wild).powf(tile) };
    let in_parts = f64::from(limits.mismatches) / f64::from(CUT_FROM);
    let short = if in_parts < 1.0 { 0 } else { bases.len() / SYMBOLS_PER_TILE };
    let tiles = if codes_of_tile > CODES_PREFERRED { 0 } else { short };
    let codes = f64::from(limits.mismatches + 1).max(2.0).max(tiles as f64) * codes_of_tile;
    let bytes = BYTES + BYTES_PER_SYMBOL * bases.len() + BYTES_PER_SHORT_TILE * short;
    bytes + BYTES_PER_CODE * codes.min(CODES_MOST * in_parts.max(1.0)) as usize
}

/// About how many bytes patterns take with their tables.
pub fn bytes_of(patterns: Patterns, wildcards: Wildcards) -> usize {
    patterns.in_a_part() * patterns.parts().map(|part| bytes_of_one(part, wildcards)).sum::<usize>()
}

/// Tables of so many bytes are made once, however little memory there is.
const LEAST: usize = 4 << 20;

/// Bytes for the tables of a run of `memory` bytes, in which all take `bytes`: three quarters if that is enough for all, or else half, so that
/// batches are large.
pub fn room(bytes: usize, memory: usize) -> usize {
    let most = for_work(memory);
    if bytes <= LEAST.max(most / 4 * 3) { bytes } else { LEAST.max(most / 2) }
}

/// The memory of a run in which [`room`] is enough for tables of so many bytes.
pub fn memory_for(bytes: usize) -> usize {
    PROGRAM + (bytes.div_ceil(3) + 1) * 4
}

/// What a GPU takes of host memory, in bytes, about: its driver, and what is pinned for it.
const DRIVER: usize = 160 << 20;

/// How the memory of a run is divided.
pub struct Division {
    /// For all but tables.
    pub memory: Memory,
    /// For tables at a time, in bytes, where it is not enough for all.
    pub tables: Option<usize>,
}

impl Division {
    /// Of a run that searches for `patterns`, the `what` of the run, and whose batches take `fold` times as much as their text. Tells of passes.
    pub fn new((patterns, what): (Patterns, &str), wildcards: Wildcards, fold: usize, run: RunOptions) -> Self {
        let RunOptions { processor, host_memory, console, .. } = run;
        let bytes = bytes_of(patterns, wildcards);
        let tables = room(bytes, host_memory);
        if tables < bytes {
            tell_of_passes((divide_all(patterns, wildcards, tables).len(), what), bytes, console);
            let memory = Memory::for_large_batches(host_memory.saturating_sub(tables), fold);
            return Self { memory, tables: Some(tables) };
        }
        let left = match processor.expects_gpu() {
            // So many batches are read ahead of a GPU that they take all that they may. With fewer than these, it waits for them: a million
            // signatures of 60 over 605 MB took 0.9 s in place of 0.7.
            true => host_memory.saturating_sub(tables + DRIVER).max(host_memory / 3),
            // On the CPU they seldom do: a quarter more for tables has not been seen to pass the limit.
            false => host_memory.saturating_sub(tables.saturating_sub(host_memory / 4)),
        };
        let memory = Memory::for_batches(left, rayon::current_num_threads(), processor, fold);
        Self { memory, tables: None }
    }
}

/// Tells that patterns whose tables take so many bytes are searched for in passes, and what that ends.
fn tell_of_passes((passes, what): (usize, &str), bytes: usize, console: Console) {
    let mib = memory_for(bytes).div_ceil(1 << 20);
    let enough = if mib < 4 << 10 { format!("{mib}M") } else { format!("{}G", mib.div_ceil(1 << 10)) };
    console.note(format_args!(
        "{passes} passes over the {what}, whose tables take about {}M: --max-memory {enough} searches them in one",
        bytes.div_ceil(1 << 20)
    ));
}

/// Cuts some parts of patterns into groups whose tables take about `most` bytes at most.
pub fn divide(patterns: Patterns, wildcards: Wildcards, most: usize, parts: Range<usize>) -> Vec<Range<usize>> {
    let bytes_of = |part| u32::try_from(patterns.in_a_part() * bytes_of_one(part, wildcards)).unwrap_or(u32::MAX);
    let bytes: Vec<u32> = patterns.parts().skip(parts.start).take(parts.len()).map(bytes_of).collect();
    let all: usize = bytes.par_iter().map(|&bytes| bytes as usize).sum();
    let each = all.div_ceil(all.div_ceil(most.max(1)).max(1)).max(1);
    let (mut groups, mut first, mut before, mut end) = (Vec::new(), parts.start, 0, each);
    for (part, &bytes) in (parts.start..).zip(&bytes) {
        let bytes = bytes as usize;
        if part > first && (before >= end || bytes > each) {
            groups.push(first..part);
            (first, end) = (part, before + each);
        }
        before += bytes;
    }
    groups.push(first..parts.end);
    groups
}

/// Cuts all patterns into groups whose tables take about `most` bytes at most.
pub fn divide_all(patterns: Patterns, wildcards: Wildcards, most: usize) -> Vec<Range<usize>> {
    divide(patterns, wildcards, most, 0..patterns.parts().len())
}

/// The tables of the group that was searched for last, of whichever executor. One that searches holds it.
#[derive(Default)]
pub struct Turn(Mutex<Option<Tables>>);

/// Tables of a group.
struct Tables {
    /// Whose they are.
    owner: Arc<()>,
    group: Range<usize>,
    /// Searches in lines.
    linear: Box<dyn Executor<Matching>>,
}

/// Makes an executor for some patterns, which searches in lines.
type Make<'s, E> = Box<dyn Fn(&[Pattern]) -> Result<E> + Send + 's>;

/// An executor that searches for one group of patterns after another.
pub struct Passes<'s, E> {
    options: &'s Options,
    patterns: Patterns<'s>,
    most: usize,
    groups: Vec<Range<usize>>,
    turn: &'s Turn,
    /// Tells its tables from those of others.
    owner: Arc<()>,
    make: Make<'s, E>,
}

impl<'s, E: Executor<Matching> + 'static> Passes<'s, E> {
    /// Searches for `patterns` by executors that `make` gives, in groups whose tables take about `most` bytes at most. Holds `turn` meanwhile.
    pub fn new(
        options: &'s Options,
        patterns: Patterns<'s>,
        most: usize,
        turn: &'s Turn,
        make: impl Fn(&[Pattern]) -> Result<E> + Send + 's,
    ) -> Self {
        let groups = divide_all(patterns, options.wildcards, most);
        Self { options, patterns, most, groups, turn, owner: Arc::default(), make: Box::new(make) }
    }

    /// The groups of some parts.
    fn groups(&self, among: Option<&Range<usize>>) -> Cow<'_, [Range<usize>]> {
        match among {
            None => Cow::Borrowed(&self.groups),
            Some(parts) if self.groups.contains(parts) => vec![parts.clone()].into(),
            Some(parts) => divide(self.patterns, self.options.wildcards, self.most, parts.clone()).into(),
        }
    }

    /// The tables of a group: `last`, if they are these.
    fn tables(&self, last: Option<Tables>, group: Range<usize>) -> Result<Tables> {
        match last {
            Some(tables) if tables.group == group && Arc::ptr_eq(&tables.owner, &self.owner) => Ok(tables),
            others => {
                drop(others);
                let (patterns, numbers) = self.patterns.of(group.clone());
                let linear = Box::new(Numbered { linear: (self.make)(&patterns)?, numbers });
                Ok(Tables { owner: self.owner.clone(), group, linear })
            }
        }
    }
}

impl<'s, E: Executor<Matching> + 'static> Executor<Matching> for Passes<'s, E> {
    fn compute(&mut self, job: Job, output: &mut Option<Vec<Hit>>) -> Result<()> {
        self.compute_watched(job, output, &Patient).map(drop)
    }

    fn compute_watched(&mut self, job: Job, output: &mut Option<Vec<Hit>>, watch: &dyn Watch) -> Result<bool> {
        let mut turn = self.turn.0.lock().unwrap_or_else(PoisonError::into_inner);
        let groups = self.groups(job.among);
        let (mut all, passes) = (Vec::new(), groups.len());
        *output = None;
        for (pass, group) in groups.iter().enumerate().filter(|_| !job.batch.sequences().residues().is_empty()) {
            if !watch.is_wanted() {
                return Ok(false);
            }
            let mut tables = self.tables(turn.take(), group.clone())?;
            let (mut found, watch) = (None, OfPass { watch, pass, passes });
            let (left, linear) = (Job { most: job.most - all.len(), streaks: None, ..job }, &mut *tables.linear);
            let is_done = match self.options.circular {
                true => Circular::new(linear, self.patterns).compute_watched(left, &mut found, &watch),
                false => linear.compute_watched(left, &mut found, &watch),
            }?;
            *turn = Some(tables);
            if !is_done {
                return Ok(false);
            }
            let Some(found) = found else { return Ok(true) };
            all.extend(found);
        }
        *output = Some(all);
        Ok(true)
    }
}

/// An executor for some of the patterns of a run.
struct Numbered<E> {
    linear: E,
    /// Of each of its patterns, that in the run.
    numbers: Vec<u32>,
}

impl<E: Executor<Matching>> Executor<Matching> for Numbered<E> {
    fn compute(&mut self, job: Job, output: &mut Option<Vec<Hit>>) -> Result<()> {
        self.compute_watched(job, output, &Patient).map(drop)
    }

    fn compute_watched(&mut self, job: Job, output: &mut Option<Vec<Hit>>, watch: &dyn Watch) -> Result<bool> {
        let is_done = self.linear.compute_watched(job, output, watch)?;
        output.iter_mut().flatten().for_each(|hit| hit.pattern = self.numbers[hit.pattern as usize]);
        Ok(is_done)
    }
}

/// Who watches all passes, as one of them sees it.
struct OfPass<'w> {
    watch: &'w dyn Watch,
    pass: usize,
    passes: usize,
}

impl Watch for OfPass<'_> {
    fn is_wanted(&self) -> bool {
        self.watch.is_wanted()
    }

    fn hear(&self, done: usize, all: usize) {
        self.watch.hear(self.pass * all + done, self.passes * all);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Cpu;
    use crate::device::{Device, Settings, Shared};
    use crate::engine::Search;
    use crate::reference::{self, Reference};
    use crate::report::Row;
    use crate::run::crowded::{Bounds, Crowded, Taker};
    use crate::{Algorithm, Choice, Mismatches, Records, Signature, find, find_within};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use warpseq_device::emulated::Emulated;
    use warpseq_engine::executor::Engine;

    /// Few enough bytes that some patterns share a group, and too few for the longest.
    const MOST: usize = 2000;

    fn bases(random: &mut ChaCha8Rng, length: usize, of: &[u8]) -> Vec<u8> {
        (0..length).map(|_| of[random.random_range(0..of.len())]).collect()
    }

    /// Pieces of a sequence, some of them twice, windows that follow one another, a palindrome, and a long one.
    fn input() -> (Vec<Signature>, Records) {
        let random = &mut ChaCha8Rng::seed_from_u64(3);
        let genome = bases(random, 1500, b"ACGTACGTACGTN");
        let piece = |random: &mut ChaCha8Rng, length| {
            let at = random.random_range(0..genome.len() - length);
            genome[at..at + length].to_vec()
        };
        let mut all: Vec<Vec<u8>> = [9, 25, 25, 18, 40, 6, 900].map(|length| piece(random, length)).into();
        all.extend(genome[100..140].windows(21).map(<[u8]>::to_vec));
        all.extend([b"GAATTC".to_vec(), all[1].clone(), bases(random, 12, b"ACGTRYN")]);
        let signatures = all.into_iter().map(|bases| Signature::new("q", bases)).collect();
        let short = bases(random, 60, b"ACGTN");
        let batch: Records =
            [("a", &genome[..]), ("b", b""), ("c", &short), ("d", &genome[700..])].into_iter().collect();
        let qualities = (0..batch.sequences().residues().len()).map(|_| random.random_range(33..=73)).collect();
        (signatures, batch.with_qualities(qualities).unwrap())
    }

    fn ways() -> impl Iterator<Item = Options> {
        let wildcards = [Wildcards::Iupac, Wildcards::N].into_iter();
        let with = |wildcards| [(wildcards, 0, false), (wildcards, 2, false), (wildcards, 1, true)];
        let choices = [Choice::Best, Choice::First, Choice::All];
        wildcards.flat_map(with).flat_map(move |(wildcards, most, circular)| {
            let max_mismatch = Mismatches::Count(most);
            choices.map(|choice| Options { wildcards, max_mismatch, circular, choice, ..Options::default() })
        })
    }

    /// The matches as signature, strand and place, sorted.
    fn told(patterns: Patterns, hits: Vec<Hit>) -> Vec<(u32, bool, Hit)> {
        let of =
            |hit: Hit| (patterns.signature(hit.pattern), patterns.is_reverse(hit.pattern), Hit { pattern: 0, ..hit });
        let mut told: Vec<_> = hits.into_iter().map(of).collect();
        told.sort_unstable();
        told
    }

    #[test]
    fn groups_find_what_the_reference_finds() {
        let (signatures, batch) = input();
        for options in ways().filter(|options| options.choice == Choice::All) {
            let made = reference::patterns(&signatures, &options);
            let expected = find(&mut Reference::new(&options, made.clone()), &batch).unwrap();
            let expected = told(Patterns::Made(&made), expected);
            assert!(expected.len() > 30, "{}", expected.len());
            for patterns in [Patterns::Made(&made), Patterns::Of(&signatures, &options)] {
                let turn = Turn::default();
                let mut cpu = Passes::new(&options, patterns, MOST, &turn, |some| Ok(Cpu::new(&options, some)));
                assert!(cpu.groups.len() > 5);
                assert_eq!(told(patterns, find(&mut cpu, &batch).unwrap()), expected, "{options:?}");
                assert_eq!(find_within(&mut cpu, Job::new(&batch, expected.len() - 1)).unwrap(), None);
                let gpu = Arc::new(Emulated::default());
                let device = |some: &[Pattern]| Device::new(gpu.clone(), &options, some, Settings::default());
                let mut emulated = Passes::new(&options, patterns, 3 * MOST, &turn, device);
                assert_eq!(told(patterns, find(&mut emulated, &batch).unwrap()), expected, "{options:?}");
            }
        }
    }

    /// The rows, whatever they are told in.
    #[derive(Default)]
    struct Rows(Vec<Row>);

    impl Taker for Rows {
        fn see(&mut self, _: &[Hit]) {}

        fn tell(&mut self, rows: &[Row], _: &[Option<u8>]) -> Result<()> {
            self.0.extend_from_slice(rows);
            Ok(())
        }
    }

    #[test]
    fn rows_are_those_of_one_pass_also_where_matches_are_too_many() {
        let (signatures, batch) = input();
        for options in ways() {
            let (made, shared) = (crate::pattern::patterns(&signatures, &options), Shared::default());
            let search = |patterns, tables| Search {
                options: &options,
                algorithm: Algorithm::Auto,
                signatures: &signatures,
                patterns,
                tables,
                hashed: true,
                shared: &shared,
            };
            let one = search(Patterns::Made(&made), None);
            let expected = one.choose(&batch, find(&mut *one.cpu(), &batch).unwrap());
            let passes = search(Patterns::Of(&signatures, &options), Some(MOST));
            let mut executors = passes.cpus(8);
            assert_eq!(executors.len(), 1);
            let executor = &mut *executors[0];
            assert_eq!(passes.choose(&batch, find(executor, &batch).unwrap()), expected, "{options:?}");
            let (mut rows, bounds) = (Rows::default(), Bounds { matches: 40, bases: 500 });
            Crowded::new(executor, passes, &batch, bounds).search(&mut rows).unwrap();
            // Those of a group come before those of the next.
            rows.0.sort_by_key(|row| row.sequence);
            assert_eq!(rows.0, expected.0, "{options:?}");
        }
    }

    #[test]
    fn tables_are_made_once_for_all_parts_of_a_batch() {
        let (signatures, batch) = input();
        for options in ways().filter(|options| options.choice == Choice::All) {
            let (patterns, shared, made) =
                (Patterns::Of(&signatures, &options), Shared::default(), AtomicUsize::new(0));
            let make = |some: &[Pattern]| {
                made.fetch_add(1, Ordering::Relaxed);
                Ok(Cpu::new(&options, some))
            };
            let mut cpu = Passes::new(&options, patterns, MOST, &shared.turn, make);
            let (algorithm, tables, signatures) = (Algorithm::Auto, Some(MOST), &signatures[..]);
            let asked =
                Search { options: &options, algorithm, signatures, patterns, tables, hashed: true, shared: &shared };
            let (groups, bounds) = (cpu.groups.len(), Bounds { matches: 40, bases: 500 });
            Crowded::new(&mut cpu, asked, &batch, bounds).search(&mut Rows::default()).unwrap();
            assert_eq!(made.load(Ordering::Relaxed), groups);
        }
    }

    #[test]
    fn groups_are_in_a_row_and_a_large_part_is_alone() {
        let (options, signature) = (Options::default(), |length| Signature::new("q", b"ACGTT".repeat(length / 5)));
        let of = |lengths: &[usize], most| {
            let signatures: Vec<_> = lengths.iter().map(|&length| signature(length)).collect();
            divide_all(Patterns::Of(&signatures, &options), options.wildcards, most)
        };
        let each = 2 * bytes_of_one((&b"ACGTT".repeat(5), Limits::default()), Wildcards::Iupac);
        assert_eq!(of(&[25; 6], 2 * each), [0..2, 2..4, 4..6]);
        assert_eq!(of(&[25; 6], 7 * each), std::slice::from_ref(&(0..6)));
        assert_eq!(of(&[25; 3], 1), [0..1, 1..2, 2..3]);
        assert_eq!(of(&[25, 25, 50_000, 25, 25], 10_000), [0..2, 2..3, 3..5]);
    }

    #[test]
    fn all_tables_are_made_at_once_in_the_memory_that_is_told() {
        for bytes in [40 << 20, 506 << 20, 5 << 30] {
            let memory = memory_for(bytes);
            assert_eq!(room(bytes, memory), bytes);
            assert!(room(bytes, memory - 16) < bytes);
        }
    }
}
