//! Whether looking patterns up costs more than comparing all of them everywhere, one by one or in rows. Only speed depends on it.
//!
//! At a place, `needed` of n tiles of t symbols are looked up, those with the fewest wild digits, under 4^w codes for w of them. Where a
//! share of the symbols is wild, w of one tile is binomial, and so is how many of n tiles have w at most. The nanoseconds were fitted to
//! measurements of both ways (1 to 1000 patterns of 20, 25 and 60 symbols, 0 to 3 mismatches, 10 and 30 % `N`), most of which they
//! meet within a factor of two. A code takes longer where tables leave the near caches: a million patterns of 16 to 22 symbols, and 100,000 of
//! 60 with mismatches, at 10 % `N`.

use super::Shape;
use super::rows::{Cover, left as left_in_rows};
use warpseq_simd::ROW;

/// Symbols of tiles whose table is in a near cache.
pub const NEAR_TILE: usize = 9;

/// Nanoseconds a position: for a class of patterns, and one whose tiles are listed together; for each code that is looked up; for one with a list besides; for each entry of the list.
const OF_CLASS: f64 = 6.0;
const OF_CLASS_TOGETHER: f64 = 5.5;
const OF_CODE: f64 = 3.0;
const OF_LIST: f64 = 20.0;
const OF_ENTRY: f64 = 6.0;
/// What a code takes more for each symbol beyond those of a near table.
const OF_FAR_CODE: f64 = 3.0;
/// What a code takes more where most tiles have wild digits, as not so many are looked up at a time.
const OF_WILD_CODE: f64 = 5.0;
/// Nanoseconds a position in which a pattern is compared, with vectors of 64 bytes, and for each mismatch that is allowed besides.
const OF_PATTERN: f64 = 0.05;
const OF_MISMATCH: f64 = 0.015;
/// The same from so many mismatches on, which are counted one by one, and for each beyond those that random symbols have seldom.
const MANY: u32 = 8;
const OF_MANY: f64 = 3.5;
const SELDOM: u32 = 18;
const OF_FREQUENT: f64 = 0.9;
/// Nanoseconds a position for 512 patterns in rows, with such vectors: for each window, for each mismatch besides, for each group that is left, and for each of its patterns.
const OF_ROWS: f64 = 0.8;
const OF_WINDOW: f64 = 0.55;
const OF_WINDOW_MISMATCH: f64 = 0.13;
const OF_LEFT: f64 = 18.0;
const OF_PATTERN_LEFT: f64 = 3.5;
/// How many times as long rows take, beside looking up, where threads share cores, and somewhat less, as others do not.
const OF_SHARED_CORES: f64 = 1.75;
/// Nanoseconds a position for a class, and for a tile of a span that any of 64 positions is looked up by, where all of these are at a time.
const OF_CLASS_IN_VECTORS: f64 = 0.5;
const OF_TILE_IN_VECTORS: f64 = 1.2;

/// Nanoseconds a position for patterns of this shape, in sequences with this share of wild symbols, where each code of a tile has so many
/// entries on average.
pub fn of_looking_up(shape: Shape, entries: f64, share: f64) -> f64 {
    OF_CLASS + codes_at_a_place(shape, share) * of_code(shape, entries)
}

/// The same where tiles are listed together: each of the sequences' that has no wild symbol is looked up once, and where a span would have none of
/// these, as others.
pub fn of_looking_up_together(shape: Shape, entries: f64, share: f64) -> f64 {
    let with_clean_tile = 1.0 - short_of_clean_tiles(shape, share);
    let clean = (1.0 - share).max(0.0).powi(shape.tile as i32);
    OF_CLASS_TOGETHER + (clean + codes_at_a_place(shape, share) - with_clean_tile) * of_code(shape, entries)
}

/// The same where tiles are not listed together as most symbols are near wild ones: so most codes are of tiles with some.
pub fn of_looking_up_apart(shape: Shape, entries: f64, share: f64) -> f64 {
    of_looking_up(shape, entries, share) + OF_WILD_CODE * codes_at_a_place(shape, share)
}

