//! The naive reference of `amplicon`: the rules written down as plain loops. Tests and `--verify` compare the engine with it.
//!
//! # Why it can be trusted
//!
//! It shares nothing with the engine but the base sets and reverse complements of scan's own reference, which are no engine's, either:
//! it knows no patterns, roles or windows. Of each sequence, pair and strand, every start is tried, at every start where the one primer
//! binds every length, and inside a product every place of the probe. Symbols of a circle are looked up at their index modulo its
//! length.

use super::{Options, Pair, Product};
use crate::reference::iupac::{Pair as Relative, Relation, reverse_complement, same};
use crate::{Records, Wildcards};

/// All products of a batch, in order.
pub fn amplify(pairs: &[Pair], batch: &Records, options: &Options) -> Vec<Product> {
    let relation = Relation::new(Wildcards::Iupac);
    let mut products = Vec::new();
    for sequence in 0..batch.len() {
        let template = Template { relation: &relation, bases: batch.sequence(sequence), options };
        let mut found = Vec::new();
        for (number, pair) in pairs.iter().enumerate() {
            for mut product in template.products(pair) {
                (product.sequence, product.pair) = (sequence as u32, number as u32);
                found.push(product);
            }
        }
        found.sort_by_key(|product| (product.start, product.end, product.pair, product.reverse));
        products.extend(found);
    }
    products
}

/// Where the 3' end of a primer is in the sequence.
#[derive(Clone, Copy, PartialEq)]
enum ThreePrime {
    Left,
    Right,
    /// A probe has none that matters.
    Nowhere,
}

struct Template<'a> {
    relation: &'a Relation,
    bases: &'a [u8],
    options: &'a Options,
}

