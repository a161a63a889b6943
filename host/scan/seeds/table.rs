//! The lists: which spans have a tile that agrees with a code.
//!
//! ```text
//! code -> words: a bit per code, set where a span is listed -> starts: of the entries of 64 codes, of 8, or of one -> entries
//! ```
//!
//! Nearly all look-ups end at the bit, so the bits are by themselves and stay in a cache. An entry has its span, the last bits of
//! its code, and what lies beside the tile, so that most candidates are refused without a look at their pattern.

mod fill;

use super::code::{Tile, codes};
pub use fill::Item;
pub use fill::map;
use fill::{Buckets, parts};
use std::ops::Range;
use warpseq_gpu::tuning;

/// Symbols beside a tile that an entry holds.
pub const BESIDE: usize = tuning::BESIDE as usize;
const MASK: u32 = (1 << BESIDE) - 1;

/// Codes that share a list, where few have entries. With an entry for every eighth code or more, each has its own, and with more than for so many,
/// eight share one.
const SHARED: u32 = tuning::SHARED;
const SPARSE: usize = 8;
/// The most spans of a table: an entry has 26 bits for their numbers.
pub const SPANS_MAX: usize = 1 << tuning::SPAN_BITS;

/// A span in a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The span's number, and above it the last 6 bits of the code.
    span: u32,
    /// The [`digest`] of the symbols beside its tile, and above it which of them are single bases.
    beside: u32,
}

/// Ten digits in two planes, ten bits each.
#[inline(always)]
pub fn digest(low: u64, high: u64) -> u32 {
    (low as u32 & MASK) | (high as u32 & MASK) << BESIDE
}

impl Entry {
    /// An entry of span number `span` of a pattern of these digits, whose tile lies at `at`. The single bases behind the tile
    /// count; where the tile is the `last` of several, those before it.
    fn new(span: u32, digits: &[u8], at: Range<usize>, last: bool) -> Self {
        let (before, behind) = (&digits[..at.start], &digits[at.end..]);
        let beside =
            if last { &before[before.len().saturating_sub(BESIDE)..] } else { &behind[..behind.len().min(BESIDE)] };
        let shift = if last { BESIDE - beside.len() } else { 0 };
        let tile = Tile::of(beside);
        Self::of(span, Tile { wild: tile.wild | MASK << beside.len(), ..tile }, shift)
    }

    /// An entry beside whose tile these digits lie, of those that an entry holds, from number `shift` on.
    pub fn of(span: u32, beside: Tile, shift: usize) -> Self {
        let [low, high, single] = [beside.low, beside.high, !beside.wild & MASK].map(|plane| plane << shift);
        Self { span, beside: digest(low.into(), high.into()) | single << (2 * BESIDE) }
    }

    /// The same under a code.
    fn under(self, code: u32) -> Self {
        Self { span: self.span | (code % SHARED) << SPANS_MAX.trailing_zeros(), ..self }
    }

    /// Under each code that its tile, of `length` digits, agrees with.
    pub fn under_codes(self, tile: Tile, length: usize) -> impl Iterator<Item = Item> {
        codes(tile, length).map(move |code| (code, self.under(code)))
    }

    /// The last bits of its code, by which it is told from those that share its list.
    #[inline(always)]
    pub fn low_code(self) -> u32 {
        self.span >> SPANS_MAX.trailing_zeros()
    }

    /// Whether it is listed under `code`, of those that share its list.
    #[inline(always)]
    pub fn is_under(self, code: u32) -> bool {
        self.low_code() == code % SHARED
    }

    /// Bits 0 of the symbols beside its tile, bits 1, and which of them are single bases.
    pub fn planes(self) -> [u64; 3] {
        [0, BESIDE, 2 * BESIDE].map(|plane| u64::from(self.beside >> plane & MASK))
    }

    /// Its two words, as a device reads them.
    pub fn words(self) -> [u32; 2] {
        [self.span, self.beside]
    }

