//! The forward pass of one group of lanes over one strip.
//!
//! Instructions for two cells of a couple, local: linear PRMT, add, add-max-0, add-max and half a max3; affine PRMT, add,
//! twice add and add-max, max3-0 and half a max3. Of these all but the adds share one pipe of 64 lanes per clock.

use super::cell::{self, Best, Scores, transpose};
use crate::abi::{ForwardArgs, mode};
use crate::tuning::{CHECKPOINT, LETTERS};
use core::marker::PhantomData;
use cuda_std::bits::byte_permute;
use cuda_std::{Shared, U32x4, warp};

/// Repeats a block for each number. Arrays stay in registers only where all indices are known, and LLVM leaves a loop of this
/// size as it is.
macro_rules! each {
    ($index:ident in $($number:literal)*; $block:block) => { $({ let $index: usize = $number; $block })* };
}

/// Repeats a block for each four of up to 32 columns: their number, and the first of them.
macro_rules! each_quad {
    ($quad:ident, $first:ident of $columns:ident; $block:block) => {
        each!(at in 0 1 2 3 4 5 6 7; {
            let ($quad, $first) = (at as u32, 4 * at);
            if $first < $columns $block
        })
    };
}

/// What one launch of the forward pass is compiled for.
pub trait Kind {
    type Scores: Scores;
    const AFFINE: bool;
    const LOCAL: bool;
    /// Checkpoints are saved; otherwise the best cell's column is found from copies of the best rows.
    const SAVED: bool;
}

/// Bytes of shared memory of a warp: profiles, copies of the best rows, the code of each letter.
pub const fn shared_bytes(codes: u32, columns: u32, pairs: u32, saved: bool) -> u32 {
    let copies = if saved { 0 } else { pairs * 32 * columns * 2 };
    pairs * (codes + 1) * 32 * columns + copies + CODES
}

/// Shared memory for the code of each letter, and of `PADDING`.
const CODES: u32 = 272;
/// Stands for a letter outside a sequence.
const PADDING: u32 = 256;

/// The item of a group: which couple, strip and steps.
struct Place {
    rows: u32,
    columns: u32,
    results: u32,
    strip: u32,
    first: u32,
    end: u32,
    /// Steps of the whole couple, a multiple of `CHECKPOINT`.
    steps: u32,
    /// Lanes of a group, this lane in it.
    width: u32,
    lane: u32,
    /// Query letters of each pair, and where they start.
    lengths: [u32; 2],
    starts: [u32; 2],
}

impl Place {
    #[inline(always)]
    fn first_column(&self, columns: usize) -> u32 {
        (self.strip * self.width + self.lane) * columns as u32
    }

    #[inline(always)]
    fn column_checkpoint(&self, strip: u32, step: u32, lane: u32) -> u32 {
        self.columns + (strip * (self.steps / 4) + step / 4) * self.width + lane
    }

    #[inline(always)]
    fn row_checkpoint(&self, step: u32, quads: u32) -> u32 {
        let checkpoints = self.steps / CHECKPOINT + 1;
        self.rows + (self.strip * checkpoints + step / CHECKPOINT) * quads * self.width + self.lane
    }
}

/// What enters a group from the left: for each of the next `width` steps, held by the lane of that number; the letters are
/// those of the row after.
struct Feed {
    letters: u32,
    h: u32,
    e: u32,
}

/// A lane's part of the matrix: `R` columns, a multiple of 16.
pub struct Lane<'a, K: Kind, const R: usize> {
    args: &'a ForwardArgs,
    place: Place,
    profile: Shared<U32x4>,
    codes: Shared<u8>,
    h: [u32; R],
    f: [u32; R],
    e: u32,
    /// Scores above these may be the end's.
    best: u32,
    /// The group's best scores when they were last shared.
    shared: u32,
    /// The best cells noted.
    noted: [i32; 2],
    noted_rows: [u32; 2],
    /// Where the next row's scores are in the profile: first pair below, second above.
    letters: u32,
    /// This row's scores, loaded a step before they are used: that hides the load where warps are few.
    scores: [[U32x4; 2]; 2],
    /// H left of the first column, in the last row.
    left: u32,
    open: u32,
    extend: u32,
    kind: PhantomData<K>,
}

