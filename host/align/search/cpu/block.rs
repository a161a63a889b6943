//! A tile, computed: a target to a lane, and one query after another over eight columns.

use super::sweep::{Costs, Row, sweep};
use super::table::{PADDING, Table};
use crate::Gap;
use crate::cpu::vector::{CODES, Lane, Vector, Work};

/// Columns of a profile.
pub const COLUMNS: usize = 8;
/// The most lanes of any vector.
const LANES: usize = 64;

/// For each code of queries its scores with the columns.
pub type Profile<V> = [[V; COLUMNS]; CODES];

/// What a thread uses again.
pub struct Space<V> {
    profile: Box<Profile<V>>,
    rows: Vec<Row<V>>,
}

impl<V: Vector> Space<V> {
    /// Nothing yet.
    pub fn new(proof: V) -> Self {
        Self { profile: Box::new([[proof; COLUMNS]; CODES]), rows: Vec::new() }
    }
}

/// Targets, at most as many as lanes, and queries as codes.
pub struct Block<'a, V> {
    pub proof: V,
    pub table: &'a Table,
    pub gap: Gap,
    pub targets: &'a [&'a [u8]],
    pub queries: &'a [&'a [u8]],
    pub space: &'a mut Space<V>,
}

impl<V: Vector> Work for Block<'_, V> {
    /// The highest number of each query in all lanes.
    type Output = Vec<V>;

    #[inline(always)]
    fn work(self) -> Vec<V> {
        if self.gap.open == self.gap.extend { self.best::<false>() } else { self.best::<true>() }
    }
}

impl<V: Vector> Block<'_, V> {
    #[inline(always)]
    fn best<const AFFINE: bool>(self) -> Vec<V> {
        let costs = self.costs();
        let Space { profile, rows } = self.space;
        rows.clear();
        rows.resize(self.queries.iter().map(|query| query.len()).sum(), costs.row());
        let mut best = vec![costs.zero; self.queries.len()];
        let columns = self.targets.iter().map(|target| target.len()).max().unwrap_or(0);
        for first in (0..columns).step_by(COLUMNS) {
            let codes = codes(self.targets, first, &self.table.target);
            for (profile, scores) in profile.iter_mut().zip(&self.table.scores) {
                for (profile, codes) in profile.iter_mut().zip(&codes) {
                    *profile = self.proof.look_up(scores, codes);
                }
            }
            let mut rest = &mut rows[..];
            for (best, query) in best.iter_mut().zip(self.queries) {
                let (rows, later) = rest.split_at_mut(query.len());
                rest = later;
                if V::ROOMY {
                    *best = sweep::<V, COLUMNS, AFFINE>((profile, 0), (query, rows), &costs, *best);
                } else {
                    *best = sweep::<V, { COLUMNS / 2 }, AFFINE>((profile, 0), (query, rows), &costs, *best);
                    *best = sweep::<V, { COLUMNS / 2 }, AFFINE>((profile, COLUMNS / 2), (query, rows), &costs, *best);
                }
            }
        }
        best
    }

    #[inline(always)]
    fn costs(&self) -> Costs<V> {
        let splat = |number| self.proof.splat(V::Lane::clamped(number));
        Costs { open: splat(self.gap.open.into()), extend: splat(self.gap.extend.into()), zero: splat(V::Lane::LEAST) }
    }
}

/// The codes of eight columns, lane by lane.
#[inline(always)]
fn codes(targets: &[&[u8]], first: usize, code: &[u8; 256]) -> [[u8; LANES]; COLUMNS] {
    let mut codes = [[PADDING; LANES]; COLUMNS];
    for (lane, target) in targets.iter().enumerate() {
        let residues = target.get(first..).unwrap_or_default();
        for (codes, &residue) in codes.iter_mut().zip(residues) {
            codes[lane] = code[usize::from(residue)];
        }
    }
    codes
}
