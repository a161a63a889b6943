//! How many words each window has: the k-mers that count for its signature.
//!
//! ```text
//! raw       every k-mer
//! protein   those of the 20 amino acids
//! dna       those of A, C, G and T; with `--words complex` those without a short period
//! ```
//!
//! Executors only tell whether a window has a word. The numbers are kept beside the signatures, because with them a signature also
//! tells how much of a sequence another contains.

use crate::{Alphabet, Parameters, Records, Signatures, Window};
use rayon::prelude::*;
use std::ops::Range;
use warpseq_gpu::sign::cell::is_periodic;
use warpseq_seq::{Wildcards, iupac};

/// Sequences whose words are counted by one thread.
const SEQUENCES: usize = 64;
/// Words of a long window that are counted by one thread.
const PART: usize = 1 << 16;

/// The words of each window of a batch, in the order of its signatures; `u32::MAX` for that many and more, 0 where there is no signature.
pub fn of_batch(batch: &Records, parameters: &Parameters, signatures: &Signatures) -> Vec<u32> {
    let mut words = Vec::new();
    count_all(batch, parameters, signatures, &mut words);
    words
}

/// The same, in the memory of `words`.
pub fn count_all(batch: &Records, parameters: &Parameters, signatures: &Signatures, words: &mut Vec<u32>) {
    let ends = batch.sequences().lengths().scan(0, |end, length| {
        *end += parameters.window.count(length) as usize;
        Some(*end)
    });
    let firsts: Vec<usize> = std::iter::once(0).chain(ends).collect();
    words.resize(firsts[batch.len()], 0);
    fill(batch, parameters, &firsts, 0..batch.len(), (words, &signatures.present));
}

/// Counts the words of the windows of these sequences that are present. Those of sequence k are from `firsts[k]` on.
fn fill(
    batch: &Records,
    parameters: &Parameters,
    firsts: &[usize],
    sequences: Range<usize>,
    (words, present): (&mut [u32], &[u8]),
) {
    let Range { start, end } = sequences;
    // Of raw bytes nothing is looked at.
    if end - start > SEQUENCES && parameters.alphabet != Alphabet::Raw {
        let half = start.midpoint(end);
        let ((left, right), present) =
            (words.split_at_mut(firsts[half] - firsts[start]), present.split_at(firsts[half] - firsts[start]));
        rayon::join(
            || fill(batch, parameters, firsts, start..half, (left, present.0)),
            || fill(batch, parameters, firsts, half..end, (right, present.1)),
        );
        return;
    }
    for k in start..end {
        let own = firsts[k] - firsts[start]..firsts[k + 1] - firsts[start];
        of_sequence(batch.sequence(k), parameters, &mut words[own.clone()]);
        words[own.clone()]
            .iter_mut()
            .zip(&present[own])
            .for_each(|(words, &present)| *words *= u32::from(present != 0));
    }
}

/// Counts the words of the windows of a sequence.
fn of_sequence(sequence: &[u8], parameters: &Parameters, words: &mut [u32]) {
    let (length, k) = (sequence.len() as u64, parameters.k);
    let window = |index: u64| {
        let Range { start, end } = parameters.window.range(index, length);
        &sequence[start as usize..end as usize]
    };
    let count = |index: u64| u32::try_from(count(window(index), parameters)).unwrap_or(u32::MAX);
    match (parameters.alphabet, parameters.window, words.split_last_mut()) {
        // Only the last window may be shorter than the others.
        (Alphabet::Raw, Window::Length(w), Some((last, others))) => {
            *last = count(others.len() as u64);
            others.fill((w + 1).saturating_sub(k));
        }
        _ => words.iter_mut().zip(0..).for_each(|(words, index)| *words = count(index)),
    }
}

/// The words of one window. Those of a long one are counted in parts, each with the words that begin in it.
fn count(residues: &[u8], parameters: &Parameters) -> usize {
    let starts = (residues.len() + 1).saturating_sub(parameters.k as usize);
    if starts <= PART || parameters.alphabet == Alphabet::Raw {
        return count_part(residues, parameters);
    }
    let part = |at: usize| &residues[at..residues.len().min(at + PART + parameters.k as usize - 1)];
    (0..starts.div_ceil(PART)).into_par_iter().map(|k| count_part(part(k * PART), parameters)).sum()
}

