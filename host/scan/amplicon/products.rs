//! From the matches in a sequence to its products.
//!
//! ```text
//! start                        a              a' = another that opens
//! product of length >= least   |--------------[b.....b.....]        closed by those in the window, found by halving
//! product of length <= most    |----------------------------|
//! ```
//!
//! The matches of a pattern stand in a row, by start. Of the list that opens and the list that closes, the shorter one is
//! walked, and of the other the matches in the window of each are looked up. All of these are products, so the work is that of the
//! shorter list and of the rows.
//!
//! Right at the edges: the window of b - a begins where primers touch, or where the product has the least length; it ends where the
//! product has the greatest length. In a circle, matches near the beginning are there a second time, behind the end; a product is no
//! longer than the sequence, so only one of both is in a window, and a start behind the end opens nothing.
//!
//! Many products are put in order a part at a time: those of some starts, halved while they have too many.

use super::primers::{Primers, Role};
use super::{Options, Product};
use crate::Hit;
use std::ops::{Range, RangeInclusive};
use warpseq_engine::error::Result;
use warpseq_seq::iupac::base_set;

/// Takes products, in order.
pub type Take<'t> = &'t mut dyn FnMut(&[Product]) -> Result<()>;

/// Products of matches.
#[derive(Clone, Copy)]
pub struct Products<'a> {
    /// Which ones.
    pub options: &'a Options,
    /// What was searched for.
    pub primers: &'a Primers,
    /// How many of them are put in order at a time, at least those of one start.
    pub most: usize,
}

/// A match of a pattern that is known.
#[derive(Clone, Copy, Debug)]
struct Site {
    start: u64,
    mismatches: u32,
}

/// Matches in one sequence.
#[derive(Default)]
struct Sites {
    /// Those of a pattern in a row.
    sites: Vec<Site>,
    /// Patterns in their order, and where the matches of each begin.
    patterns: Vec<(u32, usize)>,
}

impl Sites {
    /// Matches that come by pattern and start.
    fn of<'h>(hits: impl Iterator<Item = &'h Hit>) -> Self {
        let mut all = Self::default();
        for &Hit { pattern, start, mismatches, .. } in hits {
            if all.patterns.last().is_none_or(|&(last, _)| last != pattern) {
                all.patterns.push((pattern, all.sites.len()));
            }
            all.sites.push(Site { start, mismatches });
        }
        all
    }

    /// Those of a pattern.
    fn of_pattern(&self, pattern: u32) -> &[Site] {
        self.patterns.binary_search_by_key(&pattern, |&(each, _)| each).map_or(&[], |at| self.at(at).1)
    }

    /// Pattern number `at` of those with matches.
    fn at(&self, at: usize) -> (u32, &[Site]) {
        let (pattern, start) = self.patterns[at];
        let end = self.patterns.get(at + 1).map_or(self.sites.len(), |&(_, start)| start);
        (pattern, &self.sites[start..end])
    }

    fn each(&self) -> impl Iterator<Item = (u32, &[Site])> {
        (0..self.patterns.len()).map(|at| self.at(at))
    }
}

/// Those of sites, by start, that start in a range.
fn within(sites: &[Site], starts: RangeInclusive<u64>) -> &[Site] {
    let first = sites.partition_point(|site| site.start < *starts.start());
    let count = sites[first..].partition_point(|site| site.start <= *starts.end());
    &sites[first..first + count]
}

impl<'a> Products<'a> {
    /// Hands out the products of one sequence that start in `starts`, in order. `hits` are all its matches that they can have, in
    /// any order; in a circle, those at its beginning once.
    ///
    /// # Errors
    /// Those of `take`.
    pub fn each(&self, bases: &[u8], mut hits: Vec<Hit>, starts: Range<u64>, take: Take) -> Result<()> {
        if self.options.circular {
            let length = bases.len() as u64;
            let reached = |hit: &&Hit| hit.start < self.options.longest(length);
            let again: Vec<Hit> =
                hits.iter().filter(reached).map(|hit| Hit { start: hit.start + length, ..*hit }).collect();
            hits.extend(again);
        }
        hits.sort_unstable_by_key(|hit| (hit.pattern, hit.start));
        let Some(paired) = self.paired(bases, &hits) else { return Ok(()) };
        drop(hits);
        paired.each(starts, take)
    }

    /// What opens, what closes, and probes, of matches by pattern and start; `None` without any.
    fn paired(&self, bases: &[u8], hits: &[Hit]) -> Option<Paired<'a>> {
        let (sequence, longest) = (hits.first()?.sequence, self.options.longest(bases.len() as u64));
        let opens = |hit: &&Hit| self.is_exact(bases, hit, true);
        let closes = |hit: &&Hit| self.is_exact(bases, hit, false);
        let is_probe = |hit: &&Hit| self.primers.is_probe(hit.pattern);
        let mut probes = Sites::of(hits.iter().filter(is_probe));
        for at in 0..probes.patterns.len() {
            let start = probes.patterns[at].1;
            let count = probes.at(at).1.len();
            probes.sites[start..start + count].sort_unstable_by_key(|site| (site.mismatches, site.start));
        }
        let [opening, closing] = [Sites::of(hits.iter().filter(opens)), Sites::of(hits.iter().filter(closes))];
        Some(Paired { rules: *self, sequence, longest, opening, closing, probes })
    }

    /// Whether the 3' end of a primer, which is at the right of a match where it opens a product, has no mismatch.
    fn is_exact(&self, bases: &[u8], hit: &Hit, opens: bool) -> bool {
        let (pattern, exact) =
            (self.primers.patterns()[hit.pattern as usize].bases(), self.options.three_prime as usize);
        if hit.mismatches == 0 || exact == 0 {
            return true;
        }
        let end = match opens {
            true => pattern.len().saturating_sub(exact)..pattern.len(),
            false => 0..exact.min(pattern.len()),
        };
        let set = |base: u8| base_set(base).unwrap_or(0);
        end.into_iter().all(|k| set(pattern[k]) & set(bases[(hit.start as usize + k) % bases.len()]) != 0)
    }
}

