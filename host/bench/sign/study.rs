//! Varies one factor of the sequences and keeps the others. They are signed with the preset `qut`, as in the k-mer report.

use super::call::Call;
use super::signing::{Base, Signing};
use super::work::{Task, Work};
use crate::bench::Rig;
use crate::bench::spread::Repeat;
use crate::bench::study::{self, Factor as _, Point};
use crate::error::Result;
use crate::gpu::Gpu;

/// The factor to vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Factor {
    Sequences,
    Length,
}

impl Factor {
    fn values(self) -> impl Iterator<Item = usize> {
        let first = match self {
            Self::Sequences => 12_500,
            Self::Length => 50,
        };
        (0..8).map(move |doublings| first << doublings)
    }

    fn work(self, value: usize, scale: f64) -> (f64, Work) {
        let (count, lengths) = match self {
            Self::Sequences => (value, [60, 357]),
            Self::Length => (20_000, [value; 2]),
        };
        let count = ((count as f64 * scale).round() as usize).max(1);
        let shown = if self == Self::Sequences { count } else { value };
        let signing = Signing { count, lengths, like: Base::Qut, k: None, window: None, bits: None };
        let work = Work {
            name: format!("{} {shown}", self.name()),
            about: self.axis().into(),
            seed: 1,
            task: Task::Sign(signing),
            cpu_part: None,
            checksum: None,
            target: Default::default(),
        };
        (shown as f64, work)
    }
}

impl study::Factor for Factor {
    type Work = Work;
    const ENGINE: &'static str = "sign";
    const TITLE: &'static str = "sign, preset qut";

    fn name(self) -> &'static str {
        match self {
            Self::Sequences => "sequences",
            Self::Length => "length",
        }
    }

    fn axis(self) -> &'static str {
        match self {
            Self::Sequences => "proteins (60 to 357 residues each)",
            Self::Length => "length of a protein (residues), 20,000 of them",
        }
    }

    fn works(self, scale: f64) -> Vec<(f64, Work)> {
        self.values().map(|value| self.work(value, scale)).collect()
    }

    fn measure<G: Gpu>(value: f64, work: &Work, rig: Option<&Rig<G>>, repeat: Repeat) -> Result<Vec<Point>> {
        match &work.task {
            Task::Sign(signing) => work.points(value, &signing.generate(work.seed)?, rig, repeat),
            Task::Search(searching) => work.points(value, &searching.generate(work.seed)?, rig, repeat),
        }
    }
}

impl Work {
    fn points<C: Call, G: Gpu>(
        &self,
        value: f64,
        call: &C,
        rig: Option<&Rig<G>>,
        repeat: Repeat,
    ) -> Result<Vec<Point>> {
        let point = |device: &str, kernel, call, rows, count| {
            let (device, amount) = (device.to_owned(), Some((C::UNIT, count)));
            Point { value, device, kernel, call, rows, amount }
        };
        let on_cpu = call.on_cpu(self.cpu_part(call.size()), repeat)?;
        let cpu = point("cpu", None, on_cpu.call, on_cpu.answer.rows(), on_cpu.count);
        let Some(rig) = rig else { return Ok(vec![cpu]) };
        let on_gpu = call.on_gpu(&rig.gpu, repeat)?;
        self.agree(rig.gpu.name(), &on_cpu.answer, &on_gpu.answer)?;
        let (rows, count) = (on_gpu.answer.rows(), call.count(call.size()));
        Ok(vec![cpu, point(rig.gpu.name(), Some(on_gpu.kernel), on_gpu.call, rows, count)])
    }
}
