//! What all lanes have in common: scores, costs, and how a number stands for a score.

use super::alphabet::{Alphabet, Scores};
use super::strip::Costs;
use super::vector::{Lane, Vector};
use crate::{Mode, Scoring, Stop};

/// The smallest number of a lane stands for the score `least`, the next one for `least + 1`, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    pub least: i64,
}

impl Scale {
    /// The number that stands for `score`, or the nearest one.
    pub fn number<T: Lane>(self, score: i64) -> T {
        let number = i128::from(score) - i128::from(self.least) + i128::from(T::LEAST);
        T::clamped(number.clamp(i128::from(T::LEAST), i128::from(T::MOST)) as i64)
    }

    /// The score that `number` stands for.
    pub fn score<T: Lane>(self, number: T) -> i64 {
        number.wide().wrapping_sub(T::LEAST).wrapping_add(self.least)
    }
}

/// Scoring, ready for lanes.
pub struct Question<'a, V> {
    pub proof: V,
    pub scoring: &'a Scoring,
    pub alphabet: &'a Alphabet,
    pub scale: Scale,
}

impl<V: Vector> Question<'_, V> {
    /// The same score in all lanes.
    pub fn number(&self, score: i64) -> V {
        self.proof.splat(self.scale.number(score))
    }

    /// The costs, for lanes whose scores count from 0.
    pub fn costs(&self) -> Costs<V> {
        let plain = |number| self.proof.splat(V::Lane::clamped(number));
        let gap = self.scoring.gap;
        let (open, extend) = (plain(i64::from(gap.open)), plain(i64::from(gap.extend)));
        let zero = if self.scoring.mode == Mode::Local { self.number(0) } else { plain(V::Lane::LEAST) };
        let [equal, different] = match self.alphabet.scores {
            Scores::Classes { equal, different } => [equal, different].map(|score| plain(i64::from(score))),
            Scores::Table { .. } => [self.proof; 2],
        };
        Costs { open, extend, zero, equal, different }
    }

    /// The value of the cells where a traceback stops at once: 0, or a number that no cell has.
    pub fn stop(&self, costs: &Costs<V>) -> V {
        match self.scoring.stop {
            Stop::AtZero => costs.zero,
            Stop::ThroughZero => self.proof.splat(V::Lane::clamped(V::Lane::MOST)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_for_scores() {
        let scale = Scale { least: -5 };
        assert_eq!([-6, -5, 0, 250, 251].map(|score| scale.number::<i8>(score)), [-128, -128, -123, 127, 127]);
        assert_eq!(scale.score::<i8>(127), 250);
        let plain = Scale { least: i64::MIN };
        for score in [i64::MIN, -1, 0, 1, i64::MAX] {
            assert_eq!(plain.number::<i64>(score), score);
            assert_eq!(plain.score(score), score);
        }
        let far = Scale { least: -3 << 40 };
        for score in [-3 << 40, 0, 5 << 41] {
            assert_eq!(far.score(far.number::<i64>(score)), score);
        }
    }
}
