//! How products are written: `tsv`, `jsonl`, `bed` and `fasta`.
//!
//! ```text
//! tsv     sequence start end strand pair length forward_mismatches reverse_mismatches probe_mismatches, tab-separated, one header
//!         line; no probe, or one with too many mismatches, is NA
//! jsonl   the same keys, one object a line, numbers as numbers, NA as null
//! bed     sequence, start, end, pair, score, strand (BED6); score = 1000 - 100 for each mismatch of a primer, not below 0; a product
//!         over the end of a circular sequence is two lines
//! fasta   >pair|sequence:start-end strand=+ length=... and the bases from the forward primer to the reverse primer
//! ```
//!
//! Names are written as they are; jsonl, which must be UTF-8, has them as [`warpseq_io::json`] says.

use super::{Pair, Product};
use crate::circular;
use std::io::{self, Write};
use warpseq_io::json;
use warpseq_seq::Wildcards;
use warpseq_seq::strand::complement;

/// How products are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A tab-separated table with a header.
    #[default]
    Tsv,
    /// One JSON object a line.
    Jsonl,
    /// BED with six columns.
    Bed,
    /// The bases of the products.
    Fasta,
    /// The bases between the primers.
    FastaInner,
}

/// A product and what it refers to.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// The sequence's name.
    pub sequence: &'a [u8],
    /// Its bases.
    pub bases: &'a [u8],
    /// The pair.
    pub pair: &'a Pair,
    /// What it amplifies.
    pub product: &'a Product,
}

impl Format {
    /// What comes before the first product.
    pub fn header(self) -> Vec<u8> {
        const COLUMNS: &str = "sequence\tstart\tend\tstrand\tpair\tlength\tforward_mismatches\treverse_mismatches\t\
                               probe_mismatches\n";
        if self == Self::Tsv { COLUMNS.into() } else { Vec::new() }
    }

    /// Writes a product, with its line ends.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(self, out: &mut impl Write, line: &Line) -> io::Result<()> {
        match self {
            Self::Tsv => line.write_tsv(out),
            Self::Jsonl => line.write_jsonl(out),
            Self::Bed => line.write_bed(out),
            Self::Fasta => line.write_fasta(out, [0, 0]),
            Self::FastaInner => line.write_fasta(out, line.primers()),
        }
    }
}