/// Aligns the item of this lane's group. All lanes of the warp call.
#[inline(always)]
pub fn align<K: Kind, const R: usize>(args: &ForwardArgs, group: u32) {
    let items = args.items.len() as u32;
    // A group without an item goes along with the last one, and writes nothing.
    let item = group.min(items - 1);
    let mut place = locate::<K>(args, item);
    if group >= items {
        (place.end, place.lengths) = (0, [0; 2]);
    }
    let pairs = K::Scores::PAIRS;
    let profile = Shared::at(0, pairs * (args.rules.codes + 1) * 32 * (R as u32 / 16));
    let codes = copy_codes(args, shared_bytes(args.rules.codes, R as u32, pairs, K::SAVED) - CODES);
    build_profile::<K, R>(args, &place, item, &profile);
    let mut lane = Lane::<K, R>::new(args, place, profile, codes);
    lane.run();
    lane.finish();
}

/// The code of each letter, in shared memory at `offset`.
#[inline(always)]
fn copy_codes(args: &ForwardArgs, offset: u32) -> Shared<u8> {
    let codes = Shared::at(offset, PADDING + 1);
    let mut letter = warp::lane_id();
    while letter < PADDING {
        codes.write(letter, args.pairs.codes.read(letter));
        letter += 32;
    }
    if warp::lane_id() == 0 {
        codes.write(PADDING, args.rules.codes as u8);
    }
    warp::sync();
    codes
}

#[inline(always)]
fn locate<K: Kind>(args: &ForwardArgs, item: u32) -> Place {
    let [couple, strip, first, _] = args.items.read(item).0;
    let [rows, columns, steps, results] = args.couples.read(couple).0;
    let width = args.rules.width;
    let pairs = K::Scores::PAIRS;
    let [start, length, ..] = args.pairs.places.read(couple * pairs).0;
    let [other_start, other_length, ..] = args.pairs.places.read(couple * pairs + pairs - 1).0;
    Place {
        rows,
        columns,
        results,
        strip,
        first,
        end: steps.min(first + args.rules.chunk),
        steps,
        width,
        lane: warp::lane_id() & (width - 1),
        lengths: [length, other_length],
        starts: [start, other_start],
    }
}

/// Writes this lane's columns of the profiles: only this lane reads them.
#[inline(always)]
fn build_profile<K: Kind, const R: usize>(args: &ForwardArgs, place: &Place, item: u32, profile: &Shared<U32x4>) {
    let codes = args.rules.codes;
    let couple = args.items.read(item).0[0];
    let mut pair = 0;
    while pair < K::Scores::PAIRS {
        let [_, _, start, length] = args.pairs.places.read(couple * K::Scores::PAIRS + pair).0;
        let base = pair * (codes + 1) * (R as u32 / 16) * 32 + warp::lane_id();
        let mut part = 0;
        while part < R as u32 / 16 {
            let first = place.first_column(R) + part * 16;
            let mut targets = [0u32; 16];
            each!(k in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; {
                let column = first + k as u32;
                // Columns past the end read the scores of the padding's code, which are all negative.
                let code = if column < length {
                    u32::from(args.pairs.codes.read(u32::from(args.pairs.targets.read(start + column))))
                } else {
                    LETTERS - 1
                };
                targets[k] = code * (LETTERS / 4);
            });
            let mut quad = 0;
            while quad * 4 <= codes {
                profile_rows::<R>(args, &targets, quad, base + part * 32, profile);
                quad += 1;
            }
            part += 1;
        }
        pair += 1;
    }
}

/// Four letters' rows of a profile.
#[inline(always)]
fn profile_rows<const R: usize>(
    args: &ForwardArgs,
    targets: &[u32; 16],
    quad: u32,
    base: u32,
    profile: &Shared<U32x4>,
) {
    let mut rows = [[0u32; 4]; 4];
    each!(k in 0 1 2 3; {
        let at = |j: usize| args.pairs.scores.read(targets[4 * k + j] + quad);
        rows[k] = transpose([at(0), at(1), at(2), at(3)]);
    });
    each!(j in 0 1 2 3; {
        let code = quad * 4 + j as u32;
        if code <= args.rules.codes {
            let row = U32x4([rows[0][j], rows[1][j], rows[2][j], rows[3][j]]);
            profile.write(code * (R as u32 / 16) * 32 + base, row);
        }
    });
}

impl<'a, K: Kind, const R: usize> Lane<'a, K, R> {
    /// 128-bit elements of a lane's columns.
    const QUADS: u32 = R as u32 / 4;

