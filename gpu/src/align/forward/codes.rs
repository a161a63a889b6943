//! The code of each residue, in shared memory: a lane looks them up between two steps.

use crate::abi::ForwardArgs;
use cuda_std::{Shared, warp};

/// Stands for a residue outside a sequence.
pub const PADDING: u32 = 256;

/// Shared memory for the codes of all residues and of `PADDING`.
pub const BYTES: u32 = (PADDING + 1).next_multiple_of(16);

/// Copies the codes to shared memory. All lanes of the warp call this.
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
