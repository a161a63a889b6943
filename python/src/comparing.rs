//! `Engine.search` and `Engine.distances`: the rows of `warpseq sign search` and `warpseq sign dist`.

use crate::call::Call;
use crate::choice::{Named, choose_one};
use crate::engine::{Kept, Machine, compute};
use crate::error::usage;
use crate::signing::{Arguments, Signatory, Source};
use crate::table::{Column, Table, arrow, column};
use arrow_array::{Float64Array, StringArray, UInt64Array};
use pyo3::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use warpseq::error::{FileError, Result};
use warpseq::executor::Executor;
use warpseq::sign::collection::Collection;
use warpseq::sign::dist::{CELL, Distance, Sequences, blocks, distances as compared};
use warpseq::sign::engine::Hamming;
use warpseq::sign::metric::Metric;
use warpseq::sign::search::{By, Question};
use warpseq::sign::significance::{Significance, ones};
use warpseq::sign::{Compared, Comparing, Comparison, Limits, Parameters, nearest};

/// What compares for all calls of an engine.
pub type Comparers = Kept<Hamming>;
/// How signatures are compared in a process, which no call changes.
pub static HAMMING: Hamming = Hamming;

const BYS: Named<By> = &[("window", By::Window), ("sequence", By::Sequence)];
/// Windows, or sequences, of the queries that are compared at a time: what comes between two looks for signals.
const QUERIES: usize = 1 << 10;
/// Rows of a part of a table.
const ROWS: usize = 1 << 16;

const METRICS: Named<Metric> = &[
    ("hamming", Metric::Hamming),
    ("cosine", Metric::Cosine),
    ("ani", Metric::Ani),
    ("containment", Metric::Containment),
];

/// The metric of that name.
///
/// # Errors
/// A `UsageError` for a name that is unknown.
pub fn metric(py: Python, name: &str) -> PyResult<Metric> {
    choose_one(py, "metric", name, METRICS)
}

/// What Python asks about each query.
///
/// # Errors
/// A `UsageError` for a name that is unknown, for none of the best, and for an E-value that sequences do not have.
pub fn question(
    py: Python,
    (by, top, distance): (&str, Option<u32>, Option<u32>),
    evalue: Option<f64>,
    name: &str,
) -> PyResult<Question> {
    let by = choose_one(py, "by", by, BYS)?;
    match (top, evalue) {
        (Some(0), _) => Err(usage(py, "top=0: expected a number of at least 1, or None for all")),
        (_, Some(evalue)) if evalue.is_nan() || evalue < 0.0 => {
            Err(usage(py, "max_evalue: expected a number of at least 0, or float('inf')"))
        }
        (_, Some(_)) if by == By::Sequence => {
            Err(usage(py, "only windows have E-values: leave max_evalue out, or take by='window'"))
        }
        _ => Ok(Question { by, top, distance, evalue, metric: metric(py, name)?, ..Question::default() }),
    }
}

/// A row of numbers that may be missing, where a metric is asked for.
fn metric_column(metric: Metric, values: impl Iterator<Item = Option<f64>>) -> Option<Column> {
    (metric != Metric::Hamming).then(|| column(metric.name(), values.collect::<Float64Array>()))
}

/// Compares for a call.
#[derive(Clone, Copy)]
struct Comparer<'a> {
    machine: &'a Machine,
    comparers: &'a Comparers,
    call: &'a Call,
}

/// An executor whose jobs end with the call.
struct OfCall<'a> {
    executor: &'a mut (dyn Executor<Comparing> + 'a),
    call: &'a Call,
}

impl Executor<Comparing> for OfCall<'_> {
    fn compute(&mut self, job: Comparison, output: &mut Compared) -> Result<()> {
        compute(self.executor, self.call, job, output)
    }
}

