//! Of how many symbols the tiles of each kind of pattern are.

use super::plan::{IN_RUNS, Machine, Queries, Query};
use super::{
    Cutting, Frequencies, Parts, SPANS, Shape, TILE_MAX, TILE_MIN, TILES, TILES_APART, Table, cost, fewest_codes,
    shorten,
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Codes of a tile for each pattern, so that few lists are not empty: of few patterns, of which tables fit a near cache all the same,
/// and of many.
pub const CODES_PER_PATTERN: [usize; 2] = [64, 8];
/// The same where tiles are listed together, for each tile of a pattern.
const CODES_PER_TILE: usize = 64;
/// Patterns that are few, at most.
pub const FEW: usize = 1 << 15;
/// Codes of a tile that are expected at most where both patterns and sequences have wild symbols: beyond, tiles are shorter, or those of long patterns apart.
const CODES_EXPECTED: f64 = 48.0;

/// Whether a pattern has room for several spans of the most and longest tiles, and one is enough.
pub fn is_long(query: &Query) -> bool {
    has_spans(query.length(), query.limits.mismatches)
}

/// The same of one of so many symbols and mismatches.
pub fn has_spans(length: usize, mismatches: u32) -> bool {
    length >= SPANS * TILES * TILE_MAX && mismatches == 0
}

/// The most symbols of a tile that has few enough codes on average, in patterns that are long or not, or else in sequences with this
/// share of wild symbols: a wild symbol makes four codes of one.
pub fn longest_tile(queries: &Queries, long: bool, share: f64) -> usize {
    let of = queries.all.par_iter().filter(|query| is_long(query) == long);
    let counts = of.map(|query| [query.wild as usize, query.length()]);
    let [wild, all] = counts.reduce(|| [0; 2], |one, other| [one[0] + other[0], one[1] + other[1]]);
    let share = share.min(wild as f64 / all.max(1) as f64);
    (CODES_EXPECTED.ln() / (1.0 + 3.0 * share).ln()) as usize
}

/// What the symbols of a pattern's tile depend on: whether it is long, or in parts, how many symbols it, or a part of it, has as far as these limit
/// its tiles, and mismatches.
pub type Kind = ([bool; 2], u32, u32);

pub fn kind(query: &Query, cutting: Cutting) -> Kind {
    let parts = parts(query, cutting);
    ([is_long(query), parts.are_several()], parts.room().min(SPANS * TILES * TILE_MAX) as u32, parts.mismatches)
}

pub fn parts(query: &Query, cutting: Cutting) -> Parts {
    cutting.parts(query.length(), query.limits.mismatches)
}

/// How patterns are cut that are searched in parts among such sequences.
pub fn cutting(frequencies: &Frequencies) -> Cutting {
    Cutting { spares: frequencies.share_in_runs() > IN_RUNS, ..Cutting::default() }.among(frequencies.wild_share())
}

/// The patterns, or the parts of them, of which spans are looked up.
fn parts_of_all(queries: &Queries, cutting: Cutting) -> usize {
    queries.all.par_iter().map(|query| parts(query, cutting).count).sum()
}

/// Symbols of the tiles of so many patterns, that are long or not.
pub fn tile_of(patterns: usize, long: bool) -> usize {
    let codes = match long {
        true => patterns * TILES * CODES_PER_TILE,
        false => patterns * CODES_PER_PATTERN[usize::from(patterns > FEW)],
    };
    (codes.max(2) - 1).ilog(4) as usize + 1
}

/// What is decided of the tiles of a kind of pattern.
#[derive(Clone, Copy)]
pub struct Tiles {
    /// Symbols of each.
    pub symbols: usize,
    /// Whether these are fewer than of patterns and sequences without wild ones, and none is apart.
    pub shorter: bool,
    /// As of [`super::Candidate`].
    pub apart: bool,
}

/// Long patterns that tell how many codes the tiles of all have.
const SOME_PATTERNS: usize = 16;
/// Bytes of tables in a near cache. For each doubling, lists take as much longer.
const NEAR_BYTES: f64 = (4 << 20) as f64;

/// Symbols of the tiles of long patterns, up to so many, where both these and the sequences, by this share, have many wild ones. At the places that
/// they choose, tiles have far fewer codes than elsewhere.
fn tile_apart(queries: &Queries, most: usize, wild: f64) -> usize {
    let long: Vec<&Query> = queries.all.par_iter().filter(|query| is_long(query)).collect();
    let some: Vec<&[u8]> =
        long.iter().step_by(long.len().div_ceil(SOME_PATTERNS).max(1)).map(|query| queries.digits(query)).collect();
    let cost = |tile: usize| {
        let (tiles, spread) = (TILES_APART, true);
        let shape = Shape { tile, tiles, needed: 1, spread, parted: false, together: false };
        let codes = some.iter().map(|digits| fewest_codes(digits, shape)).sum::<f64>() / some.len() as f64;
        let entries = long.len() as f64 * codes;
        let bytes = (tiles * Table::bytes(tile, entries as usize, entries as usize)) as f64;
        let far = 1.0 + (bytes / NEAR_BYTES).log2().max(0.0);
        (cost::of_looking_up_apart(shape, far * entries / 4f64.powi(tile as i32), wild), tile)
    };
    let costs: Vec<_> = (TILE_MIN..=most).into_par_iter().map(cost).collect();
    costs.into_iter().min_by(|(one, _), (other, _)| one.total_cmp(other)).map_or(TILE_MIN, |(_, tile)| tile)
}

/// How the tiles of each kind of pattern are.
pub fn tiles(
    queries: &Queries,
    (wild, cutting): (f64, Cutting),
    (machine, longest): (Machine, [usize; 2]),
) -> BTreeMap<Kind, Tiles> {
    let add = |mut kinds: BTreeSet<Kind>, query: &Query| {
        let kind = kind(query, cutting);
        if !kinds.contains(&kind) {
            kinds.insert(kind);
        }
        kinds
    };
    let kinds = queries.all.par_iter().fold(BTreeSet::new, add).reduce(BTreeSet::new, |one, other| &one | &other);
    let patterns = parts_of_all(queries, cutting);
    let tile = |kind: Kind| {
        let ([long, in_parts], length, mismatches) = kind;
        let tile = tile_of(patterns, long);
        let most = if long { machine.together } else { TILE_MAX };
        let longest = longest[usize::from(long)];
        let shorter = longest < tile.min(most);
        if long && shorter {
            return (kind, Tiles { symbols: tile_apart(queries, tile.min(most), wild), shorter: false, apart: true });
        }
        let tile = tile.min(longest).clamp(TILE_MIN, most);
        let may_be_shorter = in_parts || machine.vector.is_some() && !long;
        let shorten = || shorten(tile, patterns, (length as usize, mismatches), (wild, machine.follows));
        (kind, Tiles { symbols: if may_be_shorter { shorten() } else { tile }, shorter, apart: false })
    };
    kinds.into_par_iter().map(tile).collect()
}