    #[inline(always)]
    fn new(args: &'a ForwardArgs, place: Place, profile: Shared<U32x4>, codes: Shared<u8>) -> Self {
        let rules = &args.rules;
        let lowest = K::Scores::splat(K::Scores::LOWEST);
        let mut lane = Self {
            args,
            profile,
            codes,
            h: [0; R],
            f: [lowest; R],
            e: lowest,
            best: 0,
            shared: 0,
            noted: [0; 2],
            noted_rows: [0; 2],
            letters: 0,
            scores: [[U32x4([0; 4]); 2]; 2],
            left: 0,
            open: K::Scores::splat(-rules.open),
            extend: K::Scores::splat(-rules.extend),
            place,
            kind: PhantomData,
        };
        lane.letters = lane.scores_of(lane.row_letters(lane.place.first.wrapping_sub(lane.place.lane)));
        lane.scores = lane.load_scores();
        if K::SAVED && lane.place.first != 0 {
            lane.resume();
        } else if !K::LOCAL {
            lane.start();
        }
        lane
    }

    /// The border above the first row.
    #[inline(always)]
    fn start(&mut self) {
        let first = self.place.first_column(R);
        self.left = K::Scores::splat(self.above(first));
        each_quad!(_quad, r of R; {
            each!(k in 0 1 2 3; {
                self.h[r + k] = K::Scores::splat(self.above(first + (r + k) as u32 + 1));
            });
        });
    }

    /// H of row 0 in column `j`.
    #[inline(always)]
    fn above(&self, j: u32) -> i32 {
        let rules = &self.args.rules;
        if rules.mode == mode::GLOBAL { cell::gap(j, rules.open, rules.extend) } else { 0 }
    }

    /// H of column 0 in row `i`.
    #[inline(always)]
    fn beside(&self, i: u32) -> i32 {
        let rules = &self.args.rules;
        let charged = rules.mode == mode::GLOBAL || rules.mode == mode::FIT;
        if charged { cell::gap(i, rules.open, rules.extend) } else { 0 }
    }

    /// The state before step `first`, from the checkpoints of the chunk before.
    #[inline(always)]
    fn resume(&mut self) {
        let Place { first, lane, width, .. } = self.place;
        let at = self.place.row_checkpoint(first, Self::QUADS);
        each_quad!(quad, r of R; {
            let h = self.args.checkpoints.rows_h.read(at + quad * width).0;
            [self.h[r], self.h[r + 1], self.h[r + 2], self.h[r + 3]] = h;
            if K::AFFINE {
                let f = self.args.checkpoints.rows_f.read(at + quad * width).0;
                [self.f[r], self.f[r + 1], self.f[r + 2], self.f[r + 3]] = f;
            }
        });
        if K::AFFINE {
            self.e = self.saved_column(true, self.place.strip, first - 1, lane);
        }
        let row = first - 1 - lane;
        self.left = if lane != 0 {
            self.saved_column(false, self.place.strip, first - 2, lane - 1)
        } else if self.place.strip != 0 {
            self.saved_column(false, self.place.strip - 1, row + width - 1, width - 1)
        } else {
            K::Scores::splat(if K::LOCAL { 0 } else { self.beside(row + 1) })
        };
    }

    /// H (or E) of a lane's last column after a step.
    #[inline(always)]
    fn saved_column(&self, e: bool, strip: u32, step: u32, lane: u32) -> u32 {
        let columns = if e { &self.args.checkpoints.columns_e } else { &self.args.checkpoints.columns_h };
        let [a, b, c, d] = columns.read(self.place.column_checkpoint(strip, step, lane)).0;
        match step % 4 {
            0 => a,
            1 => b,
            2 => c,
            _ => d,
        }
    }

    /// Each pair's letter in row `row`.
    #[inline(always)]
    fn row_letters(&self, row: u32) -> [u32; 2] {
        let mut letters = [PADDING; 2];
        each!(pair in 0 1; {
            if pair < K::Scores::PAIRS as usize && row < self.place.lengths[pair] {
                letters[pair] = u32::from(self.args.pairs.queries.read(self.place.starts[pair] + row));
            }
        });
        letters
    }

    /// Where the profiles of a row's letters start.
    #[inline(always)]
    fn scores_of(&self, letters: [u32; 2]) -> u32 {
        let codes = self.args.rules.codes;
        let mut offsets = 0;
        each!(pair in 0 1; {
            if pair < K::Scores::PAIRS as usize {
                let code = u32::from(self.codes.read(letters[pair]));
                offsets |= (pair as u32 * (codes + 1) + code) * (R as u32 / 16) * 32 << (16 * pair);
            }
        });
        offsets
    }

