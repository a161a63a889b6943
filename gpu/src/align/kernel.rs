//! The entry points of `align`. What each launch must look like is said once, in the host's launch functions.

use super::cell::{Packed, Scores, Wide};
use super::forward::{self, Kind};
use super::walk;
use crate::abi::{ForwardArgs, WalkArgs};
use crate::tuning::WALKERS;
use core::marker::PhantomData;
use cuda_std::{kernel, thread};

/// A forward pass of scores `S`.
struct Pass<S, const AFFINE: bool, const LOCAL: bool, const SAVED: bool>(PhantomData<S>);

impl<S: Scores, const AFFINE: bool, const LOCAL: bool, const SAVED: bool> Kind for Pass<S, AFFINE, LOCAL, SAVED> {
    type Scores = S;
    const AFFINE: bool = AFFINE;
    const LOCAL: bool = LOCAL;
    const SAVED: bool = SAVED;
}

/// The group of this thread.
#[inline(always)]
fn group(args: &ForwardArgs) -> u32 {
    thread::index_1d() / args.rules.width
}

/// Best local scores and their cells, linear gaps.
#[kernel]
pub fn align_linear_score(args: ForwardArgs) {
    forward::align::<Pass<Packed, false, true, false>>(&args, group(&args));
}

/// Best local scores and their cells, affine gaps.
#[kernel]
pub fn align_affine_score(args: ForwardArgs) {
    forward::align::<Pass<Packed, true, true, false>>(&args, group(&args));
}

/// Local, linear gaps, with checkpoints.
#[kernel]
pub fn align_linear_local(args: ForwardArgs) {
    forward::align::<Pass<Packed, false, true, true>>(&args, group(&args));
}

/// Local, affine gaps, with checkpoints.
#[kernel]
pub fn align_affine_local(args: ForwardArgs) {
    forward::align::<Pass<Packed, true, true, true>>(&args, group(&args));
}

/// Global, fit or overlap, linear gaps, with checkpoints.
#[kernel]
pub fn align_linear_ends(args: ForwardArgs) {
    forward::align::<Pass<Packed, false, false, true>>(&args, group(&args));
}

/// Global, fit or overlap, affine gaps, with checkpoints.
#[kernel]
pub fn align_affine_ends(args: ForwardArgs) {
    forward::align::<Pass<Packed, true, false, true>>(&args, group(&args));
}

/// Local, in 32 bits, with checkpoints.
#[kernel]
pub fn align_wide_local(args: ForwardArgs) {
    forward::align::<Pass<Wide, true, true, true>>(&args, group(&args));
}

/// Global, fit or overlap, in 32 bits, with checkpoints.
#[kernel]
pub fn align_wide_ends(args: ForwardArgs) {
    forward::align::<Pass<Wide, true, false, true>>(&args, group(&args));
}

/// Ends and paths: a pair a group of lanes.
#[kernel]
pub fn align_walk(args: WalkArgs) {
    walk::walk(&args, thread::index_1d() / WALKERS);
}
