//! Rows of 512 bits that are met one after another, and which bits are set in nearly all of them.

use crate::{InstructionSet, Set};

/// Bits of a row.
pub const ROW: usize = 512;

/// 512 bits.
#[repr(align(64))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row(pub [u64; ROW / 64]);

/// Rows that are met at each place of a sequence: at place k, of each table the one that a code says, `codes[k]` of the first table, and `step` codes
/// further for each table after it.
#[derive(Clone, Copy)]
pub struct Met<'a, const CODES: usize> {
    /// A row for each code.
    pub tables: &'a [[Row; CODES]],
    /// Codes, below `CODES`.
    pub codes: &'a [u16],
    /// Codes from one table to the next.
    pub step: usize,
    /// Tables after which is asked whether any bit is left.
    pub first: usize,
}

/// The most tables.
pub const TABLES: usize = 16;

/// A table, and its codes at 64 places.
type Table<'a, const CODES: usize> = (&'a [Row; CODES], &'a [u16; 64]);

impl<'a, const CODES: usize> Met<'a, CODES> {
    /// Calls `visit` with the first tables and the others, at no place without one.
    #[inline(always)]
    fn divided(self, visit: impl FnOnce(&[Table<'a, CODES>], &[Table<'a, CODES>])) {
        let Self { tables, codes, step, first } = self;
        let Some(any) = tables.first() else { return };
        let table = |k: usize| (&tables[k], codes[k * step..].first_chunk().expect("there are codes of 64 places"));
        let mut all = [(any, const { &[0; 64] }); TABLES];
        all[..tables.len()].iter_mut().enumerate().for_each(|(k, of)| *of = table(k));
        let (first, others) = all[..tables.len()].split_at(first);
        visit(first, others);
    }
}

/// The row that is met at place `k`.
#[inline(always)]
fn row<'a, const CODES: usize>(&(table, codes): &Table<'a, CODES>, k: usize) -> &'a Row {
    &table[usize::from(codes[k % 64])]
}

impl InstructionSet {
    /// Calls `visit` with each place k that is a bit of `places`, and the bits that are set in all of its rows but `LEVELS - 1`, where there are any.
    /// To be inlined where it is compiled for the set.
    ///
    /// # Panics
    /// When there are more than [`TABLES`], or fewer than the first, or a code is missing, or is not below `CODES`.
    #[inline(always)]
    pub fn each_left<const LEVELS: usize, const CODES: usize>(
        self,
        met: Met<'_, CODES>,
        places: u64,
        visit: impl FnMut(usize, Row),
    ) {
        match self.0 {
            // SAFETY: the proof is that the machine has the instructions that the function is compiled for.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(_) | Set::Avx512Popcnt(_) => met
                .divided(|first, others| unsafe { x86::each_left_512::<LEVELS, CODES>(first, others, places, visit) }),
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(_) => met
                .divided(|first, others| unsafe { x86::each_left_256::<LEVELS, CODES>(first, others, places, visit) }),
            Set::Portable => met.divided(|first, others| each_left::<LEVELS, CODES>(first, others, places, visit)),
        }
    }
}

/// Level k: the bits that were set in all rows but k.
#[inline(always)]
fn meet<const LEVELS: usize>(levels: &mut [Row; LEVELS], row: &Row) {
    for k in (0..LEVELS).rev() {
        let fewer = if k > 0 { levels[k - 1] } else { Row::default() };
        for (word, level) in levels[k].0.iter_mut().enumerate() {
            *level = *level & row.0[word] | fewer.0[word];
        }
    }
}

