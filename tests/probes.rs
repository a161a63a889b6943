//! `probes`: whole runs against the naive reference, whatever executor and memory there is, and laws that hold without it.

use crate::conformance::dice::Dice;
use crate::place;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use warpseq::console::Console;
use warpseq::options::{Processor, RunOptions, Verify};
use warpseq::scan::probes::groups::Grouping;
use warpseq::scan::probes::run::{Request, run};
use warpseq::scan::probes::{Options, Rule, Window, reference};
use warpseq::scan::reference::iupac::reverse_complement;
use warpseq::scan::{Fraction, Records, Wildcards};

/// An input of `probes`.
struct Case {
    name: String,
    references: Records,
    /// Of each reference.
    groups: Vec<u32>,
    excluded: Records,
    options: Options,
}

/// Related references, some of them the other strand of others, with codes, runs of N and repeats.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for max_mismatch in 0..=3 {
        for circular in [false, true] {
            for kind in 0..6 {
                cases.push(case(max_mismatch, circular, kind));
            }
        }
    }
    cases
}

fn case(max_mismatch: u32, circular: bool, kind: usize) -> Case {
    let mut dice = Dice::new(9000 + 100 * u64::from(max_mismatch) + 10 * kind as u64 + u64::from(circular));
    let options = Options {
        length: [12, 9, 20, 30, 16, 11][kind] + max_mismatch as usize,
        step: [5, 3, 7, 40, 1, 11][kind],
        max_n_frac: Fraction::printed([0.0, 0.2, 0.1, 1.0, 0.0, 0.3][kind]),
        gc: Fraction::printed(0.2)..=Fraction::printed([0.8, 0.7][kind % 2]),
        min_complexity: Fraction::printed([0.5, 0.8, 0.0][kind % 3]),
        unique: kind != 2,
        max_mismatch,
        per_group: [None, Some(3), None][kind % 3],
        circular,
    };
    let mut texts: Vec<Vec<u8>> = (0..4).map(|k| dice.bases(20 + 40 * k, 2)).collect();
    for _ in 0..6 {
        let length = 10 + dice.below(100);
        let mut text = dice.bases(length, 1);
        for _ in 0..length / 25 {
            let (piece, at) = (dice.below(30).min(length), dice.below(length));
            let piece = dice.cut(&texts, piece.min(20));
            piece.iter().enumerate().for_each(|(k, &base)| text[(at + k) % length] = base);
        }
        dice.spoil(&mut text, max_mismatch as usize + 1 + kind % 2);
        let at = dice.below(length);
        text[at] = b"RYSWKMBDHVN.ua-"[dice.below(15)];
        texts.push(text);
    }
    texts.push(b"ACACACACACACACACACACACACACACACACACACGGTTA".to_vec());
    texts.push(texts[3].repeat(2));
    let excluded = (0..6).map(|k| (format!("x{k}"), dice.cut(&texts, options.length + 2 * k)));
    let excluded = if kind.is_multiple_of(2) { excluded.collect() } else { Records::default() };
    let groups = (0..texts.len() as u32).map(|k| if kind < 3 { k / 2 } else { k }).collect();
    let references = texts.iter().enumerate().map(|(k, text)| (format!("r{k}"), text)).collect();
    Case { name: format!("kind {kind}, {options:?}"), references, groups, excluded, options }
}

fn fasta(records: &Records) -> Vec<u8> {
    let record = |k| [b">", records.name(k), b"\n", records.sequence(k), b"\n"].concat();
    (0..records.len()).flat_map(record).collect()
}

/// What a run writes: the probes and the table.
fn written(case: &Case, folder: &Path, options: RunOptions) -> [String; 2] {
    let [references, excluded, groups, output, table] =
        ["r.fa", "x.fa", "g.tsv", "p.fa", "t.tsv"].map(|name| folder.join(name));
    std::fs::write(&references, fasta(&case.references)).unwrap();
    std::fs::write(&excluded, fasta(&case.excluded)).unwrap();
    let row = |k: usize| format!("r{k}\tg{}\n", case.groups[k]);
    std::fs::write(&groups, (0..case.groups.len()).map(row).collect::<String>()).unwrap();
    let request = Request {
        references,
        grouping: Grouping::Table(groups),
        options: case.options.clone(),
        excluded: if case.excluded.is_empty() { Vec::new() } else { vec![excluded] },
        output: Some(output.clone()),
        table: Some(table.clone()),
        run: RunOptions { console: Console::Quiet, ..options },
    };
    run(&request).unwrap_or_else(|error| panic!("{}: {error}", case.name));
    [output, table].map(|path: PathBuf| std::fs::read_to_string(path).unwrap())
}

/// The same of windows.
fn told(case: &Case, windows: &[Window]) -> [String; 2] {
    let length = case.options.length;
    let mut probes = String::new();
    let columns = "windows\twild\tgc\tcomplexity\trepeated\tshared\texcluded\tthinned\tkept";
    let mut table = format!("group\t{columns}\n");
    let count = case.groups.iter().max().unwrap() + 1;
    for group in 0..count {
        let of_group = || windows.iter().filter(|window| case.groups[window.reference as usize] == group);
        let dropped = |rule| of_group().filter(|window| window.dropped == rule).count();
        let counts = Rule::ALL.map(Some).into_iter().chain([None]).map(|rule| format!("\t{}", dropped(rule)));
        table += &format!("g{group}\t{}{}\n", of_group().count(), counts.collect::<String>());
    }
    for window in windows.iter().filter(|window| window.dropped.is_none()) {
        let Window { reference, start, .. } = *window;
        let twice = case.references.sequence(reference as usize).repeat(2);
        let bases = String::from_utf8_lossy(&twice[start as usize..start as usize + length]).into_owned();
        let group = case.groups[reference as usize];
        probes += &format!(">g{group}|r{reference}:{start}-{}\n{bases}\n", start as usize + length);
    }
    [probes, table]
}

