//! The numbers of ISAAC (Jenkins 1996, "ISAAC", FSE, p. 41), as his `rand.c` and `rand.h` define them, with 32-bit words:
//! `randinit(TRUE)` over the seed in `randrsl`, then `rand()`, which takes results from the last to the first.

use std::iter::repeat_with;

const SIZE: usize = 256;

/// The endless numbers of a k-mer. The seed is its bytes, in little-endian numbers of four, then zeros.
pub fn numbers(kmer: &[u8]) -> impl Iterator<Item = u32> {
    let mut seed = [0; SIZE];
    for (at, &byte) in kmer.iter().enumerate() {
        seed[at / 4] |= u32::from(byte) << (8 * (at % 4));
    }
    let mut isaac = Isaac::new(&seed);
    repeat_with(move || isaac.results().into_iter().rev()).flatten()
}

struct Isaac {
    memory: [u32; SIZE],
    a: u32,
    b: u32,
    c: u32,
}

impl Isaac {
    fn new(seed: &[u32; SIZE]) -> Self {
        const GOLDEN_RATIO: u32 = 0x9E37_79B9;
        let mut state = [GOLDEN_RATIO; 8];
        (0..4).for_each(|_| mix(&mut state));
        let once = scatter(&mut state, seed);
        // Once more, so that all of the seed affects all of the memory.
        Self { memory: scatter(&mut state, &once), a: 0, b: 0, c: 0 }
    }

    /// `isaac()`: the next 256 results.
    fn results(&mut self) -> [u32; SIZE] {
        self.c = self.c.wrapping_add(1);
        self.b = self.b.wrapping_add(self.c);
        let mut results = [0; SIZE];
        for (i, result) in results.iter_mut().enumerate() {
            let x = self.memory[i];
            let mixed = match i % 4 {
                0 => self.a ^ self.a << 13,
                1 => self.a ^ self.a >> 6,
                2 => self.a ^ self.a << 2,
                _ => self.a ^ self.a >> 16,
            };
            self.a = mixed.wrapping_add(self.memory[(i + SIZE / 2) % SIZE]);
            let y = self.memory[(x >> 2) as usize % SIZE].wrapping_add(self.a).wrapping_add(self.b);
            self.memory[i] = y;
            self.b = self.memory[(y >> 10) as usize % SIZE].wrapping_add(x);
            *result = self.b;
        }
        results
    }
}

/// Adds `from` to the state, eight words at a time, and writes down what mixing makes of it.
fn scatter(state: &mut [u32; 8], from: &[u32; SIZE]) -> [u32; SIZE] {
    let mut to = [0; SIZE];
    for i in (0..SIZE).step_by(8) {
        for (word, &more) in state.iter_mut().zip(&from[i..i + 8]) {
            *word = word.wrapping_add(more);
        }
        mix(state);
        to[i..i + 8].copy_from_slice(state);
    }
    to
}

/// `mix(a, b, c, d, e, f, g, h)`: a ^= b << 11; d += a; b += c; then the same from b on, and so on.
fn mix(state: &mut [u32; 8]) {
    let shifted = |j: usize, x: u32| match j {
        0 => x << 11,
        1 => x >> 2,
        2 => x << 8,
        3 => x >> 16,
        4 => x << 10,
        5 => x >> 4,
        6 => x << 8,
        _ => x >> 9,
    };
    for j in 0..8 {
        state[j] ^= shifted(j, state[(j + 1) % 8]);
        state[(j + 3) % 8] = state[(j + 3) % 8].wrapping_add(state[j]);
        state[(j + 1) % 8] = state[(j + 1) % 8].wrapping_add(state[(j + 2) % 8]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start of Jenkins' `randvect.txt`: the second 256 results of a seed of zeros.
    #[test]
    fn results_are_the_published_ones() {
        let mut isaac = Isaac::new(&[0; SIZE]);
        isaac.results();
        assert_eq!(isaac.results()[..4], [0xF650_E4C8, 0xE448_E96D, 0x98DB_2FB4, 0xF5FA_D54F]);
    }

    #[test]
    fn numbers_run_down_from_the_last_result_and_go_on_with_the_next_256() {
        let mut isaac = Isaac::new(&[0; SIZE]);
        let both = [isaac.results(), isaac.results()];
        let expected = both.iter().flat_map(|results| results.iter().rev().copied());
        assert!(numbers(b"").take(2 * SIZE).eq(expected));
    }

    #[test]
    fn seeds_are_little_endian() {
        let mut seed = [0; SIZE];
        seed[..2].copy_from_slice(&[0x4443_4241, 0x45]);
        assert!(numbers(b"ABCDE").take(SIZE).eq(Isaac::new(&seed).results().into_iter().rev()));
    }
}
