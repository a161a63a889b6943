//! Cases small enough to draw. A line `s0` is a sequence, the lines below it are all its matches: a signature's searched
//! bases (its reverse complement for `-`), drawn under the symbols they match, with `*` for a mismatch.

use super::Case;
use warpseq::scan::reference::{self, Row};
use warpseq::scan::{Choice, Fraction, Mismatches, Options, PhredOffset, Strands, Wildcards};

struct Picture {
    name: &'static str,
    signatures: &'static [&'static str],
    options: Options,
    drawing: &'static str,
}

const BOTH: Options = Options {
    wildcards: Wildcards::Iupac,
    strands: Strands::Both,
    choice: Choice::All,
    max_n_frac: Fraction::ONE,
    max_mismatch: Mismatches::NONE,
    circular: false,
    phred: PhredOffset::Sanger,
};
const FORWARD: Options = Options { strands: Strands::Forward, ..BOTH };
const ONE_MISMATCH: Options = Options { max_mismatch: Mismatches::Count(1), ..FORWARD };
const CIRCLES: Options = Options { circular: true, ..FORWARD };

const PICTURES: [Picture; 21] = [
    Picture {
        name: "plain",
        signatures: &["CG", "GTA"],
        options: FORWARD,
        drawing: "
s0   ACGTACGT
q0 +  CG
q0 +      CG
q1 +   GTA",
    },
    Picture {
        name: "overlapping",
        signatures: &["AA"],
        options: FORWARD,
        drawing: "
s0   AAAA
q0 + AA
q0 +  AA
q0 +   AA",
    },
    Picture {
        name: "N on both sides",
        signatures: &["ANT"],
        options: FORWARD,
        drawing: "
s0   AATCNTNNN
q0 + ANT
q0 +     ANT
q0 +       ANT",
    },
    Picture {
        name: "two strands",
        signatures: &["AAC"],
        options: BOTH,
        drawing: "
s0   AACGTT
q0 + AAC
q0 -    GTT",
    },
    Picture {
        name: "the other strand only; a palindrome is on both",
        signatures: &["AAC", "ACGT"],
        options: Options { strands: Strands::Reverse, ..BOTH },
        drawing: "
s0   AACGTT
q0 -    GTT
q1 +  ACGT",
    },
    Picture {
        name: "a palindrome once per place",
        signatures: &["ACGT", "acgu"],
        options: BOTH,
        drawing: "
s0   ACGTACGU
q0 + ACGT
q0 +     ACGT
q1 + acgu
q1 +     acgu",
    },
    Picture {
        name: "both strands at one place",
        signatures: &["AAC"],
        options: BOTH,
        drawing: "
s0   RNN
q0 + AAC
q0 - GTT",
    },
    Picture {
        name: "nothing across two sequences",
        signatures: &["GTA"],
        options: BOTH,
        drawing: "
s0   ACG
s1   TACG
q0 - TAC",
    },
    Picture {
        name: "a gap matches nothing",
        signatures: &["N", "CN", "NC"],
        options: FORWARD,
        drawing: "
s0   A-CG
q0 + N
q0 +   N
q0 +    N
q1 +   CN
s1   C-
q0 + N",
    },
    Picture {
        name: "codes meet",
        signatures: &["RY"],
        options: FORWARD,
        drawing: "
s0   ACGTKM
q0 + RY
q0 +   RY
q0 +     RY",
    },
    Picture {
        name: "lower case, U and . are bases",
        signatures: &["aUn"],
        options: FORWARD,
        drawing: "
s0   ATGatcAu.
q0 + aUn
q0 +    aUn
q0 +       aUn",
    },
    Picture {
        name: "under wildcards n they are bytes",
        signatures: &["aN"],
        options: Options { wildcards: Wildcards::N, ..FORWARD },
        drawing: "
s0   aAAaN-N
q0 + aN
q0 +    aN
q0 +     aN",
    },
    Picture {
        name: "too many wild positions",
        signatures: &["ACGT"],
        options: Options { max_n_frac: Fraction::HALF, ..FORWARD },
        drawing: "
s0   ACNNNCNNACGT
q0 + ACGT
q0 +         ACGT",
    },
    Picture {
        name: "one mismatch",
        signatures: &["ACGT"],
        options: ONE_MISMATCH,
        drawing: "
s0   ACGTTCGTACCA
q0 + ACGT
q0 +     *CGT",
    },
    Picture {
        name: "a mismatch on either strand",
        signatures: &["AAC"],
        options: Options { strands: Strands::Both, ..ONE_MISMATCH },
        drawing: "
s0   ACCGAT
q0 + A*C
q0 -    G*T",
    },
    Picture {
        name: "a gap is a mismatch, under N too",
        signatures: &["CAG", "NG"],
        options: ONE_MISMATCH,
        drawing: "
s0   C-GAC-
q0 + C*G
q1 + N*
q1 +  *G
q1 +   N*
q1 +    N*
q1 +     N*",
    },
    Picture {
        name: "codes that meet are wild, codes that do not are mismatches",
        signatures: &["ARC"],
        options: ONE_MISMATCH,
        drawing: "
s0   ACCAGCNNN
q0 + A*C
q0 +    ARC
q0 +      *RC
q0 +       ARC",
    },
    Picture {
        name: "a share of the signature, rounded down",
        signatures: &["ACG"],
        options: Options { max_mismatch: Mismatches::Share(Fraction::HALF), ..FORWARD },
        drawing: "
s0   ATGATT
q0 + A*G",
    },
    Picture {
        name: "under wildcards n another case is a mismatch",
        signatures: &["aCg"],
        options: Options { wildcards: Wildcards::N, ..ONE_MISMATCH },
        drawing: "
s0   ACgaCG
q0 + *Cg
q0 +    aC*",
    },
    Picture {
        name: "over the end of a circle, once around at most",
        signatures: &["GTA", "CGTA", "ACGTA"],
        options: CIRCLES,
        drawing: "
s0   ACGT
q0 +   GTA
q1 +  CGTA
s1   A",
    },
    Picture {
        name: "a mismatch beyond the end of a circle",
        signatures: &["GTC"],
        options: Options { circular: true, ..ONE_MISMATCH },
        drawing: "
s0   ACGT
q0 +   GT*",
    },
];

