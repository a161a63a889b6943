//! How each pattern is searched, decided once from the first batch.

use super::rows::wild_of_both;
use super::tiles::{CODES_PER_PATTERN, FEW, Kind, Tiles, cutting, is_long, kind, longest_tile, parts, tiles};
use super::{
    Beside, Candidate, Chains, Columns, Cutting, Frequencies, Layout, Listed, Rows, SPANS, SPANS_MAX, Shape,
    ShortTiles, Span, TILE_MIN, TILES_MAX, Table, WILD_MAX, Windows, cost, lay_out, map, planes,
};
use crate::{Algorithm, Limits, Pattern};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use warpseq_seq::iupac::WILD;

/// Codes of a tile, on average, up to which a span of more tiles is preferred: of few or long patterns, so that nearly all have one
/// shape, and of many, of which tables are large enough.
const CODES_PREFERRED: [u64; 2] = [128, 16];
/// Places of spans that are looked at for all patterns together; for one; and for one where tiles are shorter.
const PLACES: usize = 1 << 23;
const PLACES_OF_ONE: usize = 16;
const PLACES_IF_SHORTER: usize = 96;
/// The most wild digits of a tile that is looked up: with few patterns, comparing all of them is faster than so many codes.
const WILD_LOOKED_UP: RangeInclusive<u32> = 2..=WILD_MAX;
/// The same where patterns have several spans, so that positions with more wild digits cost little. Fewer than
/// a tile has symbols. With two, which suffice for 10 %, runs of N take up to a sixth less; but 30 MB that begin without any and go on with 30 % took
/// 20 times as long.
const WILD_OF_SPREAD: u32 = 4;
/// The same where one tile is enough, and tiles are not listed together, as sequences have so many. With four, a few of 300 million positions have more at 30 % `N`, for which
/// a GPU then has tables of the other spans, too, and searches twice.
const WILD_APART: u32 = 5;
const _: () = assert!((WILD_APART as usize) < TILE_MIN, "a tile of wild symbols alone is not looked up");

/// The share of wild symbols in the sequences, long runs left out, from which on patterns are not searched in parts, nor by windows: near every
/// place, one is hard.
const WILD_OF_PARTS: f64 = 0.2;

/// The share of the sequences in runs of wild symbols from which on patterns have more parts than they need, and what serves the places beside
/// these is made at once, on all threads, before a task asks for it.
pub(super) const IN_RUNS: f64 = 0.01;

/// Steps of comparing patterns whose first spans lie in runs before their windows are listed: for 1000 of kilobases, either takes a thread
/// 0.1 to 0.2 s.
const STEPS: i64 = 1 << 18;

/// Tiles of a table that tell about how many codes all have.
const SOME_TILES: usize = 256;
/// Patterns that are encoded together.
const TOGETHER: usize = 1 << 5;

/// How an engine encodes patterns.
pub trait Encoding {
    /// The digit of each byte.
    const DIGITS: &'static [u8; 256];
    /// The same as far as symbols are counted that a match may have wild.
    const COUNTED: &'static [u8; 256] = Self::DIGITS;
    /// Whether symbols of equal digits are the same, unless these are wild.
    const TELLING: bool = false;

    /// The symbol of a base in patterns.
    fn pattern_symbol(base: u8) -> u8;
}

/// A pattern to search for.
#[derive(Clone, Copy)]
pub struct Query {
    /// Index of the pattern.
    pub pattern: u32,
    /// Where its symbols begin among those of all.
    start: usize,
    length: u32,
    /// How many of its symbols are wild, as far as these are counted.
    pub wild: u32,
    pub limits: Limits,
    is_told: bool,
    planes: [u64; 2],
}

impl Query {
    /// Pattern number `k`, of which so many symbols are wild. Its symbols begin at 0.
    fn of<A: Encoding>(k: u32, pattern: &Pattern, wild: u32) -> Self {
        let (bases, limits) = (pattern.bases(), pattern.limits());
        let planes = told::<A>(bases);
        let (is_told, planes) = (planes.is_some(), planes.unwrap_or_default());
        Self { pattern: k, start: 0, length: bases.len() as u32, wild, limits, is_told, planes }
    }

    /// Symbols of the pattern.
    #[inline(always)]
    pub fn length(&self) -> usize {
        self.length as usize
    }

    /// Whether any of its symbols is wild.
    pub fn has_wild(&self) -> bool {
        self.wild > 0
    }

