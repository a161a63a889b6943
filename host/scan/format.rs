//! How rows are written: `tsv`, `jsonl`, `bed`, `text` and `text-2024`.
//!
//! ```text
//! tsv        sample sequence mate signature strand start end mean_phred informative wild mismatches integrity_hash,
//!            tab-separated, one header line; the mate is 1, 2 or, without mates, `.`
//! jsonl      the same keys, one object per line, numbers as numbers; without mates, the mate is `null`
//! bed        sequence, start, end, signature, score, strand (BED6); score = min(1000, floor(10 mean + 0.5)), not below 0;
//!            a match over the end of a circular sequence is two lines, as BED has no places beyond the end
//! text       sequence: signature (12.345) [77]
//! text-2024  sequence: signature (12.345)
//! ```
//!
//! Means have three decimals of the exact binary value, half to even, and no negative zero. Without qualities mean and hash
//! are `NA`, in jsonl `null`, and a BED score is 0. Names are written as they are; jsonl, which must be UTF-8, has them as
//! [`warpseq_io::json`] says.

use super::circular;
use super::report::Row;
use std::io::{self, Write};
use std::ops::Range;
use warpseq_io::json;

/// How rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A tab-separated table with a header.
    #[default]
    Tsv,
    /// One JSON object a line.
    Jsonl,
    /// BED with six columns.
    Bed,
    /// `sequence: signature (score) [hash]`.
    Text,
    /// `sequence: signature (score)`.
    Text2024,
}

/// A row and what it refers to.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// What the sample is called.
    pub sample: &'a [u8],
    /// The sequence's name.
    pub sequence: &'a [u8],
    /// Which mate of a pair the sequence is, 1 or 2; `None`: it has none.
    pub mate: Option<u8>,
    /// The sequence's length in bases.
    pub length: u64,
    /// The signature's name.
    pub signature: &'a [u8],
    /// The match.
    pub row: &'a Row,
    /// The sequence's integrity hash; `None` without qualities. Not looked at unless [`Format::has_hash`].
    pub hash: Option<u8>,
}

impl Format {
    /// Whether rows show the integrity hash.
    pub fn has_hash(self) -> bool {
        matches!(self, Self::Tsv | Self::Jsonl | Self::Text)
    }

    /// What comes before the first row.
    pub fn header(self) -> Vec<u8> {
        const COLUMNS: &str = "sample\tsequence\tmate\tsignature\tstrand\tstart\tend\tmean_phred\tinformative\twild\t\
                               mismatches\tintegrity_hash\n";
        if self == Self::Tsv { COLUMNS.into() } else { Vec::new() }
    }

    /// Writes a row, with its line end.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_row(self, out: &mut impl Write, line: &Line) -> io::Result<()> {
        match self {
            Self::Tsv => write_tsv(out, line),
            Self::Jsonl => write_jsonl(out, line),
            Self::Bed => write_bed(out, line),
            Self::Text => {
                write_text(out, line)?;
                writeln!(out, " [{}]", number(line.hash, "NA"))
            }
            Self::Text2024 => {
                write_text(out, line)?;
                out.write_all(b"\n")
            }
        }
    }
}

fn write_tsv(out: &mut impl Write, line: &Line) -> io::Result<()> {
    let Row { start, end, informative, wild, mismatches, .. } = *line.row;
    let strand = if line.row.reverse { "-" } else { "+" };
    for field in [line.sample, line.sequence, mate(line, ".").as_bytes(), line.signature, strand.as_bytes()] {
        out.write_all(field)?;
        out.write_all(b"\t")?;
    }
    // There may be more rows than reads, and numbers are most of a row.
    let mut digits = itoa::Buffer::new();
    for number in [start, end] {
        out.write_all(digits.format(number).as_bytes())?;
        out.write_all(b"\t")?;
    }
    out.write_all(mean(line.row, "NA").as_bytes())?;
    for number in [informative, wild, mismatches] {
        out.write_all(b"\t")?;
        out.write_all(digits.format(number).as_bytes())?;
    }
    out.write_all(b"\t")?;
    out.write_all(line.hash.map_or("NA", |hash| digits.format(hash)).as_bytes())?;
    out.write_all(b"\n")
}

