//! How each pattern is searched, decided once from the first batch.

use super::Algorithm;
use super::alphabet::Alphabet;
use super::planes::Planes;
use crate::seeds::{Candidate, Frequencies, Layout, Listed, SPANS, SPANS_MAX, Shape, Span, TILE_MAX, Table, lay_out};
use crate::{Limits, Pattern};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use warpseq_seq::iupac::WILD;

/// Candidates per position above which brute force is the faster way for a pattern.
const CROWDED: f64 = 0.1;
/// The fewest symbols of a tile, where patterns have room for it.
const TILE_MIN: usize = 6;
/// Codes of a tile for each pattern, so that few lists are not empty: of few patterns, of which tables fit a near cache all the same,
/// and of many.
const CODES_PER_PATTERN: [usize; 2] = [64, 8];
const FEW: usize = 1 << 15;
/// Places of spans that are looked at for all patterns together, and for one.
const PLACES: usize = 1 << 23;
const PLACES_OF_ONE: usize = 16;
/// The most wild digits of a tile that is looked up: with few patterns, comparing all of them is faster than so many codes.
const WILD_LOOKED_UP: RangeInclusive<u32> = 2..=6;

/// A pattern to search for.
#[derive(Clone, Copy)]
pub struct Query {
    /// Index of the pattern.
    pub pattern: u32,
    /// Where its symbols begin among those of all.
    start: usize,
    /// Symbols of the pattern.
    pub length: usize,
    pub limits: Limits,
}

/// The patterns, encoded, less those that can never match.
#[derive(Default)]
pub struct Queries {
    pub all: Vec<Query>,
    symbols: Vec<u8>,
    digits: Vec<u8>,
}

impl Queries {
    /// Encodes the patterns. A pattern with more wild symbols than a match may have, or mismatches instead, can never match.
    pub fn of<A: Alphabet>(patterns: &[Pattern]) -> Self {
        let wild = |base: &&u8| A::DIGITS[**base as usize] == WILD;
        let can_match = |pattern: &Pattern| {
            let Limits { wild: most, mismatches } = pattern.limits();
            pattern.bases().iter().filter(wild).count() <= most as usize + mismatches as usize
        };
        let possible: Vec<bool> = patterns.par_iter().map(can_match).collect();
        let mut all = Vec::new();
        let mut start = 0;
        for (k, pattern) in patterns.iter().enumerate().filter(|(k, _)| possible[*k]) {
            let length = pattern.bases().len();
            all.push(Query { pattern: k as u32, start, length, limits: pattern.limits() });
            start += length;
        }
        let (mut symbols, mut digits) = (vec![0; start], vec![0; start]);
        let (mut symbols_left, mut digits_left) = (&mut symbols[..], &mut digits[..]);
        let mut parts = Vec::with_capacity(all.len());
        for Query { pattern, length, .. } in &all {
            let part = [&mut symbols_left, &mut digits_left].map(|left| left.split_off_mut(..*length));
            parts.push((patterns[*pattern as usize].bases(), part));
        }
        parts.into_par_iter().for_each(|(bases, part)| {
            let [symbols, digits] = part.map(|part| part.expect("there is room for the symbols of all"));
            for (&base, (symbol, digit)) in bases.iter().zip(symbols.iter_mut().zip(digits)) {
                (*symbol, *digit) = (A::pattern_symbol(base), A::DIGITS[base as usize]);
            }
        });
        Self { all, symbols, digits }
    }

    pub fn symbols(&self, query: &Query) -> &[u8] {
        &self.symbols[query.start..query.start + query.length]
    }

    pub fn digits(&self, query: &Query) -> &[u8] {
        &self.digits[query.start..query.start + query.length]
    }
}

/// The patterns of one shape, and where their tiles are listed.
pub struct Class {
    pub shape: Shape,
    /// Wild digits up to which a tile is looked up.
    pub wild: u32,
    /// The most wild digits of the sequence under a match of any of the patterns, mismatches included.
    pub most_wild: u32,
    /// Numbers of the spans.
    pub spans: Range<u32>,
    /// Of each tile, those of the spans that are looked up first, and, where patterns have several, of the others.
    pub first: Vec<Table>,
    pub others: Vec<Table>,
}

impl Class {
    /// Whether too few tiles of a span at `at` have few enough wild digits to be looked up.
    #[inline]
    pub fn is_hard(&self, planes: &Planes, at: usize) -> bool {
        let Shape { tile, tiles, needed, .. } = self.shape;
        (0..tiles).filter(|k| planes.wild_in_tile(at + k * tile, tile) <= self.wild).count() < needed
    }
}

