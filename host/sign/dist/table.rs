//! How distances are written: `tsv`, `phylip` and `phylip-strict`, a block of rows at a time, never the whole matrix.
//!
//! ```text
//! tsv     query target distance, tab-separated, one header line; for one file each pair once, the earlier sequence first;
//!         for two files each sequence of the first with each of the second
//! phylip  the number of sequences, then for each its name and its distances to all, tab-separated: a relaxed square matrix
//! phylip-strict   the same with blanks and names of ten characters, which another table tells
//! ```
//!
//! With another [`Metric`], its name stands for `distance`, and its value for the distance.
//!
//! Distances are divided by the bits of a signature, with six decimals, the nearest ones: 0 for equal signatures, about 0.5 for
//! unrelated ones. Of two that are equally near, the one with an even last digit is written. `NA` stands where a sequence has
//! no signature, or where the metric has no value.

use super::{CELL, Distance, Sequences, blocks, distances};
use crate::collection::Collection;
use crate::metric::Metric;
use crate::sink::{Sink, put_rows};
use crate::{Comparer, Parameters};
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
    /// A matrix, strict PHYLIP: names of ten characters ([`strict_name`]) and blanks.
    PhylipStrict,
}

impl Format {
    /// Whether it is a matrix of one file with itself.
    pub fn is_matrix(self) -> bool {
        self != Self::Tsv
    }
}

/// The name of a sequence in strict PHYLIP, whatever its own is: `s` and its number, from 1, in nine digits.
pub fn strict_name(sequence: usize) -> String {
    format!("s{:09}", sequence + 1)
}

/// Writes the names of strict PHYLIP, with the sequences' own.
///
/// # Errors
/// Those of `sink`.
pub fn write_names(collection: &Collection, sink: &mut impl Sink) -> warpseq_io::error::Result<()> {
    sink.put(b"name\tsequence\n")?;
    let mut named = (0..).zip(&collection.names);
    named.try_for_each(|(sequence, name)| sink.put(&[strict_name(sequence).as_bytes(), b"\t", name, b"\n"].concat()))
}

/// The most sequences of a block of rows.
const ROWS: usize = 1 << 12;

/// Distances to be written.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    /// The sequences of the rows.
    pub rows: &'a Collection,
    /// The sequences of the columns; `None`: those of the rows. A matrix needs `None`.
    pub columns: Option<&'a Collection>,
    /// How distances are written.
    pub format: Format,
    /// What is written in their place.
    pub metric: Metric,
}

