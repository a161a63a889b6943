//! How a search is divided into launches and items.
//!
//! ```text
//! query     -> a pass and a number of lanes: what takes the fewest clocks for its length
//! launch       the queries of one pass and number of lanes, with all couples whose borders fit
//! item         a query and these couples
//! ```

use super::launch::{Blocks, Gaps, Pass};
use crate::search::couples::Couples;
use cuda_std::U32x4;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use warpseq_gpu::abi::SearchRules;
use warpseq_gpu::align::search::shared_bytes;
use warpseq_gpu::tuning::{SEARCH_GAP, SEARCH_THREADS, SEARCH_THREADS_MAX, SEARCH_WARPS};

/// Clocks of a step of a warp besides those of its cells, and those that borders add.
const STEP: u64 = 10;
const BORDER: u64 = 10;
/// Lanes of a group where there are borders, at least: eight groups in a warp have more borders than the L2 cache holds (26
/// residues in each of 4 lanes took 755 clocks a step, in each of 8 lanes 285).
const BORDER_LANES: u32 = 8;

/// What a plan is made for.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    pub packed: bool,
    pub gaps: Gaps,
    /// Codes in use.
    pub codes: u32,
    pub multiprocessors: u32,
    /// Shared memory that a block may have, which is about all that a multiprocessor has.
    pub shared: u32,
    /// Elements that all borders of a launch may have.
    pub borders: u64,
}

/// How a query is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Form {
    pub pass: Pass,
    /// Lanes of a group.
    pub lanes: u32,
}

/// A launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    pub form: Form,
    /// Strips of the longest query, and elements of a border.
    pub strips: u32,
    pub border: u32,
    pub blocks: Blocks,
    pub items: Range<usize>,
}

/// All launches, and their items.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub launches: Vec<Launch>,
    pub items: Vec<U32x4>,
}

/// A query: its number and its length, which is not 0.
pub type Query = (u32, u32);

impl Form {
    fn strips(self, length: u32) -> u32 {
        length.div_ceil(self.pass.residues * self.lanes)
    }
}

impl Means {
    /// The form for a query, against couples of so many columns; `None` when its profile does not fit, or its borders with the
    /// longest couple.
    pub fn form(&self, length: u32, columns: u64, longest: u64) -> Option<Form> {
        let Self { packed, gaps, shared, borders, .. } = *self;
        let of_residues = |&residues: &u32| {
            let pass = Pass { packed, gaps, residues };
            [4, 8, 16].map(|lanes| Form { pass, lanes })
        };
        let fits = |form: &Form| {
            let strips = form.strips(length);
            let has_borders =
                || form.lanes >= BORDER_LANES && ONE_BLOCK.borders(form.lanes, border(longest)) <= borders;
            self.profile(*form, strips) <= shared && (strips == 1 || has_borders())
        };
        let cost = |form: &Form| {
            let strips = u64::from(form.strips(length));
            let cells = u64::from(form.pass.residues) * quarter_clocks(gaps) / 4;
            let step = cells + STEP + if strips > 1 { BORDER } else { 0 };
            strips * u64::from(form.lanes) * (columns + u64::from(form.lanes)) * step
        };
        Pass::residues(packed, gaps).iter().flat_map(of_residues).filter(fits).min_by_key(cost)
    }

    /// Shared memory of a block for queries of up to so many strips.
    fn profile(&self, Form { pass, lanes }: Form, strips: u32) -> u32 {
        let rules = SearchRules { codes: self.codes, lanes, strips, ..SearchRules::default() };
        shared_bytes(&rules, pass.residues)
    }

    /// The blocks of a launch for queries of up to so many strips: as many as a multiprocessor has room for, of as few threads as it
    /// takes for their profiles to leave room for all.
    fn blocks(&self, form: Form, strips: u32) -> Blocks {
        let profile = self.profile(form, strips);
        let mut threads = SEARCH_THREADS;
        while threads < SEARCH_THREADS_MAX && profile * (SEARCH_WARPS * 32 / threads) > self.shared {
            threads *= 2;
        }
        Blocks { count: self.multiprocessors * (SEARCH_WARPS * 32 / threads), threads }
    }

    /// The same where the longest couple has so many columns: as many as have room for borders.
    fn bordered(&self, form: Form, strips: u32, columns: u64) -> Blocks {
        let blocks = self.blocks(form, strips);
        let one = Blocks { count: 1, ..blocks }.borders(form.lanes, border(columns));
        if strips == 1 || one * u64::from(blocks.count) <= self.borders {
            return blocks;
        }
        match self.borders / one {
            0 => ONE_BLOCK,
            count => Blocks { count: count as u32, ..blocks },
        }
    }
}

/// Elements of a border for couples of so many columns.
fn border(columns: u64) -> u64 {
    columns + 2 * u64::from(SEARCH_GAP)
}

/// Quarters of a clock that a warp takes for a residue of the query in each lane, measured (those of linear gaps estimated).
fn quarter_clocks(gaps: Gaps) -> u64 {
    match gaps {
        Gaps::Protein => 41,
        Gaps::Affine => 44,
        Gaps::Linear => 32,
    }
}

/// The least launch.
const ONE_BLOCK: Blocks = Blocks { count: 1, threads: SEARCH_THREADS };

