//! Looks up the tiles of the spans that may lie at each position.
//!
//! Positions come 64 at a time. For most, the first `needed` tiles without a wild digit are looked up: which these are, shifts of one
//! plane say for all 64, and then those with one wild digit, or two, under all codes that agree with them. What is left is looked at one by
//! one (`near`).
//!
//! Where the tiles of spans are listed together, the one table is asked about each tile of the sequence without a wild digit, and what
//! is listed says of which tile and so of which place. A match is taken from its first tile without a wild digit.
//!
//! Where patterns are in chains and matches have no mismatches, a hash of the whole pattern comes before its tiles. Of places in a row where one
//! may begin, the first alone is looked up at once, and the others when it has been followed, as far as they were not found so.
//!
//! Codes under which something is listed go into a queue. When it is full, those are dropped of which [`crate::seeds::Beside`] says that no
//! pattern agrees with the next two symbols. When it is full of others, their lists are read one step at a time for all of
//! them, and then the patterns of what these say, as memory answers many loads at once in the time of one.

use super::alphabet::Alphabet;
use super::follow::ROUNDS;
use super::hard;
use super::kept::Kept;
use super::search::{Search, Tried};
use crate::seeds::plan::Class;
use crate::seeds::planes::{SPARSE, bits, none_of};
use crate::seeds::{BESIDE, Entry, Shape, TILES_MAX, Table, Two, WILD_MAX, codes, digest, words_of_codes};
use std::marker::PhantomData;
use std::ops::Range;
use warpseq_simd::Task;
#[cfg(target_arch = "x86_64")]
use warpseq_simd::{Avx2, Avx512};

/// Positions looked at together.
const BLOCK: usize = 64;
/// Positions of a block from which on all are looked up, in vectors, rather than one by one.
pub const DENSE: u32 = 12;
/// Of fewer, so many are looked up at a time.
const SPARSELY: usize = 8;
/// Codes that wait for their lists, and those that one position may add at most: four to the power of the most wild digits.
const QUEUE: usize = 256;
const OF_TILE: usize = 1 << (2 * WILD_MAX);
/// Codes of a tile with two wild digits.
const OF_TWO: usize = 1 << 4;

/// What is known of the positions of a segment for one class, and the queue. Tasks keep the memory for their next segment.
#[derive(Default)]
pub struct Scratch {
    clean: Vec<u64>,
    unclean: Vec<u64>,
    whole: Vec<u64>,
    few: [Vec<u64>; 2],
    possible: Vec<u64>,
    hard: Vec<Range<usize>>,
    followed: Vec<u64>,
    kept: Kept,
    tried: Tried,
    queue: Queue,
    /// Matches of the segment before.
    matches: usize,
}

/// Examines every candidate of every class at the positions that the segment owns.
#[inline(always)]
pub fn seek<A: Alphabet>(search: &mut Search, scratch: &mut Scratch) {
    let owned = search.segment.owned.clone();
    let Scratch { clean, unclean, whole, few, possible, hard: runs, followed, kept, tried, queue, matches } = scratch;
    search.hits.reserve(*matches);
    (search.followed, search.kept, search.tried) =
        (std::mem::take(followed), std::mem::take(kept), std::mem::take(tried));
    for class in &search.plan.classes {
        if let Some(chains) = class.exact_chains() {
            search.segment.planes.clean(chains.length, whole);
            search.followed.clear();
            search.followed.resize(search.segment.length / BLOCK + 2, 0);
        }
        search.kept.clear();
        if class.shape.parted {
            search.tried.clear();
        }
        search.segment.planes.clean(class.shape.tile, clean);
        if class.shape.together {
            none_of(clean, class.shape, unclean);
        }
        if class.most_wild > 0 || class.shape.spread {
            search.segment.planes.few_wild(class.shape.tile, few);
        }
        let length = class.shape.length();
        match class.most_wild {
            most if !class.shape.spread && most < SPARSE.min(length as u32) => {
                search.segment.planes.sparse(length, most, possible);
            }
            _ => possible.clear(),
        }
        if let Some(chains) = &class.chains {
            possible.resize(search.segment.length / BLOCK + 2, u64::MAX);
            leave_out_ends(possible, search.ends(), chains.length);
        }
        let (tables, range) = (&class.first, owned.clone());
        let mut seek = Seek { class, tables, range, clean, unclean, whole, few, possible, queue, search };
        seek.look_up_range::<A>(!class.shape.spread && !class.shape.parted);
        if class.shape.spread {
            hard::runs(class, seek.search.segment, &few[1], runs);
            if class.has_windows {
                hard::find_by_windows::<A>(class, runs, seek.search);
                continue;
            }
            for range in hard::near(runs, [seek.search.plan.before; 2], owned.clone()) {
                seek.tables = seek.search.plan.others(class, seek.search.queries);
                seek.range = range;
                seek.look_up_range::<A>(false);
            }
            hard::compare_all::<A>(class, runs, seek.search);
        }
    }
    (*followed, *kept, *tried) =
        (std::mem::take(&mut search.followed), std::mem::take(&mut search.kept), std::mem::take(&mut search.tried));
    *matches = search.hits.len();
}

