//! `sign` as two engines: [`Signer`] makes signatures, [`Hamming`] compares them.

use super::cpu::Cpu;
use super::device::{Device, Searcher, Settings};
use super::reference::{NaiveHamming, Reference};
use super::{
    Compared, Comparing, Comparison, Distances, NO_TARGET, Neighbour, Parameters, Points, Records, Signatures, Signing,
    Window, hamming,
};
use std::ops::Range;
use std::sync::Arc;
use warpseq_device::gpu::Gpu;
use warpseq_engine::error::Result;
use warpseq_engine::executor::{AnyExecutor, Difference, Engine, Part, Second, first_difference};
use warpseq_io::console::Console;

/// Signs batches of sequences.
pub struct Signer {
    /// How signatures are made.
    pub parameters: Parameters,
    /// Where it is said what the CPU signs in place of a GPU.
    pub console: Console,
}

impl Engine for Signer {
    type Problem = Signing;
    const DOING: &'static str = "signing";

    fn cpu(&self) -> AnyExecutor<'_, Self> {
        Box::new(Cpu::new(self.parameters))
    }

    fn reference(&self) -> AnyExecutor<'_, Self> {
        Box::new(Reference::new(self.parameters))
    }

    fn device<G: Gpu>(&self, gpu: Arc<G>, Part { bytes: memory, .. }: Part) -> Result<AnyExecutor<'_, Self>> {
        let settings = Settings { memory, console: self.console, ..Settings::default() };
        Ok(Box::new(Device::new(gpu, self.parameters, settings)))
    }

    fn name(&self, batch: &Records) -> String {
        let name = |k: usize| String::from_utf8_lossy(batch.name(k));
        format!("the batch of sequences {} to {}", name(0), name(batch.len() - 1))
    }

    fn check(&self, second: &mut Second<'_, Self>, batch: &Records, found: &Signatures) -> Result<Option<Difference>> {
        let expected = second.compute(batch)?;
        let width = self.parameters.width();
        let windows = 0..found.len().max(expected.len());
        let shown = |window| [found, expected].map(|all| shown(all, window, width));
        let first = windows.map(|window| (window, shown(window))).find(|(_, [found, expected])| found != expected);
        Ok(first.map(|(window, [found, expected])| {
            let place = place(batch, self.parameters.window, window as u64);
            Difference { place, found, expected }
        }))
    }
}

/// A window by its sequence and position.
fn place(batch: &Records, window: Window, mut index: u64) -> String {
    for (name, length) in batch.names().iter().zip(batch.sequences().lengths()) {
        if index < window.count(length) {
            let Range { start, end } = window.range(index, length);
            return format!("sequence {}, window {start}-{end}", String::from_utf8_lossy(name));
        }
        index -= window.count(length);
    }
    "windows behind the last sequence".into()
}

/// A window's signature in hexadecimal digits, and whether it has a k-mer.
fn shown(signatures: &Signatures, window: usize, width: usize) -> String {
    let bytes = || signatures.bytes.get(window * width..(window + 1) * width);
    match signatures.present.get(window).and_then(|&present| Some((present, bytes()?))) {
        None => "no window".into(),
        Some((present, bytes)) => format!("{}{}", hexadecimal(bytes), if present == 0 { " (no k-mer)" } else { "" }),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares signatures in Hamming space.
pub struct Hamming;

impl Engine for Hamming {
    type Problem = Comparing;
    const DOING: &'static str = "comparing";

    fn cpu(&self) -> AnyExecutor<'_, Self> {
        Box::new(hamming::Cpu::new())
    }

    fn reference(&self) -> AnyExecutor<'_, Self> {
        Box::new(NaiveHamming)
    }

    fn device<G: Gpu>(&self, gpu: Arc<G>, Part { bytes: memory, .. }: Part) -> Result<AnyExecutor<'_, Self>> {
        Ok(Box::new(Searcher::new(gpu, memory)?))
    }

    fn name(&self, job: Comparison) -> String {
        format!("a batch of {} queries", job.queries().len())
    }

    /// Names a query by its signature, because the place of its window is not known here.
    fn check(&self, second: &mut Second<'_, Self>, job: Comparison, found: &Compared) -> Result<Option<Difference>> {
        let expected = second.compute(job)?;
        let difference = match job.wanted() {
            Distances::Nearest(_) => {
                let first = first_difference(&found.neighbours, &expected.neighbours);
                first.map(|(_, found, expected)| {
                    let query = found.into_iter().chain(expected).map(|neighbour| neighbour.query).min();
                    let shown = |near: Option<&Neighbour>| near.map_or("none".to_owned(), |near| format!("{near:?}"));
                    (query.expect("one of them is there") as usize, [shown(found), shown(expected)])
                })
            }
            Distances::Least(groups) => first_difference(&found.least, &expected.least).map(|(k, found, expected)| {
                let (query, group) = (k / (groups.len() - 1), k % (groups.len() - 1));
                let shown = |least: Option<&u32>| match least {
                    None => "nothing".to_owned(),
                    Some(&NO_TARGET) => format!("no target in group {group}"),
                    Some(least) => format!("{least} bits to group {group}"),
                };
                (query, [shown(found), shown(expected)])
            }),
        };
        Ok(difference.map(|(query, [found, expected])| Difference {
            place: query_of(job.queries(), query),
            found,
            expected,
        }))
    }
}

