//! What two symbols are to each other, and reverse complements: the naive reference's own tables.
//!
//! A code stands for a set of bases. Under `Wildcards::Iupac` a pair is compatible when the sets meet and informative when
//! both sets are single bases; `-` has the empty set, so it meets nothing. Under `Wildcards::N` symbols are bytes, equal
//! or not, and `N` alone meets every byte.

use crate::Wildcards;

/// What a symbol of a sequence and a symbol of a pattern are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// Not compatible.
    Clash,
    /// Compatible, both single bases.
    Informative,
    /// Compatible, at least one not a single base.
    Wild,
}

/// [`Pair`] for all pairs of bytes, so that the naive loops cost one look-up per pair.
pub struct Relation {
    pairs: Box<[Pair; 1 << 16]>,
}

impl Relation {
    /// The relation under a wildcard rule.
    pub fn new(wildcards: Wildcards) -> Self {
        let mut pairs = Box::new([Pair::Clash; 1 << 16]);
        for s in 0..=255 {
            for q in 0..=255 {
                pairs[usize::from(s) << 8 | usize::from(q)] = pair(s, q, wildcards);
            }
        }
        Self { pairs }
    }

    /// What symbol `s` of a sequence and symbol `q` of a pattern are to each other.
    pub fn of(&self, s: u8, q: u8) -> Pair {
        self.pairs[usize::from(s) << 8 | usize::from(q)]
    }
}

fn pair(s: u8, q: u8, wildcards: Wildcards) -> Pair {
    let (compatible, wild) = match wildcards {
        Wildcards::N => {
            let wild = s == b'N' || q == b'N';
            (wild || s == q, wild)
        }
        Wildcards::Iupac => {
            let (s, q) = (base_set(s), base_set(q));
            (s & q != 0, s.count_ones() != 1 || q.count_ones() != 1)
        }
    };
    match (compatible, wild) {
        (false, _) => Pair::Clash,
        (true, false) => Pair::Informative,
        (true, true) => Pair::Wild,
    }
}

const A: u8 = 1;
const C: u8 = 2;
const G: u8 = 4;
const T: u8 = 8;

/// The bases that an IUPAC code stands for; empty for `-` and for bytes that are no code.
fn base_set(code: u8) -> u8 {
    match code.to_ascii_uppercase() {
        b'A' => A,
        b'C' => C,
        b'G' => G,
        b'T' | b'U' => T,
        b'R' => A | G,
        b'Y' => C | T,
        b'S' => C | G,
        b'W' => A | T,
        b'K' => G | T,
        b'M' => A | C,
        b'B' => C | G | T,
        b'D' => A | G | T,
        b'H' => A | C | T,
        b'V' => A | C | G,
        b'N' | b'.' => A | C | G | T,
        _ => 0,
    }
}

/// The bases of the other strand, in its own reading direction. Under `Wildcards::N` only ACGTacgt change.
pub fn reverse_complement(bases: &[u8], wildcards: Wildcards) -> Vec<u8> {
    bases.iter().rev().map(|&base| complement(base, wildcards)).collect()
}

fn complement(code: u8, wildcards: Wildcards) -> u8 {
    match (code, wildcards) {
        (b'A', _) => b'T',
        (b'C', _) => b'G',
        (b'G', _) => b'C',
        (b'T', _) => b'A',
        (b'a', _) => b't',
        (b'c', _) => b'g',
        (b'g', _) => b'c',
        (b't', _) => b'a',
        (_, Wildcards::N) => code,
        (_, Wildcards::Iupac) => match code.to_ascii_uppercase() {
            b'U' => b'A',
            b'R' => b'Y',
            b'Y' => b'R',
            b'K' => b'M',
            b'M' => b'K',
            b'B' => b'V',
            b'V' => b'B',
            b'D' => b'H',
            b'H' => b'D',
            unchanged => unchanged,
        },
    }
}

/// Whether two sequences are the same symbols.
pub fn same(a: &[u8], b: &[u8], wildcards: Wildcards) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(&a, &b)| match wildcards {
            Wildcards::N => a == b,
            Wildcards::Iupac => base_set(a) == base_set(b),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODES: &[u8] = b"ACGTURYSWKMBDHVN.acgturyswkmbdhvn";

    #[test]
    fn a_complement_holds_the_partners_of_the_bases() {
        for &code in CODES {
            let set = base_set(code);
            let partners = [(A, T), (C, G), (G, C), (T, A)].iter().filter(|(base, _)| set & base != 0);
            let expected = partners.fold(0, |set, (_, partner)| set | partner);
            assert_eq!(base_set(complement(code, Wildcards::Iupac)), expected, "{}", code as char);
        }
    }

    #[test]
    fn compatibility_survives_complementing_both_sides() {
        let relation = Relation::new(Wildcards::Iupac);
        let other = |code| complement(code, Wildcards::Iupac);
        for &a in CODES {
            for &b in CODES {
                assert_eq!(relation.of(a, b), relation.of(other(a), other(b)));
                assert_eq!(relation.of(a, b), relation.of(b, a));
            }
        }
    }

    #[test]
    fn a_table_of_pairs() {
        let table: [(u8, u8, Pair, Pair); 9] = [
            (b'A', b'A', Pair::Informative, Pair::Informative),
            (b'a', b'A', Pair::Informative, Pair::Clash),
            (b'U', b't', Pair::Informative, Pair::Clash),
            (b'R', b'G', Pair::Wild, Pair::Clash),
            (b'R', b'Y', Pair::Clash, Pair::Clash),
            (b'N', b'A', Pair::Wild, Pair::Wild),
            (b'n', b'A', Pair::Wild, Pair::Clash),
            (b'-', b'N', Pair::Clash, Pair::Wild),
            (b'.', b'.', Pair::Wild, Pair::Informative),
        ];
        for (s, q, iupac, n) in table {
            let text = format!("{}{}", s as char, q as char);
            assert_eq!(Relation::new(Wildcards::Iupac).of(s, q), iupac, "{text}");
            assert_eq!(Relation::new(Wildcards::N).of(s, q), n, "{text}");
        }
    }

    #[test]
    fn reverse_complements() {
        assert_eq!(reverse_complement(b"ACRuN.", Wildcards::Iupac), b".NAYGT");
        assert_eq!(reverse_complement(b"acRuN", Wildcards::N), b"NuRgt");
        assert!(same(b"acgu", b"ACGT", Wildcards::Iupac) && !same(b"acgt", b"ACGT", Wildcards::N));
    }
}
