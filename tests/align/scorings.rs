//! Scorings made here, independently of `warpseq::align::scoring`.

use crate::conformance::dice::Dice;
use warpseq::align::{Gap, Mode, Scoring, Stop};

pub const MODES: [Mode; 4] = [Mode::Local, Mode::Global, Mode::Fit, Mode::Overlap];
pub const PROTEIN: &[u8; 24] = b"ARNDCQEGHILKMFPSTWYVBZX*";

pub const fn gap(open: i32, extend: i32) -> Gap {
    Gap { open, extend }
}

/// A, C, G, T or U in either case, and one code for every other residue, which is equal to nothing.
pub fn nucleotide(mode: Mode, [equal, different]: [i32; 2], gap: Gap) -> Scoring {
    let (mut codes, mut identity) = ([4; 256], [0; 256]);
    for (code, residues) in [b"Aa".as_slice(), b"Cc", b"Gg", b"TtUu"].into_iter().enumerate() {
        for &residue in residues {
            codes[usize::from(residue)] = code as u8;
            identity[usize::from(residue)] = residues[0];
        }
    }
    let score = |k: usize| if k / 5 == k % 5 && k / 5 < 4 { equal } else { different };
    let scores = (0..25).map(score).collect();
    Scoring { mode, stop: Stop::AtZero, gap, codes, size: 5, scores, identity, scale: 1 }
}

/// Bytes as they are. A line feed is in no sequence: byte 0, which must not have identity 0, has its.
pub fn literal(mode: Mode, [equal, different]: [i32; 2], gap: Gap) -> Scoring {
    let codes = std::array::from_fn(|byte| byte as u8);
    let identity = std::array::from_fn(|byte| if byte == 0 { b'\n' } else { byte as u8 });
    let scores = (0..1 << 16).map(|k| if k >> 8 == k & 255 { equal } else { different }).collect();
    Scoring { mode, stop: Stop::AtZero, gap, codes, size: 256, scores, identity, scale: 1 }
}

/// `scores[query * residues.len() + target]`, case folded; a residue that is not there scores as the last one.
pub fn matrix(mode: Mode, residues: &[u8], scores: Vec<i32>, gap: Gap) -> Scoring {
    let (mut codes, mut identity) = ([residues.len() as u8 - 1; 256], [0; 256]);
    for (code, &residue) in residues.iter().enumerate() {
        for byte in [residue, residue.to_ascii_lowercase()] {
            codes[usize::from(byte)] = code as u8;
            identity[usize::from(byte)] = residue;
        }
    }
    Scoring { mode, stop: Stop::AtZero, gap, codes, size: residues.len(), scores, identity, scale: 1 }
}

/// 24 residues with the range of a BLOSUM matrix: 4 to 11 on the diagonal, -4 to 3 beside it, the same both ways.
pub fn protein(mode: Mode, gap: Gap) -> Scoring {
    let mut scoring = lopsided(mode, gap);
    for k in 0..24 * 24 {
        let (query, target) = (k / 24, k % 24);
        scoring.scores[k] = scoring.scores[query.min(target) * 24 + query.max(target)];
    }
    scoring
}

/// The same, but a residue over another does not score as the other over it.
pub fn lopsided(mode: Mode, gap: Gap) -> Scoring {
    let mut dice = Dice::new(62);
    let score = |k: usize| if k / 24 == k % 24 { 4 + dice.below(8) as i32 } else { dice.below(8) as i32 - 4 };
    let scores = (0..24 * 24).map(score).collect();
    matrix(mode, PROTEIN, scores, gap)
}

/// The same scoring under `--through-zero`.
pub fn through_zero(scoring: Scoring) -> Scoring {
    Scoring { stop: Stop::ThroughZero, ..scoring }
}