/// What the tasks share.
pub struct Plan {
    pub classes: Vec<Class>,
    /// The spans of all classes, those of a pattern in a row.
    pub spans: Vec<Span>,
    /// Queries that are searched by brute force.
    pub brute: Vec<u32>,
    /// Whether a match may be found more than once: by several tiles, or under several codes of one.
    pub doubles: bool,
    /// The furthest a match begins before the position that owns it, in symbols.
    pub before: usize,
    /// The furthest a match, or a span, ends after that position.
    pub after: usize,
}

impl Plan {
    /// The spans of a class.
    pub fn spans_of(&self, class: &Class) -> &[Span] {
        &self.spans[class.spans.start as usize..class.spans.end as usize]
    }

    /// Decides for all queries by how often windows occur in `bases`.
    pub fn new<A: Alphabet>(queries: &Queries, bases: &[u8], algorithm: Algorithm) -> Self {
        let frequencies = Frequencies::of(bases, A::DIGITS);
        let layout = |query: &Query| match algorithm {
            Algorithm::Brute => None,
            Algorithm::Auto => layout(queries, query, &frequencies).filter(|layout| layout.share <= CROWDED),
            Algorithm::Anchor => layout(queries, query, &frequencies),
        };
        let layouts: Vec<Option<Layout>> = queries.all.par_iter().map(layout).collect();
        let mut plan =
            Self { classes: Vec::new(), spans: Vec::new(), brute: Vec::new(), doubles: false, before: 0, after: 0 };
        let mut shapes: BTreeMap<Shape, Vec<u32>> = BTreeMap::new();
        for (k, layout) in (0..).zip(&layouts) {
            let query = &queries.all[k as usize];
            match layout {
                Some(Layout { shape, .. }) => shapes.entry(*shape).or_default().push(k),
                None => plan.brute.push(k),
            }
            let offsets = layout.as_ref().map_or(&[0][..], Layout::offsets);
            plan.before = offsets.iter().fold(plan.before, |most, &offset| most.max(offset as usize));
            plan.after = offsets.iter().fold(plan.after, |most, &offset| most.max(query.length - offset as usize));
        }
        for (shape, members) in shapes {
            let spans = if shape.spread { SPANS } else { 1 };
            members.chunks(SPANS_MAX / spans).for_each(|members| plan.add_class(queries, shape, members, &layouts));
        }
        plan
    }

    fn add_class(&mut self, queries: &Queries, shape: Shape, members: &[u32], layouts: &[Option<Layout>]) {
        let first = self.spans.len() as u32;
        for &query in members {
            let offsets = layouts[query as usize].as_ref().map_or(&[][..], Layout::offsets);
            self.spans.extend((0..).zip(offsets).map(|(order, &offset)| Span { query, offset, order }));
        }
        let spans = first..self.spans.len() as u32;
        let limits = members.iter().map(|&query| queries.all[query as usize].limits);
        let most_wild = limits.map(|limits| limits.wild.saturating_add(limits.mismatches)).max().unwrap_or(0);
        let wild = spans.len().ilog(4).clamp(*WILD_LOOKED_UP.start(), *WILD_LOOKED_UP.end());
        let tables = |others: bool| self.tables(queries, shape, spans.clone(), others);
        let (first, others) = rayon::join(|| tables(false), || if shape.spread { tables(true) } else { Vec::new() });
        let listed = |tables: &[Table], spans| tables.iter().any(|table| table.entries() > spans);
        let several = listed(&first, members.len()) || listed(&others, spans.len() - members.len());
        self.doubles |= shape.needed > 1 || several;
        self.classes.push(Class { shape, wild, most_wild, spans, first, others });
    }

    /// A table for each tile of these spans: of those that are looked up first, or of the others.
    fn tables(&self, queries: &Queries, shape: Shape, spans: Range<u32>, others: bool) -> Vec<Table> {
        let table = |tile: usize| {
            let listed = |number: u32| {
                let Span { query, offset, order } = self.spans[number as usize];
                let span = number - spans.start;
                let query = &queries.all[query as usize];
                let at = offset as usize + tile * shape.tile;
                let listed = Listed { span, digits: queries.digits(query), at };
                ((order > 0) == others).then_some(listed)
            };
            let last = tile > 0 && tile + 1 == shape.tiles;
            Table::new(shape.tile, last, || spans.clone().filter_map(listed))
        };
        (0..shape.tiles).into_par_iter().map(table).collect()
    }
}

fn layout(queries: &Queries, query: &Query, frequencies: &Frequencies) -> Option<Layout> {
    let patterns = queries.all.len();
    let candidate = Candidate {
        digits: queries.digits(query),
        mismatches: query.limits.mismatches,
        places: (PLACES / patterns).clamp(2, PLACES_OF_ONE),
    };
    let codes = (patterns * CODES_PER_PATTERN[usize::from(patterns > FEW)]).max(2);
    let tile = ((codes - 1).ilog(4) as usize + 1).clamp(TILE_MIN, TILE_MAX);
    lay_out(&candidate, tile, frequencies)
}
