//! IUPAC codes: which bytes are legal in DNA, and which bases each stands for.
//!
//! Under [`Wildcards::Iupac`] a code is a set of bases, one bit each: A 1, C 2, G 4, T 8; case is folded, U is T, `.` is N
//! (all four bits), `-` is the empty set. Two codes are compatible when their sets intersect. Under [`Wildcards::N`] bytes are
//! compared as they are, and only `N` is wild.
//!
//! Both alphabets are also reduced to five digits, which an index of windows needs: a single base is 0 to 3 (A, C, G, T), and
//! everything wild is [`WILD`]. Compatible bytes have equal digits, or one of them is wild. Under [`Wildcards::N`] a byte that
//! is not a base has one of the digits 0 to 3, case folded, so that lower-case sequences spread over the index as upper-case
//! ones do.

/// Which symbols are compatible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wildcards {
    /// IUPAC codes on both sides, case folded, U = T, `.` = N: compatible when the base sets intersect. `-` in a sequence has
    /// the empty set.
    #[default]
    Iupac,
    /// Byte-exact and case-sensitive; only `N` is wild.
    N,
}

/// The digit of a wild symbol, and of `-`.
pub const WILD: u8 = 4;

/// In [`BASE_SETS`]: a byte that is not an IUPAC code.
const ILLEGAL: u8 = 0x80;

const BASE_SETS: [u8; 256] = base_sets();
const IUPAC_DIGITS: [u8; 256] = iupac_digits();
const BYTE_DIGITS: [u8; 256] = byte_digits();

const fn base_sets() -> [u8; 256] {
    let codes = b"ACGTURYSWKMBDHVN.-";
    let sets = [1, 2, 4, 8, 8, 5, 10, 6, 9, 12, 3, 14, 13, 11, 7, 15, 15, 0];
    let mut table = [ILLEGAL; 256];
    let mut k = 0;
    while k < codes.len() {
        table[codes[k] as usize] = sets[k];
        table[codes[k].to_ascii_lowercase() as usize] = sets[k];
        k += 1;
    }
    table
}

const fn iupac_digits() -> [u8; 256] {
    let mut table = [WILD; 256];
    let mut k = 0;
    while k < 256 {
        if BASE_SETS[k].is_power_of_two() && BASE_SETS[k] != ILLEGAL {
            table[k] = BASE_SETS[k].trailing_zeros() as u8;
        }
        k += 1;
    }
    table
}

const fn byte_digits() -> [u8; 256] {
    let mut table = [WILD; 256];
    let mut k = 0;
    while k < 256 {
        let bits = (k as u8 >> 1) & 3;
        if k as u8 != b'N' {
            table[k] = bits ^ (bits >> 1);
        }
        k += 1;
    }
    table
}

/// The bases that an IUPAC code stands for; `None` for a byte that is not a code.
pub const fn base_set(code: u8) -> Option<u8> {
    let set = BASE_SETS[code as usize];
    if set != ILLEGAL { Some(set) } else { None }
}

/// The digit of each byte, 0 to [`WILD`].
pub const fn digits(wildcards: Wildcards) -> &'static [u8; 256] {
    match wildcards {
        Wildcards::Iupac => &IUPAC_DIGITS,
        Wildcards::N => &BYTE_DIGITS,
    }
}

/// How many of `bases` are not a single base (under [`Wildcards::N`]: are `N`).
pub fn count_wild(bases: &[u8], wildcards: Wildcards) -> usize {
    let digits = digits(wildcards);
    bases.iter().filter(|&&base| digits[base as usize] == WILD).count()
}

/// Whether two sequences are the same: equal base sets, or equal bytes under [`Wildcards::N`].
pub fn same(a: &[u8], b: &[u8], wildcards: Wildcards) -> bool {
    let set = |code: &u8| BASE_SETS[*code as usize];
    match wildcards {
        Wildcards::Iupac => a.iter().map(set).eq(b.iter().map(set)),
        Wildcards::N => a == b,
    }
}

/// Checks that every byte of a sequence is legal.
///
/// # Errors
/// The offset of the first illegal byte.
pub fn check_sequence(bases: &[u8], wildcards: Wildcards) -> Result<(), usize> {
    match wildcards {
        Wildcards::Iupac => check(bases, |code| BASE_SETS[code as usize] != ILLEGAL),
        Wildcards::N => Ok(()),
    }
}

