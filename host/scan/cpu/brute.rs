//! Brute force: every start of a pattern, 512 at a time.
//!
//! Starts lie across, symbols of the pattern down. A plane for each base says which digits of the sequence agree with it. A start stays
//! alive while no more digits of a sieve, a few single bases spread over the pattern, than a match may have mismatches meet digits
//! that do not agree with them. On random bases and without mismatches, all 512 are dead after some five symbols. The starts that
//! survive the sieve are examined in full. Wild digits agree with all: where more in a row than a match may have are the first of a place,
//! or the last, its start is dead from the beginning. So runs of them cost little.
//!
//! Patterns in parts are compared in this way where so many of these lie at hard positions that all others may have more mismatches than the
//! tiles of a span tell, but where [`ShortTiles`] find them.
//!
//! What rows of bits leave at hard positions ([`super::rows`]) is compared so, too.
//!
//! Where many mismatches are allowed, sieves are longer, and how many digits disagree is counted in binary.

use super::alphabet::Alphabet;
use super::hard;
use super::rows;
use super::search::Search;
use super::segment::Segment;
use crate::seeds::plan::{Queries, Query};
use crate::seeds::{Needed, ShortTiles, Span, spare};
use std::ops::Range;
use warpseq_seq::iupac::WILD;
use warpseq_simd::InstructionSet;

/// Words of starts looked at together.
const WORDS: usize = 8;
const BLOCK: usize = 64 * WORDS;
/// Digits of a sieve, and how many are compared between two checks for survivors.
const SIEVE: usize = 32;
const STEP: usize = 4;
/// Symbols of a pattern beyond which it is looked at how many of those that it would meet are wild, before any is compared.
const LONG: usize = 64;
/// Where more mismatches are allowed than that: digits for each of them, as half of them may lie in a run.
const PER_MISMATCH: usize = 4;
/// Binary digits of how many digits disagree.
const LEVELS: usize = 32;
/// Digits of a sieve that are counted together, and such groups between two checks.
const GROUP: usize = 8;
const CHECKED: usize = 4;

/// What is known of the positions of a segment. Tasks keep the memory for their next segment.
#[derive(Default)]
pub struct Scratch {
    agreeing: Agreeing,
    /// Bit k of word w: so many digits from position 64 w + k on are wild.
    runs: Vec<u64>,
    of: usize,
    has_runs: bool,
    /// Whether any of that is of this segment.
    has_planes: bool,
    /// Offsets and digits.
    sieve: Vec<(usize, u8)>,
    /// Of tiles of a class of patterns in parts, and the positions that are hard.
    few: [Vec<u64>; 2],
    hard: Hard,
    clean: Clean,
    pub rows: rows::Scratch,
}

/// For each digit of a single base, bit k of word w: the digit at position 64 w + k is the same, or wild.
type Agreeing = [Vec<u64>; 4];

/// Examines the starts that the segment owns for every pattern that the plan left to brute force, and for those in parts the starts where so many
/// parts lie at hard positions that looking them up may miss a match.
#[inline(always)]
pub fn search<A: Alphabet>(search: &mut Search, scratch: &mut Scratch) {
    let (plan, segment) = (search.plan, search.segment);
    scratch.has_planes = false;
    rows::search::<A>(search, scratch);
    for &index in &plan.brute {
        compare::<A>(search, scratch, index, std::slice::from_ref(&segment.owned), None);
    }
    for class in plan.classes.iter().filter(|class| class.shape.parted) {
        let Scratch { few, hard, .. } = scratch;
        segment.planes.few_wild(class.shape.tile, few);
        hard::runs(class, segment, &few[1], &mut hard.runs);
        let near = hard::near(&hard.runs, [plan.before, 0], segment.owned.clone());
        if near.is_empty() {
            continue;
        }
        hard.list(segment.length);
        let (hard, mut clean) = (std::mem::take(hard), std::mem::take(&mut scratch.clean));
        let least = hard::least_wild(class);
        let short = plan.short_tiles(class, search.queries);
        if let Some(short) = short {
            clean.count(segment, short.tile);
        }
        let left = |(number, spans): (u32, _)| {
            let spans: &[Span] = spans;
            let mismatches = search.queries.all[spans[0].query as usize].limits.mismatches;
            let spare = spare(spans.len(), class.shape.needed, mismatches);
            let found = short.map(|short| (&clean, short.needed(number)));
            Left { hard: &hard, spans, spare, least_wild: (spare + 1) * least, found }
        };
        let left: Vec<Left> = (0..).zip(plan.patterns_of(class)).map(left).collect();
        if let Some(short) = short {
            find_by_short_tiles::<A>(search, short, &clean, (&left, &near));
        }
        for left in &left {
            compare::<A>(search, scratch, left.spans[0].query, &near, Some(left));
        }
        (scratch.hard, scratch.clean) = (hard, clean);
    }
}

