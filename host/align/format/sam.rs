//! `sam`: the Sequence Alignment/Map format (Li et al. 2009, Bioinformatics 25:2078; specification 1.6).
//!
//! # What a line says
//!
//! - FLAG 0, 16 for strand `-` (SEQ and QUAL are turned then), 256 added for all but the best of a query (SEQ and QUAL are `*`).
//! - POS is 1-based. A D at either end of the path, which global alignments have, is left out, POS moves past it, and NM does
//!   not count it; AS is the score of the whole path. Query ends outside the path are soft clips.
//! - MAPQ 255: none was computed. QUAL is Phred + 33, whatever the input's encoding; `*` for FASTA.
//! - Without a diagonal column there is no place on the target. Of a query's pairs that are reported, the best one with a place
//!   is primary; pairs without a place have no line. If no pair has a place, the query has one line all the same: FLAG 4,
//!   everything but name, SEQ and QUAL `*` or 0.
//!
//! # What it cannot say
//!
//! Names that its grammar forbids ([`check_query`], [`check_target`]); two targets of one name. A target without residues has no
//! @SQ line, as LN must be at least 1, and nothing is aligned diagonally with it.

use super::{Counts, Layout, Line, Record};
use crate::{Alignment, Mode, Op, Run, Scoring};
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Write};
use std::path::Path;
use warpseq_io::error::FileError;
use warpseq_seq::{PhredOffset, Wildcards, strand::reverse_complement};

const REVERSE: u16 = 16;
const UNMAPPED: u16 = 4;
const SECONDARY: u16 = 256;
const NAME_BYTES_MAX: usize = 254;
/// LN and POS are 31-bit numbers.
const LENGTH_MAX: u64 = i32::MAX as u64;

/// That SAM can hold a query's name: QNAME is `[!-?A-~]{1,254}`.
///
/// # Errors
/// Why it cannot, and what to do.
pub fn check_query(name: &[u8]) -> Result<(), String> {
    check_length(name)?;
    let illegal = name.iter().find(|&&byte| byte == b'@' || !byte.is_ascii_graphic());
    illegal.map_or(Ok(()), |&byte| Err(unnameable(name, &format!("has {}, which no query of SAM has", shown(byte)))))
}

/// That SAM can hold a target's name: RNAME is `[0-9A-Za-z!#$%&+./:;?@^_|~-][0-9A-Za-z!#$%&*+./:;=?@^_|~-]*`.
///
/// # Errors
/// As [`check_query`].
pub fn check_target(name: &[u8]) -> Result<(), String> {
    check_length(name)?;
    if let Some(&first @ (b'*' | b'=')) = name.first() {
        return Err(unnameable(name, &format!("starts with {}, as no reference of SAM does", shown(first))));
    }
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&*+-./:;=?@^_|~".contains(&byte);
    let illegal = name.iter().find(|&&byte| !legal(byte));
    illegal
        .map_or(Ok(()), |&byte| Err(unnameable(name, &format!("has {}, which no reference of SAM has", shown(byte)))))
}

fn check_length(name: &[u8]) -> Result<(), String> {
    match name.len() {
        0..=NAME_BYTES_MAX => Ok(()),
        length => Err(unnameable(&name[..40], &format!("... has {length} bytes, and SAM allows {NAME_BYTES_MAX}"))),
    }
}

fn shown(byte: u8) -> String {
    if byte.is_ascii_graphic() { format!("`{}`", char::from(byte)) } else { format!("byte {byte:#04x}") }
}

fn unnameable(name: &[u8], why: &str) -> String {
    format!("the name {} {why}: rename the record, or write --format paf", String::from_utf8_lossy(name))
}

pub(super) fn write_header(out: &mut impl Write, layout: &Layout, targets: &Targets) -> io::Result<()> {
    out.write_all(b"@HD\tVN:1.6\tSO:unsorted\n")?;
    targets.write(out)?;
    if let Some(command) = layout.command {
        let command = command.replace(char::is_control, " ");
        writeln!(out, "@PG\tID:warpseq\tPN:warpseq\tVN:{}\tCL:{command}", env!("CARGO_PKG_VERSION"))?;
    }
    writeln!(out, "@CO\twarpseq align: {}", layout.statement)
}

/// Whether an alignment has a place on its target: a diagonal column.
pub fn is_placed(alignment: &Alignment) -> bool {
    alignment.path.iter().any(|run| matches!(run.op, Op::Equal | Op::Different))
}

