//! The best targets of one query so far: offers come in any order, from any thread, and twice as many as are wanted are kept
//! before the worse half goes. Memory grows with what is kept.

use super::super::Scored;
use std::cmp::Reverse;
use std::sync::{Mutex, MutexGuard};

/// Fewer are not worth choosing among. Each choice raises the least score, so even of one target there are few choices.
const FEW: usize = 16;

/// See the module.
pub struct Chosen {
    top: usize,
    /// Nothing below this is kept.
    least: i64,
    scored: Vec<Scored>,
}

/// The better ones first.
fn rank(scored: &Scored) -> (Reverse<i64>, u32) {
    (Reverse(scored.score), scored.target)
}

impl Chosen {
    /// Nothing yet; `top` targets of at least the score `least` are wanted.
    pub fn new(top: usize, least: i64) -> Self {
        Self { top, least, scored: Vec::new() }
    }

    /// Keeps a target, if it may be among the best and is wanted.
    pub fn offer(&mut self, scored: Scored, is_wanted: impl FnOnce() -> bool) {
        if scored.score < self.least || !is_wanted() {
            return;
        }
        if self.scored.len() >= self.top.max(FEW).saturating_mul(2) {
            self.shrink();
        }
        self.scored.push(scored);
    }

    /// Drops all but the best. Equal ones may follow that come before the last of them.
    fn shrink(&mut self) {
        if self.top < self.scored.len() {
            let (_, last, _) = self.scored.select_nth_unstable_by_key(self.top, rank);
            self.least = last.score;
            self.scored.truncate(self.top);
        }
    }

    /// The best, in the order of the database.
    pub fn finish(mut self) -> Vec<Scored> {
        self.shrink();
        self.scored.sort_unstable_by_key(|scored| scored.target);
        self.scored
    }
}

/// What one query keeps, for one thread at a time.
pub fn locked(chosen: &Mutex<Chosen>) -> MutexGuard<'_, Chosen> {
    chosen.lock().expect("no thread panics while it offers")
}

/// What one query keeps, once all threads are done.
pub fn unlocked(chosen: Mutex<Chosen>) -> Chosen {
    chosen.into_inner().expect("no thread panics while it offers")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_kept_and_the_first_of_equal_ones() {
        for top in [0, 1, 2, 7, 300, 999, 1000, 5000, usize::MAX] {
            for least in [0, 3, 100] {
                let all: Vec<Scored> =
                    (0..1000).map(|target| Scored { target, score: i64::from(target * 37 % 11) }).collect();
                let mut chosen = Chosen::new(top, least);
                (0..1000).for_each(|k| chosen.offer(all[k * 611 % 1000], || true));
                assert!(chosen.scored.len() <= 1000.min(top.max(FEW).saturating_mul(2)));
                let mut expected: Vec<Scored> = all.iter().filter(|scored| scored.score >= least).copied().collect();
                expected.sort_by_key(|scored| -scored.score);
                expected.truncate(top);
                expected.sort_by_key(|scored| scored.target);
                assert_eq!(chosen.finish(), expected, "the top {top} of at least {least}");
            }
        }
    }
}
