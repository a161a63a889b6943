//! `detect`: what `probes` and `scan` make one after the other, in a folder that is there as a whole or not at all.

use super::{Dice, Lab, fastq, pairs, text_of};
use std::fs;

/// References g, and h that shares its first half; reads of g, in pairs (a) and without mates (b); and a few of h in c.
fn lab() -> Lab {
    let lab = Lab::new();
    let mut dice = Dice::new(11);
    let g = dice.bases(3000);
    let h = [&g[..1500], &dice.bases(1500)[..]].concat();
    lab.add("r.fa", format!(">g\n{}\n>h\n{}\n>k\n{}\n", text_of(&g), text_of(&h), text_of(&dice.bases(900))));
    let of_g = pairs(&mut dice, &g, 200);
    let [first, second] = [0, 1].map(|mate| fastq(of_g.iter().map(|pair| pair[mate].clone())));
    lab.add("x_R1.fq", first);
    lab.add("x_R2.fq", second);
    lab.add("y.fq", fastq(pairs(&mut dice, &g, 500).into_iter().map(|[read, _]| read)));
    lab.add("z.fq", fastq([("z".to_owned(), h[2000..2080].to_vec())]));
    lab.add("s.csv", "sample,r1,r2\nx,x_R1.fq,x_R2.fq\ny,y.fq,\nz,z.fq,\n");
    lab
}

const DETECT: &str = "detect -r r.fa --device cpu -q";

fn names(lab: &Lab, folder: &str) -> Vec<String> {
    super::super::names_in(&lab.folder.path().join(folder))
}

fn done(lab: &Lab, line: &str) {
    let (code, said, told) = lab.run(line);
    assert_eq!((code, said.as_str(), told.as_str()), (Some(0), "", ""), "{line}");
}

