//! Which vector instructions this machine has, and functions compiled for them.
//!
//! ```text
//! set             instructions                              first in
//! portable        those of the target                       any machine
//! AVX2            AVX2, POPCNT                              Haswell (2013), Zen (2017)
//! AVX-512         and AVX-512 F, BW, DQ and VL              Skylake (2017), Zen 4 (2022)
//! AVX-512 POPCNT  and AVX-512 VPOPCNTDQ                     Ice Lake (2019), Zen 4 (2022)
//! ```
//!
//! [`InstructionSet::run`] calls one method of a [`Task`], in a function that is compiled for the set. What the method calls
//! is compiled for the set, too, where it is inlined. The method gets a proof that the machine has the instructions, which only
//! this crate can make. Whoever asks for that proof where a vector type is made needs no detection of their own.
#![deny(missing_docs)]

mod bits;
mod rows;

pub use bits::bits_of_eight;
pub use rows::{Met, ROW, Row, TABLES};

/// A set of vector instructions that this machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionSet(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx512Popcnt(Avx512Popcnt),
}

/// Proof that this machine has AVX2 and POPCNT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(());

/// Proof that this machine has AVX-512 F, BW, DQ and VL, AVX2 and POPCNT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx512(Avx2);

/// Proof that this machine has AVX-512 VPOPCNTDQ, F, BW, DQ and VL, AVX2 and POPCNT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx512Popcnt(Avx512);

impl From<Avx512> for Avx2 {
    fn from(Avx512(proof): Avx512) -> Self {
        proof
    }
}

impl From<Avx512Popcnt> for Avx512 {
    fn from(Avx512Popcnt(proof): Avx512Popcnt) -> Self {
        proof
    }
}

#[cfg(target_arch = "x86_64")]
impl From<Avx2> for InstructionSet {
    fn from(proof: Avx2) -> Self {
        Self(Set::Avx2(proof))
    }
}

/// Work for any set of instructions. Methods are `#[inline(always)]` to be compiled for their sets, as is all that they call
/// and that is to be compiled for them, too.
pub trait Task {
    /// What comes of it.
    type Output;

    /// Does it without vector instructions, or with those that the compiler finds use for.
    fn portable(self) -> Self::Output;

    /// Does it with AVX2.
    #[cfg(target_arch = "x86_64")]
    fn avx2(self, proof: Avx2) -> Self::Output;

    /// Does it with AVX-512.
    #[cfg(target_arch = "x86_64")]
    fn avx512(self, proof: Avx512) -> Self::Output;

    /// Does it with AVX-512 that counts bits.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx512_popcnt(self, proof: Avx512Popcnt) -> Self::Output
    where
        Self: Sized,
    {
        self.avx512(proof.into())
    }
}

impl InstructionSet {
    /// This machine's widest vectors.
    pub fn detect() -> Self {
        Self::all().pop().expect("any machine has the portable set")
    }

    /// The set called `portable`, `avx2`, `avx512` or `avx512-popcnt`, if this machine has it.
    ///
    /// # Panics
    /// When there is no set of that name.
    pub fn named(name: &str) -> Option<Self> {
        let names = ["portable", "avx2", "avx512", "avx512-popcnt"];
        let number = names.iter().position(|known| *known == name);
        Self::all().get(number.expect("the name of a set of vector instructions")).copied()
    }

    /// All sets that this machine has, the widest last.
    pub fn all() -> Vec<Self> {
        std::iter::once(Self(Set::Portable)).chain(wider()).collect()
    }

    /// Bytes of its vectors; of the portable set, those that any 64-bit machine has.
    pub fn vector_bytes(self) -> usize {
        match self.0 {
            Set::Portable => 16,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(_) => 32,
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(_) | Set::Avx512Popcnt(_) => 64,
        }
    }

    /// Does a task with this set.
    #[inline]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self.0 {
            Set::Portable => task.portable(),
            // SAFETY: the proof is that the machine has the instructions that the function is compiled for.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(proof) => unsafe { avx2(task, proof) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(proof) => unsafe { avx512(task, proof) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Popcnt(proof) => unsafe { avx512_popcnt(task, proof) },
        }
    }
}

/// The sets beyond the portable one that this machine has, the widest last.
#[cfg(target_arch = "x86_64")]
fn wider() -> Vec<InstructionSet> {
    let avx2 = [
        is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt"),
        is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("lzcnt"),
    ];
    let avx512 = [
        is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw"),
        is_x86_feature_detected!("avx512dq") && is_x86_feature_detected!("avx512vl"),
    ];
    let counts = is_x86_feature_detected!("avx512vpopcntdq");
    let sets = [Set::Avx2(Avx2(())), Set::Avx512(Avx512(Avx2(()))), Set::Avx512Popcnt(Avx512Popcnt(Avx512(Avx2(()))))];
    let has = [avx2 == [true; 2], avx512 == [true; 2], counts];
    sets.into_iter().zip(has).take_while(|(_, has)| *has).map(|(set, _)| InstructionSet(set)).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn wider() -> Vec<InstructionSet> {
    Vec::new()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
fn avx2<T: Task>(task: T, proof: Avx2) -> T::Output {
    task.avx2(proof)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512<T: Task>(task: T, proof: Avx512) -> T::Output {
    task.avx512(proof)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")]
fn avx512_popcnt<T: Task>(task: T, proof: Avx512Popcnt) -> T::Output {
    task.avx512_popcnt(proof)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names the method that it was run by.
    struct Name;

    impl Task for Name {
        type Output = &'static str;

        fn portable(self) -> &'static str {
            "portable"
        }

        #[cfg(target_arch = "x86_64")]
        fn avx2(self, _: Avx2) -> &'static str {
            "AVX2"
        }

        #[cfg(target_arch = "x86_64")]
        fn avx512(self, _: Avx512) -> &'static str {
            "AVX-512"
        }

        #[cfg(target_arch = "x86_64")]
        fn avx512_popcnt(self, _: Avx512Popcnt) -> &'static str {
            "AVX-512 POPCNT"
        }
    }

    #[test]
    fn each_set_runs_its_own_method_and_the_widest_is_detected() {
        let names: Vec<_> = InstructionSet::all().into_iter().map(|set| set.run(Name)).collect();
        assert_eq!(names, ["portable", "AVX2", "AVX-512", "AVX-512 POPCNT"][..names.len()]);
        assert_eq!(InstructionSet::detect().run(Name), *names.last().unwrap());
        let named = ["portable", "avx2", "avx512", "avx512-popcnt"].map(InstructionSet::named);
        let found: Vec<_> = named.into_iter().flatten().collect();
        assert_eq!(found, InstructionSet::all());
    }
}
