//! The lists: which anchors agree with a code.

use super::{Anchor, CODES};

/// Words of a bitmap: 2^19 bits, the next power of two above the codes, so that an index needs no check but a mask.
const WORDS: usize = 1 << 14;

/// A set of codes.
pub struct Bitmap(Box<[u32; WORDS]>);

impl Default for Bitmap {
    fn default() -> Self {
        Self(Box::new([0; WORDS]))
    }
}

impl Bitmap {
    /// Adds a code.
    pub fn add(&mut self, code: u32) {
        self.0[(code / 32) as usize % WORDS] |= 1 << (code % 32);
    }

    /// Whether it has a code.
    #[inline(always)]
    pub fn has(&self, code: u32) -> bool {
        self.0[(code / 32) as usize % WORDS] >> (code % 32) & 1 != 0
    }
}

/// Which anchors agree with a code.
pub struct Table {
    /// The list of code c is `list[starts[c]..starts[c + 1]]`; [`CODES`] + 1 numbers.
    starts: Vec<u32>,
    /// Indexes of anchors, ascending within a list.
    list: Vec<u32>,
    /// The codes that have a list.
    pub occupied: Bitmap,
}

impl Table {
    /// Lists the anchors under every code they agree with. Their [`Anchor::entries`] add up to less than 2^32.
    pub fn new(anchors: &[Anchor]) -> Self {
        let (mut starts, mut occupied) = (vec![0u32; CODES + 2], Bitmap::default());
        for anchor in anchors {
            anchor.each_agreeing(|code| starts[code as usize + 2] += 1);
        }
        for code in 2..CODES + 2 {
            if starts[code] > 0 {
                occupied.add(code as u32 - 2);
            }
            starts[code] += starts[code - 1];
        }
        // starts[c + 1] is where list c begins; filling moves it to the end, which is where list c + 1 begins.
        let mut list = vec![0; starts[CODES + 1] as usize];
        for (k, anchor) in anchors.iter().enumerate() {
            anchor.each_agreeing(|code| {
                let place = &mut starts[code as usize + 1];
                list[*place as usize] = k as u32;
                *place += 1;
            });
        }
        starts.truncate(CODES + 1);
        Self { starts, list, occupied }
    }

    /// The anchors that agree with `code`.
    #[inline]
    pub fn list(&self, code: u32) -> &[u32] {
        &self.list[self.starts[code as usize] as usize..self.starts[code as usize + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::ALL_WILD;
    use super::super::tests::{agree, anchor, window};
    use super::*;

    #[test]
    fn lists_hold_exactly_the_agreeing_anchors() {
        let anchors = ["ACGTACGT", "NNNNNNNN", "ANNNNNNT", "TTTTTTTT", "ACGTACGN"].map(anchor);
        let some = Table::new(&[anchors[0], anchors[3]]);
        let table = Table::new(&anchors);
        for code in 0..CODES {
            let want = (0..5).filter(|&k| agree(&anchors[k as usize], &window(code))).collect::<Vec<u32>>();
            assert_eq!(table.list(code as u32), want);
            assert!(table.occupied.has(code as u32));
            assert_eq!(some.occupied.has(code as u32), want.contains(&0) || want.contains(&3));
        }
        assert_eq!(table.list.len() as u64, anchors.iter().map(Anchor::entries).sum::<u64>());
        assert!(Table::new(&[]).list(ALL_WILD).is_empty());
    }
}
