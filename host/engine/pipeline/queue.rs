//! Batches that wait to be computed, and who takes the next one.
//!
//! A *main* worker, one on a GPU say, takes a batch whenever it is free. A *helper*, the CPU beside GPUs, takes one only while
//! that helps. With `waiting` batches, `mains` main workers that take `main` for a batch each, and a helper that takes `helper`,
//!
//! ```text
//! no main worker yet                      the helper takes what there is
//! the helper has not computed yet         it takes one, to see how long that takes
//! no main worker has computed yet         it leaves each of them one
//! main * waiting / mains >= helper, and   the main workers are busy until the helper is done: nobody waits for it
//! helper / helpers <= main / mains / WORTH   they are fast enough to be worth the processors that the others need, too
//! ```
//!
//! A helper's batch may take much longer than was thought, or be its first. When a main worker finds nothing to do, or begins its
//! first batch, helpers are [recalled](Recall): with what they have,
//!
//! ```text
//! they will be done later than the main workers would be, by a quarter    at once
//! they will be done before that                                           when that turns out to be wrong
//! nobody knows how long they take                                         when main workers would be done if they had begun
//! ```
//!
//! So at the end of a run nobody waits for a slow helper, and where the reader is the slowest part, few batches wait and the
//! helper rests. Times are those of whole batches, each counted half as much as the next one, or not at all where that took less than half; a batch that a main worker has had
//! for longer than that counts as it is. Right at the edges: a main worker never declines, so whatever the helper does, each batch
//! is computed.

use super::Role;
use super::signals::{Recall, Underway};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Helpers that are not so many times as fast as the main workers slow these down: reading, staging and writing for the GPUs takes
/// processors, too. With 16 threads and one H200, `scan` of 6 GB took 1.16 s with all helpers that were a quarter as fast or more,
/// and 0.85 s without; `align` of a million pairs 0.91 and 0.82 s.
const WORTH: u32 = 2;

/// How long main workers take for what they have never done, when it is to be decided whether helpers go on.
const UNKNOWN: Duration = Duration::from_millis(20);

/// How far the batches are that have been read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// The share of them that has been computed, with what is done of those underway.
    pub share: f64,
    /// Whether more are to be read.
    pub more: bool,
    /// The share of the helpers that are at work.
    pub busy: f64,
    /// Whether nobody knows yet: they are making what they need for their first batches, or cut these and have done none.
    pub unknown: bool,
}

/// Batches that wait, by their numbers.
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    /// What workers wait for.
    changed: Condvar,
    /// What [`Queue::is_behind_for`] does.
    late: Condvar,
    recall: Recall,
    underway: Underway,
}

struct State<T> {
    waiting: VecDeque<(u64, T)>,
    /// No more will come.
    complete: bool,
    /// Nobody wants what waits.
    over: bool,
    pace: Pace,
    /// Batches that have come, and that have been computed.
    came: u64,
    computed: u64,
    /// When the main workers took what they are at.
    begun: Vec<Instant>,
    /// When helpers did.
    helped: Vec<Instant>,
    /// Since when more batches have waited than there are main workers, without a pause.
    behind: Option<Instant>,
}

/// How fast the workers are.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    mains: u32,
    helpers: u32,
    main: Option<Duration>,
    helper: Option<Duration>,
}

impl Pace {
    /// Whether all workers are of one role: then any of them takes what has come, and who is at work says nothing to the others.
    fn is_of_one_role(&self) -> bool {
        self.mains == 0 || self.helpers == 0
    }

    /// Whether a helper takes one of `waiting` batches, when a main worker has been at one for `longest`.
    fn helps(&self, waiting: usize, longest: Option<Duration>) -> bool {
        let waiting = u32::try_from(waiting).unwrap_or(u32::MAX);
        let (mains, Some(helper)) = (self.mains, self.helper) else { return waiting > 0 };
        let is_worth = |main: Duration| {
            let together = helper / self.helpers.max(1);
            mains == 0
                || main.saturating_mul(waiting) / mains >= helper && together.saturating_mul(WORTH) <= main / mains
        };
        waiting > 0 && (self.main.is_none() && waiting > mains || is_worth(self.main.max(longest).unwrap_or_default()))
    }

    /// When helpers that took their batches at `helped` are to give up, if a main worker has nothing to do `now`.
    fn recall(&self, helped: &[Instant], now: Instant) -> Option<Instant> {
        let again = self.main.map_or(UNKNOWN, |main| main * helped.len() as u32 / self.mains.max(1));
        let done = helped.iter().max().map(|&latest| self.helper.map(|helper| latest + helper))?;
        Some(match done {
            Some(done) if done > now + again * 5 / 4 => now,
            Some(done) => done.max(now) + again,
            None => now + again,
        })
    }

    fn note(&mut self, role: Role, took: Duration) {
        let mean = match role {
            Role::Main => &mut self.main,
            Role::Helper => &mut self.helper,
        };
        // A worker's first batch takes longer, with all that is done but once.
        *mean = Some(mean.map_or(took, |mean| if took < mean / 2 { took } else { (mean + took) / 2 }));
    }

    /// The same of a helper that may have given up: it would have taken longer. Where it had not yet had its usual time, that says
    /// nothing.
    fn note_recalled(&mut self, took: Duration) {
        if self.helper.is_none_or(|usual| took >= usual) {
            self.helper = Some(2 * took);
        }
    }
}