#[test]
fn a_folder_holds_what_probes_and_scan_write() {
    let lab = lab();
    done(&lab, &format!("{DETECT} --samples s.csv -o run"));
    let all = ["counts.tsv", "matched", "probes.fa", "probes.tsv", "report.html", "stats_mqc.json", "summary.tsv"];
    assert_eq!(names(&lab, "run"), all);
    let matched = ["x_R1.fastq.gz", "x_R2.fastq.gz", "y_R.fastq.gz", "z_R.fastq.gz"];
    assert_eq!(names(&lab, "run/matched"), matched);

    done(&lab, "probes r.fa --unique=4 --device cpu -o p.fa --table p.tsv -q");
    done(
        &lab,
        "scan -s p.fa -m 2 --samples s.csv --report none --counts c.tsv --summary t.tsv --matched m_{sample}_R#.fastq.gz --device cpu -q",
    );
    for (own, other) in
        [("probes.fa", "p.fa"), ("probes.tsv", "p.tsv"), ("counts.tsv", "c.tsv"), ("summary.tsv", "t.tsv")]
    {
        assert_eq!(lab.get(&format!("run/{own}")), lab.get(other), "{own}");
    }
    for name in matched {
        let read = |path: String| fs::read(lab.folder.path().join(path)).unwrap();
        assert!(read(format!("run/matched/{name}")) == read(format!("m_{name}")), "{name}");
    }
    let calls = |genome: &str| {
        let summary = lab.get("run/summary.tsv");
        let rows = summary.lines().filter(|row| row.split('\t').nth(2) == Some(genome));
        rows.map(|row| row.rsplit('\t').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        (calls("g"), calls("k")),
        (vec!["positive".into(), "positive".into(), "negative".into()], vec!["negative".to_owned(); 3])
    );
    assert_eq!(calls("h"), ["negative", "negative", "trace"], "what g and h share is in no probe");
    assert!(lab.get("run/report.html").contains("<pre>warpseq detect -r r.fa"));
    let stats: serde_json::Value = serde_json::from_str(&lab.get("run/stats_mqc.json")).unwrap();
    assert_eq!((&stats["command"][1], &stats["data"]["x"]["positive"]), (&"detect".into(), &1.into()));
}

#[test]
fn related_references_are_called_together() {
    let lab = lab();
    lab.add("g.tsv", "g\tgh\nh\tgh\nk\tk\n");
    done(&lab, &format!("{DETECT} --groups g.tsv -1 x_R1.fq -2 x_R2.fq y.fq --negative-control y -o run"));
    let summary = lab.get("run/summary.tsv");
    let rows: Vec<&str> = summary.lines().filter(|row| row.starts_with("x\tgh\t")).collect();
    assert!(
        rows.len() == 2 && rows.iter().all(|row| row.ends_with("\ttrace")),
        "no more than in the control: {summary}"
    );
    assert!(lab.get("run/probes.fa").contains(">gh|g:0-60\n"));
    done(&lab, &format!("{DETECT} y.fq -o single"));
    assert_eq!(names(&lab, "single/matched"), ["y.fastq.gz"]);
}

#[test]
fn groups_without_probes_are_named_and_reads_of_fasta_are_written_as_fasta() {
    let lab = lab();
    let twice = lab.get("r.fa") + &lab.get("r.fa").lines().nth(5).map_or(String::new(), |k| format!(">other\n{k}\n"));
    lab.add("twice.fa", twice);
    lab.add("reads.fa", format!(">read\n{}\n", &lab.get("r.fa").lines().nth(1).unwrap()[2000..2200]));
    done(&lab, "detect -r twice.fa --device cpu -q reads.fa -o run");
    let told = "no probe is left of these groups, so they cannot be found: k, other";
    assert!(lab.get("run/report.html").contains(told) && lab.get("run/stats_mqc.json").contains(told));
    assert_eq!(names(&lab, "run/matched"), ["reads.fasta.gz"]);
}

#[test]
fn a_folder_with_something_in_it_is_not_touched_unless_forced() {
    let lab = lab();
    fs::create_dir(lab.folder.path().join("run")).unwrap();
    done(&lab, &format!("{DETECT} y.fq -o run"));
    lab.add("run/summary.tsv", "old");
    lab.add("run/notes.txt", "mine");
    let before = names(&lab, "run");
    let (code, _, told) = lab.run(&format!("{DETECT} y.fq -o run"));
    assert!(code == Some(1) && told.contains("run: the folder is not empty") && told.contains("--force"), "{told}");
    assert_eq!((names(&lab, "run"), lab.get("run/summary.tsv")), (before.clone(), "old".into()));
    done(&lab, &format!("{DETECT} y.fq -o run --force"));
    assert_eq!((names(&lab, "run"), lab.get("run/notes.txt")), (before, "mine".into()));
    assert!(lab.get("run/summary.tsv").starts_with("sample\tgroup\t"));
}

#[test]
fn an_error_leaves_nothing() {
    let lab = lab();
    lab.add(
        "same.fa",
        lab.get("r.fa").replace(">k", ">l").lines().take(2).map(|line| format!("{line}\n")).collect::<String>(),
    );
    lab.add("twice.fa", lab.get("same.fa") + &lab.get("same.fa").replace(">g", ">l"));
    lab.add("cut_R2.fq", lab.get("x_R2.fq").lines().take(8).map(|line| format!("{line}\n")).collect::<String>());
    fs::create_dir(lab.folder.path().join("empty")).unwrap();
    for (line, code, words) in [
        ("detect -r r.fa -1 x_R1.fq -2 cut_R2.fq -o run", 1, "cut_R2.fq"),
        ("detect -r r.fa -1 x_R1.fq -2 cut_R2.fq -o empty", 1, "cut_R2.fq"),
        ("detect -r r.fa missing.fq -o run", 1, "cannot open missing.fq"),
        ("detect -r twice.fa y.fq -o run", 1, "no probe is left"),
        ("detect -r missing.fa y.fq -o run", 1, "missing.fa"),
        ("detect -r r.fa y.fq -o none/run", 1, "none/run"),
        ("detect -r r.fa y.fq -o r.fa", 1, "r.fa"),
        ("detect -r r.fa y.fq", 2, "--output <DIR>"),
        ("detect -r r.fa -o run", 2, "there is no input"),
        ("detect y.fq -o run", 2, "--references"),
        ("detect -r r.fa y.fq -o run --negative-control w", 2, "no sample is called so"),
    ] {
        let before = names(&lab, "");
        let (found, _, told) = lab.run(&format!("{line} -q"));
        assert!(found == Some(code) && told.contains(words), "{line}: {told}");
        assert_eq!((names(&lab, ""), names(&lab, "empty").len()), (before, 0), "{line}");
    }
}
