//! The kernels of `scan` launched one after another.

use super::{Found, Pattern, bases_of};
use crate::abi::*;
use crate::bench::{Array, Bench};
use crate::scan::kernel::*;
use crate::tuning::*;
use cuda_std::{Global, GlobalMut, Shape, U32x2, U32x4};
use std::vec::Vec;

/// Sequences and patterns on a device.
pub struct Run {
    bench: Bench,
    sequences: Sequences<'static>,
    patterns: Patterns<'static>,
    symbols: u32,
    /// As in [`Matches`]: by what matches are ranked, if they are, and the qualities of the symbols, if these count.
    ranked: Option<[u32; 2]>,
    quality: Option<Global<'static, u8>>,
}

/// How patterns are looked up: by spans in their middle, or in each quarter.
#[derive(Clone, Copy)]
pub struct Layout {
    pub tile: u32,
    pub tiles: u32,
    pub needed: u32,
    pub wild: u32,
    pub spread: bool,
    pub together: bool,
    /// Whether those in quarters are looked up by windows, too.
    pub windows: bool,
    /// In how many parts patterns are, each with a span in its middle, if they are.
    pub parts: u32,
}

/// A span: pattern, offset, how many there are before it.
pub type Span = [u32; 3];

/// Digits 0 to 3, or 4.
fn digits(bases: &[u8]) -> Vec<u32> {
    let digit = |sets: u32| if sets.is_power_of_two() { sets.trailing_zeros() } else { 4 };
    bases.iter().map(|&base| digit(bases_of(base))).collect()
}

impl Layout {
    pub fn spans(&self, patterns: &[Pattern]) -> Vec<Span> {
        let mut spans = Vec::new();
        for (number, pattern) in (0..).zip(patterns) {
            let length = pattern.bases.len() as u32;
            let room = |from: u32, to: u32| from + (to - from - self.tile * self.tiles) / 2;
            let quarter = |k: u32| room(length * k / 4, length * (k + 1) / 4);
            let quarters = if self.spread { std::vec![2, 0, 3, 1] } else { std::vec![] };
            let parts = if self.spread { 0 } else { self.parts.max(1) };
            let of_part = |k: u32| room(0, length / parts) + k * (length / parts);
            let offsets = quarters.into_iter().map(quarter).chain((0..parts).map(of_part));
            // Each part is looked up by itself.
            let order = |before: u32| if self.parts > 0 { 0 } else { before };
            spans.extend((0..).zip(offsets).map(|(before, offset)| [number, offset, order(before)]));
        }
        spans
    }

    /// The most symbols from one span of a pattern to another.
    fn reach(&self, patterns: &[Pattern]) -> u32 {
        patterns.iter().map(|pattern| self.distance(pattern)).max().unwrap_or(0)
    }

    fn distance(&self, pattern: &Pattern) -> u32 {
        let offsets: Vec<u32> = self.spans(std::slice::from_ref(pattern)).iter().map(|span| span[1]).collect();
        offsets.iter().max().unwrap() - offsets.iter().min().unwrap()
    }

    /// As in [`HardArgs`].
    fn slack(&self, patterns: &[Pattern]) -> u32 {
        let (slack, length) = (2 * self.tile, self.tile * self.tiles);
        let fits = |pattern: &Pattern| self.distance(pattern) + length <= pattern.wild + pattern.mismatches + slack;
        if !self.spread || patterns.iter().any(fits) { u32::MAX } else { slack }
    }

    /// Whether a tile of a pattern agrees with a code.
    fn agrees(&self, tile: &[u32], code: u32) -> bool {
        let digit = |k: u32| code >> k & 1 | (code >> (self.tile + k) & 1) << 1;
        (0..).zip(tile).all(|(k, &own)| own == 4 || own == digit(k))
    }

    /// Tile `k` of a span as an entry under a code: 10 digits behind it, or before it where it is the last.
    fn entry(&self, number: u32, digits: &[u32], at: usize, (k, code): (u32, u32)) -> U32x2 {
        let last = !self.together && k > 0 && k + 1 == self.tiles;
        let first = if last { at as isize - 10 } else { at as isize + self.tile as isize };
        let digit = |j: isize| digits.get((first + j) as usize).filter(|&&digit| first + j >= 0 && digit < 4);
        let plane = |bit: fn(u32) -> u32| (0..10).map(|j| digit(j).map_or(0, |&digit| bit(digit)) << j).sum::<u32>();
        let [low, high, single] = [|digit| digit & 1, |digit| digit >> 1, |_| 1].map(plane);
        U32x2([number | (code % 64) << 26, low | high << 10 | single << 20])
    }
}