/// Whether an alignment of this score has a place, where the score tells; the lengths are those of query and target.
///
/// A path of gaps alone is always possible, so an optimal score is not below that of gaps, and one above it needs a diagonal
/// column. Where gaps alone are free, the first end cell of score 0 lies on the border, and the path there has no columns. Where
/// they cost something, a path with diagonal columns may cost as much.
pub fn placed_by_score(scoring: &Scoring, score: i64, [query, target]: [usize; 2]) -> Option<bool> {
    let gaps = match scoring.mode {
        Mode::Local | Mode::Overlap => 0,
        Mode::Fit => scoring.gap.cost(query),
        Mode::Global => scoring.gap.cost(query).saturating_add(scoring.gap.cost(target)),
    };
    match gaps {
        _ if score > -gaps => Some(true),
        0 => Some(false),
        _ => None,
    }
}

pub(super) fn write(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
    if is_placed(line.alignment) {
        return write_mapped(out, layout, line);
    }
    if !line.primary {
        return Ok(());
    }
    out.write_all(line.query.name)?;
    write!(out, "\t{UNMAPPED}\t*\t0\t0\t*\t*\t0\t0\t")?;
    write_sequence(out, layout, &line.query, false)?;
    out.write_all(b"\n")
}

fn write_mapped(out: &mut impl Write, layout: &Layout, line: &Line) -> io::Result<()> {
    let (path, skipped) = without_outer_deletions(&line.alignment.path);
    let flag = REVERSE * u16::from(line.reverse) + SECONDARY * u16::from(!line.primary);
    let position = line.alignment.target.start + skipped + 1;
    out.write_all(line.query.name)?;
    write!(out, "\t{flag}\t")?;
    out.write_all(line.target.name)?;
    write!(out, "\t{position}\t255\t")?;
    let aligned = &line.alignment.query;
    write_clip(out, aligned.start)?;
    layout.cigar.write(out, path)?;
    write_clip(out, line.query.residues.len() as u64 - aligned.end)?;
    out.write_all(b"\t*\t0\t0\t")?;
    match line.primary {
        true => write_sequence(out, layout, &line.query, line.reverse)?,
        false => out.write_all(b"*\t*")?,
    }
    layout.write_tags(out, line, &Counts::of(path))?;
    out.write_all(b"\n")
}

/// The path without a D at either end, and how many target symbols were left out before it.
fn without_outer_deletions(path: &[Run]) -> (&[Run], u64) {
    let (path, skipped) = match path {
        [Run { op: Op::Deletion, length }, rest @ ..] => (rest, u64::from(*length)),
        _ => (path, 0),
    };
    match path {
        [rest @ .., Run { op: Op::Deletion, .. }] => (rest, skipped),
        _ => (path, skipped),
    }
}

fn write_clip(out: &mut impl Write, symbols: u64) -> io::Result<()> {
    if symbols > 0 { write!(out, "{symbols}S") } else { Ok(()) }
}

/// SEQ and QUAL.
fn write_sequence(out: &mut impl Write, layout: &Layout, query: &Record, reverse: bool) -> io::Result<()> {
    if query.residues.is_empty() {
        return out.write_all(b"*\t*");
    }
    let residues =
        if reverse { Cow::Owned(reverse_complement(query.residues, Wildcards::Iupac)) } else { query.residues.into() };
    out.write_all(&residues)?;
    out.write_all(b"\t")?;
    let Some(quality) = query.quality else { return out.write_all(b"*") };
    let mut quality: Vec<u8> = quality.iter().map(|&byte| sanger(byte, layout.phred)).collect();
    if reverse {
        quality.reverse();
    }
    out.write_all(&quality)
}

/// A quality byte as Phred + 33. Solexa's qualities are -10 log10(p / (1 - p)) and become Phred's -10 log10(p), rounded (Cock
/// et al. 2010, Nucleic Acids Res. 38:1767).
fn sanger(byte: u8, phred: PhredOffset) -> u8 {
    let quality = i32::from(byte) - i32::from(phred.offset());
    let quality = match phred {
        PhredOffset::Sanger | PhredOffset::Illumina64 => quality,
        PhredOffset::Solexa => (10.0 * (10_f64.powf(f64::from(quality) / 10.0) + 1.0).log10()).round() as i32,
    };
    quality.clamp(0, 93) as u8 + PhredOffset::Sanger.offset()
}

/// What the @SQ lines say. Letters are not kept, only a 64-bit hash of them.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// Name, length, hash.
    targets: Vec<(Vec<u8>, u64, u64)>,
    places: HashMap<Vec<u8>, usize>,
}

