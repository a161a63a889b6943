//! Two inputs of a command that are one stream.

use crate::error::{FileError, Result};
use crate::standard;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses inputs, each with its role, of which two are one stream: standard input, a pipe or a terminal, under any names. What
/// one of them read, the other would miss.
///
/// # Errors
/// [`FileError::Usage`].
pub fn refuse_one_stream(inputs: &[(&str, &Path)]) -> Result<()> {
    let streams: Vec<_> = inputs.iter().filter_map(|&(role, path)| Some((role, path, stream_of(path)?))).collect();
    for (k, (second, path, stream)) in streams.iter().enumerate() {
        if let Some((first, ..)) = streams[..k].iter().find(|(.., other)| other == stream) {
            let name = if is_stdin(path) { "standard input".into() } else { path.to_string_lossy() };
            let message = format!("{first} and {second} cannot both come from {name}: give one of them as a file");
            return Err(FileError::Usage(message));
        }
    }
    Ok(())
}

/// Device and inode of what is read, if whoever reads it takes it from others. Files and `/dev/null` may be read twice.
fn stream_of(path: &Path) -> Option<(u64, u64)> {
    let metadata = standard::metadata_of_input(path).ok()?;
    let kind = metadata.file_type();
    let is_stream =
        kind.is_fifo() || kind.is_socket() || kind.is_char_device() && libc::major(metadata.rdev()) != MEMORY;
    (is_stream || is_stdin(path)).then(|| (metadata.dev(), metadata.ino()))
}

/// The number of the driver of `/dev/null`, `/dev/zero` and the like.
const MEMORY: u32 = 1;
