//! `--verify`: everything is aligned a second time, by an executor that shares less code, and compared pair by pair.

use super::aligner::Asked;
use crate::cpu::Cpu;
use crate::pairing::Work;
use crate::reference::Reference;
use crate::{Alignment, Batch, Executor};
use std::time::{Duration, Instant};
use warpseq_engine::error::{Error, Result};
use warpseq_engine::verify::Verify;

/// The second executor.
pub struct Second {
    verify: Verify,
    executor: Box<dyn Executor>,
}

impl Second {
    /// A new one.
    pub fn new(verify: Verify) -> Self {
        let executor: Box<dyn Executor> = match verify {
            Verify::Reference => Box::new(Reference),
            Verify::Cpu => Box::new(Cpu::new()),
        };
        Self { verify, executor }
    }

    /// Aligns `batch`, which is of `work`, again; how long that took.
    ///
    /// # Errors
    /// Those of the executor; [`Error::Mismatch`] with the first alignment that `found` has otherwise.
    pub fn compare(&mut self, work: &Work, batch: &Batch, asked: Asked, found: &[Alignment]) -> Result<Duration> {
        let start = Instant::now();
        let expected = self.executor.align(batch, asked.scoring, asked.want)?;
        let took = start.elapsed();
        assert_eq!(expected.len(), found.len(), "an executor answers each pair");
        match (0..found.len()).find(|&k| found[k] != expected[k]) {
            None => Ok(took),
            Some(k) => {
                let pair = batch.pairs()[k];
                let names = [work.queries.name(pair.query as usize), work.targets.name(pair.target as usize)];
                let [query, target] = names.map(String::from_utf8_lossy);
                Err(Error::Mismatch(format!(
                    "--verify found a difference in query {query}, target {target}: found {:?}, expected {:?} by the {}",
                    found[k],
                    expected[k],
                    self.verify.name()
                )))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{File, Reading};
    use crate::scoring::Rules;
    use crate::{Pair, Want};
    use std::sync::Arc;
    use warpseq_io::fastx::Reader;
    use warpseq_seq::Records;

    fn records(text: &'static str) -> Arc<Records> {
        let reader = Reader::new(text.as_bytes(), "file".into(), 64).unwrap();
        let (mut file, mut records) = (File::new(reader, Reading::default()).unwrap(), Records::default());
        while file.next(&mut records).unwrap() {}
        Arc::new(records)
    }

    #[test]
    fn a_difference_names_its_pair() {
        let scoring = Rules::default().scoring().unwrap();
        let pairs = [0, 1].map(|k| Pair { query: k, target: k }).to_vec();
        let work = Work { queries: records(">a\nAC\n>b\nG\n"), targets: records(">x\nAC\n>y\nG\n"), pairs, weight: 0 };
        let batch = Batch::new(work.queries.sequences(), work.targets.sequences(), &work.pairs);
        for verify in [Verify::Reference, Verify::Cpu] {
            for want in [Want::Score, Want::Path] {
                let asked = Asked { scoring: &scoring, want };
                let mut found = Reference.align(&batch, &scoring, want).unwrap();
                assert!(Second::new(verify).compare(&work, &batch, asked, &found).is_ok());
                found[1].score = 7;
                let error = Second::new(verify).compare(&work, &batch, asked, &found).unwrap_err();
                let message = error.to_string();
                assert!(message.starts_with("--verify found a difference in query b, target y: found "), "{message}");
                assert!(message.contains("score: 7") && message.ends_with(&format!("by the {}", verify.name())));
                assert_eq!(error.exit_code(), 1);
            }
        }
    }
}
