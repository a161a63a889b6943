//! Every way to read an input gives the text and the damage that one thread finds.

mod damage;
mod inputs;
mod large;

use super::*;
use crate::gzip::Members;
use flate2::{Compression as Level, write::GzEncoder};
use std::io::Write;
use std::os::fd::OwnedFd;
use std::thread;

/// A text, and what is wrong after it.
type Reading = (Vec<u8>, Option<String>);

/// What the serial reader of gzip gives.
fn members(file: &[u8]) -> Reading {
    let mut text = Vec::new();
    let damage = Members::new(file).read_to_end(&mut text).err();
    (text, damage.map(|error| error.to_string()))
}

/// Fills blocks, the last one first.
fn fill(blocks: Vec<Block>) -> Vec<(std::result::Result<(), Damage>, Vec<u8>)> {
    let one = |block: Block| {
        let mut text = Vec::new();
        (block.fill(&mut text), text)
    };
    let mut made: Vec<_> = blocks.into_iter().rev().map(one).collect();
    made.reverse();
    made
}

/// All of `text`, of which as many blocks are there at a time as `ahead` says. Two threads fill them if there are many.
fn filled(mut text: Text, ahead: usize) -> Reading {
    let mut all = Vec::new();
    loop {
        let mut blocks: Vec<_> = std::iter::from_fn(|| text.next()).take(ahead).collect();
        if blocks.is_empty() {
            return (all, None);
        }
        let rest = blocks.split_off(if ahead > 8 { blocks.len() / 2 } else { 0 });
        let (mut made, second) = match blocks.is_empty() {
            true => (vec![], fill(rest)),
            false => thread::scope(|scope| {
                let second = scope.spawn(|| fill(rest));
                (fill(blocks), second.join().unwrap())
            }),
        };
        made.extend(second);
        for (filled, text) in made {
            all.extend(text);
            match filled {
                Ok(()) => {}
                Err(Damage::Compressed(message)) => return (all, Some(message)),
                Err(Damage::Unreadable(error)) => panic!("{error}"),
            }
        }
    }
}

/// Gives few bytes at a time.
struct Drops<'a>(&'a [u8], usize);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let some = self.1.min(buffer.len()).min(self.0.len());
        let (now, rest) = self.0.split_at(some);
        buffer[..some].copy_from_slice(now);
        self.0 = rest;
        Ok(some)
    }
}

/// A file with these bytes, read from its beginning.
fn file_of(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    io::Seek::rewind(&mut file).unwrap();
    file
}

fn read_file(file: File, block_bytes: usize) -> Text {
    Text::of(Input::of(file).unwrap(), Path::new("file"), block_bytes, 3).unwrap()
}

fn of_pipe(bytes: &[u8], block_bytes: usize) -> Text {
    let (reader, mut writer) = io::pipe().unwrap();
    let bytes = bytes.to_vec();
    // A reader that sees damage closes the pipe.
    thread::spawn(move || _ = writer.write_all(&bytes));
    read_file(File::from(OwnedFd::from(reader)), block_bytes)
}

/// A pool of so many threads, for the decoders depend on how many the program has.
fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// Compares all that is read of `file`, in every way, with what is expected.
#[track_caller]
fn compare(file: &[u8], expected: &Reading, what: &str) {
    for block_bytes in [50, 1000, 1 << 20] {
        let bytes = file.to_vec();
        let at_once = Text::new(io::Cursor::new(bytes), Path::new("file"), block_bytes).unwrap();
        assert!(filled(at_once, 3) == *expected, "{what}, all at once, blocks of {block_bytes}");
        assert!(
            filled(read_file(file_of(file), block_bytes), 16) == *expected,
            "{what}, file, blocks of {block_bytes}"
        );
    }
}

