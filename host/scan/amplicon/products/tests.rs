//! Products of matches that are given, against all pairs of them.

use super::*;
use crate::amplicon::Pair;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const PAIRS: [[&str; 3]; 4] =
    [["AACC", "GGGTTA", ""], ["AACC", "CATG", "ACGTA"], ["CATG", "CATG", "TTT"], ["TTTTTTTT", "GGTT", ""]];

fn primers(options: &Options) -> Primers {
    let pair = |[forward, reverse, probe]: &[&str; 3]| {
        let probe = Some(probe.as_bytes()).filter(|probe| !probe.is_empty());
        Pair::new(forward.as_bytes(), [forward.as_bytes(), reverse.as_bytes()], probe, options).unwrap()
    };
    Primers::new(&PAIRS.iter().map(pair).collect::<Vec<_>>(), 3)
}

/// Each place of each pattern with a chance of one in `rarity`.
fn hits(random: &mut ChaCha8Rng, primers: &Primers, length: u64, rarity: u32, circular: bool) -> Vec<Hit> {
    let mut all = Vec::new();
    for pattern in 0..primers.patterns().len() as u32 {
        let last = if circular { length } else { (length + 1).saturating_sub(primers.length(pattern)) };
        for start in (0..last).filter(|_| primers.length(pattern) <= length) {
            if random.random_range(0..rarity) == 0 {
                all.push(Hit { sequence: 7, pattern, start, wild: 0, mismatches: random.random_range(0..3) });
            }
        }
    }
    all
}

/// All pairs of matches, one round of a circle apart or not.
fn all(options: &Options, primers: &Primers, hits: &[Hit], length: u64) -> Vec<Product> {
    let mut found = Vec::new();
    let rounds = if options.circular { 2 } else { 1 };
    for open in hits {
        for role in primers.opened_by(open.pattern) {
            for close in hits.iter().filter(|close| close.pattern == role.closing) {
                for round in 0..rounds {
                    let (start, at) = (open.start, close.start + round * length);
                    let end = at + primers.length(close.pattern);
                    let allowed = options.min_length..=options.max_length.min(length);
                    if at < start + primers.length(open.pattern) || !allowed.contains(&(end - start)) {
                        continue;
                    }
                    let is_inside = |hit: &&Hit| {
                        let length_of = primers.length(hit.pattern);
                        role.probe.is_some_and(|probe| probe.contains(&hit.pattern))
                            && (0..rounds)
                                .map(|round| hit.start + round * length)
                                .any(|at| at >= start && at + length_of <= end)
                    };
                    let (forward, reverse) = if role.reverse { (close, open) } else { (open, close) };
                    found.push(Product {
                        sequence: 7,
                        start,
                        end,
                        pair: role.pair,
                        reverse: role.reverse,
                        forward_mismatches: forward.mismatches,
                        reverse_mismatches: reverse.mismatches,
                        probe_mismatches: hits.iter().filter(is_inside).map(|hit| hit.mismatches).min(),
                    });
                }
            }
        }
    }
    found.sort_unstable();
    found
}

/// The products that start between the first and the last of `starts`, as they are handed out from each to the next.
fn gathered(products: &Products, bases: &[u8], hits: &[Hit], starts: &[u64]) -> Vec<Product> {
    let mut found = Vec::new();
    for range in starts.windows(2) {
        let mut take = |some: &[Product]| {
            assert!(some.len() <= products.most || some.iter().all(|product| product.start == some[0].start));
            found.extend_from_slice(some);
            Ok(())
        };
        products.each(bases, hits.to_vec(), range[0]..range[1], &mut take).unwrap();
    }
    found
}

#[test]
fn products_are_those_of_all_pairs_of_matches() {
    let random = &mut ChaCha8Rng::seed_from_u64(40);
    let mut count = 0;
    for circular in [false, true] {
        for (length, rarity) in [(0, 1), (3, 1), (9, 1), (60, 2), (60, 20), (400, 5), (400, 100)] {
            for (min_length, max_length) in [(0, 5000), (8, 8), (12, 30), (30, 12), (0, 70)] {
                let options = Options { min_length, max_length, circular, ..Options::default() };
                let primers = &primers(&options);
                let (bases, hits) = (b"A".repeat(length as usize), hits(random, primers, length, rarity, circular));
                let expected = all(&options, primers, &hits, length);
                count += expected.len();
                for most in [1, 5, 1000, usize::MAX] {
                    let products = Products { options: &options, primers, most };
                    for starts in [vec![0, length], vec![0, length / 3, length]] {
                        let found = gathered(&products, &bases, &hits, &starts);
                        assert!(found == expected, "{options:?}, {length} symbols, {most} at a time");
                    }
                }
            }
        }
    }
    assert!(count > 10_000, "{count} products");
}

/// A primer that binds everywhere, whose partner binds nowhere or once.
#[test]
fn what_binds_everywhere_costs_what_its_partner_costs() {
    let options = Options::default();
    let primers = &primers(&options);
    let length = 2_000_000;
    let everywhere =
        |pattern| (0..length - 8).map(move |start| Hit { sequence: 0, pattern, start, wild: 0, mismatches: 0 });
    let products = Products { options: &options, primers, most: 1000 };
    let bases = b"A".repeat(length as usize);
    let opening = primers.patterns().iter().position(|pattern| pattern.bases() == b"AACC").unwrap() as u32;
    let role = primers.opened_by(opening)[0];
    let mut hits: Vec<Hit> = everywhere(opening).collect();
    assert_eq!(gathered(&products, &bases, &hits, &[0, length]), []);
    hits.push(Hit { sequence: 0, pattern: role.closing, start: 1_000_000, wild: 0, mismatches: 0 });
    assert_eq!(gathered(&products, &bases, &hits, &[0, length]).len(), 5000 - 40 + 1);
}
