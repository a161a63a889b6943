//! Packed 16-bit arithmetic with ordinary integers, for the host and for GPUs before sm_90.

/// Applies `op` to the low halves and to the high halves.
#[inline(always)]
fn halves(a: u32, b: u32, op: impl Fn(i32, i32) -> i32) -> u32 {
    let low = op(i32::from(a as i16), i32::from(b as i16)) as u32 & 0xffff;
    let high = op(a as i32 >> 16, b as i32 >> 16) as u32;
    high << 16 | low
}

#[inline(always)]
pub fn packed_add(a: u32, b: u32) -> u32 {
    halves(a, b, i32::wrapping_add)
}

#[inline(always)]
pub fn packed_max(a: u32, b: u32) -> u32 {
    halves(a, b, i32::max)
}

#[inline(always)]
pub fn packed_max_zero(a: u32, b: u32) -> u32 {
    packed_max(packed_max(a, b), 0)
}

#[inline(always)]
pub fn packed_add_max(a: u32, b: u32, c: u32) -> u32 {
    packed_max(packed_add(a, b), c)
}

#[inline(always)]
pub fn packed_add_max_zero(a: u32, b: u32, c: u32) -> u32 {
    packed_max_zero(packed_add(a, b), c)
}

#[inline(always)]
pub fn packed_max3(a: u32, b: u32, c: u32) -> u32 {
    packed_max(packed_max(a, b), c)
}

#[inline(always)]
pub fn packed_max3_zero(a: u32, b: u32, c: u32) -> u32 {
    packed_max_zero(packed_max(a, b), c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::splat;

    /// High half, low half.
    fn pair(high: i16, low: i16) -> u32 {
        u32::from(high as u16) << 16 | u32::from(low as u16)
    }

    #[test]
    fn halves_do_not_meet() {
        assert_eq!(packed_add(pair(-1, -1), pair(1, 2)), pair(0, 1));
        assert_eq!(packed_add(pair(5, i16::MAX), pair(6, 1)), pair(11, i16::MIN));
        assert_eq!(packed_add(splat(-3), splat(2)), splat(-1));
    }

    #[test]
    fn maxima_are_signed() {
        assert_eq!(packed_max(pair(-5, 3), pair(2, -7)), pair(2, 3));
        assert_eq!(packed_max_zero(pair(-5, 3), pair(-2, -7)), pair(0, 3));
        assert_eq!(packed_add_max(pair(-5, 3), pair(1, 1), pair(-6, 9)), pair(-4, 9));
        assert_eq!(packed_add_max_zero(pair(-5, 3), pair(1, 1), pair(-6, 9)), pair(0, 9));
        assert_eq!(packed_max3(pair(1, -9), pair(2, -8), pair(3, -10)), pair(3, -8));
        assert_eq!(packed_max3_zero(pair(1, -9), pair(2, -8), pair(3, -10)), pair(3, 0));
    }
}