fn member(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Level::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// BGZF in blocks of at most `block` bytes.
fn bgzf(bytes: &[u8], block: usize) -> Vec<u8> {
    let mut writer = noodles_bgzf::io::Writer::new(Vec::new());
    for bytes in bytes.chunks(block) {
        writer.write_all(bytes).unwrap();
        writer.flush().unwrap();
    }
    writer.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// Text that can be compressed, but not to nothing.
fn text(numbers: u32) -> Vec<u8> {
    (0..numbers).flat_map(|k| (k.wrapping_mul(k) % 9973).to_string().into_bytes()).collect()
}

/// Every compression of a text in one piece, and in two.
fn kinds(text: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let (first, second) = text.split_at(text.len() / 3);
    let twice = |compress: &dyn Fn(&[u8]) -> Vec<u8>| [compress(first), compress(b""), compress(second)].concat();
    vec![
        ("plain", text.to_vec()),
        ("gzip", member(text)),
        ("members", twice(&member)),
        ("BGZF", bgzf(text, 1 << 16)),
        ("small blocks", bgzf(text, 50)),
        ("BGZF twice", twice(&|bytes| bgzf(bytes, 500))),
        ("BGZF, then gzip", [bgzf(first, 500), member(second)].concat()),
        ("gzip, then BGZF", [member(first), bgzf(second, 500)].concat()),
        ("bzip2", bzip2(text)),
        ("bzip2 twice", twice(&bzip2)),
        ("xz", xz(text)),
        ("xz twice", [xz(first), vec![0; 8], xz(b""), xz(second), vec![0; 4]].concat()),
        ("zstd", zstd(text)),
        (
            "zstd twice",
            [b"\x53\x2a\x4d\x18\x03\0\0\0abc", &zstd(first)[..], b"\x50\x2a\x4d\x18\0\0\0\0", &zstd(second)].concat(),
        ),
    ]
}

#[test]
fn every_kind_gives_the_text_whatever_the_blocks_and_the_threads() {
    let text = text(8000);
    let expected = (text.clone(), None);
    for (kind, file) in kinds(&text) {
        for threads in [1, 2, 4] {
            pool(threads).install(|| compare(&file, &expected, &format!("{kind}, {threads} threads")));
        }
        for threads in [1, 2] {
            let read = || filled(of_pipe(&file, 3000), 5);
            assert!(pool(threads).install(read) == expected, "{kind}, pipe, {threads} threads");
        }
    }
}

#[test]
fn a_byte_at_a_time_is_enough() {
    let text = text(300);
    for (kind, file) in kinds(&text) {
        let file: &'static [u8] = file.leak();
        for block_bytes in [1, 2, 1 << 20] {
            let drops = Text::new(Drops(file, 1), Path::new("file"), block_bytes).unwrap();
            assert!(filled(drops, 4) == (text.clone(), None), "{kind}, blocks of {block_bytes}");
        }
    }
}

#[test]
fn nothing_compressed_is_nothing() {
    for (kind, file) in kinds(b"") {
        assert_eq!(filled(read_file(file_of(&file), 10), 2), (vec![], None), "{kind}");
        assert_eq!(filled(of_pipe(&file, 10), 2), (vec![], None), "{kind}");
    }
}

#[test]
fn files_of_the_usual_programs_are_read() {
    let text = b">a\nACGT\n>b\nGGCC\n";
    for (program, file) in [
        ("zstd -19", "28b52ffd24108100003e610a414347540a3e620a474743430a684a4cb5"),
        ("zstd --no-check", "28b52ffd20108100003e610a414347540a3e620a474743430a"),
        (
            "xz -6",
            "fd377a585a000004e6d6b4460200210116000000742fe5a301000f3e610a414347540a3e620a474743430a0095300513a8c58cbf0001281\
             0e50b6c601fb6f37d010000000004595a",
        ),
        (
            "xz -C sha256 -0",
            "fd377a585a00000ae1fb0ca1020021010c0000008f98419c01000f3e610a414347540a3e620a474743430a00687e5d22090e79d65e9e75b\
             c8171e2018a1ee57482c6fac025886e40f1973a1f000140104aea48cd189b4b9a01000000000a595a",
        ),
        (
            "bzip2",
            "425a6839314159265359dfb508100000024f00001000012880040030002000310c0820627a8a70ed8625a578bb9229c28486fda84080",
        ),
    ] {
        let byte = |k: usize| u8::from_str_radix(&file[k..k + 2], 16).unwrap();
        let file: Vec<u8> = (0..file.len()).step_by(2).map(byte).collect();
        compare(&file, &(text.to_vec(), None), program);
    }
}
