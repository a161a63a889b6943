//! The header: which parameters made the signatures.

use super::{HEADER, MAGIC};
use crate::{Alphabet, Hash, Parameters, Window, Words};
use warpseq_io::format::u32_at;

const ALPHABETS: [Alphabet; 3] = [Alphabet::Raw, Alphabet::Dna, Alphabet::Protein];
const HASHES: [Hash; 3] = [Hash::Pcg, Hash::Isaac, Hash::Mix64];
/// The window's number for [`Window::Whole`].
const WHOLE: u32 = 0;
const WORDS: [Words; 2] = [Words::All, Words::Complex];
/// Where the numbers start; where they end.
const NUMBERS: (usize, usize) = (8, 48);

/// The header of a file, of a version, of signatures made with `parameters`.
pub(super) fn encode(version: u32, parameters: &Parameters) -> [u8; HEADER] {
    let Parameters { alphabet, k, window, bits, hash, density, canonical, words } = *parameters;
    let window = match window {
        Window::Length(length) => length,
        Window::Whole => WHOLE,
    };
    let alphabet = number_of(&ALPHABETS, alphabet);
    let hash = number_of(&HASHES, hash);
    let words = number_of(&WORDS, words);
    let numbers = [version, HEADER as u32, alphabet, hash, k, window, bits, density, u32::from(canonical), words];
    let mut header = [0; HEADER];
    header[..MAGIC.len()].copy_from_slice(&MAGIC);
    for (place, number) in header[NUMBERS.0..NUMBERS.1].chunks_exact_mut(4).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    header
}

/// The parameters in a header, or what is wrong with it. Magic and version have been checked.
pub(super) fn decode(header: &[u8]) -> Result<Parameters, String> {
    let number = |at| u32_at(header, at);
    if number(12) != HEADER as u32 || header[NUMBERS.1..HEADER].iter().any(|&byte| byte != 0) {
        return Err("its header is not that of this version".into());
    }
    let window = match number(28) {
        WHOLE => Window::Whole,
        length => Window::Length(length),
    };
    let parameters = Parameters {
        alphabet: named(&ALPHABETS, number(16), "alphabet")?,
        hash: named(&HASHES, number(20), "hash")?,
        k: number(24),
        window,
        bits: number(32),
        density: number(36),
        canonical: named(&[false, true], number(40), "canonical")?,
        words: named(if number(8) == 1 { &WORDS[..1] } else { &WORDS }, number(44), "words")?,
    };
    // The elements drawn by a density above 100 need not fit a number. A density of dense vectors would make parameters that
    // differ from all others, but are written like them.
    if parameters.density > 100 || parameters.hash == Hash::Mix64 && parameters.density > 0 {
        return Err(format!("the header has density {} under {}", parameters.density, parameters.hash));
    }
    parameters.check().map_err(|error| format!("its header has unusable parameters: {error}"))?;
    Ok(parameters)
}

fn number_of<T: PartialEq>(all: &[T], one: T) -> u32 {
    all.iter().position(|each| *each == one).expect("all are listed") as u32
}

fn named<T: Copy>(all: &[T], number: u32, what: &str) -> Result<T, String> {
    all.get(number as usize).copied().ok_or_else(|| format!("the header has {what} {number}"))
}

#[cfg(test)]
mod tests {
    use super::super::VERSION;
    use super::*;

    #[test]
    fn parameters_come_back() {
        for alphabet in ALPHABETS {
            for hash in HASHES {
                for window in [Window::Whole, Window::Length(4), Window::Length(65_536)] {
                    let canonical = alphabet == Alphabet::Dna;
                    let density = if hash == Hash::Mix64 { 0 } else { Parameters::DENSITY };
                    let words = if canonical && density == 0 { Words::Complex } else { Words::All };
                    let parameters =
                        Parameters { alphabet, hash, window, canonical, density, words, ..Parameters::QUT };
                    assert_eq!(decode(&encode(VERSION, &parameters)), Ok(parameters));
                }
            }
        }
    }

    #[test]
    fn the_bytes_are_those_of_the_document() {
        let mut expected = b"WARPSIG\x1a".to_vec();
        for number in [2_u32, 64, 1, 2, Parameters::DNA.k, 0, Parameters::DNA.bits, 0, 1, 1] {
            expected.extend(number.to_le_bytes());
        }
        expected.resize(64, 0);
        assert_eq!(encode(VERSION, &Parameters::DNA).to_vec(), expected);
    }

    /// Regression: such a file could be compared with no other, and the advice was to make one with the options of the other.
    #[test]
    fn a_density_of_dense_vectors_is_refused() {
        for density in [1, 21, 100] {
            let header = encode(VERSION, &Parameters { density, ..Parameters::DNA });
            assert_eq!(decode(&header), Err(format!("the header has density {density} under mix64")));
        }
    }

    #[test]
    fn a_number_that_means_nothing_is_refused() {
        for at in (12..64).step_by(4) {
            for number in [3, 99, 101, u32::MAX] {
                let mut header = encode(VERSION, &Parameters::QUT);
                header[at..at + 4].copy_from_slice(&u32::to_le_bytes(number));
                let fine = matches!((at, number), (24, 3) | (36, 99));
                assert_eq!(decode(&header).is_ok(), fine, "{number} at {at}");
            }
        }
    }
}
