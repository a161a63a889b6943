//! Signature files as `docs/signature-file.md` describes them, from bytes in memory.

/// What a file holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plain {
    pub names: Vec<Vec<u8>>,
    pub lengths: Vec<u64>,
    pub firsts: Vec<u64>,
    pub present: Vec<bool>,
    pub signatures: Vec<u8>,
}

/// What the file holds; it is one that a reader takes.
///
/// # Panics
/// When it is not.
pub fn parse(file: &[u8]) -> Plain {
    let trailer = &file[file.len() - 80..];
    assert_eq!((&file[..8], &trailer[72..]), (&b"WARPSIG\x1a"[..], &b"WARPEND\x1a"[..]));
    let [sequences, windows, present, lengths, firsts, offsets, names, total] =
        [0, 8, 16, 24, 32, 40, 48, 56].map(|at| number(trailer, at) as usize);
    assert_eq!(total, file.len());
    let width = usize::try_from(number(file, 32) & 0xffff_ffff).expect("bits fit") / 8;
    let numbers = |at: usize, count: usize| (0..count).map(|k| number(file, at + 8 * k)).collect::<Vec<_>>();
    let ends = numbers(offsets, sequences + 1);
    let name = |pair: &[u64]| file[names + pair[0] as usize..names + pair[1] as usize].to_vec();
    Plain {
        names: ends.windows(2).map(name).collect(),
        lengths: numbers(lengths, sequences),
        firsts: numbers(firsts, sequences + 1),
        present: (0..windows).map(|window| file[present + window / 8] >> (window % 8) & 1 == 1).collect(),
        signatures: file[64..64 + windows * width].to_vec(),
    }
}

fn number(bytes: &[u8], at: usize) -> u64 {
    (0..8).rev().fold(0, |number, k| number << 8 | u64::from(bytes[at + k]))
}
