//! What each of the 32 lanes of a warp gets from a collective, given what each passes to it.
//!
//! Shuffles follow the PTX manual (`shfl.sync`). Lane `l` of a group of `width` lanes takes the value of lane `j`:
//!
//! ```text
//! index   j = first of the group | operand mod width
//! up      j = l - operand, or l where that leaves the group
//! down    j = l + operand, or l where that leaves the group
//! xor     j = l ^ operand
//! ```
//!
//! The operand is taken modulo 32.

use core::array::from_fn;
use core::fmt;

/// What threads wait at together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collective {
    /// The barrier of a block.
    SyncThreads,
    /// The barrier of a warp.
    SyncWarp,
    /// A vote.
    Ballot,
    /// The value of a named lane.
    ShuffleIndex,
    /// The value of the lane a distance below.
    ShuffleUp,
    /// The value of the lane a distance above.
    ShuffleDown,
    /// The value of the lane whose number is this lane's xor a mask.
    ShuffleXor,
    /// The bitwise or over all lanes.
    ReduceOr,
    /// The sum over all lanes.
    ReduceAdd,
    /// The minimum over all lanes.
    ReduceMin,
}

impl fmt::Display for Collective {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::SyncThreads => "thread::sync_threads",
            Self::SyncWarp => "warp::sync",
            Self::Ballot => "warp::ballot",
            Self::ShuffleIndex => "warp::shuffle",
            Self::ShuffleUp => "warp::shuffle_up",
            Self::ShuffleDown => "warp::shuffle_down",
            Self::ShuffleXor => "warp::shuffle_xor",
            Self::ReduceOr => "warp::reduce_or",
            Self::ReduceAdd => "warp::reduce_add",
            Self::ReduceMin => "warp::reduce_min",
        })
    }
}

/// What one lane passes to a collective: its value, and for shuffles the operand and the width of its group.
#[derive(Clone, Copy)]
pub(super) struct Call {
    pub collective: Collective,
    pub value: u32,
    pub operand: u32,
    pub width: u32,
}

/// What each lane gets. All calls are of the same collective, and all widths are powers of two up to 32.
pub(super) fn answers(calls: &[Call; 32]) -> [u32; 32] {
    let values = calls.iter().map(|call| call.value);
    match calls[0].collective {
        Collective::SyncThreads | Collective::SyncWarp => [0; 32],
        Collective::Ballot => [values.rev().fold(0, |bits, value| bits << 1 | value); 32],
        Collective::ReduceOr => [values.fold(0, |a, b| a | b); 32],
        Collective::ReduceAdd => [values.fold(0, u32::wrapping_add); 32],
        Collective::ReduceMin => [values.fold(u32::MAX, u32::min); 32],
        _ => from_fn(|lane| calls[source(lane as u32, calls[lane]) as usize].value),
    }
}

/// The lane that `lane` takes its value from.
fn source(lane: u32, call: Call) -> u32 {
    let first = lane & !(call.width - 1);
    let operand = call.operand % 32;
    let named = match call.collective {
        Collective::ShuffleIndex => first | (operand % call.width),
        Collective::ShuffleUp => lane.wrapping_sub(operand),
        Collective::ShuffleDown => lane + operand,
        _ => lane ^ operand,
    };
    if (first..first + call.width).contains(&named) { named } else { lane }
}
