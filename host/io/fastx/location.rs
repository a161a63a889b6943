//! The line of a symbol in its file, for errors that are found long after the line was read.
//!
//! A record with one line of sequence needs only the line number of its header. A wrapped record keeps one run for each change
//! of the line length: two runs for any number of equal lines and a shorter last one, so that a genome in lines of 60 bases
//! takes as little memory as a read in two lines. No record takes more than its line ends take in the file.

/// The number and line of a record, and how it is wrapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The number of the record in its file, from 1.
    pub record: u64,
    /// The line number of the header, from 1.
    pub line: u64,
    wrapped: Option<Box<Wrapped>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Wrapped {
    sequence: Wrapping,
    quality: Wrapping,
}

/// How the symbols of a part are spread over lines, as runs of lines of equal width.
///
/// Numbers are stored as LEB128: seven bits a byte, the lowest first, and the eighth bit set in all bytes but the last. A run is
/// stored as twice its width, which is at least 1. If it has several lines, one is added, and the number of lines follows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wrapping {
    runs: Vec<u8>,
    /// The open run, which the next line may extend: width and number of lines.
    last: (u64, u64),
    /// The line with the first symbol.
    first: u64,
    lines: u64,
    symbols: u64,
}

impl Wrapping {
    /// Removes all lines; the memory stays.
    pub(super) fn clear(&mut self) {
        let mut runs = std::mem::take(&mut self.runs);
        runs.clear();
        *self = Self { runs, ..Self::default() };
    }

    /// Adds the line numbered `line`, with `symbols` symbols. Lines with symbols follow one another.
    pub(super) fn push(&mut self, line: u64, symbols: u64) {
        if symbols > 0 {
            self.push_run(line, (symbols, 1));
        } else {
            self.lines += 1;
        }
    }

    /// Adds the lines of another, which has not been taken, with symbols each. The first is numbered `line`.
    pub(super) fn push_all(&mut self, line: u64, other: &Self) {
        for run in other.runs().chain((other.last.1 > 0).then_some(other.last)) {
            self.push_run(line, run);
        }
    }

    /// Adds a run, as its width and its number of lines; `line` is the number of the first one.
    fn push_run(&mut self, line: u64, (width, lines): (u64, u64)) {
        if self.symbols == 0 {
            self.first = line;
        }
        self.lines += lines;
        self.symbols += width * lines;
        if self.last.0 == width {
            self.last.1 += lines;
        } else {
            self.close();
            self.last = (width, lines);
        }
    }

    /// The runs that are stored.
    fn runs(&self) -> impl Iterator<Item = (u64, u64)> {
        let mut runs = &self.runs[..];
        std::iter::from_fn(move || {
            let run = get(&mut runs)?;
            Some((run / 2, if run.is_multiple_of(2) { 1 } else { get(&mut runs)? }))
        })
    }

    /// Stores the open run.
    fn close(&mut self) {
        match self.last {
            (0, _) => {}
            (width, 1) => put(&mut self.runs, 2 * width),
            (width, lines) => {
                put(&mut self.runs, 2 * width + 1);
                put(&mut self.runs, lines);
            }
        }
    }

    /// Takes out all lines added so far.
    pub(super) fn take(&mut self) -> Self {
        self.close();
        let taken = std::mem::take(self);
        Self { last: (0, 0), ..taken }
    }

    /// The line of symbol `symbol`, of a wrapping that was taken.
    fn line_of(&self, symbol: u64) -> Option<u64> {
        let (mut line, mut before) = (self.first, 0);
        for (width, lines) in self.runs() {
            if symbol - before < width * lines {
                return Some(line + (symbol - before) / width);
            }
            (line, before) = (line + lines, before + width * lines);
        }
        None
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn get(bytes: &mut &[u8]) -> Option<u64> {
    let length = bytes.iter().position(|byte| byte & 128 == 0)? + 1;
    let (number, rest) = bytes.split_at(length);
    *bytes = rest;
    Some(number.iter().rev().fold(0, |number, byte| number << 7 | u64::from(byte & 127)))
}

impl Location {
    /// Takes how sequence and quality are wrapped, and leaves both empty.
    pub(super) fn new(record: u64, line: u64, sequence: &mut Wrapping, quality: &mut Wrapping) -> Self {
        let wrapped = sequence.lines > 1 || quality.lines > 1;
        let wrapped = wrapped.then(|| Box::new(Wrapped { sequence: sequence.take(), quality: quality.take() }));
        Self { record, line, wrapped }
    }

    /// The line of symbol `symbol` (from 0, less than the length) of the sequence.
    pub fn line_of_base(&self, symbol: u64) -> u64 {
        let found = self.wrapped.as_ref().and_then(|w| w.sequence.line_of(symbol));
        found.unwrap_or(self.line + 1)
    }

    /// The line of symbol `symbol` (from 0, less than the length) of the quality.
    pub fn line_of_quality(&self, symbol: u64) -> u64 {
        let found = self.wrapped.as_ref().and_then(|w| w.quality.line_of(symbol));
        found.unwrap_or(self.line + 3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_found_on_lines_of_any_length() {
        for lengths in [
            vec![5],
            vec![3, 3, 3],
            vec![3, 3, 1],
            vec![1, 2, 1, 2],
            vec![4, 2, 2, 4, 1],
            vec![60; 50],
            vec![70, 70, 9000, 3],
        ] {
            let wrapping_of = |lengths: &[u64], first| {
                let mut wrapping = Wrapping::default();
                lengths.iter().zip(first..).for_each(|(&length, line)| wrapping.push(line, length));
                wrapping
            };
            let lines: Vec<_> =
                lengths.iter().zip(2..).flat_map(|(&length, line)| vec![line; length as usize]).collect();
            for cut in 0..=lengths.len() {
                let mut wrapping = wrapping_of(&lengths[..cut], 2);
                wrapping.push_all(2 + cut as u64, &wrapping_of(&lengths[cut..], 7));
                assert_eq!(wrapping, wrapping_of(&lengths, 2), "{lengths:?}, cut at {cut}");
                let wrapping = wrapping.take();
                for (symbol, &line) in lines.iter().enumerate() {
                    assert_eq!(wrapping.line_of(symbol as u64), Some(line), "symbol {symbol} of {lengths:?}");
                }
            }
        }
    }

    #[test]
    fn a_wrapping_takes_no_more_than_the_line_ends() {
        let bytes = |lengths: &mut dyn Iterator<Item = u64>| {
            let mut wrapping = Wrapping::default();
            (1..).zip(lengths).for_each(|(line, length)| wrapping.push(line, length));
            wrapping.take().runs.len()
        };
        assert_eq!(bytes(&mut std::iter::repeat_n(60, 1000).chain([7])), 4);
        assert_eq!(bytes(&mut (0..1000).map(|k| 1 + k % 2)), 1000);
        assert_eq!(bytes(&mut (0..1000).map(|k| 100 + k % 2)), 2000);
    }

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let numbers = [0, 1, 127, 128, 16_383, 16_384, u64::from(u32::MAX), u64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| put(&mut bytes, number));
        let mut rest = &bytes[..];
        assert!(numbers.iter().all(|&number| get(&mut rest) == Some(number)) && rest.is_empty());
    }

    #[test]
    fn one_line_of_each_needs_no_runs() {
        let mut line = Wrapping::default();
        line.push(11, 4);
        let location = Location::new(3, 10, &mut line.clone(), &mut line);
        assert!(location.wrapped.is_none());
        assert_eq!((location.line_of_base(3), location.line_of_quality(0)), (11, 13));
    }
}
