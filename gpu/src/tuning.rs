//! Every number a launch depends on, once, each with its reason.

/// Symbols of an anchor window. 8 keeps the bitmap (5^8 bits, 48 KB) in shared memory with room for the warps' queues.
pub const ANCHOR: u32 = 8;

/// Codes of an anchor window: 5^8.
pub const CODES: u32 = 390_625;

/// Words of the bitmap of codes, rounded up to whole 128-bit loads.
pub const BITMAP_WORDS: u32 = CODES.div_ceil(128) * 4;

/// Symbols after the anchor that a list entry carries, to reject candidates without another load. 12 leave 28 bits for
/// the pattern's number in an entry of 8 bytes; at 10 % N one candidate in 80,000 passes, at 30 % one in 250.
pub const DIGEST: u32 = 12;

/// The most patterns of a run on the device: an entry has 28 bits for the pattern.
pub const PATTERNS_MAX: u32 = 1 << 28;

/// Symbols a warp scans at a time: 32 for each lane.
pub const TILE: u32 = 1024;

/// Threads of a `scan_anchor` block: bitmap and queues then take 61 KB, which every architecture since Turing has.
pub const ANCHOR_THREADS: u32 = 512;

/// Hits a warp queues before it looks at them together: two rounds of 32.
pub const QUEUE: u32 = 64;

/// Shared memory of one `scan_anchor` warp: its queue, and 16 bytes for each of 32 windows.
pub const WARP_SHARED: u32 = QUEUE * 4 + 32 * 16;

/// Shared memory of a `scan_anchor` block: the bitmap, then the warps' parts.
pub const ANCHOR_SHARED: u32 = BITMAP_WORDS * 4 + ANCHOR_THREADS / 32 * WARP_SHARED;

/// Positions each lane of a `scan_brute` warp compares with every pattern: 8 windows of three words stay in registers.
pub const BRUTE_POSITIONS: u32 = 8;

/// Threads of a block of every kernel that shares nothing between warps.
pub const THREADS: u32 = 256;

/// Codes whose lists one `scan_offsets` thread places.
pub const OFFSETS_PER_THREAD: u32 = 8;

/// Entries of the anchor table are reserved in units of this many, so that the sum of all patterns' needs fits 32 bits.
pub const ENTRY_UNIT: u32 = 256;

/// Blocks of `scan_brute` for each multiprocessor: 64 registers leave room for four.
pub const BRUTE_BLOCKS: u32 = 4;

/// Blocks of `scan_anchor` for each multiprocessor: 56 registers and 61 KB leave room for two.
pub const ANCHOR_BLOCKS: u32 = 2;

/// Windows the histogram looks at, at most. More would not choose other anchors; 2 M take about 20 microseconds.
pub const HISTOGRAM_WINDOWS: u32 = 1 << 21;

/// Symbols of N that follow the last one in a packed buffer: windows read past the end, and what they read must exist.
pub const SLACK: u32 = 64;

/// Target columns that one lane of an `align` kernel keeps in registers.
pub const COLUMNS: u32 = 16;

/// Target columns of a lane where there are many pairs and few letters: a profile of them takes twice the shared memory.
pub const WIDE_COLUMNS: u32 = 32;

/// Steps between the checkpoints of an alignment, and rows of the tiles that the traceback computes again. A multiple of the
/// widest group, so that a long pair can be cut there.
pub const CHECKPOINT: u32 = 32;

/// Codes of an alphabet on the device, the padding's included: profiles then take at most 32 KB a warp.
pub const ALPHABET_MAX: u32 = 32;

/// Lanes of a group in `align_traceback`, one pair each: four pairs a warp.
pub const TRACEBACK_LANES: u32 = 8;

/// Shared memory of an `align_traceback` warp: the scores, and for each pair its tile's moves, query codes and left border.
pub const TRACEBACK_SHARED: u32 = ALPHABET_MAX * ALPHABET_MAX + 32 / TRACEBACK_LANES * TRACEBACK_PAIR_SHARED;

/// Shared memory of one pair in `align_traceback`: a byte of moves for two cells, a code for each row, H and E left of each row
/// and above the first.
pub const TRACEBACK_PAIR_SHARED: u32 = CHECKPOINT * COLUMNS / 2 + CHECKPOINT * 4 + 2 * (CHECKPOINT + 4) * 4;

/// Letters of half a window in `sign_halves`.
pub const HALF: u32 = 8;

/// Halves that a `sign_halves` warp goes on by: its last lane only helps the one before.
pub const HALVES_STEP: u32 = 31;

/// Threads of a `sign_halves` block: one block fills a multiprocessor, and 64 registers a thread are all it has.
pub const HALVES_THREADS: u32 = 1024;

/// The most letters of `sign_halves`: a table of 24^3 vectors and the codes take 217 KB of shared memory.
pub const HALVES_ALPHABET_MAX: u32 = 24;

/// The code of a letter that words do not hold: more than any word of `sign_halves`.
pub const SKIPPED_CODE: u32 = 1 << 14;

/// The code of a letter that the table does not know yet.
pub const UNKNOWN_CODE: u32 = 1 << 15;

/// Words of a piece. Its counts are extracted one by one: 4 % of the time at this size.
pub const PIECE: u32 = 4096;

/// Planes of a piece's counts: two ones a word.
pub const PIECE_PLANES: u32 = 14;

/// Words that a group of lanes stages together.
pub const STAGE: u32 = 16;

/// Which letters the words of `sign_dense` hold: any byte.
pub const ALPHABET_RAW: u32 = 0;

/// A, C, G and T, packed by `sign_pack`.
pub const ALPHABET_DNA: u32 = 1;

/// The 20 amino acids.
pub const ALPHABET_PROTEIN: u32 = 2;

/// Targets that a thread compares with its query at a time.
pub const TARGETS: u32 = 8;

/// Shared memory of a tile of targets: 32 signatures of 4096 bits.
pub const TILE_BYTES: u32 = 16 << 10;

/// Threads of a block of `sign_dense` and `sign_sparse`: four warps, which share nothing, of 12 KB at most.
pub const PIECES_THREADS: u32 = 128;

/// The most threads of a block that compares signatures: their queries and a tile of targets take 145 KB at 4096 bits.
pub const NEIGHBOURS_THREADS: u32 = 256;
