//! Every number that a launch depends on, once, with its reason.

/// Symbols beside a tile that an entry of its list holds: with 10 of them, and which are single bases, an entry takes 8 bytes.
pub const BESIDE: u32 = 10;

/// Bits of an entry for the number of its span.
pub const SPAN_BITS: u32 = 26;

/// Codes that share a list, at most, where few have entries.
pub const SHARED: u32 = 64;

/// Symbols that a warp looks up at a time: 32 per lane.
pub const TILE: u32 = 1024;

/// Threads of a `scan_seek` block, of which a multiprocessor has one: with the 80 registers that each takes, all that there can be.
/// They share the bits of the tables.
pub const SEEK_THREADS: u32 = 768;

/// Positions or codes that a warp queues before it looks them up together: two rounds of 32.
pub const QUEUE: u32 = 64;

/// Shared memory of one `scan_seek` warp: its queues of codes and of positions, and 16 bytes for each of 32 lists.
pub const WARP_SHARED: u32 = QUEUE * 8 + QUEUE * 4 + 32 * 16;

/// Spans of a long pattern.
pub const SPANS: u32 = 4;

/// The most wild digits of a mark, so that its windows have 64 codes at most.
pub const MARK_WILD: u32 = 3;

/// Blocks of `scan_mark` and `scan_window` per multiprocessor.
pub const WINDOW_BLOCKS: u32 = 8;

/// Blocks of `scan_hard` per multiprocessor; the patterns from which on more warps share the positions of a tile, and how many do at
/// most.
pub const HARD_BLOCKS: u32 = 8;
pub const HARD_PATTERNS: u32 = 1 << 8;
pub const HARD_PARTS: u32 = 1 << 6;

/// The same where patterns have several spans: a warp looks at sums for so many of them at a time, and hard positions lie together in few
/// tiles. So many tiles are looked at for them at a time.
pub const HARD_LONG_PATTERNS: u32 = 1 << 5;
pub const HARD_LONG_PARTS: u32 = 1 << 9;
pub const HARD_TILES: u32 = 1 << 3;

/// Positions that a `scan_hard` warp queues before it compares the patterns with 32 of them, and their bytes of shared memory.
pub const HARD_QUEUE: u32 = 64;
pub const HARD_SHARED: u32 = HARD_QUEUE * 4;

/// Blocks of `scan_parted` per multiprocessor, the patterns that a warp looks at for each tile, and how many warps share one at most.
pub const PARTED_BLOCKS: u32 = 8;
pub const PARTED_PATTERNS: u32 = 1 << 7;
pub const PARTED_PARTS: u32 = 1 << 6;

/// Positions that each lane of `scan_brute` compares with every pattern: 8 windows of three words fit into registers.
pub const BRUTE_POSITIONS: u32 = 8;

/// Threads of a block of every kernel whose warps share nothing.
pub const THREADS: u32 = 256;

/// Blocks of `scan_brute` per multiprocessor: its 64 registers leave room for four.
pub const BRUTE_BLOCKS: u32 = 4;

/// Symbols of N after the last one of a packed buffer: the span of the last position is read past the end, and 64 more.
pub const SLACK: u32 = 512;

/// Symbols of a match up to which its qualities are added up on the device. Such a sum has 16 bits.
pub const SUMMED: u32 = 256;

/// Target columns that each lane of an `align` kernel keeps in registers.
pub const COLUMNS: u32 = 16;

/// Target columns per lane where there are many pairs and few residue codes: their profile takes twice the shared
/// memory.
pub const WIDE_COLUMNS: u32 = 32;

/// Steps between the row checkpoints of an alignment, and the most rows of a tile that the traceback recomputes. It is
/// a multiple of the widest group, so that a long pair can be cut there.
pub const CHECKPOINT: u32 = 32;

/// The most codes of an alphabet on the device, with the padding's: profiles then take at most 32 KB per warp.
pub const ALPHABET_MAX: u32 = 32;

/// Lanes of a group in `align_traceback`. A group has one pair, so a warp has four.
pub const TRACEBACK_LANES: u32 = 8;

/// Shared memory of an `align_traceback` warp: the scores, and for each pair the moves, query codes and left border of
/// a tile.
pub const TRACEBACK_SHARED: u32 = ALPHABET_MAX * ALPHABET_MAX + 32 / TRACEBACK_LANES * TRACEBACK_PAIR_SHARED;

/// Shared memory of one pair in `align_traceback`: moves, a byte for two cells; a code for each row; H and E to the
/// left of each row and above the first.
pub const TRACEBACK_PAIR_SHARED: u32 = CHECKPOINT * COLUMNS / 2 + CHECKPOINT * 4 + 2 * (CHECKPOINT + 4) * 4;

