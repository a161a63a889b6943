//! A slot: the device memory, the pinned memory and the stream that one slice at a time passes through.
//!
//! ```text
//! bases (host) --copy--> bases --scan_pack--> planes, digits, wild --search--> found, count --copy--> summary (pinned)
//! ```
//!
//! Slots take turns, so that one slice is copied while another is searched and a third is collected.

use super::slices::Slice;
use crate::device::launch;
use crate::seeds::windows::NEAR;
use cuda_std::{GlobalMut, U32x4};
use std::sync::Arc;
use warpseq_device::array::DeviceArray;
use warpseq_device::error::Result;
use warpseq_device::gpu::Gpu;
use warpseq_device::scope::Scope;
use warpseq_device::staged::Staged;
use warpseq_device::stream::Stream;
use warpseq_gpu::abi::{Hard, Matches, PackArgs, Sequences};
use warpseq_gpu::tuning::{SLACK, TILE};

/// How much a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Symbols of a slice.
    pub symbols: u32,
    /// Pieces of a slice.
    pub pieces: usize,
    /// Matches of a launch.
    pub matches: u32,
}

/// Matches that come back with the count, without a second copy.
const SUMMARY: usize = 4096;
/// Ranks up to which these come back, too: 1 MB.
const RANKS_BACK: usize = 1 << 17;

/// How matches of a search are ranked: of each pattern in each piece those stay behind that follow a better one.
#[derive(Clone, Copy, Default)]
pub(super) struct Ranked {
    /// Pieces and patterns, multiplied; 0: all matches are wanted.
    pub ranks: usize,
    /// As in [`Matches`].
    pub by: [u32; 2],
    /// Whether qualities count.
    pub by_quality: bool,
}

pub(super) struct Slot<G: Gpu> {
    pub stream: Stream<G>,
    bases: Staged<u8, G>,
    planes: DeviceArray<U32x4, G>,
    digits: DeviceArray<U32x4, G>,
    wild: DeviceArray<u32, G>,
    /// Hard positions, and those that are left of them.
    hard: Marked<G>,
    left: Marked<G>,
    /// As in [`WindowArgs`](warpseq_gpu::abi::WindowArgs).
    marks: DeviceArray<u32, G>,
    starts: Staged<u32, G>,
    odd: Staged<u32, G>,
    /// Of the matches only the first `SUMMARY` come through pinned memory.
    found: Staged<U32x4, G>,
    count: Staged<u32, G>,
    /// As in [`Matches`], with room for some.
    least: Staged<u64, G>,
    ranked: Ranked,
    /// As in [`Matches`], and whether they are those of the slice.
    quality: DeviceArray<u8, G>,
    has_quality: bool,
    /// Groups of 32 symbols of the slice in the slot, slack included.
    groups: usize,
    segments: usize,
    symbols: u32,
}

/// What came back of a search, or that there were more matches than the slot holds.
pub(super) enum Collected {
    All(Found),
    TooMany,
}

/// What came back of a search.
pub(super) struct Found {
    /// As in [`Matches`].
    pub matches: Vec<U32x4>,
    /// The least ranks, as in [`Matches`]; none where matches are not ranked, or where these are too many.
    pub least: Vec<u64>,
    /// Whether the host has to confirm matches.
    pub odd: bool,
    /// [`HARD`](warpseq_gpu::abi::HARD) and [`LEFT`](warpseq_gpu::abi::LEFT).
    pub marked: u32,
}

/// Positions that are marked, as in [`Hard`].
struct Marked<G: Gpu> {
    bits: DeviceArray<u32, G>,
    tiles: DeviceArray<u32, G>,
}

impl<G: Gpu> Marked<G> {
    /// Room for those of so many groups.
    fn new(gpu: &Arc<G>, groups: usize) -> Result<Self> {
        Ok(Self { bits: DeviceArray::new(gpu, groups)?, tiles: DeviceArray::new(gpu, tiles_of(groups))? })
    }

    fn view(&self, groups: usize) -> Hard<'_> {
        Hard { bits: self.bits.slice_mut(0..groups), tiles: self.tiles.slice_mut(0..tiles_of(groups)) }
    }

    fn clear(&self, stream: &Stream<G>, groups: usize) -> Result<()> {
        self.bits.fill(stream, 0..groups, 0)?;
        self.tiles.fill(stream, 0..tiles_of(groups), 0)
    }
}

