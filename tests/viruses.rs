//! From references to calls on real data: probes, reads of real genomes, a scan with mismatches, a summary.
//!
//! Every twentieth genome of `virus_genomes.fasta` is a source, in samples of two to five with 120 to 20,000 pairs
//! each, among reads of lambda and of random DNA. A pair of each of three other sources lies in every sample, as index hopping
//! leaves them. How well a source should be found depends on how near its nearest reference is, which `sign search` finds and
//! `align` tells: see [`Class`].

use crate::cli::{run, warpseq};
use crate::fastx::gzip;
use crate::place;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Pairs of a source, about.
const MIXED: [usize; 5] = [120, 400, 1300, 4000, 20_000];
/// Pairs of lambda, and of random DNA.
const BACKGROUND: usize = 1000;

/// References of one virus. Those of other names are a group each.
const RELATED: [(&str, &str); 11] = [
    ("sars-cov-2", "sars-cov-2"),
    ("mpox", "mpox"),
    ("itps_orov_L", "oropouche_L"),
    ("itps_orov_M", "oropouche_M"),
    ("itps_orov_S", "oropouche_S"),
    ("masphl-bioinformatics_hav", "hepatitis_A"),
    ("mumps", "mumps"),
    ("rubella", "rubella"),
    ("moncla-lab_iav-h5_ha", "influenza_H5_HA"),
    ("flu_h3n2_ha", "influenza_H3N2_HA"),
    ("flu_h1n1pdm_ha", "influenza_H1N1pdm_HA"),
];

fn group(reference: &str) -> String {
    let related = RELATED.iter().find(|(prefix, _)| reference.starts_with(prefix));
    related.map_or_else(|| reference.split('|').next().unwrap(), |(_, group)| group).to_owned()
}

/// How near a source is to its nearest reference.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Class {
    /// At least 97 % identical, over 90 % of the reference: found from 100 pairs on.
    A,
    /// At least 90 % identical, over as much: found from 1000 pairs on.
    B,
    /// The rest, of which nothing is asked.
    C,
}

struct Source {
    name: String,
    bases: String,
    group: String,
    class: Class,
    identity: f64,
    /// How many are asked for.
    pairs: usize,
}

/// A folder to work in, and what is read from the shared one.
struct Lab {
    folder: tempfile::TempDir,
    references: PathBuf,
}

impl Lab {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn put(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn get(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs a command in the folder. `REFERENCES` stands for their file.
    fn run(&self, line: &str) {
        let references = self.references.to_str().unwrap();
        let words: Vec<&str> =
            line.split(' ').map(|word| if word == "REFERENCES" { references } else { word }).collect();
        let (code, _, stderr) = run(warpseq(&words).current_dir(self.folder.path()));
        assert_eq!(code, Some(0), "{line}: {stderr}");
    }

    /// The rows of a table by the names of its columns.
    fn rows(&self, name: &str) -> Vec<HashMap<String, String>> {
        let text = self.get(name);
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let columns: Vec<&str> = lines.next().unwrap().split('\t').collect();
        let row = |line: &str| {
            columns.iter().map(|column| column.to_string()).zip(line.split('\t').map(str::to_owned)).collect()
        };
        lines.map(row).collect()
    }
}

fn records(path: &Path) -> Vec<(String, String)> {
    let mut records: Vec<(String, String)> = Vec::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        match line.strip_prefix('>') {
            Some(header) => records.push((header.split(' ').next().unwrap().into(), String::new())),
            None => records.last_mut().unwrap().1 += line,
        }
    }
    records
}

fn fasta<'a>(records: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    records.into_iter().map(|(name, bases)| format!(">{name}\n{bases}\n")).collect()
}

