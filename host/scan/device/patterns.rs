//! The patterns in device memory, packed like sequences: each begins at a whole word and is padded with N.

use crate::device::launch;
use crate::seeds::plan::{Encoding, Queries, Query};
use cuda_std::U32x4;
use rayon::prelude::*;
use std::sync::Arc;
use warpseq_device::array::DeviceArray;
use warpseq_device::error::Result;
use warpseq_device::gpu::Gpu;
use warpseq_device::stream::Stream;
use warpseq_gpu::abi::{PackArgs, Patterns};
use warpseq_gpu::tuning::SLACK;
use warpseq_seq::Wildcards;
use warpseq_seq::iupac::digits;

/// Patterns under IUPAC rules: as the device sees them, and as they are.
pub(super) struct Iupac;

impl Encoding for Iupac {
    const DIGITS: &'static [u8; 256] = digits(Wildcards::Iupac);

    fn pattern_symbol(base: u8) -> u8 {
        base
    }
}

/// Patterns of bytes. The device sees them as under IUPAC rules, but what a match may have wild is counted in bytes.
pub(super) struct Bytes;

impl Encoding for Bytes {
    const DIGITS: &'static [u8; 256] = digits(Wildcards::Iupac);
    const COUNTED: &'static [u8; 256] = digits(Wildcards::N);

    fn pattern_symbol(base: u8) -> u8 {
        base
    }
}

pub(super) struct DevicePatterns<G: Gpu> {
    planes: DeviceArray<U32x4, G>,
    /// Of each pattern, as in [`Patterns`].
    info: DeviceArray<U32x4, G>,
}

impl<G: Gpu> DevicePatterns<G> {
    /// Copies and packs the patterns. `unknown` is as in [`PackArgs`].
    pub fn new(gpu: &Arc<G>, stream: &Stream<G>, queries: &Queries, unknown: u32) -> Result<Self> {
        let symbols = symbols(queries);
        let planes = DeviceArray::new(gpu, symbols / 32)?;
        let info = DeviceArray::new(gpu, queries.all.len())?;
        let mut written = vec![0; symbols];
        write_bases(queries, &mut written);
        let bases: DeviceArray<u8, G> = DeviceArray::new(gpu, symbols)?;
        bases.write(stream, 0, &written)?;
        info.write(stream, 0, &infos(queries))?;
        let odd = DeviceArray::new(gpu, 1)?;
        odd.fill(stream, 0..1, 0)?;
        let (digits, wild) = (DeviceArray::empty(gpu), DeviceArray::empty(gpu));
        let args = PackArgs {
            bases: bases.view_as(),
            planes: planes.view_mut(),
            digits: digits.view_mut(),
            wild: wild.view_mut(),
            odd: odd.view_mut(),
            unknown,
        };
        launch::scan_pack(stream, args)?;
        Ok(Self { planes, info })
    }

    /// The packed patterns, for a kernel.
    pub fn view(&self) -> Patterns<'_> {
        Patterns { planes: self.planes.view(), info: self.info.view() }
    }
}

/// Bytes that the patterns take on a device, with those for packing them.
pub(super) fn bytes_of(queries: &Queries) -> usize {
    symbols(queries) * 3 / 2 + queries.all.len() * size_of::<U32x4>()
}

fn infos(queries: &Queries) -> Vec<U32x4> {
    let places =
        queries.all.iter().scan(0, |word, query| Some(std::mem::replace(word, *word + (padded(query) / 32) as u32)));
    let info =
        |(word, query): (u32, &Query)| U32x4([word, query.length() as u32, query.limits.wild, query.limits.mismatches]);
    places.zip(&queries.all).map(info).collect()
}

/// Symbols of a pattern in whole words.
fn padded(query: &Query) -> usize {
    query.length().next_multiple_of(32)
}

/// Symbols of all patterns in whole words, and the slack that the last one's windows read.
fn symbols(queries: &Queries) -> usize {
    queries.all.iter().map(padded).sum::<usize>() + SLACK as usize
}

fn write_bases(queries: &Queries, mut rest: &mut [u8]) {
    let mut places = Vec::with_capacity(queries.all.len());
    for query in &queries.all {
        let (place, after) = rest.split_at_mut(padded(query));
        places.push(place);
        rest = after;
    }
    rest.fill(b'N');
    places.into_par_iter().zip(&queries.all).for_each(|(place, query)| {
        let (bases, padding) = place.split_at_mut(query.length());
        bases.copy_from_slice(queries.symbols(query));
        padding.fill(b'N');
    });
}
