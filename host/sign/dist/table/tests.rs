use super::super::tests::collection;
use super::*;
use crate::hamming::Cpu;
use crate::reference::{NaiveHamming, distance};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn written(table: Table, memory: usize) -> String {
    let mut text = Vec::new();
    table.write(&mut Cpu::new(), memory, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// The distance of two sequences by the reference, as it is written.
fn naive(a: (&Collection, usize), b: (&Collection, usize)) -> String {
    let [a, b] = [a, b].map(|(collection, s)| collection.points_of(collection.windows(s)));
    distance(a.points(), b.points()).map_or("NA".into(), |bits| format!("{:.6}", bits / 64.0))
}

const WINDOWS: [&[usize]; 6] = [&[], &[0], &[1; 30], &[1, 0, 1, 1], &[5, 0, 1, 17, 3, 2, 0], &[60, 1, 30, 2]];
const MEMORY: [usize; 4] = [1, 2000, 30_000, 1 << 30];

#[test]
fn each_pair_of_a_file_is_written_once() {
    let random = &mut ChaCha8Rng::seed_from_u64(13);
    for windows in WINDOWS {
        let all = collection(random, windows);
        let mut expected = "query\ttarget\tdistance\n".to_owned();
        for (i, j) in (0..all.len()).flat_map(|i| (i + 1..all.len()).map(move |j| (i, j))) {
            expected += &format!("s{i}\ts{j}\t{}\n", naive((&all, i), (&all, j)));
        }
        for memory in MEMORY {
            assert_eq!(written(Table { rows: &all, columns: None, format: Format::Tsv }, memory), expected);
        }
    }
}

#[test]
fn every_sequence_of_a_file_is_compared_with_every_one_of_another() {
    let random = &mut ChaCha8Rng::seed_from_u64(14);
    for (a, b) in WINDOWS.iter().flat_map(|a| WINDOWS.iter().map(move |b| (a, b))) {
        let (a, b) = (collection(random, a), collection(random, b));
        let mut expected = "query\ttarget\tdistance\n".to_owned();
        for (i, j) in (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j))) {
            expected += &format!("s{i}\ts{j}\t{}\n", naive((&a, i), (&b, j)));
        }
        for memory in MEMORY {
            assert_eq!(written(Table { rows: &a, columns: Some(&b), format: Format::Tsv }, memory), expected);
        }
    }
}

#[test]
fn a_square_matrix_reads_back() {
    let random = &mut ChaCha8Rng::seed_from_u64(15);
    for windows in WINDOWS {
        let all = collection(random, windows);
        for memory in MEMORY {
            let text = written(Table { rows: &all, columns: None, format: Format::Phylip }, memory);
            let (count, rows) = text.split_once('\n').unwrap();
            assert_eq!((count, rows.lines().count()), (&*all.len().to_string(), all.len()));
            for (i, row) in rows.lines().enumerate() {
                let cells: Vec<&str> = row.split('\t').collect();
                assert_eq!((cells[0], cells.len() - 1), (&*format!("s{i}"), all.len()));
                (0..all.len()).for_each(|j| assert_eq!(cells[j + 1], naive((&all, i), (&all, j)), "{i}, {j}"));
            }
        }
    }
}

#[test]
fn the_reference_writes_the_same() {
    let random = &mut ChaCha8Rng::seed_from_u64(16);
    let all = collection(random, WINDOWS[5]);
    let (table, mut text) = (Table { rows: &all, columns: None, format: Format::Tsv }, Vec::new());
    table.write(&mut NaiveHamming, 5000, &mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), written(table, 1 << 20));
}
