//! Inputs that must be refused: good records before the error, its line and record, and words of its message.

use super::Reading;

type Row = (&'static [u8], usize, u64, u64, &'static str);

const START: &[Row] = &[
    (b"ACGT\n", 0, 1, 0, "expected `>` (FASTA) or `@` (FASTQ) at the start of the file, found `A`"),
    (b"\n>a\nACGT\n", 0, 1, 0, "found an empty line"),
    (b"\rA", 0, 1, 0, "a carriage return"),
    (b"\xef\xbb\xbf>a\nA\n", 0, 1, 0, "byte order mark"),
    (b"\xff\xfe>\0a\0\n\0A\0\n\0", 0, 1, 0, "UTF-16"),
    (b"\xfe\xff\0>\0a\0\n\0A\0\n", 0, 1, 0, "UTF-16"),
    (b">\0a\0\n\0A\0\n\0", 0, 1, 1, "a NUL byte in the header line"),
    (b"\x28\xb5\x2f\xfd", 0, 1, 0, "the zstd stream is truncated"),
    (b";comment\n>a\nA\n", 0, 1, 0, "comment lines"),
    (b"\x1f", 0, 1, 0, "byte 0x1f"),
    (b"BZh0", 0, 1, 0, "found `B`"),
    (b"BAM\x01\0\0", 0, 1, 0, "found BAM: convert it with `samtools fastq`"),
    (b"CRAM\x03\0", 0, 1, 0, "found CRAM: convert it with `samtools fastq`"),
    (b"r\t4\t*\t0\t0\t*\t*\t0\t0\tA\tI\n", 0, 1, 0, "found SAM without a header: "),
    (b"@HD\tVN:1.6\n@SQ\tSN:c\tLN:9\n", 0, 2, 1, "the file begins like SAM: convert it with `samtools fastq`"),
    (b"@SQ\tSN:c\tLN:9\nr\t4\t*\n", 0, 2, 1, "the file begins like SAM"),
    (b"@CO\tnote\n", 0, 1, 1, "the file begins like SAM"),
    (b"WARPSIG\x1a\x02", 0, 1, 0, "found a signature file of `warpseq sign`: give the sequences here"),
    (b"PK\x03\x04", 0, 1, 0, "found ZIP: take the sequences out, as in `unzip -p FILE | warpseq ... -`"),
    (b"<!DOCTYPE html>\n", 0, 1, 0, "HTML"),
    (b"{\"a\": 1}\n", 0, 1, 0, "JSON"),
    (b"BZh91AY&SY", 0, 1, 0, "the bzip2 stream is truncated"),
    (b"\xfd7zXZ\0", 0, 1, 0, "the xz stream is truncated"),
];

const FASTA: &[Row] = &[
    (b">\nACGT\n", 0, 1, 1, "no name"),
    (b">a\nA\n> b\nC\n", 1, 3, 2, "no name"),
    (b">a\x0bb\nA\n", 0, 1, 1, "byte 0x0b in the header line"),
    (b">a\rACGT\r>b\rACGT\r", 0, 1, 1, "a carriage return in the header line"),
    (b">a\nAC\n\nGT\n", 0, 3, 1, "empty line inside the sequence"),
    (b">a\n\nACGT\n", 0, 2, 1, "empty line inside the sequence"),
    (b">a\nACGT\n>b\nAC GT\n", 1, 4, 2, "a space in the sequence, column 3"),
    (b">a\nACGT\n\tA\n", 0, 3, 1, "a tab in the sequence, column 1"),
    (b">a\nAC\x00GT\n", 0, 2, 1, "a NUL byte in the sequence, column 3"),
    (b">a\nAC\nG\xc3\xa9\n", 0, 3, 1, "byte 0xc3 in the sequence, column 2"),
    (b">a\nAC\rGT\n", 0, 2, 1, "a carriage return in the sequence, column 3"),
    (b">a\nAC\n;note\nGT\n", 0, 3, 1, "comment line"),
    (b">a\nAC\n@b\nAC\n+\nII\n", 0, 3, 1, "a FASTQ header line"),
];

