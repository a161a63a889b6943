//! Known vectors, the rule for k-mers whose draws never end, and tables.

use super::*;
use crate::{Alphabet, Window};

const QUT: Parameters = Parameters::QUT;
const ISAAC: Parameters = Parameters { hash: Hash::Isaac, ..QUT };

/// The elements that are set, from the first.
fn elements(numbers: &[u64]) -> Vec<usize> {
    (0..64 * numbers.len()).filter(|&e| numbers[e / 64] & bit(e) != 0).collect()
}

fn vector(parameters: &Parameters, kmer: &[u8]) -> [Vec<usize>; 2] {
    let columns = parameters.bits as usize / 64;
    let (mut positive, mut negative) = (vec![u64::MAX; columns], vec![u64::MAX; columns]);
    Sparse::new(parameters).vector(kmer, &mut positive, &mut negative);
    [elements(&positive), elements(&negative)]
}

#[test]
fn the_vectors_of_the_report() {
    for (kmer, mut positive, mut negative) in [
        (b"CCC", [21, 36, 15, 8, 37, 53], [63, 30, 6, 48, 24, 47]),
        (b"VGM", [13, 23, 28, 49, 24, 40], [1, 5, 33, 36, 3, 47]),
        (b"AAA", [55, 33, 16, 4, 52, 30], [17, 63, 9, 5, 45, 56]),
        (b"WWW", [37, 46, 60, 13, 51, 7], [9, 49, 57, 54, 40, 14]),
    ] {
        positive.sort();
        negative.sort();
        assert_eq!(vector(&QUT, kmer), [positive.to_vec(), negative.to_vec()]);
    }
}

#[test]
fn the_vectors_of_the_original_program() {
    for (kmer, mut positive, mut negative) in [
        (b"CCC", [61, 63, 58, 46, 42, 21], [41, 18, 1, 55, 29, 48]),
        (b"VGM", [58, 38, 5, 8, 2, 45], [23, 12, 30, 33, 37, 62]),
        (b"AAA", [33, 36, 24, 60, 35, 28], [45, 25, 2, 1, 15, 54]),
    ] {
        positive.sort();
        negative.sort();
        assert_eq!(vector(&ISAAC, kmer), [positive.to_vec(), negative.to_vec()]);
    }
}

#[test]
fn a_generator_that_repeats_itself_gets_the_next_free_places() {
    let sparse = Sparse { hash: Hash::Pcg, bits: 64, drawn: 2 };
    let (mut positive, mut negative) = ([0], [0]);
    sparse.draw(std::iter::repeat(63), &mut positive, &mut negative);
    assert_eq!((elements(&positive), elements(&negative)), (vec![0, 63], vec![1, 2]));
}

#[test]
fn the_last_of_1000_draws_may_be_free() {
    let sparse = Sparse { hash: Hash::Pcg, bits: 64, drawn: 1 };
    let (mut positive, mut negative) = ([0], [0]);
    let values = |repeats| [7].into_iter().chain(std::iter::repeat_n(7, repeats)).chain(std::iter::repeat(9));
    sparse.draw(values(999), &mut positive, &mut negative);
    assert_eq!((elements(&positive), elements(&negative)), (vec![7], vec![9]));
    sparse.draw(values(1000), &mut positive, &mut negative);
    assert_eq!((elements(&positive), elements(&negative)), (vec![7], vec![8]));
}

#[test]
fn all_elements_may_be_drawn() {
    for hash in [Hash::Pcg, Hash::Isaac] {
        for bits in [64, 192, 4096] {
            let parameters = Parameters { hash, bits, density: 100, ..QUT };
            let [positive, negative] = vector(&parameters, b"ABC");
            assert_eq!((positive.len(), negative.len()), (bits as usize / 2, bits as usize / 2));
            assert!(positive.iter().all(|place| !negative.contains(place)));
        }
    }
}

#[test]
fn a_table_holds_all_kmers_by_code_and_a_neutral_one() {
    for (hash, bits) in [(Hash::Pcg, 64), (Hash::Isaac, 192)] {
        let parameters = Parameters { hash, bits, ..QUT };
        let table = Table::new(&parameters, b"zA\xff");
        let columns = table.columns();
        assert_eq!((table.kmers(), columns, table.pairs().len()), (27, bits as usize / 64, 28 * columns));
        for (code, kmer) in [(0, b"zzz"), (5, b"zA\xff"), (26, b"\xff\xff\xff")] {
            let entry = &table.pairs()[code * columns..][..columns];
            let positive: Vec<_> = entry.iter().map(|pair| pair[0]).collect();
            let negative: Vec<_> = entry.iter().map(|pair| !pair[1]).collect();
            assert_eq!([elements(&positive), elements(&negative)], vector(&parameters, kmer));
        }
        assert!(table.pairs()[27 * columns..].iter().all(|&pair| pair == [u64::MAX, 0]));
    }
}

#[test]
fn a_kmer_and_its_reverse_complement_share_an_entry() {
    let parameters =
        Parameters { alphabet: Alphabet::Dna, k: 3, hash: Hash::Isaac, canonical: true, window: Window::Whole, ..QUT };
    let table = Table::new(&parameters, Alphabet::Dna.letters());
    let entry = |kmer: [usize; 3]| table.pairs()[kmer[0] * 16 + kmer[1] * 4 + kmer[2]];
    assert_eq!(entry([3, 2, 1]), entry([2, 1, 0]), "TGC is GCA");
    assert_eq!([elements(&[entry([3, 2, 1])[0]]), elements(&[!entry([3, 2, 1])[1]])], vector(&parameters, b"GCA"));
}

#[test]
fn tables_too_large_to_be_addressed_have_no_number_of_entries() {
    assert_eq!(Table::entries(&Parameters { k: 32, ..QUT }, 256), None);
    assert_eq!(Table::entries(&QUT, 20), Some(8000));
}
