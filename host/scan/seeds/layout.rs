//! Where a pattern's spans lie, and of which shape they are.

use super::{BESIDE, Frequencies, Shape, TILE_MAX, TILES_MAX, WILD_MAX, cost};
use std::ops::Range;
use warpseq_gpu::tuning;
use warpseq_seq::iupac::WILD;

/// Spans of a long pattern.
pub const SPANS: usize = tuning::SPANS as usize;
/// Tiles of a span beyond which more do not help, unless more are needed.
pub const TILES: usize = 12;
/// The same where each has a table of its own and most lists have something: all are to be in a near cache.
pub const TILES_APART: usize = 8;
/// Candidates per position above which brute force is the faster way for a pattern, and for one in parts, of which comparing takes longer.
const CROWDED: f64 = 0.15;
const CROWDED_IN_PARTS: f64 = 1.0;
/// The most codes of all tiles of a pattern's span: one tile may have so many.
const CODES_MOST: u64 = 1 << (2 * WILD_MAX);
/// The same of the spans that are not looked up first.
const CODES_MOST_OF_OTHERS: u64 = 4 * CODES_MOST;
/// Codes that may be listed to avoid one candidate in the windows that were counted: about equal in time for 300 M symbols.
const CODES_PER_CANDIDATE: u64 = 16_384;

/// Symbols of a long tile.
const LONG_TILE: usize = 10;

/// A stretch of a pattern that is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The pattern's number among those that are searched.
    pub query: u32,
    /// Symbols of the pattern before the span.
    pub offset: u32,
    /// How many spans the pattern has before this one, in the order in which they are looked up; they have the numbers before.
    pub order: u32,
}

/// The parts of a pattern: one, or several where matches may have many mismatches. In every match, one of them has few; where there are more parts
/// than that takes, one of those that are left, whichever are left out, as long as these are not more than are [`spare`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// How many there are.
    pub count: usize,
    /// Symbols of each.
    pub length: usize,
    /// The most mismatches that one of them has in every match.
    pub mismatches: u32,
}

/// The fewest mismatches that a match of a pattern may have that is cut into parts. With fewer than [`TILES_MAX`], it may be searched by one span.
pub const CUT_FROM: u32 = 8;

/// Into how many parts patterns are cut.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cutting {
    /// Whether sequences have many wild symbols outside of runs.
    pub scattered: bool,
    /// Whether there are more parts than are needed, as some may lie at hard positions: where sequences have runs of wild symbols, half of a match may.
    pub spares: bool,
}

/// What a part may be like: the most mismatches that it has, the fewest symbols of its tiles, and for how many times the tiles that are needed it has
/// room. The fewer mismatches, the fewer tiles are looked up at a place; the longer the tiles, the shorter the lists.
struct Kind(usize, usize, usize);

/// Those to choose from, the best first: a pattern has the first for which it is long enough.
const KINDS: [Kind; 5] = [Kind(0, 11, 1), Kind(1, 10, 1), Kind(3, 9, 1), Kind(3, 7, 1), Kind(7, 7, 1)];
/// The same where wild symbols are scattered: with no more tiles than are needed, a few make a place hard, and each of them is looked up under many codes.
const KINDS_IF_SCATTERED: [Kind; 6] =
    [Kind(0, 11, 2), Kind(1, 10, 2), Kind(3, 8, 2), Kind(3, 9, 1), Kind(3, 7, 1), Kind(7, 7, 1)];
/// The first of these, which are better than one span that serves as many mismatches.
const ROOMY: usize = 3;
/// The most parts for each that is needed, if there are to be more.
const SPARED: usize = 3;
/// Parts for eight that are needed: so many that a match of which half is wild has enough of the others, and so many that a kind which is better
/// otherwise is better with them. The same where wild symbols are scattered: of the half, some are elsewhere.
const ENOUGH: [usize; 2] = [18, 12];
const ENOUGH_IF_SCATTERED: [usize; 2] = [15, 10];

/// How many of so many parts may be left out, so that of the others, one still has fewer than `needed` mismatches in every match with
/// `mismatches` in all.
pub fn spare(parts: usize, needed: usize, mismatches: u32) -> usize {
    parts.saturating_sub(mismatches as usize / needed + 1)
}

