//! How often each genome is drawn: by its length, or by a table of weights.
//!
//! A table has a genome, a tab and a weight on each line; further columns, empty lines and lines that start with `#` are ignored.
//! Weights are relative to each other. A genome that is not in the table is not drawn.

use crate::error::{FileError, Result};
use std::collections::HashMap;
use std::io::BufRead;
use std::path::Path;
use warpseq_io::lines::{Fault, Lines};
use warpseq_io::text::Text;
use warpseq_seq::Records;

/// Bytes read at a time.
const BLOCK: usize = 1 << 16;

/// The weights of genomes.
#[derive(Clone, Debug, PartialEq)]
pub struct Mix {
    /// Of each genome, the weights up to and including its own, divided by those of all.
    until: Vec<f64>,
}

impl Mix {
    /// Weights that are lengths.
    pub fn by_length(genomes: &Records) -> Self {
        Self::of(genomes.sequences().lengths().map(|length| length as f64))
    }

    /// Reads a table, plain or compressed; `-` is standard input.
    ///
    /// # Errors
    /// [`FileError::File`]; [`FileError::Input`] for a line that is no genome and weight, for an unknown genome and one that is there
    /// twice; [`FileError::Unusable`] if all weights are 0, or together more than can be counted.
    pub fn read(path: &Path, genomes: &Records) -> Result<Self> {
        let text = Text::open(path, BLOCK, 1)?;
        let label = text.label().to_path_buf();
        let weights = parse(text.serial(), genomes).map_err(|fault| fault.of_file(label.clone(), |line| line))?;
        let sum: f64 = weights.iter().sum();
        if sum > 0.0 && sum.is_finite() {
            return Ok(Self::of(weights.into_iter()));
        }
        let message = match sum > 0.0 {
            true => "the weights are too large to be added up: give smaller ones, such as 1 and 10",
            false => "no genome has a weight above 0, so there is nothing to read: give at least one such",
        };
        Err(FileError::Unusable { path: label, message: message.into() }.into())
    }

    fn of(weights: impl Iterator<Item = f64>) -> Self {
        let mut sum = 0.0;
        let mut until: Vec<f64> = weights
            .map(|weight| {
                sum += weight;
                sum
            })
            .collect();
        // Division is monotone, and the last of those with a weight gets 1.
        until.iter_mut().for_each(|until| *until /= sum);
        Self { until }
    }

    /// The genome of a number in [0, 1).
    pub(super) fn genome(&self, number: f64) -> usize {
        self.until.partition_point(|&until| until <= number)
    }
}

fn parse(source: impl BufRead, genomes: &Records) -> std::result::Result<Vec<f64>, Fault> {
    let numbers: HashMap<&[u8], usize> = (0..genomes.len()).map(|k| (genomes.name(k), k)).collect();
    let (mut weights, mut lines) = (vec![None; genomes.len()], Lines::new(source));
    while lines.read()? {
        let line = lines.line();
        if line.is_empty() || line[0] == b'#' {
            continue;
        }
        let mut columns = line.split(|&byte| byte == b'\t');
        let (name, weight) = (columns.next().unwrap_or_default(), columns.next());
        let shown = String::from_utf8_lossy(name);
        let Some(&number) = numbers.get(name) else {
            return Err(lines.fault(format!("there is no genome `{shown}`: expected the first word of a header line")));
        };
        let weight = weight.and_then(|weight| std::str::from_utf8(weight).ok()?.trim().parse::<f64>().ok());
        let Some(weight) = weight.filter(|weight| weight.is_finite() && *weight >= 0.0) else {
            let message = format!("expected a tab and a weight behind `{shown}`: a number of at least 0");
            return Err(lines.fault(message));
        };
        if weights[number].replace(weight).is_some() {
            return Err(lines.fault(format!("`{shown}` has a weight above: give it one weight")));
        }
    }
    Ok(weights.into_iter().map(Option::unwrap_or_default).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn genomes() -> Records {
        Records::from_iter([("a", "ACGT"), ("b", "AC"), ("c", "ACGTACGTAC")])
    }

    fn weights(text: &str) -> std::result::Result<Vec<f64>, String> {
        parse(text.as_bytes(), &genomes()).map_err(|fault| match fault {
            Fault::Line(line, message) => format!("{line}: {message}"),
            Fault::Unreadable(error) => error.to_string(),
        })
    }

    #[test]
    fn genomes_are_drawn_by_length_or_by_weight() {
        let lengths = Mix::by_length(&genomes());
        let drawn: Vec<usize> = (0..16).map(|k| lengths.genome(f64::from(k) / 16.0)).collect();
        assert_eq!(drawn, [0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
        let mix = Mix::of([0.0, 3.0, 0.0].into_iter());
        assert!([0.0, 0.5, 1.0 - f64::EPSILON].iter().all(|&number| mix.genome(number) == 1));
    }

    #[test]
    fn tables_are_read() {
        assert_eq!(weights("# mix\nc\t2.5\textra\r\n\na\t1e-3"), Ok(vec![1e-3, 0.0, 2.5]));
        for (text, words) in [
            ("x\t1", "1: there is no genome `x`"),
            ("a\t1\nb", "2: expected a tab and a weight"),
            ("a\t-1", "at least 0"),
            ("a\tnan", "at least 0"),
            ("a\tinf", "at least 0"),
            ("a\t1\na\t1", "2: `a` has a weight above"),
        ] {
            assert!(weights(text).unwrap_err().contains(words), "{text}");
        }
    }
}
