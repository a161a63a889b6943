//! The outputs of EMBOSS's `water` (local) and `needle` (overlap) in `../shared/corpus/emboss`: its sequences, matrix and
//! gap costs are read from them, and its scores are the reference's.
//!
//! A `water` file shows only what was aligned. Aligned again, that has the same score: it cannot have a better one, being
//! a part of the whole, nor a worse one. Costs such as 0.5 become whole by a common factor.

mod matrices {
    //! The two matrices of EMBOSS's own outputs, for these tests alone.

    use warpseq::align::{Gap, Mode, Scoring};

    /// BLOSUM62 (Henikoff and Henikoff 1992), which EMBOSS calls EBLOSUM62; in half-bits.
    pub fn blosum62(mode: Mode, scale: i32, gap: Gap) -> Scoring {
        read(BLOSUM62_LETTERS, BLOSUM62, mode, scale, gap)
    }

    /// NUC.4.4 (NCBI), which EMBOSS calls EDNAFULL.
    pub fn nuc44(mode: Mode, scale: i32, gap: Gap) -> Scoring {
        read(NUC44_LETTERS, NUC44, mode, scale, gap)
    }

    fn read(residues: &[u8], text: &str, mode: Mode, scale: i32, gap: Gap) -> Scoring {
        let scores: Vec<_> = text.split_whitespace().map(|score| scale * score.parse::<i32>().unwrap()).collect();
        assert_eq!(scores.len(), residues.len() * residues.len());
        Scoring { scale: scale as u32, ..super::super::scorings::matrix(mode, residues, scores, gap) }
    }

    const BLOSUM62_LETTERS: &[u8] = b"ARNDCQEGHILKMFPSTWYVBZX*";
    const BLOSUM62: &str = "
         4 -1 -2 -2  0 -1 -1  0 -2 -1 -1 -1 -1 -2 -1  1  0 -3 -2  0 -2 -1  0 -4
        -1  5  0 -2 -3  1  0 -2  0 -3 -2  2 -1 -3 -2 -1 -1 -3 -2 -3 -1  0 -1 -4
        -2  0  6  1 -3  0  0  0  1 -3 -3  0 -2 -3 -2  1  0 -4 -2 -3  3  0 -1 -4
        -2 -2  1  6 -3  0  2 -1 -1 -3 -4 -1 -3 -3 -1  0 -1 -4 -3 -3  4  1 -1 -4
         0 -3 -3 -3  9 -3 -4 -3 -3 -1 -1 -3 -1 -2 -3 -1 -1 -2 -2 -1 -3 -3 -2 -4
        -1  1  0  0 -3  5  2 -2  0 -3 -2  1  0 -3 -1  0 -1 -2 -1 -2  0  3 -1 -4
        -1  0  0  2 -4  2  5 -2  0 -3 -3  1 -2 -3 -1  0 -1 -3 -2 -2  1  4 -1 -4
         0 -2  0 -1 -3 -2 -2  6 -2 -4 -4 -2 -3 -3 -2  0 -2 -2 -3 -3 -1 -2 -1 -4
        -2  0  1 -1 -3  0  0 -2  8 -3 -3 -1 -2 -1 -2 -1 -2 -2  2 -3  0  0 -1 -4
        -1 -3 -3 -3 -1 -3 -3 -4 -3  4  2 -3  1  0 -3 -2 -1 -3 -1  3 -3 -3 -1 -4
        -1 -2 -3 -4 -1 -2 -3 -4 -3  2  4 -2  2  0 -3 -2 -1 -2 -1  1 -4 -3 -1 -4
        -1  2  0 -1 -3  1  1 -2 -1 -3 -2  5 -1 -3 -1  0 -1 -3 -2 -2  0  1 -1 -4
        -1 -1 -2 -3 -1  0 -2 -3 -2  1  2 -1  5  0 -2 -1 -1 -1 -1  1 -3 -1 -1 -4
        -2 -3 -3 -3 -2 -3 -3 -3 -1  0  0 -3  0  6 -4 -2 -2  1  3 -1 -3 -3 -1 -4
        -1 -2 -2 -1 -3 -1 -1 -2 -2 -3 -3 -1 -2 -4  7 -1 -1 -4 -3 -2 -2 -1 -2 -4
         1 -1  1  0 -1  0  0  0 -1 -2 -2  0 -1 -2 -1  4  1 -3 -2 -2  0  0  0 -4
         0 -1  0 -1 -1 -1 -1 -2 -2 -1 -1 -1 -1 -2 -1  1  5 -2 -2  0 -1 -1  0 -4
        -3 -3 -4 -4 -2 -2 -3 -2 -2 -3 -2 -3 -1  1 -4 -3 -2 11  2 -3 -4 -3 -2 -4
        -2 -2 -2 -3 -2 -1 -2 -3  2 -1 -1 -2 -1  3 -3 -2 -2  2  7 -1 -3 -2 -1 -4
         0 -3 -3 -3 -1 -2 -2 -3 -3  3  1 -2  1 -1 -2 -2  0 -3 -1  4 -3 -2 -1 -4
        -2 -1  3  4 -3  0  1 -1  0 -3 -4  0 -3 -3 -2  0 -1 -4 -3 -3  4  1 -1 -4
        -1  0  0  1 -3  3  4 -2  0 -3 -3  1 -1 -3 -1  0 -1 -3 -2 -2  1  4 -1 -4
         0 -1 -1 -1 -2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -2  0  0 -2 -1 -1 -1 -1 -1 -4
        -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4  1
    ";

