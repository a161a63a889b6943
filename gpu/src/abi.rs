//! The argument structs that the host passes to kernels, by value. They hold only words, and every size is asserted.

use crate::tuning::SEARCH_SLOTS;
use cuda_std::{Global, GlobalMut, U32x2, U32x4};

/// `scan_pack`: 32 bases per thread.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PackArgs<'a> {
    /// Bases as bytes, 16 per element; `2 * planes.len()` elements.
    pub bases: Global<'a, U32x4>,
    /// For 32 symbols, four words with a bit per symbol: may it be A, C, G, T.
    pub planes: GlobalMut<'a, U32x4>,
    /// None, or for 32 symbols: bits 0 of their digits, bits 1, which are wild, and how many are wild of the symbols before them
    /// in their `TILE`.
    pub digits: GlobalMut<'a, U32x4>,
    /// For each `TILE` of digits, and a part of one: how many are wild.
    pub wild: GlobalMut<'a, u32>,
    /// One word. A byte that is none of ACGTN sets its bit 0.
    pub odd: GlobalMut<'a, u32>,
    /// What a byte without a meaning is: wild when this is all ones; a symbol that matches nothing when it is 0.
    pub unknown: u32,
}

/// The patterns of a run, packed like sequences. Each begins at a word border and is padded with N to the next.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Patterns<'a> {
    pub planes: Global<'a, U32x4>,
    /// For each pattern: its first word, its length in symbols, the most wild positions of a match, the most mismatches.
    pub info: Global<'a, U32x4>,
}

/// Packed sequences, or segments of long ones, one after another.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Sequences<'a> {
    pub planes: Global<'a, U32x4>,
    pub digits: Global<'a, U32x4>,
    pub wild: Global<'a, u32>,
    /// The first symbol of each segment, and at the end the number of symbols: one element more than segments.
    pub starts: Global<'a, u32>,
    /// One word, not 0 if the host has to confirm hits on the bytes, so that wild positions cannot be counted here.
    pub odd: Global<'a, u32>,
}

/// What the second word of [`Matches::count`] says.
pub const HARD: u32 = 1;
pub const LEFT: u32 = 2;

/// Where matches go.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Matches<'a> {
    /// For each match: its first symbol among those of all sequences, pattern, wild positions, mismatches.
    pub found: GlobalMut<'a, U32x4>,
    /// Two words: matches found, and [`HARD`] where a position was marked as hard, [`LEFT`] where one is left. If there are more matches than `found` has room for, the
    /// rest is not written, and not all are counted.
    pub count: GlobalMut<'a, u32>,
    /// For each segment and in it for each pattern the least rank of a match so far, `u64::MAX` before the search. Of a match that follows
    /// one of a lesser rank nothing is written or counted. No elements: of none.
    pub least: GlobalMut<'a, u64>,
    /// Bits of the two words of a rank that count: of mismatches and, below them, wild positions, 16 bits each; and of the first symbol.
    pub ranked: [u32; 2],
    /// The quality of each symbol of all sequences: its sum over a match, the greatest first, stands for wild positions in a rank, and
    /// matches of more than [`SUMMED`](crate::tuning::SUMMED) symbols are ranked by mismatches alone. No elements: there are none.
    pub quality: Global<'a, u8>,
}

/// What the spans of a table have in common.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Form {
    /// Symbols of a tile, tiles of a span, and how many of them are looked up at a position.
    pub tile: u32,
    pub tiles: u32,
    pub needed: u32,
    /// Wild digits up to which a tile is looked up, and the most that a match may have in the sequence.
    pub wild: u32,
    pub most_wild: u32,
    /// Words of the bits of one tile; its lists, with one behind the last, and how many bits of a code to leave out for the number
    /// of its list.
    pub words: u32,
    pub lists: u32,
    pub shift: u32,
    /// Not 0 if all tiles are listed in one table, in which tile k of span s has the number s * tiles + k.
    pub together: u32,
    pub padding: u32,
}

/// The spans of a class, and for each of their tiles where it is listed: those of the first tile, then those of the second; or
/// those of all of them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Seeds<'a> {
    /// A bit for each code: it has entries.
    pub bits: Global<'a, u32>,
    /// Where the list of each code, or of 8 or `SHARED` of them, begins among the entries of all tiles.
    pub starts: Global<'a, u32>,
    /// The span, and above it the last 6 bits of the code; the digits beside the tile, and above them which of them are single bases.
    pub entries: Global<'a, U32x2>,
    /// Pattern, symbols of it before the span, how many spans it has before this one, 0.
    pub spans: Global<'a, U32x4>,
    pub form: Form,
}

