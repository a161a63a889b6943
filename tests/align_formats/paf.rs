//! PAF, column by column: what a reader without our types finds in a line, against the sequences themselves.

use super::{Drawn, layout, scoring, written};
use warpseq::align::format::{CigarStyle, Format};

#[test]
fn columns_agree_with_the_sequences() {
    let pairs = Drawn::all(1, 500);
    let scoring = scoring("2");
    for style in [CigarStyle::Distinct, CigarStyle::Merged] {
        let text = written(&layout(Format::Paf, &scoring, style), &pairs);
        let mut expected = 0;
        for (k, pair) in pairs.iter().enumerate().filter(|(_, pair)| !pair.alignment.path.is_empty()) {
            let name = format!("q{k}\t");
            let lines: Vec<_> = text.lines().filter(|line| line.starts_with(&name)).collect();
            assert_eq!(lines.len(), if k % 3 == 0 { 2 } else { 1 });
            lines.iter().for_each(|line| check(line, pair));
            expected += lines.len();
        }
        assert_eq!(text.lines().count(), expected);
    }
}

fn check(line: &str, pair: &Drawn) {
    let fields: Vec<_> = line.split('\t').collect();
    let number = |k: usize| fields[k].parse::<usize>().unwrap();
    assert_eq!(fields.len(), 15, "{line}");
    assert_eq!((number(1), number(6)), (pair.query.len(), pair.target.len()));
    assert_eq!((fields[4], fields[11]), (if pair.reverse { "-" } else { "+" }, "255"));
    assert_eq!(fields[12], format!("AS:i:{}", pair.alignment.score));
    // The query's columns are on its own strand: cut there, then turn.
    let mut query = pair.query[number(2)..number(3)].to_vec();
    if pair.reverse {
        query.reverse();
        query.iter_mut().for_each(|b| *b = b"TGCAN"[b"ACGTN".iter().position(|base| base == b).unwrap()]);
    }
    let replayed = Replayed::new(fields[14].strip_prefix("cg:Z:").unwrap(), &query, &pair.target[number(7)..number(8)]);
    assert_eq!((replayed.equal, replayed.columns), (number(9), number(10)), "{line}");
    assert_eq!(fields[13], format!("NM:i:{}", replayed.columns - replayed.equal));
}

/// Columns counted while a CIGAR is followed along both sequences, which it must use up.
struct Replayed {
    equal: usize,
    columns: usize,
}

impl Replayed {
    fn new(cigar: &str, query: &[u8], target: &[u8]) -> Self {
        let (mut q, mut t, mut replayed) = (0, 0, Self { equal: 0, columns: 0 });
        for run in cigar.split_inclusive(|c: char| !c.is_ascii_digit()) {
            let (length, op) = run.split_at(run.len() - 1);
            for _ in 0..length.parse::<usize>().unwrap() {
                replayed.columns += 1;
                if "=XM".contains(op) {
                    let equal = query[q].eq_ignore_ascii_case(&target[t]);
                    assert!(op == "M" || equal == (op == "="), "{cigar}");
                    replayed.equal += usize::from(equal);
                }
                q += usize::from(op != "D");
                t += usize::from(op != "I");
            }
        }
        assert_eq!((q, t), (query.len(), target.len()), "{cigar}");
        replayed
    }
}
