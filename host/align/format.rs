//! How alignments are written: `tsv`, `paf`, `sam`, `jsonl`, `blast6`, `text` and `pretty`.
//!
//! ```text
//! tsv     header line; query target strand score query_start query_end query_length target_start target_end
//!         target_length matches columns identity cigar, tab-separated
//! paf     12 columns, then AS NM cg; no header
//! sam     @HD @SQ @PG @CO statement; soft clips, one primary line per query
//! jsonl   the keys of tsv, one object per line, numbers as numbers, null for *
//! blast6  BLAST's -outfmt 6: 12 columns, no header
//! text    query score codes: a digit per column from the end to the start, 1 equal, 2 different, 3 up, 4 left; no header
//! pretty  # statement; a headline and blocks of three lines per pair, for people
//! ```
//!
//! The statement is the line `local, nucleotides, match 1, ...` of [`Rules::statement`]. Scores are exact decimals. Identity is matches / columns, to four decimals of the nearest f64; 0 columns
//! have 0. Positions are 0-based and half-open except in SAM and blast6, and those of a query are on its own strand except in SAM.
//! With statistics, tsv and jsonl end with E-value and bits, paf and sam have them as EV and BS, which are BLAST's names.
//!
//! # What has no alignment
//!
//! A local score of 0 has no place: `*` in tsv, null in jsonl, nothing in paf, an unmapped line in sam, an empty third field in
//! text. Another path of no columns (global, of two empty sequences) has places but no CIGAR: `*` for that alone. A score of 0
//! with a path, as a global alignment may have, is an alignment like any other. SAM has no place for gaps alone, either.
//!
//! Names are written as they are; jsonl, which must be UTF-8, as [`warpseq_io::json`] says. SAM refuses those that it
//! cannot hold.
//!
//! [`Rules::statement`]: super::scoring::Rules::statement

mod blast6;
mod cigar;
mod pretty;
mod rows;
pub mod sam;
mod significance;

pub use cigar::{CigarStyle, Counts};

use super::scoring::Decimal;
use super::statistics::Statistics;
use super::{Alignment, Mode, Scoring};
use sam::Targets;
use std::io::{self, Write};
use std::ops::Range;
use warpseq_engine::error::{Error, Result};
use warpseq_seq::PhredOffset;

/// How alignments are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A tab-separated table with a header.
    #[default]
    Tsv,
    /// The pairwise mapping format of minimap2.
    Paf,
    /// SAM, with every target in the header.
    Sam,
    /// One JSON object a line.
    Jsonl,
    /// BLAST's tabular format, `-outfmt 6`. Needs statistics.
    Blast6,
    /// Name, score and direction codes, as a course asks for.
    Text,
    /// Blocks of three lines, for people.
    Pretty,
}

impl Format {
    /// What the command line calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tsv => "tsv",
            Self::Paf => "paf",
            Self::Sam => "sam",
            Self::Jsonl => "jsonl",
            Self::Blast6 => "blast6",
            Self::Text => "text",
            Self::Pretty => "pretty",
        }
    }

    /// Whether the header names all targets, so that they must be known before the first line ([`Targets`]).
    pub fn names_targets(self) -> bool {
        self == Self::Sam
    }
}

/// Everything that shapes a whole output.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    /// How rows are written.
    pub format: Format,
    /// How a CIGAR writes matches.
    pub cigar: CigarStyle,
    /// Only scores and ends, as `Want::Score` gives them: [`Format::Tsv`] of five columns.
    pub score_only: bool,
    /// What scores mean.
    pub scoring: &'a Scoring,
    /// What the scoring is, for people: [`Rules::statement`](super::scoring::Rules::statement).
    pub statement: &'a str,
    /// E-values and bits are wanted, and these are they.
    pub statistics: Option<&'a Statistics>,
    /// How the queries' qualities are encoded.
    pub phred: PhredOffset,
    /// The command line for SAM's @PG; `None` leaves the line out.
    pub command: Option<&'a str>,
}