/// Which positions have too few tiles with few enough wild digits to be looked up.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Hard<'a> {
    /// A bit for each position.
    pub bits: GlobalMut<'a, u32>,
    /// For each `TILE` of positions: whether there is one.
    pub tiles: GlobalMut<'a, u32>,
}

/// `scan_seek`: persistent warps, each of which takes every n-th tile.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SeekArgs<'a> {
    pub sequences: Sequences<'a>,
    pub patterns: Patterns<'a>,
    pub matches: Matches<'a>,
    pub seeds: Seeds<'a>,
    /// Both 0 before the launch for the first spans, which writes them; that for the others reads them.
    pub hard: Hard<'a>,
    /// For the others: those of first spans that are left.
    pub left: Hard<'a>,
    /// Tiles to look at, of which some hard positions are of use: `first_tile..end_tile`.
    pub first_tile: u32,
    pub end_tile: u32,
    /// Positions of spans to examine: `first..end`.
    pub first: u32,
    pub end: u32,
    /// 0: spans that are looked up first. Else the others, in tiles that are at most so many less one from one with hard positions.
    pub reach: u32,
    /// Tables whose bits are kept in shared memory.
    pub kept: u32,
}

/// What a word of [`WindowArgs::marks`] is where there is no mark, and where there need not be any.
pub const NO_MARK: u32 = u32::MAX;
pub const FAR: u32 = u32::MAX - 1;

/// `scan_mark`, then `scan_window`: persistent warps, each of which takes every n-th tile.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WindowArgs<'a> {
    pub sequences: Sequences<'a>,
    pub patterns: Patterns<'a>,
    pub matches: Matches<'a>,
    /// Where windows are listed, each as one tile of `form.tile` symbols: an entry has the number of its first symbol among those of all
    /// patterns of the class. `spans` are those of the class.
    pub seeds: Seeds<'a>,
    /// The numbers of the first symbols of these patterns, in order.
    pub starts: Global<'a, u32>,
    /// Those of the first spans.
    pub hard: Hard<'a>,
    /// Both 0 before `scan_window`, which marks the hard positions where a pattern may lie over fewer marks than are needed.
    pub left: Hard<'a>,
    /// For each cell of 2^`cell_bits` positions, 32 to `TILE`, of all tiles that have symbols, its mark: `scan_mark` writes them.
    pub marks: GlobalMut<'a, u32>,
    pub cell_bits: u32,
    /// Positions of a mark.
    pub places: u32,
    /// Marks of which one has no mismatch: one more than a match may have.
    pub needed: u32,
    /// Symbols of the shortest pattern, and the fewest of a match that are not wild in the sequence.
    pub shortest: u32,
    pub least_single: u32,
    /// Tiles in which patterns lie whose first spans are in one: at most so many less one from it.
    pub reach: u32,
    /// Positions of first spans to examine: `first..end`.
    pub first: u32,
    pub end: u32,
}

/// `scan_hard`: persistent warps; `parts` of them share a tile of positions.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct HardArgs<'a> {
    pub sequences: Sequences<'a>,
    pub patterns: Patterns<'a>,
    pub matches: Matches<'a>,
    /// As in [`Seeds`].
    pub spans: Global<'a, U32x4>,
    /// Where patterns have one span each: of each span up to 32 symbols from its first one on, their digits in two planes and which of
    /// them are single bases; the most mismatches.
    pub heads: Global<'a, U32x4>,
    pub hard: Hard<'a>,
    /// Those of first spans that are left.
    pub left: Hard<'a>,
    /// Positions of a pattern's first span to try: `first..end`.
    pub first: u32,
    pub end: u32,
    /// Spans of each pattern: 1 or [`SPANS`](crate::tuning::SPANS).
    pub spread: u32,
    pub parts: u32,
    /// Where patterns have several: symbols of each, and the most between two of a pattern.
    pub length: u32,
    pub reach: u32,
    /// How many symbols of a run, at most, are not wild where no match has all spans in one; `u32::MAX` where one may.
    pub slack: u32,
}