impl Comparer<'_> {
    /// Works with an executor.
    fn with<T: Send>(self, work: impl FnOnce(&mut OfCall) -> Result<T> + Send) -> Result<T> {
        let Self { machine, comparers, call } = self;
        comparers.with(machine, call, |executor| work(&mut OfCall { executor, call }))
    }

    /// Bytes that distances may take.
    fn memory(self) -> usize {
        self.machine.options.host_memory / 4
    }

    /// The distances of some sequences of `a` to all of `b`, row after row.
    fn distances(self, a: &Collection, rows: Range<usize>, b: &Collection) -> Result<Vec<Option<Distance>>> {
        let memory = self.memory();
        let mut all = vec![None; rows.len() * b.len()];
        let from = Sequences::range(a, rows.clone())?;
        let most = (memory / CELL / rows.len()).max(1);
        for part in blocks(b, 0..b.len(), most, memory / b.parameters.width()) {
            let to = Sequences::range(b, part.clone())?;
            let found = self.with(|executor| compared(executor, &from, &to, memory))?;
            for (row, found) in all.chunks_exact_mut(b.len()).zip(found.chunks_exact(part.len())) {
                row[part.clone()].copy_from_slice(found);
            }
        }
        Ok(all)
    }
}

fn require_some(name: &str, collection: &Collection) -> Result<()> {
    match collection.is_empty() {
        true => Err(FileError::Unusable {
            path: name.into(),
            message: "there are no sequences in it to compare with".into(),
        }
        .into()),
        false => Ok(()),
    }
}

/// Finds the nearest of a database for each query.
///
/// # Errors
/// Those of the arguments, the files, the device, and of `progress`.
pub fn search(
    py: Python,
    (machine, comparers): (&Machine, &Comparers),
    [queries, database]: [&Bound<PyAny>; 2],
    (arguments, question): (&Arguments, Question),
    progress: Option<&Bound<PyAny>>,
) -> PyResult<Table> {
    machine.check_process(py)?;
    let wanted = arguments.wanted(py)?;
    let sources = [Source::of("<queries>", queries)?, Source::of("<database>", database)?];
    let (none, parts) = Call::run(py, progress, |call| {
        let opened = [("<database>", &sources[1]), ("<queries>", &sources[0])];
        let [database, queries] = Signatory { machine, call, wanted }.open_both(opened)?;
        require_some("<database>", &database)?;
        question.require_limit(&database.parameters)?;
        for (name, collection) in [("<database>", &database), ("<queries>", &queries)] {
            question.metric.require(name.as_ref(), collection, question.by == By::Sequence)?;
        }
        let search = Search { comparer: Comparer { machine, comparers, call }, queries, database, question };
        match question.by {
            By::Window => search.windows(),
            By::Sequence => search.sequences(),
        }
    })?;
    Table::new(none, parts).map_err(arrow)
}

/// A part of a table without rows, which says what the columns are, and all others.
type Parts = (Vec<Column>, Vec<Vec<Column>>);

struct Search<'a> {
    comparer: Comparer<'a>,
    queries: Arc<Collection>,
    database: Arc<Collection>,
    question: Question,
}

