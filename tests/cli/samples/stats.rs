//! Figures of a run: those of the counts, the summary and the reads that the same run writes; and what MultiQC makes of them.

use super::Lab;
use crate::place;
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

const SCAN: &str = "-s q.fa -m 1 --report none -1 a_R1.fq -2 a_R2.fq b.fq -q";

fn object(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn without(mut file: Value, keys: &[&str]) -> Value {
    keys.iter().for_each(|key| assert!(file.as_object_mut().unwrap().remove(*key).is_some(), "{key}"));
    file
}

/// A lab whose signatures are of genomes a and b of one group, and of c, of which nothing is found.
fn lab() -> Lab {
    let lab = Lab::new();
    let renamed = lab.get("q.fa").replacen(">g:", ">x|a:", 40).replace(">g:", ">x|b:");
    lab.add("q.fa", renamed + ">c:0-30\nACCCCCACCCCCACCCCCACCCCCACCCCC\n>c:30-60\nAAAAAGGGGGAAAAAGGGGGAAAAATTTTT\n>c:60-90\nGCGCGCGCGCGCGCGCGCGCGCGCGCGCGC\n");
    lab
}

#[test]
fn figures_are_those_of_counts_summary_and_reads() {
    let lab = lab();
    lab.rows(&format!(
        "{SCAN} --stats r.json --counts c.tsv --summary s.tsv --matched {{sample}}.y.fq --unmatched {{sample}}.n.fq"
    ));
    let file = object(&lab.get("r.json"));
    let command: Vec<&str> = file["command"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert!(command.starts_with(&["warpseq", "scan"]) && command.contains(&"{sample}.y.fq"), "{command:?}");
    assert_eq!((file["schema_version"].as_u64(), file["device"].as_str()), (Some(1), Some("cpu")));
    let (counts, summary) = (lab.get("c.tsv"), lab.get("s.tsv"));
    for (sample, mates) in file["samples"].as_array().unwrap().iter().zip([1, 2]) {
        let label = sample["sample"].as_str().unwrap();
        let totals = format!(
            "#sample={label}\tsequences={}\tpairs={}\tbases={}\n",
            sample["sequences"], sample["pairs"], sample["bases"]
        );
        assert!(counts.contains(&totals), "{totals}");
        let lines = |kind: &str| lab.get(&format!("{label}.{kind}.fq")).lines().count() as u64 / 4 / mates;
        assert_eq!((sample["matched"].as_u64(), sample["unmatched"].as_u64()), (Some(lines("y")), Some(lines("n"))));
        // The genomes of a group are summed up.
        let mut groups: BTreeMap<&str, ([u64; 3], &str)> = BTreeMap::new();
        for row in summary.lines().filter(|row| row.starts_with(&format!("{label}\t"))) {
            let fields: Vec<&str> = row.split('\t').collect();
            let (sums, call) = groups.entry(fields[1]).or_default();
            (0..3).for_each(|k| sums[k] += fields[3 + k].parse::<u64>().unwrap());
            *call = fields[10];
        }
        assert_eq!(groups.remove("c"), Some(([3, 0, 0], "negative")));
        let [group] = &sample["groups"].as_array().unwrap()[..] else { panic!("{sample}") };
        let ([signatures, found, fragments], call) = groups[group["group"].as_str().unwrap()];
        assert_eq!((&group["signatures"], &group["found"]), (&signatures.into(), &found.into()));
        assert_eq!((&group["fragments"], &group["call"]), (&fragments.into(), &call.into()));
        let breadth: f64 = format!("{:.4}", found as f64 / signatures as f64).parse().unwrap();
        assert_eq!(group["breadth"], breadth);
        assert_eq!(file["data"][label]["positive"], u64::from(call == "positive"));
    }
}

#[test]
fn figures_do_not_depend_on_threads_and_those_of_counts_are_the_same() {
    let lab = lab();
    let of = |options: &str| {
        lab.rows(&format!("{SCAN} --stats r.json {options}"));
        object(&lab.get("r.json"))
    };
    let changing = ["timing", "threads", "command"];
    let one = of("-t 1 --counts c.tsv");
    let all = without(of("-t 3 --max-memory 1M"), &changing);
    assert_eq!(without(one.clone(), &changing), all);
    lab.add("d.fq", lab.get("b.fq").repeat(2));
    lab.rows("-s q.fa d.fq --dedup --stats r.json --report none");
    let sum = |key: &str| object(&lab.get("r.json"))["samples"][0][key].as_u64().unwrap();
    assert!(sum("repeated") >= 200 && sum("sequences") <= 200 && sum("matched") > 0);
    assert_eq!((sum("matched") + sum("unmatched"), sum("sequences") + sum("repeated")), (400, 400));

    let (code, table, told) = lab.run("summary c.tsv -s q.fa --stats s.json");
    assert!(code == Some(0) && table.contains("\tpositive\n") && told.is_empty(), "{told}");
    let mut of_counts = object(&lab.get("s.json"));
    assert_eq!(of_counts["device"], Value::Null);
    for (sample, seen) in
        of_counts["samples"].as_array_mut().unwrap().iter_mut().zip(one["samples"].as_array().unwrap())
    {
        for key in ["matched", "unmatched", "repeated"] {
            assert_eq!(sample[key], Value::Null);
            sample[key] = seen[key].clone();
        }
    }
    let changing = [&changing[..], &["device", "data"]].concat();
    assert_eq!(without(of_counts, &changing), without(one, &changing));
}

#[test]
fn warnings_are_kept_though_quiet() {
    let lab = lab();
    lab.add("n.fa", ">n\nNNNNN\n");
    lab.rows("-s n.fa b.fq --report none --stats r.json -q");
    let warnings = object(&lab.get("r.json"))["warnings"].to_string();
    assert!(
        warnings.contains("signature n has no informative symbol") && warnings.contains("at most a trace"),
        "{warnings}"
    );
}

#[test]
fn nothing_is_written_on_an_error() {
    let lab = lab();
    for (line, code, words) in [
        ("-s q.fa b.fq --stats r.json --summary ./r.json", 2, "--summary goes to the same place"),
        ("-s q.fa b.fq --stats q.fa", 1, "q.fa"),
        ("-s q.fa b.fq --stats none/r.json --counts c.tsv", 1, "none/r.json"),
        ("-s q.fa -1 a_R1.fq -2 b.fq --stats r.json --report none", 1, "b.fq"),
        ("-s q.fa b.fq --groups g.tsv", 2, "--stats"),
    ] {
        let (found, told) = lab.refusal(line);
        assert!(found == code && told.contains(words), "{line}: {told}");
    }
}

/// What MultiQC shows, by `tools/oracle/stats.py`, which checks the JSON Schema, too.
#[test]
fn multiqc_shows_samples_and_calls() {
    let python = place::repository().join(".venv/bin/python");
    if !Command::new(&python).args(["-c", "import multiqc"]).output().is_ok_and(|done| done.status.success()) {
        assert!(std::env::var("WARPSEQ_REQUIRE_MULTIQC").is_err(), "no multiqc in .venv (make test installs it)");
        return println!("skipped: no multiqc in .venv");
    }
    let lab = lab();
    lab.add("s.csv", "sample,r1,r2\n<script>alert(1),a_R1.fq,a_R2.fq\na & \"b\",b.fq,\n");
    lab.rows(&format!("{SCAN} --stats one_mqc.json --counts c.tsv"));
    lab.rows("-s q.fa --samples s.csv --report none --stats two_mqc.json");
    let (code, _, told) = lab.run("summary c.tsv -s q.fa --stats three_mqc.json");
    assert_eq!(code, Some(0), "{told}");
    for files in [&["one_mqc.json", "two_mqc.json"][..], &["three_mqc.json"]] {
        let mut command = Command::new(&python);
        command.arg(place::repository().join("tools/oracle/stats.py")).args(files).current_dir(lab.folder.path());
        let done = command.output().unwrap();
        let (said, complained) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        assert!(said.ends_with("1 groups as MultiQC has them\n"), "{said}{complained}");
    }
}
