//! `scan` of samples: several inputs, pairs, sheets and labels.

mod counts;
mod detect;
mod inputs;
mod page;
mod reads;
mod refused;
mod stats;

use super::{folder, run, text, warpseq};
use tempfile::TempDir;

/// Reads of a random genome and its signatures, in files: `q.fa`, `a_R1.fq`, `a_R2.fq`, `b.fq` and others that tests add.
pub struct Lab {
    pub folder: TempDir,
}

/// Pairs of so many reads, as the texts of mates 1 and 2: `(name, bases)` each.
pub type Pairs = Vec<[(String, Vec<u8>); 2]>;

/// A sequence of random letters that are the same in every run.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `below`.
    pub fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below
    }

    pub fn bases(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| b"ACGT"[self.roll(4)]).collect()
    }
}

pub fn fastq(reads: impl IntoIterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    let record = |(name, bases): (String, Vec<u8>)| {
        let bases = String::from_utf8(bases).unwrap();
        let quality: String = (0..bases.len()).map(|k| char::from(b'!' + ((k * 7) % 41) as u8)).collect();
        format!("@{name} lane 3\n{bases}\n+\n{quality}\n")
    };
    reads.into_iter().map(record).collect::<String>().into_bytes()
}

/// Pairs from the genome, some of random bases.
pub fn pairs(dice: &mut Dice, genome: &[u8], count: usize) -> Pairs {
    let read = |dice: &mut Dice| match dice.roll(4) {
        0 => {
            let length = dice.roll(90);
            dice.bases(length)
        }
        _ => {
            let length = 40 + dice.roll(50);
            let start = dice.roll(genome.len() - length);
            genome[start..start + length].to_vec()
        }
    };
    (0..count).map(|k| [1, 2].map(|mate| (format!("p{k}/{mate}"), read(dice)))).collect()
}

impl Lab {
    pub fn new() -> Self {
        let mut dice = Dice::new(7);
        let genome = dice.bases(3000);
        let signature =
            |k: usize| format!(">g:{}-{}\n{}\n", k * 30, k * 30 + 25, text_of(&genome[k * 30..k * 30 + 25]));
        let signatures: String = (0..99).map(signature).collect();
        let pairs = pairs(&mut dice, &genome, 600);
        let [first, second] = [0, 1].map(|mate| fastq(pairs.iter().map(|pair| pair[mate].clone())));
        let both = fastq(pairs.iter().flatten().cloned());
        let single = fastq(pairs.iter().take(200).map(|[first, _]| first.clone()));
        let folder = folder(&[
            ("q.fa", signatures.as_bytes()),
            ("a_R1.fq", &first),
            ("a_R2.fq", &second),
            ("both.fq", &both),
            ("b.fq", &single),
        ]);
        Self { folder }
    }

    pub fn path(&self, name: &str) -> String {
        text(&self.folder.path().join(name))
    }

    pub fn add(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.folder.path().join(name), bytes).unwrap();
    }

    pub fn get(&self, name: &str) -> String {
        String::from_utf8(std::fs::read(self.folder.path().join(name)).unwrap()).unwrap()
    }

    /// A command in the folder.
    pub fn run(&self, line: &str) -> (Option<i32>, String, String) {
        let words: Vec<&str> = line.split_whitespace().collect();
        run(warpseq(&words).current_dir(self.folder.path()))
    }

    /// A scan in the folder, on the CPU. Words that are files there need no path.
    pub fn scan(&self, line: &str) -> (Option<i32>, String, String) {
        let mut command = warpseq(&["scan", "--device", "cpu"]);
        run(command.args(line.split_whitespace()).current_dir(self.folder.path()))
    }

    /// What a scan that succeeds without a word prints.
    pub fn rows(&self, line: &str) -> String {
        let (code, stdout, stderr) = self.scan(line);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{line}");
        stdout
    }

    /// A scan that fails: its exit code and message. Nothing may be there afterwards that was not before.
    pub fn refusal(&self, line: &str) -> (i32, String) {
        let before = super::names_in(self.folder.path());
        let (code, _, stderr) = self.scan(line);
        assert_eq!(super::names_in(self.folder.path()), before, "{line}");
        (code.unwrap(), stderr)
    }
}

pub fn text_of(bases: &[u8]) -> &str {
    std::str::from_utf8(bases).unwrap()
}
