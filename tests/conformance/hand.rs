//! Cases small enough to draw. A line `s0` is a sequence, the lines below it are all its matches: a signature's searched
//! bases (its reverse complement for `-`), drawn under the symbols they match, with `*` for a mismatch.

mod pictures;

use super::Case;
use pictures::{BOTH, CIRCLES, ONE_MISMATCH, PICTURES, Picture};
use warpseq::scan::reference::{self, Row};
use warpseq::scan::{Choice, Fraction, Options, PhredOffset};

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
