//! The FASTQ corpus of Cock et al. (2010) and the other real files of `../shared`.

use super::{Reading, records_of, shared};
use std::fs;
use std::path::{Path, PathBuf};
use warpseq::fastx::{Kind, Reader};

/// `error_NAME.fastq`, and the good records before its error.
pub const MALFORMED: [(&str, usize); 22] = [
    ("diff_ids", 2),
    ("no_qual", 0),
    ("long_qual", 3),
    ("short_qual", 2),
    ("double_seq", 3),
    ("double_qual", 2),
    ("tabs", 0),
    ("spaces", 0),
    ("trunc_in_title", 4),
    ("trunc_in_seq", 4),
    ("trunc_in_plus", 4),
    ("trunc_in_qual", 4),
    ("trunc_at_seq", 4),
    ("trunc_at_plus", 4),
    ("trunc_at_qual", 4),
    ("qual_del", 3),
    ("qual_space", 3),
    ("qual_vtab", 0),
    ("qual_escape", 4),
    ("qual_unit_sep", 2),
    ("qual_tab", 4),
    ("qual_null", 0),
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn is_malformed(path: &Path) -> bool {
    path.file_name().unwrap().to_str().unwrap().starts_with("error_")
}

#[test]
fn malformed_files_are_refused_after_their_good_records() {
    let Some(folder) = shared("corpus/fastq-cock") else { return };
    assert_eq!(files(&folder).iter().filter(|path| is_malformed(path)).count(), MALFORMED.len());
    for (name, good) in MALFORMED {
        let reading = Reading::of(Reader::open(&folder.join(format!("error_{name}.fastq"))));
        let (line, record, message) = reading.input_error();
        assert_eq!((reading.records.len(), record), (good, good as u64 + 1), "{name}, line {line}: {message}");
    }
}

#[test]
fn well_formed_files_are_read() {
    let Some(folder) = shared("corpus/fastq-cock") else { return };
    let good = |path: &&PathBuf| !is_malformed(path) && path.extension().is_some_and(|e| e == "fastq");
    for path in files(&folder).iter().filter(good) {
        let reading = Reading::of(Reader::open(path));
        assert!(reading.error.is_none(), "{}: {:?}", path.display(), reading.error);
        assert_eq!(reading.kind, Some(Kind::Fastq));
        assert!(!reading.records.is_empty(), "{}", path.display());
        assert!(reading.records.iter().all(|r| r.sequence.len() == r.quality.len()), "{}", path.display());
    }
}

/// The files of a family hold the same reads with qualities re-encoded; `longreads` and `wrapping` differ in wrapping too.
#[test]
fn variants_agree() {
    let Some(folder) = shared("corpus/fastq-cock") else { return };
    for (family, original) in [
        ("illumina_full_range", "illumina"),
        ("longreads", "sanger"),
        ("misc_dna", "sanger"),
        ("misc_rna", "sanger"),
        ("sanger_full_range", "sanger"),
        ("solexa_full_range", "solexa"),
        ("wrapping", "sanger"),
    ] {
        let reads = |variant: &str| -> Vec<_> {
            let bytes = fs::read(folder.join(format!("{family}_{variant}.fastq"))).unwrap();
            records_of(bytes).into_iter().map(|r| (r.header.name, r.sequence)).collect()
        };
        let expected = reads(&format!("original_{original}"));
        for encoding in ["sanger", "solexa", "illumina"] {
            assert_eq!(reads(&format!("as_{encoding}")), expected, "{family}_as_{encoding}");
        }
    }
}

#[test]
fn compressed_and_dos_files_equal_the_plain_one() {
    let Some(folder) = shared("corpus/fastq-cock") else { return };
    let plain = records_of(fs::read(folder.join("example.fastq")).unwrap());
    for name in ["example.fastq.gz", "example.fastq.bgz", "example_dos.fastq", "example_dos.fastq.bgz"] {
        assert_eq!(records_of(fs::read(folder.join(name)).unwrap()), plain, "{name}");
    }
}

#[test]
fn every_buffer_size_gives_the_same() {
    let Some(folder) = shared("corpus/fastq-cock") else { return };
    for path in files(&folder) {
        let bytes = fs::read(&path).unwrap();
        let expected = Reading::of_bytes(&bytes, 1 << 16);
        for buffer_bytes in 3..=400 {
            let found = Reading::of_bytes(&bytes, buffer_bytes);
            assert_eq!(found.outcome(), expected.outcome(), "{} with {buffer_bytes}", path.display());
        }
    }
}

#[test]
fn real_files() {
    for (name, records) in [
        ("MT-human.fa", 1),
        ("lambda_virus.fa", 1),
        ("lambda_reads_1.fq", 10_000),
        ("qut_xs.fasta", 3),
        ("virus_genomes.fasta", 502),
        ("virus_references.fasta", 90),
    ] {
        let Some(path) = shared(&format!("data/{name}")) else { return };
        let reading = Reading::of(Reader::open(&path));
        assert!(reading.error.is_none(), "{name}: {:?}", reading.error);
        assert_eq!(reading.records.len(), records, "{name}");
    }
}