/// The tiles of one length in a segment that have no wild digit.
#[derive(Default)]
struct Clean {
    tile: usize,
    /// Bit k of word w: the tile at position 64 w + k is one.
    plane: Vec<u64>,
    /// For each position how many end there, a tile before it, and so on; and how many digits before it are wild. These are subtracted, and may
    /// begin again at 0.
    before: Vec<u16>,
    wild: Vec<u16>,
}

impl Clean {
    /// Counts them in a segment.
    #[inline(always)]
    fn count(&mut self, segment: &Segment, tile: usize) {
        self.tile = tile;
        segment.planes.clean(tile, &mut self.plane);
        self.before.clear();
        self.before.resize(tile, 0);
        self.wild.clear();
        let mut wild = 0_u16;
        for at in 0..segment.length + BLOCK {
            self.wild.push(wild);
            wild = wild.wrapping_add((segment.planes.wild(at) & 1) as u16);
            self.before.push(self.before[at].wrapping_add(self.is(at).into()));
        }
    }

    /// Whether the tile at a position is one.
    #[inline(always)]
    fn is(&self, at: usize) -> bool {
        self.plane[at / 64] >> (at % 64) & 1 == 1
    }

    /// Wild digits of so many, which a number of 16 bits counts, from `at` on.
    #[inline(always)]
    fn wild_in(&self, at: usize, symbols: usize) -> usize {
        self.wild[at + symbols].wrapping_sub(self.wild[at]).into()
    }

    /// Whether as many tiles of a pattern that starts at `at` are clean as are needed.
    #[inline(always)]
    fn are_enough(&self, at: usize, needed: Needed) -> bool {
        let clean = self.before[at + usize::from(needed.tiles) * self.tile].wrapping_sub(self.before[at]);
        enough(needed, clean, self.wild_in(at, needed.length.into()) as u16)
    }

    /// The starts from `at` on where they are.
    #[inline(always)]
    fn starts(&self, at: usize, needed: Needed, set: InstructionSet) -> Starts {
        let [tiles, symbols] = [usize::from(needed.tiles) * self.tile, needed.length.into()];
        let of_word = |word: usize| {
            let all = |list: &'_ [u16], from: usize| -> [u16; 64] {
                *list[from + 64 * word..].first_chunk().expect("lists are a block longer than the segment")
            };
            let (before, behind) = (all(&self.before, at), all(&self.before, at + tiles));
            let (wild_before, wild_behind) = (all(&self.wild, at), all(&self.wild, at + symbols));
            let mut are = [0; 64];
            for k in 0..64 {
                let (clean, wild) = (behind[k].wrapping_sub(before[k]), wild_behind[k].wrapping_sub(wild_before[k]));
                are[k] = enough(needed, clean, wild).into();
            }
            set.bits_of_bytes::<0>(&are)
        };
        std::array::from_fn(of_word)
    }
}

/// Whether so many clean tiles, and so many wild digits, are enough: of these, as many are mismatches as are more than a match may have wild positions.
#[inline(always)]
fn enough(needed: Needed, clean: u16, wild: u16) -> bool {
    clean + wild.saturating_sub(needed.wild) >= needed.clean
}

