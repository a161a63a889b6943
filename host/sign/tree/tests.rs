//! Trees against a naive reference, and trees that are known because their distances were made from them.

use super::{Branch, Tree, join};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The definition, with new sums in each round and nodes in a list, in their order.
fn naive(distances: &[f64], records: usize) -> Tree {
    let mut nodes: Vec<(usize, Vec<f64>)> =
        (0..records).map(|i| (i, distances[i * records..][..records].to_vec())).collect();
    let mut tree = Tree::default();
    while nodes.len() > 3 {
        let m = nodes.len();
        let sums: Vec<f64> = nodes.iter().map(|(_, row)| row.iter().sum()).collect();
        let mut best = (f64::INFINITY, 0, 0);
        for i in 0..m {
            for j in i + 1..m {
                let q = (m - 2) as f64 * nodes[i].1[j] - sums[i] - sums[j];
                if q < best.0 {
                    best = (q, i, j);
                }
            }
        }
        let (_, i, j) = best;
        let between = nodes[i].1[j];
        let first = between / 2.0 + (sums[i] - sums[j]) / (2 * (m - 2)) as f64;
        tree.joins.push(vec![(nodes[i].0, first), (nodes[j].0, between - first)]);
        let joined: Vec<f64> = (0..m).map(|k| (nodes[i].1[k] + nodes[j].1[k] - between) / 2.0).collect();
        for (k, (_, row)) in nodes.iter_mut().enumerate() {
            row[i] = joined[k];
        }
        nodes[i] = (records + tree.joins.len() - 1, joined);
        nodes[i].1[i] = 0.0;
        nodes.remove(j);
        for (_, row) in &mut nodes {
            row.remove(j);
        }
    }
    let d = |i: usize, j: usize| nodes[i].1[j];
    let lengths = match nodes.len() {
        3 => (0..3).map(|i| (d(i, (i + 1) % 3) + d(i, (i + 2) % 3) - d((i + 1) % 3, (i + 2) % 3)) / 2.0).collect(),
        2 => vec![d(0, 1) / 2.0; 2],
        _ => vec![],
    };
    let last: Vec<Branch> = nodes.iter().map(|(node, _)| *node).zip(lengths).collect();
    tree.joins.extend((!last.is_empty()).then_some(last));
    tree
}

/// A symmetric matrix of `of(i, j)` for i < j.
fn symmetric(records: usize, mut of: impl FnMut(usize, usize) -> f64) -> Vec<f64> {
    let mut matrix = vec![0.0; records * records];
    for (i, j) in (0..records).flat_map(|i| (i + 1..records).map(move |j| (i, j))) {
        let distance = of(i, j);
        (matrix[i * records + j], matrix[j * records + i]) = (distance, distance);
    }
    matrix
}

/// The sum of the branches between each two records of a tree.
fn patristic(tree: &Tree, records: usize) -> Vec<f64> {
    // Each node's records with their distances to it.
    let mut below: Vec<Vec<(usize, f64)>> = (0..records).map(|record| vec![(record, 0.0)]).collect();
    let mut matrix = vec![0.0; records * records];
    for join in &tree.joins {
        let mut all: Vec<(usize, f64)> = Vec::new();
        for &(node, length) in join {
            let new: Vec<(usize, f64)> = below[node].iter().map(|&(record, far)| (record, far + length)).collect();
            for (&(a, of_a), &(b, of_b)) in all.iter().flat_map(|one| new.iter().map(move |other| (one, other))) {
                (matrix[a * records + b], matrix[b * records + a]) = (of_a + of_b, of_a + of_b);
            }
            all.extend(new);
        }
        below.push(all);
    }
    matrix
}

/// A tree of any shape with lengths of 1/1024 to 1/2.
fn random_tree(random: &mut ChaCha8Rng, records: usize) -> Tree {
    let mut nodes: Vec<usize> = (0..records).collect();
    let mut tree = Tree::default();
    while !nodes.is_empty() {
        let branches = if nodes.len() > 3 { 2 } else { nodes.len() };
        let mut take = || {
            let node = nodes.swap_remove(random.random_range(0..nodes.len()));
            (node, f64::from(random.random_range(1..512)) / 1024.0)
        };
        let join: Vec<Branch> = (0..branches).map(|_| take()).collect();
        if branches == 2 {
            nodes.push(records + tree.joins.len());
        }
        tree.joins.push(join);
    }
    tree
}

/// Every sum and half is exact in these, so that ties are ties.
#[test]
fn joins_are_those_of_the_reference() {
    let random = &mut ChaCha8Rng::seed_from_u64(3);
    for records in (0..40).chain([64, 65, 100, 137]) {
        // Few values make many ties, down to all distances alike.
        for values in [1, 2, 5, 1024] {
            let matrix = symmetric(records, |_, _| f64::from(random.random_range(0..values) + 1) / 1024.0);
            assert_eq!(join(matrix.clone(), records), naive(&matrix, records), "{records} records, {values} values");
        }
    }
}

#[test]
fn equal_records_are_joined_in_their_order() {
    let tree = join(vec![0.0; 25], 5);
    let expected = [vec![(0, 0.0), (1, 0.0)], vec![(5, 0.0), (2, 0.0)], vec![(6, 0.0), (3, 0.0), (4, 0.0)]];
    assert_eq!(tree.joins, expected);
}

/// Distances along a tree have no other tree with lengths above 0 (Buneman 1971), so the lengths between all records tell whether
/// it is the same one.
#[test]
fn distances_along_a_tree_give_it_back() {
    let random = &mut ChaCha8Rng::seed_from_u64(4);
    for records in (3..60).chain([150, 300]) {
        let tree = random_tree(random, records);
        let matrix = patristic(&tree, records);
        let found = join(matrix.clone(), records);
        assert_eq!(found.joins.len(), records - 2);
        assert!(found.joins.iter().flatten().all(|&(_, length)| length > 0.000_9), "{records} records");
        let far = patristic(&found, records).iter().zip(&matrix).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(far < 1e-9, "{records} records: {far}");
    }
}

/// The matrix of Saitou and Nei's example as it is taught: five records, by hand.
#[test]
fn a_tree_by_hand() {
    let rows = [[0, 5, 9, 9, 8], [5, 0, 10, 10, 9], [9, 10, 0, 8, 7], [9, 10, 8, 0, 3], [8, 9, 7, 3, 0]];
    let tree = join(rows.iter().flatten().map(|&distance| f64::from(distance)).collect(), 5);
    let expected = [vec![(0, 2.0), (1, 3.0)], vec![(5, 3.0), (2, 4.0)], vec![(6, 2.0), (3, 2.0), (4, 1.0)]];
    assert_eq!(tree.joins, expected);
}

#[test]
fn few_records_and_lengths_below_zero() {
    assert!(join(vec![], 0).joins.is_empty());
    assert!(join(vec![0.0], 1).joins.is_empty());
    assert_eq!(join(vec![0.0, 0.5, 0.5, 0.0], 2).joins, [[(0, 0.25), (1, 0.25)]]);
    let tree = join(vec![0.0, 0.25, 0.25, 0.25, 0.0, 1.0, 0.25, 1.0, 0.0], 3);
    assert_eq!(tree.joins, [[(0, -0.25), (1, 0.5), (2, 0.5)]]);
}