fn on(processor: Processor, host_memory: usize) -> RunOptions {
    RunOptions { processor, host_memory, ..RunOptions::default() }
}

fn expected(case: &Case) -> Vec<Window> {
    reference::probes(&case.references, &case.groups, &case.excluded, &case.options)
}

#[test]
fn every_case_on_the_cpu_in_much_memory_and_in_little() {
    let mut of_rules = BTreeMap::new();
    for case in cases() {
        let (folder, windows) = (tempfile::tempdir().unwrap(), expected(&case));
        windows.iter().for_each(|window| *of_rules.entry(window.dropped).or_insert(0) += 1);
        for memory in [1 << 30, 1] {
            let found = written(&case, folder.path(), on(Processor::Cpu, memory));
            assert_eq!(found, told(&case, &windows), "{}, {memory} bytes", case.name);
        }
    }
    for rule in Rule::ALL.map(Some).into_iter().chain([None]) {
        assert!(of_rules.get(&rule).is_some_and(|&count| count >= 100), "{rule:?} in {of_rules:?}");
    }
}

#[test]
fn emulator() {
    for case in cases().into_iter().step_by(5) {
        let folder = tempfile::tempdir().unwrap();
        let found = written(&case, folder.path(), on(Processor::Emulator, 1 << 30));
        assert_eq!(found, told(&case, &expected(&case)), "{}", case.name);
    }
}

#[test]
fn gpu() {
    if crate::conformance::cuda().is_none() {
        return;
    }
    for case in cases() {
        let folder = tempfile::tempdir().unwrap();
        let found = written(&case, folder.path(), on(Processor::Cuda(None), 1 << 30));
        assert_eq!(found, told(&case, &expected(&case)), "{}", case.name);
    }
}

#[test]
fn runs_verify_themselves() {
    for case in cases().into_iter().step_by(7) {
        let folder = tempfile::tempdir().unwrap();
        for verify in [Verify::Cpu, Verify::Reference] {
            let options = RunOptions { verify: Some(verify), ..on(Processor::Cpu, 1 << 30) };
            assert_eq!(written(&case, folder.path(), options), told(&case, &expected(&case)), "{}", case.name);
        }
    }
}

/// Thousands of windows that match each other, in less memory than their matches take.
#[test]
fn related_references_do_not_fill_memory() {
    let mut dice = Dice::new(17);
    let ancestor = dice.letters(b"ACGT", 600);
    let text = |k: u32| {
        let mut text = ancestor.clone();
        dice.spoil(&mut text, (k % 3) as usize);
        (format!("r{k}"), text)
    };
    let references: Records = (0..60).map(text).collect();
    let options = Options { length: 24, step: 4, unique: true, max_mismatch: 2, ..Options::default() };
    let case = Case {
        name: "related".into(),
        references,
        groups: (0..60).map(|k| k / 2).collect(),
        excluded: Records::default(),
        options,
    };
    let folder = tempfile::tempdir().unwrap();
    let windows = expected(&case);
    for memory in [1 << 30, 1] {
        let found = written(&case, folder.path(), on(Processor::Cpu, memory));
        assert_eq!(found, told(&case, &windows), "{memory} bytes");
    }
}

/// Of the probes of real references, none is in the text of another reference, either way round.
#[test]
fn probes_of_real_references_are_unique() {
    let Some(path) = place::shared("data/virus_references.fasta") else { return };
    let text = std::fs::read_to_string(&path).unwrap();
    let mut records: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix('>') {
            Some(header) => records.push((header.split(' ').next().unwrap().into(), String::new())),
            None => records.last_mut().unwrap().1 += &line.to_uppercase(),
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("p.fa");
    let request = Request {
        references: path,
        grouping: Grouping::References,
        options: Options { unique: true, ..Options::default() },
        excluded: Vec::new(),
        output: Some(output.clone()),
        table: None,
        run: RunOptions { console: Console::Quiet, ..on(Processor::Cpu, 1 << 30) },
    };
    let summary = run(&request).unwrap();
    let mut owners: HashMap<Vec<u8>, HashSet<usize>> = HashMap::new();
    for (number, (_, bases)) in records.iter().enumerate() {
        for window in bases.as_bytes().windows(60) {
            owners.entry(window.to_vec()).or_default().insert(number);
        }
    }
    let probes = std::fs::read_to_string(&output).unwrap();
    let lines: Vec<&str> = probes.lines().collect();
    assert_eq!(lines.len() as u64, 2 * summary.probes);
    assert!((15_000..42_000).contains(&summary.probes), "{summary:?}");
    for probe in lines.chunks(2) {
        let (record, _) = probe[0][1..].rsplit_once(':').unwrap();
        let own = records.iter().position(|(name, _)| name == record).unwrap();
        for bases in [probe[1].as_bytes().to_vec(), reverse_complement(probe[1].as_bytes(), Wildcards::Iupac)] {
            assert!(owners.get(&bases).is_none_or(|owners| owners.iter().all(|&owner| owner == own)), "{}", probe[0]);
        }
    }
}
