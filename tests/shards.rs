//! Shards: which records are whose, against the rule as it is written, by whoever made the files and so knows where records begin.

mod runs;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng as Random;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use warpseq::fastx::{Batches, Demands, Sizes, Unit};
use warpseq::seq::random::below;
use warpseq::shard::Shard;

/// The numbers of shards that are tried: one, few, and more than there are records.
pub const NUMBERS: [u64; 6] = [1, 2, 3, 7, 16, 90];

/// How a file is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Plain,
    Gzip,
    /// Blocks of so many bytes of text at most; some are empty.
    Bgzf(usize),
}

/// A file, and where its records begin as the rule counts.
pub struct Made {
    pub path: PathBuf,
    pub names: Vec<String>,
    pub places: Vec<u64>,
    pub size: u64,
}

/// A text of records, and where each begins in it.
#[derive(Default)]
pub struct Text {
    pub text: String,
    pub names: Vec<String>,
    pub starts: Vec<usize>,
}

/// A block of BGZF, by the SAM specification.
fn block(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    let codes = encoder.finish().unwrap();
    let mut crc = flate2::Crc::new();
    crc.update(text);
    let bytes = 18 + codes.len() + 8;
    let mut block = vec![31, 139, 8, 4, 0, 0, 0, 0, 0, 255, 6, 0, b'B', b'C', 2, 0];
    block.extend((bytes as u16 - 1).to_le_bytes());
    block.extend(codes);
    block.extend(crc.sum().to_le_bytes());
    block.extend((text.len() as u32).to_le_bytes());
    block
}

impl Text {
    /// Stores it at `path`.
    pub fn store(self, path: PathBuf, form: Form, random: &mut Random) -> Made {
        let Self { text, names, starts } = self;
        let (mut bytes, mut size, mut places) = (Vec::new(), text.len() as u64, Vec::new());
        match form {
            Form::Plain => bytes.extend(text.as_bytes()),
            Form::Gzip => {
                let mut encoder = flate2::write::GzEncoder::new(&mut bytes, flate2::Compression::fast());
                encoder.write_all(text.as_bytes()).unwrap();
                encoder.finish().unwrap();
            }
            Form::Bgzf(most) => {
                let mut done = 0;
                while done < text.len() {
                    let end = text.len().min(done + below(random, most + 1));
                    let inside = starts.iter().filter(|start| (done..end).contains(start));
                    places.extend(inside.map(|_| bytes.len() as u64));
                    bytes.extend(block(&text.as_bytes()[done..end]));
                    done = end;
                }
                bytes.extend(block(b""));
                size = bytes.len() as u64;
            }
        }
        if !matches!(form, Form::Bgzf(_)) {
            places = starts.iter().map(|&start| start as u64).collect();
        }
        std::fs::write(&path, bytes).unwrap();
        Made { path, names, places, size }
    }
}

/// Some symbols.
fn some(random: &mut Random, symbols: &[u8], most: usize) -> String {
    let length = below(random, most + 1);
    (0..length).map(|_| char::from(symbols[below(random, symbols.len())])).collect()
}

/// How the records of a text are written.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub fastq: bool,
    /// Symbols of a line; none: all in one.
    pub wrapped: Option<usize>,
    pub end: &'static str,
    pub ends: bool,
}

/// A line, or several, each with its end.
fn lines(text: &mut String, symbols: &str, style: Style) {
    let width = style.wrapped.unwrap_or(usize::MAX).min(symbols.len().max(1));
    let mut rest = symbols;
    loop {
        let (line, more) = rest.split_at(width.min(rest.len()));
        *text += line;
        *text += style.end;
        rest = more;
        if rest.is_empty() {
            return;
        }
    }
}