const FASTQ: &[Row] = &[
    (b"@\nA\n+\nI\n", 0, 1, 1, "no name"),
    (b"@a\nAC GT\n+\nIIIII\n", 0, 2, 1, "a space in the sequence, column 3"),
    (b"@a\nACGT\n+\nI\tII\n", 0, 4, 1, "a tab in the quality, column 2"),
    (b"@a\nACGT\n+\nIII\x7f\n", 0, 4, 1, "a DEL byte in the quality, column 4"),
    (b"@a\nACGT\n+b\nIIII\n", 0, 3, 1, "repeats another header"),
    (b"@a x\nACGT\n+a\nIIII\n", 0, 3, 1, "repeats another header"),
    (b"@a\nACGT\n+\nIII\n", 0, 4, 1, "ends inside the record: the sequence has 4 symbols, its quality 3"),
    (b"@a\nACGT\n+\nIIIII\n", 0, 4, 1, "the sequence has 4 symbols, its quality 5"),
    (b"@a\nACGT\n+\nIII\n@b\nA\n+\nI\n", 0, 5, 1, "quality 3 before this line and 5 with it"),
    (b"@a\nACGT\n+\n\nIIII\n", 0, 4, 1, "quality 0 before this empty line"),
    (b"@a\nACGT\n+\nII\n\nII\n", 0, 5, 1, "quality 2 before this empty line"),
    (
        b"@a\nACGT\n+\nIIII\nII\n",
        0,
        5,
        1,
        "complete with 4 symbols; expected a header line starting with `@`, found `I`",
    ),
    (b"@a\nACGT\n+\nIIII\n+a\nIIII\n", 0, 5, 1, "found `+`"),
    (b"@a\n\n+\nI\n", 0, 4, 1, "complete with 0 symbols"),
    (b"@a\nA\n+\nI\n\n@b\nA\n+\nI\n", 1, 5, 2, "found an empty line"),
    (b"@a\nA\n+\nI\n>b\nA\n", 0, 5, 1, "found `>`"),
    (b"@a\nACGT\n@b\nACGT\n+\nIIII\n", 0, 3, 1, "found a header line (`@`)"),
    (b"@a\nAC\n\nGT\n+\nIIII\n", 0, 3, 1, "empty line inside the sequence"),
    (b"@a\nAC\n\n+\nII\n", 0, 3, 1, "empty line inside the sequence"),
    (b"@a\n\nAC\n+\nII\n", 0, 2, 1, "empty line inside the sequence"),
    (b"@a", 0, 1, 1, "the file ends inside the record: no `+` line"),
    (b"@a\n", 0, 1, 1, "no `+` line"),
    (b"@a\nACGT\n", 0, 2, 1, "no `+` line"),
    (b"@a\nACGT\n\n", 0, 3, 1, "no `+` line"),
    (b"@a\nACGT\n+", 0, 3, 1, "the sequence has 4 symbols, its quality 0"),
];

#[test]
fn table() {
    for (input, good, line, record, words) in [START, FASTA, FASTQ].concat() {
        for buffer_bytes in 1..=400 {
            let reading = Reading::of_bytes(input, buffer_bytes);
            let text = String::from_utf8_lossy(input);
            let (found_line, found_record, message) = reading.input_error();
            assert_eq!((reading.records.len(), found_line, found_record), (good, line, record), "{text:?}: {message}");
            assert!(message.contains(words), "{text:?}: {message:?} lacks {words:?}");
        }
    }
}

#[test]
fn the_whole_message() {
    let error = Reading::of_bytes(b"@a\nACGT\n+\nI\tII\n", 64).error.unwrap();
    assert_eq!(error.to_string(), "input, line 4, record 1: a tab in the quality, column 2");
}
