//! The workloads of `bench/sign.toml`.

use super::answer::Answer;
use super::searching::Searching;
use super::signing::Signing;
use crate::error::{Error, Result};
use serde::Deserialize;

/// A workload: signatures to make or to search, the expected checksum, and the target times.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Work {
    #[serde(skip)]
    pub name: String,
    /// A description in one line.
    pub about: String,
    pub seed: u64,
    pub task: Task,
    /// The CPU engine computes the first so many sequences or queries; `None` for all.
    pub cpu_part: Option<usize>,
    /// [`Answer::checksum`] of all rows.
    pub checksum: Option<String>,
    #[serde(default)]
    pub target: Target,
}

/// What the engines compute.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    Sign(Signing),
    Search(Searching),
}

/// Target times, in milliseconds or as residues or pairs per second.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Target {
    pub kernel_rate: Option<f64>,
    pub call_ms: Option<f64>,
    pub process_ms: Option<f64>,
    /// Rate of a call of the CPU engine, per thread.
    pub cpu_rate: Option<f64>,
}

impl Target {
    /// Target milliseconds of the kernels for `count` residues or pairs.
    pub fn kernel_ms(&self, count: u64) -> Option<f64> {
        self.kernel_rate.map(|rate| count as f64 / rate * 1e3)
    }

    /// The same of a call on a CPU with `threads` threads.
    pub fn cpu_ms(&self, count: u64, threads: usize) -> Option<f64> {
        self.cpu_rate.map(|rate| count as f64 / (rate * threads as f64) * 1e3)
    }
}

impl Work {
    /// How many of `len` sequences or queries the CPU engine computes.
    pub fn cpu_part(&self, len: usize) -> usize {
        self.cpu_part.map_or(len, |part| part.min(len))
    }

    /// Checks that the rows of a GPU equal those of the CPU engine.
    ///
    /// # Errors
    /// [`Error::Mismatch`] with the number of different rows.
    pub fn agree(&self, gpu: &str, on_cpu: &Answer, on_gpu: &Answer) -> Result<()> {
        let (name, compared) = (&self.name, on_cpu.rows());
        match on_cpu.differing(on_gpu) {
            0 => Ok(()),
            count => Err(Error::Mismatch(format!(
                "workload {name:?}: {count} of {compared} rows differ between {gpu} and the CPU engine"
            ))),
        }
    }

    /// Checks that the rows have the checksum of the description.
    ///
    /// # Errors
    /// [`Error::Mismatch`] with the engine, the workload and both checksums.
    pub fn check(&self, engine: &str, answer: &Answer) -> Result<()> {
        let (name, found) = (&self.name, answer.checksum());
        match &self.checksum {
            Some(expected) if *expected != found => Err(Error::Mismatch(format!(
                "{engine}, workload {name:?}: expected rows with the checksum {expected}, found {found}"
            ))),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::works::works;

    #[test]
    fn rates_become_times() {
        let target = Target { kernel_rate: Some(2e9), cpu_rate: Some(4e8), ..Target::default() };
        assert_eq!((target.kernel_ms(4_000_000), target.cpu_ms(4_000_000, 2)), (Some(2.0), Some(5.0)));
        assert_eq!(Target::default().kernel_ms(1), None);
    }

    #[test]
    fn the_cpu_takes_no_more_than_there_is() {
        let work = works::<Work>(None).unwrap().remove(0);
        let part = |cpu_part| Work { cpu_part, ..work.clone() }.cpu_part(10);
        assert_eq!([part(None), part(Some(4)), part(Some(40))], [10, 4, 10]);
    }
}