impl Template<'_> {
    fn products(&self, pair: &Pair) -> Vec<Product> {
        let mut found = self.of_strand(pair, false);
        if !same(pair.forward(), pair.reverse(), Wildcards::Iupac) {
            found.extend(self.of_strand(pair, true));
        }
        found
    }

    fn of_strand(&self, pair: &Pair, reverse: bool) -> Vec<Product> {
        let (left, right) = if reverse { (pair.reverse(), pair.forward()) } else { (pair.forward(), pair.reverse()) };
        let right = &reverse_complement(right, Wildcards::Iupac);
        let mut found = Vec::new();
        for start in 0..self.bases.len() {
            let Some(of_left) = self.binds(left, start, ThreePrime::Right) else { continue };
            for end in start + left.len() + right.len()..=self.last_end(start) {
                let length = (end - start) as u64;
                if length < self.options.min_length || length > self.options.max_length {
                    continue;
                }
                let Some(of_right) = self.binds(right, end - right.len(), ThreePrime::Left) else { continue };
                let (forward_mismatches, reverse_mismatches) =
                    if reverse { (of_right, of_left) } else { (of_left, of_right) };
                found.push(Product {
                    sequence: 0,
                    start: start as u64,
                    end: end as u64,
                    pair: 0,
                    reverse,
                    forward_mismatches,
                    reverse_mismatches,
                    probe_mismatches: pair.probe().and_then(|probe| self.fewest(probe, start, end)),
                });
            }
        }
        found
    }

    /// The last end that a product from `start` on may have.
    fn last_end(&self, start: usize) -> usize {
        let length = self.bases.len();
        let reach = usize::try_from(self.options.max_length).unwrap_or(usize::MAX);
        let last = if self.options.circular { start + length } else { length };
        last.min(start.saturating_add(reach))
    }

    /// The mismatches of a primer or probe as it is written along the sequence, or `None` if it does not bind at `start`.
    fn binds(&self, bases: &[u8], start: usize, three_prime: ThreePrime) -> Option<u32> {
        let (length, exact) = (bases.len(), self.options.three_prime as usize);
        if length > self.bases.len() || !self.options.circular && start + length > self.bases.len() {
            return None;
        }
        let (mut mismatches, mut wild) = (0, 0);
        for (k, &base) in bases.iter().enumerate() {
            let is_exact = match three_prime {
                ThreePrime::Left => k < exact,
                ThreePrime::Right => k >= length - exact,
                ThreePrime::Nowhere => false,
            };
            match self.relation.of(self.bases[(start + k) % self.bases.len()], base) {
                Relative::Clash if is_exact => return None,
                Relative::Clash => mismatches += 1,
                Relative::Wild => wild += 1,
                Relative::Informative => {}
            }
        }
        let codes = bases.iter().filter(|base| !b"ACGTU".contains(&base.to_ascii_uppercase())).count();
        let limit = codes.max(length / 10);
        (mismatches <= self.options.max_mismatch && wild <= limit).then_some(mismatches)
    }

    /// The fewest mismatches of a probe between `start` and `end`, on either strand.
    fn fewest(&self, probe: &[u8], start: usize, end: usize) -> Option<u32> {
        let other = reverse_complement(probe, Wildcards::Iupac);
        let places = start..(end + 1).saturating_sub(probe.len());
        let of_place = |at: usize| {
            [probe, &other[..]].into_iter().filter_map(move |bases| self.binds(bases, at, ThreePrime::Nowhere)).min()
        };
        places.filter_map(of_place).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(forward: &str, reverse: &str, probe: Option<&str>, options: &Options) -> Pair {
        Pair::new(b"p", [forward.as_bytes(), reverse.as_bytes()], probe.map(str::as_bytes), options).unwrap()
    }

    /// Start, end, strand and mismatches of the products of one pair in one sequence.
    fn found(sequence: &str, pair: &Pair, options: &Options) -> Vec<(u64, u64, char, u32, u32, Option<u32>)> {
        let products = amplify(std::slice::from_ref(pair), &Records::from_iter([("s", sequence)]), options);
        let strand = |product: &Product| if product.reverse { '-' } else { '+' };
        let told =
            |p: &Product| (p.start, p.end, strand(p), p.forward_mismatches, p.reverse_mismatches, p.probe_mismatches);
        products.iter().map(told).collect()
    }

    const SHORT: Options = Options { max_mismatch: 0, three_prime: 0, min_length: 1, max_length: 100, circular: false };

    /// ```text
    ///      0123456789012345678901
    ///      TTAACCGATTACAGCGGAAATT     forward AACCG, reverse TTTCCGC: GCGGAAA reads along the sequence
    ///        FFFFF  ppp rrrrrrr
    /// ```
    #[test]
    fn the_two_strands_of_one_product() {
        let sequence = "TTAACCGATTACAGCGGAAATT";
        for (probe, expected) in [("GATTAC", Some(0)), ("TGTAA", Some(0)), ("TTAACC", None), ("GAAATT", None)] {
            let with_probe = pair("AACCG", "TTTCCGC", Some(probe), &SHORT);
            assert_eq!(found(sequence, &with_probe, &SHORT), [(2, 20, '+', 0, 0, expected)], "{probe}");
        }
        let other = pair("TTTCCGC", "AACCG", None, &SHORT);
        assert_eq!(found(sequence, &other, &SHORT), [(2, 20, '-', 0, 0, None)]);
        assert_eq!(found(sequence, &pair("AACCG", "GCGGAAA", None, &SHORT), &SHORT), []);
    }

    #[test]
    fn lengths_include_the_primers_and_primers_do_not_overlap() {
        let ends = |options: &Options| {
            let pair = pair("AAC", "AAC", None, options);
            found("AACGTTGTTAACGTT", &pair, options).into_iter().map(|p| (p.0, p.1, p.2)).collect::<Vec<_>>()
        };
        assert_eq!(ends(&SHORT), [(0, 6, '+'), (0, 9, '+'), (0, 15, '+'), (9, 15, '+')]);
        assert_eq!(ends(&Options { min_length: 7, max_length: 14, ..SHORT }), [(0, 9, '+')]);
        assert_eq!(ends(&Options { min_length: 9, max_length: 9, ..SHORT }), [(0, 9, '+')]);
        let overlapping = pair("AACG", "AACG", None, &SHORT);
        assert_eq!(found("AACGTT", &overlapping, &SHORT), []);
    }

    #[test]
    fn the_three_prime_end_is_the_inner_end_of_both_primers() {
        let at = |sequence: &str, three_prime: u32| {
            let options = Options { max_mismatch: 1, three_prime, ..SHORT };
            found(sequence, &pair("ACCGA", "TTGCC", None, &options), &options)
                .iter()
                .map(|p| (p.3, p.4))
                .collect::<Vec<_>>()
        };
        // The reverse primer reads GGCAA along the sequence.
        assert_eq!(at("ACCGATTTGGCAA", 5), [(0, 0)]);
        assert_eq!(at("TCCGATTTGGCAT", 4), [(1, 1)]);
        assert_eq!(at("TCCGATTTGGCAT", 5), []);
        assert_eq!(at("ACCGTTTTGGCAA", 0), [(1, 0)]);
        assert_eq!(at("ACCGTTTTGGCAA", 1), []);
        assert_eq!(at("ACCGATTTCGCAA", 1), []);
        assert_eq!(at("ACCGATTTGCCAA", 1), [(0, 1)]);
        assert_eq!(at("ACCGATTTGCCAA", 2), []);
    }

    #[test]
    fn round_a_circle_once() {
        let circular = Options { circular: true, ..SHORT };
        let there = pair("AACCG", "TTTCCGC", None, &SHORT);
        // The product of the first test, cut in the middle.
        assert_eq!(found("ACAGCGGAAATTTTAACCGATT", &there, &SHORT), []);
        assert_eq!(found("ACAGCGGAAATTTTAACCGATT", &there, &circular), [(14, 32, '+', 0, 0, None)]);
        assert_eq!(found("AACCGGCGGAAA", &there, &circular), [(0, 12, '+', 0, 0, None)]);
        assert_eq!(found("GCGGAAAAACCG", &there, &circular), [(7, 19, '+', 0, 0, None)]);
        assert_eq!(found("GCGGAAACCG", &there, &circular), []);
    }

    #[test]
    fn ambiguous_symbols_of_a_primer_bind_and_runs_of_n_do_not() {
        let options = Options { max_mismatch: 2, ..SHORT };
        let pair = pair("ACCGATTYRCAAGT", "GGCATTCAGA", None, &options);
        let products = |left: &str| found(&format!("{left}TCTGAATGCC"), &pair, &options).len();
        assert_eq!(["ACCGATTCGCAAGT", "ACCGATTNNCAAGT", "ACCGATTCACAAGN"].map(products), [1, 1, 0]);
        assert_eq!(["ACCGATTNNCAAGN", "NNNNNNNNNNNNNN", "ACCGAAAAACAAGT"].map(products), [0, 0, 0]);
    }
}
