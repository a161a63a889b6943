//! Sums, medians and calls at their limits.

use super::*;
use crate::Signature;
use crate::counts::Totals;

/// Signatures of genome `g`, in a group of its own.
fn genomes(signatures: usize) -> Genomes {
    let signature = |k| Signature::new(format!("g:{k}-{}", k + 9), b"A".to_vec());
    Genomes::of(&(0..signatures).map(signature).collect::<Vec<_>>(), None)
}

/// A sample of a million pairs whose first signatures have these depths.
fn sample(label: &str, depths: &[u64]) -> Sample {
    let count = |(signature, &pairs)| Count { signature, pairs, mismatches: pairs / 2, ..Count::default() };
    let counts = (0..).zip(depths).filter(|(_, depth)| **depth > 0).map(count).collect();
    Sample { label: label.into(), totals: Totals { pairs: 1_000_000, ..Totals::default() }, counts }
}

/// Thresholds that small numbers reach.
fn low() -> Thresholds {
    Thresholds { fragments: 5, found: 3, evenness: Fraction::printed(0.3) }
}

fn rows(summary: &Summary) -> Vec<String> {
    String::from_utf8(summary.table()).unwrap().lines().skip(1).map(str::to_owned).collect()
}

fn call(signatures: usize, depths: &[u64], thresholds: Thresholds) -> String {
    let mut summary = Summary::new(genomes(signatures), thresholds, None);
    summary.add(&sample("s", depths));
    rows(&summary)[0].rsplit('\t').next().unwrap().to_owned()
}

#[test]
fn a_row_is_what_can_be_computed_by_hand() {
    let mut summary = Summary::new(genomes(8), low(), None);
    summary.add(&sample("s", &[4, 2, 0, 2]));
    summary.add(&sample("t", &[]));
    // breadth 3 / 8, depth 8 / 8: 0.375 / (1 - 1 / e) = 0.59324...
    let expected =
        ["s\tg\tg\t8\t3\t8\t0.3750\t0.5932\t0\t0.500\tpositive", "t\tg\tg\t8\t0\t0\t0.0000\tNA\t0\tNA\tnegative"];
    assert_eq!(rows(&summary), expected);
    assert_eq!(String::from_utf8(summary.matrix()).unwrap(), "sample\tg\ns\t0.3750\nt\t0.0000\n");
}

#[test]
fn the_lower_median_counts_zeros() {
    for (depths, count, median) in [
        (vec![], 1, 0),
        (vec![5], 1, 5),
        (vec![5], 2, 0),
        (vec![7, 5], 3, 5),
        (vec![9, 5, 7], 4, 5),
        (vec![9, 5, 7], 3, 7),
    ] {
        assert_eq!(lower_median(depths.clone(), count), median, "{depths:?} of {count}");
    }
}

#[test]
fn calls_at_each_limit() {
    let least = low();
    assert_eq!(call(20, &[], least), "negative");
    assert_eq!(call(20, &[2, 2, 1], least), "positive");
    assert_eq!(call(20, &[2, 1, 1], least), "trace", "4 fragments");
    assert_eq!(call(20, &[3, 3], least), "trace", "2 signatures");
    assert_eq!(call(2, &[9, 9], least), "trace", "of 2 signatures");
    // breadth 3 / 20 where 1 - 1 / e^10 is expected.
    assert_eq!(call(20, &[198, 1, 1], least), "trace", "on each other");
    assert_eq!(call(20, &[198, 1, 1], Thresholds { evenness: Fraction::printed(0.1), ..least }), "positive");
    assert_eq!(call(20, &[2, 2, 1], Thresholds { fragments: 6, ..least }), "trace");
    assert_eq!(call(20, &[2, 2, 1], Thresholds { found: 4, ..least }), "trace");
}

#[test]
fn a_group_must_be_over_the_control() {
    let called = |control: &[u64], depths: &[u64]| {
        let mut summary = Summary::new(genomes(9), low(), Some(b"water".to_vec()));
        summary.add(&sample("s", depths));
        summary.add(&sample("water", control));
        rows(&summary).iter().map(|row| row.rsplit('\t').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(called(&[], &[2, 2, 2]), ["positive", "negative"]);
    assert_eq!(called(&[1], &[4, 4, 2]), ["trace", "trace"]);
    assert_eq!(called(&[1], &[4, 4, 3]), ["positive", "trace"]);
    assert_eq!(called(&[9, 9, 9], &[9, 9, 9]), ["trace", "trace"]);
    let labels = || [&b"a"[..], b"b"].into_iter();
    assert!(Summary::require_control(Some(b"b"), labels()).is_ok() && Summary::require_control(None, labels()).is_ok());
    let told = Summary::require_control(Some(b"c"), labels()).unwrap_err().to_string();
    assert!(told.contains("--negative-control c") && told.contains("a, b"), "{told}");
}

#[test]
fn genomes_of_a_group_are_called_together() {
    let names = ["x|a:0-9", "x|a:9-18", "x|b:0-9", "x|b:9-18"];
    let signatures = names.map(|name| Signature::new(name, b"A".to_vec()));
    let mut summary = Summary::new(Genomes::of(&signatures, None), low(), None);
    summary.add(&sample("s", &[2, 2, 1]));
    let rows = rows(&summary);
    assert!(rows.len() == 2 && rows.iter().all(|row| row.ends_with("\tpositive")), "{rows:?}");
    assert!(rows[0].starts_with("s\tx\ta\t2\t2\t4\t1.0000\t") && rows[1].starts_with("s\tx\tb\t2\t1\t1\t0.5000\t"));
}
