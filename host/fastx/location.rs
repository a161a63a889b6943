//! Where a symbol stands in its file, for errors found long after the line was read.
//!
//! A record of one sequence line needs only its header's line number. A wrapped one keeps a run for each change of line
//! length: two runs for any number of equal lines and a shorter last one, so a genome in 60-letter lines costs no more than
//! a read in two.

/// A record's number and line, and how it is wrapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The number of the record in its file, from 1.
    pub record: u64,
    /// The header's line number, from 1.
    pub line: u64,
    wrapped: Option<Box<Wrapped>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Wrapped {
    sequence: Wrapping,
    quality: Wrapping,
}

/// How symbols are spread over lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wrapping {
    runs: Vec<Run>,
    lines: u64,
    symbols: u64,
}

/// Consecutive lines of equal length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// The first symbol.
    symbol: u64,
    /// The number of the line it is on.
    line: u64,
    /// Symbols in each line, at least 1.
    width: u64,
}

impl Wrapping {
    pub(super) fn clear(&mut self) {
        self.runs.clear();
        (self.lines, self.symbols) = (0, 0);
    }

    /// Adds the line numbered `line`, with `symbols` symbols.
    pub(super) fn push(&mut self, line: u64, symbols: u64) {
        if symbols > 0 && self.runs.last().is_none_or(|run| run.width != symbols) {
            self.runs.push(Run { symbol: self.symbols, line, width: symbols });
        }
        self.lines += 1;
        self.symbols += symbols;
    }

    fn line_of(&self, symbol: u64) -> Option<u64> {
        let after = self.runs.partition_point(|run| run.symbol <= symbol);
        let run = self.runs[..after].last()?;
        Some(run.line + (symbol - run.symbol) / run.width)
    }
}

impl Location {
    pub(super) fn new(record: u64, line: u64, sequence: &Wrapping, quality: &Wrapping) -> Self {
        let wrapped = sequence.lines > 1 || quality.lines > 1;
        let wrapped = wrapped.then(|| Box::new(Wrapped { sequence: sequence.clone(), quality: quality.clone() }));
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
        for lengths in [vec![5], vec![3, 3, 3], vec![3, 3, 1], vec![1, 2, 1, 2], vec![4, 2, 2, 4, 1], vec![60; 50]] {
            let mut wrapping = Wrapping::default();
            lengths.iter().zip(2..).for_each(|(&length, line)| wrapping.push(line, length));
            let lines = lengths.iter().zip(2..).flat_map(|(&length, line)| vec![line; length as usize]);
            for (symbol, line) in lines.enumerate() {
                assert_eq!(wrapping.line_of(symbol as u64), Some(line), "symbol {symbol} of {lengths:?}");
            }
        }
    }

    #[test]
    fn equal_lines_are_one_run() {
        let mut wrapping = Wrapping::default();
        (1..=1000).for_each(|line| wrapping.push(line, 60));
        wrapping.push(1001, 7);
        assert_eq!(wrapping.runs.len(), 2);
    }

    #[test]
    fn one_line_of_each_needs_no_runs() {
        let mut line = Wrapping::default();
        line.push(11, 4);
        let location = Location::new(3, 10, &line, &line);
        assert!(location.wrapped.is_none());
        assert_eq!((location.line_of_base(3), location.line_of_quality(0)), (11, 13));
    }
}
