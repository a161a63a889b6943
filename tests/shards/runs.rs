//! Whole runs: the outputs of all shards, one behind the other, are the output of one run.

use super::{Form, Made, NUMBERS, Random, Style, form, style, text};
use crate::cli::{run, warpseq};
use rand::SeedableRng;
use std::path::Path;
use tempfile::TempDir;
use warpseq::seq::random::below;

const SIGNATURES: &str = ">a\nACG\n>b\nTTA\n>c\nGGNC\n";

/// A folder of files, and commands in it.
struct Runs {
    folder: TempDir,
}

impl Runs {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("q.fa"), SIGNATURES).unwrap();
        Self { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The output of a command, which succeeds.
    fn output(&self, arguments: &[&str]) -> String {
        let (code, output, told) = run(warpseq(arguments).current_dir(self.path()));
        assert_eq!(code, Some(0), "{arguments:?}: {told}");
        output
    }

    /// The error of a command that is used wrongly.
    fn usage(&self, arguments: &[&str]) -> String {
        let (code, output, told) = run(warpseq(arguments).current_dir(self.path()));
        assert_eq!((code, output.as_str()), (Some(2), ""), "{arguments:?}: {told}");
        told
    }

    /// Has all shards of a command write what the command writes.
    fn compare(&self, arguments: &[&str]) {
        let whole = self.output(arguments);
        assert!(whole.lines().count() > 1, "{arguments:?} finds nothing");
        for shards in NUMBERS.into_iter().filter(|shards| *shards < 20) {
            let mut all = String::new();
            for number in 1..=shards {
                all += &self.output(&[arguments, &["--shard", &format!("{number}/{shards}")]].concat());
            }
            assert!(all == whole, "{shards} shards of {arguments:?}:\n{all}\ninstead of\n{whole}");
        }
    }
}

/// A file of reads, and maybe that of its mates.
fn reads(runs: &Runs, random: &mut Random, name: &str, fastq: bool, form: Form) -> Made {
    let style = style(random, fastq);
    text(random, name, 20, style).store(runs.path().join(name), form, random)
}

fn mates(runs: &Runs, random: &mut Random, name: &str) {
    let (style, count) = (style(random, true), 2 + below(random, 20));
    for mate in ["R1", "R2"] {
        let form = form(random);
        text(random, "pair", count, style).store(runs.path().join(format!("{name}_{mate}")), form, random);
    }
}

/// Records that are mates of one name, one behind the other.
fn interleaved(runs: &Runs, random: &mut Random, name: &str, form: Form) {
    let style = Style { wrapped: None, ends: true, ..style(random, true) };
    let mut made = text(random, "m", 24, style);
    for k in (1..24).step_by(2) {
        made.text = made.text.replace(&format!("@m{k} "), &format!("@m{} ", k - 1));
    }
    // Nobody looks at the places of these.
    made.starts.clear();
    made.store(runs.path().join(name), form, random);
}

#[test]
fn scan_in_shards_is_one_scan() {
    let random = &mut Random::seed_from_u64(7);
    for (fastq, form) in [(true, Form::Plain), (false, Form::Plain), (true, Form::Bgzf(30)), (true, Form::Gzip)] {
        let runs = Runs::new();
        reads(&runs, random, "x", fastq, form);
        reads(&runs, random, "y", !fastq, form);
        mates(&runs, random, "p");
        mates(&runs, random, "o");
        interleaved(&runs, random, "i", form);
        let sheet = "sample,r1,r2\nlab,x,\nlab,p_R1,p_R2\nother,y,\n";
        std::fs::write(runs.path().join("sheet.csv"), sheet).unwrap();
        let scan = ["scan", "-s", "q.fa", "--device", "cpu", "--report", "all", "--max-memory", "48M"];
        for inputs in [
            &["x"][..],
            &["x", "y", "-1", "p_R1", "-2", "p_R2", "-1", "o_R1", "-2", "o_R2"],
            &["i", "--interleaved", "--format", "jsonl"],
            &["--samples", "sheet.csv", "--format", "bed"],
        ] {
            runs.compare(&[&scan[..], inputs].concat());
        }
    }
}

#[test]
fn counts_of_shards_add_up() {
    let random = &mut Random::seed_from_u64(8);
    let runs = Runs::new();
    reads(&runs, random, "x", true, Form::Plain);
    mates(&runs, random, "p");
    let scan = ["scan", "-s", "q.fa", "x", "-1", "p_R1", "-2", "p_R2", "--device", "cpu", "--report", "none"];
    let counts = |more: &[&str], file: &str| {
        runs.output(&[&scan[..], more, &["--counts", file]].concat());
        std::fs::read_to_string(runs.path().join(file)).unwrap()
    };
    let whole = counts(&[], "whole");
    for shards in [1, 3, 16] {
        let files: Vec<String> = (1..=shards).map(|number| format!("counts{number}_{shards}")).collect();
        for (number, file) in (1..).zip(&files) {
            counts(&["--shard", &format!("{number}/{shards}")], file);
        }
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        assert_eq!(runs.output(&[&["merge", "-s", "q.fa"], &files[..]].concat()), whole);
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&runs.output(&[&["merge"], &files[..]].concat())), sorted(&whole));
    }
}

