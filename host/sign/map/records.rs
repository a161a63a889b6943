//! The records of a map: the sequences of a collection that have a signature, and the distances between them.

use super::Distances;
use crate::Comparer;
use crate::collection::Collection;
use crate::dist::{self, Distance, Sequences};
use std::path::Path;
use warpseq_engine::error::Result;
use warpseq_io::console::Console;

/// The records of a collection, as the map takes their distances.
pub struct Mapped<'a, 'h> {
    collection: &'a Collection,
    /// The sequence of each record.
    sequences: Vec<usize>,
    comparer: &'h mut Comparer<'h>,
    /// Bytes that computing a block of distances may take, not counting the distances.
    memory: usize,
}

impl<'a, 'h> Mapped<'a, 'h> {
    /// Those of a collection. A block of their distances takes about `memory` bytes, and [`dist::CELL`] for each distance.
    pub fn new(collection: &'a Collection, comparer: &'h mut Comparer<'h>, memory: usize) -> Self {
        let has_signature = |&sequence: &usize| collection.present_count(collection.windows(sequence)) > 0;
        let sequences = (0..collection.len()).filter(has_signature).collect();
        Self { collection, sequences, comparer, memory }
    }

    /// The records' names.
    pub fn names(&self) -> Vec<&'a [u8]> {
        self.sequences.iter().map(|&sequence| &self.collection.names[sequence][..]).collect()
    }

    fn list(&self, records: &[usize]) -> Result<Sequences<'a>> {
        let sequences: Vec<usize> = records.iter().map(|&record| self.sequences[record]).collect();
        Sequences::list(self.collection, &sequences)
    }
}

impl Distances for Mapped<'_, '_> {
    fn len(&self) -> usize {
        self.sequences.len()
    }

    fn block(&mut self, rows: &[usize], columns: &[usize]) -> Result<Vec<f64>> {
        let (rows, columns) = (self.list(rows)?, self.list(columns)?);
        let distances = dist::distances(self.comparer, &rows, &columns, self.memory)?;
        let bits = f64::from(self.collection.parameters.bits);
        let share = |distance: Option<Distance>| distance.expect("a record has a signature").rounded() / bits;
        Ok(distances.into_iter().map(share).collect())
    }
}

/// Warns of a file without sequences, and of sequences without a signature, which are not in the result: so many of all have one.
pub fn warn_of_missing(console: Console, input: &Path, (sequences, place): (usize, &str), records: usize) {
    let (input, missing) = (input.display(), sequences - records);
    if sequences == 0 {
        console.warn(format_args!("{input}: there are no sequences in it"));
    } else if missing > 0 {
        console.warn(format_args!("{input}: {missing} sequences without a signature are not {place}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::Builder;
    use crate::hamming::Cpu;
    use crate::{Parameters, Records, Signatures, Window};

    #[test]
    fn sequences_without_a_signature_are_left_out() {
        let parameters = Parameters { window: Window::Length(4), ..Parameters::QUT };
        let mut batch = Records::default();
        for (name, residues) in [("a", "MKVLAT"), ("no residues", ""), ("no k-mers", "MK"), ("b", "MKVLAT")] {
            batch.push(name.as_bytes(), residues.as_bytes());
        }
        // The signatures of a have 0 and 8 ones; b has one with 8 ones, and a window without a k-mer.
        let bytes = [[0; 8], [0, 0, 0, 0, 0, 0, 0, 0xFF], [0; 8], [0; 8], [0, 0, 0, 0, 0, 0, 0, 0xFF], [0; 8]].concat();
        let mut builder = Builder::new(&parameters);
        builder.push(&batch, &Signatures { bytes, present: vec![1, 1, 0, 0, 1, 0] }, &[2, 2, 0, 0, 2, 0]);
        let collection = builder.finish();
        let mut cpu = Cpu::new();
        let mut records = Mapped::new(&collection, &mut cpu, 1 << 20);
        assert_eq!(records.names(), [b"a", b"b"]);
        // From a the mean of 8 and 0, from b 0.
        let apart = (4.0 + 0.0) / 2.0 / 64.0;
        assert_eq!(records.block(&[0, 1], &[0, 1]).unwrap(), [0.0, apart, apart, 0.0]);
    }
}