/// A sequence as read, in its own direction.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The first word of the header line.
    pub name: &'a [u8],
    /// The residues, as read.
    pub residues: &'a [u8],
    /// As many bytes as residues, in the file's encoding; `None` for FASTA and for targets.
    pub quality: Option<&'a [u8]>,
}

/// An alignment and what it refers to.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// The query.
    pub query: Record<'a>,
    /// The target.
    pub target: Record<'a>,
    /// The query's reverse complement was aligned: `alignment` counts along that, `query` is as read all the same.
    pub reverse: bool,
    /// The best of its query that has a place, or the best one if none has. SAM alone shows it.
    pub primary: bool,
    /// How they align.
    pub alignment: &'a Alignment,
}

impl Layout<'_> {
    /// Checks that the parts go together.
    ///
    /// # Errors
    /// [`Error::Usage`] for scores without paths in a format other than tsv.
    pub fn check(&self) -> Result<()> {
        if self.score_only && self.format != Format::Tsv {
            let name = self.format.name();
            return Err(Error::Usage(format!(
                "--score-only leaves out the path that --format {name} shows: write --format tsv, or leave out --score-only"
            )));
        }
        Ok(())
    }

    /// Writes what comes before the first line. `targets` are not looked at unless [`Format::names_targets`].
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_header(&self, out: &mut impl Write, targets: &Targets) -> io::Result<()> {
        match self.format {
            Format::Tsv => rows::write_tsv_header(out, self),
            Format::Sam => sam::write_header(out, self, targets),
            Format::Pretty => writeln!(out, "# warpseq align: {}\n", self.statement),
            Format::Paf | Format::Jsonl | Format::Blast6 | Format::Text => Ok(()),
        }
    }

    /// Writes an alignment, with its line end. Nothing for what the format leaves out: a pair without an alignment in PAF,
    /// in SAM if it is not primary.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_line(&self, out: &mut impl Write, line: &Line) -> io::Result<()> {
        match self.format {
            Format::Tsv if self.score_only => rows::write_scores(out, self, line),
            Format::Tsv => rows::write_tsv(out, self, line),
            Format::Paf => rows::write_paf(out, self, line),
            Format::Sam => sam::write(out, self, line),
            Format::Jsonl => rows::write_jsonl(out, self, line),
            Format::Blast6 => blast6::write(out, self, line),
            Format::Text => rows::write_text(out, self, line),
            Format::Pretty => pretty::write(out, self, line),
        }
    }

    /// The score as the user's numbers have it.
    fn score(&self, line: &Line) -> Decimal {
        Decimal::of_scaled(line.alignment.score, self.scoring.scale)
    }

    /// Whether there is an alignment: a local score of 0 has none, and no place.
    fn has_place(&self, line: &Line) -> bool {
        self.scoring.mode != Mode::Local || line.alignment.score != 0
    }

    /// SAM's optional fields, which PAF has, too: AS is a float where scores are fractions (in all lines of an output, then),
    /// for `AS:i:` cannot hold them and a scaled score would be another number. EV and BS are what BLAST calls E-value and bits.
    fn write_tags(&self, out: &mut impl Write, line: &Line, counts: &Counts) -> io::Result<()> {
        let kind = if self.scoring.scale == 1 { 'i' } else { 'f' };
        write!(out, "\tAS:{kind}:{}\tNM:i:{}", self.score(line), counts.edits())?;
        match self.significance(line) {
            Some(found) => write!(out, "\tEV:f:{}\tBS:f:{}", found.evalue, found.bits()),
            None => Ok(()),
        }
    }
}

impl Line<'_> {
    /// The aligned part of the query, on the query's own strand.
    fn query_range(&self) -> Range<u64> {
        let Range { start, end } = self.alignment.query;
        let length = self.query.residues.len() as u64;
        if self.reverse { length - end..length - start } else { start..end }
    }

    fn strand(&self) -> char {
        if self.reverse { '-' } else { '+' }
    }
}

#[cfg(test)]
mod tests;
