//! How distances are written: `tsv` and `phylip`, a block of rows at a time, never the whole matrix.
//!
//! ```text
//! tsv     query target distance, tab-separated, one header line; for one file each pair once, the earlier sequence first;
//!         for two files each sequence of the first with each of the second
//! phylip  the number of sequences, then for each its name and its distances to all, tab-separated: a relaxed square matrix
//! ```
//!
//! Distances are divided by the bits of a signature, with six decimals, the nearest ones: 0 for equal signatures, about 0.5 for
//! unrelated ones. Of two that are equally near, the one with an even last digit is written. `NA` stands where a sequence has
//! no signature.

use super::{CELL, Distance, Sequences, blocks, distances};
use crate::Comparer;
use crate::collection::Collection;
use crate::sink::{Sink, put_rows};
use std::io::Write;
use std::ops::Range;
use warpseq_engine::error::Result;

/// How distances are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A row for each pair.
    #[default]
    Tsv,
    /// A matrix, relaxed PHYLIP.
    Phylip,
}

/// The most sequences of a block of rows.
const ROWS: usize = 1 << 12;

/// Distances to be written.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    /// The sequences of the rows.
    pub rows: &'a Collection,
    /// The sequences of the columns; `None`: those of the rows. [`Format::Phylip`] needs `None`.
    pub columns: Option<&'a Collection>,
    /// How distances are written.
    pub format: Format,
}