/// What was estimated as taking `looked_up`, more closely: tiles without wild digits are looked up for 64 positions at a time, so what they take is a matter
/// of how many of a span's tiles any of these is looked up by. So they are with vectors of 64 bytes alone.
pub fn of_looking_up_in_vectors(shape: Shape, looked_up: f64, share: f64, vector: usize) -> f64 {
    if vector < 64 {
        return looked_up;
    }
    let Shape { tile, tiles, needed, together, .. } = shape;
    let clean = (1.0 - share).max(0.0).powi(tile as i32);
    let (class, codes, levels) = match together {
        true => (OF_CLASS_TOGETHER, clean, 1.0),
        false => {
            let left = |tiles: usize| short_of_clean_tiles(Shape { tiles, ..shape }, share);
            let levels = (0..tiles).map(|before| 1.0 - (1.0 - left(before)).max(0.0).powi(64)).sum();
            (OF_CLASS, needed as f64 * (1.0 - left(tiles)), levels)
        }
    };
    let one_by_one = class + codes * of_code(shape, 0.0);
    OF_CLASS_IN_VECTORS + OF_TILE_IN_VECTORS * levels + (looked_up - one_by_one).max(0.0)
}

/// Nanoseconds for a code.
fn of_code(shape: Shape, entries: f64) -> f64 {
    let far = OF_FAR_CODE * shape.tile.saturating_sub(NEAR_TILE) as f64;
    OF_CODE + far + OF_LIST * entries.min(1.0) + OF_ENTRY * entries
}

/// The share of places where fewer tiles have no wild digit than are looked up, in sequences with this share of wild symbols.
pub fn short_of_clean_tiles(Shape { tile, tiles, needed, .. }: Shape, share: f64) -> f64 {
    let clean = (1.0 - share).max(0.0).powi(tile as i32);
    (0..needed.min(tiles + 1)).map(|count| chance(tiles, count, clean)).sum()
}

/// Nanoseconds a position for comparing so many patterns, with vectors of so many bytes.
pub fn of_comparing(patterns: usize, mismatches: u32, vector: usize) -> f64 {
    let of_pattern = match mismatches {
        MANY.. => OF_MANY + OF_FREQUENT * f64::from(mismatches.saturating_sub(SELDOM)),
        few => OF_PATTERN + OF_MISMATCH * f64::from(few),
    };
    in_vectors(patterns as f64 * of_pattern, vector)
}

/// The same in rows, for patterns of so many symbols at least, if rows tell these apart.
pub fn of_rows_at_best(patterns: usize, (length, mismatches): (usize, u32), share: f64, vector: usize) -> f64 {
    let best = Cover::best(patterns, (length, mismatches), share);
    best.map_or(f64::INFINITY, |(_, cost)| in_vectors(cost, vector))
}

/// Nanoseconds a position for patterns in rows, with vectors of 64 bytes.
pub fn of_rows(patterns: usize, (cover, mismatches): (Cover, u32), share: f64) -> f64 {
    let Cover { windows, first, group } = cover;
    let left = |windows: usize| left_in_rows(windows, (patterns, group), (mismatches, share));
    let behind_first = (ROW as f64 * left(first)).min(1.0) * (windows - first) as f64;
    let of_window = OF_WINDOW + OF_WINDOW_MISMATCH * f64::from(mismatches);
    let of_row = OF_ROWS + of_window * (first as f64 + behind_first);
    let groups = patterns.div_ceil(group);
    let of_group = OF_LEFT + OF_PATTERN_LEFT * group as f64;
    groups.div_ceil(ROW) as f64 * of_row + of_group * groups as f64 * left(windows)
}

/// Whether rows are the faster way. Threads that share a core take more than twice as long for these, which are loads from near caches, and hardly longer
/// for looking up, which waits for far ones.
pub fn are_rows_faster(in_rows: f64, looked_up: f64) -> bool {
    OF_SHARED_CORES * in_rows < looked_up
}

