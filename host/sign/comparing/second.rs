//! `--verify`: everything is compared a second time, by an executor that shares less code.

use crate::hamming::Cpu;
use crate::reference::NaiveHamming;
use crate::{Hamming, Limits, NO_TARGET, Neighbour, Points};
use std::time::Instant;
use warpseq_engine::error::{Error, Result};
use warpseq_engine::verify::Verify;

/// The second executor.
pub struct Second {
    verify: Verify,
    hamming: Box<dyn Hamming>,
    /// How long it has computed.
    pub seconds: f64,
}

impl Second {
    pub fn new(verify: Verify) -> Self {
        let hamming: Box<dyn Hamming> = match verify {
            Verify::Reference => Box::new(NaiveHamming),
            Verify::Cpu => Box::new(Cpu::new()),
        };
        Self { verify, hamming, seconds: 0.0 }
    }

    /// Its name on the command line.
    pub fn name(&self) -> &'static str {
        self.verify.name()
    }

    /// Compares `found` with its own neighbours.
    ///
    /// # Errors
    /// [`Error::Mismatch`] with the first difference.
    pub fn check_nearest(
        &mut self,
        queries: Points,
        targets: Points,
        limits: Limits,
        found: &[Neighbour],
    ) -> Result<()> {
        let start = Instant::now();
        let expected = self.hamming.nearest(queries, targets, limits)?;
        self.seconds += start.elapsed().as_secs_f64();
        let Some((found, expected)) = first_difference(found, &expected) else { return Ok(()) };
        let query = found.into_iter().chain(expected).map(|neighbour| neighbour.query).min();
        let query = query.expect("one of them is there") as usize;
        let shown = |neighbour: Option<&Neighbour>| neighbour.map_or("none".to_owned(), |near| format!("{near:?}"));
        Err(self.difference(queries, query, shown(found), shown(expected)))
    }

    /// Compares `found` with its own least distances.
    ///
    /// # Errors
    /// [`Error::Mismatch`] with the first difference.
    pub fn check_least(&mut self, queries: Points, targets: Points, groups: &[u32], found: &[u16]) -> Result<()> {
        let start = Instant::now();
        let expected = self.hamming.least(queries, targets, groups)?;
        self.seconds += start.elapsed().as_secs_f64();
        let Some((ours, theirs)) = first_difference(found, &expected) else { return Ok(()) };
        let place = found.iter().zip(&expected).take_while(|(found, expected)| found == expected).count();
        let (query, group) = (place / (groups.len() - 1), place % (groups.len() - 1));
        let shown = |least: Option<&u16>| match least {
            None => "nothing".to_owned(),
            Some(&NO_TARGET) => format!("no target in group {group}"),
            Some(least) => format!("{least} bits to group {group}"),
        };
        Err(self.difference(queries, query, shown(ours), shown(theirs)))
    }

    /// The query by its signature: where its window lies is not known here.
    fn difference(&self, queries: Points, query: usize, found: String, expected: String) -> Error {
        let signature: String = match query < queries.len() {
            true => queries.get(query).iter().map(|byte| format!("{byte:02x}")).collect(),
            false => "behind the last".into(),
        };
        Error::Mismatch(format!(
            "--verify found a difference for query {query} of {} compared at a time, signature {signature}: found {found}, \
             expected {expected} by the {}",
            queries.len(),
            self.name()
        ))
    }
}

/// The first place at which the lists differ: what each has there.
fn first_difference<'a, T: PartialEq>(found: &'a [T], expected: &'a [T]) -> Option<(Option<&'a T>, Option<&'a T>)> {
    let longer = 0..found.len().max(expected.len());
    longer.map(|k| (found.get(k), expected.get(k))).find(|(found, expected)| found != expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 0xab, 0, 0, 0, 0, 0, 0, 0];
    const POINTS: Points = Points { bits: 64, bytes: &BYTES };
    const LIMITS: Limits = Limits { top: Some(1), distance: 64 };

    #[test]
    fn a_difference_shows_query_and_answers() {
        for verify in [Verify::Reference, Verify::Cpu] {
            let (mut second, mut cpu) = (Second::new(verify), Cpu::new());
            let mut found = cpu.nearest(POINTS, POINTS, LIMITS).unwrap();
            second.check_nearest(POINTS, POINTS, LIMITS, &found).unwrap();
            found[1].target = 0;
            let message = second.check_nearest(POINTS, POINTS, LIMITS, &found).unwrap_err().to_string();
            assert!(message.contains("query 1 of 2") && message.contains("ab00000000000000"), "{message}");
            assert!(message.ends_with(&format!("by the {}", verify.name())), "{message}");
            let message = second.check_nearest(POINTS, POINTS, LIMITS, &found[..1]).unwrap_err().to_string();
            assert!(message.contains("found none"), "{message}");

            let mut found = cpu.least(POINTS, POINTS, &[0, 1, 2]).unwrap();
            second.check_least(POINTS, POINTS, &[0, 1, 2], &found).unwrap();
            found[3] = 7;
            let message = second.check_least(POINTS, POINTS, &[0, 1, 2], &found).unwrap_err().to_string();
            assert!(message.contains("found 7 bits to group 1, expected 0 bits to group 1"), "{message}");
        }
    }
}
