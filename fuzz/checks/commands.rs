//! Whole commands on two small files: an output that the naive reference agrees with, or an error with its exit code and no
//! output; and nothing else in the folder either way.

use super::bytes::take;
use std::fs;
use std::path::{Path, PathBuf};
use warpseq::align::format::CigarStyle;
use warpseq::align::pairing::Pairing;
use warpseq::align::scoring::{Alphabet, Decimal, Rules};
use warpseq::align::{self, Mode, Stop};
use warpseq::console::Console;
use warpseq::error::{Error, Result};
use warpseq::options::{Processor, RunOptions, Verify};
use warpseq::scan::{self, Algorithm, Choice, Fraction, Mismatches, Options, PhredOffset, Strands, Wildcards};
use warpseq::sign::metric::Metric;
use warpseq::sign::parameters::Hash;
use warpseq::sign::search::{By, Question};
use warpseq::sign::signing::SignOptions;
use warpseq::sign::wanted::Wanted;
use warpseq::sign::{self, Alphabet as Kind, Window};

const METRICS: &[Metric] = &[Metric::Hamming, Metric::Cosine, Metric::Ani, Metric::Containment];

/// Between the two files. Few files hold it.
const SEPARATOR: &[u8] = b"\xfe\xfe";

/// The first byte says which command, the next eight what is asked of it; then come the two files.
///
/// # Panics
/// When the program goes wrong.
pub fn commands(mut input: &[u8]) {
    let command = take(&mut input);
    let choices = std::array::from_fn(|_| take(&mut input));
    let middle = input.windows(SEPARATOR.len()).position(|window| window == SEPARATOR);
    let (first, second) = middle.map_or((input, input), |at| (&input[..at], &input[at + SEPARATOR.len()..]));
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder can be made");
    let [first, second] = [("first", first), ("second", second)].map(|(name, bytes)| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a small file can be written");
        path
    });
    let output = folder.path().join("output");
    let asked = Asked { first, second, output: output.clone(), choices };
    let outcome = match command % 6 {
        0 => asked.scan(),
        1 => asked.align(),
        2 => asked.build(),
        3 => asked.search(),
        4 => asked.amplicon(),
        _ => asked.distances(),
    };
    match &outcome {
        Ok(()) => {}
        Err(Error::Mismatch(difference)) => panic!("{difference}"),
        Err(error) => assert!(matches!(error.exit_code(), 1 | 2) && !error.to_string().is_empty(), "{error}"),
    }
    assert_eq!(output.exists(), outcome.is_ok(), "an output is there if and only if the command succeeds");
    assert_eq!(count(folder.path()), 2 + usize::from(outcome.is_ok()), "nothing else is left");
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).expect("the folder is there").count()
}

/// A command line.
struct Asked {
    first: PathBuf,
    second: PathBuf,
    output: PathBuf,
    choices: [u8; 8],
}

impl Asked {
    /// The element of `all` that byte `number` of the choices stands for.
    fn choose<T: Clone>(&self, number: usize, all: &[T]) -> T {
        all[usize::from(self.choices[number]) % all.len()].clone()
    }

    fn run(&self) -> RunOptions {
        RunOptions {
            processor: Processor::Cpu,
            host_memory: self.choose(7, &[48 << 20, 1 << 30]),
            verify: Some(Verify::Reference),
            console: Console::Silent,
            ..RunOptions::default()
        }
    }

    fn strands(&self) -> Strands {
        self.choose(0, &[Strands::Both, Strands::Forward, Strands::Reverse])
    }

    fn phred(&self) -> PhredOffset {
        self.choose(1, &[PhredOffset::Sanger, PhredOffset::Illumina64, PhredOffset::Solexa])
    }

    fn scan(self) -> Result<()> {
        use scan::format::Format;
        let share = Mismatches::Share(Fraction::printed(0.1));
        let mismatches = [Mismatches::NONE, Mismatches::NONE, Mismatches::Count(1), Mismatches::Count(3), share];
        let options = Options {
            wildcards: self.choose(2, &[Wildcards::Iupac, Wildcards::N]),
            strands: self.strands(),
            choice: self.choose(3, &[Choice::Best, Choice::First, Choice::All]),
            max_n_frac: Fraction::printed(f64::from(self.choices[4] % 101) / 100.0),
            max_mismatch: mismatches[usize::from(self.choices[6] / 3) % mismatches.len()],
            circular: self.choices[3] & 64 != 0,
            phred: self.phred(),
        };
        let formats = [Format::Tsv, Format::Jsonl, Format::Bed, Format::Text, Format::Text2024];
        scan::run::run(&scan::run::Request {
            shard: None,
            options,
            format: Some(self.choose(5, &formats)),
            view: Default::default(),
            counting: Default::default(),
            reads_out: Default::default(),
            algorithm: self.choose(6, &[Algorithm::Auto, Algorithm::Anchor, Algorithm::Brute]),
            run: self.run(),
            inputs: scan::inputs::Inputs::of_file(self.first),
            signatures: self.second,
            output: Some(self.output),
        })
        .map(drop)
    }

