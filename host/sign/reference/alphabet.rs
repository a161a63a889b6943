//! What the sequences of a file are, by the rule as `docs/sign.md` has it, on a copy of all their letters.

use crate::Alphabet;

/// DNA if 90 % or more of the first 10,000 letters are codes of nucleotides, else proteins; `None` without letters. Gaps are no
/// letters. Only the first 1,048,576 symbols of the first 65,536 sequences count.
pub fn alphabet<S: AsRef<[u8]>>(sequences: &[S]) -> Option<Alphabet> {
    let symbols: Vec<u8> = sequences.iter().take(65_536).flat_map(|sequence| sequence.as_ref().to_vec()).collect();
    let letters = symbols.iter().take(1_048_576).filter(|&&symbol| symbol != b'-' && symbol != b'.');
    let letters: Vec<char> = letters.take(10_000).map(|&letter| char::from(letter).to_ascii_uppercase()).collect();
    let others = letters.iter().filter(|&&letter| !"ABCDGHKMNRSTUVWY".contains(letter)).count();
    match letters.len() {
        0 => None,
        count if others * 100 <= count * 10 => Some(Alphabet::Dna),
        _ => Some(Alphabet::Protein),
    }
}
