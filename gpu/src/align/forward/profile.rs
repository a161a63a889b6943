//! The profile in shared memory: for each query residue, the scores of a lane's columns, 16 per load.
//!
//! ```text
//! element (pair, code, 16 columns, lane): one byte per column; a lane reads only what it wrote, so no barrier is needed
//! ```

use super::{Kind, Place};
use crate::abi::ForwardArgs;
use crate::align::cell::{Scores, transpose};
use crate::tuning::ALPHABET_MAX;
use cuda_std::{Shared, U32x4, warp};

/// Writes this lane's columns of the profiles.
#[inline(always)]
pub fn build<K: Kind, const R: usize>(args: &ForwardArgs, place: &Place, item: u32, profile: &Shared<U32x4>) {
    let codes = args.rules.codes;
    let packed_pair = args.items.read(item).0[0];
    let mut pair = 0;
    while pair < K::Scores::PAIRS {
        let [_, _, start, length] = args.pairs.places.read(packed_pair * K::Scores::PAIRS + pair).0;
        let base = pair * (codes + 1) * (R as u32 / 16) * 32 + warp::lane_id();
        let mut part = 0;
        while part < R as u32 / 16 {
            let targets = target_words(args, [start, length], place.first_column(R) + part * 16);
            let mut quad = 0;
            while quad * 4 <= codes {
                rows::<R>(args, &targets, quad, base + part * 32, profile);
                quad += 1;
            }
            part += 1;
        }
        pair += 1;
    }
}

/// Where the scores of each of 16 columns from `first` on begin, for a target given by its first residue and its
/// length.
#[inline(always)]
fn target_words(args: &ForwardArgs, [start, length]: [u32; 2], first: u32) -> [u32; 16] {
    let mut targets = [0u32; 16];
    unroll!(k in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; {
        let column = first + k as u32;
        // Columns past the end have the scores of the padding's code, which are all negative.
        let code = if column < length {
            u32::from(args.pairs.codes.read(u32::from(args.pairs.targets.read(start + column))))
        } else {
            ALPHABET_MAX - 1
        };
        targets[k] = code * (ALPHABET_MAX / 4);
    });
    targets
}

/// Writes the rows of four codes of a profile.
#[inline(always)]
fn rows<const R: usize>(args: &ForwardArgs, targets: &[u32; 16], quad: u32, base: u32, profile: &Shared<U32x4>) {
    let mut rows = [[0u32; 4]; 4];
    unroll!(k in 0 1 2 3; {
        let at = |j: usize| args.pairs.scores.read(targets[4 * k + j] + quad);
        rows[k] = transpose([at(0), at(1), at(2), at(3)]);
    });
    unroll!(j in 0 1 2 3; {
        let code = quad * 4 + j as u32;
        if code <= args.rules.codes {
            let row = U32x4([rows[0][j], rows[1][j], rows[2][j], rows[3][j]]);
            profile.write(code * (R as u32 / 16) * 32 + base, row);
        }
    });
}