    /// The digits in two planes, of a short pattern that has no wild ones, where they tell its symbols.
    #[inline(always)]
    pub fn planes(&self) -> Option<[u64; 2]> {
        self.is_told.then_some(self.planes)
    }
}

/// The patterns, encoded, less those that can never match.
#[derive(Default)]
pub struct Queries {
    pub all: Vec<Query>,
    /// None where digits tell those of all patterns.
    symbols: Vec<u8>,
    digits: Vec<u8>,
    /// The symbols of the four digits.
    singles: [u8; 4],
}

/// The most symbols of a pattern that its digits tell.
pub const TOLD: usize = 64;

impl Queries {
    /// Encodes the patterns. A pattern with more wild symbols than a match may have, or mismatches instead, can never match.
    pub fn of<A: Encoding>(patterns: &[Pattern]) -> Self {
        let wild = |base: &&u8| A::COUNTED[**base as usize] == WILD;
        let wild = |pattern: &Pattern| pattern.bases().iter().filter(wild).count() as u32;
        let can_match = |(k, pattern): (usize, &Pattern)| {
            let (wild, Limits { wild: most, mismatches }) = (wild(pattern), pattern.limits());
            (wild <= most.saturating_add(mismatches)).then_some((k as u32, wild))
        };
        let those: Vec<(u32, u32)> = patterns.par_iter().enumerate().filter_map(can_match).collect();
        let query = |(k, wild)| Query::of::<A>(k, &patterns[k as usize], wild);
        let mut all: Vec<Query> = those.into_par_iter().map(query).collect();
        let lengths: Vec<usize> =
            all.par_chunks(TOGETHER).map(|queries| queries.iter().map(Query::length).sum()).collect();
        let before = lengths.iter().scan(0, |sum, length| Some(std::mem::replace(sum, *sum + length)));
        let starts: Vec<usize> = before.collect();
        all.par_chunks_mut(TOGETHER).zip(starts).for_each(|(queries, mut start)| {
            for query in queries {
                query.start = start;
                start += query.length();
            }
        });
        let are_told = all.par_iter().all(|query| query.is_told);
        let symbols = if are_told { Vec::new() } else { encoded(&all, patterns, A::pattern_symbol) };
        let digits = encoded(&all, patterns, |base| A::DIGITS[base as usize]);
        Self { all, symbols, digits, singles: b"ACGT".map(A::pattern_symbol) }
    }

    /// The symbols of a pattern, maybe in `room`.
    pub fn symbols<'q>(&'q self, query: &Query, room: &'q mut [u8; TOLD]) -> &'q [u8] {
        if !self.symbols.is_empty() {
            return &self.symbols[query.start..query.start + query.length()];
        }
        let room = &mut room[..query.length()];
        room.iter_mut()
            .zip(self.digits(query))
            .for_each(|(symbol, &digit)| *symbol = self.singles[usize::from(digit & 3)]);
        room
    }

    pub fn digits(&self, query: &Query) -> &[u8] {
        &self.digits[query.start..query.start + query.length()]
    }
}

/// What each base of these queries is as a code, one query after another.
fn encoded(all: &[Query], patterns: &[Pattern], code: impl Fn(u8) -> u8 + Sync) -> Vec<u8> {
    let end = |queries: &[Query]| queries.last().map_or(0, |last| last.start + last.length());
    let mut codes = vec![0; end(all)];
    let mut left = &mut codes[..];
    let parts = all.chunks(TOGETHER).map(|queries| {
        let of_part = end(queries) - queries[0].start;
        (queries, left.split_off_mut(..of_part).expect("there is room for the codes of all"))
    });
    parts.collect::<Vec<_>>().into_par_iter().for_each(|(queries, mut codes)| {
        for query in queries {
            let of_query = codes.split_off_mut(..query.length()).expect("there is room for the codes of all");
            of_query.iter_mut().zip(patterns[query.pattern as usize].bases()).for_each(|(to, &base)| *to = code(base));
        }
    });
    codes
}

/// The digits of a pattern in two planes, if these say all of it.
fn told<A: Encoding>(bases: &[u8]) -> Option<[u64; 2]> {
    if !A::TELLING || bases.len() > TOLD {
        return None;
    }
    let mut digits = [0; TOLD];
    digits.iter_mut().zip(bases).for_each(|(digit, &base)| *digit = A::DIGITS[base as usize]);
    let [low, high, wild] = planes(&digits[..bases.len()]);
    (wild == 0).then_some([low, high])
}

