//! Random virus signatures: uniform lengths and bases, names `signature_0`, `signature_1`, ...

use super::bases::Bases;
use super::{Kind, check_lengths, ordered, stream, within};
use crate::error::{Error, Result};
use crate::scan::Signature;
use rayon::prelude::*;
use std::io::{self, Write};
use std::ops::RangeInclusive;

/// What to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// How many signatures there are.
    pub count: usize,
    /// Symbols per signature, at least one.
    pub lengths: RangeInclusive<usize>,
    /// Probability of `N`, 0 to 1.
    pub n_ratio: f64,
    /// The same seed gives the same data.
    pub seed: u64,
}

/// Makes signatures.
pub struct Signatures {
    recipe: Recipe,
    bases: Bases,
}

impl Signatures {
    /// # Errors
    /// [`Error::Usage`] for lengths out of order, 0 or too large, and for a ratio that is not from 0 to 1.
    pub fn new(recipe: Recipe) -> Result<Self> {
        check_lengths("signature length", &recipe.lengths)?;
        if *recipe.lengths.start() == 0 {
            return Err(Error::Usage("the smallest signature length is 0: give at least 1".into()));
        }
        Ok(Self { bases: Bases::new(recipe.n_ratio)?, recipe })
    }

    /// Makes all signatures in memory.
    pub fn generate(&self) -> Vec<Signature> {
        (0..self.recipe.count).into_par_iter().map(|k| self.signature(k)).collect()
    }

    /// Writes FASTA, with `line_width` bases on a line; 0: all.
    ///
    /// # Errors
    /// Those of `output`.
    pub fn write(&self, line_width: usize, output: &mut dyn Write) -> io::Result<()> {
        let (longest, width) = (*self.recipe.lengths.end(), if line_width == 0 { usize::MAX } else { line_width });
        ordered::write([output], self.recipe.count, longest + longest / width, |k, [text]| {
            let signature = self.signature(k);
            text.push(b'>');
            text.extend_from_slice(signature.name());
            for line in signature.bases().chunks(width) {
                text.push(b'\n');
                text.extend_from_slice(line);
            }
            text.push(b'\n');
        })
    }

    fn signature(&self, k: usize) -> Signature {
        let mut random = stream(self.recipe.seed, Kind::Signature, k);
        let length = within(&mut random, &self.recipe.lengths);
        Signature::new(format!("signature_{k}"), self.bases.sequence(&mut random, length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe() -> Recipe {
        Recipe { count: 50, lengths: 3..=7, n_ratio: 0.1, seed: 5 }
    }

    #[test]
    fn the_file_is_what_memory_holds_and_the_seed_fixes_it() {
        let made = Signatures::new(recipe()).unwrap().generate();
        for width in [0, 1, 3, 7] {
            let mut file = Vec::new();
            Signatures::new(recipe()).unwrap().write(width, &mut file).unwrap();
            let lines =
                |s: &Signature| s.bases().chunks(if width == 0 { 7 } else { width }).collect::<Vec<_>>().join(&b'\n');
            let records = made.iter().map(|s| [b">", s.name(), b"\n", &lines(s), b"\n"].concat());
            assert_eq!(file, records.collect::<Vec<_>>().concat(), "{width}");
        }
        assert_ne!(made, Signatures::new(Recipe { seed: 6, ..recipe() }).unwrap().generate());
    }

    #[test]
    fn every_length_of_the_range_occurs_and_no_other() {
        let made = Signatures::new(recipe()).unwrap().generate();
        let lengths: std::collections::BTreeSet<_> = made.iter().map(|s| s.bases().len()).collect();
        assert_eq!(lengths.into_iter().collect::<Vec<_>>(), [3, 4, 5, 6, 7]);
        assert_eq!(made[49].name(), b"signature_49");
    }

    #[test]
    fn senseless_lengths_are_refused() {
        let message = |(from, to)| {
            Signatures::new(Recipe { lengths: RangeInclusive::new(from, to), ..recipe() }).err().unwrap().to_string()
        };
        assert!(message((7, 3)).contains("smaller number first"));
        assert!(message((0, 3)).contains("give at least 1"));
    }
}
