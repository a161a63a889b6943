//! A file that is one record: the words of each of its sequences, and none that reaches from one into the next.

use super::{Make, sign};
use crate::conformance::dice::Dice;
use warpseq::sign::input::JOINT;
use warpseq::sign::reference::{self, Reference};
use warpseq::sign::{Alphabet, Hash, Parameters, Records, Words, words};

/// The sequences of a file.
type File = Vec<Vec<u8>>;

/// Files of up to five sequences, some of them empty or shorter than k; and a long one, which is counted in pieces.
fn files(dice: &mut Dice, alphabet: Alphabet, long: usize) -> Vec<File> {
    let mut sequence = |length: usize| match alphabet {
        Alphabet::Dna => dice.bases(length, 2),
        _ => dice.letters(b"ACDEFGHIKLMNPQRSTVWYX", length),
    };
    let mut files: Vec<File> =
        (0..20).map(|k| (0..k % 6).map(|s| sequence((k * 17 + s * 29) % 90)).collect()).collect();
    files.push((0..7).map(|s| sequence(long + s)).collect());
    files
}

fn check_under(make: &Make, parameters: Parameters, long: usize) {
    let files = files(&mut Dice::new(u64::from(parameters.k)), parameters.alphabet, long);
    let batch = Records::from_iter(files.iter().map(|file| ("file", file.join(&[JOINT][..]))));
    let found = sign(make(parameters).as_mut(), &batch);
    let mut reference = Reference::new(parameters);
    for (k, file) in files.iter().enumerate() {
        let expected = reference.sign_file(&file.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let bytes = &found.bytes[k * parameters.width()..][..parameters.width()];
        assert_eq!((found.present[k] == 1).then_some(bytes), expected.as_deref(), "file {k}, {parameters}");
    }
    let words_of = |file: &File| {
        let records = Records::from_iter(file.iter().map(|sequence| ("s", sequence)));
        reference::words(parameters, &records).iter().sum()
    };
    let expected: Vec<u32> = files.iter().map(words_of).collect();
    assert_eq!(words::of_batch(&batch, &parameters, &found), expected, "{parameters}");
}

/// Compares an executor with the reference, which knows the sequences of each file apart.
pub fn check(make: &Make) {
    for k in [1, 3, 11, 21, 32] {
        check_under(make, Parameters { k, bits: 128, ..Parameters::DNA }, 300);
        check_under(make, Parameters { k, bits: 64, canonical: false, words: Words::All, ..Parameters::DNA }, 300);
        check_under(make, Parameters { k, bits: 128, ..Parameters::PROTEIN }, 200);
    }
    for hash in [Hash::Pcg, Hash::Isaac] {
        let sparse = Parameters { hash, k: 3, density: 21, bits: 64, words: Words::All, ..Parameters::DNA };
        check_under(make, sparse, 200);
        check_under(make, Parameters { alphabet: Alphabet::Protein, canonical: false, ..sparse }, 200);
    }
    check_under(make, Parameters { bits: 64, ..Parameters::DNA }, 12_000);
}
