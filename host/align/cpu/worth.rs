//! Whether narrow lanes have been enough so far. Only speed depends on it.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How many alignments narrow lanes were enough for, and for how many they were too narrow.
#[derive(Default)]
pub struct Worth {
    enough: AtomicUsize,
    narrow: AtomicUsize,
}

impl Worth {
    /// Whether it is worth trying narrow lanes.
    pub fn is_it(&self) -> bool {
        self.narrow.load(Ordering::Relaxed) <= 2 * self.enough.load(Ordering::Relaxed)
    }

    /// Learns how so many alignments went, `enough` of them well.
    pub fn learn(&self, enough: usize, of: usize) {
        self.enough.fetch_add(enough, Ordering::Relaxed);
        self.narrow.fetch_add(of - enough, Ordering::Relaxed);
    }
}