/// Calls `visit` with the number of each bit that is set.
#[inline(always)]
pub fn each_bit(mut bits: u64, mut visit: impl FnMut(u32)) {
    while bits != 0 {
        visit(bits.trailing_zeros());
        bits &= bits - 1;
    }
}

/// Leaves out the last places before each of these, at which so many symbols, 64 at most, reach beyond it.
#[inline(always)]
fn leave_out_ends(places: &mut [u64], ends: impl Iterator<Item = usize>, length: usize) {
    for end in ends {
        let first = end.saturating_sub(length - 1);
        let (word, bit, out) = (first / BLOCK, first % BLOCK, first_bits(end - first));
        places[word] &= !(out << bit);
        if let Some(next) = places.get_mut(word + 1) {
            *next &= !(out >> 1 >> (63 - bit));
        }
    }
}

/// Counts up where bits are set, each bit for itself. Bit x of `counts[n]`: there were more than n.
#[inline(always)]
fn count(counts: &mut [u64], bits: u64) {
    for n in (1..counts.len()).rev() {
        counts[n] |= counts[n - 1] & bits;
    }
    counts[0] |= bits;
}

/// The first `count` bits of a block.
#[inline(always)]
pub fn first_bits(count: usize) -> u64 {
    if count < BLOCK { (1 << count) - 1 } else { u64::MAX }
}

/// A code to look up.
#[derive(Clone, Copy, Default)]
pub struct Queued {
    /// Where the span lies; where the tile does, if it may be any of a span.
    pub at: usize,
    /// Which of the span's tiles has the code, or [`ANY`].
    pub tile: u32,
    pub code: u32,
}

/// Codes of a tile in one word of its table, under which something is listed.
#[derive(Clone, Copy, Default)]
struct Found {
    /// As of [`Queued`].
    at: usize,
    tile: u32,
    /// The code of the word's first bit.
    first: u32,
    bits: u64,
}

/// Any tile of a span.
const ANY: u32 = u32::MAX;

/// A span that agrees with what an entry of a list says.
#[derive(Clone, Copy)]
struct Likely {
    number: u32,
    at: usize,
}

/// Such spans whose patterns are asked for together.
const TOGETHER: usize = 64;

pub struct Queue {
    /// Words of tables, the `words` first, with bits of codes that are not yet among `codes`; with room for what is added at once.
    found: Box<[Found; QUEUE + OF_TILE]>,
    words: usize,
    /// Room for what is added at once without asking, behind the `length` that wait.
    codes: Box<[Queued; QUEUE + OF_TILE]>,
    length: usize,
    /// Of these, the first so many are known to agree with what is beside their tiles.
    sifted: usize,
    /// Places of blocks, and which of their tiles, to be looked up where no chain has led to them, in rounds.
    pub later: [Vec<(usize, u64, u32)>; ROUNDS],
    lists: Vec<Range<u32>>,
    likely: Vec<Likely>,
}

