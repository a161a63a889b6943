//! Formats of files that are mapped. Those of warpseq begin and end alike:
//!
//! ```text
//! magic 8 | version 4 | ... header ... | sections | ... trailer ... | bytes of the file 8 | checksum 8 | END 8
//! ```
//!
//! A writer needs no seeking, since what is known last comes last; a file that was cut does not end with [`END`]. The checksum is of
//! all bytes before it.

use std::ops::{Range, RangeInclusive};

/// A format. The words complete messages.
#[derive(Debug)]
pub struct Format {
    /// The first bytes of every version.
    pub magic: [u8; 8],
    /// The versions that are read.
    pub versions: RangeInclusive<u32>,
    /// Bytes of the header and of the trailer.
    pub ends: [usize; 2],
    /// What a file is called, and what it holds.
    pub words: [&'static str; 2],
    /// The command that makes a file, and what it is given.
    pub made_by: [&'static str; 2],
    /// The checksum of some bytes.
    pub checksum: fn(&[u8]) -> u64,
    /// What is said, as the last words of the program, when bytes of a file are gone.
    pub lost: &'static [u8],
}

/// The last bytes of every file.
pub const END: [u8; 8] = *b"WARPEND\x1a";
/// Bytes of the checksum and what follows it.
const SEAL: usize = 16;

impl Format {
    /// The checksum that a file of these bytes must have.
    pub fn checksum_of(&self, bytes: &[u8]) -> u64 {
        (self.checksum)(&bytes[..bytes.len().saturating_sub(SEAL)])
    }

    /// The trailer of a file that is complete and unaltered, and its checksum; or why there is none.
    ///
    /// # Errors
    /// What is wrong with the file, and what to do.
    pub fn check<'b>(&self, bytes: &'b [u8]) -> Result<(&'b [u8], u64), String> {
        self.check_start(bytes)?;
        let (again, least) = (self.again(), self.ends.iter().sum::<usize>());
        if bytes.len() < least {
            let missing = least - bytes.len();
            return Err(format!("it is truncated: at least {missing} bytes are missing{again}"));
        }
        let trailer = &bytes[bytes.len() - self.ends[1]..];
        if !trailer.ends_with(&END) {
            let found = bytes.len();
            if u64_at(trailer, trailer.len() - SEAL - 8) == found as u64 {
                return Err(format!("it is damaged: its last 8 bytes are not those that end a file{again}"));
            }
            return Err(format!("it is truncated: its {found} bytes do not end with a trailer{again}"));
        }
        let number = |from_end: usize| u64_at(trailer, trailer.len() - from_end);
        let (total, stored) = (number(SEAL + 8), number(SEAL));
        if self.begins_again(bytes, total) {
            return Err(format!(
                "it is two files put together: another one begins at byte {}",
                bytes.len() as u64 - total
            ));
        }
        if total != bytes.len() as u64 {
            return Err(wrong_length(total, bytes.len() as u64) + &again);
        }
        let computed = self.checksum_of(bytes);
        if stored != computed {
            return Err(format!("it was altered: expected the checksum {stored:016x}, found {computed:016x}{again}"));
        }
        Ok((trailer, stored))
    }

    /// Whether the last `total` bytes are a file behind another one.
    fn begins_again(&self, bytes: &[u8], total: u64) -> bool {
        let before = (bytes.len() as u64).checked_sub(total).filter(|&before| before > 0 && total > 0);
        before.is_some_and(|before| bytes[before as usize..].starts_with(&self.magic))
    }

    fn check_start(&self, bytes: &[u8]) -> Result<(), String> {
        let start = &bytes[..bytes.len().min(self.magic.len())];
        let [name, holds] = self.words;
        let make_one = || format!("; `{} {}` makes one", self.made_by[0], self.made_by[1]);
        match bytes.first() {
            None => return Err(format!("it is empty, not a {name}{}", make_one())),
            Some(b'>' | b'@') => return Err(format!("it holds sequences, not {holds}{}", make_one())),
            _ if !self.magic.starts_with(start) => return Err(format!("it is not a {name}{}", make_one())),
            _ if bytes.len() < self.magic.len() + 4 => {
                return Err(format!("it is truncated: the header is incomplete{}", self.again()));
            }
            _ => {}
        }
        match u32_at(bytes, self.magic.len()) {
            version if self.versions.contains(&version) => Ok(()),
            version => Err(format!(
                "it is a {name} of version {version}, but this program reads version {}; use the warpseq that made it, or \
                 make it again with this one's `{}`",
                self.versions.clone().map(|version| version.to_string()).collect::<Vec<_>>().join(" and "),
                self.made_by[0]
            )),
        }
    }

    /// What to do about a file that is damaged.
    fn again(&self) -> String {
        format!("; copy it again, or make it again with `{}`", self.made_by[0])
    }
}

fn wrong_length(expected: u64, found: u64) -> String {
    let (difference, what) = match expected.checked_sub(found) {
        Some(missing) => (missing, "missing"),
        None => (found - expected, "too many"),
    };
    format!("it is damaged: {difference} bytes are {what} (expected {expected}, found {found})")
}

/// The number in bytes `at..at + 4`.
///
/// # Panics
/// When they are not there.
pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"))
}

