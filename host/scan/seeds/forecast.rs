//! How long the CPU takes to search, about, before there is a plan. Only who computes depends on it.
//!
//! By the shapes that the patterns will have, as in [`cost`], and by the matches that there are by chance. Both were fitted to whole runs on 16 threads of an
//! Intel Xeon: 1000 to 1,000,000 signatures of 7 to 60 symbols, up to 2 mismatches, 0 and 10 % `N`, most of which they meet within a factor of two.

use super::{Cutting, Shape, TILE_MAX, cost, layout, shorten, tiles};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// How many patterns there are of so many symbols that match with so many mismatches at most.
pub type Kinds = BTreeMap<(usize, u32), usize>;

/// Nanoseconds that a thread takes for a position of a whole run, at least: long signatures in 6 GB.
pub const LEAST: f64 = 5.0;

/// What each of 16 threads, two a core, takes of the time that one thread alone was estimated to take for looking up, which waits for memory, and for
/// comparing, which does not, and for rows.
const OF_LOOKING_UP: f64 = 0.7;
const OF_COMPARING: f64 = 1.7;
const OF_ROWS: f64 = 2.3;
/// How many times as long as others looking up patterns in parts takes, and among scattered wild symbols, as most candidates have some beside their tiles.
const OF_PARTS: [f64; 2] = [0.6, 3.0];
/// How much longer long patterns take at places where no tile is free of wild symbols, as little of it is to wait for memory.
const OF_UNCLEAN: f64 = 1.5;
/// Nanoseconds for each tile of a span where some with wild digits are to be chosen among them, as several are looked up.
const OF_CHOOSING: f64 = 16.0;
/// Nanoseconds for a match, of which one of many is kept.
const OF_MATCH: f64 = 400.0;

/// Nanoseconds for a run of wild symbols, beside which long patterns are found by their windows: 13,000 in runs of 50 to 500, 30,000 in runs of 200 to 2000.
const OF_RUN: f64 = 18_000.0;

/// Nanoseconds for comparing a pattern in parts at a start near a run, for the square of its mismatches and the root of these: 2000 of 3 to 10 kb take
/// 90 near runs of 1 kb to 1 Mb and 190 near those of 200 to 2000 with 1 %, 250 and 900 with 2 %, 5600 and 16,000 with 5 %. This is rather less.
const OF_STARTS_NEAR_A_RUN: f64 = 8.5e-7;

/// What is expected at a position of the sequences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Nanoseconds of a thread.
    pub nanoseconds: f64,
    /// Matches by chance.
    pub matches: f64,
}

impl Forecast {
    /// Of these patterns, in sequences with this share of wild symbols, and so many long runs of them for each symbol.
    pub fn new(kinds: &Kinds, wild: f64, runs: f64) -> Self {
        let cutting = Cutting::default().among(wild);
        let parts = |(length, mismatches)| cutting.parts(length, mismatches);
        let patterns = kinds.iter().map(|(&kind, &count)| count * parts(kind).count).sum();
        let shape = |(&kind, &count): (&(usize, u32), &usize)| {
            let parts = parts(kind);
            let (length, mismatches) = (parts.room(), parts.mismatches);
            let long = tiles::has_spans(length, mismatches);
            let tile = tiles::tile_of(patterns, long).min(TILE_MAX);
            let tile = if long { tile } else { shorten(tile, patterns, (length, mismatches), (wild, true)) };
            let shape = layout::shapes(length, mismatches as usize + 1, tile, true).next();
            // Whether patterns have wild symbols, too, and so many that tiles are listed apart, is not known: that takes about as long.
            let shape = shape.map(|shape| Shape { spread: long, parted: parts.are_several(), together: long, ..shape });
            (shape, (count * parts.count, cost::of_comparing(count, kind.1, 64)))
        };
        let mut shapes = BTreeMap::new();
        for ((shape, (spans, compared)), (&(length, mismatches), count)) in
            kinds.par_iter().map(shape).collect::<Vec<_>>().into_iter().zip(kinds)
        {
            let all = shapes.entry(shape).or_insert((0, 0.0, (0, (usize::MAX, 0))));
            let (patterns, (shortest, most)) = all.2;
            let patterns = (patterns + count, (shortest.min(length), most.max(mismatches)));
            *all = (all.0 + spans, all.1 + compared, patterns);
        }
        let search = shapes.into_iter().map(|(shape, (spans, compared, (patterns, shortest)))| {
            let entries = |shape: Shape| spans as f64 / 4f64.powi(shape.tile as i32);
            let looked_up = |shape: Shape| match shape.together {
                true => {
                    let times = 1.0 + OF_UNCLEAN * cost::short_of_clean_tiles(shape, wild);
                    (times * cost::of_looking_up_together(shape, shape.tiles as f64 * entries(shape), wild), 0.0)
                }
                false => {
                    let times = if shape.parted { OF_PARTS[usize::from(cutting.scattered)] } else { 1.0 };
                    (times * cost::of_looking_up(shape, entries(shape), wild), choosing(shape, wild))
                }
            };
            // As the plan does: beside runs, long patterns are not compared.
            let in_rows = cost::of_rows_at_best(patterns, shortest, wild, 64);
            let better = |shape: Shape| {
                let (looked_up, choosing) = looked_up(shape);
                let in_vectors = cost::of_looking_up_in_vectors(shape, looked_up, wild, 64);
                let is_compared = cost::are_rows_faster(in_rows, in_vectors) || !shape.spread && compared < in_vectors;
                let looked_up = if shape.together { in_vectors } else { looked_up };
                (!is_compared || shape.spread && runs > 0.0).then_some(OF_LOOKING_UP * looked_up + choosing)
            };
            match shape.and_then(better) {
                Some(looked_up) => looked_up,
                None => (OF_COMPARING * compared).min(OF_ROWS * in_rows),
            }
        });
        let in_parts = kinds.iter().filter(|&(&kind, _)| parts(kind).are_several());
        let near_runs = in_parts.map(|(&(length, mismatches), &count)| {
            let starts = (length as f64 * runs).min(1.0);
            OF_STARTS_NEAR_A_RUN * starts * count as f64 * f64::from(mismatches).powf(2.5)
        });
        let are_spread = kinds.keys().any(|&(length, mismatches)| tiles::has_spans(length, mismatches));
        let search = search.sum::<f64>() + near_runs.sum::<f64>() + if are_spread { OF_RUN * runs } else { 0.0 };
        let matches: f64 = kinds.iter().map(|(&kind, &count)| count as f64 * chance(kind, wild)).sum();
        Self { nanoseconds: (search + OF_MATCH * matches).max(LEAST), matches }
    }
}

