//! Mapped files, and what becomes of a run when somebody changes one of them.
//!
//! A mapped file is read where it is used, so it must stay as it is. warpseq itself replaces files by renaming, which leaves a
//! mapped one alone. Others may not be so careful:
//!
//! ```text
//! truncated                   reading behind the new end is SIGBUS: `lost` says so and ends the program
//! overwritten, same length    the bytes are not those that were checked: `require_unchanged` finds other times
//! renamed, linked, removed    the bytes stay, and nothing is said
//! ```
//!
//! Outputs are complete or not there at all, so a run that ends in between leaves none.

use crate::end;
use crate::error::{FileError, Result};
use crate::format::Format;
use memmap2::{Advice, Mmap};
use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::ops::Deref;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// A mapped file. It is kept open, to see whether it changes.
#[derive(Debug)]
pub struct Mapped {
    // The first field is dropped first: a range is free before its addresses may become those of something else.
    _range: Range,
    map: Mmap,
    file: File,
    path: PathBuf,
    stamp: Stamp,
    format: &'static Format,
    checksum: u64,
}

impl Mapped {
    /// Maps a regular file that is not empty. `None` if it cannot be mapped, or not be watched.
    ///
    /// # Errors
    /// What the system answers about the file.
    pub(crate) fn new(file: &File, path: &Path, format: &'static Format) -> io::Result<Option<Self>> {
        let (file, stamp) = (file.try_clone()?, Stamp::of(file)?);
        if !is_watched() {
            return Ok(None);
        }
        // SAFETY: the file may change under the map, which is read as bytes, whose every value is legal: `lost` ends a run that
        // reads bytes that are gone, and `require_unchanged` refuses what was computed from others.
        let Ok(map) = (unsafe { Mmap::map(&file) }) else { return Ok(None) };
        // Faster where the system listens, and no different where it does not.
        let _ = map.advise(Advice::Sequential);
        let path = path.to_path_buf();
        Ok(Range::of(&map, format).map(|range| Self { _range: range, map, file, path, stamp, format, checksum: 0 }))
    }

    /// Notes the checksum that the file has.
    pub fn with_checksum(self, checksum: u64) -> Self {
        Self { checksum, ..self }
    }

    /// Refuses a file that is not as it was when its checksum was taken.
    ///
    /// # Errors
    /// [`FileError::Unusable`]; [`FileError::File`] when the system cannot say.
    pub fn require_unchanged(&self) -> Result<()> {
        let now = Stamp::of(&self.file).map_err(|source| FileError::File {
            path: self.path.clone(),
            action: "read",
            source,
        })?;
        // A file that is renamed, linked or removed has another change time, and the same bytes.
        if now == self.stamp || now.written == self.stamp.written && self.format.checksum_of(&self.map) == self.checksum
        {
            return Ok(());
        }
        let message = "it was changed while it was read: run again".to_owned();
        Err(FileError::Unusable { path: self.path.clone(), message })
    }
}

impl Deref for Mapped {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.map
    }
}

/// What tells that a file has changed.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    /// Bytes, and the time of the last write in seconds and nanoseconds.
    written: (u64, i64, i64),
    /// The time of the last change of anything, names and permissions included.
    changed: (i64, i64),
}

impl Stamp {
    fn of(file: &File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        Ok(Self {
            written: (metadata.len(), metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }
}

/// The addresses of all mapped files; both 0 where there is none. A file that finds no place is not mapped.
static RANGES: [Addresses; 64] = [const { Addresses::none() }; 64];

struct Addresses {
    start: AtomicUsize,
    end: AtomicUsize,
    /// Null, or one of the formats that there are.
    format: AtomicPtr<Format>,
}

impl Addresses {
    const fn none() -> Self {
        Self { start: AtomicUsize::new(0), end: AtomicUsize::new(0), format: AtomicPtr::new(ptr::null_mut()) }
    }

    fn hold(&self, address: usize) -> bool {
        let (start, end) = (self.start.load(Ordering::SeqCst), self.end.load(Ordering::SeqCst));
        start != 0 && (start..end).contains(&address)
    }
}

/// A place in [`RANGES`], free again when this is dropped.
#[derive(Debug)]
struct Range(usize);

impl Range {
    /// The addresses of `bytes` of a file; `None` if there are too many files.
    fn of(bytes: &[u8], format: &'static Format) -> Option<Self> {
        let addresses = bytes.as_ptr_range();
        let (start, end) = (addresses.start as usize, addresses.end as usize);
        let take =
            |place: &Addresses| place.start.compare_exchange(0, start, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        let place = RANGES.iter().position(take)?;
        RANGES[place].format.store(ptr::from_ref(format).cast_mut(), Ordering::SeqCst);
        RANGES[place].end.store(end, Ordering::SeqCst);
        Some(Self(place))
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        let Addresses { start, end, .. } = &RANGES[self.0];
        end.store(0, Ordering::SeqCst);
        start.store(0, Ordering::SeqCst);
    }
}

/// What handled SIGBUS before: Rust's runtime, which looks for an overflow of the stack.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

/// Whether [`lost`] handles SIGBUS, from the first question on.
fn is_watched() -> bool {
    static WATCHED: OnceLock<bool> = OnceLock::new();
    *WATCHED.get_or_init(|| {
        let mut before = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: the question changes nothing, and the answer has a place that is valid as it is, all zeros.
        let before = unsafe {
            libc::sigaction(libc::SIGBUS, ptr::null(), before.as_mut_ptr());
            before.assume_init()
        };
        let before = BEFORE.get_or_init(|| before);
        // On the stack of signals that the runtime gives to threads, as that of the runtime.
        let mut action = *before;
        action.sa_sigaction = lost as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: `lost` has the signature that SA_SIGINFO asks for, and what it needs is there: `BEFORE` is set.
        unsafe { libc::sigaction(libc::SIGBUS, &action, ptr::null_mut()) == 0 }
    })
}

/// Ends the program when it has read bytes of a mapped file that are gone. Leaves any other SIGBUS to what handled it before,
/// which gets it when the instruction is repeated.
extern "C" fn lost(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the system passes a description of the signal, which has an address if it is one of SIGBUS.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
    let read = RANGES.iter().find(|range| code == libc::BUS_ADRERR && range.hold(address));
    // SAFETY: it is null, or it was made of a reference that is valid as long as the program.
    if let Some(format) = read.and_then(|range| unsafe { range.format.load(Ordering::SeqCst).as_ref() }) {
        // The thread was reading a mapped file, so it holds no lock that this may need.
        end::at_once(format.lost);
    }
    let before = BEFORE.get().map_or(ptr::null(), ptr::from_ref);
    // SAFETY: the action is one that the system gave, and it is there as long as the program; any signal may be raised.
    unsafe {
        libc::sigaction(signal, before, ptr::null_mut());
        if code <= 0 {
            // Somebody sent it, so no instruction repeats it.
            libc::raise(signal);
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::tests::FORMAT;

    #[test]
    fn a_range_is_found_until_it_is_dropped() {
        let bytes = [0; 100];
        let address = bytes.as_ptr() as usize;
        let holds = |address| RANGES.iter().any(|range| range.hold(address));
        let range = Range::of(&bytes, &FORMAT).unwrap();
        assert_eq!([address - 1, address, address + 99, address + 100].map(holds), [false, true, true, false]);
        drop(range);
        assert!(!holds(address));
    }
}