/// Of every twentieth genome those whose reference is known, with group and class.
fn sources(lab: &Lab, genomes: &Path, references: &[(String, String)]) -> Vec<Source> {
    let chosen: Vec<(String, String)> =
        records(genomes).into_iter().step_by(20).map(|(name, bases)| (name, bases.replace('-', "N"))).collect();
    lab.put("chosen.fa", fasta(chosen.iter().map(|(name, bases)| (name.as_str(), bases.as_str()))));
    lab.run("sign search chosen.fa REFERENCES --by sequence --k 11 --top 1 --device cpu -o near.tsv");
    let near: HashMap<String, String> =
        lab.rows("near.tsv").into_iter().map(|row| (row["query"].clone(), row["target"].clone())).collect();
    let found = || chosen.iter().filter(|(name, _)| near.contains_key(name));
    let bases_of: HashMap<&str, &str> =
        references.iter().map(|(name, bases)| (name.as_str(), bases.as_str())).collect();
    lab.put("queries.fa", fasta(found().map(|(name, bases)| (name.as_str(), bases.as_str()))));
    lab.put("targets.fa", fasta(found().map(|(name, _)| (near[name].as_str(), bases_of[near[name].as_str()]))));
    lab.run("align queries.fa targets.fa --strand both --device cpu -o alignments.tsv");
    let rows = lab.rows("alignments.tsv");
    assert_eq!(rows.len(), found().count());
    let source = |((name, bases), row): (&(String, String), &HashMap<String, String>)| {
        let number = |column: &str| row[column].parse::<f64>().unwrap();
        let cover = |of: &str| {
            (number(&format!("{of}_end")) - number(&format!("{of}_start"))) / number(&format!("{of}_length"))
        };
        let class = match number("identity") {
            identity if cover("target") >= 0.9 && identity >= 0.97 => Class::A,
            identity if cover("target") >= 0.9 && identity >= 0.9 => Class::B,
            _ => Class::C,
        };
        let (name, bases, group) = (name.clone(), bases.clone(), group(&near[name]));
        // Of what is nearly all N, the search finds any reference.
        let is_known = cover("query") >= 0.5 || cover("target") >= 0.5;
        is_known.then(|| Source { name, bases, group, class, identity: number("identity"), pairs: 0 })
    };
    // Genomes of one virus lie together in the file, and in different samples here.
    let mut sources: Vec<(usize, Source)> = found().zip(&rows).filter_map(source).enumerate().collect();
    sources.sort_by_key(|(k, _)| k % 5);
    let mut sources: Vec<Source> = sources.into_iter().map(|(_, source)| source).collect();
    // Those of class B begin with so many that they are to be found.
    for (class, first) in [(Class::A, 0), (Class::B, 2), (Class::C, 0)] {
        let of_class = sources.iter_mut().filter(|source| source.class == class);
        of_class.enumerate().for_each(|(k, source)| source.pairs = MIXED[(first + k) % MIXED.len()]);
    }
    sources
}

/// A sample: the pairs of each source, and both files of reads, plain.
struct Sample<'s> {
    label: String,
    pairs: Vec<(&'s Source, usize)>,
    reads: [String; 2],
}

/// Reads of some sources and of what is not searched for, and one pair of each of `hopped`.
fn sample<'s>(lab: &Lab, k: usize, sources: &'s [Source], hopped: &[&Source], beside: &str) -> Sample<'s> {
    let label = format!("sample{k}");
    let record = |source: &'s Source| (source.name.as_str(), source.bases.as_str());
    lab.put("mixed.fa", fasta(sources.iter().map(record)) + beside);
    let weight = |source: &Source| format!("{}\t{}\n", source.name, source.pairs);
    let names = beside.lines().filter_map(|line| line.strip_prefix('>')?.split(' ').next());
    let mix: String = sources.iter().map(weight).collect();
    lab.put("mix.tsv", names.fold(mix, |mix, name| mix + &format!("{name}\t{BACKGROUND}\n")));
    let count = sources.iter().map(|source| source.pairs).sum::<usize>() + 2 * BACKGROUND;
    lab.run(&format!("simulate reads mixed.fa {count} --mix mix.tsv --seed {k} --uncompressed --truth truth.tsv -o s"));
    let mut reads = ["s_R1.fastq", "s_R2.fastq"].map(|name| lab.get(name));
    for source in hopped {
        lab.put("hopped.fa", fasta([(source.name.as_str(), source.bases.as_str())]));
        lab.run("simulate reads hopped.fa 1 --uncompressed -o h");
        for (reads, name) in reads.iter_mut().zip(["h_R1.fastq", "h_R2.fastq"]) {
            *reads += &lab.get(name);
        }
    }
    let rows = lab.rows("truth.tsv");
    let of = |source: &Source| rows.iter().filter(|row| row["genome"] == source.name).count();
    let pairs = sources.iter().map(|source| (source, of(source))).collect();
    lab.put(&format!("{label}_R1.fastq.gz"), gzip(reads[0].as_bytes()));
    lab.put(&format!("{label}_R2.fastq.gz"), gzip(reads[1].as_bytes()));
    Sample { label, pairs, reads }
}

fn samples<'s>(lab: &Lab, sources: &'s [Source], beside: &str) -> Vec<Sample<'s>> {
    let (mut rest, mut samples) = (sources, Vec::new());
    while !rest.is_empty() {
        let k = samples.len();
        let (here, others) = rest.split_at(rest.len().min(2 + k % 4));
        let groups: BTreeSet<&str> = here.iter().map(|source| source.group.as_str()).collect();
        let mut elsewhere: Vec<&Source> = sources
            .iter()
            .filter(|source| source.class != Class::C && !groups.contains(source.group.as_str()))
            .collect();
        let middle = k % elsewhere.len();
        elsewhere.rotate_left(middle);
        elsewhere.dedup_by_key(|source| &source.group);
        elsewhere.truncate(3);
        samples.push(sample(lab, k, here, &elsewhere, beside));
        rest = others;
    }
    samples
}

