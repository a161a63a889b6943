//! How long the CPU will take for a run, as far as that is known before: whether a GPU is asked for at once.

use super::Request;
use crate::input::is_compressed;
use crate::seeds::Frequencies;
use crate::seeds::forecast::{Forecast, Kinds, LEAST};
use crate::{Choice, Signature, Strands, Wildcards};
use bytes::Bytes;
use rayon::prelude::*;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;
use warpseq_engine::options::opening_takes_longer;
use warpseq_io::fastx::{Kind, Reader};
use warpseq_io::standard::size_of_input;
use warpseq_io::text::Text;
use warpseq_seq::iupac::{self, WILD};

/// Bytes of text in one of a compressed file, at most about, and where it is not known.
const DENSE: f64 = 6.0;
/// The first bytes of text of an input, which are looked at, and how many are read at a time.
const SAMPLE: u64 = 1 << 20;
const READ: usize = 1 << 14;
/// The least share of the bases outside long runs that tells how dense text is.
const LEAST_OTHERS: f64 = 0.1;
/// The most text that is looked at, however dense it is.
const TEXT_MOST: u64 = 8 << 20;
/// Nanoseconds that a thread takes for a position at most, beyond which it hardly matters.
const SLOWEST: f64 = 1000.0;
/// The same for a byte of compressed text besides, for which a thread waits or works.
const INFLATING: f64 = 2.0;
/// Seconds for each position by which a GPU is late with long records, which are read one at a time: a genome of 3.2 Gb takes 1.5 s with it and 1.0 s
/// without it. The forecast of the CPU's time is three times too long there. FASTQ of 2 GB in records of 1 Mb takes 0.86 s and 0.72.
const ONE_AT_A_TIME: f64 = 0.3e-9;
const ONE_AT_A_TIME_OF_FASTQ: f64 = 0.2e-9;
const OF_FORECAST: f64 = 2.0;
/// Seconds for which a GPU is faster, however long it takes to open.
const LONG: f64 = 0.38;
/// Seconds, as forecast, of a run that may well be done later than a GPU opens, which then helps at its end; with fewer patterns than take the CPU as
/// long to be made ready for a GPU.
const DOUBTFUL: f64 = 0.29;
/// The same where a thread takes so few nanoseconds for a position that reading, in which a GPU saves nothing, is much of the run. Where it takes more, the
/// CPU waits for a GPU that is asked for: it often makes tables first, and is in the way while one is opened.
const EASY: f64 = 16.0;
const DOUBTFUL_IF_EASY: f64 = 0.45;
const PATTERNS: usize = 1 << 18;
/// Bytes of a file of signatures that tell of all, before it is read.
const OF_SIGNATURES: u64 = 1 << 16;
/// Signatures that a thread counts at least.
const PART: usize = 1 << 12;
/// Matches by chance at a position beyond which a GPU saves nothing where all are wanted.
const CROWDED: f64 = 0.05;

/// Symbols of a long run at least, about as many as a span of a long pattern has.
const LONG_RUN: usize = 50;

/// What the CPU does while a GPU is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meanwhile {
    Computes,
    Waits,
}

/// What is to be searched.
pub struct Outlook {
    /// Positions, about.
    positions: f64,
    /// The share of them that is wild in the first of the first input, without long runs.
    wild: f64,
    /// Long runs for each position there.
    runs: f64,
    threads: usize,
    /// Nanoseconds that a thread takes for decompressing a position.
    inflating: f64,
    /// Seconds that opening a GPU takes longer than where the system has one.
    later: f64,
    /// By how much a GPU is late.
    pub late: Duration,
}