/// Nanoseconds a position for choosing among the tiles of spans of this shape.
fn choosing(shape: Shape, wild: f64) -> f64 {
    let chosen = if shape.needed > 1 { cost::short_of_clean_tiles(shape, wild) } else { 0.0 };
    OF_CHOOSING * shape.tiles as f64 * chosen
}

/// The chance that a random place matches a pattern.
fn chance((length, mismatches): (usize, u32), wild: f64) -> f64 {
    let agrees = (1.0 + 3.0 * wild) / 4.0;
    // Logarithms, as there are too many ways to have many mismatches for a number.
    let of = |count: usize, each: f64| if count == 0 { 0.0 } else { count as f64 * each.ln() };
    let mut ways = 0.0;
    let mut chance = 0.0;
    for changed in 0..=(mismatches as usize).min(length) {
        chance += f64::exp(ways + of(length - changed, agrees) + of(changed, 1.0 - agrees));
        ways += f64::ln((length - changed) as f64 / (changed + 1) as f64);
    }
    chance
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forecast(patterns: usize, length: usize, mismatches: u32, wild: f64) -> f64 {
        Forecast::new(&Kinds::from([((length, mismatches), patterns)]), wild, 0.0).nanoseconds
    }

    #[test]
    fn it_is_near_what_was_measured() {
        // Patterns, symbols, mismatches, share of `N`, and nanoseconds, reading included.
        for (patterns, length, mismatches, wild, took) in [
            (200, 14, 0, 0.1, 6.0),
            (200, 20, 0, 0.1, 5.6),
            (200, 20, 2, 0.1, 12.6),
            (2000, 7, 0, 0.0, 50.0),
            (2000, 8, 0, 0.1, 111.0),
            (2000, 12, 0, 0.1, 12.5),
            (2000, 14, 0, 0.1, 9.0),
            (2000, 25, 0, 0.0, 4.9),
            (2000, 25, 0, 0.1, 7.0),
            (6000, 25, 0, 0.1, 9.0),
            (20_000, 25, 0, 0.1, 21.0),
            (2_000_000, 25, 0, 0.1, 40.0),
            (20_000, 14, 0, 0.1, 56.0),
            (2000, 20, 1, 0.1, 11.0),
            (2000, 20, 2, 0.0, 12.6),
            (2000, 20, 2, 0.1, 33.0),
            (2000, 20, 3, 0.1, 186.0),
            (2000, 25, 1, 0.1, 12.0),
            (2000, 25, 2, 0.1, 17.0),
            (2000, 25, 3, 0.1, 42.0),
            (2000, 60, 0, 0.1, 9.0),
            (2000, 60, 1, 0.1, 15.0),
            (2000, 60, 2, 0.1, 17.0),
            (2000, 60, 3, 0.1, 18.0),
            (2000, 150, 1, 0.1, 17.0),
            (2000, 150, 2, 0.1, 16.0),
            (2000, 150, 3, 0.1, 17.0),
            (2000, 150, 3, 0.0, 9.0),
            (2000, 6500, 0, 0.1, 3.7),
            (2000, 6500, 0, 0.0, 2.9),
            (2000, 6500, 0, 0.3, 13.0),
            (2000, 6500, 65, 0.1, 42.0),
            (2000, 6500, 130, 0.1, 58.0),
            (2000, 6500, 325, 0.1, 570.0),
            (2000, 6500, 65, 0.0, 13.0),
            (2000, 6500, 325, 0.0, 17.0),
        ] {
            let nanoseconds = forecast(patterns, length, mismatches, wild);
            let ratio = nanoseconds / took;
            assert!(
                (0.4..2.2).contains(&ratio),
                "{patterns} of {length}, {mismatches}, {wild}: {nanoseconds}, took {took}"
            );
        }
    }

    #[test]
    fn the_chance_is_that_of_a_random_place() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        close(chance((3, 0), 0.0), 1.0 / 64.0);
        close(chance((3, 1), 0.0), 10.0 / 64.0);
        close(chance((3, 0), 1.0), 1.0);
        close(chance((2, 2), 0.3), 1.0);
        close(chance((5500, 275), 0.0), 0.0);
        close(chance((5500, 5500), 0.1), 1.0);
    }
}
