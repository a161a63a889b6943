//! Opens a signature file. Everything is checked here, so that nothing needs to be checked later.

use super::contents::Contents;
use super::layout::Layout;
use super::little_endian::{u64_at, u64s};
use super::{HEADER, MAGIC, header, seal};
use crate::Parameters;
use crate::collection::{Collection, split_names, windows_of};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use warpseq_io::error::{FileError, Result};
use warpseq_io::gzip::{self, Members};

/// A signature file that is complete and consistent.
#[derive(Clone, Debug)]
pub struct Opened {
    /// What the file holds.
    pub collection: Collection,
    /// Bytes of the file, decompressed.
    pub bytes: u64,
    /// XXH3 of the file, as stored and as computed.
    pub checksum: u64,
}

/// Opens a signature file: mapped, or read when it is a pipe, compressed, or standard input (`-`). All of it is read once,
/// for the checksum.
///
/// # Errors
/// [`FileError::File`] when it cannot be read; [`FileError::Unusable`] when it is no signature file, of another version, truncated,
/// altered, or makes no sense.
pub fn open(path: &Path) -> Result<Opened> {
    let (contents, path) = Contents::of(path)?;
    opened(contents).map_err(|message| FileError::Unusable { path, message })
}

/// Whether a file is a signature file, plain or compressed, by its first bytes. Pipes are not looked into: `false`.
///
/// # Errors
/// [`FileError::File`] when it cannot be opened.
pub fn holds_signatures(path: &Path) -> Result<bool> {
    let fault = |source| FileError::File { path: path.to_path_buf(), action: "open", source };
    // Asked before it is opened: a pipe that is opened and closed loses what its writer has for it.
    if !path.metadata().map_err(fault)?.is_file() {
        return Ok(false);
    }
    let file = File::open(path).map_err(fault)?;
    let start = |source: &mut dyn Read| {
        let mut start = Vec::new();
        // What cannot be read holds no signatures here, and is complained of by whoever reads it as something else.
        let _ = source.take(MAGIC.len() as u64).read_to_end(&mut start);
        start
    };
    let plain = start(&mut &file);
    let compressed = || Some(start(&mut Members::new(BufReader::new(File::open(path).ok()?))));
    Ok(plain == MAGIC || plain.starts_with(&gzip::MAGIC) && compressed().is_some_and(|start| start == MAGIC))
}

/// What a file holds, or what is wrong with it.
fn opened(contents: Contents) -> std::result::Result<Opened, String> {
    let (layout, checksum) = seal::check(&contents)?;
    let parameters = header::decode(&contents[..HEADER])?;
    check_layout(&layout, &parameters, &contents)?;
    let lengths: Vec<u64> = u64s(&contents[layout.length_bytes()]).collect();
    let firsts: Vec<u64> = u64s(&contents[layout.first_bytes()]).collect();
    check_windows(&parameters, &lengths, &firsts, layout.windows)?;
    check_present(&contents[layout.present_bytes()], layout.windows)?;
    let names = names(&contents, &layout)?;
    let bytes = contents.len() as u64;
    let (present, signatures) = contents.sections(layout.present_bytes(), layout.signature_bytes());
    let collection = Collection { parameters, names, lengths, firsts, present, signatures };
    Ok(Opened { collection, bytes, checksum })
}

/// Sections that lie where they must, as long as their counts say. The bytes of the names are known from their offsets, which
/// are inside once all that comes before the names is where it must be.
fn check_layout(layout: &Layout, parameters: &Parameters, bytes: &[u8]) -> std::result::Result<(), String> {
    let Layout { sequences, windows, total, .. } = *layout;
    let sized = |names| Layout::new(parameters.width() as u64, [sequences, windows, names]);
    let without_names = sized(0).filter(|least| least.total <= total);
    let names = without_names.map(|least| u64_at(bytes, least.name_offset_bytes().end - 8));
    match names.and_then(sized) {
        Some(expected) if expected == *layout => Ok(()),
        _ => Err("its sections are not where they should be".into()),
    }
}

fn check_windows(
    parameters: &Parameters,
    lengths: &[u64],
    firsts: &[u64],
    windows: u64,
) -> std::result::Result<(), String> {
    let (mut first, mut residues) = (0_u64, 0_u64);
    for (s, &length) in lengths.iter().enumerate() {
        let sums = (first.checked_add(windows_of(parameters.window, length)), residues.checked_add(length));
        let (Some(next), Some(sum)) = sums else {
            return Err(format!("sequence {s} is too long to be counted"));
        };
        if firsts[s] != first {
            return Err(format!("expected {first} as the first window of sequence {s}, found {}", firsts[s]));
        }
        (first, residues) = (next, sum);
    }
    match (firsts.last(), first) {
        (Some(&last), first) if last == first && first == windows => Ok(()),
        _ => Err(format!("expected {first} windows, found {windows}")),
    }
}

fn check_present(present: &[u8], windows: u64) -> std::result::Result<(), String> {
    match present.last() {
        Some(last) if !windows.is_multiple_of(8) && last >> (windows % 8) != 0 => {
            Err("it has present bits behind the last window".into())
        }
        _ => Ok(()),
    }
}

fn names(bytes: &[u8], layout: &Layout) -> std::result::Result<Vec<Vec<u8>>, String> {
    let offsets: Vec<u64> = u64s(&bytes[layout.name_offset_bytes()]).collect();
    if offsets[0] != 0 || !offsets.is_sorted() {
        return Err("its name offsets are not in order".into());
    }
    Ok(split_names(&bytes[layout.names as usize..], &offsets))
}
