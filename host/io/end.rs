//! Ends of the program that run nothing of what a return from `main` runs.
//!
//! [`with`] is the usual one, and [`at_once`] that of a program that can neither return nor allocate: it has no memory, or a
//! signal's handler has found it lost.

use crate::output::remove_temporaries_unless_busy;
use std::sync::atomic::{AtomicI64, Ordering};

/// Environment variables that name a library which a profiler puts into the program, and which writes what it saw when the
/// program ends: those of NVIDIA's driver and of NVTX, the loader's, and that of LLVM's counters.
const WATCHING: [&str; 4] = ["CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "LD_PRELOAD", "LLVM_PROFILE_FILE"];

/// Whether something watches the program and wants the whole of its end.
pub fn is_watched() -> bool {
    WATCHING.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Ends the program with this exit code, once all its outputs are in their places: they are not touched any more, and nothing
/// waits in a buffer, since outputs go around Rust's.
///
/// What the system takes back by itself is left to it: giving back a GPU's memory takes tens of milliseconds, and another thread
/// may still be starting the driver, beside which an ordinary end is not safe. A program that is watched ends in the ordinary
/// way; it has waited for its threads ([`is_watched`]).
pub fn with(code: u8) -> ! {
    if is_watched() {
        std::process::exit(i32::from(code));
    }
    // SAFETY: this ends the process and runs nothing of it.
    unsafe { libc::_exit(i32::from(code)) }
}

/// Writes `message` to standard error, removes the temporary files, and ends the program with exit code 1. Should removing need
/// what is not there, and so come here again, the program ends with what it has removed. Other threads that come here wait for that.
pub fn at_once(message: &[u8]) -> ! {
    /// The thread that ends the program; 0: none.
    static ENDING: AtomicI64 = AtomicI64::new(0);
    // By its number, since glibc has no `gettid` before 2.30.
    // SAFETY: the question has no conditions.
    let thread = unsafe { libc::syscall(libc::SYS_gettid) };
    match ENDING.compare_exchange(0, thread, Ordering::SeqCst, Ordering::SeqCst) {
        Ok(_) => {}
        Err(other) if other == thread => exit(),
        Err(_) => loop {
            // SAFETY: this waits for a signal, or for the other thread to end the program.
            unsafe { libc::pause() };
        },
    }
    // SAFETY: the slice holds so many bytes.
    unsafe { libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len()) };
    remove_temporaries_unless_busy();
    exit()
}

fn exit() -> ! {
    // SAFETY: this ends the process and runs nothing of it.
    unsafe { libc::_exit(1) }
}