impl Line<'_> {
    fn strand(&self) -> char {
        if self.product.reverse { '-' } else { '+' }
    }

    fn length(&self) -> u64 {
        self.product.end - self.product.start
    }

    /// The lengths of the primers, the one at the start of the product first.
    fn primers(&self) -> [usize; 2] {
        let (forward, reverse) = (self.pair.forward().len(), self.pair.reverse().len());
        if self.product.reverse { [reverse, forward] } else { [forward, reverse] }
    }

    /// The mismatches of forward primer, reverse primer and probe.
    fn mismatches(&self, missing: &str) -> [String; 3] {
        let Product { forward_mismatches, reverse_mismatches, probe_mismatches, .. } = self.product;
        let probe = probe_mismatches.map_or(missing.to_owned(), |mismatches| mismatches.to_string());
        [forward_mismatches.to_string(), reverse_mismatches.to_string(), probe]
    }

    fn write_tsv(&self, out: &mut impl Write) -> io::Result<()> {
        let Product { start, end, .. } = self.product;
        out.write_all(self.sequence)?;
        write!(out, "\t{start}\t{end}\t{}\t", self.strand())?;
        out.write_all(self.pair.name())?;
        let [forward, reverse, probe] = self.mismatches("NA");
        writeln!(out, "\t{}\t{forward}\t{reverse}\t{probe}", self.length())
    }

    fn write_jsonl(&self, out: &mut impl Write) -> io::Result<()> {
        let Product { start, end, .. } = self.product;
        out.write_all(b"{\"sequence\":")?;
        json::write_name(out, self.sequence)?;
        write!(out, ",\"start\":{start},\"end\":{end},\"strand\":\"{}\",\"pair\":", self.strand())?;
        json::write_name(out, self.pair.name())?;
        let [forward, reverse, probe] = self.mismatches("null");
        write!(out, ",\"length\":{},\"forward_mismatches\":{forward}", self.length())?;
        writeln!(out, ",\"reverse_mismatches\":{reverse},\"probe_mismatches\":{probe}}}")
    }

    fn write_bed(&self, out: &mut impl Write) -> io::Result<()> {
        let Product { start, end, forward_mismatches, reverse_mismatches, .. } = *self.product;
        let mismatches = u64::from(forward_mismatches) + u64::from(reverse_mismatches);
        let score = 1000_u64.saturating_sub(100 * mismatches);
        for part in circular::parts(start..end, self.bases.len() as u64) {
            out.write_all(self.sequence)?;
            write!(out, "\t{}\t{}\t", part.start, part.end)?;
            out.write_all(self.pair.name())?;
            writeln!(out, "\t{score}\t{}", self.strand())?;
        }
        Ok(())
    }

    /// The bases but so many at either end, as the forward primer begins them.
    fn write_fasta(&self, out: &mut impl Write, without: [usize; 2]) -> io::Result<()> {
        let Product { start, end, reverse, .. } = *self.product;
        out.write_all(b">")?;
        out.write_all(self.pair.name())?;
        out.write_all(b"|")?;
        out.write_all(self.sequence)?;
        let [of_forward, of_reverse, of_probe] = self.mismatches("NA");
        write!(
            out,
            ":{start}-{end} strand={} length={} forward_mismatches={of_forward}",
            self.strand(),
            self.length()
        )?;
        writeln!(out, " reverse_mismatches={of_reverse} probe_mismatches={of_probe}")?;
        let places = start as usize + without[0]..end as usize - without[1];
        let bases = places.map(|at| self.bases[at % self.bases.len()]);
        let mut bases: Vec<u8> = match reverse {
            true => bases.rev().map(|base| complement(base, Wildcards::Iupac)).collect(),
            false => bases.collect(),
        };
        bases.push(b'\n');
        out.write_all(&bases)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amplicon::Options;

    const BASES: &[u8] = b"ggtaaccRTACCTTTAGC";

    fn written(format: Format, product: Product) -> String {
        let pair = Pair::new(b"p\xe9", [b"AACC", b"AAAGG"], None, &Options::default()).unwrap();
        let mut out = Vec::new();
        let line = Line { sequence: b"s", bases: BASES, pair: &pair, product: &product };
        format.write(&mut out, &line).unwrap();
        String::from_utf8_lossy(&out).into_owned()
    }

    fn product(start: u64, end: u64, reverse: bool) -> Product {
        Product {
            sequence: 0,
            start,
            end,
            pair: 0,
            reverse,
            forward_mismatches: 1,
            reverse_mismatches: 2,
            probe_mismatches: (!reverse).then_some(0),
        }
    }

    #[test]
    fn tables() {
        assert_eq!(written(Format::Tsv, product(3, 15, false)), "s\t3\t15\t+\tp\u{fffd}\t12\t1\t2\t0\n");
        assert_eq!(written(Format::Tsv, product(3, 15, true)), "s\t3\t15\t-\tp\u{fffd}\t12\t1\t2\tNA\n");
        let columns = String::from_utf8(Format::Tsv.header()).unwrap();
        assert_eq!(columns.matches('\t').count(), written(Format::Tsv, product(3, 15, true)).matches('\t').count());
        let object = written(Format::Jsonl, product(3, 15, true));
        let object: serde_json::Value = serde_json::from_str(&object).unwrap();
        let keys: Vec<_> = columns.split_whitespace().collect();
        assert_eq!(object.as_object().unwrap().len(), keys.len());
        assert!(keys.iter().all(|key| object.get(key).is_some()), "{object}");
        assert_eq!((&object["pair"], &object["probe_mismatches"]), (&"p \\xE9".into(), &serde_json::Value::Null));
        assert_eq!((&object["length"], &object["strand"]), (&12.into(), &"-".into()));
    }

    #[test]
    fn a_product_over_the_end_is_two_lines_of_bed() {
        assert_eq!(written(Format::Bed, product(3, 15, true)), "s\t3\t15\tp\u{fffd}\t700\t-\n");
        assert_eq!(
            written(Format::Bed, product(9, 23, false)),
            "s\t9\t18\tp\u{fffd}\t700\t+\ns\t0\t5\tp\u{fffd}\t700\t+\n"
        );
        let many = Product { forward_mismatches: 9, ..product(3, 15, true) };
        assert!(written(Format::Bed, many).contains("\t0\t-"));
    }

    #[test]
    fn bases_begin_with_the_forward_primer() {
        let bases = |format, product| written(format, product).lines().nth(1).unwrap().to_owned();
        assert_eq!(bases(Format::Fasta, product(3, 15, false)), "aaccRTACCTTT");
        assert_eq!(bases(Format::FastaInner, product(3, 15, false)), "RTA");
        assert_eq!(bases(Format::Fasta, product(3, 15, true)), "AAAGGTAYggtt");
        assert_eq!(bases(Format::FastaInner, product(3, 15, true)), "GTA");
        assert_eq!(bases(Format::Fasta, product(15, 22, false)), "AGCggta");
        assert_eq!(bases(Format::FastaInner, product(15, 24, false)), "");
        assert!(written(Format::FastaInner, product(3, 15, false)).starts_with(
            ">p\u{fffd}|s:3-15 strand=+ length=12 forward_mismatches=1 reverse_mismatches=2 probe_mismatches=0\n"
        ));
    }
}
