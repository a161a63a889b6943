//! E-values: the engine's formulas against the naive reference's integrals, for every tabulated scoring; and both, by the
//! program, against NCBI BLAST+ with `tools/oracle/blast.py`.
//!
//! BLAST+ comes from Debian (`make test` installs it). Without it the test says "skipped".

use crate::place::{program, repository, shared, skip};
use rand::RngExt;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::process::Command;
use warpseq::align::matrix::Matrix;
use warpseq::align::reference;
use warpseq::align::scoring::{Alphabet, Decimal, GapModel, Rules};
use warpseq::align::statistics::{Database, Parameters, Statistics};

/// The parameters of a scoring with gaps as BLAST counts them, if it is tabulated.
fn parameters(alphabet: &Alphabet, scores: Option<[i64; 2]>, existence: i64, extension: i64) -> Option<Parameters> {
    let [match_, mismatch] = [0, 1].map(|k| scores.map(|scores| Decimal::whole(scores[k])));
    let [gap_open, gap_extend] = [existence, extension].map(|cost| Some(Decimal::whole(cost)));
    let rules = Rules {
        alphabet: alphabet.clone(),
        match_,
        mismatch,
        gap_open,
        gap_extend,
        gap_model: GapModel::Blast,
        ..Rules::default()
    };
    Parameters::of(&rules, &rules.scoring().unwrap()).ok()
}

/// All that is tabulated, found by trying.
fn tabulated() -> Vec<Parameters> {
    let costs = || (0..=30).flat_map(|existence| (1..=12).map(move |extension| (existence, extension)));
    let mut found = Vec::new();
    for name in Matrix::built_in_names() {
        let alphabet = Alphabet::Matrix(Matrix::built_in(name).unwrap());
        found.extend(costs().filter_map(|(existence, extension)| parameters(&alphabet, None, existence, extension)));
    }
    assert_eq!(found.len(), 82, "matrices and gaps");
    // Pairs without a common divisor: 52 rows, and greedy ones of 2/-5, 2/-7 and 4/-5 (that of 2/-3 is a row, too).
    for (reward, penalty) in (1..=5).flat_map(|reward| (1..=9).map(move |penalty| (reward, penalty))) {
        if (2..=5).any(|divisor| reward % divisor == 0 && penalty % divisor == 0) {
            continue;
        }
        let scores = Some([reward, -penalty]);
        found.extend(
            costs()
                .filter_map(|(existence, extension)| parameters(&Alphabet::Nucleotides, scores, existence, extension)),
        );
    }
    assert_eq!(found.len(), 82 + 52 + 3, "all");
    found
}

#[test]
fn the_engine_computes_what_the_reference_does() {
    let dice = &mut ChaCha8Rng::seed_from_u64(14);
    let length = |dice: &mut ChaCha8Rng, most: f64| 10_f64.powf(dice.random_range(0.0..most)) as usize;
    for parameters in tabulated() {
        for _ in 0..40 {
            let (query, target, targets) = (length(dice, 4.5), length(dice, 4.5), length(dice, 6.0) as u64);
            let database = Database { letters: target as u64 + targets * dice.random_range(1..500), targets };
            let score = length(dice, 3.0) as i64;
            let found = Statistics::new(parameters, database).evalue(score, query, target);
            let expected = reference::statistics::evalue(&parameters, database, score, query, target);
            let near = (found - expected).abs() <= 1e-6 * expected || expected < 1e-250;
            assert!(
                near,
                "{found}, expected {expected}: {parameters:?}, {database:?}, score {score}, {query} x {target}"
            );
        }
    }
}

/// A few scorings; `tools/oracle/blast.py PROGRAM --shared FOLDER` takes all, and real sequences.
#[test]
fn blast_prints_the_same_statistics() {
    if !Command::new("makeblastdb").arg("-version").output().is_ok_and(|done| done.status.success()) {
        return skip("BLAST+ (Debian: apt-get install ncbi-blast+)");
    }
    let mut oracle = Command::new("python3");
    oracle.arg(repository().join("tools/oracle/blast.py")).arg(program()).args(["--scorings", "1"]);
    if let Some(folder) = shared("data") {
        oracle.args(["--proteins", "4", "--shared"]).arg(folder);
    }
    let done = oracle.output().unwrap();
    let (said, complained) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success() && said.contains("alignments with BLAST's E-values"), "{said}{complained}");
}
