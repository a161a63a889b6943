//! Which bytes make words: every byte, every place, lower case and U.

use super::Case;
use super::parameters::{ALPHABETS, HASHES};
use warpseq::sign::{Alphabet, Parameters, Window};

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (alphabet, canonical, _) in ALPHABETS {
        for (hash, window) in HASHES.into_iter().zip([Window::Length(4), Window::Whole, Window::Length(16)]) {
            let parameters = Parameters { alphabet, canonical, hash, window, ..Parameters::QUT };
            cases.push(Case::new("every byte", parameters, &every_byte()));
            cases.push(Case::new("a strange letter at every place", parameters, &every_place()));
            cases.push(Case::new(
                "nothing but strange letters",
                parameters,
                &["NNNNN", "-", "X*X*X*X*X*X*X*X*XXXX", ""],
            ));
        }
    }
    cases
}

/// Each byte between letters of all alphabets; a sequence has all of `\n` and `>`, which FASTA would not give.
fn every_byte() -> Vec<Vec<u8>> {
    (0..=255).map(|byte| [b"ACG".as_slice(), &[byte], b"TAC"].concat()).collect()
}

/// One `N`, `-` or `*` in every place of a sequence, and two of them three letters apart.
fn every_place() -> Vec<Vec<u8>> {
    let letters = b"ACGTTGCAACCGGTTATG";
    let mut sequences = Vec::new();
    for place in 0..letters.len() {
        for (strange, other) in [(b'N', None), (b'-', None), (b'*', Some(place + 4))] {
            let mut sequence = letters.to_vec();
            sequence[place] = strange;
            other.and_then(|other| sequence.get_mut(other)).into_iter().for_each(|letter| *letter = strange);
            sequences.push(sequence);
        }
    }
    sequences
}

/// Of `ACG?TAC` and words of 3 letters: with a strange letter ACG and TAC are left, and there is a signature.
#[test]
fn strange_letters_take_their_words_away() {
    let signature = |alphabet, letters: &str| {
        let parameters = Parameters { alphabet, k: 3, canonical: false, ..Parameters::DNA };
        Case::new("strange", parameters, &[letters]).solve().bytes
    };
    for (alphabet, strange) in [(Alphabet::Dna, ['N', '-']), (Alphabet::Protein, ['X', 'U'])] {
        let [first, second] = strange.map(|letter| signature(alphabet, &format!("ACG{letter}TAC")));
        assert_eq!(first, second);
        assert_ne!(first, signature(alphabet, "ACGATAC"));
        assert_eq!(signature(alphabet, &format!("ACG{}", strange[0])), signature(alphabet, "ACG"));
    }
    assert_ne!(signature(Alphabet::Raw, "ACGN"), signature(Alphabet::Raw, "ACG"));
}
