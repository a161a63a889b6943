//! Brute force: every start of a pattern, 512 at a time.
//!
//! Starts lie across, symbols of the pattern down. A plane for each base says which digits of the sequence agree with it. A start stays
//! alive while no more digits of a sieve, a few single bases spread over the pattern, than a match may have mismatches meet digits
//! that do not agree with them. On random bases and without mismatches, all 512 are dead after some five symbols. The starts that
//! survive the sieve are examined in full. Wild digits agree with all: where more in a row than a match may have are the first of a place,
//! or the last, its start is dead from the beginning. So runs of them cost little.

use super::alphabet::Alphabet;
use super::search::Search;
use crate::seeds::plan::{Queries, Query};
use warpseq_seq::iupac::WILD;

/// Words of starts looked at together.
const WORDS: usize = 8;
const BLOCK: usize = 64 * WORDS;
/// Digits of a sieve, and how many are compared between two checks for survivors.
const SIEVE: usize = 32;
const STEP: usize = 4;

/// What is known of the positions of a segment. Tasks keep the memory for their next segment.
#[derive(Default)]
pub struct Scratch {
    agreeing: Agreeing,
    /// Bit k of word w: so many digits from position 64 w + k on are wild.
    runs: Vec<u64>,
    of: usize,
    /// Offsets and digits.
    sieve: Vec<(usize, u8)>,
}

/// For each digit of a single base, bit k of word w: the digit at position 64 w + k is the same, or wild.
type Agreeing = [Vec<u64>; 4];

/// Examines the starts that the segment owns for every pattern that the plan left to brute force.
#[inline(always)]
pub fn search<A: Alphabet>(search: &mut Search, scratch: &mut Scratch) {
    let (segment, Scratch { agreeing, runs, of, sieve }) = (search.segment, scratch);
    if !search.plan.brute.is_empty() {
        (0..).zip(&mut *agreeing).for_each(|(digit, plane)| segment.planes.agreeing(digit, plane));
        *of = 0;
    }
    let mut has_runs = false;
    for &index in &search.plan.brute {
        let query = search.queries.all[index as usize];
        sift(search.queries, &query, sieve);
        let most = query.limits.mismatches.min(SIEVE as u32) as usize;
        let end = segment.owned.end.min((segment.length + 1).saturating_sub(query.length()));
        let too_many = query.limits.wild as usize + query.limits.mismatches as usize + 1;
        if too_many <= query.length() && *of != too_many {
            segment.planes.runs(too_many, runs);
            *of = too_many;
            has_runs = runs[..segment.length / 64].iter().any(|&starts| starts != 0);
        }
        let last = query.length().checked_sub(too_many).filter(|_| has_runs);
        for at in (segment.owned.start..end).step_by(BLOCK) {
            if search.tally.is_full() {
                return;
            }
            let mut possible = [u64::MAX; WORDS];
            if let Some(last) = last {
                let (first, last) = (starts(runs, at), starts(runs, at + last));
                (0..WORDS).for_each(|word| possible[word] = !(first[word] | last[word]));
            }
            for (word, mut left) in survivors(agreeing, at, sieve, (most, possible)).into_iter().enumerate() {
                while left != 0 {
                    let start = at + 64 * word + left.trailing_zeros() as usize;
                    left &= left - 1;
                    if start < end {
                        search.examine::<A>(index, start, 0);
                    }
                }
            }
        }
    }
}

/// Puts up to 32 single bases of a pattern, spread evenly, into `sieve`. That is done for each pattern in each task: to allocate there had all threads wait for one
/// another, 1.4 s in place of 0.3 for 100 signatures of 14.
fn sift(queries: &Queries, query: &Query, sieve: &mut Vec<(usize, u8)>) {
    let singles = || queries.digits(query).iter().copied().enumerate().filter(|&(_, digit)| digit != WILD);
    let step = singles().count().div_ceil(SIEVE).max(1);
    sieve.clear();
    sieve.extend(singles().step_by(step));
}

/// A bit for each start of a block.
type Starts = [u64; WORDS];

/// The bits of a plane for the starts from `at` on.
#[inline(always)]
fn starts(plane: &[u64], at: usize) -> Starts {
    let (words, bit): (&[u64; WORDS + 1], _) = (plane[at / 64..].first_chunk().expect("planes are padded"), at % 64);
    std::array::from_fn(|word| words[word] >> bit | words[word + 1] << 1 << (63 - bit))
}

