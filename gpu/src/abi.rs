//! The argument structs that cross from host to kernel, by value. All plain words, all sizes asserted.

use cuda_std::{Global, GlobalMut, U32x2, U32x4};

/// `scan_pack`: 32 letters a thread.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PackArgs<'a> {
    /// Letters, 16 an element; `2 * planes.len()` elements.
    pub letters: Global<'a, U32x4>,
    /// For 32 symbols: may be A, may be C, may be G, may be T.
    pub planes: GlobalMut<'a, U32x4>,
    /// For 32 symbols: digits of 4 bits; byte j of word k has symbol 8k+j below and symbol 8k+4+j above.
    pub digits: GlobalMut<'a, U32x4>,
    /// One word, or'ed with 1 when a letter is none of ACGTN.
    pub odd: GlobalMut<'a, u32>,
    /// All ones: a letter with no meaning is wild; 0: it matches nothing.
    pub unknown: u32,
}

/// `scan_histogram`: 32 windows a thread, spread over the samples.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct HistogramArgs<'a> {
    pub digits: Global<'a, U32x4>,
    /// `CODES` counts.
    pub counts: GlobalMut<'a, u32>,
    /// Groups of 32 windows to look at, and how far apart they lie, in groups.
    pub groups: u32,
    pub stride: u32,
}

/// `scan_fold`: two digits of every code.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FoldArgs<'a> {
    /// `CODES` counts.
    pub counts: GlobalMut<'a, u32>,
    /// 5 to the number of digits below the two: 1, 25, 625, 15,625.
    pub place: u32,
}

/// The patterns of a run, packed like samples, each from a word border and padded with N to the next.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Patterns<'a> {
    pub planes: Global<'a, U32x4>,
    pub digits: Global<'a, U32x4>,
    /// For each: first word, length in symbols, most wild positions of a match, 0.
    pub info: Global<'a, U32x4>,
}

/// `scan_choose`: a pattern a warp.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ChooseArgs<'a> {
    pub patterns: Patterns<'a>,
    /// Folded counts.
    pub counts: Global<'a, u32>,
    /// For each pattern: anchor offset, compatible windows counted, codes compatible with the anchor, 0.
    pub anchors: GlobalMut<'a, U32x4>,
    /// For each pattern: low, high and wild digit plane of the 32 symbols from the anchor on, 0.
    pub probes: GlobalMut<'a, U32x4>,
    pub division: Division<'a>,
    pub prices: Prices,
}

/// Where the patterns are divided into those for the table and those to try everywhere.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Division<'a> {
    /// Room for every pattern each.
    pub listed: GlobalMut<'a, u32>,
    pub tried: GlobalMut<'a, u32>,
    /// Three words, zero before: listed, tried, and table entries reserved, in units of `ENTRY_UNIT`.
    pub counts: GlobalMut<'a, u32>,
}

/// What decides: a pattern goes into the table when that costs less than trying it everywhere, and while there is room.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Prices {
    /// Cost of trying a pattern everywhere; 0 keeps every pattern out of the table.
    pub everywhere: u64,
    /// Cost of the table for each counted candidate, and for each code.
    pub candidate: u64,
    pub code: u64,
    /// Room for entries, in units of `ENTRY_UNIT`.
    pub room: u64,
}

/// `scan_count`: a listed pattern a warp.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CountArgs<'a> {
    /// The patterns that go into the table, and one word: how many.
    pub listed: Global<'a, u32>,
    pub listed_count: Global<'a, u32>,
    pub probes: Global<'a, U32x4>,
    /// `CODES` counts, zero before.
    pub counts: GlobalMut<'a, u32>,
    /// `BITMAP_WORDS` words, zero before.
    pub bitmap: GlobalMut<'a, u32>,
}

/// `scan_offsets`: `OFFSETS_PER_THREAD` codes a thread.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OffsetsArgs<'a> {
    /// `CODES` counts; zero after.
    pub counts: GlobalMut<'a, u32>,
    /// For each code: first entry and number of entries of its list.
    pub lists: GlobalMut<'a, U32x2>,
    /// One word, zero before: entries placed so far.
    pub placed: GlobalMut<'a, u32>,
}

/// `scan_fill`: a listed pattern a warp.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FillArgs<'a> {
    pub listed: Global<'a, u32>,
    pub listed_count: Global<'a, u32>,
    pub probes: Global<'a, U32x4>,
    pub lists: Global<'a, U32x2>,
    /// `CODES` counts, zero before: entries filled so far.
    pub filled: GlobalMut<'a, u32>,
    pub entries: GlobalMut<'a, U32x2>,
}

