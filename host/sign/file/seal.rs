//! Checks that a file is a signature file of this version, complete and unaltered.

use super::layout::Layout;
use super::little_endian::{u32_at, u64_at};
use super::{END, HEADER, MAGIC, TRAILER, VERSION};
use xxhash_rust::xxh3::xxh3_64;

/// The trailer of a file, its layout not yet compared with the header, and the checksum; or why there is none.
pub(super) fn check(bytes: &[u8]) -> Result<(Layout, u64), String> {
    check_start(bytes)?;
    let least = HEADER + TRAILER;
    if bytes.len() < least {
        let missing = least - bytes.len();
        return Err(format!("it is truncated: at least {missing} bytes are missing{AGAIN}"));
    }
    let (body, trailer) = bytes.split_at(bytes.len() - TRAILER);
    if trailer[TRAILER - END.len()..] != END {
        let found = bytes.len();
        return Err(format!("it is truncated: its {found} bytes do not end with a trailer{AGAIN}"));
    }
    let layout = Layout::decode(trailer);
    if layout.total != bytes.len() as u64 {
        return Err(wrong_length(layout.total, bytes.len() as u64));
    }
    let stored = u64_at(trailer, TRAILER - 16);
    let computed = xxh3_64(&bytes[..body.len() + TRAILER - 16]);
    if stored != computed {
        return Err(format!("it was altered: expected the checksum {stored:016x}, found {computed:016x}{AGAIN}"));
    }
    Ok((layout, stored))
}

/// What to do about a file that is damaged.
const AGAIN: &str = "; copy it again, or make it again with `warpseq sign build`";

fn check_start(bytes: &[u8]) -> Result<(), String> {
    let start = &bytes[..bytes.len().min(MAGIC.len())];
    match bytes.first() {
        None => return Err(format!("it is empty, not a signature file{MAKE_ONE}")),
        Some(b'>' | b'@') => return Err(format!("it holds sequences, not signatures{MAKE_ONE}")),
        _ if !MAGIC.starts_with(start) => return Err(format!("it is not a signature file{MAKE_ONE}")),
        _ if bytes.len() < MAGIC.len() + 4 => return Err(format!("it is truncated: the header is incomplete{AGAIN}")),
        _ => {}
    }
    match u32_at(bytes, MAGIC.len()) {
        VERSION => Ok(()),
        version => Err(format!(
            "it is a signature file of version {version}, but this program reads version {VERSION}; use the warpseq \
             that made it, or make it again with this one's `warpseq sign build`"
        )),
    }
}

/// What to do when a file is another one.
const MAKE_ONE: &str = "; `warpseq sign build SEQUENCES.fasta -o SIGNATURES.wsig` makes one";

fn wrong_length(expected: u64, found: u64) -> String {
    let (difference, what) = match expected.checked_sub(found) {
        Some(missing) => (missing, "missing"),
        None => (found - expected, "too many"),
    };
    format!("it is damaged: {difference} bytes are {what} (expected {expected}, found {found}){AGAIN}")
}