/// What takes so long with vectors of 64 bytes, with such of so many.
pub fn in_vectors(nanoseconds: f64, vector: usize) -> f64 {
    nanoseconds * 64.0 / vector as f64
}

/// How many codes are looked up at a place, on average.
fn codes_at_a_place(Shape { tile, tiles, needed, .. }: Shape, share: f64) -> f64 {
    // The chance that a tile has w wild digits at most.
    let at_most: Vec<f64> = (0..=tile).map(|most| (0..=most).map(|wild| chance(tile, wild, share)).sum()).collect();
    // Tiles that are looked up of those with w at most: all of these, up to as many as are needed.
    let looked_up = |wild: usize| {
        (0..=tiles).map(|count| count.min(needed) as f64 * chance(tiles, count, at_most[wild])).sum::<f64>()
    };
    let mut before = 0.0;
    let with = |wild| {
        let so_far = looked_up(wild);
        (so_far - std::mem::replace(&mut before, so_far)) * 4f64.powi(wild as i32)
    };
    (0..=tile).map(with).sum()
}

/// The chance of `count` of `of` independent events that each have this chance.
fn chance(of: usize, count: usize, each: f64) -> f64 {
    let ways = (0..count).fold(1.0, |ways, k| ways * (of - k) as f64 / (k + 1) as f64);
    ways * each.powi(count as i32) * (1.0 - each).max(0.0).powi((of - count) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(tile: usize, tiles: usize, needed: usize) -> Shape {
        Shape { tile, tiles, needed, spread: false, parted: false, together: false }
    }

    #[test]
    fn codes_are_counted_as_by_hand() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        // One tile: (1 + 3 r)^t. All of them: so many times as many.
        close(codes_at_a_place(shape(9, 1, 1), 0.0), 1.0);
        close(codes_at_a_place(shape(9, 1, 1), 0.1), 1.3f64.powi(9));
        close(codes_at_a_place(shape(5, 4, 4), 0.3), 4.0 * 1.9f64.powi(5));
        close(short_of_clean_tiles(shape(9, 1, 1), 0.1), 1.0 - 0.9f64.powi(9));
        close(short_of_clean_tiles(shape(5, 2, 2), 0.3), 1.0 - 0.7f64.powi(10));
        close(short_of_clean_tiles(shape(5, 4, 2), 0.0), 0.0);
        // Of one tile, those with a wild digit besides those without. Of two of one symbol, each, and both under four codes.
        let together = |shape, share| (of_looking_up_together(shape, 0.0, share) - OF_CLASS_TOGETHER) / OF_CODE;
        close(together(shape(9, 1, 1), 0.1), 1.3f64.powi(9));
        close(together(shape(1, 2, 1), 0.5), 0.5 + 0.25 * 4.0);
        // The better of two tiles of one symbol is wild where both are; the worse one where any is.
        close(codes_at_a_place(shape(1, 2, 1), 0.5), 0.75 + 0.25 * 4.0);
        close(codes_at_a_place(shape(1, 2, 2), 0.5), 2.0 * (0.5 + 0.5 * 4.0));
    }

    #[test]
    fn many_patterns_are_looked_up_and_few_are_compared() {
        let is_looked_up = |patterns, shape: Shape, share| {
            let entries = f64::from(patterns) / 4f64.powi(shape.tile as i32);
            of_looking_up(shape, entries, share) < of_comparing(patterns as usize, shape.mismatches(), 64)
        };
        assert!(!is_looked_up(40, shape(9, 2, 1), 0.1) && is_looked_up(2000, shape(9, 2, 1), 0.1));
        assert!(!is_looked_up(7, shape(9, 8, 8), 0.0) && is_looked_up(45, shape(9, 20, 20), 0.0));
        assert!(!is_looked_up(2000, shape(5, 4, 4), 0.1) && is_looked_up(100_000, shape(5, 4, 4), 0.0));
    }
}
