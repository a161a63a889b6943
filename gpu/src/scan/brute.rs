//! Every pattern at every position: what one warp does.
//!
//! ```text
//! lane l takes positions b + l, b + l + 32, ...: 8 windows of 32 digits, in registers
//! for each pattern: its probe, 32 digits in a row, against each window; where few enough differ, the rest
//! ```

use super::cell;
use super::search::{Candidate, Search};
use crate::abi::BruteArgs;
use crate::tuning::BRUTE_POSITIONS;
use cuda_std::{U32x4, warp};

/// Tries every pattern at positions `base + 32 k` of each lane, for k below `BRUTE_POSITIONS`. `base` differs by lane.
#[inline(always)]
pub fn brute(args: &BruteArgs, search: &Search, base: u32) {
    let read = |k: u32| {
        // A window past the end is replaced by the last one. Its positions are left out below.
        search.digits_at(if base + 32 * k < args.end { base + 32 * k } else { args.end - 1 })
    };
    let windows = [read(0), read(1), read(2), read(3), read(4), read(5), read(6), read(7)];
    let tried = args.tried.len() as u32;
    let mut q = 0;
    while q < tried {
        let U32x4([pattern, before, most, _]) = args.tried.read(q);
        let U32x4([low, high, wild, _]) = args.probes.read(q);
        let mut similar = 0;
        unroll!(k in 0 1 2 3 4 5 6 7; {
            similar |= u32::from(cell::differ(windows[k], [low, high, wild]).count_ones() <= most) << k;
        });
        if warp::ballot(similar != 0) != 0 {
            let mut k = 0;
            while k < BRUTE_POSITIONS {
                let at = base + 32 * k;
                search.confirm(similar >> k & 1 == 1 && at < args.end, Candidate { at, pattern, before });
                k += 1;
            }
            if search.is_full() {
                break;
            }
        }
        q += 1;
    }
}
