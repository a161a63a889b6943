//! Scores from a table, for residues that differ from lane to lane in query and target alike.
//!
//! Neither side is shared, so no row of a profile serves all lanes (as it does where one query meets many targets, Rognes
//! 2011). With up to 32 codes a byte shuffle looks 16 columns of *one* lane up at once: the row of the table that belongs to
//! the lane's query symbol is the register shuffled, the target's codes are the indices. That leaves 16 columns side by side
//! where 16 lanes are wanted, so 16 such results, of 16 lanes, are transposed: four rounds of interleaving, each of which
//! rotates the eight bits of (lane, column) by one. Two rows of a strip ride in the halves of a register.
//!
//! Larger tables and scores beyond a byte are looked up one by one.

use super::alphabet::SHUFFLED;
use super::codes::Codes;
use super::strip::ROWS;
use super::vector::{Lane, Vector};

/// Four rows of each lane and some columns: where they begin in the lane's query and target.
pub struct Place<'a> {
    pub query: &'a Codes,
    pub target: &'a Codes,
    /// First row, first column, lane by lane.
    pub origins: &'a [[usize; 2]],
}

impl Place<'_> {
    fn query(&self, lane: usize) -> &[u16; ROWS] {
        self.query.lane(lane)[self.origins[lane][0]..].first_chunk().expect("codes are padded beyond a strip")
    }

    fn target(&self, lane: usize) -> &[u16] {
        &self.target.lane(lane)[self.origins[lane][1]..]
    }
}

/// Looks up one by one: `scores[column][row]`.
pub fn each<V: Vector>(table: &[i32], size: usize, place: &Place, scores: &mut [[V; ROWS]]) {
    for lane in 0..V::LANES {
        let rows = place.query(lane).map(|code| &table[usize::from(code) * size..][..size]);
        for (scores, &code) in scores.iter_mut().zip(place.target(lane)) {
            for (score, row) in scores.iter_mut().zip(rows) {
                score.lanes_mut()[lane] = V::Lane::clamped(i64::from(row[usize::from(code)]));
            }
        }
    }
}

/// A table of bytes: a row for each code.
pub type Bytes = [[i8; SHUFFLED]; SHUFFLED];