impl Plan {
    /// A plan for these queries, each with its form, and some couples of a part, whose first one is `first`.
    pub fn new(
        queries: &[(Query, Form)],
        couples: &Couples,
        (first, some): (usize, Range<usize>),
        means: &Means,
    ) -> Self {
        let mut forms: BTreeMap<Reverse<Form>, Vec<Query>> = BTreeMap::new();
        queries.iter().for_each(|&(query, form)| forms.entry(Reverse(form)).or_default().push(query));
        let mut plan = Self::default();
        for (Reverse(form), mut queries) in forms {
            queries.sort_by_key(|&(_, length)| Reverse(length));
            let strips = form.strips(queries[0].1);
            for segment in segments(couples, some.clone(), (form, strips), means) {
                let unit = |couple: usize| (couple - first) as u32 * if form.pass.packed { 1 } else { 2 };
                let units = unit(segment.start)..unit(segment.end);
                plan.add((form, strips), &queries, (couples.columns(segment.start), units), means);
            }
        }
        plan
    }

    fn add(
        &mut self,
        (form, strips): (Form, u32),
        queries: &[Query],
        (columns, units): (u64, Range<u32>),
        means: &Means,
    ) {
        let blocks = means.bordered(form, strips, columns);
        let first = self.items.len();
        self.items.extend(queries.iter().map(|&(query, _)| U32x4([query, units.start, units.end, 0])));
        let bundles = queries.len() as u64 * units.len().div_ceil(32 / form.lanes as usize) as u64;
        let enough = bundles.div_ceil(u64::from(blocks.threads / 32));
        let blocks = Blocks { count: enough.min(blocks.count.into()) as u32, ..blocks };
        let border = border(columns) as u32;
        self.launches.push(Launch { form, strips, border, blocks, items: first..self.items.len() });
    }
}

/// The couples of a part in one piece, or in two: those whose borders fit only with fewer blocks, and the others.
fn segments(couples: &Couples, part: Range<usize>, (form, strips): (Form, u32), means: &Means) -> Vec<Range<usize>> {
    let is_long = |k: usize| means.bordered(form, strips, couples.columns(k)) != means.blocks(form, strips);
    let (mut low, mut high) = (part.start, part.end);
    while low < high {
        let middle = low.midpoint(high);
        if is_long(middle) { low = middle + 1 } else { high = middle }
    }
    [part.start..low, low..part.end].into_iter().filter(|segment| !segment.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Database;
    use warpseq_seq::Sequences;

    const MEANS: Means = Means {
        packed: true,
        gaps: Gaps::Protein,
        codes: 24,
        multiprocessors: 132,
        shared: 227 << 10,
        borders: 1 << 27,
    };

    fn form(residues: u32, lanes: u32) -> Form {
        Form { pass: Pass { packed: true, gaps: Gaps::Protein, residues }, lanes }
    }

    #[test]
    fn forms_waste_little() {
        for (length, expected) in [(20, form(8, 4)), (144, form(18, 8)), (208, form(26, 8)), (256, form(32, 8))] {
            assert_eq!(MEANS.form(length, 210, 400), Some(expected), "{length}");
        }
        for length in 1..6000 {
            let form = MEANS.form(length, 210, 40_000).unwrap();
            let rows = form.strips(length) * form.pass.residues * form.lanes;
            assert!(rows >= length && rows < length + 32 + length / 16, "{length}: {form:?}");
        }
        assert_eq!(MEANS.form(10_000, 210, 400), None);
        assert_eq!(MEANS.form(1000, 210, 1 << 40), None);
    }

    fn couples(lengths: &[usize]) -> Couples {
        let targets: Sequences = lengths.iter().map(|&length| vec![b'A'; length]).collect();
        Couples::new(&Database::new(&targets), &[0; 256], 1)
    }

    #[test]
    fn items_cover_every_query_and_couple_once() {
        let lengths: Vec<usize> = (0..501).map(|k| 1 + k * k % 300).chain([9000, 80_000]).collect();
        let couples = couples(&lengths);
        for (part, borders) in [(0..couples.len(), 1 << 27), (0..couples.len(), 1 << 22), (3..100, 1 << 27)] {
            let means = Means { borders, ..MEANS };
            let of = |(query, length)| means.form(length, 100, couples.columns(0)).map(|form| ((query, length), form));
            let queries: Vec<_> = (0..40).map(|k| (k, 1 + k * 37)).filter_map(of).collect();
            let plan = Plan::new(&queries, &couples, (part.start, part.clone()), &means);
            let mut seen = vec![0; 40 * part.len()];
            for launch in &plan.launches {
                assert!(launch.blocks.count > 0);
                let taken = launch.blocks.borders(launch.form.lanes, launch.border.into());
                assert!(launch.strips == 1 || taken <= borders);
                for U32x4([query, from, to, _]) in &plan.items[launch.items.clone()] {
                    assert!(border(couples.columns(part.start + *from as usize)) <= launch.border.into());
                    (*from..*to).for_each(|unit| seen[*query as usize * part.len() + unit as usize] += 1);
                }
            }
            let expected =
                |k: usize| usize::from(queries.iter().any(|((query, _), _)| *query as usize == k / part.len()));
            assert!(seen.iter().enumerate().all(|(k, &times)| times == expected(k)));
        }
    }
}