impl Cutting {
    /// The same for sequences with this share of wild symbols, long runs left out.
    pub fn among(self, wild: f64) -> Self {
        Self { scattered: wild >= WILD_LEAST, ..self }
    }

    /// The parts of a pattern of so many symbols. There is one, too, where several would be too short.
    pub fn parts(self, length: usize, mismatches: u32) -> Parts {
        if mismatches < CUT_FROM {
            return Parts { count: 1, length, mismatches };
        }
        let roomy = &KINDS_IF_SCATTERED[..ROOMY];
        let (kinds, [enough, some]) = match self.scattered {
            true => (&KINDS_IF_SCATTERED[..], ENOUGH_IF_SCATTERED),
            false => (&KINDS[..], ENOUGH),
        };
        let [kinds, others] = if mismatches < TILES_MAX as u32 { [roomy; 2] } else { [kinds, &KINDS] };
        // The first of these with so many parts for eight that are needed.
        let first = |kinds: &[Kind], eighths: usize| {
            let with = |&Kind(most, tile, times): &Kind| {
                let needed = mismatches as usize / (most + 1) + 1;
                let fit = length / (times * (most + 1) * tile + BESIDE);
                let count = if self.spares { fit.min(SPARED * needed) } else { needed };
                let parts = || Parts { count, length: length / count, mismatches: mismatches / needed as u32 };
                (8 * fit >= eighths * needed).then(parts)
            };
            kinds.iter().find_map(with)
        };
        let spared = || first(&kinds[..ROOMY], enough).or_else(|| first(others, some)).or_else(|| first(others, 8));
        let several = if self.spares { spared() } else { first(kinds, 8) };
        several.unwrap_or(Parts { count: 1, length, mismatches })
    }
}

impl Parts {
    /// Whether there are several.
    pub fn are_several(&self) -> bool {
        self.count > 1
    }

    /// Symbols of each in which a span may lie: of several, what is compared beside its tiles is in the part, too.
    pub fn room(&self) -> usize {
        self.length.saturating_sub(if self.are_several() { BESIDE } else { 0 })
    }
}

/// Where the spans of a pattern lie: symbols before each.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Offsets {
    One(u32),
    /// One in each quarter, in the order in which they are looked up.
    Quarters([u32; SPANS]),
    /// As many as there are parts, `step` symbols from one to the next.
    OfParts {
        first: u32,
        step: u32,
        count: u32,
    },
}

/// How one pattern is looked up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// Tile, tiles and needed of the shape; each of millions of patterns has a layout.
    shape: [u8; 3],
    /// As of [`Shape`].
    together: bool,
    offsets: Offsets,
    /// The share of the sequences' positions at which it will be a candidate, as far as is known, 0 to 1.
    pub share: f32,
    /// Codes of all tiles of its first span together, or of those of all parts.
    pub codes: u32,
}

impl Layout {
    /// Of which shape its spans are.
    pub fn shape(&self) -> Shape {
        let [tile, tiles, needed] = self.shape.map(usize::from);
        let spread = matches!(self.offsets, Offsets::Quarters(_));
        let parted = matches!(self.offsets, Offsets::OfParts { .. });
        Shape { tile, tiles, needed, spread, parted, together: self.together }
    }

    /// Whether comparing the pattern everywhere is the faster way.
    pub fn is_crowded(&self) -> bool {
        is_crowded(f64::from(self.share), matches!(self.offsets, Offsets::OfParts { .. }))
    }

    /// How many spans there are.
    pub fn spans(&self) -> usize {
        match self.offsets {
            Offsets::One(_) => 1,
            Offsets::Quarters(_) => SPANS,
            Offsets::OfParts { count, .. } => count as usize,
        }
    }

    /// Symbols before span `k`, in the order in which spans are looked up.
    pub fn offset(&self, k: usize) -> u32 {
        match self.offsets {
            Offsets::One(offset) => offset,
            Offsets::Quarters(offsets) => offsets[k],
            Offsets::OfParts { first, step, .. } => first + k as u32 * step,
        }
    }
}

