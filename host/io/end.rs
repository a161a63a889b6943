//! The end of a program that can neither return nor allocate: it has no memory, or a signal's handler has found it lost.

use crate::output::remove_temporaries_unless_busy;
use std::sync::atomic::{AtomicI32, Ordering};

/// Writes `message` to standard error, removes the temporary files, and ends the program with exit code 1. Should removing need
/// what is not there, and so come here again, the program ends with what it has removed. Other threads that come here wait for that.
pub fn at_once(message: &[u8]) -> ! {
    /// The thread that ends the program; 0: none.
    static ENDING: AtomicI32 = AtomicI32::new(0);
    // SAFETY: the question has no conditions.
    let thread = unsafe { libc::gettid() };
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
