//! A second output beside the first.

use crate::error::{Error, Result};
use crate::output::Output;
use std::path::Path;

/// Opens the output and, where it is asked for, a second one. `option` is the name of the second one's option.
///
/// # Errors
/// Those of [`Output::create`]; [`Error::Usage`] when both are the same.
pub fn open(
    first: Option<&Path>,
    (option, second): (&str, Option<&Path>),
    inputs: &[&Path],
) -> Result<(Output, Option<Output>)> {
    let Some(second) = second else { return Ok((Output::create(first, inputs)?, None)) };
    let is_stdout = |path: &Path| path.as_os_str() == "-";
    let same = match first.filter(|path| !is_stdout(path)) {
        None => is_stdout(second),
        Some(first) => is_same_file(first, second),
    };
    if same {
        let message = format!("{option} {} is where the table goes: write them to different files", second.display());
        return Err(Error::Usage(message));
    }
    Ok((Output::create(first, inputs)?, Some(Output::create(Some(second), inputs)?)))
}

/// Whether two names are of one file, which need not be there yet. `/dev/null` and its like take any number of outputs.
fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b && a.is_file(),
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_place_is_refused_for_both() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("there.tsv");
        std::fs::write(&there, "").unwrap();
        let [new, other] = ["new.tsv", "other.tsv"].map(|name| folder.path().join(name));
        let open = |first: Option<&Path>, second: &Path| super::open(first, ("--svg", Some(second)), &[]);
        let around = folder.path().join(".").join("there.tsv");
        for (first, second) in [(Some(&*new), &*new), (Some(&*there), &*around), (None, Path::new("-"))] {
            let Err(Error::Usage(message)) = open(first, second) else { panic!("{second:?} twice") };
            assert!(message.starts_with("--svg "), "{message}");
        }
        assert!(open(Some(&new), &other).unwrap().1.is_some());
        assert!(open(Some(Path::new("/dev/null")), Path::new("/dev/null")).is_ok());
        assert!(super::open(None, ("--svg", None), &[]).unwrap().1.is_none());
    }
}
