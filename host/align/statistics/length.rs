//! The length adjustment: how much of a query and of each target cannot begin an alignment, as too little is left of it.
//!
//! With m the letters of the query, n those of all T targets, it is the largest whole number below the fixed point of
//!
//! ```text
//! f(l) = beta + alpha / lambda * (ln K + ln((m - l)(n - T l)))
//! ```
//!
//! for which K (m - l)(n - T l) > max(m, n). BLAST looks for it in at most 20 steps, and may miss it by one or two (for 17 of 52,000
//! random sizes); so does this, step by step (`BLAST_ComputeLengthAdjustment` in NCBI's `blast_stat.c`).

use super::Karlin;

/// BLAST's limit.
const STEPS_MAX: u32 = 20;

/// What the length adjustment depends on.
pub(super) struct Adjustment<'k> {
    pub karlin: &'k Karlin,
    pub query_length: u64,
    pub letters: u64,
    pub targets: u64,
}

impl Adjustment<'_> {
    /// The length adjustment; 0 where the sequences are too short for one.
    pub fn length(&self) -> u64 {
        let Some(most) = self.most() else { return 0 };
        let (least, most, has_converged) = self.narrow(most);
        // The whole number above may be below the fixed point, too.
        let above = least.ceil();
        let is_above = has_converged && above <= most && self.next(above) >= above;
        if is_above { above as u64 } else { least as u64 }
    }

    /// The largest number for which K (m - l)(n - T l) > max(m, n); none when 0 is too large.
    fn most(&self) -> Option<f64> {
        let [m, n, t] = self.sizes();
        let c = n * m - m.max(n) / self.karlin.k;
        let b = m * t + n;
        (c >= 0.0).then(|| 2.0 * c / (b + (b * b - 4.0 * t * c).sqrt()))
    }

    /// Bounds of the fixed point, and whether the lower one is at most 1 below it.
    fn narrow(&self, most: f64) -> (f64, f64, bool) {
        let (mut least, mut most, mut length) = (0.0, most, 0.0);
        for step in 0..STEPS_MAX {
            let next = self.next(length);
            if next >= length {
                least = length;
                if next - least <= 1.0 {
                    return (least, most, true);
                }
                if least == most {
                    break;
                }
            } else {
                most = length;
            }
            length = match (least..=most).contains(&next) {
                true => next,
                false if step == 0 => most,
                false => (least + most) / 2.0,
            };
        }
        (least, most, false)
    }

    /// The function f.
    fn next(&self, length: f64) -> f64 {
        let ([m, n, t], Karlin { lambda, k, alpha, beta, .. }) = (self.sizes(), self.karlin);
        let space = (m - length) * (n - t * length);
        alpha / lambda * (libm::log(*k) + libm::log(space)) + beta
    }

    fn sizes(&self) -> [f64; 3] {
        [self.query_length, self.letters, self.targets].map(|size| size as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length_with(row: ([i32; 2], i32, i32), query_length: u64, letters: u64, targets: u64) -> u64 {
        let karlin = &Karlin::of(row.0, row.1, row.2).unwrap();
        Adjustment { karlin, query_length, letters, targets }.length()
    }

    fn length(query_length: u64, letters: u64, targets: u64) -> u64 {
        length_with(([2, -3], 5, 2), query_length, letters, targets)
    }

    /// What `BLAST_ComputeLengthAdjustment` of BLAST+ 2.12.0 returned. The last two are 1 and 2 less than the largest length that
    /// the definition allows.
    #[test]
    fn lengths_are_those_of_ncbi() {
        let cases = [
            (([2, -3], 5, 2), [100, 10_000, 10], 14),
            (([2, -3], 5, 2), [1_000, 1_000_000, 100], 23),
            (([1, -1], 0, 2), [500, 1_000_000_000, 3_000_000], 124),
            (([5, -4], 8, 6), [5_000, 200_000, 1], 126),
            (([1, -3], 2, 2), [20, 100_000_000, 1_000], 15),
            (([3, -2], 5, 5), [40, 5_000, 50], 4),
            (([2, -3], 5, 2), [5, 5, 1], 0),
            (([1, -2], 1, 1), [1, 1_000_000, 3], 0),
            (([1, -1], 0, 2), [455, 251_096, 3_556], 62),
            (([3, -2], 5, 5), [297, 223, 4], 37),
        ];
        for (row, [query_length, letters, targets], expected) in cases {
            assert_eq!(
                length_with(row, query_length, letters, targets),
                expected,
                "{row:?} {query_length} {letters} {targets}"
            );
        }
    }

    #[test]
    fn it_leaves_something_of_query_and_targets() {
        for query_length in (0..400).chain([5_000, 100_000]) {
            for (letters, targets) in
                [(1, 1), (30, 3), (1_000, 1), (1_000, 100), (10_000_000, 1), (10_000_000, 100_000)]
            {
                let length = length(query_length, letters, targets);
                assert!(
                    length <= query_length && length * targets <= letters,
                    "{query_length} {letters} {targets}: {length}"
                );
            }
        }
    }
}