impl Outlook {
    /// Looks at the sizes of the inputs and, if these may take long, into the first.
    pub fn of(request: &Request) -> Option<Self> {
        let bytes_where = |compressed: bool| {
            let those = request.inputs.paths().filter(|path| is_compressed(path) == compressed);
            those.filter_map(size_of_input).sum::<u64>() as f64
        };
        let [plain, compressed] = [false, true].map(bytes_where);
        let of = |Sample { kind, dense, wild, runs, is_long }: Sample| {
            let (text, lines, threads) = (plain + compressed * dense, lines_of_one(kind), rayon::current_num_threads());
            let inflating = INFLATING * lines * compressed * dense / text.max(1.0);
            let positions = text / lines;
            let each = if kind == Kind::Fastq { ONE_AT_A_TIME_OF_FASTQ } else { ONE_AT_A_TIME };
            let late = Duration::from_secs_f64(if is_long { each * positions } else { 0.0 });
            Self { positions, wild, runs, threads, inflating, later: 0.0, late }
        };
        if of(Sample { kind: Kind::Fasta, ..UNKNOWN }).seconds(SLOWEST) < LONG {
            return None;
        }
        let outlook = of(request.inputs.paths().next().and_then(sample).unwrap_or(UNKNOWN));
        Some(Self { later: opening_takes_longer().as_secs_f64(), ..outlook })
    }

    /// What the CPU does meanwhile, if a GPU is to be opened at once. Before signatures are read, as far as the beginning of their file tells.
    pub fn asks(&self, request: &Request, signatures: Option<&[Signature]>) -> Option<Meanwhile> {
        let options = &request.options;
        let count = |mut kinds: Kinds, length| {
            *kinds.entry((length, options.limits(length).mismatches)).or_insert(0) += 1;
            kinds
        };
        let (mut kinds, times) = match signatures {
            Some(all) => {
                let lengths = all.par_iter().with_min_len(PART).map(|signature| signature.bases().len());
                let merged = |mut one: Kinds, other: Kinds| {
                    other.into_iter().for_each(|(kind, count)| *one.entry(kind).or_insert(0) += count);
                    one
                };
                (lengths.fold(Kinds::new, count).reduce(Kinds::new, merged), 1.0)
            }
            None => {
                let (lengths, times) = first_lengths(&request.signatures)?;
                (lengths.into_iter().fold(Kinds::new(), count), times)
            }
        };
        let patterns = times * if options.strands == Strands::Both { 2.0 } else { 1.0 };
        kinds.values_mut().for_each(|count| *count = (*count as f64 * patterns).ceil() as usize);
        self.meanwhile(&kinds, options.choice)
    }

    fn meanwhile(&self, kinds: &Kinds, choice: Choice) -> Option<Meanwhile> {
        let Forecast { nanoseconds, matches } = Forecast::new(kinds, self.wild, self.runs);
        let (saves, is_easy) = (choice != Choice::All || matches < CROWDED, nanoseconds < EASY);
        // However long a GPU takes to open: slow runs take two and three times as long as forecast at times.
        let late = OF_FORECAST * self.late.as_secs_f64();
        let is_slow = !is_easy && self.seconds(nanoseconds) >= LONG + late;
        let later = self.later + late;
        let is_long = is_slow || self.seconds(LEAST) >= LONG + later;
        let doubtful = if is_easy { DOUBTFUL_IF_EASY } else { DOUBTFUL };
        let is_doubtful = self.seconds(nanoseconds) >= doubtful + later && kinds.values().sum::<usize>() < PATTERNS;
        let meanwhile = if is_easy { Meanwhile::Computes } else { Meanwhile::Waits };
        ((is_long || is_doubtful) && saves).then_some(meanwhile)
    }

    /// Seconds of the run where a thread takes so many nanoseconds for a position, besides decompressing.
    fn seconds(&self, nanoseconds: f64) -> f64 {
        self.positions * (nanoseconds + self.inflating) * 1e-9 / self.threads as f64
    }
}

/// Symbols of text for one of a sequence: FASTQ has a quality for each.
fn lines_of_one(kind: Kind) -> f64 {
    if kind == Kind::Fastq { 2.0 } else { 1.0 }
}

/// What the beginning of a file tells.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    kind: Kind,
    /// Bytes of text in one of a compressed file.
    dense: f64,
    /// Which share of the bases is wild, leaving out long runs.
    wild: f64,
    /// Long runs for each base.
    runs: f64,
    /// Whether its first record does not end there.
    is_long: bool,
}