impl Run {
    /// `unknown` is as in [`PackArgs`].
    pub fn new(sequences: &[Vec<u8>], patterns: &[Pattern], unknown: u32) -> Self {
        let bench = Bench::default();
        let mut starts = std::vec![0];
        for sequence in sequences {
            starts.push(starts[starts.len() - 1] + sequence.len() as u32);
        }
        let (mut bases, mut info) = (Vec::new(), Vec::new());
        for Pattern { bases: own, wild, mismatches } in patterns {
            info.push(U32x4([(bases.len() / 32) as u32, own.len() as u32, *wild, *mismatches]));
            bases.extend(own);
            bases.resize(bases.len().next_multiple_of(32), b'N');
        }
        let patterns = Patterns { planes: pack(&bench, &bases, unknown).planes, info: bench.put(&info).view() };
        let bases = sequences.concat();
        let starts = bench.put(&starts).view();
        let sequences = Sequences { starts, ..pack(&bench, &bases, unknown) };
        Self { bench, sequences, patterns, symbols: bases.len() as u32, ranked: None, quality: None }
    }

    /// The same with matches that are ranked by these bits, and by qualities, if there are any.
    pub fn ranked(self, by: [u32; 2], quality: &[u8]) -> Self {
        let quality = (!quality.is_empty()).then(|| self.bench.put(quality).view());
        Self { ranked: Some(by), quality, ..self }
    }

