//! Arguments that are names or numbers.

use crate::error::usage;
use pyo3::prelude::*;
use std::fmt::Display;
use std::str::FromStr;

/// The values of an argument by name. The first name of a value is the one that messages list.
pub type Named<T> = &'static [(&'static str, T)];

/// The value of that name, in any case, with `_` for `-`.
///
/// # Errors
/// A `UsageError` with the names there are.
pub fn choose_one<T: Copy + PartialEq>(py: Python, argument: &str, given: &str, table: Named<T>) -> PyResult<T> {
    let name = given.replace('_', "-");
    if let Some((_, value)) = table.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name)) {
        return Ok(*value);
    }
    let is_first = |k: &usize| !table[..*k].iter().any(|(_, value)| *value == table[*k].1);
    let names: Vec<&str> = (0..table.len()).filter(is_first).map(|k| table[k].0).collect();
    Err(usage(py, &format!("{argument}={given:?}: expected one of {}", names.join(", "))))
}

/// An exact number, as Python prints it: an `int`, a `float`, or a `str` such as "0.1".
///
/// # Errors
/// A `UsageError` with what was expected.
pub fn number<T: FromStr<Err: Display>>(argument: &str, given: Option<&Bound<PyAny>>) -> PyResult<Option<T>> {
    let Some(given) = given else { return Ok(None) };
    let text = given.str()?.to_string();
    match text.parse() {
        Ok(number) => Ok(Some(number)),
        Err(why) => Err(usage(given.py(), &format!("{argument}={text}: {why}"))),
    }
}