/// Random records called `name` and a number.
pub fn text(random: &mut Random, name: &str, count: usize, style: Style) -> Text {
    let mut made = Text::default();
    for k in 0..count {
        made.starts.push(made.text.len());
        made.names.push(format!("{name}{k}"));
        let first = if style.fastq { '@' } else { '>' };
        write!(made.text, "{first}{name}{k} {}{}", some(random, b" @+>", 3), style.end).unwrap();
        let most = if below(random, 5) == 0 { 90 } else { 12 };
        let mut bases = some(random, b"ACGT", most);
        // Where a record of FASTQ is wrapped, so is the first one.
        if k == 0 && style.fastq && style.wrapped.is_some() {
            bases += "ACGTACGTAC";
        }
        // A FASTA record without residues may have an empty line, or none.
        if style.fastq || !bases.is_empty() || below(random, 2) == 0 {
            lines(&mut made.text, &bases, style);
        }
        if style.fastq {
            let quality: String = bases.chars().map(|_| ['@', '+', 'I', '>'][below(random, 4)]).collect();
            made.text += "+";
            made.text += style.end;
            lines(&mut made.text, &quality, style);
        }
    }
    if !style.ends {
        let kept = made.text.trim_end_matches(['\r', '\n']).len();
        made.text.truncate(kept);
    }
    made
}

/// A style, FASTQ or not.
pub fn style(random: &mut Random, fastq: bool) -> Style {
    let wrapped = if below(random, 3) == 0 { Some(1 + below(random, 9)) } else { None };
    let end = if below(random, 3) == 0 { "\r\n" } else { "\n" };
    Style { fastq, wrapped, end, ends: below(random, 2) == 0 }
}

pub fn form(random: &mut Random) -> Form {
    match below(random, 4) {
        0 => Form::Plain,
        1 => Form::Gzip,
        2 => Form::Bgzf(7),
        _ => Form::Bgzf(200),
    }
}

/// The shard, from 1, of each unit of each file: `floor(o N / S) + 1`, where a unit is so many records.
pub fn shards_by_the_rule(files: &[Made], shards: u64, unit: usize) -> Vec<Vec<u64>> {
    let total: u64 = files.iter().map(|file| file.size).sum();
    let mut before = 0;
    let of = |file: &Made| {
        let first = |k: usize| before + file.places[k - k % unit];
        let shard = |k| (u128::from(first(k)) * u128::from(shards) / u128::from(total)) as u64 + 1;
        let found = (0..file.places.len()).map(shard).collect();
        before += file.size;
        found
    };
    files.iter().map(of).collect()
}

/// The names that a shard reads of each file.
fn read(files: &[Made], shard: Shard, unit: Unit, sizes: Sizes) -> Vec<Vec<String>> {
    let shares = shard.shares(files.iter().map(|file| file.path.as_path())).unwrap();
    let names = |(file, share): (&Made, _)| {
        let mut batches = Batches::open_share(&file.path, Demands::default(), sizes, share, unit).unwrap();
        let mut names = Vec::new();
        while let Some(batch) = batches.next().unwrap_or_else(|error| panic!("{error}")) {
            names.extend((0..batch.records.len()).map(|k| String::from_utf8_lossy(batch.records.name(k)).into_owned()));
        }
        names
    };
    files.iter().zip(&shares).map(names).collect()
}

#[test]
fn every_record_is_in_the_shard_of_the_rule() {
    let random = &mut Random::seed_from_u64(5);
    let folder = tempfile::tempdir().unwrap();
    for round in 0..40 {
        let files: Vec<Made> = (0..1 + below(random, 3))
            .map(|k| {
                let style = style(random, round % 3 > 0);
                let count = 2 * below(random, 16);
                let text = text(random, &format!("f{k}r"), count, style);
                let form = form(random);
                text.store(folder.path().join(format!("{round}_{k}")), form, random)
            })
            .collect();
        if files.iter().all(|file| file.size == 0) {
            continue;
        }
        for (unit, records) in [(Unit::Record, 1), (Unit::Numbered, 1), (Unit::Pair, 2)] {
            for shards in NUMBERS {
                let expected = shards_by_the_rule(&files, shards, records);
                for number in 1..=shards {
                    let sizes = Sizes { block: 1 + below(random, 300), ahead: 1 + below(random, 3) };
                    let found = read(&files, format!("{number}/{shards}").parse().unwrap(), unit, sizes);
                    let wanted: Vec<Vec<String>> = files
                        .iter()
                        .zip(&expected)
                        .map(|(file, of)| {
                            let inside = file.names.iter().zip(of).filter(|(_, shard)| **shard == number);
                            inside.map(|(name, _)| name.clone()).collect()
                        })
                        .collect();
                    assert_eq!(found, wanted, "round {round}, shard {number}/{shards} of {unit:?}");
                }
            }
        }
    }
}

