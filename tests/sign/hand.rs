//! Cases small enough to draw: the vectors of all words of a window, and under them the signature.

use super::Case;
use warpseq::sign::reference::vector;
use warpseq::sign::{Alphabet, Parameters, Window};

struct Picture {
    name: &'static str,
    /// Proteins and the preset's sparse vectors; words with `-` are skipped.
    letters: &'static str,
    /// A line for each word: the word, its vector in groups of eight; then the signature, 1 for a sum above 0.
    drawing: &'static str,
}

const SPARSE: Parameters = Parameters { alphabet: Alphabet::Protein, window: Window::Whole, ..Parameters::QUT };

const PICTURES: [Picture; 4] = [
    Picture {
        name: "one word",
        letters: "CCC",
        drawing: "
            CCC ......-. +......+ .....+.. -.....-. ....++.. .......- -....+.. .......-
            =   ........ 1......1 .....1.. ........ ....11.. ........ .....1.. ........",
    },
    Picture {
        name: "two words, whose sums are 0 where one has + and the other -",
        letters: "ccc-VgM",
        drawing: "
            CCC ......-. +......+ .....+.. -.....-. ....++.. .......- -....+.. .......-
            VGM .-.-.-.. .....+.. .......+ +...+... .-..-... +......- .+...... ........
            =   ........ 1....1.1 .....1.1 ....1... .....1.. 1....... .1...1.. ........",
    },
    Picture {
        name: "a word twice outvotes a word",
        letters: "CCCC-VGM",
        drawing: "
            CCC ......-. +......+ .....+.. -.....-. ....++.. .......- -....+.. .......-
            CCC ......-. +......+ .....+.. -.....-. ....++.. .......- -....+.. .......-
            VGM .-.-.-.. .....+.. .......+ +...+... .-..-... +......- .+...... ........
            =   ........ 1....1.1 .....1.1 ....1... ....11.. 1....... .1...1.. ........",
    },
    Picture {
        name: "three words",
        letters: "CCC-AAAXVGM",
        drawing: "
            CCC ......-. +......+ .....+.. -.....-. ....++.. .......- -....+.. .......-
            AAA ....+-.. .-...... +-...... ......+. .+...... .....-.. ....+..+ -......-
            VGM .-.-.-.. .....+.. .......+ +...+... .-..-... +......- .+...... ........
            =   ....1... 1....1.1 1....1.1 ....1... .....1.. 1....... .1..11.1 ........",
    },
];

impl Picture {
    fn case(&self) -> Case {
        Case::new(self.name, SPARSE, &[self.letters])
    }

    /// The lines: a word, its elements.
    fn lines(&self) -> Vec<(&'static str, String)> {
        let lines = self.drawing.trim().lines().map(|line| line.trim().split_once(' ').expect("a word, its elements"));
        lines.map(|(word, elements)| (word, elements.replace(' ', ""))).collect()
    }
}

/// Splitmix64 of the seeds 0 and 1,234,567, as its authors' program puts them out: the vectors of `A` * 11 and `CAGTCCGGACT`.
const OF_0: [u64; 2] = [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4];
const OF_1234567: [u64; 2] = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973];

/// Dense vectors of 128 bits, and what the signature is made of them.
fn dense() -> [(bool, &'static str, [u64; 2]); 7] {
    let both = [OF_0[0] & OF_1234567[0], OF_0[1] & OF_1234567[1]];
    [
        (false, "AAAAAAAAAAA", OF_0),
        (true, "aaaaaaaaaaaNACGT", OF_0),
        (true, "UUUUUTTTTTT", OF_0),
        (false, "CAGTCCGGACT", OF_1234567),
        (false, "CAGUCCGGACU-AAAAAAAAAAA", both),
        (false, "CAGTCCGGACTNAAAAAAAAAAAA", OF_0),
        (false, "AAAAAAAAAAANcagtccggactNCAGTCCGGACT", OF_1234567),
    ]
}

fn dna(canonical: bool) -> Parameters {
    Parameters { k: 11, bits: 128, canonical, ..Parameters::DNA }
}

/// Windows of 4 in `CCC-AAA-`: CCC-, C-AA with no word, AAA-.
fn windows() -> Case {
    Case::new("windows of 4", Parameters { window: Window::Length(4), ..SPARSE }, &["CCC-AAA-"])
}

pub fn cases() -> Vec<Case> {
    let mut cases: Vec<_> = PICTURES.iter().map(Picture::case).collect();
    cases.extend(dense().map(|(canonical, letters, _)| Case::new("published numbers", dna(canonical), &[letters])));
    cases.push(windows());
    cases
}

/// The drawn words are those of the letters, their vectors add up to the signature, and the reference finds the same.
#[test]
fn the_reference_signs_what_is_drawn() {
    for picture in &PICTURES {
        let lines = picture.lines();
        let (expected, words) = lines.split_last().expect("the signature is the last line");
        let spelled = picture.letters.to_uppercase().into_bytes();
        let spelled = spelled.windows(3).filter(|word| word.iter().all(|letter| b"ACGMV".contains(letter)));
        assert!(spelled.eq(words.iter().map(|(word, _)| word.as_bytes())), "{}", picture.name);
        let mut sums = [0_i8; 64];
        for (word, elements) in words {
            let element = |sign| match sign {
                '+' => 1,
                '-' => -1,
                _ => 0,
            };
            let elements: Vec<i8> = elements.chars().map(element).collect();
            assert_eq!(vector(word.as_bytes(), &SPARSE), elements, "{word}");
            sums.iter_mut().zip(elements).for_each(|(sum, element)| *sum += element);
        }
        assert_eq!(sums.map(|sum| if sum > 0 { '1' } else { '.' }).iter().collect::<String>(), expected.1);
        let bits = u64::from_str_radix(&expected.1.replace('.', "0"), 2).unwrap();
        assert_eq!(picture.case().solve().bytes, bits.to_be_bytes(), "{}", picture.name);
    }
}

#[test]
fn dense_signatures_are_made_of_published_numbers() {
    for (canonical, letters, numbers) in dense() {
        let signatures = Case::new("published numbers", dna(canonical), &[letters]).solve();
        assert_eq!(signatures.bytes, numbers.map(u64::to_be_bytes).concat(), "{letters}");
    }
}

#[test]
fn a_window_with_no_word_has_no_signature() {
    let signature = |letters| Case::new("alone", SPARSE, &[letters]).solve().bytes;
    let signatures = windows().solve();
    assert_eq!(signatures.present, [1, 0, 1]);
    assert_eq!(signatures.bytes, [signature("CCC"), vec![0; 8], signature("AAA")].concat());
}
