//! Damaged files: whatever is changed, cut or added, what is read is what one thread reads. Blocks of BGZF, of which codes may be read that one
//! thread refuses, may pass with the very text instead.

use super::*;

/// Every byte changed in several ways, and every cut: the serial reader's bytes, and then its words.
#[test]
fn damaged_gzip_is_read_as_by_one_thread() {
    let text = text(60);
    for (kind, file) in kinds(&text).into_iter().skip(1).take(7) {
        let has_blocks = kind.contains("BGZF") || kind.contains("blocks");
        for at in 0..file.len() {
            for flip in [0x01, 0x10, 0x80, 0xff] {
                let mut damaged = file.clone();
                damaged[at] ^= flip;
                // Of what no longer begins like gzip nothing is promised but that it is not taken for text of the file.
                let expected = if at < 2 { (damaged.clone(), None) } else { members(&damaged) };
                for block_bytes in [1, 90, 1 << 20] {
                    let found =
                        filled(Text::new(io::Cursor::new(damaged.clone()), Path::new(""), block_bytes).unwrap(), 7);
                    let is_right = has_blocks && found == (text.clone(), None);
                    assert!(is_right || found == expected, "{kind}, byte {at} xor {flip:#x}, blocks of {block_bytes}");
                }
            }
        }
        for cut in 2..file.len() {
            compare(&file[..cut], &members(&file[..cut]), &format!("{kind}, cut at {cut}"));
        }
        for tail in [&b"\0"[..], b"x", b"\x1f", b"\x1f\x8b", b">a\nACGT\n", &[0; 300]] {
            let followed = [&file[..], tail].concat();
            compare(&followed, &members(&followed), &format!("{kind}, followed by {tail:?}"));
        }
    }
}

/// A code that is reserved may stand for the one before it. Then the text is the right one.
#[test]
fn a_changed_block_passes_with_its_text_alone() {
    let text = [&b">a\n"[..], &[b'N'; 500], b"\n"].concat();
    let (file, mut passed) = (bgzf(&text, 1 << 16), 0);
    for bit in 16..8 * file.len() {
        let mut damaged = file.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let (found, expected) = (filled(read_file(file_of(&damaged), 1 << 20), 1), members(&damaged));
        if found != expected {
            assert_eq!((found, expected.1.is_some()), ((text.clone(), None), true), "bit {bit}");
            passed += 1;
        }
    }
    assert_eq!(passed, 1);
}

/// Codes that run on into the next block, of which another thread may have read the bytes.
#[test]
fn damage_that_reaches_beyond_its_block_is_read_as_by_one_thread() {
    let text = text(3000);
    // Stored blocks: their lengths are bytes of the file, and a greater one takes in what follows.
    let stored = |bytes: &[u8]| {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), Level::none());
        encoder.write_all(bytes).unwrap();
        let (codes, mut crc) = (encoder.finish().unwrap(), flate2::Crc::new());
        crc.update(bytes);
        let length = (18 + codes.len() + 8 - 1) as u16;
        let head = b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0";
        [head, &length.to_le_bytes()[..], &codes, &crc.sum().to_le_bytes(), &(bytes.len() as u32).to_le_bytes()]
            .concat()
    };
    let file: Vec<u8> = text.chunks(1000).chain([&b""[..]]).flat_map(stored).collect();
    compare(&file, &(text.clone(), None), "whole");
    for length in [1001, 1500, 5000, 60_000_u16] {
        for threads in [1, 2] {
            let mut damaged = file.clone();
            let at = 18 + 1;
            damaged[at..at + 2].copy_from_slice(&length.to_le_bytes());
            damaged[at + 2..at + 4].copy_from_slice(&(!length).to_le_bytes());
            let expected = members(&damaged);
            assert!(expected.1.is_some());
            pool(threads).install(|| compare(&damaged, &expected, &format!("stored length {length}")));
        }
    }
}

/// Nothing but an error or the whole text: bytes before the error are the text's, as far as the checksums were not asked.
#[test]
fn other_compressions_are_read_strictly() {
    let text = text(80);
    for (kind, file) in kinds(&text).into_iter().skip(8) {
        let format = kind.split(' ').next().unwrap();
        let read = |file: &[u8], block_bytes| {
            filled(Text::new(io::Cursor::new(file.to_vec()), Path::new(""), block_bytes).unwrap(), 3)
        };
        for at in 6..file.len() {
            for flip in [0x01, 0x10, 0xff] {
                let mut damaged = file.clone();
                damaged[at] ^= flip;
                let found = read(&damaged, 1 << 20);
                assert_eq!(read(&damaged, 1), found, "{kind}, byte {at} xor {flip:#x}");
                assert!(
                    found.1.is_some() || found.0 == text || kind == "zstd twice",
                    "{kind}, byte {at} xor {flip:#x}"
                );
            }
        }
        let ends = if kind.contains("twice") { file.len() / 2 } else { 10 };
        for cut in ends..file.len() {
            let (part, damage) = read(&file[..cut], 1 << 20);
            assert!(text.starts_with(&part), "{kind}, cut at {cut}");
            if let Some(damage) = damage {
                let words =
                    format!("the {format} stream is truncated: the file is incomplete; copy or download it again");
                assert_eq!(damage, words, "{kind}, cut at {cut}");
            } else {
                assert!(kind.contains("twice"), "{kind}, cut at {cut}");
            }
            assert_eq!(read(&file[..cut], 3).0, part);
        }
        for (tail, byte) in [(&b"x"[..], "0x78"), (b">a\nACGT\n", "0x3e")] {
            let (found, damage) = read(&[&file[..], tail].concat(), 1 << 20);
            let words = format!("expected another {format} stream or the end of the file, found byte {byte}");
            assert!(
                found == text && damage.is_some_and(|damage| damage.contains(&words)),
                "{kind}, followed by {byte}"
            );
        }
    }
}
