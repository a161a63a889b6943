//! Narrow lanes first: all targets in lanes of 8 bits, those that need more in 16, a query at a time, and what is left goes to
//! the aligner.

use super::super::{Ranking, Scored};
use super::block::{Block, Space};
use super::chosen::{Chosen, locked};
use super::table::Table;
use super::tiles::{Blocks, Tile, groups, is_worth_it};
use super::{Limits, Pair};
use crate::cpu::vector::{Lane, Task, Vector, Width, run};
use crate::cpu::worth::Worth;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::sync::Mutex;
use warpseq_engine::executor::Parts;
use warpseq_seq::Sequences;
use warpseq_simd::InstructionSet;

/// What all passes share.
pub struct Passes<'a> {
    ranking: &'a Ranking<'a>,
    chosen: &'a [Mutex<Chosen>],
    limits: Limits,
    /// `None`: the scoring has too many codes, or scores beyond a byte.
    coded: Option<Coded<'a>>,
    /// The queries that go to lanes, then the others.
    queries: Vec<u32>,
    inside: usize,
    /// Of each query, whether 8 bits are.
    worth: Vec<Worth>,
}

/// Queries as codes: for each strand all of them, one after another.
struct Coded<'a> {
    table: Table,
    strands: Vec<(&'a Sequences, Vec<u8>)>,
}

impl<'a> Passes<'a> {
    /// Makes a table and codes of the queries.
    pub fn new(ranking: &'a Ranking<'a>, chosen: &'a [Mutex<Chosen>], limits: Limits) -> Self {
        let strands = || ranking.strands.into_iter().flatten();
        let coded = Table::new(ranking.scoring, strands())
            .map(|table| Coded { strands: strands().map(|queries| (queries, table.code(queries))).collect(), table });
        let is_inside = |&query: &u32| {
            let short = |queries: &Sequences| queries.length(query as usize) <= limits.length;
            coded.is_some() && strands().all(short)
        };
        let (mut queries, outside): (Vec<u32>, Vec<u32>) = (0..chosen.len() as u32).partition(is_inside);
        let inside = queries.len();
        queries.extend(outside);
        let worth = chosen.iter().map(|_| Worth::default()).collect();
        Self { ranking, chosen, limits, coded, queries, inside, worth }
    }

    /// The queries that go to lanes, and the others.
    pub fn queries(&self) -> (&[u32], &[u32]) {
        self.queries.split_at(self.inside)
    }

    /// The targets in blocks.
    pub fn blocks(&self, set: InstructionSet) -> Blocks<'a> {
        Blocks::new(self.ranking.database, run(set, Width::Bits8, Lanes), self.limits.length)
    }

    /// Scores these queries with the targets of some blocks, a part for each block and query; returns the pairs that need wider
    /// lanes, or are few.
    pub fn run(&self, set: InstructionSet, queries: &[u32], blocks: &[&[u32]], parts: &Parts) -> Vec<Pair> {
        let Some(coded) = &self.coded else { return Vec::new() };
        let groups = groups(queries, |query| coded.rows(query).map(<[u8]>::len).sum());
        let tiles = blocks.iter().flat_map(|targets| groups.iter().map(|queries| Tile { targets, queries }));
        let tiles: Vec<Tile> = tiles.collect();
        let mut wider = run(set, Width::Bits8, Pass { passes: self, coded, tiles: &tiles, parts, counts: true });
        let length = |pair: &Pair| self.ranking.database.targets().length(pair.target as usize);
        wider.par_sort_unstable_by_key(|pair| (pair.query, Reverse(length(pair)), pair.target));
        let (queries, targets): (Vec<u32>, Vec<u32>) = wider.iter().map(|pair| (pair.query, pair.target)).unzip();
        let lanes = run(set, Width::Bits16, Lanes);
        let of_query = queries.chunk_by(|a, b| a == b).scan(0, |first, queries| {
            let targets = &targets[*first..][..queries.len()];
            *first += queries.len();
            Some((&queries[..1], targets))
        });
        let tiles =
            of_query.flat_map(|(queries, targets)| targets.chunks(lanes).map(move |targets| Tile { targets, queries }));
        let (many, few): (Vec<Tile>, Vec<Tile>) = tiles.partition(|tile| is_worth_it(tile.targets.len(), lanes));
        let mut left = run(set, Width::Bits16, Pass { passes: self, coded, tiles: &many, parts, counts: false });
        left.extend(few.iter().flat_map(Tile::pairs));
        left
    }
}