/// What a shard says of one file, record by record, and how it ends.
fn outcome(path: &Path, shard: &str) -> Result<usize, String> {
    let shares = shard.parse::<Shard>().unwrap().shares([path]).map_err(|error| error.to_string())?;
    let sizes = Sizes { block: 64, ahead: 2 };
    let mut batches = Batches::open_share(path, Demands::default(), sizes, &shares[0], Unit::Record)
        .map_err(|error| error.to_string())?;
    let mut records = 0;
    while let Some(batch) = batches.next().map_err(|error| error.to_string())? {
        records += batch.records.len();
    }
    Ok(records)
}

/// What all shards say that fail.
fn failures(path: &Path, shards: u64) -> Vec<String> {
    (1..=shards).filter_map(|number| outcome(path, &format!("{number}/{shards}")).err()).collect()
}

#[test]
fn a_record_that_could_be_overlooked_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let (good, path) = ("@r\nACGT\n+\nIIII\n", folder.path().join("reads"));
    for at in 1..12 {
        for (bad, lines, words) in [
            ("@w\nAC\nGT\n+\nIIII\n", 1, "this record has 5 lines and the first one four"),
            ("@w\nACGT\n+\nIII\n", 5, "its quality 3 before"),
            ("@w\n+\n", 1, "this record has 2 lines"),
        ] {
            let text = [good.repeat(at), bad.into(), good.repeat(12 - at)].concat();
            let line = 4 * at + lines;
            for bgzf in [false, true] {
                let bytes = match bgzf {
                    false => text.as_bytes().to_vec(),
                    true => {
                        let blocks = text.as_bytes().chunks(11).map(block).chain([block(b"")]);
                        blocks.collect::<Vec<_>>().concat()
                    }
                };
                std::fs::write(&path, bytes).unwrap();
                for shards in [1, 2, 5, 13, 60] {
                    let told = failures(&path, shards);
                    let place = format!("line {line}, record {}: ", at + 1);
                    let expected = |message: &String| message.contains(&place) && message.contains(words);
                    assert!(!told.is_empty() && told.iter().any(expected), "{shards} shards of {text}: {told:?}");
                }
            }
        }
    }
}

#[test]
fn bgzf_that_goes_on_as_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reads");
    let blocks = |text: &str| text.as_bytes().chunks(50).map(block).collect::<Vec<_>>().concat();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(">other\nACGT\n".repeat(40).as_bytes()).unwrap();
    let other = encoder.finish().unwrap();
    let bytes = [blocks(&">a\nACGT\n".repeat(40)), other, blocks(&">b\nAC\n".repeat(90)), block(b"")].concat();
    std::fs::write(&path, bytes).unwrap();
    for shards in [2, 3, 7, 16, 90] {
        let told = failures(&path, shards);
        assert!(told.iter().any(|message| message.contains("expected a block of BGZF at byte")), "{shards}: {told:?}");
    }
}

#[test]
fn a_shard_of_a_large_file_reads_its_own_part() {
    let folder = tempfile::tempdir().unwrap();
    let text = "@read\nACGTACGTACGTACGT\n+\nIIIIIIIIIIIIIIII\n".repeat(400_000);
    for bgzf in [false, true] {
        let path = folder.path().join(if bgzf { "b" } else { "a" });
        let bytes = match bgzf {
            false => text.as_bytes().to_vec(),
            true => text.as_bytes().chunks(60_000).map(block).chain([block(b"")]).collect::<Vec<_>>().concat(),
        };
        std::fs::write(&path, &bytes).unwrap();
        let share = &"5/8".parse::<Shard>().unwrap().shares([path.as_path()]).unwrap()[0];
        let sizes = Sizes { block: 100_000, ahead: 4 };
        let mut batches = Batches::open_share(&path, Demands::default(), sizes, share, Unit::Record).unwrap();
        let mut records = 0;
        while let Some(batch) = batches.next().unwrap() {
            records += batch.records.len();
        }
        assert!((49_000..51_000).contains(&records), "{records}");
        let read = batches.reader().bytes_read().load(std::sync::atomic::Ordering::Relaxed);
        let most = bytes.len() as u64 / 8 + 400_000;
        assert!(read <= most, "{read} of {} bytes were read", bytes.len());
    }
}