/// Packed samples, or segments of long ones, one after another.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Samples<'a> {
    pub planes: Global<'a, U32x4>,
    pub digits: Global<'a, U32x4>,
    /// First symbol of each segment, then the number of symbols: one more than segments.
    pub starts: Global<'a, u32>,
    /// One word: not 0 when hits have to be confirmed on the letters, so that wild positions cannot be counted here.
    pub odd: Global<'a, u32>,
}

/// Where matches go.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Matches<'a> {
    /// For each: first symbol in the flat samples, segment, pattern, wild positions.
    pub found: GlobalMut<'a, U32x4>,
    /// One word: matches found. More than `found` holds means that the rest was not written.
    pub count: GlobalMut<'a, u32>,
}

/// `scan_anchor`: a persistent warp takes every n-th tile.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AnchorArgs<'a> {
    pub samples: Samples<'a>,
    pub patterns: Patterns<'a>,
    pub anchors: Global<'a, U32x4>,
    pub probes: Global<'a, U32x4>,
    pub matches: Matches<'a>,
    pub bitmap: Global<'a, U32x4>,
    pub lists: Global<'a, U32x2>,
    pub entries: Global<'a, U32x2>,
    /// Tiles to scan: `first_tile..end_tile`.
    pub first_tile: u32,
    pub end_tile: u32,
}

/// `scan_brute`: a persistent warp takes every n-th run of `32 * BRUTE_POSITIONS` positions.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct BruteArgs<'a> {
    pub samples: Samples<'a>,
    pub patterns: Patterns<'a>,
    pub anchors: Global<'a, U32x4>,
    pub matches: Matches<'a>,
    /// The patterns to try, and one word: how many.
    pub tried: Global<'a, u32>,
    pub tried_count: Global<'a, u32>,
    pub probes: Global<'a, U32x4>,
    /// Positions to try, at the place of the anchor: `first..end`.
    pub first: u32,
    pub end: u32,
}

/// Where the ends of an alignment are free: the host's `Mode`.
pub mod mode {
    pub const LOCAL: u32 = 0;
    pub const GLOBAL: u32 = 1;
    pub const FIT: u32 = 2;
    pub const OVERLAP: u32 = 3;
}

/// The pairs of a launch, in launch order.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pairs<'a> {
    pub queries: Global<'a, u8>,
    pub targets: Global<'a, u8>,
    /// For each: first letter and length of the query, first letter and length of the target. No length is 0.
    pub places: Global<'a, U32x4>,
    /// The code of each of 256 letters, below `LETTERS - 1`.
    pub codes: Global<'a, u8>,
    /// Signed bytes: byte q of the 8 words from word 8t on is the score of query code q over target code t.
    pub scores: Global<'a, u32>,
}

/// How a launch scores.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Rules {
    /// Of [`mode`].
    pub mode: u32,
    /// Costs of a gap's first and further symbols.
    pub open: i32,
    pub extend: i32,
    /// Codes in use; the next one is the padding's.
    pub codes: u32,
    /// Lanes of a group: 4, 8, 16 or 32.
    pub width: u32,
    /// Steps of one item: a power of two, and a multiple of `CHECKPOINT`.
    pub chunk: u32,
}

impl Rules {
    /// Chunks of `steps` > 0 steps. By a shift, since a division that might be by 0 calls for help that the device lacks.
    #[inline(always)]
    pub fn chunks(&self, steps: u32) -> u32 {
        ((steps - 1) >> self.chunk.trailing_zeros()) + 1
    }
}

/// Pairs that one group of lanes aligns together: two with packed scores, or one.
///
/// For each: first element of its row checkpoints, of its column checkpoints, steps, and the first of its records (local) or
/// last rows (other modes), in units of a record or of a strip's last rows.
pub type Couples<'a> = Global<'a, U32x4>;

/// State from which any part of the matrix can be computed again. Elements hold four words; words hold as many scores as a
/// group has pairs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Checkpoints<'a> {
    /// H, and F where gaps are affine, of a lane's columns before every `CHECKPOINT`th step, by strip, checkpoint, four
    /// columns, lane.
    pub rows_h: GlobalMut<'a, U32x4>,
    pub rows_f: GlobalMut<'a, U32x4>,
    /// H, and E where gaps are affine, of a lane's last column after every step, by strip, four steps, lane.
    pub columns_h: GlobalMut<'a, U32x4>,
    pub columns_e: GlobalMut<'a, U32x4>,
}