/// `scan_parted`: persistent warps; `parts` of them share a tile of positions.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PartedArgs<'a> {
    pub sequences: Sequences<'a>,
    pub patterns: Patterns<'a>,
    pub matches: Matches<'a>,
    /// The patterns in parts: number, symbols of it before its first span, from each span to the next, spans.
    pub parted: Global<'a, U32x4>,
    /// How many spans of each may lie at hard positions in a match that is looked up all the same.
    pub spare: Global<'a, u32>,
    /// Those of these spans.
    pub hard: Hard<'a>,
    /// Positions of a pattern's first span to try: `first..end`.
    pub first: u32,
    pub end: u32,
    pub parts: u32,
    /// The most symbols between two spans of a pattern.
    pub reach: u32,
}

/// `scan_brute`: persistent warps, each of which takes every n-th run of `32 * BRUTE_POSITIONS` positions.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct BruteArgs<'a> {
    pub sequences: Sequences<'a>,
    pub patterns: Patterns<'a>,
    pub matches: Matches<'a>,
    /// The patterns to try: number, symbols of it before its probe, the most mismatches, 0.
    pub tried: Global<'a, U32x4>,
    /// For each of them the digit planes of up to 32 symbols, those past its end wild, and 0.
    pub probes: Global<'a, U32x4>,
    /// Positions of the probe to try: `first..end`.
    pub first: u32,
    pub end: u32,
}

/// Which ends of an alignment are free: the host's `Mode`.
pub mod mode {
    pub const LOCAL: u32 = 0;
    pub const GLOBAL: u32 = 1;
    pub const FIT: u32 = 2;
    pub const OVERLAP: u32 = 3;
}

/// The pairs of a launch, in its order.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pairs<'a> {
    pub queries: Global<'a, u8>,
    pub targets: Global<'a, u8>,
    /// For each pair: first residue and length of the query, first residue and length of the target. No length is 0.
    pub places: Global<'a, U32x4>,
    /// The code of each byte, below `ALPHABET_MAX - 1`.
    pub codes: Global<'a, u8>,
    /// Signed bytes: byte q of the 8 words from word 8t on is the score of query code q against target code t.
    pub scores: Global<'a, u32>,
}

/// How a launch scores, and how its work is divided.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Rules {
    /// One of [`mode`].
    pub mode: u32,
    /// The cost of a gap's first symbol, and of each further one.
    pub open: i32,
    pub extend: i32,
    /// Codes in use. The next one is the padding's.
    pub codes: u32,
    /// Lanes of a group: 4, 8, 16 or 32.
    pub width: u32,
    /// Steps per item: a power of two, and a multiple of `CHECKPOINT`.
    pub chunk: u32,
}

impl Rules {
    /// Chunks of `steps` > 0 steps. A shift, since a division that might be by 0 calls a function that the device does
    /// not have.
    #[inline(always)]
    pub fn chunks(&self, steps: u32) -> u32 {
        ((steps - 1) >> self.chunk.trailing_zeros()) + 1
    }
}

/// The pairs that one group of lanes aligns together: two whose scores are packed into one register, or one.
///
/// For each packed pair: the first element of its row checkpoints, the first of its column checkpoints, its steps, and
/// the first of its records (local mode) or last rows (other modes), counted in records or in last rows of a strip.
pub type PackedPairs<'a> = Global<'a, U32x4>;

/// The state from which any part of the matrix can be recomputed. Each element is four words, and a word holds one
/// score of each of the packed pairs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Checkpoints<'a> {
    /// H, and F for affine gaps, of a lane's columns before every `CHECKPOINT`th step. Indexed by strip, checkpoint,
    /// group of four columns, lane.
    pub rows_h: GlobalMut<'a, U32x4>,
    pub rows_f: GlobalMut<'a, U32x4>,
    /// H, and E for affine gaps, of a lane's last column after every step. Indexed by strip, group of four steps, lane.
    pub columns_h: GlobalMut<'a, U32x4>,
    pub columns_e: GlobalMut<'a, U32x4>,
}

/// `align_*_score`, `align_*_score_wide`, `align_*_local` and `align_*_ends`: an item per group of lanes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ForwardArgs<'a> {
    pub pairs: Pairs<'a>,
    pub packed_pairs: PackedPairs<'a>,
    /// For each item: packed pair, strip, first step, 0.
    pub items: Global<'a, U32x4>,
    pub checkpoints: Checkpoints<'a>,
    /// Local mode: the best cell of each item and pair: score, row, column, 0. With checkpoints the column is the first
    /// of the lane that holds the cell.
    pub records: GlobalMut<'a, U32x4>,
    /// Other modes: H in each pair's last row. Indexed by strip, pair of the packed pair, group of four columns, lane.
    pub last: GlobalMut<'a, U32x4>,
    pub rules: Rules,
}

