//! What is kept of the sequences while their signatures are written.
//!
//! ```text
//! sequence      s0         s1 (empty)        s2
//! windows       w w w      w                 w w      as they come
//! kept          0 1 2                        3 4      one batch: two runs of bytes
//! ```

use super::Collection;
use crate::input;
use crate::{Parameters, Records, Signatures, Window};
use std::ops::Range;

/// The lists of the sequences so far, or of those since the last ones were handed over.
pub(crate) struct Catalogue {
    parameters: Parameters,
    /// Bytes of all names.
    pub named: u64,
    pub windows: u64,
    pub lists: Lists,
}

/// Names, lengths and present bits of sequences that follow each other.
#[derive(Default)]
pub(crate) struct Lists {
    /// All names, one after another.
    pub names: Vec<u8>,
    /// The name of sequence s is `names[name_offsets[s]..name_offsets[s + 1]]`; one more entry than sequences.
    pub name_offsets: Vec<u64>,
    pub lengths: Vec<u64>,
    /// A bit for each window, the first one the lowest of the first byte; bits behind the last window are 0.
    pub present: Vec<u8>,
    /// The words of each window.
    pub words: Vec<u32>,
}

/// The number of windows that a collection keeps of a sequence of `length` residues: none of an empty one.
pub(crate) fn windows_of(window: Window, length: u64) -> u64 {
    if length == 0 { 0 } else { window.count(length) }
}

/// Each name for itself, `offsets` being as those of a [`Catalogue`].
pub(crate) fn split_names(names: &[u8], offsets: &[u64]) -> Vec<Vec<u8>> {
    offsets.windows(2).map(|ends| names[ends[0] as usize..ends[1] as usize].to_vec()).collect()
}

/// Whether runs of windows are all of so many.
pub(crate) fn are_all(runs: &[Range<usize>], windows: usize) -> bool {
    runs.iter().map(Range::len).sum::<usize>() == windows
}

/// The windows that are kept of sequences of these lengths, which have `windows` in all: runs of them, without those of empty sequences.
fn kept(window: Window, lengths: &[u64], windows: usize) -> Vec<Range<usize>> {
    let (mut kept, mut first, mut end) = (Vec::new(), 0, windows);
    // All windows need only be gone through where a sequence is empty.
    if lengths.contains(&0) {
        end = 0;
        for &length in lengths {
            let start = end;
            end += window.count(length) as usize;
            if length == 0 {
                kept.push(first..start);
                first = end;
            }
        }
    }
    kept.push(first..end);
    kept.retain(|windows| !windows.is_empty());
    kept
}

