//! Opens a signature file. Everything is checked here, so that nothing needs to be checked later: the file is complete and
//! unaltered, of this version, and consistent.

use super::layout::Layout;
use super::{FORMAT, HEADER, TRAILER, header};
use crate::Parameters;
use crate::collection::{Bytes, Collection, split_names, windows_of};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use warpseq_io::contents::{self, Contents};
use warpseq_io::error::{FileError, Result};
use warpseq_io::format::{u32_at, u64_at, u64s};

/// A signature file that is complete and consistent.
#[derive(Clone, Debug)]
pub struct Opened {
    /// What the file holds.
    pub collection: Collection,
    /// Version of its format.
    pub version: u32,
    /// Bytes of the file, decompressed.
    pub bytes: u64,
    /// XXH3 of the file, as stored and as computed.
    pub checksum: u64,
}

/// Opens a signature file: mapped, or read when it is a pipe, compressed, or standard input (`-`). All of it is read once,
/// for the checksum.
///
/// # Errors
/// [`FileError::File`] when it cannot be read; [`FileError::Unusable`] when it is no signature file, of another version,
/// truncated, altered, or makes no sense.
pub fn open(path: &Path) -> Result<Opened> {
    let (contents, path) = Contents::of(path, &FORMAT)?;
    opened(contents).map_err(|message| FileError::Unusable { path, message })
}

/// Whether a file is a signature file, plain or compressed, by its first bytes. Pipes are not looked into: `false`.
///
/// # Errors
/// [`FileError::File`] when it cannot be opened.
pub fn holds_signatures(path: &Path) -> Result<bool> {
    contents::is_of(path, &FORMAT)
}

/// What a file holds, or what is wrong with it.
fn opened(contents: Contents) -> std::result::Result<Opened, String> {
    let (trailer, checksum) = FORMAT.check(&contents)?;
    let parameters = header::decode(&contents[..HEADER])?;
    let version = u32_at(&contents, 8);
    let layout = Layout::decode(trailer, version, parameters.window);
    check_layout((&layout, version), &parameters, &contents)?;
    let lengths: Vec<u64> = u64s(&contents[layout.length_bytes()]).collect();
    let firsts: Vec<u64> = u64s(&contents[layout.first_bytes()]).collect();
    check_windows(&parameters, &lengths, &firsts, layout.windows)?;
    check_present(&contents[layout.present_bytes()], layout.windows)?;
    let names = names(&contents, &layout)?;
    check_padding(&contents, &layout)?;
    check_absent(&contents, &layout, parameters.width())?;
    let words = layout.word_bytes().map(|place| words(&contents[place], layout.word_width as usize));
    check_words(&contents[layout.present_bytes()], words.as_deref())?;
    let bytes = contents.len() as u64;
    let (present, signatures) =
        sections(contents.with_checksum(checksum), layout.present_bytes(), layout.signature_bytes());
    let collection = Collection { parameters, names, lengths, firsts, present, signatures, words };
    Ok(Opened { collection, version, bytes, checksum })
}

/// The bytes of two sections; `small` is copied and `large` moved when they are in memory.
fn sections(contents: Contents, small: Range<usize>, large: Range<usize>) -> (Bytes, Bytes) {
    match contents {
        Contents::Mapped(mapped) => {
            let mapped = Arc::new(mapped);
            (Bytes::Mapped(mapped.clone(), small), Bytes::Mapped(mapped, large))
        }
        Contents::Read(mut bytes) => {
            let copied = bytes[small].to_vec();
            bytes.truncate(large.end);
            bytes.drain(..large.start);
            (Bytes::Owned(copied), Bytes::Owned(bytes))
        }
    }
}

/// Sections that lie where they must, as long as their counts say. The bytes of the names are known from their offsets, which
/// are inside once all that comes before the names is where it must be.
fn check_layout(
    (layout, version): (&Layout, u32),
    parameters: &Parameters,
    bytes: &[u8],
) -> std::result::Result<(), String> {
    let Layout { sequences, windows, total, .. } = *layout;
    let sized = |names| Layout::new(version, parameters, [sequences, windows, names]);
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

/// The bytes between sections are zeros. Those before the names end at a multiple of 8, but for the present bits.
fn check_padding(bytes: &[u8], layout: &Layout) -> std::result::Result<(), String> {
    let trailer = bytes.len() - TRAILER;
    let words_end = layout.word_bytes().map_or(layout.lengths as usize, |place| place.end);
    for (end, next) in [
        (layout.present_bytes().end, layout.words as usize),
        (words_end, layout.lengths as usize),
        (layout.name_bytes(bytes).end, trailer),
    ] {
        if let Some(at) = bytes[end..next].iter().position(|&byte| byte != 0) {
            return Err(format!("it has a byte {:#04x} in the padding, at byte {}", bytes[end + at], end + at));
        }
    }
    Ok(())
}

/// A window without a k-mer has a signature of zeros.
fn check_absent(bytes: &[u8], layout: &Layout, width: usize) -> std::result::Result<(), String> {
    let (present, signatures) = (&bytes[layout.present_bytes()], &bytes[layout.signature_bytes()]);
    let is_absent = |window: &usize| present[window / 8] >> (window % 8) & 1 == 0;
    let is_zero = |window: usize| signatures[window * width..][..width].iter().all(|&byte| byte == 0);
    match (0..layout.windows as usize).filter(is_absent).find(|&window| !is_zero(window)) {
        Some(window) => Err(format!("window {window} has no k-mer, but a signature that is not zero")),
        None => Ok(()),
    }
}

/// Numbers of `width` bytes each.
fn words(bytes: &[u8], width: usize) -> Vec<u32> {
    match width {
        1 => bytes.iter().copied().map(u32::from).collect(),
        2 => bytes.as_chunks().0.iter().map(|&number| u32::from(u16::from_le_bytes(number))).collect(),
        _ => bytes.as_chunks().0.iter().map(|&number| u32::from_le_bytes(number)).collect(),
    }
}

/// A window without a k-mer has no words.
fn check_words(present: &[u8], words: Option<&[u32]>) -> std::result::Result<(), String> {
    let is_absent = |window: usize| present[window / 8] >> (window % 8) & 1 == 0;
    match words.unwrap_or_default().iter().enumerate().find(|&(window, &words)| words > 0 && is_absent(window)) {
        Some((window, words)) => Err(format!("window {window} has no k-mer, but {words} words")),
        None => Ok(()),
    }
}

fn names(bytes: &[u8], layout: &Layout) -> std::result::Result<Vec<Vec<u8>>, String> {
    let offsets: Vec<u64> = u64s(&bytes[layout.name_offset_bytes()]).collect();
    if offsets[0] != 0 || !offsets.is_sorted() {
        return Err("its name offsets are not in order".into());
    }
    Ok(split_names(&bytes[layout.names as usize..], &offsets))
}
