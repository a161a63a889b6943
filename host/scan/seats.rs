//! Of the matches of a pattern in a sequence, the one that may be reported: the others go as they are found.
//!
//! ```text
//! hit -> its seat, by sequence and pattern -> the hit that sits there is of the same two: the better one stays
//!                                          -> another one, or none:                      both are kept
//! ```
//!
//! Where signatures are short, a sequence may have a hundred matches of each, of which one is reported. To drop the others here is cheaper
//! than to put them in order.
//!
//! Right at the edges: a seat is an index into the hits, which tell whose they are. So two that share a seat, seats of an earlier list, and
//! hits of one pattern in lists of several tasks only mean that more is kept than needed. What is chosen later, among the kept, is the same.

use super::{Choice, Hit, Records};
use std::cmp::Reverse;

/// Seats for hits: about as many patterns as a task meets that have many matches.
const SEATS: usize = 1 << 14;
/// Symbols of the longest pattern whose quality is added up for each match.
const LONGEST: usize = 64;

/// What a search keeps.
#[derive(Clone, Copy)]
pub struct Rule<'j> {
    choice: Choice,
    batch: &'j Records,
    has_quality: bool,
}

impl<'j> Rule<'j> {
    /// Of the matches in a batch, those that `choice` may report.
    pub fn new(choice: Choice, batch: &'j Records) -> Self {
        Self { choice, batch, has_quality: !batch.qualities().is_empty() }
    }

    /// What a device may rank matches by, as in [`Matches`](warpseq_gpu::abi::Matches), so that all are left that may be kept.
    pub fn ranked(self) -> Option<[u32; 2]> {
        match self.choice {
            Choice::All => None,
            Choice::First => Some([0, u32::MAX]),
            Choice::Best => Some([u32::MAX; 2]),
        }
    }

    /// Qualities of the batch by which matches are ranked; none where there are none, or where they do not count.
    pub fn qualities(self) -> &'j [u8] {
        if self.choice == Choice::Best { self.batch.qualities() } else { &[] }
    }

    /// Whether all matches are kept of patterns of so many symbols.
    #[inline(always)]
    fn keeps_all(&self, length: usize) -> bool {
        match self.choice {
            Choice::All => true,
            Choice::First => false,
            Choice::Best => self.has_quality && length > LONGEST,
        }
    }

    /// What a match is worth, the least the most.
    fn worth(&self, hit: &Hit, length: usize) -> (u32, Reverse<u32>, u32, u64) {
        if self.choice == Choice::First {
            return (0, Reverse(0), 0, hit.start);
        }
        let quality = if self.has_quality { self.batch.quality(hit.sequence as usize) } else { None };
        let (sum, wild) = match quality {
            Some(quality) => {
                let own = &quality[hit.start as usize..][..length];
                (own.iter().map(|&phred| u32::from(phred)).sum(), 0)
            }
            None => (0, hit.wild),
        };
        (hit.mismatches, Reverse(sum), wild, hit.start)
    }
}

/// Who sits where.
#[derive(Default)]
pub struct Seats(Vec<u32>);

impl Seats {
    /// Adds a match of a pattern of `length` symbols to `hits`, unless a better one of the same pattern and sequence is seen there, or takes
    /// the place of a worse one.
    #[inline(always)]
    pub fn keep(&mut self, rule: Rule, hits: &mut Vec<Hit>, (hit, length): (Hit, usize)) {
        if rule.keeps_all(length) { hits.push(hit) } else { self.seat(rule, hits, (hit, length)) }
    }

    fn seat(&mut self, rule: Rule, hits: &mut Vec<Hit>, (hit, length): (Hit, usize)) {
        if self.0.is_empty() {
            self.0 = vec![0; SEATS];
        }
        let mixed = hit.sequence.wrapping_mul(0x9E37_79B1).wrapping_add(hit.pattern);
        let seat = &mut self.0[mixed as usize % SEATS];
        match hits.get_mut(*seat as usize) {
            Some(other) if (other.sequence, other.pattern) == (hit.sequence, hit.pattern) => {
                if rule.worth(&hit, length) < rule.worth(other, length) {
                    *other = hit;
                }
            }
            _ => {
                *seat = hits.len() as u32;
                hits.push(hit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::choose;
    use crate::{Options, Patterns, Signature, pattern};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const LENGTH: usize = 80;

    fn hits(random: &mut ChaCha8Rng) -> Vec<Hit> {
        let mut hit = |_| Hit {
            sequence: random.random_range(0..3),
            pattern: random.random_range(0..4),
            start: random.random_range(0..60),
            wild: random.random_range(0..3),
            mismatches: random.random_range(0..3),
        };
        let mut all: Vec<Hit> = (0..80).map(&mut hit).collect();
        all.sort_unstable();
        all.dedup_by_key(|hit| (hit.sequence, hit.pattern, hit.start));
        all
    }

    #[test]
    fn what_is_chosen_among_the_kept_is_chosen_among_all() {
        let random = &mut ChaCha8Rng::seed_from_u64(5);
        let signatures = [Signature::new("a", vec![b'A'; 5]), Signature::new("b", vec![b'C'; 9])];
        let patterns = pattern::patterns(&signatures, &Options::default());
        for round in 0..300 {
            let mut batch = Records::from_iter((0..3).map(|k| (format!("s{k}"), [b'N'; LENGTH])));
            if round % 2 == 0 {
                batch = batch.with_qualities((0..3 * LENGTH).map(|_| random.random_range(33..40)).collect()).unwrap();
            }
            let all = hits(random);
            let pairs = all.chunk_by(|a, b| (a.sequence, a.pattern) == (b.sequence, b.pattern)).count();
            let mut mixed: Vec<(u32, Hit)> = all.iter().map(|&hit| (random.random(), hit)).collect();
            mixed.sort_unstable();
            for (choice, least) in [(Choice::Best, pairs), (Choice::First, pairs), (Choice::All, all.len())] {
                // Seats that are of an earlier list keep more.
                let is_new = round % 3 > 0;
                let stale = if is_new { Vec::new() } else { (0..SEATS as u32).map(|k| k % 97).collect() };
                let (mut seats, mut some, rule) = (Seats(stale), Vec::new(), Rule::new(choice, &batch));
                for &(_, hit) in &mixed {
                    seats.keep(rule, &mut some, (hit, patterns[hit.pattern as usize].bases().len()));
                }
                assert!(some.len() == least || !is_new && (least..=all.len()).contains(&some.len()), "{choice:?}");
                let options = Options { choice, ..Options::default() };
                let rows = |hits: &[Hit]| choose(&options, &batch, Patterns::Made(&patterns), hits.to_vec());
                assert_eq!(rows(&some), rows(&all), "{choice:?}");
            }
        }
    }

    #[test]
    fn where_qualities_decide_all_matches_of_long_patterns_are_kept() {
        let bare = Records::from_iter([("s", [b'A'; 200])]);
        let read = bare.clone().with_qualities(vec![b'I'; 200]).unwrap();
        for (batch, length, kept) in [(&bare, LONGEST + 1, 1), (&read, LONGEST, 1), (&read, LONGEST + 1, 9)] {
            let (mut seats, mut some) = (Seats::default(), Vec::new());
            let hits = (0..9).map(|start| Hit { sequence: 0, pattern: 0, start, wild: 0, mismatches: 0 });
            hits.for_each(|hit| seats.keep(Rule::new(Choice::Best, batch), &mut some, (hit, length)));
            assert_eq!(some.len(), kept);
        }
    }
}
