//! Lanes: one number of each of many alignments side by side, in a vector register.
//!
//! [`Vector`] is what the recurrence needs of a register, and no more: splat, add, subtract, maximum, two selections, and
//! scores of a small table.
//! Numbers of 8 and 16 bits saturate, wider ones wrap. Neither is ever met by a value that counts ([`super::reach`]), but
//! for the largest, which a narrow lane may stop at: that is noticed and the pair aligned again in wider lanes.
//!
//! A vector is proof that the machine has the instructions for it: the first one is made of a proof that [`run`] gets,
//! all others by operations on vectors.

mod array;
#[cfg(target_arch = "x86_64")]
mod look_up;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use array::Array;
use warpseq_simd::{self as simd, InstructionSet};
#[cfg(target_arch = "x86_64")]
use x86::*;

/// A number of one alignment.
pub trait Lane: Copy + Ord + Send + Sync + 'static {
    /// The smallest number.
    const LEAST: i64;
    /// The largest number.
    const MOST: i64;
    /// The number nearest to `value`.
    fn clamped(value: i64) -> Self;
    /// The number as a wide one.
    fn wide(self) -> i64;
    /// A number for a class of residues, another for each class below 256.
    fn class(class: u16) -> Self;
    /// The sum, saturated.
    fn plus(self, other: Self) -> Self;
    /// The difference, saturated.
    fn minus(self, other: Self) -> Self;
}

macro_rules! lane {
    ($($lane:ty),*) => {$(
        impl Lane for $lane {
            const LEAST: i64 = <$lane>::MIN as i64;
            const MOST: i64 = <$lane>::MAX as i64;

            #[inline(always)]
            fn clamped(value: i64) -> Self {
                value.clamp(Self::LEAST, Self::MOST) as $lane
            }

            #[inline(always)]
            fn wide(self) -> i64 {
                self as i64
            }

            #[inline(always)]
            fn class(class: u16) -> Self {
                class as $lane
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.saturating_add(other)
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.saturating_sub(other)
            }
        }
    )*};
}

lane!(i8, i16, i32, i64);

/// A register of lanes.
pub trait Vector: Copy + Send + Sync + 'static {
    type Lane: Lane;

    /// How many lanes there are.
    const LANES: usize;

    /// The same number in each lane.
    fn splat(self, lane: Self::Lane) -> Self;
    /// The sums.
    fn add(self, other: Self) -> Self;
    /// The differences.
    fn sub(self, other: Self) -> Self;
    /// The larger ones.
    fn max(self, other: Self) -> Self;
    /// `yes` in the lanes that equal the other's, else `no`.
    fn if_equal(self, other: Self, yes: Self, no: Self) -> Self;
    /// `yes` in the lanes greater than the other's, else `no`.
    fn if_greater(self, other: Self, yes: Self, no: Self) -> Self;

    /// The numbers.
    fn lanes(&self) -> &[Self::Lane];
    /// The numbers, to change.
    fn lanes_mut(&mut self) -> &mut [Self::Lane];

    /// In each lane the score at the place that its code names. There are at least as many codes as lanes, all of them below
    /// [`CODES`].
    #[inline(always)]
    fn look_up(self, scores: &[i8; CODES], codes: &[u8]) -> Self {
        let mut found = self;
        for (lane, &code) in found.lanes_mut().iter_mut().zip(codes) {
            *lane = Self::Lane::clamped(i64::from(scores[usize::from(code) % CODES]));
        }
        found
    }

    /// Does work in a function compiled for the instructions of this type.
    fn compiled<W: Work>(self, work: W) -> W::Output;

    /// Whether byte shuffles look up scores ([`super::lookup`]).
    const SHUFFLES: bool;
    /// Whether there are 32 registers, not 16.
    const ROOMY: bool;
}

/// Codes that byte shuffles tell apart.
pub const CODES: usize = 32;

/// Work that is compiled for the instructions of its vectors: it is `#[inline(always)]`, as is all that it calls.
pub trait Work {
    type Output;

    /// Does it.
    fn work(self) -> Self::Output;
}

/// Bits of a lane, from narrow to wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    Bits8,
    Bits16,
    Bits32,
    Bits64,
}

impl Width {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Bits8, Self::Bits16, Self::Bits32, Self::Bits64];
}

/// Work that any vectors can do.
pub trait Task {
    type Output;

