//! Primer pairs, and the tables that they are read from.
//!
//! ```text
//! name    forward               reverse               probe           tabs between columns; this line may be missing
//! 16S-V4  GTGYCAGCMGCCGCGGTAA   GGACTACNVGGGTWTCTAAT
//! # a comment
//! ```
//!
//! A probe may be missing. Names differ, also between tables. Primers are written as they are synthesised, 5' to 3', in IUPAC
//! codes; case does not matter, and U is T.

use super::Options;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use warpseq_io::error::{FileError, Result};
use warpseq_io::lines::{Fault, Lines};
use warpseq_io::text::Text;
use warpseq_seq::Wildcards;
use warpseq_seq::iupac::check_signature;

/// Bytes of a table that are read at a time.
const BLOCK: usize = 1 << 20;
/// What columns are called in a header line.
const COLUMNS: [&str; 4] = ["name", "forward", "reverse", "probe"];
/// The most symbols of a primer or probe.
const PRIMER_MAX: usize = 10_000;

/// Two primers, and maybe a probe between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    name: Vec<u8>,
    forward: Vec<u8>,
    reverse: Vec<u8>,
    probe: Option<Vec<u8>>,
}

impl Pair {
    /// A pair for use under `options`.
    ///
    /// # Errors
    /// What is wrong with the name, with a primer or with the probe, and what was expected.
    pub fn new(
        name: &[u8],
        [forward, reverse]: [&[u8]; 2],
        probe: Option<&[u8]>,
        options: &Options,
    ) -> std::result::Result<Self, String> {
        check_name(name)?;
        for (bases, role) in [(forward, "forward primer"), (reverse, "reverse primer")] {
            check_bases(bases, role, options)?;
            let (bases, exact) = (bases.len(), options.three_prime);
            if exact as usize > bases {
                return Err(format!(
                    "the {role} has {bases} bases, and --three-prime {exact} asks for more without a mismatch: lower it"
                ));
            }
        }
        probe.map_or(Ok(()), |probe| check_bases(probe, "probe", options))?;
        let [name, forward, reverse] = [name, forward, reverse].map(<[u8]>::to_vec);
        Ok(Self { name, forward, reverse, probe: probe.map(<[u8]>::to_vec) })
    }

    /// What the pair is called; no blanks.
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// The forward primer, 5' to 3'.
    pub fn forward(&self) -> &[u8] {
        &self.forward
    }

    /// The reverse primer, 5' to 3'.
    pub fn reverse(&self) -> &[u8] {
        &self.reverse
    }

    /// The probe, 5' to 3', if there is one.
    pub fn probe(&self) -> Option<&[u8]> {
        self.probe.as_deref()
    }
}

fn check_name(name: &[u8]) -> std::result::Result<(), String> {
    let shown = String::from_utf8_lossy(name);
    match name.iter().find(|byte| byte.is_ascii_whitespace() || byte.is_ascii_control()) {
        Some(_) => {
            Err(format!("the name {shown:?} of the pair has a blank, where many programs end a name: write _ for it"))
        }
        None if name.is_empty() => Err("the pair has no name: give it one".into()),
        None => Ok(()),
    }
}

/// Refuses what cannot be a primer, or matches anywhere.
fn check_bases(bases: &[u8], role: &str, options: &Options) -> std::result::Result<(), String> {
    let (length, most) = (bases.len(), options.max_mismatch);
    if bases.is_empty() {
        return Err(format!("the {role} is empty: write its bases, 5' to 3'"));
    }
    if length > PRIMER_MAX {
        return Err(format!("the {role} has {length} bases, and at most {PRIMER_MAX} can be searched for"));
    }
    if let Err(at) = check_signature(bases, Wildcards::Iupac) {
        let (found, column) = (char::from(bases[at]), at + 1);
        let meant = if matches!(found, 'I' | 'i') { " (for inosine, write N)" } else { "" };
        return Err(format!(
            "{found:?}, number {column} of the {role}, is no nucleotide code: expected A, C, G, T, U or another IUPAC code{meant}"
        ));
    }
    if most as usize >= length {
        return Err(format!(
            "all {length} bases of the {role} may be mismatches under --max-mismatch {most}, and it would bind anywhere: allow at \
             most {}",
            length - 1
        ));
    }
    Ok(())
}