impl Search<'_> {
    fn windows(&self) -> Result<Parts> {
        let Self { comparer, queries, database, question } = self;
        let (bits, count, targets) = (queries.parameters.bits, queries.window_count(), database.points());
        let (significance, most) = (Significance::new(database), question.most_expected(&database.parameters));
        let asked = question.distance.unwrap_or(bits).min(bits);
        let mut parts = Vec::new();
        for start in (0..count).step_by(QUERIES) {
            let points = queries.points_of(start..count.min(start + QUERIES));
            let farthest = if most.is_finite() { significance.farthest_of(points.points(), most) } else { Some(bits) };
            let limits = farthest.map(|farthest| Limits { top: question.top, distance: asked.min(farthest) });
            let search =
                |limits| comparer.with(|executor| nearest(executor, points.points(), targets.points(), limits));
            let found = limits.map_or(Ok(Vec::new()), search)?;
            let hit = |near: &warpseq::sign::Neighbour| {
                let (query, target) = (points.window(near.query as usize), targets.window(near.target as usize));
                let ones = [queries.signature(query), database.signature(target)].map(ones);
                let evalue = significance.evalue(ones, near.distance);
                (evalue <= most).then_some(([query, target, near.distance as usize], evalue))
            };
            let hits: Vec<_> = found.iter().filter_map(hit).collect();
            parts.extend(hits.chunks(ROWS).map(|hits| self.columns_of_windows(hits)));
            comparer.call.tell(count.min(start + QUERIES) as u64, Some(count as u64));
        }
        Ok((self.columns_of_windows(&[]), parts))
    }

    /// The columns of hits: the windows of query and target, their distance, and the E-value.
    fn columns_of_windows(&self, hits: &[([usize; 3], f64)]) -> Vec<Column> {
        let side = |collection: &Collection, k: usize, names: [&'static str; 3]| {
            let places: Vec<_> = hits.iter().map(|hit| collection.place(hit.0[k])).collect();
            let name = |sequence: usize| Some(String::from_utf8_lossy(&collection.names[sequence]));
            [
                column(names[0], places.iter().map(|place| name(place.sequence)).collect::<StringArray>()),
                column(names[1], places.iter().map(|place| Some(place.residues.start)).collect::<UInt64Array>()),
                column(names[2], places.iter().map(|place| Some(place.residues.end)).collect::<UInt64Array>()),
            ]
        };
        let mut columns: Vec<Column> = side(&self.queries, 0, ["query", "query_start", "query_end"]).into();
        columns.extend(side(&self.database, 1, ["target", "target_start", "target_end"]));
        columns.push(column("distance", hits.iter().map(|hit| Some(hit.0[2] as u64)).collect::<UInt64Array>()));
        columns.push(self.bits(hits.len()));
        columns.push(column("evalue", hits.iter().map(|hit| Some(hit.1)).collect::<Float64Array>()));
        let words = |[query, target, _]: [usize; 3]| {
            let words = self.queries.words.as_ref().zip(self.database.words.as_ref());
            words.map(|(queries, targets)| [queries[query], targets[target]].map(u64::from))
        };
        let value = |hit: &([usize; 3], f64)| self.value(hit.0[2] as f64, words(hit.0));
        columns.extend(metric_column(self.question.metric, hits.iter().map(value)));
        columns
    }

    /// What a distance in bits says.
    fn value(&self, distance: f64, words: Option<[u64; 2]>) -> Option<f64> {
        let Parameters { bits, k, .. } = self.database.parameters;
        self.question.metric.at(distance / f64::from(bits), (bits, k), words)
    }

    fn bits(&self, rows: usize) -> Column {
        column("bits", UInt64Array::from_value(self.database.parameters.bits.into(), rows))
    }

    fn sequences(&self) -> Result<Parts> {
        let Self { comparer, queries, database, question } = self;
        let mut parts = Vec::new();
        for block in rows_of(*comparer, queries, database) {
            let all = comparer.distances(queries, block.clone(), database)?;
            let mut hits = Vec::new();
            for (query, row) in block.clone().zip(all.chunks_exact(database.len())) {
                let near = |distance: &Distance| question.distance.is_none_or(|most| distance.is_within(most));
                let each = row.iter().enumerate();
                let mut of_query: Vec<_> =
                    each.filter_map(|(target, distance)| Some((distance.filter(near)?, target))).collect();
                of_query.sort_by_key(|hit| hit.0);
                of_query.truncate(question.top.map_or(usize::MAX, |top| top as usize));
                hits.extend(of_query.into_iter().map(|(distance, target)| (query, target, distance)));
            }
            parts.extend(hits.chunks(ROWS).map(|hits| self.columns_of_sequences(hits)));
            comparer.call.tell(block.end as u64, Some(queries.len() as u64));
        }
        Ok((self.columns_of_sequences(&[]), parts))
    }

    fn columns_of_sequences(&self, hits: &[(usize, usize, Distance)]) -> Vec<Column> {
        let distance = hits.iter().map(|hit| Some(hit.2.rounded())).collect::<Float64Array>();
        let mut columns = named([&self.queries, &self.database], hits.iter().map(|hit| [hit.0, hit.1]));
        columns.extend([column("distance", distance), self.bits(hits.len())]);
        let value = |hit: &(usize, usize, Distance)| {
            self.value(hit.2.rounded(), words_of([&self.queries, &self.database], [hit.0, hit.1]))
        };
        columns.extend(metric_column(self.question.metric, hits.iter().map(value)));
        columns
    }
}