    /// Does it with vectors like `zero`.
    fn run<V: Vector>(self, zero: V) -> Self::Output;
}

/// Does a task with lanes of this width. Only what [`Vector::compiled`] does is compiled for the set.
pub fn run<T: Task>(set: InstructionSet, width: Width, task: T) -> T::Output {
    set.run(Chosen { width, task })
}

/// A task, and the width of its lanes.
struct Chosen<T> {
    width: Width,
    task: T,
}

impl<T: Task> simd::Task for Chosen<T> {
    type Output = T::Output;

    #[inline(never)]
    fn portable(self) -> T::Output {
        match self.width {
            Width::Bits8 => self.task.run(Array::<i8, 16>::zero()),
            Width::Bits16 => self.task.run(Array::<i16, 8>::zero()),
            Width::Bits32 => self.task.run(Array::<i32, 4>::zero()),
            Width::Bits64 => self.task.run(Array::<i64, 4>::zero()),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    fn avx2(self, proof: simd::Avx2) -> T::Output {
        match self.width {
            Width::Bits8 => self.task.run(Avx2I8::zero(proof)),
            Width::Bits16 => self.task.run(Avx2I16::zero(proof)),
            Width::Bits32 => self.task.run(Avx2I32::zero(proof)),
            Width::Bits64 => self.portable(),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    fn avx512(self, proof: simd::Avx512) -> T::Output {
        match self.width {
            Width::Bits8 => self.task.run(Avx512I8::zero(proof)),
            Width::Bits16 => self.task.run(Avx512I16::zero(proof)),
            Width::Bits32 => self.task.run(Avx512I32::zero(proof)),
            Width::Bits64 => self.portable(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation against the same on single numbers.
    fn agrees_with_numbers<V: Vector>(proof: V) {
        let numbers = [V::Lane::LEAST, V::Lane::LEAST / 2 - 1, -7, -1, 0, 1, 7, V::Lane::MOST / 2, V::Lane::MOST];
        let vector = |shift: usize| {
            let mut vector = proof;
            let number = |k: usize| V::Lane::clamped(numbers[k * shift % numbers.len()]);
            vector.lanes_mut().iter_mut().enumerate().for_each(|(k, lane)| *lane = number(k + shift));
            vector
        };
        let (yes, no) = (proof.splat(V::Lane::clamped(5)), proof.splat(V::Lane::clamped(-9)));
        for (a, b) in (0..10).flat_map(|a| (0..10).map(move |b| (vector(a), vector(b)))) {
            for k in 0..V::LANES {
                let (x, y) = (a.lanes()[k], b.lanes()[k]);
                let select = |condition| if condition { 5 } else { -9 };
                assert_eq!(a.max(b).lanes()[k].wide(), x.wide().max(y.wide()));
                assert_eq!(a.if_equal(b, yes, no).lanes()[k].wide(), select(x == y));
                assert_eq!(a.if_greater(b, yes, no).lanes()[k].wide(), select(x > y));
                if V::Lane::MOST < 1 << 20 || [x, y].iter().all(|n| n.wide().unsigned_abs() < V::Lane::MOST as u64 / 2)
                {
                    assert_eq!(a.add(b).lanes()[k].wide(), x.plus(y).wide());
                    assert_eq!(a.sub(b).lanes()[k].wide(), x.minus(y).wide());
                }
            }
        }
    }

    /// Scores of every code, found in lanes.
    fn finds_scores<V: Vector>(proof: V) {
        let scores = std::array::from_fn(|code| (code * 37 + 101) as u8 as i8);
        for first in 0..CODES {
            let codes: [u8; 64] = std::array::from_fn(|lane| ((first + lane * 5) % CODES) as u8);
            let found = proof.look_up(&scores, &codes);
            for (lane, code) in found.lanes().iter().zip(codes) {
                assert_eq!(lane.wide(), i64::from(scores[usize::from(code)]));
            }
        }
    }

    struct Agrees;

    impl Task for Agrees {
        type Output = ();

        fn run<V: Vector>(self, zero: V) {
            agrees_with_numbers(zero);
            finds_scores(zero);
        }
    }

    #[test]
    fn operations_are_those_of_numbers() {
        for set in InstructionSet::all() {
            Width::ALL.into_iter().for_each(|width| run(set, width, Agrees));
        }
    }
}