    /// Where matches go.
    fn matches(&self, found: &Array<U32x4>, count: &Array<u32>) -> Matches<'static> {
        let ranks = (self.sequences.starts.len() - 1) * self.patterns.info.len();
        let least = self.ranked.map(|_| self.bench.put(&std::vec![u64::MAX; ranks as usize]).view_mut());
        Matches {
            found: found.view_mut(),
            count: count.view_mut(),
            least: least.unwrap_or(GlobalMut::empty()),
            ranked: self.ranked.unwrap_or_default(),
            quality: self.quality.unwrap_or(Global::empty()),
        }
    }

    /// Searches by tiles, in two launches of each kernel, each for some of the positions; all hard ones are marked in both.
    pub fn seek(&self, layout: Layout, patterns: &[Pattern]) -> Found {
        let bench = &self.bench;
        let spans = layout.spans(patterns);
        let [first, others] = [false, true].map(|others| self.seeds(layout, patterns, &spans, others));
        let groups = self.sequences.planes.len() as u32;
        let (found, count): (Array<U32x4>, Array<u32>) = (bench.zeros(1 << 20), bench.zeros(2));
        let matches = self.matches(&found, &count);
        let middle = self.symbols / 3;
        for (from, to) in [(0, middle), (middle, self.symbols)] {
            let (bits, tiles) = (bench.zeros::<u32>(groups), bench.zeros::<u32>(groups.div_ceil(32)));
            let hard = Hard { bits: bits.view_mut(), tiles: tiles.view_mut() };
            let args = SeekArgs {
                sequences: self.sequences,
                patterns: self.patterns,
                matches,
                seeds: first,
                hard,
                left: hard,
                first_tile: 0,
                end_tile: self.symbols.div_ceil(TILE),
                first: from,
                end: to,
                reach: 0,
                kept: if layout.together { 1 } else { layout.tiles / 2 },
            };
            let launch = |args: SeekArgs| {
                let shared = 4 * args.kept * args.seeds.form.words + 2 * WARP_SHARED;
                bench.launch_as(&scan_seek, Shape { grid: 1, block: 64, shared }, args);
            };
            launch(args);
            let left =
                if layout.windows { self.windows((matches, hard), first.spans, patterns, [from, to]) } else { hard };
            if layout.spread {
                launch(SeekArgs { seeds: others, left, reach: 2, ..args });
            }
            if layout.parts > 0 {
                self.in_parts((matches, hard), layout, patterns, [from, to]);
                continue;
            }
            let (spread, parts) = (if layout.spread { 4 } else { 1 }, 2);
            let heads = bench.put(&if layout.spread { Vec::new() } else { heads(&spans, patterns) }).view();
            let (sequences, all, patterns, spans) = (self.sequences, patterns, self.patterns, first.spans);
            let (length, reach, slack) = (layout.tile * layout.tiles, layout.reach(all), layout.slack(all));
            let args = HardArgs {
                sequences,
                patterns,
                matches,
                spans,
                heads,
                hard,
                left,
                first: from,
                end: to,
                spread,
                parts,
                length,
                reach,
                slack,
            };
            bench.launch_as(&scan_hard, Shape { grid: 1, block: 64, shared: 2 * HARD_SHARED }, args);
        }
        let count = bench.get(count)[0] as usize;
        bench.get(found)[..count].iter().map(|hit| hit.0).collect()
    }

    /// Compares patterns in parts where too many lie at hard positions.
    fn in_parts(
        &self,
        (matches, hard): (Matches<'static>, Hard<'static>),
        layout: Layout,
        patterns: &[Pattern],
        [first, end]: [u32; 2],
    ) {
        let spans = layout.spans(patterns);
        let of_pattern = |(spans, pattern): (&[Span], &Pattern)| {
            let [number, offset, _] = spans[0];
            let spare = layout.parts - (pattern.mismatches / layout.needed + 1);
            (U32x4([number, offset, spans[1][1] - offset, layout.parts]), spare)
        };
        let chunks = spans.chunks(layout.parts as usize).zip(patterns);
        let (parted, spare): (Vec<U32x4>, Vec<u32>) = chunks.map(of_pattern).unzip();
        let args = PartedArgs {
            sequences: self.sequences,
            patterns: self.patterns,
            matches,
            parted: self.bench.put(&parted).view(),
            spare: self.bench.put(&spare).view(),
            hard,
            first,
            end,
            parts: 2,
            reach: layout.reach(patterns),
        };
        self.bench.launch(&scan_parted, 64, args);
    }

    /// Searches by windows, and gives the hard positions that are left.
    fn windows(
        &self,
        (matches, hard): (Matches<'static>, Hard<'static>),
        spans: Global<'static, U32x4>,
        patterns: &[Pattern],
        [first, end]: [u32; 2],
    ) -> Hard<'static> {
        let (bench, groups) = (&self.bench, self.sequences.planes.len() as u32);
        let needed = patterns[0].mismatches + 1;
        let (bits, tiles) = (bench.zeros::<u32>(groups), bench.zeros::<u32>(groups.div_ceil(32)));
        let left = Hard { bits: bits.view_mut(), tiles: tiles.view_mut() };
        let table =
            Layout { tile: 8, tiles: 1, needed, wild: 0, spread: false, together: false, windows: false, parts: 0 };
        let (mut listed, mut starts, mut before) = (Vec::new(), Vec::new(), 0);
        for (pattern, Pattern { bases, .. }) in (0..).zip(patterns) {
            starts.push(before);
            let digits = digits(bases);
            let wild = |at: usize| digits[at..at + 8].iter().filter(|&&digit| digit == 4).count();
            let windows = (0..(bases.len() - 7) / 16).map(|k| (16 * k..16 * k + 16).min_by_key(|&at| wild(at)));
            listed.extend(windows.map(|at| (before + at.unwrap() as u32, [pattern, at.unwrap() as u32, 0])));
            before += bases.len() as u32;
        }
        let seeds = Seeds { spans, ..self.listed(table, patterns, &listed) };
        let single = |pattern: &Pattern| {
            (pattern.bases.len() as u32).saturating_sub(pattern.wild).saturating_sub(pattern.mismatches)
        };
        let args = WindowArgs {
            sequences: self.sequences,
            patterns: self.patterns,
            matches,
            seeds,
            starts: bench.put(&starts).view(),
            hard,
            left,
            marks: bench.zeros::<u32>(groups).view_mut(),
            cell_bits: 6,
            places: 31,
            needed,
            shortest: patterns.iter().map(|pattern| pattern.bases.len() as u32).min().unwrap(),
            least_single: patterns.iter().map(single).min().unwrap(),
            reach: 3,
            first,
            end,
        };
        bench.launch(&scan_mark, 64, args);
        bench.launch(&scan_window, 64, args);
        left
    }

    /// The lists of the spans that are looked up first, or of the others.
    fn seeds(&self, layout: Layout, patterns: &[Pattern], spans: &[Span], others: bool) -> Seeds<'static> {
        let numbered = (0..).zip(spans.iter().copied());
        let listed: Vec<_> = numbered.filter(|(_, span)| (span[2] > 0) == others).collect();
        let spans: Vec<_> = spans.iter().map(|&[pattern, offset, order]| U32x4([pattern, offset, order, 0])).collect();
        Seeds { spans: self.bench.put(&spans).view(), ..self.listed(layout, patterns, &listed) }
    }

    /// The lists of tiles, by the numbers of their spans.
    fn listed(&self, layout: Layout, patterns: &[Pattern], spans: &[(u32, Span)]) -> Seeds<'static> {
        let Layout { tile, tiles, needed, wild, together, .. } = layout;
        let codes = 1u32 << (2 * tile);
        let words = codes.div_ceil(32).next_multiple_of(4);
        // The lists of some tests are of one code, those of others of 8 or 64.
        let shift = if codes >= 64 { [6, 0, 3, 0][tile as usize % 4] } else { 0 };
        let lists = codes.div_ceil(1 << shift) + 1;
        let (mut bits, mut starts, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        let all: Vec<_> = patterns.iter().map(|pattern| digits(&pattern.bases)).collect();
        for table in 0..if together { 1 } else { tiles } {
            bits.resize(((table + 1) * words) as usize, 0u32);
            for code in 0..codes {
                if code % (1 << shift) == 0 {
                    starts.push(entries.len() as u32);
                }
                for &(number, [pattern, offset, _]) in spans {
                    let digits = &all[pattern as usize];
                    for k in if together { 0..tiles } else { table..table + 1 } {
                        let at = (offset + k * tile) as usize;
                        if layout.agrees(&digits[at..at + tile as usize], code) {
                            let number = if together { number * tiles + k } else { number };
                            entries.push(layout.entry(number, digits, at, (k, code)));
                            bits[(table * words + code / 32) as usize] |= 1 << (code % 32);
                        }
                    }
                }
            }
            starts.push(entries.len() as u32);
        }
        let most = |pattern: &Pattern| pattern.wild.saturating_add(pattern.mismatches);
        let most_wild = patterns.iter().map(most).max().unwrap_or(0);
        let together = u32::from(together);
        let form = Form { tile, tiles, needed, wild, most_wild, words, lists, shift, together, padding: 0 };
        let bench = &self.bench;
        Seeds {
            bits: bench.put(&bits).view(),
            starts: bench.put(&starts).view(),
            entries: bench.put(&entries).view(),
            spans: Global::empty(),
            form,
        }
    }

    /// Tries all patterns everywhere, in two launches. Gives the matches, of which `room` can be written, and how many were
    /// counted.
    pub fn everywhere(&self, patterns: &[Pattern], room: u32) -> (Found, u32) {
        let bench = &self.bench;
        let (found, count): (Array<U32x4>, Array<u32>) = (bench.zeros(room), bench.zeros(2));
        let (mut tried, mut probes) = (Vec::new(), Vec::new());
        for (number, Pattern { bases, mismatches, .. }) in (0..).zip(patterns) {
            let offset = bases.len().saturating_sub(32) / 2;
            let [low, high, wild] = planes_at(bases, offset);
            tried.push(U32x4([number, offset as u32, *mismatches, 0]));
            probes.push(U32x4([low, high, wild, 0]));
        }
        let both = BruteArgs {
            sequences: self.sequences,
            patterns: self.patterns,
            matches: self.matches(&found, &count),
            tried: bench.put(&tried).view(),
            probes: bench.put(&probes).view(),
            first: 0,
            end: self.symbols,
        };
        let middle = self.symbols / 2;
        for args in [BruteArgs { end: middle, ..both }, BruteArgs { first: middle, ..both }] {
            bench.launch(&scan_brute, 2 * THREADS, args);
        }
        let count = bench.get(count)[0];
        (bench.get(found)[..count.min(room) as usize].iter().map(|hit| hit.0).collect(), count)
    }
}

