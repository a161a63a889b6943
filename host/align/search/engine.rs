//! The search as an engine: who searches, and how hits are compared.

use super::cpu::Cpu as CpuRank;
use super::device::{Device as DeviceRank, Settings};
use super::{Finder, Hit, Job, Reference, Searching};
use crate::cpu::Cpu;
use crate::device::{self, Device};
use std::sync::Arc;
use warpseq_device::gpu::Gpu;
use warpseq_engine::error::Result;
use warpseq_engine::executor::{AnyExecutor, Difference, Engine, Second, first_difference};
use warpseq_io::console::Console;

/// See the module.
pub struct Searcher {
    /// Where it is said that pairs go to the CPU.
    pub console: Console,
}

/// One part of the memory in this many is for aligning what is kept.
const ALIGNING: usize = 4;

impl Engine for Searcher {
    type Problem = Searching;
    const DOING: &'static str = "searching";

    fn cpu(&self) -> AnyExecutor<'_, Self> {
        Box::new(Finder { rank: CpuRank::new(), aligner: Cpu::new() })
    }

    fn reference(&self) -> AnyExecutor<'_, Self> {
        Box::new(Reference)
    }

    fn device<G: Gpu>(&self, gpu: Arc<G>, memory: usize) -> Result<AnyExecutor<'_, Self>> {
        let aligning = memory / ALIGNING;
        let settings = Settings { memory: memory - aligning, ..Settings::default() };
        let rank = DeviceRank::new(gpu.clone(), settings, Box::new(CpuRank::new()))?;
        let settings = device::Settings { memory: aligning, console: self.console, ..device::Settings::default() };
        Ok(Box::new(Finder { rank, aligner: Device::new(gpu, settings) }))
    }

    fn name(&self, job: Job) -> String {
        format!("a batch of {} queries", job.queries.len())
    }

    fn check(&self, second: &mut Second<'_, Self>, job: Job, found: &Vec<Vec<Hit>>) -> Result<Option<Difference>> {
        let expected = second.compute(job)?;
        let Some((query, found, expected)) = first_difference(found, expected) else { return Ok(None) };
        let name =
            job.names.map_or(query.to_string(), |[queries, _]| String::from_utf8_lossy(queries.get(query)).into());
        let (found, expected) = (found.map_or(&[][..], Vec::as_slice), expected.map_or(&[][..], Vec::as_slice));
        let Some((k, found, expected)) = first_difference(found, expected) else { return Ok(None) };
        let shown = |hit: Option<&Hit>| hit.map_or("nothing".to_owned(), |all| format!("{all:?}"));
        let place = format!("query {name}, hit {}", k + 1);
        Ok(Some(Difference { place, found: shown(found), expected: shown(expected) }))
    }
}
