//! How far scores can reach, and so how wide the lanes must be.
//!
//! # Bounds
//!
//! Let s be the largest score of two residues or 0, gap(n) the cost of n gap symbols. A path has at most min(m, n) diagonal
//! steps, so no H is above s * min(m, n). H is at least 0 in local mode; else the path down the border and then straight right
//! gives H >= -(gap(m) + gap(n)). E, F and all candidates are at most one opening, one extension and one score of residues
//! below a cell.
//!
//! Inside a tile all scores count from the corner above left. Moving to a neighbour costs at most one opening. Moving back
//! gives at most s + open: take the last row or column out of the best path; what it aligned was worth at most s, and what
//! stood against it becomes a gap.
//!
//! # Lanes of 8 and 16 bits may stop short
//!
//! A local score is rarely near its bound. Where the costs fit the lane, it is tried: numbers saturate only at the top, and
//! the largest number then is the maximum, which says that the pair needs wider lanes.

use super::alphabet::Alphabet;
use super::vector::Lane;
use crate::{Gap, Mode, Scoring};

/// The smallest and the largest number that the lanes must hold, as scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    pub least: i64,
    pub most: i64,
}

impl Reach {
    /// Of a pair of these lengths.
    pub fn of_pair(scoring: &Scoring, alphabet: &Alphabet, [rows, columns]: [usize; 2]) -> Self {
        let Gap { open, extend } = scoring.gap;
        let most = alphabet.largest.max(0).saturating_mul(rows.min(columns) as i64);
        let slack = i64::from(open) + i64::from(extend) - alphabet.smallest;
        let border = match scoring.mode {
            Mode::Local => 0,
            _ => scoring.gap.cost(rows).saturating_add(scoring.gap.cost(columns)),
        };
        Self { least: (-border).saturating_sub(slack), most }
    }

    /// Of a tile of `side` rows and columns, counted from its corner.
    pub fn of_tile(scoring: &Scoring, alphabet: &Alphabet, side: usize) -> Self {
        let Gap { open, extend } = scoring.gap;
        let step = alphabet.largest.max(0) + i64::from(open);
        let slack = i64::from(open) + i64::from(extend) - alphabet.smallest;
        Self { least: -2 * scoring.gap.cost(side) - step - slack, most: 2 * side as i64 * step }
    }

    /// Whether lanes of this type hold all of it and a number beyond, when the least number stands for `least`.
    pub fn fits<T: Lane>(&self) -> bool {
        i128::from(self.most) - i128::from(self.least) < i128::from(T::MOST) - i128::from(T::LEAST)
    }

    /// Whether lanes of this type hold all of it and a number beyond on either side, when numbers stand for themselves.
    pub fn fits_plain<T: Lane>(&self) -> bool {
        T::LEAST < self.least && self.most < T::MOST
    }
}

/// Whether lanes of this type hold every score of residues and every cost.
pub fn holds_costs<T: Lane>(scoring: &Scoring, alphabet: &Alphabet) -> bool {
    let Gap { open, extend } = scoring.gap;
    let costs = [alphabet.smallest, alphabet.largest, i64::from(open), i64::from(extend)];
    costs.iter().all(|cost| (T::LEAST..=T::MOST).contains(cost))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::tests::literal;
    use crate::{Batch, Sequences};

    fn alphabet(scoring: &Scoring) -> Alphabet {
        let residues: Sequences = [b"ACGT"].into_iter().collect();
        Alphabet::new(&Batch::new(&residues, &residues, &[]), scoring)
    }

    #[test]
    fn bounds_of_pairs() {
        let local = literal(2, -3, (5, 1));
        let global = Scoring { mode: Mode::Global, ..local.clone() };
        let alphabet = alphabet(&local);
        assert_eq!(Reach::of_pair(&local, &alphabet, [10, 7]), Reach { least: -9, most: 14 });
        assert_eq!(Reach::of_pair(&global, &alphabet, [10, 1]), Reach { least: -14 - 5 - 9, most: 2 });
        assert_eq!(Reach::of_tile(&local, &alphabet, 64), Reach { least: -2 * 68 - 7 - 9, most: 2 * 64 * 7 });
    }

    #[test]
    fn bounds_beyond_64_bits_stay_at_their_end() {
        let most = i32::MAX;
        let global = Scoring { mode: Mode::Global, ..literal(most, -most, (most, most)) };
        let alphabet = alphabet(&global);
        let longest = u32::MAX as usize;
        let exact = |symbols: usize| i128::from(most) * symbols as i128;
        assert_eq!(i128::from(global.gap.cost(longest)), exact(longest));
        let reach = Reach::of_pair(&global, &alphabet, [longest / 2, 1]);
        assert_eq!(i128::from(reach.least), -exact(longest / 2) - exact(4));
        assert!(!reach.fits::<i32>() && reach.most == i64::from(most));
        let both = Reach::of_pair(&global, &alphabet, [longest; 2]);
        assert!(both.least == i64::MIN && !both.fits::<i32>());
    }

    #[test]
    fn lanes_hold_what_fits() {
        assert!(Reach { least: -5, most: 249 }.fits::<i8>());
        assert!(!Reach { least: -5, most: 250 }.fits::<i8>());
        assert!(Reach { least: -127, most: 126 }.fits_plain::<i8>());
        assert!(!Reach { least: -128, most: 0 }.fits_plain::<i8>());
        assert!(!Reach { least: 0, most: 127 }.fits_plain::<i8>());
        assert!(Reach { least: -1 << 62, most: 1 << 62 }.fits::<i64>());
        let scoring = literal(1, -129, (2, 2));
        assert!(!holds_costs::<i8>(&scoring, &alphabet(&scoring)));
        assert!(holds_costs::<i16>(&scoring, &alphabet(&scoring)));
    }
}
