//! What Python asks of `Engine.align`: names and numbers, checked as the program checks its options.

use crate::choice::{Named, choose_one, number};
use crate::error::exception;
use pyo3::prelude::*;
use std::sync::Arc;
use warpseq::align::filter::{Filter, Thresholds};
use warpseq::align::format::CigarStyle;
use warpseq::align::matrix::Matrix;
use warpseq::align::pairing::Pairing;
use warpseq::align::scoring::{Alphabet, GapModel, Residues, Rules};
use warpseq::align::search::serves;
use warpseq::align::statistics::{Database, Parameters, Statistics};
use warpseq::align::{Mode, Scoring, Sequences, Stop, Want};
use warpseq::error::{Error, Result};
use warpseq::seq::Strands;

const MODES: Named<Mode> = &[
    ("local", Mode::Local),
    ("global", Mode::Global),
    ("fit", Mode::Fit),
    ("overlap", Mode::Overlap),
    ("semi-global", Mode::Fit),
    ("semiglobal", Mode::Fit),
    ("infix", Mode::Fit),
    ("hw", Mode::Fit),
    ("nw", Mode::Global),
    ("sw", Mode::Local),
];
const PAIRINGS: Named<Pairing> = &[("zip", Pairing::Zip), ("all", Pairing::All)];
const GAP_MODELS: Named<GapModel> = &[
    ("affine", GapModel::Affine),
    ("blast", GapModel::Blast),
    ("ncbi", GapModel::Blast),
    ("minimap2", GapModel::Blast),
    ("emboss", GapModel::Affine),
    ("parasail", GapModel::Affine),
];
const CIGARS: Named<CigarStyle> = &[("eq", CigarStyle::Distinct), ("m", CigarStyle::Merged)];
/// Strands, with their synonyms.
pub const STRANDS: Named<Strands> = &[
    ("forward", Strands::Forward),
    ("reverse", Strands::Reverse),
    ("both", Strands::Both),
    ("+", Strands::Forward),
    ("plus", Strands::Forward),
    ("fwd", Strands::Forward),
    ("-", Strands::Reverse),
    ("minus", Strands::Reverse),
    ("rev", Strands::Reverse),
];

/// The arguments of `align` beside the sequences, as Python gives them.
pub struct Arguments<'py> {
    pub pairs: &'py str,
    pub mode: &'py str,
    pub match_: Option<Bound<'py, PyAny>>,
    pub mismatch: Option<Bound<'py, PyAny>>,
    pub gap: Option<Bound<'py, PyAny>>,
    pub gap_open: Option<Bound<'py, PyAny>>,
    pub gap_extend: Option<Bound<'py, PyAny>>,
    pub gap_model: &'py str,
    pub matrix: Option<&'py str>,
    pub literal: bool,
    pub through_zero: bool,
    pub strand: &'py str,
    pub top: Option<usize>,
    pub min_score: Option<Bound<'py, PyAny>>,
    pub min_identity: Option<Bound<'py, PyAny>>,
    pub min_query_cover: Option<Bound<'py, PyAny>>,
    pub evalue: Option<f64>,
    pub score_only: bool,
    pub cigar: &'py str,
}

/// What to align, and how.
pub struct Request {
    pub scoring: Scoring,
    pub residues: Arc<Residues>,
    pub pairing: Pairing,
    pub top: Option<usize>,
    pub thresholds: Thresholds,
    pub strands: Strands,
    pub want: Want,
    pub cigar: CigarStyle,
    /// Those of the statistics, where E-values are wanted.
    pub parameters: Option<Parameters>,
}