/// Examines the starts near these ranges that are `left` of the patterns and that short tiles find, each when its first tile that agrees is met.
#[inline(always)]
fn find_by_short_tiles<A: Alphabet>(
    search: &mut Search,
    short: &ShortTiles,
    clean: &Clean,
    (left, ranges): (&[Left], &[Range<usize>]),
) {
    let (segment, queries, tile) = (search.segment, search.queries, short.tile);
    let longest = left.iter().map(|left| queries.all[left.spans[0].query as usize].length()).max().unwrap_or(0);
    // Whole words of positions, each once.
    let words = ranges.iter().scan(0, |next, range| {
        let words = (range.start / 64).max(*next)..(range.end + longest).min(segment.length).div_ceil(64);
        *next = words.end.max(*next);
        Some(words)
    });
    for word in words.flatten() {
        if search.tally.is_full() {
            return;
        }
        let (mut places, codes) = (clean.plane[word], segment.planes.codes(64 * word, tile));
        while places != 0 {
            let place = places.trailing_zeros();
            places &= places - 1;
            let at = 64 * word + place as usize;
            for &[number, before] in short.tiles_of(codes.at(place)) {
                let left = &left[number as usize];
                let index = left.spans[0].query;
                let query = &queries.all[index as usize];
                let Some(start) = at.checked_sub(before as usize).filter(|start| segment.owned.contains(start)) else {
                    continue;
                };
                if start + query.length() > segment.length
                    || clean.wild_in(start, query.length()) < left.least_wild
                    || !clean.are_enough(start, short.needed(number))
                    || segment.verify::<A>(queries, query, start).is_none()
                {
                    continue;
                }
                let agrees = |before: u32| {
                    let at = start + before as usize;
                    let code = segment.planes.tile(at, tile).code(tile);
                    clean.is(at) && short.tiles_of(code).contains(&[number, before])
                };
                if !(0..before).step_by(tile).any(agrees) && left.has(start) {
                    search.examine::<A>(index, start, 0);
                }
            }
        }
    }
}

/// The hard positions of a segment.
#[derive(Default)]
struct Hard {
    runs: Vec<Range<usize>>,
    /// Bit k of word w: position 64 w + k is one.
    plane: Vec<u64>,
    /// How many there are before each word, and how many runs of them begin before it.
    before: Vec<[usize; 2]>,
}

impl Hard {
    /// Lists the positions of the runs, in a segment of this length.
    fn list(&mut self, length: usize) {
        let Self { runs, plane, before } = self;
        plane.clear();
        plane.resize(length / 64 + WORDS + 2, 0);
        runs.iter().cloned().flatten().for_each(|at| plane[at / 64] |= 1 << (at % 64));
        let (mut sums, mut last) = ([0; 2], 0);
        before.clear();
        before.extend(plane.iter().map(|&word| {
            let begin = word & !(word << 1 | last >> 63);
            last = word;
            let now = [sums[0] + word.count_ones() as usize, sums[1] + begin.count_ones() as usize];
            std::mem::replace(&mut sums, now)
        }));
    }
}

/// The starts of a pattern in parts that these do not find: more than `spare` of its spans lie at hard positions.
pub struct Left<'h> {
    hard: &'h Hard,
    spans: &'h [Span],
    spare: usize,
    /// Wild digits under such a pattern, at least.
    least_wild: usize,
    /// Where short tiles find it.
    found: Option<(&'h Clean, Needed)>,
}

impl Left<'_> {
    /// Whether there may be such a start in the block at `at`: of each run, no more spans lie there than it has room for, and one.
    fn may_be_in(&self, at: usize) -> bool {
        let (spans, Hard { plane, before, .. }) = (self.spans, self.hard);
        let (Some(last), Some(second)) = (spans.last(), spans.get(1)) else { return true };
        let first = (at + spans[0].offset as usize) / 64;
        let end = (at + last.offset as usize + BLOCK).div_ceil(64).min(before.len() - 1);
        let [positions, begun] = [0, 1].map(|of| before[end][of] - before[first][of]);
        let runs = begun + (plane[first] & 1) as usize;
        positions / (second.offset - spans[0].offset) as usize + runs > self.spare
    }

    /// Whether `start` is one.
    fn has(&self, start: usize) -> bool {
        let is_hard = |span: &&Span| {
            let at = start + span.offset as usize;
            self.hard.plane[at / 64] >> (at % 64) & 1 == 1
        };
        self.spans.iter().filter(is_hard).count() > self.spare
    }

    /// Those from `at` on.
    #[inline(always)]
    fn starts(&self, at: usize) -> Starts {
        let mut levels = [[0; WORDS]; LEVELS];
        for span in self.spans {
            add(&mut levels, starts(&self.hard.plane, at + span.offset as usize));
        }
        few(&levels, self.spare, [u64::MAX; WORDS]).map(|starts| !starts)
    }
}

