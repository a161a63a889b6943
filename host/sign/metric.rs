//! What a distance says about two sequences: the cosine of their k-mer counts, their identity, and how much of one is in the
//! other.
//!
//! # Definition
//!
//! ```text
//! cosine        cos(pi d / b)                                        of d bits out of b (Charikar 2002, STOC, p. 380)
//! ani           cosine^(1/k)                                         none where cosine <= 5 (pi / 2) / sqrt(b)
//! containment   min(1, cosine sqrt(words of B / words of A))         the share of the words of A that B has
//! ```
//!
//! A k-mer of two sequences is the same when none of its k symbols differs, so the share of equal k-mers is identity^k (Ondov
//! et al. 2016, Genome Biology 17, 132). Where the sequences have nothing in common, d is b / 2 with a standard deviation of
//! sqrt(b) / 2, so the cosine is 0 with one of (pi / 2) / sqrt(b): up to five of these, there may be nothing behind it.
//!
//! The containment is that of sets: where A and B have w of their words in common, the cosine is w / sqrt(words of A x words of
//! B).

use super::collection::Collection;
use std::f64::consts::{FRAC_PI_2, PI};
use std::ops::Range;
use std::path::Path;
use warpseq_io::error::{FileError, Result};

/// What is written of two sequences, or of two windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// Their distance alone.
    #[default]
    Hamming,
    /// The cosine of their k-mer counts.
    Cosine,
    /// The share of symbols that are the same: the average nucleotide identity, or that of amino acids.
    Ani,
    /// The share of the words of the first that the second has.
    Containment,
}

impl Metric {
    /// The name of its column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hamming => "distance",
            Self::Cosine => "cosine",
            Self::Ani => "ani",
            Self::Containment => "containment",
        }
    }

    /// What it is at a distance of `share` of the bits, `None` where that cannot be said; not of [`Metric::Hamming`].
    ///
    /// `words` are those of the first and of the second, for [`Metric::Containment`] alone.
    ///
    /// # Panics
    /// When it needs words and there are none.
    pub fn at(self, share: f64, (bits, k): (u32, u32), words: Option<[u64; 2]>) -> Option<f64> {
        let cosine = (PI * share).cos();
        match self {
            Self::Hamming => Some(share),
            Self::Cosine => Some(cosine),
            Self::Ani => (cosine > by_chance(bits)).then(|| cosine.powf(1.0 / f64::from(k))),
            Self::Containment => {
                let [a, b] = words.expect("files with words, which are required").map(|words| words as f64);
                Some((cosine * (b / a).sqrt()).min(1.0))
            }
        }
    }

    /// Refuses a collection whose sequences, or windows, it cannot be computed of.
    ///
    /// # Errors
    /// [`FileError::Unusable`] where containment is asked for and the words are not known, or `of_sequences` have several windows.
    pub fn require(self, path: &Path, collection: &Collection, of_sequences: bool) -> Result<()> {
        if self != Self::Containment {
            return Ok(());
        }
        let has_several = |windows: Range<usize>| windows.len() > 1;
        let message = if collection.words.is_none() {
            "containment needs the number of words of each window, which files of version 1 do not keep: make it again with \
             `sign build`"
        } else if of_sequences && (0..collection.len()).any(|sequence| has_several(collection.windows(sequence))) {
            "the containment of sequences needs one signature of each: sign them with --window whole"
        } else {
            return Ok(());
        };
        Err(FileError::Unusable { path: path.to_path_buf(), message: message.into() })
    }
}

/// The largest cosine that signatures of so many bits may have by chance: five standard deviations.
pub fn by_chance(bits: u32) -> f64 {
    5.0 * FRAC_PI_2 / f64::from(bits).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(metric: Metric, distance: u32) -> String {
        let value = metric.at(f64::from(distance) / 1024.0, (1024, 21), Some([100, 400]));
        value.map_or("NA".into(), |value| format!("{value:.6}"))
    }

    #[test]
    fn metrics_by_hand() {
        // cos(pi / 4) = 0.707107; its 21st root is 2^(-1/42); half of B's words are of A, so A has sqrt(4) times that.
        assert_eq!(
            [Metric::Cosine, Metric::Ani, Metric::Containment].map(|m| at(m, 256)),
            ["0.707107", "0.983632", "1.000000"]
        );
        assert_eq!([Metric::Cosine, Metric::Ani, Metric::Containment].map(|m| at(m, 0)), ["1.000000"; 3]);
        // 5 (pi / 2) / 32 = 0.245437.
        assert_eq!([431, 432].map(|d| at(Metric::Cosine, d)), ["0.245955", "0.242980"]);
        assert_eq!([431, 432].map(|d| at(Metric::Ani, d)), ["0.935391", "NA"]);
        assert_eq!([431, 512, 1024].map(|d| at(Metric::Containment, d)), ["0.491910", "0.000000", "-2.000000"]);
    }
}