/// Looks up by shuffles: `scores[column][row]`. Columns are a multiple of 16.
///
/// # Safety
/// The machine has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
pub unsafe fn shuffle<V: Vector>(table: &Bytes, place: &Place, scores: &mut [[V; ROWS]]) {
    for first in (0..V::LANES).step_by(16) {
        let rows: [[_; 16]; ROWS / 2] = std::array::from_fn(|pair| {
            std::array::from_fn(|k| {
                let codes = place.query(first + k);
                x86::halves(&table[usize::from(codes[2 * pair])], &table[usize::from(codes[2 * pair + 1])])
            })
        });
        let targets: [_; 16] = std::array::from_fn(|k| place.target(first + k));
        for (column, scores) in scores.chunks_exact_mut(16).enumerate() {
            let codes = targets.map(|codes| x86::indices(codes[16 * column..].first_chunk().expect("padded to 16")));
            for (pair, rows) in rows.iter().enumerate() {
                let found = std::array::from_fn(|k| x86::look_up(rows[k], codes[k]));
                for (scores, both) in scores.iter_mut().zip(x86::transpose(found)) {
                    for (score, half) in scores[2 * pair..].iter_mut().zip(x86::parts(both)) {
                        x86::store(half, &mut score.lanes_mut()[first..first + 16]);
                    }
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Lane, SHUFFLED};
    use std::arch::x86_64::*;

    /// Codes below 16 and those from 16 on of two rows of the table.
    #[target_feature(enable = "avx2")]
    pub fn halves(low: &[i8; SHUFFLED], high: &[i8; SHUFFLED]) -> [__m256i; 2] {
        // SAFETY: a row is as long as a register.
        let [low, high] = [low, high].map(|row| unsafe { _mm256_loadu_si256(row.as_ptr().cast()) });
        [_mm256_permute2x128_si256::<0x20>(low, high), _mm256_permute2x128_si256::<0x31>(low, high)]
    }

    /// Where 16 target codes are found in either half: bytes from 128 on find 0.
    #[target_feature(enable = "avx2")]
    pub fn indices(codes: &[u16; 16]) -> [__m256i; 2] {
        // SAFETY: 16 words are as long as a register.
        let codes = unsafe { _mm256_loadu_si256(codes.as_ptr().cast()) };
        let codes = _mm256_permute4x64_epi64::<0b10_00_10_00>(_mm256_packus_epi16(codes, codes));
        [_mm256_adds_epu8(codes, _mm256_set1_epi8(0x70)), _mm256_sub_epi8(codes, _mm256_set1_epi8(16))]
    }

    /// The scores of 16 target codes in both rows.
    #[target_feature(enable = "avx2")]
    pub fn look_up([below, above]: [__m256i; 2], [low, high]: [__m256i; 2]) -> __m256i {
        _mm256_or_si256(_mm256_shuffle_epi8(below, low), _mm256_shuffle_epi8(above, high))
    }

    /// Byte j of register i to byte i of register j, in each half.
    #[target_feature(enable = "avx2")]
    pub fn transpose(mut registers: [__m256i; 16]) -> [__m256i; 16] {
        for _ in 0..4 {
            registers = std::array::from_fn(|k| {
                let (a, b) = (registers[k / 2], registers[k / 2 + 8]);
                if k % 2 == 0 { _mm256_unpacklo_epi8(a, b) } else { _mm256_unpackhi_epi8(a, b) }
            });
        }
        registers
    }

    /// The two halves.
    #[target_feature(enable = "avx2")]
    pub fn parts(both: __m256i) -> [__m128i; 2] {
        [_mm256_castsi256_si128(both), _mm256_extracti128_si256::<1>(both)]
    }

    /// Puts 16 scores into 16 lanes.
    #[target_feature(enable = "avx2")]
    pub fn store<T: Lane>(scores: __m128i, lanes: &mut [T]) {
        assert_eq!(lanes.len(), 16);
        match size_of::<T>() {
            // SAFETY: 16 lanes of one byte each are written.
            1 => unsafe { _mm_storeu_si128(lanes.as_mut_ptr().cast(), scores) },
            // SAFETY: 16 lanes of two bytes each are written.
            2 => unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), _mm256_cvtepi8_epi16(scores)) },
            _ => {
                let mut bytes = [0i8; 16];
                // SAFETY: 16 bytes are written.
                unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), scores) };
                lanes.iter_mut().zip(bytes).for_each(|(lane, byte)| *lane = T::clamped(i64::from(byte)));
            }
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::super::strip::COLUMNS;
    use super::super::vector::{Task, Width, run};
    use super::*;
    use warpseq_simd::InstructionSet;

    /// Random codes of random rows, by shuffles and one by one.
    fn same<V: Vector>(zero: V) {
        let bytes: Bytes = std::array::from_fn(|k| std::array::from_fn(|l| (k * 37 + l * 101 + k * l) as u8 as i8));
        let table: Vec<i32> = bytes.iter().flatten().map(|&score| i32::from(score)).collect();
        let residues: Vec<Vec<u8>> =
            (0..V::LANES).map(|k| (0..200).map(|l| (k * 7 + l * l % 61) as u8).collect()).collect();
        let code = std::array::from_fn(|residue| (residue * 11 % SHUFFLED) as u16);
        let [mut query, mut target] = [Codes::default(), Codes::default()];
        query.load(V::LANES, residues.iter().map(|residues| &residues[..150]), (&code, 31));
        target.load(V::LANES, residues.iter().rev().map(Vec::as_slice), (&code, 30));
        let origins: Vec<_> = (0..V::LANES).map(|k| [k % 3 * 64, k % 4 * 64]).collect();
        let place = Place { query: &query, target: &target, origins: &origins };
        let [mut want, mut found] = [vec![[zero; ROWS]; COLUMNS], vec![[zero; ROWS]; COLUMNS]];
        each(&table, SHUFFLED, &place, &mut want);
        // SAFETY: vectors that shuffle are proof of AVX2.
        unsafe { shuffle(&bytes, &place, &mut found) };
        for (want, found) in want.iter().flatten().zip(found.iter().flatten()) {
            assert!(want.lanes() == found.lanes());
        }
    }

    struct Same;

    impl Task for Same {
        type Output = ();

        fn run<V: Vector>(self, zero: V) {
            if V::SHUFFLES {
                same(zero);
            }
        }
    }

    #[test]
    fn shuffles_find_what_is_in_the_table() {
        for set in InstructionSet::all() {
            Width::ALL.into_iter().for_each(|width| run(set, width, Same));
        }
    }
}
