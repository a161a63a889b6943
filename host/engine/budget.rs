//! How much device memory a run may take, and what to do when that was too much.
//!
//! A budget is what was free at the start, less a reserve: the driver takes memory for itself as kernels are loaded, and
//! other programs may come. Whatever the budget says, an allocation can fail; then [`halving`] tries again with half as
//! many items, down to the fewest that make sense, and an item that cannot fit alone goes to the CPU engine.

use crate::error::{Error, Result};

/// The least reserve, in bytes.
const RESERVE: usize = 256 << 20;
/// One part in this many of what is free is kept in reserve.
const RESERVE_PART: usize = 20;

/// Device memory that a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    bytes: usize,
}

impl Budget {
    /// What may be taken of `free` bytes, and at most `limit` bytes where the user set one.
    pub fn new(free: usize, limit: Option<usize>) -> Self {
        let reserve = RESERVE.max(free / RESERVE_PART);
        Self { bytes: free.saturating_sub(reserve).min(limit.unwrap_or(usize::MAX)) }
    }

    /// Bytes that may be taken in all.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Bytes for each of `parts` > 0 equal users.
    pub fn share(&self, parts: usize) -> usize {
        self.bytes / parts
    }
}

/// Calls `attempt` with `len`, then with half as many (rounded up) each time it runs out of memory, never fewer than
/// `least`. Answers the length that worked and what came of it.
///
/// # Errors
/// A [shortage](crate::error::DeviceError::is_shortage) when `least` did not fit either; any other error of `attempt` at once.
pub fn halving<T>(len: usize, least: usize, mut attempt: impl FnMut(usize) -> Result<T>) -> Result<(usize, T)> {
    let mut len = len;
    loop {
        match attempt(len) {
            Ok(value) => return Ok((len, value)),
            Err(Error::Device(error)) if error.is_shortage() && len > least.max(1) => len = len.div_ceil(2).max(least),
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::DeviceError;

    fn full(bytes: usize) -> Error {
        DeviceError::OutOfMemory { device: "cuda:0".into(), bytes }.into()
    }

    #[test]
    fn the_reserve_is_a_part_but_never_too_small() {
        assert_eq!(Budget::new(100 << 30, None).bytes(), 95 << 30);
        assert_eq!(Budget::new(1 << 30, None).bytes(), (1 << 30) - RESERVE);
        assert_eq!(Budget::new(RESERVE - 1, None).bytes(), 0);
    }

    #[test]
    fn a_limit_lowers_the_budget_and_never_raises_it() {
        assert_eq!(Budget::new(100 << 30, Some(1 << 30)).bytes(), 1 << 30);
        assert_eq!(Budget::new(100 << 30, Some(usize::MAX)), Budget::new(100 << 30, None));
        assert_eq!(Budget::new(100 << 30, Some(10)).share(3), 3);
    }

    #[test]
    fn halves_until_it_fits() {
        let mut tried = Vec::new();
        let found = halving(100, 1, |len| {
            tried.push(len);
            if len > 13 { Err(full(len)) } else { Ok(len * 2) }
        });
        assert_eq!(found.unwrap(), (13, 26));
        assert_eq!(tried, [100, 50, 25, 13]);
    }

    #[test]
    fn stops_at_the_least() {
        for (len, least, last) in [(100, 30, 30), (100, 1, 1), (100, 0, 1), (3, 7, 3), (0, 0, 0)] {
            let mut tried = Vec::new();
            let failed = halving::<()>(len, least, |len| {
                tried.push(len);
                Err(full(len))
            });
            assert_eq!(failed.unwrap_err().to_string(), full(last).to_string(), "len {len}, least {least}");
            assert_eq!(tried.last(), Some(&last));
        }
    }

    #[test]
    fn other_errors_are_not_tried_again() {
        let mut tries = 0;
        let failed = halving::<()>(100, 1, |_| {
            tries += 1;
            Err(DeviceError::Fault("bounds".into()).into())
        });
        assert_eq!((failed.unwrap_err().to_string().as_str(), tries), ("bounds", 1));
    }
}
