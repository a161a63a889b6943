//! Rows of text, made by all threads and written in order.

use super::sink::Sink;
use rayon::prelude::*;
use warpseq_engine::error::Result;

/// Rows of a task: enough to be worth one, few enough that those of all threads take little memory.
const ROWS: usize = 4096;
/// Tasks for each thread, before what they made is written.
const TASKS: usize = 4;

/// Writes what `render` appends for each of the rows `0..count`.
///
/// # Errors
/// Those of `sink`.
pub fn put(sink: &mut impl Sink, count: usize, render: impl Fn(usize, &mut Vec<u8>) + Sync) -> Result<()> {
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
            put(&mut text, count, |row, text| text.extend(format!("{row}\n").bytes())).unwrap();
            assert!(text == (0..count).map(|row| format!("{row}\n")).collect::<String>().into_bytes(), "{count}");
        }
    }
}
