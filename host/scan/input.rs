//! What `scan` reads: the signatures, all at once, and what it demands of the sequences, which are read batch by batch. Genomes, all at
//! once, are what other commands begin with.

use super::seeds::maybe_twice;
use super::{Mismatches, Options, Records, Signature, Wildcards};
use rayon::prelude::*;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::Arc;
use warpseq_io::error::{FileError, Result};
use warpseq_io::fastx::{Batch, Batches, Demands, Kind, Place, Record, Refusal, Sizes};
use warpseq_seq::{iupac, phred::illegal_quality};

/// Reads a signatures file, by `sizes`.
///
/// # Errors
/// What [`Batches`] refuses; FASTQ; no signatures; two of one name; an empty signature, or one that may be all mismatches; a base
/// that the options do not allow.
pub fn signatures(path: &Path, options: &Options, sizes: Sizes) -> Result<Vec<Signature>> {
    read(path, demands_of_signatures(options), sizes, &SIGNATURES)
}

/// Reads a FASTA file of genomes in IUPAC codes and gaps (`-`), by `sizes`.
///
/// # Errors
/// What [`Batches`] refuses; FASTQ; no genomes; two of one name; an empty one; a byte that is no such symbol.
pub fn genomes(path: &Path, sizes: Sizes) -> Result<Records> {
    let check = |Record { residues, .. }: Record| match iupac::check_sequence(residues, Wildcards::Iupac) {
        _ if residues.is_empty() => Err(Refusal { place: Place::Header, message: GENOMES.no_bases() }),
        Ok(()) => Ok(0),
        Err(at) => {
            let found = char::from(residues[at]);
            let message = format!("{found:?} is not a base of a genome: expected A, C, G, T, U or another IUPAC code");
            Err(Refusal { place: Place::Residue(at), message })
        }
    };
    let demands = Demands { check: Some(Arc::new(check)), lines: true, ..Demands::default() };
    Ok(read(path, demands, sizes, &GENOMES)?.into_iter().map(Signature::into_parts).collect())
}

/// Reads a signatures file for the names, whatever the bases.
///
/// # Errors
/// As [`signatures`], but for the bases.
pub fn named(path: &Path) -> Result<Vec<Signature>> {
    let check = |Record { residues, .. }: Record| match residues.is_empty() {
        true => Err(Refusal { place: Place::Header, message: SIGNATURES.no_bases() }),
        false => Ok(0),
    };
    let sizes = Sizes { block: 1 << 20, ahead: rayon::current_num_threads() };
    read(path, Demands { check: Some(Arc::new(check)), lines: true, ..Demands::default() }, sizes, &SIGNATURES)
}

/// What the records of a file are called, and what is told of a file that is no FASTA.
struct Role {
    one: &'static str,
    many: &'static str,
    tip: &'static str,
}

const SIGNATURES: Role = Role {
    one: "signature",
    many: "signatures",
    tip: "are the two files swapped? (warpseq scan SAMPLES SIGNATURES) If not, convert it",
};

const GENOMES: Role = Role { one: "genome", many: "genomes", tip: "convert it" };

impl Role {
    fn no_bases(&self) -> String {
        format!("the {} has no bases: add them, or remove the record", self.one)
    }
}

fn read(path: &Path, demands: Demands, sizes: Sizes, role: &Role) -> Result<Vec<Signature>> {
    let Role { one, many, tip } = role;
    let mut batches = Batches::open(path, demands, sizes)?;
    let path = batches.reader().path().to_path_buf();
    let unusable = |message: String| FileError::Unusable { path: path.clone(), message };
    if batches.reader().kind() == Some(Kind::Fastq) {
        return Err(unusable(format!(
            "{many} must be FASTA, and this begins with `@`, as FASTQ and SAM do: {tip}, as with `seqkit fq2fa` or `samtools fasta`"
        )));
    }
    let (mut signatures, mut headers) = (Vec::new(), Vec::new());
    while let Some(Batch { records, lines, .. }) = batches.next()? {
        signatures.par_extend(Signature::of(&records));
        headers.extend(lines);
    }
    if let Some([first, second]) = same_name(&signatures) {
        let (name, before) = (String::from_utf8_lossy(signatures[first].name()), headers[first]);
        let message = format!("the name {name} is that of the {one} on line {before}, too: rename one of them");
        return Err(FileError::Input { path, line: headers[second], record: second as u64 + 1, message });
    }
    match too_many(signatures.len()) {
        Some(message) => Err(unusable(message)),
        None if signatures.is_empty() => Err(unusable(format!("there are no {many} in it"))),
        None => Ok(signatures),
    }
}

