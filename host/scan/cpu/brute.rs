//! Brute force: every start of a pattern, 64 at a time.
//!
//! Positions lie across, symbols of the pattern down: 64 starts stay alive while each symbol of a sieve, a few single bases
//! spread over the pattern, is compatible with the 64 symbols of the sequence that it meets. On random bases all 64 are dead
//! after some five symbols. The starts that survive the sieve are examined in full.

use super::alphabet::Alphabet;
use super::plan::Query;
use super::search::Search;
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
        let query = &search.queries[index as usize];
        let sieve = sieve(query);
        let end = segment.owned.end.min((segment.length + 1).saturating_sub(query.len()));
        for at in (segment.owned.start..end).step_by(BLOCK) {
            if search.tally.is_full() {
                return;
            }
            let mut starts = survivors::<A>(&segment.symbols[at..], &sieve);
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
fn sieve(query: &Query) -> Vec<(usize, u8)> {
    let single: Vec<usize> = (0..query.len()).filter(|&k| query.digits[k] != WILD).collect();
    let step = single.len().div_ceil(SIEVE).max(1);
    single.into_iter().step_by(step).map(|k| (k, query.symbols[k])).collect()
}

/// Bit k: the sieve is compatible with the symbols from k on.
#[inline(always)]
fn survivors<A: Alphabet>(symbols: &[u8], sieve: &[(usize, u8)]) -> u64 {
    let mut alive = [1u8; BLOCK];
    for step in sieve.chunks(STEP) {
        for &(offset, q) in step {
            let symbols: &[u8; BLOCK] = symbols[offset..].first_chunk().expect("the segment is padded");
            for k in 0..BLOCK {
                alive[k] &= u8::from(A::compatible(symbols[k], q));
            }
        }
        if alive.iter().fold(0, |any, &alive| any | alive) == 0 {
            return 0;
        }
    }
    alive.iter().enumerate().fold(0, |starts, (k, &alive)| starts | u64::from(alive) << k)
}

#[cfg(test)]
mod tests {
    use super::super::alphabet::Bytes;
    use super::*;

    #[test]
    fn survivors_agree_with_the_sieve() {
        let symbols: Vec<u8> = (0..200).map(|k| b"ACGTN"[k * k % 7 % 5]).collect();
        let sieve = [(0, b'A'), (3, b'C'), (100, b'G')];
        let agree = |k: usize| sieve.iter().all(|&(j, q)| Bytes::compatible(symbols[k + j], q));
        let want = (0..BLOCK).filter(|&k| agree(k)).fold(0, |starts, k| starts | 1 << k);
        assert_eq!(survivors::<Bytes>(&symbols, &sieve), want);
        assert_ne!(want, 0);
        assert_eq!(survivors::<Bytes>(&symbols, &[]), u64::MAX);
    }

    #[test]
    fn a_sieve_holds_single_bases_only() {
        let bases: Vec<u8> = b"NANNC".repeat(40);
        let digits = bases.iter().map(|&b| if b == b'N' { WILD } else { 0 }).collect();
        let query = Query { pattern: 0, symbols: bases.clone(), digits, wild_limit: 200 };
        let sieve = sieve(&query);
        assert!(sieve.len() <= SIEVE && sieve.len() > SIEVE / 2);
        assert!(sieve.iter().all(|&(k, q)| bases[k] == q && q != b'N'));
    }
}