/// The names, each with its record, of four lines.
fn four_lines(text: &str) -> Vec<[&str; 4]> {
    let lines: Vec<&str> = text.lines().collect();
    lines.chunks(4).map(|record| record.try_into().unwrap()).collect()
}

/// The matched and the unmatched reads of a sample are all of its reads, mates together.
fn check_reads(lab: &Lab, sample: &Sample) {
    let mut written: [Vec<[String; 4]>; 2] = Default::default();
    for kind in ["matched", "unmatched"] {
        let both = [1, 2].map(|mate| lab.get(&format!("{}_{kind}_{mate}.fastq", sample.label)));
        let [first, second] = [0, 1].map(|mate| four_lines(&both[mate]));
        assert!(first.len() == second.len() && first.iter().zip(&second).all(|(a, b)| a[0] == b[0]), "{kind}");
        for (written, mates) in written.iter_mut().zip([first, second]) {
            written.extend(mates.iter().map(|record| record.map(str::to_owned)));
        }
    }
    for (written, reads) in written.iter_mut().zip(&sample.reads) {
        let mut all: Vec<[String; 4]> = four_lines(reads).into_iter().map(|record| record.map(str::to_owned)).collect();
        written.sort_unstable();
        all.sort_unstable();
        assert!(*written == all, "{}: {} records, of {}", sample.label, written.len(), all.len());
    }
}

#[test]
fn viruses_are_found_in_samples_as_near_as_they_are_to_references() {
    let [references, genomes, lambda] = ["virus_references.fasta", "virus_genomes.fasta", "lambda_virus.fa"]
        .map(|name| place::shared(&format!("data/{name}")));
    let (Some(references), Some(genomes), Some(lambda)) = (references, genomes, lambda) else { return };
    let lab = &Lab { folder: tempfile::tempdir().unwrap(), references: references.canonicalize().unwrap() };
    let known = records(&references);
    let row = |(name, _): &(String, String)| format!("{name}\t{}\n", group(name));
    lab.put("groups.tsv", known.iter().map(row).collect::<String>());
    lab.run("probes REFERENCES --groups groups.tsv --unique=4 --device cpu -o probes.fa");
    lab.run("simulate signatures 1 50000 50000 0 -o random.fa");
    let beside = lab.get("random.fa") + &std::fs::read_to_string(lambda).unwrap();
    let sources = sources(lab, &genomes, &known);
    let samples = samples(lab, &sources, &beside);
    let sheet = |sample: &Sample| format!("{0}\t{0}_R1.fastq.gz\t{0}_R2.fastq.gz\n", sample.label);
    lab.put("sheet.tsv", samples.iter().map(sheet).fold("sample\tr1\tr2\n".to_owned(), |all, row| all + &row));
    lab.run(
        "scan -s probes.fa --samples sheet.tsv -m 2 --report none --summary summary.tsv --groups groups.tsv --device cpu \
         --matched {sample}_matched_#.fastq --unmatched {sample}_unmatched_#.fastq",
    );
    let mut calls: BTreeMap<(String, String), String> = BTreeMap::new();
    for row in lab.rows("summary.tsv") {
        calls.insert((row["sample"].clone(), row["group"].clone()), row["call"].clone());
    }
    let (mut asked, mut hopped) = ([0; 2], 0);
    for sample in &samples {
        check_reads(lab, sample);
        let own: BTreeSet<&str> = sample.pairs.iter().map(|(source, _)| source.group.as_str()).collect();
        for (source, pairs) in &sample.pairs {
            let call = calls[&(sample.label.clone(), source.group.clone())].as_str();
            let Source { name, class, identity, .. } = source;
            println!("{} {name} {class:?} {identity:.3} {pairs} pairs: {call}", sample.label);
            let least = [100, 1000, usize::MAX][*class as usize];
            if *pairs >= least {
                asked[*class as usize] += 1;
                assert_eq!(call, "positive", "{name} of {}", source.group);
            }
        }
        for ((label, group), call) in
            calls.iter().filter(|(at, _)| at.0 == sample.label && !own.contains(at.1.as_str()))
        {
            hopped += usize::from(call == "trace");
            assert_ne!(call, "positive", "{group} in {label}");
        }
    }
    assert!(asked[0] >= 4 && asked[1] >= 2, "{asked:?} sources were asked for");
    assert!(hopped >= samples.len(), "{hopped} traces of other sources");
}
