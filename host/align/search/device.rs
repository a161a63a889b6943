//! Ranking on a GPU, or on the emulator: the host's side (the device's side: `warpseq_gpu::align::search` and `keep`).
//!
//! ```text
//! database -> couples on the device, once for all jobs; in parts, one after another, where they do not fit
//! queries  -> residues -> launches for each strand and part -> scores on the device
//!          -> limits -> what is kept -> host
//! ```
//!
//! Of a share of a database, its couples are searched, and targets elsewhere keep the score 0. So those of 0 are not chosen on the device
//! then; where fewer than wanted have more, the host adds the first ones of the share (`add_zeros`).
//!
//! As many queries as there is room for scores go through together. Queries whose best score comes near the largest number of 16
//! bits are searched again in 32. Queries whose profile no block can hold, scorings that no kernel knows, and databases with a
//! target that the device cannot hold are the CPU's; [`Device::sent_to_cpu`] says how many queries.

mod launch;
mod plan;
mod shelf;

use super::{Rank, Ranking, Scored};
use crate::device::Alphabet;
use crate::{Mode, Scoring};
use cuda_std::{U32x2, U32x4};
use launch::Gaps;
use plan::{Form, Launch, Means, Plan, Query};
use shelf::Shelf;
use std::ops::Range;
use std::sync::Arc;
use warpseq_device::array::DeviceArray;
use warpseq_device::error::Result as DeviceResult;
use warpseq_device::gpu::Gpu;
use warpseq_device::staged::Staged;
use warpseq_device::stream::Stream;
use warpseq_device::timings::{Recorder, Timings};
use warpseq_engine::error::{Error, Result};
use warpseq_engine::executor::{Parts, Watch};
use warpseq_gpu::abi::{KeepArgs, SearchArgs, SearchRules};
use warpseq_seq::Sequences;

/// The stages of a job.
pub mod stage {
    use warpseq_device::timings::Stage;

    /// The database, where it is not there yet, and the queries.
    pub const COPY_IN: Stage = Stage::copy("copy in");
    /// Scores.
    pub const SEARCH: Stage = Stage::kernel("search");
    /// What is kept of them.
    pub const KEEP: Stage = Stage::kernel("keep");
}

/// How a device is used.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Bytes of device memory that may be taken.
    pub memory: usize,
    /// Stages are timed for [`Device::timings`].
    pub timed: bool,
    /// Packed arithmetic is used where the device has it.
    pub packed: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { memory: 4 << 30, timed: false, packed: true }
    }
}

/// Parts of the memory that letters, scores with what is kept of them, and borders may take.
const LETTERS: usize = 2;
const SCORES: usize = 4;
const BORDERS: usize = 8;
/// Bytes of a score, and of a target that is kept.
const KEPT: usize = size_of::<u32>() + size_of::<U32x2>();
/// Targets that come back at a time, but for those of a single query: 32 MB.
const KEPT_MAX: u64 = 1 << 22;
/// The most that opening and extending a gap may cost, for 16 bits never to wrap below.
const GAP_MAX: i32 = 16_000;

/// Ranks on one GPU.
pub struct Device<G: Gpu> {
    gpu: Arc<G>,
    settings: Settings,
    /// Ranks what no kernel can.
    cpu: Box<dyn Rank>,
    stream: Stream<G>,
    recorder: Recorder<G>,
    shelf: Shelf<G>,
    codes: Staged<u8, G>,
    matrix: Staged<u32, G>,
    strands: [Staged<u8, G>; 2],
    places: Staged<U32x2, G>,
    items: Staged<U32x4, G>,
    taken: DeviceArray<u32, G>,
    borders: DeviceArray<U32x2, G>,
    scores: DeviceArray<u32, G>,
    least: Staged<u32, G>,
    limits: Staged<U32x4, G>,
    starts: Staged<u32, G>,
    kept: Staged<U32x2, G>,
    sent_to_cpu: usize,
}