/// `align_*_score`, `align_*_score_wide`, `align_*_local` and `align_*_ends`: an item a group of lanes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ForwardArgs<'a> {
    pub pairs: Pairs<'a>,
    pub couples: Couples<'a>,
    /// For each: couple, strip, first step, 0.
    pub items: Global<'a, U32x4>,
    pub checkpoints: Checkpoints<'a>,
    /// Local: the best cell of each item and pair: score, row, column (of the lane's first column, where there are
    /// checkpoints), 0.
    pub records: GlobalMut<'a, U32x4>,
    /// Other modes: for each strip, and pair of the couple, H in the pair's last row, by four columns, lane.
    pub last: GlobalMut<'a, U32x4>,
    pub rules: Rules,
}

/// `align_walk`: a pair a group of `WALKERS` lanes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WalkArgs<'a> {
    pub pairs: Pairs<'a>,
    pub couples: Couples<'a>,
    /// The checkpoints, word by word.
    pub rows_h: Global<'a, u32>,
    pub rows_f: Global<'a, u32>,
    pub columns_h: Global<'a, u32>,
    pub columns_e: Global<'a, u32>,
    pub records: Global<'a, U32x4>,
    pub last: Global<'a, u32>,
    /// First word of each pair's path.
    pub path_starts: Global<'a, u32>,
    /// Moves from the end to the start, 2 bits each: 1 diagonal, 2 up, 3 left.
    pub paths: GlobalMut<'a, u32>,
    /// Two for each pair: score, end row, end column, moves; start row, start column, 0, 0.
    pub results: GlobalMut<'a, U32x4>,
    pub rules: Rules,
    /// Pairs in a word: 2 or 1.
    pub packed: u32,
    /// 1: a local path stops at the first cell of score 0.
    pub stop_at_zero: u32,
    /// 0: the end only.
    pub want_path: u32,
}

/// `sign_halves`: a stretch of halves a warp.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct HalvesArgs<'a> {
    /// Letters, 4 an element, the first lowest; 8 elements more than there are letters.
    pub letters: Global<'a, u32>,
    /// The first letter of each sequence, and the end of the last.
    pub starts: Global<'a, u32>,
    /// Halves before those of each sequence, and of all.
    pub firsts: Global<'a, u32>,
    /// For each word: the positions of +1, and all but those of -1, two elements each, in the order of a signature's bytes;
    /// then ones and zeros.
    pub table: Global<'a, U32x4>,
    /// The code of each byte: below `letters_known`, `SKIPPED_CODE` or `UNKNOWN_CODE`; 255 stands for no letter and is skipped.
    pub codes: Global<'a, u32>,
    /// 64 bits a window.
    pub signatures: GlobalMut<'a, U32x2>,
    /// 1 for each window with a word.
    pub present: GlobalMut<'a, u8>,
    /// One word, or'ed with 1 when a letter's code is `UNKNOWN_CODE`.
    pub odd: GlobalMut<'a, u32>,
    pub letters_known: u32,
    /// Halves of a warp: a multiple of `HALVES_STEP`.
    pub span: u32,
}

/// `sign_pack`: 32 letters a thread.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SignPackArgs<'a> {
    /// Letters, 16 an element; `2 * known.len()` elements.
    pub letters: Global<'a, U32x4>,
    /// For 32 letters: 2-bit codes, 16 a word, the first highest.
    pub packed: GlobalMut<'a, U32x2>,
    /// For 32 letters: a bit for each that is A, C, G, T or U, the first lowest.
    pub known: GlobalMut<'a, u32>,
}

/// How windows are cut into pieces, and what words and vectors are.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PieceRules {
    /// Letters of a window, and between the starts of two; `u32::MAX` and 0 for whole sequences.
    pub window: u32,
    pub step: u32,
    /// Letters of a word.
    pub k: u32,
    /// A window has 1 << `parts` pieces; 31 for whole sequences.
    pub parts: u32,
    /// Words of 64 elements in a vector.
    pub vectors: u32,
    /// Lanes of a group: 1 to 32, a power of two, enough for `vectors` up to 32.
    pub width: u32,
    /// A piece is counted by 1 << `blocks` groups, for 32 words of its vectors each.
    pub blocks: u32,
    /// Letters of the table of sparse vectors.
    pub letters_known: u32,
    /// `ALPHABET_RAW`, `ALPHABET_DNA` or `ALPHABET_PROTEIN`.
    pub alphabet: u32,
    /// 1: a word of DNA and its reverse complement are the same.
    pub canonical: u32,
}

