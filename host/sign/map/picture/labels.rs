//! Places names beside their points, so that they cover no points and no other names.
//!
//! A name tries the places right, left, above and below its point and between these, then the same places farther away,
//! where a line ties it to its point. It takes the first place that is free and inside the plane. Few names are drawn, so it
//! is rare that there is none; then the name is left out.

/// Font size of the names, in pixels.
pub const FONT_SIZE: i32 = 14;
/// Assumed width of a character, as fonts differ, and height of a line, in pixels.
const CHARACTER: i32 = 8;
const HEIGHT: i32 = 14;
/// Pixels from a point's middle that are kept free.
const POINT: i32 = 6;
/// How far from its point a name tries to stand, in pixels.
const RINGS: [i32; 9] = [8, 18, 32, 48, 66, 88, 112, 140, 170];
/// The name's directions from its point.
const DIRECTIONS: [(i32, i32); 8] = [(1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1)];

/// Pixels from the first to before the last, to the right and down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    pub x: (i32, i32),
    pub y: (i32, i32),
}

impl Rectangle {
    fn meets(self, other: Self) -> bool {
        self.x.0 < other.x.1 && other.x.0 < self.x.1 && self.y.0 < other.y.1 && other.y.0 < self.y.1
    }

    fn holds(self, other: Self) -> bool {
        self.x.0 <= other.x.0 && other.x.1 <= self.x.1 && self.y.0 <= other.y.0 && other.y.1 <= self.y.1
    }
}

/// The place of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub rectangle: Rectangle,
    /// The end of the line that ties it to its point: on the name's side or corner.
    pub anchor: (i32, i32),
    /// 1: the name runs right from the anchor, -1: left, 0: it is centred.
    pub right: i32,
    /// Whether it needs that line.
    pub is_far: bool,
}

/// A place inside `plane` for each name; `None` if there is no free one.
pub fn place(points: &[(i32, i32)], names: &[String], plane: Rectangle) -> Vec<Option<Place>> {
    let around = |&(x, y): &(i32, i32)| Rectangle { x: (x - POINT, x + POINT), y: (y - POINT, y + POINT) };
    let mut taken: Vec<Rectangle> = points.iter().map(around).collect();
    let free = |rectangle: Rectangle, taken: &[Rectangle]| {
        plane.holds(rectangle) && !taken.iter().any(|&other| rectangle.meets(other))
    };
    let mut find = |(&point, name): (&(i32, i32), &String)| {
        let width = CHARACTER * name.chars().count() as i32;
        let found = candidates(point, width).find(|candidate| free(candidate.rectangle, &taken))?;
        taken.push(found.rectangle);
        Some(found)
    };
    points.iter().zip(names).map(&mut find).collect()
}

fn candidates((x, y): (i32, i32), width: i32) -> impl Iterator<Item = Place> {
    let all = RINGS.into_iter().flat_map(|ring| DIRECTIONS.into_iter().map(move |direction| (ring, direction)));
    all.map(move |(ring, (right, down))| {
        let anchor = (x + right * ring, y + down * ring);
        // The side or corner of the name that is nearest to the point lies on the anchor.
        let start = |anchor: i32, direction: i32, length: i32| anchor - (1 - direction) * length / 2;
        let (left, top) = (start(anchor.0, right, width), start(anchor.1, down, HEIGHT));
        let rectangle = Rectangle { x: (left, left + width), y: (top, top + HEIGHT) };
        Place { rectangle, anchor, right, is_far: ring > RINGS[0] }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANE: Rectangle = Rectangle { x: (0, 800), y: (0, 600) };

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|k| format!("record {k}")).collect()
    }

    #[test]
    fn a_name_stands_right_of_its_point_where_there_is_room() {
        let places = place(&[(100, 100), (790, 300)], &names(2), PLANE);
        assert_eq!(places[0].unwrap().rectangle, Rectangle { x: (108, 172), y: (93, 107) });
        assert_eq!(places[1].unwrap().rectangle.x, (718, 782));
        assert!(!places[0].unwrap().is_far && !places[1].unwrap().is_far);
    }

    #[test]
    fn names_of_crowded_points_meet_nothing() {
        for points in [vec![(400, 300); 10], (0..40).map(|k| (300 + 23 * (k % 7), 250 + 17 * (k / 7))).collect()] {
            let places: Vec<Place> = place(&points, &names(points.len()), PLANE).into_iter().flatten().collect();
            assert!(places.len() * 10 >= points.len() * 9, "{} of {}", places.len(), points.len());
            for (k, place) in places.iter().enumerate() {
                assert!(PLANE.holds(place.rectangle));
                assert!(places[..k].iter().all(|other| !other.rectangle.meets(place.rectangle)));
                let on = |&(x, y): &(i32, i32)| place.rectangle.meets(Rectangle { x: (x, x + 1), y: (y, y + 1) });
                assert!(!points.iter().any(on));
            }
        }
    }
}
