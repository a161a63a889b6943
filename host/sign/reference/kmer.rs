//! Reads k-mers: which bytes they may contain, and which of a k-mer and its reverse complement stands for both.

use crate::{Alphabet, Parameters, Words};

/// The k-mer that `bytes` spell, in upper case and with T for U; `None` if one of them is not of the alphabet, or if only
/// complex k-mers are words and it repeats itself. If canonical,
/// the smaller of the k-mer and its reverse complement by 2-bit code: A < C < G < T, which is also their order as bytes.
pub fn read(bytes: &[u8], parameters: &Parameters) -> Option<Vec<u8>> {
    let kmer: Vec<u8> = bytes.iter().map(|&byte| residue(byte, parameters.alphabet)).collect::<Option<_>>()?;
    if parameters.words == Words::Complex && repeats(&kmer) {
        return None;
    }
    if !parameters.canonical {
        return Some(kmer);
    }
    let reverse: Vec<u8> = kmer.iter().rev().map(|&base| complement(base)).collect();
    Some(kmer.min(reverse))
}

fn residue(byte: u8, alphabet: Alphabet) -> Option<u8> {
    match (alphabet, byte) {
        (Alphabet::Raw, _) => Some(byte),
        (Alphabet::Dna, b'A' | b'a') => Some(b'A'),
        (Alphabet::Dna, b'C' | b'c') => Some(b'C'),
        (Alphabet::Dna, b'G' | b'g') => Some(b'G'),
        (Alphabet::Dna, b'T' | b't' | b'U' | b'u') => Some(b'T'),
        (Alphabet::Dna, _) => None,
        (Alphabet::Protein, b'a'..=b'z') => residue(byte - b'a' + b'A', alphabet),
        (Alphabet::Protein, b'B' | b'J' | b'O' | b'U' | b'X' | b'Z') => None,
        (Alphabet::Protein, b'A'..=b'Z') => Some(byte),
        (Alphabet::Protein, _) => None,
    }
}

/// Whether each symbol is the one p places later, for a p of at most 6 and of at most a third of the k-mer.
fn repeats(kmer: &[u8]) -> bool {
    (1..=6).filter(|p| 3 * p <= kmer.len()).any(|p| (0..kmer.len() - p).all(|i| kmer[i] == kmer[i + p]))
}

fn complement(base: u8) -> u8 {
    match base {
        b'A' => b'T',
        b'C' => b'G',
        b'G' => b'C',
        _ => b'A',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(place: &[u8], alphabet: Alphabet, canonical: bool) -> Option<Vec<u8>> {
        read(place, &Parameters { alphabet, canonical, words: Words::All, ..Parameters::DNA })
    }

    #[test]
    fn alphabets_have_4_and_20_and_256_residues() {
        let residues = |alphabet| (0..=255).filter_map(|byte| residue(byte, alphabet)).collect::<Vec<_>>();
        assert_eq!(residues(Alphabet::Dna), b"ACGTUacgtu".map(|byte| if byte & 31 == 21 { b'T' } else { byte & !32 }));
        assert_eq!(residues(Alphabet::Protein), b"ACDEFGHIKLMNPQRSTVWY".repeat(2));
        assert_eq!(residues(Alphabet::Raw), (0..=255).collect::<Vec<_>>());
    }

    #[test]
    fn the_smaller_strand_is_the_kmer() {
        assert_eq!(spelled(b"tuG", Alphabet::Dna, true).unwrap(), b"CAA");
        assert_eq!(spelled(b"tuG", Alphabet::Dna, false).unwrap(), b"TTG");
        assert_eq!(spelled(b"ACGT", Alphabet::Dna, true).unwrap(), b"ACGT");
        assert_eq!(spelled(b"AcC", Alphabet::Dna, true).unwrap(), b"ACC");
    }

    #[test]
    fn kmers_that_repeat_themselves_are_no_words() {
        let complex = |place: &[u8]| read(place, &Parameters { canonical: false, ..Parameters::DNA }).is_some();
        for repeated in [&b"AAA"[..], b"tUtT", b"ACACAC", b"ACGACGACG", b"ACGTCAACGTCAACGTCA", b"TTTTTTTTTTTTTTTTTTTTT"]
        {
            assert!(!complex(repeated), "{}", repeated.escape_ascii());
            let all = Parameters { words: Words::All, ..Parameters::DNA };
            assert!(read(repeated, &all).is_some());
        }
        for other in
            [&b"A"[..], b"AA", b"ACAC", b"AAC", b"ACGTCAACGTCA", b"ACGTCAGACGTCAGACGTCAG", b"AAAAAAAAAAAAAAAAAAAAC"]
        {
            assert!(complex(other), "{}", other.escape_ascii());
        }
    }

    #[test]
    fn other_symbols_make_no_kmer() {
        for (alphabet, bad) in [(Alphabet::Dna, b"NR-.\n\r >*"), (Alphabet::Protein, b"BJOUXZ*-\n")] {
            for byte in bad {
                assert_eq!(spelled(&[b'A', *byte], alphabet, false), None, "{}", byte.escape_ascii());
            }
        }
    }
}
