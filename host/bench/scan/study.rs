//! Varies one factor of the input of `scan` and keeps the others.
//!
//! The search uses the preset `cs3210-2025`, so that the curves compare with those of the course reports.

use super::agree;
use super::call::{OnGpu, Search};
use super::work::{Preset, Work};
use crate::bench::Rig;
use crate::bench::pinned::PinnedInPlace;
use crate::bench::spread::Repeat;
use crate::bench::study::{self, Factor as _, Point};
use crate::error::Result;
use crate::gpu::Gpu;

/// The factor to vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Factor {
    Samples,
    Signatures,
    SampleLength,
    SignatureLength,
    NRatio,
    Mismatches,
}

/// Symbols of signatures of which there are many, or which are found with mismatches.
const SHORT: usize = 60;

impl Factor {
    fn values(self) -> [f64; 5] {
        match self {
            Self::Samples => [100.0, 200.0, 400.0, 800.0, 1600.0],
            Self::Signatures => [100.0, 1e3, 10e3, 100e3, 1e6],
            Self::SampleLength => [10e3, 20e3, 40e3, 80e3, 160e3],
            Self::SignatureLength => [250.0, 500.0, 1000.0, 2000.0, 4000.0],
            Self::NRatio => [0.0, 0.05, 0.1, 0.2, 0.3],
            Self::Mismatches => [0.0, 1.0, 2.0, 3.0, 4.0],
        }
    }

    fn work(self, value: f64, scale: f64) -> (f64, Work) {
        let count = |full: f64| ((full * scale).round() as usize).max(2);
        let (mut samples, mut signatures) = (count(400.0), count(500.0));
        let (mut sample_length, mut signature_length, mut n_ratio) = (50_000, 1000, 0.1);
        let (mut mismatches, mut shown) = (0, value);
        match self {
            Self::Samples => (samples, shown) = (count(value), count(value) as f64),
            Self::Signatures => {
                (signatures, shown) = (count(value), count(value) as f64);
                (signature_length, n_ratio) = (SHORT, 0.0);
            }
            Self::SampleLength => sample_length = value as usize,
            Self::SignatureLength => signature_length = value as usize,
            Self::NRatio => n_ratio = value,
            Self::Mismatches => (mismatches, signature_length, n_ratio) = (value as u32, SHORT, 0.0),
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
            mismatches,
            rows: None,
            target: Default::default(),
        };
        (shown, work)
    }
}

impl study::Factor for Factor {
    type Work = Work;
    const ENGINE: &'static str = "scan";
    const TITLE: &'static str = "scan, preset cs3210-2025";

    fn name(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::Signatures => "signatures",
            Self::SampleLength => "sample-length",
            Self::SignatureLength => "signature-length",
            Self::NRatio => "n-ratio",
            Self::Mismatches => "mismatches",
        }
    }

    fn axis(self) -> &'static str {
        match self {
            Self::Samples => "samples (50 kb each)",
            Self::Signatures => "signatures (60 symbols each, no N)",
            Self::SampleLength => "length of a sample (symbols)",
            Self::SignatureLength => "length of a signature (symbols)",
            Self::NRatio => "share of N in samples and signatures",
            Self::Mismatches => "mismatches (500 signatures of 60 symbols, no N)",
        }
    }

    fn works(self, scale: f64) -> Vec<(f64, Work)> {
        self.values().map(|value| self.work(value, scale)).into()
    }

    fn measure<G: Gpu>(value: f64, work: &Work, rig: Option<&Rig<G>>, repeat: Repeat) -> Result<Vec<Point>> {
        let (preset, input) = (Preset::Cs3210Y2025, work.generate()?);
        let search = Search::new((preset, work.mismatches), &input);
        let (call, result) = search.on_cpu(repeat)?;
        work.check("cpu", &input, &result.rows)?;
        let (rows, amount) = (result.rows.len(), None);
        let cpu = Point { value, device: "cpu".into(), kernel: None, call, rows, amount };
        let Some(rig) = rig else { return Ok(vec![cpu]) };
        // SAFETY: the bases stay until after the guard was dropped here, and nothing else pins them.
        let pinned = unsafe { PinnedInPlace::new(&rig.gpu, input.batch.sequences().residues())? };
        let OnGpu { call, kernel, result: other, .. } = search.on_gpu(&rig.gpu, repeat)?;
        drop(pinned);
        agree(work, preset, rig.gpu.name(), [&result, &other])?;
        let (device, rows) = (rig.gpu.name().to_owned(), other.rows.len());
        Ok(vec![cpu, Point { value, device, kernel: Some(kernel), call, rows, amount }])
    }
}
