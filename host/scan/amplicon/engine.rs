//! `amplicon` as an engine: scan's search for the patterns of all primers, and how the products of its matches are verified.

use super::products::Products;
use super::{Options, Pair, Product, reference};
use crate::engine::Search;
use crate::reference::Reference;
use crate::{Hit, Job, Matching, Records};
use rayon::prelude::*;
use std::sync::Arc;
use warpseq_device::gpu::Gpu;
use warpseq_engine::error::Result;
use warpseq_engine::executor::{AnyExecutor, Difference, Engine, Part, Second, Share, first_difference};
use warpseq_engine::options::Verify;

/// What is searched for in every batch, and what the matches make.
#[derive(Clone, Copy)]
pub struct Amplification<'a> {
    /// For the patterns of the primers.
    pub search: Search<'a>,
    /// Which products there are.
    pub options: &'a Options,
    /// What amplifies.
    pub pairs: &'a [Pair],
    /// From matches to products.
    pub products: Products<'a>,
}

impl Amplification<'_> {
    /// Hands out the products of matches, sequence by sequence. `hits` are all matches in some sequences of the batch, in any order.
    ///
    /// # Errors
    /// Those of `take`.
    pub fn each(
        &self,
        batch: &Records,
        mut hits: Vec<Hit>,
        take: &mut dyn FnMut(&[Product]) -> Result<()>,
    ) -> Result<()> {
        hits.par_sort_unstable_by_key(|hit| (hit.sequence, hit.pattern, hit.start));
        for of_sequence in hits.chunk_by(|a, b| a.sequence == b.sequence) {
            let bases = batch.sequence(of_sequence[0].sequence as usize);
            self.products.each(bases, of_sequence.to_vec(), 0..bases.len() as u64, take)?;
        }
        Ok(())
    }

    fn all(&self, batch: &Records, hits: Vec<Hit>) -> Vec<Product> {
        let mut all = Vec::new();
        let mut take = |products: &[Product]| {
            all.extend_from_slice(products);
            Ok(())
        };
        self.each(batch, hits, &mut take).expect("nothing is refused");
        all
    }
}

impl Engine for Amplification<'_> {
    type Problem = Matching;
    const DOING: &'static str = Search::DOING;

    fn cpu(&self) -> AnyExecutor<'_, Self> {
        self.search.cpu()
    }

    fn cpus(&self, count: usize) -> Vec<AnyExecutor<'_, Self>> {
        self.search.cpus(count)
    }

    fn reference(&self) -> AnyExecutor<'_, Self> {
        Box::new(Reference::new(self.search.options, self.products.primers.patterns().to_vec()))
    }

    fn device<G: Gpu>(&self, gpu: Arc<G>, part: Part) -> Result<AnyExecutor<'_, Self>> {
        self.search.device(gpu, part)
    }

    fn share(&self, free: usize) -> Share {
        self.search.share(free)
    }

    fn name(&self, job: Job) -> String {
        self.search.name(job)
    }

    /// Compares products: the reference searches and pairs by itself.
    fn check(
        &self,
        second: &mut Second<'_, Self>,
        Job { batch, .. }: Job,
        found: &Option<Vec<Hit>>,
    ) -> Result<Option<Difference>> {
        let Some(hits) = found else { return Ok(None) };
        let expected = match second.verify {
            Verify::Reference => reference::amplify(self.pairs, batch, self.options),
            Verify::Cpu => self.all(batch, second.compute(Job::new(batch, usize::MAX))?.clone().unwrap_or_default()),
        };
        let found = self.all(batch, hits.clone());
        let Some((_, found, expected)) = first_difference(&found, &expected) else { return Ok(None) };
        let first = found.into_iter().chain(expected).min().expect("one of them is there");
        let names = [batch.name(first.sequence as usize), self.pairs[first.pair as usize].name()];
        let [sequence, pair] = names.map(String::from_utf8_lossy);
        let shown =
            |product: Option<&Product>| product.map_or("no product".to_owned(), |product| format!("{product:?}"));
        let place = format!("sequence {sequence}, pair {pair}");
        Ok(Some(Difference { place, found: shown(found), expected: shown(expected) }))
    }
}