impl<T> Queue<T> {
    pub(super) fn new() -> Self {
        let (waiting, pace) = (VecDeque::new(), Pace::default());
        let (came, computed, begun, helped) = Default::default();
        let state = State { waiting, complete: false, over: false, pace, came, computed, begun, helped, behind: None };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            late: Condvar::new(),
            recall: Recall::default(),
            underway: Underway::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell_all(&self) {
        self.changed.notify_all();
        self.late.notify_all();
    }

    /// Has workers think again for whom it may matter what one of them does.
    fn tell_others(&self, state: MutexGuard<'_, State<T>>) {
        let is_for_none = state.pace.is_of_one_role();
        drop(state);
        if !is_for_none {
            self.changed.notify_all();
        }
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<T>>) -> MutexGuard<'a, State<T>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a batch; false, and the batch is dropped, when nobody wants it.
    pub(super) fn add(&self, number: u64, batch: T) -> bool {
        let mut state = self.lock();
        if state.over {
            drop(state);
            drop(batch);
            return false;
        }
        state.waiting.push_back((number, batch));
        state.came += 1;
        if state.waiting.len() > state.pace.mains as usize {
            state.behind.get_or_insert_with(Instant::now);
            self.late.notify_all();
        }
        let is_for_any = state.pace.is_of_one_role();
        drop(state);
        match is_for_any {
            true => self.changed.notify_one(),
            false => self.changed.notify_all(),
        }
        true
    }

    /// Tells helpers when to give up.
    pub(super) fn recall(&self) -> Recall {
        self.recall.clone()
    }

    /// Hears how far batches are.
    pub(super) fn underway(&self) -> Underway {
        self.underway.clone()
    }

    /// Says that no more will come.
    pub(super) fn complete(&self) {
        self.lock().complete = true;
        self.tell_all();
    }

    /// How far the batches are that have come.
    pub(super) fn reached(&self) -> Reached {
        let state = self.lock();
        let Pace { mains, helpers, .. } = state.pace;
        let busy = state.helped.len() as f64 / f64::from(helpers.max(1));
        // Where batches are cut, how far a job is does not tell how far its batch is.
        let are_cut = self.underway.ended() > state.computed + u64::from(mains + helpers);
        let underway = if are_cut { 0.0 } else { self.underway.batches() };
        let computed = (state.computed as f64 + underway).min(state.came as f64);
        let unknown = busy > 0.0 && state.computed == 0 && (are_cut || !self.underway.has_begun());
        Reached { share: computed / state.came.max(1) as f64, more: !state.complete, busy, unknown }
    }

    /// Drops what waits, and all that comes.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        state.over = true;
        let unwanted = std::mem::take(&mut state.waiting);
        drop(state);
        self.tell_all();
        drop(unwanted);
    }

    /// Says that a worker joins.
    pub(super) fn join(&self, role: Role) {
        let mut state = self.lock();
        match role {
            Role::Main => state.pace.mains += 1,
            Role::Helper => state.pace.helpers += 1,
        }
        // What waited until now did not wait for this worker.
        state.behind = state.behind.map(|_| Instant::now());
        drop(state);
        self.tell_all();
    }

    /// The next batch for a worker of this role, as soon as there is one, and when that was; `None` when there will be none.
    pub(super) fn take(&self, role: Role) -> Option<(u64, T, Instant)> {
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            if role == Role::Main && state.waiting.is_empty() {
                self.recall.set(state.pace.recall(&state.helped, now));
            }
            if state.over || state.complete && state.waiting.is_empty() {
                return None;
            }
            let longest = state.begun.iter().min().map(|&begun| now - begun);
            let takes = role == Role::Main || state.pace.helps(state.waiting.len(), longest);
            if let Some((number, batch)) = takes.then(|| state.waiting.pop_front()).flatten() {
                if state.waiting.is_empty() {
                    state.behind = None;
                }
                match role {
                    Role::Main => {
                        state.begun.push(now);
                        // What it does but once waits for processors that the helpers keep busy.
                        let first = state.pace.main.is_none();
                        self.recall.set(state.pace.recall(&state.helped, now).filter(|_| first));
                    }
                    Role::Helper => state.helped.push(now),
                }
                // A helper that rests may have nothing to wait for any more.
                self.tell_others(state);
                return Some((number, batch, now));
            }
            state = match state.pace.helper.filter(|_| !takes && !state.waiting.is_empty()) {
                // By then, a main worker may have been at its batch for longer than was thought.
                Some(helper) => self.changed.wait_timeout(state, helper).unwrap_or_else(PoisonError::into_inner).0,
                None => self.wait(state),
            };
        }
    }

    /// Says that a worker of this role is done with the batch that it took at `begun`.
    pub(super) fn done(&self, role: Role, begun: Instant) {
        let mut state = self.lock();
        let took = begun.elapsed();
        match role == Role::Helper && self.recall.is_due() {
            true => state.pace.note_recalled(took),
            false => state.pace.note(role, took),
        }
        state.computed += 1;
        let at_work = match role {
            Role::Main => &mut state.begun,
            Role::Helper => &mut state.helped,
        };
        if let Some(at) = at_work.iter().position(|&other| other == begun) {
            at_work.swap_remove(at);
        }
        self.tell_others(state);
    }

    /// Waits until the main workers have been behind, without a pause, for as long as it takes to get one more; false when there
    /// is no more to come that would be worth it.
    pub(super) fn is_behind_for(&self, long: Duration) -> bool {
        let mut state = self.lock();
        loop {
            if state.over || state.complete {
                return false;
            }
            state = match state.behind.map(|since| since.elapsed()) {
                Some(behind) if behind >= long => return true,
                Some(behind) => self.late.wait_timeout(state, long - behind).unwrap_or_else(PoisonError::into_inner).0,
                None => self.late.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

#[cfg(test)]
mod tests;
