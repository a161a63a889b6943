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