/// Examines the starts of a pattern that are in these ranges and, of one in parts, `left`.
#[inline(always)]
pub fn compare<A: Alphabet>(
    search: &mut Search,
    scratch: &mut Scratch,
    index: u32,
    ranges: &[Range<usize>],
    left: Option<&Left>,
) {
    let (segment, Scratch { agreeing, runs, of, has_runs, sieve, has_planes, .. }) = (search.segment, scratch);
    if !std::mem::replace(has_planes, true) {
        (0..).zip(&mut *agreeing).for_each(|(digit, plane)| segment.planes.agreeing(digit, plane));
        (*of, *has_runs) = (0, false);
    }
    let query = search.queries.all[index as usize];
    let mismatches = query.limits.mismatches;
    let (most, mut is_sifted) = (mismatches as usize, false);
    let end = (segment.length + 1).saturating_sub(query.length());
    let too_many = query.limits.wild as usize + mismatches as usize + 1;
    let is_long = query.length() > LONG;
    if !is_long && too_many <= query.length() && *of != too_many {
        segment.planes.runs(too_many, runs);
        *of = too_many;
        *has_runs = runs[..segment.length / 64].iter().any(|&starts| starts != 0);
    }
    let last = query.length().checked_sub(too_many).filter(|_| !is_long && *has_runs);
    let mut ranges = ranges.iter().map(|range| range.start..range.end.min(end));
    let (mut next, mut end) = (0, 0);
    loop {
        while next >= end {
            let Some(range) = ranges.next() else { return };
            (next, end) = (range.start, range.end);
        }
        let at = next;
        if search.tally.is_full() {
            return;
        }
        if is_long {
            // From one start to the next, that changes by one at most.
            let wild = segment.wild(at..at + query.length());
            let least = left.map_or(0, |left| left.least_wild);
            if wild >= too_many || wild < least {
                next += if wild < least { least - wild } else { wild - too_many + 1 };
                continue;
            }
        }
        next += BLOCK;
        if left.is_some_and(|left| !left.may_be_in(at)) {
            continue;
        }
        let mut possible = [u64::MAX; WORDS];
        if let Some((clean, needed)) = left.and_then(|left| left.found) {
            possible = clean.starts(at, needed, search.set).map(|found| !found);
        }
        if is_long && possible != [0; WORDS] {
            let few = with_few_wild(segment, at..end, query.length(), too_many - 1);
            (0..WORDS).for_each(|word| possible[word] &= few[word]);
        }
        if let Some(left) = left.filter(|_| possible != [0; WORDS]) {
            let meant = left.starts(at);
            (0..WORDS).for_each(|word| possible[word] &= meant[word]);
        }
        if possible == [0; WORDS] {
            continue;
        }
        if let Some(last) = last {
            let (first, last) = (starts(runs, at), starts(runs, at + last));
            (0..WORDS).for_each(|word| possible[word] &= !(first[word] | last[word]));
            if possible == [0; WORDS] {
                continue;
            }
        }
        if !std::mem::replace(&mut is_sifted, true) {
            sift(search.queries, &query, sieve);
        }
        for (word, mut found) in survivors((segment, agreeing), at, sieve, (most, possible)).into_iter().enumerate() {
            while found != 0 {
                let start = at + 64 * word + found.trailing_zeros() as usize;
                found &= found - 1;
                if start < end {
                    search.examine::<A>(index, start, 0);
                }
            }
        }
    }
}

/// Of a block, the `starts` at which a pattern of this length lies over `most` wild digits at most. From one start to the next, that changes by one
/// at most.
fn with_few_wild(segment: &Segment, starts: Range<usize>, length: usize, most: usize) -> Starts {
    let mut few = [0; WORDS];
    for (few, first) in few.iter_mut().zip(starts.step_by(64)) {
        let mut wild = segment.wild(first..first + length);
        if wild + 64 <= most {
            *few = u64::MAX;
        } else if wild < most + 64 {
            let [left, met] = [first, first + length].map(|at| segment.planes.wild(at));
            for start in 0..64 {
                *few |= u64::from(wild <= most) << start;
                wild = wild + (met >> start & 1) as usize - (left >> start & 1) as usize;
            }
        }
    }
    few
}