/// A pattern to be laid out.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    /// Its digits.
    pub digits: &'a [u8],
    /// Whether any of these may be wild.
    pub has_wild: bool,
    /// The parts that it is cut into.
    pub parts: Parts,
    /// Places of a span to choose from.
    pub places: usize,
    /// Whether so many symbols are wild that places with few of them are sought, and tiles are not listed together.
    pub apart: bool,
    /// The most symbols of tiles that are listed together.
    pub together: usize,
    /// Codes of a tile, on average, up to which a span of more tiles is preferred.
    pub codes: u64,
    /// Whether a hash of the whole pattern is looked up, too, where tables are full.
    pub hashed: bool,
}

/// The fewest symbols of a tile, where patterns have room for it.
pub const TILE_MIN: usize = 6;
/// The share of wild symbols in the sequences from which on tiles may be shorter than patterns alone would have them, and of the time that
/// the others take.
const WILD_LEAST: f64 = 0.02;
const WORTHWHILE: f64 = 0.75;

/// Symbols of a tile, at most `tile`, for so many patterns of a length, in sequences of which this share of symbols is wild: fewer where what
/// is saved by looking up fewer codes is more than longer lists take.
pub fn shorten(tile: usize, patterns: usize, (length, mismatches): (usize, u32), (wild, hashed): (f64, bool)) -> usize {
    if wild < WILD_LEAST {
        return tile;
    }
    let cost = |&tile: &usize| {
        let shape = shapes(length, mismatches as usize + 1, tile, hashed).next()?;
        Some(cost::of_looking_up(shape, patterns as f64 / 4f64.powi(shape.tile as i32), wild))
    };
    let costs = |tile| Some((cost(&tile)?, tile));
    let least = (TILE_MIN..tile).filter_map(costs).min_by(|(one, _), (other, _)| one.total_cmp(other));
    match (least, cost(&tile)) {
        (Some((least, shorter)), Some(cost)) if least < WORTHWHILE * cost => shorter,
        _ => tile,
    }
}

/// The best layout for a pattern, with tiles of about `tile` symbols; `None` when it has too few single bases for its mismatches.
pub fn lay_out(pattern: &Candidate, tile: usize, frequencies: &Frequencies) -> Option<Layout> {
    let parts = pattern.parts;
    let shapes = shapes(parts.room(), parts.mismatches as usize + 1, tile, pattern.hashed);
    let mut last = None;
    for shape in shapes.filter(|shape| !pattern.apart || shape.tiles <= TILES_APART) {
        let shape = Shape { parted: parts.are_several(), ..shape };
        let spans = best_spans(pattern, (shape, parts), frequencies);
        let cost = spans[0].1;
        let share = frequencies.share(cost.candidates) * shape.needed as f64 / shape.tiles as f64;
        if cost.codes <= CODES_MOST * parts.count as u64 {
            last = Some((shape, spans, share));
        }
        if cost.codes <= pattern.codes * (shape.tiles * parts.count) as u64 && !is_crowded(share, parts.are_several()) {
            break;
        }
    }
    let (shape, spans, share) = last?;
    let (share, codes) = (share as f32, u32::try_from(spans[0].1.codes).unwrap_or(u32::MAX));
    let first = spans[0].0 as u32;
    let is_spread = is_long(shape, parts) && spans.iter().all(|(_, cost)| cost.codes <= CODES_MOST_OF_OTHERS);
    let offsets = match parts {
        Parts { count: 1, .. } if is_spread => Offsets::Quarters(spans.map(|(offset, _)| offset as u32)),
        Parts { count: 1, .. } => Offsets::One(first),
        Parts { count, length, .. } => Offsets::OfParts { first, step: length as u32, count: count as u32 },
    };
    let together = is_spread && !pattern.apart && shape.needed == 1 && shape.tile <= pattern.together;
    Some(Layout {
        shape: [shape.tile, shape.tiles, shape.needed].map(|count| count as u8),
        together,
        offsets,
        share,
        codes,
    })
}

fn is_crowded(share: f64, in_parts: bool) -> bool {
    share > if in_parts { CROWDED_IN_PARTS } else { CROWDED }
}

/// Whether a pattern has room for several spans of a shape.
fn is_long(shape: Shape, parts: Parts) -> bool {
    !parts.are_several() && parts.length >= SPANS * shape.length()
}