#[inline(always)]
fn each_left<const LEVELS: usize, const CODES: usize>(
    first: &[Table<'_, CODES>],
    others: &[Table<'_, CODES>],
    mut places: u64,
    mut visit: impl FnMut(usize, Row),
) {
    while places != 0 {
        let k = places.trailing_zeros() as usize;
        places &= places - 1;
        let mut levels = [Row([u64::MAX; ROW / 64]); LEVELS];
        for table in first {
            meet(&mut levels, row(table, k));
        }
        if levels[LEVELS - 1] == Row::default() {
            continue;
        }
        for table in others {
            meet(&mut levels, row(table, k));
        }
        if levels[LEVELS - 1] != Row::default() {
            visit(k, levels[LEVELS - 1]);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Row, Table, row};
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn meet_512<const LEVELS: usize>(levels: &mut [__m512i; LEVELS], row: &Row) {
        // SAFETY: a row has as many bytes as a vector, and is aligned as one.
        let row = unsafe { _mm512_load_si512(row.0.as_ptr().cast()) };
        for k in (1..LEVELS).rev() {
            // Of the level before, or of both.
            levels[k] = _mm512_ternarylogic_epi64::<0xF8>(levels[k - 1], levels[k], row);
        }
        levels[0] = _mm512_and_si512(levels[0], row);
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn each_left_512<const LEVELS: usize, const CODES: usize>(
        first: &[Table<'_, CODES>],
        others: &[Table<'_, CODES>],
        mut places: u64,
        mut visit: impl FnMut(usize, Row),
    ) {
        while places != 0 {
            let k = places.trailing_zeros() as usize;
            places &= places - 1;
            let mut levels = [_mm512_set1_epi64(-1); LEVELS];
            let is_empty = |levels: &[__m512i; LEVELS]| {
                let last = levels[LEVELS - 1];
                _mm512_test_epi64_mask(last, last) == 0
            };
            for table in first {
                meet_512(&mut levels, row(table, k));
            }
            if is_empty(&levels) {
                continue;
            }
            for table in others {
                meet_512(&mut levels, row(table, k));
            }
            if !is_empty(&levels) {
                let mut left = Row::default();
                // SAFETY: as above.
                unsafe { _mm512_store_si512(left.0.as_mut_ptr().cast(), levels[LEVELS - 1]) };
                visit(k, left);
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn meet_256<const LEVELS: usize>(levels: &mut [[__m256i; 2]; LEVELS], row: &Row) {
        let (halves, _) = row.0.as_chunks::<4>();
        // SAFETY: half a row has as many bytes as a vector, and is aligned as one.
        let row: [__m256i; 2] = std::array::from_fn(|half| unsafe { _mm256_load_si256(halves[half].as_ptr().cast()) });
        for half in 0..2 {
            for k in (1..LEVELS).rev() {
                levels[k][half] = _mm256_or_si256(levels[k - 1][half], _mm256_and_si256(levels[k][half], row[half]));
            }
            levels[0][half] = _mm256_and_si256(levels[0][half], row[half]);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn each_left_256<const LEVELS: usize, const CODES: usize>(
        first: &[Table<'_, CODES>],
        others: &[Table<'_, CODES>],
        mut places: u64,
        mut visit: impl FnMut(usize, Row),
    ) {
        while places != 0 {
            let k = places.trailing_zeros() as usize;
            places &= places - 1;
            let mut levels = [[_mm256_set1_epi64x(-1); 2]; LEVELS];
            let is_empty = |levels: &[[__m256i; 2]; LEVELS]| {
                let any = _mm256_or_si256(levels[LEVELS - 1][0], levels[LEVELS - 1][1]);
                _mm256_testz_si256(any, any) == 1
            };
            for table in first {
                meet_256(&mut levels, row(table, k));
            }
            if is_empty(&levels) {
                continue;
            }
            for table in others {
                meet_256(&mut levels, row(table, k));
            }
            if !is_empty(&levels) {
                let mut left = Row::default();
                for (half, words) in levels[LEVELS - 1].iter().zip(left.0.as_chunks_mut::<4>().0) {
                    // SAFETY: as above.
                    unsafe { _mm256_store_si256(words.as_mut_ptr().cast(), *half) };
                }
                visit(k, left);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls of `visit` with so many levels.
    fn visits<const LEVELS: usize>(set: InstructionSet, met: Met<'_, 5>, places: u64) -> Vec<(usize, Row)> {
        let mut visits = Vec::new();
        set.each_left::<LEVELS, 5>(met, places, |k, left| visits.push((k, left)));
        visits
    }

    #[test]
    fn each_set_finds_the_bits_that_few_rows_lack() {
        let mixed = |k: u64| (k ^ k >> 31).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let random = |k: usize| mixed(mixed((k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        let row = |k: usize| Row(std::array::from_fn(|j| random(8 * k + j) & random(8 * k + j + 1000)));
        let tables: Vec<[Row; 5]> = (0..6).map(|table| std::array::from_fn(|code| row(5 * table + code))).collect();
        let codes: Vec<u16> = (0..64 + 4 * 5).map(|k| (k * k / 3 % 5) as u16).collect();
        let places = 0xF0F0_1234_5678_FFFF_u64;
        let of = |missed: usize| {
            let left = |k: usize| {
                let rows = || (0..6).map(|table| tables[table][usize::from(codes[k + 4 * table])]);
                let stays = |bit: usize| rows().filter(|row| row.0[bit / 64] >> (bit % 64) & 1 == 0).count() <= missed;
                let word = |j: usize| (0..64).fold(0, |word, bit| word | u64::from(stays(64 * j + bit)) << bit);
                Row(std::array::from_fn(word))
            };
            let of_places = (0..64).filter(|&k| places >> k & 1 == 1).map(|k| (k, left(k)));
            of_places.filter(|(_, left)| *left != Row::default()).collect::<Vec<_>>()
        };
        for set in InstructionSet::all() {
            for first in [1, 3, 6] {
                let met = Met { tables: &tables, codes: &codes, step: 4, first };
                assert_eq!(visits::<1>(set, met, places), of(0), "{set:?} {first}");
                assert_eq!(visits::<2>(set, met, places), of(1), "{set:?} {first}");
                assert_eq!(visits::<4>(set, met, places), of(3), "{set:?} {first}");
                assert_eq!(visits::<8>(set, met, places), of(7), "{set:?} {first}");
                assert_eq!(visits::<1>(set, met, 0), []);
            }
        }
        let counts = [0, 1, 7].map(|missed| of(missed).len());
        assert!(0 < counts[0] && counts[0] < counts[1] && counts[2] == places.count_ones() as usize, "{counts:?}");
    }
}
