//! The patterns of a class side by side, compared where too many codes would have to be looked up.
//!
//! A comparison of 64 symbols is a few operations on words of 64 bits, eight of them at a time with AVX-512: about 0.3 ns.

use super::Span;
use super::plan::Queries;
use warpseq_seq::iupac::WILD;

/// Patterns compared before it is asked whether one of them is near.
const CHUNK: usize = 64;

/// The digits of each pattern from its span on, 64 at most, in planes, and which of them are not wild. Element k is of span k.
pub struct Columns {
    low: Vec<u64>,
    high: Vec<u64>,
    single: Vec<u64>,
    spans: usize,
}

impl Columns {
    /// Of these spans, each the only one of its pattern.
    pub fn new(spans: &[Span], queries: &Queries) -> Self {
        // What is behind the last one agrees with everything.
        let room = spans.len().next_multiple_of(CHUNK);
        let [mut low, mut high, mut single] = [vec![0; room], vec![0; room], vec![0; room]];
        for (k, &Span { query, offset, .. }) in spans.iter().enumerate() {
            let digits = &queries.digits(&queries.all[query as usize])[offset as usize..];
            for (at, &digit) in digits.iter().take(64).enumerate() {
                low[k] |= u64::from(digit & 1) << at;
                high[k] |= u64::from(digit >> 1 & 1) << at;
                single[k] |= u64::from(digit != WILD) << at;
            }
        }
        Self { low, high, single, spans: spans.len() }
    }

    /// How many of these digits of a sequence, given in planes, differ from those of a span's pattern, as far as both are not wild.
    #[inline(always)]
    pub fn differing(&self, number: usize, digits: [u64; 3]) -> u32 {
        let different = (self.low[number] ^ digits[0]) | (self.high[number] ^ digits[1]);
        (different & self.single[number] & !digits[2]).count_ones()
    }

    /// Calls `visit` with the number of each span whose pattern has `most` mismatches at most with these digits of a sequence, given
    /// in planes, as far as both are not wild.
    #[inline(always)]
    pub fn each_near(&self, digits: [u64; 3], most: u32, mut visit: impl FnMut(u32)) {
        let (lows, _) = self.low.as_chunks::<CHUNK>();
        let (highs, _) = self.high.as_chunks::<CHUNK>();
        let (singles, _) = self.single.as_chunks::<CHUNK>();
        for (chunk, ((low, high), single)) in lows.iter().zip(highs).zip(singles).enumerate() {
            let mut differing = [0; CHUNK];
            // Loops over arrays, which compile to vector code.
            for k in 0..CHUNK {
                let different = (low[k] ^ digits[0]) | (high[k] ^ digits[1]);
                differing[k] = u64::from((different & single[k] & !digits[2]).count_ones());
            }
            let mut least = u64::MAX;
            for differing in differing {
                least = least.min(differing);
            }
            if least > u64::from(most) {
                continue;
            }
            for (k, differing) in differing.into_iter().enumerate() {
                let number = chunk * CHUNK + k;
                if differing <= u64::from(most) && number < self.spans {
                    visit(number as u32);
                }
            }
        }
    }
}