fn write_jsonl(out: &mut impl Write, line: &Line) -> io::Result<()> {
    let Row { start, end, informative, wild, mismatches, .. } = line.row;
    out.write_all(b"{\"sample\":")?;
    json::write_name(out, line.sample)?;
    out.write_all(b",\"sequence\":")?;
    json::write_name(out, line.sequence)?;
    write!(out, ",\"mate\":{},\"signature\":", mate(line, "null"))?;
    json::write_name(out, line.signature)?;
    let (strand, mean, hash) = (strand(line.row), mean(line.row, "null"), number(line.hash, "null"));
    write!(out, ",\"strand\":\"{strand}\",\"start\":{start},\"end\":{end},\"mean_phred\":{mean}")?;
    write!(out, ",\"informative\":{informative},\"wild\":{wild},\"mismatches\":{mismatches}")?;
    writeln!(out, ",\"integrity_hash\":{hash}}}")
}

fn write_bed(out: &mut impl Write, line: &Line) -> io::Result<()> {
    let Row { start, end, .. } = *line.row;
    // A float-to-integer cast takes what is below 0 to 0.
    let score = line.row.mean_phred().map_or(0, |mean| (10.0 * mean + 0.5).floor().min(1000.0) as u32);
    for Range { start, end } in circular::parts(start..end, line.length) {
        out.write_all(line.sequence)?;
        write!(out, "\t{start}\t{end}\t")?;
        out.write_all(line.signature)?;
        writeln!(out, "\t{score}\t{}", strand(line.row))?;
    }
    Ok(())
}

fn write_text(out: &mut impl Write, line: &Line) -> io::Result<()> {
    out.write_all(line.sequence)?;
    out.write_all(b": ")?;
    out.write_all(line.signature)?;
    write!(out, " ({})", mean(line.row, "NA"))
}

fn strand(row: &Row) -> char {
    if row.reverse { '-' } else { '+' }
}

fn mate<'m>(line: &Line, none: &'m str) -> &'m str {
    match line.mate {
        None => none,
        Some(1) => "1",
        Some(_) => "2",
    }
}

fn number(value: Option<u8>, missing: &str) -> String {
    value.map_or(missing.to_string(), |value| value.to_string())
}

fn mean(row: &Row, missing: &str) -> String {
    let (Some(mean), Some(sum)) = (row.mean_phred(), row.quality_sum) else { return missing.to_string() };
    let decimals = thousandths(sum, row.end - row.start).unwrap_or_else(|| format!("{mean:.3}"));
    if decimals == "-0.000" { "0.000".to_string() } else { decimals }
}

