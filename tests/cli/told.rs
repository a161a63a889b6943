//! What is said on standard error: warnings once, a choice of the CPU once, nothing with `-q`.

use super::{folder, run, text, told_of_no_gpu, warpseq};

const COLUMNS: &str =
    "sample sequence mate signature strand start end mean_phred informative wild mismatches integrity_hash\n";

/// Standard output and the lines of standard error of a scan.
fn scan(samples: &[u8], signatures: &[u8], options: &[&str]) -> (String, Vec<String>) {
    let files = folder(&[("s.fq", samples), ("q.fa", signatures)]);
    let path = |name: &str| text(&files.path().join(name));
    let (code, stdout, stderr) = run(warpseq(&["scan", &path("s.fq"), &path("q.fa")]).args(options));
    assert_eq!(code, Some(0), "{stderr}");
    (stdout, stderr.lines().map(str::to_owned).collect())
}

#[test]
fn no_gpu_is_one_line_and_none_when_quiet() {
    for device in told_of_no_gpu() {
        let (_, lines) = scan(b">s\nACGT\n", b">q\nACG\n", &["--device", device]);
        let [line] = &lines[..] else { panic!("{lines:?}") };
        assert!(line.starts_with("warpseq: searching on the CPU: no NVIDIA driver found"), "{line}");
        assert_eq!(scan(b">s\nACGT\n", b">q\nACG\n", &["--device", device, "-q"]).1, [""; 0]);
    }
    assert_eq!(scan(b">s\nACGT\n", b">q\nACG\n", &["--device", "cpu"]).1, [""; 0]);
}

#[test]
fn no_sequences_are_a_header_and_a_warning() {
    for format in ["tsv", "jsonl"] {
        let (stdout, lines) = scan(b"", b">q\nACG\n", &["--device", "cpu", "--format", format]);
        assert_eq!(stdout, if format == "tsv" { COLUMNS.replace(' ', "\t") } else { String::new() });
        assert!(lines.len() == 1 && lines[0].ends_with("there are no sequences in it"), "{lines:?}");
    }
}

#[test]
fn each_warning_comes_once() {
    let cases: [(&[u8], &[u8], &str); 4] = [
        (b">s\nA-GT\n>t\n--GT\n", b">q\nAC\n", "3 gaps (`-`) among the bases"),
        (b">s\nACGT\n", b">q\nAC\n>all\nNN\n", "signature all has no informative symbol"),
        (
            b">s\nACGT\n",
            b">q\nN\n>r\nA\n>t\nRY\n",
            "2 signatures have no informative symbol and match anything or nothing; the first is q",
        ),
        (b">s\nACGT\n>t\nA\n", b">q\nACGTA\n", "are the two files swapped?"),
    ];
    for (samples, signatures, words) in cases {
        let (_, lines) = scan(samples, signatures, &["--device", "cpu"]);
        let [line] = &lines[..] else { panic!("{lines:?}") };
        assert!(line.starts_with("warpseq: warning: ") && line.contains(words), "{line}");
        assert_eq!(scan(samples, signatures, &["--device", "cpu", "-q"]).1, [""; 0]);
    }
}

#[test]
fn signatures_that_take_more_than_the_memory_are_searched_in_passes() {
    let letter = |k: usize, at: usize| "ACGT".as_bytes()[k >> (2 * at) & 3];
    let bases = |k: usize| (0..17).map(|at| letter(k.wrapping_mul(0x9E37_79B9), at)).collect::<Vec<u8>>();
    let signature = |k: usize| [format!(">{k}\nACGTTGCA").as_bytes(), &bases(k), b"\n"].concat();
    let signatures: Vec<u8> = (0..80_000).flat_map(signature).collect();
    let read = |k: usize| [format!(">r{k}\nGG").as_bytes(), b"ACGTTGCA", &bases(k * 97), b"TT\n"].concat();
    let reads: Vec<u8> = (0..800).flat_map(read).collect();
    let told = |device, memory| scan(&reads, &signatures, &["--device", device, "--max-memory", memory]);
    let (rows, lines) = told("cpu", "1G");
    assert_eq!((rows.lines().count(), &lines[..]), (801, &[][..] as &[String]));
    let expected =
        "warpseq: 3 passes over the signatures, whose tables take about 41M: --max-memory 70M searches them in one";
    for device in ["cpu", "emulator"] {
        let (in_passes, lines) = told(device, "48M");
        assert_eq!(lines, [expected]);
        assert!(in_passes == rows, "the rows of {device}");
    }
    assert_eq!(told("cpu", "70M"), (rows, Vec::new()));
    let verified = scan(&reads[..2000], &signatures, &["--device", "cpu", "--max-memory", "48M", "--verify=cpu"]).1;
    assert!(verified.iter().any(|line| line.ends_with(": identical")), "{verified:?}");
}

#[test]
fn verbose_says_what_was_done() {
    let (_, lines) = scan(b">s\nACGT\n>t\n\n", b">q\nACG\n", &["--device", "cpu", "-v"]);
    assert_eq!(lines[0], "warpseq: 2 sequences, 4 bases, 1 rows");
    assert!(lines.len() == 4 && lines[1].starts_with("warpseq: searched by cpu: call 0."), "{lines:?}");
    explains_the_time(&lines[2..]);
}

/// Two lines: the parts of the calling thread's time, which add up, and what the other threads did.
pub fn explains_the_time(lines: &[impl AsRef<str>]) {
    let [caller, others] = lines else { panic!("{} lines", lines.len()) };
    let (total, parts) = caller.as_ref().strip_prefix("warpseq: time ").unwrap().split_once(" s: ").unwrap();
    let seconds = |part: &str| part.split(' ').nth(1).unwrap().parse::<f64>().unwrap();
    let sum: f64 = parts.split(", ").map(seconds).sum();
    assert!((total.parse::<f64>().unwrap() - sum).abs() < 0.004, "{}", caller.as_ref());
    let told = others.as_ref().strip_prefix("warpseq: other threads together: ").unwrap();
    assert!(["parse ", "compute "].iter().all(|phase| told.contains(phase)), "{told}");
}
