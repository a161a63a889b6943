//! The windows that have a k-mer, side by side.
//!
//! A collection holds the signatures of all windows. Those without a k-mer, which are nobody's neighbours, lie between the
//! others. Most collections have no such window, and the points are the collection's own bytes. Otherwise the points are
//! copied, so a caller with little memory takes a part of the windows at a time.
//!
//! ```text
//! windows    0 1 2 3 4 5        range 1..6
//! present    1 1 0 0 1 1
//! points       0     1 2        point 1 is window 4
//! ```

use super::Collection;
use crate::Points;
use std::borrow::Cow;
use std::ops::Range;

/// The signatures of the windows of a range that have a k-mer.
#[derive(Clone, Debug)]
pub struct Present<'a> {
    bits: u32,
    bytes: Cow<'a, [u8]>,
    /// The range.
    range: Range<usize>,
    /// The window of each point, unless every window of the range is a point.
    windows: Option<Vec<usize>>,
}

impl Present<'_> {
    /// The signatures.
    pub fn points(&self) -> Points<'_> {
        Points::new(self.bits, &self.bytes)
    }

    /// The window of a point, counted from the first of the collection.
    pub fn window(&self, point: usize) -> usize {
        self.windows.as_ref().map_or(self.range.start + point, |windows| windows[point])
    }

    /// The number of points before `window`: the windows `a..b` are the points `before(a)..before(b)`.
    pub fn before(&self, window: usize) -> usize {
        match &self.windows {
            Some(windows) => windows.partition_point(|&each| each < window),
            None => window.clamp(self.range.start, self.range.end) - self.range.start,
        }
    }
}

impl Collection {
    /// All windows that have a k-mer.
    pub fn points(&self) -> Present<'_> {
        self.points_of(0..self.window_count())
    }

    /// The windows of `range` that have a k-mer.
    pub fn points_of(&self, range: Range<usize>) -> Present<'_> {
        let (bits, width) = (self.parameters.bits, self.parameters.width());
        let present = self.present_count(range.clone());
        if present == range.len() {
            let bytes = Cow::Borrowed(&self.signatures[range.start * width..range.end * width]);
            return Present { bits, bytes, range, windows: None };
        }
        let mut bytes = Vec::with_capacity(present * width);
        let windows: Vec<usize> = range.clone().filter(|&window| self.is_present(window)).collect();
        windows.iter().for_each(|&window| bytes.extend_from_slice(self.signature(window)));
        Present { bits, bytes: Cow::Owned(bytes), range, windows: Some(windows) }
    }

    /// How many windows of `range` have a k-mer.
    pub fn present_count(&self, range: Range<usize>) -> usize {
        let (first, last) = (range.start.div_ceil(8), range.end / 8);
        if first > last {
            return range.filter(|&window| self.is_present(window)).count();
        }
        let edges = (range.start..8 * first).chain(8 * last..range.end);
        let whole: usize = self.present[first..last].iter().map(|byte| byte.count_ones() as usize).sum();
        whole + edges.filter(|&window| self.is_present(window)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::Builder;
    use crate::{Parameters, Records, Signatures};

    /// One sequence with a window for each flag; window w has the signature w, w, ...
    fn collection(flags: &[u8]) -> Collection {
        let mut batch = Records::default();
        batch.push(b"s", &vec![b'A'; 8 * flags.len() + 8]);
        let signed = flags.iter().enumerate().flat_map(|(w, &flag)| [flag * w as u8; 8]).collect();
        let mut builder = Builder::new(&Parameters::QUT);
        builder.push(&batch, &Signatures { bytes: signed, present: flags.to_vec() }, &vec![14; flags.len()]);
        builder.finish()
    }

    fn check(flags: &[u8], range: Range<usize>) {
        let collection = collection(flags);
        let present = collection.points_of(range.clone());
        let expected: Vec<usize> = range.clone().filter(|&w| flags[w] == 1).collect();
        let points = present.points();
        assert_eq!((points.len(), collection.present_count(range.clone())), (expected.len(), expected.len()));
        for (point, &window) in expected.iter().enumerate() {
            assert_eq!((present.window(point), points.get(point)), (window, &[window as u8; 8][..]));
        }
        for window in 0..=flags.len() {
            let before = expected.iter().filter(|&&each| each < window).count();
            assert_eq!(present.before(window), before, "{range:?}, before {window}");
        }
        assert_eq!(matches!(present.bytes, Cow::Borrowed(_)), expected.len() == range.len());
    }

    #[test]
    fn every_range_of_windows_with_and_without_kmers() {
        for flags in [vec![1; 27], vec![0; 27], (0_u32..27).map(|w| u8::from(w * w % 11 > 3)).collect()] {
            for start in 0..=flags.len() {
                for end in start..=flags.len() {
                    check(&flags, start..end);
                }
            }
        }
    }

    #[test]
    fn no_windows_are_no_points() {
        let collection = Builder::new(&Parameters::QUT).finish();
        assert!(collection.points().points().is_empty());
    }
}