/// Of the `possible` starts from `at` on, those where at most `most` digits of the sieve disagree with the digits they meet.
#[inline(always)]
fn survivors(agreeing: &Agreeing, at: usize, sieve: &[(usize, u8)], (most, possible): (usize, Starts)) -> Starts {
    match most {
        0 => survivors_of::<1>(agreeing, at, sieve, (most, possible)),
        1 => survivors_of::<2>(agreeing, at, sieve, (most, possible)),
        2 | 3 => survivors_of::<4>(agreeing, at, sieve, (most, possible)),
        4..8 => survivors_of::<8>(agreeing, at, sieve, (most, possible)),
        _ => survivors_of::<{ SIEVE + 1 }>(agreeing, at, sieve, (most, possible)),
    }
}

/// The same for fewer than `LEVELS` mismatches.
#[inline(always)]
fn survivors_of<const LEVELS: usize>(
    agreeing: &Agreeing,
    at: usize,
    sieve: &[(usize, u8)],
    (most, possible): (usize, Starts),
) -> Starts {
    // The last level is of starts with `most` disagreements at most, each one before it of one less; others are empty.
    let mut levels = [[0; WORDS]; LEVELS];
    for (level, starts) in levels.iter_mut().enumerate() {
        *starts = if level + most + 1 < LEVELS { [0; WORDS] } else { possible };
    }
    // Steps of one length, so that all levels stay in registers.
    let (steps, rest) = sieve.as_chunks::<STEP>();
    for step in steps {
        for &(offset, digit) in step {
            levels = meet(levels, starts(&agreeing[digit as usize], at + offset));
        }
        if levels[LEVELS - 1].iter().fold(0, |any, starts| any | starts) == 0 {
            return [0; WORDS];
        }
    }
    for &(offset, digit) in rest {
        levels = meet(levels, starts(&agreeing[digit as usize], at + offset));
    }
    levels[LEVELS - 1]
}

/// The levels after one digit more, with which these starts agree.
#[inline(always)]
fn meet<const LEVELS: usize>(levels: [Starts; LEVELS], agrees: Starts) -> [Starts; LEVELS] {
    let mut met = levels;
    for level in 0..LEVELS {
        let fewer = if level > 0 { levels[level - 1] } else { [0; WORDS] };
        for j in 0..WORDS {
            met[level][j] = levels[level][j] & agrees[j] | fewer[j];
        }
    }
    met
}

#[cfg(test)]
mod tests {
    use super::super::alphabet::Bytes;
    use super::super::planes::Planes;
    use super::*;
    use crate::{Limits, Pattern};
    use warpseq_simd::InstructionSet;

    #[test]
    fn survivors_agree_with_the_sieve() {
        let digits: Vec<u8> = (0..2000).map(|k| (k * k % 7 % 5) as u8).collect();
        let (mut planes, mut agreeing) = (Planes::default(), Agreeing::default());
        planes.fill(&digits, InstructionSet::detect());
        (0..).zip(&mut agreeing).for_each(|(digit, plane)| planes.agreeing(digit, plane));
        let sieve = [(0, 0), (3, 1), (100, 2), (101, 3), (102, 3), (200, 0)];
        for (at, most) in (0..8).flat_map(|most| [(0, most), (77, most), (640, most)]) {
            let possible = [0x5555_FFFF_0000_FFFF; WORDS];
            let survivors = survivors(&agreeing, at, &sieve, (most, possible));
            for k in 0..BLOCK {
                let clashes = |&&(j, digit): &&(usize, u8)| ![digit, WILD].contains(&digits[at + k + j]);
                let few = sieve.iter().filter(clashes).count() <= most;
                let is_possible = possible[k / 64] >> (k % 64) & 1 == 1;
                assert_eq!(survivors[k / 64] >> (k % 64) & 1 == 1, few && is_possible, "{k} behind {at}, {most}");
            }
        }
        assert_eq!(survivors(&agreeing, 0, &[], (0, [7; WORDS])), [7; WORDS]);
    }

    #[test]
    fn a_sieve_holds_single_bases_only() {
        let bases: Vec<u8> = b"NANNC".repeat(40);
        let pattern = Pattern::new(0, false, bases.clone(), Limits { wild: 200, mismatches: 0 });
        let queries = Queries::of::<Bytes>(&[pattern]);
        let mut sieve = vec![(0, 0)];
        sift(&queries, &queries.all[0], &mut sieve);
        assert!(sieve.len() <= SIEVE && sieve.len() > SIEVE / 2);
        assert!(sieve.iter().all(|&(k, digit)| bases[k] == b"ACGT"[digit as usize]));
    }
}
