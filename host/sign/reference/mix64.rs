//! Dense vectors: every element is +1 or -1, by a bit of splitmix64 (Steele, Lea and Flood 2014, OOPSLA, p. 453).

use crate::Alphabet;

/// The seed of a k-mer: for DNA its 2-bit codes, A 0 C 1 G 2 T 3, the first highest; for other alphabets the FNV-1a of its
/// bytes (Fowler, Noll and Vo).
pub fn key(kmer: &[u8], alphabet: Alphabet) -> u64 {
    if alphabet != Alphabet::Dna {
        return fnv1a(kmer);
    }
    let code = |&base: &u8| match base {
        b'A' => 0,
        b'C' => 1,
        b'G' => 2,
        _ => 3,
    };
    kmer.iter().map(code).fold(0, |key, code: u64| 4 * key + code)
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

/// The vector of a key: 64 elements from each output, its highest bit first; 1 is +1 and 0 is -1.
pub fn vector(key: u64, bits: u32) -> Vec<i8> {
    let mut vector = Vec::new();
    for number in 0..u64::from(bits / 64) {
        let word = splitmix64(key.wrapping_add((number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        for bit in (0..64).rev() {
            vector.push(if word >> bit & 1 == 1 { 1 } else { -1 });
        }
    }
    vector
}

/// The output of the generator in a state.
fn splitmix64(state: u64) -> u64 {
    let z = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(key: u64, count: u32) -> Vec<u64> {
        let number = |elements: &[i8]| elements.iter().fold(0, |number, &element| number << 1 | u64::from(element > 0));
        vector(key, 64 * count).chunks(64).map(number).collect()
    }

    /// The outputs of Vigna's `splitmix64.c` for these seeds.
    #[test]
    fn vectors_are_the_bits_of_splitmix64() {
        assert_eq!(numbers(0, 3), [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]);
        let seeded = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(numbers(1_234_567, 5), seeded);
    }

    #[test]
    fn keys_of_dna_are_codes() {
        assert_eq!(key(b"ACGT", Alphabet::Dna), 0b00_01_10_11);
        assert_eq!(key(&[b'T'; 32], Alphabet::Dna), u64::MAX);
        assert_eq!(key(b"AAC", Alphabet::Dna), key(b"C", Alphabet::Dna));
    }

    /// From the test vectors of the authors.
    #[test]
    fn other_keys_are_fnv1a() {
        assert_eq!(key(b"", Alphabet::Raw), 0xCBF2_9CE4_8422_2325);
        assert_eq!(key(b"a", Alphabet::Raw), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(key(b"foobar", Alphabet::Protein), 0x8594_4171_F739_67E8);
    }
}
