//! Which vector instructions this machine has, and functions compiled for them.

/// A set of vector instructions that the machine has.
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

/// Work to be compiled for each set of instructions: `run` and all that it calls are inlined.
pub trait Task {
    type Output;

    /// Does it.
    fn run(self) -> Self::Output;
}

impl Machine {
    /// This machine's widest vectors.
    pub fn detect() -> Self {
        Self::all().pop().expect("any machine has the portable set")
    }

    /// All sets that this machine has, the widest last.
    pub fn all() -> Vec<Self> {
        let mut sets = vec![Self(Set::Portable)];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            sets.push(Self(Set::Avx2));
            let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
            if wide && is_x86_feature_detected!("avx512dq") && is_x86_feature_detected!("avx512vl") {
                sets.push(Self(Set::Avx512));
            }
        }
        sets
    }

    /// Does a task with this set.
    #[inline]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self.0 {
            Set::Portable => task.run(),
            // SAFETY: `all` gives the set only where it detected these instructions.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { avx2(task) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { avx512(task) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2<T: Task>(task: T) -> T::Output {
    task.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512<T: Task>(task: T) -> T::Output {
    task.run()
}
