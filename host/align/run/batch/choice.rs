//! Which pairs of a query are reported, and which of them is primary.

use crate::Pair;
use std::cmp::Reverse;
use std::ops::Range;

/// The places of the pairs of each query. Those of one query stand together.
pub(super) fn of_queries(pairs: &[Pair]) -> impl Iterator<Item = Range<usize>> {
    pairs.chunk_by(|a, b| a.query == b.query).scan(0, |end, pairs| {
        let start = *end;
        *end += pairs.len();
        Some(start..*end)
    })
}

/// The places of the `top` best of a query's scores, best first, equal ones in their order; of all, in their order, without `top`.
pub(super) fn choose(scores: &[i64], top: Option<usize>) -> Vec<usize> {
    let mut places: Vec<usize> = (0..scores.len()).collect();
    if let Some(top) = top {
        places.sort_by_key(|&place| Reverse(scores[place]));
        places.truncate(top);
    }
    places
}

/// Whether each pair is the primary one of its query: the best of those that are placed, or if none is, the best one.
pub(super) fn primary(pairs: &[Pair], scores: &[i64], placed: &[bool]) -> Vec<bool> {
    let mut primary = vec![false; pairs.len()];
    for places in of_queries(pairs) {
        let first = places.min_by_key(|&k| (!placed[k], Reverse(scores[k])));
        primary[first.expect("a query has pairs")] = true;
    }
    primary
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