/// What is taken for it of an input that cannot be looked into.
const UNKNOWN: Sample = Sample { kind: Kind::Fastq, dense: DENSE, wild: 0.0, runs: 0.0, is_long: false };

/// Looks at the beginning of a file; `None` where it is a pipe or starts like no input.
fn sample(path: &Path) -> Option<Sample> {
    // Of a pipe, what was read would be missing.
    let size = size_of_input(path)?;
    let is_compressed = is_compressed(path);
    let bytes = if is_compressed { SAMPLE / DENSE as u64 } else { SAMPLE };
    let (text, taken) = beginning(path, bytes)?;
    let mut reader = records_of(text.clone(), path)?;
    let kind = reader.kind()?;
    let (mut bases, mut quality, mut records) = (Vec::new(), Vec::new(), 0);
    // The last record is cut, and in FASTA also read.
    while let Ok(Some(_)) = reader.read(&mut bases, &mut quality) {
        records += 1;
    }
    if records == 0 {
        // FASTQ: of the only record, what there is of its sequence.
        let lines = text.split(|&byte| byte == b'\n').skip_while(|line| !line.starts_with(b"@")).skip(1);
        let sequence = lines.take_while(|line| !line.starts_with(b"+"));
        sequence.for_each(|line| bases.extend_from_slice(line.trim_ascii_end()));
    }
    let digits = iupac::digits(Wildcards::Iupac);
    let of_each = |count: usize| count as f64 / bases.len().max(1) as f64;
    let wild = Frequencies::of(&bases, digits).wild_share();
    let is_wild = |base: &u8| digits[*base as usize] == WILD;
    let stretches = bases.chunk_by(|one, next| is_wild(one) == is_wild(next));
    let long: Vec<&[u8]> = stretches.filter(|stretch| stretch.len() >= LONG_RUN && is_wild(&stretch[0])).collect();
    // Chromosomes may begin with megabases of `N`, which hardly take a byte.
    let others = 1.0 - of_each(long.iter().map(|run| run.len()).sum());
    // A plain file tells nothing of compressed ones.
    let dense = if is_compressed && others >= LEAST_OTHERS { text.len() as f64 / taken as f64 * others } else { DENSE };
    let runs = of_each(long.len());
    let is_long = records == usize::from(kind == Kind::Fasta) && size > bytes;
    Some(Sample { kind, dense, wild, runs, is_long })
}

/// The lengths of the first sequences of a file, and how many times as many it has, about.
fn first_lengths(path: &Path) -> Option<(Vec<usize>, f64)> {
    let size = size_of_input(path)?;
    let (text, taken) = beginning(path, OF_SIGNATURES)?;
    let mut reader = records_of(text, path)?;
    let (mut lengths, mut bases, mut quality) = (Vec::new(), Vec::new(), Vec::new());
    while let Ok(Some(_)) = reader.read(&mut bases, &mut quality) {
        lengths.push(bases.len());
        bases.clear();
    }
    if taken < size {
        // It may be cut.
        lengths.pop();
    }
    (!lengths.is_empty()).then(|| (lengths, size as f64 / taken as f64))
}

/// The text in the first `bytes` of a file, at most [`TEXT_MOST`], and how many bytes of the file that took.
fn beginning(path: &Path, bytes: u64) -> Option<(Bytes, u64)> {
    let text = Text::new(File::open(path).ok()?.take(bytes), path, READ).ok()?;
    let (taken, mut beginning) = (text.bytes_read(), Vec::new());
    // Where compressed text is cut, it ends with an error.
    let _ = text.serial().take(TEXT_MOST).read_to_end(&mut beginning);
    Some((beginning.into(), taken.load(Ordering::Relaxed)))
}