    /// What enters the group in the `width` steps from `step` on; `letters` are those of this lane's row of them.
    #[inline(always)]
    fn feed(&self, step: u32, letters: [u32; 2]) -> Feed {
        let Place { strip, lane, width, steps, .. } = self.place;
        let row = step + lane;
        let lowest = K::Scores::splat(K::Scores::LOWEST);
        let mut feed = Feed { letters: self.scores_of(letters), h: 0, e: lowest };
        // The steps are rounded up, so the strip to the left ends before the last rows, which are padding.
        if K::SAVED && strip != 0 && row + width - 1 < steps {
            feed.h = self.saved_column(false, strip - 1, row + width - 1, width - 1);
            if K::AFFINE {
                feed.e = self.saved_column(true, strip - 1, row + width - 1, width - 1);
            }
        } else if !K::LOCAL && strip == 0 {
            feed.h = K::Scores::splat(self.beside((row + 1).min(self.place.lengths[0].max(self.place.lengths[1]))));
        }
        feed
    }

    #[inline(always)]
    fn run(&mut self) {
        let Place { first, end, width, lane, .. } = self.place;
        let mut step = first;
        // Loaded a feed ahead: where warps are few, nothing else hides the load.
        let mut letters = self.row_letters(first + lane + 1);
        // All groups of a warp take as many steps as the longest. Those are padding for the others, because only couples
        // with a warp of their own are cut into chunks.
        while warp::ballot(step < end) != 0 {
            let feed = self.feed(step, letters);
            letters = self.row_letters(step + width + lane + 1);
            if K::LOCAL {
                self.share_best();
            }
            let mut k = 0;
            while k < width {
                self.four_steps(&feed, step, k);
                k += 4;
            }
            step += width;
        }
    }

    /// Steps `from + k .. from + k + 4`, and what is saved after them.
    #[inline(always)]
    fn four_steps(&mut self, feed: &Feed, from: u32, k: u32) {
        let mut h = [0; 4];
        let mut e = [0; 4];
        self.step(feed, from, k);
        (h[0], e[0]) = (self.h[R - 1], self.e);
        self.step(feed, from, k + 1);
        (h[1], e[1]) = (self.h[R - 1], self.e);
        self.step(feed, from, k + 2);
        (h[2], e[2]) = (self.h[R - 1], self.e);
        self.step(feed, from, k + 3);
        (h[3], e[3]) = (self.h[R - 1], self.e);
        if K::SAVED && from + k < self.place.end {
            let Place { strip, lane, .. } = self.place;
            let at = self.place.column_checkpoint(strip, from + k, lane);
            self.args.checkpoints.columns_h.write(at, U32x4(h));
            if K::AFFINE {
                self.args.checkpoints.columns_e.write(at, U32x4(e));
            }
            if (from + k + 4) % CHECKPOINT == 0 {
                self.save_row(from + k + 4);
            }
        }
    }

    /// Saves the lane's columns as they are before step `step`.
    #[inline(always)]
    fn save_row(&self, step: u32) {
        let at = self.place.row_checkpoint(step, Self::QUADS);
        each_quad!(quad, r of R; {
            let Self { h, f, .. } = self;
            let at = at + quad * self.place.width;
            self.args.checkpoints.rows_h.write(at, U32x4([h[r], h[r + 1], h[r + 2], h[r + 3]]));
            if K::AFFINE {
                self.args.checkpoints.rows_f.write(at, U32x4([f[r], f[r + 1], f[r + 2], f[r + 3]]));
            }
        });
    }

