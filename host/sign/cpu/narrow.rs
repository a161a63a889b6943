//! Windows of few letters, signed with 64 bits from a table: the lanes are not columns but windows.
//!
//! ```text
//! lane         0     1     2     3     4     5     6     7
//! row t, near  half 0      half 1      half 2      half 3          word t of each half: the pair of its entry,
//! row t, far   half 4      half 5      half 6      half 7          positive bits and inverted negative bits
//! sum          half 0 half 1 half 2 half 3 half 4 half 5 half 6 half 7
//! ```
//!
//! Eight halves are counted at a time ([`super::halves`]): the words that are shared, then the others on top. The two lanes
//! of a half are added in the end. A window's sum is that of its half and that of the next one's shared words, which are the
//! same planes one lane on. A word that is missing, with letters that make none or beyond the sequence's end, has the
//! neutral entry, which adds one to every count and nothing to the sum: so all windows have the same number of words, and a
//! bit is set when its count is more than that.

use super::halves::Halves;
use super::lanes::{LANES, Lanes};
use super::machine::Task;
use super::planes::{NEAR, Rows, above, add, count_near};
use super::vectors::Entries;
use super::work::Stretch;
use crate::sign::{Parameters, Window};
use std::ops::Range;

/// Starts of words whose codes are held at a time, unless eight halves have more.
const STARTS: usize = 4096;
/// Planes of a half's sum.
const PLANES: usize = NEAR + 1;

/// Whether windows are short enough: a lane counts at most 127 words of a half.
pub fn suits(parameters: &Parameters) -> bool {
    parameters.bits == 64 && matches!(parameters.window, Window::Length(w) if w < 256)
}

/// What a thread keeps from one sequence to the next.
#[derive(Default)]
pub struct Codes {
    /// Of the words, the missing one's where there is none.
    words: Vec<u32>,
    letters: Vec<u32>,
}

/// Windows of a sequence to sign.
pub struct Narrow<'a, 'b> {
    pub halves: Halves,
    pub entries: &'a Entries,
    pub codes: &'a mut Codes,
    pub stretch: Stretch<'b>,
}

/// The words of four halves, a row for each place in the half.
struct Four<'a> {
    pairs: &'a [[u64; 2]],
    codes: &'a [u32],
    step: usize,
}

impl Rows for Four<'_> {
    #[inline(always)]
    fn row(&self, k: usize) -> Lanes {
        let [a, b, c, d] = [0, 1, 2, 3].map(|half| self.pairs[self.codes[half * self.step + k] as usize]);
        Lanes([a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]])
    }
}

/// The sums of eight halves, as counts of ones.
#[derive(Clone, Copy)]
struct Eight {
    /// Of the words shared.
    shared: [Lanes; PLANES],
    /// Of all words.
    all: [Lanes; PLANES],
}

impl Eight {
    const EMPTY: Self = Self { shared: [Lanes::ZERO; PLANES], all: [Lanes::ZERO; PLANES] };

    #[inline(always)]
    fn count(halves: &Halves, pairs: &[[u64; 2]], codes: &[u32]) -> Self {
        let (near, far) = codes.split_at(codes.len() / 2);
        let step = halves.step;
        let (near, far) = (Four { pairs, codes: near, step }, Four { pairs, codes: far, step });
        let mut planes = [[Lanes::ZERO; NEAR]; 2];
        count_near(&mut planes[0], &near, 0..halves.shared);
        count_near(&mut planes[1], &far, 0..halves.shared);
        let shared = together(&planes);
        count_near(&mut planes[0], &near, halves.shared..halves.all);
        count_near(&mut planes[1], &far, halves.shared..halves.all);
        Self { shared, all: together(&planes) }
    }

    /// The bits of the eight windows that begin with these halves, of which `next` are those that follow.
    #[inline(always)]
    fn signs(&self, next: &Self, words: usize) -> Lanes {
        let mut planes = self.all;
        let mut carry = Lanes::ZERO;
        for (plane, (&shared, &next)) in planes.iter_mut().zip(self.shared.iter().zip(&next.shared)) {
            carry = add(plane, shared.followed_by(next), carry);
        }
        above(&planes, words as u32)
    }
}

/// Both lanes of each half.
#[inline(always)]
fn together([near, far]: &[[Lanes; NEAR]; 2]) -> [Lanes; PLANES] {
    let mut planes = [Lanes::ZERO; PLANES];
    let mut carry = Lanes::ZERO;
    for (plane, (&near, &far)) in planes.iter_mut().zip(near.iter().zip(far)) {
        *plane = near.evens(far);
        carry = add(plane, near.odds(far), carry);
    }
    planes[NEAR] = carry;
    planes
}

impl Task for Narrow<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let together = (STARTS / self.halves.step) as u64 / 8 * 8;
        let Range { start, end } = self.stretch.windows;
        for first in (start..end).step_by(together.max(8) as usize) {
            let count = together.max(8).min(end - first);
            self.sign((first - start) as usize, first..first + count);
        }
    }
}

impl Narrow<'_, '_> {
    /// Signs some windows, the first of which is window `at` of the stretch.
    #[inline(always)]
    fn sign(&mut self, at: usize, windows: Range<u64>) {
        let count = (windows.end - windows.start) as usize;
        let complete = self.find(windows.start as usize, count);
        let Self { halves, entries, codes, stretch } = self;
        let words = halves.all + halves.shared;
        let mut groups =
            codes.words.chunks_exact(8 * halves.step).map(|codes| Eight::count(halves, entries.pairs(), codes));
        let mut this = groups.next().expect("a window has a half");
        for bytes in stretch.bytes[8 * at..][..8 * count].chunks_mut(8 * LANES) {
            let next = groups.next().unwrap_or(Eight::EMPTY);
            let signs = this.signs(&next, words);
            for (bytes, sign) in bytes.chunks_exact_mut(8).zip(signs.0) {
                bytes.copy_from_slice(&sign.to_be_bytes());
            }
            this = next;
        }
        let first = windows.start as usize * halves.step;
        let starts = halves.starts(stretch.sequence);
        let has = |range: Range<usize>| {
            let mut words = codes.words[range.start.max(first) - first..].iter().take(range.len());
            if complete { !range.is_empty() } else { words.any(|&word| word < entries.codes.words) }
        };
        for (present, window) in stretch.present[at..][..count].iter_mut().zip(windows) {
            let ((shared, others), (next, _)) = (halves.of(window, starts), halves.of(window + 1, starts));
            *present = (has(shared) || has(others) || has(next)).into();
        }
    }

    /// Finds the codes of the words of some windows.
    #[inline(always)]
    fn find(&mut self, first: usize, windows: usize) -> bool {
        let Self { halves, entries, codes, stretch } = self;
        let starts = halves.starts(stretch.sequence);
        let length = (windows + 1).next_multiple_of(8) * halves.step;
        let from = (first * halves.step).min(starts);
        let to = starts.min(first * halves.step + length);
        entries.codes.find(stretch.sequence, from..to, &mut codes.words, &mut codes.letters);
        let complete = codes.words.iter().max() < Some(&entries.codes.words);
        codes.words.resize(length, entries.codes.words);
        complete
    }
}
