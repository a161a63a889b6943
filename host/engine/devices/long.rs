//! Whether a run that the CPU has begun is long enough for a GPU.

use crate::pipeline::Crew;
use crossbeam_channel::RecvTimeoutError;
use std::time::{Duration, Instant};

/// What opening a GPU and closing it at the end take, about. A run that the CPU ends sooner needs none.
const OPENING: Duration = Duration::from_millis(350);
/// Where the CPU keeps up with the reader, the time goes into reading, decompressing or writing. A GPU then saves no more than the
/// processors that computing takes, so opening it must be a small part of what is left: a quarter.
const KEEPING_UP: u32 = 4;
/// How often it is looked how far a run has come, and when that says something about the rest of it.
const LOOK: Duration = Duration::from_millis(5);
const TELLING: Duration = Duration::from_millis(80);
/// Nothing has been computed, or the whole input read without an end of the batches, for so long: the run is a long one.
const PATIENCE: Duration = Duration::from_millis(150);

/// Waits until a run that the CPU has begun turns out to be long enough for a GPU. False: it was over before. `read` says which
/// share of the input has been read.
pub(super) fn is_long<T, R>(crew: &dyn Crew<'_, T, R>, read: &dyn Fn() -> Option<f64>) -> bool {
    let start = Instant::now();
    loop {
        let (computed, more) = crew.computed();
        match read() {
            // What is left of a pipe, nobody knows.
            None => return true,
            Some(share) if computed > 0.0 && (share < 1.0 || !more) => {
                let done = share * computed;
                let (took, worth) = (start.elapsed(), if crew.is_behind() { OPENING } else { OPENING * KEEPING_UP });
                if took >= TELLING && took.mul_f64((1.0 - done) / done) > worth {
                    return true;
                }
            }
            Some(_) if start.elapsed() >= PATIENCE => return true,
            Some(_) => {}
        }
        if crew.over().recv_timeout(LOOK) == Err(RecvTimeoutError::Disconnected) {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{Role, Worker};
    use crossbeam_channel::{Receiver, bounded};

    /// A fifth of what has been read is computed, for ever.
    struct Fake {
        is_behind: bool,
        over: Receiver<()>,
    }

    impl Crew<'_, (), ()> for Fake {
        fn join(&self, _: Role, _: Worker<(), ()>) {}

        fn over(&self) -> &Receiver<()> {
            &self.over
        }

        fn computed(&self) -> (f64, bool) {
            (0.2, true)
        }

        fn is_behind(&self) -> bool {
            self.is_behind
        }

        fn is_behind_for(&self, _: Duration) -> bool {
            false
        }
    }

    #[test]
    fn where_the_cpu_keeps_up_more_must_be_left_of_a_run() {
        for (is_behind, least) in [(true, TELLING), (false, OPENING * KEEPING_UP / 9)] {
            let ((_going, over), start) = (bounded(0), Instant::now());
            // Half is read, so a tenth is done.
            assert!(is_long(&Fake { is_behind, over }, &|| Some(0.5)) && start.elapsed() >= least, "{is_behind}");
        }
    }

    #[test]
    fn a_run_that_is_over_was_none_and_of_a_pipe_nobody_knows() {
        let over = bounded(0).1;
        let fake = Fake { is_behind: true, over };
        assert!(!is_long(&fake, &|| Some(0.5)));
        assert!(is_long(&fake, &|| None));
    }
}
