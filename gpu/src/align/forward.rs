//! The forward pass of one group of lanes over one strip.
//!
//! ```text
//! place (packed_pair, strip, steps) -> profile (shared memory) -> lanes: a row a step -> best cells, last rows, checkpoints
//! ```

mod codes;
mod lane;
mod place;
mod profile;

use super::cell::{Best, Scores};
use crate::abi::ForwardArgs;
use cuda_std::{Shared, warp};
use lane::Lane;
use place::Place;

/// What one launch of the forward pass is compiled for.
pub trait Kind {
    type Scores: Scores;
    const AFFINE: bool;
    const LOCAL: bool;
    /// Checkpoints are saved; otherwise the best cell's column is found from copies of the best rows.
    const SAVED: bool;
}

/// Bytes of shared memory of a warp: profiles, copies of the best rows, the code of each letter.
pub const fn shared_bytes(codes: u32, columns: u32, pairs: u32, saved: bool) -> u32 {
    let copies = if saved { 0 } else { pairs * 32 * columns * 2 };
    pairs * (codes + 1) * 32 * columns + copies + codes::BYTES
}

/// Aligns the item of this lane's group. All lanes of the warp call.
#[inline(always)]
pub fn align<K: Kind, const R: usize>(args: &ForwardArgs, group: u32) {
    let items = args.items.len() as u32;
    // A group without an item goes along with the last one, and writes nothing.
    let item = group.min(items - 1);
    let mut place = Place::new::<K>(args, item);
    if group >= items {
        (place.end, place.lengths) = (0, [0; 2]);
    }
    let pairs = K::Scores::PAIRS;
    let profile = Shared::at(0, pairs * (args.rules.codes + 1) * 32 * (R as u32 / 16));
    let codes = codes::copy_codes(args, shared_bytes(args.rules.codes, R as u32, pairs, K::SAVED) - codes::BYTES);
    profile::build::<K, R>(args, &place, item, &profile);
    let mut lane = Lane::<K, R>::new(args, place, profile, codes);
    lane.run();
    lane.finish();
}

/// The end among the cells of a group of `width` lanes. All lanes of the warp call.
#[inline(always)]
pub fn first_of_group(mut best: Best, width: u32) -> Best {
    let mut apart = width / 2;
    while apart > 0 {
        let other = Best {
            score: warp::shuffle_xor(best.score as u32, apart) as i32,
            row: warp::shuffle_xor(best.row, apart),
            column: warp::shuffle_xor(best.column, apart),
        };
        if other.before(&best) {
            best = other;
        }
        apart /= 2;
    }
    best
}
