//! What `scan` reads: the signatures, all at once, and what it demands of the sequences, which are read batch by batch.

use super::{Options, Signature, Wildcards};
use std::path::Path;
use std::sync::Arc;
use warpseq_io::error::{FileError, Result};
use warpseq_io::fastx::{Demands, Kind, Place, Qualities, Reader, Record, Refusal};
use warpseq_seq::{iupac, phred::illegal_quality};

/// Reads a signatures file.
///
/// # Errors
/// What [`Reader`] refuses; FASTQ; no signatures; an empty signature; a base that `wildcards` does not allow.
pub fn signatures(path: &Path, wildcards: Wildcards) -> Result<Vec<Signature>> {
    let mut reader = Reader::open(path)?;
    let path = reader.path().to_path_buf();
    let unusable = |message: &str| FileError::Unusable { path: path.clone(), message: message.into() };
    if reader.kind() == Some(Kind::Fastq) {
        return Err(unusable(
            "signatures must be FASTA, and this begins with `@`, as FASTQ and SAM do: are the two files swapped? (warpseq scan \
             SAMPLES SIGNATURES) If not, convert it, as with `seqkit fq2fa` or `samtools fasta`",
        ));
    }
    let mut signatures = Vec::new();
    let (mut bases, mut no_quality) = (Vec::new(), Vec::new());
    while let Some(header) = reader.read(&mut bases, &mut no_quality)? {
        let place = &header.location;
        let input = |line, message| FileError::Input { path: path.clone(), line, record: place.record, message };
        if bases.is_empty() {
            return Err(input(place.line, "the signature has no bases: add them, or remove the record".into()));
        }
        if let Some(message) = beyond_32_bits(bases.len(), signatures.len() + 1) {
            return Err(input(place.line, message));
        }
        iupac::check_signature(&bases, wildcards)
            .map_err(|at| input(place.line_of_base(at as u64), illegal_base(bases[at], "a signature")))?;
        signatures.push(Signature::new(header.name, std::mem::take(&mut bases)));
    }
    if signatures.is_empty() {
        return Err(unusable("there are no signatures in it"));
    }
    Ok(signatures)
}

/// Why such a signature cannot be searched for: its bases, and the patterns of all signatures, two each, are counted in 32 bits.
fn beyond_32_bits(bases: usize, signatures: usize) -> Option<String> {
    let most = u32::MAX as usize;
    if bases > most {
        return Some(format!("the signature has {bases} bases, and at most {most} can be searched for: cut it"));
    }
    let message = || format!("more than the {} signatures that can be searched for: cut the file in two", most / 2);
    (signatures > most / 2).then(message)
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
        if let Err(at) = iupac::check_sequence(residues, wildcards) {
            return refused(Place::Residue(at), illegal_base(residues[at], "a sequence"));
        }
        if let Some(at) = first_below(quality, phred.least()) {
            return refused(Place::Quality(at), illegal_quality(quality[at], phred));
        }
        Ok(if wildcards == Wildcards::N { 0 } else { count(residues, b'-') })
    };
    Demands { qualities: Qualities::Keep, check: Some(Arc::new(check)) }
}

/// The first byte below `least`; the reader has refused bytes above 126. One vectorised pass when there is none.
fn first_below(bytes: &[u8], least: u8) -> Option<usize> {
    if bytes.iter().fold(u8::MAX, |low, &b| low.min(b)) >= least {
        return None;
    }
    bytes.iter().position(|&b| b < least)
}

fn count(bytes: &[u8], wanted: u8) -> u64 {
    // Bytes are summed in runs of at most 255, so that the sums fit bytes and the loop vectorises.
    bytes.chunks(255).map(|run| u64::from(run.iter().map(|&b| u8::from(b == wanted)).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_32_bits_cannot_count_is_refused() {
        let most = u32::MAX as usize;
        assert_eq!(beyond_32_bits(most, most / 2), None);
        assert!(beyond_32_bits(most + 1, 1).unwrap().contains("4294967296 bases"));
        assert!(beyond_32_bits(1, most / 2 + 1).unwrap().contains("2147483647 signatures"));
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
