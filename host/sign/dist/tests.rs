use super::*;
use crate::collection::{Builder, Collection};
use crate::hamming::Cpu;
use crate::reference::distance;
use crate::{Compared, Comparing, Comparison, Parameters, Records, Signatures, Window, words};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpseq_engine::executor::Executor;

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
    builder.push(&batch, &signatures, &words::of_batch(&batch, &PARAMETERS, &signatures));
    builder.finish()
}

/// The definition, sequence by sequence and window by window, with six decimals of a bit.
fn naive(a: (&Collection, usize), b: (&Collection, usize)) -> String {
    let [a, b] = [a, b].map(|(collection, s)| collection.points_of(collection.windows(s)));
    distance(a.points(), b.points()).map_or("NA".into(), |distance| distance.decimals(6))
}

fn shown(distances: &[Option<Distance>]) -> Vec<String> {
    distances.iter().map(|distance| distance.map_or("NA".into(), |distance| distance.bits().to_string())).collect()
}

/// An executor that answers what it was told: these least distances, one answer after another.
pub struct Told(pub Vec<Vec<u32>>);

impl Executor<Comparing> for Told {
    fn compute(&mut self, _: Comparison, compared: &mut Compared) -> Result<()> {
        compared.least = self.0.remove(0);
        Ok(())
    }
}

/// Sequences with these numbers of windows, all of which have a k-mer and the same signature.
pub fn alike(windows: &[usize]) -> Collection {
    let (mut batch, mut signatures) = (Records::default(), Signatures::default());
    for (k, &count) in windows.iter().enumerate() {
        batch.push(format!("s{k}").as_bytes(), &vec![b'M'; 2 * count + 2]);
        signatures.resize(signatures.len() + count, PARAMETERS.width());
    }
    signatures.present.fill(1);
    let mut builder = Builder::new(&PARAMETERS);
    builder.push(&batch, &signatures, &words::of_batch(&batch, &PARAMETERS, &signatures));
    builder.finish()
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
        let expected: Vec<String> = (0..a.len())
            .flat_map(|i| (0..b.len()).map(move |j| (i, j)))
            .map(|(i, j)| naive((&a, i), (&b, j)))
            .collect();
        let (rows, columns) = (Sequences::range(&a, 0..a.len()).unwrap(), Sequences::range(&b, 0..b.len()).unwrap());
        for memory in [1, 50, 1 << 20] {
            let found = distances(&mut Cpu::new(), &rows, &columns, memory).unwrap();
            assert_eq!(shown(&found), expected, "{memory} bytes");
        }
        let back = distances(&mut Cpu::new(), &columns, &rows, 50).unwrap();
        let turned: Vec<_> = (0..expected.len()).map(|k| back[k % b.len() * a.len() + k / b.len()]).collect();
        assert_eq!(shown(&turned), expected, "both ways the same");
    }
}

#[test]
fn any_list_of_sequences_is_compared() {
    let random = &mut ChaCha8Rng::seed_from_u64(7);
    let all = collection(random, &[3, 0, 1, 1, 8, 2]);
    let (rows, columns) = ([4, 4, 1, 0], [5, 2, 3]);
    let expected: Vec<String> = rows.iter().flat_map(|&i| columns.map(|j| naive((&all, i), (&all, j)))).collect();
    let (rows, columns) = (Sequences::list(&all, &rows).unwrap(), Sequences::list(&all, &columns).unwrap());
    assert_eq!(shown(&distances(&mut Cpu::new(), &rows, &columns, 100).unwrap()), expected);
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
