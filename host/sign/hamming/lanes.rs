//! Distances to eight targets at a time.

/// Targets that are compared side by side.
pub const LANES: usize = 8;

/// Bits in which a query differs from each target of a group.
#[inline(always)]
pub fn distances(query: &[u64], group: &[[u64; LANES]]) -> [u64; LANES] {
    let mut sums = [0; LANES];
    for (&word, targets) in query.iter().zip(group) {
        for (sum, target) in sums.iter_mut().zip(targets) {
            *sum += u64::from((target ^ word).count_ones());
        }
    }
    sums
}

/// Whether any distance is below `below`.
#[inline(always)]
pub fn any_below(distances: &[u64; LANES], below: u64) -> bool {
    distances.iter().fold(false, |any, &distance| any | (distance < below))
}
