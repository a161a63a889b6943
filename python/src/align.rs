//! `Engine.align`: the rows of `warpseq align`.

use crate::call::Call;
use crate::choice::{Named, choose_one, number};
use crate::engine::{Kept, Machine, compute};
use crate::error::exception;
use crate::input::{Input, require};
use crate::table::{Column, Table, arrow, column};
use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray, UInt64Array};
use pyo3::prelude::*;
use std::sync::Arc;
use warpseq::align::engine::Aligner;
use warpseq::align::filter::{Filter, Thresholds};
use warpseq::align::format::{CigarStyle, Counts};
use warpseq::align::input::{File, Reading};
use warpseq::align::matrix::Matrix;
use warpseq::align::pairing::{Limits, Pairing, Work, Works};
use warpseq::align::run::{choose, of_queries};
use warpseq::align::scoring::{Alphabet, GapModel, Residues, Rules};
use warpseq::align::statistics::{Database, Parameters, Statistics};
use warpseq::align::strands::{Directions, Stranded};
use warpseq::align::{Batch, Job, Mode, Pair, Scoring, Stop, Want};
use warpseq::console::Console;
use warpseq::error::{Error, Result};
use warpseq::memory::Memory;
use warpseq::seq::Strands;

/// What aligns for all calls of an engine.
pub type Aligners = Kept<Aligner>;
/// How pairs are aligned in a process, which no call changes.
pub static ALIGNER: Aligner = Aligner { console: Console::Silent };

/// Bytes that a unit of weight takes, as of a run of the program with paths.
const UNIT: usize = 4;
/// Cells that the CPU computes between two looks for signals: about a second on two cores.
const CELLS: u64 = 1 << 32;

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
struct Request {
    scoring: Scoring,
    residues: Arc<Residues>,
    pairing: Pairing,
    top: Option<usize>,
    thresholds: Thresholds,
    strands: Strands,
    want: Want,
    cigar: CigarStyle,
    /// Those of the statistics, where E-values are wanted.
    parameters: Option<Parameters>,
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