/// A quotient with three decimals; `None` where it is in the middle of two, or so near to it that its binary value may be.
fn thousandths(sum: i64, count: u64) -> Option<String> {
    const MOST: u64 = 1 << 30;
    let count = i64::try_from(count).ok().filter(|&count| count as u64 <= MOST)?;
    let all = sum.checked_mul(1000).filter(|all| all.unsigned_abs() < MOST * MOST)?;
    let (below, rest) = (all.div_euclid(count), all.rem_euclid(count));
    let nearest = (2 * rest != count).then_some(below + i64::from(2 * rest > count))?;
    let (sign, value) = (if nearest < 0 { "-" } else { "" }, nearest.unsigned_abs());
    Some(format!("{sign}{}.{:03}", value / 1000, value % 1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(reverse: bool, start: u64, length: u64, quality_sum: Option<i64>) -> Row {
        let informative = length as u32 - 1;
        Row {
            sequence: 0,
            signature: 0,
            reverse,
            start,
            end: start + length,
            quality_sum,
            informative,
            wild: 1,
            mismatches: 0,
        }
    }

    fn written(format: Format, row: &Row, hash: Option<u8>) -> String {
        named(format, row, hash, b"s1", b"virus")
    }

    fn named(format: Format, row: &Row, hash: Option<u8>, sequence: &[u8], signature: &[u8]) -> String {
        let mut out = vec![];
        let line = Line { sample: b"lab 7", sequence, mate: None, length: 4_000_000_000, signature, row, hash };
        format.write_row(&mut out, &line).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn tsv() {
        let header = Format::Tsv.header();
        let columns =
            "sample sequence mate signature strand start end mean_phred informative wild mismatches integrity_hash";
        assert_eq!(header, format!("{columns}\n").replace(' ', "\t").into_bytes());
        let found = row(false, 3_000_000_000, 8, Some(101));
        let want = "lab 7\ts1\t.\tvirus\t+\t3000000000\t3000000008\t12.625\t7\t1\t0\t7\n";
        assert_eq!(written(Format::Tsv, &found, Some(7)), want);
        let found = Row { informative: 0, mismatches: 2, ..row(true, 0, 3, None) };
        assert_eq!(written(Format::Tsv, &found, None), "lab 7\ts1\t.\tvirus\t-\t0\t3\tNA\t0\t1\t2\tNA\n");
    }

    #[test]
    fn jsonl() {
        let want = r#"{"sample":"lab 7","sequence":"s1","mate":null,"signature":"virus","strand":"-","start":5,"end":8,"mean_phred":13.667,"informative":2,"wild":1,"mismatches":0,"integrity_hash":0}"#;
        assert_eq!(written(Format::Jsonl, &row(true, 5, 3, Some(41)), Some(0)), format!("{want}\n"));
        let found = written(Format::Jsonl, &row(false, 5, 3, None), None);
        let value: serde_json::Value = serde_json::from_str(&found).unwrap();
        assert!(value["mean_phred"].is_null() && value["integrity_hash"].is_null());
        let found = named(Format::Jsonl, &row(false, 5, 3, None), None, b"a\"\\\x01", b"\xFFz");
        let names = "\"sequence\":\"a\\\"\\\\\\u0001\",\"mate\":null,\"signature\":\" \\\\xFFz\",";
        assert!(found.contains(names), "{found}");
    }

    #[test]
    fn bed() {
        // Mean 12.25 gives floor(123.0), 12.2 gives floor(122.5), -0.04 gives floor(0.1), 150 is capped.
        let cases = [(4, Some(49), 123), (5, Some(61), 122), (25, Some(-1), 0), (2, Some(300), 1000), (2, Some(-9), 0)];
        for (length, sum, score) in cases {
            let want = format!("s1\t2\t{}\tvirus\t{score}\t+\n", 2 + length);
            assert_eq!(written(Format::Bed, &row(false, 2, length, sum), Some(1)), want);
        }
        assert_eq!(written(Format::Bed, &row(true, 2, 2, None), None), "s1\t2\t4\tvirus\t0\t-\n");
    }

    #[test]
    fn bed_over_the_end_is_two_lines() {
        let end = 4_000_000_000;
        let two = format!("s1\t3999999999\t{end}\tvirus\t120\t-\ns1\t0\t2\tvirus\t120\t-\n");
        assert_eq!(written(Format::Bed, &row(true, end - 1, 3, Some(36)), None), two);
        let one = format!("s1\t3999999997\t{end}\tvirus\t0\t+\n");
        assert_eq!(written(Format::Bed, &row(false, end - 3, 3, None), None), one);
    }

    #[test]
    fn text() {
        let found = row(false, 0, 8, Some(101));
        assert_eq!(written(Format::Text, &found, Some(77)), "s1: virus (12.625) [77]\n");
        assert_eq!(written(Format::Text2024, &found, Some(77)), "s1: virus (12.625)\n");
        assert_eq!(written(Format::Text, &row(false, 0, 8, None), None), "s1: virus (NA) [NA]\n");
        for format in [Format::Jsonl, Format::Bed, Format::Text, Format::Text2024] {
            assert!(format.header().is_empty());
        }
    }

    #[test]
    fn three_decimals_half_to_even() {
        // 1/16 = 0.0625 and 3/16 = 0.1875 are ties in binary, 1/2000 and 3/2000 are not.
        let cases = [(1, 16, "0.062"), (3, 16, "0.188"), (5, 16, "0.312"), (-1, 16, "-0.062"), (1, 2000, "0.001")];
        let more = [(3, 2000, "0.002"), (-1, 3000, "0.000"), (0, 3, "0.000"), (-5, 3, "-1.667"), (279, 3, "93.000")];
        for (sum, length, want) in cases.into_iter().chain(more) {
            assert_eq!(mean(&row(false, 0, length, Some(sum)), "NA"), want, "{sum}/{length}");
        }
        for length in (1..300).chain([1000, 2000, 4_000_000_000]) {
            for sum in (-5..95).flat_map(|mean| [mean * length, mean * length + 1, mean * length + length / 2]) {
                let want = format!("{:.3}", sum as f64 / length as f64);
                let want = want.strip_prefix('-').filter(|_| want == "-0.000").unwrap_or(&want);
                assert_eq!(mean(&row(false, 0, length as u64, Some(sum)), "NA"), want, "{sum}/{length}");
            }
        }
    }
}