/// The best spans of a shape, the best first: of a long pattern, one in each quarter; of others, the one.
fn best_spans(
    pattern: &Candidate,
    (shape, parts): (Shape, Parts),
    frequencies: &Frequencies,
) -> [(usize, Cost); SPANS] {
    let best_of = |offsets: Range<usize>| {
        best(pattern, (shape, parts), frequencies, offsets.start..offsets.end - shape.length() + 1)
    };
    if !is_long(shape, parts) {
        return [best_of(0..parts.room()); SPANS];
    }
    let quarter = |k| parts.length * k / SPANS..parts.length * (k + 1) / SPANS;
    let mut spans = std::array::from_fn(|k| best_of(quarter(k)));
    spans.sort_by_key(|(_, cost)| cost.total());
    spans
}

/// The shapes that a pattern of `length` symbols has room for, those of the most tiles first. Only long patterns get the most.
pub(super) fn shapes(length: usize, needed: usize, tile: usize, hashed: bool) -> impl Iterator<Item = Shape> {
    let most = (length / needed).min(TILE_MAX);
    let half = length / (2 * needed);
    let tile = match tile.min(most) {
        // Two tiles where one is needed are worth one symbol or two, as where a run of wild ones ends in one, the other has none; and three
        // if they are long and not all that tells patterns apart.
        tile if needed == 1
            && (1..tile).contains(&half)
            && half + 2 + usize::from(hashed && half >= LONG_TILE) >= tile =>
        {
            half
        }
        // If there is room for no more than are needed, they may as well be a little longer; tables of many more codes leave the caches.
        tile if tile > half => most.min(tile + 1),
        tile => tile,
    };
    let possible = needed <= TILES_MAX && tile > 0;
    let tiles = move |times: usize| Some(needed * times).filter(|&tiles| times == 1 || tiles <= TILES);
    let fits = move |tiles: &usize| possible && tiles * tile <= length;
    let long = (needed == 1 && length >= SPANS * TILES * tile).then_some(TILES);
    long.into_iter().chain([8, 6, 4, 3, 2, 1]).filter_map(tiles).filter(fits).map(move |tiles| Shape {
        tile,
        tiles,
        needed,
        spread: false,
        parted: false,
        together: false,
    })
}

/// What a span costs.
#[derive(Clone, Copy)]
struct Cost {
    /// Codes to list it under.
    codes: u64,
    /// Counted windows that would make it a candidate.
    candidates: u64,
}

impl Cost {
    fn total(&self) -> u64 {
        self.candidates * CODES_PER_CANDIDATE + self.codes
    }
}

/// The offset of the cheapest span of a shape, the same in each of these parts, among evenly spread ones of `offsets`; where places with few codes
/// are sought, that with the fewest from each of these to the next.
fn best(
    pattern: &Candidate,
    (shape, parts): (Shape, Parts),
    frequencies: &Frequencies,
    offsets: Range<usize>,
) -> (usize, Cost) {
    let step = offsets.len().div_ceil((pattern.places / parts.count).max(1)).max(1);
    let codes = if pattern.apart { codes(pattern.digits, shape, &offsets) } else { Vec::new() };
    let fewest = |first: usize| {
        let others = || codes.iter().skip(first - offsets.start).take(step);
        let least = others().min();
        first + others().position(|codes| Some(codes) == least).unwrap_or(0)
    };
    let places = offsets.clone().step_by(step).map(fewest);
    let found = places.map(|offset| (offset, cost(pattern, (shape, parts), frequencies, offset)));
    found.min_by_key(|(_, cost)| cost.total()).expect("a pattern has room for the span")
}

/// Codes of all tiles of a span of this shape at each of the offsets. A tile counts for 16,384 at most, and a span for 65,535: more than are listed.
fn codes(digits: &[u8], shape: Shape, offsets: &Range<usize>) -> Vec<u16> {
    let digits = &digits[offsets.start..offsets.end + shape.length() - 1];
    let is_wild = |digit: u8| u16::from(digit == WILD);
    let mut wild = digits[..shape.tile - 1].iter().map(|&digit| is_wild(digit)).sum::<u16>();
    let of_tile = digits.iter().zip(&digits[shape.tile - 1..]).map(|(&first, &last)| {
        let all = wild + is_wild(last);
        wild = all - is_wild(first);
        1 << (2 * all.min(7))
    });
    let of_tiles: Vec<u16> = of_tile.collect();
    let mut codes = vec![0u16; offsets.len()];
    for k in 0..shape.tiles {
        codes.iter_mut().zip(&of_tiles[k * shape.tile..]).for_each(|(sum, codes)| *sum = sum.saturating_add(*codes));
    }
    codes
}