    fn request(&self, py: Python) -> PyResult<Request> {
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

/// Aligns and returns the rows.
///
/// # Errors
/// Those of the arguments, the files, the device, and of `progress`.
pub fn align(
    py: Python,
    (machine, aligners): (&Machine, &Aligners),
    [queries, targets]: [&Bound<PyAny>; 2],
    arguments: &Arguments,
    progress: Option<&Bound<PyAny>>,
) -> PyResult<Table> {
    machine.check_process(py)?;
    let request = arguments.request(py)?;
    let memory = machine.memory_for_pairs(UNIT);
    let sources = [Source::of("<queries>", queries)?, Source::of("<targets>", targets)?];
    let rows = Call::run(py, progress, |call| {
        let aligning = Aligning { machine, aligners, call, request: &request, memory };
        aligning.run(sources)
    })?;
    request.table(rows).map_err(arrow)
}

/// Where queries or targets come from.
enum Source {
    Path(std::path::PathBuf),
    Held(&'static str, warpseq::seq::Records),
}

impl Source {
    fn of(what: &'static str, value: &Bound<PyAny>) -> PyResult<Self> {
        match Input::of(what, value)? {
            Input::Files(files) => Input::file(value.py(), what, files).map(Self::Path),
            Input::Held(records) => Ok(Self::Held(what, records)),
        }
    }

    fn open(self, request: &Request, memory: Memory) -> Result<File> {
        let reading = Reading { residues: Some(request.residues.clone()), ..Reading::default() };
        match self {
            Self::Held(name, records) => {
                require(name, &records, &reading.demands())?;
                Ok(File::held(name, records))
            }
            Self::Path(path) => File::open(&path, reading, memory.reading),
        }
    }
}

/// A pair that is reported, with what a row tells of its records.
struct Row {
    names: [String; 2],
    lengths: [u64; 2],
    alignment: Stranded,
    /// Its E-value and bits, where these are wanted and it is an alignment.
    significance: Option<[f64; 2]>,
}

/// A call at work.
struct Aligning<'a> {
    machine: &'a Machine,
    aligners: &'a Aligners,
    call: &'a Call,
    request: &'a Request,
    memory: Memory,
}

impl Aligning<'_> {
    fn run(&self, [queries, targets]: [Source; 2]) -> Result<Vec<Vec<Row>>> {
        let Self { machine, call, request, memory, .. } = *self;
        let held = match &queries {
            Source::Held(_, records) => Some(records.len() as u64),
            Source::Path(_) => None,
        };
        let limits = Limits { weight: memory.batch, held: memory.held, whole_queries: request.top.is_some() };
        let open = || {
            let files = [queries.open(request, memory)?, targets.open(request, memory)?];
            let [queries, targets] = files;
            Works::new(queries, targets, request.pairing, limits)
        };
        let mut works = machine.pool.install(open)?;
        let sizes = |targets: &Arc<warpseq::seq::Records>| Database::of(targets.sequences());
        let statistics = request.parameters.zip(works.held_targets().map(sizes));
        let statistics = statistics.map(|(parameters, sizes)| Statistics::new(parameters, sizes));
        let mut rows = Vec::new();
        while let Some(work) = machine.pool.install(|| works.next_work())? {
            rows.push(self.rows(&work, statistics.as_ref())?);
            call.go_on()?;
            match (held, works.streamed().progress()) {
                (Some(total), _) => call.tell(works.queries().count(), Some(total)),
                (None, (total, read)) => call.tell(read.load(std::sync::atomic::Ordering::Relaxed), total),
            }
        }
        Ok(rows)
    }

    /// The rows of a piece of work: of each query all its pairs in order, or its best.
    fn rows(&self, work: &Work, statistics: Option<&Statistics>) -> Result<Vec<Row>> {
        let Request { scoring, thresholds, top, want, .. } = self.request;
        let filter = Filter { thresholds: *thresholds, scoring, statistics };
        let directions = Directions::new(work.queries.sequences(), self.request.strands);
        let mut pairs = work.pairs.clone();
        if top.is_some() || filter.looks_at_scores() && *want == Want::Path {
            let scored = self.align(work, &directions, &pairs, Want::Score)?;
            let scores: Vec<i64> = scored.into_iter().map(|(alignment, _)| alignment.score).collect();
            let chosen = of_queries(&work.pairs).flat_map(|places| {
                let start = places.start;
                choose(&scores[places], *top).into_iter().map(move |place| start + place)
            });
            let passing = chosen.filter(|&k| filter.passes_by_score(scores[k], lengths(work, work.pairs[k])));
            pairs = passing.map(|k| work.pairs[k]).collect();
        }
        let aligned = self.align(work, &directions, &pairs, *want)?;
        let passing =
            pairs.iter().zip(aligned).filter(|(pair, (alignment, _))| filter.passes(alignment, lengths(work, **pair)));
        Ok(passing.map(|(&pair, alignment)| self.row(work, pair, alignment, statistics)).collect())
    }

    fn align(&self, work: &Work, directions: &Directions, pairs: &[Pair], want: Want) -> Result<Vec<Stranded>> {
        let most = if self.machine.is_on_gpu()? { u64::MAX } else { CELLS };
        let mut aligned = Vec::with_capacity(pairs.len());
        for some in parts(work, pairs, most) {
            aligned.extend(directions.align(|queries| {
                let batch = Batch::new(queries, work.targets.sequences(), some);
                let names = Some([work.queries.names(), work.targets.names()]);
                let job = Job { batch, scoring: &self.request.scoring, want, names };
                let mut alignments = Vec::new();
                let (machine, call) = (self.machine, self.call);
                self.aligners.with(machine, call, |executor| compute(executor, call, job, &mut alignments))?;
                Ok(alignments)
            })?);
        }
        Ok(aligned)
    }

    fn row(&self, work: &Work, pair: Pair, alignment: Stranded, statistics: Option<&Statistics>) -> Row {
        let records = [(&work.queries, pair.query as usize), (&work.targets, pair.target as usize)];
        let lengths = records.map(|(records, k)| records.sequences().length(k));
        let score = alignment.0.score;
        let of = |statistics: &Statistics| [statistics.evalue(score, lengths[0], lengths[1]), statistics.bits(score)];
        Row {
            names: records.map(|(records, k)| String::from_utf8_lossy(records.name(k)).into_owned()),
            lengths: lengths.map(|length| length as u64),
            significance: statistics.filter(|_| self.request.has_place(score)).map(of),
            alignment,
        }
    }
}

/// Cuts pairs into some that have so many cells together, or one pair that has more.
fn parts<'p>(work: &Work, mut pairs: &'p [Pair], most: u64) -> Vec<&'p [Pair]> {
    let mut parts = Vec::new();
    while !pairs.is_empty() {
        let mut cells = 0_u64;
        let fit = pairs.iter().take_while(|pair| {
            let [query, target] = lengths(work, **pair);
            cells = cells.saturating_add(query as u64 * target as u64);
            cells <= most
        });
        let (some, rest) = pairs.split_at(fit.count().max(1));
        parts.push(some);
        pairs = rest;
    }
    parts
}

