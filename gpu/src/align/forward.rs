//! The forward pass of one group of lanes over one strip.
//!
//! ```text
//! place (packed pair, strip, steps) -> profile (shared memory) -> lanes: a row per step -> best cells, last rows, checkpoints
//! ```

mod lane;
mod place;
mod profile;

use super::cell::{Best, Scores};
use crate::abi::ForwardArgs;
use cuda_std::{Shared, SharedMemory, U32x4, warp};
use lane::Lane;
use place::Place;

/// Stands for a residue outside a sequence.
const PADDING: u32 = 256;

/// Shared memory for the codes of all residues and of `PADDING`.
const CODE_BYTES: u32 = (PADDING + 1).next_multiple_of(16);

/// What the forward pass is compiled for.
pub trait Kind {
    type Scores: Scores;
    const AFFINE: bool;
    const LOCAL: bool;
    /// Whether checkpoints are saved. If not, the best cell's column is found in copies of the best rows.
    const SAVED: bool;
}

/// Bytes of shared memory of a warp.
pub const fn shared_bytes(codes: u32, columns: u32, pairs: u32, saved: bool) -> u32 {
    (profile_len(codes, columns, pairs) + copies_len(columns, pairs, saved)) * 16 + CODE_BYTES
}

/// Elements of the profiles, which have rows for the codes in use and for the padding's.
const fn profile_len(codes: u32, columns: u32, pairs: u32) -> u32 {
    pairs * (codes + 1) * 32 * (columns / 16)
}

/// Elements of the copies of the best rows: 16 bits per score.
const fn copies_len(columns: u32, pairs: u32, saved: bool) -> u32 {
    if saved { 0 } else { pairs * 32 * (columns / 8) }
}

/// The arrays in a warp's shared memory.
#[derive(Clone, Copy)]
struct SharedStorage {
    profile: Shared<U32x4>,
    /// Copies of the best rows.
    copies: Shared<U32x4>,
    /// The code of each residue, and of `PADDING`.
    codes: Shared<u8>,
}

impl SharedStorage {
    #[inline(always)]
    fn new<K: Kind, const R: usize>(codes: u32, mut shared: SharedMemory) -> Self {
        Self {
            profile: shared.array(profile_len(codes, R as u32, K::Scores::PAIRS)),
            copies: shared.array(copies_len(R as u32, K::Scores::PAIRS, K::SAVED)),
            codes: shared.array(PADDING + 1),
        }
    }
}

/// Aligns the item of this lane's group. All lanes of the warp call this.
#[inline(always)]
pub fn align<K: Kind, const R: usize>(args: &ForwardArgs, group: u32, shared: SharedMemory) {
    let items = args.items.len() as u32;
    // A group without an item repeats the last one and writes nothing.
    let item = group.min(items - 1);
    let mut place = Place::new::<K>(args, item);
    if group >= items {
        (place.end, place.lengths) = (0, [0; 2]);
    }
    let shared = SharedStorage::new::<K, R>(args.rules.codes, shared);
    copy_codes(args, &shared.codes);
    profile::build::<K, R>(args, &place, item, &shared.profile);
    let mut lane = Lane::<K, R>::new(args, place, shared);
    lane.run();
    lane.finish();
}

/// Copies the codes to shared memory, where a lane looks them up between two steps. All lanes of the warp call this.
#[inline(always)]
fn copy_codes(args: &ForwardArgs, codes: &Shared<u8>) {
    let mut residue = warp::lane_id();
    while residue < PADDING {
        codes.write(residue, args.pairs.codes.read(residue));
        residue += 32;
    }
    if warp::lane_id() == 0 {
        codes.write(PADDING, args.rules.codes as u8);
    }
    warp::sync();
}

/// The best of the cells of a group of `width` lanes. All lanes of the warp call this.
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
