//! The input of the k-mer report, and the digest of what its CPU program writes.

use super::{Make, batch, sign};
use sha2::{Digest, Sha256};
use warpseq::sign::reference::raw;
use warpseq::sign::{Parameters, Records};

const DIGEST: &str = "088350f41edddee55f85ace8d574c37267ecd5f0abab38bffdbac373b631e663";

/// Three proteins, or none where `../shared/data` is not there.
fn proteins() -> Option<Records> {
    let text = std::fs::read(crate::place::shared("data/qut_xs.fasta")?).expect("the proteins can be read");
    let records: Vec<_> = text.split(|&byte| byte == b'>').skip(1).collect();
    let residues = |record: &[u8]| {
        let lines = record.split(|&byte| byte == b'\n').skip(1);
        lines.flat_map(<[u8]>::trim_ascii).copied().collect::<Vec<_>>()
    };
    Some(batch(&records.into_iter().map(residues).collect::<Vec<_>>()))
}

pub fn check(make: &Make) {
    let Some(proteins) = proteins() else { return };
    assert_eq!(digest(&sign(&mut *make(Parameters::QUT), &proteins).bytes), (288, DIGEST.to_owned()));
}

fn digest(bytes: &[u8]) -> (usize, String) {
    (bytes.len(), Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// 20, 8 and 8 windows, each after its protein's number.
#[test]
fn numbers_precede_the_signatures() {
    let Some(proteins) = proteins() else { return };
    assert_eq!(digest(&raw(Parameters::QUT, &proteins, false)), (288, DIGEST.to_owned()));
    let with_numbers = raw(Parameters::QUT, &proteins, true);
    let (numbers, signatures): (Vec<_>, Vec<_>) = with_numbers.chunks(12).map(|window| window.split_at(4)).unzip();
    assert_eq!(digest(&signatures.concat()), (288, DIGEST.to_owned()));
    let counts = proteins.sequences().lengths().map(|length| (length as usize).div_ceil(8) - 1);
    let expected: Vec<_> = counts.zip(0_u32..).flat_map(|(count, k)| vec![k.to_le_bytes(); count]).collect();
    assert_eq!(numbers, expected);
}
