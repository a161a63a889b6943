//! NCBI's text format of a substitution matrix.
//!
//! ```text
//! # a comment
//!    A  R  N          header row: the letters of the columns
//! A  4 -1 -2          a row for each of them, in any order: its letter, then a whole number per column
//! R -1  5  0
//! N -2  0  6
//! ```
//!
//! Blanks separate, `#` starts a comment line, empty lines do not count. Letters are single printable characters, case folded.

use std::fmt;

/// Why a text is no matrix.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The line's number, from 1; the last line's when something is missing.
    line: usize,
    message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// The letters of the header row, and the scores in that order: row after row, query by target.
///
/// # Errors
/// A header row or a row is missing, repeated, too short or too long, or holds something else than whole numbers.
pub(super) fn parse(text: &str) -> Result<(Vec<u8>, Vec<i32>), Fault> {
    let counts = |(_, line): &(usize, &str)| !line.trim_ascii().is_empty() && !line.starts_with('#');
    let mut lines = (1..).zip(text.lines()).filter(counts);
    let last = text.lines().count().max(1);
    let none = || Fault { line: last, message: "expected a header row of letters, found the end of the file".into() };
    let (line, header) = lines.next().ok_or_else(none)?;
    let letters = read_header(header).map_err(|message| Fault { line, message })?;
    let mut rows: Vec<Option<Vec<i32>>> = vec![None; letters.len()];
    for (line, row) in lines {
        read_row(row, &letters, &mut rows).map_err(|message| Fault { line, message })?;
    }
    let missing = letters.iter().zip(&rows).filter(|(_, row)| row.is_none()).map(|(&letter, _)| char::from(letter));
    let missing: Vec<_> = missing.map(String::from).collect();
    if !missing.is_empty() {
        let message =
            format!("there is no row for {}: expected one for each letter of the header row", missing.join(", "));
        return Err(Fault { line: last, message });
    }
    Ok((letters, rows.into_iter().flatten().flatten().collect()))
}

fn read_header(header: &str) -> Result<Vec<u8>, String> {
    let mut letters = Vec::new();
    for word in header.split_ascii_whitespace() {
        let letter = letter_of(word).ok_or_else(|| {
            format!("expected a header row of single letters (as in `A R N D C`), found `{}`", shown(word))
        })?;
        if letters.contains(&letter) {
            return Err(format!("letter {} is twice in the header row", char::from(letter)));
        }
        letters.push(letter);
    }
    Ok(letters)
}

fn read_row(row: &str, letters: &[u8], rows: &mut [Option<Vec<i32>>]) -> Result<(), String> {
    let mut words = row.split_ascii_whitespace();
    let first = words.next().unwrap_or_default();
    let found = letter_of(first).and_then(|letter| letters.iter().position(|&known| known == letter));
    let place = found
        .ok_or_else(|| format!("expected a row to start with a letter of the header row, found `{}`", shown(first)))?;
    let letter = char::from(letters[place]);
    let number = |word: &str| {
        word.parse::<i32>().map_err(|_| format!("expected a whole number in row {letter}, found `{}`", shown(word)))
    };
    let numbers = words.map(number).collect::<Result<Vec<_>, _>>()?;
    if numbers.len() != letters.len() {
        let (count, noun) = (numbers.len(), if numbers.len() == 1 { "number" } else { "numbers" });
        let expected = letters.len();
        return Err(format!(
            "row {letter} has {count} {noun}, expected {expected}: one for each letter of the header row"
        ));
    }
    match rows[place].replace(numbers) {
        None => Ok(()),
        Some(_) => Err(format!("a second row for letter {letter}")),
    }
}

fn letter_of(word: &str) -> Option<u8> {
    match word.as_bytes() {
        [letter] if letter.is_ascii_graphic() => Some(letter.to_ascii_uppercase()),
        _ => None,
    }
}

/// The start of a word, fit for a message.
fn shown(word: &str) -> String {
    const LENGTH_MAX: usize = 20;
    word.chars().take(LENGTH_MAX).map(|c| if c.is_control() { '?' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_in_any_order_and_case() {
        let text = "# a comment\r\n\r\n\ta\tC\t*\r\n* 1 2 3\r\nA 4 +5 -6\r\n# another\r\nc 7 8 9";
        assert_eq!(parse(text), Ok((b"AC*".to_vec(), vec![4, 5, -6, 7, 8, 9, 1, 2, 3])));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let cases = [
            ("", "line 1: expected a header row of letters, found the end of the file"),
            ("# only\n\n", "line 2: expected a header row of letters, found the end of the file"),
            (
                ">seq1 of a long name\nACGT\n",
                "line 1: expected a header row of single letters (as in `A R N D C`), found `>seq1`",
            ),
            (" A C a\n", "line 1: letter A is twice in the header row"),
            (" A C\nA 1 2\n", "line 2: there is no row for C: expected one for each letter of the header row"),
            (" A C\n", "line 1: there is no row for A, C: expected one for each letter of the header row"),
            (" A C\nA 1 2\nG 1 2\n", "line 3: expected a row to start with a letter of the header row, found `G`"),
            (" A C\n1 2\n3 4\n", "line 2: expected a row to start with a letter of the header row, found `1`"),
            ("#\n A C\nA 1\n", "line 3: row A has 1 number, expected 2: one for each letter of the header row"),
            (" A C\nA 1 2 3\n", "line 2: row A has 3 numbers, expected 2: one for each letter of the header row"),
            (" A C\nA 1 2\nA 1 2\n", "line 3: a second row for letter A"),
            (
                " A C\nA 1 2\n\u{3000}\nC 1 2\n",
                "line 3: expected a row to start with a letter of the header row, found `\u{3000}`",
            ),
            (" A C\nA 1 2.5\n", "line 2: expected a whole number in row A, found `2.5`"),
            (" A C\nA 1 9999999999\n", "line 2: expected a whole number in row A, found `9999999999`"),
        ];
        for (text, want) in cases {
            assert_eq!(parse(text).unwrap_err().to_string(), want, "{text:?}");
        }
    }
}
