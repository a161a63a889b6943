use super::*;

const ISAAC: Parameters = Parameters { hash: Hash::Isaac, ..Parameters::QUT };

/// A k-mer, and its positions of +1 and of -1 in the order in which they are drawn.
type Vector = (&'static [u8], [usize; 6], [usize; 6]);

const PCG_VECTORS: [Vector; 4] = [
    (b"CCC", [21, 36, 15, 8, 37, 53], [63, 30, 6, 48, 24, 47]),
    (b"VGM", [13, 23, 28, 49, 24, 40], [1, 5, 33, 36, 3, 47]),
    (b"AAA", [55, 33, 16, 4, 52, 30], [17, 63, 9, 5, 45, 56]),
    (b"WWW", [37, 46, 60, 13, 51, 7], [9, 49, 57, 54, 40, 14]),
];

const ISAAC_VECTORS: [Vector; 3] = [
    (b"CCC", [61, 63, 58, 46, 42, 21], [41, 18, 1, 55, 29, 48]),
    (b"VGM", [58, 38, 5, 8, 2, 45], [23, 12, 30, 33, 37, 62]),
    (b"AAA", [33, 36, 24, 60, 35, 28], [45, 25, 2, 1, 15, 54]),
];

fn batch(sequences: &[&[u8]]) -> Records {
    let mut batch = Records::default();
    sequences.iter().for_each(|residues| batch.push(b"", residues));
    batch
}

#[test]
fn vectors_are_those_of_the_original_programs() {
    for (parameters, vectors) in [(Parameters::QUT, PCG_VECTORS.as_slice()), (ISAAC, &ISAAC_VECTORS)] {
        for &(kmer, positive, negative) in vectors {
            let expected = Drawing { positive: positive.to_vec(), negative: negative.to_vec() };
            assert_eq!(drawn(kmer, &parameters), expected, "{}, {parameters}", kmer.escape_ascii());
        }
    }
}

/// The seed 1ACE07EF never changes, because its number is 0. The second k-mer gets to it after one number, the third after ten.
#[test]
fn drawings_that_would_not_end_end() {
    let parameters = Parameters { k: 4, ..Parameters::QUT };
    for (kmer, positive, negative) in [
        ([0x1A, 0xCE, 0x07, 0xEF], [0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]),
        ([0xC1, 0xF3, 0x2D, 0xBA], [21, 0, 1, 2, 3, 4], [5, 6, 7, 8, 9, 10]),
        ([0x42, 0x2D, 0x86, 0x00], [1, 6, 21, 2, 28, 63], [57, 8, 39, 10, 0, 3]),
    ] {
        let Drawing { positive: plus, negative: minus } = drawn(&kmer, &parameters);
        assert_eq!((&plus[..], &minus[..]), (&positive[..], &negative[..]), "{kmer:x?}");
    }
}

/// When every position is drawn, some of the last ones are not met in 1000 draws.
#[test]
fn every_position_may_be_drawn() {
    for (hash, bits) in [(Hash::Pcg, 64), (Hash::Pcg, 4096), (Hash::Isaac, 64), (Hash::Isaac, 4096)] {
        let Drawing { mut positive, negative } =
            drawn(b"ACDE", &Parameters { hash, k: 4, bits, density: 100, ..Parameters::QUT });
        assert_eq!(positive.len(), negative.len());
        positive.extend(negative);
        positive.sort_unstable();
        assert!(positive.into_iter().eq(0..bits as usize), "{hash} {bits}");
    }
}

#[test]
fn windows_overlap_by_half() {
    let cut = |residues: &'static str, w| windows(residues.as_bytes(), Window::Length(w)).concat();
    assert_eq!(cut("", 4), b"");
    assert_eq!(cut("ABCD", 4), b"ABCD");
    assert_eq!(cut("ABCDE", 4), b"ABCDCDE");
    assert_eq!(cut("ABCDEF", 4), b"ABCDCDEF");
    assert_eq!(cut("ABCDEFG", 4), b"ABCDCDEFEFG");
    for length in 17..200 {
        assert_eq!(windows(&vec![b'A'; length], Window::Length(16)).len(), length.div_ceil(8) - 1);
    }
    assert_eq!(windows(b"ABCDEFG", Window::Whole), [b"ABCDEFG"]);
}

#[test]
fn raw_bytes_are_signatures_after_numbers() {
    let sequences = batch(&[b"CCC", b"", b"CC", b"CCCCCCCCCCCCCCCCCC"]);
    let ccc: [u8; 8] = std::array::from_fn(|byte| {
        [21, 36, 15, 8, 37, 53].iter().filter(|&&at| at / 8 == byte).map(|at| 0x80 >> (at % 8)).sum()
    });
    let nothing = [0; 8];
    assert_eq!(raw(Parameters::QUT, &sequences, false), [ccc, nothing, nothing, ccc, ccc].concat());
    let numbered = [(0, ccc), (1, nothing), (2, nothing), (3, ccc), (3, ccc)];
    let expected: Vec<u8> = numbered.iter().flat_map(|(k, bytes)| [[*k, 0, 0, 0].as_slice(), bytes].concat()).collect();
    assert_eq!(raw(Parameters::QUT, &sequences, true), expected);
    let mut signatures = Signatures { bytes: vec![1; 999], present: vec![7; 3] };
    Reference::new(Parameters::QUT).compute(&sequences, &mut signatures).unwrap();
    assert_eq!(signatures.present, [1, 0, 0, 1, 1]);
}