impl Arguments<'_> {
    fn rules(&self, py: Python) -> PyResult<Rules> {
        let matrix = self.matrix.map(Matrix::open).transpose().map_err(|error| exception(py, &error))?;
        Ok(Rules {
            mode: choose_one(py, "mode", self.mode, MODES)?,
            stop: if self.through_zero { Stop::ThroughZero } else { Stop::AtZero },
            alphabet: match matrix {
                Some(matrix) => Alphabet::Matrix(matrix),
                None if self.literal => Alphabet::Literal,
                None => Alphabet::Nucleotides,
            },
            match_: number("match", self.match_.as_ref())?,
            mismatch: number("mismatch", self.mismatch.as_ref())?,
            gap: number("gap", self.gap.as_ref())?,
            gap_open: number("gap_open", self.gap_open.as_ref())?,
            gap_extend: number("gap_extend", self.gap_extend.as_ref())?,
            gap_model: choose_one(py, "gap_model", self.gap_model, GAP_MODELS)?,
        })
    }

    /// What they ask for.
    ///
    /// # Errors
    /// A `UsageError` for values that make no sense, or exclude each other; those of the file of a matrix.
    pub fn request(&self, py: Python) -> PyResult<Request> {
        let rules = self.rules(py)?;
        let thresholds = Thresholds {
            score: number("min_score", self.min_score.as_ref())?,
            identity: number("min_identity", self.min_identity.as_ref())?,
            query_cover: number("min_query_cover", self.min_query_cover.as_ref())?,
            evalue: self.evalue,
        };
        let pairing = choose_one(py, "pairs", self.pairs, PAIRINGS)?;
        let strands = choose_one(py, "strand", self.strand, STRANDS)?;
        let cigar = choose_one(py, "cigar", self.cigar, CIGARS)?;
        self.check(&rules, pairing, &thresholds)
            .and_then(|()| {
                let scoring = rules.scoring()?;
                let residues = Arc::new(rules.alphabet.residues());
                if strands != Strands::Forward {
                    residues.check_strands()?;
                }
                let parameters = thresholds.evalue.map(|_| Parameters::of(&rules, &scoring)).transpose()?;
                let want = if self.score_only { Want::Score } else { Want::Path };
                let top = self.top;
                Ok(Request { scoring, residues, pairing, top, thresholds, strands, want, cigar, parameters })
            })
            .map_err(|error| exception(py, &error))
    }

    /// Refuses arguments that exclude each other, as the program does.
    fn check(&self, rules: &Rules, pairing: Pairing, thresholds: &Thresholds) -> Result<()> {
        let refuse = |message: &str| Err(Error::Usage(message.into()));
        if self.matrix.is_some() && self.literal {
            return refuse("matrix and literal exclude each other: leave out one of them");
        }
        if self.through_zero && rules.mode != Mode::Local {
            return refuse("through_zero is for local alignments: give mode=\"local\", or leave it out");
        }
        if self.top == Some(0) {
            return refuse("top=0: expected a number of at least 1");
        }
        if self.top.is_some() && pairing == Pairing::Zip {
            return refuse(
                "top keeps the best targets of each query, which has one without pairs=\"all\": give pairs=\"all\"",
            );
        }
        if let Some(evalue) = thresholds.evalue {
            if evalue.is_nan() || evalue <= 0.0 {
                return refuse("evalue: expected a number above 0, such as 10 or 1e-3");
            }
            if pairing == Pairing::Zip {
                return refuse(
                    "evalue counts what chance finds among all targets, with which each query is aligned: \
                     give pairs=\"all\"",
                );
            }
        }
        if self.score_only { thresholds.check_without_paths() } else { Ok(()) }
    }
}

impl Request {
    /// Whether a search finds all that is reported.
    pub fn searches(&self) -> bool {
        serves(self.pairing, self.scoring.mode, self.top, &self.thresholds)
    }

    /// Whether there is an alignment: a local score of 0 has none, and no place.
    pub fn has_place(&self, score: i64) -> bool {
        self.scoring.mode != Mode::Local || score != 0
    }

    /// What an alignment must have.
    pub fn filter<'a>(&'a self, statistics: Option<&'a Statistics>) -> Filter<'a> {
        Filter { thresholds: self.thresholds, scoring: &self.scoring, statistics }
    }

    /// The statistics of a search of these targets, where E-values are wanted.
    pub fn statistics(&self, targets: &Sequences) -> Option<Statistics> {
        Some(Statistics::new(self.parameters?, Database::of(targets)))
    }
}
