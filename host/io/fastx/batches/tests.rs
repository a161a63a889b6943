//! Records that are read ahead are those of the serial reader, wherever blocks end, and so are the errors.

use super::*;
use crate::fastx::rope::Rope;
use crate::fastx::{Place, Qualities, Record, Refusal};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng as Random;
use std::io::Cursor;
use std::sync::Arc;
use warpseq_seq::random::below;

/// Names, residues and qualities, each with its line, what was counted, and how reading ended.
type Read = (Vec<([Vec<u8>; 3], u64)>, u64, Option<String>);

/// Residues that the check refuses; it counts those of `C`.
const REFUSED: u8 = b'!';

fn demands(qualities: Qualities) -> Demands {
    let check = |record: Record| match record.residues.iter().position(|&residue| residue == REFUSED) {
        Some(at) => Err(Refusal { place: Place::Residue(at), message: "refused".into() }),
        None => Ok(record.residues.iter().filter(|&&residue| residue == b'C').count() as u64),
    };
    Demands { qualities, check: Some(Arc::new(check)), lines: true, ..Demands::default() }
}

/// One record after another, by the reader that reads nothing ahead.
fn serially(text: &[u8], qualities: Qualities) -> Read {
    let (mut records, mut counted) = (Vec::new(), 0);
    let mut reader = match Reader::new(Cursor::new(text.to_vec()), "file".into(), 7) {
        Ok(reader) => reader,
        Err(error) => return (records, counted, Some(error.to_string())),
    };
    loop {
        let (mut residues, mut quality) = (Vec::new(), Vec::new());
        match reader.read(&mut residues, &mut quality) {
            Ok(None) => return (records, counted, None),
            Err(error) => return (records, counted, Some(error.to_string())),
            Ok(Some(header)) => {
                if let Some(at) = residues.iter().position(|&residue| residue == REFUSED) {
                    let (line, record) = (header.location.line_of_base(at as u64), header.location.record);
                    let message = "refused".into();
                    let error = FileError::Input { path: "file".into(), line, record, message };
                    return (records, counted, Some(error.to_string()));
                }
                counted += residues.iter().filter(|&&residue| residue == b'C').count() as u64;
                let quality = if qualities == Qualities::Keep { quality } else { Vec::new() };
                records.push(([header.name, residues, quality], header.location.line));
            }
        }
    }
}

fn in_batches(text: &[u8], qualities: Qualities, sizes: Sizes) -> Read {
    let (mut records, mut counted) = (Vec::new(), 0);
    let path = Path::new("file");
    let mut batches = match Batches::new(Cursor::new(text.to_vec()), path, demands(qualities), sizes) {
        Ok(batches) => batches,
        Err(error) => return (records, counted, Some(error.to_string())),
    };
    loop {
        match batches.next() {
            Ok(None) => return (records, counted, None),
            Err(error) => {
                assert!(matches!(batches.next(), Ok(None)), "nothing follows an error");
                return (records, counted, Some(error.to_string()));
            }
            Ok(Some(batch)) => {
                assert!(!batch.records.is_empty());
                counted += batch.counted;
                let some = &batch.records;
                let quality = |k| some.quality(k).unwrap_or_default();
                let parts = |k| [some.name(k), some.sequence(k), quality(k)].map(<[u8]>::to_vec);
                assert_eq!(batch.lines.len(), some.len());
                records.extend((0..some.len()).map(parts).zip(batch.lines));
                batches.spare().give_back(batch.records, sizes.block);
            }
        }
    }
}

fn assert_same(text: &[u8], sizes: Sizes) {
    for qualities in [Qualities::Keep, Qualities::Drop] {
        let (expected, found) = (serially(text, qualities), in_batches(text, qualities, sizes));
        assert_eq!(found, expected, "{sizes:?}, {:?}", String::from_utf8_lossy(text));
    }
}

/// A record whose quality, if it has one, is likely to look like header lines and `+` lines.
fn record(random: &mut Random, fastq: bool, end: &str, text: &mut String) {
    let (length, width) = (below(random, 40), 1 + below(random, 30));
    let symbols =
        |random: &mut Random, of: &[u8]| -> Vec<u8> { (0..length).map(|_| of[below(random, of.len())]).collect() };
    let lines = |symbols: Vec<u8>| {
        let lines = symbols.chunks(width).map(|line| String::from_utf8_lossy(line).into_owned() + end);
        lines.collect::<String>()
    };
    let name = "@>+r x".repeat(below(random, 3));
    let sequence = symbols(random, b"ACGTN");
    *text += &format!("{}r{name}{end}{}", if fastq { '@' } else { '>' }, lines(sequence));
    if fastq {
        let plus = if below(random, 2) == 0 { String::new() } else { format!("r{name}") };
        let quality = symbols(random, b"@+I>");
        *text += &format!("+{plus}{end}{}", lines(quality));
    }
}

fn file(random: &mut Random) -> Vec<u8> {
    let (fastq, end) = (below(random, 2) == 0, if below(random, 3) == 0 { "\r\n" } else { "\n" });
    let mut text = String::new();
    (0..below(random, 30)).for_each(|_| record(random, fastq, end, &mut text));
    if below(random, 4) == 0 {
        text.truncate(text.trim_end().len());
    }
    text.into_bytes()
}

fn sizes(random: &mut Random) -> Sizes {
    Sizes { block: 1 + below(random, 200), ahead: 1 + below(random, 12) }
}

