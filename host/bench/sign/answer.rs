//! The answer of an engine as rows of bytes, to compare engines and to compute the checksum of a workload.

use crate::sign::{Neighbour, Signatures};
use xxhash_rust::xxh3::Xxh3;

/// Rows in the order of sequences or queries.
pub struct Answer {
    width: usize,
    /// `width` bytes per row: a signature, or query, distance and target, 4 bytes each, little-endian.
    bytes: Vec<u8>,
    /// For signatures, a byte per row: whether its window has a k-mer.
    present: Vec<u8>,
}

impl Answer {
    /// Signatures of `width` bytes.
    pub fn of_signatures(Signatures { bytes, present }: Signatures, width: usize) -> Self {
        Self { width, bytes, present }
    }

    /// Neighbours, as found.
    pub fn of_neighbours(found: &[Neighbour]) -> Self {
        let numbers = |found: &Neighbour| [found.query, found.distance, found.target].map(u32::to_le_bytes);
        let bytes = found.iter().flat_map(numbers).flatten().collect();
        Self { width: 12, bytes, present: Vec::new() }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.bytes.len() / self.width
    }

    /// The rows as signatures.
    pub fn into_signatures(self) -> Signatures {
        Signatures { bytes: self.bytes, present: self.present }
    }

    /// Number of rows that differ from the row at the same place of `all`, which may have more rows.
    pub fn differing(&self, all: &Self) -> usize {
        if self.bytes.len() > all.bytes.len() {
            return self.rows();
        }
        let rows = self.bytes.chunks(self.width).zip(all.bytes.chunks(all.width)).map(|(a, b)| a == b);
        let present = self.present.iter().zip(&all.present).map(|(a, b)| a == b);
        rows.zip(present.chain(std::iter::repeat(true))).filter(|&(row, present)| !(row && present)).count()
    }

    /// XXH3-64 of all rows, then of the flags, as 16 hexadecimal digits.
    pub fn checksum(&self) -> String {
        let mut hash = Xxh3::new();
        hash.update(&self.bytes);
        hash.update(&self.present);
        format!("{:016x}", hash.digest())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(rows: &[[u8; 8]], present: &[u8]) -> Answer {
        Answer::of_signatures(Signatures { bytes: rows.concat(), present: present.to_vec() }, 8)
    }

    #[test]
    fn rows_that_differ_are_counted_in_bytes_and_in_flags() {
        let all = answer(&[[1; 8], [2; 8], [0; 8]], &[1, 1, 0]);
        assert_eq!(answer(&[[1; 8], [2; 8]], &[1, 1]).differing(&all), 0);
        assert_eq!(answer(&[[1; 8], [3; 8], [0; 8]], &[1, 1, 1]).differing(&all), 2);
        assert_eq!(answer(&[[0; 8]; 4], &[1; 4]).differing(&all), 4);
    }

    #[test]
    fn the_checksum_tells_rows_and_flags() {
        let checksums =
            [answer(&[[1; 8]], &[1]), answer(&[[1; 8]], &[0]), answer(&[[2; 8]], &[1])].map(|a| a.checksum());
        assert!(checksums[0] != checksums[1] && checksums[0] != checksums[2]);
        let found = Answer::of_neighbours(&[Neighbour { query: 1, distance: 2, target: 3 }]);
        assert_eq!((found.rows(), found.bytes), (1, vec![1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]));
    }
}