    /// The span's number.
    #[inline(always)]
    pub fn span(self) -> u32 {
        self.span & (SPANS_MAX as u32 - 1)
    }

    /// How many of the single bases beside the tile differ from those of a sequence, of which bit k of `wild` is set where digit k
    /// agrees with all.
    #[inline(always)]
    pub fn differences(self, sequence: u32, wild: u32) -> u32 {
        let different = self.beside ^ sequence;
        ((different | different >> BESIDE) & self.beside >> (2 * BESIDE) & !wild).count_ones()
    }
}

/// A tile of a span, to be listed.
pub struct Listed<'a> {
    /// The span's number.
    pub span: u32,
    /// The digits of the span's pattern.
    pub digits: &'a [u8],
    /// Where in the pattern the tile begins.
    pub at: usize,
}

impl Listed<'_> {
    fn tile(&self, length: usize) -> Tile {
        Tile::of(&self.digits[self.at..self.at + length])
    }

    /// Under how many codes its tile is listed.
    pub fn codes(&self, length: usize) -> usize {
        1 << (2 * self.tile(length).wild.count_ones())
    }
}

/// The fewest tiles for a thread.
const TILES_OF_PART: usize = 256;

/// How many of the last bits of a code the number of its list is without, in a table of about so many entries.
fn shift(length: usize, entries: usize) -> u32 {
    match entries {
        _ if SPARSE * entries >= 1 << (2 * length) => 0,
        _ if SHARED as usize * entries >= 1 << (2 * length) => SPARSE.trailing_zeros(),
        _ => SHARED.trailing_zeros(),
    }
}

/// Which spans have a tile, the same of each, that agrees with a code.
pub struct Table {
    /// Bit c % 64 of word c / 64: a span is listed under code c.
    words: Vec<u64>,
    /// Where each list begins in `entries`, and where the last one ends; that of code c is list `c >> shift`.
    starts: Vec<u32>,
    shift: u32,
    entries: Vec<Entry>,
}

