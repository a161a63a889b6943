//! What a file is called in tables: its name without folder, compression and format, and as a sample without its mate.
//!
//! ```text
//! run7/patient-12_R1.fastq.gz   patient-12
//!                         ---   compression
//!                   ------      format
//!                ---            mate
//! ```
//!
//! Each part is taken off once, from the end, in any case of letters, and only while something is left in front of it.

use std::path::Path;

const COMPRESSIONS: &[&str] = &[".gz", ".bgz", ".bgzf", ".zst", ".zstd", ".xz", ".bz2"];
const FORMATS: &[&str] = &[".fastq", ".fq", ".fasta", ".fa", ".fna", ".ffn", ".frn", ".fas", ".fsa"];
const PROTEINS: &[&str] = &[".faa"];
const MATES: &[&str] = &["_R1", "_R2", "_1", "_2"];

/// The label of a file; `stdin` for standard input. Control characters, which no table could hold, are `_`.
pub fn of_file(path: &Path) -> Vec<u8> {
    of(path, &[COMPRESSIONS, FORMATS, PROTEINS])
}

/// The label of the sample in a file: that of the file without its mate.
pub fn of_sample(path: &Path) -> Vec<u8> {
    of(path, &[COMPRESSIONS, FORMATS, MATES])
}

fn of(path: &Path, endings: &[&[&str]]) -> Vec<u8> {
    if path == Path::new("-") {
        return b"stdin".to_vec();
    }
    let name = path.file_name().unwrap_or(path.as_os_str()).as_encoded_bytes();
    let bare = endings.iter().fold(name, |name, endings| without(name, endings));
    bare.iter().map(|&byte| if byte.is_ascii_control() { b'_' } else { byte }).collect()
}

/// `name` without the one of `endings` that it has.
fn without<'n>(name: &'n [u8], endings: &[&str]) -> &'n [u8] {
    let before = |ending: &&str| {
        let (before, end) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
        (!before.is_empty() && end.eq_ignore_ascii_case(ending.as_bytes())).then_some(before)
    };
    endings.iter().find_map(before).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_samples() {
        for (path, expected) in [
            ("-", "stdin"),
            ("run7/patient-12_R1.fastq.gz", "patient-12"),
            ("/a/b/x_2.FQ.GZ", "x"),
            ("x.fa", "x"),
            ("x_1", "x"),
            ("x_1_R2.fna.zst", "x_1"),
            ("x_1.y.fasta", "x_1.y"),
            ("x.fastq.fastq", "x.fastq"),
            ("x.txt", "x.txt"),
            ("x.txt.gz", "x.txt"),
            (".fastq", ".fastq"),
            ("_1.fq", "_1"),
            ("reads_R3.fq", "reads_R3"),
            ("a b\tc.fas", "a b_c"),
            ("..", ".."),
        ] {
            assert_eq!(String::from_utf8(of_sample(Path::new(path))).unwrap(), expected, "{path}");
        }
    }

    #[test]
    fn labels_of_files_keep_the_mate() {
        for (path, expected) in [("-", "stdin"), ("run7/x_1.FNA.gz", "x_1"), ("x_R2.fq", "x_R2"), ("x.faa", "x")] {
            assert_eq!(String::from_utf8(of_file(Path::new(path))).unwrap(), expected, "{path}");
        }
    }
}
