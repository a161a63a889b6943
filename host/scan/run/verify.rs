//! `--verify`: everything is searched a second time, by an executor that shares less code, and compared row by row.

use super::Run;
use crate::cpu::Cpu;
use crate::reference;
use crate::report::Row;
use crate::{Executor, Records};
use std::time::{Duration, Instant};
use warpseq_engine::error::{Error, Result};
use warpseq_engine::verify::Verify;

/// The second executor.
pub enum Check {
    Reference,
    Cpu(Box<Cpu>),
}

impl Check {
    pub fn new(verify: Verify, run: &Run) -> Self {
        match verify {
            Verify::Reference => Self::Reference,
            Verify::Cpu => Self::Cpu(Box::new(Cpu::new(&run.request.options, run.patterns))),
        }
    }

    /// Searches `batch` again; how long that took.
    ///
    /// # Errors
    /// [`Error::Mismatch`] with the first difference from `rows` and the integrity hashes of their samples.
    pub fn compare(&mut self, run: &Run, batch: &Records, (rows, hashes): (&[Row], &[Option<u8>])) -> Result<Duration> {
        let start = Instant::now();
        let expected = self.rows(run, batch)?;
        let took = start.elapsed();
        let found: Vec<_> = rows.iter().zip(hashes).map(comparable).collect();
        match first_difference(&found, &expected) {
            None => Ok(took),
            Some((found, expected)) => Err(difference(run, batch, found, expected)),
        }
    }

    fn rows(&mut self, run: &Run, batch: &Records) -> Result<Vec<reference::Row>> {
        let question = run.question(true);
        let Self::Cpu(cpu) = self else { return Ok(reference::scan(question.signatures, batch, question.options)) };
        let (rows, hashes) = question.choose(batch, cpu.find(batch)?);
        Ok(rows.iter().zip(&hashes).map(comparable).collect())
    }
}

fn comparable((row, hash): (&Row, &Option<u8>)) -> reference::Row {
    let Row { sample, signature, reverse, start, end, quality_sum, informative, wild } = *row;
    let integrity_hash = hash.map(u32::from);
    reference::Row { sample, signature, reverse, start, end, phred_sum: quality_sum, informative, wild, integrity_hash }
}

type Pair<'a> = (Option<&'a reference::Row>, Option<&'a reference::Row>);

/// The first place at which the lists differ: what each has there.
fn first_difference<'a>(found: &'a [reference::Row], expected: &'a [reference::Row]) -> Option<Pair<'a>> {
    let longer = 0..found.len().max(expected.len());
    longer.map(|k| (found.get(k), expected.get(k))).find(|(found, expected)| found != expected)
}

fn difference(run: &Run, batch: &Records, found: Option<&reference::Row>, expected: Option<&reference::Row>) -> Error {
    let (sample, signature) =
        found.into_iter().chain(expected).map(|row| (row.sample, row.signature)).min().expect("one of them is there");
    let verify = run.request.verify.expect("only a verified run is compared");
    Error::Mismatch(format!(
        "--verify found a difference in sample {}, signature {}: found {}, expected {} by the {}",
        String::from_utf8_lossy(batch.name(sample as usize)),
        String::from_utf8_lossy(&run.signatures[signature as usize].name),
        shown(found),
        shown(expected),
        verify.name()
    ))
}

fn shown(row: Option<&reference::Row>) -> String {
    row.map_or("no row".to_owned(), |row| format!("{row:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(start: u64) -> reference::Row {
        comparable((
            &Row {
                sample: 0,
                signature: 0,
                reverse: false,
                start,
                end: start + 4,
                quality_sum: None,
                informative: 4,
                wild: 0,
            },
            &None,
        ))
    }

    #[test]
    fn the_first_difference_is_a_changed_a_missing_or_an_added_row() {
        let (one, two) = (row(1), row(2));
        assert_eq!(first_difference(&[one, two], &[one, two]), None);
        assert_eq!(first_difference(&[one, one], &[one, two]), Some((Some(&one), Some(&two))));
        assert_eq!(first_difference(&[one], &[one, two]), Some((None, Some(&two))));
        assert_eq!(first_difference(&[one, two], &[]), Some((Some(&one), None)));
    }
}