impl<G: Gpu> Device<G> {
    /// Ranks on `gpu`, and on `cpu` what no kernel can. Device memory is taken at the first job.
    ///
    /// # Errors
    /// What the device says.
    pub fn new(gpu: Arc<G>, settings: Settings, cpu: Box<dyn Rank>) -> Result<Self> {
        Ok(Self {
            stream: Stream::new(&gpu)?,
            recorder: Recorder::new(settings.timed),
            shelf: Shelf::empty(&gpu),
            codes: Staged::empty(&gpu),
            matrix: Staged::empty(&gpu),
            strands: [Staged::empty(&gpu), Staged::empty(&gpu)],
            places: Staged::empty(&gpu),
            items: Staged::empty(&gpu),
            taken: DeviceArray::empty(&gpu),
            borders: DeviceArray::empty(&gpu),
            scores: DeviceArray::empty(&gpu),
            least: Staged::empty(&gpu),
            limits: Staged::empty(&gpu),
            starts: Staged::empty(&gpu),
            kept: Staged::empty(&gpu),
            sent_to_cpu: 0,
            gpu,
            settings,
            cpu,
        })
    }

    /// Queries of the last job that were ranked on the CPU.
    pub fn sent_to_cpu(&self) -> usize {
        self.sent_to_cpu
    }

    /// How long the stages of the last job took; none unless the device is `timed`.
    ///
    /// # Errors
    /// What the device says.
    pub fn timings(&self) -> Result<Timings> {
        Ok(self.recorder.timings(&self.gpu)?)
    }

    /// Bytes that the letters of a part may take.
    fn letters(&self) -> usize {
        self.settings.memory / LETTERS
    }

    fn means(&self, scoring: &Scoring, packed: bool) -> Means {
        Means {
            packed,
            gaps: Gaps::of(scoring.gap.open, scoring.gap.extend),
            codes: scoring.size as u32,
            multiprocessors: self.gpu.multiprocessors(),
            shared: self.gpu.shared_memory(),
            borders: (self.settings.memory / BORDERS / size_of::<U32x2>()) as u64,
        }
    }

    /// Ranks some queries, one after another in the strands, each with the form of its pass.
    fn rank_slice(&mut self, ranking: &Ranking, slice: &Slice) -> DeviceResult<Vec<Vec<Scored>>> {
        let targets = ranking.database.targets().len();
        self.recorder.mark(&self.stream, None)?;
        self.send_queries(ranking, slice)?;
        self.scores.grow(slice.rows.len() * targets)?;
        self.scores.fill(&self.stream, 0..slice.rows.len() * targets, 0)?;
        self.recorder.mark(&self.stream, Some(stage::COPY_IN))?;
        self.search(ranking, slice, &slice.forms)?;
        let mut limits = self.limits(ranking, slice)?;
        let again = slice.again(&limits);
        if !again.is_empty() {
            self.search(ranking, slice, &again)?;
            limits = self.limits(ranking, slice)?;
        }
        self.keep(ranking, slice, &limits)
    }

    fn send_queries(&mut self, ranking: &Ranking, slice: &Slice) -> DeviceResult<()> {
        let mut start = 0;
        let place = |&row: &usize| {
            let length = ranking.length(row) as u32;
            start += length;
            U32x2([start - length, length])
        };
        let places: Vec<U32x2> = slice.rows.iter().map(place).collect();
        self.places.send(&self.stream, &places)?;
        for (staged, queries) in self.strands.iter_mut().zip(ranking.strands) {
            let Some(queries) = queries else { continue };
            let residues: Vec<u8> = slice.rows.iter().flat_map(|&row| queries.get(row)).copied().collect();
            staged.send(&self.stream, &residues)?;
        }
        let low = i64::from(ranking.database.is_divided());
        let least: Vec<u32> = slice.rows.iter().map(|&row| ranking.least[row].clamp(low, LEAST_MAX) as u32).collect();
        self.least.send(&self.stream, &least)
    }

    /// Computes the scores of some of a slice's queries.
    fn search(&mut self, ranking: &Ranking, slice: &Slice, forms: &[(Query, Form)]) -> DeviceResult<()> {
        let Some(packed) = forms.first().map(|(_, form)| form.pass.packed) else { return Ok(()) };
        let (couples, means) = (slice.couples.clone(), self.means(ranking.scoring, packed));
        let share = ranking.database.share_of_couples(couples.len());
        for part in self.shelf.parts(&couples, self.letters()) {
            let some = part.start.max(share.start)..part.end.min(share.end);
            if some.is_empty() {
                continue;
            }
            self.shelf.load(&self.stream, &couples, part.clone())?;
            self.recorder.mark(&self.stream, Some(stage::COPY_IN))?;
            let plan = Plan::new(forms, &couples, (part.start, some), &means);
            self.items.send(&self.stream, &plan.items)?;
            let elements = |launch: &Launch| match launch.strips {
                1 => 0,
                _ => launch.blocks.borders(launch.form.lanes, launch.border.into()),
            };
            self.borders.grow(plan.launches.iter().map(elements).max().unwrap_or(0) as usize)?;
            let tickets = plan.launches.len() + plan.items.len();
            self.taken.grow(2 * tickets)?;
            self.taken.fill(&self.stream, 0..2 * tickets, 0)?;
            let (mut second, mut taken) = (0, 0);
            for strand in (0..2).filter(|&strand| ranking.strands[strand].is_some()) {
                for launch in &plan.launches {
                    let args = self.search_args(ranking, slice, launch, (strand, second, taken));
                    taken += 1 + launch.items.len();
                    // SAFETY: `Plan` makes items of this slice's queries and of the couples on the shelf, with borders as long as
                    // its launches say; `Couples` has laid out the letters; `Slice` has only queries with residues, whose codes
                    // `Alphabet` knows. All was sent on this stream, and `fill` has set `taken`.
                    unsafe { launch::align_search(&self.stream, launch.form.pass, launch.blocks, args)? };
                }
                second = 1;
            }
            self.recorder.mark(&self.stream, Some(stage::SEARCH))?;
        }
        Ok(())
    }