/// The words of two sequences, where they are known.
fn words_of([a, b]: [&Collection; 2], [row, column]: [usize; 2]) -> Option<[u64; 2]> {
    a.words(row).zip(b.words(column)).map(|(a, b)| [a, b])
}

/// Blocks of sequences whose distances to all of `b` fit the memory.
fn rows_of<'c>(comparer: Comparer, a: &'c Collection, b: &Collection) -> impl Iterator<Item = Range<usize>> + 'c {
    let memory = comparer.memory();
    let most = (memory / CELL / b.len().max(1)).clamp(1, QUERIES);
    blocks(a, 0..a.len(), most, memory / a.parameters.width())
}

/// The columns `query` and `target`.
fn named(of: [&Collection; 2], pairs: impl Iterator<Item = [usize; 2]> + Clone) -> Vec<Column> {
    let names = |k: usize| {
        pairs.clone().map(|pair| Some(String::from_utf8_lossy(&of[k].names[pair[k]]))).collect::<StringArray>()
    };
    vec![column("query", names(0)), column("target", names(1))]
}

/// The distances of all sequences: each pair of `a` once, or each of `a` with each of `b`.
///
/// # Errors
/// Those of the arguments, the files, the device, and of `progress`.
pub fn distances(
    py: Python,
    (machine, comparers): (&Machine, &Comparers),
    (a, b): (&Bound<PyAny>, Option<&Bound<PyAny>>),
    (arguments, metric): (&Arguments, Metric),
    progress: Option<&Bound<PyAny>>,
) -> PyResult<Table> {
    machine.check_process(py)?;
    let wanted = arguments.wanted(py)?;
    let (a, b) = (Source::of("<a>", a)?, b.map(|b| Source::of("<b>", b)).transpose()?);
    let (none, parts) = Call::run(py, progress, |call| {
        let (signatory, comparer) = (Signatory { machine, call, wanted }, Comparer { machine, comparers, call });
        let Some(b) = &b else {
            let a = signatory.open("<a>", &a)?;
            metric.require("<a>".as_ref(), &a, true)?;
            return all_distances(comparer, [&a, &a], metric, true);
        };
        let [a, b] = signatory.open_both([("<a>", &a), ("<b>", b)])?;
        require_some("<b>", &b)?;
        metric.require("<a>".as_ref(), &a, true)?;
        metric.require("<b>".as_ref(), &b, true)?;
        all_distances(comparer, [&a, &b], metric, false)
    })?;
    Table::new(none, parts).map_err(arrow)
}

fn all_distances(comparer: Comparer, [a, b]: [&Collection; 2], metric: Metric, once: bool) -> Result<Parts> {
    let Parameters { bits, k, .. } = a.parameters;
    let columns = |cells: &[([usize; 2], Option<Distance>)]| {
        let share = |(pair, distance): &([usize; 2], Option<Distance>)| {
            metric.at((*distance)?.rounded() / f64::from(bits), (bits, k), words_of([a, b], *pair))
        };
        let mut columns = named([a, b], cells.iter().map(|cell| cell.0));
        columns.push(column(metric.name(), cells.iter().map(share).collect::<Float64Array>()));
        columns
    };
    let mut parts = Vec::new();
    for block in rows_of(comparer, a, b) {
        let all = comparer.distances(a, block.clone(), b)?;
        let first = block.start * b.len();
        let cells = all.into_iter().enumerate().map(|(k, distance)| {
            let k = first + k;
            ([k / b.len(), k % b.len()], distance)
        });
        let shown: Vec<_> = cells.filter(|([row, column], _)| !once || column > row).collect();
        parts.extend(shown.chunks(ROWS).map(columns));
        comparer.call.tell(block.end as u64, Some(a.len() as u64));
    }
    Ok((columns(&[]), parts))
}