/// The first signature that has the name of one before it: that one, and itself. Those of one name have one hash.
fn same_name(signatures: &[Signature]) -> Option<[usize; 2]> {
    let state = RandomState::new();
    let hashes: Vec<u64> = signatures.par_iter().map(|signature| state.hash_one(signature.name())).collect();
    let maybe = maybe_twice(hashes.len(), |k| hashes[k]).into_par_iter().map(|k| k as usize);
    let mut hashes: Vec<(u64, usize)> = maybe.map(|k| (hashes[k], k)).collect();
    hashes.par_sort_unstable();
    let first_pair = |of_hash: &[(u64, usize)]| {
        let name = |at: usize| signatures[of_hash[at].1].name();
        let pairs = (1..of_hash.len()).flat_map(|second| (0..second).map(move |first| [first, second]));
        let mut same = pairs.filter(|&[first, second]| name(first) == name(second));
        same.next().map(|pair| pair.map(|at| of_hash[at].1))
    };
    hashes.par_chunk_by(|a, b| a.0 == b.0).filter_map(first_pair).min_by_key(|&[_, second]| second)
}

/// What is demanded of a signature: bases that the options allow, and not so few that it would match anywhere.
pub fn demands_of_signatures(options: &Options) -> Demands {
    let Options { wildcards, max_mismatch, .. } = *options;
    let check = move |Record { name, residues, .. }: Record| {
        let refused = |place, message| Err(Refusal { place, message });
        if residues.is_empty() {
            return refused(Place::Header, SIGNATURES.no_bases());
        }
        if let Some(message) = too_long(residues.len()) {
            return refused(Place::Header, message);
        }
        if let Some(message) = all_mismatches(name, residues.len() as u32, max_mismatch) {
            return refused(Place::Header, message);
        }
        match iupac::check_signature(residues, wildcards) {
            Ok(()) => Ok(0),
            Err(at) => refused(Place::Residue(at), illegal_base(residues[at], "a signature")),
        }
    };
    Demands { check: Some(Arc::new(check)), lines: true, ..Demands::default() }
}

/// Why a signature of so many bases cannot be searched for: they are counted in 32 bits.
fn too_long(bases: usize) -> Option<String> {
    let most = u32::MAX as usize;
    let message = || format!("the signature has {bases} bases, and at most {most} can be searched for: cut it");
    (bases > most).then(message)
}

/// Why a signature of so many bases cannot be searched for with that many mismatches: it would match anywhere.
fn all_mismatches(name: &[u8], bases: u32, allowed: Mismatches) -> Option<String> {
    let message = || {
        format!(
            "all {bases} bases of signature {} may be mismatches under --max-mismatch {allowed}, and it would match anywhere: \
             allow at most {}, or a percentage such as 5%, or remove the signature",
            String::from_utf8_lossy(name),
            bases - 1
        )
    };
    (allowed.of(bases) >= bases).then(message)
}

/// Why so many signatures cannot be searched for: their patterns, two each, are counted in 32 bits.
fn too_many(signatures: usize) -> Option<String> {
    let most = u32::MAX as usize / 2;
    let message = || format!("more than the {most} signatures that can be searched for: cut the file in two");
    (signatures > most).then(message)
}

fn illegal_base(base: u8, of: &str) -> String {
    let shown = char::from(base);
    format!(
        "{shown:?} is not a base of {of}: expected A, C, G, T, U or another IUPAC code (--wildcards n takes any printable byte)"
    )
}

/// What is demanded of a sequence to be searched: bases and qualities that `options` allow. Counts the `-` among the bases.
pub fn demands(options: &Options) -> Demands {
    let (wildcards, phred) = (options.wildcards, options.phred);
    let check = move |Record { residues, quality, .. }: Record| {
        let refused = |place, message| Err(Refusal { place, message });
        let gaps = match count_gaps(residues, wildcards) {
            Ok(gaps) => gaps,
            Err(at) => return refused(Place::Residue(at), illegal_base(residues[at], "a sequence")),
        };
        let least = phred.least();
        if let Err(at) = in_parts(quality, |part| first_below(part, least).map_or(Ok(0), Err)) {
            return refused(Place::Quality(at), illegal_quality(quality[at], phred));
        }
        Ok(gaps)
    };
    Demands { check: Some(Arc::new(check)), ..Demands::default() }
}