fn count_part(residues: &[u8], parameters: &Parameters) -> usize {
    let k = parameters.k as usize;
    match parameters.alphabet {
        Alphabet::Raw => (residues.len() + 1).saturating_sub(k),
        Alphabet::Protein => runs(residues.iter().map(|&residue| Alphabet::Protein.letter(residue).is_some()), k),
        Alphabet::Dna => of_dna(residues, parameters),
    }
}

/// Places where a run of at least `k` ends.
fn runs(residues: impl Iterator<Item = bool>, k: usize) -> usize {
    let mut run = 0;
    let grown = residues.map(|is_letter| {
        run = if is_letter { run + 1 } else { 0 };
        run
    });
    grown.filter(|&run| run >= k).count()
}

fn of_dna(residues: &[u8], parameters: &Parameters) -> usize {
    let (codes, longest) = (iupac::digits(Wildcards::Iupac), parameters.longest_period());
    let (mask, mut run, mut kmer, mut words) = (u64::MAX >> (64 - 2 * parameters.k), 0, 0, 0);
    for &residue in residues {
        let code = codes[residue as usize];
        run = if code < iupac::WILD { run + 1 } else { 0 };
        kmer = (kmer << 2 | u64::from(code & 3)) & mask;
        words += usize::from(run >= parameters.k && !is_periodic(kmer, parameters.k, longest));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Words, reference};
    use proptest::prelude::*;

    /// The words of all windows, as if all had signatures.
    fn of_all(batch: &Records, parameters: &Parameters) -> Vec<u32> {
        let windows = batch.sequences().lengths().map(|length| parameters.window.count(length)).sum::<u64>();
        of_batch(batch, parameters, &Signatures { bytes: Vec::new(), present: vec![1; windows as usize] })
    }

    #[test]
    fn windows_without_a_signature_have_no_words() {
        let batch = Records::from_iter([("s", b"MKVLATMKVLATMKVLATMKVLATM".to_vec())]);
        let of = |present: [u8; 3]| {
            of_batch(&batch, &Parameters::QUT, &Signatures { bytes: Vec::new(), present: present.into() })
        };
        assert_eq!((of([1; 3]), of([0, 1, 0])), (vec![14, 14, 7], vec![0, 14, 0]));
    }

    #[test]
    fn long_windows_are_counted_in_parts() {
        for (k, unit) in [(1, &b"ACGTTGCAN"[..]), (11, b"ACGTTGCATTACAGGGA"), (11, b"ACGTACGTACGGTTTTTTTTTTTTTTTAC")] {
            for length in [PART + 5, 2 * PART + 10, 2 * PART + 11, 3 * PART] {
                let mut batch = Records::default();
                batch.push(b"s", &unit.iter().copied().cycle().take(length).collect::<Vec<u8>>());
                for parameters in [Parameters { k, ..Parameters::DNA }, Parameters { k, ..Parameters::PROTEIN }] {
                    let parameters = Parameters { bits: 64, ..parameters };
                    assert_eq!(
                        of_all(&batch, &parameters),
                        reference::words(parameters, &batch),
                        "{parameters} {length}"
                    );
                }
            }
        }
    }

    proptest! {
        #[test]
        fn words_are_those_of_the_reference(
            sequences in proptest::collection::vec("[ACGTacgtuN]{0,40}|(ACG){0,12}|[A]{0,30}|[ACDKLVXMB]{0,50}", 0..5),
            k in 1..9_u32, complex in any::<bool>(), window in prop_oneof![Just(Window::Whole), Just(Window::Length(10))],
        ) {
            let mut batch = Records::default();
            sequences.iter().for_each(|sequence| batch.push(b"s", sequence.as_bytes()));
            let words = if complex { Words::Complex } else { Words::All };
            for parameters in [
                Parameters { k, window, words, ..Parameters::DNA },
                Parameters { k, window, ..Parameters::PROTEIN },
                Parameters { k, window, alphabet: Alphabet::Raw, ..Parameters::PROTEIN },
            ] {
                prop_assert_eq!(of_all(&batch, &parameters), reference::words(parameters, &batch), "{}", parameters);
            }
        }
    }
}
