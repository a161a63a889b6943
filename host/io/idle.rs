//! Threads whose work matters less than that of others.

/// Has the calling thread compute only while no other thread wants its processor. Where the system refuses, it goes on as before.
pub fn stand_back() {
    let of_none = libc::sched_param { sched_priority: 0 };
    // SAFETY: 0 is the calling thread; the pointer is that of a value, which lives until the call returns.
    let _ = unsafe { libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const of_none) };
}
