//! Which instructions this machine has.

#[cfg(target_arch = "x86_64")]
use super::lanes::x86::{Avx2, Avx512};
use super::lanes::{Array, Sums};

/// A set of instructions that the machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Work that any set of instructions can do. Its code is `#[inline(always)]`, so that it is compiled for the set.
pub trait Task {
    /// Does it with sums like `zero`.
    fn run<S: Sums>(self, zero: S);
}

impl Machine {
    /// This machine's best set.
    pub fn detect() -> Self {
        Self::all().pop().expect("any machine has the portable set")
    }

    /// All sets that this machine has, the best last.
    pub fn all() -> Vec<Self> {
        let mut sets = vec![Self(Set::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                sets.push(Self(Set::Avx2));
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vpopcntdq")
            {
                sets.push(Self(Set::Avx512));
            }
        }
        sets
    }

    /// Does a task with these instructions.
    pub fn run<T: Task>(self, task: T) {
        // SAFETY: `all` detects what a set needs before it gives the set; arrays need nothing.
        unsafe {
            match self.0 {
                Set::Portable => task.run(Array::zero()),
                #[cfg(target_arch = "x86_64")]
                Set::Avx2 => avx2(task, Avx2::zero()),
                #[cfg(target_arch = "x86_64")]
                Set::Avx512 => avx512(task, Avx512::zero()),
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn avx2<T: Task>(task: T, zero: Avx2) {
    task.run(zero);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq")]
fn avx512<T: Task>(task: T, zero: Avx512) {
    task.run(zero);
}
