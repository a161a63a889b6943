//! Patterns and rows as the engines make them, against the reference's own: the reference derives the other strand, chooses,
//! scores and hashes by itself.

use super::{Case, Size, compare, genomes, suite};
use warpseq::scan::reference::{self, Reference, Row};
use warpseq::scan::{Choice, Options, Patterns, find, pattern, report};

fn rows(case: &Case, options: &Options) -> Vec<Row> {
    let patterns = pattern::patterns(&case.signatures, options);
    let hits = find(&mut Reference::new(options, patterns.clone()), &case.batch).expect("the reference always finds");
    let rows = report::choose(options, &case.batch, Patterns::Made(&patterns), hits);
    let hashes = report::integrity_hashes(options, &case.batch, &rows);
    let row = |(row, hash): (&report::Row, Option<u8>)| Row {
        sequence: row.sequence,
        signature: row.signature,
        reverse: row.reverse,
        start: row.start,
        end: row.end,
        phred_sum: row.quality_sum,
        informative: row.informative,
        wild: row.wild,
        mismatches: row.mismatches,
        integrity_hash: hash.map(u32::from),
    };
    rows.iter().zip(hashes).map(row).collect()
}

#[test]
fn rows_are_those_of_the_reference() {
    for case in suite(Size::Small).into_iter().chain(genomes::pieces(Size::Small)) {
        for choice in [Choice::Best, Choice::First, Choice::All] {
            let options = Options { choice, ..case.options };
            let expected = reference::scan(&case.signatures, &case.batch, &options);
            compare(&format!("{}, {choice:?}", case.name), &rows(&case, &options), &expected);
        }
    }
}
