//! `align` as an engine: who aligns, and how their alignments are compared.

use super::cpu::Cpu;
use super::device::{Device, Settings};
use super::reference::Reference;
use super::{Aligning, Alignment, Job};
use std::sync::Arc;
use warpseq_device::gpu::Gpu;
use warpseq_engine::error::Result;
use warpseq_engine::executor::{AnyExecutor, Difference, Engine, Part, Second, first_difference};
use warpseq_io::console::Console;

/// See the module.
pub struct Aligner {
    /// Where it is said that pairs go to the CPU.
    pub console: Console,
}

impl Engine for Aligner {
    type Problem = Aligning;
    const DOING: &'static str = "aligning";
    /// Much of a batch is done by one thread: waking more takes longer.
    const ON_A_GPU: usize = 4;

    fn cpu(&self) -> AnyExecutor<'_, Self> {
        Box::new(Cpu::new())
    }

    fn reference(&self) -> AnyExecutor<'_, Self> {
        Box::new(Reference)
    }

    fn device<G: Gpu>(&self, gpu: Arc<G>, Part { bytes: memory, .. }: Part) -> Result<AnyExecutor<'_, Self>> {
        let settings = Settings { memory, console: self.console, ..Settings::default() };
        Ok(Box::new(Device::new(gpu, settings)))
    }

    fn name(&self, job: Job) -> String {
        format!("a batch of {} pairs", job.batch.pairs().len())
    }

    fn check(&self, second: &mut Second<'_, Self>, job: Job, found: &Vec<Alignment>) -> Result<Option<Difference>> {
        let expected = second.compute(job)?;
        let Some((k, found, expected)) = first_difference(found, expected) else { return Ok(None) };
        let place = job.batch.pairs().get(k).map_or("no pair".to_owned(), |pair| {
            let [query, target] = match job.names {
                Some([queries, targets]) => [queries.get(pair.query as usize), targets.get(pair.target as usize)]
                    .map(|name| String::from_utf8_lossy(name).into_owned()),
                None => [pair.query, pair.target].map(|number| number.to_string()),
            };
            format!("query {query}, target {target}")
        });
        let shown = |alignment: Option<&Alignment>| alignment.map_or("nothing".to_owned(), |all| format!("{all:?}"));
        Ok(Some(Difference { place, found: shown(found), expected: shown(expected) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scoring::Rules;
    use crate::{Batch, Pair, Sequences, Want, align};
    use warpseq_engine::executor::Executor;
    use warpseq_engine::options::Verify;
    use warpseq_engine::worker::Worker;

    #[test]
    fn a_difference_names_its_pair() {
        let scoring = Rules::default().scoring().unwrap();
        let pairs = [0, 1].map(|k| Pair { query: k, target: k });
        let [queries, targets]: [Sequences; 2] = [["AC", "G"], ["AC", "G"]].map(|both| both.iter().collect());
        let names = [["a", "b"], ["x", "y"]].map(Sequences::from_iter);
        let batch = Batch::new(&queries, &targets, &pairs);
        let aligner = Aligner { console: Console::default() };
        for verify in [Verify::Reference, Verify::Cpu] {
            for want in [Want::Score, Want::Path] {
                let job = Job { batch, scoring: &scoring, want, names: Some([&names[0], &names[1]]) };
                let mut worker = Worker::new(&aligner, aligner.cpu(), Some(verify));
                let mut found = align(&mut Reference, &batch, &scoring, want).unwrap();
                assert!(worker.compute(job, &mut found).is_ok());
                found[1].score = 7;
                let error = worker.verify(job, &found).unwrap_err();
                let message = error.to_string();
                assert!(message.starts_with("--verify found a difference in query b, target y: found "), "{message}");
                assert!(message.contains("score: 7") && message.ends_with(&format!("by the {}", verify.name())));
                assert_eq!(error.exit_code(), 1);
            }
        }
    }
}
