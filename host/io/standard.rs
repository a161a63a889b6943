//! Standard input and output, as whoever started the program gave them.
//!
//! Rust's runtime opens `/dev/null` in the place of a stream that is closed, so that nothing else takes its number. A command with
//! `>&-` would then write nothing and succeed, and one with `<&-` would read an empty file. So this module looks before the
//! runtime does, in a function that the loader calls first.

use std::fs::{self, File, Metadata};
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

static STDIN_CLOSED: AtomicBool = AtomicBool::new(false);
static STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// A copy of standard input.
///
/// # Errors
/// What the system answers; `EBADF` where the program was started without it.
pub fn input() -> io::Result<File> {
    opened(&io::stdin(), &STDIN_CLOSED)
}

/// A copy of standard output.
///
/// # Errors
/// What the system answers; `EBADF` where the program was started without it.
pub fn output() -> io::Result<File> {
    opened(&io::stdout(), &STDOUT_CLOSED)
}

/// What the system says of an input: a path, or standard input for `-`.
///
/// # Errors
/// What the system answers.
pub fn metadata_of_input(path: &Path) -> io::Result<Metadata> {
    if path.as_os_str() == "-" { input()?.metadata() } else { fs::metadata(path) }
}

/// The bytes of an input; `None`: nobody knows, as of a pipe.
pub fn size_of_input(path: &Path) -> Option<u64> {
    metadata_of_input(path).ok().filter(Metadata::is_file).map(|file| file.len())
}

fn opened(stream: &(impl AsFd + AsRawFd), closed: &AtomicBool) -> io::Result<File> {
    if closed.load(Ordering::Relaxed) {
        return Err(io::Error::from_raw_os_error(libc::EBADF));
    }
    stream.as_fd().try_clone_to_owned().map(File::from)
}

extern "C" fn look() {
    for (number, closed) in [(libc::STDIN_FILENO, &STDIN_CLOSED), (libc::STDOUT_FILENO, &STDOUT_CLOSED)] {
        // SAFETY: the question changes nothing, and any number may be asked for.
        let is_closed = unsafe { libc::fcntl(number, libc::F_GETFD) } == -1;
        closed.store(is_closed, Ordering::Relaxed);
    }
}

// SAFETY: the section holds pointers to functions that the loader calls once, before `main`. `look` needs nothing of Rust's
// runtime: it calls the system and stores to atomics.
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;
