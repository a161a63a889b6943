//! How long the stages of work take on a device, by its own clock.
//!
//! A timed device has one slot, hence one stream in which nothing overlaps, and marks the stream between two stages:
//!
//! ```text
//! stream  | copy in | search | copy out |   | copy in | ...
//! marks   -         C        S          O   -
//! ```
//!
//! A mark names the stage that ends there; the stretch before `-` is nobody's. Sums over all slices are exact, because no
//! two stages run at a time.

use crate::error::Result;
use crate::gpu::Gpu;
use crate::stream::Stream;
use std::time::Duration;

/// What kind of work a stage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Copies between host and device.
    Copy,
    /// Kernels.
    Kernel,
    /// The host, by its own clock.
    Host,
}

/// A stage of an engine's work. Engines have a constant for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    pub name: &'static str,
    pub kind: Kind,
}

impl Stage {
    /// A stage of copies.
    pub const fn copy(name: &'static str) -> Self {
        Self { name, kind: Kind::Copy }
    }

    /// A stage of kernels.
    pub const fn kernel(name: &'static str) -> Self {
        Self { name, kind: Kind::Kernel }
    }

    /// A stage of the host.
    pub const fn host(name: &'static str) -> Self {
        Self { name, kind: Kind::Host }
    }
}

/// Milliseconds that a batch spent in each stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timings {
    stages: Vec<(Stage, f64)>,
}

impl Timings {
    /// Milliseconds of a stage: 0 when there were none.
    pub fn of(&self, stage: Stage) -> f64 {
        self.sum(|other| other == stage)
    }

    /// Milliseconds of all stages of kernels.
    pub fn kernels_ms(&self) -> f64 {
        self.sum(|stage| stage.kind == Kind::Kernel)
    }

    /// These stages, in words: `copy in 0.125 ms, search 1.500, copy out 0.250`.
    pub fn text(&self, stages: &[Stage]) -> String {
        let text = stages.iter().map(|&stage| format!("{} {:.3}", stage.name, self.of(stage))).collect::<Vec<_>>();
        text.join(", ").replacen(',', " ms,", 1)
    }

    fn sum(&self, is_meant: impl Fn(Stage) -> bool) -> f64 {
        let meant = self.stages.iter().filter(|(stage, _)| is_meant(*stage));
        // The sum of no floats is -0.
        meant.fold(0.0, |sum, (_, milliseconds)| sum + milliseconds)
    }

    fn add(&mut self, stage: Stage, milliseconds: f64) {
        match self.stages.iter_mut().find(|(other, _)| *other == stage) {
            Some((_, sum)) => *sum += milliseconds,
            None => self.stages.push((stage, milliseconds)),
        }
    }
}

/// Marks in the stream of a timed device.
pub struct Recorder<G: Gpu> {
    is_timed: bool,
    marks: Vec<(Option<Stage>, G::Event)>,
    by_host: Timings,
}

impl<G: Gpu> Recorder<G> {
    /// No marks; none will come unless the device `is_timed`.
    pub fn new(is_timed: bool) -> Self {
        Self { is_timed, marks: Vec::new(), by_host: Timings::default() }
    }

    /// Forgets all marks.
    pub fn clear(&mut self) {
        *self = Self::new(self.is_timed);
    }

    /// Marks the end of `stage`; `None`: the end of a pause.
    ///
    /// # Errors
    /// What the device answers.
    pub fn mark(&mut self, stream: &Stream<G>, stage: Option<Stage>) -> Result<()> {
        if self.is_timed {
            self.marks.push((stage, stream.record()?));
        }
        Ok(())
    }

    /// Adds to a stage what it took by the host's clock, whether or not the device is timed.
    pub fn add(&mut self, stage: Stage, took: Duration) {
        self.by_host.add(stage, took.as_secs_f64() * 1e3);
    }

    /// The sums, after the stream was waited for.
    ///
    /// # Errors
    /// What the device answers.
    pub fn timings(&self, gpu: &G) -> Result<Timings> {
        let mut timings = self.by_host.clone();
        for ends in self.marks.windows(2) {
            if let [(_, from), (Some(stage), to)] = ends {
                timings.add(*stage, f64::from(gpu.milliseconds(from, to)?));
            }
        }
        Ok(timings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulated::Emulated;
    use std::sync::Arc;

    const SEARCH: Stage = Stage::kernel("search");
    const WAIT: Stage = Stage::host("wait");

    #[test]
    fn a_pause_is_nobodys_and_an_untimed_device_has_only_what_the_host_added() {
        let gpu = Arc::new(Emulated::default());
        let stream = Stream::new(&gpu).unwrap();
        for is_timed in [true, false] {
            let mut recorder = Recorder::new(is_timed);
            for stage in [None, Some(SEARCH), None, Some(SEARCH)] {
                std::thread::sleep(Duration::from_millis(2));
                recorder.mark(&stream, stage).unwrap();
            }
            recorder.add(WAIT, Duration::from_millis(500));
            let timings = recorder.timings(&gpu).unwrap();
            assert_eq!((timings.kernels_ms() > 3.9, timings.of(WAIT)), (is_timed, 500.0));
            assert_eq!(timings.of(SEARCH), timings.kernels_ms());
            let text = timings.text(&[WAIT, Stage::copy("copy out")]);
            assert_eq!(text, "wait 500.000 ms, copy out 0.000");
            recorder.clear();
            assert_eq!(recorder.timings(&gpu).unwrap(), Timings::default());
        }
    }
}