/// Puts single bases of a pattern, spread evenly, into `sieve`: up to 32 of them, or more where these might all disagree. That is done for
/// each pattern in each task: to allocate there had all threads wait for one
/// another, 1.4 s in place of 0.3 for 100 signatures of 14.
fn sift(queries: &Queries, query: &Query, sieve: &mut Vec<(usize, u8)>) {
    let digits = queries.digits(query);
    let mismatches = query.limits.mismatches as usize;
    let most = if mismatches < SIEVE { SIEVE } else { PER_MISMATCH * mismatches };
    let singles = digits.iter().filter(|&&digit| digit != WILD).count();
    let step = singles.div_ceil(most).max(1);
    let all = digits.iter().copied().enumerate();
    sieve.clear();
    match singles == digits.len() {
        true => sieve.extend(all.step_by(step)),
        false => sieve.extend(all.filter(|&(_, digit)| digit != WILD).step_by(step)),
    }
}

/// A bit for each start of a block.
type Starts = [u64; WORDS];

/// The bits of a plane for the starts from `at` on.
#[inline(always)]
fn starts(plane: &[u64], at: usize) -> Starts {
    let (words, bit): (&[u64; WORDS + 1], _) = (plane[at / 64..].first_chunk().expect("planes are padded"), at % 64);
    std::array::from_fn(|word| words[word] >> bit | words[word + 1] << 1 << (63 - bit))
}

/// Of the `possible` starts from `at` on, those where at most `most` digits of the sieve disagree with the digits they meet.
#[inline(always)]
fn survivors(
    (segment, agreeing): (&Segment, &Agreeing),
    at: usize,
    sieve: &[(usize, u8)],
    (most, possible): (usize, Starts),
) -> Starts {
    match most {
        0 => survivors_of::<1>(agreeing, at, sieve, (most, possible)),
        1 => survivors_of::<2>(agreeing, at, sieve, (most, possible)),
        2 | 3 => survivors_of::<4>(agreeing, at, sieve, (most, possible)),
        4..8 => survivors_of::<8>(agreeing, at, sieve, (most, possible)),
        8..SIEVE => survivors_of::<{ SIEVE + 1 }>(agreeing, at, sieve, (most, possible)),
        _ => survivors_of_many((segment, agreeing), at, sieve, (most, possible)),
    }
}

/// The same for any number of mismatches.
#[inline(always)]
fn survivors_of_many(
    (segment, agreeing): (&Segment, &Agreeing),
    at: usize,
    sieve: &[(usize, u8)],
    (most, possible): (usize, Starts),
) -> Starts {
    let mut levels = [[0; WORDS]; LEVELS];
    let used = sieve.len().max(1).ilog2() as usize + 1;
    let (mut compared, mut checked) = (0, 0);
    let (groups, rest) = sieve.as_chunks::<GROUP>();
    for group in groups {
        // In a run of wild digits, all agree.
        let met = at + group[0].0..(at + group[GROUP - 1].0 + BLOCK).min(segment.length);
        if segment.wild(met.clone()) == met.len() {
            continue;
        }
        compared += GROUP;
        // No closures, so that all is compiled for the instructions of the task.
        let (mut two, mut four, mut eight) = (None, None, [0; WORDS]);
        let (pairs, _) = group.as_chunks::<2>();
        for &[a, b] in pairs {
            let twos = add_two(&mut levels[0], [disagree(agreeing, at, a), disagree(agreeing, at, b)]);
            let Some(other) = two.take() else {
                two = Some(twos);
                continue;
            };
            let fours = add_two(&mut levels[1], [other, twos]);
            match four.take() {
                None => four = Some(fours),
                Some(other) => eight = add_two(&mut levels[2], [other, fours]),
            }
        }
        add(&mut levels[3..], eight);
        if compared > most && compared >= checked + CHECKED * GROUP {
            checked = compared;
            if few(&levels[..used], most, possible) == [0; WORDS] {
                return [0; WORDS];
            }
        }
    }
    for &digit in rest {
        add(&mut levels, disagree(agreeing, at, digit));
    }
    few(&levels[..used], most, possible)
}

/// The starts from `at` on where this digit of the sieve disagrees with the one that it meets.
#[inline(always)]
fn disagree(agreeing: &Agreeing, at: usize, (offset, digit): (usize, u8)) -> Starts {
    let mut starts = starts(&agreeing[digit as usize], at + offset);
    for word in &mut starts {
        *word = !*word;
    }
    starts
}

