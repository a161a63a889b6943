//! Lists cut into pieces that are about as much work.

use std::ops::Range;

/// Cuts a list into pieces that weigh `limit`, or as much more as their last item does.
pub fn pieces(weights: impl IntoIterator<Item = usize>, limit: usize) -> Vec<Range<usize>> {
    let (mut pieces, mut start, mut end, mut weighs) = (Vec::new(), 0, 0, 0_usize);
    for weight in weights {
        (end, weighs) = (end + 1, weighs.saturating_add(weight));
        if weighs >= limit {
            pieces.push(start..end);
            (start, weighs) = (end, 0);
        }
    }
    if start < end {
        pieces.push(start..end);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_in_one_piece() {
        assert_eq!(pieces([], 10), [0..0; 0]);
        assert_eq!(pieces([4, 5], 10), std::slice::from_ref(&(0..2)));
        assert_eq!(pieces([5, 5, 30, 0, 5], 10), [0..2, 2..3, 3..5]);
        assert_eq!(pieces([usize::MAX, usize::MAX], 10), [0..1, 1..2]);
    }
}
