//! A search as an engine: who searches, and how their hits are compared.

use super::cpu::Cpu;
use super::device::{Device, Settings};
use super::reference::Reference;
use super::{Finder, Hit, Job, Searching};
use crate::cpu::Cpu as Aligner;
use crate::device::{Device as DeviceAligner, Settings as AlignerSettings};
use std::sync::Arc;
use warpseq_device::gpu::Gpu;
use warpseq_engine::error::Result;
use warpseq_engine::executor::{AnyExecutor, Difference, Engine, Part, Second, first_difference};
use warpseq_io::console::Console;

/// See the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct Searcher {
    /// Where it is said that pairs go to the CPU.
    pub console: Console,
}

/// One part of a device's memory in this many is for aligning what is kept.
const ALIGNING: usize = 4;

/// The CPU engine, on this machine.
pub fn cpu() -> Finder<Cpu, Aligner> {
    Finder { rank: Cpu::new(), aligner: Aligner::new() }
}

impl Engine for Searcher {
    type Problem = Searching;
    const DOING: &'static str = "searching";

    fn cpu(&self) -> AnyExecutor<'_, Self> {
        Box::new(cpu())
    }

    fn reference(&self) -> AnyExecutor<'_, Self> {
        Box::new(Reference)
    }

    fn device<G: Gpu>(&self, gpu: Arc<G>, Part { bytes: memory, .. }: Part) -> Result<AnyExecutor<'_, Self>> {
        let aligning = memory / ALIGNING;
        let settings = Settings { memory: memory - aligning, ..Settings::default() };
        let rank = Device::new(gpu.clone(), settings, Box::new(Cpu::new()))?;
        let settings = AlignerSettings { memory: aligning, console: self.console, ..AlignerSettings::default() };
        Ok(Box::new(Finder { rank, aligner: DeviceAligner::new(gpu, settings) }))
    }

    fn name(&self, job: Job) -> String {
        format!("a batch of {} queries", job.queries.len())
    }

    fn check(&self, second: &mut Second<'_, Self>, job: Job, found: &Vec<Vec<Hit>>) -> Result<Option<Difference>> {
        let expected = second.compute(job)?;
        let Some((query, found, expected)) = first_difference(found, expected) else { return Ok(None) };
        let [found, expected] = [found, expected].map(|hits| hits.map_or(&[][..], Vec::as_slice));
        let (k, found, expected) = first_difference(found, expected).unwrap_or((0, None, None));
        let name = |side: usize, number: usize| match job.names {
            Some(names) => String::from_utf8_lossy(names[side].get(number)).into_owned(),
            None => number.to_string(),
        };
        let shown = |hit: Option<&Hit>| match hit {
            Some(Hit { target, reverse, alignment }) => {
                let strand = if *reverse { '-' } else { '+' };
                format!("target {} ({strand}): {alignment:?}", name(1, *target as usize))
            }
            None => "nothing".to_owned(),
        };
        let place = format!("query {}, hit {}", name(0, query), k + 1);
        Ok(Some(Difference { place, found: shown(found), expected: shown(expected) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scoring::Rules;
    use crate::search::{Database, Keep};
    use crate::{Sequences, Want};
    use warpseq_engine::executor::Executor;
    use warpseq_engine::options::Verify;
    use warpseq_engine::worker::Worker;
    use warpseq_seq::Strands;

    #[test]
    fn a_difference_names_its_query_and_target() {
        let [queries, targets] = [["AC", "GGT"], ["ACG", "GT"]].map(Sequences::from_iter);
        let names = [["a", "b"], ["x", "y"]].map(Sequences::from_iter);
        let (database, scoring) = (&Database::new(&targets), &Rules::default().scoring().unwrap());
        let searcher = Searcher::default();
        let names = Some([&names[0], &names[1]]);
        for (verify, want) in [(Verify::Reference, Want::Score), (Verify::Cpu, Want::Path)] {
            let keep = Keep { top: Some(1), passes: None };
            let job = Job { queries: &queries, database, scoring, strands: Strands::Forward, keep, want, names };
            let mut worker = Worker::new(&searcher, Engine::cpu(&searcher), Some(verify));
            let mut found = Vec::new();
            Reference.compute(job, &mut found).unwrap();
            let mut all = Vec::new();
            assert!(worker.compute(job, &mut all).is_ok() && all == found);
            found[1].clear();
            let message = worker.verify(job, &found).unwrap_err().to_string();
            let expected = "--verify found a difference in query b, hit 1: found nothing, expected target y (+): Alignment { score: 2";
            assert!(message.starts_with(expected), "{message}");
        }
    }
}
