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

use super::Gpu;
use crate::error::DeviceError;
use std::time::Duration;

type Result<T> = std::result::Result<T, DeviceError>;

/// Sums of milliseconds, one for each stage.
pub trait Sums: Copy + Default {
    /// What the device, or the host, does between two marks.
    type Stage: Copy;
    /// The sum of a stage.
    fn of(&mut self, stage: Self::Stage) -> &mut f64;
}

/// Marks in the stream of a timed device.
pub struct Marks<G: Gpu, S: Sums> {
    timed: bool,
    marks: Vec<(Option<S::Stage>, G::Event)>,
    by_host: S,
}

impl<G: Gpu, S: Sums> Marks<G, S> {
    /// No marks; none will come unless `timed`.
    pub fn new(timed: bool) -> Self {
        Self { timed, marks: Vec::new(), by_host: S::default() }
    }

    /// Forgets all marks.
    pub fn clear(&mut self) {
        *self = Self::new(self.timed);
    }

    /// Marks the end of `stage`; `None`: the end of a pause.
    ///
    /// # Errors
    /// What the device answers.
    pub fn mark(&mut self, gpu: &G, stream: &G::Stream, stage: Option<S::Stage>) -> Result<()> {
        if self.timed {
            self.marks.push((stage, gpu.record(stream)?));
        }
        Ok(())
    }

    /// Adds to a stage what it took by the host's clock, whether or not the device is timed.
    pub fn add(&mut self, stage: S::Stage, took: Duration) {
        *self.by_host.of(stage) += took.as_secs_f64() * 1e3;
    }

    /// The sums. The stream has been waited for.
    ///
    /// # Errors
    /// What the device answers.
    pub fn times(&self, gpu: &G) -> Result<S> {
        let mut sums = self.by_host;
        for ends in self.marks.windows(2) {
            if let [(_, from), (Some(stage), to)] = ends {
                *sums.of(*stage) += f64::from(gpu.milliseconds(from, to)?);
            }
        }
        Ok(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulated::Emulated;

    #[derive(Clone, Copy, Default)]
    struct Times([f64; 2]);

    impl Sums for Times {
        type Stage = usize;
        fn of(&mut self, stage: usize) -> &mut f64 {
            &mut self.0[stage]
        }
    }

    #[test]
    fn a_pause_is_nobodys_and_an_untimed_device_has_only_what_the_host_added() {
        for timed in [true, false] {
            let (gpu, mut marks) = (Emulated::default(), Marks::<_, Times>::new(timed));
            for stage in [None, Some(0), None, Some(0)] {
                std::thread::sleep(Duration::from_millis(2));
                marks.mark(&gpu, &(), stage).unwrap();
            }
            marks.add(1, Duration::from_millis(500));
            let Times([first, second]) = marks.times(&gpu).unwrap();
            assert_eq!((first > 3.9, second), (timed, 500.0));
            marks.clear();
            assert_eq!(marks.times(&gpu).unwrap().0, [0.0; 2]);
        }
    }
}