    fn search_args<'a>(
        &'a self,
        ranking: &Ranking,
        slice: &Slice,
        launch: &Launch,
        (strand, second, taken): (usize, u32, usize),
    ) -> SearchArgs<'a> {
        let targets = ranking.database.targets().len();
        let Scoring { gap, size, .. } = ranking.scoring;
        let (letters, couples, order) = self.shelf.views();
        SearchArgs {
            queries: self.strands[strand].device().view(),
            places: self.places.device().slice(0..slice.rows.len()),
            codes: self.codes.device().view(),
            matrix: self.matrix.device().view(),
            letters,
            couples,
            order,
            items: self.items.device().slice(launch.items.clone()),
            scores: self.scores.slice_mut(0..slice.rows.len() * targets),
            borders: self.borders.view_mut(),
            taken: self.taken.slice_mut(taken..taken + 1 + launch.items.len()),
            rules: SearchRules {
                open: gap.open,
                extend: gap.extend,
                codes: *size as u32,
                lanes: launch.form.lanes,
                strips: launch.strips,
                targets: targets as u32,
                border: launch.border,
                second,
            },
        }
    }

    /// The arguments for some queries of a slice, which keep so many targets together.
    fn keep_args<'a>(&'a self, ranking: &Ranking, queries: Range<usize>, kept: usize) -> KeepArgs<'a> {
        let targets = ranking.database.targets().len();
        KeepArgs {
            scores: self.scores.slice(queries.start * targets..queries.end * targets),
            least: self.least.device().slice(queries.clone()),
            limits: self.limits.device().slice_mut(queries.clone()),
            starts: self.starts.device().slice(0..queries.len()),
            kept: self.kept.device().slice_mut(0..kept),
            targets: targets as u32,
            top: ranking.top.min(targets) as u32,
        }
    }

    /// What the queries of a slice keep: the limit of each, how many in all.
    fn limits(&mut self, ranking: &Ranking, slice: &Slice) -> DeviceResult<Vec<U32x4>> {
        let queries = slice.rows.len();
        self.limits.grow(queries)?;
        self.starts.grow(queries)?;
        // SAFETY: scores are below 2^31, as `Slice` has made sure, and so are the least ones.
        unsafe { launch::align_limit(&self.stream, self.keep_args(ranking, 0..queries, 0))? };
        self.limits.fetch(&self.stream, queries)?;
        Ok(self.limits.read()?.to_vec())
    }

    /// What all queries of a slice keep. Some of them at a time, so that what comes back before it is looked at is bounded.
    fn keep(&mut self, ranking: &Ranking, slice: &Slice, limits: &[U32x4]) -> DeviceResult<Vec<Vec<Scored>>> {
        let (mut ranked, mut first) = (Vec::with_capacity(limits.len()), 0);
        while first < limits.len() {
            let mut all = 0;
            let fits = |U32x4([_, _, count, _]): &&U32x4| {
                all += u64::from(*count);
                all <= KEPT_MAX
            };
            let end = first + limits[first..].iter().take_while(fits).count().max(1);
            self.keep_some(ranking, slice, (first, &limits[first..end]), &mut ranked)?;
            first = end;
        }
        self.recorder.mark(&self.stream, Some(stage::KEEP))?;
        Ok(ranked)
    }

    /// What the queries of these limits keep, from `first` on.
    fn keep_some(
        &mut self,
        ranking: &Ranking,
        slice: &Slice,
        (first, limits): (usize, &[U32x4]),
        ranked: &mut Vec<Vec<Scored>>,
    ) -> DeviceResult<()> {
        let counts = || limits.iter().map(|U32x4([_, _, count, _])| *count);
        let starts: Vec<u32> = counts().scan(0, |end, count| Some(std::mem::replace(end, *end + count))).collect();
        let all = counts().sum::<u32>() as usize;
        self.starts.send(&self.stream, &starts)?;
        self.kept.grow(all)?;
        // SAFETY: the limits are on the device still, and the starts are as far apart as they say.
        unsafe { launch::align_keep(&self.stream, self.keep_args(ranking, first..first + limits.len(), all))? };
        self.kept.fetch(&self.stream, all)?;
        let kept = self.kept.read()?;
        for ((start, count), &row) in starts.into_iter().zip(counts()).zip(&slice.rows[first..]) {
            let scored = |U32x2([target, score]): &U32x2| Scored { target: *target, score: i64::from(*score) };
            let all = kept[start as usize..(start + count) as usize].iter().map(scored);
            let mut wanted = all.filter(|&scored| ranking.wants(row, scored)).collect();
            ranking.add_zeros(row, &mut wanted);
            ranked.push(wanted);
        }
        Ok(())
    }

    /// Sees to the tables of a scoring that the kernels know; its highest score of a residue, or `None` for others.
    fn load(&mut self, ranking: &Ranking) -> DeviceResult<Option<i32>> {
        let Scoring { mode, gap, .. } = ranking.scoring;
        let alphabet = Alphabet::of_all(ranking.scoring);
        let known = *mode == Mode::Local && gap.open.saturating_add(gap.extend) <= GAP_MAX;
        let Some(alphabet) = alphabet.filter(|_| known) else { return Ok(None) };
        self.codes.send(&self.stream, &alphabet.codes)?;
        self.matrix.send(&self.stream, &alphabet.scores)?;
        Ok(ranking.scoring.scores.iter().copied().max())
    }
}