/// Where a pair was read: a table, by its number, and a line.
type Origin = (usize, u64);

/// Reads tables one after another; `-` is standard input.
///
/// # Errors
/// [`FileError::File`]; [`FileError::Input`] for a line that is no pair, and for a name that an earlier line has;
/// [`FileError::Unusable`] for a table without pairs.
pub fn read(paths: &[PathBuf], options: &Options) -> Result<Vec<Pair>> {
    let (mut pairs, mut names) = (Vec::new(), HashMap::new());
    let mut labels = Vec::new();
    for (table, path) in paths.iter().enumerate() {
        let before = pairs.len();
        let text = Text::open(path, BLOCK, 1)?;
        labels.push(text.label().to_path_buf());
        let label = labels[table].as_path();
        let mut lines = Lines::new(text.serial());
        while lines.read().map_err(|fault| refused(label, pairs.len() - before, fault))? {
            let told = |message| Err(refused(label, pairs.len() - before, lines.fault(message)));
            let parsed = match parse(lines.line(), lines.number() == 1, options) {
                Ok(None) => continue,
                Ok(Some(pair)) => pair,
                Err(message) => return told(message),
            };
            match names.entry(parsed.name.clone()) {
                Entry::Occupied(first) => return told(same_name(first.key(), *first.get(), &labels)),
                Entry::Vacant(free) => free.insert((table, lines.number())),
            };
            pairs.push(parsed);
        }
        if pairs.len() == before {
            let message = "there are no primer pairs in it: expected lines of a name, a forward and a reverse primer, and maybe a \
                           probe, with tabs between them";
            return Err(FileError::Unusable { path: label.to_path_buf(), message: message.into() });
        }
    }
    Ok(pairs)
}

fn refused(path: &Path, pairs: usize, fault: Fault) -> FileError {
    fault.of_file(path.to_path_buf(), |_| pairs as u64 + 1)
}

fn same_name(name: &[u8], (table, line): Origin, labels: &[PathBuf]) -> String {
    let name = String::from_utf8_lossy(name);
    let of_other = labels[..labels.len() - 1].get(table).map(|path| format!(" of {}", path.display()));
    format!(
        "the name {name} is that of the pair on line {line}{}, too: rename one of them",
        of_other.unwrap_or_default()
    )
}

