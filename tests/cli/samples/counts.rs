//! Counts and summaries, against plain loops that share nothing with the program.

use super::Lab;
use std::collections::{BTreeMap, BTreeSet};

/// Name, bases.
type Record = (String, Vec<u8>);

fn fastq(text: &str) -> Vec<Record> {
    let lines: Vec<&str> = text.lines().collect();
    lines.chunks(4).map(|record| (record[0].to_owned(), record[1].into())).collect()
}

fn fasta(text: &str) -> Vec<Record> {
    let lines: Vec<&str> = text.lines().collect();
    lines.chunks(2).map(|record| (record[0][1..].to_owned(), record[1].into())).collect()
}

/// The fewest mismatches of a signature of A, C, G and T in a sequence of such, on either strand.
fn fewest(bases: &[u8], signature: &[u8]) -> Option<u64> {
    let opposite = |base: &u8| match base {
        b'A' => b'T',
        b'C' => b'G',
        b'G' => b'C',
        _ => b'A',
    };
    let reverse: Vec<u8> = signature.iter().rev().map(opposite).collect();
    let mut all = Vec::new();
    for strand in [signature, &reverse] {
        for start in 0..(bases.len() + 1).saturating_sub(signature.len()) {
            let mut mismatches = 0;
            for at in 0..signature.len() {
                mismatches += u64::from(bases[start + at] != strand[at]);
            }
            all.push(mismatches);
        }
    }
    all.into_iter().min()
}

/// What is counted of one sample: fragments of one or two sequences.
#[derive(Default, Clone)]
struct Counted {
    totals: [u64; 3],
    /// Of each signature: single sequences, pairs, mismatches.
    found: BTreeMap<usize, [u64; 3]>,
}

impl Counted {
    fn add(&mut self, fragment: &[&[u8]], signatures: &[Record], most: u64) {
        let kind = fragment.len() - 1;
        self.totals[kind] += 1;
        self.totals[2] += fragment.iter().map(|bases| bases.len() as u64).sum::<u64>();
        for (number, (_, signature)) in signatures.iter().enumerate() {
            let best = fragment.iter().filter_map(|bases| fewest(bases, signature)).min();
            if let Some(mismatches) = best.filter(|&mismatches| mismatches <= most) {
                let count = self.found.entry(number).or_default();
                count[kind] += 1;
                count[2] += mismatches;
            }
        }
    }

    fn text(&self, label: &str, signatures: &[Record]) -> String {
        let [sequences, pairs, bases] = self.totals;
        let mut text = format!("#sample={label}\tsequences={sequences}\tpairs={pairs}\tbases={bases}\n");
        for (number, [sequences, pairs, mismatches]) in &self.found {
            text += &format!("{label}\t{}\t{sequences}\t{pairs}\t{mismatches}\n", signatures[*number].0);
        }
        text
    }
}

const HEADER: &str = "sample\tsignature\tsequences\tpairs\tmismatches\n";

