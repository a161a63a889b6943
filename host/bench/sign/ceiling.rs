//! The shortest time of the kernels: a bound by the unit that each kernel uses most, on all multiprocessors of an H100.
//!
//! # `sign_halves`: shared memory
//!
//! Each residue starts a k-mer, whose table entry of 16 bytes is anywhere in shared memory. A load of 32 entries takes four
//! phases of 8 lanes. The 32 banks form 8 groups of 16 bytes, and on average 2.6 of 8 lanes load from the busiest group. The
//! codes of 10 residues are loaded for 8 k-mers, without conflicts:
//!
//! ```text
//! clocks for 32 residues     4 * 2.6 + 10 / 8 = 11.65
//! residues per second          32 / 11.65 * 132 * 1.98 GHz = 718 * 10^9
//! ```
//!
//! # `sign_dense`: instructions
//!
//! Each k-mer of a window needs bits / 64 blocks of 64 elements of its vector. A block takes these 32-bit instructions of the
//! pipe with 64 lanes per clock. The two multiplications have a pipe of their own and run at the same time:
//!
//! ```text
//! key + place                                   2
//! z ^ z >> n, three times                       12      two shifts, two LOP3
//! adders (a tree for eight words, 46)            6
//! whether it is a k-mer, and their number        2
//!                                       sum     22
//!
//! blocks per second          64 / 22 * 132 * 1.98 GHz = 760 * 10^9; with 1024 bits, whole, 47.5 * 10^9 residues
//! ```
//!
//! # Comparing: population counts, or instructions
//!
//! Population counts have 16 lanes per clock. Four words of 64 bits are first added up to four words of 32 bits; a single word
//! is counted as it is:
//!
//! ```text
//!                                       four words    one
//! exclusive or                                   8      2
//! adders of three                                8
//! sums                                           3      1
//!                     sum, 64 lanes per clock   19      3
//! population counts, 16 lanes per clock          4      2
//!
//! pairs per second   64 bits: 16 / 2 * 132 * 1.98 GHz = 2.09 * 10^12; 1024 bits: 64 / (4 * 19) * ... = 0.22 * 10^12
//! ```

use crate::bench::machine::CLOCKS;
use crate::sign::{Hash, Parameters, Window};

/// If 8 lanes load from 8 groups of banks at random, the mean number that load from the busiest group.
const BUSIEST: f64 = 2.6;
/// Clocks of a multiprocessor for 32 residues in `sign_halves`.
const HALVES: f64 = 4.0 * BUSIEST + 10.0 / 8.0;
/// Instructions of the shared pipe for 64 elements of a dense vector.
const DENSE: f64 = 22.0;

/// The smallest number of milliseconds to sign `residues` whose windows have `kmers` k-mers; `None` if no bound is known.
pub fn signing_ms((residues, kmers): (u64, u64), parameters: &Parameters) -> Option<f64> {
    let Parameters { hash, k, window, bits, .. } = *parameters;
    let clocks = match (hash, k, window, bits) {
        (Hash::Mix64, ..) => kmers as f64 * f64::from(bits / 64) * DENSE / 64.0,
        (_, 3, Window::Length(16), 64) => residues as f64 / 32.0 * HALVES,
        _ => return None,
    };
    Some(clocks / CLOCKS * 1e3)
}

/// The smallest number of milliseconds to compare `pairs` of signatures.
pub fn searching_ms(pairs: u64, bits: u32) -> f64 {
    let (fours, ones) = (f64::from(bits / 256), f64::from(bits % 256 / 64));
    let (instructions, counts) = (19.0 * fours + 3.0 * ones, 4.0 * fours + 2.0 * ones);
    pairs as f64 * (instructions / 64.0).max(counts / 16.0) / CLOCKS * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ceilings_of_an_h100() {
        let giga = |parameters| (1e3 / signing_ms((1_000_000_000, 1_000_000_000), &parameters).unwrap()).round();
        assert_eq!([giga(Parameters::QUT), giga(Parameters { bits: 64, ..Parameters::DNA })], [718.0, 760.0]);
        assert_eq!(signing_ms((1, 1), &Parameters { hash: Hash::Isaac, ..Parameters::DNA }), None);
        let giga = |bits| (1e3 / searching_ms(1_000_000_000, bits)).round();
        assert_eq!([64, 128, 256, 1024].map(giga), [2091.0, 1045.0, 880.0, 220.0]);
    }

    /// The mean of the largest of 8 counts over all 8^8 choices of 8 lanes.
    #[test]
    fn the_busiest_group() {
        let greatest = |choices: u32| {
            let mut counts = [0; 8];
            (0..8).for_each(|lane| counts[(choices >> (3 * lane) & 7) as usize] += 1);
            counts.into_iter().max().unwrap()
        };
        let sum: u64 = (0..1 << 24).map(greatest).sum();
        assert_eq!((sum as f64 / f64::from(1 << 24) * 100.0).round() / 100.0, BUSIEST);
    }
}
