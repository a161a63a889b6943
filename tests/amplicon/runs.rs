//! Whole runs: the same file however the input is cut into files and batches, whatever memory and executor there is.

use super::{Case, cases};
use crate::conformance::dice::Dice;
use std::path::{Path, PathBuf};
use warpseq::console::Console;
use warpseq::options::{Processor, RunOptions, Verify};
use warpseq::scan::Records;
use warpseq::scan::amplicon::format::{Format, Line};
use warpseq::scan::amplicon::run::{Request, Source, run};
use warpseq::scan::amplicon::{Options, Pair, reference};

fn fasta(batch: &Records, range: std::ops::Range<usize>) -> Vec<u8> {
    let record = |k| [b">", batch.name(k), b"\n", batch.sequence(k), b"\n"].concat();
    range.flat_map(record).collect()
}

/// What a run writes.
fn written(case: &Case, genomes: &[PathBuf], format: Format, run_options: RunOptions) -> Vec<u8> {
    let output = genomes[0].with_file_name("out");
    let request = Request {
        genomes: genomes.to_vec(),
        shard: None,
        source: Source::Pairs(case.pairs.clone()),
        output: Some(output.clone()),
        options: case.options,
        format,
        view: Default::default(),
        run: RunOptions { console: Console::Quiet, ..run_options },
    };
    run(&request).unwrap();
    std::fs::read(output).unwrap()
}

/// What the reference finds, written.
fn expected(case: &Case, format: Format) -> Vec<u8> {
    let mut out = format.header();
    for product in &reference::amplify(&case.pairs, &case.batch, &case.options) {
        let sequence = product.sequence as usize;
        let (bases, pair) = (case.batch.sequence(sequence), &case.pairs[product.pair as usize]);
        format.write(&mut out, &Line { sequence: case.batch.name(sequence), bases, pair, product }).unwrap();
    }
    out
}

fn files(folder: &Path, case: &Case, cuts: &[usize]) -> Vec<PathBuf> {
    let write = |(k, range): (usize, &[usize])| {
        let path = folder.join(format!("g{k}.fa"));
        std::fs::write(&path, fasta(&case.batch, range[0]..range[1])).unwrap();
        path
    };
    cuts.windows(2).enumerate().map(write).collect()
}

fn on_cpu(host_memory: usize) -> RunOptions {
    RunOptions { processor: Processor::Cpu, host_memory, ..RunOptions::default() }
}

#[test]
fn every_case_in_little_and_in_much_memory() {
    for case in cases() {
        let folder = tempfile::tempdir().unwrap();
        let expected = expected(&case, Format::Tsv);
        let count = case.batch.len();
        for (cuts, memory) in [(vec![0, count], 1 << 30), (vec![0, 2, 2, 5, count], 1), (vec![0, count], 1 << 16)] {
            let genomes = files(folder.path(), &case, &cuts);
            let found = written(&case, &genomes, Format::Tsv, on_cpu(memory));
            assert!(found == expected, "{}, {memory} bytes, files of {cuts:?}", case.name);
        }
    }
}

/// A few hundred thousand symbols, in batches of 64 KiB, with primers so short that each batch has thousands of matches.
#[test]
fn batches() {
    let options = Options { max_mismatch: 1, min_length: 30, max_length: 90, ..Options::default() };
    let pair = |name: &str, primers: [&str; 2], probe: Option<&str>| {
        Pair::new(name.as_bytes(), primers.map(str::as_bytes), probe.map(str::as_bytes), &options).unwrap()
    };
    let pairs = vec![pair("a", ["ACGTAC", "GGTACC"], Some("TTTTT")), pair("b", ["ACGTAC", "CCATGA"], None)];
    let mut dice = Dice::new(81);
    let genome = |k: usize| (format!("g{k}"), dice.bases(if k.is_multiple_of(3) { 40_000 } else { 700 * k }, 1));
    let batch: Records = (0..12).map(genome).collect();
    for circular in [false, true] {
        let case = Case {
            name: "batches".into(),
            pairs: pairs.clone(),
            batch: batch.clone(),
            options: Options { circular, ..options },
        };
        let folder = tempfile::tempdir().unwrap();
        let genomes = files(folder.path(), &case, &[0, 12]);
        for format in [Format::Tsv, Format::Jsonl, Format::Bed, Format::Fasta, Format::FastaInner] {
            let expected = expected(&case, format);
            assert!(expected.iter().filter(|&&byte| byte == b'\n').count() > 400);
            for memory in [1 << 20, 17 << 20, 1 << 30] {
                let found = written(&case, &genomes, format, on_cpu(memory));
                assert!(found == expected, "{format:?}, circular {circular}, {memory} bytes");
            }
        }
        for verify in [Verify::Cpu, Verify::Reference] {
            let options = RunOptions { verify: Some(verify), ..on_cpu(1 << 30) };
            assert!(written(&case, &genomes, Format::Bed, options) == expected(&case, Format::Bed), "{verify:?}");
        }
    }
}
