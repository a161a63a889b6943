//! Brute force: every start of a pattern, 64 at a time.
//!
//! Positions lie across, symbols of the pattern down: 64 starts stay alive while no more symbols of a sieve, a few single bases
//! spread over the pattern, than a match may have mismatches are incompatible with the 64 symbols of the sequence that they meet.
//! On random bases and without mismatches, all 64 are dead after some five symbols. The starts that survive the sieve are
//! examined in full.

use super::alphabet::Alphabet;
use super::search::Search;
use crate::seeds::plan::{Queries, Query};
use warpseq_seq::iupac::WILD;

/// Starts looked at together.
const BLOCK: usize = 64;
/// Symbols of a sieve, and how many are compared between two checks for survivors.
const SIEVE: usize = 32;
const STEP: usize = 4;

/// Examines the starts that the segment owns for every pattern that the plan left to brute force.
pub fn search<A: Alphabet>(search: &mut Search) {
    let segment = search.segment;
    for &index in &search.plan.brute {
        let query = search.queries.all[index as usize];
        let sieve = sieve(search.queries, &query);
        let most = query.limits.mismatches.min(SIEVE as u32) as u8;
        let end = segment.owned.end.min((segment.length + 1).saturating_sub(query.length));
        for at in (segment.owned.start..end).step_by(BLOCK) {
            if search.tally.is_full() {
                return;
            }
            let mut starts = survivors::<A>(&segment.symbols[at..], &sieve, most);
            if end - at < BLOCK {
                starts &= (1 << (end - at)) - 1;
            }
            while starts != 0 {
                search.examine::<A>(index, at + starts.trailing_zeros() as usize, 0);
                starts &= starts - 1;
            }
        }
    }
}

/// Offsets and symbols of up to 32 single bases, spread evenly.
fn sieve(queries: &Queries, query: &Query) -> Vec<(usize, u8)> {
    let (symbols, digits) = (queries.symbols(query), queries.digits(query));
    let single: Vec<usize> = (0..query.length).filter(|&k| digits[k] != WILD).collect();
    let step = single.len().div_ceil(SIEVE).max(1);
    single.into_iter().step_by(step).map(|k| (k, symbols[k])).collect()
}

/// Bit k: at most `most` symbols of the sieve are incompatible with the symbols from k on.
#[inline(always)]
fn survivors<A: Alphabet>(symbols: &[u8], sieve: &[(usize, u8)], most: u8) -> u64 {
    let mut mismatches = [0u8; BLOCK];
    for step in sieve.chunks(STEP) {
        for &(offset, q) in step {
            let symbols: &[u8; BLOCK] = symbols[offset..].first_chunk().expect("the segment is padded");
            for k in 0..BLOCK {
                mismatches[k] += u8::from(!A::compatible(symbols[k], q));
            }
        }
        if mismatches.iter().fold(u8::MAX, |least, &count| least.min(count)) > most {
            return 0;
        }
    }
    mismatches.iter().enumerate().fold(0, |starts, (k, &count)| starts | u64::from(count <= most) << k)
}

#[cfg(test)]
mod tests {
    use super::super::alphabet::Bytes;
    use super::*;
    use crate::{Limits, Pattern};

    #[test]
    fn survivors_agree_with_the_sieve() {
        let symbols: Vec<u8> = (0..200).map(|k| b"ACGTN"[k * k % 7 % 5]).collect();
        let sieve = [(0, b'A'), (3, b'C'), (100, b'G')];
        let clashes = |k: usize| sieve.iter().filter(|&&(j, q)| !Bytes::compatible(symbols[k + j], q)).count();
        for most in 0..4 {
            let want = (0..BLOCK).filter(|&k| clashes(k) <= most).fold(0, |starts, k| starts | 1 << k);
            assert_eq!(survivors::<Bytes>(&symbols, &sieve, most as u8), want);
            assert_ne!(want, 0);
        }
        assert_eq!(survivors::<Bytes>(&symbols, &[], 0), u64::MAX);
    }

    #[test]
    fn a_sieve_holds_single_bases_only() {
        let bases: Vec<u8> = b"NANNC".repeat(40);
        let pattern = Pattern::new(0, false, bases.clone(), Limits { wild: 200, mismatches: 0 });
        let queries = Queries::of::<Bytes>(&[pattern]);
        let sieve = sieve(&queries, &queries.all[0]);
        assert!(sieve.len() <= SIEVE && sieve.len() > SIEVE / 2);
        assert!(sieve.iter().all(|&(k, q)| bases[k] == q && q != b'N'));
    }
}
