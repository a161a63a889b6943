//! Neighbour joining ([`super`]) in the memory of the matrix.
//!
//! The nodes that are left stand side by side in the first rows and columns: where a node goes, the last one takes its row and
//! column. So the order of rows is not that of nodes, of which [`Nodes::places`] tells.

use super::{Branch, Node, Tree};
use rayon::prelude::*;

/// Numbers that are looked through side by side.
const LANES: usize = 8;

/// Joins n records. `distances` has n x n of them, row after row, and is symmetric.
///
/// # Panics
/// When it has not n x n.
pub fn join(distances: Vec<f64>, records: usize) -> Tree {
    let mut nodes = Nodes::new(distances, records);
    while nodes.len() > 3 {
        let (i, j) = nodes.nearest();
        nodes.join(i, j);
    }
    nodes.finish()
}

struct Nodes {
    /// Row and column r are of node `nodes[r]`; a row takes as much as at the beginning.
    distances: Vec<f64>,
    width: usize,
    nodes: Vec<Node>,
    /// The sum of each row.
    sums: Vec<f64>,
    /// Where each node stands in the order of nodes: the number of its first record in that order.
    places: Vec<usize>,
    next: Node,
    tree: Tree,
}

impl Nodes {
    fn new(distances: Vec<f64>, width: usize) -> Self {
        assert_eq!(distances.len(), width * width, "a distance for each two records");
        let sums = distances.chunks_exact(width.max(1)).map(|row| row.iter().sum()).collect();
        let records: Vec<Node> = (0..width).collect();
        Self { distances, width, places: records.clone(), nodes: records, sums, next: width, tree: Tree::default() }
    }

    fn len(&self) -> usize {
        self.nodes.len()
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.distances[i * self.width + j]
    }

    /// The rows of the pair to join, the first in the order of nodes first.
    fn nearest(&self) -> (usize, usize) {
        let scale = (self.len() - 2) as f64;
        let row = |i: usize| (&self.distances[i * self.width..][..i], &self.sums[..i], self.sums[i]);
        let least: Vec<f64> = (1..self.len()).into_par_iter().map(|i| least(scale, row(i))).collect();
        let best = least.iter().copied().fold(f64::INFINITY, f64::min);
        let rows = (1..self.len()).into_par_iter().filter(|&i| least[i - 1] == best);
        let pairs = rows.flat_map_iter(|i| {
            let (distances, sums, sum) = row(i);
            let is_best = move |&j: &usize| q(scale, distances[j], sums[j], sum) == best;
            (0..i).filter(is_best).map(move |j| if self.places[i] < self.places[j] { (i, j) } else { (j, i) })
        });
        pairs.min_by_key(|&(i, j)| (self.places[i], self.places[j])).expect("two nodes have the least")
    }

    /// Joins two rows to one, which is that of the first.
    fn join(&mut self, i: usize, j: usize) {
        let (between, lean) = (self.at(i, j), (self.sums[i] - self.sums[j]) / (2 * (self.len() - 2)) as f64);
        let first = between / 2.0 + lean;
        self.tree.joins.push(vec![(self.nodes[i], first), (self.nodes[j], between - first)]);
        let mut sum = 0.0;
        for k in (0..self.len()).filter(|&k| k != i && k != j) {
            let [to_i, to_j] = [self.at(i, k), self.at(j, k)];
            let distance = (to_i + to_j - between) / 2.0;
            self.sums[k] += distance - to_i - to_j;
            sum += distance;
            self.distances[i * self.width + k] = distance;
            self.distances[k * self.width + i] = distance;
        }
        (self.sums[i], self.nodes[i]) = (sum, self.next);
        self.next += 1;
        self.remove(j);
    }

    /// Removes a row and its column. The last ones take their place.
    fn remove(&mut self, j: usize) {
        let (last, width) = (self.len() - 1, self.width);
        self.distances.copy_within(last * width..last * width + last, j * width);
        (0..last).for_each(|k| self.distances[k * width + j] = self.distances[j * width + k]);
        self.distances[j * width + j] = 0.0;
        self.nodes.swap_remove(j);
        self.sums.swap_remove(j);
        self.places.swap_remove(j);
    }

    /// The tree, when at most three nodes are left.
    fn finish(mut self) -> Tree {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|&row| self.places[row]);
        let length = |row: usize| match order[..] {
            [a, b] => self.at(a, b) / 2.0,
            _ => {
                let others: Vec<usize> = order.iter().copied().filter(|&other| other != row).collect();
                (self.at(row, others[0]) + self.at(row, others[1]) - self.at(others[0], others[1])) / 2.0
            }
        };
        if order.len() > 1 {
            let last: Vec<Branch> = order.iter().map(|&row| (self.nodes[row], length(row))).collect();
            self.tree.joins.push(last);
        }
        self.tree
    }
}

#[inline(always)]
fn q(scale: f64, distance: f64, one: f64, other: f64) -> f64 {
    scale * distance - (one + other)
}

/// The least Q of a row.
fn least(scale: f64, (distances, sums, sum): (&[f64], &[f64], f64)) -> f64 {
    let ((eights, rest), (sum_eights, sums_rest)) = (distances.as_chunks::<LANES>(), sums.as_chunks::<LANES>());
    let mut least = [f64::INFINITY; LANES];
    for (distances, sums) in eights.iter().zip(sum_eights) {
        for lane in 0..LANES {
            let q = q(scale, distances[lane], sums[lane], sum);
            least[lane] = if q < least[lane] { q } else { least[lane] };
        }
    }
    let rest = rest.iter().zip(sums_rest).map(|(&distance, &other)| q(scale, distance, other, sum));
    rest.chain(least).fold(f64::INFINITY, f64::min)
}