/// Codes of a tile, on average, of the span of this shape that has the fewest in a pattern, which has room for one.
pub fn fewest_codes(digits: &[u8], shape: Shape) -> f64 {
    let codes = codes(digits, shape, &(0..digits.len() - shape.length() + 1));
    f64::from(codes.into_iter().min().unwrap_or_default()) / shape.tiles as f64
}

fn cost(pattern: &Candidate, (shape, parts): (Shape, Parts), frequencies: &Frequencies, offset: usize) -> Cost {
    let mut cost = Cost { codes: 0, candidates: 0 };
    let spans = (0..parts.count).map(|part| offset + part * parts.length);
    for at in spans.flat_map(|span| (0..shape.tiles).map(move |tile| span + tile * shape.tile)) {
        let digits = &pattern.digits[at..at + shape.tile];
        let wild = if pattern.has_wild { digits.iter().filter(|&&digit| digit == WILD).count() } else { 0 };
        cost.codes += 1 << (2 * wild);
        cost.candidates += frequencies.count(digits);
    }
    cost
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wildcards;
    use warpseq_seq::iupac;

    fn laid_out(bases: &[u8], mismatches: u32, tile: usize) -> Option<Layout> {
        let digits: Vec<u8> = bases.iter().map(|&base| iupac::digits(Wildcards::Iupac)[base as usize]).collect();
        let frequencies = Frequencies::of(&b"A".repeat(500), iupac::digits(Wildcards::Iupac));
        let parts = Cutting::default().parts(digits.len(), mismatches);
        let candidate = Candidate {
            digits: &digits,
            has_wild: true,
            parts,
            places: 64,
            apart: false,
            together: 10,
            codes: 16,
            hashed: false,
        };
        lay_out(&candidate, tile, &frequencies)
    }

    fn shape(tile: usize, tiles: usize, needed: usize) -> Shape {
        Shape { tile, tiles, needed, spread: false, parted: false, together: false }
    }

    #[test]
    fn shapes_fit_the_length() {
        let of = |length, needed, tile, hashed| {
            shapes(length, needed, tile, hashed).map(|s| (s.tile, s.tiles)).collect::<Vec<_>>()
        };
        let shapes = |length, needed, tile| of(length, needed, tile, false);
        assert_eq!(shapes(25, 1, 13), [(12, 2), (12, 1)]);
        assert_eq!(shapes(20, 1, 13), [(13, 1)]);
        assert_eq!(of(20, 1, 13, true), [(10, 2), (10, 1)]);
        assert_eq!(of(18, 1, 12, true), [(13, 1)]);
        assert_eq!(shapes(60, 1, 8), [(8, 6), (8, 4), (8, 3), (8, 2), (8, 1)]);
        assert_eq!(shapes(20, 4, 9), [(5, 4)]);
        assert_eq!(shapes(150, 3, 8), [(8, 12), (8, 9), (8, 6), (8, 3)]);
        assert_eq!(shapes(1, 1, 8), [(1, 1)]);
        assert_eq!(shapes(10_000, 101, 8), []);
    }

    #[test]
    fn tiles_are_shorter_where_wild_symbols_are_many_and_lists_stay_short() {
        let of = |tile, patterns, pattern, wild| shorten(tile, patterns, pattern, (wild, true));
        let shares = [0.0, 0.02, 0.05, 0.1];
        assert_eq!(shares.map(|wild| of(12, 2_000_000, (18, 0), wild)), [12, 12, 12, 9]);
        assert_eq!(shares.map(|wild| of(12, 2_000_000, (25, 0), wild)), [12; 4]);
        assert_eq!(shares.map(|wild| of(11, 200_000, (60, 3), wild)), [11, 11, 9, 7]);
        assert_eq!(of(9, 1000, (3000, 3000), 0.5), 9);
    }

    #[test]
    fn a_span_avoids_what_is_frequent_and_what_is_wild() {
        let bases = [b"A".repeat(20), b"NNNNNNNN".to_vec(), b"CCGTCGTGCACCTGTC".to_vec(), b"A".repeat(5)].concat();
        let layout = laid_out(&bases, 0, 8).unwrap();
        assert_eq!((layout.shape(), layout.spans(), layout.offset(0), layout.share), (shape(8, 2, 1), 1, 28, 0.0));
    }

    #[test]
    fn few_single_bases_make_fewer_tiles_and_none_make_none() {
        assert_eq!(laid_out(b"NNNNNNNNACGTACGTNNNNNNNNNNNNNNNNN", 0, 8).unwrap().shape(), shape(8, 1, 1));
        assert_eq!(laid_out(b"NNNNNNNNNNNNNN", 0, 8), None);
        assert_eq!(laid_out(b"NNNNNN", 0, 8).unwrap().shape(), shape(6, 1, 1));
    }

    #[test]
    fn of_the_parts_that_are_not_spare_one_has_few_mismatches() {
        for (length, mismatches) in
            [(400, 8), (1000, 20), (1000, 31), (1000, 50), (700, 70), (5500, 110), (10_000, 500)]
        {
            let [least, most] =
                [false, true].map(|spares| Cutting { scattered: false, spares }.parts(length, mismatches));
            let spared = |parts: Parts| spare(parts.count, parts.mismatches as usize + 1, mismatches);
            assert!(least.are_several() && spared(most) >= spared(least), "{length} {mismatches}");
            for parts in [least, most] {
                let needed = parts.mismatches as usize + 1;
                assert!(parts.count * parts.length <= length && parts.room() >= 7 * needed);
                let left = parts.count - spare(parts.count, needed, mismatches);
                // In so many parts, more than `mismatches` in all if none has few; in one fewer, maybe not.
                assert!(left * needed > mismatches as usize && (left - 1) * needed <= mismatches as usize);
            }
        }
        let parts = |length, mismatches| Cutting { scattered: false, spares: true }.parts(length, mismatches).count;
        assert_eq!(
            [(1000, 7), (150, 8), (5500, 110), (5500, 275)].map(|(length, most)| parts(length, most)),
            [1, 1, 261, 119]
        );
    }

    #[test]
    fn among_wild_symbols_a_span_lies_where_it_has_few_of_them() {
        let mut state = 7u32;
        let mut digit = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if state >> 8 & 1023 < 307 { WILD } else { (state >> 20 & 3) as u8 }
        };
        let digits: Vec<u8> = (0..3000).map(|_| digit()).collect();
        let frequencies = Frequencies::of(b"ACGTTGCA".repeat(50).as_slice(), iupac::digits(Wildcards::Iupac));
        let parts = Cutting::default().parts(digits.len(), 0);
        let candidate = Candidate {
            digits: &digits,
            has_wild: true,
            parts,
            places: 16,
            apart: true,
            together: 10,
            codes: 128,
            hashed: false,
        };
        let layout = lay_out(&candidate, 8, &frequencies).unwrap();
        assert_eq!(layout.shape(), Shape { spread: true, ..shape(8, TILES_APART, 1) });
        let codes = |offset: usize| {
            let tiles = digits[offset..offset + 64].chunks(8);
            tiles.map(|tile| 1u64 << (2 * tile.iter().filter(|&&digit| digit == WILD).count())).sum::<u64>()
        };
        let fewest = |offsets: Range<usize>| offsets.map(codes).min().unwrap();
        assert_eq!(u64::from(layout.codes), codes(layout.offset(0) as usize));
        assert_eq!(fewest_codes(&digits, layout.shape()), fewest(0..3000 - 63) as f64 / 8.0);
        let places = (0..SPANS).map(|k| layout.offset(k) as usize);
        for (quarter, offset) in places.map(|offset| (offset / 750, offset)) {
            let least = fewest(750 * quarter..750 * (quarter + 1) - 63);
            assert!(codes(offset) < 2 * least, "{} for {least}", codes(offset));
        }
    }

    #[test]
    fn a_long_pattern_has_a_span_in_each_quarter() {
        let bases = b"ACGGT".repeat(200);
        let layout = laid_out(&bases, 0, 8).unwrap();
        assert_eq!(layout.shape(), Shape { spread: true, together: true, ..shape(8, 12, 1) });
        let mut quarters: Vec<u32> = (0..layout.spans()).map(|k| layout.offset(k) / 250).collect();
        quarters.sort_unstable();
        assert_eq!(quarters, [0, 1, 2, 3]);
    }
}
