//! The windows of references, and the rules about a window itself and those before it.
//!
//! Shares are compared as whole numbers, and not as fractions in binary: 12 of 60 bases are a fifth.

use super::{Groups, Options, Rule, Window};
use crate::{Fraction, Records, Wildcards};
use rayon::prelude::*;
use std::collections::HashSet;
use std::iter::once;
use warpseq_seq::iupac::{WILD, base_set, digits};
use warpseq_seq::strand::reverse_complement;

/// Different words of three bases.
const WORDS: usize = 64;

/// All windows of the references, in order, of which the rules up to [`Rule::Repeated`] have dropped some.
pub fn cut(references: &Records, groups: &Groups, options: &Options) -> Vec<Window> {
    let of_reference = |reference: usize| {
        let starts = starts(references.sequence(reference).len(), options);
        starts.map(move |start| Window { reference: reference as u32, start, dropped: None })
    };
    let mut windows: Vec<Window> = (0..references.len()).flat_map(of_reference).collect();
    windows.par_iter_mut().for_each(|window| {
        window.dropped = of_itself(&window.bases(references, options.length), options);
    });
    let mut seen = HashSet::new();
    for window in windows.iter_mut().filter(|window| window.dropped.is_none()) {
        let group = groups.of[window.reference as usize];
        if !seen.insert((group, either_strand(&window.bases(references, options.length)))) {
            window.dropped = Some(Rule::Repeated);
        }
    }
    windows
}

/// Where the windows of a reference of so many symbols begin.
fn starts(symbols: usize, options: &Options) -> impl Iterator<Item = u64> + use<> {
    let Options { length, step, circular, .. } = *options;
    let last = symbols.checked_sub(length);
    // A circle has as many starts as symbols.
    let end = last.map_or(0, |last| if circular { symbols } else { last + 1 });
    let at_end = last.filter(|last| !circular && last % step != 0);
    (0..end).step_by(step).chain(at_end).map(|start| start as u64)
}

/// The first rule about a window itself that drops it.
fn of_itself(bases: &[u8], options: &Options) -> Option<Rule> {
    let (length, table) = (bases.len(), digits(Wildcards::Iupac));
    let digit = |base: &u8| table[usize::from(*base)];
    let wild = bases.iter().filter(|base| digit(base) == WILD).count();
    if bases.contains(&b'-') || exceeds(wild, options.max_n_frac, length) {
        return Some(Rule::Wild);
    }
    let gc = bases.iter().filter(|base| matches!(digit(base), 1 | 2)).count();
    if falls_short(gc, *options.gc.start(), length - wild) || exceeds(gc, *options.gc.end(), length - wild) {
        return Some(Rule::Gc);
    }
    let word = |three: &[u8]| {
        let word = three.iter().map(digit).fold(0, |word, digit| 4 * word + u64::from(digit));
        three.iter().all(|base| digit(base) != WILD).then_some(1_u64 << (word & 63))
    };
    let words = bases.windows(3).filter_map(word).fold(0, |all, word| all | word).count_ones() as usize;
    falls_short(words, options.min_complexity, WORDS.min(length.saturating_sub(2))).then_some(Rule::Complexity)
}

fn exceeds(count: usize, share: Fraction, whole: usize) -> bool {
    share.compared_with(count as u64, whole as u64).is_gt()
}

fn falls_short(count: usize, share: Fraction, whole: usize) -> bool {
    share.compared_with(count as u64, whole as u64).is_lt()
}

/// The base sets of a window, or those of its reverse complement if they come first.
fn either_strand(bases: &[u8]) -> Box<[u8]> {
    let sets = |bases: &[u8]| bases.iter().map(|&base| base_set(base).unwrap_or(0)).collect::<Box<[u8]>>();
    sets(bases).min(sets(&reverse_complement(bases, Wildcards::Iupac)))
}

/// Drops windows of groups that have more than `most` left: of c, those of index floor((i + 1/2) c / most), i < `most`, stay.
pub fn thin(windows: &mut [Window], groups: &Groups, most: usize) {
    let mut left = vec![Vec::new(); groups.names.len()];
    for (number, window) in windows.iter().enumerate().filter(|(_, window)| window.dropped.is_none()) {
        left[groups.of[window.reference as usize] as usize].push(number);
    }
    for of_group in left.iter().filter(|of_group| of_group.len() > most) {
        let count = of_group.len() as u128;
        let stays = (0..most as u128).map(|i| ((2 * i + 1) * count / (2 * most as u128)) as usize);
        let mut stays = stays.chain(once(of_group.len())).peekable();
        for (index, &number) in of_group.iter().enumerate() {
            if stays.next_if_eq(&index).is_none() {
                windows[number].dropped = Some(Rule::Thinned);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_begin_every_step_and_one_ends_with_the_reference() {
        let starts = |symbols, length, step, circular| {
            starts(symbols, &Options { length, step, circular, ..Options::default() }).collect::<Vec<_>>()
        };
        assert_eq!(starts(120, 60, 30, false), [0, 30, 60]);
        assert_eq!(starts(121, 60, 30, false), [0, 30, 60, 61]);
        assert_eq!((starts(60, 60, 30, false), starts(59, 60, 30, false)), (vec![0], vec![]));
        assert_eq!(starts(65, 60, 100, false), [0, 5]);
        assert_eq!(starts(120, 60, 30, true), [0, 30, 60, 90]);
        assert_eq!((starts(61, 60, 30, true), starts(59, 60, 30, true)), (vec![0, 30, 60], vec![]));
    }

    #[test]
    fn a_window_is_dropped_by_the_first_rule() {
        let options = Options { max_n_frac: Fraction::printed(0.1), ..Options::default() };
        for (bases, rule) in [
            ("ACGTTGCATG", None),
            ("acguugcaug", None),
            ("ACGTTGNATG", None),
            ("ACGTTGNNTG", Some(Rule::Wild)),
            ("ACGTTG-ATG", Some(Rule::Wild)),
            ("AAAATTTTAN", Some(Rule::Gc)),
            ("AATATTGCAT", None),
            ("AATATTGAAT", Some(Rule::Gc)),
            ("GGCCGGCAGT", None),
            ("GGCCGGCCGT", Some(Rule::Gc)),
            ("GGCAGGCCGC", Some(Rule::Gc)),
            ("ACACACACAC", Some(Rule::Complexity)),
            ("ACACACACGT", None),
        ] {
            assert_eq!(of_itself(bases.as_bytes(), &options), rule, "{bases}");
        }
        let any = Options { min_complexity: Fraction::ONE, ..options };
        assert_eq!((of_itself(b"AC", &any), of_itself(b"ACA", &any)), (None, None));
        assert_eq!(of_itself(b"CACACA", &any), Some(Rule::Complexity));
    }

    #[test]
    fn those_that_stay_are_spread_evenly() {
        let groups = Groups { names: vec![b"g".to_vec()], of: vec![0], given: vec![true] };
        for (count, most, stay) in [
            (10, 2, vec![2, 7]),
            (7, 3, vec![1, 3, 5]),
            (5, 4, vec![0, 1, 3, 4]),
            (3, 3, vec![0, 1, 2]),
            (3, 1, vec![1]),
        ] {
            let mut windows: Vec<_> = (0..count).map(|start| Window { reference: 0, start, dropped: None }).collect();
            thin(&mut windows, &groups, most);
            let left: Vec<_> = windows.iter().filter(|w| w.dropped.is_none()).map(|w| w.start).collect();
            assert_eq!(left, stay, "{most} of {count}");
        }
    }
}