impl<G: Gpu> Slot<G> {
    /// A slot of this capacity. With `is_pinned` batches lie in pinned memory, and their bases need no staging.
    pub fn new(gpu: &Arc<G>, capacity: Capacity, is_pinned: bool) -> Result<Self> {
        let groups = groups_of(capacity.symbols);
        let stream = Stream::new(gpu)?;
        let matches = capacity.matches as usize;
        let found = Staged::new(gpu, matches, SUMMARY.min(matches))?;
        // `fetch` copies these whether or not a search has written them.
        found.device().fill(&stream, 0..SUMMARY.min(matches), 0)?;
        Ok(Self {
            stream,
            bases: Staged::new(gpu, groups * 32, if is_pinned { 0 } else { capacity.symbols as usize })?,
            planes: DeviceArray::new(gpu, groups)?,
            digits: DeviceArray::new(gpu, groups)?,
            wild: DeviceArray::new(gpu, tiles_of(groups))?,
            hard: Marked::new(gpu, groups)?,
            left: Marked::new(gpu, groups)?,
            marks: DeviceArray::new(gpu, groups * 32 / NEAR)?,
            starts: Staged::new(gpu, capacity.pieces + 1, capacity.pieces + 1)?,
            odd: Staged::new(gpu, 1, 1)?,
            found,
            count: Staged::new(gpu, 2, 2)?,
            least: Staged::empty(gpu),
            ranked: Ranked::default(),
            quality: DeviceArray::empty(gpu),
            has_quality: false,
            groups: 0,
            segments: 0,
            symbols: 0,
        })
    }