impl Table<'_> {
    /// Writes the table, taking about `memory` bytes and one row of distances.
    ///
    /// # Errors
    /// Those of the device and of `sink`.
    pub fn write(self, comparer: &mut Comparer, memory: usize, sink: &mut impl Sink) -> Result<()> {
        let Self { rows, columns, format } = self;
        match format {
            Format::Tsv => sink.put(b"query\ttarget\tdistance\n")?,
            Format::Phylip => sink.put(format!("{}\n", rows.len()).as_bytes())?,
        }
        let columns = columns.unwrap_or(rows);
        let most = (memory / 4 / size_of::<Option<Distance>>() / columns.len().max(1)).clamp(1, ROWS);
        for block in blocks(rows, 0..rows.len(), most, memory / 8 / rows.parameters.width()) {
            let start = if self.has_pairs_once() { block.start } else { 0 };
            let shown = start..columns.len();
            let matrix = self.matrix(comparer, block.clone(), shown.clone(), memory)?;
            put_rows(sink, matrix.len(), |cell, text| {
                let (row, column) = (block.start + cell / shown.len(), start + cell % shown.len());
                self.write_cell(text, (row, column), matrix[cell]);
            })?;
        }
        Ok(())
    }

    /// Whether row i has only the columns after i.
    fn has_pairs_once(&self) -> bool {
        self.columns.is_none() && self.format == Format::Tsv
    }

    /// The distances of a block of rows to a range of columns, some columns at a time.
    fn matrix(
        &self,
        comparer: &mut Comparer,
        block: Range<usize>,
        shown: Range<usize>,
        memory: usize,
    ) -> Result<Vec<Option<Distance>>> {
        let columns = self.columns.unwrap_or(self.rows);
        let rows = Sequences::range(self.rows, block.clone())?;
        let mut matrix = vec![None; block.len() * shown.len()];
        let most = (memory / 4 / CELL / block.len()).max(1);
        for part in blocks(columns, shown.clone(), most, memory / 8 / columns.parameters.width()) {
            let found = distances(comparer, &rows, &Sequences::range(columns, part.clone())?, memory / 8)?;
            let first = part.start - shown.start;
            for (row, found) in matrix.chunks_exact_mut(shown.len()).zip(found.chunks_exact(part.len())) {
                row[first..first + part.len()].copy_from_slice(found);
            }
        }
        Ok(matrix)
    }

    fn write_cell(&self, text: &mut Vec<u8>, (row, column): (usize, usize), distance: Option<Distance>) {
        let columns = self.columns.unwrap_or(self.rows);
        match self.format {
            Format::Tsv if self.has_pairs_once() && column <= row => return,
            Format::Tsv => {
                text.extend_from_slice(&self.rows.names[row]);
                text.push(b'\t');
                text.extend_from_slice(&columns.names[column]);
            }
            Format::Phylip if column == 0 => text.extend_from_slice(&self.rows.names[row]),
            Format::Phylip => {}
        }
        match distance {
            None => text.extend_from_slice(b"\tNA"),
            Some(distance) => {
                write!(text, "\t{:.6}", distance.share(self.rows.parameters.bits)).expect("memory takes all");
            }
        }
        if self.format == Format::Tsv || column + 1 == columns.len() {
            text.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Told, alike, collection};
    use super::*;
    use crate::hamming::Cpu;
    use crate::reference::{NaiveHamming, distance};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn written(table: Table, memory: usize) -> String {
        let mut text = Vec::new();
        table.write(&mut Cpu::new(), memory, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    /// The distance of two sequences by the reference, as it is written.
    fn naive(a: (&Collection, usize), b: (&Collection, usize)) -> String {
        let [a, b] = [a, b].map(|(collection, s)| collection.points_of(collection.windows(s)));
        distance(a.points(), b.points()).map_or("NA".into(), |bits| bits.over(64).decimals(6))
    }

    const WINDOWS: [&[usize]; 6] = [&[], &[0], &[1; 30], &[1, 0, 1, 1], &[5, 0, 1, 17, 3, 2, 0], &[60, 1, 30, 2]];
    const MEMORY: [usize; 4] = [1, 2000, 30_000, 1 << 30];

    #[test]
    fn each_pair_of_a_file_is_written_once() {
        let random = &mut ChaCha8Rng::seed_from_u64(13);
        for windows in WINDOWS {
            let all = collection(random, windows);
            let mut expected = "query\ttarget\tdistance\n".to_owned();
            for (i, j) in (0..all.len()).flat_map(|i| (i + 1..all.len()).map(move |j| (i, j))) {
                expected += &format!("s{i}\ts{j}\t{}\n", naive((&all, i), (&all, j)));
            }
            for memory in MEMORY {
                assert_eq!(written(Table { rows: &all, columns: None, format: Format::Tsv }, memory), expected);
            }
        }
    }

    #[test]
    fn every_sequence_of_a_file_is_compared_with_every_one_of_another() {
        let random = &mut ChaCha8Rng::seed_from_u64(14);
        for (a, b) in WINDOWS.iter().flat_map(|a| WINDOWS.iter().map(move |b| (a, b))) {
            let (a, b) = (collection(random, a), collection(random, b));
            let mut expected = "query\ttarget\tdistance\n".to_owned();
            for (i, j) in (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j))) {
                expected += &format!("s{i}\ts{j}\t{}\n", naive((&a, i), (&b, j)));
            }
            for memory in MEMORY {
                assert_eq!(written(Table { rows: &a, columns: Some(&b), format: Format::Tsv }, memory), expected);
            }
        }
    }

    #[test]
    fn a_square_matrix_reads_back() {
        let random = &mut ChaCha8Rng::seed_from_u64(15);
        for windows in WINDOWS {
            let all = collection(random, windows);
            for memory in MEMORY {
                let text = written(Table { rows: &all, columns: None, format: Format::Phylip }, memory);
                let (count, rows) = text.split_once('\n').unwrap();
                assert_eq!((count, rows.lines().count()), (&*all.len().to_string(), all.len()));
                for (i, row) in rows.lines().enumerate() {
                    let cells: Vec<&str> = row.split('\t').collect();
                    assert_eq!((cells[0], cells.len() - 1), (&*format!("s{i}"), all.len()));
                    (0..all.len()).for_each(|j| assert_eq!(cells[j + 1], naive((&all, i), (&all, j)), "{i}, {j}"));
                }
            }
        }
    }

    /// Regression: 1/5 was rounded before it was divided by 128, and came out above the half.
    #[test]
    fn exact_halves_go_to_the_even_digit() {
        let (one, mut text) = (alike(&[5]), Vec::new());
        let table = Table { rows: &one, columns: Some(&one), format: Format::Tsv };
        table.write(&mut Told(vec![vec![0, 1, 0, 0, 0], vec![0; 5]]), 1 << 20, &mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "query\ttarget\tdistance\ns0\ts0\t0.001562\n");
    }

    #[test]
    fn the_reference_writes_the_same() {
        let random = &mut ChaCha8Rng::seed_from_u64(16);
        let all = collection(random, WINDOWS[5]);
        let (table, mut text) = (Table { rows: &all, columns: None, format: Format::Tsv }, Vec::new());
        table.write(&mut NaiveHamming, 5000, &mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), written(table, 1 << 20));
    }
}
