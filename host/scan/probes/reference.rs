//! The naive reference of `probes`: the rules written down as plain loops. Tests and `--verify` compare the engine with it.
//!
//! # Why it can be trusted
//!
//! It shares nothing with the engine but what windows and rules are called, and the base sets and reverse complements of scan's own
//! reference, which are no engine's, either. Each rule is asked of each window by itself, in order, and a window is looked
//! up by trying every start in every sequence, both ways round. Symbols of a circle are looked up at their index modulo its length.

use super::{Options, Rule, Window};
use crate::reference::iupac::{Pair, Relation, reverse_complement, same};
use crate::{Fraction, Records, Wildcards};

/// All windows of the references, and what becomes of them. `groups` has the group of each reference.
pub fn probes(references: &Records, groups: &[u32], excluded: &Records, options: &Options) -> Vec<Window> {
    let search = Search { references, groups, excluded, options, relation: Relation::new(Wildcards::Iupac) };
    let mut windows: Vec<Window> = Vec::new();
    for reference in 0..references.len() {
        for start in search.starts(references.sequence(reference).len()) {
            let mut window = Window { reference: reference as u32, start: start as u64, dropped: None };
            window.dropped = search.first_rule(&windows, &window);
            windows.push(window);
        }
    }
    if let Some(most) = options.per_group {
        thin(&mut windows, groups, most);
    }
    windows
}

struct Search<'a> {
    references: &'a Records,
    groups: &'a [u32],
    excluded: &'a Records,
    options: &'a Options,
    relation: Relation,
}

impl Search<'_> {
    fn starts(&self, symbols: usize) -> Vec<usize> {
        let Options { length, step, circular, .. } = *self.options;
        if symbols < length {
            return Vec::new();
        }
        (0..symbols)
            .filter(|start| match circular {
                true => start % step == 0,
                false => start + length == symbols || start % step == 0 && start + length <= symbols,
            })
            .collect()
    }

    fn bases(&self, window: &Window) -> Vec<u8> {
        let bases = self.references.sequence(window.reference as usize);
        (0..self.options.length).map(|k| bases[(window.start as usize + k) % bases.len()]).collect()
    }

    fn first_rule(&self, before: &[Window], window: &Window) -> Option<Rule> {
        let (bases, group) = (self.bases(window), self.groups[window.reference as usize]);
        let all: [(Rule, &dyn Fn() -> bool); 6] = [
            (Rule::Wild, &|| bases.contains(&b'-') || above(self.wild(&bases), self.options.max_n_frac, bases.len())),
            (Rule::Gc, &|| self.gc_is_outside(&bases)),
            (Rule::Complexity, &|| self.is_simple(&bases)),
            (Rule::Repeated, &|| self.is_repeated(before, group, &bases)),
            (Rule::Shared, &|| self.options.unique && self.occurs_in_other(group, &bases)),
            (Rule::Excluded, &|| (0..self.excluded.len()).any(|k| self.occurs(&bases, self.excluded.sequence(k)))),
        ];
        all.iter().find(|(_, drops)| drops()).map(|(rule, _)| *rule)
    }

    fn wild(&self, bases: &[u8]) -> usize {
        bases.iter().filter(|base| !b"ACGTUacgtu".contains(base)).count()
    }

    fn gc_is_outside(&self, bases: &[u8]) -> bool {
        let gc = bases.iter().filter(|base| b"GCgc".contains(base)).count();
        let single = bases.len() - self.wild(bases);
        below(gc, *self.options.gc.start(), single) || above(gc, *self.options.gc.end(), single)
    }

    fn is_simple(&self, bases: &[u8]) -> bool {
        let mut words: Vec<String> = Vec::new();
        for start in 0..bases.len().saturating_sub(2) {
            let word = String::from_utf8_lossy(&bases[start..start + 3]).to_uppercase().replace('U', "T");
            if self.wild(word.as_bytes()) == 0 && !words.contains(&word) {
                words.push(word);
            }
        }
        below(words.len(), self.options.min_complexity, bases.len().saturating_sub(2).min(64))
    }

    /// Windows that a later rule dropped came before all the same.
    fn is_repeated(&self, before: &[Window], group: u32, bases: &[u8]) -> bool {
        let other = reverse_complement(bases, Wildcards::Iupac);
        before
            .iter()
            .filter(|window| self.groups[window.reference as usize] == group)
            .filter(|window| window.dropped.is_none_or(|rule| rule >= Rule::Repeated))
            .map(|window| self.bases(window))
            .any(|earlier| [bases, &other[..]].iter().any(|bases| same(&earlier, bases, Wildcards::Iupac)))
    }

    fn occurs_in_other(&self, group: u32, bases: &[u8]) -> bool {
        (0..self.references.len())
            .filter(|&k| self.groups[k] != group)
            .any(|k| self.occurs(bases, self.references.sequence(k)))
    }

    fn occurs(&self, bases: &[u8], sequence: &[u8]) -> bool {
        let other = reverse_complement(bases, Wildcards::Iupac);
        let fits = |start: usize| {
            bases.len() <= sequence.len() && (self.options.circular || start + bases.len() <= sequence.len())
        };
        (0..sequence.len())
            .filter(|&start| fits(start))
            .any(|start| [bases, &other[..]].iter().any(|bases| self.lies_at(bases, sequence, start)))
    }

    fn lies_at(&self, bases: &[u8], sequence: &[u8], start: usize) -> bool {
        let (mut mismatches, mut wild) = (0, 0);
        for (k, &base) in bases.iter().enumerate() {
            match self.relation.of(sequence[(start + k) % sequence.len()], base) {
                Pair::Clash => mismatches += 1,
                Pair::Wild => wild += 1,
                Pair::Informative => {}
            }
            if mismatches > self.options.max_mismatch {
                return false;
            }
        }
        wild <= bases.len() / 10
    }
}

/// Keeps, of the c windows left of each group, those of index floor((i + 1/2) c / most).
fn thin(windows: &mut [Window], groups: &[u32], most: usize) {
    for group in 0..=groups.iter().copied().max().unwrap_or(0) {
        let left: Vec<usize> = (0..windows.len())
            .filter(|&k| windows[k].dropped.is_none() && groups[windows[k].reference as usize] == group)
            .collect();
        let chosen: Vec<usize> = (0..most).map(|i| (2 * i + 1) * left.len() / (2 * most)).collect();
        for (index, &window) in left.iter().enumerate() {
            if !chosen.contains(&index) {
                windows[window].dropped = Some(Rule::Thinned);
            }
        }
    }
}

/// Whether `count` is more than this share of `whole`.
fn above(count: usize, share: Fraction, whole: usize) -> bool {
    let (numerator, denominator) = (u128::from(share.numerator()), u128::from(Fraction::DENOMINATOR));
    denominator * count as u128 > numerator * whole as u128
}

/// Whether `count` is less than this share of `whole`.
fn below(count: usize, share: Fraction, whole: usize) -> bool {
    let (numerator, denominator) = (u128::from(share.numerator()), u128::from(Fraction::DENOMINATOR));
    denominator * (count as u128) < numerator * whole as u128
}
