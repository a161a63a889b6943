//! Depth along genomes: from the counts of signatures, whose names say where they lie.
//!
//! ```text
//! genome of L bases   |----|----|----|----| ... B steps of equal length
//! signatures            =====    =====        each in all steps that it overlaps
//! step                  sum of the depths of its signatures / how many they are; unknown where there are none
//! ```
//!
//! L is the end of the last signature. Where a genome has no signatures, its depth is unknown, which is not 0.

use crate::Signature;
use crate::counts::Sample;
use crate::summary::Summary;
use crate::summary::genomes::range;
use std::collections::HashMap;
use std::ops::Range;

/// The most steps of a track.
const STEPS: u64 = 200;
/// The most steps of a page: with more tracks, these have fewer.
const PAGE_STEPS: usize = 40_000;
/// The most tracks of a page.
const TRACKS: usize = 800;

/// Where the signatures of a genome lie.
struct Layout {
    /// The end of the last one.
    length: u64,
    /// How many of them overlap each step.
    covers: Vec<u64>,
}

impl Layout {
    fn new(ranges: &[Range<u64>]) -> Self {
        let length = ranges.iter().map(|range| range.end).max().unwrap_or(0);
        let mut layout = Self { length, covers: vec![0; length.min(STEPS) as usize] };
        ranges.iter().for_each(|range| layout.steps(range).for_each(|step| layout.covers[step] += 1));
        layout
    }

    /// The steps that a signature overlaps.
    fn steps(&self, range: &Range<u64>) -> Range<usize> {
        let step = |base: u64| u128::from(base) * self.covers.len() as u128 / u128::from(self.length);
        step(range.start) as usize..step(range.end - 1) as usize + 1
    }
}

/// The depth along a genome in a sample.
pub struct Track {
    /// The sample, by its number.
    pub sample: usize,
    /// The genome, by its number.
    pub genome: usize,
    sums: Vec<u64>,
}

/// The tracks of all samples.
pub struct Tracks<'s> {
    signatures: &'s [Signature],
    layouts: HashMap<usize, Layout>,
    all: Vec<Track>,
    /// How many there would be besides.
    pub left_out: u64,
}

impl<'s> Tracks<'s> {
    /// None yet.
    pub fn new(signatures: &'s [Signature]) -> Self {
        Self { signatures, layouts: HashMap::new(), all: Vec::new(), left_out: 0 }
    }

    /// Adds those of the last sample of `summary`, for the genomes of groups that have enough for a call.
    pub fn add(&mut self, summary: &Summary, sample: &Sample) {
        let Some((number, found)) = summary.samples().iter().enumerate().next_back() else { return };
        let genomes = summary.genomes();
        let is_wanted =
            |genome: &usize| found.genomes[*genome].0.found > 0 && summary.is_enough(found, genomes.all[*genome].group);
        let wanted: Vec<usize> = (0..genomes.all.len()).filter(is_wanted).collect();
        self.lay_out(&wanted, &genomes.of);
        let mut places = HashMap::new();
        for genome in wanted {
            if self.all.len() == TRACKS {
                self.left_out += 1;
            } else if self.layouts[&genome].length > 0 {
                places.insert(genome, self.all.len());
                self.all.push(Track { sample: number, genome, sums: vec![0; self.layouts[&genome].covers.len()] });
            }
        }
        for count in &sample.counts {
            let genome = genomes.of[count.signature as usize] as usize;
            let range = range(self.signatures[count.signature as usize].name());
            if let (Some(&place), Some(range)) = (places.get(&genome), range) {
                let sums = &mut self.all[place].sums;
                self.layouts[&genome].steps(&range).for_each(|step| sums[step] += count.fragments());
            }
        }
    }