#[test]
fn align_in_shards_is_one_run() {
    let random = &mut Random::seed_from_u64(9);
    for form in [Form::Plain, Form::Bgzf(25), Form::Gzip] {
        let runs = Runs::new();
        reads(&runs, random, "x", true, form);
        reads(&runs, random, "t", false, form);
        std::fs::write(runs.path().join("one.fa"), ">one\nACGTTGCAACGGT\n").unwrap();
        let align = ["align", "--device", "cpu"];
        for options in [
            &["x", "t"][..],
            &["x", "one.fa", "--format", "sam", "--no-pg"],
            &["one.fa", "t"],
            &["x", "t", "--pairs", "all", "--top", "2"],
            &["x", "t", "--pairs", "all", "--format", "jsonl"],
        ] {
            runs.compare(&[&align[..], options].concat());
        }
    }
}

#[test]
fn unequal_files_are_refused_by_a_shard() {
    let runs = Runs::new();
    for (queries, targets) in [(9, 8), (8, 9)] {
        for (name, count) in [("a.fa", queries), ("b.fa", targets)] {
            let text: String = (0..count).map(|k| format!(">r{k}\nACGT\n")).collect();
            std::fs::write(runs.path().join(name), text).unwrap();
        }
        for number in 1..=4 {
            let shard = format!("{number}/4");
            let arguments = ["align", "a.fa", "b.fa", "--device", "cpu", "--shard", &shard];
            let (code, _, told) = run(warpseq(&arguments).current_dir(runs.path()));
            let is_last = number == 4;
            assert_eq!(code, Some(i32::from(is_last)), "{shard}: {told}");
            let message = format!("its {queries} records do not pair one with one with the {targets} of");
            assert_eq!(told.contains(&message), is_last, "{told}");
        }
    }
}

#[test]
fn amplicon_in_shards_is_one_run() {
    let random = &mut Random::seed_from_u64(10);
    let runs = Runs::new();
    for (name, form) in [("g", Form::Plain), ("h", Form::Bgzf(40)), ("i", Form::Gzip)] {
        let style = Style { wrapped: Some(7), ..style(random, false) };
        text(random, name, 60, style).store(runs.path().join(name), form, random);
    }
    let primers = ["-F", "ACN", "-R", "GTN", "--min-length", "4"];
    for format in ["tsv", "fasta"] {
        runs.compare(&[&["amplicon", "g", "h", "i", "--device", "cpu", "--format", format], &primers[..]].concat());
    }
}

#[test]
fn merge_puts_tables_together_and_refuses_others() {
    let runs = Runs::new();
    let write = |name: &str, text: &str| std::fs::write(runs.path().join(name), text).unwrap();
    write("a", "sample\tstart\nx\t1\n");
    write("b", "sample\tstart\ny\t2");
    write("c", "z\t3\n");
    write("none", "");
    assert_eq!(runs.output(&["merge", "a", "none", "b", "c"]), "sample\tstart\nx\t1\ny\t2\nz\t3\n");
    assert_eq!(runs.output(&["merge", "c", "c", "none"]), "z\t3\nz\t3\n");
    assert_eq!(runs.output(&["merge", "none"]), "");
    runs.output(&["merge", "a", "c", "-o", "all.tsv.gz"]);
    assert_eq!(runs.output(&["merge", "all.tsv.gz"]), "sample\tstart\nx\t1\nz\t3\n");
    write("d", "sample\tend\nx\t1\n");
    write("e", "z\t3\t4\n");
    write("j", "{\"a\":1}\n");
    write("k", "{\"b\":1}\n");
    write("counts", "sample\tsignature\tsequences\tpairs\tmismatches\n");
    for (files, words) in [
        (&["a", "d"][..], "d: it does not go together with a: they have different headers"),
        (&["a", "e"], "e: it does not go together with a: they have different columns"),
        (&["none", "c", "e"], "e: it does not go together with c: they have different columns"),
        (&["c", "a"], "a: it does not go together with c: it has a header and comes later"),
        (&["j", "k"], "different columns"),
        (&["a", "j"], "different columns"),
        (&["counts", "a"], "a: it does not go together with counts: one is a table and the other counts"),
    ] {
        let (code, output, told) = run(warpseq(&[&["merge"], files].concat()).current_dir(runs.path()));
        assert_eq!((code, output.as_str()), (Some(1), ""), "{files:?}");
        assert!(told.contains(words), "{told}");
    }
    assert!(runs.usage(&["merge", "a", "-s", "q.fa"]).contains("there are no counts"));
}

#[test]
fn what_shards_cannot_do_is_wrong_usage() {
    let runs = Runs::new();
    std::fs::write(runs.path().join("x"), ">x\nACGT\n").unwrap();
    for (shard, words) in
        [("0/3", "expected K/N"), ("4/3", "there is no shard 4 of 3"), ("x", "expected K/N"), ("1/0", "expected K/N")]
    {
        for command in [&["scan", "x", "q.fa"][..], &["align", "x", "x"], &["amplicon", "x", "-F", "A", "-R", "C"]] {
            let told = runs.usage(&[command, &["--shard", shard]].concat());
            assert!(told.contains(words), "{told}");
        }
    }
    for option in ["--summary", "--matrix", "--html", "--stats"] {
        let told = runs.usage(&["scan", "x", "q.fa", "--shard", "1/2", option, "out"]);
        assert!(told.contains(option) && told.contains("--counts FILE"), "{told}");
    }
    let told = runs.usage(&["scan", "x", "q.fa", "--shard", "1/2", "--counts", "out", "--dedup"]);
    assert!(told.contains("--dedup"), "{told}");
    let told = runs.usage(&["scan", "-", "q.fa", "--shard", "1/2"]);
    assert!(told.contains("standard input can be read only once"), "{told}");
}
