//! Files that are no FASTA or FASTQ, told by their first bytes, and what to do with each.
//!
//! A file is called something only for what no FASTA or FASTQ begins with, so nothing that can be read is refused. The exception
//! is the header of SAM, which begins like FASTQ: [`is_sam_header`] is asked only about a first record that broke the format.

/// Bytes of the first line that tell: as many as reach the name that tar writes into the header of its first file.
pub(super) const TELLING: usize = 512;

/// Where tar writes its name.
const TAR: usize = 257;

/// The fields of a line of SAM that are always there.
const SAM_FIELDS: usize = 11;

const FROM_SAM: &str = "convert it with `samtools fastq`, as in `samtools fastq FILE | warpseq ... -`";
const VARIANTS: &str = "it holds variants: give the sequences";

/// What begins a file, what that file is, and what to do.
const KINDS: &[(&[u8], &str, &str)] = &[
    (b"BAM\x01", "BAM", FROM_SAM),
    (b"CRAM", "CRAM", FROM_SAM),
    (b"BCF\x02", "BCF", VARIANTS),
    (b"##fileformat=VCF", "VCF", VARIANTS),
    (b"##gff-version", "GFF", "it holds annotations: give the sequences"),
    (
        b"WARPSIG\x1a",
        "a signature file of `warpseq sign`",
        "give the sequences here; `warpseq sign search`, `dist`, `cluster`, `map` and `info` read signature files, by their names",
    ),
    (
        b"WARPSDB\x1a",
        "a database file of `warpseq db`",
        "`warpseq align` takes it as --targets-db FILE, in place of the targets; elsewhere give the sequences it was made of",
    ),
    (b"NCBI.sra", "SRA", "convert it with `fasterq-dump FILE`"),
    (b"\x43\x27\x41\x1a", "2bit", "convert it with `twoBitToFa FILE OUTPUT`"),
    (b"\x89HDF\r", "HDF5, as FAST5 is", "call its bases first"),
    (b"LOCUS ", "GenBank", "convert it to FASTA, or download it as FASTA"),
    (b"ID   ", "EMBL", "convert it to FASTA, or download it as FASTA"),
    (b"\x1f\x8b", "gzip inside another compression", "decompress the file once"),
    (b"\x1f\x9d", "a file of compress", "decompress it, as in `gzip -dc FILE | warpseq ... -`"),
    (b"\x04\x22\x4d\x18", "lz4", "decompress it, as in `lz4 -dc FILE | warpseq ... -`"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip", "take the sequences out, as in `7z x -so FILE | warpseq ... -`"),
    (b"PK\x03\x04", "ZIP", "take the sequences out, as in `unzip -p FILE | warpseq ... -`"),
    (b"\xef\xbb\xbf", "a byte order mark", "save the file without one"),
    (b"\xff\xfe", "UTF-16", "save the file as plain text"),
    (b"\xfe\xff", "UTF-16", "save the file as plain text"),
    (b"<", "`<`, as in HTML and XML", "a web page may have been saved in place of the file: download the file itself"),
    (b"{", "`{`, as in JSON", "give the sequences as FASTA or FASTQ"),
    (b"[", "`[`, as in JSON", "give the sequences as FASTA or FASTQ"),
    (b";", "`;`", "comment lines are not supported: delete them"),
];

/// What a file is whose first line, or [`TELLING`] bytes of it, are these, and what to do; `None` where they do not tell.
pub(super) fn told_by(start: &[u8]) -> Option<(&'static str, &'static str)> {
    if let Some(&(_, what, advice)) = KINDS.iter().find(|(magic, ..)| start.starts_with(magic)) {
        return Some((what, advice));
    }
    if start.get(TAR..).is_some_and(|rest| rest.starts_with(b"ustar")) {
        return Some(("tar", "take the sequences out, as in `tar -xOf FILE | warpseq ... -`"));
    }
    is_sam_line(start).then_some((
        "SAM without a header",
        "save it with one (`samtools view -h`), and convert it with `samtools fastq`",
    ))
}

/// Whether a line has the fields of SAM, of which the second is a number. Its end may be missing.
fn is_sam_line(start: &[u8]) -> bool {
    let fields: Vec<&[u8]> = start.split(|&byte| byte == b'\t').collect();
    fields.len() >= SAM_FIELDS && !fields[1].is_empty() && fields[1].iter().all(u8::is_ascii_digit)
}

/// What to say about a record that begins like SAM and breaks the format.
pub(super) const SAM_ADVICE: &str =
    "; the file begins like SAM: convert it with `samtools fastq`, as in `samtools fastq FILE | warpseq ... -`";

/// Whether the header line of a record, without its `@`, is one of SAM's (the SAM specification, section 1.3).
pub(super) fn is_sam_header(title: &[u8]) -> bool {
    match title {
        [b'C', b'O', b'\t', ..] => true,
        [b'H', b'D', b'\t', rest @ ..] | [b'S', b'Q', b'\t', rest @ ..] => is_tag(rest),
        [b'R', b'G', b'\t', rest @ ..] | [b'P', b'G', b'\t', rest @ ..] => is_tag(rest),
        _ => false,
    }
}

/// A tag of two characters and a colon.
fn is_tag(field: &[u8]) -> bool {
    matches!(field, [first, second, b':', ..] if first.is_ascii_alphabetic() && second.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_sam_are_no_names() {
        for title in ["HD\tVN:1.6", "SQ\tSN:c\tLN:9", "RG\tID:1", "PG\tID:x", "CO\tanything"] {
            assert!(is_sam_header(title.as_bytes()), "{title}");
        }
        for title in ["HD", "SQ SN:c", "SQ\tfirst", "SQ1\tSN:c", "CO text", "r1\tSN:c", ""] {
            assert!(!is_sam_header(title.as_bytes()), "{title}");
        }
    }

    #[test]
    fn no_kind_begins_like_sequences() {
        assert!(KINDS.iter().all(|(magic, ..)| !magic.starts_with(b">") && !magic.starts_with(b"@")));
    }

    #[test]
    fn what_does_not_tell_is_called_nothing() {
        for start in [&b"hello\n"[..], b"A\tB\tC\n", b"ACGT", b"BAM", b"r\tx\tc\t1\t2\t3\t4\t5\t6\t7\t8", b"\0\0"] {
            assert_eq!(told_by(start), None, "{start:?}");
        }
        assert!(told_by(b"r\t4\t*\t0\t0\t*\t*\t0\t0\tA\tI").is_some_and(|(what, _)| what.starts_with("SAM")));
    }
}
