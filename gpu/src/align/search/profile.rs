//! The profile of a query in shared memory: for each code that a target may have, the scores of a lane's residues.
//!
//! ```text
//! element (strip, code, part of 16 residues, slot): one byte per residue. Eight slots of 16 bytes are all banks, so lanes that look
//! up different codes never meet in one. A group of four lanes uses one half of the slots, its neighbour the other one.
//! ```

use super::parts;
use crate::abi::SearchArgs;
use crate::tuning::ALPHABET_MAX;
use cuda_std::{Shared, U32x2, U32x4, thread};

/// Writes the profile of the query at `place`. All threads of the block call this.
#[inline(always)]
pub fn build<const R: usize>(args: &SearchArgs, place: U32x2, strips: u32, profile: &Shared<U32x4>) {
    let (parts, codes, slots) = (parts(R as u32), args.rules.codes + 1, args.rules.slots());
    let mut row = 0;
    // A row is what all slots have of one code.
    let rows = strips * parts;
    while row < rows {
        let (strip, part) = (row / parts, row % parts);
        let mut k = thread::thread_idx_x();
        while k < codes * slots {
            let (code, slot) = (k >> slots.trailing_zeros(), k & (slots - 1));
            let lane = slot & (args.rules.lanes - 1);
            let first = (strip * args.rules.lanes + lane) * R as u32 + part * 16;
            let scores = scores(args, place, first, (R as u32 - part * 16).min(16), code);
            profile.write(((strip * codes + code) * parts + part) * slots + slot, scores);
            k += thread::block_dim_x();
        }
        row += 1;
    }
}

/// The scores of up to 16 residues of the query from `first` on with a code of targets.
#[inline(always)]
fn scores(args: &SearchArgs, U32x2([start, length]): U32x2, first: u32, count: u32, code: u32) -> U32x4 {
    let padding = ALPHABET_MAX - 1;
    let words = (if code == args.rules.codes { padding } else { code }) * (ALPHABET_MAX / 4);
    let mut scores = [0u32; 4];
    unroll!(word in 0 1 2 3; {
        unroll!(byte in 0 1 2 3; {
            let k = (4 * word + byte) as u32;
            // What is past the end has the scores of the padding's code, which are all negative.
            let own = if k < count && first + k < length {
                u32::from(args.codes.read(u32::from(args.queries.read(start + first + k))))
            } else {
                padding
            };
            let score = args.matrix.read(words + own / 4) >> (own % 4 * 8) & 0xff;
            scores[word] |= score << (8 * byte);
        });
    });
    U32x4(scores)
}
