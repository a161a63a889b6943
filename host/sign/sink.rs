//! What results are written to, and rows of text, which all threads make and which are written in order.

use rayon::prelude::*;
use std::path::PathBuf;
use warpseq_io::error::Result;
use warpseq_io::output::Output;

/// Rows of a task: enough to be worth one, few enough that those of all threads take little memory.
const ROWS: usize = 4096;
/// Tasks for each thread, before what they made is written.
const TASKS: usize = 4;

/// Takes bytes, and says in the user's words what went wrong when it cannot.
pub trait Sink {
    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// Those of the place behind it.
    fn put(&mut self, bytes: &[u8]) -> Result<()>;

    /// Writes all of `bytes`, and may take their memory: what is in their place then is another list, with unspecified contents.
    ///
    /// # Errors
    /// Those of the place behind it.
    fn give(&mut self, bytes: &mut Vec<u8>) -> Result<()> {
        self.put(bytes)
    }

    /// Where temporary files may grow that wait to be put.
    fn folder(&self) -> PathBuf {
        std::env::temp_dir()
    }
}

impl Sink for Output {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        Output::put(self, bytes)
    }

    fn give(&mut self, bytes: &mut Vec<u8>) -> Result<()> {
        Output::give(self, bytes)
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

/// Writes what `render` appends for each of the rows `0..count`.
///
/// # Errors
/// Those of `sink`.
pub fn put_rows(
    sink: &mut impl Sink,
    count: usize,
    render: impl Fn(usize, &mut Vec<u8>) + Sync,
) -> warpseq_engine::error::Result<()> {
    let step = ROWS * TASKS * rayon::current_num_threads();
    for start in (0..count).step_by(step) {
        let end = count.min(start + step);
        let tasks = (start..end).into_par_iter().step_by(ROWS).map(|first| {
            let mut text = Vec::new();
            (first..end.min(first + ROWS)).for_each(|row| render(row, &mut text));
            text
        });
        for text in tasks.collect::<Vec<_>>() {
            sink.put(&text)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_order_however_many() {
        for count in [0, 1, ROWS, ROWS + 1, 100_000] {
            let mut text = Vec::new();
            put_rows(&mut text, count, |row, text| text.extend(format!("{row}\n").bytes())).unwrap();
            assert!(text == (0..count).map(|row| format!("{row}\n")).collect::<String>().into_bytes(), "{count}");
        }
    }
}