/// The number in bytes `at..at + 8`.
///
/// # Panics
/// When they are not there.
pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"))
}

/// The numbers in `bytes`, whose length is a multiple of 8.
pub fn u64s(bytes: &[u8]) -> impl ExactSizeIterator<Item = u64> + Clone + '_ {
    bytes.chunks_exact(8).map(|bytes| u64_at(bytes, 0))
}

/// The bytes of a section of `bytes` bytes at `start`.
pub fn sized(start: u64, bytes: u64) -> Range<usize> {
    start as usize..(start + bytes) as usize
}

/// Where the section behind one of `bytes` bytes at `start` lies, at a multiple of `alignment`; `None` when 64 bits cannot say.
pub fn after(start: u64, bytes: u64, alignment: u64) -> Option<u64> {
    start.checked_add(bytes)?.checked_next_multiple_of(alignment)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub static FORMAT: Format = Format {
        magic: *b"WARPTEST",
        versions: 1..=1,
        ends: [16, 32],
        words: ["test file", "tests"],
        made_by: ["make test", "FILE"],
        checksum: |bytes| bytes.iter().map(|&byte| u64::from(byte)).sum(),
        lost: b"",
    };

    fn file() -> Vec<u8> {
        let mut bytes = b"WARPTEST\x01\0\0\0\0\0\0\0abcdefgh\x05\0\0\0\0\0\0\0".to_vec();
        bytes.extend(56_u64.to_le_bytes());
        bytes.extend((FORMAT.checksum)(&bytes).to_le_bytes());
        bytes.extend(END);
        bytes
    }

    #[test]
    fn what_is_whole_has_a_trailer() {
        let bytes = file();
        let (trailer, checksum) = FORMAT.check(&bytes).unwrap();
        assert_eq!((u64_at(trailer, 0), checksum), (5, FORMAT.checksum_of(&bytes)));
    }

    #[test]
    fn every_fault_has_its_message() {
        let changed = |change: fn(&mut Vec<u8>)| {
            let mut bytes = file();
            change(&mut bytes);
            FORMAT.check(&bytes).unwrap_err()
        };
        for (change, expected) in [
            ((|bytes| bytes.clear()) as fn(&mut Vec<u8>), "it is empty, not a test file; `make test FILE` makes one"),
            (|bytes| bytes[0] = b'>', "it holds sequences, not tests; `make test FILE` makes one"),
            (|bytes| bytes[3] = b'x', "it is not a test file; `make test FILE` makes one"),
            (|bytes| bytes.truncate(11), "it is truncated: the header is incomplete; copy it again"),
            (|bytes| bytes[8] = 2, "it is a test file of version 2, but this program reads version 1; use"),
            (|bytes| bytes.truncate(40), "it is truncated: at least 8 bytes are missing; copy"),
            (|bytes| bytes.truncate(55), "it is truncated: its 55 bytes do not end with a trailer; copy"),
            (|bytes| drop(bytes.drain(16..17)), "it is damaged: 1 bytes are missing (expected 56, found 55); copy"),
            (|bytes| bytes.insert(16, 0), "it is damaged: 1 bytes are too many (expected 56, found 57); copy"),
            (|bytes| bytes.extend(file()), "it is two files put together: another one begins at byte 56"),
            (|bytes| bytes[55] ^= 1, "it is damaged: its last 8 bytes are not those that end a file; copy"),
            (|bytes| bytes[16] += 1, "it was altered: expected the checksum "),
        ] {
            let message = changed(change);
            assert!(message.starts_with(expected), "{message}");
        }
    }
}