    /// One row in each lane.
    #[inline(always)]
    fn step(&mut self, feed: &Feed, from: u32, k: u32) {
        let Place { width, lane, strip, .. } = self.place;
        let letters = warp::shuffle_up(self.letters, 1, width);
        let mut h = warp::shuffle_up(self.h[R - 1], 1, width);
        let mut e = if K::AFFINE { warp::shuffle_up(self.e, 1, width) } else { 0 };
        let next = warp::shuffle(feed.letters, k, width);
        self.letters = if lane == 0 { next } else { letters };
        if !K::LOCAL || K::SAVED && strip != 0 {
            let next_h = warp::shuffle(feed.h, k, width);
            h = if lane == 0 { next_h } else { h };
        } else if lane == 0 {
            h = 0;
        }
        if K::AFFINE {
            let next_e = if K::SAVED && strip != 0 { warp::shuffle(feed.e, k, width) } else { feed.e };
            e = if lane == 0 { next_e } else { e };
        }
        let row = (from + k).wrapping_sub(lane);
        let [first, second] = self.place.lengths;
        let next_scores = self.load_scores();
        if K::LOCAL {
            let before = self.best;
            self.row(h, e);
            if self.best != before {
                self.improved(before, row);
            }
        } else if row < first.max(second) {
            self.row(h, e);
            if row + 1 == first || row + 1 == second {
                self.save_last(row + 1);
            }
        }
        let [[a, b], [c, d]] = next_scores;
        self.scores = [[a, b], [c, d]];
    }

    /// The scores of the row that `letters` names: 16 columns an element, first and second pair.
    #[inline(always)]
    fn load_scores(&self) -> [[U32x4; 2]; 2] {
        let lane = warp::lane_id();
        let (first, second) = ((self.letters & 0xffff) + lane, (self.letters >> 16) + lane);
        let mut scores = [[U32x4([0; 4]); 2]; 2];
        each!(part in 0 1; {
            if part * 16 < R {
                scores[0][part] = self.profile.read(first + part as u32 * 32);
                if K::Scores::PAIRS == 2 {
                    scores[1][part] = self.profile.read(second + part as u32 * 32);
                }
            }
        });
        scores
    }

    /// The cells of one row: `h` and `e` come from the left.
    #[inline(always)]
    fn row(&mut self, h: u32, e: u32) {
        let mut diagonal = self.left;
        let (mut left, mut e) = (h, e);
        self.left = h;
        // A best cell is reached diagonally, for gaps only cost. Looking at the candidates rather than at H keeps the sum in a
        // register of its own, and ptxas from fusing it with a maximum that is better taken of three.
        each!(r in 0 16; { if r < R {
            let (first, second) = (self.scores[0][r / 16].0, self.scores[1][r / 16].0);
            each!(q in 0 1 2 3; {
                let mut candidates = [0; 4];
                each!(byte in 0 1 2 3; {
                    let score = K::Scores::pick(first[q], second[q], byte as u32);
                    let at = r + 4 * q + byte;
                    let candidate = K::Scores::add(diagonal, score);
                    diagonal = self.h[at];
                    left = if K::AFFINE {
                        let up = K::Scores::add_max::<false>(diagonal, self.open, K::Scores::add(self.f[at], self.extend));
                        e = K::Scores::add_max::<false>(left, self.open, K::Scores::add(e, self.extend));
                        self.f[at] = up;
                        max_of_three::<K>(candidate, up, e)
                    } else {
                        K::Scores::add_max::<false>(left, self.open, up::<K>(diagonal, self.open, candidate))
                    };
                    self.h[at] = left;
                    candidates[byte] = candidate;
                });
                if K::LOCAL {
                    let [a, b, c, d] = candidates;
                    self.best = K::Scores::max3::<false>(self.best, a, b);
                    self.best = K::Scores::max3::<false>(self.best, c, d);
                }
            });
        } });
        self.e = e;
    }

    /// Raises what a lane looks for to one below the group's best score, so that only cells that may be the end are noted:
    /// a lane to the right is in an earlier row, and its cell goes before an equal one. `width` steps later it is not, and
    /// a cell has to be better.
    #[inline(always)]
    fn share_best(&mut self) {
        let mut best = K::Scores::join(self.noted);
        let mut apart = self.place.width / 2;
        while apart > 0 {
            let other = warp::shuffle_xor(best, apart);
            best = K::Scores::max3::<false>(best, other, other);
            apart /= 2;
        }
        let below = K::Scores::add_max::<false>(best, K::Scores::splat(-1), self.shared);
        self.best = K::Scores::max3::<false>(self.best, below, below);
        self.shared = best;
    }

    /// Notes the row in which a pair's best score rose.
    #[inline(always)]
    fn improved(&mut self, before: u32, row: u32) {
        each!(pair in 0 1; {
            let score = K::Scores::get(self.best, pair as u32);
            if pair < K::Scores::PAIRS as usize && score != K::Scores::get(before, pair as u32) {
                self.noted[pair] = score;
                self.noted_rows[pair] = row;
                if !K::SAVED {
                    self.copy_row(pair as u32);
                }
            }
        });
    }

