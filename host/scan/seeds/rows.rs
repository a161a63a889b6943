//! Many patterns at once: those that agree with a window of four digits are bits of a row.
//!
//! At a place of the sequences, a row is fetched for each of a few windows of a pattern that lies there, in which a bit is set for each pattern that agrees with
//! the window there, wild digits of both included. What is set in all of them, or in all but as many as there may be mismatches, is a
//! pattern that may match there: no other does. So 512 patterns, or as many groups of a few, take some loads of vectors a place, 2 to 4 ns with
//! AVX-512, however many digits are wild. Tiles are looked up faster where hardly any are.
//!
//! ```text
//! digits of the sequence   ..  2 0 4 1 | 1 3 3 4 | 0 2 2 1 ..
//! row of the window            0110...   1100...   0100...      and: 0100...   pattern 1 may match
//! ```

use super::plan::Queries;
use super::{Columns, Frequencies, Span, cost};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use warpseq_seq::iupac::WILD;
use warpseq_simd::{ROW, Row, TABLES};

/// Digits of a window.
pub const WINDOW: usize = 4;
/// How many windows there are of five digits.
pub const CODES: usize = 625;
/// The most mismatches of patterns that are found so.
const MISMATCHES_MAX: u32 = 7;
/// The most rows that patterns take, and the most of them that are one bit.
const ROWS: usize = 16;
const GROUP: usize = 64;
/// Bits of a row that are expected to be left by all windows, if these can be so many, and by the first.
const LEFT: f64 = 0.02;
const LEFT_BY_FIRST: f64 = 0.1;
/// Places of a long pattern that are compared, of those with the fewest wild digits.
const PLACES: usize = 16;
/// Digits from the first window of a pattern to the last, at most, where it has room for it: so not all lie in a run of wild digits. Patterns of so many
/// symbols and more have windows in a row, where the fewest of their digits are wild.
pub const REACH: usize = 256;
const FREE: usize = 512;

/// How patterns are looked at together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cover {
    /// Windows at a place.
    pub windows: usize,
    /// Of these, those after which hardly a pattern is left.
    pub first: usize,
    /// Patterns that are one bit.
    pub group: usize,
}

impl Cover {
    /// The best of so many patterns of so many symbols and mismatches, where this share of digits is wild, of either, and what it takes: if some windows
    /// tell patterns apart.
    pub fn best(patterns: usize, (length, mismatches): (usize, u32), wild: f64) -> Option<(Self, f64)> {
        let most = (length / WINDOW).min(TABLES);
        let least = mismatches as usize + 1;
        if mismatches > MISMATCHES_MAX || least > most {
            return None;
        }
        let in_rows = |rows: usize| {
            let group = patterns.div_ceil(ROW * rows).max(1);
            let bits = |windows: usize| ROW as f64 * left(windows, (patterns, group), (mismatches, wild));
            let windows = (least..most).find(|&windows| bits(windows) <= LEFT).unwrap_or(most);
            let first = (least..windows).find(|&first| bits(first) <= LEFT_BY_FIRST).unwrap_or(windows);
            let cover = Self { windows, first, group };
            (cover, cost::of_rows(patterns, (cover, mismatches), wild))
        };
        let all = (1..=patterns.div_ceil(ROW).clamp(1, ROWS)).map(in_rows);
        all.filter(|(cover, _)| cover.group <= GROUP).min_by(|(_, one), (_, other)| one.total_cmp(other))
    }
}

/// The chance that one of so many patterns in a group, of so many in all, agrees with all of so many windows but its mismatches. The patterns of a group
/// are those that begin alike.
pub fn left(windows: usize, (patterns, group): (usize, usize), (mismatches, wild): (u32, f64)) -> f64 {
    let agrees = ((1.0 + 3.0 * wild) / 4.0).powi(WINDOW as i32);
    let alike = (patterns as f64 / group as f64).log(4.0);
    // For each number of windows missed, up to the mismatches.
    let mut missed = [0.0; MISMATCHES_MAX as usize + 1];
    missed[0] = 1.0;
    for window in 0..windows {
        let differing = (WINDOW as f64 - (alike - (window * WINDOW) as f64).clamp(0.0, WINDOW as f64)).exp2().powi(2);
        let any_agrees = 1.0 - (1.0 - agrees).max(0.0).powf(differing.min(group as f64));
        for count in (0..missed.len()).rev() {
            let fewer = if count > 0 { missed[count - 1] } else { 0.0 };
            missed[count] = missed[count] * any_agrees + fewer * (1.0 - any_agrees);
        }
    }
    missed[..=mismatches as usize].iter().sum()
}