impl Table {
    /// Lists so many `tiles` of `length` symbols, under about so many codes together; `last` says that they are the last of several of their spans.
    /// On this thread `alone`, or on all.
    pub fn new<'a>(
        (length, last): (usize, bool),
        alone: bool,
        (tiles, codes): (usize, usize),
        listed: impl Fn(usize) -> Listed<'a> + Sync,
    ) -> Self {
        Self::of_items(length, alone, (tiles, TILES_OF_PART), codes, |at, items| {
            let tile: Listed = listed(at);
            let entry = Entry::new(tile.span, tile.digits, tile.at..tile.at + length, last);
            items.extend(entry.under_codes(tile.tile(length), length));
        })
    }

    /// Lists what `add` adds for each of so many patterns, about so many `items` together; the second of `patterns`: the fewest for a thread.
    pub fn of_items(
        length: usize,
        alone: bool,
        patterns: (usize, usize),
        items: usize,
        add: impl Fn(usize, &mut Vec<Item>) + Sync,
    ) -> Self {
        let shift = shift(length, items);
        let buckets = Buckets::new(length, shift);
        let parts = parts(alone, patterns, items, &buckets, &add);
        let (mut words, mut starts) = (vec![0; buckets.codes.div_ceil(64)], vec![0; buckets.lists() + 1]);
        let entries = buckets.fill(alone, &parts, (&mut words, &mut starts));
        Self { words, starts, shift, entries }
    }

    /// Entries of the table that `new` makes of the same.
    pub fn entries_of<'a>(length: usize, tiles: usize, listed: impl Fn(usize) -> Listed<'a>) -> usize {
        (0..tiles).map(|at| listed(at).codes(length)).sum()
    }

    /// Bytes of a table with so many entries, that was made for about so many `items`.
    pub fn bytes(length: usize, items: usize, entries: usize) -> usize {
        let codes = 1usize << (2 * length);
        codes / 8 + (codes >> shift(length, items)) * size_of::<u32>() + entries * size_of::<Entry>()
    }

    /// Entries of all lists together.
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// The word with the bit of `code`.
    #[inline(always)]
    pub fn word(&self, code: u32) -> u64 {
        self.words[(code / 64) as usize]
    }

    /// Bit 0: whether any span is listed under `code`.
    #[inline(always)]
    pub fn bit(&self, code: u32) -> u64 {
        self.word(code) >> (code % 64)
    }

    /// Bit c % 64 of word c / 64: a span is listed under code c.
    pub fn bits(&self) -> &[u64] {
        &self.words
    }

    /// Where each list begins, and where the last one ends; how many of the last bits of a code the number of its list is without.
    pub fn lists(&self) -> (&[u32], u32) {
        (&self.starts, self.shift)
    }

    /// The entries of all lists.
    pub fn all(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether any span is listed under `code`.
    #[inline(always)]
    pub fn has(&self, code: u32) -> bool {
        self.bit(code) & 1 != 0
    }

    /// Where the list of `code` is, which it may share with others.
    #[inline(always)]
    pub fn range(&self, code: u32) -> Range<u32> {
        let list = (code >> self.shift) as usize;
        self.starts[list]..self.starts[list + 1]
    }

    /// The list at `range`.
    #[inline(always)]
    pub fn list(&self, range: Range<u32>) -> &[Entry] {
        &self.entries[range.start as usize..range.end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wildcards;
    use warpseq_seq::iupac;

    fn digits(bases: &str) -> Vec<u8> {
        bases.bytes().map(|base| iupac::digits(Wildcards::Iupac)[base as usize]).collect()
    }

    #[test]
    fn lists_hold_exactly_the_agreeing_tiles() {
        let patterns = ["ACGTA", "ACGNA", "AARCC", "NNNNN", "TTTTT"].map(digits);
        let listed = |at: usize| Listed { span: at as u32, digits: &patterns[at], at: 1 };
        // Of 64 codes, all share a list, or eight, or none.
        let tables = [0, 1, 8].map(|items| Table::new((3, false), false, (patterns.len(), items), listed));
        assert_eq!(tables.each_ref().map(|table| table.lists().1), [6, 3, 0]);
        for (table, code) in tables.iter().flat_map(|table| (0..64).map(move |code| (table, code))) {
            let digit = |k: usize| ((code >> k & 1) | (code >> (3 + k) & 1) << 1) as u8;
            let agrees = |digits: &[u8]| (0..3).all(|k| digits[1 + k] == digit(k) || digits[1 + k] == 4);
            let want: Vec<u32> = (0..5).filter(|&span| agrees(&patterns[span as usize])).collect();
            let found = table.list(table.range(code)).iter().filter(|entry| entry.is_under(code));
            assert_eq!(found.map(|entry| entry.span()).collect::<Vec<_>>(), want);
            assert_eq!(table.has(code), !want.is_empty());
        }
    }

    #[test]
    fn what_lies_beside_a_tile_is_compared() {
        let pattern = digits("ACGTACGTNA");
        let tile = |bases: &str| Tile::of(&digits(bases));
        let behind = Entry::new(7, &pattern, 2..5, false);
        let before = Entry::new(7, &pattern, 2..5, true);
        let differ = |entry: Entry, bases: &str, wild| {
            let Tile { low, high, .. } = tile(bases);
            entry.differences(digest(low.into(), high.into()), wild)
        };
        // Behind the tile GTA there are CGT, N, A.
        assert_eq!(differ(behind, "CGTAAAAAAA", 0), 0);
        assert_eq!(differ(behind, "CCGAAAAAAA", 0), 2);
        assert_eq!(differ(behind, "CCGAAAAAAA", 0b010), 1);
        assert_eq!(differ(behind, "CGTTCAAAAA", 0), 1);
        // Before it there are AC.
        assert_eq!(differ(before, "GGGGGGGGAC", 0), 0);
        assert_eq!(differ(before, "GGGGGGGGCA", 0), 2);
        assert_eq!(differ(before, "GGGGGGGGCA", 1 << 9), 1);
    }
}
