//! Pairs by name: what goes with what, however the work is cut.

use super::*;
use crate::input::Reading;
use warpseq_io::fastx::{Batches, Sizes};

/// FASTA records named `<name><number>` of these lengths.
fn fasta(name: char, lengths: &[usize]) -> String {
    let record = |(k, &length): (usize, &usize)| format!(">{name}{k}\n{}\n", "A".repeat(length));
    lengths.iter().enumerate().map(record).collect()
}

fn file(name: &str, text: &str) -> File {
    let (text, sizes) = (std::io::Cursor::new(text.as_bytes().to_vec()), Sizes { block: 64, ahead: 2 });
    File::new(Batches::new(text, name.as_ref(), Reading::default().demands(), sizes).unwrap()).unwrap()
}

fn works(queries: &str, targets: &str, pairing: Pairing, limits: Limits) -> Result<Works> {
    Works::new(file("queries", queries), file("targets", targets), pairing, limits)
}

/// All pairs as `query-target`, and how many pieces of work they came in.
fn pairs(works: &mut Works) -> Result<(Vec<String>, usize)> {
    let (mut pairs, mut pieces) = (Vec::new(), 0);
    while let Some(work) = works.next_work()? {
        pieces += 1;
        for pair in work.pairs {
            let [query, target] = [work.queries.name(pair.query as usize), work.targets.name(pair.target as usize)];
            pairs.push([query, target].map(|name| String::from_utf8_lossy(name).into_owned()).join("-"));
        }
    }
    Ok((pairs, pieces))
}

const LARGE: Limits = Limits { weight: 1 << 20, held: 1 << 20, whole_queries: false };
/// A pair is more than one of these.
const SMALL: Limits = Limits { weight: 1, ..LARGE };

/// How many queries and targets, how they are paired, and the pairs.
type Row = (usize, usize, Pairing, &'static [&'static str]);

const ROWS: &[Row] = &[
    (3, 3, Pairing::Zip, &["q0-t0", "q1-t1", "q2-t2"]),
    (1, 3, Pairing::Zip, &["q0-t0", "q0-t1", "q0-t2"]),
    (3, 1, Pairing::Zip, &["q0-t0", "q1-t0", "q2-t0"]),
    (1, 1, Pairing::Zip, &["q0-t0"]),
    (2, 3, Pairing::All, &["q0-t0", "q0-t1", "q0-t2", "q1-t0", "q1-t1", "q1-t2"]),
    (1, 2, Pairing::All, &["q0-t0", "q0-t1"]),
    (0, 2, Pairing::All, &[]),
    (0, 2, Pairing::Zip, &[]),
    (0, 1, Pairing::Zip, &[]),
];

#[test]
fn the_same_pairs_however_they_are_cut() {
    for &(queries, targets, pairing, expected) in ROWS {
        let (queries, targets) = (fasta('q', &vec![4; queries]), fasta('t', &vec![0; targets]));
        for limits in [LARGE, SMALL, Limits { whole_queries: true, ..SMALL }] {
            let mut works = works(&queries, &targets, pairing, limits).unwrap();
            let (found, pieces) = pairs(&mut works).unwrap();
            assert_eq!(found, expected, "{pairing:?} {limits:?}");
            let most = if limits == LARGE { 1 } else { expected.len() };
            assert!(pieces <= most && (expected.is_empty() || pieces >= 1));
        }
    }
}

#[test]
fn a_query_is_cut_unless_it_must_be_whole() {
    let (queries, targets) = (fasta('q', &[4, 4]), fasta('t', &[9, 9, 9]));
    for (whole_queries, pieces) in [(false, 6), (true, 2)] {
        let limits = Limits { whole_queries, ..SMALL };
        let mut works = works(&queries, &targets, Pairing::All, limits).unwrap();
        assert_eq!(pairs(&mut works).unwrap().1, pieces);
    }
}

#[test]
fn targets_are_held_where_they_are_seen_again_or_the_best_is_wanted() {
    let held = |queries, targets, pairing, whole_queries| {
        let (queries, targets) = (fasta('q', &vec![1; queries]), fasta('t', &vec![1; targets]));
        works(&queries, &targets, pairing, Limits { whole_queries, ..LARGE }).unwrap().held_targets().is_some()
    };
    assert!(!held(2, 2, Pairing::Zip, true) && !held(1, 2, Pairing::Zip, false));
    assert!(held(1, 2, Pairing::Zip, true) && held(2, 1, Pairing::Zip, false) && held(2, 2, Pairing::All, false));
}

#[test]
fn unequal_counts_name_both() {
    for (queries, targets) in [(5, 3), (3, 5), (2, 3), (3, 2)] {
        let (few, many) = (fasta('q', &vec![1; queries]), fasta('t', &vec![1; targets]));
        for limits in [LARGE, SMALL] {
            let error = pairs(&mut works(&few, &many, Pairing::Zip, limits).unwrap()).unwrap_err();
            let expected =
                format!("queries: its {queries} records do not pair one with one with the {targets} of targets");
            assert!(
                error.to_string().starts_with(&expected) && error.to_string().ends_with("say --pairs all"),
                "{error}"
            );
            assert_eq!(error.exit_code(), 1);
        }
    }
}

#[test]
fn no_targets_and_too_many_targets_are_errors() {
    let error = |targets: &str| works(">q\nA\n", targets, Pairing::All, Limits { held: 200, ..LARGE }).err();
    assert!(error("").unwrap().to_string().contains("no targets"));
    assert!(error(&fasta('t', &[100, 100])).is_none(), "the longest target is not counted");
    let message = error(&fasta('t', &[100, 100, 100])).unwrap().to_string();
    assert!(message.starts_with("targets: ") && message.contains("200 bytes") && message.contains("--max-memory"));
}

#[test]
fn names_in_another_order_are_noticed() {
    let cases = [("abc", "abc", false), ("abc", "cab", true), ("abc", "abd", false), ("aab", "aba", true)];
    for (queries, targets, expected) in cases {
        let [queries, targets] =
            [queries, targets].map(|names| names.chars().map(|n| format!(">{n}\nA\n")).collect::<String>());
        let mut works = works(&queries, &targets, Pairing::Zip, SMALL).unwrap();
        pairs(&mut works).unwrap();
        assert_eq!(works.names_in_another_order(), expected);
    }
}

#[test]
fn pairs_beyond_2_to_the_32_are_those_they_should_be() {
    const EACH: usize = 70_000;
    let empty: Records = std::iter::repeat_n(("", ""), EACH).collect();
    let pair = |k: usize| Pair { query: (k / EACH) as u32, target: (k % EACH) as u32 };
    for done in [(1 << 32) - 2, EACH * EACH - 4] {
        let mut grid = Grid { queries: Arc::new(empty.clone()), done };
        let (pairs, weight) = grid.cut(&empty, 4 * PAIR_WEIGHT);
        assert_eq!(pairs, (done..done + 4).map(pair).collect::<Vec<_>>());
        assert_eq!((grid.done, weight), (done + 4, 4 * PAIR_WEIGHT));
    }
}
