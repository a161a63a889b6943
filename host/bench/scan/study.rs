//! One factor of scan's input varied, the others kept.
//!
//! Searched as the original programs do (`cs3210-2025`), so that the curves compare with the reports'. Each point's answer is
//! checked like a benchmark's.

use super::agree;
use super::call::{OnGpu, Search};
use super::work::{Preset, Work};
use crate::bench::Rig;
use crate::bench::pinned::PinnedInPlace;
use crate::bench::spread::Repeat;
use crate::bench::study::{Point, Study};
use crate::error::Result;
use crate::gpu::Gpu;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Factor {
    Samples,
    Signatures,
    SampleLength,
    SignatureLength,
    NRatio,
}

impl Factor {
    /// As in file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::Signatures => "signatures",
            Self::SampleLength => "sample-length",
            Self::SignatureLength => "signature-length",
            Self::NRatio => "n-ratio",
        }
    }

    /// With its unit, as on an axis.
    pub fn axis(self) -> &'static str {
        match self {
            Self::Samples => "samples (50 kb each)",
            Self::Signatures => "signatures (1 kb each)",
            Self::SampleLength => "length of a sample (symbols)",
            Self::SignatureLength => "length of a signature (symbols)",
            Self::NRatio => "share of N in samples and signatures",
        }
    }

    fn values(self) -> [f64; 5] {
        match self {
            Self::Samples => [100.0, 200.0, 400.0, 800.0, 1600.0],
            Self::Signatures => [125.0, 250.0, 500.0, 1000.0, 2000.0],
            Self::SampleLength => [10e3, 20e3, 40e3, 80e3, 160e3],
            Self::SignatureLength => [250.0, 500.0, 1000.0, 2000.0, 4000.0],
            Self::NRatio => [0.0, 0.05, 0.1, 0.2, 0.3],
        }
    }

    /// The works of the study with the value of the factor in each. `scale` multiplies the numbers of samples and signatures.
    pub fn works(self, scale: f64) -> Vec<(f64, Work)> {
        self.values().map(|value| self.work(value, scale)).into()
    }

    fn work(self, value: f64, scale: f64) -> (f64, Work) {
        let count = |full: f64| ((full * scale).round() as usize).max(2);
        let (mut samples, mut signatures) = (count(400.0), count(500.0));
        let (mut sample_length, mut signature_length, mut n_ratio) = (50_000, 1000, 0.1);
        let mut shown = value;
        match self {
            Self::Samples => (samples, shown) = (count(value), count(value) as f64),
            Self::Signatures => (signatures, shown) = (count(value), count(value) as f64),
            Self::SampleLength => sample_length = value as usize,
            Self::SignatureLength => signature_length = value as usize,
            Self::NRatio => n_ratio = value,
        }
        let work = Work {
            name: format!("{} {shown}", self.name()),
            about: self.axis().into(),
            seed: 1,
            without: samples / 2,
            with: samples - samples / 2,
            viruses: [1, 2],
            sample_length: [sample_length; 2],
            signatures,
            signature_length: [signature_length; 2],
            phred: [10, 30],
            n_ratio,
            rows: None,
            target: Default::default(),
        };
        (shown, work)
    }
}

/// Measures how a factor tells, and writes `scan-<factor>.csv` and `.svg` into `folder`. The two files.
///
/// # Errors
/// [`crate::error::Error::Mismatch`] for a wrong answer; those of the engines and of writing.
pub fn study<G: Gpu>(
    factor: Factor,
    works: &[(f64, Work)],
    rig: Option<&Rig<G>>,
    runs: usize,
    folder: &Path,
) -> Result<[PathBuf; 2]> {
    let repeat = Repeat { runs, at_most: Duration::from_secs(1) };
    let mut points = Vec::new();
    for (value, work) in works {
        measure(*value, work, rig, repeat, &mut points)?;
    }
    let title = "scan, preset cs3210-2025";
    Study { engine: "scan", factor: factor.name(), title, axis: factor.axis(), points }.write(folder)
}

fn measure<G: Gpu>(
    value: f64,
    work: &Work,
    rig: Option<&Rig<G>>,
    repeat: Repeat,
    points: &mut Vec<Point>,
) -> Result<()> {
    let (preset, input) = (Preset::Cs3210Y2025, work.generate()?);
    let search = Search::new(preset, &input);
    let (call, answer) = search.on_cpu(repeat)?;
    work.check("cpu", &input, &answer.rows)?;
    let cells = None;
    points.push(Point { value, device: "cpu".into(), kernel: None, call, rows: answer.rows.len(), cells });
    let Some(rig) = rig else { return Ok(()) };
    // SAFETY: `input` outlives the guard, which is declared after it, and nothing changes its letters.
    let pinned = unsafe { PinnedInPlace::new(&rig.gpu, &input.batch.bases)? };
    let OnGpu { call, kernel, answer: other, .. } = search.on_gpu(&rig.gpu, repeat)?;
    drop(pinned);
    agree(work, preset, rig.gpu.name(), [&answer, &other])?;
    let (device, rows) = (rig.gpu.name().to_owned(), other.rows.len());
    points.push(Point { value, device, kernel: Some(kernel), call, rows, cells });
    Ok(())
}