    /// Copies of the best rows, after the profiles: by pair, eight columns of 16 bits, lane.
    #[inline(always)]
    fn copies(&self) -> Shared<U32x4> {
        Shared::at(self.profile.len() * 16, K::Scores::PAIRS * Self::QUADS * 16)
    }

    #[inline(always)]
    fn copy_row(&self, pair: u32) {
        let copies = self.copies();
        let halves = if pair == 0 { 0x5410 } else { 0x7632 };
        let Self { h, .. } = self;
        each!(eight in 0 1 2 3; {
            let r = eight * 8;
            if r < R {
                let row = U32x4([
                    byte_permute(h[r], h[r + 1], halves),
                    byte_permute(h[r + 2], h[r + 3], halves),
                    byte_permute(h[r + 4], h[r + 5], halves),
                    byte_permute(h[r + 6], h[r + 7], halves),
                ]);
                copies.write((pair * (Self::QUADS / 2) + eight as u32) * 32 + warp::lane_id(), row);
            }
        });
    }

    /// The first of this lane's columns that has the best score in the copied row.
    #[inline(always)]
    fn best_column(&self, pair: u32, score: i32) -> u32 {
        let copies = self.copies();
        let mut column = 0;
        let mut eight = Self::QUADS / 2;
        while eight > 0 {
            eight -= 1;
            let row = copies.read((pair * (Self::QUADS / 2) + eight) * 32 + warp::lane_id()).0;
            each!(k in 3 2 1 0; {
                let first = eight * 8 + 2 * k as u32;
                column = if row[k] as i32 >> 16 == score { first + 1 } else { column };
                column = if i32::from(row[k] as i16) == score { first } else { column };
            });
        }
        column
    }

    /// Saves H of the last row of the pairs that have `length` query letters.
    #[inline(always)]
    fn save_last(&self, length: u32) {
        let Place { results, strip, width, lane, lengths, .. } = self.place;
        each!(pair in 0 1; {
            if lengths[pair] == length && pair < K::Scores::PAIRS as usize {
                let first = ((results + strip) * K::Scores::PAIRS + pair as u32) * Self::QUADS * width + lane;
                each_quad!(quad, r of R; {
                    let row = U32x4([self.h[r], self.h[r + 1], self.h[r + 2], self.h[r + 3]]);
                    self.args.last.write(first + quad * width, row);
                });
            }
        });
    }

    /// Writes the best cell of the group's lanes, for each pair.
    #[inline(always)]
    fn finish(&self) {
        if !K::LOCAL {
            return;
        }
        let Place { results, strip, first, steps, width, .. } = self.place;
        let rules = &self.args.rules;
        let record = results + strip * rules.chunks(steps) + (first >> rules.chunk.trailing_zeros());
        each!(pair in 0 1; {
            if pair < K::Scores::PAIRS as usize {
                let first = self.place.first_column(R);
                let noted = Best { score: self.noted[pair], row: self.noted_rows[pair], column: first };
                let best = first_of_group(noted, width);
                if best.column == first && self.place.end != 0 {
                    let Best { score, row, mut column } = best;
                    if !K::SAVED && score > 0 {
                        column += self.best_column(pair as u32, score);
                    }
                    let place = record * K::Scores::PAIRS + pair as u32;
                    self.args.records.write(place, U32x4([score as u32, row, column, 0]));
                }
            }
        });
    }
}

#[inline(always)]
fn max_of_three<K: Kind>(a: u32, b: u32, c: u32) -> u32 {
    if K::LOCAL { K::Scores::max3::<true>(a, b, c) } else { K::Scores::max3::<false>(a, b, c) }
}

#[inline(always)]
fn up<K: Kind>(above: u32, cost: u32, candidate: u32) -> u32 {
    if K::LOCAL {
        K::Scores::add_max::<true>(above, cost, candidate)
    } else {
        K::Scores::add_max::<false>(above, cost, candidate)
    }
}

/// The end among the cells of a group of `width` lanes. All lanes of the warp call.
#[inline(always)]
pub fn first_of_group(mut best: Best, width: u32) -> Best {
    let mut apart = width / 2;
    while apart > 0 {
        let other = Best {
            score: warp::shuffle_xor(best.score as u32, apart) as i32,
            row: warp::shuffle_xor(best.row, apart),
            column: warp::shuffle_xor(best.column, apart),
        };
        if other.before(&best) {
            best = other;
        }
        apart /= 2;
    }
    best
}