/// `sign_dense`, `sign_sparse`: a run of pieces a group of lanes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PiecesArgs<'a> {
    /// The first letter of each sequence, and the end of the last.
    pub starts: Global<'a, u32>,
    /// Pieces before those of each sequence, and of all.
    pub firsts: Global<'a, u32>,
    /// Windows before those of each sequence.
    pub windows: Global<'a, u32>,
    /// The slot of each sequence's first window, `NO_SLOT` where windows have one piece.
    pub slots: Global<'a, u32>,
    pub letters: Global<'a, u8>,
    /// What `sign_pack` wrote, with two words more than there are letters.
    pub packed: Global<'a, u32>,
    pub known: Global<'a, u32>,
    /// The code of each byte: below `letters_known`, `SKIPPED_CODE` or `UNKNOWN_CODE`.
    pub codes: Global<'a, u32>,
    /// For each word, and each 64 elements of its vector: the positions of +1, and all but those of -1, 64 bits each.
    pub table: Global<'a, U32x4>,
    /// 64 bits: `vectors` elements a window.
    pub signatures: GlobalMut<'a, U32x2>,
    /// 1 for each window with a word.
    pub present: GlobalMut<'a, u8>,
    /// For each slot: a count for each element, and how many words there were. Zeros before.
    pub sums: GlobalMut<'a, u64>,
    pub seen: GlobalMut<'a, u64>,
    /// One word, or'ed with 1 when a letter's code is `UNKNOWN_CODE`.
    pub odd: GlobalMut<'a, u32>,
    pub rules: PieceRules,
    /// Pieces, times 1 << `blocks`, of a group.
    pub run: u32,
    pub padding: u32,
}

/// `sign_decide`: 64 elements of a slot a thread.
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
    /// Ones that a word can add to a count: 1 dense, 2 sparse.
    pub inputs: u32,
}

/// `sign_nearest`, `sign_within`, `sign_least`: a query a thread, a stretch of the targets a block.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CompareArgs<'a> {
    /// `words` elements a signature.
    pub queries: Global<'a, U32x2>,
    pub targets: Global<'a, U32x2>,
    /// The first target of each segment, and the end of the last.
    pub segments: Global<'a, u32>,
    /// `sign_least`: the group that each segment begins with, at its first target.
    pub segment_groups: Global<'a, u32>,
    /// `sign_least`: the first target of each group, and the end of the last. No group is empty.
    pub groups: Global<'a, u32>,
    /// `sign_nearest`: for each segment, `top` entries for each thread of `query_blocks` blocks, side by side: distance and
    /// target. All ones before.
    pub heap: GlobalMut<'a, U32x2>,
    /// `sign_within`: query, distance, target, 0.
    pub found: GlobalMut<'a, U32x4>,
    /// `sign_within`: one word, zero before: how many were found, though there be no room for them.
    pub count: GlobalMut<'a, u32>,
    /// `sign_least`: for each query and group.
    pub least: GlobalMut<'a, u16>,
    pub words: u32,
    pub query_blocks: u32,
    pub top: u32,
    /// The greatest distance of interest.
    pub limit: u32,
}

const _: () = {
    assert!(size_of::<PackArgs>() == 72);
    assert!(size_of::<HistogramArgs>() == 40);
    assert!(size_of::<FoldArgs>() == 24);
    assert!(size_of::<ChooseArgs>() == 176);
    assert!(size_of::<CountArgs>() == 80);
    assert!(size_of::<OffsetsArgs>() == 48);
    assert!(size_of::<FillArgs>() == 96);
    assert!(size_of::<AnchorArgs>() == 232);
    assert!(size_of::<BruteArgs>() == 216);
    assert!(size_of::<ForwardArgs>() == 232);
    assert!(size_of::<WalkArgs>() == 280);
    assert!(size_of::<HalvesArgs>() == 136);
    assert!(size_of::<SignPackArgs>() == 48);
    assert!(size_of::<PiecesArgs>() == 272);
    assert!(size_of::<DecideArgs>() == 88);
    assert!(size_of::<CompareArgs>() == 160);
};