/// The longest query that is looked at here: its profile has at least two bytes a residue, which no block has room for.
const QUERY_MAX: u32 = 1 << 20;
/// The longest target: steps are counted in 32 bits, and a group has some more of them than columns.
const TARGET_MAX: u64 = u32::MAX as u64 - 128;
/// The largest least score.
const LEAST_MAX: i64 = (1 << 31) - 2;

/// Queries that are ranked together.
struct Slice {
    couples: Arc<super::couples::Couples>,
    /// Their numbers in the job.
    rows: Vec<usize>,
    /// Those with residues, each by its place in `rows`.
    forms: Vec<(Query, Form)>,
    /// The same in 32 bits, where the forms are packed.
    wide: Vec<(Query, Form)>,
    /// Packed scores from this one on may have wrapped.
    trusted: u32,
}

impl Slice {
    /// The queries that have to be searched in 32 bits.
    fn again(&self, limits: &[U32x4]) -> Vec<(Query, Form)> {
        let wrapped = |query: u32| limits[query as usize].0[3] >= self.trusted;
        self.wide.iter().copied().filter(|&((query, _), _)| wrapped(query)).collect()
    }
}

impl Ranking<'_> {
    /// The same for some of the queries.
    fn of<'a>(&'a self, strands: &'a [Option<Sequences>; 2], least: &'a [i64]) -> Ranking<'a> {
        Ranking { strands: strands.each_ref().map(Option::as_ref), least, ..*self }
    }

    /// Adds targets with a score of 0 to all targets of a share that have more, where a query keeps any: the first ones.
    fn add_zeros(&self, query: usize, chosen: &mut Vec<Scored>) {
        if !self.database.is_divided() || self.least[query] > 0 || chosen.len() >= self.top {
            return;
        }
        let is_chosen = |target: u32| chosen.binary_search_by_key(&target, |scored| scored.target).is_ok();
        let zeros = (0..self.database.targets().len() as u32)
            .filter(|&target| self.database.holds(target) && !is_chosen(target))
            .map(|target| Scored { target, score: 0 })
            .filter(|&scored| self.wants(query, scored));
        let zeros: Vec<Scored> = zeros.take(self.top - chosen.len()).collect();
        chosen.extend(zeros);
        chosen.sort_unstable_by_key(|scored| scored.target);
    }
}

