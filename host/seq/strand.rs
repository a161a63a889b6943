//! The two strands of DNA, and how a sequence reads along the other one.
//!
//! Case is kept. `S`, `W`, `N`, `.` and `-` are their own complements; bytes that are no IUPAC code are left as they are.

use super::Wildcards;

/// Which strands are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strands {
    /// As given, and the reverse complement.
    #[default]
    Both,
    /// As given.
    Forward,
    /// The reverse complement.
    Reverse,
}

const COMPLEMENTS: [u8; 256] = complements(b"ACGTURYSWKMBDHV", b"TGCAAYRSWMKVHDB");
const PLAIN_COMPLEMENTS: [u8; 256] = complements(b"ACGT", b"TGCA");

const fn complements(bases: &[u8], opposite: &[u8]) -> [u8; 256] {
    let mut table = [0; 256];
    let mut k = 0;
    while k < 256 {
        table[k] = k as u8;
        k += 1;
    }
    k = 0;
    while k < bases.len() {
        table[bases[k] as usize] = opposite[k];
        table[bases[k].to_ascii_lowercase() as usize] = opposite[k].to_ascii_lowercase();
        k += 1;
    }
    table
}

/// The base on the other strand. Under [`Wildcards::N`] only `ACGTacgt` have a complement.
pub fn complement(base: u8, wildcards: Wildcards) -> u8 {
    match wildcards {
        Wildcards::Iupac => COMPLEMENTS[base as usize],
        Wildcards::N => PLAIN_COMPLEMENTS[base as usize],
    }
}

/// `bases` as read along the other strand.
pub fn reverse_complement(bases: &[u8], wildcards: Wildcards) -> Vec<u8> {
    bases.iter().rev().map(|&base| complement(base, wildcards)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iupac::base_set;

    #[test]
    fn complement_of_a_set_is_the_set_of_complements() {
        for code in (0..=255).filter(|&b| base_set(b).is_some()) {
            let set = base_set(code).unwrap();
            assert_eq!(base_set(complement(code, Wildcards::Iupac)), Some(set.reverse_bits() >> 4));
            assert_eq!(complement(code, Wildcards::Iupac).is_ascii_lowercase(), code.is_ascii_lowercase());
        }
    }

    #[test]
    fn sequences_are_reversed_and_complemented() {
        assert_eq!(reverse_complement(b"acGTRUN", Wildcards::N), b"NURACgt");
        assert_eq!(reverse_complement(b"acGTRUN", Wildcards::Iupac), b"NAYACgt");
        assert_eq!(reverse_complement(b"AACGTNRb-u", Wildcards::Iupac), b"a-vYNACGTT");
    }
}