/// The patterns of one shape, and where their tiles are listed.
pub struct Class {
    pub shape: Shape,
    /// Wild digits up to which a tile is looked up.
    pub wild: u32,
    /// The most wild digits of the sequence under a match of any of the patterns, mismatches included.
    pub most_wild: u32,
    /// Where patterns have several spans, whether a match of any of them may have all of these in one run of wild digits.
    pub fits_a_run: bool,
    /// Numbers of the spans.
    pub spans: Range<u32>,
    /// Of each tile, or of all together, those of the spans that are looked up first.
    pub first: Vec<Table>,
    /// What lies beside each tile of `first`, or none: it is not asked for.
    pub beside: Vec<Beside>,
    /// Where patterns have several spans, those of the others: made when there is a hard position.
    others: OnceLock<Vec<Table>>,
    /// Whether windows of these patterns serve in their place; made when they have been compared often. Until then, how many steps, from one
    /// place to another, are left, for all tasks.
    pub has_windows: bool,
    windows: OnceLock<Windows>,
    steps_left: AtomicI64,
    /// The patterns side by side: made when all are compared at a position.
    columns: OnceLock<Columns>,
    /// Short tiles of patterns in parts, if these have any: made when there is a hard position.
    short: OnceLock<Option<ShortTiles>>,
    /// Those that follow one another, if most do, or hashes of all, where tables are full. All spans are then at the first symbols of their
    /// patterns.
    pub chains: Option<Chains>,
}

/// What an executor does well.
#[derive(Clone, Copy)]
pub struct Machine {
    /// The most symbols of tiles that are listed together.
    pub together: usize,
    /// Bytes of the vectors with which it compares patterns, if it does so whenever that is faster.
    pub vector: Option<usize>,
    /// Whether it follows chains of patterns, and looks up hashes of whole patterns, as the CPU does.
    pub follows: bool,
}

/// What the tasks share.
pub struct Plan {
    pub classes: Vec<Class>,
    /// The spans of all classes, those of a pattern in a row.
    pub spans: Vec<Span>,
    /// Queries that are compared many at a time.
    pub rows: Vec<Rows>,
    /// Queries that are searched by brute force.
    pub brute: Vec<u32>,
    /// Words of 64 bits that are compared at a time.
    pub lanes: usize,
    /// Whether a match may be kept more than once: found by several tiles, or under several codes of one, of patterns without chains.
    pub doubles: bool,
    /// Whether it may be found from several places: of patterns in parts.
    pub scattered: bool,
    /// The furthest a match begins before the position that owns it, in symbols.
    pub before: usize,
    /// The furthest a match, or a span, ends after that position.
    pub after: usize,
}

impl Class {
    /// Counts steps in which its patterns were compared.
    pub fn compared(&self, steps: usize) {
        self.steps_left.fetch_sub(steps as i64, Relaxed);
    }

    /// Its chains, if no match may have mismatches: then no other pattern matches where one of a chain does.
    #[inline(always)]
    pub fn exact_chains(&self) -> Option<&Chains> {
        self.chains.as_ref().filter(|_| self.shape.needed == 1)
    }
}

impl Plan {
    /// The spans of a class.
    pub fn spans_of(&self, class: &Class) -> &[Span] {
        &self.spans[class.spans.start as usize..class.spans.end as usize]
    }

    /// The spans of each pattern of a class.
    pub fn patterns_of(&self, class: &Class) -> impl Iterator<Item = &[Span]> {
        self.spans_of(class).chunk_by(|one, next| one.query == next.query)
    }

