//! Who takes which batch, and when.

use super::*;

const fn ms(milliseconds: u64) -> Option<Duration> {
    Some(Duration::from_millis(milliseconds))
}

#[test]
fn a_helper_takes_what_the_others_could_not_do_before_it_is_done() {
    for (mains, main, helper, least) in [
        // Alone.
        (0, None, None, Some(1)),
        (0, None, ms(50), Some(1)),
        // Beside workers that nobody knows yet.
        (1, None, ms(50), Some(2)),
        (3, None, None, Some(1)),
        (2, ms(10), None, Some(1)),
        // Beside workers that are known.
        (1, ms(10), ms(5), Some(1)),
        (2, ms(20), ms(5), Some(1)),
        (1, ms(10), ms(3), Some(1)),
        (1, ms(10), ms(6), None),
        (4, ms(10), ms(2), None),
    ] {
        let pace = Pace { mains, helpers: 1, main, helper };
        let found = (0..100).find(|&waiting| pace.helps(waiting, None));
        assert_eq!(found, least, "{pace:?}");
        assert!(found.is_none_or(|least| (least..100).all(|waiting| pace.helps(waiting, None))), "{pace:?}");
    }
}

#[test]
fn a_batch_that_takes_long_counts_as_it_is() {
    for (main, longest, least) in [
        (None, ms(10), Some(2)),
        (None, ms(50), Some(2)),
        (None, ms(100), Some(1)),
        (ms(1), ms(99), None),
        (ms(1), ms(100), Some(1)),
        (ms(100), ms(1), Some(1)),
    ] {
        let pace = Pace { mains: 1, helpers: 1, main, helper: ms(50) };
        assert_eq!((0..100).find(|&waiting| pace.helps(waiting, longest)), least, "{main:?}, {longest:?}");
    }
    let queue = Queue::new();
    queue.join(Role::Helper);
    queue.join(Role::Main);
    (0..4).for_each(|number| assert!(queue.add(number, ())));
    let (helper, main) = (queue.take(Role::Helper).unwrap(), queue.take(Role::Main).unwrap());
    queue.done(Role::Helper, helper.2);
    // The main worker is never done, and this returns.
    assert_eq!([0, 1].map(|_| queue.take(Role::Helper).unwrap().0), [2, 3]);
    queue.done(Role::Main, main.2);
    assert!(queue.lock().begun.is_empty());
}

#[test]
fn helpers_are_recalled_when_main_workers_would_be_done_before_them() {
    let start = Instant::now();
    let at = |milliseconds| start + Duration::from_millis(milliseconds);
    // With their batches taken at 0 and 50 ms, at 100 ms.
    for (mains, main, helper, due) in [
        (1, ms(10), ms(100), Some(100)),
        (1, ms(10), ms(74), Some(144)),
        (1, ms(10), ms(20), Some(120)),
        (2, ms(10), ms(64), Some(100)),
        (1, ms(10), None, Some(120)),
        (1, None, None, Some(120)),
        (1, None, ms(1000), Some(100)),
    ] {
        let pace = Pace { mains, helpers: 2, main, helper };
        assert_eq!(pace.recall(&[at(0), at(50)], at(100)), due.map(at), "{pace:?}");
        assert_eq!(pace.recall(&[], at(100)), None);
    }
}

#[test]
fn helpers_are_recalled_while_a_main_worker_has_nothing_to_do() {
    let (queue, long) = (Queue::new(), Duration::from_secs(60));
    queue.join(Role::Helper);
    queue.join(Role::Main);
    queue.lock().pace = Pace { mains: 1, helpers: 1, main: ms(1), helper: Some(long) };
    (0..2).for_each(|number| assert!(queue.add(number, ())));
    let main = queue.take(Role::Main).unwrap();
    // As it would with more waiting.
    queue.lock().pace.main = Some(4 * long);
    let helper = queue.take(Role::Helper).unwrap();
    queue.done(Role::Main, main.2);
    queue.lock().pace.main = ms(1);
    let recall = queue.recall();
    assert!(!recall.is_due());
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| queue.take(Role::Main));
        while !recall.is_due() {
            std::thread::yield_now();
        }
        assert!(queue.add(2, ()) && waits.join().unwrap().is_some() && !recall.is_due());
    });
    // As if that had been the first.
    queue.lock().pace.main = None;
    assert!(queue.add(3, ()) && queue.take(Role::Main).is_some() && recall.is_due());
    queue.complete();
    assert!(queue.take(Role::Main).is_none() && recall.is_due());
    queue.done(Role::Helper, helper.2);
    assert!(queue.lock().helped.is_empty());
}

