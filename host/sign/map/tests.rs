//! Points are recovered from their distances; silhouettes are those of the definition.

use super::groups::Groups;
use super::silhouette::silhouettes;
use super::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Points of a space, and their Euclidean distances.
struct Euclid<const N: usize>(Vec<[f64; N]>);

impl<const N: usize> Euclid<N> {
    fn random(count: usize, scale: [f64; N]) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(count as u64);
        Self((0..count).map(|_| scale.map(|scale| scale * random.random_range(-1.0..1.0))).collect())
    }

    fn distance(&self, a: usize, b: usize) -> f64 {
        distance(&self.0[a], &self.0[b])
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

impl<const N: usize> Distances for Euclid<N> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn block(&mut self, rows: &[usize], columns: &[usize]) -> Result<Vec<f64>> {
        Ok(rows
            .iter()
            .flat_map(|&row| columns.iter().map(move |&column| (row, column)))
            .map(|(a, b)| self.distance(a, b))
            .collect())
    }
}

fn assert_distances_kept<const N: usize>(space: &Euclid<N>, map: &Map) {
    for a in 0..space.len() {
        for b in 0..a {
            let (wanted, found) = (space.distance(a, b), distance(&map.points[a], &map.points[b]));
            assert!((wanted - found).abs() < 1e-9, "{a} to {b}: {found} for {wanted}");
        }
    }
}

fn assert_same(a: &[[f64; 2]], b: &[[f64; 2]]) {
    assert_eq!(a.len(), b.len());
    let apart = a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-9, "{apart}");
}

#[test]
fn points_of_a_plane_come_back() {
    for count in [2, 3, 4, 10, 60] {
        let mut space = Euclid::random(count, [3.0, 1.0]);
        let map = map(&mut space, 1).unwrap();
        assert_distances_kept(&space, &map);
        assert!((map.share() - 1.0).abs() < 1e-9 && map.shares[0] >= map.shares[1], "{:?}", map.shares);
    }
}

#[test]
fn a_rectangle_lies_along_its_sides() {
    let mut space = Euclid(vec![[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0]]);
    assert_same(&map(&mut space, 1).unwrap().points, &[[2.0, 1.0], [-2.0, 1.0], [-2.0, -1.0], [2.0, -1.0]]);
}

#[test]
fn landmarks_place_points_of_a_plane_as_all_of_them_do() {
    let mut space = Euclid::random(400, [2.0, 1.0]);
    let of_all = map(&mut space, 1).unwrap();
    for (count, seed) in [(3, 4), (50, 5), (399, 6), (1000, 7)] {
        let mut by_landmarks = landmark::map(&mut space, count, seed).unwrap();
        axes::orient(&mut by_landmarks.points);
        assert_same(&by_landmarks.points, &of_all.points);
    }
}

#[test]
fn many_points_are_placed_by_landmarks() {
    let mut space = Euclid::random(CLASSICAL_MAX + 500, [1.0, 0.5]);
    let map = map(&mut space, 1).unwrap();
    assert_distances_kept(
        &Euclid(space.0[..80].to_vec()),
        &Map { points: map.points[..80].to_vec(), shares: [0.5; 2] },
    );
}

#[test]
fn no_record_one_and_equal_ones() {
    assert_eq!(map(&mut Euclid::<2>(vec![]), 1).unwrap(), Map::default());
    assert_eq!(map(&mut Euclid(vec![[7.0, 7.0]]), 1).unwrap().points, [[0.0; 2]]);
    let same = map(&mut Euclid(vec![[7.0, 7.0]; 5]), 1).unwrap();
    assert_eq!((same.points, same.shares), (vec![[0.0; 2]; 5], [0.0; 2]));
    let mut many = Euclid(vec![[7.0]; CLASSICAL_MAX + 1]);
    assert_eq!(map(&mut many, 1).unwrap().points, vec![[0.0; 2]; CLASSICAL_MAX + 1]);
}

#[test]
fn two_records_lie_on_the_first_axis() {
    assert_same(&map(&mut Euclid(vec![[1.0], [4.0]]), 1).unwrap().points, &[[1.5, 0.0], [-1.5, 0.0]]);
}

#[test]
fn equal_records_share_a_point() {
    let points = map(&mut Euclid(vec![[0.0, 0.0], [3.0, 1.0], [0.0, 0.0], [1.0, 5.0]]), 1).unwrap().points;
    assert_same(&points[..1], &points[2..3]);
}

/// By the definition, all means afresh.
fn naive(space: &Euclid<2>, of: &[Option<usize>], count: usize) -> (Vec<f64>, f64) {
    let mean = |record: usize, group: usize| {
        let others: Vec<usize> = (0..of.len()).filter(|&k| k != record && of[k] == Some(group)).collect();
        (!others.is_empty())
            .then(|| others.iter().map(|&other| space.distance(record, other)).sum::<f64>() / others.len() as f64)
    };
    let one = |record: usize, own: usize| {
        let Some(a) = mean(record, own) else { return 0.0 };
        let b =
            (0..count).filter(|&group| group != own).filter_map(|group| mean(record, group)).fold(f64::MAX, f64::min);
        (b - a) / a.max(b)
    };
    let each: Vec<(usize, f64)> = (0..of.len()).filter_map(|k| of[k].map(|own| (own, one(k, own)))).collect();
    let average = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
    let of_group = |wanted| each.iter().filter(|(group, _)| *group == wanted).map(|(_, value)| *value).collect();
    (
        (0..count).map(|group| average(of_group(group))).collect(),
        average(each.iter().map(|(_, value)| *value).collect()),
    )
}

#[test]
fn silhouettes_are_those_of_the_definition() {
    let mut space = Euclid::random(60, [2.0, 1.0]);
    let names: [Option<&[u8]>; 6] = [Some(b"a"), Some(b"b"), None, Some(b"a"), Some(b"c"), Some(b"b")];
    let groups = Groups::new((0..59).map(|k| names[k % 6]).chain([Some(&b"alone"[..])]));
    let found = silhouettes(&mut space, &groups).unwrap().unwrap();
    let (of_groups, mean) = naive(&space, &groups.of, groups.names.len());
    assert!(found.of_groups.iter().zip(&of_groups).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {of_groups:?}");
    assert!((found.mean - mean).abs() < 1e-12 && found.of_groups[3] == 0.0);
}

#[test]
fn groups_far_apart_have_silhouettes_near_one() {
    let points = (0..40).map(|k| [f64::from(k % 2) * 1000.0, f64::from(k)]).collect();
    let groups = Groups::new((0..40).map(|k| Some(if k % 2 == 0 { &b"left"[..] } else { b"right" })));
    let found = silhouettes(&mut Euclid(points), &groups).unwrap().unwrap();
    assert!(found.mean > 0.97 && found.of_groups.iter().all(|&each| each > 0.97), "{found:?}");
}

#[test]
fn one_group_has_no_silhouette() {
    let groups = Groups::new([Some(&b"a"[..]), None, Some(b"a")].into_iter());
    assert_eq!(silhouettes(&mut Euclid(vec![[0.0], [1.0], [2.0]]), &groups).unwrap(), None);
}
