//! Sequences as Python has them: paths, lists, dictionaries of names, and NumPy arrays of bytes and offsets.

use crate::error::usage;
use numpy::{PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use rayon::prelude::*;
use std::path::PathBuf;
use warpseq::error::{FileError, Result};
use warpseq::fastx::{Demands, Record};
use warpseq::seq::{Records, Sequences};

/// Records that are not worth more than one thread.
const FEW: usize = 128;

/// Where sequences are.
pub enum Input {
    /// In FASTA or FASTQ files.
    Files(Vec<PathBuf>),
    /// In memory. What came without names is named by its place, from 0.
    Held(Records),
}

impl Input {
    /// Takes the argument of that name, which messages have in brackets: `<queries>`.
    ///
    /// # Errors
    /// A `TypeError` for what is none of these; a `UsageError` for offsets that do not fit.
    pub fn of(name: &str, value: &Bound<PyAny>) -> PyResult<Self> {
        let what = name.trim_matches(['<', '>']);
        if is_path(value)? {
            return Ok(Self::Files(vec![value.extract()?]));
        }
        if let Ok(pair) = value.cast::<PyTuple>()
            && pair.len() == 2
            && pair.get_item(0)?.hasattr("__array_interface__")?
        {
            return arrays(what, pair).map(Self::Held);
        }
        if let Ok(named) = value.cast::<PyDict>() {
            let mut records = Records::default();
            for (name, residues) in named.iter() {
                records.push(bytes(what, &name)?, bytes(what, &residues)?);
            }
            return Ok(Self::Held(records));
        }
        listed(what, value)
    }

    /// The only file, for what reads one.
    pub fn file(py: Python, what: &str, files: Vec<PathBuf>) -> PyResult<PathBuf> {
        let what = what.trim_matches(['<', '>']);
        let [file] = <[PathBuf; 1]>::try_from(files)
            .map_err(|files| usage(py, &format!("{what}: expected one file, not {}", files.len())))?;
        Ok(file)
    }
}

/// A `str` or something with `__fspath__`.
fn is_path(value: &Bound<PyAny>) -> PyResult<bool> {
    Ok(value.is_instance_of::<PyString>() || value.hasattr("__fspath__")?)
}

fn listed(what: &str, value: &Bound<PyAny>) -> PyResult<Input> {
    let wrong = || {
        PyTypeError::new_err(format!(
            "{what}: expected a path, a list of paths, of str or of bytes, a dict of names and sequences, or a pair of \
             NumPy arrays (uint8 residues, int64 offsets)"
        ))
    };
    if value.is_instance_of::<PyBytes>() {
        return Err(wrong());
    }
    let (mut records, mut files, mut number) = (Records::default(), Vec::new(), itoa::Buffer::new());
    for item in value.try_iter().map_err(|_| wrong())? {
        let item = item?;
        let is_text = item.is_instance_of::<PyString>() || item.is_instance_of::<PyBytes>();
        if !is_text && item.hasattr("__fspath__")? {
            files.push(item.extract()?);
        } else {
            records.push(number.format(records.len()), bytes(what, &item)?);
        }
        if !files.is_empty() && !records.is_empty() {
            return Err(wrong());
        }
    }
    Ok(if files.is_empty() { Input::Held(records) } else { Input::Files(files) })
}

/// The bytes of a `str` or of `bytes`.
fn bytes<'a>(what: &str, value: &'a Bound<PyAny>) -> PyResult<&'a [u8]> {
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(bytes.as_bytes());
    }
    let text = value.cast::<PyString>();
    let text =
        text.map_err(|_| PyTypeError::new_err(format!("{what}: expected str or bytes, not {}", value.get_type())))?;
    Ok(text.to_str()?.as_bytes())
}

/// Residues one after another, and where each sequence begins and the last one ends.
fn arrays(what: &str, pair: &Bound<PyTuple>) -> PyResult<Records> {
    let (residues, offsets) = (pair.get_item(0)?, pair.get_item(1)?);
    let residues: PyReadonlyArray1<u8> = residues.extract().map_err(|_| {
        PyTypeError::new_err(format!("{what}: the residues must be an array of uint8 of one dimension"))
    })?;
    let starts = if let Ok(offsets) = offsets.extract::<PyReadonlyArray1<u64>>() {
        offsets.as_array().to_vec()
    } else {
        let offsets = offsets.call_method1("astype", ("int64",))?;
        let offsets: PyReadonlyArray1<i64> = offsets.extract()?;
        // A negative one becomes too large, and is refused as such.
        offsets.as_array().iter().map(|&offset| offset as u64).collect()
    };
    let names = numbers(starts.len().saturating_sub(1));
    let residues = if residues.is_contiguous() { residues.as_slice()?.to_vec() } else { residues.as_array().to_vec() };
    let refused = |why: &dyn std::fmt::Display| usage(pair.py(), &format!("{what}: {why}"));
    let sequences = Sequences::from_parts(residues, starts).map_err(|why| refused(&why))?;
    Records::from_parts(names, sequences).map_err(|why| refused(&why))
}

/// The numbers from 0 on, as names.
fn numbers(count: usize) -> Sequences {
    let (mut digits, mut starts, mut number) = (Vec::new(), Vec::with_capacity(count + 1), itoa::Buffer::new());
    starts.push(0);
    for k in 0..count {
        digits.extend_from_slice(number.format(k).as_bytes());
        starts.push(digits.len() as u64);
    }
    Sequences::from_parts(digits, starts).expect("a number begins where the one before ends")
}

/// Refuses the first of some records in memory that a reader of files would refuse. `name` is that of the argument: `<queries>`. Uses
/// the current threads.
///
/// # Errors
/// [`FileError::Input`] with the record.
pub fn require(name: &str, records: &Records, demands: &Demands) -> Result<()> {
    let Some(check) = &demands.check else { return Ok(()) };
    let refused = (0..records.len()).into_par_iter().with_min_len(FEW).find_map_first(|k| {
        let record = Record { name: records.name(k), residues: records.sequence(k), quality: &[] };
        let refusal = check(record).err()?;
        Some(FileError::Input { path: name.into(), line: 0, record: k as u64 + 1, message: refusal.message })
    });
    refused.map_or(Ok(()), |error| Err(error.into()))
}

/// Cuts records into some of about so many residues.
pub fn pieces(records: &Records, residues: usize) -> impl Iterator<Item = Records> + '_ {
    let starts = records.sequences().starts();
    let mut first = 0;
    std::iter::from_fn(move || {
        let end = starts.partition_point(|&start| start <= starts[first] + residues as u64);
        let range = first..(end - 1).max(first + 1).min(records.len());
        first = range.end;
        (!range.is_empty()).then(|| {
            let mut some = Records::default();
            some.extend(records, range);
            some
        })
    })
}
