//! E-values and bits as text, digit for digit as BLAST prints them.
//!
//! ```text
//! E       below 1e-180   0.0          bits    above 99,999   1.234e+05
//!         below 0.0009   1.23e-20             above 99.9     198, cut and not rounded
//!         below 0.1      0.012                else           52.8
//!         below 1        0.12
//!         below 10       1.2
//!         else           12
//! ```
//!
//! NCBI's `CAlignFormatUtil::GetScoreString` and `CBlastTabularInfo::SetScores`. BLAST puts a blank before bits of fewer than
//! three (or with a decimal four) characters. So does `blast6`, and no other format.

use super::{Layout, Line};

/// An alignment's E-value and bits, as text.
pub(super) struct Significance {
    pub evalue: String,
    /// With the blanks that BLAST puts before it.
    padded_bits: String,
}

impl Significance {
    pub fn bits(&self) -> &str {
        self.padded_bits.trim_ascii_start()
    }

    pub fn padded_bits(&self) -> &str {
        &self.padded_bits
    }
}

impl Layout<'_> {
    /// What chance says of an alignment, where that is wanted and there is an alignment.
    pub(super) fn significance(&self, line: &Line) -> Option<Significance> {
        let statistics = self.statistics.filter(|_| self.has_place(line))?;
        let (score, [query, target]) = (line.alignment.score, [line.query, line.target].map(|of| of.residues.len()));
        Some(Significance {
            evalue: evalue_text(statistics.evalue(score, query, target)),
            padded_bits: bits_text(statistics.bits(score)),
        })
    }
}

fn evalue_text(evalue: f64) -> String {
    match evalue {
        ..1e-180 => "0.0".into(),
        ..0.0009 => scientific(&format!("{evalue:.2e}")),
        ..0.1 => format!("{evalue:.3}"),
        ..1.0 => format!("{evalue:.2}"),
        ..10.0 => format!("{evalue:.1}"),
        _ => format!("{evalue:.0}"),
    }
}

fn bits_text(bits: f64) -> String {
    if bits > 99_999.0 {
        scientific(&format!("{bits:.3e}"))
    } else if bits > 99.9 {
        format!("{:>3}", bits.trunc())
    } else {
        format!("{bits:>4.1}")
    }
}

/// `1.23e-5` as C writes it: `1.23e-05`.
fn scientific(number: &str) -> String {
    let (mantissa, exponent) = number.split_once('e').expect("it has an exponent");
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    format!("{mantissa}e{sign}{digits:0>2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_printed_as_blast_prints_them() {
        let evalues = [
            (0.0, "0.0"),
            (9.99e-181, "0.0"),
            (1.236e-100, "1.24e-100"),
            (8.996e-4, "9.00e-04"),
            (0.0009, "0.001"),
            (0.0123, "0.012"),
            (0.1, "0.10"),
            (0.999, "1.00"),
            (1.0, "1.0"),
            (9.96, "10.0"),
            (10.5, "10"),
            (926.4, "926"),
        ];
        for (evalue, text) in evalues {
            assert_eq!(evalue_text(evalue), text, "{evalue}");
        }
        let bits = [
            (5.04, " 5.0"),
            (99.9, "99.9"),
            (99.96, " 99"),
            (198.99, "198"),
            (99_999.0, "99999"),
            (123_456.0, "1.235e+05"),
        ];
        for (bits, text) in bits {
            assert_eq!(bits_text(bits), text, "{bits}");
        }
    }
}
