//! The workloads of `bench/align.toml`, and their inputs.

use super::rules::{Mode, Options, Wanted};
use crate::align::{Batch, Pair, Sequences};
use crate::error::{Error, Result};
use crate::simulate::pairs::{self, Pairs};
use crate::simulate::proteins::{self, Proteins};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A workload: pairs, how they are aligned, the expected scores, and the target times.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Work {
    #[serde(skip)]
    pub name: String,
    /// A description in one line.
    pub about: String,
    pub seed: u64,
    /// Pairs.
    pub count: usize,
    /// Lengths of a query and of a target, approximate if there is a divergence.
    #[serde(default)]
    pub lengths: [usize; 2],
    /// The residues to draw from; `None` for amino acids.
    pub letters: Option<String>,
    /// Changes per letter, 0 to 1; `None` for unrelated sequences.
    pub divergence: Option<f64>,
    /// What is searched, in place of pairs: proteins.
    pub search: Option<Searched>,
    #[serde(default = "local")]
    pub modes: Vec<Mode>,
    #[serde(default)]
    pub scoring: Options,
    pub want: Wanted,
    /// Number of pairs that the CPU engine aligns; `None` for all.
    pub cpu_pairs: Option<usize>,
    /// The sum of the scores of all pairs, by mode.
    #[serde(default)]
    pub score_sums: BTreeMap<Mode, i64>,
    #[serde(default)]
    pub target: Target,
}

/// Lengths of each query of a search, and of all targets.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Searched {
    pub queries: Vec<usize>,
    pub targets: usize,
}

fn local() -> Vec<Mode> {
    vec![Mode::Local]
}

/// Target times, in milliseconds or as rates.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Target {
    pub kernel_tcups: Option<f64>,
    pub call_tcups: Option<f64>,
    pub call_ms: Option<f64>,
    /// Rate of a call of the CPU engine, per thread.
    pub cpu_gcups: Option<f64>,
}

impl Target {
    /// Target milliseconds of the kernels for `cells` cells.
    pub fn kernel_ms(&self, cells: u64) -> Option<f64> {
        self.kernel_tcups.map(|rate| cells as f64 / rate / 1e9)
    }

    /// The same of a call on a GPU.
    pub fn call_ms(&self, cells: u64) -> Option<f64> {
        self.call_ms.or_else(|| self.call_tcups.map(|rate| cells as f64 / rate / 1e9))
    }

    /// The same of a call on a CPU with `threads` threads.
    pub fn cpu_ms(&self, cells: u64, threads: usize) -> Option<f64> {
        self.cpu_gcups.map(|rate| cells as f64 / (rate * threads as f64) / 1e6)
    }
}

impl Work {
    /// Makes the input.
    ///
    /// # Errors
    /// [`Error::Usage`] if the description is contradictory.
    pub fn generate(&self) -> Result<Input> {
        let ([query, target], name) = (self.lengths, &self.name);
        let (queries, targets) = match (&self.search, &self.letters) {
            (Some(searched), None) if self.divergence.is_none() && self.lengths == [0; 2] => {
                let (queries, targets) = self.proteins(searched)?;
                return Ok(Input { queries, targets, pairs: Vec::new() });
            }
            (None, Some(residues)) if query <= target => self.pairs(residues)?,
            (None, Some(_)) => {
                return Err(Error::Usage(format!(
                    "workload {name:?}: a query of {query} residues is longer than its target of {target}: swap the lengths"
                )));
            }
            _ => {
                let message = "give `letters` to make pairs, or nothing but `search` to search proteins";
                return Err(Error::Usage(format!("workload {name:?}: {message}")));
            }
        };
        let pairs = (0..self.count as u32).map(|k| Pair { query: k, target: k });
        Ok(Input { queries, targets, pairs: pairs.collect() })
    }

    /// Pairs made by [`pairs`]. Queries that shall be shorter are the middle of the second sequence.
    fn pairs(&self, residues: &str) -> Result<(Sequences, Sequences)> {
        let [query, target] = self.lengths;
        let (count, alphabet, divergence) = (self.count, residues.as_bytes().to_vec(), self.divergence);
        let made =
            Pairs::new(pairs::Recipe { count, length: target, alphabet, divergence, seed: self.seed })?.generate();
        let first = made.iter().map(|(first, _)| first).collect();
        if query == target {
            return Ok((first, made.iter().map(|(_, second)| second).collect()));
        }
        Ok((made.iter().map(|(_, second)| middle(second, query)).collect(), first))
    }