/// Checks that every byte of a signature is legal: as in a sequence, but `-` is illegal under [`Wildcards::Iupac`].
///
/// # Errors
/// The offset of the first illegal byte.
pub fn check_signature(bases: &[u8], wildcards: Wildcards) -> Result<(), usize> {
    match wildcards {
        Wildcards::Iupac => check(bases, |code| !matches!(BASE_SETS[code as usize], 0 | ILLEGAL)),
        Wildcards::N => Ok(()),
    }
}

/// Nearly all chunks are upper-case ACGTN and pass a comparison that compiles to vector code; the table checks the others.
fn check(bases: &[u8], legal: impl Fn(u8) -> bool) -> Result<(), usize> {
    const CHUNK: usize = 256;
    for (k, chunk) in bases.chunks(CHUNK).enumerate() {
        let plain = |b: u8| (b == b'A') | (b == b'C') | (b == b'G') | (b == b'T') | (b == b'N');
        if chunk.iter().fold(true, |all, &b| all & plain(b)) {
            continue;
        }
        if let Some(at) = chunk.iter().position(|&b| !legal(b)) {
            return Err(k * CHUNK + at);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_follow_the_iupac_table() {
        let spelled =
            [(b'R', "AG"), (b'Y', "CT"), (b'S', "CG"), (b'W', "AT"), (b'K', "GT"), (b'M', "AC"), (b'B', "CGT")];
        let more =
            [(b'D', "AGT"), (b'H', "ACT"), (b'V', "ACG"), (b'N', "ACGT"), (b'.', "ACGT"), (b'U', "T"), (b'-', "")];
        for (code, bases) in spelled.into_iter().chain(more) {
            let union = bases.bytes().fold(0, |set, b| set | base_set(b).unwrap());
            assert_eq!(base_set(code), Some(union), "{}", code as char);
            assert_eq!(base_set(code.to_ascii_lowercase()), Some(union));
        }
        assert_eq!("ACGT".bytes().map(|b| base_set(b).unwrap()).collect::<Vec<_>>(), [1, 2, 4, 8]);
        assert_eq!((0..=255).filter(|&b| base_set(b).is_some()).count(), 16 * 2 + 2);
    }

    #[test]
    fn compatible_codes_have_equal_digits_or_a_wild_one() {
        let digit = digits(Wildcards::Iupac);
        for a in (0..=255u8).filter(|&b| base_set(b).is_some()) {
            for b in (0..=255u8).filter(|&b| base_set(b).is_some()) {
                let (x, y) = (digit[a as usize], digit[b as usize]);
                assert!(base_set(a).unwrap() & base_set(b).unwrap() == 0 || x == y || x == WILD || y == WILD);
            }
        }
        let digit = digits(Wildcards::N);
        assert_eq!(b"ACGTNacgt".map(|b| digit[b as usize]), [0, 1, 2, 3, 4, 0, 1, 2, 3]);
        assert_eq!((0..=255u8).filter(|&b| digit[b as usize] == WILD).count(), 1);
    }

    #[test]
    fn the_first_illegal_byte_is_found_wherever_it_is() {
        for at in [0, 1, 255, 256, 257, 511, 700] {
            let mut bases = vec![b'A'; 1000];
            bases[900] = b'!';
            bases[at] = b'X';
            bases[at / 2] = b'r';
            let first = if at == 0 { 900 } else { at };
            assert_eq!(check_sequence(&bases, Wildcards::Iupac), Err(first));
            assert_eq!(check_signature(&bases, Wildcards::N), Ok(()));
        }
        assert_eq!(check_sequence(b"AC-GT.n", Wildcards::Iupac), Ok(()));
        assert_eq!(check_signature(b"AC-GT", Wildcards::Iupac), Err(2));
        assert_eq!(check_sequence(b"", Wildcards::Iupac), Ok(()));
    }

    #[test]
    fn wild_bases_are_counted() {
        assert_eq!(count_wild(b"ACGTUacgtuRn.", Wildcards::Iupac), 3);
        assert_eq!(count_wild(b"ACGTUacgtuRnN", Wildcards::N), 1);
    }
}
