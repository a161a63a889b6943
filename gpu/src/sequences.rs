//! Which sequence a number belongs to, where symbols, halves, pieces or windows are numbered through all sequences: `firsts[r]`
//! of them come before those of sequence r.

use cuda_std::Global;

/// The sequence that holds `number`: the last r with `firsts[r] <= number`. `number` is below the last element of
/// `firsts`.
#[inline(always)]
pub fn holding(firsts: &Global<u32>, number: u32) -> u32 {
    holding_of(firsts, firsts.len() as u32 - 1, number)
}

/// The same of the first `count` sequences, to the last of which belongs whatever comes behind.
#[inline(always)]
pub fn holding_of(firsts: &Global<u32>, count: u32, number: u32) -> u32 {
    let (mut low, mut high) = (0, count);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if firsts.read(middle) <= number {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}