/// Packs bases, with slack at the end. (Without segments: of patterns, only the planes are of use.)
fn pack(bench: &Bench, bases: &[u8], unknown: u32) -> Sequences<'static> {
    let mut padded = bases.to_vec();
    padded.resize(bases.len().next_multiple_of(TILE as usize) + SLACK as usize, b'N');
    let groups = padded.len() as u32 / 32;
    let (planes, digits): (Array<U32x4>, Array<U32x4>) = (bench.zeros(groups), bench.zeros(groups));
    let (wild, odd): (Array<u32>, Array<u32>) = (bench.zeros(groups.div_ceil(32)), bench.zeros(1));
    let args = PackArgs {
        bases: bench.put(&padded).view(),
        planes: planes.view_mut(),
        digits: digits.view_mut(),
        wild: wild.view_mut(),
        odd: odd.view_mut(),
        unknown,
    };
    bench.launch(&scan_pack, groups, args);
    let starts = bench.put(&[0u32]).view();
    Sequences { planes: planes.view(), digits: digits.view(), wild: wild.view(), starts, odd: odd.view() }
}

/// The heads of spans, as in [`HardArgs`].
fn heads(spans: &[Span], patterns: &[Pattern]) -> Vec<U32x4> {
    let head = |&[pattern, offset, _]: &Span| {
        let Pattern { bases, mismatches, .. } = &patterns[pattern as usize];
        let [low, high, wild] = planes_at(bases, offset as usize);
        U32x4([low, high, !wild, *mismatches])
    };
    spans.iter().map(head).collect()
}

/// Up to 32 digits from `at` on in three planes, those behind the last one wild.
fn planes_at(bases: &[u8], at: usize) -> [u32; 3] {
    let mut digits = digits(&bases[at..bases.len().min(at + 32)]);
    digits.resize(32, 4);
    [0, 1, 2].map(|bit| (0..).zip(&digits).map(|(at, digit)| (digit >> bit & 1) << at).sum())
}