    /// Finds where the signatures of these genomes lie.
    fn lay_out(&mut self, wanted: &[usize], of: &[u32]) {
        let new = wanted.iter().filter(|genome| !self.layouts.contains_key(genome));
        let mut ranges: HashMap<usize, Vec<Range<u64>>> = new.map(|&genome| (genome, Vec::new())).collect();
        if ranges.is_empty() {
            return;
        }
        for (signature, &genome) in self.signatures.iter().zip(of) {
            if let Some(ranges) = ranges.get_mut(&(genome as usize)) {
                ranges.extend(range(signature.name()));
            }
        }
        self.layouts.extend(ranges.into_iter().map(|(genome, ranges)| (genome, Layout::new(&ranges))));
    }

    /// All tracks.
    pub fn all(&self) -> &[Track] {
        &self.all
    }

    /// The bases of a track's genome, up to the end of its last signature.
    pub fn length(&self, track: &Track) -> u64 {
        self.layouts[&track.genome].length
    }

    /// The mean depth in each step of a track, as many steps as the page has room for; `None` where there is no signature.
    pub fn depths(&self, track: &Track) -> Vec<Option<f64>> {
        let room = (PAGE_STEPS / self.all.len().max(1)).max(1);
        let together = track.sums.len().div_ceil(room).max(1);
        let covers = &self.layouts[&track.genome].covers;
        let steps = track.sums.chunks(together).zip(covers.chunks(together));
        let mean = |(sums, covers): (&[u64], &[u64])| match (sums.iter().sum::<u64>(), covers.iter().sum::<u64>()) {
            (_, 0) => None,
            (sum, count) => Some(sum as f64 / count as f64),
        };
        steps.map(mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::{Count, Totals};
    use crate::summary::Thresholds;
    use crate::summary::genomes::Genomes;

    fn tracks(names: &[&str], depths: &[u64], check: impl Fn(&Tracks)) {
        let signatures: Vec<Signature> = names.iter().map(|name| Signature::new(*name, b"A".to_vec())).collect();
        let count = |(signature, &pairs)| Count { signature, pairs, ..Count::default() };
        let counts = (0..).zip(depths).filter(|(_, depth)| **depth > 0).map(count).collect();
        let sample = Sample { label: b"s".to_vec(), totals: Totals { pairs: 100, ..Totals::default() }, counts };
        let mut summary =
            Summary::new(Genomes::of(&signatures, None), Thresholds { fragments: 5, ..Thresholds::default() }, None);
        summary.add(&sample);
        let mut tracks = Tracks::new(&signatures);
        tracks.add(&summary, &sample);
        check(&tracks);
    }

    #[test]
    fn steps_are_means_of_what_lies_there_and_unknown_elsewhere() {
        let names = ["g:0-4", "g:2-6", "g:8-10", "g:8-10", "h:0-4", "g"];
        tracks(&names, &[3, 6, 0, 8, 0, 9], |tracks| {
            let [track] = tracks.all() else { panic!("only g is found, and the signature g has no place") };
            assert_eq!((track.sample, track.genome, tracks.length(track)), (0, 0, 10));
            let expected = [3.0, 3.0, 4.5, 4.5, 6.0, 6.0, -1.0, -1.0, 4.0, 4.0];
            let found: Vec<f64> = tracks.depths(track).iter().map(|depth| depth.unwrap_or(-1.0)).collect();
            assert_eq!(found, expected);
        });
        tracks(&names, &[1, 1, 1], |tracks| assert!(tracks.all().is_empty(), "too few fragments for a call"));
    }

    #[test]
    fn a_long_genome_has_steps_of_many_bases() {
        let names: Vec<String> = (0..999).map(|k| format!("g:{}-{}", 30 * k, 30 * k + 60)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        tracks(&names, &[7; 999], |tracks| {
            let depths = tracks.depths(&tracks.all()[0]);
            assert_eq!((depths.len(), tracks.length(&tracks.all()[0])), (200, 30_000));
            assert!(depths.iter().all(|depth| *depth == Some(7.0)));
        });
        tracks(&["g:0-18446744073709551615", "g:5-9", "g:9-9", "g:9-5"], &[9, 9, 9, 9], |tracks| {
            assert_eq!(tracks.depths(&tracks.all()[0]).len(), 200);
        });
    }
}
