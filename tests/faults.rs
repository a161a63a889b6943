//! Runs whose GPU fails: on the driver of `tests/driver`, which computes on the emulator and fails as told.
//!
//! Whatever fails, a run ends in one of two ways. *Whole*: exit code 0, and the output is the CPU's, byte for byte. *Refused*:
//! exit code 1, one error, and the old file of the output's name as it was. There is no third, and nothing else is left.

mod both;
mod end;
mod lost;
mod memory;
mod opening;
mod same;
mod sweep;

use crate::cli::{names_in, repository, text, told, warpseq};
use crate::place::faulty_driver;
use tempfile::TempDir;

/// What was in the place of the output before.
const OLD: &[u8] = b"old";

/// A question to the program, and what the CPU answers.
pub struct Question {
    arguments: Vec<String>,
    answer: Vec<u8>,
    /// They stay until the question goes.
    _files: TempDir,
}

impl Question {
    /// Asks the CPU. `{NAME}` stands for the path of the file of that name among `files`.
    fn new(arguments: &str, files: &[(&str, Vec<u8>)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut arguments = arguments.to_owned();
        for (name, bytes) in files {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            arguments = arguments.replace(&format!("{{{name}}}"), &text(&path));
        }
        let arguments = arguments.split(' ').map(str::to_owned).collect();
        let mut question = Self { arguments, answer: Vec::new(), _files: folder };
        let Ended { code, said, output, .. } = question.ask("cpu", "");
        assert_eq!(code, Some(0), "{said}");
        question.answer = output;
        question
    }

    /// A question without an answer: the file b.fq is broken.
    pub fn broken() -> Self {
        let files = tempfile::tempdir().unwrap();
        let paths = ["b.fq", "q.fa"].map(|name| files.path().join(name));
        std::fs::write(&paths[0], "@a\nACGT\n+\nII\n").unwrap();
        std::fs::write(&paths[1], first("data/signatures.fasta", 6)).unwrap();
        let arguments = ["scan".to_owned(), text(&paths[0]), text(&paths[1])].to_vec();
        Self { arguments, answer: Vec::new(), _files: files }
    }

    /// How the run ends on `device`, with a driver told `wishes`.
    pub fn ask(&self, device: &str, wishes: &str) -> Ended {
        self.ask_with(device, &[("FAULTY_DRIVER", wishes)])
    }

    /// As `ask`, with these environment variables.
    pub fn ask_with(&self, device: &str, variables: &[(&str, &str)]) -> Ended {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        std::fs::write(&path, OLD).unwrap();
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let mut command = warpseq(&arguments);
        command.args(["-o", &text(&path), "--device", device]);
        command.env("WARPSEQ_LIBCUDA", faulty_driver()).envs(variables.iter().copied());
        let (code, _, said) = told(&command.output().unwrap());
        Ended { code, said, output: std::fs::read(&path).unwrap(), names: names_in(folder.path()) }
    }

    /// Asserts that the run ends whole; what it says.
    pub fn whole(&self, device: &str, wishes: &str) -> String {
        let ended = self.ask(device, wishes);
        let told = format!("{:?}, --device {device}, {wishes}: {}", self.arguments, ended.said);
        assert_eq!(ended.code, Some(0), "{told}");
        assert!(ended.output == self.answer, "{told}: other output");
        assert_eq!(ended.names, ["out"], "{told}");
        ended.said
    }

    /// Asserts that the run is refused; what it says.
    pub fn refused(&self, device: &str, wishes: &str) -> String {
        let ended = self.ask(device, wishes);
        let told = format!("{:?}, --device {device}, {wishes}: {}", self.arguments, ended.said);
        assert!(ended.is_refused(), "{told}");
        ended.said
    }
}

/// How a run ended.
pub struct Ended {
    code: Option<i32>,
    said: String,
    output: Vec<u8>,
    names: Vec<String>,
}

impl Ended {
    /// See the module.
    pub fn is_whole(&self, question: &Question) -> bool {
        self.code == Some(0) && self.output == question.answer && self.names == ["out"] && self.errors() == 0
    }

    /// See the module.
    pub fn is_refused(&self) -> bool {
        self.code == Some(1) && self.output == OLD && self.names == ["out"] && self.errors() == 1
    }

    fn errors(&self) -> usize {
        assert!(!self.said.contains("panicked"), "{}", self.said);
        self.said.matches("warpseq: error: ").count()
    }
}

/// The first lines of a file of the repository.
fn first(path: &str, lines: usize) -> Vec<u8> {
    let text = String::from_utf8(repository(path)).unwrap();
    text.split_inclusive('\n').take(lines).collect::<String>().into_bytes()
}

/// A question to each engine, in several batches.
pub fn in_batches() -> [Question; 3] {
    let scan = [("s.fq", repository("data/samples.fastq").repeat(2)), ("q.fa", first("data/signatures.fasta", 6))];
    let pairs = ["data/pairs.queries.fasta", "data/pairs.targets.fasta"].map(|path| repository(path).repeat(10));
    let [queries, targets] = pairs;
    let sequences = repository("data/families.fastq").repeat(4);
    [
        Question::new("scan {s.fq} {q.fa} --max-memory 1K", &scan),
        Question::new("align {q.fa} {t.fa} --max-memory 1K", &[("q.fa", queries), ("t.fa", targets)]),
        Question::new("sign build {s.fq} --k 11 --max-memory 1K", &[("s.fq", sequences)]),
    ]
}

/// A small question to each engine, and one for which signatures are compared, too.
pub fn small() -> [Question; 4] {
    let scan = [("s.fq", first("data/samples.fastq", 16)), ("q.fa", first("data/signatures.fasta", 6))];
    let pairs = ["data/pairs.queries.fasta", "data/pairs.targets.fasta"].map(|path| first(path, 12));
    let [queries, targets] = pairs;
    let sequences = || ("s.fq", first("data/families.fastq", 24));
    [
        Question::new("scan {s.fq} {q.fa}", &scan),
        Question::new("align {q.fa} {t.fa} --mode global", &[("q.fa", queries), ("t.fa", targets)]),
        Question::new("sign build {s.fq} --preset qut --raw", &[sequences()]),
        Question::new("sign search data/founders.fasta {s.fq} --k 11 --top 2", &[sequences()]),
    ]
}
