//! Slices of a batch that pass through slots, several in flight.
//!
//! ```text
//! slice 0   slot 0   begin | ......... | collect
//! slice 1   slot 1         | begin | ......... | collect
//! slice 2   slot 0                             | begin | ...
//! ```
//!
//! A slot is what one slice needs for itself: a stream, device memory, pinned memory. With one slot nothing overlaps, which is
//! how stages are timed. The next slice is cut while the device works on those before it.

use std::collections::VecDeque;

/// A batch that passes through slots.
pub trait Slices {
    /// What is begun.
    type Slice;
    /// What is left to collect.
    type Begun;
    /// What goes wrong.
    type Error;

    /// The next slice; `None` when no more are to be begun.
    ///
    /// # Errors
    /// Ends the batch.
    fn next(&mut self) -> Result<Option<Self::Slice>, Self::Error>;

    /// Queues the work on a slice in slot `at`, which is idle.
    ///
    /// # Errors
    /// Ends the batch.
    fn begin(&mut self, at: usize, slice: Self::Slice) -> Result<Self::Begun, Self::Error>;

    /// Waits for the slice in slot `at` and takes its results.
    ///
    /// # Errors
    /// Ends the batch.
    fn collect(&mut self, at: usize, begun: Self::Begun) -> Result<(), Self::Error>;
}

/// Passes a batch through so many `slots`. Slices are collected in their order. After an error the other slices are in flight
/// still; the [`scope`](crate::scope::scope) around this waits for them.
///
/// # Errors
/// The first of `slices`.
pub fn pass_through<S: Slices>(slots: usize, slices: &mut S) -> Result<(), S::Error> {
    let mut under_way = VecDeque::with_capacity(slots);
    let mut turns = (0..slots).cycle();
    while let Some(slice) = slices.next()? {
        if under_way.len() == slots
            && let Some((at, begun)) = under_way.pop_front()
        {
            slices.collect(at, begun)?;
        }
        let at = turns.next().expect("there is a slot");
        under_way.push_back((at, slices.begin(at, slice)?));
    }
    under_way.into_iter().try_for_each(|(at, begun)| slices.collect(at, begun))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes down what happens; slice `fails` cannot be collected.
    struct Log {
        left: u32,
        fails: u32,
        said: Vec<String>,
    }

    impl Slices for Log {
        type Slice = u32;
        type Begun = u32;
        type Error = u32;

        fn next(&mut self) -> Result<Option<u32>, u32> {
            self.left = self.left.wrapping_sub(1);
            Ok((self.left < 9).then_some(self.left))
        }

        fn begin(&mut self, at: usize, slice: u32) -> Result<u32, u32> {
            self.said.push(format!("+{slice}@{at}"));
            Ok(slice)
        }

        fn collect(&mut self, at: usize, slice: u32) -> Result<(), u32> {
            self.said.push(format!("-{slice}@{at}"));
            if slice == self.fails { Err(slice) } else { Ok(()) }
        }
    }

    fn said(slots: usize, slices: u32, fails: u32) -> String {
        let mut log = Log { left: slices, fails, said: Vec::new() };
        assert_eq!(pass_through(slots, &mut log), if fails < slices { Err(fails) } else { Ok(()) });
        log.said.join(" ")
    }

    #[test]
    fn slots_take_turns_and_slices_are_collected_in_order() {
        assert_eq!(said(1, 2, 9), "+1@0 -1@0 +0@0 -0@0");
        assert_eq!(said(2, 4, 9), "+3@0 +2@1 -3@0 +1@0 -2@1 +0@1 -1@0 -0@1");
        assert_eq!(said(3, 2, 9), "+1@0 +0@1 -1@0 -0@1");
        assert_eq!(said(3, 0, 9), "");
    }

    #[test]
    fn an_error_ends_the_batch() {
        assert_eq!(said(2, 4, 2), "+3@0 +2@1 -3@0 +1@0 -2@1");
    }
}
