//! Laws over random input.

use super::{Reading, bgzf, gzip};
use proptest::collection::vec;
use proptest::prelude::*;

/// A record to be written, and how.
#[derive(Clone, Debug)]
struct Draft {
    name: String,
    sequence: Vec<u8>,
    quality: Vec<u8>,
    widths: (usize, usize),
    repeat_header: bool,
}

fn draft() -> impl Strategy<Value = Draft> {
    let symbols = (0usize..40).prop_flat_map(|n| (vec(b'A'..=b'Z', n), vec(33u8..=126, n)));
    ("[!-~]{1,8}( [ -~]{0,8})?", symbols, (1usize..50, 1usize..50), any::<bool>()).prop_map(
        |(name, (sequence, quality), widths, repeat_header)| Draft { name, sequence, quality, widths, repeat_header },
    )
}

fn write_wrapped(text: &mut Vec<u8>, symbols: &[u8], width: usize, end: &str) {
    for line in symbols.chunks(width) {
        text.extend_from_slice(line);
        text.extend_from_slice(end.as_bytes());
    }
    if symbols.is_empty() {
        text.extend_from_slice(end.as_bytes());
    }
}

fn write(drafts: &[Draft], fastq: bool, end: &str) -> Vec<u8> {
    let mut text = vec![];
    for draft in drafts {
        let first = if fastq { '@' } else { '>' };
        text.extend_from_slice(format!("{first}{}{end}", draft.name).as_bytes());
        write_wrapped(&mut text, &draft.sequence, draft.widths.0, end);
        if fastq {
            let title = if draft.repeat_header { draft.name.as_str() } else { "" };
            text.extend_from_slice(format!("+{title}{end}").as_bytes());
            write_wrapped(&mut text, &draft.quality, draft.widths.1, end);
        }
    }
    text
}

/// A zero-length record may end without any of its line ends, the others without one.
fn without_last_line_ends(text: &[u8]) -> Vec<u8> {
    let end = text.iter().rposition(|b| !b"\r\n".contains(b)).map_or(0, |last| last + 1);
    text[..end].to_vec()
}

/// Bytes that look like records often enough to get past the first line.
fn almost_fastx() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"@a\nAC\n+\nII\n".to_vec()),
        Just(b">a\nACGT\n".to_vec()),
        prop::sample::select(b"@>+\n\r\tAI \0;".as_slice()).prop_map(|b| vec![b]),
        vec(any::<u8>(), 0..4),
    ];
    vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn what_was_written_is_read(
        drafts in vec(draft(), 1..8),
        fastq in any::<bool>(),
        end in prop::sample::select(vec!["\n", "\r\n"]),
        buffer_bytes in 1usize..200,
    ) {
        let text = write(&drafts, fastq, end);
        for bytes in [text.clone(), gzip(&text), bgzf(&text), without_last_line_ends(&text)] {
            let reading = Reading::of_bytes(&bytes, buffer_bytes);
            prop_assert!(reading.error.is_none(), "{:?}", reading.error);
            prop_assert_eq!(reading.records.len(), drafts.len());
            for (record, draft) in reading.records.iter().zip(&drafts) {
                let name = draft.name.split(' ').next().unwrap();
                prop_assert_eq!(&record.header.name, name.as_bytes());
                prop_assert_eq!(&record.sequence, &draft.sequence);
                let quality: &[u8] = if fastq { &draft.quality } else { &[] };
                prop_assert_eq!(&record.quality, quality);
            }
        }
    }

    #[test]
    fn every_symbol_is_on_the_line_its_location_names(drafts in vec(draft(), 1..8)) {
        let text = write(&drafts, true, "\n");
        let lines: Vec<&[u8]> = text.split(|&b| b == b'\n').collect();
        for record in Reading::of_bytes(&text, 64).records {
            let location = &record.header.location;
            for (k, (base, quality)) in record.sequence.iter().zip(&record.quality).enumerate() {
                prop_assert!(lines[location.line_of_base(k as u64) as usize - 1].contains(base));
                prop_assert!(lines[location.line_of_quality(k as u64) as usize - 1].contains(quality));
            }
        }
    }

    #[test]
    fn any_bytes_give_records_or_an_error_whatever_the_buffer(
        bytes in prop_oneof![vec(any::<u8>(), 0..300), almost_fastx()],
        buffers in (1usize..40, 1usize..400),
    ) {
        let compressed = gzip(&bytes);
        for input in [&bytes, &compressed] {
            let (small, large) = (Reading::of_bytes(input, buffers.0), Reading::of_bytes(input, buffers.1));
            prop_assert_eq!(small.outcome(), large.outcome());
            if small.error.is_some() {
                prop_assert!(small.input_error().0 >= 1);
            }
        }
    }

    #[test]
    fn a_cut_file_gives_the_first_records_unchanged(drafts in vec(draft(), 1..5), cut in any::<prop::sample::Index>()) {
        let text = write(&drafts, true, "\n");
        let whole = Reading::of_bytes(&text, 64).records;
        let cut = Reading::of_bytes(&text[..cut.index(text.len())], 64);
        let complete = cut.records.len().saturating_sub(1);
        prop_assert_eq!(&cut.records[..complete], &whole[..complete]);
    }
}