/// A lab with signatures of genomes a and b of group x, c, and d with one signature; a sheet of the samples pairs, single and both,
/// the last one of two rows; and what is to be counted with up to `most` mismatches.
fn lab(most: u64, dedup: bool) -> (Lab, Vec<Record>, Vec<(&'static str, Counted)>) {
    let lab = Lab::new();
    let genome = |k: usize| match k {
        0..40 => "x|a",
        40..60 => "x|b",
        60..98 => "c",
        _ => "d",
    };
    let signatures: Vec<Record> = fasta(&lab.get("q.fa"))
        .into_iter()
        .enumerate()
        .map(|(k, (name, bases))| (name.replacen('g', genome(k), 1), bases))
        .collect();
    let text = |(name, bases): &Record| format!(">{name} cut\n{}\n", super::text_of(bases));
    lab.add("p.fa", signatures.iter().map(text).collect::<String>());
    lab.add("s.csv", "sample,r1,r2\npairs,a_R1.fq,a_R2.fq\nsingle,b.fq,\nboth,a_R1.fq,a_R2.fq\nboth,b.fq,\n");
    let read = |name: &str| fastq(&lab.get(name)).into_iter().map(|(_, bases)| bases).collect::<Vec<_>>();
    let (first, second, single) = (read("a_R1.fq"), read("a_R2.fq"), read("b.fq"));
    let pairs: Vec<Vec<&[u8]>> = first.iter().zip(&second).map(|(a, b)| vec![&a[..], &b[..]]).collect();
    let singles: Vec<Vec<&[u8]>> = single.iter().map(|bases| vec![&bases[..]]).collect();
    let all = [("pairs", pairs.clone()), ("single", singles.clone()), ("both", [pairs, singles].concat())];
    let counted = all.map(|(label, fragments)| {
        let (mut counted, mut starts) = (Counted::default(), BTreeSet::new());
        for fragment in &fragments {
            let start: Vec<&[u8]> = fragment.iter().map(|bases| &bases[..bases.len().min(32)]).collect();
            if starts.insert(start) || !dedup {
                counted.add(fragment, &signatures, most);
            }
        }
        (label, counted)
    });
    (lab, signatures, counted.into())
}

#[test]
fn counts_are_those_of_plain_loops() {
    for (most, dedup) in [(0, false), (2, false), (2, true)] {
        let (lab, signatures, counted) = lab(most, dedup);
        let samples: String = counted.iter().map(|(label, counted)| counted.text(label, &signatures)).collect();
        let expected = HEADER.to_owned() + &samples;
        let dedup = if dedup { "--dedup" } else { "" };
        for options in ["--report none", "--report first -t 1", "--report all --max-memory 1M", "-t 3 --report none"] {
            lab.rows(&format!("-s p.fa --samples s.csv -m {most} --counts c.tsv {dedup} {options} -q"));
            assert_eq!(lab.get("c.tsv"), expected, "{most} mismatches, {options} {dedup}");
        }
        let rows = lab.rows(&format!("-s p.fa --samples s.csv -m {most} --counts c.tsv.gz {dedup}"));
        assert_eq!(rows, lab.rows(&format!("-s p.fa --samples s.csv -m {most}")), "rows are of all sequences");
        lab.rows(&format!("-s p.fa --interleaved both.fq -m {most} --counts c.tsv {dedup} --report none"));
        assert_eq!(lab.get("c.tsv"), HEADER.to_owned() + &counted[0].1.text("both", &signatures));
    }
}

#[test]
fn a_batch_with_too_many_matches_is_counted_part_by_part() {
    let lab = Lab::new();
    lab.add("many.fa", format!(">s\n{}\n>t\n{}\n>u\nACG\n", "A".repeat(4_000), "AC".repeat(2_000)));
    lab.add("many_q.fa", (1..20).map(|k| format!(">q{k}\n{}\n", "A".repeat(k))).collect::<String>());
    for report in ["none", "best", "first", "all -o all.tsv"] {
        lab.rows(&format!("-s many_q.fa many.fa --counts c.tsv --max-memory 1M --report {report} -q"));
        let mut expected = HEADER.to_owned() + "#sample=many\tsequences=3\tpairs=0\tbases=8003\nmany\tq1\t3\t0\t0\n";
        expected += &(2..20).map(|k| format!("many\tq{k}\t1\t0\t0\n")).collect::<String>();
        assert_eq!(lab.get("c.tsv"), expected, "{report}");
    }
}

/// Group and genome of each signature of [`lab`].
fn of_signature(name: &str) -> (&str, &str) {
    match name.split(':').next().unwrap() {
        "x|a" => ("x", "a"),
        "x|b" => ("x", "b"),
        other => (other, other),
    }
}

/// Signatures, found, sum of depths, mismatches, depths.
fn depths(counted: &Counted, signatures: &[Record], is_of: impl Fn(&str) -> bool) -> ([u64; 4], Vec<u64>) {
    let (mut sums, mut depths) = ([0; 4], Vec::new());
    for (number, (name, _)) in signatures.iter().enumerate().filter(|(_, (name, _))| is_of(name)) {
        let [sequences, pairs, mismatches] = counted.found.get(&number).copied().unwrap_or_default();
        let depth = sequences + pairs;
        let _ = name;
        depths.push(depth);
        sums = [sums[0] + 1, sums[1] + u64::from(depth > 0), sums[2] + depth, sums[3] + mismatches];
    }
    depths.sort_unstable();
    (sums, depths)
}

fn evenness([signatures, found, depth, _]: [u64; 4]) -> f64 {
    let (p, d) = (signatures as f64, depth as f64);
    (found as f64 / p) / (1.0 - (-d / p).exp())
}

/// The table and the matrix, with the least fragments, signatures and evenness of a call.
fn summary(
    counted: &[(&str, Counted)],
    signatures: &[Record],
    (fragments, found, even): (u64, u64, f64),
    control: Option<usize>,
) -> (String, String) {
    let mut table = "sample\tgroup\tgenome\tsignatures\tfound\tfragments\tbreadth\tevenness\tmedian_depth\t\
                     mean_mismatches\tcall\n"
        .to_owned();
    let mut matrix = "sample\tx\tc\td\n".to_owned();
    for (label, sample) in counted {
        let of_group = |of: &Counted, group: &str| depths(of, signatures, |name| of_signature(name).0 == group).0;
        for (group, genome) in [("x", "a"), ("x", "b"), ("c", "c"), ("d", "d")] {
            let (sums, depths) = depths(sample, signatures, |name| of_signature(name) == (group, genome));
            let all = of_group(sample, group);
            let over = control.is_none_or(|control| {
                let control = &counted[control].1;
                let per_million =
                    |of: &Counted| of_group(of, group)[2] as f64 * 1e6 / (of.totals[0] + of.totals[1]) as f64;
                per_million(sample) > 10.0 * per_million(control)
            });
            let call = match all {
                [_, 0, ..] => "negative",
                [p, f, d, _] if p >= 3 && f >= found && d >= fragments && evenness(all) >= even && over => "positive",
                _ => "trace",
            };
            let or_na = |value: String| if sums[2] > 0 { value } else { "NA".into() };
            table += &format!(
                "{label}\t{group}\t{genome}\t{}\t{}\t{}\t{:.4}\t{}\t{}\t{}\t{call}\n",
                sums[0],
                sums[1],
                sums[2],
                sums[1] as f64 / sums[0] as f64,
                or_na(format!("{:.4}", evenness(sums))),
                depths[(depths.len() - 1) / 2],
                or_na(format!("{:.3}", sums[3] as f64 / sums[2] as f64)),
            );
        }
        matrix += label;
        for group in ["x", "c", "d"] {
            let all = of_group(sample, group);
            let is_even = all[2] > 0 && evenness(all) >= even;
            matrix += &format!("\t{:.4}", if is_even { all[1] as f64 / all[0] as f64 } else { 0.0 });
        }
        matrix += "\n";
    }
    (table, matrix)
}

#[test]
fn summaries_are_those_of_plain_loops_from_the_scan_and_from_counts() {
    let (lab, signatures, counted) = lab(1, false);
    for (options, thresholds, control) in [
        ("", (25, 3, 0.1), None),
        ("--min-fragments 300 --min-found 39 --min-evenness 0.99", (300, 39, 0.99), None),
        ("--negative-control single", (25, 3, 0.1), Some(1)),
    ] {
        let (table, matrix) = summary(&counted, &signatures, thresholds, control);
        let line = format!(
            "-s p.fa --samples s.csv -m 1 --report none --counts c.tsv --summary t.tsv --matrix m.tsv {options}"
        );
        let (code, stdout, stderr) = lab.scan(&line);
        assert_eq!((code, stdout.as_str()), (Some(0), ""));
        let warning = "warpseq: warning: groups with fewer than 3 signatures are at most a trace: 1, the first is d\n";
        assert_eq!((stderr.as_str(), lab.get("t.tsv"), lab.get("m.tsv")), (warning, table.clone(), matrix.clone()));
        let (code, stdout, stderr) = lab.run(&format!("summary c.tsv -s p.fa --matrix n.tsv {options}"));
        assert_eq!((code, stderr.as_str(), &stdout, &lab.get("n.tsv")), (Some(0), warning, &table, &matrix));
    }
    let calls: BTreeSet<String> = lab.get("t.tsv").lines().map(|row| row.rsplit('\t').next().unwrap().into()).collect();
    assert!(calls.len() > 1, "{calls:?}");
}

#[test]
fn counts_of_parts_add_up() {
    let (lab, ..) = lab(0, false);
    let lines = |name: &str| lab.get(name).lines().map(|line| format!("{line}\n")).collect::<Vec<_>>();
    for name in ["a_R1.fq", "a_R2.fq"] {
        let all = lines(name);
        lab.add(&name.replace("a_", "1_"), all[..4 * 123].concat());
        lab.add(&name.replace("a_", "2_"), all[4 * 123..].concat());
    }
    for part in ["a", "1", "2"] {
        lab.add("sheet.csv", format!("sample,r1,r2\nlab 3,{part}_R1.fq,{part}_R2.fq\n"));
        lab.rows(&format!("-s p.fa --samples sheet.csv --report none --counts {part}.tsv.gz"));
    }
    let whole = lab.run("summary a.tsv.gz -s p.fa -q");
    assert!(whole.1.contains("lab 3\tx\ta\t40\t") && whole.0 == Some(0), "{}", whole.2);
    assert_eq!(lab.run("summary 1.tsv.gz 2.tsv.gz -s p.fa -q"), whole);
    lab.add("groups.tsv", "a\tone\nb\ttwo\nc\tone\n");
    let (_, grouped, _) = lab.run("summary a.tsv.gz -s p.fa -q --groups groups.tsv --matrix m.tsv");
    assert!(lab.get("m.tsv").starts_with("sample\tone\ttwo\td\n"));
    assert!(
        ["one\ta", "two\tb", "one\tc", "d\td"].iter().all(|of| grouped.contains(&format!("lab 3\t{of}\t"))),
        "{grouped}"
    );
}

#[test]
fn a_sample_without_fragments_has_totals_and_rows() {
    let (lab, ..) = lab(0, false);
    lab.add("s.csv", "sample,r1\nnone,e.fq\nb,b.fq\nlast,e.fq\n");
    lab.add("e.fq", "");
    lab.rows("-s p.fa --samples s.csv --report none --counts c.tsv --summary t.tsv -q");
    let counts = lab.get("c.tsv");
    let none = |label: &str| format!("#sample={label}\tsequences=0\tpairs=0\tbases=0\n");
    assert!(counts.starts_with(&format!("{HEADER}{}#sample=b\t", none("none"))) && counts.ends_with(&none("last")));
    assert_eq!(lab.get("t.tsv").matches("\t0\t0\t0.0000\tNA\t0\tNA\tnegative\n").count(), 8);
}
