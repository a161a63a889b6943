//! Which vectors this machine has.

#[cfg(target_arch = "x86_64")]
use super::vector::x86::*;
use super::vector::{Array, Vector};

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

/// A set of vectors that the machine has.
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

/// Work that any vectors can do.
pub trait Task {
    type Output;

    /// Does it with vectors like `proof`.
    fn run<V: Vector>(self, proof: V) -> Self::Output;
}

impl Machine {
    /// This machine's widest vectors.
    pub fn detect() -> Self {
        Self::all().pop().expect("any machine has the portable set")
    }

    /// All sets of vectors that this machine has, the widest last.
    pub fn all() -> Vec<Self> {
        let mut sets = vec![Self(Set::Portable)];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            sets.push(Self(Set::Avx2));
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                sets.push(Self(Set::Avx512));
            }
        }
        sets
    }

    /// Does a task with lanes of this width.
    pub fn run<T: Task>(self, width: Width, task: T) -> T::Output {
        // SAFETY: `all` detects what a set needs before it gives the set; arrays need nothing.
        unsafe {
            match (self.0, width) {
                #[cfg(target_arch = "x86_64")]
                (Set::Avx2, Width::Bits8) => task.run(Avx2I8::proof()),
                #[cfg(target_arch = "x86_64")]
                (Set::Avx2, Width::Bits16) => task.run(Avx2I16::proof()),
                #[cfg(target_arch = "x86_64")]
                (Set::Avx2, Width::Bits32) => task.run(Avx2I32::proof()),
                #[cfg(target_arch = "x86_64")]
                (Set::Avx512, Width::Bits8) => task.run(Avx512I8::proof()),
                #[cfg(target_arch = "x86_64")]
                (Set::Avx512, Width::Bits16) => task.run(Avx512I16::proof()),
                #[cfg(target_arch = "x86_64")]
                (Set::Avx512, Width::Bits32) => task.run(Avx512I32::proof()),
                (_, Width::Bits64) => task.run(Array::<i64, 4>::proof()),
                (Set::Portable, Width::Bits8) => task.run(Array::<i8, 16>::proof()),
                (Set::Portable, Width::Bits16) => task.run(Array::<i16, 8>::proof()),
                (Set::Portable, Width::Bits32) => task.run(Array::<i32, 4>::proof()),
            }
        }
    }
}