/// The share of the digits that are wild, of windows of the sequences or of these patterns: of long ones, the longer, the fewer are where windows lie.
pub fn wild_of_both(queries: &Queries, members: &[u32], frequencies: &Frequencies) -> f64 {
    let of_pattern = |&index: &u32| {
        let query = &queries.all[index as usize];
        let length = query.length() as f64;
        let of_all = if query.length() < FREE { 1.0 } else { (WINDOW * TABLES) as f64 / length };
        f64::from(query.wild) / length * of_all
    };
    let single = 1.0 - members.par_iter().map(of_pattern).sum::<f64>() / members.len().max(1) as f64;
    1.0 - (1.0 - frequencies.wild_share()) * single
}

/// Patterns that are covered alike.
pub struct Rows {
    /// How.
    pub cover: Cover,
    /// The most mismatches of a match.
    pub mismatches: u32,
    /// The most wild digits of the sequence under one, mismatches included.
    pub most_wild: u32,
    /// The fewest symbols from the first window of a pattern to its end.
    pub extent: usize,
    /// Digits from one window to the next.
    pub step: usize,
    /// Where the windows of each pattern are, those of a group in a row.
    pub spans: Vec<Span>,
    /// Of each 512 groups, one for each window.
    tables: Vec<[Row; CODES]>,
    columns: Columns,
}

impl Rows {
    /// Divides patterns that are to be compared: into those that rows do faster, with vectors of so many bytes, and others.
    pub fn divide(
        queries: &Queries,
        (compared, vector): (Vec<u32>, usize),
        frequencies: &Frequencies,
    ) -> (Vec<Self>, Vec<u32>) {
        let mut kinds = BTreeMap::<_, BTreeMap<_, Vec<u32>>>::new();
        for index in compared {
            let query = &queries.all[index as usize];
            // Those of about one length, so that there is none at which a match of another may lie in a run of wild digits.
            let lengths = query.length().clamp(1, FREE).ilog2();
            let most = (query.length() / WINDOW).min(TABLES);
            kinds.entry((query.limits.mismatches, lengths)).or_default().entry(most).or_default().push(index);
        }
        let (mut rows, mut others) = (Vec::new(), Vec::new());
        for ((mismatches, _), mut of_lengths) in kinds {
            while let Some((most, mut members)) = of_lengths.pop_first() {
                let best = |members: &[u32]| {
                    let wild = wild_of_both(queries, members, frequencies);
                    Cover::best(members.len(), (most * WINDOW, mismatches), wild)
                };
                // All together, unless some are short.
                let all: Vec<u32> = members.iter().chain(of_lengths.values().flatten()).copied().collect();
                if best(&all).is_some_and(|(cover, _)| cover.windows < most) {
                    (members, of_lengths) = (all, BTreeMap::new());
                }
                let compared = cost::of_comparing(members.len(), mismatches, vector);
                match best(&members).filter(|(_, cost)| cost::in_vectors(*cost, vector) < compared) {
                    Some((cover, _)) => rows.push(Self::new(queries, &members, (cover, mismatches), frequencies)),
                    None => others.append(&mut members),
                }
            }
        }
        (rows, others)
    }

