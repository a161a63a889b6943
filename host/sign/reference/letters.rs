//! Which letters make words, and which word stands for a word and its reverse complement.

use crate::{Alphabet, Parameters};

/// The word that the bytes of a place spell, in the alphabet's own letters; `None` when one of them is not a letter. Of a
/// canonical word and its reverse complement the smaller by 2-bit code: A < C < G < T, as the letters are ordered.
pub fn word(place: &[u8], parameters: &Parameters) -> Option<Vec<u8>> {
    let word: Vec<u8> = place.iter().map(|&byte| letter(byte, parameters.alphabet)).collect::<Option<_>>()?;
    if !parameters.canonical {
        return Some(word);
    }
    let reverse: Vec<u8> = word.iter().rev().map(|&letter| complement(letter)).collect();
    Some(word.min(reverse))
}

fn letter(byte: u8, alphabet: Alphabet) -> Option<u8> {
    match (alphabet, byte) {
        (Alphabet::Raw, _) => Some(byte),
        (Alphabet::Dna, b'A' | b'a') => Some(b'A'),
        (Alphabet::Dna, b'C' | b'c') => Some(b'C'),
        (Alphabet::Dna, b'G' | b'g') => Some(b'G'),
        (Alphabet::Dna, b'T' | b't' | b'U' | b'u') => Some(b'T'),
        (Alphabet::Dna, _) => None,
        (Alphabet::Protein, b'a'..=b'z') => letter(byte - b'a' + b'A', alphabet),
        (Alphabet::Protein, b'B' | b'J' | b'O' | b'U' | b'X' | b'Z') => None,
        (Alphabet::Protein, b'A'..=b'Z') => Some(byte),
        (Alphabet::Protein, _) => None,
    }
}

fn complement(letter: u8) -> u8 {
    match letter {
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
        word(place, &Parameters { alphabet, canonical, ..Parameters::DNA })
    }

    #[test]
    fn alphabets_have_4_and_20_and_256_letters() {
        let letters = |alphabet| (0..=255).filter_map(|byte| letter(byte, alphabet)).collect::<Vec<_>>();
        assert_eq!(letters(Alphabet::Dna), b"ACGTUacgtu".map(|byte| if byte & 31 == 21 { b'T' } else { byte & !32 }));
        assert_eq!(letters(Alphabet::Protein), b"ACDEFGHIKLMNPQRSTVWY".repeat(2));
        assert_eq!(letters(Alphabet::Raw), (0..=255).collect::<Vec<_>>());
    }

    #[test]
    fn the_smaller_strand_is_the_word() {
        assert_eq!(spelled(b"tuG", Alphabet::Dna, true).unwrap(), b"CAA");
        assert_eq!(spelled(b"tuG", Alphabet::Dna, false).unwrap(), b"TTG");
        assert_eq!(spelled(b"ACGT", Alphabet::Dna, true).unwrap(), b"ACGT");
        assert_eq!(spelled(b"AcC", Alphabet::Dna, true).unwrap(), b"ACC");
    }

    #[test]
    fn other_letters_make_no_word() {
        for (alphabet, bad) in [(Alphabet::Dna, b"NR-.\n\r >*"), (Alphabet::Protein, b"BJOUXZ*-\n")] {
            for byte in bad {
                assert_eq!(spelled(&[b'A', *byte], alphabet, false), None, "{}", byte.escape_ascii());
            }
        }
    }
}