#[test]
fn records_are_the_same_wherever_blocks_end() {
    let mut random = Random::seed_from_u64(7);
    for _ in 0..600 {
        let text = file(&mut random);
        assert_same(&text, sizes(&mut random));
    }
}

#[test]
fn errors_are_the_same_wherever_blocks_end() {
    let mut random = Random::seed_from_u64(8);
    for _ in 0..1500 {
        let mut text = file(&mut random);
        for _ in 0..1 + below(&mut random, 3) {
            let at = below(&mut random, 1 + text.len());
            let other = b"\n\r@>+;A! \x00\xff"[below(&mut random, 11)];
            match below(&mut random, 3) {
                0 => text.insert(at, other),
                1 if at < text.len() => text[at] = other,
                _ => text.truncate(at),
            }
        }
        assert_same(&text, sizes(&mut random));
    }
}

#[test]
fn texts_are_those_of_the_file_wherever_blocks_end() {
    let mut random = Random::seed_from_u64(9);
    for _ in 0..600 {
        let mut text = file(&mut random);
        let demands = Demands { texts: true, ..Demands::default() };
        let mut batches =
            Batches::new(Cursor::new(text.clone()), Path::new("file"), demands, sizes(&mut random)).unwrap();
        let mut all = Vec::new();
        while let Some(batch) = batches.next().unwrap() {
            assert_eq!(batch.texts.len(), batch.records.len());
            let begins = |k: usize| batch.texts.get(k)[1..].starts_with(batch.records.name(k));
            assert!((0..batch.records.len()).all(begins));
            all.extend_from_slice(batch.texts.residues());
        }
        if text.last().is_some_and(|&byte| byte != b'\n') {
            text.push(b'\n');
        }
        assert_eq!(String::from_utf8_lossy(&all), String::from_utf8_lossy(&text));
    }
}

#[test]
fn what_only_looks_plain_is_read_by_the_grammar() {
    for text in [
        "@a\n+\n+\nI\n@b\nA\n+\nI\n",
        "@a\n@A\n+\nII\n@b\nA\n+\nI\n",
        "@a\nA\n+a \nI\n@b\nA\n+\nI\n",
        "@a x\nA\n+a x\nI\n@b\nA\n+\nI\n",
        "@ a\nA\n+\nI\n@b\nA\n+\nI\n",
        ">a\nA\n;A\n>b\nA\n",
        ">a\nA\n@A\n>b\nA\n",
        ">a\nA\n\n>b\nA\n",
        ">a\n>b\nA\n",
        "> a\nA\n>b\nA\n",
        ">a\tx\nA\n>b\x01\nA\n",
    ] {
        assert_same(text.as_bytes(), Sizes { block: 1000, ahead: 1 });
    }
}

#[test]
fn a_record_longer_than_all_blocks_is_whole() {
    for end in ["", "\n", "\n\n>b\nA\n"] {
        let text = format!(">a\n{}\n{}{end}", "ACGTACGT\n".repeat(300), "C".repeat(1000));
        assert_same(text.as_bytes(), Sizes { block: 10, ahead: 3 });
    }
}

#[test]
fn most_records_are_read_ahead() {
    let text: String = (0..1000).map(|k| format!("@r{k}\nACGT\n+\n@III\n")).collect();
    let sizes = Sizes { block: 1000, ahead: 4 };
    let mut batches = Batches::new(Cursor::new(text), Path::new("file"), Demands::default(), sizes).unwrap();
    let mut ahead = 0;
    while batches.reader.grammar.has_more().unwrap() {
        match batches.reader.grammar.lines.take_body() {
            Some(body) => ahead += body.records.len(),
            None => drop(batches.reader.grammar.read(&mut Vec::new(), &mut Vec::new()).unwrap()),
        }
    }
    assert!(ahead > 900, "{ahead}");
}

#[test]
fn most_lines_of_long_records_are_read_ahead() {
    for end in ["\n", "\r\n"] {
        let text = format!(">a{end}{}", format!("ACGTACGT{end}").repeat(1000));
        let sizes = Sizes { block: 200, ahead: 3 };
        let mut batches = Batches::new(Cursor::new(text), Path::new("file"), Demands::default(), sizes).unwrap();
        let (lines, rope) = (&mut batches.reader.grammar.lines, &mut Rope::default());
        lines.append_legal(&mut Vec::new(), "header line", |_| None).unwrap();
        let (mut ahead, mut in_order) = (0, Vec::new());
        while lines.peek().unwrap().is_some() {
            match lines.take_stretch() {
                Some(stretch) => ahead += stretch.residues.len(),
                None => drop(lines.append_symbols("sequence", rope, &mut in_order).unwrap()),
            }
        }
        assert!(ahead + in_order.len() == 8000 && in_order.len() < 1000, "{ahead} ahead");
    }
}

#[test]
fn the_only_thread_of_a_pool_may_read() {
    let text = b">a\nAC\n".repeat(100);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| assert_same(&text, Sizes { block: 50, ahead: 4 }));
}

#[test]
fn a_check_that_panics_ends_the_reading() {
    let check = |_: Record| -> std::result::Result<u64, Refusal> { panic!("here") };
    let demands = Demands { check: Some(Arc::new(check)), ..Demands::default() };
    let sizes = Sizes { block: 100, ahead: 2 };
    let mut batches = Batches::new(Cursor::new(">a\nAC\n>b\nAC\n"), Path::new("file"), demands, sizes).unwrap();
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| batches.next())).unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&"here"));
}
