//! Empty clusters take the points farthest from their centroids.

use std::cmp::Reverse;

/// Gives each empty cluster a point: see the definition in [`super`]. `of` and `distances` hold a cluster and a distance for
/// each point; there are at least as many points as clusters.
pub fn fill(of: &mut [u32], distances: &mut [u32], clusters: usize) {
    let mut sizes = vec![0u64; clusters];
    of.iter().for_each(|&cluster| sizes[cluster as usize] += 1);
    let empty: Vec<usize> = (0..clusters).filter(|&cluster| sizes[cluster] == 0).collect();
    if empty.is_empty() {
        return;
    }
    // Taking a point makes no other point one that could be taken, so one pass over the points in order serves all.
    let mut waiting: Vec<usize> = (0..of.len()).collect();
    waiting.sort_by_key(|&point| Reverse(distances[point]));
    let mut waiting = waiting.into_iter();
    for cluster in empty {
        let farthest = waiting.find(|&point| sizes[of[point] as usize] > 1);
        let point = farthest.expect("fewer clusters with members than points, so one has two members");
        sizes[of[point] as usize] -= 1;
        sizes[cluster] = 1;
        of[point] = cluster as u32;
        distances[point] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(of: &[u32], distances: &[u32], clusters: usize) -> (Vec<u32>, Vec<u32>) {
        let (mut of, mut distances) = (of.to_vec(), distances.to_vec());
        fill(&mut of, &mut distances, clusters);
        (of, distances)
    }

    #[test]
    fn nothing_moves_without_an_empty_cluster() {
        assert_eq!(filled(&[1, 0, 1], &[5, 6, 7], 2), (vec![1, 0, 1], vec![5, 6, 7]));
    }

    #[test]
    fn the_farthest_point_goes_and_of_equals_the_first() {
        assert_eq!(filled(&[0, 0, 0, 0], &[3, 9, 1, 9], 2), (vec![0, 1, 0, 0], vec![3, 0, 1, 9]));
        assert_eq!(filled(&[1, 1, 1, 1], &[3, 9, 1, 9], 4), (vec![3, 0, 1, 2], vec![0, 0, 1, 0]));
    }

    #[test]
    fn a_point_alone_in_its_cluster_stays() {
        assert_eq!(filled(&[2, 0, 0], &[9, 1, 0], 3), (vec![2, 1, 0], vec![9, 0, 0]));
        assert_eq!(filled(&[0, 0, 0], &[0, 0, 0], 3), (vec![1, 2, 0], vec![0, 0, 0]));
    }
}
