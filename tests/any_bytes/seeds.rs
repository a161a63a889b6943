//! Files to start from, as inputs of the checks: the bytes that choose, then a file.

use crate::fastx::shared;
use crate::place::repository;
use std::fs;
use std::path::{Path, PathBuf};

/// Files larger than this are taken to slow down more than they show.
const FILE_BYTES_MAX: u64 = 10_000;

const FASTA: &[u8] = b">a first\nACGTACGT\nNN\n>b\n\n>c\tx\r\nAC\r\nGT\r\n\r\n>d\nacgu*-.\n";
const FASTQ: &[u8] =
    b"@a first\nACGT\nACGT\n+a first\nIIII\n@@++\n@b\n\n+\n\n@c\r\nAC\r\n+\r\n!~\r\n@d\n+\n@e\nA\n+\nI\n\n";
const MATRIX: &[u8] = b"# a comment\n   A  C  *\nA  4 -1 +0\n\nc -2147483648 5 0\r\n* 0 0 2147483647\n";

/// All files of a folder, if it is here, that are small; by name.
fn files(folder: &Path) -> Vec<Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() < FILE_BYTES_MAX));
    paths.sort();
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

/// The corpus of Cock et al. and the files of `data/`.
fn sequences() -> Vec<Vec<u8>> {
    let corpus = shared("corpus/fastq-cock").map(|folder| files(&folder)).unwrap_or_default();
    [corpus, files(&repository().join("data"))].concat()
}

fn after(chosen: &[u8], files: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    files.into_iter().map(|file| [chosen, &file].concat()).collect()
}

pub fn fasta() -> Vec<Vec<u8>> {
    let files = sequences().into_iter().filter(|file| file.starts_with(b">"));
    after(&[42], files.chain([FASTA.to_vec()]).collect())
}

pub fn fastq() -> Vec<Vec<u8>> {
    let files = sequences().into_iter().filter(|file| file.starts_with(b"@"));
    after(&[42], files.chain([FASTQ.to_vec()]).collect())
}

/// gzip files without their first two bytes, and files to be compressed in each way.
pub fn gzip() -> Vec<Vec<u8>> {
    let compressed = sequences().into_iter().filter_map(|file| Some(file.strip_prefix(b"\x1f\x8b")?.to_vec()));
    let mut inputs = after(&[42, 0], compressed.collect());
    for way in 1..4 {
        let small = sequences().into_iter().filter(|file| file.len() < 1000);
        inputs.extend(after(&[42, way], small.chain([FASTA.to_vec(), FASTQ.to_vec()]).collect()));
    }
    inputs
}

/// Each command on each two of some small files, asked for in several ways.
pub fn commands() -> Vec<Vec<u8>> {
    let proteins: &[u8] = b">p\nMKVLAWCCCVGMAAAWWWHLKEE\n>q\nMKVLAWCCWVGMAAAWWHLKEE\n";
    let signatures: &[u8] = b">v\nACGT\n>w\nGTNN\n>x\nRYACG\n";
    let reads: &[u8] = b"@a\nACGTACGTNNACGG\n+\nIIIIIIII!!IIII\n@b\nacgu\n+\nABCD\n";
    let primers: &[u8] = b"name\tforward\treverse\tprobe\n# none\na\tACGT\tNAC\tNNN\nb\tACG\tacg\t\r\n";
    let files = [FASTA, FASTQ, proteins, signatures, reads, primers];
    let pairs = files.iter().flat_map(|first| files.iter().map(move |second| [*first, b"\xfe\xfe", *second].concat()));
    let asked = |command: u8, way: u8| [&[command][..], &[way; 8]].concat();
    let all = pairs.flat_map(|pair| (0..30).map(move |k| [asked(k % 6, k / 6), pair.clone()].concat()));
    all.collect()
}

pub fn matrix() -> Vec<Vec<u8>> {
    let mut files = files(&repository().join("host/align/matrix"));
    files.extend([MATRIX.to_vec(), b" A\nA 1".to_vec()]);
    files
}

/// Database files as they are and to be made right, and sequences to be written.
pub fn databases() -> Vec<Vec<u8>> {
    let files = files(&repository().join("fuzz/seeds/databases"));
    assert!(!files.is_empty(), "fuzz/seeds/databases has files");
    let mut inputs: Vec<_> = (0..2).flat_map(|way| after(&[way], files.clone())).collect();
    inputs.extend(after(&[2], vec![FASTA.to_vec(), FASTQ.to_vec(), b"\0\0\0\0a\0bc\0\0def\0".to_vec()]));
    inputs
}

/// Signature files as they are, to be compressed, and to be made right; and sequences to be signed.
pub fn signatures() -> Vec<Vec<u8>> {
    let files = files(&repository().join("fuzz/seeds/signatures"));
    assert!(!files.is_empty(), "fuzz/seeds/signatures has files");
    let mut inputs: Vec<_> = (0..3).flat_map(|way| after(&[way], files.clone())).collect();
    inputs.extend(after(&[3], vec![FASTA.to_vec(), FASTQ.to_vec(), b"\0\0\0a\0bc\0\0def\0".to_vec()]));
    inputs
}
