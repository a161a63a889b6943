//! Which pairs go together, on which kernel, and which do not go to the device at all.
//!
//! Pairs are sorted by kernel, lanes, strips and query length, so that a group's packed pair and a warp's groups end together.
//! Two pairs share a packed pair only when both fit 16 bits. What a pair can reach:
//!
//! ```text
//! local    0 <= H <= best residue score * min(m, n)               E, F >= -open
//! others   H >= - 2 open - (m + n) extend (all gaps)             E, F >= H - open
//! ```
//!
//! Padding goes beyond these bounds. In 16 bits it may wrap: it lies below and to the right of what counts, in its own half.
//! In 32 bits there are only columns to the right, and there is room for what they cost.

use super::super::{Batch, Mode, Scoring};
use rayon::prelude::*;
use warpseq_gpu::tuning::{COLUMNS, WIDE_COLUMNS};

/// The highest and lowest score of 16 bits that is used: what a residue or a gap adds must still fit.
const PACKED_LIMIT: i64 = 24_000;
/// The dearest gap that 16 bits take, so that the lowest score less a gap still fits.
const PACKED_GAP: i32 = 4_000;
/// The same for 32 bits.
const WIDE_LIMIT: i64 = 1 << 29;
/// Columns of padding, at most.
const PADDING: i64 = 32 * COLUMNS as i64;

/// How a pair is aligned. The order is the order of launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class {
    /// Whether two pairs share a register.
    pub packed: bool,
    /// Columns of a lane.
    pub columns: u32,
    /// Lanes of a group: 4, 8, 16 or 32.
    pub width: u32,
}

impl Class {
    /// Columns of a strip.
    pub fn strip(&self) -> u32 {
        self.width * self.columns
    }

    /// Pairs of a packed pair.
    pub fn pairs(&self) -> u32 {
        1 + u32::from(self.packed)
    }

    /// With as few lanes of `columns` columns as a target needs, or all.
    fn of(packed: bool, columns: u32, target: u32) -> Self {
        Self { packed, columns, width: target.div_ceil(columns).next_power_of_two().clamp(4, 32) }
    }
}

/// A pair with its class.
#[derive(Clone, Copy, Debug)]
pub struct Planned {
    pub class: Class,
    /// Strips of the target: more than 1 only with 32 lanes.
    pub strips: u32,
    /// Its number in the batch, and its lengths.
    pub pair: u32,
    pub rows: u32,
    pub columns: u32,
}

/// Where the pairs of a batch go.
#[derive(Debug, Default)]
pub struct Plan {
    /// For the device, sorted.
    pub planned: Vec<Planned>,
    /// Pairs with an empty sequence.
    pub empty: Vec<u32>,
    /// Pairs whose scores do not fit 32 bits.
    pub beyond: Vec<u32>,
}

impl Plan {
    /// Plans a batch.
    pub fn new(batch: &Batch, scoring: &Scoring, means: Means) -> Self {
        let bounds = Bounds::new(scoring, means);
        let numbers = (0..batch.pairs().len()).into_par_iter().with_min_len(PART);
        let fates: Vec<Fate> = numbers.map(|k| bounds.fate(batch, k)).collect();
        let mut plan = Self { planned: Vec::with_capacity(fates.len()), ..Self::default() };
        for (pair, fate) in (0..).zip(fates) {
            match fate {
                Fate::Planned(planned) => plan.planned.push(planned),
                Fate::Empty => plan.empty.push(pair),
                Fate::Beyond => plan.beyond.push(pair),
            }
        }
        let key = |p: &Planned| (p.class, p.strips, p.rows, p.columns, p.pair);
        if !plan.planned.is_sorted_by_key(key) {
            plan.planned.par_sort_unstable_by_key(key);
        }
        plan
    }
}

/// What the device has.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// Packed arithmetic.
    pub packs: bool,
    /// Kernels with `WIDE_COLUMNS` for what is wanted, and pairs enough for them.
    pub wide: bool,
}

/// Pairs that a thread plans at a time.
const PART: usize = 4096;

enum Fate {
    Planned(Planned),
    Empty,
    Beyond,
}

struct Bounds {
    local: bool,
    highest: i64,
    open: i64,
    extend: i64,
    means: Means,
}

impl Bounds {
    fn new(scoring: &Scoring, means: Means) -> Self {
        let highest = scoring.scores.iter().copied().max().unwrap_or(0).max(0);
        Self {
            local: scoring.mode == Mode::Local,
            highest: i64::from(highest),
            open: i64::from(scoring.gap.open),
            extend: i64::from(scoring.gap.extend),
            means: Means { packs: means.packs && scoring.gap.open <= PACKED_GAP, ..means },
        }
    }

