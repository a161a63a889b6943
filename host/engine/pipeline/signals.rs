//! What the queue and its workers tell each other while batches are computed: without a lock, since any thread may ask at any time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// Tells helpers when they should give up what they are at, because main workers would do it sooner.
#[derive(Clone, Debug)]
pub struct Recall {
    start: Instant,
    /// Nanoseconds after the start.
    due: Arc<AtomicU64>,
}

impl Default for Recall {
    fn default() -> Self {
        Self { start: Instant::now(), due: Arc::new(AtomicU64::new(Self::NEVER)) }
    }
}

impl Recall {
    const NEVER: u64 = u64::MAX;

    /// Whether it is time.
    #[inline]
    pub fn is_due(&self) -> bool {
        let due = self.due.load(Ordering::Relaxed);
        due != Self::NEVER && self.start.elapsed().as_nanos() >= u128::from(due)
    }

    /// Sets the time; `None`: never.
    pub(super) fn set(&self, due: Option<Instant>) {
        let due = due.map_or(Self::NEVER, |due| (due - self.start).as_nanos() as u64);
        self.due.store(due, Ordering::Relaxed);
    }
}

/// How much is done of the batches that are being computed: the sum of their parts.
#[derive(Clone, Debug, Default)]
pub struct Underway {
    sum: Arc<AtomicU64>,
    begun: Arc<AtomicBool>,
    ended: Arc<AtomicU64>,
}

impl Underway {
    /// A whole batch.
    const WHOLE: f64 = (1_u64 << 32) as f64;

    /// So many parts of a batch of `all` parts.
    pub fn part(done: usize, all: usize) -> u64 {
        (done as f64 / all.max(1) as f64 * Self::WHOLE) as u64
    }

    /// Says that parts of a batch begin: what workers make first is made.
    pub fn begin(&self) {
        self.begun.store(true, Ordering::Relaxed);
    }

    /// Whether parts of any batch have begun.
    pub fn has_begun(&self) -> bool {
        self.begun.load(Ordering::Relaxed)
    }

    /// Says that a job is done, or given up: a batch, or some of it where workers cut it.
    pub fn end(&self) {
        self.ended.fetch_add(1, Ordering::Relaxed);
    }

    /// How many jobs have ended.
    pub fn ended(&self) -> u64 {
        self.ended.load(Ordering::Relaxed)
    }

    /// Adds a part.
    pub fn add(&self, part: u64) {
        self.sum.fetch_add(part, Ordering::Relaxed);
    }

    /// Takes away a part that was added.
    pub fn take(&self, part: u64) {
        self.sum.fetch_sub(part, Ordering::Relaxed);
    }

    /// The sum, in batches.
    pub fn batches(&self) -> f64 {
        self.sum.load(Ordering::Relaxed) as f64 / Self::WHOLE
    }
}
