//! Alignments drawn at random: first the path, then residues that it fits.

use crate::conformance::dice::Dice;
use warpseq::align::format::{Line, Record};
use warpseq::align::{Alignment, Op, Run};
use warpseq::scan::Wildcards;
use warpseq::scan::reference::iupac::reverse_complement;

pub struct Drawn {
    pub query_name: Vec<u8>,
    pub target_name: Vec<u8>,
    /// As read: the reverse complement of what was aligned when `reverse`.
    pub query: Vec<u8>,
    pub quality: Option<Vec<u8>>,
    pub target: Vec<u8>,
    pub reverse: bool,
    pub alignment: Alignment,
}

impl Drawn {
    pub fn all(seed: u64, count: usize) -> Vec<Self> {
        let mut dice = Dice::new(seed);
        (0..count).map(|k| Self::new(&mut dice, k)).collect()
    }

    fn new(dice: &mut Dice, k: usize) -> Self {
        let [mut query, mut target] = [0, 1].map(|_| residues(dice, 10));
        let [query_start, target_start] = [&query, &target].map(|start| start.len() as u64);
        let path = path(dice);
        for run in &path {
            (0..run.length).for_each(|_| push_column(dice, run.op, &mut query, &mut target));
        }
        let [query_end, target_end] = [&query, &target].map(|all| all.len() as u64);
        query.extend(residues(dice, 10));
        target.extend(residues(dice, 10));
        let (reverse, score) = (dice.below(2) == 0, dice.below(200) as i64 - 100);
        let alignment =
            Alignment { score, query: query_start..query_end, target: target_start..target_end, path: path.into() };
        let quality = (dice.below(2) == 0).then(|| (0..query.len()).map(|_| 33 + dice.below(94) as u8).collect());
        let query = if reverse { reverse_complement(&query, Wildcards::Iupac) } else { query };
        let (query_name, target_name) = (format!("q{k}").into_bytes(), format!("t{k}").into_bytes());
        Self { query_name, target_name, query, quality, target, reverse, alignment }
    }

    /// The query as it was aligned.
    pub fn aligned_query(&self) -> Vec<u8> {
        if self.reverse { reverse_complement(&self.query, Wildcards::Iupac) } else { self.query.clone() }
    }

    pub fn line(&self, primary: bool) -> Line<'_> {
        let query = Record { name: &self.query_name, residues: &self.query, quality: self.quality.as_deref() };
        let target = Record { name: &self.target_name, residues: &self.target, quality: None };
        Line { query, target, reverse: self.reverse, primary, alignment: &self.alignment }
    }
}

fn residues(dice: &mut Dice, length_end: usize) -> Vec<u8> {
    let length = dice.below(length_end);
    dice.bases(length, 5)
}

/// Up to eight runs, no two neighbours of one kind; now and then none.
fn path(dice: &mut Dice) -> Vec<Run> {
    let mut path: Vec<Run> = vec![];
    for _ in 0..dice.below(9) {
        let op = [Op::Equal, Op::Different, Op::Insertion, Op::Deletion][dice.below(4)];
        if path.last().is_none_or(|run| run.op != op) {
            path.push(Run { op, length: 1 + dice.below(12) as u32 });
        }
    }
    path
}

fn push_column(dice: &mut Dice, op: Op, query: &mut Vec<u8>, target: &mut Vec<u8>) {
    const BASES: &[u8; 4] = b"ACGT";
    let base = dice.below(4);
    let other = match op {
        Op::Equal => BASES[base].to_ascii_lowercase(),
        _ if dice.below(5) == 0 => b'N',
        _ => BASES[(base + 1 + dice.below(3)) % 4],
    };
    if op != Op::Deletion {
        query.push(BASES[base]);
    }
    if op != Op::Insertion {
        target.push(other);
    }
}