/// Counts the `-` among the bases of a sequence, but none where they are as other letters.
///
/// # Errors
/// The offset of the first byte that is no base.
pub(crate) fn count_gaps(bases: &[u8], wildcards: Wildcards) -> std::result::Result<u64, usize> {
    match wildcards {
        Wildcards::N => Ok(0),
        Wildcards::Iupac => in_parts(bases, |part| iupac::check_sequence(part, wildcards).map(|()| count(part, b'-'))),
    }
}

/// What `judge` counts of a sequence, which all threads look through where it is long, or the offset of the first byte that it refuses.
fn in_parts(
    symbols: &[u8],
    judge: impl Fn(&[u8]) -> std::result::Result<u64, usize> + Sync,
) -> std::result::Result<u64, usize> {
    /// What takes a thread longer than to ask another.
    const PART: usize = 1 << 20;
    let parts = symbols.par_chunks(PART).enumerate();
    let judged = parts.map(|(k, part)| judge(part).map_err(|at| k * PART + at));
    if symbols.len() > PART { judged.collect::<Vec<_>>().into_iter().sum() } else { judge(symbols) }
}

/// The first byte below `least`; the reader has refused bytes above 126. One vectorised pass when there is none.
fn first_below(bytes: &[u8], least: u8) -> Option<usize> {
    if bytes.iter().fold(u8::MAX, |low, &b| low.min(b)) >= least {
        return None;
    }
    bytes.iter().position(|&b| b < least)
}

/// How many of the bytes are `wanted`.
fn count(bytes: &[u8], wanted: u8) -> u64 {
    // Bytes are summed in runs of at most 255, so that the sums fit bytes and the loop vectorises.
    bytes.chunks(255).map(|run| u64::from(run.iter().map(|&b| u8::from(b == wanted)).sum::<u8>())).sum()
}

/// Whether the name of a file ends in one of these suffixes, in any case.
pub(crate) fn ends_in(path: &Path, suffixes: &[&str]) -> bool {
    path.extension().is_some_and(|found| suffixes.iter().any(|suffix| found.eq_ignore_ascii_case(suffix)))
}

/// Whether a file is compressed, by its name.
pub(crate) fn is_compressed(path: &Path) -> bool {
    ends_in(path, &["gz", "bgz", "zst", "xz", "bz2"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fraction;

    #[test]
    fn what_32_bits_cannot_count_is_refused() {
        let most = u32::MAX as usize;
        assert_eq!((too_long(most), too_many(most / 2)), (None, None));
        assert!(too_long(most + 1).unwrap().contains("4294967296 bases"));
        assert!(too_many(most / 2 + 1).unwrap().contains("2147483647 signatures"));
    }

    #[test]
    fn of_equal_names_the_first_two_are_told() {
        let named =
            |names: &str| names.chars().map(|name| Signature::new(name.to_string(), b"A".to_vec())).collect::<Vec<_>>();
        for (names, pair) in [
            ("", None),
            ("abc", None),
            ("aA", None),
            ("aa", Some([0, 1])),
            ("abcb", Some([1, 3])),
            ("abba", Some([1, 2])),
            ("xaaaay", Some([1, 2])),
        ] {
            assert_eq!(same_name(&named(names)), pair, "{names}");
        }
        assert_eq!(same_name(&named(&"z".repeat(100_000))), Some([0, 1]));
    }

    #[test]
    fn a_signature_keeps_a_base_that_matches() {
        let (some, share) = (Mismatches::Count(3), Mismatches::Share(Fraction::ONE));
        assert_eq!((all_mismatches(b"q", 4, some), all_mismatches(b"q", 1, Mismatches::NONE)), (None, None));
        let told = all_mismatches(b"primer_1", 3, some).unwrap();
        assert!(told.contains("primer_1") && told.contains("--max-mismatch 3") && told.contains("at most 2"), "{told}");
        assert!(all_mismatches(b"q", 60, share).unwrap().contains("--max-mismatch 100%"));
    }

    #[test]
    fn bytes_are_counted_across_runs() {
        for length in [0, 1, 254, 255, 256, 1000] {
            let bytes: Vec<u8> = (0..length).map(|i| if i % 3 == 0 { b'-' } else { b'A' }).collect();
            assert_eq!(count(&bytes, b'-'), (length as u64).div_ceil(3));
        }
        assert_eq!(count(&[b'-'; 600], b'-'), 600);
    }

    #[test]
    fn the_first_low_byte_is_found() {
        assert_eq!(first_below(b"", 33), None);
        assert_eq!(first_below(b"III", 33), None);
        assert_eq!(first_below(b"II:;I:", 64), Some(2));
    }
}