/// Adds two digits to a digit of numbers, and returns what is carried.
#[inline(always)]
fn add_two(level: &mut Starts, [one, other]: [Starts; 2]) -> Starts {
    let mut carry = [0; WORDS];
    for word in 0..WORDS {
        let (a, b, c) = (level[word], one[word], other[word]);
        (level[word], carry[word]) = (a ^ b ^ c, a & b | c & (a ^ b));
    }
    carry
}

/// Adds a number of one digit to numbers of several, the lowest first.
#[inline(always)]
fn add(levels: &mut [Starts], mut carry: Starts) {
    for level in levels {
        let mut any = 0;
        for word in 0..WORDS {
            (level[word], carry[word]) = (level[word] ^ carry[word], level[word] & carry[word]);
            any |= carry[word];
        }
        if any == 0 {
            break;
        }
    }
}

/// Of the `possible` starts, those whose numbers are `most` at most.
#[inline(always)]
fn few(levels: &[Starts], most: usize, possible: Starts) -> Starts {
    if most >> levels.len() > 0 {
        return possible;
    }
    let (mut less, mut same) = ([0; WORDS], possible);
    for (k, level) in levels.iter().enumerate().rev() {
        let bit = 0u64.wrapping_sub(most as u64 >> k & 1);
        for word in 0..WORDS {
            less[word] |= same[word] & !level[word] & bit;
            same[word] &= !(level[word] ^ bit);
        }
    }
    std::array::from_fn(|word| less[word] | same[word])
}

/// The same for fewer than `LEVELS` mismatches.
#[inline(always)]
fn survivors_of<const LEVELS: usize>(
    agreeing: &Agreeing,
    at: usize,
    sieve: &[(usize, u8)],
    (most, possible): (usize, Starts),
) -> Starts {
    // The last level is of starts with `most` disagreements at most, each one before it of one less; others are empty.
    let mut levels = [[0; WORDS]; LEVELS];
    for (level, starts) in levels.iter_mut().enumerate() {
        *starts = if level + most + 1 < LEVELS { [0; WORDS] } else { possible };
    }
    // Steps of one length, so that all levels stay in registers.
    let (steps, rest) = sieve.as_chunks::<STEP>();
    for step in steps {
        for &(offset, digit) in step {
            levels = meet(levels, starts(&agreeing[digit as usize], at + offset));
        }
        if levels[LEVELS - 1].iter().fold(0, |any, starts| any | starts) == 0 {
            return [0; WORDS];
        }
    }
    for &(offset, digit) in rest {
        levels = meet(levels, starts(&agreeing[digit as usize], at + offset));
    }
    levels[LEVELS - 1]
}

/// The levels after one digit more, with which these starts agree.
#[inline(always)]
fn meet<const LEVELS: usize>(levels: [Starts; LEVELS], agrees: Starts) -> [Starts; LEVELS] {
    let mut met = levels;
    for level in 0..LEVELS {
        let fewer = if level > 0 { levels[level - 1] } else { [0; WORDS] };
        for j in 0..WORDS {
            met[level][j] = levels[level][j] & agrees[j] | fewer[j];
        }
    }
    met
}

#[cfg(test)]
mod tests {
    use super::super::alphabet::Bytes;
    use super::*;
    use crate::seeds::plan::{Encoding, Machine, Plan};
    use crate::seeds::{Frequencies, TILE_MAX};
    use crate::{Algorithm, Limits, Pattern};
    use warpseq_simd::InstructionSet;

    const MACHINE: Machine = Machine { together: TILE_MAX, vector: Some(32), follows: true };

