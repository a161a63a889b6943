//! What `scan` reads: the signatures, all at once, and what it demands of the sequences, which are read batch by batch.

use super::{Options, Signature, Wildcards};
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;
use warpseq_io::error::{FileError, Result};
use warpseq_io::fastx::{Batch, Batches, Demands, Kind, Place, Qualities, Record, Refusal, Sizes};
use warpseq_seq::{iupac, phred::illegal_quality};

/// Reads a signatures file, by `sizes`.
///
/// # Errors
/// What [`Batches`] refuses; FASTQ; no signatures; an empty signature; a base that `wildcards` does not allow.
pub fn signatures(path: &Path, wildcards: Wildcards, sizes: Sizes) -> Result<Vec<Signature>> {
    let mut batches = Batches::open(path, demands_of_signatures(wildcards), sizes)?;
    let path = batches.reader().path().to_path_buf();
    let unusable = |message: String| FileError::Unusable { path: path.clone(), message };
    if batches.reader().kind() == Some(Kind::Fastq) {
        return Err(unusable(
            "signatures must be FASTA, and this begins with `@`, as FASTQ and SAM do: are the two files swapped? (warpseq scan \
             SAMPLES SIGNATURES) If not, convert it, as with `seqkit fq2fa` or `samtools fasta`"
                .into(),
        ));
    }
    let mut signatures = Vec::new();
    while let Some(Batch { records, .. }) = batches.next()? {
        let signature = |k| Signature::new(records.name(k), records.sequence(k).to_vec());
        signatures.par_extend((0..records.len()).into_par_iter().map(signature));
    }
    match too_many(signatures.len()) {
        Some(message) => Err(unusable(message)),
        None if signatures.is_empty() => Err(unusable("there are no signatures in it".into())),
        None => Ok(signatures),
    }
}

/// What is demanded of a signature.
fn demands_of_signatures(wildcards: Wildcards) -> Demands {
    let check = move |Record { residues, .. }: Record| {
        let refused = |place, message| Err(Refusal { place, message });
        if residues.is_empty() {
            return refused(Place::Header, "the signature has no bases: add them, or remove the record".into());
        }
        if let Some(message) = too_long(residues.len()) {
            return refused(Place::Header, message);
        }
        match iupac::check_signature(residues, wildcards) {
            Ok(()) => Ok(0),
            Err(at) => refused(Place::Residue(at), illegal_base(residues[at], "a signature")),
        }
    };
    Demands { qualities: Qualities::Keep, check: Some(Arc::new(check)) }
}

/// Why a signature of so many bases cannot be searched for: they are counted in 32 bits.
fn too_long(bases: usize) -> Option<String> {
    let most = u32::MAX as usize;
    let message = || format!("the signature has {bases} bases, and at most {most} can be searched for: cut it");
    (bases > most).then(message)
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
        assert_eq!((too_long(most), too_many(most / 2)), (None, None));
        assert!(too_long(most + 1).unwrap().contains("4294967296 bases"));
        assert!(too_many(most / 2 + 1).unwrap().contains("2147483647 signatures"));
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