    /// Of these patterns, which have no more mismatches, and as many symbols as the windows cover.
    pub fn new(
        queries: &Queries,
        members: &[u32],
        (cover, mismatches): (Cover, u32),
        frequencies: &Frequencies,
    ) -> Self {
        assert!(mismatches <= MISMATCHES_MAX && cover.windows > mismatches as usize, "windows tell patterns apart");
        let query = |index: u32| &queries.all[index as usize];
        let shortest = members.iter().map(|&index| query(index).length()).min().unwrap_or(0);
        let are_free = shortest >= FREE;
        let room = shortest.saturating_sub(WINDOW) / (cover.windows - 1).max(1);
        let step = if are_free { WINDOW } else { room.min(REACH / (cover.windows - 1).max(1)) };
        let span = |&index: &u32| {
            let place = || place(queries.digits(query(index)), cover.windows * WINDOW, frequencies) as u32;
            Span { query: index, offset: if are_free { place() } else { 0 }, order: 0 }
        };
        let mut spans: Vec<Span> = members.par_iter().map(span).collect();
        let windows = |span: &Span| {
            let digits = &queries.digits(query(span.query))[span.offset as usize..];
            let window =
                |k: usize| *digits[k * step..].first_chunk::<WINDOW>().expect("a pattern has room for windows");
            (0..cover.windows).map(window).collect::<Vec<_>>()
        };
        // Those that begin alike are in one group.
        spans.par_sort_by_cached_key(|span| (windows(span), span.query));
        let of_block = |spans: &[Span]| {
            let mut tables = vec![[Row::default(); CODES]; cover.windows];
            for (k, span) in spans.iter().enumerate() {
                let bit = k / cover.group;
                for (table, window) in tables.iter_mut().zip(windows(span)) {
                    each_agreeing(window, |code| table[code].0[bit / 64] |= 1 << (bit % 64));
                }
            }
            tables
        };
        let tables = spans.par_chunks(ROW * cover.group).flat_map_iter(of_block).collect();
        let most_wild = |&index: &u32| {
            let limits = query(index).limits;
            limits.wild.saturating_add(limits.mismatches)
        };
        let most_wild = members.iter().map(most_wild).max().unwrap_or(0);
        let extent = spans.iter().map(|span| query(span.query).length() - span.offset as usize).min().unwrap_or(0);
        let columns = Columns::new(&spans, queries);
        Self { cover, mismatches, most_wild, extent, step, spans, tables, columns }
    }

    /// The tables of each 512 groups, and the numbers of their patterns.
    pub fn blocks(&self) -> impl Iterator<Item = (&[[Row; CODES]], Range<usize>)> {
        let of_block = ROW * self.cover.group;
        let numbers = (0..self.spans.len()).step_by(of_block);
        let numbers = numbers.map(move |first| first..self.spans.len().min(first + of_block));
        self.tables.chunks(self.cover.windows).zip(numbers)
    }

    /// Calls `visit` with the number of each pattern of a group, of which the first has this number, that may match at digits of a sequence, given in
    /// planes, as far as 64 tell.
    #[inline(always)]
    pub fn each_near(&self, first: usize, digits: [u64; 3], mut visit: impl FnMut(usize)) {
        for number in first..self.spans.len().min(first + self.cover.group) {
            if self.columns.differing(number, digits) <= self.mismatches {
                visit(number);
            }
        }
    }
}

/// Calls `visit` with the code of each window that agrees with one of a pattern: d0 d1 d2 d3 as a number of base 5.
fn each_agreeing(window: [u8; WINDOW], mut visit: impl FnMut(usize)) {
    let agreeing = |digit: u8| (0..=WILD).filter(move |&other| digit == WILD || other == WILD || other == digit);
    let [a, b, c, d] = window.map(agreeing);
    for a in a {
        for b in b.clone() {
            for c in c.clone() {
                d.clone()
                    .for_each(|d| visit([a, b, c, d].into_iter().fold(0, |code, digit| 5 * code + usize::from(digit))));
            }
        }
    }
}