    /// Decides for all queries by how often windows occur in the sequences.
    pub fn new(queries: &Queries, frequencies: &Frequencies, algorithm: Algorithm, machine: Machine) -> Self {
        let wild = frequencies.wild_share();
        let longest = [false, true].map(|long| longest_tile(queries, long, wild));
        let cutting = cutting(frequencies);
        let tiles = tiles(queries, (wild, cutting), (machine, longest));
        let layout = |query: &Query| layout(queries, query, (frequencies, cutting), (machine, &tiles));
        let layout = |query: &Query| match algorithm {
            Algorithm::Brute => None,
            Algorithm::Auto => layout(query).filter(|layout| !layout.is_crowded()),
            Algorithm::Anchor => layout(query),
        };
        let layout = |query: &Query| layout(query).filter(|of| wild < WILD_OF_PARTS || !of.shape().parted);
        let layouts: Vec<Option<Layout>> = queries.all.par_iter().map(layout).collect();
        let (classes, spans, rows, lanes) = (Vec::new(), Vec::new(), Vec::new(), machine.vector.unwrap_or(8) / 8);
        let mut shapes = by_shape(&layouts);
        let brute = shapes.remove(&None).unwrap_or_default();
        let mut plan =
            Self { classes, spans, rows, brute, lanes, doubles: false, scattered: false, before: 0, after: 0 };
        if let (Algorithm::Auto, Some(vector)) = (algorithm, machine.vector) {
            let compared = compare_where_faster(&mut shapes, (queries, &layouts), frequencies, vector);
            let (rows, mut others) = Rows::divide(queries, (compared, vector), frequencies);
            plan.rows = rows;
            plan.brute.append(&mut others);
        }
        let mut classes = Vec::new();
        for (shape, members) in shapes.into_iter().filter_map(|(shape, members)| Some((shape?, members))) {
            let of_member = |&k: &u32| layouts[k as usize].map_or(1, |layout| layout.spans());
            let spans = if shape.parted { members.iter().map(of_member).max().unwrap_or(1) } else { shape.spans() };
            let numbers = if shape.together { spans * shape.tiles } else { spans };
            plan.scattered |= shape.parted;
            for members in members.chunks((SPANS_MAX / numbers).max(1)) {
                let may_follow = machine.follows && !shape.spread && !shape.parted;
                let is_full = shape.needed == 1 && members.len() * CODES_PER_PATTERN[1] > 1 << (2 * shape.tile);
                match may_follow.then(|| Chains::new(&queries.all, members, is_full)).flatten() {
                    Some((chains, members)) => {
                        classes.push((shape, plan.add_spans(shape, &members, None), Some(chains)));
                    }
                    None => classes.push((shape, plan.add_spans(shape, members, Some(&layouts)), None)),
                }
            }
        }
        let reach = |(query, offset): (u32, u32)| {
            let (length, offset) = (queries.all[query as usize].length(), offset as usize);
            [offset, length - offset]
        };
        let further = |one: [usize; 2], other: [usize; 2]| [one[0].max(other[0]), one[1].max(other[1])];
        let in_rows = plan.rows.par_iter().flat_map(|rows| &rows.spans);
        let of_spans = plan.spans.par_iter().chain(in_rows).map(|span| (span.query, span.offset));
        // Where all patterns are compared, they are at their first symbols.
        let parted = classes.iter().filter(|(shape, ..)| shape.parted);
        let parted = parted.flat_map(|(_, spans, _)| &plan.spans[spans.start as usize..spans.end as usize]);
        let everywhere: Vec<u32> = parted.map(|span| span.query).chain(plan.brute.iter().copied()).collect();
        let reaches = of_spans.chain(everywhere.into_par_iter().map(|query| (query, 0))).map(reach);
        [plan.before, plan.after] = reaches.reduce(|| [0; 2], further);
        // Tables take their memory.
        drop(layouts);
        for (shape, spans, chains) in classes {
            plan.add_class(queries, (shape, spans), chains, (machine, algorithm, wild));
        }
        if frequencies.share_in_runs() > IN_RUNS {
            plan.make_others(queries);
        }
        plan
    }

    /// Adds the spans of these queries, all of one shape, and returns their numbers. Without `layouts`, each has one, at its first symbol.
    fn add_spans(&mut self, shape: Shape, members: &[u32], layouts: Option<&[Option<Layout>]>) -> Range<u32> {
        let first = self.spans.len() as u32;
        let layout = |query: u32| layouts.and_then(|layouts| layouts[query as usize]);
        let span = |query: u32, k: usize| {
            let offset = layout(query).map_or(0, |layout| layout.offset(k));
            Span { query, offset, order: if shape.parted { 0 } else { k as u32 } }
        };
        if shape.parted {
            let spans = |&query: &u32| (0..layout(query).map_or(0, |layout| layout.spans())).map(move |k| (query, k));
            self.spans.extend(members.iter().flat_map(spans).map(|(query, k)| span(query, k)));
        } else {
            let each = shape.spans();
            let spans = (0..members.len() * each).into_par_iter().map(|k| span(members[k / each], k % each));
            self.spans.par_extend(spans);
        }
        first..self.spans.len() as u32
    }

