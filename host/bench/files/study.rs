//! Varies the number of threads that read a file, and does nothing with it.

use super::Work;
use crate::bench::Rig;
use crate::bench::amount::Unit;
use crate::bench::process::this_program;
use crate::bench::spread::Repeat;
use crate::bench::study::{self, Point};
use crate::error::{Error, Result};
use crate::gpu::Gpu;
use std::path::Path;
use std::time::Instant;

/// The factor to vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Factor {
    Threads,
}

impl study::Factor for Factor {
    type Work = Work;
    const ENGINE: &'static str = "files";
    const TITLE: &'static str = "reading FASTQ, 100,000 to 200,000 bases a record";

    fn name(self) -> &'static str {
        "threads"
    }

    fn axis(self) -> &'static str {
        "threads"
    }

    fn works(self, scale: f64) -> Vec<(f64, Work)> {
        let most = std::thread::available_parallelism().map_or(1, usize::from);
        let threads =
            std::iter::successors(Some(1), |threads| Some(2 * threads)).take_while(|&threads| threads <= most);
        let records = ((1000.0 * scale).round() as usize).max(1);
        let work = |threads: usize| Work {
            name: format!("{} {threads}", self.name()),
            about: self.axis().into(),
            inputs: Vec::new(),
            simulate: vec![
                "signatures 10 3000 10000 0.1 -o signatures.fasta".into(),
                format!("samples signatures.fasta {records} 0 1 2 100000 200000 10 30 0.1 -o samples.fastq"),
            ],
            prepare: Vec::new(),
            gzip: Vec::new(),
            run: String::new(),
            reads: None,
            read: Some("samples.fastq".into()),
            target_ms: None,
        };
        threads.map(|threads| (threads as f64, work(threads))).collect()
    }

    fn measure<G: Gpu>(value: f64, work: &Work, _: Option<&Rig<G>>, repeat: Repeat) -> Result<Vec<Point>> {
        let folder = work.files(&this_program()?, &std::env::temp_dir(), Path::new(""))?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(value as usize).build();
        let pool = pool.map_err(|error| Error::Usage(format!("cannot start {value} threads: {error}")))?;
        let (mut points, device) = (Vec::new(), "cpu".to_owned());
        for path in work.read.iter().map(|name| folder.file(name)) {
            let mut rows = 0;
            let call = repeat.measure(|| {
                let start = Instant::now();
                rows = pool.install(|| super::read(&path))?;
                Ok::<_, Error>(start.elapsed().as_secs_f64() * 1e3)
            })?;
            let amount = Some((Unit::Bytes, path.metadata().map_or(0, |metadata| metadata.len())));
            points.push(Point { value, device: device.clone(), kernel: None, call, rows, amount });
        }
        Ok(points)
    }
}