impl Table<'_> {
    /// Writes the table, taking about `memory` bytes and one row of distances.
    ///
    /// # Errors
    /// Those of the device and of `sink`.
    pub fn write(self, comparer: &mut Comparer, memory: usize, sink: &mut impl Sink) -> Result<()> {
        let Self { rows, columns, format, metric } = self;
        match format {
            Format::Tsv => sink.put(format!("query\ttarget\t{}\n", metric.name()).as_bytes())?,
            Format::Phylip | Format::PhylipStrict => sink.put(format!("{}\n", rows.len()).as_bytes())?,
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
            Format::PhylipStrict if column == 0 => text.extend_from_slice(strict_name(row).as_bytes()),
            Format::Phylip | Format::PhylipStrict => {}
        }
        self.write_distance(text, (row, column), distance);
        if self.format == Format::Tsv || column + 1 == columns.len() {
            text.push(b'\n');
        }
    }

    /// Writes a tab, or the blank of strict PHYLIP, and the distance or what it says.
    fn write_distance(&self, text: &mut Vec<u8>, (row, column): (usize, usize), distance: Option<Distance>) {
        const MEMORY: &str = "memory takes all";
        let Parameters { bits, k, .. } = self.rows.parameters;
        let words = self.rows.words(row).zip(self.columns.unwrap_or(self.rows).words(column));
        let words = words.map(|(row, column)| [row, column]);
        let value = |distance: Distance| self.metric.at(distance.rounded() / f64::from(bits), (bits, k), words);
        text.push(if self.format == Format::PhylipStrict { b' ' } else { b'\t' });
        match (distance, self.metric) {
            (Some(distance), Metric::Hamming) => write!(text, "{:.6}", distance.share(bits)).expect(MEMORY),
            (distance, _) => match distance.and_then(value) {
                Some(value) => write!(text, "{value:.6}").expect(MEMORY),
                None => text.extend_from_slice(b"NA"),
            },
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
                assert_eq!(
                    written(Table { rows: &all, columns: None, format: Format::Tsv, metric: Metric::Hamming }, memory),
                    expected
                );
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
                assert_eq!(
                    written(
                        Table { rows: &a, columns: Some(&b), format: Format::Tsv, metric: Metric::Hamming },
                        memory
                    ),
                    expected
                );
            }
        }
    }

    #[test]
    fn a_square_matrix_reads_back() {
        let random = &mut ChaCha8Rng::seed_from_u64(15);
        for windows in WINDOWS {
            let all = collection(random, windows);
            for memory in MEMORY {
                let text = written(
                    Table { rows: &all, columns: None, format: Format::Phylip, metric: Metric::Hamming },
                    memory,
                );
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

    /// Ten characters a name, one blank before each distance: but for that, the relaxed matrix.
    #[test]
    fn a_strict_matrix_is_the_relaxed_one_with_other_names() {
        let random = &mut ChaCha8Rng::seed_from_u64(18);
        let all = collection(random, WINDOWS[4]);
        let table = |format| written(Table { rows: &all, columns: None, format, metric: Metric::Hamming }, 1 << 20);
        let (strict, relaxed) = (table(Format::PhylipStrict), table(Format::Phylip));
        let mut names = Vec::new();
        write_names(&all, &mut names).unwrap();
        let names = String::from_utf8(names).unwrap();
        assert_eq!((strict.lines().next(), names.lines().next()), (relaxed.lines().next(), Some("name\tsequence")));
        for ((strict, relaxed), named) in strict.lines().zip(relaxed.lines()).zip(names.lines()).skip(1) {
            let (name, distances) = strict.split_at(10);
            let (own, expected) = relaxed.split_once('\t').unwrap();
            assert_eq!(distances[1..].replace(' ', "\t"), expected);
            assert_eq!(format!("{name}\t{own}"), named);
        }
        assert_eq!((strict.lines().count(), names.lines().count()), (all.len() + 1, all.len() + 1));
        assert_eq!([0, 999_999_998].map(strict_name), ["s000000001", "s999999999"]);
    }

    #[test]
    fn metrics_stand_for_the_distance() {
        let random = &mut ChaCha8Rng::seed_from_u64(17);
        let mut all = collection(random, &[1; 12]);
        all.words = Some((1..13).map(|k| k * k).collect());
        for metric in [Metric::Cosine, Metric::Ani, Metric::Containment] {
            let table =
                |metric| written(Table { rows: &all, columns: Some(&all), format: Format::Tsv, metric }, 1 << 20);
            let (values, distances) = (table(metric), table(Metric::Hamming));
            assert!(values.starts_with(&format!("query\ttarget\t{}\n", metric.name())));
            for (number, (row, distance)) in values.lines().zip(distances.lines()).skip(1).enumerate() {
                let words = [number / 12, number % 12].map(|k| ((k + 1) * (k + 1)) as u64);
                let share: Option<f64> = distance.rsplit_once('\t').unwrap().1.parse().ok();
                let expected = share.and_then(|share| metric.at(share, (64, 3), Some(words)));
                let expected = expected.map_or("NA".to_owned(), |value| format!("{value:.6}"));
                assert_eq!(row.rsplit_once('\t').unwrap().1, expected, "{row} {distance}");
            }
        }
    }

    /// Regression: 1/5 was rounded before it was divided by 128, and came out above the half.
    #[test]
    fn exact_halves_go_to_the_even_digit() {
        let (one, mut text) = (alike(&[5]), Vec::new());
        let table = Table { rows: &one, columns: Some(&one), format: Format::Tsv, metric: Metric::Hamming };
        table.write(&mut Told(vec![vec![0, 1, 0, 0, 0], vec![0; 5]]), 1 << 20, &mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "query\ttarget\tdistance\ns0\ts0\t0.001562\n");
    }

    #[test]
    fn the_reference_writes_the_same() {
        let random = &mut ChaCha8Rng::seed_from_u64(16);
        let all = collection(random, WINDOWS[5]);
        let (table, mut text) =
            (Table { rows: &all, columns: None, format: Format::Tsv, metric: Metric::Hamming }, Vec::new());
        table.write(&mut NaiveHamming, 5000, &mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), written(table, 1 << 20));
    }
}
