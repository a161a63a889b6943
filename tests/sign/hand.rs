//! Cases small enough to draw: the vectors of all k-mers of a window, and under them the signature.

use super::Case;
use warpseq::sign::reference::vector;
use warpseq::sign::{Alphabet, Parameters, Window, Words};

struct Picture {
    name: &'static str,
    /// A protein, signed with the sparse vectors of the preset; k-mers with `-` are skipped.
    residues: &'static str,
    /// A line for each k-mer, with its vector in groups of eight; then the signature, 1 for a sum above 0.
    drawing: &'static str,
}

const SPARSE: Parameters = Parameters { alphabet: Alphabet::Protein, window: Window::Whole, ..Parameters::QUT };

const PICTURES: [Picture; 4] = [
    Picture {
        name: "one k-mer",
        residues: "CCC",
        drawing: "
            CCC ......-. +......+ .....+.. -.....-. ....++.. .......- -....+.. .......-
            =   ........ 1......1 .....1.. ........ ....11.. ........ .....1.. ........",
    },
    Picture {
        name: "two k-mers, whose sums are 0 where one has + and the other -",
        residues: "ccc-VgM",
        drawing: "
            CCC ......-. +......+ .....+.. -.....-. ....++.. .......- -....+.. .......-
            VGM .-.-.-.. .....+.. .......+ +...+... .-..-... +......- .+...... ........
            =   ........ 1....1.1 .....1.1 ....1... .....1.. 1....... .1...1.. ........",
    },
    Picture {
        name: "a k-mer twice outvotes a k-mer",
        residues: "CCCC-VGM",
        drawing: "
            CCC ......-. +......+ .....+.. -.....-. ....++.. .......- -....+.. .......-
            CCC ......-. +......+ .....+.. -.....-. ....++.. .......- -....+.. .......-
            VGM .-.-.-.. .....+.. .......+ +...+... .-..-... +......- .+...... ........
            =   ........ 1....1.1 .....1.1 ....1... ....11.. 1....... .1...1.. ........",
    },
    Picture {
        name: "three k-mers",
        residues: "CCC-AAAXVGM",
        drawing: "
            CCC ......-. +......+ .....+.. -.....-. ....++.. .......- -....+.. .......-
            AAA ....+-.. .-...... +-...... ......+. .+...... .....-.. ....+..+ -......-
            VGM .-.-.-.. .....+.. .......+ +...+... .-..-... +......- .+...... ........
            =   ....1... 1....1.1 1....1.1 ....1... .....1.. 1....... .1..11.1 ........",
    },
];

impl Picture {
    fn case(&self) -> Case {
        Case::new(self.name, SPARSE, &[self.residues])
    }

    /// The lines: a k-mer, its elements.
    fn lines(&self) -> Vec<(&'static str, String)> {
        let lines = self.drawing.trim().lines().map(|line| line.trim().split_once(' ').expect("a k-mer, its elements"));
        lines.map(|(kmer, elements)| (kmer, elements.replace(' ', ""))).collect()
    }
}

/// Splitmix64 of the seeds 0 and 1,234,567, as computed by the program of its authors: the vectors of `A` * 11 and
/// `CAGTCCGGACT`.
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
    Parameters { k: 11, bits: 128, canonical, words: Words::All, ..Parameters::DNA }
}

/// Windows of 4 in `CCC-AAA-`: CCC-, C-AA without a k-mer, AAA-.
fn windows() -> Case {
    Case::new("windows of 4", Parameters { window: Window::Length(4), ..SPARSE }, &["CCC-AAA-"])
}

pub fn cases() -> Vec<Case> {
    let mut cases: Vec<_> = PICTURES.iter().map(Picture::case).collect();
    cases.extend(dense().map(|(canonical, residues, _)| Case::new("published numbers", dna(canonical), &[residues])));
    cases.push(windows());
    cases
}

/// The k-mers drawn are those of the protein, their vectors add up to the signature, and the reference computes the same.
#[test]
fn the_reference_signs_what_is_drawn() {
    for picture in &PICTURES {
        let lines = picture.lines();
        let (expected, kmers) = lines.split_last().expect("the signature is the last line");
        let spelled = picture.residues.to_uppercase().into_bytes();
        let spelled = spelled.windows(3).filter(|kmer| kmer.iter().all(|residue| b"ACGMV".contains(residue)));
        assert!(spelled.eq(kmers.iter().map(|(kmer, _)| kmer.as_bytes())), "{}", picture.name);
        let mut sums = [0_i8; 64];
        for (kmer, elements) in kmers {
            let element = |sign| match sign {
                '+' => 1,
                '-' => -1,
                _ => 0,
            };
            let elements: Vec<i8> = elements.chars().map(element).collect();
            assert_eq!(vector(kmer.as_bytes(), &SPARSE), elements, "{kmer}");
            sums.iter_mut().zip(elements).for_each(|(sum, element)| *sum += element);
        }
        assert_eq!(sums.map(|sum| if sum > 0 { '1' } else { '.' }).iter().collect::<String>(), expected.1);
        let bits = u64::from_str_radix(&expected.1.replace('.', "0"), 2).unwrap();
        assert_eq!(picture.case().solve().bytes, bits.to_be_bytes(), "{}", picture.name);
    }
}

#[test]
fn dense_signatures_are_made_of_published_numbers() {
    for (canonical, residues, numbers) in dense() {
        let signatures = Case::new("published numbers", dna(canonical), &[residues]).solve();
        assert_eq!(signatures.bytes, numbers.map(u64::to_be_bytes).concat(), "{residues}");
    }
}

#[test]
fn a_window_without_a_kmer_has_no_signature() {
    let signature = |residues| Case::new("alone", SPARSE, &[residues]).solve().bytes;
    let signatures = windows().solve();
    assert_eq!(signatures.present, [1, 0, 1]);
    assert_eq!(signatures.bytes, [signature("CCC"), vec![0; 8], signature("AAA")].concat());
}