    /// Makes proteins. The queries have other seeds, since one would otherwise start like the first target.
    fn proteins(&self, searched: &Searched) -> Result<(Sequences, Sequences)> {
        let proteins = |count, length, seed| {
            let recipe = proteins::Recipe { count, lengths: length..=length, seed };
            Proteins::new(recipe).map(|proteins| proteins.generate().into_iter())
        };
        let query = |(seed, &length)| proteins(1, length, self.seed.wrapping_add(seed));
        let queries = (1..).zip(&searched.queries).map(query).collect::<Result<Vec<_>>>()?;
        Ok((queries.into_iter().flatten().collect(), proteins(self.count, searched.targets, self.seed)?.collect()))
    }
}

/// The `length` residues in the middle, or all of them.
fn middle(residues: &[u8], length: usize) -> &[u8] {
    let length = length.min(residues.len());
    &residues[(residues.len() - length) / 2..][..length]
}

/// The input of a workload, in memory.
pub struct Input {
    pub queries: Sequences,
    pub targets: Sequences,
    pub pairs: Vec<Pair>,
}

impl Input {
    /// All pairs, for an engine.
    pub fn batch(&self) -> Batch<'_> {
        Batch::new(&self.queries, &self.targets, &self.pairs)
    }

    /// The numbers of `most` pairs, evenly spread, or of all if there are no more.
    pub fn sample(&self, most: Option<usize>) -> Vec<usize> {
        let count = self.pairs.len();
        let taken = most.unwrap_or(count).min(count);
        (0..taken).map(|k| (k as u128 * count as u128 / taken as u128) as usize).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::works::works;

    fn work(name: &str) -> Work {
        works::<Work>(None).unwrap().into_iter().find(|work| work.name == name).unwrap()
    }

    #[test]
    fn a_read_lies_inside_its_target() {
        let input = Work { count: 5, divergence: Some(0.0), ..work("reads-fit") }.generate().unwrap();
        for k in 0..5 {
            let (query, target) = input.batch().residues(k);
            assert_eq!((query.len(), target.len()), (150, 300));
            assert_eq!(query, &target[75..225]);
        }
    }

    #[test]
    fn queries_are_no_targets() {
        let input = Work { count: 4, ..work("search-20") }.generate().unwrap();
        assert_eq!((input.queries.len(), input.targets.len(), input.pairs.len()), (20, 4, 0));
        assert_eq!((input.queries.length(0), input.queries.length(19), input.targets.length(3)), (144, 5478, 512));
        assert_ne!(input.queries.get(0), &input.targets.get(0)[..144]);
        assert_ne!(input.queries.get(1)[..144], *input.queries.get(0));
    }

    #[test]
    fn samples_are_spread() {
        let input = Work { count: 10, ..work("smoke") }.generate().unwrap();
        assert_eq!(input.sample(Some(4)), [0, 2, 5, 7]);
        assert_eq!(input.sample(None).len(), 10);
        assert_eq!(input.sample(Some(99)).len(), 10);
    }

    #[test]
    fn rates_become_times() {
        let target =
            Target { kernel_tcups: Some(2.0), call_tcups: Some(1.0), call_ms: Some(7.0), cpu_gcups: Some(4.0) };
        let cells = 16_000_000_000;
        assert_eq!((target.kernel_ms(cells), target.call_ms(cells)), (Some(8.0), Some(7.0)));
        assert_eq!(target.cpu_ms(cells, 2), Some(2000.0));
        assert_eq!(Target { call_ms: None, ..target }.call_ms(cells), Some(16.0));
    }

    #[test]
    fn senseless_works_are_refused() {
        let refused = |work: Work| assert_eq!(work.generate().map(|_| ()).unwrap_err().exit_code(), 2);
        refused(Work { lengths: [9, 8], ..work("smoke") });
        refused(Work { letters: None, ..work("smoke") });
        refused(Work { search: work("search-144").search, ..work("smoke") });
        refused(Work { lengths: [9, 9], ..work("search-144") });
    }
}
