use super::*;
use crate::collection::{Builder, Collection};
use crate::hamming::Cpu;
use crate::{Parameters, Records, Signatures, Window};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const PARAMETERS: Parameters = Parameters { window: Window::Length(4), ..Parameters::QUT };

/// Sequences with these numbers of windows, 0 for an empty one. One window in four has no k-mer.
pub fn collection(random: &mut ChaCha8Rng, windows: &[usize]) -> Collection {
    let (mut batch, mut signatures) = (Records::default(), Signatures::default());
    for (k, &count) in windows.iter().enumerate() {
        batch.push(format!("s{k}").as_bytes(), &vec![b'M'; if count == 0 { 0 } else { 2 * count + 2 }]);
        for _ in 0..count.max(1) {
            let present = count > 0 && random.random_range(0..4) > 0;
            signatures.present.push(present.into());
            signatures.bytes.extend((0..8).map(|_| if present { random.random::<u8>() & 0x11 } else { 0 }));
        }
    }
    let mut builder = Builder::new(&PARAMETERS);
    builder.push(&batch, &signatures);
    builder.finish()
}

/// The definition, sequence by sequence and window by window.
fn naive(a: (&Collection, usize), b: (&Collection, usize)) -> f64 {
    let present = |(collection, sequence): (&Collection, usize)| -> Vec<u64> {
        let windows = collection.windows(sequence).filter(|&window| collection.is_present(window));
        windows.map(|window| u64::from_be_bytes(collection.signature(window).try_into().unwrap())).collect()
    };
    let (a, b) = (present(a), present(b));
    let there = |a: &[u64], b: &[u64]| {
        let least = a.iter().filter_map(|a| b.iter().map(|b| (a ^ b).count_ones()).min());
        f64::from(least.sum::<u32>()) / a.len() as f64
    };
    if a.is_empty() || b.is_empty() { f64::NAN } else { (there(&a, &b) + there(&b, &a)) / 2.0 }
}

fn same(found: &[f64], expected: &[f64]) -> bool {
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| found == expected || found.is_nan() && expected.is_nan())
}

#[test]
fn distances_are_those_of_the_definition() {
    let random = &mut ChaCha8Rng::seed_from_u64(6);
    for (a, b) in [
        (vec![1; 20], vec![1; 31]),
        (vec![1, 0, 1, 0, 0], vec![0, 1]),
        (vec![5, 0, 1, 17, 3, 2, 0], vec![1, 9, 0, 40, 1]),
        (vec![3], vec![]),
        (vec![], vec![2, 2]),
        (vec![100], vec![100]),
    ] {
        let (a, b) = (collection(random, &a), collection(random, &b));
        let expected: Vec<f64> = (0..a.len())
            .flat_map(|i| (0..b.len()).map(move |j| (i, j)))
            .map(|(i, j)| naive((&a, i), (&b, j)))
            .collect();
        let (rows, columns) = (Sequences::range(&a, 0..a.len()).unwrap(), Sequences::range(&b, 0..b.len()).unwrap());
        for memory in [1, 50, 1 << 20] {
            let found = distances(&mut Cpu::new(), &rows, &columns, memory).unwrap();
            assert!(same(&found, &expected), "{memory} bytes: {found:?}, {expected:?}");
        }
        let back = distances(&mut Cpu::new(), &columns, &rows, 50).unwrap();
        let turned: Vec<f64> = (0..expected.len()).map(|k| back[k % b.len() * a.len() + k / b.len()]).collect();
        assert!(same(&turned, &expected), "both ways the same");
    }
}

#[test]
fn any_list_of_sequences_is_compared() {
    let random = &mut ChaCha8Rng::seed_from_u64(7);
    let all = collection(random, &[3, 0, 1, 1, 8, 2]);
    let (rows, columns) = ([4, 4, 1, 0], [5, 2, 3]);
    let expected: Vec<f64> = rows.iter().flat_map(|&i| columns.map(|j| naive((&all, i), (&all, j)))).collect();
    let (rows, columns) = (Sequences::list(&all, &rows).unwrap(), Sequences::list(&all, &columns).unwrap());
    assert!(same(&distances(&mut Cpu::new(), &rows, &columns, 100).unwrap(), &expected));
    assert_eq!((rows.len(), columns.len()), (4, 3));
}

#[test]
fn blocks_are_the_sequences_in_order() {
    let random = &mut ChaCha8Rng::seed_from_u64(8);
    let all = collection(random, &[3, 0, 1, 1, 8, 2, 0, 0]);
    let cut = |sequences, windows| blocks(&all, 1..8, sequences, windows).collect::<Vec<_>>();
    assert!(cut(100, 100).into_iter().eq(std::iter::once(1..8)));
    assert_eq!(cut(2, 100), [1..3, 3..5, 5..7, 7..8]);
    assert_eq!(cut(100, 4), [1..4, 4..5, 5..8]);
    assert_eq!(cut(100, 0), [1..2, 2..3, 3..4, 4..5, 5..6, 6..8]);
    assert_eq!(blocks(&all, 3..3, 5, 5).count(), 0);
}
