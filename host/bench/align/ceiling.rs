//! The shortest time for cells: a bound by the instruction pipe that most instructions of a step share.
//!
//! A step computes two cells of different pairs, 16 bits each. Additions have a pipe of their own. The other instructions share
//! one, which takes 64 lanes per clock on each multiprocessor:
//!
//! ```text
//!                                             linear   affine
//! PRMT         two residues' scores                 1        1
//! VIADDMNMX    E from H and E, one             1        1
//! VIADDMNMX    F from H and F, one             1        1
//! VIMNMX3      H of diagonal, E and F                       1
//!              sum                                 3        4
//! VIMNMX3      local: the maximum, two steps     0.5      0.5
//!
//! cells per second = 2 * 64 * multiprocessors * clock / instructions
//! ```
//!
//! Linear gaps need no separate E and F: the two additions with a maximum make H. On an H100 (132 multiprocessors, 1.98 GHz)
//! that is 9.56 TCUPS for local scores with linear gaps, and 7.43 with affine ones. Pairs beyond 16 bits take a step for each
//! cell and reach at most half. Paths take more instructions, and a call must copy the residues to the device.

use crate::align::{Mode, Scoring};
use crate::bench::machine::CLOCKS;

/// Lane-instructions per second of the shared pipe.
const PIPE_RATE: f64 = 64.0 * CLOCKS;
/// Instructions of a step that use it.
const LINEAR: f64 = 3.0;
const AFFINE: f64 = 4.0;
const MAXIMUM: f64 = 0.5;

/// The largest number of cells per second.
pub fn rate(scoring: &Scoring) -> f64 {
    let step = if scoring.is_linear() { LINEAR } else { AFFINE };
    let maximum = if scoring.mode == Mode::Local { MAXIMUM } else { 0.0 };
    2.0 * PIPE_RATE / (step + maximum)
}

/// The smallest number of milliseconds for `cells` cells.
pub fn kernel_ms(cells: u64, scoring: &Scoring) -> f64 {
    cells as f64 / rate(scoring) * 1e3
}

#[cfg(test)]
mod tests {
    use super::super::rules::{Mode, Options};
    use super::*;

    #[test]
    fn the_ceilings_of_an_h100() {
        let tcups = |gap_open, mode| {
            let options = Options { gap_open: Some(gap_open), gap_extend: Some(2), ..Options::default() };
            let scoring = options.rules(mode).unwrap().scoring().unwrap();
            (rate(&scoring) / 1e10).round() / 100.0
        };
        assert_eq!([tcups(2, Mode::Local), tcups(5, Mode::Local)], [9.56, 7.43]);
        assert_eq!([tcups(2, Mode::Global), tcups(5, Mode::Fit)], [11.15, 8.36]);
    }
}
