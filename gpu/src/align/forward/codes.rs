//! The code of each letter, in shared memory: what a row's letters stand for is asked between two steps of a lane.

use crate::abi::ForwardArgs;
use cuda_std::{Shared, warp};

/// Stands for a letter outside a sequence.
pub const PADDING: u32 = 256;

/// Shared memory for the codes of all residues and of `PADDING`.
pub const BYTES: u32 = (PADDING + 1).next_multiple_of(16);

/// Copies the codes to shared memory at `offset`. All lanes of the warp call.
#[inline(always)]
pub fn copy(args: &ForwardArgs, codes: &Shared<u8>) {
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
