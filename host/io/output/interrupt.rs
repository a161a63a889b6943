//! SIGINT and SIGTERM: nothing half written is left, and the exit code is 130.
//!
//! A thread of its own waits for the signals, so what it does is ordinary code, not a signal handler's. It holds the list
//! of temporary files until the process ends: no other thread can rename or create one in between.

use super::temporary::removed;
use crate::error::{FileError, Result};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::path::PathBuf;
use std::thread;

/// From now on SIGINT and SIGTERM remove the temporary files of all outputs and end the process with code 130.
///
/// # Errors
///
/// [`FileError::File`] when the system refuses the handler or the thread.
pub fn install() -> Result<()> {
    let refused = |source| FileError::File { path: PathBuf::from("signals"), action: "listen for", source };
    let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(refused)?;
    let wait = move || {
        if signals.forever().next().is_some() {
            let _held_to_the_end = removed();
            std::process::exit(i32::from(FileError::Interrupted.exit_code()));
        }
    };
    thread::Builder::new().name("signals".into()).spawn(wait).map_err(refused)?;
    Ok(())
}