/// `align_traceback`: a pair per group of `TRACEBACK_LANES` lanes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TracebackArgs<'a> {
    pub pairs: Pairs<'a>,
    pub packed_pairs: PackedPairs<'a>,
    /// The checkpoints, as single words.
    pub rows_h: Global<'a, u32>,
    pub rows_f: Global<'a, u32>,
    pub columns_h: Global<'a, u32>,
    pub columns_e: Global<'a, u32>,
    pub records: Global<'a, U32x4>,
    pub last: Global<'a, u32>,
    /// The first word of each pair's path.
    pub path_starts: Global<'a, u32>,
    /// Moves from the end of the path to its start, 2 bits each: 1 diagonal, 2 up, 3 left.
    pub paths: GlobalMut<'a, u32>,
    /// Two elements per pair: score, end row, end column, moves; start row, start column, 0, 0.
    pub results: GlobalMut<'a, U32x4>,
    pub rules: Rules,
    /// Scores in a word of a checkpoint: 2 or 1.
    pub packed: u32,
    /// 1 if a local path stops at the first cell of score 0.
    pub stop_at_zero: u32,
    /// 0 if only the end is wanted.
    pub want_path: u32,
}

/// How a search scores, and how its work is divided.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct SearchRules {
    /// The cost of a gap's first symbol, and of each further one.
    pub open: i32,
    pub extend: i32,
    /// Codes in use. The next one is the padding's.
    pub codes: u32,
    /// Lanes of a group: 4, 8 or 16.
    pub lanes: u32,
    /// Strips of the longest query.
    pub strips: u32,
    /// Targets of the database.
    pub targets: u32,
    /// Elements of a border: the columns of the longest couple, and twice `SEARCH_GAP`.
    pub border: u32,
    /// 1 if the scores are those of the queries' other strand: the better ones are kept.
    pub second: u32,
}

impl SearchRules {
    /// Lanes whose scores lie beside each other in the profile: those of a group, but eight where these are fewer.
    #[inline(always)]
    pub fn slots(&self) -> u32 {
        self.lanes.max(SEARCH_SLOTS)
    }

    /// Strips of a query of `length` > 0 residues, of which a lane holds so many.
    #[inline(always)]
    pub fn strips_of(&self, length: u32, residues: u32) -> u32 {
        (((length - 1) / residues) >> self.lanes.trailing_zeros()) + 1
    }
}

/// `align_search_*`: blocks take items.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SearchArgs<'a> {
    pub queries: Global<'a, u8>,
    /// For each query: its first residue, its length.
    pub places: Global<'a, U32x2>,
    /// The code of each byte, below `ALPHABET_MAX - 1`.
    pub codes: Global<'a, u8>,
    /// As [`Pairs::scores`].
    pub matrix: Global<'a, u32>,
    /// Two targets that are aligned together, column by column: the first one's code in the low byte, the second one's in the
    /// high byte, both times `LETTER`. Before each couple and after the last one are `SEARCH_GAP` columns of padding.
    pub letters: Global<'a, u16>,
    /// For each couple: its first letter, its columns (at least one, those of its longer target). The longest come first.
    pub couples: Global<'a, U32x2>,
    /// The number of each couple's targets, `targets` or more where there is no second.
    pub order: Global<'a, u32>,
    /// For each item: query, first unit, end of the units, 0. A unit is a couple, or with scores of 32 bits one of its two.
    pub items: Global<'a, U32x4>,
    /// For each query and target, by their numbers, the score.
    pub scores: GlobalMut<'a, u32>,
    /// For each group of the launch: H and F below a strip, column by column. Empty where queries have one strip.
    pub borders: GlobalMut<'a, U32x2>,
    /// The items that blocks have taken, then for each item the bundles that warps have taken. 0 before the launch.
    pub taken: GlobalMut<'a, u32>,
    pub rules: SearchRules,
}

