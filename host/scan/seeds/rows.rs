//! Many patterns at once: those that agree with a window of four digits are bits of a row.
//!
//! At a place of the sequences, a row is fetched for each of a few windows that follow one another, in which a bit is set for each pattern that agrees with
//! the window there, wild digits of both included. What is set in all of them, or in all but as many as there may be mismatches, is a
//! pattern that may match there: no other does. So 512 patterns take a few loads of vectors a place, some 3 ns, however many digits are wild. Tiles are
//! looked up faster where hardly any are.
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
/// Patterns that are one bit of a row, at most.
const GROUPS: [usize; 6] = [1, 2, 4, 8, 16, 32];
/// Bits of a row that are expected to be left by all windows, if these can be so many, and by the first.
const LEFT: f64 = 0.02;
const LEFT_BY_FIRST: f64 = 0.1;
/// Places of a long pattern that are compared, of those with the fewest wild digits.
const PLACES: usize = 16;

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
    /// The best of so many patterns of so many symbols and mismatches, in sequences with this share of wild digits, and what it takes: if some windows
    /// tell patterns apart.
    pub fn best(patterns: usize, (length, mismatches): (usize, u32), wild: f64) -> Option<(Self, f64)> {
        let most = (length / WINDOW).min(TABLES);
        let least = mismatches as usize + 1;
        if mismatches > MISMATCHES_MAX || least > most {
            return None;
        }
        let of_group = |group: usize| {
            let few = |windows: usize, few: f64| ROW as f64 * left(windows, (mismatches, group), wild) <= few;
            let windows = (least..most).find(|&windows| few(windows, LEFT)).unwrap_or(most);
            let first = (least..windows).find(|&first| few(first, LEFT_BY_FIRST)).unwrap_or(windows);
            let cover = Self { windows, first, group };
            (cover, cost::of_rows(patterns, (cover, mismatches), wild))
        };
        GROUPS.into_iter().map(of_group).min_by(|(_, one), (_, other)| one.total_cmp(other))
    }

    /// Digits that the windows cover.
    pub fn length(self) -> usize {
        self.windows * WINDOW
    }
}

/// The chance that a group of so many patterns agrees with all of so many windows but its mismatches.
pub fn left(windows: usize, (mismatches, group): (u32, usize), wild: f64) -> f64 {
    let agrees = ((1.0 + 3.0 * wild) / 4.0).powi(WINDOW as i32);
    let none_agrees = (1.0 - agrees).max(0.0).powi(group as i32);
    (0..=mismatches as usize).map(|missed| cost::chance(windows, missed, none_agrees)).sum()
}

/// Patterns that are covered alike.
pub struct Rows {
    /// How.
    pub cover: Cover,
    /// The most mismatches of a match.
    pub mismatches: u32,
    /// The most wild digits of the sequence under one, mismatches included.
    pub most_wild: u32,
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
        let wild = frequencies.wild_share();
        let mut kinds = BTreeMap::<_, BTreeMap<_, Vec<u32>>>::new();
        for index in compared {
            let query = &queries.all[index as usize];
            let most = (query.length() / WINDOW).min(TABLES);
            kinds.entry(query.limits.mismatches).or_default().entry(most).or_default().push(index);
        }
        let (mut rows, mut others) = (Vec::new(), Vec::new());
        for (mismatches, mut of_lengths) in kinds {
            while let Some((most, mut members)) = of_lengths.pop_first() {
                let best = |count| Cover::best(count, (most * WINDOW, mismatches), wild);
                let all = members.len() + of_lengths.values().map(Vec::len).sum::<usize>();
                // All together, unless some are short.
                if best(all).is_some_and(|(cover, _)| cover.windows < most) {
                    std::mem::take(&mut of_lengths).into_values().for_each(|mut more| members.append(&mut more));
                }
                let compared = cost::of_comparing(members.len(), mismatches, vector);
                match best(members.len()).filter(|(_, cost)| cost::in_vectors(*cost, vector) < compared) {
                    Some((cover, _)) => rows.push(Self::new(queries, &members, (cover, mismatches), frequencies)),
                    None => others.append(&mut members),
                }
            }
        }
        (rows, others)
    }

    fn new(queries: &Queries, members: &[u32], (cover, mismatches): (Cover, u32), frequencies: &Frequencies) -> Self {
        let query = |index: u32| &queries.all[index as usize];
        let span = |&index: &u32| {
            let offset = place(queries.digits(query(index)), cover.length(), frequencies) as u32;
            Span { query: index, offset, order: 0 }
        };
        let mut spans: Vec<Span> = members.par_iter().map(span).collect();
        // Those that begin alike are in one group.
        let digits = |span: &Span| &queries.digits(query(span.query))[span.offset as usize..][..cover.length()];
        spans.par_sort_unstable_by_key(|span| (digits(span), span.query));
        let of_block = |spans: &[Span]| {
            let mut tables = vec![[Row::default(); CODES]; cover.windows];
            for (k, span) in spans.iter().enumerate() {
                let bit = k / cover.group;
                for (table, window) in tables.iter_mut().zip(digits(span).as_chunks().0) {
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
        let columns = Columns::new(&spans, queries);
        Self { cover, mismatches, most_wild, spans, tables, columns }
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
fn each_agreeing(window: &[u8; WINDOW], mut visit: impl FnMut(usize)) {
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

/// Where the windows of a pattern lie, which cover `length` of its digits: where the fewest of these are wild and, of such places, windows of the
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
