//! What signatures are written to.

use std::path::PathBuf;
use warpseq_io::error::Result;
use warpseq_io::output::Output;

/// Takes bytes, and says in the user's words what went wrong when it cannot.
pub trait Sink {
    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// Those of the place behind it.
    fn put(&mut self, bytes: &[u8]) -> Result<()>;

    /// Where temporary files may grow that wait to be put.
    fn folder(&self) -> PathBuf {
        std::env::temp_dir()
    }
}

impl Sink for Output {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        Output::put(self, bytes)
    }

    fn folder(&self) -> PathBuf {
        Output::folder(self)
    }
}

impl Sink for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.extend_from_slice(bytes);
        Ok(())
    }
}
