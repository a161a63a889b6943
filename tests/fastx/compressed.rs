//! gzip in all its forms, whole, cut and damaged.

use super::{Reading, bgzf, gzip, records_of};

const TEXT: &[u8] = b"@a first\nACGTACGT\n+\nIIIIHHHH\n@b\nAC\nGT\n+\n@@\n++\n@c\n\n+\n\n";

/// [`TEXT`] as the programs of these names compress it.
const OTHERS: &[(&str, &str)] = &[
    (
        "zstd",
        "28b52ffd243585010062820810a0ab039cef0457fe139f6f3c7fe11902cf479dbc3ddca70f322f22dc8d2d95806904003705\
         03c0758110dc2f77d5e5ea",
    ),
    (
        "xz",
        "fd377a585a000004e6d6b4460200210116000000742fe5a3e00034002d5d00201840066385716bcdda241813c1245954c4a2\
         002dd6f2b7c3cd765c26e092447d672e5f82c59a8ed864d4000000000000d87391b7d65d49990001493544858e571fb6f37d\
         010000000004595a",
    ),
    (
        "bzip2",
        "425a68393141592653591310b1d800000c57804010400868e0040039201c002000314c989906460c93469a18a1a3ea5b1c0e\
         ab9b4f61698590650874928c20ee0de8b9af3dfbbf8bb9229c2848098858ec00",
    ),
];

/// [`OTHERS`] as bytes.
fn others() -> impl Iterator<Item = (&'static str, Vec<u8>)> {
    let byte = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap();
    OTHERS.iter().map(move |(format, digits)| (*format, digits.as_bytes().chunks(2).map(byte).collect()))
}

#[test]
fn members_join_anywhere() {
    let plain = records_of(TEXT);
    assert_eq!(records_of(gzip(TEXT)), plain);
    assert_eq!(records_of(bgzf(TEXT)), plain);
    for cut in 0..=TEXT.len() {
        assert_eq!(records_of([gzip(&TEXT[..cut]), gzip(&TEXT[cut..])].concat()), plain, "cut at {cut}");
    }
}

#[test]
fn gzip_of_nothing_has_no_records() {
    let reading = Reading::of_bytes(&gzip(b""), 64);
    assert!(reading.error.is_none());
    assert_eq!((reading.kind, reading.records.len()), (None, 0));
}

/// Two members: only a cut between them leaves a whole file, and then of the first record alone.
#[test]
fn a_cut_is_found_wherever_it_is() {
    let first = TEXT.iter().skip(1).position(|&b| b == b'@').unwrap() + 1;
    let members = [gzip(&TEXT[..first]), gzip(&TEXT[first..])];
    let whole = members.concat();
    for cut in 1..whole.len() {
        for buffer_bytes in [3, 1 << 16] {
            let reading = Reading::of_bytes(&whole[..cut], buffer_bytes);
            if cut == members[0].len() {
                assert!(reading.error.is_none());
                assert_eq!(reading.records.len(), 1);
                continue;
            }
            let (line, _, message) = reading.input_error();
            assert!(line >= 1);
            assert!(cut == 1 || message.contains("the gzip stream is truncated"), "cut at {cut}: {message}");
        }
    }
}

#[test]
fn a_cut_names_the_line_and_record_reached() {
    let record = b"@a\nACGT\n+\nIIII\n";
    let first = gzip(record);
    let whole = [first.clone(), gzip(record)].concat();
    let reading = Reading::of_bytes(&whole[..first.len() + 5], 1 << 16);
    let (line, record, message) = reading.input_error();
    assert_eq!((line, record), (5, 1), "{message}");
}

/// Regression: such a file passed as one with fewer records.
#[test]
fn bgzf_cut_between_blocks_is_found() {
    let (whole, end) = (bgzf(TEXT), bgzf(b""));
    for buffer_bytes in [3, 1 << 16] {
        let reading = Reading::of_bytes(&whole[..whole.len() - end.len()], buffer_bytes);
        let (_, _, message) = reading.input_error();
        assert!(message.contains("no end block") && message.contains("gzip -dc FILE | warpseq"), "{message}");
    }
}

#[test]
fn a_changed_byte_never_passes_as_other_records() {
    let plain = records_of(TEXT);
    let whole = gzip(TEXT);
    for at in 0..whole.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut damaged = whole.clone();
            damaged[at] ^= flip;
            let reading = Reading::of_bytes(&damaged, 64);
            match reading.error {
                None => assert_eq!(reading.records, plain, "byte {at} xor {flip}"),
                Some(_) => drop(reading.input_error()),
            }
        }
    }
}

#[test]
fn bytes_after_the_last_member_are_damage_and_not_called_truncated() {
    for (tail, byte) in
        [(&b"more than a header of garbage"[..], "0x6d"), (b">", "0x3e"), (&[0; 512], "0x00"), (b"\0", "0x00")]
    {
        for buffer_bytes in [3, 1 << 16] {
            let reading = Reading::of_bytes(&[&gzip(TEXT), tail].concat(), buffer_bytes);
            let (line, _, message) = reading.input_error();
            assert!(
                message.contains(&format!("expected another gzip member or the end of the file, found byte {byte}")),
                "{message}"
            );
            assert_eq!(line, 1 + TEXT.iter().filter(|&&b| b == b'\n').count() as u64);
        }
    }
}

/// What was read before the damage hung on the size of the buffer, and so did the line that was named.
#[test]
fn damage_is_on_the_same_line_whatever_the_buffer() {
    let text: String = (0..300).map(|k| format!(">r{k}\n{}\n", "ACGT".repeat(k * k % 11))).collect();
    let whole = gzip(text.as_bytes());
    for at in (2..whole.len()).step_by(11) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        let expected = Reading::of_bytes(&damaged, 1 << 20);
        for buffer_bytes in [3, 4, 17, 400] {
            assert_eq!(Reading::of_bytes(&damaged, buffer_bytes).outcome(), expected.outcome(), "byte {at}");
        }
    }
}

#[test]
fn bzip2_xz_and_zstd_are_read() {
    for (format, whole) in others() {
        assert_eq!(records_of(&whole), records_of(TEXT), "{format}");
        let twice = [&whole[..], &whole].concat();
        assert_eq!(records_of(&twice), records_of([TEXT, TEXT].concat()), "{format}");
    }
}

#[test]
fn bzip2_xz_and_zstd_are_read_strictly() {
    let plain = records_of(TEXT);
    for (format, whole) in others() {
        for at in 0..whole.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut damaged = whole.clone();
                damaged[at] ^= flip;
                let reading = Reading::of_bytes(&damaged, 64);
                assert!(reading.error.is_some() || reading.records == plain, "{format}, byte {at} xor {flip}");
            }
            let cut = Reading::of_bytes(&whole[..at], 64);
            assert!(at == 0 || cut.error.is_some(), "{format}, cut at {at}");
            if at > 6 {
                let (_, _, message) = cut.input_error();
                assert!(
                    message.contains(&format!("the {format} stream is truncated")),
                    "{format}, cut at {at}: {message}"
                );
            }
        }
        for tail in [&b"x"[..], b">a\nACGT\n"] {
            let reading = Reading::of_bytes(&[&whole[..], tail].concat(), 64);
            let (_, _, message) = reading.input_error();
            assert!(message.contains("stream or the end of the file, found byte 0x"), "{format}: {message}");
        }
    }
}