    /// Queues the copy of a slice's bases, straight from `bases` where these are pinned.
    pub fn upload<'env>(
        &mut self,
        scope: &Scope<'env, G>,
        slice: &Slice,
        bases: &'env [u8],
        is_pinned: bool,
    ) -> Result<()> {
        self.segments = slice.pieces.len();
        self.groups = groups_of(slice.symbols);
        self.symbols = slice.symbols;
        self.has_quality = false;
        self.bases.send_parts((scope, &self.stream), &slice.parts(bases), is_pinned)?;
        self.bases.device().fill(&self.stream, slice.symbols as usize..self.groups * 32, b'N')?;
        self.starts.send_written(&self.stream, self.segments + 1, |starts| {
            let mut start = 0;
            for (place, piece) in starts.iter_mut().zip(&slice.pieces) {
                *place = start;
                start += piece.length;
            }
            starts[slice.pieces.len()] = start;
        })
    }

    /// Queues the packing of what was uploaded. `unknown` is as in [`PackArgs`]; `odd` says that the patterns have bytes other
    /// than A, C, G, T and N.
    pub fn pack(&self, unknown: u32, odd: bool) -> Result<()> {
        self.odd.device().fill(&self.stream, 0..1, u8::from(odd))?;
        let args = PackArgs {
            bases: self.bases.device().view_as(),
            planes: self.planes.slice_mut(0..self.groups),
            digits: self.digits.slice_mut(0..self.groups),
            wild: self.wild.slice_mut(0..tiles_of(self.groups)),
            odd: self.odd.device().view_mut(),
            unknown,
        };
        launch::scan_pack(&self.stream, args)
    }

    /// The packed sequences, for a search.
    pub fn sequences(&self) -> Sequences<'_> {
        Sequences {
            planes: self.planes.slice(0..self.groups),
            digits: self.digits.slice(0..self.groups),
            wild: self.wild.slice(0..tiles_of(self.groups)),
            starts: self.starts.device().slice(0..self.segments + 1),
            odd: self.odd.device().view(),
        }
    }

    /// Where a search puts its matches.
    pub fn matches(&self) -> Matches<'_> {
        let Ranked { ranks, by, by_quality } = self.ranked;
        let least = self.least.device().slice_mut(0..ranks);
        let quality = self.quality.slice(0..if by_quality { self.groups * 32 } else { 0 });
        let (found, count) = (self.found.device().view_mut(), self.count.device().view_mut());
        Matches { found, count, least, ranked: by, quality }
    }

    /// Ranks of a slice with so many patterns.
    pub fn ranks(&self, patterns: usize) -> usize {
        self.segments * patterns
    }

    /// Bytes of the ranks and the qualities there is room for.
    pub fn ranking_bytes(&self) -> usize {
        self.least.device().len() * size_of::<u64>() + self.quality.len()
    }

    /// Has the searches that follow rank the matches of the slice that was uploaded, by these qualities of its batch where they count.
    pub fn rank(&mut self, ranked: Ranked, slice: &Slice, qualities: &[u8]) -> Result<()> {
        if ranked.by_quality && !self.has_quality {
            self.quality.grow(self.groups * 32)?;
            self.bases.send_parts_to(&self.stream, &slice.parts(qualities), &self.quality)?;
            self.has_quality = true;
        }
        self.least.grow_device(ranked.ranks)?;
        self.ranked = ranked;
        Ok(())
    }

    /// Matches there is room for.
    pub fn room(&self) -> usize {
        self.found.device().len()
    }

    /// Makes room for twice as many matches.
    pub fn grow(&mut self) -> Result<()> {
        let matches = 2 * self.room();
        self.found.grow_device(matches)?;
        self.found.device().fill(&self.stream, 0..SUMMARY.min(matches), 0)
    }

    /// Symbols of the slice.
    pub fn symbols(&self) -> u32 {
        self.symbols
    }

    /// Where a search marks hard positions.
    pub fn hard(&self) -> Hard<'_> {
        self.hard.view(self.groups)
    }

    /// Queues the clearing of hard positions, before the search of a class.
    pub fn clear_hard(&self) -> Result<()> {
        self.hard.clear(&self.stream, self.groups)
    }

    /// Where windows mark the hard positions that are left.
    pub fn left(&self) -> Hard<'_> {
        self.left.view(self.groups)
    }

    /// Queues the clearing of these, before windows are looked up.
    pub fn clear_left(&self) -> Result<()> {
        self.left.clear(&self.stream, self.groups)
    }

    /// Room for the marks of cells of [`NEAR`] positions or more.
    pub fn marks(&self) -> GlobalMut<'_, u32> {
        self.marks.view_mut()
    }

    /// Queues the clearing of the counts and the ranks, before a search.
    pub fn clear(&self) -> Result<()> {
        if self.ranked.ranks > 0 {
            self.least.device().fill(&self.stream, 0..self.ranked.ranks, u8::MAX)?;
        }
        self.count.device().fill(&self.stream, 0..2, 0)
    }

    /// Queues the copy of the counts and the first matches, after a search. Elements without a match come too.
    pub fn fetch(&mut self) -> Result<()> {
        self.count.fetch(&self.stream, 2)?;
        self.odd.fetch(&self.stream, 1)?;
        if self.brings_ranks() {
            self.least.fetch(&self.stream, self.ranked.ranks)?;
        }
        self.found.fetch(&self.stream, SUMMARY.min(self.found.device().len()))
    }

    fn brings_ranks(&self) -> bool {
        (1..=RANKS_BACK).contains(&self.ranked.ranks)
    }

    /// Waits for the search and takes its matches.
    pub fn collect(&mut self) -> Result<Collected> {
        self.stream.synchronize()?;
        let (&[count, marked], odd) =
            (self.count.read()?.first_chunk().expect("two were fetched"), self.odd.read()?[0] != 0);
        let count = count as usize;
        if count > self.room() {
            return Ok(Collected::TooMany);
        }
        let summary = self.found.read()?;
        let have = count.min(summary.len());
        let mut matches = summary[..have].to_vec();
        if count > have {
            matches.resize(count, U32x4::default());
            self.found.device().read(&self.stream, have, &mut matches[have..])?;
        }
        let least = if self.brings_ranks() { self.least.read()?.to_vec() } else { Vec::new() };
        Ok(Collected::All(Found { matches, least, odd, marked }))
    }
}

/// Groups of 32 symbols that hold `symbols` in whole tiles, and the slack that windows at the end read.
fn groups_of(symbols: u32) -> usize {
    symbols.div_ceil(TILE) as usize * (TILE / 32) as usize + (SLACK / 32) as usize
}

/// Tiles of so many groups, the last one of which may be a part.
fn tiles_of(groups: usize) -> usize {
    groups.div_ceil((TILE / 32) as usize)
}