fn query_of(queries: Points, query: usize) -> String {
    let signature = if query < queries.len() { hexadecimal(queries.get(query)) } else { "behind the last".into() };
    format!("query {query} of {} compared at a time, signature {signature}", queries.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, least, nearest};
    use warpseq_engine::executor::Executor;
    use warpseq_engine::options::Verify;
    use warpseq_engine::worker::Worker;

    #[test]
    fn a_difference_names_its_window() {
        let mut batch = Records::default();
        batch.push(b"a", b"MKV");
        batch.push(b"b", b"MKVLATMKVLATMKVLATMKVLATM");
        let signer = Signer { parameters: Parameters::QUT, console: Console::default() };
        for verify in [Verify::Reference, Verify::Cpu] {
            let mut worker = Worker::new(&signer, signer.cpu(), Some(verify));
            let mut found = Signatures::default();
            worker.compute(&batch, &mut found).unwrap();
            assert_eq!(found.len(), 4, "1 window and 3");
            found.bytes[2 * 8] ^= 0x80;
            let error = worker.verify(&batch, &found).unwrap_err();
            let message = error.to_string();
            assert!(message.starts_with("--verify found a difference in sequence b, window 8-24: found "), "{message}");
            assert!(message.ends_with(&format!("by the {}", verify.name())), "{message}");
            assert_eq!(error.exit_code(), 1);
            found.bytes.truncate(24);
            found.present.truncate(3);
            let message = worker.verify(&batch, &found).unwrap_err().to_string();
            assert!(message.contains("window 8-24"), "{message}");
        }
    }

    const BYTES: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 0xab, 0, 0, 0, 0, 0, 0, 0];
    const POINTS: Points = Points::new(64, &BYTES);
    const LIMITS: Limits = Limits { top: Some(1), distance: 64 };

    #[test]
    fn a_difference_shows_query_and_answers() {
        let (nearest_job, groups) = (Distances::Nearest(LIMITS), [0, 1, 2]);
        let job = |wanted| Comparison::new(POINTS, POINTS, wanted);
        for verify in [Verify::Reference, Verify::Cpu] {
            let (mut worker, mut cpu) = (Worker::new(&Hamming, Hamming.cpu(), Some(verify)), hamming::Cpu::new());
            let neighbours = nearest(&mut cpu, POINTS, POINTS, LIMITS).unwrap();
            let mut found = Compared { neighbours, least: Vec::new() };
            worker.verify(job(nearest_job), &found).unwrap();
            found.neighbours[1].target = 0;
            let message = worker.verify(job(nearest_job), &found).unwrap_err().to_string();
            assert!(message.contains("query 1 of 2") && message.contains("ab00000000000000"), "{message}");
            assert!(message.ends_with(&format!("by the {}", verify.name())), "{message}");
            found.neighbours.pop();
            let message = worker.verify(job(nearest_job), &found).unwrap_err().to_string();
            assert!(message.contains("found none"), "{message}");

            let least = least(&mut cpu, POINTS, POINTS, &groups).unwrap();
            let mut found = Compared { neighbours: Vec::new(), least };
            worker.verify(job(Distances::Least(&groups)), &found).unwrap();
            found.least[3] = 7;
            let message = worker.verify(job(Distances::Least(&groups)), &found).unwrap_err().to_string();
            assert!(message.contains("found 7 bits to group 1, expected 0 bits to group 1"), "{message}");
        }
    }
}