/// A bit for each flag that is not 0, the first one the lowest. A sum sets the highest bit of each byte that has another; the product puts
/// the lowest bit of byte k at 56 + k.
fn packed(flags: &[u8; 8]) -> u8 {
    let (flags, lower) = (u64::from_le_bytes(*flags), u64::from_le_bytes([0x7f; 8]));
    let ones = (((flags & lower) + lower) | flags) >> 7 & u64::from_le_bytes([1; 8]);
    (ones.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

impl Catalogue {
    /// One without sequences.
    pub fn new(parameters: &Parameters) -> Self {
        Self {
            parameters: *parameters,
            named: 0,
            windows: 0,
            lists: Lists { name_offsets: vec![0], ..Lists::default() },
        }
    }

    /// Adds the sequences of a batch. Gives the windows that are kept, in runs: all but those of empty sequences. The lists may go on in the
    /// memory of `words`.
    ///
    /// # Panics
    /// When `signatures` or their `words` are not those of the batch's windows.
    pub fn add(&mut self, batch: &Records, signatures: &Signatures, words: &mut Vec<u32>) -> Vec<Range<usize>> {
        assert_eq!(words.len(), signatures.len(), "one signature for each window");
        let listed = self.lists.lengths.len();
        self.list_all(batch);
        let kept = kept(self.parameters.window, &self.lists.lengths[listed..], words.len());
        if self.lists.words.is_empty() && are_all(&kept, words.len()) {
            std::mem::swap(&mut self.lists.words, words);
        } else {
            kept.iter().for_each(|windows| self.lists.words.extend_from_slice(&words[windows.clone()]));
        }
        kept.iter().for_each(|windows| self.keep_flags(&signatures.present[windows.clone()]));
        kept
    }

    /// Adds the names and lengths of a batch.
    fn list_all(&mut self, batch: &Records) {
        let Lists { names, name_offsets, lengths, .. } = &mut self.lists;
        let ends = batch.names().starts().iter().skip(1);
        name_offsets.extend(ends.map(|end| self.named + end));
        names.extend_from_slice(batch.names().residues());
        self.named += batch.names().residues().len() as u64;
        match self.parameters.window {
            // Only whole sequences have joints.
            Window::Whole => lengths.extend(batch.sequences().iter().map(input::length)),
            Window::Length(_) => lengths.extend(batch.sequences().lengths()),
        }
    }

    /// Adds the sequences of a collection, but not its signatures.
    pub fn add_collection(&mut self, collection: &Collection) {
        let sequences = collection.names.iter().zip(&collection.lengths);
        sequences.for_each(|(name, &length)| self.list(name, length));
        self.lists.words.extend(collection.words.iter().flatten());
        let windows = collection.window_count() as u64;
        for (&bits, first) in collection.present.iter().zip((0..windows).step_by(8)) {
            self.keep_bits(bits, (windows - first).min(8));
        }
    }

    fn list(&mut self, name: &[u8], length: u64) {
        self.lists.names.extend_from_slice(name);
        self.named += name.len() as u64;
        self.lists.name_offsets.push(self.named);
        self.lists.lengths.push(length);
    }

    /// Adds a present bit for each flag.
    fn keep_flags(&mut self, present: &[u8]) {
        // Until the bits of a byte are together, one by one; then eight at a time.
        let until = (self.windows.wrapping_neg() % 8).min(present.len() as u64) as usize;
        let (first, rest) = present.split_at(until);
        let (eights, last) = rest.as_chunks();
        first.iter().for_each(|&flag| self.keep_bits(u8::from(flag != 0), 1));
        self.lists.present.extend(eights.iter().map(packed));
        self.windows += 8 * eights.len() as u64;
        last.iter().for_each(|&flag| self.keep_bits(u8::from(flag != 0), 1));
    }

    /// Adds the lowest `count` of eight present bits. The others are 0.
    fn keep_bits(&mut self, bits: u8, count: u64) {
        let bits = u16::from(bits);
        let (shift, [low, high]) = (self.windows % 8, (bits << (self.windows % 8)).to_le_bytes());
        match self.lists.present.last_mut().filter(|_| shift != 0) {
            Some(last) => *last |= low,
            None if count > 0 => self.lists.present.push(low),
            None => {}
        }
        self.windows += count;
        if shift + count > 8 {
            self.lists.present.push(high);
        }
    }

    /// The first window of each sequence, and at the end the number of windows.
    pub fn firsts(&self) -> impl Iterator<Item = u64> + '_ {
        let ends = self.lists.lengths.iter().scan(0, |first, &length| {
            *first += windows_of(self.parameters.window, length);
            Some(*first)
        });
        std::iter::once(0).chain(ends)
    }

    /// The lists, which go on in the memory of `empty`, where a last byte of `present` that is not full stays.
    pub fn hand_over(&mut self, mut empty: Lists) -> Lists {
        empty.clear();
        let full = self.lists.present.len() - usize::from(!self.windows.is_multiple_of(8));
        empty.present.extend(self.lists.present.drain(full..));
        std::mem::replace(&mut self.lists, empty)
    }
}

impl Lists {
    fn clear(&mut self) {
        let Self { names, name_offsets, lengths, present, words } = self;
        [names, present].into_iter().for_each(Vec::clear);
        [name_offsets, lengths].into_iter().for_each(Vec::clear);
        words.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_the_windows_however_they_come() {
        let parameters = Parameters { window: Window::Length(4), ..Parameters::QUT };
        let flags: Vec<u8> = (0_u32..60).map(|w| u8::from(w * w % 7 < 3)).collect();
        for step in [1, 3, 7, 8, 9, 16, 60] {
            let mut catalogue = Catalogue::new(&parameters);
            for flags in flags.chunks(step) {
                let mut batch = Records::default();
                batch.push(b"s", &vec![b'A'; 2 * flags.len() + 2]);
                let signatures = Signatures { bytes: vec![7; 8 * flags.len()], present: flags.to_vec() };
                catalogue.add(&batch, &signatures, &mut vec![3; flags.len()]);
            }
            assert_eq!((catalogue.windows, catalogue.lists.present.len()), (60, 8));
            let bits: Vec<u8> = (0..64).map(|w| catalogue.lists.present[w / 8] >> (w % 8) & 1).collect();
            assert_eq!((&bits[..60], &bits[60..]), (&flags[..], &[0; 4][..]), "{step} at a time");
        }
    }

    #[test]
    fn empty_sequences_are_listed_without_windows() {
        let mut batch = Records::default();
        for (name, residues) in [("a", ""), ("b", "MKV"), ("c", ""), ("d", ""), ("e", "MKVLAT"), ("f", "")] {
            batch.push(name.as_bytes(), residues.as_bytes());
        }
        let signatures = Signatures { bytes: (0..6).flat_map(|w| [w; 8]).collect(), present: vec![0, 1, 0, 0, 1, 0] };
        let mut catalogue = Catalogue::new(&Parameters::QUT);
        let kept = catalogue.add(&batch, &signatures, &mut vec![0, 1, 0, 0, 4, 0]);
        assert_eq!((kept, &catalogue.lists.words[..]), (vec![1..2, 4..5], &[1, 4][..]));
        assert_eq!(catalogue.firsts().collect::<Vec<_>>(), [0, 0, 1, 1, 1, 2, 2]);
        assert_eq!((catalogue.windows, &catalogue.lists.present[..]), (2, &[0b11][..]));
        assert_eq!(catalogue.lists.names, b"abcdef");
    }
}