/// Lanes of a search whose scores lie beside each other in the profile, at least: eight of 16 bytes are all banks of shared memory.
pub const SEARCH_SLOTS: u32 = 8;

/// What opening and extending a gap costs in `align_search_protein_*`: what they cost by default with a matrix. That these are
/// constants makes a search faster by a tenth (`align/search/lane.rs`).
pub const PROTEIN_GAP: [i32; 2] = [11, 1];

/// What a code is multiplied by in a letter of a couple: a byte times a byte then reaches every row of a profile.
pub const LETTER: u32 = 8;

/// Letters of padding before each couple and after the last one: as many as a group has lanes, at most.
pub const SEARCH_GAP: u32 = 16;

/// Threads of an `align_search_*` block whose profile is small. Several blocks share a multiprocessor then, as many as their
/// registers leave room for.
pub const SEARCH_THREADS: u32 = 128;

/// Threads of an `align_search_*` block whose profile leaves room for no other: with 128 registers each, all that there can be. A
/// query of 5,000 residues has a profile of 130 KB.
pub const SEARCH_THREADS_MAX: u32 = 512;

/// Warps of a multiprocessor that a search is launched with. With fewer registers than 80, so many run at a time; others wait and
/// find nothing left to do.
pub const SEARCH_WARPS: u32 = 24;

/// Threads of an `align_limit` or `align_keep` block: as many as there can be, since a search for one query has one block.
pub const KEEP_THREADS: u32 = 1024;

/// Classes of scores that `align_limit` counts at a time.
pub const KEEP_BINS: u32 = 1024;

/// Segments whose nearest a thread of `sign_merge` merges. More would be fewer launches, each longer.
pub const MERGED: u32 = 8;

/// Residues of half a window in `sign_halves`.
pub const HALF: u32 = 8;

/// Halves that a `sign_halves` warp advances by: its last lane only helps the one before it.
pub const HALVES_STEP: u32 = 31;

/// Threads of a `sign_halves` block. One block fills a multiprocessor, which has 64 registers for each of its threads.
pub const HALVES_THREADS: u32 = 1024;

/// The largest alphabet of `sign_halves`: a table of 24^3 vectors and the codes take 217 KB of shared memory.
pub const HALVES_ALPHABET_MAX: u32 = 24;

/// The code of a residue that no k-mer contains: larger than the number of any 3-mer of `sign_halves`.
pub const SKIPPED_CODE: u32 = 1 << 14;

/// The code of a residue that the table does not know yet.
pub const UNKNOWN_CODE: u32 = 1 << 15;

/// K-mers of a piece. Extracting its counts one by one takes 4 % of the time at this size.
pub const PIECE: u32 = 4096;

/// Planes of a piece's counts: each k-mer adds at most two ones.
pub const PIECE_PLANES: u32 = 14;

/// K-mers that a group of lanes stages together.
pub const STAGE: u32 = 16;

/// The alphabet of `sign_dense`: any byte.
pub const ALPHABET_RAW: u32 = 0;

/// The alphabet of `sign_dense`: A, C, G and T, packed by `sign_pack`.
pub const ALPHABET_DNA: u32 = 1;

/// The alphabet of `sign_dense`: the 20 amino acids.
pub const ALPHABET_PROTEIN: u32 = 2;

/// Targets that a thread compares with its query at a time.
pub const TARGETS: u32 = 8;

/// A bound below which few random signatures of 64 bits are: of 256, which a warp compares at a time, one seems to be in 40 % of the
/// cases, and with a bound of 18 in 78 %.
pub const NEAR: u32 = 17;

/// Shared memory of a tile of targets: 32 signatures of [`WHOLE_WORDS`].
pub const TILE_BYTES: u32 = 16 << 10;

/// The most 64-bit words of signatures that a block compares as a whole.
pub const WHOLE_WORDS: u32 = 64;

/// Words of a slice of wider signatures, one for each lane. 256 queries take 64 KB, so three blocks share a multiprocessor.
pub const SLICE_WORDS: u32 = 32;

/// Targets of a tile of slices, whose distances a thread keeps in registers.
pub const SLICED_TARGETS: u32 = 8;

/// Threads of a block of `sign_dense` and `sign_sparse`: four warps, which share nothing and have at most 12 KB each.
pub const PIECES_THREADS: u32 = 128;

/// The most threads of a block that compares signatures. Their queries and a tile of targets take 145 KB at 4096 bits.
pub const NEIGHBOURS_THREADS: u32 = 256;
