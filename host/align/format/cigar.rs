//! CIGAR strings, and how many columns of each kind a path has.
//!
//! `=` and `X` are diagonal columns, `I` consumes a query symbol, `D` a target symbol (SAM specification, section 1.4.6).

use crate::{Op, Run};
use std::io::{self, Write};

/// How diagonal columns are spelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CigarStyle {
    /// `=` where the residues are equal, `X` where they differ.
    #[default]
    Distinct,
    /// `M` for both, neighbours joined.
    Merged,
}

/// Columns of a path by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// `=`.
    pub equal: u64,
    /// `X`.
    pub different: u64,
    /// `I`.
    pub insertions: u64,
    /// `D`.
    pub deletions: u64,
}

impl Counts {
    /// The columns of a path.
    pub fn of(path: &[Run]) -> Self {
        let mut counts = Self::default();
        for run in path {
            let count = match run.op {
                Op::Equal => &mut counts.equal,
                Op::Different => &mut counts.different,
                Op::Insertion => &mut counts.insertions,
                Op::Deletion => &mut counts.deletions,
            };
            *count += u64::from(run.length);
        }
        counts
    }

    /// All columns.
    pub fn columns(&self) -> u64 {
        self.equal + self.edits()
    }

    /// Columns that are not `=`: SAM's NM.
    pub fn edits(&self) -> u64 {
        self.different + self.insertions + self.deletions
    }

    /// Equal columns among all columns.
    pub fn identity(&self) -> f64 {
        if self.columns() == 0 { 0.0 } else { self.equal as f64 / self.columns() as f64 }
    }

    /// Writes the identity with four decimals.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write_identity(&self, out: &mut impl Write) -> io::Result<()> {
        let (equal, columns) = (self.equal, self.columns());
        let is_told_apart = 0 < columns && columns < 1 << 32;
        let rest = if is_told_apart { equal * 10_000 % columns } else { 0 };
        // Halfway between two of four decimals, too, it is rounded as the fraction is.
        if !is_told_apart || 2 * rest == columns {
            return write!(out, "{:.4}", self.identity());
        }
        let digits = equal * 10_000 / columns + u64::from(2 * rest > columns);
        let mut text = *b"0.0000";
        text[0] += (digits / 10_000) as u8;
        for (place, power) in text[2..].iter_mut().zip([1000, 100, 10, 1]) {
            *place += (digits / power % 10) as u8;
        }
        out.write_all(&text)
    }
}

impl CigarStyle {
    /// Writes a path; `*` for one without columns.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write(self, out: &mut impl Write, path: &[Run]) -> io::Result<()> {
        if path.is_empty() {
            return out.write_all(b"*");
        }
        let mut number = itoa::Buffer::new();
        for same in path.chunk_by(|a, b| symbol(self, a.op) == symbol(self, b.op)) {
            let (length, symbol) = (same.iter().map(|run| u64::from(run.length)).sum(), symbol(self, same[0].op));
            if let digit @ 0..10 = length {
                out.write_all(&[b'0' + digit as u8, symbol])?;
            } else {
                out.write_all(number.format(length).as_bytes())?;
                out.write_all(&[symbol])?;
            }
        }
        Ok(())
    }
}

fn symbol(style: CigarStyle, op: Op) -> u8 {
    match (op, style) {
        (Op::Equal | Op::Different, CigarStyle::Merged) => b'M',
        (Op::Equal, CigarStyle::Distinct) => b'=',
        (Op::Different, CigarStyle::Distinct) => b'X',
        (Op::Insertion, _) => b'I',
        (Op::Deletion, _) => b'D',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::tests::path;

    fn text(style: CigarStyle, of: &str) -> String {
        let mut text = Vec::new();
        style.write(&mut text, &path(of)).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn both_styles() {
        for path in ["*", "8=1D9=", "3I", "1=2X3=4I5X6D1I"] {
            assert_eq!(text(CigarStyle::Distinct, path), path);
        }
        assert_eq!(text(CigarStyle::Merged, "1=2X3=4I5X6D1="), "6M4I5M6D1M");
        assert_eq!(text(CigarStyle::Merged, "4294967295=4294967295X"), "8589934590M");
    }

    #[test]
    fn counts() {
        let counts = Counts::of(&path("4=1X2=3I1D"));
        assert_eq!(counts, Counts { equal: 6, different: 1, insertions: 3, deletions: 1 });
        assert_eq!((counts.columns(), counts.edits(), format!("{:.4}", counts.identity())), (11, 5, "0.5455".into()));
        assert_eq!(Counts::of(&[]).identity(), 0.0);
    }

    #[test]
    fn an_identity_is_written_as_any_fraction_is() {
        let of = |equal, columns| {
            let (counts, mut text) = (Counts { equal, different: columns - equal, ..Counts::default() }, Vec::new());
            counts.write_identity(&mut text).unwrap();
            assert_eq!(String::from_utf8(text).unwrap(), format!("{:.4}", counts.identity()), "{equal} of {columns}");
        };
        (0..700).for_each(|columns| (0..=columns).for_each(|equal| of(equal, columns)));
        let large = [20_000, 32_000, 160_000, 4_294_967_295, 4_294_967_296, 1 << 40];
        large.into_iter().for_each(|columns| {
            [1, 3, columns / 2, columns - 1, columns].into_iter().for_each(|equal| of(equal, columns))
        });
    }
}
