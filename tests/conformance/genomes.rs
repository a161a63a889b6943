//! Real genomes: pieces cut out of reference genomes by a fixed rule, searched in sampled genomes with their real runs of
//! `N`, IUPAC codes and gaps. Two of the sampled genomes were deposited as the other strand.

use super::{Case, Size};
use std::collections::BTreeSet;
use warpseq::scan::reference;
use warpseq::scan::{Choice, Fraction, Options};

const REFERENCES: &str = "virus_references.fasta";
const GENOMES: &str = "virus_genomes.fasta";
/// Species that are in both files.
const SPECIES: [&str; 8] = ["zikav", "chikV", "dengue", "orthoebolavirus_ebov", "rsv_a", "hmpv", "flu_h3n2", "wnv"];

/// Names and sequences of a FASTA file of `../shared/data`; `None`, and a line that says so, when it is not there.
fn read(file: &str) -> Option<Vec<(String, Vec<u8>)>> {
    let path = crate::place::shared(&format!("data/{file}"))?;
    let text = std::fs::read_to_string(path).expect("the genomes can be read");
    let mut records: Vec<(String, Vec<u8>)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix('>') {
            Some(header) => records.push((header.to_owned(), Vec::new())),
            None => records.last_mut().expect("a header comes first").1.extend_from_slice(line.trim().as_bytes()),
        }
    }
    Some(records)
}

/// 60 pieces of 200 to 2000 symbols (a tenth of that in the small suite) in every tenth genome, runs of `N` included.
pub fn pieces(size: Size) -> Option<Case> {
    let (references, genomes) = (read(REFERENCES)?, read(GENOMES)?);
    let species: Vec<_> = references.iter().filter(|(name, _)| SPECIES.iter().any(|key| name.contains(key))).collect();
    let (shortest, spread, every) = match size {
        Size::Small | Size::Few => (20, 181, 50),
        Size::Full => (200, 1801, 10),
    };
    let piece = |k: usize| {
        let bases = &species[k % species.len()].1;
        let length = (shortest + k * 1039 % spread).min(bases.len());
        let at = k * 331 % (bases.len() - length + 1);
        bases[at..at + length].to_vec()
    };
    let sequences: Vec<_> =
        genomes.iter().step_by(every).map(|(_, bases)| &bases[..size.symbols(bases.len())]).collect();
    let pieces: Vec<_> = (0..60).map(piece).collect();
    let options = Options { max_n_frac: Fraction::ONE, ..Options::default() };
    Some(Case::new("pieces of viruses", &pieces, &sequences).under(options).without_qualities())
}

/// Pieces of 60 of the Zika and chikungunya genomes in the first four sampled ones.
pub fn other_strand(size: Size) -> Option<Case> {
    let (references, genomes) = (read(REFERENCES)?, read(GENOMES)?);
    let species = references.iter().filter(|(name, _)| name.contains("zikav") || name.contains("chikV"));
    let pieces: Vec<_> = species.flat_map(|(_, bases)| bases.chunks_exact(60).step_by(2)).collect();
    let sequences: Vec<_> = genomes[..4].iter().map(|(_, bases)| &bases[..size.symbols(bases.len())]).collect();
    Some(Case::new("genomes deposited as the other strand", &pieces, &sequences).without_qualities())
}

#[test]
fn pieces_occur_and_gaps_are_among_the_genomes() {
    let Some(case) = pieces(Size::Full) else { return };
    let options = Options { max_n_frac: Fraction::HALF, ..case.options };
    let rows = reference::scan(&case.signatures, &case.batch, &options);
    let found: BTreeSet<_> = rows.iter().map(|row| row.sequence).collect();
    assert!(found.len() >= 5, "pieces found in {} genomes", found.len());
    let wild = reference::scan(&case.signatures, &case.batch, &case.options).iter().filter(|row| row.wild > 0).count();
    assert!(case.batch.sequences().residues().contains(&b'-') && wild > 100, "{wild} of the matches lie in runs of N");
    let genomes = read(GENOMES).expect("it was read before");
    assert_eq!(genomes.iter().filter(|(_, bases)| bases.contains(&b'-')).count(), 39);
}

#[test]
fn genomes_0_and_2_are_the_other_strand() {
    let Some(case) = other_strand(Size::Full) else { return };
    let options = Options { choice: Choice::All, max_n_frac: Fraction::printed(0.1), ..case.options };
    let rows = reference::scan(&case.signatures, &case.batch, &options);
    for sequence in 0..4 {
        let count = |reverse| rows.iter().filter(|row| row.sequence == sequence && row.reverse == reverse).count();
        let (forward, reverse) = (count(false), count(true));
        let expected = if sequence % 2 == 0 { reverse > 10 && forward == 0 } else { forward > 10 && reverse == 0 };
        assert!(expected, "genome {sequence}: {forward} forward, {reverse} reverse");
    }
}