/// The matches of one sequence that make products.
struct Paired<'a> {
    rules: Products<'a>,
    sequence: u32,
    /// The greatest length of a product.
    longest: u64,
    opening: Sites,
    closing: Sites,
    /// Those of a pattern by mismatches, then by start.
    probes: Sites,
}

impl Paired<'_> {
    fn each(&self, starts: Range<u64>, take: Take) -> Result<()> {
        let (mut at, mut step, mut found) = (starts.start, starts.end - starts.start, Vec::new());
        while at < starts.end {
            let some = at..starts.end.min(at.saturating_add(step));
            let most = if some.end - some.start > 1 { self.rules.most } else { usize::MAX };
            found.clear();
            if !self.find(some.clone(), most, &mut found) {
                step = (some.end - some.start).div_ceil(2);
                continue;
            }
            found.sort_unstable();
            take(&found)?;
            at = some.end;
            step = step.saturating_mul(2);
        }
        Ok(())
    }

    /// Adds the products that start in `starts`. False, and only some of them, if there are more than `most`.
    fn find(&self, starts: Range<u64>, most: usize, found: &mut Vec<Product>) -> bool {
        for (pattern, sites) in self.opening.each() {
            let sites = within(sites, starts.start..=starts.end - 1);
            if sites.is_empty() {
                continue;
            }
            for role in self.rules.primers.opened_by(pattern) {
                self.pair(role, sites, most, found);
                if found.len() > most {
                    return false;
                }
            }
        }
        true
    }

    /// Adds the products of one pair on one strand that `opening` open, until there are more than `most` products.
    fn pair(&self, role: &Role, opening: &[Site], most: usize, found: &mut Vec<Product>) {
        let closing = self.closing.of_pattern(role.closing);
        let [opens, closes] = [role.opening, role.closing].map(|pattern| self.rules.primers.length(pattern));
        let least = opens.max(self.rules.options.min_length.saturating_sub(closes));
        let Some(greatest) = self.longest.checked_sub(closes).filter(|&greatest| greatest >= least) else { return };
        let (Some(first), Some(last)) = (opening.first(), opening.last()) else { return };
        let closing = within(closing, first.start + least..=last.start.saturating_add(greatest));
        if opening.len() <= closing.len() {
            for open in opening {
                let closed = within(closing, open.start + least..=open.start.saturating_add(greatest));
                found.extend(
                    closed
                        .iter()
                        .take(most.saturating_add(1) - found.len())
                        .map(|close| self.product(role, open, close)),
                );
                if found.len() > most {
                    return;
                }
            }
        } else {
            for close in closing {
                // What is too near to the beginning is closed by nothing before it.
                let Some(nearest) = close.start.checked_sub(least) else { continue };
                let opened = within(opening, close.start.saturating_sub(greatest)..=nearest);
                found.extend(
                    opened
                        .iter()
                        .take(most.saturating_add(1) - found.len())
                        .map(|open| self.product(role, open, close)),
                );
                if found.len() > most {
                    return;
                }
            }
        }
    }

    fn product(&self, role: &Role, open: &Site, close: &Site) -> Product {
        let (start, end) = (open.start, close.start + self.rules.primers.length(role.closing));
        let (forward, reverse) = if role.reverse { (close, open) } else { (open, close) };
        Product {
            sequence: self.sequence,
            start,
            end,
            pair: role.pair,
            reverse: role.reverse,
            forward_mismatches: forward.mismatches,
            reverse_mismatches: reverse.mismatches,
            probe_mismatches: role.probe.and_then(|probe| self.fewest(probe, start..end)),
        }
    }

    /// The fewest mismatches of a probe, either way round, that lies in `product`.
    fn fewest(&self, probe: [u32; 2], product: Range<u64>) -> Option<u32> {
        let last =
            product.end.checked_sub(self.rules.primers.length(probe[0])).filter(|last| *last >= product.start)?;
        let of_pattern = |pattern: u32| {
            let mut sites = self.probes.of_pattern(pattern);
            while let Some(&Site { mismatches, .. }) = sites.first() {
                let (these, more) = sites.split_at(sites.partition_point(|site| site.mismatches == mismatches));
                if !within(these, product.start..=last).is_empty() {
                    return Some(mismatches);
                }
                sites = more;
            }
            None
        };
        probe.into_iter().filter_map(of_pattern).min()
    }
}

#[cfg(test)]
mod tests;
