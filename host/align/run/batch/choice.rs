//! Which pairs of a query are reported, and which of them is primary.

use crate::Pair;
use std::cmp::Reverse;
use std::ops::Range;

/// The places of the pairs of each query. Those of one query stand together.
pub fn of_queries(pairs: &[Pair]) -> impl Iterator<Item = Range<usize>> {
    pairs.chunk_by(|a, b| a.query == b.query).scan(0, |end, pairs| {
        let start = *end;
        *end += pairs.len();
        Some(start..*end)
    })
}

/// The places of the `top` best of a query's scores, best first, equal ones in their order; of all, in their order, without `top`.
pub fn choose(scores: &[i64], top: Option<usize>) -> Vec<usize> {
    let mut places: Vec<usize> = (0..scores.len()).collect();
    if let Some(top) = top {
        places.sort_by_key(|&place| Reverse(scores[place]));
        places.truncate(top);
    }
    places
}

/// The place of a query's primary alignment: the best of those that are placed, or if none is, the best one. Of each it is said
/// whether it is placed, and its score. `None`: there is no alignment.
pub fn primary(alignments: impl Iterator<Item = (bool, i64)>) -> Option<usize> {
    let ranked = alignments.enumerate().min_by_key(|&(_, (is_placed, score))| (!is_placed, Reverse(score)));
    ranked.map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_come_first_and_equals_keep_their_order() {
        let scores = [3, 7, -2, 7, 5];
        assert_eq!(choose(&scores, Some(3)), [1, 3, 4]);
        assert_eq!(choose(&scores, Some(9)), [1, 3, 4, 0, 2]);
        assert_eq!(choose(&scores, None), [0, 1, 2, 3, 4]);
        assert!(choose(&[], None).is_empty());
        assert!(choose(&[], Some(1)).is_empty());
    }

    #[test]
    fn pairs_of_a_query_stand_together() {
        let pairs = [(3, 0), (3, 1), (4, 0), (7, 0), (7, 1)].map(|(query, target)| Pair { query, target });
        assert_eq!(of_queries(&pairs).collect::<Vec<_>>(), [0..2, 2..3, 3..5]);
        assert_eq!(of_queries(&[]).count(), 0);
    }
}
