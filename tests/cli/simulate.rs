//! `simulate`: the files in `data/` come from the commands in its README, and nonsense is refused.

use super::{folder, names_in, repository, run, text, warpseq};

/// The commands of `data/README.md`, with `data` replaced.
fn commands(place: &str) -> Vec<Vec<String>> {
    let readme = String::from_utf8(repository("data/README.md")).unwrap();
    let lines = readme.lines().filter_map(|line| line.strip_prefix("    warpseq simulate "));
    let word = |word: &str| word.replace("data/", &format!("{place}/"));
    lines.map(|line| line.split(' ').map(word).collect()).collect()
}

#[test]
fn the_readmes_commands_give_the_same_bytes() {
    let files = folder(&[]);
    let commands = commands(&text(files.path()));
    assert_eq!(commands.len(), 5);
    for command in commands {
        let (code, stdout, stderr) = run(warpseq(&["simulate"]).args(&command));
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(0), "", ""));
    }
    let scanned = ["samples.fastq", "signatures.fasta", "truth.tsv"];
    let aligned = ["pairs.queries.fasta", "pairs.targets.fasta"];
    let signed = ["founders.fasta", "families.fastq", "families.tsv"];
    for name in [&scanned[..], &aligned, &signed].concat() {
        assert_eq!(std::fs::read(files.path().join(name)).unwrap(), repository(&format!("data/{name}")), "{name}");
    }
}

#[test]
fn a_seed_fixes_the_output_and_1_is_the_default() {
    let proteins = |seed: &[&str]| run(warpseq(&["simulate", "proteins", "3", "5", "9"]).args(seed)).1;
    assert_eq!(proteins(&[]), proteins(&["--seed", "1"]));
    assert_ne!(proteins(&[]), proteins(&["--seed", "2"]));
    assert_eq!(proteins(&[]).matches('>').count(), 3);
}

/// Regression: files called `/dev/null.queries.fasta` were made.
#[test]
fn pairs_for_a_device_make_no_files() {
    let files = folder(&[]);
    std::os::unix::fs::symlink("/dev/null", files.path().join("null")).unwrap();
    let (code, _, stderr) = run(warpseq(&["simulate", "pairs", "4", "30", "-o", "null"]).current_dir(files.path()));
    assert_eq!((code, names_in(files.path())), (Some(0), vec!["null".to_owned()]), "{stderr}");
}

#[test]
fn pairs_are_two_files() {
    let files = folder(&[]);
    let prefix = text(&files.path().join("p"));
    let (code, _, stderr) = run(&mut warpseq(&["simulate", "pairs", "4", "30", "--alphabet", "AC", "-o", &prefix]));
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert_eq!(names_in(files.path()), ["p.queries.fasta", "p.targets.fasta"]);
    let targets = std::fs::read_to_string(files.path().join("p.targets.fasta")).unwrap();
    assert!(targets.starts_with(">target_0\n") && targets.lines().filter(|line| line.len() == 30).count() == 4);
}

const GENOMES: &[u8] = b">a first\nACGGTTACGATTACAGGACCATGACCTTAGGCAT\n>b\nTTGACCAGATTAGGCACCATTTACGGATAC\n";

#[test]
fn reads_are_two_files_and_a_truth() {
    let files = folder(&[("genomes.fasta", GENOMES), ("mix.tsv", b"b\t1\n")]);
    let made = |options: &str| {
        let words = format!("simulate reads genomes.fasta 5 --length 8 --insert 20,4 {options}");
        let words: Vec<&str> = words.split(' ').collect();
        assert_eq!(
            run(warpseq(&words).current_dir(files.path())),
            (Some(0), String::new(), String::new()),
            "{options}"
        );
    };
    made("--truth truth.tsv -o p");
    made("--uncompressed --mix mix.tsv --truth t.gz -o q");
    let names =
        ["genomes.fasta", "mix.tsv", "p_R1.fastq.gz", "p_R2.fastq.gz", "q_R1.fastq", "q_R2.fastq", "t.gz", "truth.tsv"];
    assert_eq!(names_in(files.path()), names);
    let read = |name: &str| std::fs::read(files.path().join(name)).unwrap();
    assert!(read("p_R1.fastq.gz").starts_with(&[0x1f, 0x8b]) && read("t.gz").starts_with(&[0x1f, 0x8b]));
    let truth = String::from_utf8(read("truth.tsv")).unwrap();
    assert!(truth.starts_with("read\tgenome\tstart\tend\tstrand\nread_0\t") && truth.lines().count() == 6, "{truth}");
    let second = String::from_utf8(read("q_R2.fastq")).unwrap();
    let lengths: Vec<usize> = second.lines().map(str::len).collect();
    assert_eq!(lengths, [7, 8, 1, 8].repeat(5), "{second}");
}