    fn amplicon(self) -> Result<()> {
        use scan::amplicon::format::Format;
        use scan::amplicon::run::{Request, Source, run};
        let options = scan::amplicon::Options {
            max_mismatch: self.choose(0, &[0, 1, 2]),
            three_prime: self.choose(1, &[0, 1, 3]),
            min_length: self.choose(2, &[0, 10]),
            max_length: self.choose(3, &[100, u64::MAX]),
            circular: self.choose(4, &[false, true]),
        };
        let formats = [Format::Tsv, Format::Jsonl, Format::Bed, Format::Fasta, Format::FastaInner];
        let (format, run_options) = (self.choose(5, &formats), self.run());
        let (genomes, source) = (vec![self.first], Source::Tables(vec![self.second]));
        let (shard, view, output) = (None, Default::default(), Some(self.output));
        run(&Request { genomes, shard, source, output, options, format, view, run: run_options }).map(drop)
    }

    fn align(self) -> Result<()> {
        use align::format::Format;
        use align::matrix::Matrix;
        let matrix = || Matrix::built_in("BLOSUM62").expect("it is built in");
        let open = i64::from(self.choices[3] % 12);
        let rules = Rules {
            mode: self.choose(2, &[Mode::Local, Mode::Global, Mode::Fit, Mode::Overlap]),
            stop: self.choose(4, &[Stop::AtZero, Stop::ThroughZero]),
            alphabet: self.choose(5, &[Alphabet::Nucleotides, Alphabet::Literal, Alphabet::Matrix(matrix())]),
            gap_open: Some(Decimal::whole(open)),
            gap_extend: Some(Decimal::whole(open / (1 + i64::from(self.choices[4] % 3)))),
            ..Rules::default()
        };
        let formats =
            [Format::Tsv, Format::Paf, Format::Sam, Format::Jsonl, Format::Blast6, Format::Text, Format::Pretty];
        let thresholds = align::filter::Thresholds {
            score: self.choose(3, &[None, None, Some(Decimal::whole(3))]),
            identity: self.choose(4, &[None, None, Some(Fraction::HALF)]),
            query_cover: self.choose(2, &[None, None, Some(Fraction::HALF)]),
            evalue: self.choose(5, &[None, Some(1.0), None, None]),
        };
        align::run::run(&align::run::Request {
            shard: None,
            rules,
            pairing: self.choose(6, &[Pairing::Zip, Pairing::All]),
            top: self.choose(6, &[None, None, None, Some(1), Some(2)]),
            thresholds,
            strands: self.strands(),
            format: self.choose(7, &formats),
            view: Default::default(),
            score_only: self.choices[7] > 250,
            cigar: self.choose(3, &[CigarStyle::Distinct, CigarStyle::Merged]),
            command: None,
            phred: self.phred(),
            run: self.run(),
            queries: self.first,
            targets: self.second,
            stored: false,
            output: Some(self.output),
        })
        .map(drop)
    }

    fn signing(&self) -> SignOptions {
        let wanted = Wanted {
            alphabet: self.choose(2, &[None, Some(Kind::Dna), Some(Kind::Protein), Some(Kind::Raw)]),
            k: self.choose(3, &[None, Some(1), Some(3), Some(4), Some(11)]),
            window: self.choose(4, &[None, Some(Window::Whole), Some(Window::Length(4)), Some(Window::Length(16))]),
            bits: self.choose(5, &[Some(64), Some(128), Some(1024)]),
            hash: self.choose(6, &[None, Some(Hash::Mix64), Some(Hash::Pcg), Some(Hash::Isaac)]),
            ..Wanted::default()
        };
        SignOptions { wanted, run: self.run() }
    }

    fn build(self) -> Result<()> {
        use sign::run::{Format, Request, run};
        run(&Request {
            format: self.choose(1, &[Format::File, Format::Raw { ids: false }, Format::Raw { ids: true }]),
            signing: self.signing(),
            per_file: self.choose(0, &[false, true]),
            sequences: vec![self.first, self.second],
            output: Some(self.output),
        })
        .map(drop)
    }

    fn search(self) -> Result<()> {
        use sign::search::Format;
        use sign::search::run::{Request, run};
        let question = Question {
            by: self.choose(0, &[By::Window, By::Sequence]),
            top: self.choose(1, &[None, Some(1), Some(5)]),
            distance: self.choose(7, &[None, Some(0), Some(30)]),
            evalue: self.choose(2, &[None, Some(0.0), Some(1.0), Some(f64::INFINITY)]),
            metric: self.choose(3, METRICS),
            format: self.choose(0, &[Format::Tsv, Format::Jsonl]),
        };
        run(&Request {
            view: Default::default(),
            question,
            signing: self.signing(),
            queries: self.first,
            database: self.second,
            output: Some(self.output),
        })
        .map(drop)
    }

    fn distances(self) -> Result<()> {
        use sign::dist::{run, table::Format};
        run::run(&run::Request {
            view: Default::default(),
            names: None,
            columns: self.choose(0, &[None, Some(self.second.clone())]),
            format: self.choose(1, &[Format::Tsv, Format::Phylip]),
            metric: self.choose(3, METRICS),
            signing: self.signing(),
            rows: self.first,
            output: Some(self.output),
        })
    }
}