    fn add_class(
        &mut self,
        queries: &Queries,
        (shape, spans): (Shape, Range<u32>),
        chains: Option<Chains>,
        (machine, algorithm, share): (Machine, Algorithm, f64),
    ) {
        let members = self.spans[spans.start as usize..spans.end as usize].par_iter().filter(|span| span.order == 0);
        let limits = members.clone().map(|span| queries.all[span.query as usize].limits);
        let most_wild = limits.map(|limits| limits.wild.saturating_add(limits.mismatches)).max().unwrap_or(0);
        let patterns = members.count();
        let fits = |spans: &[Span]| {
            let Limits { wild, mismatches } = queries.all[spans[0].query as usize].limits;
            distance(spans) as usize + shape.length() <= wild as usize + mismatches as usize + shape.slack()
        };
        let all = &self.spans[spans.start as usize..spans.end as usize];
        let fits_a_run = shape.spread && all.chunk_by(|_, next| next.order > 0).any(fits);
        let most_looked_up = match shape {
            Shape { spread: true, needed: 1, together: false, .. } => WILD_APART,
            _ if shape.spread || shape.parted => WILD_OF_SPREAD,
            _ => *WILD_LOOKED_UP.end(),
        };
        let has_windows = shape.spread && share < WILD_OF_PARTS && Windows::suit(all, queries, shape.needed);
        // To search by seeds alone is to show what all of them find.
        let steps = if algorithm == Algorithm::Anchor { 0 } else { STEPS };
        let wild = spans.len().ilog(4).clamp(*WILD_LOOKED_UP.start(), most_looked_up);
        let first = self.tables(queries, (shape, &spans), false, false);
        let asks = machine.follows && shape.needed == 1 && shape.tiles <= 2 && !shape.spread && chains.is_none();
        let tables = if asks && first.iter().all(Beside::pays) { &first[..] } else { &[] };
        let beside = tables.iter().enumerate().map(|(k, table)| Beside::of(table, shape.is_last(k))).collect();
        let several = first.iter().any(|table| table.entries() > patterns);
        self.doubles |= chains.is_none() && (shape.needed > 1 || shape.spread || several);
        self.classes.push(Class {
            shape,
            wild,
            most_wild,
            fits_a_run,
            spans,
            first,
            beside,
            others: OnceLock::new(),
            has_windows,
            windows: OnceLock::new(),
            steps_left: AtomicI64::new(steps),
            columns: OnceLock::new(),
            short: OnceLock::new(),
            chains,
        });
    }

