//! ISAAC with 32-bit words (Jenkins 1996, FSE, p. 41; the names are those of his `rand.c`).

use std::array::from_fn;

const SIZE: usize = 256;

/// Values for a k-mer of at most 1024 residues.
pub struct Isaac {
    values: [u32; SIZE],
    memory: [u32; SIZE],
    /// aa, bb and cc.
    registers: [u32; 3],
    /// How many values are left. They are taken from the last to the first.
    count: usize,
}

impl Isaac {
    /// The k-mer's bytes are the start of the seed, little-endian; the rest of it is zero.
    pub fn new(kmer: &[u8]) -> Self {
        let mut values = [0; SIZE];
        for (k, &residue) in kmer.iter().enumerate() {
            values[k / 4] |= u32::from(residue) << (8 * (k % 4));
        }
        let mut isaac = Self { values, memory: [0; SIZE], registers: [0; 3], count: 0 };
        isaac.seed();
        isaac
    }

    /// `randinit(TRUE)`, less its last step.
    fn seed(&mut self) {
        let mut state = [0x9e37_79b9; 8];
        (0..4).for_each(|_| mix(&mut state));
        for pass in 0..2 {
            for k in (0..SIZE).step_by(8) {
                let source = if pass == 0 { &self.values } else { &self.memory };
                state = from_fn(|j| state[j].wrapping_add(source[k + j]));
                mix(&mut state);
                self.memory[k..k + 8].copy_from_slice(&state);
            }
        }
    }

    /// `isaac()`: the next 256 values.
    fn refill(&mut self) {
        let [mut a, mut b, c] = self.registers;
        let c = c.wrapping_add(1);
        b = b.wrapping_add(c);
        for k in 0..SIZE {
            a ^= match k % 4 {
                0 => a << 13,
                1 => a >> 6,
                2 => a << 2,
                _ => a >> 16,
            };
            a = a.wrapping_add(self.memory[(k + SIZE / 2) % SIZE]);
            let x = self.memory[k];
            let y = self.memory[(x >> 2) as usize % SIZE].wrapping_add(a).wrapping_add(b);
            self.memory[k] = y;
            b = self.memory[(y >> 10) as usize % SIZE].wrapping_add(x);
            self.values[k] = b;
        }
        self.registers = [a, b, c];
        self.count = SIZE;
    }
}

impl Iterator for Isaac {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.count == 0 {
            self.refill();
        }
        self.count -= 1;
        Some(self.values[self.count])
    }
}

/// The `mix` of `randinit`.
fn mix(state: &mut [u32; 8]) {
    const SHIFTS: [(bool, u32); 8] =
        [(true, 11), (false, 2), (true, 8), (false, 16), (true, 10), (false, 4), (true, 8), (false, 9)];
    for (k, (left, shift)) in SHIFTS.into_iter().enumerate() {
        let next = state[(k + 1) % 8];
        state[k] ^= if left { next << shift } else { next >> shift };
        state[(k + 3) % 8] = state[(k + 3) % 8].wrapping_add(state[k]);
        state[(k + 1) % 8] = next.wrapping_add(state[(k + 2) % 8]);
    }
}