    const NUC44_LETTERS: &[u8] = b"ATGCSWRYKMBVHDN";
    const NUC44: &str = "
         5 -4 -4 -4 -4  1  1 -4 -4  1 -4 -1 -1 -1 -2
        -4  5 -4 -4 -4  1 -4  1  1 -4 -1 -4 -1 -1 -2
        -4 -4  5 -4  1 -4  1 -4  1 -4 -1 -1 -4 -1 -2
        -4 -4 -4  5  1 -4 -4  1 -4  1 -1 -1 -1 -4 -2
        -4 -4  1  1 -1 -4 -2 -2 -2 -2 -1 -1 -3 -3 -1
         1  1 -4 -4 -4 -1 -2 -2 -2 -2 -3 -3 -1 -1 -1
         1 -4  1 -4 -2 -2 -1 -4 -2 -2 -3 -1 -3 -1 -1
        -4  1 -4  1 -2 -2 -4 -1 -2 -2 -1 -3 -1 -3 -1
        -4  1  1 -4 -2 -2 -2 -2 -1 -4 -1 -3 -3 -1 -1
         1 -4 -4  1 -2 -2 -2 -2 -4 -1 -3 -1 -1 -3 -1
        -4 -1 -1 -1 -1 -3 -3 -1 -1 -3 -1 -2 -2 -2 -1
        -1 -4 -1 -1 -1 -3 -1 -3 -3 -1 -2 -1 -2 -2 -1
        -1 -1 -4 -1 -3 -1 -3 -1 -3 -1 -2 -2 -1 -2 -1
        -1 -1 -1 -4 -3 -1 -1 -3 -1 -3 -2 -2 -2 -1 -1
        -2 -2 -2 -2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1
    ";
}

use super::{Case, Size};
use warpseq::align::{Gap, Mode};

const FILES: [(&str, Mode); 10] = [
    ("water.txt", Mode::Local),
    ("water2.txt", Mode::Local),
    ("water_reverse1.txt", Mode::Local),
    ("water_reverse2.txt", Mode::Local),
    ("water_reverse3.txt", Mode::Local),
    ("water_reverse4.txt", Mode::Local),
    ("needle.txt", Mode::Overlap),
    ("needle_nobrief_multiple.pair", Mode::Overlap),
    ("needle_asis.txt", Mode::Overlap),
    ("needle_overhang.txt", Mode::Overlap),
];