    /// The tables of a class for the spans that are not looked up first.
    pub fn others<'a>(&self, class: &'a Class, queries: &Queries) -> &'a [Table] {
        // On one thread: a thread that waited for others here might be given a task that waits for this one.
        class.others.get_or_init(|| self.tables(queries, (class.shape, &class.spans), true, true))
    }

    /// Makes these of all classes without windows, on all threads.
    fn make_others(&self, queries: &Queries) {
        for class in self.classes.iter().filter(|class| class.shape.spread && !class.has_windows) {
            _ = class.others.set(self.tables(queries, (class.shape, &class.spans), true, false));
        }
    }

    /// Makes the windows of the others, on all threads, if sequences of such `frequencies` ask for them. Where that has not been done, they are
    /// made when they are asked for.
    pub fn make_all_windows(&self, frequencies: &Frequencies, queries: &Queries) {
        if frequencies.share_in_runs() > IN_RUNS {
            let those = self.classes.iter().filter(|class| class.shape.spread && class.has_windows);
            those.for_each(|class| self.make_windows(class, queries));
        }
    }

    fn make_windows(&self, class: &Class, queries: &Queries) {
        // Who is first makes those that all use.
        _ = class.windows.set(Windows::new(self.spans_of(class), queries, class.shape.needed));
    }

    /// Whether some of them are made.
    pub fn has_others(&self) -> bool {
        self.classes.iter().any(|class| class.others.get().is_some() || class.windows.get().is_some())
    }

    /// The windows of a class, if all of its patterns have some: made now, on all threads.
    pub fn all_windows<'a>(&self, class: &'a Class, queries: &Queries) -> Option<&'a Windows> {
        if class.has_windows && class.windows.get().is_none() {
            self.make_windows(class, queries);
        }
        class.windows.get().filter(|windows| windows.are_listed.iter().all(|&is_listed| is_listed))
    }

    /// Bytes of their table.
    pub fn bytes_of_windows(&self, class: &Class, queries: &Queries) -> usize {
        if class.has_windows { Windows::bytes(self.spans_of(class), queries) } else { 0 }
    }

    /// The windows of a class, if they are made or to be made now, on all threads: those that ask meanwhile go on without.
    pub fn windows<'a>(&self, class: &'a Class, queries: &Queries) -> Option<&'a Windows> {
        let is_due = class.windows.get().is_none() && class.steps_left.load(Relaxed) <= 0;
        if is_due && class.steps_left.swap(i64::MAX, Relaxed) <= 0 {
            self.make_windows(class, queries);
        }
        class.windows.get()
    }

    /// The patterns of a class, each of one span, side by side.
    pub fn columns<'a>(&self, class: &'a Class, queries: &Queries) -> &'a Columns {
        class.columns.get_or_init(|| Columns::new(self.spans_of(class), queries))
    }

    /// The short tiles of a class of patterns in parts, if it has any. All that ask wait for them, as to compare a segment takes longer.
    pub fn short_tiles<'a>(&self, class: &'a Class, queries: &Queries) -> Option<&'a ShortTiles> {
        let query = |spans: &[Span]| &queries.all[spans[0].query as usize];
        let make = || ShortTiles::new(&self.patterns_of(class).map(query).collect::<Vec<_>>(), queries);
        class.short.get_or_init(make).as_ref()
    }

    /// Bytes of those tables.
    pub fn bytes_of_others(&self, class: &Class, queries: &Queries) -> usize {
        let Class { shape, spans, .. } = class;
        let of = |k| move |at| self.listed(queries, (*shape, spans), true, k, at);
        let codes = self.codes(queries, (*shape, spans), true);
        let bytes = |(k, tiles)| Table::bytes(shape.tile, codes, Table::entries_of(shape.tile, tiles, of(k)));
        tables_of(*shape, spans, true).into_iter().map(bytes).sum()
    }

    /// The tables of the first spans, or the others, of each pattern of these: made on this thread `alone`, or on all.
    fn tables(&self, queries: &Queries, (shape, spans): (Shape, &Range<u32>), others: bool, alone: bool) -> Vec<Table> {
        let codes = self.codes(queries, (shape, spans), others);
        map(alone, tables_of(shape, spans, others), |(k, tiles)| {
            let listed = |at| self.listed(queries, (shape, spans), others, k, at);
            Table::new((shape.tile, shape.is_last(k)), alone, (tiles, codes), listed)
        })
    }

    /// Under how many codes the tiles of each of these tables are, on average of all tables, as far as some tiles tell. All have lists of one kind.
    fn codes(&self, queries: &Queries, (shape, spans): (Shape, &Range<u32>), others: bool) -> usize {
        let tables = tables_of(shape, spans, others);
        let some = |&(k, tiles): &(usize, usize)| {
            (0..tiles)
                .step_by(tiles.div_ceil(SOME_TILES).max(1))
                .map(move |at| self.listed(queries, (shape, spans), others, k, at).codes(shape.tile))
        };
        let (looked_at, codes) =
            tables.iter().flat_map(some).fold((0, 0), |(count, sum), codes| (count + 1, sum + codes));
        tables.first().map_or(0, |&(_, tiles)| tiles * codes / looked_at.max(1))
    }

    /// The tile that is number `at` in the table of tile `k`. Where all tiles are in one table, tile k of span s has the number
    /// s * tiles + k there, and its span this for a number.
    fn listed<'a>(
        &self,
        queries: &'a Queries,
        (shape, spans): (Shape, &Range<u32>),
        others: bool,
        k: usize,
        at: usize,
    ) -> Listed<'a> {
        let together = shape.together;
        let (at, k) = if together { (at / shape.tiles, at % shape.tiles) } else { (at, k) };
        let each = shape.spans();
        let span = if others { at / (each - 1) * each + 1 + at % (each - 1) } else { at * each };
        let Span { query, offset, .. } = self.spans[spans.start as usize + span];
        let digits = queries.digits(&queries.all[query as usize]);
        let number = if together { span * shape.tiles + k } else { span };
        Listed { span: number as u32, digits, at: offset as usize + k * shape.tile }
    }
}

