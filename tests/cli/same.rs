//! The bytes that come out do not depend on how they were computed, or on how the input was given.

use super::{folder, names_in, repository, run, run_with, scan_data, table_of, text, warpseq};
use std::io::{Read, Write};

fn expected() -> Vec<u8> {
    repository("tests/golden/scan.tsv")
}

#[test]
fn threads_memory_algorithm_and_device_change_nothing() {
    let choices: [&[&str]; 8] = [
        &["-t", "1"],
        &["-t", "2"],
        &["--max-memory", "1K"],
        &["--max-memory", "4G"],
        &["--algorithm", "anchor"],
        &["--algorithm", "brute"],
        &["-q"],
        &["--gpu-memory", "1M"],
    ];
    for options in choices {
        let (code, stdout, _) = run(&mut scan_data(options));
        assert_eq!((code, stdout.as_bytes()), (Some(0), &expected()[..]), "{options:?}");
    }
}

#[test]
fn the_emulated_gpu_finds_the_same() {
    for options in [&[][..], &["--gpu-memory", "1K"]] {
        let arguments = ["scan", "data/samples.fastq", "data/signatures.fasta", "--device", "emulator"];
        let (code, stdout, stderr) = run(warpseq(&arguments).args(options));
        assert_eq!((code, stderr.as_str()), (Some(0), ""));
        assert_eq!(stdout.as_bytes(), expected(), "{options:?}");
    }
}

#[test]
fn many_batches_come_out_in_order() {
    // The least batch is 64 KiB, so ten copies of the samples are many batches.
    let samples = repository("data/samples.fastq").repeat(10);
    let files = folder(&[("s.fq", &samples)]);
    let path = text(&files.path().join("s.fq"));
    let rows = table_of("s");
    let (header, rows) = rows.split_at(rows.find('\n').unwrap() + 1);
    for memory in ["1K", "1G"] {
        let (code, stdout, _) =
            run(&mut warpseq(&["scan", &path, "data/signatures.fasta", "--device", "cpu", "--max-memory", memory]));
        assert_eq!(code, Some(0));
        assert_eq!(stdout, header.to_owned() + &rows.repeat(10), "--max-memory {memory}");
    }
}

#[test]
fn standard_input_serves_for_either_file() {
    let options = ["--device", "cpu"];
    let cases = [
        ("-", "data/signatures.fasta", "data/samples.fastq", "stdin"),
        ("data/samples.fastq", "-", "data/signatures.fasta", "samples"),
    ];
    for (samples, signatures, input, sample) in cases {
        let mut command = warpseq(&["scan", samples, signatures]);
        let (code, stdout, _) = run_with(command.args(options), &repository(input));
        assert_eq!((code, stdout), (Some(0), table_of(sample)), "{input} on standard input");
    }
}

#[test]
fn compressed_in_and_out() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&repository("data/samples.fastq")).unwrap();
    let files = folder(&[("s.fq.gz", &encoder.finish().unwrap())]);
    let (samples, output) = (text(&files.path().join("s.fq.gz")), text(&files.path().join("out.tsv.gz")));
    let (code, stdout, _) = run(&mut warpseq(&["scan", &samples, "data/signatures.fasta", "-o", &output]));
    assert_eq!((code, stdout.as_str()), (Some(0), ""));
    let mut found = Vec::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(&output).unwrap()).read_to_end(&mut found).unwrap();
    assert_eq!(found, table_of("s").into_bytes());
    assert_eq!(names_in(files.path()), ["out.tsv.gz", "s.fq.gz"]);
}

#[test]
fn verified_by_the_reference_and_by_the_cpu() {
    let cases: [(&[&str], &str, &str); 3] = [
        (&["--verify"], "cpu", "reference"),
        (&["--verify", "reference"], "emulator", "reference"),
        (&["--verify", "cpu"], "emulator", "cpu"),
    ];
    for (options, device, by) in cases {
        let arguments = ["scan", "data/samples.fastq", "data/signatures.fasta", "--device", device];
        let (code, stdout, stderr) = run(warpseq(&arguments).args(options));
        assert_eq!((code, stdout.as_bytes()), (Some(0), &expected()[..]));
        assert!(stderr.contains(by) && stderr.ends_with("identical\n") && stderr.lines().count() == 1, "{stderr}");
    }
}
