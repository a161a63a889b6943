//! A tile: targets side by side.

use super::super::Points;
use super::lanes::LANES;
use super::words;
use std::ops::Range;

/// Bytes of a tile: half of the smallest L1 in use.
const BYTES: usize = 16 << 10;
/// The most targets of a tile, reached if a target has a single word.
pub const MOST: usize = BYTES / 8;

/// Targets in groups of [`LANES`]: word w of group g is `lanes[g * words + w]`, a target to a lane.
#[derive(Default)]
pub struct Tile {
    /// Words of a target.
    pub words: usize,
    /// Which targets these are.
    pub range: Range<usize>,
    /// Lanes past the last target are unspecified.
    pub lanes: Vec<[u64; LANES]>,
}

impl Tile {
    /// Takes the first targets of `range`, as many as fit.
    pub fn fill(&mut self, targets: Points, range: Range<usize>) {
        self.words = targets.bits() as usize / 64;
        let most = MOST / self.words / LANES * LANES;
        self.range = range.start..range.end.min(range.start + most.max(LANES));
        self.lanes.resize(self.range.len().div_ceil(LANES) * self.words, [0; LANES]);
        let groups = targets
            .part(self.range.clone())
            .bytes()
            .chunks(LANES * targets.width())
            .zip(self.lanes.chunks_exact_mut(self.words));
        for (bytes, group) in groups {
            for (lane, target) in bytes.chunks_exact(targets.width()).enumerate() {
                group.iter_mut().zip(words(target)).for_each(|(vector, word)| vector[lane] = word);
            }
        }
    }

    /// The tiles of `range` one after another, each seen by `see` in the same memory.
    pub fn each(targets: Points, range: Range<usize>, mut see: impl FnMut(&Self)) {
        let (mut tile, mut start) = (Self::default(), range.start);
        while start < range.end {
            tile.fill(targets, start..range.end);
            see(&tile);
            start = tile.range.end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_holds_the_words_of_a_target() {
        for (bits, count) in [(64, 5000), (192, 700), (4096, 67)] {
            let width = bits as usize / 8;
            let bytes: Vec<u8> = (0..count * width).map(|k| (k * 7 + k / 251) as u8).collect();
            let targets = Points::new(bits, &bytes);
            let mut seen = 3;
            Tile::each(targets, 3..count, |tile| {
                assert_eq!(tile.range.start, seen);
                for k in tile.range.clone() {
                    let (group, lane) = ((k - seen) / LANES, (k - seen) % LANES);
                    let held = (0..tile.words).map(|word| tile.lanes[group * tile.words + word][lane]);
                    assert!(held.eq(words(targets.get(k))), "{bits} bits, target {k}");
                }
                seen = tile.range.end;
            });
            assert_eq!(seen, count);
        }
    }
}