impl Targets {
    /// Adds a target of the file `path`, unless one with the same name and residues was added before. Its name is one that
    /// [`check_target`] allows.
    ///
    /// # Errors
    /// [`FileError::Unusable`] for a name that has other residues already, and for more than 2^31 - 1 residues.
    pub fn add(&mut self, path: &Path, name: &[u8], residues: &[u8]) -> Result<(), FileError> {
        let unusable = |message| FileError::Unusable { path: path.into(), message };
        let length = residues.len() as u64;
        if length > LENGTH_MAX {
            let name = String::from_utf8_lossy(name);
            return Err(unusable(format!(
                "target {name} has {length} residues, and SAM allows {LENGTH_MAX}: cut it, or write --format paf"
            )));
        }
        let hash = hash_of(residues);
        let Some(&place) = self.places.get(name) else {
            self.places.insert(name.into(), self.targets.len());
            self.targets.push((name.into(), length, hash));
            return Ok(());
        };
        let (_, known_length, known_hash) = self.targets[place];
        if (known_length, known_hash) == (length, hash) {
            return Ok(());
        }
        let name = String::from_utf8_lossy(name);
        let message = format!(
            "two targets with different residues have the name {name}, which SAM cannot tell apart: rename one, or write \
             --format paf"
        );
        Err(unusable(message))
    }

    /// Writes a line for each target that has residues.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for (name, length, _) in self.targets.iter().filter(|(_, length, _)| *length > 0) {
            out.write_all(b"@SQ\tSN:")?;
            out.write_all(name)?;
            writeln!(out, "\tLN:{length}")?;
        }
        Ok(())
    }
}

fn hash_of(residues: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(residues);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::tests::path;

    #[test]
    fn outer_deletions_go() {
        for (before, after, skipped) in
            [("2D3=1D", "3=", 2), ("3=", "3=", 0), ("1I2=4D", "1I2=", 0), ("3D1I2=", "1I2=", 3)]
        {
            assert_eq!(without_outer_deletions(&path(before)), (path(after).as_slice(), skipped));
        }
    }

    #[test]
    fn qualities_become_sanger() {
        assert_eq!([b'!', b'I', b'~'].map(|byte| sanger(byte, PhredOffset::Sanger)), *b"!I~");
        assert_eq!([b'@', b'h', b'~'].map(|byte| sanger(byte, PhredOffset::Illumina64)), *b"!I_");
        // Solexa -5, -1, 0, 1, 9, 10, 40 are Phred 1, 3, 3, 4, 10, 10, 40.
        let phred = [59, 63, 64, 65, 73, 74, 104].map(|byte| sanger(byte, PhredOffset::Solexa) - 33);
        assert_eq!(phred, [1, 3, 3, 4, 10, 10, 40]);
    }

    #[test]
    fn names_that_sam_cannot_hold() {
        for byte in 0..=255 {
            let query = matches!(byte, b'!'..=b'?' | b'A'..=b'~');
            let forbidden = b"\"'(),<>[\\]`{}".contains(&byte);
            let target = matches!(byte, b'!'..=b'~') && !forbidden;
            let inside = [b'a', byte];
            assert_eq!((check_query(&inside).is_ok(), check_target(&inside).is_ok()), (query, target), "{byte}");
            let first = target && byte != b'*' && byte != b'=';
            assert_eq!((check_query(&[byte]).is_ok(), check_target(&[byte]).is_ok()), (query, first), "{byte}");
        }
        for check in [check_query, check_target] {
            assert_eq!(check(&[b'a'; 254]), Ok(()));
            let message = check(&[b'a'; 255]).unwrap_err();
            assert!(message.starts_with("the name aaaa") && message.contains("has 255 bytes"), "{message}");
        }
        assert!(
            check_query(b"a@x").unwrap_err().starts_with("the name a@x has `@`, which no query of SAM has: rename")
        );
        assert!(check_target(b"a\xe9").unwrap_err().contains(" has byte 0xe9, which no reference of SAM has: rename"));
        assert!(check_target(b"*").unwrap_err().contains("starts with `*`"));
    }

    #[test]
    fn each_name_once_in_order() {
        let mut targets = Targets::default();
        for (name, residues) in [("b", "ACG"), ("a", "AC"), ("b", "ACG"), ("empty", "")] {
            targets.add(Path::new("t.fa"), name.as_bytes(), residues.as_bytes()).unwrap();
        }
        let mut out = vec![];
        targets.write(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "@SQ\tSN:b\tLN:3\n@SQ\tSN:a\tLN:2\n");
    }

    #[test]
    fn one_name_of_two_targets() {
        let mut targets = Targets::default();
        targets.add(Path::new("t.fa"), b"b", b"ACG").unwrap();
        let error = targets.add(Path::new("t.fa"), b"b", b"ACC").unwrap_err().to_string();
        assert!(error.starts_with("t.fa: two targets"), "{error}");
    }
}