/// Sequence, signature, start, whether reverse, mismatches.
type Place = (u32, u32, u64, bool, u32);

impl Picture {
    /// The case, and the matches drawn.
    fn read(&self) -> (Case, Vec<Place>) {
        let (mut sequences, mut places) = (Vec::new(), Vec::new());
        for line in self.drawing.lines().skip(1) {
            let (label, text) = line.split_at(5);
            if label.starts_with('s') {
                sequences.push(text);
                continue;
            }
            let start = text.len() - text.trim_start().len();
            let length = sequences[sequences.len() - 1].len();
            let last = if self.options.circular { start } else { start + text.trim().len() - 1 };
            assert!(last < length, "{line} is past the sequence's end");
            let (sequence, signature) = (sequences.len() as u32 - 1, label[1..2].parse().unwrap());
            let mismatches = text.matches('*').count() as u32;
            places.push((sequence, signature, start as u64, label.contains('-'), mismatches));
        }
        (Case::new(self.name, self.signatures, &sequences).under(self.options), places)
    }
}

pub fn cases() -> Vec<Case> {
    PICTURES.iter().map(|picture| picture.read().0).collect()
}

#[test]
fn the_reference_finds_what_is_drawn() {
    for picture in &PICTURES {
        let (case, drawn) = picture.read();
        let rows = reference::scan(&case.signatures, &case.batch, &case.options);
        let place = |row: &Row| (row.sequence, row.signature, row.start, row.reverse, row.mismatches);
        assert_eq!(rows.iter().map(place).collect::<Vec<_>>(), drawn, "{}", picture.name);
    }
}

