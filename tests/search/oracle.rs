//! Scores against parasail's, by `tools/oracle/search.py`.

use crate::align::oracle::python;
use crate::conformance::dice::Dice;
use crate::place::repository;
use std::process::Command;
use warpseq::align::Sequences;
use warpseq::align::matrix::Matrix;
use warpseq::align::scoring::{Alphabet, Decimal, Rules};
use warpseq::align::search::cpu::Cpu;
use warpseq::align::search::{Database, Rank, Ranking};
use warpseq::executor::Patient;

/// A FASTA file of sequences.
fn written(folder: &tempfile::TempDir, name: &str, sequences: &Sequences) -> std::path::PathBuf {
    let path = folder.path().join(name);
    let lines = sequences.iter().map(|residues| format!(">\n{}\n", String::from_utf8_lossy(residues)));
    std::fs::write(&path, lines.collect::<String>()).unwrap();
    path
}

/// The scores of all pairs by parasail and by the CPU, query by query.
fn scores(python: &std::path::Path, [queries, targets]: [&Sequences; 2], gap: [&str; 2]) -> [Vec<Vec<i64>>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let files = [written(&folder, "queries.fasta", queries), written(&folder, "targets.fasta", targets)];
    let script = repository().join("tools/oracle/search.py");
    let done = Command::new(python).arg(script).args(files).args(gap).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let row = |line: &str| line.split(' ').map(|score| score.parse().unwrap()).collect();
    let parasail = String::from_utf8(done.stdout).unwrap().lines().map(row).collect();
    let [gap_open, gap_extend] = gap.map(|cost| Some(cost.parse::<Decimal>().unwrap()));
    let alphabet = Alphabet::Matrix(Matrix::built_in("BLOSUM62").unwrap());
    let scoring = &Rules { alphabet, gap_open, gap_extend, ..Rules::default() }.scoring().unwrap();
    let (database, least) = (&Database::new(targets), &vec![0; queries.len()][..]);
    let ranking = Ranking { strands: [Some(queries), None], database, scoring, top: usize::MAX, least, passes: None };
    let all = Cpu::new().rank(&ranking, &Patient).unwrap();
    let ours = all.into_iter().map(|all| all.into_iter().map(|scored| scored.score).collect()).collect();
    [parasail, ours]
}

/// 3 x 10,000 pairs of proteins of mixed lengths, a third of the targets mutated queries.
#[test]
fn parasail_gives_the_same_scores() {
    let Some(python) = python() else { return };
    let mut dice = Dice::new(20);
    let residues = b"ARNDCQEGHILKMFPSTWYVARNDCQEGHILKMFPSTWYVBZX";
    for gap in [["11", "1"], ["4", "4"], ["2", "1"]] {
        let any = |dice: &mut Dice| {
            let longest = [20, 200, 600][dice.below(3)];
            let length = 1 + dice.below(longest);
            dice.letters(residues, length)
        };
        let queries: Vec<Vec<u8>> = (0..40).map(|_| any(&mut dice)).collect();
        let target = |k: usize| match k % 3 {
            0 => crate::align::random::mutated(&mut dice, residues, &queries[k % 40]),
            _ => any(&mut dice),
        };
        let targets: Sequences = (0..250).map(target).filter(|target| !target.is_empty()).collect();
        let [parasail, ours] = scores(&python, [&queries.iter().collect(), &targets], gap);
        assert_eq!(parasail.len(), 40);
        for (query, (parasail, ours)) in queries.iter().zip(parasail.iter().zip(&ours)) {
            assert!(parasail == ours, "{}: {parasail:?}, not {ours:?}", query.escape_ascii());
        }
    }
}