    /// The largest amount that a score of a pair reaches on either side of 0.
    fn reach(&self, rows: usize, columns: usize) -> i64 {
        let up = self.highest.saturating_mul(rows.min(columns) as i64);
        let gaps = (rows + columns) as i64;
        let down = if self.local { self.open } else { 3 * self.open + gaps.saturating_mul(self.extend) };
        up.max(down)
    }

    /// What a pair may reach so that its padding, too, fits 32 bits.
    fn wide_limit(&self) -> i64 {
        if self.local { WIDE_LIMIT } else { WIDE_LIMIT - PADDING * self.extend }
    }

    fn fate(&self, batch: &Batch, k: usize) -> Fate {
        let (rows, columns) = batch.lengths(k);
        let pair = k as u32;
        let reach = self.reach(rows, columns);
        if rows == 0 || columns == 0 {
            return Fate::Empty;
        }
        if reach > self.wide_limit() || rows.max(columns) > 1 << 28 {
            return Fate::Beyond;
        }
        let (rows, columns) = (rows as u32, columns as u32);
        let packed = self.means.packs && reach <= PACKED_LIMIT;
        let class = self.class(packed, columns);
        Fate::Planned(Planned { class, strips: columns.div_ceil(class.strip()), pair, rows, columns })
    }

    fn class(&self, packed: bool, columns: u32) -> Class {
        let narrow = Class::of(packed, COLUMNS, columns);
        let wide = Class::of(packed, WIDE_COLUMNS, columns);
        let allowed = packed && self.means.wide && columns <= wide.strip();
        if allowed && wide.strip() <= columns.next_multiple_of(narrow.strip()) { wide } else { narrow }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Gap, Pair, Sequences, Stop};
    use super::*;

    fn scoring(mode: Mode, best: i32, gap: i32) -> Scoring {
        Scoring {
            mode,
            stop: Stop::AtZero,
            gap: Gap { open: gap, extend: gap },
            codes: [0; 256],
            size: 1,
            scores: vec![best],
            identity: [0; 256],
            scale: 1,
        }
    }

    fn plan(lengths: &[(usize, usize)], scoring: &Scoring, packs: bool) -> Plan {
        let queries: Sequences = lengths.iter().map(|&(m, _)| vec![b'A'; m]).collect();
        let targets: Sequences = lengths.iter().map(|&(_, n)| vec![b'A'; n]).collect();
        let pairs: Vec<Pair> = (0..lengths.len() as u32).map(|k| Pair { query: k, target: k }).collect();
        let means = Means { packs, wide: false };
        Plan::new(&Batch::new(&queries, &targets, &pairs), scoring, means)
    }

    #[test]
    fn widths_follow_the_target() {
        let plan = plan(&[(9, 1), (9, 64), (9, 65), (9, 200), (9, 512), (9, 513)], &scoring(Mode::Local, 1, 2), true);
        let found: Vec<_> = plan.planned.iter().map(|p| (p.columns, p.class.width, p.strips)).collect();
        assert_eq!(found, [(1, 4, 1), (64, 4, 1), (65, 8, 1), (200, 16, 1), (512, 32, 1), (513, 32, 2)]);
    }

    #[test]
    fn sixteen_bits_are_left_before_they_overflow() {
        let limit = PACKED_LIMIT as usize;
        let packed = |lengths, scoring: &Scoring| plan(&[lengths], scoring, true).planned[0].class.packed;
        assert!(packed((limit, limit), &scoring(Mode::Local, 1, 2)));
        assert!(!packed((limit + 1, limit + 1), &scoring(Mode::Local, 1, 2)));
        assert!(packed((limit + 1, 10), &scoring(Mode::Local, 1, 2)));
        assert!(!packed((limit + 1, 10), &scoring(Mode::Fit, 1, 2)));
        assert!(packed((10, 10), &scoring(Mode::Local, 1, PACKED_GAP)));
        assert!(!packed((10, 10), &scoring(Mode::Local, 1, PACKED_GAP + 1)));
        assert!(!plan(&[(9, 9)], &scoring(Mode::Local, 1, 2), false).planned[0].class.packed);
    }

    #[test]
    fn padding_fits_32_bits_too() {
        let beyond = |mode, gap| plan(&[(1, 1)], &scoring(mode, 1, gap), true).beyond;
        assert_eq!(beyond(Mode::Global, 1_000_000), [0; 0]);
        assert_eq!(beyond(Mode::Global, 50_000_000), [0]);
        assert_eq!(beyond(Mode::Local, 50_000_000), [0; 0]);
    }

    #[test]
    fn what_cannot_go_to_the_device_is_set_apart() {
        let plan = plan(&[(0, 5), (5, 0), (5, 5), (3000, 3000)], &scoring(Mode::Local, 1 << 20, 2), true);
        assert_eq!((plan.empty, plan.beyond, plan.planned.len()), (vec![0, 1], vec![3], 1));
    }
}
