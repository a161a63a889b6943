//! The patterns in device memory, packed like sequences: each begins at a whole word and is padded with N.

use crate::Pattern;
use crate::cpu::Iupac;
use crate::device::launch;
use crate::device::search::unknown;
use crate::seeds::plan::{Encoding, Queries, Query, TOLD};
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

/// Patterns that are written at a time.
const WRITTEN: usize = 1 << 15;

/// The IUPAC code of each base set, which is a pattern's symbol.
const CODES: &[u8; 16] = b"-ACMGRSVTWYHKDBN";

/// Patterns of bytes. The device sees them as under IUPAC rules, but what a match may have wild is counted in bytes.
struct Bytes;

impl Encoding for Bytes {
    const DIGITS: &'static [u8; 256] = digits(Wildcards::Iupac);
    const COUNTED: &'static [u8; 256] = digits(Wildcards::N);

    fn pattern_symbol(base: u8) -> u8 {
        base
    }
}

/// The patterns, encoded for the devices: as for the CPU under IUPAC rules, and as they are where they are `literal`.
pub(super) fn queries(patterns: &[Pattern], literal: bool) -> Queries {
    if literal { Queries::of::<Bytes>(patterns) } else { Queries::of::<Iupac>(patterns) }
}

pub(super) struct DevicePatterns<G: Gpu> {
    planes: DeviceArray<U32x4, G>,
    /// Of each pattern, as in [`Patterns`].
    info: DeviceArray<U32x4, G>,
}

impl<G: Gpu> DevicePatterns<G> {
    /// Copies and packs the patterns.
    pub fn new(gpu: &Arc<G>, stream: &Stream<G>, queries: &Queries, literal: bool) -> Result<Self> {
        let symbols = symbols(queries);
        let planes = DeviceArray::new(gpu, symbols / 32)?;
        let info = DeviceArray::new(gpu, queries.all.len())?;
        let bases: DeviceArray<u8, G> = DeviceArray::new(gpu, symbols)?;
        // Of millions, neither bases nor infos stand in host memory once more.
        let (mut first, mut symbols_before, mut written) = (0, 0, Vec::new());
        for some in queries.all.chunks(WRITTEN) {
            info.write(stream, first, &infos(some, symbols_before))?;
            written.resize(some.iter().map(padded).sum(), 0);
            write_bases((queries, some), literal, &mut written);
            bases.write(stream, symbols_before, &written)?;
            (first, symbols_before) = (first + some.len(), symbols_before + written.len());
        }
        bases.fill(stream, symbols_before..symbols, b'N')?;
        let odd = DeviceArray::new(gpu, 1)?;
        odd.fill(stream, 0..1, 0)?;
        let (digits, wild) = (DeviceArray::empty(gpu), DeviceArray::empty(gpu));
        let args = PackArgs {
            bases: bases.view_as(),
            planes: planes.view_mut(),
            digits: digits.view_mut(),
            wild: wild.view_mut(),
            odd: odd.view_mut(),
            unknown: unknown(literal),
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

/// Those of some queries, with so many symbols in whole words before them.
fn infos(some: &[Query], before: usize) -> Vec<U32x4> {
    let next = |word: &mut u32, query| Some(std::mem::replace(word, *word + (padded(query) / 32) as u32));
    let places = some.iter().scan((before / 32) as u32, next);
    let info =
        |(word, query): (u32, &Query)| U32x4([word, query.length() as u32, query.limits.wild, query.limits.mismatches]);
    places.zip(some).map(info).collect()
}

/// Symbols of a pattern in whole words.
fn padded(query: &Query) -> usize {
    query.length().next_multiple_of(32)
}

/// Symbols of all patterns in whole words, and the slack that the last one's windows read.
fn symbols(queries: &Queries) -> usize {
    queries.all.par_iter().map(padded).sum::<usize>() + SLACK as usize
}

/// The bases of some queries, for which there is as much room as they take.
fn write_bases((queries, some): (&Queries, &[Query]), literal: bool, mut rest: &mut [u8]) {
    let mut places = Vec::with_capacity(some.len());
    for query in some {
        let (place, after) = rest.split_at_mut(padded(query));
        places.push(place);
        rest = after;
    }
    places.into_par_iter().zip(some).for_each(|(place, query)| {
        let (bases, padding) = place.split_at_mut(query.length());
        let room = &mut [0; TOLD];
        let symbols = queries.symbols(query, room);
        match literal {
            true => bases.copy_from_slice(symbols),
            false => bases.iter_mut().zip(symbols).for_each(|(base, &set)| *base = CODES[usize::from(set & 15)]),
        }
        padding.fill(b'N');
    });
}
