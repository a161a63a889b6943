//! gzip: compressed bytes read as the plain ones do, and damage is never taken for the end.

use super::bytes::{buffer_bytes, place, take};
use super::reading::Reading;
use flate2::bufread::MultiGzDecoder;
use flate2::{Compression, write::GzEncoder};
use std::io::{BufReader, Cursor, Read, Write};
use std::path::Path;
use warpseq::gzip::Members;
use warpseq::text::{Block, Damage, Text};

/// Few bytes can stand for millions, which only take time.
const PLAIN_MAX: usize = 1 << 16;

/// The first byte is the buffer's size, the second says what the others are: a gzip file after its first two bytes, or a file
/// to be compressed, whole, in pieces, as BGZF, or to be damaged then.
///
/// # Panics
/// When the program's reader goes wrong.
pub fn gzip(mut input: &[u8]) {
    let (size, way) = (buffer_bytes(take(&mut input)), take(&mut input));
    match way % 4 {
        0 => any(&[b"\x1f\x8b", input].concat(), size),
        1 => members(input, size),
        2 => equal(read(&bgzf(input), size), input),
        _ => damaged(input, size),
    }
}

/// What compressed files begin with, or at least those of them that are read.
const COMPRESSED: &[&[u8]] = &[b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0", b"BZh"];

fn is_compressed(plain: &[u8]) -> bool {
    // A frame of zstd that is to be skipped begins with one of sixteen bytes.
    let is_skipped = |(first, rest): (&u8, &[u8])| first & 0xf0 == 0x50 && rest.starts_with(b"\x2a\x4d\x18");
    COMPRESSED.iter().any(|magic| plain.starts_with(magic)) || plain.split_first().is_some_and(is_skipped)
}

/// What was read is what the plain bytes give, unless they look compressed themselves: only one layer is taken off.
fn equal(reading: Reading, plain: &[u8]) {
    match is_compressed(plain) {
        true => assert_eq!((&reading.records[..], reading.error.is_some()), (&[][..], true)),
        false => assert_eq!(reading, Reading::of(plain)),
    }
}

/// What blocks of a file that begins like gzip give that are filled in the wrong order is what one thread reads, or, where that complains of codes
/// that are reserved, what they were made of: whether it is that.
fn blocks_are_members(file: &[u8], size: usize) -> bool {
    let mut expected = Vec::new();
    let damage = Members::new(file).read_to_end(&mut expected).err().map(|error| error.to_string());
    let mut text = Text::new(Cursor::new(file.to_vec()), Path::new("file"), size).expect("memory can be read");
    let mut found = Vec::new();
    loop {
        let blocks: Vec<Block> = std::iter::from_fn(|| text.next()).take(4).collect();
        let ended = blocks.is_empty();
        let mut made: Vec<_> = blocks.into_iter().rev().map(filled).collect();
        made.reverse();
        for (bytes, wrong) in made {
            found.extend(bytes);
            if wrong.is_some() {
                assert_eq!((found, wrong), (expected, damage));
                return false;
            }
        }
        if ended {
            let is_right = damage.is_some() && are_blocks_of(file, &found);
            assert!(is_right || (found, None) == (expected, damage));
            return is_right;
        }
    }
}

/// Whether a file is nothing but blocks of BGZF, with the lengths and the checksums of this text.
fn are_blocks_of(mut file: &[u8], mut text: &[u8]) -> bool {
    while file.len() > 18 && file[12..16] == *b"BC\x02\0" {
        let bytes = 1 + usize::from(u16::from_le_bytes([file[16], file[17]]));
        let Some((block, rest)) = file.split_at_checked(bytes).filter(|(block, _)| block.len() > 26) else { break };
        let Some((block, length)) = block.split_last_chunk() else { break };
        let Some((_, checksum)) = block.split_last_chunk() else { break };
        let [checksum, length] = [checksum, length].map(|number| u32::from_le_bytes(*number));
        let Some((own, others)) = text.split_at_checked(length as usize) else { break };
        let mut sum = flate2::Crc::new();
        sum.update(own);
        if sum.sum() != checksum {
            break;
        }
        (file, text) = (rest, others);
    }
    file.is_empty() && text.is_empty()
}

fn filled(block: Block) -> (Vec<u8>, Option<String>) {
    let mut bytes = Vec::new();
    let damage = block.fill(&mut bytes).err().map(|damage| match damage {
        Damage::Compressed(message) => message,
        Damage::Unreadable(error) => error.to_string(),
    });
    (bytes, damage)
}

/// What a reader gives, the same for both buffers.
fn read(file: &[u8], size: usize) -> Reading {
    if file.starts_with(b"\x1f\x8b") {
        blocks_are_members(file, size);
    }
    let reading = Reading::of(file);
    assert_eq!(Reading::through(file, size), reading);
    reading
}

/// Bytes that may be anything: whole is what another decoder takes for whole. Of others, the records come from the bytes
/// before the damage, of which that decoder, asked for one at a time, loses none.
fn any(file: &[u8], size: usize) {
    let (mut plain, mut decoder) = (Vec::new(), BufReader::with_capacity(1, MultiGzDecoder::new(file)).bytes());
    let whole = loop {
        match decoder.next() {
            Some(Ok(byte)) => plain.push(byte),
            Some(Err(_)) => break false,
            None => break true,
        }
        if plain.len() > PLAIN_MAX {
            return;
        }
    };
    let reading = read(file, size);
    // That decoder knows nothing of BGZF, whose end block may lack and whose lengths may lie.
    let is_bgzf = file.windows(4).any(|bytes| bytes == b"BC\x02\0");
    if whole && !(is_bgzf && reading.error.is_some()) {
        return equal(reading, &plain);
    }
    if reading.error.is_none() {
        return assert!(blocks_are_members(file, size));
    }
    if !is_compressed(&plain) {
        assert!(Reading::of(&plain).records.starts_with(&reading.records));
    }
}

/// A file in one member to four.
fn members(mut input: &[u8], size: usize) {
    let count = 1 + take(&mut input) % 4;
    let mut cuts: Vec<usize> = (1..count).map(|_| place(&mut input, 1 << 16)).collect();
    cuts.iter_mut().for_each(|cut| *cut %= input.len() + 1);
    cuts.extend([0, input.len()]);
    cuts.sort_unstable();
    let file: Vec<u8> = cuts.windows(2).flat_map(|ends| member(&input[ends[0]..ends[1]])).collect();
    equal(read(&file, size), input);
}

/// A file with a byte changed, or cut, or with something after its end.
fn damaged(mut input: &[u8], size: usize) {
    let (how, at, change) = (take(&mut input), place(&mut input, 1 << 16), take(&mut input).max(1));
    let mut file = if how < 128 { member(input) } else { bgzf(input) };
    match how % 3 {
        0 => {
            let at = at % file.len();
            file[at] ^= change;
        }
        // A file cut to nothing is an empty one.
        1 => file.truncate(1 + at % (file.len() - 1)),
        _ => file.extend_from_slice(&[change - 1; 20][..1 + at % 20]),
    }
    let reading = read(&file, size);
    assert!(reading.error.is_some() || how % 3 == 0, "cut or followed at {at}");
    if reading.error.is_none() {
        equal(reading, input);
    }
}

fn member(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all bytes")
}

fn bgzf(bytes: &[u8]) -> Vec<u8> {
    let mut writer = noodles_bgzf::io::Writer::new(Vec::new());
    for block in bytes.chunks(100) {
        writer.write_all(block).and_then(|()| writer.flush()).expect("memory takes all bytes");
    }
    writer.finish().expect("memory takes all bytes")
}