/// Signature, sequence, qualities if any, options but the choice, then what is chosen for `best` and `first`: start, strand,
/// sum of Phred scores, wild positions, integrity hash.
type Chosen = (u64, char, Option<i64>, u32, Option<u32>);
type Line = (&'static str, &'static str, Option<&'static str>, Options, Chosen, Chosen);

#[rustfmt::skip]
const CHOICES: [Line; 13] = [
    // A score of 0 is a match; '+' is 10.
    ("ACGT", "ACGTACGT", Some("!!!!++++"), BOTH, (4, '+', Some(40), 0, Some(40)), (0, '+', Some(0), 0, Some(40))),
    // Equal scores: the smaller start.
    ("ACGT", "ACGTACGT", Some("++++++++"), BOTH, (0, '+', Some(40), 0, Some(80)), (0, '+', Some(40), 0, Some(80))),
    // Equal scores at one start: the forward strand.
    ("AAC", "RNN", Some("+++"), BOTH, (0, '+', Some(30), 3, Some(30)), (0, '+', Some(30), 3, Some(30))),
    // A reverse match of higher score wins; the hash is 120 mod 97.
    ("AAC", "AACGTT", Some("++++5I"), BOTH, (3, '-', Some(70), 0, Some(3)), (0, '+', Some(30), 0, Some(3))),
    // Wild positions count in the score and the length.
    ("ANT", "ACTAGT", Some("+!+!+!"), BOTH, (0, '+', Some(20), 1, Some(30)), (0, '+', Some(20), 1, Some(30))),
    // No qualities: the most informative positions.
    ("ACGT", "ANGTACGT", None, BOTH, (4, '+', None, 0, None), (0, '+', None, 1, None)),
    // Dropped before choosing.
    ("ACGT", "NNNNACGT", Some("IIII!!!!"), Options { max_n_frac: Fraction::HALF, ..BOTH },
        (4, '+', Some(0), 0, Some(63)), (4, '+', Some(0), 0, Some(63))),
    // Solexa scores are negative, the hash is not: -5 - 5 + 97.
    ("C", "AC", Some(";;"), Options { phred: PhredOffset::Solexa, ..BOTH },
        (1, '+', Some(-5), 0, Some(87)), (1, '+', Some(-5), 0, Some(87))),
    // Of two negative scores the greater.
    ("C", "CAC", Some(";B<"), Options { phred: PhredOffset::Solexa, ..BOTH },
        (2, '+', Some(-4), 0, Some(90)), (0, '+', Some(-5), 0, Some(90))),
    // Fewest mismatches, whatever the score.
    ("ACGT", "ACGAACGT", Some("IIII!!!!"), ONE_MISMATCH, (4, '+', Some(0), 0, Some(63)), (0, '+', Some(160), 0, Some(63))),
    // Of as many mismatches the higher score.
    ("ACGT", "ACGAACGA", Some("!!!!IIII"), ONE_MISMATCH, (4, '+', Some(160), 0, Some(63)), (0, '+', Some(0), 0, Some(63))),
    // Without qualities, of as many mismatches the most informative positions.
    ("ACGT", "NCGAACGA", None, ONE_MISMATCH, (4, '+', None, 0, None), (0, '+', None, 1, None)),
    // The score over the end of a circle is that of the symbols under the match.
    ("GTA", "ACCGT", Some("+!!!I"), CIRCLES, (3, '+', Some(50), 0, Some(50)), (3, '+', Some(50), 0, Some(50))),
];

#[test]
fn the_reference_chooses_and_scores_as_written_by_hand() {
    for (signature, sequence, qualities, options, best, first) in CHOICES {
        for (choice, expected) in [(Choice::Best, best), (Choice::First, first)] {
            let options = Options { choice, ..options };
            let mut case = Case::new("", &[signature], &[sequence]);
            case.batch = match qualities {
                Some(bytes) => case.batch.with_qualities(bytes.into()).unwrap(),
                None => case.batch.without_qualities(),
            };
            let rows = reference::scan(&case.signatures, &case.batch, &options);
            let strand = |row: &Row| if row.reverse { '-' } else { '+' };
            let chosen = |row: &Row| (row.start, strand(row), row.phred_sum, row.wild, row.integrity_hash);
            assert_eq!(
                rows.iter().map(chosen).collect::<Vec<_>>(),
                [expected],
                "{signature} in {sequence}, {choice:?}"
            );
            assert_eq!(rows[0].end - rows[0].start, signature.len() as u64);
            assert_eq!((rows[0].informative + rows[0].wild + rows[0].mismatches) as usize, signature.len());
        }
    }
}
