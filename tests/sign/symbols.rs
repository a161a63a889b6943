//! Which bytes k-mers may contain: every byte, every place, lower case and U.

use super::Case;
use super::parameters::{ALPHABETS, HASHES};
use warpseq::sign::{Alphabet, Hash, Parameters, Window};

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (alphabet, canonical, _) in ALPHABETS {
        for (hash, window) in HASHES.into_iter().zip([Window::Length(4), Window::Whole, Window::Length(16)]) {
            let density = if hash == Hash::Mix64 { 0 } else { Parameters::DENSITY };
            let parameters = Parameters { alphabet, canonical, hash, window, density, ..Parameters::QUT };
            cases.push(Case::new("every byte", parameters, &every_byte()));
            cases.push(Case::new("another symbol at every place", parameters, &every_place()));
            cases.push(Case::new("only other symbols", parameters, &["NNNNN", "-", "X*X*X*X*X*X*X*X*XXXX", ""]));
        }
    }
    cases
}

/// Each byte between residues of all alphabets, `\n` and `>` included, which FASTA would not give.
fn every_byte() -> Vec<Vec<u8>> {
    (0..=255).map(|byte| [b"ACG".as_slice(), &[byte], b"TAC"].concat()).collect()
}

/// One `N`, `-` or `*` in every place of a sequence, or two `*` with three residues between them.
fn every_place() -> Vec<Vec<u8>> {
    let bases = b"ACGTTGCAACCGGTTATG";
    let mut sequences = Vec::new();
    for place in 0..bases.len() {
        for (strange, other) in [(b'N', None), (b'-', None), (b'*', Some(place + 4))] {
            let mut sequence = bases.to_vec();
            sequence[place] = strange;
            other.and_then(|other| sequence.get_mut(other)).into_iter().for_each(|base| *base = strange);
            sequences.push(sequence);
        }
    }
    sequences
}

/// In `ACG?TAC`, where `?` is another symbol, only the 3-mers ACG and TAC count, and there is a signature.
#[test]
fn kmers_with_other_symbols_are_skipped() {
    let signature = |alphabet, sequence: &str| {
        let parameters = Parameters { alphabet, k: 3, ..Parameters::PROTEIN };
        Case::new("strange", parameters, &[sequence]).solve().bytes
    };
    for (alphabet, strange) in [(Alphabet::Dna, ['N', '-']), (Alphabet::Protein, ['X', 'U'])] {
        let [first, second] = strange.map(|symbol| signature(alphabet, &format!("ACG{symbol}TAC")));
        assert_eq!(first, second);
        assert_ne!(first, signature(alphabet, "ACGATAC"));
        assert_eq!(signature(alphabet, &format!("ACG{}", strange[0])), signature(alphabet, "ACG"));
    }
    assert_ne!(signature(Alphabet::Raw, "ACGN"), signature(Alphabet::Raw, "ACG"));
}
