//! Database files as `docs/database-file.md` describes them, from bytes in memory.

/// What a file holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plain {
    pub names: Vec<Vec<u8>>,
    pub sequences: Vec<Vec<u8>>,
    /// How many residues are each byte.
    pub letters: Vec<u64>,
    /// 0 nucleotides, 1 proteins.
    pub alphabet: u64,
}

/// What the file holds; it is one that a reader takes.
///
/// # Panics
/// When it is not.
pub fn parse(file: &[u8]) -> Plain {
    let trailer = &file[file.len() - 80..];
    assert_eq!((&file[..8], &trailer[72..]), (&b"WARPSDB\x1a"[..], &b"WARPEND\x1a"[..]));
    let [sequences, residues, starts, offsets, names, letters, alphabet, total] =
        [0, 8, 16, 24, 32, 40, 48, 56].map(|at| number(trailer, at));
    assert_eq!((total as usize, alphabet < 2), (file.len(), true));
    let numbers = |at: u64, count: u64| (0..count).map(|k| number(file, (at + 8 * k) as usize)).collect::<Vec<_>>();
    let between = |numbers: &[u64], first: u64| -> Vec<Vec<u8>> {
        let part = |pair: &[u64]| file[(first + pair[0]) as usize..(first + pair[1]) as usize].to_vec();
        numbers.windows(2).map(part).collect()
    };
    let starts = numbers(starts, sequences + 1);
    assert_eq!(starts.last(), Some(&residues));
    Plain {
        names: between(&numbers(offsets, sequences + 1), names),
        sequences: between(&starts, 64),
        letters: numbers(letters, 256),
        alphabet,
    }
}

fn number(bytes: &[u8], at: usize) -> u64 {
    (0..8).rev().fold(0, |number, k| number << 8 | u64::from(bytes[at + k]))
}
