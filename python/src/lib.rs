//! The Python module of warpseq: `warpseq._warpseq`, which the package `warpseq` shows.
//!
//! ```text
//! input    paths, lists, dictionaries, arrays -> files or records in memory
//! engine   what computes, and stays open between calls
//! call     a call on a thread of its own: signals, progress
//! align    rows of the program, as columns of Arrow (table)
//! ```

mod align;
mod call;
mod choice;
mod comparing;
mod engine;
mod error;
mod input;
mod scan;
mod signing;
mod table;

use align::Executors;
use comparing::{Comparers, HAMMING};
use engine::Machine;
use pyo3::prelude::*;
use table::Table;

/// What computes: a GPU or the CPU, opened when first needed and kept open between calls. All threads of a process may use one.
///
/// `device` is "auto" (a GPU if there is one), "cuda", "cuda:N" or "cpu"; `threads` are those that compute, None for one for each
/// processor; `memory` is what batches may take, such as "500M".
///
/// Sequences are a path of FASTA or FASTQ; a list of str or bytes, named "0", "1" and so on; a dict of names and sequences; or a pair
/// of NumPy arrays, residues (uint8) and the offset of each sequence with the end of the last one. `progress` is called with what
/// is done and the total: bytes of files, or records in memory. Failures are raised as `warpseq.Error`.
#[pyclass(frozen, module = "warpseq")]
struct Engine {
    machine: Machine,
    aligning: Executors,
    comparers: Comparers,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (device="auto", threads=None, memory="1G"))]
    fn new(py: Python, device: &str, threads: Option<usize>, memory: &str) -> PyResult<Self> {
        let machine = Machine::new(py, device, threads, memory)?;
        Ok(Self { machine, aligning: Executors::new(), comparers: Comparers::new(&HAMMING) })
    }

    /// What computes: "cpu", or the name of the GPU.
    #[getter]
    fn device(&self, py: Python) -> PyResult<String> {
        self.machine.device(py)
    }

    /// How many threads compute.
    #[getter]
    fn threads(&self) -> usize {
        self.machine.pool.current_num_threads()
    }

    fn __repr__(&self) -> String {
        let Machine { options, pool, .. } = &self.machine;
        let (memory, threads) = (options.host_memory >> 20, pool.current_num_threads());
        format!("warpseq.Engine(device=\"{}\", threads={threads}, memory=\"{memory}M\")", options.processor)
    }

    /// Aligns pairs of sequences exactly: the rows of `warpseq align`, with its options as arguments.
    ///
    /// `pairs` is "zip" (the first query with the first target, and so on; one with all) or "all"; `mode` "local", "global", "fit" or
    /// "overlap". A gap of n symbols costs open + (n - 1) * extend. Positions are 0-based and half-open; null where there is no
    /// alignment. Scores are whole numbers unless costs have decimals. With pairs="all", local alignments and `top`, `min_score` or
    /// `evalue`, only what is reported is aligned; the engine keeps these targets for its next search.
    #[pyo3(signature = (
        queries, targets, *, pairs="zip", mode="local", r#match=None, mismatch=None, gap=None, gap_open=None,
        gap_extend=None, gap_model="affine", matrix=None, literal=false, through_zero=false, strand="forward", top=None,
        min_score=None, min_identity=None, min_query_cover=None, evalue=None, score_only=false, cigar="eq", progress=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "all but two of them are named in a call")]
    fn align<'py>(
        &self,
        py: Python<'py>,
        queries: &Bound<'py, PyAny>,
        targets: &Bound<'py, PyAny>,
        pairs: &str,
        mode: &str,
        r#match: Option<Bound<'py, PyAny>>,
        mismatch: Option<Bound<'py, PyAny>>,
        gap: Option<Bound<'py, PyAny>>,
        gap_open: Option<Bound<'py, PyAny>>,
        gap_extend: Option<Bound<'py, PyAny>>,
        gap_model: &str,
        matrix: Option<&str>,
        literal: bool,
        through_zero: bool,
        strand: &str,
        top: Option<usize>,
        min_score: Option<Bound<'py, PyAny>>,
        min_identity: Option<Bound<'py, PyAny>>,
        min_query_cover: Option<Bound<'py, PyAny>>,
        evalue: Option<f64>,
        score_only: bool,
        cigar: &str,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Table> {
        let match_ = r#match;
        #[rustfmt::skip]
        let arguments = align::Arguments {
            pairs, mode, match_, mismatch, gap, gap_open, gap_extend, gap_model, matrix, literal, through_zero, strand, top,
            min_score, min_identity, min_query_cover, evalue, score_only, cigar,
        };
        align::align(py, (&self.machine, &self.aligning), [queries, targets], &arguments, progress)
    }

    /// Finds where signatures occur in sequences: the rows of `warpseq scan`, with its options as arguments.
    ///
    /// A list of `pathlib.Path` is several samples. `mates` are the files of mates 2, as many as those of `sequences`; with `interleaved`,
    /// each file has mates 1 and 2 in turn. `report` is "best", "first" or "all"; `max_mismatch` a number, or a percentage such
    /// as "5%". Positions are 0-based and half-open. `mean_phred` and `integrity_hash` are null without qualities.
    #[pyo3(signature = (
        sequences, signatures, *, mates=None, interleaved=false, wildcards="iupac", strand="both", report="best", max_mismatch=None,
        circular=false, max_n_frac=None, phred_offset=None, algorithm="auto", progress=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "all but two of them are named in a call")]
    fn scan<'py>(
        &self,
        py: Python<'py>,
        sequences: &Bound<'py, PyAny>,
        signatures: &Bound<'py, PyAny>,
        mates: Option<&Bound<'py, PyAny>>,
        interleaved: bool,
        wildcards: &str,
        strand: &str,
        report: &str,
        max_mismatch: Option<Bound<'py, PyAny>>,
        circular: bool,
        max_n_frac: Option<Bound<'py, PyAny>>,
        phred_offset: Option<Bound<'py, PyAny>>,
        algorithm: &str,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Table> {
        #[rustfmt::skip]
        let arguments = scan::Arguments {
            wildcards, strand, report, max_mismatch, circular, max_n_frac, phred_offset, algorithm, mates, interleaved,
        };
        scan::scan(py, &self.machine, [sequences, signatures], &arguments, progress)
    }

    /// Signs sequences: a row for each window, as `warpseq sign build` signs it, with its options as arguments.
    ///
    /// `signature` has `bits / 8` bytes, null for a window without a word. `search` and `distances` take the table as it is.
    #[pyo3(signature = (
        sequences, *, alphabet="auto", k=None, window=None, bits=None, hash=None, density=None, words=None, canonical=None, progress=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "all but one of them are named in a call")]
    fn sign<'py>(
        &self,
        py: Python<'py>,
        sequences: &Bound<'py, PyAny>,
        alphabet: &str,
        k: Option<u32>,
        window: Option<Bound<'py, PyAny>>,
        bits: Option<u32>,
        hash: Option<&str>,
        density: Option<u32>,
        words: Option<&str>,
        canonical: Option<bool>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Table> {
        let arguments = signing::Arguments { alphabet, k, window, bits, hash, density, words, canonical };
        signing::sign(py, &self.machine, sequences, &arguments, progress)
    }

    /// Finds the nearest of a database for each query: the rows of `warpseq sign search`, with its options as arguments.
    ///
    /// Both are sequences, a file of `warpseq sign build` or a table of `sign`. `by` is "window" or "sequence"; `top` the most hits of a
    /// query, None for all within `max_distance`. Distances are in bits.
    #[pyo3(signature = (
        queries, database, *, by="window", top=Some(10), max_distance=None, max_evalue=None, metric="hamming", alphabet="auto", k=None, window=None, bits=None, hash=None, density=None, words=None, canonical=None, progress=None
    ), text_signature = "($self, queries, database, *, by='window', top=10, max_distance=None, max_evalue=None, \
        metric='hamming', alphabet='auto', k=None, window=None, bits=None, hash=None, density=None, words=None, canonical=None, progress=None)")]
    #[expect(clippy::too_many_arguments, reason = "all but two of them are named in a call")]
    fn search<'py>(
        &self,
        py: Python<'py>,
        queries: &Bound<'py, PyAny>,
        database: &Bound<'py, PyAny>,
        by: &str,
        top: Option<u32>,
        max_distance: Option<u32>,
        max_evalue: Option<f64>,
        metric: &str,
        alphabet: &str,
        k: Option<u32>,
        window: Option<Bound<'py, PyAny>>,
        bits: Option<u32>,
        hash: Option<&str>,
        density: Option<u32>,
        words: Option<&str>,
        canonical: Option<bool>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Table> {
        let arguments = signing::Arguments { alphabet, k, window, bits, hash, density, words, canonical };
        let asked = (&arguments, comparing::question(py, (by, top, max_distance), max_evalue, metric)?);
        comparing::search(py, (&self.machine, &self.comparers), [queries, database], asked, progress)
    }

    /// The distances of sequences: the rows of `warpseq sign dist`. Each pair of `a` once, or each of `a` with each of `b`.
    ///
    /// Both are sequences, a file of `warpseq sign build` or a table of `sign`. A distance is from 0, for equal signatures, to about 0.5
    /// for unrelated ones; null where a sequence has no signature.
    #[pyo3(signature = (
        a, b=None, *, metric="hamming", alphabet="auto", k=None, window=None, bits=None, hash=None, density=None, words=None, canonical=None, progress=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "all but two of them are named in a call")]
    fn distances<'py>(
        &self,
        py: Python<'py>,
        a: &Bound<'py, PyAny>,
        b: Option<&Bound<'py, PyAny>>,
        metric: &str,
        alphabet: &str,
        k: Option<u32>,
        window: Option<Bound<'py, PyAny>>,
        bits: Option<u32>,
        hash: Option<&str>,
        density: Option<u32>,
        words: Option<&str>,
        canonical: Option<bool>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Table> {
        let arguments = signing::Arguments { alphabet, k, window, bits, hash, density, words, canonical };
        comparing::distances(
            py,
            (&self.machine, &self.comparers),
            (a, b),
            (&arguments, comparing::metric(py, metric)?),
            progress,
        )
    }
}

#[pymodule]
mod _warpseq {
    use super::*;
    #[pymodule_export]
    use super::{Engine, Table};

    #[pymodule_init]
    fn init(module: &Bound<PyModule>) -> PyResult<()> {
        module.add("Error", error::class(module.py())?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
