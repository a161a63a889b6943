//! Random proteins: uniform lengths, the 20 amino acids uniformly, names `protein_0`, `protein_1`, ...

use super::{Kind, below, check_lengths, ordered, stream, within};
use crate::error::Result;
use rayon::prelude::*;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use warpseq_seq::alphabet::AMINO_ACIDS;

/// What to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// How many proteins there are.
    pub count: usize,
    /// Residues per protein.
    pub lengths: RangeInclusive<usize>,
    /// The same seed gives the same data.
    pub seed: u64,
}

/// Makes proteins.
pub struct Proteins {
    recipe: Recipe,
}

impl Proteins {
    /// # Errors
    /// [`crate::error::Error::Usage`] if the lengths are out of order or too large.
    pub fn new(recipe: Recipe) -> Result<Self> {
        check_lengths("protein length", &recipe.lengths)?;
        Ok(Self { recipe })
    }

    /// Makes all proteins in memory, as residues.
    pub fn generate(&self) -> Vec<Vec<u8>> {
        (0..self.recipe.count).into_par_iter().map(|k| self.protein(k)).collect()
    }

    /// Writes FASTA, one line per sequence.
    ///
    /// # Errors
    /// Those of `output`.
    pub fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        ordered::write([output], self.recipe.count, *self.recipe.lengths.end(), |k, [text]| {
            text.extend_from_slice(format!(">protein_{k}\n").as_bytes());
            text.extend_from_slice(&self.protein(k));
            text.push(b'\n');
        })
    }

    fn protein(&self, k: usize) -> Vec<u8> {
        let mut random = stream(self.recipe.seed, Kind::Protein, k);
        let length = within(&mut random, &self.recipe.lengths);
        (0..length).map(|_| AMINO_ACIDS[below(&mut random, AMINO_ACIDS.len())]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_lengths_and_file() {
        let proteins = Proteins::new(Recipe { count: 300, lengths: 60..=80, seed: 3 }).unwrap();
        let made = proteins.generate();
        assert!(made.iter().all(|protein| (60..=80).contains(&protein.len())));
        let residues: std::collections::BTreeSet<u8> = made.concat().into_iter().collect();
        assert!(residues.iter().eq(AMINO_ACIDS));
        let mut file = Vec::new();
        proteins.write(&mut file).unwrap();
        let lines: Vec<_> = file.split(|&byte| byte == b'\n').collect();
        assert_eq!((lines.len(), lines[598], lines[599]), (601, &b">protein_299"[..], &made[299][..]));
    }
}