/// `align_limit`, `align_keep`: a query per block.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct KeepArgs<'a> {
    /// For each query and target the score.
    pub scores: Global<'a, u32>,
    /// The least score that is of interest, for each query.
    pub least: Global<'a, u32>,
    /// For each query: the score above which all targets are kept, how many of that score are kept, how many in all, the
    /// highest score.
    pub limits: GlobalMut<'a, U32x4>,
    /// `align_keep`: the first element of each query's kept targets.
    pub starts: Global<'a, u32>,
    /// `align_keep`: the number of each kept target, in order, and its score.
    pub kept: GlobalMut<'a, U32x2>,
    /// Targets of the database.
    pub targets: u32,
    /// The most that are kept of a query.
    pub top: u32,
}

/// `sign_halves`: a range of halves per warp.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct HalvesArgs<'a> {
    /// Residues as bytes, 4 per element, the first in the lowest byte; 8 elements more than they need.
    pub residues: Global<'a, u32>,
    /// The first residue of each sequence, and the end of the last.
    pub starts: Global<'a, u32>,
    /// The halves before those of each sequence, and at the end all halves.
    pub firsts: Global<'a, u32>,
    /// For each 3-mer: the positions of +1, and all positions but those of -1, two words each, with bits in the order
    /// of a signature's bytes. Then an element of ones and zeros.
    pub table: Global<'a, U32x4>,
    /// The code of each byte: below `alphabet_size`, `SKIPPED_CODE` or `UNKNOWN_CODE`. 255 stands for no residue and is
    /// skipped.
    pub codes: Global<'a, u32>,
    /// 64 bits per window.
    pub signatures: GlobalMut<'a, U32x2>,
    /// 1 for each window that has a k-mer.
    pub present: GlobalMut<'a, u8>,
    /// One word. A residue whose code is `UNKNOWN_CODE` sets its bit 0.
    pub odd: GlobalMut<'a, u32>,
    pub alphabet_size: u32,
    /// Halves per warp: a multiple of `HALVES_STEP`.
    pub span: u32,
}

/// `sign_pack`: 32 bases per thread.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SignPackArgs<'a> {
    /// Bases as bytes, 16 per element; `2 * known.len()` elements.
    pub bases: Global<'a, U32x4>,
    /// For 32 bases: their 2-bit codes, 16 per word, the first in the highest bits.
    pub packed: GlobalMut<'a, U32x2>,
    /// For 32 bases: a bit for each that is A, C, G, T or U, the first in the lowest bit.
    pub known: GlobalMut<'a, u32>,
}

/// How windows are cut into pieces, and what k-mers and vectors are.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PieceRules {
    /// Residues of a window, and from the start of one to the next. `u32::MAX` and 0 for whole sequences.
    pub window: u32,
    pub step: u32,
    /// Residues of a k-mer.
    pub k: u32,
    /// A window has `1 << parts` pieces. 31 for whole sequences.
    pub parts: u32,
    /// Words of a vector, 64 elements each.
    pub vectors: u32,
    /// Lanes of a group: a power of two from 1 to 32, and at least `vectors` where that is up to 32.
    pub width: u32,
    /// A piece is counted by `1 << blocks` groups, each for 32 words of the vectors.
    pub blocks: u32,
    /// Residues that the table of sparse vectors knows.
    pub alphabet_size: u32,
    /// `ALPHABET_RAW`, `ALPHABET_DNA` or `ALPHABET_PROTEIN`.
    pub alphabet: u32,
    /// 1 if a k-mer of DNA and its reverse complement count as the same.
    pub canonical: u32,
    /// K-mers of DNA with a period of at most this are no words: at most `k / 3`, and 0 where all are.
    pub longest_period: u32,
}