/// The pair of a line; `None` for an empty line, a comment, and the header.
fn parse(line: &[u8], is_first: bool, options: &Options) -> std::result::Result<Option<Pair>, String> {
    let line = if is_first { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
    if line.trim_ascii().is_empty() || line[0] == b'#' {
        return Ok(None);
    }
    let cells: Vec<&[u8]> = line.split(|&byte| byte == b'\t').map(<[u8]>::trim_ascii).collect();
    if is_header(&cells) {
        return Ok(None);
    }
    let probe = cells.get(3).copied().filter(|probe| !probe.is_empty());
    let cells = match cells[..] {
        [name, forward, reverse] | [name, forward, reverse, _] => (name, [forward, reverse]),
        _ => {
            return Err(format!(
                "expected a name, a forward and a reverse primer, and maybe a probe, with tabs between them; found {} columns",
                cells.len()
            ));
        }
    };
    Pair::new(cells.0, cells.1, probe, options).map(Some)
}

/// Whether a line names the columns. The O of its second word is no code, so no pair looks like it.
fn is_header(cells: &[&[u8]]) -> bool {
    let is_named = |(cell, column): (&&[u8], &&str)| cell.eq_ignore_ascii_case(column.as_bytes());
    (3..=4).contains(&cells.len()) && cells.iter().zip(&COLUMNS).all(is_named)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(max_mismatch: u32, three_prime: u32) -> Options {
        Options { max_mismatch, three_prime, ..Options::default() }
    }

    fn read_texts(texts: &[&str], options: &Options) -> Result<Vec<Pair>> {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<_> = (0..texts.len()).map(|k| folder.path().join(format!("t{k}"))).collect();
        paths.iter().zip(texts).for_each(|(path, text)| std::fs::write(path, text).unwrap());
        read(&paths, options)
    }

    fn pair(name: &str, forward: &str, reverse: &str, probe: Option<&str>) -> Pair {
        let primers = [forward.as_bytes(), reverse.as_bytes()];
        Pair::new(name.as_bytes(), primers, probe.map(str::as_bytes), &options(0, 0)).unwrap()
    }

    #[test]
    fn tables_are_read() {
        let expected = [pair("a", "ACGT", "gguRN.", None), pair("b", "A", "C", Some("GG"))];
        for text in [
            "a\tACGT\tgguRN.\nb\tA\tC\tGG\n",
            "\u{feff}Name\tForward\tREVERSE\tprobe\r\n\r\na\tACGT\tgguRN.\t\r\n# a\tb\r\nb\t A \tC\tGG",
            "#name\tforward\treverse\n\na\tACGT\tgguRN.\nname\tforward\treverse\nb\tA\tC\tGG\n  \n",
        ] {
            assert_eq!(read_texts(&[text], &options(0, 0)).unwrap(), expected, "{text}");
        }
        let both = read_texts(&["a\tACGT\tgguRN.\n", "name\tforward\treverse\nb\tA\tC\tGG\n"], &options(0, 0));
        assert_eq!(both.unwrap(), expected);
    }

    #[test]
    fn what_is_no_pair_is_told_with_its_place() {
        for (texts, options, words) in [
            (&["a\tAC\n"][..], options(0, 0), &["t0, line 1, record 1: ", "tabs", "found 2 columns"][..]),
            (&["a AC GG\n"], options(0, 0), &["found 1 columns"]),
            (&["a\tAC\tGG\tA\t1\n"], options(0, 0), &["found 5 columns"]),
            (&["#\na\tAC\tGG\n\tAC\tGG"], options(0, 0), &["t0, line 3, record 2: ", "no name"]),
            (&["16S V4\tAC\tGG"], options(0, 0), &["\"16S V4\"", "write _"]),
            (&["a\tAC\t\tGG"], options(0, 0), &["the reverse primer is empty"]),
            (
                &["id\tfwd\trev"],
                options(0, 0),
                &["line 1", "'f', number 1 of the forward primer, is no nucleotide code"],
            ),
            (&["a\tAC\tGI"], options(0, 0), &["'I', number 2 of the reverse primer", "for inosine, write N"]),
            (&["a\tA-C\tG"], options(0, 0), &["'-', number 2 of the forward primer"]),
            (&["a\tAC\tG\tA C"], options(0, 0), &["' ', number 2 of the probe"]),
            (
                &["a\tACG\tGGG\nb\tACG\tGG\n"],
                options(2, 0),
                &["line 2", "all 2 bases of the reverse primer", "at most 1"],
            ),
            (&["a\tACG\tGGG\tTT\n"], options(2, 0), &["all 2 bases of the probe"]),
            (&["a\tACG\tGGGG\tT\n"], options(0, 4), &["the forward primer has 3 bases", "--three-prime 4"]),
            (&["a\tA\tC\nb\tA\tC\na\tG\tG\n"], options(0, 0), &["line 3, record 3: the name a", "on line 1, too"]),
            (
                &["a\tA\tC\n", "\na\tG\tG\n"],
                options(0, 0),
                &["t1, line 2, record 1: the name a", "on line 1 of ", "t0, too"],
            ),
            (&["a\tA\tC\n", "# none\nname\tforward\treverse\n"], options(0, 0), &["t1: there are no primer pairs"]),
            (&["a\tA\0\tC\n"], options(0, 0), &["t0, line 1, record 1: a NUL byte"]),
        ] {
            let told = read_texts(texts, &options).unwrap_err().to_string();
            words.iter().for_each(|word| assert!(told.contains(word), "{told:?} lacks {word:?}"));
        }
        assert!(
            read(&["/nowhere".into()], &options(0, 0)).unwrap_err().to_string().starts_with("cannot open /nowhere")
        );
    }

    #[test]
    fn a_probe_may_be_shorter_than_the_exact_end_of_a_primer() {
        assert_eq!(read_texts(&["a\tACGT\tGGGG\tTT\n"], &options(1, 4)).unwrap().len(), 1);
    }
}