impl Default for Queue {
    fn default() -> Self {
        let (found, codes) =
            (Box::new([Found::default(); QUEUE + OF_TILE]), Box::new([Queued::default(); QUEUE + OF_TILE]));
        Self {
            found,
            words: 0,
            codes,
            length: 0,
            sifted: 0,
            later: Default::default(),
            lists: Vec::new(),
            likely: Vec::new(),
        }
    }
}

impl Queue {
    /// Adds a code if `listed`.
    #[inline(always)]
    pub fn add(&mut self, queued: Queued, listed: bool) {
        self.codes[self.length] = queued;
        self.length += usize::from(listed);
    }
}

/// Looks up one class.
pub struct Seek<'s, 'a> {
    pub class: &'a Class,
    tables: &'a [Table],
    /// The places of spans that are looked up.
    range: Range<usize>,
    /// Bit x: the tile at x has no wild digit.
    clean: &'s [u64],
    /// Bit x: the span at x has no tile without wild digits; only where tiles are listed together.
    unclean: &'s [u64],
    /// Bit x: no digit is wild that a pattern at x would cover; only where patterns are in chains and have no mismatches.
    pub whole: &'s [u64],
    /// Bit x: the tile at x has one wild digit at most, or two.
    few: &'s [Vec<u64>; 2],
    /// Bit x: no more digits of the span at x are wild than of any match, and where patterns are in chains, one that lies there ends in its
    /// sequence. Empty: that is not known.
    possible: &'s [u64],
    pub queue: &'s mut Queue,
    pub search: &'s mut Search<'a>,
}