/// Where windows in a row lie that cover `length` of the digits of a pattern: where the fewest of these are wild and, of such places, windows of the
/// sequences agree with them most seldom.
fn place(digits: &[u8], length: usize, frequencies: &Frequencies) -> usize {
    let is_wild = |at: usize| usize::from(digits[at] == WILD);
    let mut wild = (0..length).map(is_wild).sum::<usize>();
    let (mut least, mut places) = (wild, vec![0]);
    for at in 1..=digits.len() - length {
        wild = wild + is_wild(at + length - 1) - is_wild(at - 1);
        if wild < least {
            places.clear();
            least = wild;
        }
        if wild == least {
            places.push(at);
        }
    }
    let agreeing =
        |&at: &usize| digits[at..at + length].chunks(2 * WINDOW).map(|digits| frequencies.count(digits)).sum::<u64>();
    let step = places.len().div_ceil(PLACES).max(1);
    places.into_iter().step_by(step).min_by_key(agreeing).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Iupac;
    use crate::seeds::plan::Encoding;
    use crate::{Limits, Pattern};

    #[test]
    fn codes_agree_as_their_digits_do() {
        let digits = |code: usize| [code / 125, code / 25 % 5, code / 5 % 5, code % 5].map(|digit| digit as u8);
        for window in [0, 624, 313, 499, 128].map(digits) {
            let mut found = Vec::new();
            each_agreeing(window, |code| found.push(code));
            found.sort_unstable();
            let agree = |(a, b): (&u8, &u8)| a == b || *a == WILD || *b == WILD;
            let expected = (0..CODES).filter(|&code| digits(code).iter().zip(&window).all(agree));
            assert_eq!(found, expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_chance_to_be_left_is_that_of_windows_by_hand() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        close(left(3, (1, 1), (0, 0.0)), 256f64.powi(-3));
        close(left(2, (1, 1), (1, 0.0)), 1.0 - (255f64 / 256.0).powi(2));
        close(left(2, (1, 1), (0, 1.0)), 1.0);
        // Pairs of 32 begin with two digits alike: their first windows differ in no more than 16 ways, so all are two.
        let either = 1.0 - (255f64 / 256.0).powi(2);
        close(left(2, (32, 2), (0, 0.0)), either * either);
        // Of pairs of 512, first windows are alike.
        close(left(2, (512, 2), (0, 0.0)), either / 256.0);
    }

    #[test]
    fn patterns_full_of_wild_digits_are_not_in_rows() {
        let of = |percent: usize| {
            let mut state = 5_u32;
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as usize
            };
            let mut base = || if next() % 100 < percent { b'N' } else { b"ACGT"[next() / 64 % 4] };
            let mut bases = |length: usize| (0..length).map(|_| base()).collect::<Vec<u8>>();
            let limits = Limits { wild: 20, mismatches: 2 };
            let patterns: Vec<Pattern> = (0..6000).map(|_| Pattern::new(0, false, bases(20), limits)).collect();
            let queries = Queries::of::<Iupac>(&patterns);
            Rows::divide(&queries, ((0..6000).collect(), 64), &Frequencies::of(&b"ACGGT".repeat(99), Iupac::DIGITS))
        };
        assert!(of(0).1.is_empty() && of(5).1.is_empty() && of(50).0.is_empty());
    }

    #[test]
    fn all_patterns_are_divided_and_no_window_leaves_one() {
        let mut state = 7_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize
        };
        let mut bases = |length: usize| (0..length).map(|_| b"ACGTACGTACGTN"[next() % 13]).collect::<Vec<u8>>();
        let pattern = |(length, mismatches): (usize, u32), bases: Vec<u8>| {
            Pattern::new(0, false, bases, Limits { wild: length as u32, mismatches })
        };
        let kinds = (0..4000).map(|k| ([3, 8, 13, 21, 60, 61, 62, 300][k % 8], (k / 8 % 4) as u32));
        let patterns: Vec<Pattern> = kinds.map(|kind| pattern(kind, bases(kind.0))).collect();
        let queries = Queries::of::<Iupac>(&patterns);
        let frequencies = Frequencies::of(&bases(30_000), Iupac::DIGITS);
        let (all, others) = Rows::divide(&queries, ((0..4000).collect(), 64), &frequencies);
        let mut found = others.clone();
        for rows in &all {
            found.extend(rows.spans.iter().map(|span| span.query));
            for &Span { query, offset, .. } in &rows.spans {
                let query = &queries.all[query as usize];
                assert!(offset as usize + (rows.cover.windows - 1) * rows.step + WINDOW <= query.length());
                assert!(rows.cover.windows > rows.mismatches as usize && query.limits.mismatches == rows.mismatches);
            }
            let numbers: Vec<Range<usize>> = rows.blocks().map(|(_, numbers)| numbers).collect();
            assert!(numbers.iter().all(|of| of.len() <= ROW * rows.cover.group));
            assert_eq!(numbers.into_iter().flatten().collect::<Vec<_>>(), (0..rows.spans.len()).collect::<Vec<_>>());
        }
        found.sort_unstable();
        assert_eq!(found, (0..4000).collect::<Vec<_>>());
        // One window tells nothing with a mismatch.
        assert!(!all.is_empty() && others.iter().any(|&k| queries.all[k as usize].length() == 3));
    }
}
