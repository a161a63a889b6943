//! Failures as Python exceptions: `warpseq.Error` with `kind`, `file`, `line` and `record`, each `None` where it is not known.

use pyo3::exceptions::{PyException, PyKeyboardInterrupt};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::path::Path;
use warpseq::error::{Error, FileError};

/// `warpseq.Error`.
static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// `warpseq.Error`, made the first time.
///
/// # Errors
/// Those of Python.
pub fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    let made = CLASS.get_or_try_init(py, || {
        let doc = c"A failure. Attributes: `kind`, `file`, `line` and `record`, each None where it is not known.";
        let class = PyErr::new_type(py, c"warpseq.Error", Some(doc), Some(&py.get_type::<PyException>()), None)?;
        for attribute in ["kind", "file", "line", "record"] {
            class.setattr(py, attribute, py.None())?;
        }
        PyResult::Ok(class)
    })?;
    Ok(made.bind(py))
}

/// What is known about a failure besides its message.
#[derive(Default)]
struct About<'a> {
    kind: &'static str,
    file: Option<&'a Path>,
    line: Option<u64>,
    record: Option<u64>,
}

/// The exception for a failure.
pub fn exception(py: Python, error: &Error) -> PyErr {
    let mut text = error.to_string();
    let mut about = match error {
        Error::File(FileError::Interrupted) => return PyKeyboardInterrupt::new_err(()),
        Error::File(FileError::File { path, .. }) => About { kind: "file", file: Some(path), ..About::default() },
        Error::File(FileError::Input { path, line, record, .. }) => {
            About { kind: "input", file: Some(path), line: known(*line), record: known(*record) }
        }
        Error::File(FileError::Unusable { path, .. }) => About { kind: "input", file: Some(path), ..About::default() },
        Error::File(FileError::Usage(_)) | Error::Usage(_) => About { kind: "usage", ..About::default() },
        Error::Device(_) | Error::DeviceAt { .. } => About { kind: "device", ..About::default() },
        _ => About { kind: "internal", ..About::default() },
    };
    if let Some(name) = about.file.and_then(Path::to_str).filter(|name| is_argument(name)) {
        // What came from Python has no lines.
        text = text.replace(", line 0, ", ", ").replace(name, name.trim_matches(['<', '>']));
        about.file = None;
    }
    made(py, &in_python(&text), about).unwrap_or_else(|error| error)
}

/// Whether a name of an input is that of an argument: `<queries>`.
fn is_argument(name: &str) -> bool {
    name.starts_with('<') && name.ends_with('>')
}

/// The exception for arguments that make no sense.
pub fn usage(py: Python, message: &str) -> PyErr {
    made(py, message, About { kind: "usage", ..About::default() }).unwrap_or_else(|error| error)
}

/// The exception for an engine that cannot be used.
pub fn unusable(py: Python, message: &str) -> PyErr {
    made(py, message, About { kind: "engine", ..About::default() }).unwrap_or_else(|error| error)
}

fn made(py: Python, message: &str, about: About) -> PyResult<PyErr> {
    let class = match about.kind {
        "usage" => usage_error(py)?,
        _ => class(py)?.clone(),
    };
    let exception = class.call1((message,))?;
    exception.setattr("kind", about.kind)?;
    exception.setattr("file", about.file.map(|file| file.to_string_lossy().into_owned()))?;
    exception.setattr("line", about.line)?;
    exception.setattr("record", about.record)?;
    Ok(PyErr::from_value(exception))
}

/// `warpseq.UsageError`, which is a `ValueError`, too. It has two bases, so Python makes it.
fn usage_error(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    Ok(py.import("warpseq")?.getattr("UsageError")?.cast_into::<PyType>()?)
}

fn known(number: u64) -> Option<u64> {
    Some(number).filter(|&number| number > 0)
}

/// A message with options as they are called in Python: `gap_open` for `--gap-open`. Names of files keep their dashes.
fn in_python(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    for word in message.split_inclusive(' ') {
        let start = word.find(|c: char| !matches!(c, '(' | '`' | '[')).unwrap_or(0);
        let Some(option) = word[start..].strip_prefix("--") else {
            text += word;
            continue;
        };
        let end = option.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(option.len());
        let name = match &option[..end] {
            "max-memory" => "memory".to_owned(),
            name => name.replace('-', "_"),
        };
        text.extend([&word[..start], &name, &option[end..]]);
    }
    text
}
