//! What is searched: mixed lengths, relatives among strangers, ties, scores at the edges of narrow lanes, both strands, and
//! every way to keep hits.

use super::Case;
use crate::align::Size;
use crate::align::random::{alphabets, mutated};
use crate::align::scorings::{PROTEIN, gap, literal, nucleotide, protein, through_zero};
use crate::conformance::dice::Dice;
use warpseq::align::{Gap, Mode, Scoring, Sequences, Want};
use warpseq::seq::{Strands, Wildcards, strand::reverse_complement};

const LOCAL: Mode = Mode::Local;

/// Every case.
pub fn all(size: Size) -> Vec<Case> {
    let mut cases = random(size);
    cases.extend(ties(size));
    cases.extend(strands(size));
    cases.extend(edges(size));
    cases.extend(gaps(size));
    cases.push(empty());
    cases
}

fn small(size: Size, few: usize, many: usize) -> usize {
    if size == Size::Full { many } else { few }
}

/// Some way to keep hits, another for each `k`.
fn kept(k: usize, name: String, [queries, targets]: [Sequences; 2], scoring: Scoring) -> Case {
    type Least = fn(usize, usize) -> i64;
    let half: Least = |query, target| query.min(target) as i64 / 2;
    let top = [None, Some(1), Some(10), Some(0), Some(1000), Some(3)][k % 6];
    let least: Option<Least> = [None, Some(half), Some(|_, _| 40), None][k % 4];
    let want = if k % 3 == 1 { Want::Score } else { Want::Path };
    let name = format!("{name}, top {top:?}, least {}, {want:?}", k % 4);
    Case { name, queries, targets, scoring, strands: Strands::Forward, top, least, want }
}

/// Strangers of mixed lengths, with relatives of the queries, whole and in parts, among them.
fn family(dice: &mut Dice, residues: &[u8], [queries, targets, longest]: [usize; 3]) -> [Sequences; 2] {
    let any = |dice: &mut Dice| {
        let length = dice.below(longest + 1);
        dice.letters(residues, length)
    };
    let queries: Vec<Vec<u8>> = (0..queries).map(|_| any(dice)).collect();
    let target = |k: usize| {
        if !k.is_multiple_of(4) {
            return any(dice);
        }
        let query = &queries[dice.below(queries.len())];
        let from = if k.is_multiple_of(8) { 0 } else { dice.below(query.len() + 1) };
        mutated(dice, residues, &query[from..])
    };
    let targets = (0..targets).map(target).collect();
    [queries.into_iter().collect(), targets]
}

/// All kinds of residues and gaps.
fn random(size: Size) -> Vec<Case> {
    let (mut cases, mut dice) = (Vec::new(), Dice::new(14));
    for (name, residues, scoring, gaps) in alphabets() {
        for gap in gaps {
            let sequences =
                family(&mut dice, &residues, [small(size, 3, 5), small(size, 40, 130), small(size, 80, 400)]);
            let name = format!("{name}, {gap:?}");
            let k = cases.len();
            cases.push(kept(k, name.clone(), sequences.clone(), scoring(LOCAL, gap)));
            cases.push(kept(k + 1, format!("{name}, through zero"), sequences, through_zero(scoring(LOCAL, gap))));
        }
    }
    cases
}

/// The same few targets again and again.
fn ties(size: Size) -> Vec<Case> {
    let mut dice = Dice::new(15);
    let few: Vec<Vec<u8>> = (0..7).map(|k| dice.letters(b"AC", 2 * k)).collect();
    let many = |count: usize| (0..count).map(|k| &few[k * k % 7]).collect::<Sequences>();
    let scoring = nucleotide(LOCAL, [1, -1], gap(2, 2));
    let case = |k| kept(k, "ties".into(), [few.iter().collect(), many(small(size, 70, 700))], scoring.clone());
    (0..6).map(case).collect()
}

/// Nucleotides with codes for several: each strand, and both.
fn strands(size: Size) -> Vec<Case> {
    let mut dice = Dice::new(16);
    let residues = b"ACGTACGTACGTUNRYacgt";
    let lengths = [small(size, 3, 6), small(size, 30, 90), small(size, 70, 300)];
    let [queries, targets] = family(&mut dice, residues, lengths);
    let mut both: Vec<Vec<u8>> = targets.iter().map(<[u8]>::to_vec).collect();
    both.extend(targets.iter().map(|target| reverse_complement(target, Wildcards::Iupac)));
    both.push([queries.get(0).to_vec(), reverse_complement(queries.get(0), Wildcards::Iupac)].concat());
    let ways = [Strands::Forward, Strands::Reverse, Strands::Both];
    let case = |(k, strands)| {
        let scoring = nucleotide(LOCAL, [2, -3], [gap(5, 2), gap(3, 3)][k % 2]);
        let sequences = [queries.clone(), both.iter().collect()];
        Case { strands, ..kept(k, format!("{strands:?}"), sequences, scoring) }
    };
    (0..12).zip(ways.into_iter().cycle()).map(case).collect()
}

/// Scores around the largest of 8 and of 16 bits.
fn edges(size: Size) -> Vec<Case> {
    let tryptophans = |lengths: &[usize]| lengths.iter().map(|&length| b"W".repeat(length)).collect::<Sequences>();
    let lengths = [11, 12, 22, 23, 24, 25, 127, 128, 254, 255, 256, 257, 258];
    let around = |most: usize| [most / 127 - 1, most / 127, most / 127 + 1, 3];
    let wide = [around(32_767), around(65_535)].concat();
    let mut cases = Vec::new();
    for (equal, lengths) in [(1, &lengths[..]), (11, &lengths), (127, &wide), (128, &lengths[..4])] {
        let targets: Vec<usize> = lengths.iter().copied().cycle().take(small(size, 20, 50)).collect();
        let sequences = [tryptophans(lengths), tryptophans(&targets)];
        cases.push(kept(cases.len(), format!("W, {equal}"), sequences, literal(LOCAL, [equal, -1], gap(3, 1))));
    }
    cases
}

/// Gaps from cheap, so that they are everywhere, to dearer than any score.
fn gaps(size: Size) -> Vec<Case> {
    let mut dice = Dice::new(17);
    let sequences = family(&mut dice, &PROTEIN[..20], [3, small(size, 30, 80), small(size, 60, 1000)]);
    let gaps = [(1, 1), (2, 1), (20, 20), (127, 1), (128, 128), (300, 2), (32_767, 1), (40_000, 40_000)];
    let case = |(k, (open, extend))| {
        let gap: Gap = gap(open, extend);
        kept(k, format!("{gap:?}"), sequences.clone(), protein(LOCAL, gap))
    };
    (0..).zip(gaps).map(case).collect()
}

/// Sequences without residues.
fn empty() -> Case {
    let queries = ["", "ACGT", ""].into_iter().collect();
    let targets = ["", "AC", "", "", "GGGG"].into_iter().cycle().take(40).collect();
    kept(0, "empty".into(), [queries, targets], nucleotide(LOCAL, [1, -1], gap(2, 2)))
}