    #[test]
    fn survivors_agree_with_the_sieve() {
        let run = 900..1600;
        let digits: Vec<u8> = (0..2000).map(|k| if run.contains(&k) { WILD } else { (k * k % 7 % 5) as u8 }).collect();
        let bases: Vec<u8> = digits.iter().map(|&digit| b"ACGTN"[usize::from(digit)]).collect();
        let plan = Plan::new(&Queries::default(), &Frequencies::of(&bases, Bytes::DIGITS), Algorithm::Auto, MACHINE);
        let (mut segment, mut agreeing) = (Segment::default(), Agreeing::default());
        segment.encode::<Bytes>(&bases, 0..bases.len(), (&plan, InstructionSet::detect()));
        (0..).zip(&mut agreeing).for_each(|(digit, plane)| segment.planes.agreeing(digit, plane));
        let short = vec![(0, 0), (3, 1), (100, 2), (101, 3), (102, 3), (200, 0)];
        // Of 32 and more mismatches, too, which are counted in another way.
        let long: Vec<_> = (0..260).map(|k| (k * 3 % 260, (k % 4) as u8)).collect();
        let few = (0..8).map(|most| (&short, most));
        let all = few.chain([31, 32, 60, 120, 144, 150, 160, 300].map(|most| (&long, most)));
        for ((sieve, most), at) in all.flat_map(|case| [(case, 0), (case, 77), (case, 640), (case, 1100)]) {
            let possible = [0x5555_FFFF_0000_FFFF; WORDS];
            let survivors = survivors((&segment, &agreeing), at, sieve, (most, possible));
            for k in 0..BLOCK {
                let clashes = |&&(j, digit): &&(usize, u8)| ![digit, WILD].contains(&digits[at + k + j]);
                let few = sieve.iter().filter(clashes).count() <= most;
                let is_possible = possible[k / 64] >> (k % 64) & 1 == 1;
                assert_eq!(survivors[k / 64] >> (k % 64) & 1 == 1, few && is_possible, "{k} behind {at}, {most}");
            }
        }
        assert_eq!(survivors((&segment, &agreeing), 0, &[], (0, [7; WORDS])), [7; WORDS]);
    }

    #[test]
    fn starts_left_are_those_with_more_than_spare_spans_at_hard_positions() {
        let (length, runs) = (4000, vec![100..101, 300..420, 421..430, 1000..1900, 2500..2503, 3999..4000]);
        let mut hard = Hard { runs: runs.clone(), ..Hard::default() };
        hard.list(length);
        let is_hard = |at: usize| runs.iter().any(|run| run.contains(&at));
        for (step, count) in [(50, 12), (64, 9), (300, 5)] {
            let spans: Vec<_> = (0..count).map(|k| Span { query: 0, offset: 7 + k * step, order: 0 }).collect();
            for spare in 0..count as usize {
                let left = Left { hard: &hard, spans: &spans, spare, least_wild: 0, found: None };
                for at in (0..length - (7 + count * step) as usize).step_by(BLOCK) {
                    let is_left =
                        |k: usize| spans.iter().filter(|span| is_hard(at + k + span.offset as usize)).count() > spare;
                    let found = left.starts(at);
                    assert!((0..BLOCK).all(|k| (found[k / 64] >> (k % 64) & 1 == 1) == is_left(k)));
                    assert!(left.may_be_in(at) || found == [0; WORDS], "{step} {count} {spare} {at}");
                }
            }
        }
    }

    #[test]
    fn starts_with_few_wild_digits_are_counted_one_by_one() {
        let bases: Vec<u8> = (0..3000).map(|k| if k % 700 < 250 || k % 11 == 0 { b'N' } else { b'A' }).collect();
        let plan = Plan::new(&Queries::default(), &Frequencies::of(&bases, Bytes::DIGITS), Algorithm::Auto, MACHINE);
        let mut segment = Segment::default();
        segment.encode::<Bytes>(&bases, 0..bases.len(), (&plan, InstructionSet::detect()));
        for (length, most) in [(100, 9), (100, 10), (300, 150), (300, 260), (1000, 399), (1000, 420)] {
            for at in [0, 512, 1024, 1536] {
                let few = with_few_wild(&segment, at..3001 - length, length, most);
                for k in (0..BLOCK).filter(|k| at + k + length <= 3000) {
                    let wild = bases[at + k..][..length].iter().filter(|&&base| base == b'N').count();
                    assert_eq!(few[k / 64] >> (k % 64) & 1 == 1, wild <= most, "{at} {k} {length} {most}");
                }
            }
        }
    }

    #[test]
    fn a_sieve_holds_single_bases_only() {
        let bases: Vec<u8> = b"NANNC".repeat(40);
        let pattern = Pattern::new(0, false, bases.clone(), Limits { wild: 200, mismatches: 0 });
        let queries = Queries::of::<Bytes>(&[pattern]);
        let mut sieve = vec![(0, 0)];
        sift(&queries, &queries.all[0], &mut sieve);
        assert!(sieve.len() <= SIEVE && sieve.len() > SIEVE / 2);
        assert!(sieve.iter().all(|&(k, digit)| bases[k] == b"ACGT"[digit as usize]));
    }
}
