//! Where the time goes: ranges that a profiler shows on its time line (NVTX), and sums of the phases of a run.
//!
//! A [`range`] is free when nobody listens: the library looks once for a profiler's injection and does nothing without one. A
//! [`Phase`] is counted besides, for the whole process: that of the calling thread, so that its sum explains how long a command
//! took, and those of all other threads, whose sum may be longer than that. Phases are entered some times for each block or batch.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// A range that ends when it is dropped.
#[must_use = "a range ends when it is dropped"]
pub struct Range {
    _open: nvtx::RangeGuard,
}

/// Begins a range.
pub fn range(name: &'static str) -> Range {
    Range { _open: nvtx::range!("{}", name) }
}

/// What a thread does. Phases do not overlap on a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Bytes come from a file that is not compressed, or from a pipe.
    Read,
    /// Bytes come from a compressed file, and are decompressed.
    Inflate,
    /// Text becomes records, which are checked.
    Parse,
    /// An executor computes, and its results become rows.
    Compute,
    /// Rows go to the output.
    Write,
    /// For the results of other threads.
    Wait,
}

impl Phase {
    /// All of them, in the order of a batch.
    const ALL: [Self; 6] = [Self::Read, Self::Inflate, Self::Parse, Self::Compute, Self::Write, Self::Wait];

    fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Inflate => "inflate",
            Self::Parse => "parse",
            Self::Compute => "compute",
            Self::Write => "write",
            Self::Wait => "wait",
        }
    }
}

/// Nanoseconds of each phase.
type Sums = [AtomicU64; Phase::ALL.len()];

/// Those of the calling thread, and of all others.
static SUMS: [Sums; 2] = [const { [const { AtomicU64::new(0) }; Phase::ALL.len()] }; 2];
/// The calling thread, and when it began.
static CALLER: OnceLock<(ThreadId, Instant)> = OnceLock::new();

/// Says that a command begins, on the calling thread.
pub fn begin() {
    CALLER.get_or_init(|| (std::thread::current().id(), Instant::now()));
}

/// A phase that ends when it is dropped.
#[must_use = "a phase ends when it is dropped"]
pub struct Entered {
    phase: Phase,
    start: Instant,
    _range: Range,
}

/// Enters a phase.
pub fn enter(phase: Phase) -> Entered {
    Entered { phase, start: Instant::now(), _range: range(phase.name()) }
}

impl Drop for Entered {
    fn drop(&mut self) {
        let called = CALLER.get().is_some_and(|&(caller, _)| caller == std::thread::current().id());
        let nanoseconds = u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        SUMS[usize::from(!called)][self.phase as usize].fetch_add(nanoseconds, Ordering::Relaxed);
    }
}

/// Seconds since [`begin`] in two lines: those of the calling thread, whose sum is all of them, and those of the others.
pub fn told() -> Option<[String; 2]> {
    let (_, start) = CALLER.get()?;
    let total = start.elapsed();
    let [caller, others] = [0, 1].map(|which: usize| {
        let sums = Phase::ALL.iter().zip(&SUMS[which]);
        let sums = sums.map(|(phase, sum)| (phase.name(), Duration::from_nanos(sum.load(Ordering::Relaxed))));
        sums.filter(|(_, sum)| !sum.is_zero()).collect::<Vec<_>>()
    });
    let known = caller.iter().map(|(_, sum)| *sum).sum();
    let rest = ("open", total.saturating_sub(known));
    let shown = |sums: &mut dyn Iterator<Item = (&str, Duration)>| {
        sums.map(|(name, sum)| format!("{name} {:.3} s", sum.as_secs_f64())).collect::<Vec<_>>().join(", ")
    };
    Some([
        format!("time {:.3} s: {}", total.as_secs_f64(), shown(&mut std::iter::once(rest).chain(caller))),
        format!("other threads together: {}", shown(&mut others.into_iter())),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phases_of_the_caller_explain_the_time_and_those_of_others_stand_apart() {
        begin();
        let pause = |phase| {
            let _entered = enter(phase);
            std::thread::sleep(Duration::from_millis(20));
        };
        pause(Phase::Write);
        std::thread::scope(|scope| drop((0..3).map(|_| scope.spawn(|| pause(Phase::Compute))).collect::<Vec<_>>()));
        let [caller, others] = told().unwrap();
        let seconds = |line: &str, name: &str| -> f64 {
            let rest = line.split(&format!("{name} ")).nth(1).unwrap_or("0 s");
            rest.split(' ').next().unwrap().parse().unwrap()
        };
        let parts = seconds(&caller, "open") + seconds(&caller, "write");
        assert!((seconds(&caller, "time") - parts).abs() < 0.003 && seconds(&caller, "write") >= 0.02, "{caller}");
        assert!(seconds(&others, "compute") >= 0.06 && !caller.contains("compute"), "{others}");
    }
}