#[test]
fn later_times_count_more() {
    let mut pace = Pace::default();
    for (took, main) in [(100, 100), (60, 80), (20, 20), (40, 30)] {
        pace.note(Role::Main, Duration::from_millis(took));
        assert_eq!((pace.main, pace.helper), (ms(main), None));
    }
    for (took, helper) in [(20, 40), (10, 40), (30, 40), (50, 100)] {
        pace.note_recalled(Duration::from_millis(took));
        assert_eq!(pace.helper, ms(helper));
    }
}

#[test]
fn what_is_computed_is_a_share_of_what_came() {
    let queue = Queue::new();
    queue.join(Role::Main);
    let computed = |share, more| Reached { share, more, busy: 0.0, unknown: false };
    assert_eq!(queue.reached(), computed(0.0, true));
    (0..4).for_each(|number| assert!(queue.add(number, ())));
    let (.., begun) = queue.take(Role::Main).unwrap();
    queue.done(Role::Main, begun);
    queue.complete();
    assert_eq!(queue.reached(), computed(0.25, false));
    queue.underway().add(Underway::part(1, 2));
    assert_eq!(queue.reached(), computed(0.375, false));
    queue.underway().take(Underway::part(1, 2));
    queue.underway().add(Underway::part(4, 1));
    assert_eq!(queue.reached(), computed(1.0, false));
}

#[test]
fn of_helpers_that_make_what_they_need_or_cut_batches_nothing_is_known() {
    let queue = Queue::new();
    queue.join(Role::Helper);
    assert!(!queue.reached().unknown);
    (0..2).for_each(|number| assert!(queue.add(number, ())));
    let (.., begun) = queue.take(Role::Helper).unwrap();
    assert!(queue.reached().unknown);
    queue.underway().begin();
    queue.underway().add(Underway::part(1, 2));
    assert!(!queue.reached().unknown && queue.reached().share > 0.0);
    (0..2).for_each(|_| queue.underway().end());
    assert!(queue.reached().unknown && queue.reached().share == 0.0);
    // What tells nothing has begun when a batch is done.
    let queue = Queue::new();
    queue.join(Role::Helper);
    (0..2).for_each(|number| assert!(queue.add(number, ())));
    let (.., first) = queue.take(Role::Helper).unwrap();
    queue.done(Role::Helper, first);
    assert!(first >= begun && queue.take(Role::Helper).is_some() && !queue.reached().unknown);
}

#[test]
fn a_resting_helper_ends_with_the_last_batch() {
    let queue = Queue::new();
    queue.join(Role::Main);
    queue.lock().pace = Pace { mains: 1, helpers: 1, main: ms(1), helper: ms(100) };
    queue.add(0, "a");
    std::thread::scope(|scope| {
        let helper = scope.spawn(|| queue.take(Role::Helper));
        assert_eq!(queue.take(Role::Main).map(|(number, batch, _)| (number, batch)), Some((0, "a")));
        queue.complete();
        assert!(helper.join().unwrap().is_none());
    });
    assert!(queue.take(Role::Main).is_none());
}

#[test]
fn batches_after_the_end_are_dropped() {
    let queue = Queue::new();
    let batch = std::sync::Arc::new(());
    assert!(queue.add(0, batch.clone()));
    queue.end();
    assert!(!queue.add(1, batch.clone()) && queue.take(Role::Main).is_none());
    assert_eq!(std::sync::Arc::strong_count(&batch), 1);
}

#[test]
fn one_more_is_wanted_where_batches_wait_as_long_as_it_takes_to_come() {
    let (queue, long) = (Queue::new(), Duration::from_millis(30));
    queue.join(Role::Main);
    let start = Instant::now();
    std::thread::scope(|scope| {
        let behind = scope.spawn(|| queue.is_behind_for(long));
        (0..3).for_each(|number| assert!(queue.add(number, ())));
        assert!(behind.join().unwrap() && start.elapsed() >= long);
    });
    // A pause begins anew.
    (0..3).for_each(|_| assert!(queue.take(Role::Main).is_some()));
    std::thread::scope(|scope| {
        let behind = scope.spawn(|| queue.is_behind_for(Duration::from_secs(60)));
        queue.add(3, ());
        queue.complete();
        assert!(!behind.join().unwrap());
    });
}
