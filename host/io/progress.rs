//! A progress bar on standard error: bytes, rate and time left. Only on a terminal.
//!
//! It shows the input that is computed, not what has been read: reading is ahead of the work, and may be at the end of the input at
//! once. While a batch takes long, the bar moves as far as the batch is.

use crate::console::Console;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How often the time is shown.
const TICK: Duration = Duration::from_millis(200);

/// Shows how much of an input is done.
pub struct Progress {
    bar: Option<ProgressBar>,
    bytes_read: Arc<AtomicU64>,
    total: Option<u64>,
}

impl Progress {
    /// A bar for an input of `total` bytes (`None`: unknown, as of a pipe); `bytes_read` counts those read. There is no bar if
    /// standard error is not a terminal or the console is quiet.
    pub fn new(console: Console, total: Option<u64>, bytes_read: Arc<AtomicU64>) -> Self {
        let shown = console > Console::Quiet && std::io::stderr().is_terminal();
        let bar = shown.then(|| match total {
            Some(total) => ProgressBar::new(total).with_style(style(
                "{wide_bar} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} {elapsed}, {eta} left",
            )),
            None => {
                ProgressBar::no_length().with_style(style("{spinner} {binary_bytes} {binary_bytes_per_sec} {elapsed}"))
            }
        });
        if let Some(bar) = &bar {
            bar.enable_steady_tick(TICK);
        }
        Self { bar, bytes_read, total }
    }

    /// How much of the input has been read, from 0 to 1; `None`: nobody knows.
    pub fn share(&self) -> Option<f64> {
        let total = self.total.filter(|&total| total > 0)?;
        Some((self.bytes_read() as f64 / total as f64).min(1.0))
    }

    /// Bytes of the input that have been read.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    /// Shows that this share of what has been read so far is done. The bar never goes back.
    pub fn show(&self, share: f64) {
        if let Some(bar) = &self.bar {
            bar.set_position(bar.position().max((self.bytes_read() as f64 * share) as u64));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is a constant that indicatif accepts")
}
