//! Tables: what their columns are called, and what they hold.

/// Columns that hold names and words.
const WORDS: &[&str] = &[
    "alphabet",
    "call",
    "canonical",
    "checksum",
    "cigar",
    "file",
    "genome",
    "group",
    "hash",
    "medoid",
    "options",
    "pair",
    "query",
    "read",
    "sample",
    "sequence",
    "signature",
    "strand",
    "target",
    "window",
];

/// Columns that hold numbers.
const NUMBERS: &[&str] = &[
    "bits",
    "breadth",
    "bytes",
    "cluster",
    "columns",
    "complexity",
    "density",
    "distance",
    "empty",
    "end",
    "evalue",
    "evenness",
    "excluded",
    "forward_mismatches",
    "found",
    "fragments",
    "gc",
    "identity",
    "informative",
    "integrity_hash",
    "k",
    "kept",
    "length",
    "letters",
    "longest",
    "matches",
    "mate",
    "max_distance",
    "mean_distance",
    "mean_mismatches",
    "mean_phred",
    "median_depth",
    "medoid_end",
    "medoid_start",
    "mismatches",
    "pairs",
    "probe_mismatches",
    "query_end",
    "query_length",
    "query_start",
    "repeated",
    "reverse_mismatches",
    "score",
    "sequences",
    "shared",
    "shortest",
    "signatures",
    "size",
    "start",
    "target_end",
    "target_length",
    "target_start",
    "thinned",
    "version",
    "wild",
    "windows",
    "windows_without_words",
    "x",
    "y",
];

/// Whether a line names columns of a table.
pub fn is_header(line: &[u8]) -> bool {
    let is_name = |field: &[u8]| WORDS.iter().chain(NUMBERS).any(|name| name.as_bytes() == field);
    line.split(|&byte| byte == b'\t').all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_told_from_rows() {
        for (line, expected) in [
            (&b"sample\tsequence\tmate"[..], true),
            (b"sample", true),
            (b"sample\tr1", false),
            (b"sample\t\t1", false),
            (b"", false),
        ] {
            assert_eq!(is_header(line), expected);
        }
    }
}