impl Tile<'_> {
    /// All its pairs.
    fn pairs(&self) -> impl Iterator<Item = Pair> {
        self.targets.iter().flat_map(|&target| self.queries.iter().map(move |&query| Pair { query, target }))
    }
}

impl Coded<'_> {
    /// A query's strands as codes.
    fn rows(&self, query: u32) -> impl Iterator<Item = &[u8]> {
        self.strands.iter().map(move |(queries, codes)| {
            let [start, end] = [0, 1].map(|k| queries.starts()[query as usize + k] as usize);
            &codes[start..end]
        })
    }
}

/// How many lanes there are.
struct Lanes;

impl Task for Lanes {
    type Output = usize;

    fn run<V: Vector>(self, _: V) -> usize {
        V::LANES
    }
}

/// Scores tiles, as long as they are wanted; returns the pairs for which the lanes are too narrow.
struct Pass<'a> {
    passes: &'a Passes<'a>,
    coded: &'a Coded<'a>,
    tiles: &'a [Tile<'a>],
    parts: &'a Parts<'a>,
    /// Whether the tiles are counted.
    counts: bool,
}

impl Task for Pass<'_> {
    type Output = Vec<Pair>;

    fn run<V: Vector>(self, proof: V) -> Vec<Pair> {
        assert!(size_of::<V::Lane>() <= 2, "lanes that saturate");
        if i64::from(self.passes.ranking.scoring.gap.open) > V::Lane::MOST {
            return self.tiles.iter().flat_map(Tile::pairs).collect();
        }
        let score = |space: &mut Space<V>, tile: &Tile| {
            if !self.parts.is_wanted() {
                return Vec::new();
            }
            let wider = self.score((proof, space), tile);
            if self.counts {
                self.parts.add(tile.queries.len());
            }
            wider
        };
        self.tiles.par_iter().map_init(|| Space::new(proof), score).flatten_iter().collect()
    }
}

impl Pass<'_> {
    fn score<V: Vector>(&self, (proof, space): (V, &mut Space<V>), tile: &Tile) -> Vec<Pair> {
        let Passes { ranking, worth, .. } = self.passes;
        let narrowest = size_of::<V::Lane>() == 1;
        let is_tried = |&query: &u32| !narrowest || worth[query as usize].is_it();
        let (tried, skipped): (Vec<u32>, Vec<u32>) = tile.queries.iter().partition(|query| is_tried(query));
        let queries: Vec<&[u8]> = tried.iter().flat_map(|&query| self.coded.rows(query)).collect();
        let targets: Vec<&[u8]> =
            tile.targets.iter().map(|&target| ranking.database.targets().get(target as usize)).collect();
        let gap = ranking.scoring.gap;
        let best =
            proof.compiled(Block { proof, table: &self.coded.table, gap, targets: &targets, queries: &queries, space });
        let mut wider: Vec<Pair> = Tile { queries: &skipped, ..*tile }.pairs().collect();
        for (&query, strands) in tried.iter().zip(best.chunks(self.coded.strands.len())) {
            let before = wider.len();
            self.offer((query, tile.targets), strands, &mut wider);
            if narrowest {
                let too_narrow = wider.len() - before;
                worth[query as usize].learn(tile.targets.len() - too_narrow, tile.targets.len());
            }
        }
        wider
    }

    /// Offers a query its targets with the better strand's scores, but for those that need wider lanes.
    fn offer<V: Vector>(&self, (query, targets): (u32, &[u32]), strands: &[V], wider: &mut Vec<Pair>) {
        let mut chosen = locked(&self.passes.chosen[query as usize]);
        for (lane, &target) in targets.iter().enumerate() {
            let number = strands.iter().map(|best| best.lanes()[lane].wide()).max().unwrap_or(V::Lane::LEAST);
            if number < V::Lane::MOST {
                let scored = Scored { target, score: number - V::Lane::LEAST };
                chosen.offer(scored, || self.passes.ranking.wants(query as usize, scored));
            } else {
                wider.push(Pair { query, target });
            }
        }
    }
}