impl<G: Gpu> Device<G> {
    /// The forms of a query, packed and not; `None` when there is none for it. No residue scores above `most`.
    fn forms(&self, ranking: &Ranking, row: usize, (columns, longest): (u64, u64), most: i32) -> Option<[Form; 2]> {
        let length = u32::try_from(ranking.length(row)).ok().filter(|&length| length <= QUERY_MAX)?.max(1);
        // A part has room for the longest couple.
        if longest > TARGET_MAX || (longest + 1).saturating_mul(size_of::<u16>() as u64) > self.letters() as u64 {
            return None;
        }
        let packs = self.settings.packed && self.gpu.packs();
        let form = |packed| self.means(ranking.scoring, packed).form(length, columns, longest);
        // A local score is at most that of the whole query.
        let is_countable = i64::from(length) * i64::from(most) <= LEAST_MAX;
        let wide = form(false).filter(|_| is_countable)?;
        Some([if packs { form(true)? } else { wide }, wide])
    }

    fn rank_on_cpu(&mut self, ranking: &Ranking, rows: &[usize], watch: &dyn Watch) -> Result<Vec<Vec<Scored>>> {
        self.sent_to_cpu += rows.len();
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let some = |queries: &Sequences| rows.iter().map(|&row| queries.get(row)).collect::<Sequences>();
        let strands = ranking.strands.map(|queries| queries.map(some));
        let least: Vec<i64> = rows.iter().map(|&row| ranking.least[row]).collect();
        self.cpu.rank(&ranking.of(&strands, &least), watch)
    }
}

impl<G: Gpu> Rank for Device<G> {
    fn rank(&mut self, ranking: &Ranking, watch: &dyn Watch) -> Result<Vec<Vec<Scored>>> {
        self.recorder.clear();
        self.sent_to_cpu = 0;
        let rows: Vec<usize> = (0..ranking.queries()).collect();
        let targets = ranking.database.targets().len();
        let most = if targets == 0 || ranking.top == 0 { None } else { self.load(ranking)? };
        let Some(most) = most else { return self.rank_on_cpu(ranking, &rows, watch) };
        let Scoring { codes, size, .. } = ranking.scoring;
        let couples = ranking.database.couples(codes, *size as u8);
        let longest = if couples.len() == 0 { 1 } else { couples.columns(0) };
        let columns = couples.all_columns() / couples.len().max(1) as u64;
        let forms: Vec<_> = rows.iter().map(|&row| self.forms(ranking, row, (columns, longest), most)).collect();
        let (on_device, on_cpu): (Vec<usize>, Vec<usize>) = rows.iter().partition(|&&row| forms[row].is_some());
        let together = (self.settings.memory / SCORES / KEPT / targets).min(u32::MAX as usize / targets).max(1);
        let (parts, mut ranked) = (Parts::new(watch, rows.len()), vec![Vec::new(); rows.len()]);
        for rows in on_device.chunks(together) {
            let slice = Slice::new(ranking, rows, &forms, (couples.clone(), most));
            let found = self.rank_slice(ranking, &slice).map_err(Error::from);
            // Nothing of a slice that failed is under way when its memory is taken again.
            let found = found.inspect_err(|_| drop(self.stream.synchronize()))?;
            rows.iter().zip(found).for_each(|(&row, found)| ranked[row] = found);
            parts.add(rows.len());
        }
        let found = self.rank_on_cpu(ranking, &on_cpu, watch)?;
        on_cpu.iter().zip(found).for_each(|(&row, found)| ranked[row] = found);
        Ok(ranked)
    }
}

impl Slice {
    fn new(
        ranking: &Ranking,
        rows: &[usize],
        forms: &[Option<[Form; 2]>],
        (couples, most): (Arc<super::couples::Couples>, i32),
    ) -> Self {
        let with_residues = |which: usize| {
            let form = |(k, &row): (u32, &usize)| {
                let length = ranking.length(row) as u32;
                forms[row].filter(|_| length > 0).map(|forms| ((k, length), forms[which]))
            };
            let some = (0..).zip(rows).filter_map(form);
            if couples.len() == 0 { Vec::new() } else { some.collect::<Vec<_>>() }
        };
        let forms = with_residues(0);
        let is_packed = forms.first().is_some_and(|(_, form)| form.pass.packed);
        let wide = if is_packed { with_residues(1) } else { Vec::new() };
        let trusted = (i32::from(i16::MAX) - most.max(0) + 1) as u32;
        Self { couples, rows: rows.to_vec(), forms, wide, trusted }
    }
}

/// Some couples of a database, as they are on the device.
type Part = Range<usize>;

#[cfg(test)]
mod tests;