/// `sign_dense`, `sign_sparse`: a run of pieces per group of lanes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PiecesArgs<'a> {
    /// The first residue of each sequence, and the end of the last.
    pub starts: Global<'a, u32>,
    /// The pieces before those of each sequence, and at the end all pieces.
    pub firsts: Global<'a, u32>,
    /// The windows before those of each sequence.
    pub windows: Global<'a, u32>,
    /// The slot of each sequence's first window, or `NO_SLOT` where windows have one piece.
    pub slots: Global<'a, u32>,
    pub residues: Global<'a, u8>,
    /// What `sign_pack` wrote, with two words more than the bases need.
    pub packed: Global<'a, u32>,
    pub known: Global<'a, u32>,
    /// The code of each byte: below `alphabet_size`, `SKIPPED_CODE` or `UNKNOWN_CODE`.
    pub codes: Global<'a, u32>,
    /// For each k-mer and each 64 elements of its vector: the positions of +1, and all but those of -1, 64 bits each.
    pub table: Global<'a, U32x4>,
    /// 64 bits per element, `vectors` elements per window.
    pub signatures: GlobalMut<'a, U32x2>,
    /// 1 for each window that has a k-mer.
    pub present: GlobalMut<'a, u8>,
    /// For each slot: a count for each element, and the number of k-mers. Zero before the launch.
    pub sums: GlobalMut<'a, u64>,
    pub seen: GlobalMut<'a, u64>,
    /// One word. A residue whose code is `UNKNOWN_CODE` sets its bit 0.
    pub odd: GlobalMut<'a, u32>,
    pub rules: PieceRules,
    /// Pieces per group, times `1 << blocks`.
    pub run: u32,
}

/// `sign_decide`: 64 elements of a slot per thread.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DecideArgs<'a> {
    pub sums: Global<'a, u64>,
    pub seen: Global<'a, u64>,
    /// The window of each slot.
    pub slot_windows: Global<'a, u32>,
    pub signatures: GlobalMut<'a, U32x2>,
    pub present: GlobalMut<'a, u8>,
    pub vectors: u32,
    /// Ones that a k-mer can add to a count: 1 dense, 2 sparse.
    pub inputs: u32,
}

/// `sign_nearest`, `sign_within`, `sign_least`: a query per thread, a segment of the targets per block.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CompareArgs<'a> {
    /// `words` elements per signature.
    pub queries: Global<'a, U32x2>,
    pub targets: Global<'a, U32x2>,
    /// The first target of each segment, and the end of the last.
    pub segments: Global<'a, u32>,
    /// `sign_least`: the group that each segment begins with: no group is divided between segments.
    pub segment_groups: Global<'a, u32>,
    /// `sign_least`: the first target of each group, and the end of the last. No group is empty.
    pub groups: Global<'a, u32>,
    /// `sign_nearest`: `top` entries (distance and target) for each thread of `query_blocks` blocks, `known` times of the nearest so
    /// far, as a launch and a merger left them, and for each segment. Entries of neighbouring threads are neighbours. Those of
    /// segments are all ones before the launch.
    pub heap: GlobalMut<'a, U32x2>,
    /// `sign_within`: query, distance, target, 0.
    pub found: GlobalMut<'a, U32x4>,
    /// `sign_within`: one word, zero before the launch: how many targets are within the limit, or more than have room.
    pub count: GlobalMut<'a, u32>,
    /// `sign_least`: the least distance for each query and group.
    pub least: GlobalMut<'a, u32>,
    pub words: u32,
    pub query_blocks: u32,
    pub top: u32,
    /// The greatest distance of interest.
    pub limit: u32,
    /// `sign_nearest`: 1 where the nearest so far are known, of targets before those of this launch, and otherwise 0.
    pub known: u32,
    pub padding: u32,
}

/// `sign_merge`: a query per thread and [`MERGED`](crate::tuning::MERGED) segments.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MergeArgs<'a> {
    /// As [`CompareArgs::heap`], with `lanes` threads. The nearest of segments 0, `step`, 2 `step`, ... go to the first of each
    /// [`MERGED`](crate::tuning::MERGED) of them.
    pub heap: GlobalMut<'a, U32x2>,
    pub lanes: u32,
    pub top: u32,
    pub segments: u32,
    pub step: u32,
}

const _: () = {
    assert!(size_of::<PackArgs>() == 88);
    assert!(size_of::<SeekArgs>() == 376);
    assert!(size_of::<WindowArgs>() == 416);
    assert!(size_of::<HardArgs>() == 312);
    assert!(size_of::<PartedArgs>() == 264);
    assert!(size_of::<BruteArgs>() == 224);
    assert!(size_of::<ForwardArgs>() == 232);
    assert!(size_of::<TracebackArgs>() == 280);
    assert!(size_of::<HalvesArgs>() == 136);
    assert!(size_of::<SignPackArgs>() == 48);
    assert!(size_of::<PiecesArgs>() == 272);
    assert!(size_of::<DecideArgs>() == 88);
    assert!(size_of::<CompareArgs>() == 168);
    assert!(size_of::<MergeArgs>() == 32);
};