impl<'a> Seek<'_, 'a> {
    /// Looks up the places of the range; at hard ones, all patterns are compared if `compared` says so.
    #[inline(always)]
    fn look_up_range<A: Alphabet>(&mut self, compared: bool) {
        let (Range { start, end }, together) = (self.range.clone(), self.class.shape.together);
        if together {
            self.tiles_of_any_span::<A>();
        }
        for at in (start..end).step_by(BLOCK) {
            let mut left = first_bits(end - at);
            if !self.possible.is_empty() {
                left &= bits(self.possible, at);
            }
            if together {
                left &= bits(self.unclean, at);
            }
            if left == 0 {
                continue;
            }
            if self.search.tally.is_full() {
                break;
            }
            if !together {
                left = self.clean_tiles::<A>(at, left);
            }
            if left == 0 || self.is_in_a_run(at, compared) {
                continue;
            }
            let mut left = self.tiles_with_few_wild::<A>(at, left);
            // No closure, so that patterns are compared with the vector instructions of the task.
            while left != 0 {
                self.wild_tiles::<A>(at + left.trailing_zeros() as usize, compared);
                left &= left - 1;
            }
        }
        self.add_found::<A>();
        self.flush::<A>(true);
    }

    /// Looks up the tiles without wild digits in which spans of the range may have any of theirs.
    #[inline(always)]
    fn tiles_of_any_span<A: Alphabet>(&mut self) {
        let Shape { tile, tiles, .. } = self.class.shape;
        let Range { start, end } = self.range.start..self.range.end + (tiles - 1) * tile;
        for at in (start..end).step_by(BLOCK) {
            let places = first_bits(end - at) & bits(self.clean, at);
            if places == 0 {
                continue;
            }
            if self.search.tally.is_full() {
                break;
            }
            self.look_up::<A>(at, places, ANY);
        }
    }

    /// Whether there is nothing to be found at the places of a block because all symbols of their spans are wild.
    #[inline(always)]
    fn is_in_a_run(&self, at: usize, compared: bool) -> bool {
        let (length, segment) = (self.class.shape.length(), self.search.segment);
        let all = at..segment.length.min(at + BLOCK + length);
        (!compared || length > self.class.most_wild as usize) && segment.wild(all.clone()) == all.len()
    }

    /// Looks up those of the places in a block that have enough tiles without wild digits: the first of these. Returns the others.
    #[inline(always)]
    fn clean_tiles<A: Alphabet>(&mut self, at: usize, places: u64) -> u64 {
        let Shape { tile, tiles, needed, .. } = self.class.shape;
        let all_clean = self.clean;
        let clean = |k: usize| places & bits(all_clean, at + k * tile);
        let mut there = [0; TILES_MAX];
        for k in 0..tiles {
            count(&mut there[..needed], clean(k));
        }
        let (enough, mut done) = (there[needed - 1], [0; TILES_MAX]);
        for k in 0..tiles {
            let left = enough & !done[needed - 1];
            if left == 0 {
                break;
            }
            self.look_up::<A>(at, left & clean(k), k as u32);
            count(&mut done[..needed], left & clean(k));
        }
        places & !enough
    }

    /// Looks up tile `tile`, without wild digits, of the spans at `places` of the block at `at`.
    #[inline(always)]
    fn look_up<A: Alphabet>(&mut self, at: usize, places: u64, tile: u32) {
        let found = match self.class.exact_chains() {
            Some(chains) => self.look_up_rows(chains, at, places, tile),
            None => self.listed(at, places, tile),
        };
        self.add(at, found, tile);
        self.flush_if_full::<A>();
    }

    /// Of `places` of the block at `at`, those at which a span is listed under the code of tile `tile`, which has no wild digits.
    #[inline(always)]
    pub fn listed(&self, at: usize, places: u64, tile: u32) -> u64 {
        let (length, table) = (self.class.shape.tile, self.table(tile));
        let before = if tile == ANY { 0 } else { tile as usize * length };
        let codes = self.search.segment.planes.codes(at + before, length);
        if places.count_ones() >= DENSE {
            return places & self.search.set.bits_at(table.bits(), &codes.all());
        }
        let (mut left, mut found) = (places, 0);
        while left != 0 {
            // Without a branch for each: a look-up where none is left says nothing.
            for _ in 0..SPARSELY {
                let (place, is_left) = (left.trailing_zeros() % BLOCK as u32, u64::from(left != 0));
                found |= (table.bit(codes.at(place)) & is_left) << place;
                left &= left.wrapping_sub(1);
            }
        }
        found
    }

    /// Adds the codes of tile `tile`, without wild digits, of the spans at `places` of the block at `at`, under which spans are listed.
    #[inline(always)]
    pub fn add(&mut self, at: usize, places: u64, tile: u32) {
        let length = self.class.shape.tile;
        let before = if tile == ANY { 0 } else { tile as usize * length };
        let codes = self.search.segment.planes.codes(at + before, length);
        each_bit(places, |place| {
            self.queue.add(Queued { at: at + place as usize, tile, code: codes.at(place) }, true);
        });
    }

    /// Looks up the places in a block that have enough tiles with one wild digit at most, or with two. Returns the others.
    #[inline(always)]
    fn tiles_with_few_wild<A: Alphabet>(&mut self, at: usize, left: u64) -> u64 {
        match self.class.shape.needed {
            _ if self.class.most_wild == 0 => left,
            1 => self.one_tile_with_few_wild::<A>(at, left),
            _ => self.tiles_in_turn::<A>(at, left),
        }
    }

    #[inline(always)]
    fn one_tile_with_few_wild<A: Alphabet>(&mut self, at: usize, mut left: u64) -> u64 {
        let Shape { tile, tiles, .. } = self.class.shape;
        for (few, is_one) in self.few.iter().zip([true, false]) {
            for k in 0..tiles {
                let places = left & bits(few, at + k * tile);
                left &= !places;
                if is_one {
                    self.look_up_with_one_wild::<A>(at, places, k);
                } else {
                    each_bit(places, |place| self.look_up_tile::<A>(at + place as usize, k));
                }
                if left == 0 {
                    return 0;
                }
            }
        }
        left
    }

    /// Of several tiles, those without wild digits first; those with two where there are so many patterns that it takes less than to compare all.
    #[inline(always)]
    fn tiles_in_turn<A: Alphabet>(&mut self, at: usize, left: u64) -> u64 {
        let Shape { tile, tiles, needed, .. } = self.class.shape;
        let planes = [self.clean, &self.few[0], &self.few[1]];
        let with = |wild: usize, k: usize| bits(planes[wild], at + k * tile);
        let most = if needed * OF_TWO * self.patterns_per_code() <= self.class.spans.len() { 2 } else { 1 };
        let mut there = [0; TILES_MAX];
        (0..tiles).for_each(|k| count(&mut there[..needed], left & with(most, k)));
        let (enough, mut done) = (there[needed - 1], [0; TILES_MAX]);
        for wild in 0..=most {
            for k in 0..tiles {
                let wanted = enough & !done[needed - 1];
                if wanted == 0 {
                    return left & !enough;
                }
                let fewer = if wild > 0 { with(wild - 1, k) } else { 0 };
                let places = wanted & with(wild, k) & !fewer;
                match wild {
                    0 => self.look_up::<A>(at, places, k as u32),
                    1 => self.look_up_with_one_wild::<A>(at, places, k),
                    _ => each_bit(places, |place| self.look_up_tile::<A>(at + place as usize, k)),
                }
                count(&mut done[..needed], places);
            }
        }
        left & !enough
    }

    /// Looks up tile `k`, with one wild digit, of the spans at `places` of the block at `at`: in vectors, where these are many.
    #[inline(always)]
    fn look_up_with_one_wild<A: Alphabet>(&mut self, at: usize, places: u64, k: usize) {
        if places.count_ones() >= DENSE {
            self.look_up_one_wild::<A>(at, places, k);
        } else {
            each_bit(places, |place| self.look_up_tile::<A>(at + place as usize, k));
        }
    }

    /// Looks up tile `k`, with one wild digit, of the spans at `places` of the block at `at`: each of the four bases in turn, at all places in
    /// vectors.
    #[inline(always)]
    fn look_up_one_wild<A: Alphabet>(&mut self, at: usize, places: u64, k: usize) {
        let (length, table, planes) = (self.class.shape.tile, self.table(k as u32), &self.search.segment.planes);
        let (single, wild) =
            (planes.codes(at + k * length, length).all(), planes.wild_of_tiles(at + k * length, length));
        for [low, high] in [[0, 0], [1, 0], [0, 1], [1, 1]] {
            let codes: [u32; BLOCK] =
                std::array::from_fn(|place| single[place] | (wild[place] * low) | (wild[place] * high) << length);
            let found = places & self.search.set.bits_at(table.bits(), &codes);
            each_bit(found, |place| {
                let queued = Queued { at: at + place as usize, tile: k as u32, code: codes[place as usize] };
                self.queue.add(queued, true);
            });
            self.examine_if_full::<A>();
        }
    }

    /// Looks up tile `k` of the span at `at` under all codes that agree with it: those in one word of the table together.
    #[inline(always)]
    pub fn look_up_tile<A: Alphabet>(&mut self, at: usize, k: usize) {
        let (length, table) = (self.class.shape.tile, self.table(k as u32));
        let (tile, queue) = (self.search.segment.planes.tile(at + k * length, length), &mut *self.queue);
        for (first, codes) in words_of_codes(tile, length) {
            let bits = table.word(first) & codes;
            queue.found[queue.words] = Found { at, tile: k as u32, first, bits };
            // Without a branch, so that memory is asked for many.
            queue.words += usize::from(bits != 0);
        }
        if queue.words >= QUEUE {
            self.add_found::<A>();
        }
    }

    /// Adds the codes of the words that have been found.
    fn add_found<A: Alphabet>(&mut self) {
        for k in 0..std::mem::take(&mut self.queue.words) {
            let Found { at, tile, first, bits } = self.queue.found[k];
            each_bit(bits, |bit| self.queue.add(Queued { at, tile, code: first | bit }, true));
            self.examine_if_full::<A>();
        }
    }

    #[inline(always)]
    pub fn flush_if_full<A: Alphabet>(&mut self) {
        if self.queue.length >= QUEUE {
            self.flush::<A>(false);
        }
    }

    #[inline(always)]
    pub fn examine_if_full<A: Alphabet>(&mut self) {
        if self.queue.length >= QUEUE {
            self.examine_queue::<A>(false);
        }
    }

    /// Examines what is listed under the codes of the queue, as [`Self::examine_queue`], and in chains what was left for later.
    fn flush<A: Alphabet>(&mut self, all: bool) {
        self.examine_queue::<A>(all);
        if let Some(chains) = self.class.exact_chains() {
            self.follow_rows::<A>(chains);
        }
    }

    /// Examines what is listed under the codes of the queue: of `all`, or once many have stood the first test.
    #[inline(never)]
    pub fn examine_queue<A: Alphabet>(&mut self, all: bool) {
        let set = self.search.set;
        set.run(Examining { seek: self, all, alphabet: PhantomData::<A> });
    }

    #[inline(always)]
    fn examine_codes<A: Alphabet>(&mut self, all: bool) {
        self.retain_beside();
        if !all && self.queue.length < QUEUE / 2 {
            self.queue.sifted = self.queue.length;
            return;
        }
        self.retain_elsewhere();
        self.queue.sifted = 0;
        let left = std::mem::take(&mut self.queue.length);
        let mut lists = std::mem::take(&mut self.queue.lists);
        lists.clear();
        let of = |queued: &Queued| self.table(queued.tile).range(queued.code);
        lists.extend(self.queue.codes[..left].iter().map(of));
        // Both ends of each list are asked for, and come while the others are.
        let ends = |k: usize| {
            let list = self.table(self.queue.codes[k].tile).list(lists[k].clone());
            list.first().zip(list.last())
        };
        let is_under = |k: &usize| ends(*k).is_some_and(|(first, last)| first.is_under(0) & last.is_under(0));
        std::hint::black_box((0..left).filter(is_under).count());
        let mut likely = std::mem::take(&mut self.queue.likely);
        likely.clear();
        for (k, list) in lists.iter().enumerate() {
            match self.class.shape.together {
                true => self.candidates_of_any_tile(self.queue.codes[k], list.clone(), &mut likely),
                false => self.candidates(self.queue.codes[k], list.clone(), &mut likely),
            }
            // A list may be as long as there are patterns.
            if likely.len() >= TOGETHER {
                likely.chunks(TOGETHER).for_each(|likely| self.examine::<A>(likely));
                likely.clear();
            }
        }
        self.examine::<A>(&likely);
        (self.queue.lists, self.queue.likely) = (lists, likely);
    }

    /// Examines spans, [`TOGETHER`] at most. Their patterns are asked for, and come while others are.
    #[inline(always)]
    fn examine<A: Alphabet>(&mut self, likely: &[Likely]) {
        if let Some(chains) = &self.class.chains {
            std::hint::black_box(likely.iter().filter(|likely| chains.place(likely.number).is_some()).count());
        } else {
            let (spans, queries) = (self.search.plan.spans_of(self.class), &self.search.queries.all);
            let mut of = [0; TOGETHER];
            for (query, likely) in of.iter_mut().zip(likely) {
                *query = spans[likely.number as usize].query;
            }
            let lengths = of[..likely.len()].iter().map(|&query| queries[query as usize].length());
            std::hint::black_box(lengths.fold(0, usize::wrapping_add));
        }
        for &Likely { number, at } in likely {
            self.search.examine_span::<A>(self.class, number, at);
        }
    }

    /// The table that lists a tile.
    #[inline(always)]
    pub fn table(&self, tile: u32) -> &'a Table {
        &self.tables[if self.class.shape.together { 0 } else { tile as usize }]
    }

    /// The planes of the sequence's digits beside the tile of a code: from the first one behind it on, or so many before the last tile of several.
    #[inline(always)]
    fn digits_beside(&self, Queued { at, tile: k, .. }: Queued, before: usize) -> [u64; 3] {
        let (shape, k) = (self.class.shape, k as usize);
        let tile = (at + k * shape.tile) as isize;
        let from = if shape.is_last(k) { tile - before as isize } else { tile + shape.tile as isize };
        self.search.segment.planes.digits(from)
    }

    /// Leaves in the queue the codes under which a pattern is listed that agrees with the two symbols beside its tile, where that is known.
    #[inline(always)]
    fn retain_beside(&mut self) {
        if self.class.beside.is_empty() {
            return;
        }
        // Far memory is asked for all of them first.
        let (first, waiting, mut beside) = (self.queue.sifted, self.queue.length, [0; QUEUE + OF_TILE]);
        for (beside, queued) in beside.iter_mut().zip(&self.queue.codes[first..waiting]) {
            *beside = self.class.beside[queued.tile as usize].under(queued.code);
        }
        self.queue.length = first;
        for (k, &beside) in (first..waiting).zip(&beside) {
            let queued = self.queue.codes[k];
            self.queue.add(queued, Two::of(self.digits_beside(queued, 2)).is_among(beside));
        }
    }

    /// Leaves those of which the tile behind, too, agrees with that of any pattern.
    #[inline(always)]
    fn retain_elsewhere(&mut self) {
        let waiting = std::mem::take(&mut self.queue.length);
        for k in 0..waiting {
            let queued = self.queue.codes[k];
            self.queue.add(queued, self.agrees_elsewhere(queued));
        }
    }

    /// Whether the tile behind that of a code agrees with that of any pattern. Where no mismatches are allowed, there is no match
    /// otherwise, and the bits that say so are nearer than the lists.
    #[inline(always)]
    fn agrees_elsewhere(&self, Queued { at, tile, .. }: Queued) -> bool {
        let Shape { tile: length, tiles, needed, .. } = self.class.shape;
        let other = if tile as usize + 1 < tiles { tile as usize + 1 } else { 0 };
        if needed > 1 || tiles == 1 || self.class.shape.together || self.class.chains.is_some() {
            return true;
        }
        let tile = self.search.segment.planes.tile(at + other * length, length);
        tile.wild.count_ones() > 1 || codes(tile, length).any(|code| self.tables[other].has(code))
    }

    /// The spans of `list` that are under the code and agree with what lies beside its tile.
    #[inline(always)]
    fn candidates(&self, queued: Queued, list: Range<u32>, likely: &mut Vec<Likely>) {
        let Queued { at, tile, code } = queued;
        let [low, high, wild] = self.digits_beside(queued, BESIDE);
        let (sequence, wild, most) = (digest(low, high), wild as u32, self.class.shape.mismatches());
        let is_likely = |entry: &Entry| entry.is_under(code) & (entry.differences(sequence, wild) <= most);
        for entries in self.tables[tile as usize].list(list).chunks(BLOCK) {
            // Without a branch for each, as no two lists are alike.
            let found =
                (0_u32..).zip(entries).fold(0, |found, (bit, entry)| found | u64::from(is_likely(entry)) << bit);
            each_bit(found, |bit| likely.push(Likely { number: entries[bit as usize].span(), at }));
        }
    }

    /// The same where tiles are listed together.
    #[inline(always)]
    fn candidates_of_any_tile(&self, Queued { at, tile, code }: Queued, list: Range<u32>, likely: &mut Vec<Likely>) {
        let Shape { tile: length, tiles, .. } = self.class.shape;
        let place = if tile == ANY { at } else { at + tile as usize * length };
        let [low, high, wild] = self.search.segment.planes.digits((place + length) as isize);
        for entry in self.tables[0].list(list) {
            if !entry.is_under(code) || entry.differences(digest(low, high), wild as u32) > 0 {
                continue;
            }
            let (number, k) = (entry.span() / tiles as u32, entry.span() % tiles as u32);
            let before = k as usize * length;
            let is_first = || {
                let start = place.checked_sub(before).filter(|start| self.range.contains(start));
                start.is_some_and(|start| (0..k as usize).all(|k| bits(self.clean, start + k * length) & 1 == 0))
            };
            let is_meant = if tile == ANY { is_first() } else { tile == k };
            if is_meant {
                likely.push(Likely { number, at: place - before });
            }
        }
    }
}

/// What is done with a full queue, with the vector instructions of this machine, wherever it became full.
struct Examining<'q, 's, 'a, A> {
    seek: &'q mut Seek<'s, 'a>,
    all: bool,
    alphabet: PhantomData<A>,
}

impl<A: Alphabet> Task for Examining<'_, '_, '_, A> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        self.seek.examine_codes::<A>(self.all);
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx2(self, _: Avx2) {
        self.seek.examine_codes::<A>(self.all);
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx512(self, _: Avx512) {
        self.seek.examine_codes::<A>(self.all);
    }
}
