//! A file for readers that take a path.

use std::cell::RefCell;
use std::io::{self, Seek, Write};
use std::path::Path;
use tempfile::NamedTempFile;

thread_local! {
    static FILE: RefCell<NamedTempFile> = RefCell::new(file().expect("a temporary file can be made"));
}

/// In memory where the system has a folder for that: a disk is a hundred times slower.
fn file() -> io::Result<NamedTempFile> {
    NamedTempFile::new_in("/dev/shm").or_else(|_| NamedTempFile::new())
}

/// Calls `read` with the path of a file of these bytes. It is the same file for all calls of a thread, so `read` returns
/// nothing that is mapped.
pub fn with<T>(bytes: &[u8], read: impl FnOnce(&Path) -> T) -> T {
    FILE.with_borrow_mut(|file| {
        let written = file.as_file().set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(bytes));
        written.expect("a temporary file can be written");
        read(file.path())
    })
}