/// One alignment of a file.
#[derive(Default)]
struct Record {
    matrix: String,
    gap_penalty: String,
    extend_penalty: String,
    score: String,
    /// The rows' residues without gaps, of the query and of the target.
    residues: [Vec<u8>; 2],
    /// Rows read.
    rows: usize,
}

impl Record {
    /// What makes whole numbers of all that EMBOSS prints here.
    fn scale(&self) -> i32 {
        let written = [&self.gap_penalty, &self.extend_penalty];
        let whole =
            |scale: i32| written.iter().all(|text| (text.parse::<f64>().unwrap() * f64::from(scale)).fract() == 0.0);
        [1, 2, 1000].into_iter().find(|&scale| whole(scale)).expect("EMBOSS prints three decimals")
    }

    fn scaled(&self, text: &str) -> i32 {
        (text.parse::<f64>().unwrap() * f64::from(self.scale())).round() as i32
    }

    fn case(&self, name: &str, mode: Mode) -> Case {
        let gap = Gap { open: self.scaled(&self.gap_penalty), extend: self.scaled(&self.extend_penalty) };
        let scoring = match self.matrix.as_str() {
            "EBLOSUM62" => matrices::blosum62(mode, self.scale(), gap),
            "EDNAFULL" => matrices::nuc44(mode, self.scale(), gap),
            other => panic!("{name}: no matrix {other} here"),
        };
        Case::zip(&format!("EMBOSS {name}, {}", self.score), scoring, &[(&self.residues[0], &self.residues[1])])
    }
}

/// The alignments of a file.
fn read(text: &str) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    for line in text.lines() {
        if let Some(matrix) = line.strip_prefix("# Matrix: ") {
            records.push(Record { matrix: matrix.trim().to_owned(), ..Record::default() });
        }
        let Some(record) = records.last_mut() else { continue };
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["#", "Gap_penalty:", value] => record.gap_penalty = value.to_owned(),
            ["#", "Extend_penalty:", value] => record.extend_penalty = value.to_owned(),
            ["#", "Score:", value] => record.score = value.to_owned(),
            [_, first, row, last] if first.parse::<u32>().is_ok() && last.parse::<u32>().is_ok() => {
                record.residues[record.rows % 2].extend(row.bytes().filter(|&residue| residue != b'-'));
                record.rows += 1;
            }
            _ => {}
        }
    }
    records
}

/// The records of all files that are here.
fn records() -> Vec<(&'static str, Mode, Record)> {
    let mut all = Vec::new();
    for (name, mode) in FILES {
        let Some(path) = crate::place::shared(&format!("corpus/emboss/{name}")) else { continue };
        let text = std::fs::read_to_string(path).expect("the corpus is text");
        all.extend(read(&text).into_iter().map(|record| (name, mode, record)));
    }
    all
}

pub fn cases(size: Size) -> Vec<Case> {
    let most = if size == Size::Small { 20_000 } else { usize::MAX };
    let small = |record: &Record| record.residues[0].len() * record.residues[1].len() <= most;
    records().iter().filter(|(.., record)| small(record)).map(|(name, mode, record)| record.case(name, *mode)).collect()
}

#[test]
fn the_reference_has_the_scores_that_emboss_printed() {
    for (name, mode, record) in records() {
        let case = record.case(name, mode);
        let found = case.align(&mut super::Reference, super::Want::Path);
        assert_eq!(found[0].score, i64::from(record.scaled(&record.score)), "{}", case.name);
    }
}

#[test]
fn the_files_are_read_as_they_are_printed() {
    let records = records();
    let find = |name: &str| records.iter().find(|(file, ..)| *file == name).map(|(.., record)| record);
    let (Some(water), Some(water2)) = (find("water.txt"), find("water2.txt")) else { return };
    assert_eq!(
        (water.residues[0].len(), water.residues[1].len(), water.scale(), water.score.as_str()),
        (131, 112, 2, "591.5")
    );
    assert_eq!((water2.residues[0].as_slice(), water2.score.as_str()), (b"CGTTTGAGTCTGGGATG".as_slice(), "75.0"));
    assert_eq!(records.len(), 16);
}