/// The records of the beginning of a file.
fn records_of(beginning: Bytes, path: &Path) -> Option<Reader> {
    Reader::new(Cursor::new(beginning), path.to_path_buf(), READ).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use warpseq_io::output::Output;
    use warpseq_seq::random::below;

    /// What the CPU took, and a run with a GPU, on 16 threads of an Intel Xeon with an H100, 605 MB of FASTQ.
    #[test]
    fn a_gpu_is_asked_for_where_the_cpu_takes_longer() {
        use Choice::{All, Best, First};
        let (waits, computes, none) = (Some(Meanwhile::Waits), Some(Meanwhile::Computes), None);
        let few = |wild, runs| Outlook {
            positions: 303e6,
            wild,
            runs,
            threads: 16,
            inflating: 0.0,
            later: 0.0,
            late: Duration::ZERO,
        };
        for (wild, (patterns, length, mismatches), choice, expected) in [
            // 0.14 and 0.34 s, 0.27 and 0.36, 0.09 and 0.33, 0.11 and 0.34, 0.2 and 0.39, 0.46 and 0.57.
            (0.1, (2000, 6500, 0), Best, none),
            (0.1, (2000, 25, 0), Best, none),
            (0.0, (2000, 25, 0), Best, none),
            (0.0, (20_000, 25, 0), Best, none),
            (0.0, (200_000, 25, 0), Best, none),
            (0.0, (2_000_000, 25, 0), Best, none),
            // 0.2 s and 0.41, 0.27 and 0.39, 0.45 and 0.37, 0.62 and 0.35, 0.61 and 0.4, 1.2 and 0.66.
            (0.1, (200, 14, 0), Best, none),
            (0.1, (6000, 25, 0), Best, none),
            (0.1, (20_000, 25, 0), Best, waits),
            (0.1, (60_000, 25, 0), Best, waits),
            (0.1, (200_000, 25, 0), Best, waits),
            (0.1, (2_000_000, 25, 0), Best, waits),
            // 0.59 s and 0.41.
            (0.1, (200_000, 60, 0), Best, waits),
            // 0.33 s and 0.52, 0.12 and 0.37, 1.16 and 0.6.
            (0.1, (2000, 12, 0), Best, none),
            (0.0, (2000, 12, 0), Best, none),
            (0.1, (20_000, 14, 0), Best, waits),
            // 0.28 and 0.46 s, 0.17 and 0.38, 0.63 to 0.83 and 0.55, 0.27 and 0.39, 3.6 and 0.74.
            (0.1, (2000, 20, 1), Best, none),
            (0.0, (2000, 20, 1), Best, none),
            (0.1, (2000, 20, 2), Best, waits),
            (0.0, (2000, 20, 2), Best, none),
            (0.1, (2000, 20, 3), Best, waits),
            // 0.34 and 0.38 s, 0.24 and 0.35, 0.24 and 0.39, 0.3 and 0.38.
            (0.1, (2000, 150, 2), Best, none),
            (0.0, (2000, 150, 3), Best, none),
            (0.1, (200, 20, 1), Best, none),
            (0.1, (2000, 150, 1), Best, none),
            // 0.9 and 0.43 s, 1.1 and 0.75, for a quarter 2.7 and 0.54; 0.25 and 0.43, 0.32 and 0.44.
            (0.1, (2000, 6500, 65), Best, waits),
            (0.1, (2000, 6500, 130), Best, waits),
            (0.1, (2000, 6500, 325), Best, waits),
            (0.0, (2000, 6500, 65), Best, none),
            (0.0, (2000, 5500, 275), Best, none),
            // 4.1 and 0.77 s; 1.25 and 0.76, 2.1 and 2.8, 0.27 and 0.54, 0.95 and 0.7.
            (0.1, (2000, 7, 0), Best, waits),
            (0.1, (2000, 9, 0), First, waits),
            (0.1, (2000, 9, 0), All, none),
            (0.0, (2000, 9, 0), First, none),
            (0.0, (2000, 7, 0), First, waits),
        ] {
            let kinds = Kinds::from([((length, mismatches), patterns)]);
            let found = few(wild, 0.0).meanwhile(&kinds, choice);
            assert_eq!(found, expected, "{patterns} of {length}, {mismatches}, {wild}");
        }
        // Beside runs: of 200 to 2000 in 34 MB, 0.2 and 0.45 s, 1.15 and 0.74; of 1 kb to 1 Mb in 156 MB, 0.25 and 0.45, 3.7 and 0.73.
        let in_parts = |positions, runs, percent| {
            let lengths = (3000..=10_000).step_by(500);
            let kinds = lengths.map(|length| ((length, length as u32 * percent / 100), 133)).collect();
            Outlook { positions, runs, ..few(0.0, 0.0) }.meanwhile(&kinds, Best)
        };
        assert_eq!([1, 2].map(|percent| in_parts(16.8e6, 4.5e-4, percent)), [none, waits]);
        assert_eq!([1, 2, 5].map(|percent| in_parts(78e6, 1.32e-5, percent)), [none, none, waits]);
        // As BGZF, 0.36 and 0.49 s, for both.
        let compressed =
            |kind| Outlook { inflating: 2.0 * INFLATING, ..few(0.1, 0.0) }.meanwhile(&Kinds::from([kind]), Best);
        assert_eq!([compressed(((6500, 0), 2000)), compressed(((25, 0), 2000))], [none; 2]);
        // Half of the letters in runs of 50 to 500: 0.73 s and 0.44; of 200 to 2000, 0.43 to 0.47 and 0.42; of 1 kb to 1 Mb, 0.17 and 0.46.
        let beside = |length: f64| few(0.1, 0.5 / length);
        let long = Kinds::from([((6500, 0), 2000)]);
        let found = [275.0, 1100.0, 500_000.0].map(|length| beside(length).meanwhile(&long, Best));
        assert_eq!(found, [waits, none, none]);
        // 2 GB of long reads, 0.45 to 0.54 s and 0.52 to 0.58; 2.4 GB and signatures of 25, 0.6 and 0.53.
        let reads = |positions, wild, kinds| Outlook { positions, ..few(wild, 0.0) }.meanwhile(kinds, Best);
        let short = Kinds::from([((25, 0), 2000)]);
        assert_eq!([reads(1e9, 0.1, &long), reads(1e9, 0.0, &long), reads(1.2e9, 0.1, &short)], [none, none, computes]);
        // With 20, 30 and 40 %.
        let among = |wild| few(wild, 0.0).meanwhile(&long, Best);
        assert_eq!([0.2, 0.3, 0.4].map(among), [none; 3]);
        let large = Outlook { positions: 3e9, ..few(0.1, 0.0) };
        assert_eq!(large.meanwhile(&long, Best), computes);
        // With two H200s and 32 threads, 0.78 and 0.95 s.
        assert_eq!(Outlook { threads: 32, ..large }.meanwhile(&long, Best), computes);
        assert_eq!(Outlook { threads: 32, later: 0.35, ..large }.meanwhile(&long, Best), none);
        // Of 16 chromosomes, 1.0 and 1.5 s, with signatures of 20 as well. Whatever takes the CPU ten times as long is another matter.
        let positions = 3.2e9;
        let late = Duration::from_secs_f64(ONE_AT_A_TIME * positions);
        let genome = Outlook { positions, late, ..few(0.0, 0.0) };
        for (kind, expected) in [((6500, 0), none), ((20, 0), none), ((7, 0), waits)] {
            assert_eq!(genome.meanwhile(&Kinds::from([(kind, 2000)]), Best), expected, "{kind:?}");
        }
    }

    #[test]
    fn the_first_signatures_of_a_file_tell_of_all() {
        let folder = tempfile::tempdir().unwrap();
        let (path, gzip) = (folder.path().join("some.fasta"), folder.path().join("some.fasta.gz"));
        assert_eq!(first_lengths(&path), None);
        for (count, length) in [(3, 20), (10_000, 25), (100, 5000), (1, 2_000_000)] {
            let mut random = ChaCha8Rng::seed_from_u64(9);
            let mut bases = || (0..length).map(|_| char::from(b"ACGT"[below(&mut random, 4)])).collect::<String>();
            let text: String = (0..count).map(|k| format!(">s{k}\n{}\n", bases())).collect();
            for path in [&path, &gzip] {
                let mut output = Output::create(Some(path), &[]).unwrap();
                output.put(text.as_bytes()).unwrap();
                output.finish().unwrap();
                let found = first_lengths(path);
                // Of one that is cut, nothing is known.
                assert_eq!(found.is_some(), count > 1);
                let (lengths, times) = found.unwrap_or_else(|| (vec![length], 1.0));
                assert!(lengths.iter().all(|&found| found == length));
                let expected = count as f64 / (lengths.len() as f64 * times);
                assert!((0.8..1.3).contains(&expected), "{count} {length} {expected}");
            }
        }
        std::fs::remove_file(&path).unwrap();
        assert_eq!(first_lengths(folder.path()), None);
    }

    #[test]
    fn the_first_records_of_a_file_tell_how_many_symbols_are_wild() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.fastq");
        let bases = "ACGTACGTTN".repeat(2000);
        let record = format!("@r\n{bases}\n+\n{}\n", "I".repeat(bases.len()));
        let text = record.repeat(100);
        std::fs::write(&path, &text).unwrap();
        let Sample { kind, wild, dense, runs, is_long } = sample(&path).unwrap();
        assert_eq!((runs, is_long), (0.0, false));
        assert_eq!((kind, (wild - 0.1).abs() < 1e-3), (Kind::Fastq, true), "{wild:?}");
        assert_eq!(dense, DENSE);
        // Of one record that is cut within its bases or its qualities.
        for (times, end) in [(40, ""), (80, ""), (30, "\r\n")] {
            let bases = format!("{bases}{end}").repeat(times);
            std::fs::write(&path, format!("@r\n{bases}\n+\n{bases}\n")).unwrap();
            let Sample { kind, wild, is_long, .. } = sample(&path).unwrap();
            assert_eq!((kind, is_long, (wild - 0.1).abs() < 1e-3), (Kind::Fastq, true, true), "{times}: {wild:?}");
        }
        let packed = folder.path().join("some.gz");
        let pack = |text: &str| {
            let mut output = Output::create(Some(&packed), &[]).unwrap();
            output.put(text.as_bytes()).unwrap();
            output.finish().unwrap();
        };
        pack(&text);
        let expected = text.len() as f64 / size_of_input(&packed).unwrap() as f64;
        let Sample { kind, dense, .. } = sample(&packed).unwrap();
        assert!(kind == Kind::Fastq && (0.7..1.1).contains(&(dense / expected)), "{dense}, {expected} expected");
        for (bases, is_long) in [(2 << 20, true), (1 << 19, false), (1 << 16, false)] {
            let fasta = folder.path().join("some.fasta");
            std::fs::write(&fasta, format!(">a\n{}\n>b\n{}\n", "A".repeat(bases), "C".repeat(bases))).unwrap();
            assert_eq!(sample(&fasta).unwrap().is_long, is_long, "{bases}");
        }
        // As gzip that is cut within its only record, or behind.
        let mut random = ChaCha8Rng::seed_from_u64(3);
        for (bases, expected) in [(2_000_000, true), (60_000, false)] {
            let bases: String = (0..bases).map(|_| char::from(b"ACGTNNNNNN"[below(&mut random, 10)])).collect();
            pack(&format!(">a\n{bases}\n").repeat(4));
            let Sample { is_long, wild, dense, .. } = sample(&packed).unwrap();
            assert!(is_long == expected && (0.5..0.7).contains(&wild) && (2.0..5.0).contains(&dense), "{wild} {dense}");
        }
        for (gap, expected) in [(2 << 20, 2.0..5.0), (30 << 20, DENSE..DENSE + 1.0)] {
            let bases: String = (0..2_000_000).map(|_| char::from(b"ACGT"[below(&mut random, 4)])).collect();
            pack(&format!(">a\n{}{bases}\n", "N".repeat(gap)));
            let Sample { dense, is_long, .. } = sample(&packed).unwrap();
            assert!(is_long && expected.contains(&dense), "{dense}");
        }
        assert!(beginning(&packed, SAMPLE).unwrap().0.len() as u64 == TEXT_MOST);
        assert_eq!(sample(folder.path()), None);
        assert_eq!(sample(&folder.path().join("none")), None);
    }
}