#[test]
fn reads_of_nonsense_leave_no_file() {
    let genomes = [GENOMES, b">n\n", "N".repeat(90).as_bytes(), b"\n"].concat();
    let mix: &[u8] = b"a\t1\nc\t2\n";
    let files = folder(&[
        ("genomes.fasta", GENOMES),
        ("n.fasta", &genomes),
        ("mix.tsv", mix),
        ("none.tsv", b"a\t0\n"),
        ("negative.tsv", b"a\t-1\n"),
        ("twice.fasta", b">a\nACGT\n>a\nACGT\n"),
        ("gap.fasta", b">a\nAC*T\n"),
        ("empty.fasta", b""),
        ("r.fastq", b"@r\nA\n+\nI\n"),
    ]);
    let before = names_in(files.path());
    for (arguments, code, words) in [
        ("genomes.fasta 5 --length 0", 2, "the length is 0: give 1"),
        ("genomes.fasta 5 --insert 0,4", 2, "the insert is 0"),
        ("genomes.fasta 5 --insert 4", 2, "as in 350,50"),
        ("genomes.fasta 5 --error 2", 2, "0 to 1"),
        ("genomes.fasta 5 --truth out_R1.fastq.gz", 2, "the same place"),
        ("genomes.fasta 5 --mix genomes.fasta", 1, "line 1, record 1: there is no genome `>a first`"),
        ("genomes.fasta 5 --mix mix.tsv", 1, "mix.tsv, line 2, record 2: there is no genome `c`"),
        ("genomes.fasta 5 --mix none.tsv", 1, "no genome has a weight above 0"),
        ("genomes.fasta 5 --mix negative.tsv", 1, "at least 0"),
        ("twice.fasta 5", 1, "is that of the genome on line 1"),
        ("gap.fasta 5", 1, "is not a base of a genome"),
        ("empty.fasta 5", 1, "there are no genomes in it"),
        ("r.fastq 5", 1, "genomes must be FASTA"),
        ("n.fasta 50", 1, "genome n is nearly all N"),
    ] {
        let mut command = warpseq(&["simulate", "reads"]);
        let (found, stdout, stderr) =
            run(command.args(arguments.split(' ')).args(["-o", "out"]).current_dir(files.path()));
        assert_eq!((found, stdout.as_str()), (Some(code), ""), "{arguments}: {stderr}");
        assert!(stderr.contains(words), "{arguments}: {stderr}");
        assert_eq!(names_in(files.path()), before, "{arguments}");
    }
}

#[test]
fn nonsense_is_wrong_usage_and_leaves_no_file() {
    let files = folder(&[]);
    let output = text(&files.path().join("out"));
    let cases: [(&str, &str); 6] = [
        ("signatures 5 300 100 0.1", "smaller number first"),
        ("signatures 5 0 100 0.1", "give at least 1"),
        ("signatures 5 1 100 1.5", "0 to 1"),
        ("samples data/signatures.fasta 1 1 1 21 700 800 10 30 0.1", "only 20 signatures"),
        ("samples data/signatures.fasta 1 1 1 2 700 800 10 94 0.1", "at most 93"),
        ("pairs 1 10 --alphabet AA", "each once"),
    ];
    for (arguments, words) in cases {
        let (code, stdout, stderr) = run(warpseq(&["simulate"]).args(arguments.split(' ')).args(["-o", &output]));
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{arguments}");
        assert!(stderr.contains(words) && stderr.lines().count() == 1, "{stderr}");
        assert_eq!(names_in(files.path()), [""; 0]);
    }
    let both =
        ["simulate", "samples", "data/signatures.fasta", "1", "0", "1", "1", "9", "9", "1", "9", "0", "--truth", "-"];
    let (code, _, stderr) = run(&mut warpseq(&both));
    assert!(code == Some(2) && stderr.contains("the same place"), "{stderr}");
}
