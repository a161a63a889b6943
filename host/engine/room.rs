//! The bytes that batches in flight may take together.
//!
//! A batch ends with the record that fills it, so one of long records is as large as its last record. The number of batches in
//! flight does not bound these. Here the reader waits until what is in flight leaves room for an ordinary batch, and then
//! reads whatever comes. With `most` bytes in all, and an ordinary batch no larger than that,
//!
//! ```text
//! bytes in flight <= most - ordinary + max(ordinary, ordinary + longest record) <= most + longest record
//! ```
//!
//! A reader that waits is woken by every batch that goes, and when none is left it does not wait. Whoever ends a run early
//! drops its batches, so no reader waits for ever.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A bound on the bytes in flight.
#[derive(Clone, Debug)]
pub struct Room(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    most: usize,
    taken: Mutex<usize>,
    freed: Condvar,
}

impl Room {
    /// Room for `most` bytes.
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Shared { most, taken: Mutex::default(), freed: Condvar::new() }))
    }

    /// Waits until `bytes` more fit, or nothing is in flight.
    pub fn wait_for(&self, bytes: usize) {
        let full = |taken: &mut usize| *taken > 0 && taken.saturating_add(bytes) > self.0.most;
        drop(self.0.freed.wait_while(self.0.taken(), full).unwrap_or_else(PoisonError::into_inner));
    }

    /// Counts `bytes` as taken until the guard is dropped.
    pub fn take(&self, bytes: usize) -> Guard {
        *self.0.taken() += bytes;
        Guard { room: self.0.clone(), bytes }
    }
}

impl Shared {
    fn taken(&self) -> MutexGuard<'_, usize> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes of a batch in flight.
#[derive(Debug)]
pub struct Guard {
    room: Arc<Shared>,
    bytes: usize,
}

impl Drop for Guard {
    fn drop(&mut self) {
        *self.room.taken() -= self.bytes;
        self.room.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Error, Result};
    use crate::pipeline::{Worker, run};
    use std::time::Duration;

    /// Runs batches of these sizes, read into room for `most`, an ordinary one being `ordinary`; the most bytes there were.
    fn peak(sizes: &[usize], most: usize, ordinary: usize) -> usize {
        let (room, mut sizes) = (Room::new(most), sizes.iter());
        let read = || {
            room.wait_for(ordinary);
            Ok(sizes.next().map(|&size| room.take(size)))
        };
        let mut peak = 0;
        let engine = |guard: Guard| {
            std::thread::yield_now();
            let taken = *guard.room.taken();
            Ok((taken, guard))
        };
        let engines = || Ok((0..3).map(|_| Box::new(engine) as Worker<Guard, (usize, Guard)>).collect());
        let write = |(taken, _): (usize, Guard)| {
            peak = peak.max(taken);
            Ok(())
        };
        run(8, read, engines, write).unwrap();
        assert_eq!(*room.0.taken(), 0);
        peak
    }

    #[test]
    fn no_more_is_in_flight_than_there_is_room_for_and_the_longest() {
        let long: Vec<usize> = (0..200).map(|k| if k % 3 == 0 { 1000 } else { 10 }).collect();
        for (most, ordinary) in [(100, 10), (40, 10), (10, 10), (0, 10), (1500, 10)] {
            assert!(peak(&long, most, ordinary) <= most + 1000, "{most}");
            assert!(peak(&[7; 200], most, ordinary) <= most.max(10), "{most}");
        }
    }

    #[test]
    fn a_run_that_fails_wakes_the_reader() {
        let fail = || Error::Mismatch("here".into());
        for bad in [0, 1, 5] {
            let (room, mut number) = (Room::new(10), 0_u64);
            let read = || {
                room.wait_for(10);
                number += 1;
                Ok(Some((number - 1, room.take(10))))
            };
            let engine = move |(number, guard): (u64, Guard)| if number == bad { Err(fail()) } else { Ok(guard) };
            let engines = || Ok(vec![Box::new(engine) as Worker<(u64, Guard), Guard>]);
            assert!(run(4, read, engines, |_| Ok(())).is_err());
        }
    }

    #[test]
    fn batches_that_nobody_takes_any_more_make_room() {
        let (room, mut sizes) = (Room::new(30), [1, 15, 100, 1].into_iter());
        let read = || {
            room.wait_for(10);
            Ok(sizes.next().map(|size| room.take(size)))
        };
        // While it is at work on the first batch, the reader fills the room; it looks at one more, and leaves the last.
        let engine = |_: Guard| -> Result<Guard> {
            std::thread::sleep(Duration::from_millis(20));
            Err(Error::Mismatch("here".into()))
        };
        let engines = || Ok(vec![Box::new(engine) as Worker<Guard, Guard>]);
        assert!(run(8, read, engines, |_| Ok(())).is_err());
    }
}