/// Symbols from the first to the last of the spans of a pattern.
pub fn distance(spans: &[Span]) -> u32 {
    let offsets = || spans.iter().map(|span| span.offset);
    offsets().max().unwrap_or(0) - offsets().min().unwrap_or(0)
}

/// The tables of spans: of which tile each is, and how many it lists.
fn tables_of(shape: Shape, spans: &Range<u32>, others: bool) -> Vec<(usize, usize)> {
    let patterns = spans.len() / shape.spans();
    let count = patterns * if others { SPANS - 1 } else { 1 };
    if shape.together { vec![(0, count * shape.tiles)] } else { (0..shape.tiles).map(|k| (k, count)).collect() }
}

/// The queries of each shape, in order; `None`: those that are compared by brute force.
fn by_shape(layouts: &[Option<Layout>]) -> BTreeMap<Option<Shape>, Vec<u32>> {
    let add = |mut shapes: BTreeMap<Option<Shape>, Vec<u32>>, (k, layout): (usize, &Option<Layout>)| {
        shapes.entry(layout.as_ref().map(Layout::shape)).or_default().push(k as u32);
        shapes
    };
    let append = |mut shapes: BTreeMap<_, Vec<u32>>, more: BTreeMap<_, Vec<u32>>| {
        more.into_iter().for_each(|(shape, mut members)| shapes.entry(shape).or_default().append(&mut members));
        shapes
    };
    layouts.par_iter().enumerate().fold(BTreeMap::new, add).reduce(BTreeMap::new, append)
}

/// Takes away, and returns, the patterns of shapes where comparing all of them, in rows or one by one, costs less than looking them up.
fn compare_where_faster(
    shapes: &mut BTreeMap<Option<Shape>, Vec<u32>>,
    (queries, layouts): (&Queries, &[Option<Layout>]),
    frequencies: &Frequencies,
    vector: usize,
) -> Vec<u32> {
    let wild = frequencies.wild_share();
    // Of long patterns, all lie over some of a run that first spans lie in.
    let has_runs = frequencies.share_in_runs() > IN_RUNS;
    let mut those = Vec::new();
    shapes.retain(|shape, members| {
        let Some(shape) = *shape else { return true };
        let of = |&k: &u32| {
            let codes = layouts[k as usize].map_or(0, |layout| u64::from(layout.codes));
            (codes, queries.all[k as usize].length())
        };
        let add = |one: (u64, usize), other: (u64, usize)| (one.0 + other.0, one.1.min(other.1));
        let (codes, shortest) = members.par_iter().map(of).reduce(|| (0, usize::MAX), add);
        let entries = codes as f64 / 4f64.powi(shape.tile as i32);
        let looked_up = match shape {
            Shape { spread: true, .. } if has_runs => return true,
            Shape { together: true, .. } => cost::of_looking_up_together(shape, entries, wild),
            Shape { spread: true, tiles, .. } => cost::of_looking_up_apart(shape, entries / tiles as f64, wild),
            Shape { tiles, .. } => cost::of_looking_up(shape, entries / tiles as f64, wild),
        };
        // Patterns in parts have more mismatches than a span has tiles.
        let mismatches = if shape.parted { TILES_MAX as u32 } else { shape.mismatches() };
        let of_both = wild_of_both(queries, members, frequencies);
        let in_rows = cost::of_rows_at_best(members.len(), (shortest, mismatches), of_both, vector);
        let compared = cost::of_comparing(members.len(), mismatches, vector);
        let looked_up = cost::of_looking_up_in_vectors(shape, looked_up, wild, vector);
        let is_faster = cost::are_rows_faster(in_rows, looked_up) || !shape.spread && compared < looked_up;
        if is_faster {
            those.append(members);
        }
        !is_faster
    });
    those
}

