//! Random sequence pairs for alignment: names `query_0` and `target_0`, `query_1` and `target_1`, ...
//!
//! Without a divergence, the sequences of a pair are independent. With divergence D, the target is a mutated copy of the query:
//! each residue is changed with probability D. A third of the changes are substitutions, a third insert a random residue before
//! the residue, and a third delete it. The lengths of query and target then differ.

use super::{Kind, below, check_lengths, check_ratio, ordered, stream, unit};
use crate::error::{Error, Result};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::io::{self, Write};

/// What to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// How many pairs there are.
    pub count: usize,
    /// Length of each sequence, or with a divergence, of the query.
    pub length: usize,
    /// Residues to draw from uniformly, such as `ACGTN`.
    pub alphabet: Vec<u8>,
    /// Changes per residue, 0 to 1; `None` for unrelated sequences.
    pub divergence: Option<f64>,
    /// The same seed gives the same data.
    pub seed: u64,
}

/// Makes pairs.
pub struct Pairs {
    recipe: Recipe,
}

impl Pairs {
    /// # Errors
    /// [`Error::Usage`] if the alphabet is empty, has a residue twice or a byte that is not a residue, or if the divergence is not
    /// from 0 to 1.
    pub fn new(recipe: Recipe) -> Result<Self> {
        check_lengths("length", &(recipe.length..=recipe.length))?;
        check_ratio("divergence", recipe.divergence.unwrap_or(0.0))?;
        let alphabet = &recipe.alphabet;
        let repeated = alphabet.iter().enumerate().any(|(at, residue)| alphabet[..at].contains(residue));
        if alphabet.is_empty() || repeated || !alphabet.iter().all(u8::is_ascii_alphabetic) {
            return Err(Error::Usage(format!(
                "the alphabet is \"{}\": give one or more residues, each once",
                String::from_utf8_lossy(alphabet)
            )));
        }
        Ok(Self { recipe })
    }

    /// Makes all pairs in memory, query first.
    pub fn generate(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        (0..self.recipe.count).into_par_iter().map(|k| self.pair(k)).collect()
    }

    /// Writes two FASTA files, one line per sequence.
    ///
    /// # Errors
    /// Those of the outputs.
    pub fn write(&self, queries: &mut dyn Write, targets: &mut dyn Write) -> io::Result<()> {
        ordered::write([queries, targets], self.recipe.count, 2 * self.recipe.length, |k, [queries, targets]| {
            let (query, target) = self.pair(k);
            for (text, name, sequence) in [(queries, "query", query), (targets, "target", target)] {
                text.extend_from_slice(format!(">{name}_{k}\n").as_bytes());
                text.extend_from_slice(&sequence);
                text.push(b'\n');
            }
        })
    }

    fn pair(&self, k: usize) -> (Vec<u8>, Vec<u8>) {
        let mut random = stream(self.recipe.seed, Kind::Pair, k);
        let query = self.unrelated(&mut random);
        let target = match self.recipe.divergence {
            None => self.unrelated(&mut random),
            Some(divergence) => self.mutated(&query, divergence, &mut random),
        };
        (query, target)
    }

    fn unrelated(&self, random: &mut ChaCha8Rng) -> Vec<u8> {
        (0..self.recipe.length).map(|_| self.residue(random)).collect()
    }

    fn residue(&self, random: &mut ChaCha8Rng) -> u8 {
        self.recipe.alphabet[below(random, self.recipe.alphabet.len())]
    }

    fn mutated(&self, query: &[u8], divergence: f64, random: &mut ChaCha8Rng) -> Vec<u8> {
        let mut target = Vec::with_capacity(query.len());
        for &residue in query {
            if unit(random) >= divergence {
                target.push(residue);
                continue;
            }
            match below(random, 3) {
                0 => target.push(self.other(residue, random)),
                1 => target.extend([self.residue(random), residue]),
                _ => {}
            }
        }
        target
    }

    /// A residue of the alphabet other than `residue`, if there is one.
    fn other(&self, residue: u8, random: &mut ChaCha8Rng) -> u8 {
        let alphabet = &self.recipe.alphabet;
        let at = alphabet.iter().position(|&other| other == residue).expect("queries are drawn from the alphabet");
        let step = 1 + below(random, (alphabet.len() - 1).max(1));
        alphabet[(at + step) % alphabet.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(divergence: Option<f64>) -> Recipe {
        Recipe { count: 20, length: 1000, alphabet: b"ACGTN".to_vec(), divergence, seed: 9 }
    }

    #[test]
    fn unrelated_pairs_agree_by_chance_only() {
        for (query, target) in Pairs::new(recipe(None)).unwrap().generate() {
            let equal = query.iter().zip(&target).filter(|(a, b)| a == b).count();
            assert!(query.len() == 1000 && target.len() == 1000 && (130..280).contains(&equal), "{equal}");
        }
    }

    #[test]
    fn no_divergence_is_a_copy_and_some_is_nearly_one() {
        assert!(Pairs::new(recipe(Some(0.0))).unwrap().generate().iter().all(|(query, target)| query == target));
        for (query, target) in Pairs::new(recipe(Some(0.1))).unwrap().generate() {
            let windows: std::collections::HashSet<_> = query.windows(10).collect();
            let kept = target.windows(10).filter(|window| windows.contains(window)).count();
            assert!((200..600).contains(&kept) && target.len().abs_diff(1000) < 60, "{kept} {}", target.len());
        }
    }

    #[test]
    fn two_files_with_the_same_pairs() {
        let (mut queries, mut targets) = (Vec::new(), Vec::new());
        let pairs = Pairs::new(Recipe { count: 2, length: 5, ..recipe(Some(0.5)) }).unwrap();
        pairs.write(&mut queries, &mut targets).unwrap();
        let made = pairs.generate();
        let file = |name: &str, first: &[u8], second: &[u8]| {
            [format!(">{name}_0\n").as_bytes(), first, format!("\n>{name}_1\n").as_bytes(), second, b"\n"].concat()
        };
        assert_eq!(queries, file("query", &made[0].0, &made[1].0));
        assert_eq!(targets, file("target", &made[0].1, &made[1].1));
    }

    #[test]
    fn senseless_recipes_are_refused() {
        for alphabet in [&b""[..], b"AA", b"A>", b"A\n"] {
            assert!(Pairs::new(Recipe { alphabet: alphabet.to_vec(), ..recipe(None) }).is_err());
        }
        assert!(Pairs::new(recipe(Some(-0.1))).is_err());
        assert!(Pairs::new(Recipe { alphabet: b"A".to_vec(), ..recipe(Some(1.0)) }).unwrap().generate().len() == 20);
    }
}
