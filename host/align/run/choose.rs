//! Which of a query's targets are reported, and which comes first: highest score, then the order of the targets.

use std::cmp::Reverse;

/// A pair to be reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Its place among the pairs of its query.
    pub place: usize,
    /// Whether it is the best pair of its query.
    pub primary: bool,
}

/// The `top` best of a query's pairs, best first; all of them, in their order, without `top`.
pub fn choose(scores: &[i64], top: Option<usize>) -> Vec<Chosen> {
    let Some(top) = top else {
        let best = (0..scores.len()).min_by_key(|&place| Reverse(scores[place]));
        return (0..scores.len()).map(|place| Chosen { place, primary: Some(place) == best }).collect();
    };
    let mut places: Vec<usize> = (0..scores.len()).collect();
    places.sort_by_key(|&place| Reverse(scores[place]));
    places.truncate(top);
    places.into_iter().enumerate().map(|(rank, place)| Chosen { place, primary: rank == 0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(scores: &[i64], top: Option<usize>) -> Vec<(usize, bool)> {
        choose(scores, top).into_iter().map(|Chosen { place, primary }| (place, primary)).collect()
    }

    #[test]
    fn the_best_come_first_and_equals_keep_their_order() {
        let scores = [3, 7, -2, 7, 5];
        assert_eq!(chosen(&scores, Some(3)), [(1, true), (3, false), (4, false)]);
        assert_eq!(chosen(&scores, Some(9)), [(1, true), (3, false), (4, false), (0, false), (2, false)]);
        assert_eq!(chosen(&scores, None), [(0, false), (1, true), (2, false), (3, false), (4, false)]);
        assert_eq!(chosen(&[], None), []);
        assert_eq!(chosen(&[], Some(1)), []);
    }
}