fn layout(
    queries: &Queries,
    query: &Query,
    (frequencies, cutting): (&Frequencies, Cutting),
    (machine, tiles): (Machine, &BTreeMap<Kind, Tiles>),
) -> Option<Layout> {
    let (patterns, Tiles { symbols: tile, shorter, apart }) = (queries.all.len(), tiles[&kind(query, cutting)]);
    // Of a pattern with wild symbols, the first place may be a bad one.
    let least = if query.is_told && patterns > PLACES / 32 { 1 } else { 2 };
    let places = (PLACES / patterns).clamp(least, if shorter { PLACES_IF_SHORTER } else { PLACES_OF_ONE });
    let codes = CODES_PREFERRED[usize::from(patterns > FEW && !is_long(query))];
    let (digits, parts, hashed) = (queries.digits(query), parts(query, cutting), machine.follows);
    let candidate =
        Candidate { digits, has_wild: !query.is_told, parts, places, apart, together: machine.together, codes, hashed };
    lay_out(&candidate, tile, frequencies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Iupac;
    use crate::pattern::patterns;
    use crate::seeds::{TILES, TILES_APART};
    use crate::{Options, Signature};
    use std::collections::BTreeSet;

    #[test]
    fn symbols_are_those_of_the_bases_whether_digits_tell_them_or_not() {
        let long = "ACGTU".repeat(20);
        for signatures in [&["ACGTUacgtu", "T", "GATTACA"][..], &["ACGT", "ACGNRT"], &["ACGT", &long], &[]] {
            let signature = |bases: &&str| Signature::new("q", bases.as_bytes().to_vec());
            let signatures: Vec<Signature> = signatures.iter().map(signature).collect();
            let patterns = patterns(&signatures, &Options::default());
            let queries = Queries::of::<Iupac>(&patterns);
            assert_eq!(queries.all.len(), patterns.len());
            for (query, pattern) in queries.all.iter().zip(&patterns) {
                let expected: Vec<u8> = pattern.bases().iter().map(|&base| Iupac::pattern_symbol(base)).collect();
                assert_eq!(queries.symbols(query, &mut [0; TOLD]), expected);
            }
        }
    }

    #[test]
    fn long_patterns_are_listed_apart_where_both_they_and_sequences_have_many_wild_symbols() {
        let bases = |length: usize, percent: usize, seed: usize| {
            let mut state = seed as u32 + 1;
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as usize
            };
            let mut base = || if next() % 100 < percent { b'N' } else { b"ACGT"[next() / 64 % 4] };
            (0..length).map(|_| base()).collect::<Vec<u8>>()
        };
        let shape = |[of_patterns, of_sequences]: [usize; 2]| {
            let signature = |k: usize| Signature::new("q", bases(700 + 100 * k, of_patterns, k));
            let signatures: Vec<Signature> = (0..12).map(signature).collect();
            let queries = Queries::of::<Iupac>(&patterns(&signatures, &Options::default()));
            let frequencies = Frequencies::of(&bases(4000, of_sequences, 99), Iupac::DIGITS);
            let machine = Machine { together: 10, vector: Some(32), follows: true };
            let plan = Plan::new(&queries, &frequencies, Algorithm::Anchor, machine);
            let Shape { tiles, spread, together, .. } = plan.classes[0].shape;
            (plan.classes.len(), tiles, spread, together)
        };
        assert_eq!([[0, 0], [0, 30], [10, 10]].map(shape), [(1, TILES, true, true); 3]);
        assert_eq!(shape([30, 30]), (1, TILES_APART, true, false));
    }

    #[test]
    fn tables_of_a_class_have_lists_of_one_kind_whatever_is_wild() {
        // In some places of all signatures, but not in others: of some tiles, there are many times as many codes.
        let signature = |k: usize, few: usize| {
            let base = |at: usize| match at % 3 {
                0 if (at / 12).is_multiple_of(2) && k < few => b'N',
                _ => b"ACGT"[(at * at + k * (at + 7)) % 4],
            };
            Signature::new("q", (0..150).map(base).collect())
        };
        let kinds = [0, 10, 100, 300].map(|few| {
            let signatures: Vec<Signature> = (0..300).map(|k| signature(k, few)).collect();
            let options = Options { max_mismatch: crate::Mismatches::Count(3), ..Options::default() };
            let queries = Queries::of::<Iupac>(&patterns(&signatures, &options));
            let frequencies = Frequencies::of(&b"ACGGT".repeat(50), Iupac::DIGITS);
            let machine = Machine { together: 10, vector: None, follows: false };
            let plan = Plan::new(&queries, &frequencies, Algorithm::Anchor, machine);
            assert!(!plan.classes.is_empty());
            plan.classes
                .iter()
                .map(|class| class.first.iter().map(|table| table.lists().1).collect::<BTreeSet<_>>().len())
                .max()
        });
        assert_eq!(kinds, [Some(1); 4]);
    }
}
