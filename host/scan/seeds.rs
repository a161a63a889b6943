//! Seeds: from a few symbols of a sequence to the few patterns that may match there. Exact for any input.
//!
//! # Definition
//!
//! Symbols are reduced to the digits 0 to 4 ([`warpseq_seq::iupac`]): a single base, or wild. A *tile* is some digits in a row, a
//! *span* some tiles in a row, and a [`Shape`] says how many. Every pattern is given one span, at an offset of its own:
//!
//! ```text
//! pattern    . . . . . . . . . . . . . . . . . . . . . . .        shape: tile 5, tiles 3
//! span             [0 0 0 0 0|1 1 1 1 1|2 2 2 2 2]
//!                  ^ offset
//! ```
//!
//! A [`Table`] for each tile of a shape lists, under each code of single bases, the spans whose tile agrees with it. So a span with a
//! wild digit is in four lists of that tile.
//!
//! # The search, and why nothing is lost
//!
//! At each position x of the sequences, as the place of a span, `needed` of its tiles are looked up, those with the fewest wild
//! digits in the sequence, and each under all codes that agree with it. `needed` is one more than a match may have mismatches. So
//! where a pattern matches, one of the tiles looked up has no mismatch, and the list of one of its codes has the pattern.
//!
//! Which tiles are looked up depends on the sequence alone, and so does whether x is *hard*: less than `needed` tiles have few
//! enough wild digits. There, all patterns of the shape are compared, but where more digits of the span are
//! wild than any of them allows. On the CPU, fewer tiles are looked up where that takes fewer codes, with some of their digits
//! changed: one of n tiles has an n-th of the mismatches at most. Where that takes too many, hard or not, all patterns are compared, side
//! by side ([`Columns`]). A match has few wild digits for its length, by `max_n_frac`, so hard places are rare where
//! spans cover their patterns. Long patterns have several spans, all over them ([`Shape::spread`]), of which the first is looked up. Where that
//! lies at a hard position, one of many [`Windows`] of the pattern is found, at a mark: 31 places in a row with hardly a wild symbol; with
//! mismatches, at one of as many marks as are needed. Where patterns have no windows, or on a GPU lie over too few marks, they are found by
//! their first span that does not lie at a hard position, and compared where all of them do; on the CPU, where they lie over too few marks,
//! they are compared.
//!
//! Where many mismatches are allowed, patterns are cut into parts of one length ([`Parts`]), each with a span of few tiles: one of n parts has an
//! n-th of the mismatches at most. There are more of them than that takes where sequences have runs of wild digits: parts that lie at hard positions
//! are left to the others as long as these are enough. Where they are not, the pattern is found by [`ShortTiles`] on the CPU, if it has enough of
//! these there, and compared otherwise.
//!
//! Long patterns are few. Where one tile is enough for them, all tiles of their spans are in one table ([`Shape::together`]): each tile of
//! the sequences without wild digits is looked up there once, for whatever tile of a span it may be, and places without such tiles
//! as before. Where both have so many wild digits that this would be nearly everywhere, under many codes, each tile of a span has a table of its own,
//! as one of all tiles has as many times the entries. Spans then lie where patterns have the fewest wild digits: among thousands of places,
//! there are some with hardly any.
//!
//! Where patterns are all windows of a reference, as k-mers are, one match is followed along the reference ([`Chains`]): a place that
//! is found so is not looked up or, where there may be mismatches, what is found there again is not compared. Where there are none, and
//! patterns are in chains, or so many of one length that most codes have a list, a bit for a hash of the whole pattern says where none begins.
//!
//! # Why it is fast
//!
//! Tiles are long enough for lists to be short, and as often as not empty, which one bit says. Where patterns are many, the CPU then asks which
//! two symbols lie beside the tiles of a list ([`Beside`]). Runs of wild digits cost little,
//! as a place half in a run has tiles outside of it. At 10 % `N` most places of two tiles or more have one without. Where both
//! patterns and sequences have more, tiles are shorter, and so more of them. On the CPU they are, too, where sequences alone have many
//! and the fewer codes are worth the longer lists ([`shorten`]). Where all that costs more than to compare every pattern at
//! every position, the CPU compares them: a few primers one by one, and up to some ten thousand patterns in [`Rows`] of bits, as among
//! scattered wild digits and with mismatches.

mod beside;
mod chains;
mod code;
mod columns;
mod cost;
pub(crate) mod forecast;
mod frequencies;
mod layout;
pub(crate) mod plan;
pub(crate) mod planes;
mod rows;
mod short;
mod table;
mod tiles;
mod twice;
pub(crate) mod windows;

pub use beside::{Beside, Two};
pub use chains::Chains;
pub use code::{Tile, codes, planes, words_of_codes};
pub use columns::Columns;
pub use cost::NEAR_TILE;
pub use frequencies::Frequencies;
pub use layout::{
    CUT_FROM, Candidate, Cutting, Layout, Parts, SPANS, Span, TILE_MIN, TILES, TILES_APART, fewest_codes, lay_out,
    shorten, spare,
};
pub use rows::{CODES, Cover, REACH, Rows, WINDOW};
pub use short::{Needed, ShortTiles};
pub use table::{BESIDE, Entry, Item, Listed, SPANS_MAX, Table, digest, map};
pub use twice::maybe_twice;
pub use windows::Windows;

/// The most symbols of a tile.
pub const TILE_MAX: usize = 13;
/// The most wild digits of a tile that is looked up or listed: each makes four codes of one.
pub const WILD_MAX: u32 = 6;
/// The most tiles of a span.
pub const TILES_MAX: usize = 32;

/// What spans have in common that are looked up together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    /// Symbols of a tile, 1 to [`TILE_MAX`].
    pub tile: usize,
    /// Tiles of a span, `needed` to [`TILES_MAX`].
    pub tiles: usize,
    /// Tiles that are looked up at a place: one more than a match, or one of its parts, may have mismatches.
    pub needed: usize,
    /// Whether patterns have several spans.
    pub spread: bool,
    /// Whether patterns are in [`Parts`], with a span in each.
    pub parted: bool,
    /// Whether the tiles of a span are listed in one table, so that it is asked but once about each tile of the sequences: where patterns
    /// have several spans, one tile is enough, and most lists are empty.
    pub together: bool,
}

impl Shape {
    /// Symbols of a span.
    pub fn length(&self) -> usize {
        self.tile * self.tiles
    }

    /// Spans of each pattern, or part of one.
    pub fn spans(&self) -> usize {
        if self.spread { SPANS } else { 1 }
    }

    /// Whether tile `k` is the last of several that are listed each by itself: what lies before it is beside it, and not what lies behind.
    #[inline(always)]
    pub fn is_last(&self, k: usize) -> bool {
        k > 0 && k + 1 == self.tiles && !self.together
    }

    /// Single bases that positions in a run of wild digits may have at its ends, where tiles have some of both.
    pub fn slack(&self) -> usize {
        2 * self.tile
    }

    /// The most mismatches of a match, or of one of its parts.
    pub fn mismatches(&self) -> u32 {
        self.needed as u32 - 1
    }
}
