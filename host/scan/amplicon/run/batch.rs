//! What a worker does with a batch: find, pair, write as text.

use super::Run;
use crate::amplicon::Product;
use crate::amplicon::engine::Amplification;
use crate::amplicon::format::Line;
use crate::genomes::Genome;
use crate::run::crowded::{Bounds, Crowded, Part};
use crate::{Hit, Job, Records, find_within};
use warpseq_engine::error::Result;
use warpseq_engine::profile;
use warpseq_engine::worker::Worker;
use warpseq_io::output::spool::Spool;

/// Bytes that a match takes while it is found, sorted and paired, with the spare capacity of vectors.
const MATCH_BYTES: usize = 200;
/// Bytes that a product takes while it is put in order, with the spare capacity of vectors.
pub const PRODUCT_BYTES: usize = 100;

/// What became of a batch.
pub struct Amplified {
    /// Its products, formatted.
    pub text: Spool,
    pub sequences: u64,
    pub bases: u64,
    pub products: u64,
}

impl Run<'_> {
    /// Finds the products in a batch.
    ///
    /// # Errors
    /// Those of the executors; a difference between them.
    pub fn amplify<'s>(&self, worker: &mut Worker<'s, Amplification<'s>>, genome: Genome) -> Result<Amplified> {
        let Genome { records, spare } = genome;
        let batch = &records;
        // Verification compares whole batches.
        let most = if worker.verifies() { usize::MAX } else { (self.memory.matches / 2 / MATCH_BYTES).max(1) };
        let found = worker.timed(|executor| {
            let _range = profile::range("find");
            find_within(executor, Job::new(batch, most))
        })?;
        worker.verify(Job::new(batch, most), &found)?;
        let mut written = Written { run: self, batch, text: Spool::new(self.memory.rows, self.folder), products: 0 };
        let take = &mut |products: &[Product]| written.write(products);
        worker.timed(|executor| {
            let Some(hits) = found else {
                let bounds = Bounds { matches: most, bases: self.memory.batch };
                let mut crowded = Crowded::new(executor, self.amplification.search, batch, bounds);
                return self.amplification.each_of_crowded(batch, &mut crowded, take);
            };
            self.amplification.each(batch, hits, take)
        })?;
        let Written { text, products, .. } = written;
        let (sequences, bases) = (batch.len() as u64, batch.sequences().residues().len() as u64);
        spare.give_back(records, self.memory.batch);
        Ok(Amplified { text, sequences, bases, products })
    }
}

impl Amplification<'_> {
    /// Hands out the products of a batch with more matches than there is room for.
    fn each_of_crowded(
        &self,
        batch: &Records,
        crowded: &mut Crowded,
        take: &mut dyn FnMut(&[Product]) -> Result<()>,
    ) -> Result<()> {
        crowded.each_part(&mut |crowded, part| match part {
            Part::Sequences(hits) => self.each(batch, hits, take),
            Part::Crowded(sequence) => {
                let mut waiting = Waiting::new(self, batch.sequence(sequence));
                crowded.each_stretch(sequence, &mut |hits| waiting.pair(hits, take))?;
                waiting.finish(take)
            }
        })
    }
}

/// Matches of a sequence, found from its beginning to its end, that may make products with matches to come.
///
/// Matches come in the order of starts, but for those that come together. A product that starts at a is known when all matches before
/// a + the greatest length are.
struct Waiting<'a> {
    amplification: &'a Amplification<'a>,
    bases: &'a [u8],
    /// Those at the beginning of a circle, which come again behind its end.
    beginning: Vec<Hit>,
    hits: Vec<Hit>,
    /// Products that start before are known.
    known: u64,
}

impl<'a> Waiting<'a> {
    fn new(amplification: &'a Amplification<'a>, bases: &'a [u8]) -> Self {
        Self { amplification, bases, beginning: Vec::new(), hits: Vec::new(), known: 0 }
    }

    /// The greatest length of a product.
    fn longest(&self) -> u64 {
        self.amplification.options.longest(self.bases.len() as u64)
    }

    fn pair(&mut self, hits: Vec<Hit>, take: &mut dyn FnMut(&[Product]) -> Result<()>) -> Result<()> {
        let Some(last) = hits.iter().map(|hit| hit.start).max() else { return Ok(()) };
        let longest = self.longest();
        if self.amplification.options.circular {
            self.beginning.extend(hits.iter().filter(|hit| hit.start < longest));
        }
        self.hits.extend(hits);
        // Half of them at least go, so that none is looked at more than twice or so.
        if last.saturating_sub(self.known) < 2 * longest {
            return Ok(());
        }
        let known = last - longest;
        let starts = std::mem::replace(&mut self.known, known)..known;
        self.amplification.products.each(self.bases, self.hits.clone(), starts, take)?;
        self.hits.retain(|hit| hit.start >= known);
        Ok(())
    }

    fn finish(mut self, take: &mut dyn FnMut(&[Product]) -> Result<()>) -> Result<()> {
        let known = self.known;
        self.hits.extend(self.beginning.iter().filter(|hit| hit.start < known));
        self.amplification.products.each(self.bases, self.hits, known..self.bases.len() as u64, take)
    }
}

/// The products of a batch as text.
struct Written<'a> {
    run: &'a Run<'a>,
    batch: &'a Records,
    text: Spool,
    products: u64,
}

impl Written<'_> {
    fn write(&mut self, products: &[Product]) -> Result<()> {
        for product in products {
            let sequence = product.sequence as usize;
            let line = Line {
                sequence: self.batch.name(sequence),
                bases: self.batch.sequence(sequence),
                pair: &self.run.amplification.pairs[product.pair as usize],
                product,
            };
            let write =
                |text: &mut Vec<u8>| self.run.format.write(text, &line).expect("writing to memory does not fail");
            self.text.put_with(write)?;
        }
        self.products += products.len() as u64;
        Ok(())
    }
}