/// The lengths of a pair's query and target.
fn lengths(work: &Work, Pair { query, target }: Pair) -> [usize; 2] {
    [(&work.queries, query), (&work.targets, target)].map(|(records, k)| records.sequences().length(k as usize))
}

impl Request {
    /// Whether there is an alignment: a local score of 0 has none, and no place.
    fn has_place(&self, score: i64) -> bool {
        self.scoring.mode != Mode::Local || score != 0
    }

    fn table(&self, rows: Vec<Vec<Row>>) -> std::result::Result<Table, arrow_schema::ArrowError> {
        Table::new(self.columns(&[]), rows.iter().map(|rows| self.columns(rows)).collect())
    }

    fn columns(&self, rows: &[Row]) -> Vec<Column> {
        let mut columns = vec![
            column("query", rows.iter().map(|row| Some(&row.names[0])).collect::<StringArray>()),
            column("target", rows.iter().map(|row| Some(&row.names[1])).collect::<StringArray>()),
        ];
        match self.want {
            Want::Score => columns.extend(self.ends(rows)),
            Want::Path => columns.extend(self.paths(rows)),
        }
        if self.parameters.is_some() {
            let all = |k: usize| rows.iter().map(|row| row.significance.map(|both| both[k])).collect::<Float64Array>();
            columns.extend([column("evalue", all(0)), column("bits", all(1))]);
        }
        columns
    }

    /// Whole numbers, or where costs have decimals floating ones.
    fn scores(&self, rows: &[Row]) -> ArrayRef {
        let scores = rows.iter().map(|row| row.alignment.0.score);
        match self.scoring.scale {
            1 => Arc::new(scores.map(Some).collect::<Int64Array>()),
            scale => Arc::new(scores.map(|score| Some(score as f64 / f64::from(scale))).collect::<Float64Array>()),
        }
    }

    fn ends(&self, rows: &[Row]) -> Vec<Column> {
        let place = |row: &Row, end: u64| self.has_place(row.alignment.0.score).then_some(end as i64);
        let query = rows.iter().map(|row| place(row, row.alignment.0.query.end)).collect::<Int64Array>();
        let target = rows.iter().map(|row| place(row, row.alignment.0.target.end)).collect::<Int64Array>();
        vec![column("score", self.scores(rows)), column("query_end", query), column("target_end", target)]
    }

    fn paths(&self, rows: &[Row]) -> Vec<Column> {
        let counts: Vec<Counts> = rows.iter().map(|row| Counts::of(&row.alignment.0.path)).collect();
        let strand = |row: &Row| Some(if row.alignment.1 { "-" } else { "+" });
        let place = |of: fn(&Row) -> u64| -> Int64Array {
            rows.iter().map(|row| self.has_place(row.alignment.0.score).then_some(of(row) as i64)).collect()
        };
        let number = |of: fn(&Row) -> u64| rows.iter().map(|row| Some(of(row))).collect::<UInt64Array>();
        let cigar = |row: &Row| {
            let path = &row.alignment.0.path;
            (!path.is_empty()).then(|| self.cigar.text(path))
        };
        vec![
            column("strand", rows.iter().map(strand).collect::<StringArray>()),
            column("score", self.scores(rows)),
            column("query_start", place(|row| row.query()[0])),
            column("query_end", place(|row| row.query()[1])),
            column("query_length", number(|row| row.lengths[0])),
            column("target_start", place(|row| row.alignment.0.target.start)),
            column("target_end", place(|row| row.alignment.0.target.end)),
            column("target_length", number(|row| row.lengths[1])),
            column("matches", counts.iter().map(|counts| Some(counts.equal)).collect::<UInt64Array>()),
            column("columns", counts.iter().map(|counts| Some(counts.columns())).collect::<UInt64Array>()),
            column("identity", counts.iter().map(|counts| Some(counts.identity())).collect::<Float64Array>()),
            column("cigar", rows.iter().map(cigar).collect::<StringArray>()),
        ]
    }
}

impl Row {
    /// The aligned part of the query, on the query's own strand.
    fn query(&self) -> [u64; 2] {
        let (alignment, reverse) = &self.alignment;
        let [start, end] = [alignment.query.start, alignment.query.end];
        if *reverse { [self.lengths[0] - end, self.lengths[0] - start] } else { [start, end] }
    }
}
